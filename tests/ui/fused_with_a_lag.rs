//! A loop that lags behind another one.

use shim::prelude::*;

#[shim::kernel]
fn too_short(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[fuse(lag = 1)]
    for i in 0..n {
        a[[i]] += 1;
    }
    for i in 0..n - 2 {
        b[[i]] = a[[i + 2]];
    }
}

#[shim::kernel]
fn far_apart(#[shape(n)] a: &mut [u32], n: usize, m: usize) {
    #[fuse(lag = 1)]
    for i in 0..n {
        a[[i]] += 1;
    }
    for i in m..2 * m {
        a[[i]] *= 2;
    }
}

#[shim::kernel]
fn malformed(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[fuse(lag = 0)]
    for i in 0..n {
        a[[i]] += 1;
    }
    #[fuse(2)]
    for i in 0..n {
        b[[i]] = a[[i]];
    }
    for i in 0..n {
        b[[i]] += 1;
    }
}

#[shim::kernel]
fn of_other_rows(#[shape(h, w)] a: &mut [u32], #[shape(h, w + 1)] b: &mut [u32], h: usize, w: usize) {
    #[fuse(lag = 1)]
    for [y, x] in a.indices() {
        a[[y, x]] += 1;
    }
    for [y, x] in b.indices() {
        b[[y, x]] += 2;
    }
}

#[shim::kernel]
fn of_triangles(#[shape(h, h)] a: &mut [u32], #[shape(h, h)] b: &mut [u32], h: usize) {
    #[reorder(y, x)]
    #[fuse(lag = 1)]
    for y in 0..h {
        for x in 0..y {
            a[[y, x]] += 1;
        }
    }
    for y in 0..h {
        for x in 0..y {
            b[[y, x]] = a[[y, x]];
        }
    }
}

#[shim::kernel]
fn backwards(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[fuse(lag = 1)]
    for i in (0..n).rev() {
        a[[i]] += 1;
    }
    for i in 0..n {
        b[[i]] = a[[i]];
    }
}

#[shim::kernel]
fn of_a_bound_that_changes(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    let mut count = 0;
    #[fuse(lag = 1)]
    for i in 0..n {
        a[[i]] += 1;
        count += 1;
    }
    let end = count;
    for i in 0..end {
        b[[i]] = a[[i]];
    }
}

#[shim::kernel]
fn ordered(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[fuse(lag = 1)]
    #[parallel]
    for i in 0..n {
        a[[i]] += 1;
    }
    for i in 0..n {
        b[[i]] = a[[i]];
    }
}

fn main() {}
