//! A predicate is a closure over the index, and stands beside no rule that folds.

use shim::prelude::*;

fn even(p: isize) -> bool {
    p % 2 == 0
}

#[shim::kernel]
fn function(#[shape(4)] t: &[i32]) -> i32 {
    t.within(even)[[0]]
}

#[shim::kernel]
fn rank(#[shape(4, 4)] t: &[i32]) -> i32 {
    t.within(|[y, x, z]| y == x)[[0, 0]]
}

#[shim::kernel]
fn folded(#[shape(4)] t: &[i32]) -> i32 {
    t.within(|[i]| i == 0).boundary(Clamp)[[0]] + t.boundary(Wrap).within(|[i]| i == 0)[[0]]
}

#[shim::kernel]
fn twice(#[shape(4)] t: &[i32]) -> i32 {
    t.within(|[i]| i == 0).within(|[i]| i == 1)[[0]]
}

#[shim::kernel]
fn copied(#[shape(4)] t: &[i32]) -> i32 {
    let copy = t.within(|[i]| i == 0).to_block();
    copy[[0]]
}

fn main() {}
