//! The axes of a permutation are static.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], k: usize, p: [usize; 2]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.permute([k, 1]);
    let c = a.permute(p);
    b[[0, 0]] + c[[0, 0]]
}

fn main() {}
