//! Kernels mention fields by name.

#[shim::located]
struct Picture(usize, Vec<u8>);

#[shim::located]
struct Empty {
    h: usize,
}

fn main() {}
