//! Kernels of each kind under the strictest lints a user may have.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, missing_debug_implementations)]
#![deny(clippy::all, clippy::pedantic)]

use shim::prelude::*;

/// External memory, a boundary rule, an unrolled loop, peeled edges.
#[shim::kernel]
pub fn blur(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
    let src = Block::external(src, [h, w]).boundary(Clamp).cast::<i32>();
    let dst = Block::external(dst, [h, w]).cast::<i32>();
    for [y, x] in dst.indices() {
        let mut sum = 0;
        #[unroll]
        for dx in -1..=1 {
            sum += src[[y, x + dx]];
        }
        dst[[y, x]] = sum / 3;
    }
}

/// An elementwise assignment, in versions for instruction sets.
#[shim::kernel(simd)]
pub fn add(a: &[i32], b: &[i32], out: &mut [i32]) {
    let n = out.len();
    let a = Block::external(a, [n]);
    let b = Block::external(b, [n]);
    let out = Block::external(out, [n]);
    let [i] = iters();
    out[[i]] = a[[i]] + b[[i]];
}

/// A reduction over parameters with a shape.
#[shim::kernel]
#[must_use]
pub fn total(#[shape(h, w)] v: &[u32], h: usize, w: usize) -> u32 {
    v.indices().map(|[y, x]| v[[y, x]]).sum::<u32>()
}

/// A template that other crates may call.
#[shim::kernel]
pub fn butterfly<const SCALE: i32>(v: impl Tensor<i32, 1>) {
    let (a, b) = (v[[0]], v[[1]]);
    v[[0]] = (a + b) * SCALE;
    v[[1]] = (a - b) * SCALE;
}

#[shim::kernel]
fn private_template(v: impl Tensor<i32, 2>) -> i32 {
    v[[0, 0]] + v[[1, 1]]
}

/// Templates for rows and columns, and one that gives a value back.
#[shim::kernel]
pub fn haar(block: &mut [i32; 4]) -> i32 {
    let block = Block::external(block, [2, 2]);
    for i in 0..2 {
        butterfly::<1>(block.slice(0, i));
    }
    for i in 0..2 {
        butterfly::<3>(block.slice(1, i));
    }
    private_template(block)
}

/// Heap and stack memory, coarse and fine, checked at each access.
#[shim::kernel(checks = "every")]
#[must_use]
pub fn coarse(h: usize, w: usize) -> u8 {
    let table = Block::heap::<u8>([h, w]).coarsened([16, 16]);
    let corner = Block::stack::<u8>([2, 2]);
    let fine = table.refine([16, 16]);
    for [y, x] in table.indices() {
        table[[y, x]] = (y + x) as u8;
    }
    corner[[0, 0]] = fine[[16, 16]];
    corner[[0, 0]]
}

/// Tensors of the runtime library.
#[shim::kernel]
pub fn scale(from: View<'_, i32, 2>, to: &mut Block<i32, 2>, by: i32) {
    let [y, x] = iters();
    to[[y, x]] = from[[y, x]] * by;
}

/// A type with kernels for methods.
#[derive(Debug)]
pub struct Row {
    samples: Vec<i16>,
}

impl Row {
    /// A row of zeros.
    #[must_use]
    pub fn new(length: usize) -> Self {
        Self { samples: vec![0; length] }
    }

    /// A method.
    #[shim::kernel]
    pub fn fill(&mut self, value: i16) {
        let n = self.samples.len();
        let samples = Block::external(&mut self.samples, [n]);
        let [i] = iters();
        samples[[i]] = value;
    }

    /// The sum of the samples.
    #[must_use]
    pub fn sum(&self) -> i16 {
        self.samples.iter().sum()
    }
}

/// A generic function.
#[shim::kernel]
pub fn copy<T: Copy + Default>(from: &[T], to: &mut [T]) {
    let n = to.len();
    let from = Block::external(from, [n]);
    let to = Block::external(to, [n]);
    let [i] = iters();
    to[[i]] = from[[i]];
}

/// A function that C can call.
#[shim::kernel]
pub extern "C" fn first_of_pair(pair: &[u8; 2]) -> u8 {
    let pair = Block::external(pair, [2]);
    pair[[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_each_kind() {
        let mut out = [0; 3];
        blur(&[0, 9, 0], 1, 3, &mut out);
        assert_eq!(out, [3, 3, 3]);
        let mut sums = [0; 2];
        add(&[1, 2], &[10, 20], &mut sums);
        assert_eq!(sums, [11, 22]);
        assert_eq!(total(&[1, 2, 3, 4], 2, 2), 10);
        let mut block = [1, 2, 3, 4];
        assert_eq!(haar(&mut block), 30);
        assert_eq!(coarse(2, 3), 2);
        let from = Block::from_vec([2, 2], vec![0, 1, 2, 3]).expect("four elements");
        let mut to = Block::new([2, 2]);
        scale(from.view(), &mut to, 10);
        assert_eq!(to[[1, 1]], 30);
        let mut row = Row::new(3);
        row.fill(4);
        assert_eq!(row.sum(), 12);
        let mut copied = ['z'; 2];
        copy(&['a', 'b'], &mut copied);
        assert_eq!(copied, ['a', 'b']);
        assert_eq!(first_of_pair(&[7, 8]), 7);
    }
}
