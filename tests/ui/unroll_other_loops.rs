//! Only a `for` over static integers or indices is unrolled.

#[shim::kernel]
fn sum(a: &[i32], n: usize) -> i32 {
    let mut s = 0;
    #[unroll]
    while s < 4 {
        s += 1;
    }
    #[unroll]
    loop {
        break;
    }
    #[unroll]
    for v in a {
        s += v;
    }
    #[unroll]
    for i in 0.. {
        s += i;
    }
    #[unroll]
    for i in (0..8).step_by(n) {
        s += i as i32;
    }
    #[unroll]
    for i in (0..8).step_by(0) {
        s += i as i32;
    }
    s
}

fn main() {}
