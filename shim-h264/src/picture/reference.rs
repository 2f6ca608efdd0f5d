//! Pictures that others are predicted from.

use alloc::vec;
use alloc::vec::Vec;

use super::Samples;
use crate::kernels::Vector;
use crate::kernels::inter::Part;
use crate::kernels::inter::chroma::predict_chroma;
use crate::kernels::inter::luma::{places_luma, predict_luma, whole_luma};
use crate::kernels::inter::planes::{
    LUMA_MARGIN, chroma_len, extend_chroma, extend_luma, half_rows, interpolate, luma_len, luma_planes,
};
use crate::pool::Pool;

/// The fewest rows of half samples that are worth a thread.
const FEWEST_ROWS: usize = 64;

/// A decoded picture as Inter prediction wants it: with a margin, and luma at half samples too.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// Rows and columns of luma and of chroma.
    luma_size: [usize; 2],
    chroma_size: [usize; 2],
    luma: Vec<u8>,
    chroma: [Vec<u8>; 2],
}

impl Reference {
    /// Memory for a picture as large as this.
    pub(crate) fn new(samples: &Samples) -> Self {
        let (luma_size, chroma_size) = (samples.luma_size(), samples.chroma_size());
        let chroma = vec![0; chroma_len(chroma_size)];
        Self { luma_size, chroma_size, luma: vec![0; luma_len(luma_size)], chroma: [chroma.clone(), chroma] }
    }

    /// Takes a picture.
    pub(crate) fn take(&mut self, samples: &Samples, pool: &Pool) {
        let (size, chroma_size) = (self.luma_size, self.chroma_size);
        let [luma, cb, cr] = &samples.planes;
        let (g, mut halves) = luma_planes(&mut self.luma, size);
        let [own_cb, own_cr] = &mut self.chroma;
        pool.all([
            &mut || extend_luma(luma, size, g),
            &mut || extend_chroma(cb, chroma_size, own_cb),
            &mut || extend_chroma(cr, chroma_size, own_cr),
        ]);
        let (rows, g) = (half_rows(size), &*g);
        let parts = (rows.len() / FEWEST_ROWS).clamp(1, pool.threads());
        let first = |part: usize| rows.start + part * rows.len() / parts;
        let parts = (0..parts).map(|part| {
            let samples = (first(part + 1) - first(part)) * (size[1] + 2 * LUMA_MARGIN);
            let rows =
                halves.each_mut().map(|plane| plane.split_off_mut(..samples).expect("it has these rows"));
            (first(part), rows)
        });
        pool.for_each(parts, |(first, rows)| interpolate(g, size, first, rows));
    }

    /// The luma planes, one below the other, and their rows and columns.
    #[inline]
    pub(crate) fn planes(&self) -> (&[u8], [usize; 2]) {
        let [rows, columns] = self.luma_size.map(|n| n + 2 * LUMA_MARGIN);
        (&self.luma, [4 * rows, columns])
    }

    /// The two places in the planes whose average a vector predicts for a block.
    #[inline]
    pub(crate) fn places(&self, at: [usize; 2], mv: Vector, size: [usize; 2]) -> [[usize; 2]; 2] {
        places_luma(self.luma_size, at, mv, size)
    }

    /// Where a part of the picture stands in its planes, moved by what a vector has of whole samples.
    #[inline]
    pub(crate) fn whole(&self, at: [usize; 2], mv: Vector, size: [usize; 2]) -> [usize; 2] {
        whole_luma(self.luma_size, at, mv, size)
    }

    /// The chroma planes with their margin, and the rows and columns of the picture.
    #[inline]
    pub(crate) fn chroma_planes(&self) -> ([&[u8]; 2], [usize; 2]) {
        (self.chroma.each_ref().map(|plane| &plane[..]), self.chroma_size)
    }

    /// Predicts the luma of a part of the macroblock at this row and column.
    pub(crate) fn luma(&self, [row, column]: [usize; 2], mv: Vector, part: Part, pred: &mut [u8; 256]) {
        predict_luma(&self.luma, self.luma_size, [16 * row, 16 * column], mv, part, pred);
    }

    /// Predicts its chroma.
    pub(crate) fn chroma(&self, [row, column]: [usize; 2], mv: Vector, part: Part, pred: &mut [u8; 128]) {
        let [cb, cr] = &self.chroma;
        predict_chroma(cb, cr, self.chroma_size, [8 * row, 8 * column], mv, part, pred);
    }
}
