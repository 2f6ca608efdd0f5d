//! Transpose by permutation: in the plain order of loops, and tile by tile.

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Located, LocationError, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::holds;

/// The staged kernel: `a` is `[h, w]`, `out` is `[w, h]`.
#[shim::kernel]
#[inline(never)]
pub fn staged(a: &[f32], h: usize, w: usize, out: &mut [f32]) {
    let a = Block::external(a, [h, w]).permute([1, 0]);
    let out = Block::external(out, [w, h]);
    let [y, x] = iters();
    out[[y, x]] = a[[y, x]];
}

/// The staged kernel by tiles of 8x8: `a` is `[8 * h, 8 * w]`, `out` is `[8 * w, 8 * h]`.
#[shim::kernel]
#[inline(never)]
pub fn staged_tiles(a: &[f32], h: usize, w: usize, out: &mut [f32]) {
    let out = Block::external(out, [8 * w, 8 * h]);
    let a = Block::external(a, [8 * h, 8 * w]).permute([1, 0]);
    for [i, j] in out.coarsen([8, 8]).indices() {
        for y in 0..8 {
            #[unroll]
            for x in 0..8 {
                out[[8 * i + y, 8 * j + x]] = a[[8 * i + y, 8 * j + x]];
            }
        }
    }
}

/// The hand-written version.
///
/// # Panics
/// When a matrix is too small.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(a: &[f32], h: usize, w: usize, out: &mut [f32]) {
    assert!(holds(a.len(), h, w) && holds(out.len(), w, h));
    for y in 0..w {
        for x in 0..h {
            // SAFETY: both matrices hold h times w elements.
            unsafe { *out.get_unchecked_mut(y * h + x) = *a.get_unchecked(x * w + y) };
        }
    }
}

/// The hand-written version by tiles of 8x8.
///
/// # Panics
/// When a matrix is too small.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand_tiles(a: &[f32], h: usize, w: usize, out: &mut [f32]) {
    assert!(holds(a.len() / 64, h, w) && holds(out.len() / 64, w, h));
    for i in 0..w {
        for j in 0..h {
            for y in 8 * i..8 * i + 8 {
                for x in 8 * j..8 * j + 8 {
                    // SAFETY: both matrices hold 8h times 8w elements.
                    unsafe { *out.get_unchecked_mut(y * 8 * h + x) = *a.get_unchecked(x * 8 * w + y) };
                }
            }
        }
    }
}

/// The version on the runtime library.
///
/// # Errors
/// None: a matrix can be transposed.
#[inline(never)]
pub fn library(a: &Block<f32, 2>, out: &mut Block<f32, 2>) -> Result<(), LocationError> {
    let a = a.permute([1, 0])?;
    for index in out.indices() {
        out[index] = a[index];
    }
    Ok(())
}

/// The version on the runtime library, by tiles of 8x8.
///
/// # Errors
/// None: a matrix can be transposed.
#[inline(never)]
pub fn library_tiles(a: &Block<f32, 2>, out: &mut Block<f32, 2>) -> Result<(), LocationError> {
    let a = a.permute([1, 0])?;
    let tiles = out.coarsen([8, 8])?.indices();
    for [i, j] in tiles {
        for y in 8 * i..8 * i + 8 {
            for x in 8 * j..8 * j + 8 {
                out[[y, x]] = a[[y, x]];
            }
        }
    }
    Ok(())
}

/// A matrix and its transpose; `TILE` is 1 in the plain order.
#[derive(Debug)]
pub struct Matrices<const TILE: usize> {
    h: usize,
    w: usize,
    a: Block<f32, 2>,
    out: Block<f32, 2>,
}

/// The case of the plain order.
pub type Transpose = Matrices<1>;
/// The case of tiles.
pub type Tiles = Matrices<8>;

impl<const TILE: usize> Matrices<TILE> {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let a = Block::from_fn([TILE * h, TILE * w], |_| random.within(0, 1 << 20) as f32);
        Self { h, w, a, out: Block::new([TILE * w, TILE * h]) }
    }
}

impl<const TILE: usize> Case for Matrices<TILE> {
    const NAME: &'static str = if TILE == 1 { "transpose" } else { "transpose, 8x8 tiles" };
    type Output = Vec<f32>;

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 192 / TILE, 248 / TILE)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(0, 5), random.within(0, 5));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let (a, h, w) = black_box((self.a.as_slice(), self.h, self.w));
        let out = black_box(self.out.as_mut_slice());
        if TILE == 1 { staged(a, h, w, out) } else { staged_tiles(a, h, w, out) }
    }

    fn hand(&mut self) {
        let (a, h, w) = black_box((self.a.as_slice(), self.h, self.w));
        let out = black_box(self.out.as_mut_slice());
        if TILE == 1 { hand(a, h, w, out) } else { hand_tiles(a, h, w, out) }
    }

    fn library(&mut self) {
        let (a, out) = black_box((&self.a, &mut self.out));
        if TILE == 1 { library(a, out) } else { library_tiles(a, out) }.expect("a matrix");
    }

    fn take(&mut self) -> Vec<f32> {
        let out = self.out.as_slice().to_vec();
        self.out.as_mut_slice().fill(0.0);
        out
    }
}
