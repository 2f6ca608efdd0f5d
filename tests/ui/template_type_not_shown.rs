//! A type parameter that the body names is one that the kernel shows.

use shim::prelude::*;

pub struct Planes {
    pub luma: Vec<u16>,
}

#[shim::kernel]
fn greatest<T>(t: impl Tensor<T, 1>) -> T {
    let mut greatest = T::MIN;
    for [i] in t.indices() {
        greatest = greatest.max(t[[i]]);
    }
    greatest
}

#[shim::kernel]
fn of_field(planes: &Planes, n: usize) -> u16 {
    let luma = Block::external(planes.luma, [n]);
    greatest(luma)
}

#[shim::kernel]
fn both<T>(a: impl Tensor<T, 1>, b: impl Tensor<T, 1>) -> T {
    a[[0]] + b[[0]]
}

#[shim::kernel]
fn differ(#[shape(4)] a: &[u8], #[shape(4)] b: &[i16]) -> u8 {
    both(a, b)
}

#[shim::kernel]
fn given(#[shape(4)] a: &[u8]) -> u16 {
    greatest::<u16>(a)
}

#[shim::kernel]
fn number(#[shape(4)] a: &[u8]) -> u8 {
    greatest::<3>(a)
}

mod mine {
    use shim::prelude::*;

    #[derive(Clone, Copy)]
    pub struct Cell(pub u8);

    #[shim::kernel]
    pub fn hidden(#[shape(4)] a: &[Cell]) -> u8 {
        use super::other::*;
        first(a).0 + ZERO
    }

    #[shim::kernel]
    fn first<T>(a: impl Tensor<T, 1>) -> T {
        let first: T = a[[0]];
        first
    }
}

mod other {
    pub const ZERO: u8 = 0;
}

fn main() {}
