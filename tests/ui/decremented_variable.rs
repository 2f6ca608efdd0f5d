//! An unsigned loop variable that a `let` decrements overflows in the first iteration. `deny` makes the note an error.

#![deny(deprecated)]

use shim::prelude::*;

#[shim::kernel]
fn above(#[shape(h, w)] a: &[i32], h: usize, w: usize, #[shape(h, w)] out: &mut [i32]) {
    let a = a.boundary(Clamp);
    for y in 0..h {
        let above = y - 1;
        for x in 0..w {
            let left = x - 2;
            out[[y, x]] = a[[above, left]];
        }
    }
}

/// None of these.
#[shim::kernel]
fn fine(#[shape(h)] a: &[i32], h: usize, #[shape(h)] out: &mut [i32]) {
    for y in 1..h {
        let above = y - 1;
        out[[y]] = a[[above]];
    }
    for y in 0..h {
        if y == 0 {
            continue;
        }
        let above = y - 1;
        out[[y]] = a[[above]];
    }
    for y in 0..h {
        if y > 0 {
            let above = y - 1;
            out[[y]] = a[[above]];
        }
    }
    for y in 0..4 {
        let above = y - 1;
        out[[y + 1]] = a[[above + 1]];
    }
}

fn main() {}
