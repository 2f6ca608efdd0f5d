//! Lanes of loops whose iterations depend on one another, and of what has no lanes.

use shim::prelude::*;

fn log(_: u32) {}

#[shim::kernel]
fn dependences(#[shape(n)] t: &mut [u32], #[shape(n)] u: &mut [u32], n: usize) {
    let (zero, before) = (t.boundary(Fill(0)), u.boundary(Fill(0)));
    #[lanes(8)]
    for [i] in t.indices() {
        t[[i]] = zero[[i - 1]];
    }
    // The other way round is lockstep.
    #[lanes(8)]
    for [i] in t.indices() {
        t[[i]] = zero[[i + 1]];
    }
    #[lanes(8)]
    for [i] in t.indices() {
        u[[i]] = zero[[i - 1]];
        t[[i]] = 3;
    }
    #[lanes(8)]
    for [i] in t.indices() {
        t[[i]] = 3;
        u[[i]] = zero[[i + 2]];
    }
    #[lanes(4)]
    for [i] in t.indices() {
        t[[i]] = zero[[i - 3]];
    }
    // Three lanes do not meet.
    #[lanes(3)]
    for [i] in t.indices() {
        t[[i]] = zero[[i - 3]];
    }
    #[lanes(8)]
    for [i] in t.indices() {
        t[[i / 2]] += 1;
    }
    #[lanes(8)]
    for [i] in t.indices() {
        t[[0]] = t[[i]];
    }
    let order = before.get([0]).unwrap_or(0) as usize;
    #[lanes(8)]
    for [i] in t.indices() {
        t[[order]] = t[[i]];
    }
}

#[shim::kernel]
fn rectangles(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    let zero = t.boundary(Fill(0));
    #[lanes(4)]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y, x - 1]] + zero[[y - 1, x]];
    }
    #[reorder(x, y)]
    #[lanes(4)]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x]];
    }
    #[tile([4, 4])]
    #[lanes(4)]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y, x - 1]];
    }
    #[wavefront(y + x)]
    #[lanes(4)]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x + 1]];
    }
}

#[shim::kernel]
fn scalars(#[shape(n)] a: &[f32], n: usize) -> f32 {
    let mut sum: f32 = 0.0;
    #[lanes(8)]
    for [i] in a.indices() {
        sum += a[[i]];
    }
    let mut last: u32 = 0;
    #[lanes(8)]
    for [i] in a.indices() {
        last = i as u32;
    }
    #[lanes(8)]
    for [i] in a.indices() {
        log(i as u32);
    }
    #[lanes(8)]
    for [i] in a.indices() {
        if i == 3 {
            break;
        }
    }
    sum + last as f32
}

#[shim::kernel]
fn words(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    #[lanes]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[lanes(h)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[lanes(4)]
    let unused = 3;
    #[lanes(4)]
    while t[[0, 0]] > 0 {
        t[[0, 0]] -= 1;
    }
}

#[shim::kernel]
fn numbers(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    #[lanes(1)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[lanes(1000)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
}

#[shim::kernel]
fn orders(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    #[lanes(4)]
    #[tile([4, 4])]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    let q = Block::stack::<u32>([8, 8]);
    #[order(morton)]
    #[lanes(4)]
    for [y, x] in q.indices() {
        q[[y, x]] = 1;
    }
    #[lanes(4)]
    #[tile([4, 8])]
    #[lanes(4)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[unroll(4)]
    #[lanes(4)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
}

fn main() {}
