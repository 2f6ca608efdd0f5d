//! A type or an argument where none is taken is no comment.

use shim::prelude::*;

#[shim::kernel]
fn views(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.to_block::<bool>();
    let c = a.to_stack::<u16>();
    let d = a.permute::<2>([1, 0]);
    let e = a.boundary(Clamp::<u8>);
    let n = a.extent::<u32>(0);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, n]]
}

#[shim::kernel]
fn blocks(a: &[u8]) -> u8 {
    let b = Block::external::<u16>(a, [4, 4]);
    let c = Block::heap::<u8, 2>([4, 4]);
    let d = Block::<u8>::stack([4, 4]);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]]
}

#[shim::kernel]
fn loops(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]) else { return 0 };
    let [y] = iters::<1>();
    let [x]: [i32; 1] = iters();
    let mut sum = 0;
    for [y, x] in a.indices::<2>() {
        sum += a[[y, x]];
    }
    for [y, x] in a.indices(2) {
        sum += a[[y, x]];
    }
    #[unroll]
    #[unroll]
    for i in 0..4 {
        sum += a[[i]];
    }
    sum
}

fn main() {}
