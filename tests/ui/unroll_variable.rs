//! The variable of an unrolled loop is static.

#[shim::kernel]
fn sum() -> i32 {
    let mut s = 0;
    #[unroll]
    for mut i in 0..4 {
        i += 1;
        s += i;
    }
    s
}

fn main() {}
