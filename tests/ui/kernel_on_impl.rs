//! Kernels are functions: an `impl` block is annotated method by method.

struct Frame;

#[shim::kernel]
impl Frame {
    fn width(&self) -> usize {
        16
    }
}

fn user(frame: &Frame) -> usize {
    frame.width()
}

fn main() {}
