//! Tiles with labels, in which stages are computed.

use shim::prelude::*;

#[shim::kernel]
fn malformed(#[shape(h, w)] a: &[u32], h: usize, w: usize, #[shape(h, w)] b: &mut [u32]) {
    #[compute_at('tile)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    #[tile([8, 8], moved, 'tile)]
    for [y, x] in b.indices() {
        b[[y, x]] = s[[y, x]];
    }
    #[tile([8], 'tile)]
    for [y, x] in b.indices() {
        b[[y, x]] = s[[y, x]];
    }
    #[lanes('tile)]
    for [y, x] in b.indices() {
        b[[y, x]] = a[[y, x]];
    }
}

#[shim::kernel]
fn dependent(#[shape(h, w)] a: &[u32], h: usize, w: usize, #[shape(h, w)] b: &mut [u32]) {
    #[compute_at('tile)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    let b = b[[1.., ..w - 1]];
    #[tile([8, 8], 'tile)]
    for [y, x] in b.indices() {
        b[[y, x]] = s[[y, x]] ^ b[[y - 1, x + 1]];
    }
}

#[shim::kernel]
fn twice(#[shape(h, w)] a: &[u32], h: usize, w: usize, #[shape(h, w)] b: &mut [u32]) {
    #[compute_at('tile)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    #[tile([8, 8], 'tile, shift)]
    for [y, x] in b.indices() {
        b[[y, x]] += s[[y, x]];
    }
}

#[shim::kernel]
fn twice_in_tasks(#[shape(h, w)] a: &[u32], h: usize, w: usize, #[shape(h, w)] b: &mut [u32]) {
    #[compute_at('tile)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    #[parallel]
    #[tile([8, 8], 'tile, shift)]
    for [y, x] in b.indices() {
        b[[y, x]] = s[[y, x]];
    }
}

#[shim::kernel]
fn overwritten(#[shape(h, w)] a: &[u32], h: usize, w: usize, #[shape(h, w + 1)] b: &mut [u32]) {
    #[compute_at('tile)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    #[tile([8, 8], 'tile, shift)]
    for [y, x] in a.indices() {
        b[[y, x]] = s[[y, x]];
        b[[y, x + 1]] = 0;
    }
}

#[shim::kernel]
fn counted(#[shape(h, w)] a: &[u32], h: usize, w: usize) -> u32 {
    let mut sum = 0;
    #[compute_at('tile)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    #[tile([8, 8], 'tile, shift)]
    for [y, x] in a.indices() {
        sum += s[[y, x]];
    }
    sum
}

#[shim::kernel]
fn carries(#[shape(h, w)] a: &[f32], h: usize, w: usize) -> f32 {
    let mut sum = 0.0;
    #[compute_at('tile)]
    let s = stage(|[y, x]| a[[y, x]] / 2.0);
    #[tile([8, 8], 'tile)]
    for [y, x] in a.indices() {
        sum += s[[y, x]];
    }
    sum
}

fn main() {}
