//! Named schedules.

use shim::prelude::*;

#[shim::kernel(schedules(tiled))]
fn unlisted(#[shape(n)] a: &mut [u32], n: usize) {
    #[schedule(rows, lanes(8))]
    for [i] in a.indices() {
        a[[i]] += 1;
    }
}

#[shim::kernel]
fn without_a_list(#[shape(n)] a: &mut [u32], n: usize) {
    #[schedule(rows, lanes(8))]
    for [i] in a.indices() {
        a[[i]] += 1;
    }
}

#[shim::kernel(schedules(tiled))]
fn no_words(#[shape(n)] a: &mut [u32], n: usize) {
    #[schedule(tiled)]
    for [i] in a.indices() {
        a[[i]] += 1;
    }
}

#[shim::kernel(schedules(tiled))]
fn other_words(#[shape(n)] a: &mut [u32], n: usize) {
    #[schedule(tiled, inline)]
    for [i] in a.indices() {
        a[[i]] += 1;
    }
}

#[shim::kernel(schedules(tiled, tiled))]
fn twice(#[shape(n)] a: &mut [u32], n: usize) {
    a[[0]] = 1;
}

#[shim::kernel(schedules())]
fn none(#[shape(n)] a: &mut [u32], n: usize) {
    a[[0]] = 1;
}

#[shim::kernel(schedules(tiled))]
fn template(a: impl Tensor<u32, 1>) {
    a[[0]] = 1;
}

fn main() {}
