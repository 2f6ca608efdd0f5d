//! Templates without a tensor among their parameters, and what is not called as they are.

use shim::prelude::*;

#[shim::located]
struct Picture {
    h: usize,
    w: usize,
    #[shape(h, w)]
    luma: Vec<u8>,
}

#[shim::kernel]
fn row(#[located] picture: &Picture, y: usize) -> impl Tensor<u8, 1> {
    picture.luma.slice(0, y)
}

#[shim::kernel]
fn rows(memory: &[u8], wide: usize) -> impl Tensor<u8, 2> {
    Block::external(memory, [memory.len() / wide, wide])
}

#[shim::kernel]
fn without_an_import(#[located] picture: &Picture) -> u8 {
    let row = row(picture, 0);
    row[[0]]
}

#[shim::kernel]
fn by_a_plain_import(memory: &[u8]) -> u8 {
    use crate::rows as of;
    let rows = of(memory, 2);
    rows[[0, 0]]
}

#[shim::kernel]
fn with_wrong_arguments(#[located] picture: &Picture) -> u8 {
    #[staged]
    use self::row;
    row(picture)[[0]]
}

#[shim::kernel]
fn as_a_value(#[located] picture: &Picture) -> u8 {
    #[staged]
    use self::row;
    let f = row;
    f(picture, 0)[[0]]
}

#[shim::kernel]
fn of_another_kind(#[located] picture: &Picture) -> u8 {
    #[staged]
    use self::Picture as row;
    row(picture, 0)[[0]]
}

#[shim::kernel]
fn specialized(#[specialize(1 | 2)] y: usize, memory: &[u8]) -> impl Tensor<u8, 1> {
    Block::external(memory, [y])
}

fn outside(picture: &Picture) {
    row(picture, 0);
}

fn main() {}
