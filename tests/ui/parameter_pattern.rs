//! A tensor parameter is a plain name.

use shim::prelude::*;

#[shim::kernel]
fn first((a, n): View<'_, u8, 2>, #[shape(2)] [b, c]: [u8; 2]) -> u8 {
    a[[0, 0]] + n + b + c
}

fn main() {}
