//! Interpolation of luma at half samples by the 6-tap filter (H.264 8.4.2.2.1): b between two samples of a row, h
//! between two of a column, and j in the middle of four, from the unrounded values of a row.

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Located, LocationError, Space, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::{holds, within};

/// The staged kernel for b: a 16x16 block at `(r, c)` of the frame.
#[shim::kernel]
#[inline(never)]
pub fn staged_horizontal(frame: &[u8], h: usize, w: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    let pred = Block::external(out, [16, 16]).at([r, c]).cast::<i16>();
    let s = Block::external(frame, [h, w])[pred].cast::<i16>();
    for [y, x] in pred.indices() {
        let b = s[[y, x - 2]] - 5 * s[[y, x - 1]] + 20 * s[[y, x]] + 20 * s[[y, x + 1]] - 5 * s[[y, x + 2]]
            + s[[y, x + 3]];
        pred[[y, x]] = ((b + 16) >> 5).clamp(0, 255);
    }
}

/// The staged kernel for h.
#[shim::kernel]
#[inline(never)]
pub fn staged_vertical(frame: &[u8], h: usize, w: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    let pred = Block::external(out, [16, 16]).at([r, c]).cast::<i16>();
    let s = Block::external(frame, [h, w])[pred].cast::<i16>();
    for [y, x] in pred.indices() {
        let h = s[[y - 2, x]] - 5 * s[[y - 1, x]] + 20 * s[[y, x]] + 20 * s[[y + 1, x]] - 5 * s[[y + 2, x]]
            + s[[y + 3, x]];
        pred[[y, x]] = ((h + 16) >> 5).clamp(0, 255);
    }
}

/// The staged kernel for j: b of 21 rows, two above the block and three below, then the filter down its columns.
#[shim::kernel]
#[inline(never)]
pub fn staged_center(frame: &[u8], h: usize, w: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    let pred = Block::external(out, [16, 16]).at([r, c]).cast::<i32>();
    let rows = Block::stack::<i16>([21, 16]).at([r - 2, c]);
    let s = Block::external(frame, [h, w])[rows].cast::<i16>();
    for [y, x] in rows.indices() {
        rows[[y, x]] = s[[y, x - 2]] - 5 * s[[y, x - 1]] + 20 * s[[y, x]] + 20 * s[[y, x + 1]]
            - 5 * s[[y, x + 2]]
            + s[[y, x + 3]];
    }
    let b = rows[pred].cast::<i32>();
    for [y, x] in pred.indices() {
        let j = b[[y - 2, x]] - 5 * b[[y - 1, x]] + 20 * b[[y, x]] + 20 * b[[y + 1, x]] - 5 * b[[y + 2, x]]
            + b[[y + 3, x]];
        pred[[y, x]] = ((j + 512) >> 10).clamp(0, 255);
    }
}

/// The six taps, at `at(-2)` to `at(3)`.
#[inline(always)]
fn taps<T>(at: impl Fn(isize) -> T) -> T
where
    T: From<u8> + std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T>,
{
    at(-2) - T::from(5) * at(-1) + T::from(20) * at(0) + T::from(20) * at(1) - T::from(5) * at(2) + at(3)
}

/// Whether a block of 16x16 at `(r, c)` has so many rows and columns around it in the frame.
#[inline(always)]
fn surrounded(
    len: usize,
    [h, w]: [usize; 2],
    [r, c]: [usize; 2],
    [above, below]: [usize; 2],
    [left, right]: [usize; 2],
) -> bool {
    holds(len, h, w)
        && r >= above
        && c >= left
        && within(r - above, above + 16 + below, h)
        && within(c - left, left + 16 + right, w)
}

/// The hand-written version of b.
///
/// # Panics
/// When a sample does not lie in the frame.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand_horizontal(frame: &[u8], h: usize, w: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    assert!(surrounded(frame.len(), [h, w], [r, c], [0, 0], [2, 3]));
    for y in 0..16 {
        for x in 0..16 {
            let here = (r + y) * w + c + x;
            // SAFETY: the rows, and two columns before and three after the block, lie in the frame.
            let b = taps(|d| unsafe { i16::from(*frame.get_unchecked(here.wrapping_add_signed(d))) });
            out[16 * y + x] = ((b + 16) >> 5).clamp(0, 255) as u8;
        }
    }
}

/// The hand-written version of h.
///
/// # Panics
/// When a sample does not lie in the frame.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand_vertical(frame: &[u8], h: usize, w: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    assert!(surrounded(frame.len(), [h, w], [r, c], [2, 3], [0, 0]));
    for y in 0..16 {
        for x in 0..16 {
            let column = c + x;
            // SAFETY: the columns, and two rows above and three below the block, lie in the frame.
            let h = taps(|d| unsafe {
                i16::from(*frame.get_unchecked((r + y).wrapping_add_signed(d) * w + column))
            });
            out[16 * y + x] = ((h + 16) >> 5).clamp(0, 255) as u8;
        }
    }
}

