//! Pictures that others are predicted from: filled row by row while their last rows are coded, and read meanwhile.

use shim::prelude::Place;
use shim::{Published, Publisher};
use shim_codec::pool::{Advance, Pool, Progress};

use crate::kernels::inter::motion::motion_before;
use crate::kernels::inter::planes::{
    CHROMA_MARGIN, LUMA_MARGIN, WITHOUT_TAPS, extend_chroma, extend_luma, interpolate,
};
use crate::kernels::picture::{MotionBefore, Picture, ReferenceRows, ReferenceView};

/// The fewest rows of half samples that are worth a thread.
const FEWEST_ROWS: usize = 64;

/// Luma rows above the end of the filtered macroblocks that are not available yet: the filter of the next ones changes
/// three, and taps reach three rows further.
const UNSETTLED: usize = 8;

/// A reference picture.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    mbs: [usize; 2],
    /// Plane G.
    luma: Published<u8>,
    /// Planes b, h and j, if vectors point between the samples.
    halves: Option<[Published<u8>; 3]>,
    chroma: [Published<u8>; 2],
    motion: Published<MotionBefore>,
    /// Rows of macroblocks that are filtered.
    filtered: Progress,
}

/// Fills a reference picture.
#[derive(Debug)]
pub(crate) struct ReferenceWriter<'p> {
    luma: Publisher<'p, u8>,
    halves: Option<[Publisher<'p, u8>; 3]>,
    chroma: [Publisher<'p, u8>; 2],
    motion: Publisher<'p, MotionBefore>,
    filtered: Advance<'p>,
}

/// A reference picture of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Referred<'p> {
    /// All of it.
    Whole(ReferenceView<'p>),
    /// The rows that are available, which become more.
    Growing(ReferenceReader<'p>),
}

/// A reference picture that may not be complete, which is read as far as it is filled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceReader<'p> {
    mbs: [usize; 2],
    /// Planes G, b, h and j, or G four times if all vectors are of whole samples.
    luma: [&'p Published<u8>; 4],
    chroma: [&'p Published<u8>; 2],
    motion: &'p Published<MotionBefore>,
    filtered: &'p Progress,
}

impl Reference {
    /// Memory for pictures of so many rows and columns of macroblocks; without planes b, h and j if all vectors are of
    /// `whole` samples.
    pub(crate) fn new(mbs: [usize; 2], whole: bool) -> Self {
        let [rows, columns] = mbs.map(|n| 16 * n + 2 * LUMA_MARGIN);
        let plane = || Published::new(rows * columns);
        Self {
            mbs,
            luma: plane(),
            halves: (!whole).then(|| [(); 3].map(|()| plane())),
            chroma: [(); 2].map(|()| Published::new(rows / 2 * (columns / 2))),
            motion: Published::new(mbs[0] * mbs[1]),
            filtered: Progress::default(),
        }
    }

    /// Begins another picture.
    pub(crate) fn begin(&mut self) -> (ReferenceWriter<'_>, ReferenceReader<'_>) {
        let luma = self.luma.begin();
        let halves = self.halves.as_mut().map(|planes| planes.each_mut().map(Published::begin));
        let [cb, cr] = self.chroma.each_mut().map(Published::begin);
        let (motion, filtered) = (self.motion.begin(), self.filtered.begin());
        let reader = ReferenceReader {
            mbs: self.mbs,
            luma: four(luma.1, halves.as_ref().map(|planes| planes.each_ref().map(|plane| plane.1))),
            chroma: [cb.1, cr.1],
            motion: motion.1,
            filtered: filtered.1,
        };
        let writer = ReferenceWriter {
            luma: luma.0,
            halves: halves.map(|planes| planes.map(|plane| plane.0)),
            chroma: [cb.0, cr.0],
            motion: motion.0,
            filtered: filtered.0,
        };
        (writer, reader)
    }

    /// The picture, all of which is there.
    pub(crate) fn rows(&self) -> ReferenceRows<'_> {
        let reader = ReferenceReader {
            mbs: self.mbs,
            luma: four(&self.luma, self.halves.as_ref().map(<[_; 3]>::each_ref)),
            chroma: self.chroma.each_ref(),
            motion: &self.motion,
            filtered: &self.filtered,
        };
        reader.rows_after(self.mbs[0])
    }

    /// Takes a picture.
    pub(crate) fn take(&mut self, picture: &Picture, pool: &Pool) {
        self.begin().0.take(picture, picture.mbs_high, pool);
    }
}

/// Planes G, b, h and j, or G four times.
fn four<'p>(g: &'p Published<u8>, halves: Option<[&'p Published<u8>; 3]>) -> [&'p Published<u8>; 4] {
    halves.map_or([g; 4], |[b, h, j]| [g, b, h, j])
}

/// The rows that a publisher adds up to the `end`, of so many columns; `fill` is given the first one and the memory.
fn publish(
    publisher: &mut Publisher<'_, u8>,
    columns: usize,
    end: usize,
    fill: impl FnOnce(usize, usize, &mut [u8]),
) {
    let first = publisher.published().len() / columns;
    let count = end - first;
    fill(first, count, publisher.next(count * columns));
    publisher.publish(count * columns);
}

impl ReferenceWriter<'_> {
    /// Takes the samples that no longer change once so many rows of macroblocks are `filtered`.
    pub(crate) fn take(&mut self, picture: &Picture, filtered: usize, pool: &Pool) {
        let Self { luma: g, halves, chroma: [out_cb, out_cr], motion, filtered: progress } = self;
        let (samples, mbs_wide) = (&picture.samples, picture.samples.mbs_wide);
        let ([h, w], [chroma_h, chroma_w]) = (samples.luma_size(), samples.chroma_size());
        let [rows, columns] = [h, w].map(|n| n + 2 * LUMA_MARGIN);
        let is_last = filtered == picture.mbs_high;
        let end = if is_last { rows } else { LUMA_MARGIN + 16 * filtered - UNSETTLED };
        let end_of_g = if is_last { rows } else { end + WITHOUT_TAPS[1] };
        let [cb, cr] = &samples.chroma;
        pool.all([
            &mut || {
                publish(g, columns, end_of_g, |first, count, out| {
                    extend_luma(&samples.luma, h, w, first, count, out);
                });
            },
            &mut || {
                publish(out_cb, columns / 2, end / 2, |first, count, out| {
                    extend_chroma(cb, chroma_h, chroma_w, first, count, out);
                });
            },
            &mut || {
                publish(out_cr, columns / 2, end / 2, |first, count, out| {
                    extend_chroma(cr, chroma_h, chroma_w, first, count, out);
                });
            },
        ]);
        let first = motion.published().len() / mbs_wide;
        let count = filtered - first;
        motion_before(&picture.tables, first, count, motion.next(count * mbs_wide));
        motion.publish(count * mbs_wide);

        if let Some(planes) = halves {
            let (g, first) = (g.published(), planes[0].published().len() / columns);
            let (g_rows, added) = (g.len() / columns, (end - first) * columns);
            let parts = ((end - first) / FEWEST_ROWS).clamp(1, pool.threads());
            let rows_of_part = (end - first).div_ceil(parts);
            let [b_rows, half_rows, j_rows] =
                planes.each_mut().map(|plane| plane.next(added).chunks_mut(rows_of_part * columns));
            let parts = b_rows.zip(half_rows).zip(j_rows).enumerate();
            pool.for_each(parts, |(part, ((b, half), j))| {
                let first = first + part * rows_of_part;
                interpolate(g, g_rows, columns, rows, first, b.len() / columns, b, half, j);
            });
            for plane in planes {
                plane.publish(added);
            }
        }
        progress.reach(filtered);
    }
}

impl<'p> ReferenceReader<'p> {
    /// The rows that are there once so many rows of macroblocks are filtered.
    fn rows_after(&self, filtered: usize) -> ReferenceRows<'p> {
        // Vectors far above the picture predict from its first rows.
        self.filtered.wait(filtered.clamp(1, self.mbs[0]));
        let [mbs_high, mbs_wide] = self.mbs;
        let columns = 16 * mbs_wide + 2 * LUMA_MARGIN;
        let (luma, chroma) = (self.luma.map(Published::get), self.chroma.map(Published::get));
        // A plane may already have more rows than another.
        let rows = luma.map(|plane| plane.len() / columns).into_iter();
        let rows = rows.chain(chroma.map(|plane| 2 * (plane.len() / (columns / 2)))).min().unwrap_or(0);
        let motion = self.motion.get();
        ReferenceRows {
            rows,
            columns,
            mb_rows: (motion.len() / mbs_wide).min(mbs_high),
            mbs_wide,
            luma,
            chroma,
            motion,
        }
    }
}

