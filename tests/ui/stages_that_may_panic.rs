//! Elements of a stage that nothing reads are computed: its closure may not panic, whatever is in memory.

use shim::prelude::*;

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

#[shim::kernel]
fn of_a_remainder(#[shape(h, w)] src: &[u8], h: usize, w: usize, n: u8, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let rests = stage(|[y, x]| src.boundary(Clamp)[[y, x]] % n);
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = rests[[y - 1, x]] ^ rests[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_a_shift(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u32]) {
    #[compute_at('t)]
    let powers = stage(|[y, x]| 1u32 << src.boundary(Clamp)[[y, x]]);
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = powers[[y - 1, x]] ^ powers[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_an_entry(#[shape(h, w)] src: &[u8], h: usize, w: usize, table: &[u8; 16], #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let looked_up = stage::<u8>(|[y, x]| table[src.boundary(Clamp)[[y, x]] as usize]);
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = looked_up[[y - 1, x]] ^ looked_up[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_an_assertion(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let small = stage(|[y, x]| {
        let value = src.boundary(Clamp)[[y, x]];
        assert!(value < 100);
        value
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = small[[y - 1, x]] ^ small[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_bounds_out_of_order(
    #[shape(h, w)] src: &[f32],
    h: usize,
    w: usize,
    [low, high]: [f32; 2],
    #[shape(h, w)] out: &mut [f32],
) {
    #[compute_at('t)]
    let clamped = stage(|[y, x]| src.boundary(Clamp)[[y, x]].clamp(low, high));
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = clamped[[y - 1, x]] + clamped[[y + 2, x]];
    }
}

#[shim::kernel]
fn of_a_type_that_is_not_known<T: Copy + std::ops::Add<Output = T>>(
    #[shape(h, w)] src: &[T],
    h: usize,
    w: usize,
    #[shape(h, w)] out: &mut [T],
) {
    #[compute_at('t)]
    let sums = stage::<T>(|[y, x]| src.boundary(Clamp)[[y, x]] + src.boundary(Clamp)[[y, x + 1]]);
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = if y % 2 == 0 { sums[[y - 1, x]] } else { sums[[y + 2, x]] };
    }
}

#[shim::kernel]
fn in_one_branch_alone(#[shape(n)] src: &[u32], n: usize, by: u32, flag: bool, #[shape(n)] out: &mut [u32]) {
    #[compute_at(root)]
    let quotients = stage(|[i]| src[[i]] / by);
    for i in 0..n {
        out[[i]] = if flag { quotients[[i]] } else { 0 };
    }
}

fn main() {}
