//! What a Rust author writes first and a kernel does not take: each message says what to write instead.

use shim::prelude::*;

#[shim::kernel]
fn swapped_pixels(#[shape(h, w)] a: &mut [u8], h: usize, w: usize) {
    a.swap([0, 0], [h - 1, w - 1]);
}

#[shim::kernel]
fn chunks(#[shape(h, w)] a: &[u8], h: usize, w: usize) -> u32 {
    a.chunks(w).map(|row| row[0] as u32).sum::<u32>()
}

#[shim::kernel]
fn iterated(#[shape(n)] a: &[u8], n: usize) -> u32 {
    a.iter().map(|value| *value as u32).sum::<u32>()
}

#[shim::kernel]
fn length(#[shape(h, w)] a: &[u8], h: usize, w: usize) -> usize {
    a.len()
}

#[shim::kernel]
fn single_brackets(#[shape(n)] a: &[u8], n: usize) -> u8 {
    a[n - 1]
}

#[shim::kernel]
fn copied(#[shape(n)] a: &[u8], n: usize, #[shape(n)] b: &mut [u8]) {
    b.copy_from_slice(a);
}

#[shim::kernel]
fn sorted(#[shape(n)] a: &mut [u8], n: usize) {
    a.sort();
}

#[shim::kernel]
fn rows(#[shape(h, w)] a: &[u8], h: usize, w: usize) -> u32 {
    let mut sum = 0;
    for row in a {
        sum += row[0] as u32;
    }
    sum
}

#[shim::kernel]
fn tensor_of_a_tensor(#[shape(n)] a: &mut [u8], #[shape(n)] b: &[u8], n: usize) {
    a.fill(b);
}

#[shim::kernel]
fn parts_of_a_tuple(#[shape(2, n)] a: &mut [u8], n: usize) {
    let (top, bottom) = (a.slice(0, 0), a.slice(0, 1));
    (top, bottom) = (bottom, top);
}

#[shim::kernel]
fn histogram(#[shape(n)] a: &[u8], n: usize, counts: &mut [u32; 256]) {
    let counts = Block::external(counts, [256]);
    #[parallel]
    for i in 0..n {
        counts[[a[[i]] as usize]] += 1;
    }
}

#[shim::kernel]
fn labels(#[shape(h, w)] a: &[u8], h: usize, w: usize, #[shape(h, w)] b: &mut [u8]) {
    #[compute_at('rows)]
    let s = stage(|[y, x]| a.boundary(Clamp)[[y, x]] / 2);
    for y in 0..h {
        for x in 0..w {
            b[[y, x]] = s[[y, x]];
        }
    }
}

#[shim::kernel]
fn mutable(n: usize) -> u8 {
    let mut a = Block::heap::<u8>([n]);
    a[[0]] = 1;
    a[[0]]
}

#[shim::kernel]
fn of_a_sum(#[shape(h, w)] a: &[f32], h: usize, w: usize, #[shape(h)] b: &mut [f32]) {
    for y in 0..h {
        let mut sum = 0.0;
        #[parallel]
        for x in 0..w {
            sum += a[[y, x]];
        }
        b[[y]] = sum;
    }
}

#[shim::kernel]
fn outside_of_a_row(#[shape(n, |i| i + 1)] a: &[u8], n: usize) -> u8 {
    a[[0, 1..]][[0]]
}

fn main() {}
