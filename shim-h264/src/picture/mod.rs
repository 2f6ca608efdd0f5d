//! Pictures, and the tables with one entry for each of their macroblocks or blocks (6.2, 6.3).

mod reference;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::frame::Frame;
use crate::kernels::Vector;
use crate::kernels::deblock::chroma::deblock_chroma;
use crate::kernels::deblock::luma::deblock_luma;
use crate::kernels::deblock::strength::strengths;
use crate::kernels::deblock::{Macroblocks, SliceFilter};
use crate::kernels::frame::{complete, complete_interleaved};
use crate::kernels::total_coeff::TotalCoeffs;
use crate::pool::Pool;
pub(crate) use reference::Reference;

/// The samples of a picture, or of some of its rows of macroblocks, without gaps.
#[derive(Clone, Debug)]
pub(crate) struct Samples<P = Vec<u8>> {
    /// Rows and columns of macroblocks.
    pub(crate) mbs: [usize; 2],
    /// Luma, Cb and Cr.
    pub(crate) planes: [P; 3],
}

impl<P> Samples<P> {
    /// Rows and columns of luma.
    pub(crate) const fn luma_size(&self) -> [usize; 2] {
        [16 * self.mbs[0], 16 * self.mbs[1]]
    }

    /// Rows and columns of chroma.
    pub(crate) const fn chroma_size(&self) -> [usize; 2] {
        [8 * self.mbs[0], 8 * self.mbs[1]]
    }
}

impl Samples<&mut [u8]> {
    /// Takes away so many rows of macroblocks from the first on.
    pub(crate) fn split_off(&mut self, rows: usize) -> Self {
        let mbs = [rows, self.mbs[1]];
        self.mbs[0] -= rows;
        let [luma, chroma @ ..] = &mut self.planes;
        let [cb, cr] = chroma.each_mut().map(|plane| first(plane, mbs, 64));
        Self { mbs, planes: [first(luma, mbs, 256), cb, cr] }
    }
}

/// Takes away the entries of so many macroblocks, each with as many as is said.
#[expect(clippy::mut_mut, reason = "it is the slice itself that becomes shorter")]
fn first<'p, T>(table: &mut &'p mut [T], [rows, wide]: [usize; 2], each: usize) -> &'p mut [T] {
    table.split_off_mut(..each * rows * wide).expect("the picture has these rows")
}

impl Samples {
    pub(crate) fn new(mbs: [usize; 2]) -> Self {
        let chroma = vec![0; 64 * mbs[0] * mbs[1]];
        Self { mbs, planes: [vec![0; 256 * mbs[0] * mbs[1]], chroma.clone(), chroma] }
    }

    /// All of it, for its samples to be changed.
    pub(crate) fn all(&mut self) -> Samples<&mut [u8]> {
        Samples { mbs: self.mbs, planes: self.planes.each_mut().map(|plane| &mut plane[..]) }
    }

    /// Some rows of macroblocks.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Samples<&[u8]> {
        let wide = self.mbs[1];
        let of =
            |plane: usize, each: usize| &self.planes[plane][each * rows.start * wide..each * rows.end * wide];
        Samples { mbs: [rows.len(), wide], planes: [of(0, 256), of(1, 64), of(2, 64)] }
    }

    /// Takes a frame, and completes it.
    pub(crate) fn take(&mut self, frame: &Frame<'_>, pool: &Pool) {
        let sizes = [self.luma_size(), self.chroma_size(), self.chroma_size()];
        let [height, width] = [frame.height(), frame.width()];
        let chroma = [height.div_ceil(2), width.div_ceil(2)];
        let given = [[height, width], chroma, chroma];
        let planes = self.planes.iter_mut().zip(sizes).zip(frame.planes()).zip(given);
        pool.for_each(planes, |(((to, whole), from), size)| {
            let complete = if from.step() == 1 { complete } else { complete_interleaved };
            complete(from.samples(), from.stride(), size, to, whole);
        });
    }

    /// The part of the picture that is shown, which has even sides.
    pub(crate) fn frame(&self, width: usize, height: usize) -> Frame<'_> {
        let [luma, cb, cr] = &self.planes;
        let (wide, half) = (self.luma_size()[1], self.chroma_size()[1]);
        Frame::new(width, height, (luma, wide), (cb, half), (cr, half)).expect("the picture holds its frame")
    }
}

/// The tables of a picture, with an entry for each macroblock or block.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// Rows and columns of macroblocks.
    pub(crate) mbs: [usize; 2],
    /// The number of each macroblock's slice, from 1 on; 0 before it is coded.
    pub(crate) slice: Vec<u16>,
    /// `TotalCoeff` of each block of luma, Cb and Cr.
    total_coeff: [Vec<u8>; 3],
    /// QPY of each macroblock; 0 of `I_PCM`.
    pub(crate) qp: Vec<u8>,
    /// Whether it is an Intra macroblock.
    pub(crate) intra: Vec<bool>,
    /// `Intra4x4PredMode` of each 4x4 block; 2, DC, in macroblocks without.
    pub(crate) intra4x4: Vec<u8>,
    /// `mvL0` of each 4x4 block.
    pub(crate) mv: Vec<Vector>,
    /// `refIdxL0` of each 8x8 block, -1 where it is Intra predicted: all slices of a picture have the same list.
    pub(crate) reference: Vec<i8>,
    /// bS of the left and of the upper edge of each block.
    strengths: [Vec<u8>; 2],
}

