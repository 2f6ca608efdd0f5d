//! An iterator is no value that a macro could print.

use shim::prelude::*;

#[shim::kernel]
fn fill(v: &mut [i32], n: usize) {
    let v = Block::external(v, [n]);
    let [i] = iters();
    println!("{}", i);
    v[[i]] = i;
}

fn main() {}
