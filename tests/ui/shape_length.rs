//! A shape has an extent for each axis.

use shim::prelude::*;

#[shim::kernel]
fn first(#[shape(h, w, 3)] a: View<'_, u8, 2>) -> u8 {
    a[[0, 0]]
}

fn main() {}
