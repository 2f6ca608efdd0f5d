//! A tensor of the runtime library brings its origin and its memory; axes and factors are declared.

use shim::prelude::*;

#[shim::kernel]
fn origin(#[at(2, 2)] v: View<'_, u8, 2>) -> u8 {
    v[[0, 0]]
}

#[shim::kernel]
fn order(#[coarsened(2, 2)] #[stored(tile([2, 2]))] v: View<'_, u8, 2>) -> u8 {
    v[[0, 0]]
}

#[shim::kernel]
fn factors(#[coarsened(2)] v: View<'_, u8, 2>) -> u8 {
    v[[0, 0]]
}

#[shim::kernel]
fn twice(#[refined(2, 2)] #[refined(2, 2)] v: View<'_, u8, 2>) -> u8 {
    v[[0, 0]]
}

#[shim::kernel]
fn axes(#[on_axes(0, 0)] v: View<'_, u8, 2>) -> u8 {
    v[[0, 0]]
}

fn main() {}
