//! Loops with an order do nothing whose sequence could be told.

use shim::prelude::*;

#[derive(Clone, Copy)]
struct U(u32);

impl std::ops::Add for U {
    type Output = U;
    fn add(self, other: U) -> U {
        U(self.0 + other.0)
    }
}

struct Point {
    x: u32,
}

fn point() -> Point {
    Point { x: 3 }
}

#[shim::kernel]
fn methods(#[shape(n)] t: &[u32], n: usize, #[shape(n)] o: &mut [u32], text: &str) {
    #[tile([4])]
    for [i] in t.indices() {
        o[[i]] = t[[i]].abs();
    }
    let unknown = text.parse::<u32>().unwrap_or(1);
    #[tile([4])]
    for [i] in t.indices() {
        o[[i]] = unknown.pow(2);
    }
    #[tile([4])]
    for [i] in t.indices() {
        let ref mut last = o[[i]];
        *last = t[[i]];
    }
}

#[shim::kernel]
fn fused(#[shape(n)] t: &[u32], n: usize, #[shape(n)] o: &mut [u32]) {
    let mut noted = 0;
    let mut note = |x: u32| noted = x;
    #[fuse]
    for [i] in t.indices() {
        note(t[[i]]);
    }
    for [i] in o.indices() {
        o[[i]] = 1;
    }
}

#[shim::kernel]
fn any_place(#[shape(n)] t: &[u32], n: usize) -> u32 {
    let (mut a, mut b) = (1, 2);
    #[tile([4])]
    for [i] in t.indices() {
        (a, b) = (b, t[[i]]);
    }
    a + b
}

#[shim::kernel]
fn operators(#[shape(n)] t: &[U], n: usize, #[shape(n)] o: &mut [U]) {
    #[tile([4])]
    for [i] in t.indices() {
        o[[i]] = t[[i]] + t[[i]];
    }
}

#[shim::kernel]
fn fields(#[shape(n)] t: &[u32], n: usize, #[shape(n)] o: &mut [u32]) {
    let p = point();
    #[tile([4])]
    for [i] in t.indices() {
        o[[i]] = t[[i]] + p.x;
    }
}

#[shim::kernel]
fn drops(#[shape(n)] o: &mut [String], n: usize) {
    #[tile([4])]
    for [i] in o.indices() {
        o[[i]] = NAME;
    }
}

const NAME: String = String::new();

fn main() {}
