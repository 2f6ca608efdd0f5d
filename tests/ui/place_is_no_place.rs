//! A parameter that is called a place is one.

use shim::prelude::*;

mod own {
    pub struct Place<const N: usize>;
}

#[shim::kernel]
fn other(#[shape(4)] t: &[u8], p: own::Place<1>) -> u8 {
    t[p][[0]]
}

#[shim::kernel]
fn moved(#[shape(4)] t: &[u8], mut p: Place<1>) -> u8 {
    p = p.shifted([1]);
    t[p][[0]]
}

fn main() {}
