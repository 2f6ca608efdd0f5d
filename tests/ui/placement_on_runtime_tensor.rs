//! A tensor of the runtime library has the place that it was made at.

use shim::prelude::*;

#[shim::kernel]
fn first(#[coarsened(2, 2)] v: View<'_, u8, 2>) -> u8 {
    v[[0, 0]]
}

fn main() {}
