//! A tensor has the methods of views and queries.

use shim::prelude::*;

#[shim::kernel]
fn size(a: &[u8], n: usize) -> usize {
    let a = Block::external(a, [n, n]);
    let b = a.transpose();
    a.len() + b.iter().count()
}

fn main() {}
