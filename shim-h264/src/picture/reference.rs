//! Pictures that others are predicted from.

use core::ops::Range;

use crate::kernels::inter::planes::{extend_chroma, extend_luma, interpolate, luma_planes};
use crate::kernels::picture::{Reference, Samples};
use shim_codec::pool::Pool;

/// The fewest rows of half samples that are worth a thread.
const FEWEST_ROWS: usize = 64;

impl Reference {
    /// Takes a picture.
    pub(crate) fn take(&mut self, samples: &Samples, pool: &Pool) {
        let ([h, w], [chroma_h, chroma_w]) = (self.luma_size(), self.chroma_size());
        let (g, mut halves) = luma_planes(&mut self.luma, [h, w]);
        let (luma, [cb, cr], [own_cb, own_cr]) = (&samples.luma, &samples.chroma, &mut self.chroma);
        pool.all([
            &mut || extend_luma(luma, h, w, g),
            &mut || extend_chroma(cb, chroma_h, chroma_w, own_cb),
            &mut || extend_chroma(cr, chroma_h, chroma_w, own_cr),
        ]);
        let (rows, columns, g) = (halves.rows, halves.columns, &*g);
        let Range { start, end } = halves.computed();
        let count = ((end - start) / FEWEST_ROWS).clamp(1, pool.threads());
        let mut rest = Some(halves.rows(start..end));
        let parts = (1..=count).map_while(|part| {
            let (rows, others) = rest.take()?.split_at_row(start + part * (end - start) / count);
            rest = Some(others);
            Some(rows)
        });
        pool.for_each(parts, |mut halves| interpolate(g, rows, columns, &mut halves));
    }
}
