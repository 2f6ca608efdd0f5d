//! The memory of a picture as kernels see it: each field has its place among the samples of luma.

use alloc::vec;
use alloc::vec::Vec;

use super::Vector;

/// The samples of a picture of whole macroblocks.
#[shim::located(rows(mbs_high) as SampleRows, view as SamplesView)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    /// `PicHeightInMbs`.
    pub mbs_high: usize,
    /// `PicWidthInMbs`.
    pub mbs_wide: usize,
    /// Luma.
    #[shape(16 * mbs_high, 16 * mbs_wide)]
    pub luma: Vec<u8>,
    /// Cb and Cr.
    #[shape(8 * mbs_high, 8 * mbs_wide)]
    #[coarsened(2, 2)]
    pub chroma: [Vec<u8>; 2],
}

/// The tables of a picture, with an entry for each macroblock or block (6.4).
#[shim::located(rows(mbs_high) as TableRows)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// `PicHeightInMbs`.
    pub mbs_high: usize,
    /// `PicWidthInMbs`.
    pub mbs_wide: usize,
    /// The number of each macroblock's slice, from 1 on; 0 before it is coded.
    #[shape(mbs_high, mbs_wide)]
    #[coarsened(16, 16)]
    pub slice: Vec<u16>,
    /// QPY of each macroblock; 0 of `I_PCM`.
    #[shape(mbs_high, mbs_wide)]
    #[coarsened(16, 16)]
    pub qp: Vec<u8>,
    /// Whether it is an Intra macroblock.
    #[shape(mbs_high, mbs_wide)]
    #[coarsened(16, 16)]
    pub intra: Vec<bool>,
    /// `Intra4x4PredMode` of each 4x4 block; 2, DC, in macroblocks without.
    #[shape(4 * mbs_high, 4 * mbs_wide)]
    #[coarsened(4, 4)]
    pub intra4x4: Vec<u8>,
    /// `mvL0` of each 4x4 block.
    #[shape(4 * mbs_high, 4 * mbs_wide)]
    #[coarsened(4, 4)]
    pub mv: Vec<Vector>,
    /// `refIdxL0` of each 8x8 block, -1 where it is Intra predicted: all slices of a picture have the same list.
    #[shape(2 * mbs_high, 2 * mbs_wide)]
    #[coarsened(8, 8)]
    pub reference: Vec<i8>,
    /// `total_coeff` of each 4x4 block of luma.
    #[shape(4 * mbs_high, 4 * mbs_wide)]
    #[coarsened(4, 4)]
    pub luma_total: Vec<u8>,
    /// `total_coeff` of each 4x4 block of Cb and of Cr.
    #[shape(2 * mbs_high, 2 * mbs_wide)]
    #[coarsened(8, 8)]
    pub chroma_total: [Vec<u8>; 2],
    /// bS of the left edge and of the upper edge of each 4x4 block (8.7.2.1).
    #[shape(4 * mbs_high, 4 * mbs_wide)]
    #[coarsened(4, 4)]
    pub strengths: [Vec<u8>; 2],
}

/// Motion of a macroblock, from which the search in the next picture starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionBefore {
    /// `mvL0` of the block in row 1 and column 1.
    pub mv: Vector,
    /// Whether the first block of 8x8 has another picture than the nearest.
    pub farther: bool,
}

/// The rows of a reference picture that are there, with a margin that repeats its edges, and with luma at half samples
/// too.
#[shim::located(view as ReferenceView)]
#[derive(Clone, Copy, Debug)]
pub struct ReferenceRows<'p> {
    /// Rows of luma, with the margin; chroma has half as many.
    pub rows: usize,
    /// Columns of luma, with the margin.
    pub columns: usize,
    /// Rows of macroblocks.
    pub mb_rows: usize,
    /// `PicWidthInMbs`.
    pub mbs_wide: usize,
    /// The planes G, b, h and j of Figure 8-4, each with [`LUMA_MARGIN`](super::inter::planes::LUMA_MARGIN).
    #[shape(rows, columns)]
    #[at(-32, -32)]
    pub luma: [&'p [u8]; 4],
    /// Cb and Cr, with [`CHROMA_MARGIN`](super::inter::planes::CHROMA_MARGIN).
    #[shape(rows / 2, columns / 2)]
    #[at(-32, -32)]
    #[coarsened(2, 2)]
    pub chroma: [&'p [u8]; 2],
    /// Motion of the picture.
    #[shape(mb_rows, mbs_wide)]
    #[coarsened(16, 16)]
    pub motion: &'p [MotionBefore],
}

/// A picture that is coded.
#[shim::located(rows(mbs_high) as PictureRows)]
#[derive(Clone, Debug)]
pub struct Picture {
    /// `PicHeightInMbs`.
    pub mbs_high: usize,
    /// Its reconstruction.
    #[located]
    pub samples: Samples,
    /// Its tables.
    #[located]
    pub tables: Tables,
}

impl Samples {
    /// Black samples for so many rows and columns of macroblocks.
    #[must_use]
    pub fn new([mbs_high, mbs_wide]: [usize; 2]) -> Self {
        let chroma = vec![0; 64 * mbs_high * mbs_wide];
        Self {
            mbs_high,
            mbs_wide,
            luma: vec![0; 256 * mbs_high * mbs_wide],
            chroma: [chroma.clone(), chroma],
        }
    }

    /// Rows and columns of luma.
    #[must_use]
    pub const fn luma_size(&self) -> [usize; 2] {
        [16 * self.mbs_high, 16 * self.mbs_wide]
    }

    /// Rows and columns of chroma.
    #[must_use]
    pub const fn chroma_size(&self) -> [usize; 2] {
        [8 * self.mbs_high, 8 * self.mbs_wide]
    }
}

impl Tables {
    /// Tables for so many rows and columns of macroblocks, none of which is coded.
    #[must_use]
    pub fn new([mbs_high, mbs_wide]: [usize; 2]) -> Self {
        let count = mbs_high * mbs_wide;
        Self {
            mbs_high,
            mbs_wide,
            slice: vec![0; count],
            qp: vec![0; count],
            intra: vec![true; count],
            intra4x4: vec![2; 16 * count],
            mv: vec![[0; 2]; 16 * count],
            reference: vec![-1; 4 * count],
            luma_total: vec![0; 16 * count],
            chroma_total: [vec![0; 4 * count], vec![0; 4 * count]],
            strengths: [vec![0; 16 * count], vec![0; 16 * count]],
        }
    }

    /// No macroblock is coded. In an IDR picture none is going to have motion.
    pub fn begin(&mut self, idr: bool) {
        self.slice.fill(0);
        if idr {
            self.mv.fill([0; 2]);
            self.reference.fill(-1);
        }
    }
}

impl Picture {
    /// A picture of so many rows and columns of macroblocks.
    #[must_use]
    pub fn new(mbs: [usize; 2]) -> Self {
        Self { mbs_high: mbs[0], samples: Samples::new(mbs), tables: Tables::new(mbs) }
    }
}
