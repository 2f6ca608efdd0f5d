//! All that is wrong with a template's definition is said there, and nothing where it is called.

use shim::prelude::*;

#[shim::kernel(simd, smid)]
const fn scale<T: Copy>(#[shape(n)] v: impl Tensor<T, 1>, [a, b]: [T; 2]) -> View<'static, T, 1> {
    #[unroll]
    let c = a;
    v.permute([c, b])
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n]);
    scale(a, [1, 2]);
}

fn main() {}