impl Tables {
    pub(crate) fn new(mbs: [usize; 2]) -> Self {
        let count = mbs[0] * mbs[1];
        Self {
            mbs,
            slice: vec![0; count],
            total_coeff: TotalCoeffs::memory(mbs[0], mbs[1]),
            qp: vec![0; count],
            intra: vec![true; count],
            intra4x4: vec![2; 16 * count],
            mv: vec![[0; 2]; 16 * count],
            reference: vec![-1; 4 * count],
            strengths: [vec![0; 16 * count], vec![0; 16 * count]],
        }
    }

    /// No macroblock is coded. In an IDR picture none is going to have motion.
    pub(crate) fn begin(&mut self, idr: bool) {
        self.slice.fill(0);
        if idr {
            self.mv.fill([0; 2]);
            self.reference.fill(-1);
        }
    }

    /// All of them, for their entries to be changed.
    pub(crate) fn all(&mut self) -> TableRows<'_> {
        let [mbs_high, mbs_wide] = self.mbs;
        TableRows {
            mbs_high,
            mbs_wide,
            slice: &mut self.slice,
            total_coeff: TotalCoeffs::new(mbs_high, mbs_wide, &mut self.total_coeff),
            qp: &mut self.qp,
            intra: &mut self.intra,
            intra4x4: &mut self.intra4x4,
            mv: &mut self.mv,
            reference: &mut self.reference,
        }
    }

    /// Filters a picture whose macroblocks are all coded (8.7); `filters` are by slice, the first of them of none.
    pub(crate) fn deblock(
        &mut self,
        samples: &mut Samples,
        filters: &[SliceFilter],
        chroma_qp_index_offset: i8,
        pool: &Pool,
    ) {
        let [mbs_high, mbs_wide] = self.mbs;
        let picture = &Macroblocks {
            mbs_high,
            mbs_wide,
            qp: &self.qp,
            slice: &self.slice,
            intra: &self.intra,
            total_coeff: &self.total_coeff[0],
            mv: &self.mv,
            reference: &self.reference,
            filters,
        };
        let [left, upper] = &mut self.strengths;
        strengths(picture, left, upper);
        let [luma, cb, cr] = &mut samples.planes;
        let threads = pool.threads() > 1;
        pool.join(
            || deblock_luma(luma, picture, left, upper, threads),
            || deblock_chroma(cb, cr, picture, chroma_qp_index_offset, left, upper, threads),
        );
    }
}

/// The tables of some rows of macroblocks, which are coded as if there were no others. The root space has the
/// samples of luma.
#[shim::located]
#[derive(Debug)]
pub(crate) struct TableRows<'p> {
    /// Rows of macroblocks.
    pub(crate) mbs_high: usize,
    /// Columns of macroblocks.
    pub(crate) mbs_wide: usize,
    // As in `Tables`.
    #[shape(mbs_high, mbs_wide)]
    #[coarsened(16, 16)]
    pub(crate) slice: &'p mut [u16],
    pub(crate) total_coeff: TotalCoeffs<'p>,
    #[shape(mbs_high, mbs_wide)]
    #[coarsened(16, 16)]
    pub(crate) qp: &'p mut [u8],
    #[shape(mbs_high, mbs_wide)]
    #[coarsened(16, 16)]
    pub(crate) intra: &'p mut [bool],
    #[shape(4 * mbs_high, 4 * mbs_wide)]
    #[coarsened(4, 4)]
    pub(crate) intra4x4: &'p mut [u8],
    #[shape(4 * mbs_high, 4 * mbs_wide)]
    #[coarsened(4, 4)]
    pub(crate) mv: &'p mut [Vector],
    #[shape(2 * mbs_high, 2 * mbs_wide)]
    #[coarsened(8, 8)]
    pub(crate) reference: &'p mut [i8],
}

impl TableRows<'_> {
    /// Takes away so many rows from the first on.
    pub(crate) fn split_off(&mut self, rows: usize) -> Self {
        let mbs = [rows, self.mbs_wide];
        self.mbs_high -= rows;
        Self {
            mbs_high: rows,
            mbs_wide: self.mbs_wide,
            slice: first(&mut self.slice, mbs, 1),
            total_coeff: self.total_coeff.split_off(rows),
            qp: first(&mut self.qp, mbs, 1),
            intra: first(&mut self.intra, mbs, 1),
            intra4x4: first(&mut self.intra4x4, mbs, 16),
            mv: first(&mut self.mv, mbs, 16),
            reference: first(&mut self.reference, mbs, 4),
        }
    }
}
