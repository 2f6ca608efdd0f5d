//! What the encoder does with whole pictures.

mod reference;

use core::ops::Range;

use crate::frame::Frame;
use crate::kernels::deblock::SliceFilter;
use crate::kernels::deblock::chroma::deblock_chroma;
use crate::kernels::deblock::luma::deblock_luma;
use crate::kernels::deblock::strength::strengths;
use crate::kernels::frame::{complete, complete_interleaved};
use crate::kernels::picture::{Picture, Samples};
pub(crate) use reference::{Reference, ReferenceWriter, Referred};
use shim_codec::pool::Pool;

impl Samples {
    /// Takes a frame, and completes it to whole macroblocks.
    pub(crate) fn take(&mut self, frame: &Frame<'_>, pool: &Pool) {
        let sizes = [self.luma_size(), self.chroma_size(), self.chroma_size()];
        let [height, width] = [frame.height(), frame.width()];
        let chroma = [height.div_ceil(2), width.div_ceil(2)];
        let given = [[height, width], chroma, chroma];
        let [cb, cr] = &mut self.chroma;
        let planes = [&mut self.luma, cb, cr].into_iter().zip(sizes).zip(frame.planes()).zip(given);
        pool.for_each(planes, |(((to, [whole_h, whole_w]), from), [h, w])| {
            let complete = if from.step() == 1 { complete } else { complete_interleaved };
            complete(from.samples(), h, w, from.stride(), to, whole_h, whole_w);
        });
    }

    /// The part of the picture that is shown, which has even sides.
    pub(crate) fn frame(&self, width: usize, height: usize) -> Frame<'_> {
        let [cb, cr] = &self.chroma;
        let (wide, half) = (self.luma_size()[1], self.chroma_size()[1]);
        Frame::new(width, height, (&self.luma, wide), (cb, half), (cr, half))
            .expect("the picture holds its frame")
    }
}

impl Picture {
    /// Filters rows of macroblocks (8.7), which are coded, as are those before and the next one; `filters` are by slice,
    /// the first of them of none.
    pub(crate) fn deblock(
        &mut self,
        rows: Range<usize>,
        filters: &[SliceFilter],
        chroma_qp_index_offset: i8,
        pool: &Pool,
    ) {
        let Self { samples: Samples { luma, chroma: [cb, cr], .. }, tables, .. } = self;
        strengths(tables, rows.clone(), filters);
        let (tables, threads) = (&*tables, pool.threads() > 1);
        pool.join(
            || deblock_luma(luma, tables, filters, rows.clone(), threads),
            || deblock_chroma(cb, cr, tables, filters, chroma_qp_index_offset, rows.clone(), threads),
        );
    }
}
