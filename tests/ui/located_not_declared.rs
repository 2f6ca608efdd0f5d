//! A struct that is not located, and a template in its place.

use shim::prelude::*;

struct Picture {
    luma: Vec<u8>,
}

#[shim::kernel]
fn first(#[located] picture: &Picture) -> u8 {
    picture.luma[[0]]
}

#[shim::kernel]
fn double(t: impl Tensor<u8, 1>) {
    t[[0]] *= 2;
}

#[shim::kernel]
fn second(#[located(double)] picture: &Picture) -> u8 {
    picture.luma[[0]]
}

fn main() {}
