//! Templates that return tensors end in them, and are written among the statements of their callers.

use shim::prelude::*;

#[shim::kernel]
fn leaves_early(t: impl Tensor<u8, 1>, k: usize) -> impl Tensor<u8, 1> {
    if k == 0 {
        return t;
    }
    t[[k..]]
}

#[shim::kernel]
fn may_fail(t: impl Tensor<u8, 1>, k: Option<usize>) -> impl Tensor<u8, 1> {
    let k = k?;
    t[[k..]]
}

#[shim::kernel]
fn has_items(t: impl Tensor<u8, 1>) -> impl Tensor<u8, 1> {
    fn one() -> usize {
        1
    }
    t[[one()..]]
}

macro_rules! define {
    ($name:ident) => {
        let $name = 1;
    };
}

#[shim::kernel]
fn has_macros(t: impl Tensor<u8, 1>) -> impl Tensor<u8, 1> {
    define!(k);
    t[[k..]]
}

#[shim::kernel]
fn ends_in_nothing(t: impl Tensor<u8, 1>) -> impl Tensor<u8, 1> {
    let part = t[[1..]];
}

#[shim::kernel]
fn ends_in_a_value(t: impl Tensor<u8, 1>) -> impl Tensor<u8, 1> {
    t[[1]]
}

#[shim::kernel]
fn specialized(t: impl Tensor<u8, 1>, #[specialize(1 | 2)] k: usize) -> impl Tensor<u8, 1> {
    t[[k..]]
}

#[shim::kernel]
fn runtime_tensor(t: impl Tensor<u8, 1>) -> View<'_, u8, 1> {
    t
}

#[shim::kernel]
fn another_rank(t: impl Tensor<u8, 2>) -> impl Tensor<u8, 2> {
    t.slice(0, 0)
}

#[shim::kernel]
fn another_element(t: impl Tensor<u8, 1>) -> impl Tensor<u16, 1> {
    t[[1..]]
}

#[shim::kernel]
fn chosen(t: impl Tensor<u8, 2>, turned: bool) -> impl Tensor<u8, 2> {
    if turned { t.permute([1, 0]) } else { t }
}

#[shim::kernel]
fn pair(t: impl Tensor<u8, 1>) -> (impl Tensor<u8, 1>, usize) {
    (t, 3)
}

#[shim::kernel]
fn calls(#[shape(4)] a: &[u8], #[shape(2, 2)] b: &[u8], flag: bool) {
    let c = another_element(a);
    let d = chosen(b, flag);
    let (e, f, g) = pair(a);
    let h = pair(a);
    another_rank(b);
    let i = ends_in_a_value(a);
}

#[shim::kernel]
fn mixed(#[shape(4)] a: &[u8]) -> u8 {
    let (mut part, n) = pair(a);
    part[[0]]
}

fn main() {}
