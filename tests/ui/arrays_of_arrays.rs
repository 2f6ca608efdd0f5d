//! Arrays in a slice are rows or elements.

use shim::prelude::*;

#[shim::kernel]
fn pixel(#[shape(h, w)] a: &[[u8; 3]], h: usize, w: usize) -> u8 {
    a[[0, 0]]
}

#[shim::kernel]
fn rows_of_three(a: &[[u8; 3]; 4]) -> u8 {
    let a = Block::external(a, [4, 2]);
    a[[0, 0]]
}

#[shim::kernel]
fn slices(#[shape(n)] a: &[&[u8]], n: usize) -> u8 {
    a[[0]]
}

#[shim::located]
struct Picture<'p> {
    h: usize,
    w: usize,
    #[shape(h, w)]
    pixels: Vec<[u8; 3]>,
    #[shape(h, w)]
    rows: &'p [&'p [u8]],
    #[shape(h)]
    means: Vec<[u8; 3]>,
}

fn main() {}
