//! Motion search: the sum of absolute differences of a 16x16 macroblock at every displacement within a window; the
//! first of the smallest wins.

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Located, LocationError, Part, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::{holds, within};

/// The largest displacement along an axis.
pub const RANGE: usize = 8;

/// The staged kernel: the sum and the displacement for the macroblock at `(r, c)` of `current`.
#[shim::kernel]
#[inline(never)]
pub fn staged(current: &[u8], reference: &[u8], h: usize, w: usize, r: usize, c: usize) -> (i32, [i32; 2]) {
    let mb = Block::external(current, [h, w])[[r..r + 16, c..c + 16]].cast::<i32>();
    let reference = Block::external(reference, [h, w])[mb].cast::<i32>();
    let mut best = (i32::MAX, [0, 0]);
    for dy in -8..9 {
        for dx in -8..9 {
            let sad =
                mb.indices().map(|[y, x]| (mb[[y, x]] - reference[[y + dy, x + dx]]).abs()).sum::<i32>();
            if sad < best.0 {
                best = (sad, [dy, dx]);
            }
        }
    }
    best
}

/// The hand-written version.
///
/// # Panics
/// When the macroblock or the window does not lie in the frames.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(current: &[u8], reference: &[u8], h: usize, w: usize, r: usize, c: usize) -> (i32, [i32; 2]) {
    const WINDOW: usize = 2 * RANGE + 1;
    assert!(
        holds(current.len(), h, w)
            && holds(reference.len(), h, w)
            && r >= RANGE
            && c >= RANGE
            && within(r - RANGE, 15 + WINDOW, h)
            && within(c - RANGE, 15 + WINDOW, w)
    );
    let mut best = (i32::MAX, [0, 0]);
    let here = r * w + c;
    for dy in 0..WINDOW {
        for dx in 0..WINDOW {
            let there = (r - RANGE + dy) * w + c - RANGE + dx;
            let mut sad = 0;
            for y in 0..16 {
                for x in 0..16 {
                    // SAFETY: the macroblock and the window lie in frames of h by w, which the slices hold.
                    let (a, b) = unsafe {
                        (
                            *current.get_unchecked(here + y * w + x),
                            *reference.get_unchecked(there + y * w + x),
                        )
                    };
                    sad += i32::from(a.abs_diff(b));
                }
            }
            if sad < best.0 {
                best = (sad, [dy as i32 - RANGE as i32, dx as i32 - RANGE as i32]);
            }
        }
    }
    best
}

/// The version on the runtime library.
///
/// # Errors
/// When the two frames do not stand in one space.
#[inline(never)]
pub fn library(
    current: &Block<u8, 2>,
    reference: &Block<u8, 2>,
    [r, c]: [isize; 2],
) -> Result<(i32, [i32; 2]), LocationError> {
    let mb = current.partition::<2>(&[Part::from(r..r + 16), Part::from(c..c + 16)])?;
    let reference = reference.colocate(&mb)?;
    let range = RANGE as isize;
    let mut best = (i32::MAX, [0, 0]);
    for dy in -range..=range {
        for dx in -range..=range {
            let difference = |[y, x]: [isize; 2]| mb[[y, x]].abs_diff(reference[[y + dy, x + dx]]);
            let sad = mb.indices().map(|index| i32::from(difference(index))).sum();
            if sad < best.0 {
                best = (sad, [dy as i32, dx as i32]);
            }
        }
    }
    Ok(best)
}

/// Two frames and a macroblock.
#[derive(Debug)]
pub struct Search {
    h: usize,
    w: usize,
    r: usize,
    c: usize,
    current: Block<u8, 2>,
    reference: Block<u8, 2>,
    best: (i32, [i32; 2]),
}

impl Search {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let (r, c) = (random.within(RANGE, h - 16 - RANGE), random.within(RANGE, w - 16 - RANGE));
        let root = shim_core::Space::root(2);
        let mut frame = || Block::from_fn([h, w], |_| random.bits() as u8).in_space(&root).expect("rank 2");
        Self { h, w, r, c, current: frame(), reference: frame(), best: (0, [0, 0]) }
    }
}

impl Case for Search {
    const NAME: &'static str = "16x16 SAD over a 17x17 window";
    type Output = (i32, [i32; 2]);

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 48, 64)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(32, 40), random.within(32, 40));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let frames = (self.current.as_slice(), self.reference.as_slice());
        let ((current, reference), h, w, r, c) = black_box((frames, self.h, self.w, self.r, self.c));
        self.best = black_box(staged(current, reference, h, w, r, c));
    }

    fn hand(&mut self) {
        let frames = (self.current.as_slice(), self.reference.as_slice());
        let ((current, reference), h, w, r, c) = black_box((frames, self.h, self.w, self.r, self.c));
        self.best = black_box(hand(current, reference, h, w, r, c));
    }

    fn library(&mut self) {
        let place = [self.r as isize, self.c as isize];
        self.best = library(black_box(&self.current), &self.reference, place).expect("one space");
    }

    fn take(&mut self) -> Self::Output {
        std::mem::take(&mut self.best)
    }
}
