//! Chroma at half the density of luma along both axes: the mean of squares of two by two samples.

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Located, LocationError, Space, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::holds;

/// The staged kernel: `coarse` is `[h, w]`, `fine` `[2 * h, 2 * w]`.
#[shim::kernel]
#[inline(never)]
pub fn staged(fine: &[u8], h: usize, w: usize, coarse: &mut [u8]) {
    let fine = Block::external(fine, [2 * h, 2 * w]).cast::<u16>();
    let coarse = Block::external(coarse, [h, w]).coarsened([2, 2]).cast::<u16>();
    for [y, x] in coarse.indices() {
        let sum = fine[[2 * y, 2 * x]]
            + fine[[2 * y, 2 * x + 1]]
            + fine[[2 * y + 1, 2 * x]]
            + fine[[2 * y + 1, 2 * x + 1]];
        coarse[[y, x]] = (sum + 2) >> 2;
    }
}

/// The hand-written version: two fine rows make a coarse one.
///
/// # Panics
/// When a plane is too small.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(fine: &[u8], h: usize, w: usize, coarse: &mut [u8]) {
    assert!(holds(fine.len() / 4, h, w) && holds(coarse.len(), h, w));
    for y in 0..h {
        let (upper, lower) = (4 * y * w, (4 * y + 2) * w);
        for x in 0..w {
            // SAFETY: the planes hold h by w, and 2h by 2w samples.
            unsafe {
                let at = |i: usize| u16::from(*fine.get_unchecked(i));
                let sum =
                    at(upper + 2 * x) + at(upper + 2 * x + 1) + at(lower + 2 * x) + at(lower + 2 * x + 1);
                *coarse.get_unchecked_mut(y * w + x) = ((sum + 2) >> 2) as u8;
            }
        }
    }
}

/// The version on the runtime library: the samples that a coarse one covers.
///
/// # Errors
/// When the two do not stand in one space.
#[inline(never)]
pub fn library(fine: &Block<u8, 2>, coarse: &mut Block<u8, 2>) -> Result<(), LocationError> {
    for [y, x] in coarse.indices() {
        let cell = fine.coverage([2 * y, 2 * x], &*coarse)?;
        let sum: u16 = cell.indices().map(|index| u16::from(cell[index])).sum();
        coarse[[y, x]] = ((sum + 2) >> 2) as u8;
    }
    Ok(())
}

/// Two planes.
#[derive(Debug)]
pub struct Subsample {
    h: usize,
    w: usize,
    fine: Block<u8, 2>,
    coarse: Block<u8, 2>,
}

impl Subsample {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let root = Space::root(2);
        let fine = Block::from_fn([2 * h, 2 * w], |_| random.bits() as u8).in_space(&root).expect("rank 2");
        let coarse = Block::new([h, w]).in_space(&root).expect("rank 2");
        Self { h, w, fine, coarse: coarse.coarsened([2, 2]).expect("factors above zero") }
    }
}

impl Case for Subsample {
    const NAME: &'static str = "2x2 chroma subsampling";
    type Output = Vec<u8>;

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 60, 320)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(0, 5), random.within(0, 40));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let (fine, h, w) = black_box((self.fine.as_slice(), self.h, self.w));
        staged(fine, h, w, black_box(self.coarse.as_mut_slice()));
    }

    fn hand(&mut self) {
        let (fine, h, w) = black_box((self.fine.as_slice(), self.h, self.w));
        hand(fine, h, w, black_box(self.coarse.as_mut_slice()));
    }

    fn library(&mut self) {
        library(black_box(&self.fine), black_box(&mut self.coarse)).expect("one space");
    }

    fn take(&mut self) -> Vec<u8> {
        let out = self.coarse.as_slice().to_vec();
        self.coarse.as_mut_slice().fill(0);
        out
    }
}
