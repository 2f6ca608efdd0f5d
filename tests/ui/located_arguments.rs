//! The extents are fields.

#[shim::located(h: usize)]
struct Picture {
    h: usize,
    #[shape(h)]
    luma: Vec<u8>,
}

fn main() {}
