//! A placement has one entry per axis, each written once.

#[shim::kernel]
fn few(#[shape(4, 4)] #[coarsened(2)] a: &[u8]) -> u8 {
    a[[0, 0]]
}

#[shim::kernel]
fn none(#[shape(4, 4)] #[coarsened] a: &[u8]) -> u8 {
    a[[0, 0]]
}

#[shim::kernel]
fn twice(#[shape(4, 4)] #[at(1, 2)] #[at(0, 2)] a: &[u8]) -> u8 {
    a[[0, 0]]
}

#[shim::kernel]
fn both(#[shape(4, 4)] #[refined(2, 1)] #[coarsened(2, 2)] a: &[u8]) -> u8 {
    a[[0, 0]]
}

#[shim::kernel]
fn dynamic(#[shape(4, 4)] #[coarsened(n, n)] a: &[u8], n: usize) -> u8 {
    a[[0, 0]]
}

#[shim::kernel]
fn range(#[shape(4, 4)] #[permuted(0, 2)] a: &[u8]) -> u8 {
    a[[0, 0]]
}

#[shim::kernel]
fn syntax(#[shape(4, 4)] #[at(1 2)] a: &[u8]) -> u8 {
    a[[0, 0]]
}

fn main() {}
