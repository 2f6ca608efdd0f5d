//! Elements of a stage that nothing reads are computed: its closure may not panic, whatever is in memory.

use shim::prelude::*;

#[shim::kernel]
fn of_a_sum(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| {
        let mut sum = 0;
        for k in -1..=1 {
            sum += src.boundary(Clamp)[[y, x + k]];
        }
        sum
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_a_chain(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u16]) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| (0..300).map(|k| src.boundary(Clamp)[[y, x + k]] as u16).sum::<u16>());
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_a_loop(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u16], n: i32) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| {
        let mut sum = 0_u16;
        for k in 0..n {
            sum += src.boundary(Clamp)[[y, x + k]] as u16;
        }
        sum
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_a_closure(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let differences = stage::<u8>(|[y, x]| {
        let less = |a: u8, b: u8| a - b;
        less(src.boundary(Clamp)[[y, x]], src.boundary(Clamp)[[y, x + 1]])
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = differences[[y - 1, x]] ^ differences[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_a_passed_closure(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let differences = stage::<u8>(|[y, x]| {
        let value = src.boundary(Clamp)[[y, x]];
        let less = |sum: u8, k: i32| sum - k as u8;
        (0..3).fold(value, less)
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = differences[[y - 1, x]] ^ differences[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_least_values(#[shape(h, w)] src: &[i16], h: usize, w: usize, #[shape(h, w)] out: &mut [i16]) {
    #[compute_at('t)]
    let sizes = stage(|[y, x]| src.boundary(Clamp)[[y, x]].abs());
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sizes[[y - 1, x]] ^ sizes[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_an_assigned_number(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| {
        let mut level: u8 = 3;
        level = src.boundary(Clamp)[[y, x]];
        level += 1;
        level
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_a_quotient(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let quotients = stage(|[y, x]| {
        let divisor = src.boundary(Clamp)[[y, x]];
        200 / divisor
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = quotients[[y - 1, x]] ^ quotients[[y + 2, x]];
    }
}

fn main() {}
