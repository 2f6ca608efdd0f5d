//! rustc finds that a function is no template.

use shim::prelude::*;

#[shim::kernel]
fn each_row(pass: impl Template, t: impl Tensor<u8, 2>) {
    for y in 0..t.extent(0) {
        pass(t.slice(0, y));
    }
}

fn plain(_: u8) {}

#[shim::kernel]
fn a_function(#[shape(2, 2)] t: &mut [u8]) {
    each_row(plain, t);
}

fn main() {}
