//! A layout has no options.

use shim::prelude::*;

#[shim::layout(simd)]
pub fn halves(n: usize) -> Order {
    row_major.then([2, n / 2], column_major)
}

#[shim::layout(crate = ::shim)]
pub fn thirds(n: usize) -> Order {
    row_major.then([3, n / 3], column_major)
}

fn main() {}
