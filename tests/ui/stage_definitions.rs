//! Stages are functions of an index.

use shim::prelude::*;

fn pure(value: u32) -> u32 {
    value
}

#[shim::kernel]
fn malformed(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    let one = stage(|i| a[[i]]);
    let two = stage(|[], []| 1);
    let (x, y) = stage(|[i]| a[[i]]);
    let three = stage::<u32, u32>(|[i]| a[[i]]);
    let mut four = stage(|[i]| a[[i]]);
    for [i] in b.indices() {
        b[[i]] = 1;
    }
}

#[shim::kernel]
fn used_as_values(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    let s = stage(|[i]| a[[i]] + 1);
    let t = s;
    for [i] in b.indices() {
        b[[i]] = s[[i, 0]] + s[i] + s[[..]];
        s[[i]] = 3;
        b[[s]] = 2;
    }
}

#[shim::kernel]
fn changes(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    let three = stage(|[i]| {
        b[[i]] = 1;
        a[[i]]
    });
    for [i] in b.indices() {
        b[[i]] = three[[i]];
    }
}

#[shim::kernel]
fn unknown_calls(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[compute_at(root)]
    let s = stage::<u32>(|[i]| pure(a[[i]]));
    for [i] in b.indices() {
        b[[i]] = s[[i]];
    }
}

#[shim::kernel]
fn without_a_type(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[pure(pure)]
    #[compute_at(root)]
    let s = stage(|[i]| pure(a[[i]]));
    let t = stage([n], |[i]| pure(a[[i]]));
    for [i] in b.indices() {
        b[[i]] = s[[i]] + t[[i]];
    }
}

fn main() {}
