//! A block is on axes of the root space, which has as many as the block with the most.

use shim::prelude::*;

#[shim::kernel]
fn add(a: &[u8], b: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = Block::external(b, [4, 4]).on_axes([0, 5]);
    a[[0, 0]] + b[[0, 0]]
}

#[shim::kernel]
fn plane(rgb: &[u8], luma: &[u8]) -> u8 {
    let rgb = Block::external(rgb, [4, 4, 3]);
    let luma = Block::external(luma, [4, 3]).on_axes([0, 2]);
    rgb[luma][[0, 0]]
}

fn main() {}
