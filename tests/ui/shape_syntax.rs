//! The extents of a shape are expressions.

#[shim::kernel]
fn first(#[shape(2 2)] a: &[u8]) -> u8 {
    a[[0, 0]]
}

fn main() {}
