//! Kernels are functions.

#[shim::kernel]
struct Frame {
    width: usize,
}

fn width(frame: &Frame) -> usize {
    frame.width
}

fn main() {}
