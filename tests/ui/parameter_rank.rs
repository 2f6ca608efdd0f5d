//! The rank of a tensor parameter is a number.

use shim::prelude::*;

#[shim::kernel]
fn first<const N: usize>(a: View<'_, u8, N>, b: &Block<u8, N>) -> u8 {
    a[[0, 0]] + b[[0, 0]]
}

fn main() {}
