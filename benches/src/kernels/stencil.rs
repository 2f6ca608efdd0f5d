//! Stencils with clamped edges: outside the picture lies what is nearest inside.
//!
//! 3x3 with the weights 1 2 1, and the mean of 9x9.

use std::hint::black_box;
use std::marker::PhantomData;

use shim::prelude::*;
use shim_core::{Boundary, Located, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::holds;

/// The staged kernel, 3x3: the weights are static, so they are gone after expansion.
#[shim::kernel]
#[inline(never)]
pub fn staged_smooth(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
    let src = Block::external(src, [h, w]).boundary(Clamp).cast::<u16>();
    let dst = Block::external(dst, [h, w]).cast::<u16>();
    for [y, x] in dst.indices() {
        let mut sum = 0;
        #[unroll]
        for dy in -1..=1_i32 {
            #[unroll]
            for dx in -1..=1_i32 {
                let weight = ((2 - dy.abs()) * (2 - dx.abs())) as u16;
                sum += weight * src[[y + dy, x + dx]];
            }
        }
        dst[[y, x]] = (sum + 8) >> 4;
    }
}

/// The staged kernel, 9x9.
#[shim::kernel]
#[inline(never)]
pub fn staged_mean(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
    let src = Block::external(src, [h, w]).boundary(Clamp).cast::<u16>();
    let dst = Block::external(dst, [h, w]).cast::<u16>();
    for [y, x] in dst.indices() {
        let mut sum = 0;
        #[unroll]
        for dy in -4..=4 {
            #[unroll]
            for dx in -4..=4 {
                sum += src[[y + dy, x + dx]];
            }
        }
        dst[[y, x]] = (sum + 40) / 81;
    }
}

/// A stencil, for the other versions.
pub trait Filter {
    /// What the table calls it.
    const NAME: &'static str;
    /// How far it reaches.
    const REACH: usize;
    /// The staged kernel.
    const STAGED: fn(&[u8], usize, usize, &mut [u8]);

    /// The result from samples `0..=2 * REACH` down and across.
    fn apply(sample: impl Fn(usize, usize) -> u16) -> u16;
}

/// Weights of 1 2 1, down and across.
#[derive(Debug)]
pub struct Smooth;

impl Filter for Smooth {
    const NAME: &'static str = "3x3 stencil, clamped";
    const REACH: usize = 1;
    const STAGED: fn(&[u8], usize, usize, &mut [u8]) = staged_smooth;

    #[inline(always)]
    fn apply(sample: impl Fn(usize, usize) -> u16) -> u16 {
        let row = |dy| sample(dy, 0) + 2 * sample(dy, 1) + sample(dy, 2);
        (row(0) + 2 * row(1) + row(2) + 8) >> 4
    }
}

/// The mean of 9x9.
#[derive(Debug)]
pub struct Mean;

impl Filter for Mean {
    const NAME: &'static str = "9x9 stencil, clamped";
    const REACH: usize = 4;
    const STAGED: fn(&[u8], usize, usize, &mut [u8]) = staged_mean;

    #[inline(always)]
    fn apply(sample: impl Fn(usize, usize) -> u16) -> u16 {
        (sum9(|dy| sum9(|dx| sample(dy, dx))) + 40) / 81
    }
}

/// Written out: a loop in a loop would not be unrolled in time for the vectorizer.
#[inline(always)]
fn sum9(term: impl Fn(usize) -> u16) -> u16 {
    term(0) + term(1) + term(2) + term(3) + term(4) + term(5) + term(6) + term(7) + term(8)
}

/// The hand-written version: rows are clamped once per row of the result, columns only at both ends of it.
///
/// # Panics
/// When a picture is too small.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand<F: Filter>(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
    assert!(holds(src.len(), h, w) && holds(dst.len(), h, w));
    for y in 0..h {
        let row = |dy: usize| (y + dy).saturating_sub(F::REACH).min(h - 1) * w;
        let rows: [usize; 9] = std::array::from_fn(|dy| if dy <= 2 * F::REACH { row(dy) } else { 0 });
        let left = F::REACH.min(w);
        let right = w.saturating_sub(F::REACH).max(left);
        for x in (0..left).chain(right..w) {
            let column = |dx: usize| (x + dx).saturating_sub(F::REACH).min(w - 1);
            // SAFETY: rows and columns are clamped into the picture.
            let value = F::apply(|dy, dx| unsafe { u16::from(*src.get_unchecked(rows[dy] + column(dx))) });
            dst[y * w + x] = value as u8;
        }
        for x in left..right {
            // SAFETY: rows are clamped into the picture, and so far from its ends columns lie in it.
            unsafe {
                let sample =
                    |dy: usize, dx: usize| u16::from(*src.get_unchecked(rows[dy] + x - F::REACH + dx));
                *dst.get_unchecked_mut(y * w + x) = F::apply(sample) as u8;
            }
        }
    }
}

