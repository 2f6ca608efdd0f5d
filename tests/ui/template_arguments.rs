//! Templates that are passed to templates.

use shim::prelude::*;

#[shim::kernel]
fn each_row(pass: impl Template, t: impl Tensor<u8, 2>) {
    for y in 0..t.extent(0) {
        pass(t.slice(0, y));
    }
}

#[shim::kernel]
fn first<const N: usize>(v: impl Tensor<u8, 1>) -> u8 {
    v[[N]]
}

#[shim::kernel]
fn corner(v: impl Tensor<u8, 2>) -> u8 {
    v[[0, 0]]
}

fn plain(_: u8) {}

#[shim::kernel]
fn a_number(#[shape(2, 2)] t: &mut [u8]) {
    each_row(3, t);
}

#[shim::kernel]
fn a_local(#[shape(2, 2)] t: &mut [u8], pass: u8) {
    each_row(pass, t);
}

#[shim::kernel]
fn a_closure(#[shape(2, 2)] t: &mut [u8]) {
    each_row(|v| v, t);
}

#[shim::kernel]
fn a_tensor(#[shape(2, 2)] t: &mut [u8]) {
    each_row(t, t);
}

#[shim::kernel]
fn another_rank(#[shape(2, 2)] t: &mut [u8]) {
    each_row(corner, t);
}

#[shim::kernel]
fn another_number_of_arguments(#[shape(2, 2)] t: &mut [u8]) {
    each_row(each_row, t);
}

#[shim::kernel]
fn a_dynamic_generic(#[shape(2, 2)] t: &mut [u8], n: usize) {
    each_row(first::<{ n }>, t);
}

#[shim::kernel]
fn no_generic(#[shape(2, 2)] t: &mut [u8]) {
    each_row(first, t);
}

#[shim::kernel]
fn a_kernel(pass: impl Template, #[shape(2, 2)] t: &mut [u8]) -> u8 {
    pass(t)
}

#[shim::kernel]
fn by_reference(pass: &impl Template, t: impl Tensor<u8, 2>) {
    pass(t);
}

#[shim::kernel]
fn a_value(pass: impl Template, t: impl Tensor<u8, 2>) {
    let kept = pass;
    kept(t);
}

#[shim::kernel]
fn keeps(#[shape(2, 2)] t: &mut [u8]) {
    a_value(corner, t);
}

fn main() {}
