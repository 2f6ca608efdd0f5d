//! Lanes of a front in row-major memory have a warning; those that are adjacent have none.
#![deny(deprecated)]

use shim::prelude::*;

#[shim::kernel]
fn in_rows(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    let before = t.boundary(Fill(0));
    #[wavefront(y + x)]
    #[lanes(8)]
    for [y, x] in t.indices() {
        t[[y, x]] = before[[y - 1, x]].max(before[[y, x - 1]]) + 1;
    }
}

#[shim::kernel]
fn in_antidiagonals(t: &mut [u32], h: usize, w: usize) {
    let t = Block::external(t, [h, w]).stored(antidiagonal);
    let before = t.boundary(Fill(0));
    #[wavefront(y + x)]
    #[lanes(8)]
    for [y, x] in t.indices() {
        t[[y, x]] = before[[y - 1, x]].max(before[[y, x - 1]]) + 1;
    }
}

fn main() {}
