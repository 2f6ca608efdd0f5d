//! Tensors are never stored.

use shim::prelude::*;

struct Holder<T> {
    tensor: T,
}

#[shim::kernel]
fn store(a: &[u8], n: usize, list: &mut Vec<u8>) -> u8 {
    let a = Block::external(a, [n]);
    let holder = Holder { tensor: a };
    let pair = (a, 1);
    let array = [a, a];
    list.push(a);
    holder.tensor + pair.1 + array[0]
}

fn main() {}
