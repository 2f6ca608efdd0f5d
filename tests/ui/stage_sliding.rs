//! Elements of stages that stay in memory rise with a loop.

use shim::prelude::*;

#[shim::kernel]
fn falling(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[store_at(root)]
    #[compute_at('row)]
    let s = stage(|[i]| a[[i]] / 2);
    'row: for i in (1..n).rev() {
        b[[i]] = s[[i]] + s[[i - 1]];
    }
}

#[shim::kernel]
fn unmoved(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[store_at(root)]
    #[compute_at('row)]
    let s = stage(|[i]| a[[i]] / 2);
    'row: for i in 0..n {
        b[[i]] = s[[0]];
    }
}

#[shim::kernel]
fn along_a_diagonal(#[shape(n, n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[store_at(root)]
    #[compute_at('row)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    'row: for i in 0..n {
        b[[i]] = s[[i, i]];
    }
}

#[shim::kernel]
fn under_a_condition(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32], flag: bool) {
    #[store_at(root)]
    #[compute_at('row)]
    let s = stage(|[i]| a[[i]] / 2);
    if flag {
        'row: for i in 0..n {
            b[[i]] = s[[i]];
        }
    }
}

#[shim::kernel]
fn in_a_loop_that_is_left(#[shape(n, n)] a: &[u32], n: usize, #[shape(n, n)] b: &mut [u32]) {
    #[store_at(root)]
    #[compute_at('column)]
    let s = stage(|[y, x]| a[[y, x]] / 2);
    for y in 1..n {
        'column: for x in 1..n {
            if b[[y, x]] == 0 {
                break;
            }
            b[[y, x]] = s[[y, x]] + s[[y - 1, x]];
        }
    }
}

#[shim::kernel]
fn on_threads(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[store_at(root)]
    #[compute_at('row)]
    let s = stage(|[i]| a[[i]] / 2);
    #[parallel]
    'row: for i in 1..n {
        b[[i]] = s[[i]] + s[[i - 1]];
    }
}

#[shim::kernel]
fn for_two_loops(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[store_at(root)]
    #[compute_at('row)]
    let s = stage(|[i]| a[[i]] / 2);
    'row: for i in 1..n {
        b[[i]] = s[[i]] + s[[i - 1]];
    }
    'row: for i in 1..n / 2 {
        b[[i]] += s[[i]] + s[[i - 1]];
    }
}

fn main() {}
