//! Helpers of the tests of several kernels.

use std::vec::Vec;

use shim::prelude::*;
pub(crate) use shim_codec::random::Random;

use super::blocks::Intra4x4Buffer;
use super::inter::planes::{LUMA_MARGIN, extend_chroma, extend_luma, interpolate};
use super::intra::Available;
use super::picture::{MotionBefore, Picture, ReferenceRows, Samples};

/// A picture of `[h, w]` luma samples with this luma.
pub(crate) fn with_luma([h, w]: [usize; 2], luma: &[u8]) -> Picture {
    let mut picture = Picture::new([h / 16, w / 16]);
    picture.samples.luma.copy_from_slice(luma);
    picture
}

/// A picture of `[h, w]` chroma samples with this chroma.
pub(crate) fn with_chroma([h, w]: [usize; 2], chroma: [&[u8]; 2]) -> Picture {
    let mut picture = Picture::new([h / 8, w / 8]);
    for (own, plane) in picture.samples.chroma.iter_mut().zip(chroma) {
        own.copy_from_slice(plane);
    }
    picture
}

/// A picture that others are predicted from, whole.
#[derive(Debug)]
pub(crate) struct Planes {
    mbs: [usize; 2],
    luma: [Vec<u8>; 4],
    chroma: [Vec<u8>; 2],
    motion: Vec<MotionBefore>,
}

impl Planes {
    /// The planes of a picture, half samples in parts.
    pub(crate) fn of(samples: &Samples) -> Self {
        let ([h, w], [chroma_h, chroma_w]) = (samples.luma_size(), samples.chroma_size());
        let [rows, columns] = [h, w].map(|n| n + 2 * LUMA_MARGIN);
        let [mut g, mut b, mut half, mut j] = [(); 4].map(|()| std::vec![0; rows * columns]);
        extend_luma(&samples.luma, h, w, 0, rows, &mut g);
        for [first, end] in [[0, 1], [1, 34], [34, rows - 2], [rows - 2, rows]] {
            let [b, half, j] =
                [&mut b, &mut half, &mut j].map(|plane| &mut plane[first * columns..end * columns]);
            interpolate(&g, rows, columns, rows, first, end - first, b, half, j);
        }
        let chroma = samples.chroma.each_ref().map(|plane| {
            let mut out = std::vec![0; rows / 2 * (columns / 2)];
            extend_chroma(plane, chroma_h, chroma_w, 0, rows / 2, &mut out);
            out
        });
        let mbs = [samples.mbs_high, samples.mbs_wide];
        let motion = std::vec![MotionBefore::default(); mbs[0] * mbs[1]];
        Self { mbs, luma: [g, b, half, j], chroma, motion }
    }

    /// All rows.
    pub(crate) fn rows(&self) -> ReferenceRows<'_> {
        let [rows, columns] = self.mbs.map(|n| 16 * n + 2 * LUMA_MARGIN);
        ReferenceRows {
            rows,
            columns,
            mb_rows: self.mbs[0],
            mbs_wide: self.mbs[1],
            luma: self.luma.each_ref().map(Vec::as_slice),
            chroma: self.chroma.each_ref().map(Vec::as_slice),
            motion: &self.motion,
        }
    }
}

/// A source of so many rows and columns of macroblocks, and a reference picture, of noise or of black and white samples.
pub(crate) fn noise(random: &mut Random, mbs: [usize; 2], extreme: bool) -> (Samples, Planes) {
    let mut samples = || {
        let mut samples = Samples::new(mbs);
        let [cb, cr] = &mut samples.chroma;
        for plane in [&mut samples.luma, cb, cr] {
            plane.fill_with(|| if extreme { (random.byte() >> 7) * 255 } else { random.byte() });
        }
        samples
    };
    (samples(), Planes::of(&samples()))
}

/// The Hadamard transform of a 4x4 block, by its definition: signs that change with the number of bits in common.
fn hadamard_4x4(d: [i32; 16]) -> [i32; 16] {
    std::array::from_fn(|u| {
        (0..16_usize).map(|k| if (u & k).count_ones() % 2 == 0 { d[k] } else { -d[k] }).sum()
    })
}

/// A place in a plane of samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'a> {
    /// The samples, row by row.
    pub(crate) plane: &'a [u8],
    /// Rows and columns of the plane.
    pub(crate) size: [usize; 2],
    /// Row and column of the place.
    pub(crate) at: [usize; 2],
}

/// The differences of two blocks, row by row.
fn differences(a: Window<'_>, b: Window<'_>, [h, w]: [usize; 2]) -> Vec<Vec<i32>> {
    let sample = |place: Window<'_>, y: usize, x: usize| {
        i32::from(place.plane[(place.at[0] + y) * place.size[1] + place.at[1] + x])
    };
    (0..h).map(|y| (0..w).map(|x| sample(a, y, x) - sample(b, y, x)).collect()).collect()
}

/// The SAD of two blocks of so many rows and columns.
pub(crate) fn sad(a: Window<'_>, b: Window<'_>, size: [usize; 2]) -> u32 {
    differences(a, b, size).iter().flatten().map(|d| d.unsigned_abs()).sum()
}

/// Their SSD.
pub(crate) fn ssd(a: Window<'_>, b: Window<'_>, size: [usize; 2]) -> u32 {
    differences(a, b, size).iter().flatten().map(|d| d.unsigned_abs().pow(2)).sum()
}

/// Their SATD.
pub(crate) fn satd(a: Window<'_>, b: Window<'_>, size: [usize; 2]) -> u32 {
    let d = differences(a, b, size);
    let mut sum = 0;
    for r in (0..size[0]).step_by(4) {
        for c in (0..size[1]).step_by(4) {
            let block = std::array::from_fn(|k| d[r + k / 4][c + k % 4]);
            sum += hadamard_4x4(block).iter().map(|v| v.unsigned_abs()).sum::<u32>();
        }
    }
    assert_eq!(sum % 2, 0);
    sum / 2
}

/// The predictions of two 4x4 blocks, each in its row and column, `[16, 32]` as
/// [`predictions`](super::intra::luma_4x4::predictions) gives them.
#[shim::kernel]
pub(crate) fn predict_4x4(
    luma: &Intra4x4Buffer,
    blocks: [[usize; 2]; 2],
    available: [Available; 2],
    out: &mut [u8; 512],
) {
    #[staged]
    use crate::kernels::intra::luma_4x4::border;
    use crate::kernels::intra::luma_4x4::{around, predictions};
    let recon = Block::external(&luma.recon, [17, 32]);
    let p = Block::stack::<u8>([2, 9, 5]).stored(border())[[.., 1.., 1..]];
    let dc = Block::stack::<u8>([2]);
    #[unroll]
    for b in 0..2 {
        let [y, x] = blocks[b];
        let block = recon[[4 * y + 1..4 * y + 5, 4 * x + 1..4 * x + 5]];
        dc[[b]] = around(block, available[b], p.slice(0, b));
    }
    let pred = predictions(p, dc);
    let out = Block::external(out, [16, 32]);
    let [k, lane] = iters();
    out[[k, lane]] = pred[[k, lane]];
}
