//! A loop for each statement of a body.

use shim::prelude::*;

#[shim::kernel]
fn one_statement(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute]
    for i in 0..n {
        a[[i]] += 1;
    }
    #[distribute]
    for i in 0..n {
        let own = a[[i]];
        b[[i]] = own;
    }
}

#[shim::kernel]
fn malformed(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute(i)]
    for i in 0..n {
        a[[i]] += 1;
        b[[i]] += 1;
    }
}

#[shim::kernel]
fn read_before(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute]
    for i in 1..n {
        a[[i]] += b[[i - 1]];
        b[[i]] += 1;
    }
}

#[shim::kernel]
fn read_behind(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute]
    for i in (1..n).rev() {
        b[[i]] += 1;
        a[[i - 1]] += b[[i - 1]];
    }
}

#[shim::kernel]
fn of_a_variable(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) -> u32 {
    let mut sum = 0;
    #[distribute]
    for i in 0..n {
        sum += a[[i]];
        b[[i]] = sum;
    }
    sum
}

#[shim::kernel]
fn of_a_sum(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) -> u32 {
    let mut sum: u32 = 0;
    #[distribute]
    for i in 0..n {
        sum += a[[i]];
        b[[i]] += 1;
    }
    sum
}

#[shim::kernel]
fn skips(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute]
    for i in 0..n {
        if a[[i]] > 3 {
            continue;
        }
        b[[i]] += 1;
    }
}

#[shim::kernel]
fn in_lanes(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[lanes(8)]
    #[distribute]
    for i in 0..n {
        a[[i]] += 1;
        b[[i]] += 1;
    }
}

#[shim::kernel]
fn of_tiles(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute]
    #[tile([8])]
    for i in 0..n {
        a[[i]] += 1;
        b[[i]] += 1;
    }
    #[wavefront(y + x)]
    #[distribute]
    for y in 0..n {
        for x in 0..2 {
            a[[y]] += x as u32;
            b[[y]] += x as u32;
        }
    }
}

#[shim::kernel]
fn with_an_item(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute]
    for i in 0..n {
        const BY: u32 = 3;
        a[[i]] += BY;
        b[[i]] += BY;
    }
}

fn main() {}
