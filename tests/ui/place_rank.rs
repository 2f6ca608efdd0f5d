//! A place is of the rank that its type says, and indexes tensors of that rank or more.

use shim::prelude::*;

#[shim::kernel]
fn rises(#[shape(4)] t: &[u8], p: Place<2>) -> u8 {
    t[p][[0, 0]]
}

#[shim::kernel]
fn none(p: Place<0>) -> bool {
    p.contains([])
}

#[shim::kernel]
fn at(p: Place<1>) -> u8 {
    let block = Block::stack::<u8>([2, 2]).at(p);
    block[[0, 0]]
}

#[shim::kernel]
fn inner(t: impl Tensor<u8, 2>, p: Place<2>) -> u8 {
    t[p][[0, 0]]
}

#[shim::kernel]
fn template(#[shape(4, 4)] t: &[u8], p: Place<1>) -> u8 {
    inner(t, p)
}

#[shim::kernel]
fn tensor(#[shape(4, 4)] t: &[u8]) -> u8 {
    inner(t, t)
}

#[shim::kernel]
fn axes(#[shape(4, 4, 2)] t: &[u8]) -> Place<2> {
    t.slice(0, 1).place()
}

#[shim::kernel]
fn short(#[shape(4, 4)] t: &[u8], p: Place<2>) -> u8 {
    t[p.shifted([1])][[0, 0]]
}

#[shim::kernel]
fn clamped_to_a_cube(#[shape(4, 4, 2)] t: &[u8], p: Place<2>) -> isize {
    p.clamped(t).origin(0)
}

#[shim::kernel]
fn clamped_tensor(#[shape(4, 4)] t: &[u8]) -> u8 {
    t.clamped(t)[[0, 0]]
}

fn main() {}
