//! A slice knows only its length, so the extents must be known.

#[shim::kernel]
fn first(#[shape(h, w)] a: &[u8], w: usize) -> u8 {
    a[[0, 0]]
}

fn main() {}
