//! What a template calls is the same wherever it is used.

use shim::prelude::*;

struct U;

trait Area {
    fn area(&self) -> u32;
}

impl Area for U {
    fn area(&self) -> u32 {
        3
    }
}

macro_rules! answer {
    () => {
        42
    };
}

#[shim::kernel]
fn unknown(t: impl Tensor<u32, 1>) -> u32 {
    let u = U;
    t[[0]] + u.area()
}

#[shim::kernel]
fn of_a_trait(t: impl Tensor<u32, 1>, u: &U) -> u32 {
    t[[0]] + u.area()
}

#[shim::kernel]
fn of_a_parameter<A: Area>(t: impl Tensor<u32, 1>, u: &A) -> u32 {
    t[[0]] + u.area()
}

#[shim::kernel]
fn calls_a_macro(t: impl Tensor<u32, 1>) -> u32 {
    t[[0]] + answer!()
}

#[shim::kernel]
fn by_its_path(t: impl Tensor<u32, 1>, u: &U) -> u32 {
    t[[0]] + crate::Area::area(u)
}

#[shim::kernel]
fn kernel(#[shape(2)] t: &[u32]) -> u32 {
    of_a_trait(t, &U) + by_its_path(t, &U)
}

fn main() {
    kernel(&[1, 2]);
}