/// What a stencil must not be: every tap clamped by itself, everywhere.
///
/// # Panics
/// When a picture is too small.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access, so that clamping alone makes the difference")]
pub fn per_tap<F: Filter>(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
    assert!(holds(src.len(), h, w) && holds(dst.len(), h, w));
    for y in 0..h {
        for x in 0..w {
            // SAFETY: rows and columns are clamped into the picture.
            unsafe {
                let sample = |dy: usize, dx: usize| {
                    let row = (y + dy).saturating_sub(F::REACH).min(h - 1);
                    let column = (x + dx).saturating_sub(F::REACH).min(w - 1);
                    u16::from(*src.get_unchecked(row * w + column))
                };
                *dst.get_unchecked_mut(y * w + x) = F::apply(sample) as u8;
            }
        }
    }
}

/// The version on the runtime library.
#[inline(never)]
pub fn library<F: Filter>(src: &Block<u8, 2>, dst: &mut Block<u8, 2>) {
    let src = src.boundary(Boundary::Clamp);
    let reach = F::REACH as isize;
    for [y, x] in dst.indices() {
        let sample =
            |dy: usize, dx: usize| u16::from(src[[y + dy as isize - reach, x + dx as isize - reach]]);
        dst[[y, x]] = F::apply(sample) as u8;
    }
}

/// A picture and the result of a stencil.
#[derive(Debug)]
pub struct Stencil<F> {
    h: usize,
    w: usize,
    src: Block<u8, 2>,
    dst: Block<u8, 2>,
    filter: PhantomData<F>,
}

/// The case of 3x3.
pub type Smooth3 = Stencil<Smooth>;
/// The case of 9x9.
pub type Mean9 = Stencil<Mean>;

impl<F: Filter> Stencil<F> {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let src = Block::from_fn([h, w], |_| random.bits() as u8);
        Self { h, w, src, dst: Block::new([h, w]), filter: PhantomData }
    }

    /// Runs [`per_tap`].
    pub fn per_tap(&mut self) {
        let (src, h, w) = black_box((self.src.as_slice(), self.h, self.w));
        per_tap::<F>(src, h, w, black_box(self.dst.as_mut_slice()));
    }
}

impl<F: Filter> Case for Stencil<F> {
    const NAME: &'static str = F::NAME;
    type Output = Vec<u8>;

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 240, 320)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(0, 14), random.within(0, 40));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let (src, h, w) = black_box((self.src.as_slice(), self.h, self.w));
        F::STAGED(src, h, w, black_box(self.dst.as_mut_slice()));
    }

    fn hand(&mut self) {
        let (src, h, w) = black_box((self.src.as_slice(), self.h, self.w));
        hand::<F>(src, h, w, black_box(self.dst.as_mut_slice()));
    }

    fn library(&mut self) {
        library::<F>(black_box(&self.src), black_box(&mut self.dst));
    }

    fn take(&mut self) -> Vec<u8> {
        let out = self.dst.as_slice().to_vec();
        self.dst.as_mut_slice().fill(0);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamping_each_tap_gives_the_same() {
        fn agree<F: Filter>(random: &mut Random) {
            let mut case = Stencil::<F>::small(random);
            case.per_tap();
            let wanted = case.take();
            case.hand();
            assert_eq!(case.take(), wanted, "{}, {} by {}", F::NAME, case.h, case.w);
        }
        let mut random = Random::new(2);
        for _ in 0..40 {
            agree::<Smooth>(&mut random);
            agree::<Mean>(&mut random);
        }
    }
}
