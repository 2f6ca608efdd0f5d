//! The shape of a place has an extent for each of its axes, and a place that may be assigned has none.

use shim::prelude::*;

#[shim::kernel]
fn few(#[shape(4)] part: Place<2>) -> usize {
    part.extent(0)
}

#[shim::kernel]
fn assigned(#[shape(4, 4)] mut part: Place<2>) -> usize {
    part = Place::new([0, 0], [4, 4]);
    part.extents()[0]
}

#[shim::kernel]
fn placed(#[shape(4, 4)] #[coarsened(2, 2)] part: Place<2>) -> usize {
    part.extent(0)
}

fn main() {}
