//! A place says where, and holds nothing.

use shim::prelude::*;

#[shim::kernel]
fn read(p: Place<2>) -> u8 {
    p[[0, 0]]
}

#[shim::kernel]
fn write(#[shape(4, 4)] t: &mut [u8]) {
    let p = t.place();
    p[[0, 0]] = 1;
}

#[shim::kernel]
fn copy(#[shape(4, 4)] t: &mut [u8], p: Place<2>) -> u8 {
    let copy = p.to_block();
    t[copy][[0, 0]]
}

#[shim::kernel]
fn fetch(p: Place<1>) {
    p.prefetch([0]);
}

fn main() {}
