use shim::prelude::*;

#[shim::kernel]
fn patterns(#[shape(8, 8)] a: &[u8], n: usize) -> u8 {
    let mut sum = 0;
    for [y, x] in a.tiles([4, 4]) {
        sum += a[[y, x]];
    }
    for mut t in a.tiles([4, 4]) {
        sum += t[[0, 0]];
    }
    for t in a.tiles([4]) {
        sum += t[[0, 0]];
    }
    for t in a.tiles([0, 4]) {
        sum += t[[0, 0]];
    }
    for t in a.tiles([n, 4]) {
        sum += t[[0, 0]];
    }
    for t in a.tiles() {
        sum += t[[0, 0]];
    }
    for t in a.tiles(4) {
        sum += t[[0, 0]];
    }
    sum
}

#[shim::kernel]
fn values(#[shape(8, 8)] a: &[u8]) -> u8 {
    let tiles = a.tiles([4, 4]);
    let first = a.tiles([4, 4]).next();
    let sum: u8 = a.tiles([4, 4]).map(|t| t[[0, 0]]).sum();
    sum
}

#[shim::kernel]
fn outside(#[shape(6, 8)] a: &[u8]) -> u8 {
    let mut sum = 0;
    for t in a.tiles([4, 4]) {
        sum += t[[3, 0]];
    }
    sum
}

#[shim::kernel]
fn unrolled(#[shape(h, w)] b: &[u8], h: usize, w: usize) -> u8 {
    let mut sum = 0;
    #[unroll]
    for t in b.tiles([2, 2]) {
        sum += t[[0, 0]];
    }
    sum
}

fn main() {}
