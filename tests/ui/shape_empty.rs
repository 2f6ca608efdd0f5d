//! A shape names the extents.

#[shim::kernel]
fn first(#[shape()] a: &[u8]) -> u8 {
    a[[0]]
}

#[shim::kernel]
fn second(#[shape] a: &[u8]) -> u8 {
    a[[1]]
}

#[shim::kernel]
fn third(#[shape = "3"] a: &[u8]) -> u8 {
    a[[2]]
}

fn main() {}
