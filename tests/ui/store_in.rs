//! Stages whose memory is not that of a caller.

use shim::prelude::*;

#[shim::kernel]
fn no_block(#[shape(n)] a: &[f32], n: usize, memory: &mut Vec<f32>, #[shape(n)] out: &mut [f32]) {
    #[store_in(memory)]
    let s = stage(|[i]| a[[i]] * 2.0);
    for i in 0..n {
        out[[i]] = s[[i]];
    }
}

#[shim::kernel]
fn no_local(#[shape(n)] a: &[f32], n: usize, #[shape(n)] out: &mut [f32]) {
    #[store_in(memory)]
    #[compute_at(root)]
    let s = stage(|[i]| a[[i]] * 2.0);
    for i in 0..n {
        out[[i]] = s[[i]];
    }
}

#[shim::kernel]
fn tasks(#[shape(h, w)] a: &[f32], h: usize, w: usize, memory: &mut Vec<f32>, #[shape(h, w)] out: &mut [f32]) {
    #[store_in(memory)]
    #[compute_at('row)]
    let s = stage(|[y, x]| a[[y, x]] * 2.0);
    #[parallel]
    'row: for y in 0..h {
        for x in 0..w {
            out[[y, x]] = s[[y, x]];
        }
    }
}

#[shim::kernel]
fn twice(#[shape(n)] a: &[f32], n: usize, memory: &mut Vec<f32>, #[shape(n)] out: &mut [f32]) {
    #[store_in(memory)]
    #[compute_at(root)]
    let s = stage(|[i]| a[[i]] * 2.0);
    #[store_in(memory)]
    #[compute_at(root)]
    let t = stage(|[i]| s[[i]] * 2.0);
    for i in 0..n {
        out[[i]] = t[[i]] + s[[i]];
    }
}

fn main() {}
