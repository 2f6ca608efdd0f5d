//! Tensors of other extents over the elements of a block.

use crate::common::{noise, panics_with};
use shim::prelude::*;

/// Rows, columns and a cube of one slice, written and read in turn.
#[shim::kernel]
fn flat(#[shape(h, w)] a: &mut [u16], h: usize, w: usize, n: usize) -> u64 {
    let list = a.reshape([h * w]);
    let pairs = list.reshape([n, 2]);
    for [i] in list.indices() {
        list[[i]] += 1;
    }
    for [i, j] in pairs.indices() {
        pairs[[i, j]] ^= 1;
    }
    let columns = pairs.slice(1, 1);
    let mut sum: u64 = 0;
    for [i] in columns.indices() {
        sum += u64::from(columns[[i]]) * 3;
    }
    if h > 1 {
        a[[1, 0]] = 7;
    }
    let inside = list.boundary(Fill(5));
    sum + u64::from(inside[[-1]]) + u64::from(inside[[w]])
}

#[test]
fn elements_are_numbered_in_rows() {
    for [h, w] in [[0, 4], [1, 2], [3, 4], [5, 6], [1, 0]] {
        let mut a: Vec<u16> = noise(h * w, 900);
        let mut wanted = a.clone();
        let found = flat(&mut a, h, w, h * w / 2);
        for v in &mut wanted {
            *v = (*v + 1) ^ 1;
        }
        let sum: u64 = wanted.iter().skip(1).step_by(2).map(|v| u64::from(*v) * 3).sum();
        if h > 1 {
            wanted[w] = 7;
        }
        assert_eq!((found, &a), (sum + 5 + if h > 1 { 7 } else { 5 }, &wanted));
    }
    panics_with(
        || flat(&mut [0; 6], 2, 3, 2),
        &["`flat`", "[6] does not have as many elements as `pairs` with [2, 2]"],
    );
}

/// Blocks in other orders than row-major: by strides, by tiles, and along a curve.
#[shim::kernel]
fn orders(#[shape(8, 8)] from: &[i16], out: &mut [i16]) {
    let out = Block::external(out, [5, 64]);
    let tiles = Block::stack::<i16>([8, 8]).stored(tile([4, 4]));
    let scan = Block::heap::<i16>([8, 8]).stored(zigzag);
    let columns = Block::stack::<i16>([8, 8]).stored(column_major);
    let [y, x] = iters();
    tiles[[y, x]] = from[[y, x]];
    scan[[y, x]] = from[[y, x]];
    columns[[y, x]] = from[[y, x]];
    let (a, b, c) = (tiles.reshape([64]), scan.reshape([64]), columns.reshape([64]));
    let cells = tiles.reshape([2, 4, 2, 4]);
    let back = b.reshape([4, 16]);
    for [k] in a.indices() {
        out[[0, k]] = a[[k]];
        out[[1, k]] = b[[k]];
        out[[2, k]] = c[[k]];
    }
    for [i, y, j, x] in cells.indices() {
        out[[3, 32 * i + 8 * y + 4 * j + x]] = cells[[i, y, j, x]];
    }
    for [i, j] in back.indices() {
        out[[4, 16 * i + j]] = back[[i, j]];
    }
}

#[test]
fn orders_of_memory_do_not_matter() {
    let from: Vec<i16> = noise(64, 300);
    let mut out = [0; 5 * 64];
    orders(&from, &mut out);
    for row in out.chunks(64) {
        assert_eq!(row, from);
    }
}

/// A template that is given the rows of a block, and another that returns a block of its own.
#[shim::kernel]
fn doubled(rows: impl Tensor<i16, 2>) {
    for [i, j] in rows.indices() {
        rows[[i, j]] *= 2;
    }
}

#[shim::kernel]
fn squares(like: impl Tensor<i16, 2>) -> impl Tensor<i16, 2> {
    let list = Block::stack::<i16>([12]);
    for i in 0..4 * like.extent(0) {
        list[[i]] = (i * i) as i16;
    }
    list.reshape([3, 4])
}

/// Chains, casts and orders of loops: what one tensor writes the other reads.
#[shim::kernel]
fn mixed(out: &mut [i16]) -> [i32; 2] {
    let block = Block::external(out, [3, 4]);
    let squares = squares(block);
    let list = block.reshape([12]);
    for [i, j] in block.indices() {
        block[[i, j]] = squares[[i, j]];
    }
    doubled(list.reshape([6, 2]));
    let wide = block.cast::<i32>().reshape([2, 6]);
    let sum = wide.indices().map(|[i, j]| wide[[i, j]]).sum::<i32>();
    let last = list.indices().max_by_key(|&[k]| list[[k]]).unwrap();
    [sum, last[0]]
}

#[test]
fn templates_take_and_return_them() {
    let mut out = [0; 12];
    assert_eq!(mixed(&mut out), [2 * 506, 11]);
    assert_eq!(out[..4], [0, 2, 8, 18]);
}
