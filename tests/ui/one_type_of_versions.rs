//! The versions of a kernel return one type.

#[shim::kernel(simd)]
fn opaque(#[shape(n)] a: &[u32], n: usize) -> Option<impl Iterator<Item = u32>> {
    let first = a[[0]];
    Some((0..4).map(move |i| i + first))
}

fn main() {}
