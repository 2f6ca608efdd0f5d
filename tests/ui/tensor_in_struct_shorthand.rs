//! Tensors are never stored.

use shim::prelude::*;

struct Holder<T> {
    tensor: T,
}

#[shim::kernel]
fn store(a: &[u8], n: usize) -> u8 {
    let tensor = Block::external(a, [n]);
    let _holder = Holder { tensor };
    tensor[[0]]
}

fn main() {}
