//! Tensors of other extents than a block has elements for, and of parts of blocks.

use shim::prelude::*;

#[shim::kernel]
fn counts(a: &mut [u8], #[shape(6, 4)] b: &[u8], h: usize) {
    let a = Block::external(a, [h, 4]);
    let c = b.reshape([5, 5]);
    let d = b.reshape([]);
    let e = b.reshape(24);
    let f = b.reshape([-6, -4]);
    let g = b.reshape([1, 1, 1, 1, 1, 1, 1, 1, 24]);
    a[[0, 0]] = c[[0, 0]] + d[[0, 0]] + e[[0]] + f[[0, 0]] + g[[0, 0, 0, 0, 0, 0, 0, 0, 0]];
}

#[shim::kernel]
fn parts(a: &mut [u8], rows: &[&[u8]], view: View<'_, u8, 2>, h: usize) {
    let a = Block::external(a, [h, 4]);
    let b = a[[0..2, ..]].reshape([8]);
    let c = a.permute([1, 0]).reshape([4 * h]);
    let d = a.boundary(Clamp).reshape([4 * h]);
    let e = a.within(|p| a.contains(p)).reshape([4 * h]);
    let f = Block::external(rows, [h, 4]).reshape([4 * h]);
    let g = view.reshape([4]);
    let i = a.coarsen([2, 2]).reshape([h]);
    let j = a.place().reshape([h]);
    a[[0, 0]] = b[[0]] + c[[0]] + d[[0]] + e[[0]] + f[[0]] + g[[0]] + i[[0]];
}

#[shim::kernel]
fn orders(a: &[u8], b: &[u8], h: usize) -> u8 {
    let a = Block::external(a, [h, 4]).stored(tile([2, 2]));
    let b = Block::external(b, [h, 4]).strided([5, 1]);
    a.reshape([4 * h])[[0]] + b.reshape([2 * h, 2])[[0, 0]]
}

#[shim::kernel]
fn sequence(#[shape(8, 8)] a: &mut [u8]) {
    let list = a.reshape([64]);
    #[order(column_major)]
    for [y, x] in a.indices() {
        list[[8 * y + x]] = a[[y, x]];
    }
    #[tile([4, 4], shift)]
    for [y, x] in a.indices() {
        a[[y, x]] = list[[0]];
    }
}

#[shim::kernel]
fn outside(#[shape(2, 2)] a: &mut [u8]) -> u8 {
    a.reshape([4])[[4]]
}

fn main() {}
