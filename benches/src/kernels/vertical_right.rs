//! Intra 4x4 prediction, mode vertical-right (H.264 8.3.1.2.6).

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Located, LocationError, Space, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::{holds, within};

/// The staged kernel: `recon` is the reconstructed frame, `(r, c)` the block's place in it.
#[shim::kernel]
#[inline(never)]
pub fn staged(recon: &[u8], h: usize, stride: usize, r: usize, c: usize, out: &mut [u8; 16]) {
    let frame = Block::external(recon, [h, stride]);
    let pred = Block::external(out, [4, 4]).at([r, c]).cast::<i32>();
    let p = frame[pred].permute([1, 0]).cast::<i32>();
    #[unroll]
    for [y, x] in pred.indices() {
        let z = 2 * x - y;
        pred[[y, x]] = match z {
            0 | 2 | 4 | 6 => (p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 1) >> 1,
            1 | 3 | 5 => {
                (p[[x - (y >> 1) - 2, -1]] + 2 * p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 2) >> 2
            }
            -1 => (p[[-1, 0]] + 2 * p[[-1, -1]] + p[[0, -1]] + 2) >> 2,
            _ => (p[[-1, y - 1]] + 2 * p[[-1, y - 2]] + p[[-1, y - 3]] + 2) >> 2,
        };
    }
}

/// The hand-written version, as encoders have it: the neighbors by name, each value computed once.
///
/// # Panics
/// When the block has no neighbors in the frame.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(recon: &[u8], h: usize, stride: usize, r: usize, c: usize, out: &mut [u8; 16]) {
    assert!(
        holds(recon.len(), h, stride) && r >= 1 && c >= 1 && within(r - 1, 4, h) && within(c - 1, 5, stride)
    );
    let corner = (r - 1) * stride + c - 1;
    // SAFETY: rows r - 1 to r + 2 and columns c - 1 to c + 3 lie in the frame, which `recon` holds.
    let at = |y: usize, x: usize| unsafe { i32::from(*recon.get_unchecked(corner + y * stride + x)) };
    let [m, a, b, c, d] = [at(0, 0), at(0, 1), at(0, 2), at(0, 3), at(0, 4)];
    let [i, j, k] = [at(1, 0), at(2, 0), at(3, 0)];
    let two = |a: i32, b: i32| ((a + b + 1) >> 1) as u8;
    let three = |a: i32, b: i32, c: i32| ((a + 2 * b + c + 2) >> 2) as u8;
    let [ma, ab, bc, cd] = [two(m, a), two(a, b), two(b, c), two(c, d)];
    let [ima, mab, abc, bcd] = [three(i, m, a), three(m, a, b), three(a, b, c), three(b, c, d)];
    let [jim, kji] = [three(m, i, j), three(i, j, k)];
    *out = [ma, ab, bc, cd, ima, mab, abc, bcd, jim, ma, ab, bc, kji, ima, mab, abc];
}

/// The version on the runtime library.
///
/// # Errors
/// When the two do not stand in one space.
#[inline(never)]
pub fn library(frame: &Block<u8, 2>, pred: &mut Block<u8, 2>) -> Result<(), LocationError> {
    let view = frame.colocate(pred)?.permute([1, 0])?;
    let p = |x: isize, y: isize| i32::from(view[[x, y]]);
    for [y, x] in pred.indices() {
        pred[[y, x]] = match 2 * x - y {
            0 | 2 | 4 | 6 => (p(x - (y >> 1) - 1, -1) + p(x - (y >> 1), -1) + 1) >> 1,
            1 | 3 | 5 => {
                (p(x - (y >> 1) - 2, -1) + 2 * p(x - (y >> 1) - 1, -1) + p(x - (y >> 1), -1) + 2) >> 2
            }
            -1 => (p(-1, 0) + 2 * p(-1, -1) + p(0, -1) + 2) >> 2,
            _ => (p(-1, y - 1) + 2 * p(-1, y - 2) + p(-1, y - 3) + 2) >> 2,
        } as u8;
    }
    Ok(())
}

/// A frame and a block in it.
#[derive(Debug)]
pub struct VerticalRight {
    h: usize,
    w: usize,
    r: usize,
    c: usize,
    frame: Block<u8, 2>,
    pred: Block<u8, 2>,
}

impl VerticalRight {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let (r, c) = (random.within(1, h - 4), random.within(1, w - 4));
        let root = Space::root(2);
        let frame = Block::from_fn([h, w], |_| random.bits() as u8).in_space(&root).expect("rank 2");
        let pred = Block::new([4, 4]).in_space(&root).expect("rank 2").at([r as isize, c as isize]);
        Self { h, w, r, c, frame, pred }
    }
}

impl Case for VerticalRight {
    const NAME: &'static str = "4x4 vertical-right";
    type Output = Vec<u8>;

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 48, 64)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(5, 9), random.within(5, 9));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let (recon, h, w, r, c) = black_box((self.frame.as_slice(), self.h, self.w, self.r, self.c));
        let out = self.pred.as_mut_slice().as_mut_array().expect("a 4x4 block");
        staged(recon, h, w, r, c, black_box(out));
    }

    fn hand(&mut self) {
        let (recon, h, w, r, c) = black_box((self.frame.as_slice(), self.h, self.w, self.r, self.c));
        let out = self.pred.as_mut_slice().as_mut_array().expect("a 4x4 block");
        hand(recon, h, w, r, c, black_box(out));
    }

    fn library(&mut self) {
        library(black_box(&self.frame), black_box(&mut self.pred)).expect("one space");
    }

    fn take(&mut self) -> Vec<u8> {
        let out = self.pred.as_slice().to_vec();
        self.pred.as_mut_slice().fill(0);
        out
    }
}
