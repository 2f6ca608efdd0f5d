//! Extents that depend on indices: what is no shape, and what a shape cannot do.

use shim::prelude::*;

#[shim::kernel]
fn negative(a: &[u8], n: usize, m: usize) -> u8 {
    let a = Block::external(a, [n, |i| m - i]);
    a[[0, 0]]
}

#[shim::kernel]
fn product(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| i * i]);
    a[[0, 0]]
}

#[shim::kernel]
fn later(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [|i| i + 1, n]);
    a[[0, 0]]
}

#[shim::kernel]
fn pattern(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, |(i, j)| i + 1]);
    a[[0, 0]]
}

#[shim::kernel]
fn signed(a: &[u8], n: usize, k: isize) -> u8 {
    let a = Block::external(a, [n, |i| i + k]);
    a[[0, 0]]
}

#[shim::kernel]
fn rows(a: &[Vec<u8>], n: usize) -> u8 {
    let a = Block::rows(a, [n, |i| i + 1]);
    a[[0, 0]]
}

#[shim::kernel]
fn strided(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| i + 1]).strided([n, 1]);
    a[[0, 0]]
}

#[shim::kernel]
fn stored(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| i + 1]).stored(column_major);
    let b = Block::external(a, [n, |i| i + 1]).stored(tile([1, 4]));
    let c = Block::external(a, [n, |i| 4 * i]).stored(tile([2, 4]));
    0
}

#[shim::kernel]
fn dynamic(n: usize) -> u8 {
    let a = Block::stack::<u8>([n, |i| i + 1]);
    a[[0, 0]]
}

#[shim::kernel]
fn outside(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| i + 1]);
    a[[2, 3]]
}

#[shim::kernel]
fn views(a: &mut [u8], n: usize) -> usize {
    let a = Block::external(a, [n, |i| i + 1]);
    let transposed = a.permute([1, 0]);
    let columns = a[[.., 0..2]];
    let column = a.slice(1, 0);
    let coarse = a.coarsen([2, 2]);
    let copy = a.to_block();
    let clamped = a.boundary(Clamp);
    let flat = a.reshape([n]);
    a.extent(1)
}

#[shim::kernel]
fn loops(a: &mut [u8], n: usize) {
    let a = Block::external(a, [n, |i| i + 1]);
    let x = iters();
    a[[next(), x]] = 0;
    a[[x, 0]] = 0;
    for b in a.tiles([2, 2]) {
        b[[0, 0]] = 1;
    }
    for [i, j] in a.scan(column_major) {
        a[[i, j]] = 1;
    }
}

#[shim::kernel]
fn unrolled(a: &mut [u8]) {
    let a = Block::external(a, [3, |i| i + 1]);
    #[unroll]
    for [i, j] in a.indices() {
        a[[i, j]] = 1;
    }
}

fn next() -> usize {
    1
}

fn main() {}
