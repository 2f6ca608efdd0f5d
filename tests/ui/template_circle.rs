//! rustc's own: templates that call each other in a circle wait for each other's macros.

#[shim::kernel]
fn even(v: impl shim::prelude::Tensor<i32, 1>, n: usize) -> bool {
    if n == 0 { true } else { odd(v, n - 1) }
}

#[shim::kernel]
fn odd(v: impl shim::prelude::Tensor<i32, 1>, n: usize) -> bool {
    if n == 0 { false } else { even(v, n - 1) }
}

fn main() {}
