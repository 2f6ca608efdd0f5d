//! Intra 16x16 prediction, mode plane (H.264 8.3.3.4).

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Located, LocationError, Space, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::{holds, within};

/// The staged kernel: `recon` is the reconstructed frame, `(r, c)` the block's place in it. As in the standard, indices
/// are `[x, y]`.
#[shim::kernel]
#[inline(never)]
pub fn staged(recon: &[u8], h: usize, stride: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    let frame = Block::external(recon, [h, stride]);
    let pred = Block::external(out, [16, 16]).at([r, c]).permute([1, 0]).cast::<i32>();
    let p = frame[pred].cast::<i32>();
    let (mut across, mut down) = (0, 0);
    for i in 0..8 {
        across += (i + 1) * (p[[8 + i, -1]] - p[[6 - i, -1]]);
        down += (i + 1) * (p[[-1, 8 + i]] - p[[-1, 6 - i]]);
    }
    let a = 16 * (p[[-1, 15]] + p[[15, -1]]);
    let b = (5 * across + 32) >> 6;
    let c = (5 * down + 32) >> 6;
    let [x, y] = iters();
    pred[[x, y]] = ((a + b * (x - 7) + c * (y - 7) + 16) >> 5).clamp(0, 255);
}

/// The hand-written version.
///
/// # Panics
/// When the block has no neighbors in the frame.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(recon: &[u8], h: usize, stride: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    assert!(
        holds(recon.len(), h, stride)
            && r >= 1
            && c >= 1
            && within(r - 1, 17, h)
            && within(c - 1, 17, stride)
    );
    let corner = (r - 1) * stride + c - 1;
    // SAFETY: rows r - 1 to r + 15 and columns c - 1 to c + 15 lie in the frame, which `recon` holds.
    let at = |y: usize, x: usize| unsafe { i32::from(*recon.get_unchecked(corner + y * stride + x)) };
    let (mut across, mut down) = (0, 0);
    for i in 0..8 {
        let weight = i as i32 + 1;
        across += weight * (at(0, 9 + i) - at(0, 7 - i));
        down += weight * (at(9 + i, 0) - at(7 - i, 0));
    }
    let b = (5 * across + 32) >> 6;
    let c = (5 * down + 32) >> 6;
    let start = 16 * (at(16, 0) + at(0, 16)) - 7 * b - 7 * c + 16;
    // The columns outermost: LLVM unrolls the rows, and makes the columns lanes.
    for x in 0..16 {
        for y in 0..16 {
            out[16 * y + x] = ((start + b * x as i32 + c * y as i32) >> 5).clamp(0, 255) as u8;
        }
    }
}

/// The version on the runtime library.
///
/// # Errors
/// When the two do not stand in one space.
#[inline(never)]
pub fn library(frame: &Block<u8, 2>, pred: &mut Block<u8, 2>) -> Result<(), LocationError> {
    let view = frame.colocate(pred)?.permute([1, 0])?;
    let p = |x: isize, y: isize| i32::from(view[[x, y]]);
    let (mut across, mut down) = (0, 0);
    for i in 0..8 {
        across += (i as i32 + 1) * (p(8 + i, -1) - p(6 - i, -1));
        down += (i as i32 + 1) * (p(-1, 8 + i) - p(-1, 6 - i));
    }
    let a = 16 * (p(-1, 15) + p(15, -1));
    let b = (5 * across + 32) >> 6;
    let c = (5 * down + 32) >> 6;
    for [y, x] in pred.indices() {
        pred[[y, x]] = ((a + b * (x as i32 - 7) + c * (y as i32 - 7) + 16) >> 5).clamp(0, 255) as u8;
    }
    Ok(())
}

/// A frame and a macroblock in it.
#[derive(Debug)]
pub struct Plane {
    h: usize,
    w: usize,
    r: usize,
    c: usize,
    frame: Block<u8, 2>,
    pred: Block<u8, 2>,
}

impl Plane {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let (r, c) = (random.within(1, h - 16), random.within(1, w - 16));
        let root = Space::root(2);
        let frame = Block::from_fn([h, w], |_| random.bits() as u8).in_space(&root).expect("rank 2");
        let pred = Block::new([16, 16]).in_space(&root).expect("rank 2").at([r as isize, c as isize]);
        Self { h, w, r, c, frame, pred }
    }
}

impl Case for Plane {
    const NAME: &'static str = "16x16 plane";
    type Output = Vec<u8>;

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 48, 64)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(17, 22), random.within(17, 22));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let (recon, h, w, r, c) = black_box((self.frame.as_slice(), self.h, self.w, self.r, self.c));
        let out = self.pred.as_mut_slice().as_mut_array().expect("a 16x16 block");
        staged(recon, h, w, r, c, black_box(out));
    }

    fn hand(&mut self) {
        let (recon, h, w, r, c) = black_box((self.frame.as_slice(), self.h, self.w, self.r, self.c));
        let out = self.pred.as_mut_slice().as_mut_array().expect("a 16x16 block");
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
