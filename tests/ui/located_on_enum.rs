//! A located struct is a struct.

#[shim::located]
enum Picture {
    Gray(Vec<u8>),
}

#[shim::located]
fn picture() {}

fn main() {}
