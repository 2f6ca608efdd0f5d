//! A tensor in a macro that is not std's cannot be staged.

use shim::prelude::*;

macro_rules! first {
    ($t:expr) => {
        $t[0]
    };
}

#[shim::kernel]
fn head(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n]);
    first!(a)
}

fn main() {
    println!("{}", first!([1]));
}