/// The hand-written version of j.
///
/// # Panics
/// When a sample does not lie in the frame.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand_center(frame: &[u8], h: usize, w: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    assert!(surrounded(frame.len(), [h, w], [r, c], [2, 3], [2, 3]));
    let mut rows = [0_i16; 21 * 16];
    for y in 0..21 {
        for x in 0..16 {
            let here = (r - 2 + y) * w + c + x;
            // SAFETY: two rows and columns before and three after the block lie in the frame.
            rows[16 * y + x] =
                taps(|d| unsafe { i16::from(*frame.get_unchecked(here.wrapping_add_signed(d))) });
        }
    }
    for y in 0..16_usize {
        for x in 0..16 {
            let j = taps(|d| i32::from(rows[16 * (y + 2).wrapping_add_signed(d) + x]));
            out[16 * y + x] = ((j + 512) >> 10).clamp(0, 255) as u8;
        }
    }
}

/// The version of b or h on the runtime library; `step` goes from one tap to the next.
///
/// # Errors
/// When the two do not stand in one space.
#[inline(never)]
pub fn library(frame: &Block<u8, 2>, pred: &mut Block<u8, 2>, step: [isize; 2]) -> Result<(), LocationError> {
    let s = frame.colocate(pred)?;
    for [y, x] in pred.indices() {
        let b: i16 = taps(|d| i16::from(s[[y + d * step[0], x + d * step[1]]]));
        pred[[y, x]] = ((b + 16) >> 5).clamp(0, 255) as u8;
    }
    Ok(())
}

/// The version of j on the runtime library.
///
/// # Errors
/// When the two do not stand in one space.
#[inline(never)]
pub fn library_center(
    frame: &Block<u8, 2>,
    pred: &mut Block<u8, 2>,
    root: &Space<i64>,
) -> Result<(), LocationError> {
    let place = [pred.origin(0)? - 2, pred.origin(1)?];
    let mut rows = Block::<i16, 2>::new([21, 16]).in_space(root)?.at(place);
    let s = frame.colocate(&rows)?;
    for [y, x] in rows.indices() {
        rows[[y, x]] = taps(|d| i16::from(s[[y, x + d]]));
    }
    let b = rows.colocate(pred)?;
    for [y, x] in pred.indices() {
        let j: i32 = taps(|d| i32::from(b[[y + d, x]]));
        pred[[y, x]] = ((j + 512) >> 10).clamp(0, 255) as u8;
    }
    Ok(())
}

/// A frame and a block in it.
#[derive(Debug)]
struct Data {
    h: usize,
    w: usize,
    r: usize,
    c: usize,
    root: Space<i64>,
    frame: Block<u8, 2>,
    pred: Block<u8, 2>,
}

/// A version that takes slices.
type Version = fn(&[u8], usize, usize, usize, usize, &mut [u8; 256]);

impl Data {
    fn measured(random: &mut Random) -> Self {
        Self::new(random, 48, 64)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(21, 30), random.within(21, 30));
        Self::new(random, h, w)
    }

    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let (r, c) = (random.within(2, h - 19), random.within(2, w - 19));
        let root = Space::root(2);
        let frame = Block::from_fn([h, w], |_| random.bits() as u8).in_space(&root).expect("rank 2");
        let pred = Block::new([16, 16]).in_space(&root).expect("rank 2").at([r as isize, c as isize]);
        Self { h, w, r, c, root, frame, pred }
    }

    #[inline(always)]
    fn run(&mut self, version: Version) {
        let (frame, h, w, r, c) = black_box((self.frame.as_slice(), self.h, self.w, self.r, self.c));
        let out = self.pred.as_mut_slice().as_mut_array().expect("a 16x16 block");
        version(frame, h, w, r, c, black_box(out));
    }

    fn take(&mut self) -> Vec<u8> {
        let out = self.pred.as_slice().to_vec();
        self.pred.as_mut_slice().fill(0);
        out
    }
}

/// A case of the three.
macro_rules! case {
    ($case:ident, $name:literal, $staged:ident, $hand:ident, $library:expr) => {
        #[doc = concat!("The case ", $name, ".")]
        #[derive(Debug)]
        pub struct $case(Data);

        impl Case for $case {
            const NAME: &'static str = $name;
            type Output = Vec<u8>;

            fn measured(random: &mut Random) -> Self {
                Self(Data::measured(random))
            }

            fn small(random: &mut Random) -> Self {
                Self(Data::small(random))
            }

            fn staged(&mut self) {
                self.0.run($staged);
            }

            fn hand(&mut self) {
                self.0.run($hand);
            }

            fn library(&mut self) {
                let Data { frame, pred, root, .. } = &mut self.0;
                $library(black_box(&*frame), black_box(pred), &*root).expect("one space");
            }

            fn take(&mut self) -> Vec<u8> {
                self.0.take()
            }
        }
    };
}

case!(Horizontal, "6-tap half-pel, b (horizontal)", staged_horizontal, hand_horizontal, |frame, pred, _| {
    library(frame, pred, [0, 1])
});
case!(Vertical, "6-tap half-pel, h (vertical)", staged_vertical, hand_vertical, |frame, pred, _| {
    library(frame, pred, [1, 0])
});
case!(Center, "6-tap half-pel, j (center)", staged_center, hand_center, library_center);
