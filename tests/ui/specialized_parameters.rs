//! Values of `#[specialize(..)]`.

use shim::prelude::*;

#[shim::kernel]
fn nothing(#[specialize] n: usize) {}

#[shim::kernel]
fn only_the_rest(#[specialize(_)] n: usize) {}

#[shim::kernel]
fn behind_the_rest(#[specialize(1 | _ | 2)] n: usize) {}

#[shim::kernel]
fn twice(#[specialize(1 | 1..=2)] n: usize) {}

#[shim::kernel]
fn two_attributes(#[specialize(1)] #[specialize(2)] n: usize) {}

const FOUR: usize = 4;

#[shim::kernel]
fn a_name(#[specialize(FOUR)] n: usize) {}

#[shim::kernel]
fn commas(#[specialize(1, 2)] n: usize) {}

#[shim::kernel]
fn too_great(#[specialize(1 | 300)] n: u8) {}

#[shim::kernel]
fn a_float(#[specialize(1.0)] n: f32) {}

#[shim::kernel]
fn a_string(#[specialize("a")] n: &str) {}

#[shim::kernel]
fn backwards(#[specialize(4..=1)] n: usize) {}

#[shim::kernel]
fn open_range(#[specialize(4..)] n: usize) {}

#[shim::kernel]
fn too_many(#[specialize(0..1000)] n: usize) {}

#[shim::kernel]
fn changes(#[specialize(1 | 2)] mut n: usize) {}

#[shim::kernel]
fn a_tuple(#[specialize(1 | 2)] (n, _): (usize, usize)) {}

#[shim::kernel]
fn a_tensor(#[shape(4)] #[specialize(1 | 2)] t: &[u8]) {}

#[shim::kernel]
fn in_the_body(n: usize) {
    #[specialize(1 | 2)]
    let m = n;
}

#[shim::kernel]
fn still_dynamic(#[specialize(2 | _)] n: usize, #[shape(8)] t: &[u8]) -> u8 {
    t.coarsen([n])[[0]]
}

#[shim::kernel]
fn template(t: impl Tensor<u8, 1>, #[specialize(1 | 2)] n: usize) -> u8 {
    t[[n]]
}

#[shim::kernel]
fn known(#[shape(8)] t: &[u8]) -> u8 {
    template(t, 3)
}

fn main() {}
