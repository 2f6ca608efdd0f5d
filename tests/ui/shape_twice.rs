//! A parameter has one shape.

#[shim::kernel]
fn first(#[shape(2, 2)] #[shape(4)] a: &[u8]) -> u8 {
    a[[0, 0]]
}

fn main() {}