impl Referred<'_> {
    /// Calls a kernel with the rows from which vectors predict a part of the picture, of which none is lower than
    /// `lowest`, in quarters of a sample.
    #[inline]
    pub(crate) fn predict<R>(
        &self,
        part: Place<2>,
        lowest: impl FnOnce() -> i32,
        with: impl FnOnce(&ReferenceView<'_>) -> R,
    ) -> R {
        match self {
            Self::Whole(view) => with(view),
            Self::Growing(reader) => with(&reader.rows_after(filtered_for(part, lowest())).view()),
        }
    }

    /// Calls a kernel with the rows that have the motion of a row of macroblocks and of the next one.
    #[inline]
    pub(crate) fn motion<R>(&self, row: usize, with: impl FnOnce(&ReferenceView<'_>) -> R) -> R {
        match self {
            Self::Whole(view) => with(view),
            Self::Growing(reader) => with(&reader.rows_after(row + 2).view()),
        }
    }
}

/// The rows of macroblocks that are filtered where vectors predict a part of the picture, of which none is lower than
/// `lowest`.
fn filtered_for(part: Place<2>, lowest: i32) -> usize {
    // A block of 16 rows, and one more between the samples. Rows at the edge of what is there are not to be read.
    const REACH: isize = 16 + 1 + 4;
    let bottom = part.origin()[0] + REACH + (lowest >> 2) as isize + UNSETTLED as isize;
    usize::try_from(bottom).unwrap_or(0).div_ceil(16)
}

const _: () = assert!(CHROMA_MARGIN == LUMA_MARGIN / 2);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::inter::Part;
    use crate::kernels::inter::chroma::predict_chroma;
    use crate::kernels::inter::luma::predict_luma;
    use crate::kernels::macroblock_at;
    use crate::kernels::testing::Random;

    const MBS: [usize; 2] = [6, 3];

    fn noise(random: &mut Random, picture: &mut Picture, from: usize) {
        let [_, wide] = picture.samples.luma_size();
        picture.samples.luma.iter_mut().skip(from * wide).for_each(|sample| *sample = random.byte());
        for plane in &mut picture.samples.chroma {
            plane.iter_mut().skip(from.div_ceil(2) * (wide / 2)).for_each(|sample| *sample = random.byte());
        }
    }

    /// The filter still changes the samples below the available rows.
    #[test]
    fn rows_that_are_there_predict_as_all_of_them() {
        let mut random = Random::new(23);
        for _ in 0..4 {
            let mut picture = Picture::new(MBS);
            noise(&mut random, &mut picture, 0);
            let (last, pool) = (picture.clone(), Pool::one());
            let [mut whole, mut growing] = [(); 2].map(|()| Reference::new(MBS, false));
            whole.take(&last, &pool);
            let rows = whole.rows();
            let whole = Referred::Whole(rows.view());
            let (mut writer, reader) = growing.begin();
            let growing = Referred::Growing(reader);
            let mut compared = 0;
            for filtered in 1..=MBS[0] {
                picture.clone_from(&last);
                if filtered < MBS[0] {
                    noise(&mut random, &mut picture, 16 * filtered - 3);
                }
                writer.take(&picture, filtered, &pool);
                for _ in 0..200 {
                    let mb = MBS.map(|n| random.within(0, n as i32 - 1) as usize);
                    let mv = [(); 2].map(|()| random.within(-300, 300) as i16);
                    let corner = Part::WHOLE.corner(macroblock_at(mb));
                    if filtered_for(corner, mv[1].into()).min(MBS[0]) > filtered {
                        continue;
                    }
                    compared += 1;
                    let predicted = |reference: &Referred<'_>| {
                        let (mut luma, mut chroma) = ([0; 256], [0; 128]);
                        let lowest = || mv[1].into();
                        reference.predict(corner, lowest, |view| {
                            predict_luma(view, corner, mv, Part::WHOLE, &mut luma);
                            predict_chroma(view, corner, mv, Part::WHOLE, &mut chroma);
                        });
                        (luma, chroma)
                    };
                    assert!(predicted(&whole) == predicted(&growing), "{mb:?}, {mv:?} after {filtered}");
                }
            }
            assert!(compared > 300, "{compared}");
        }
    }
}
