//! Loops that cannot be tabulated.

use shim::prelude::*;

#[shim::kernel]
fn blocks(#[shape(4)] a: &[u8], #[shape(4)] b: &mut [u8], n: usize) {
    #[tabulate]
    for [i] in b.indices() {
        b[[i]] = a[[i]];
    }
    let heap = Block::heap::<u8>([n]);
    #[tabulate]
    for [i] in heap.indices() {
        heap[[i]] = 0;
    }
    let columns = Block::stack::<u8>([2, 2]).stored(column_major);
    #[tabulate]
    for [y, x] in columns.indices() {
        columns[[y, x]] = a[[y + x]];
    }
    let floats = Block::stack::<f32>([4]);
    #[tabulate]
    for [i] in floats.indices() {
        floats[[i]] = 0.5;
    }
    #[tabulate]
    for i in 0..4 {
        b[[i]] = a[[i]];
    }
}

#[shim::kernel]
fn bodies(#[shape(4)] a: &[u8]) {
    let out = Block::stack::<u8>([4]);
    #[tabulate]
    for [i] in out.indices() {
        out[[3 - i]] = a[[i]];
    }
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] += a[[i]];
    }
    #[tabulate]
    for [i] in out.indices() {
        let v = a[[i]];
        out[[i]] = v;
    }
    #[tabulate]
    for p in out.indices() {
        out[p] = 1;
    }
    #[tabulate]
    #[order(row_major)]
    for [i] in out.indices() {
        out[[i]] = a[[i]];
    }
}

#[shim::kernel]
fn elements(#[shape(4)] a: &[u8], #[shape(n)] b: &[u8], n: usize) {
    let out = Block::stack::<u8>([4]);
    let edge = a.boundary(Fill(0));
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = edge[[i + 1]];
    }
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = b[[i]];
    }
}

fn log(v: u8) -> u8 {
    v
}

#[shim::kernel]
fn effects(#[shape(4)] a: &[u8]) {
    let out = Block::stack::<u8>([4]);
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = if i == 0 { 0 } else { out[[i - 1]] + a[[i]] };
    }
}

#[shim::kernel]
fn calls(#[shape(4)] a: &[u8]) {
    let out = Block::stack::<u8>([4]);
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = log(a[[i]]);
    }
}

#[shim::kernel]
fn errors(#[shape(4)] a: &[u8]) {
    let out = Block::stack::<u8>([4]);
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = a[[i / (i - 2)]];
    }
}

#[shim::kernel]
fn names(#[shape(4)] a: &[u8], n: usize) {
    let out = Block::stack::<u8>([4]);
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = {
            let i = a[[0]];
            i
        };
    }
    #[tabulate]
    for [i] in out.indices() {
        out[[i]] = a[[n + i]];
    }
}

fn main() {}
