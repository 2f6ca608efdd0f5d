//! Loops whose iterations cannot be tasks.

use shim::prelude::*;

fn log(_: u32) {}

#[shim::kernel]
fn dependences(#[shape(h, w)] t: &mut [u32], #[shape(h)] sums: &mut [u32], h: usize, w: usize) {
    let zero = t.boundary(Fill(0));
    #[parallel]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x]];
    }
    // Within a row, one task.
    #[parallel]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y, x - 1]];
    }
    #[reorder(x, y)]
    #[parallel]
    for [y, x] in t.indices() {
        sums[[y]] += t[[y, x]];
    }
    #[parallel]
    for [y, x] in t.indices() {
        t[[0, x]] = y as u32;
    }
    #[order(antidiagonal)]
    #[parallel]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x + 1]];
    }
    #[wavefront(y + x)]
    #[parallel]
    #[tile([4, 4])]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x + 2]];
    }
    #[parallel]
    #[tile([4, 4])]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x]];
    }
    let scratch = Block::stack::<u32>([4]);
    #[parallel]
    for [y, x] in t.indices() {
        scratch[[0]] = t[[y, x]];
        t[[y, x]] = scratch[[0]] + 1;
    }
}

#[shim::kernel]
fn overlapping(out: &mut [u32], u: &mut Block<u32, 2>, n: usize, stride: usize) {
    let t = Block::external(out, [n, n]).strided([stride, 1]);
    #[parallel]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[parallel]
    for [y, x] in u.indices() {
        u[[y, x]] = 1;
    }
}

#[shim::kernel]
fn scalars(#[shape(n)] a: &[f32], n: usize) -> f32 {
    let mut sum: f32 = 0.0;
    #[parallel]
    for [i] in a.indices() {
        sum += a[[i]];
    }
    #[parallel]
    for [i] in a.indices() {
        log(i as u32);
    }
    #[parallel]
    for [i] in a.indices() {
        if i == 3 {
            return 1.0;
        }
    }
    sum
}

#[shim::kernel]
fn tasks_in_tasks(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    let zero = t.boundary(Fill(0));
    #[parallel]
    #[tile([4, 8])]
    #[reorder(x, y)]
    #[parallel]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y, x - 1]];
    }
    #[parallel]
    #[tile([4, _])]
    #[reorder(x, y)]
    #[parallel]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y, x - 1]];
    }
}

#[shim::kernel]
fn words(#[shape(h, w)] t: &mut [u32], rows: &mut [Vec<u32>], h: usize, w: usize) {
    let q = Block::stack::<u32>([8, 8]);
    #[order(morton)]
    #[parallel]
    for [y, x] in q.indices() {
        q[[y, x]] = 1;
    }
    #[wavefront(y + x)]
    #[parallel]
    #[lanes(8)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[tile([4, 4])]
    #[parallel]
    #[unroll(y)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[parallel]
    #[tile([4, 4], shift)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    let rows = Block::external(rows, [h, w]);
    #[parallel]
    for [y, x] in rows.indices() {
        rows[[y, x]] = 1;
    }
}

#[shim::kernel]
fn usage(#[shape(n)] t: &mut [u32], n: usize) {
    #[parallel(8)]
    for [i] in t.indices() {
        t[[i]] = 1;
    }
    #[parallel]
    let unused = 3;
}

#[shim::kernel]
fn shared<T: Copy>(#[shape(n)] a: &[T], n: usize, #[shape(n)] t: &mut [T]) {
    #[parallel]
    for [i] in t.indices() {
        t[[i]] = a[[i]];
    }
}

fn main() {}
