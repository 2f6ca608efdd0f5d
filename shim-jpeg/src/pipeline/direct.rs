//! A scan that is coded while the image is read: all components interleaved, by the typical tables.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::entropy::bits::{Bits, CHUNK, Piece, Pieces, Sink};
use crate::format::frame::{Frame, SEGMENT};
use crate::format::marker;
use crate::format::restart::Intervals;
use crate::kernels::ahead::Ahead;
use crate::kernels::huffman::{Columns, MAX_BLOCK_BYTES, ScanComponent, WORDS, encode_mcus};
use crate::kernels::tables::TYPICAL_CODES;
use crate::kernels::tile::Blocks;
use crate::pipeline::fold::Fold;
use crate::pipeline::plan::Plan;
use crate::pipeline::process::{Done, FrameCoder, Progress, ahead, transformer};
use crate::pipeline::runs::{Coder, Runs};
use crate::pool::Pool;
use crate::transform::band::{Band, Conversion};
use crate::transform::sample::Sample;
use crate::transform::segment::{Segment, Transformer};
use crate::{Error, Image};

/// The MCUs that are coded before their bits are looked at.
const BATCH: usize = 16;

/// The coder of the scan, from one segment to the next.
struct ScanCoder {
    components: Vec<ScanComponent>,
    intervals: Intervals,
    words: Vec<u32>,
    bits: Bits,
}

impl ScanCoder {
    /// A coder of all components of `frame`.
    fn new(frame: &Frame, interval: u16) -> Self {
        let components = frame.components.iter().map(|component| {
            let codes = &TYPICAL_CODES[usize::from(component.table)];
            ScanComponent { h: component.h, v: component.v, blocks: Blocks::default(), pred: 0, codes }
        });
        let mcus = BATCH.min(frame.mcus_wide() * frame.mcus_high());
        Self {
            components: components.collect(),
            intervals: Intervals::new(interval),
            words: vec![0; WORDS],
            bits: Bits::new(CHUNK + mcus * frame.blocks_per_mcu() * MAX_BLOCK_BYTES),
        }
    }

    /// Goes back to the beginning of a scan.
    fn clear(&mut self, interval: u16) {
        self.intervals = Intervals::new(interval);
        self.bits.clear();
        self.forget();
    }

    /// Forgets the DC of the blocks before.
    fn forget(&mut self) {
        for component in &mut self.components {
            component.pred = 0;
        }
    }

    /// Codes MCUs of a segment, and meanwhile brings what is ahead nearer. What is coded is given to `take`, a batch at
    /// a time, with the marker of the restart that follows if one does.
    fn code(
        &mut self,
        segment: &Segment,
        mcus: Range<usize>,
        columns: Columns,
        ahead: &Ahead<'_>,
        mut take: impl FnMut(&mut Bits, Option<[u8; 2]>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (component, blocks) in self.components.iter_mut().zip(segment.blocks) {
            component.blocks = blocks;
        }
        let mut coded = mcus.start;
        while coded < mcus.end {
            let (count, marker) = self.intervals.take(BATCH.min(mcus.end - coded));
            if marker.is_some() {
                take(&mut self.bits, marker)?;
                self.forget();
            }
            let Bits { raw, position, .. } = &mut self.bits;
            let mcus = coded..coded + count;
            let (components, words) = (&mut self.components, &mut self.words);
            encode_mcus(components, &segment.coefficients, mcus, columns, raw, position, words, ahead);
            take(&mut self.bits, None)?;
            coded += count;
        }
        Ok(())
    }
}

/// Gives the bits of a file away: all of them with the marker of a restart, or else as chunks are full.
fn give(bits: &mut Bits, marker: Option<[u8; 2]>, sink: &mut Sink<'_>) -> Result<(), Error> {
    match marker {
        Some(marker) => bits.restart(marker, sink),
        None => bits.flush_chunks(sink),
    }
}

/// The process on one thread: segment after segment is transformed and coded.
pub(crate) struct Direct<T: Sample> {
    plan: Arc<Plan>,
    header: Vec<u8>,
    coder: ScanCoder,
    transformer: Transformer<T>,
    segment: Segment,
    /// One row of MCUs; made when there is one that is not folded.
    band: Option<Band<T>>,
    /// Several, of a narrow image.
    fold: Option<(Fold, Band<T>)>,
}

impl<T: Sample> Direct<T> {
    pub(crate) fn new(plan: &Arc<Plan>) -> Result<Self, Error> {
        let frame = &plan.frame;
        let folds = plan.bytes && plan.conversion != Conversion::Planes;
        let fold = if folds { Fold::new(frame)? } else { None };
        Ok(Self {
            plan: Arc::clone(plan),
            header: header(plan),
            coder: ScanCoder::new(frame, plan.restart.interval(frame.mcus_wide())),
            transformer: transformer(plan),
            segment: Segment::new(fold.as_ref().map_or(frame, Fold::frame)),
            band: None,
            fold: fold.map(|fold| {
                let band = Band::new(fold.frame(), plan.conversion);
                (fold, band)
            }),
        })
    }

    /// Codes row `index` of MCUs.
    fn row(
        &mut self,
        image: &Image<'_>,
        above: usize,
        index: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let Self { plan, coder, transformer, segment, band, .. } = self;
        let frame = &plan.frame;
        let band = band.get_or_insert_with(|| Band::new(frame, plan.conversion));
        band.fill(image, above, index);
        let mut ahead = ahead(frame, image, above, index);
        for mcu in (0..frame.mcus_wide()).step_by(SEGMENT) {
            transformer.segment(frame, band, index, mcu, segment);
            ahead.move_to(mcu);
            let (mcus, columns) = (0..segment.mcus, Columns::default());
            coder.code(segment, mcus, columns, &ahead, |bits, marker| give(bits, marker, sink))?;
        }
        Ok(())
    }

    /// Codes those of the rows `indices` of MCUs that are laid side by side; how many those are.
    fn folded(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
    ) -> Result<usize, Error> {
        let Self { plan, coder, transformer, segment, fold, .. } = self;
        let Some((fold, band)) = fold else { return Ok(0) };
        let whole = plan.frame.height / plan.frame.mcu_height();
        let rows = indices.end.min(whole).saturating_sub(indices.start).min(fold.rows());
        if rows < 2 {
            return Ok(0);
        }
        let wide = plan.frame.mcus_wide();
        band.fill(&fold.fill(image, indices.start * plan.frame.mcu_height() - above, rows)?, 0, 0);
        let mcus = rows * wide;
        for before in (0..mcus).step_by(SEGMENT) {
            transformer.segment(fold.frame(), band, 0, before, segment);
            for (blocks, component) in segment.blocks.iter_mut().zip(&plan.frame.components) {
                blocks.wide = component.blocks_wide;
            }
            let (mcus, columns) = (0..SEGMENT.min(mcus - before), Columns { before, wide });
            let ahead = &Ahead::default();
            coder.code(segment, mcus, columns, ahead, |bits, marker| give(bits, marker, sink))?;
        }
        Ok(rows)
    }
}

/// The tables and the header of the scan.
fn header(plan: &Plan) -> Vec<u8> {
    let frame = &plan.frame;
    let interval = plan.restart.interval(frame.mcus_wide());
    let mut header = Vec::new();
    marker::typical_tables(&mut header, frame);
    if interval > 0 {
        marker::restart_interval(&mut header, interval);
    }
    marker::start_of_scan(&mut header, frame, &plan.scans[0]);
    header
}

impl<T: Sample> FrameCoder for Direct<T> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.coder.clear(self.plan.restart.interval(self.plan.frame.mcus_wide()));
        sink(&self.header)
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut Done<'_>,
    ) -> Result<(), Error> {
        let Range { mut start, end } = indices;
        while start < end {
            let mut rows = self.folded(image, above, start..end, sink)?;
            if rows == 0 {
                self.row(image, above, start, sink)?;
                rows = 1;
            }
            (start..start + rows).try_for_each(|index| done(index + 1))?;
            start += rows;
        }
        self.coder.bits.flush(sink)
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut Progress<'_>) -> Result<(), Error> {
        self.coder.bits.finish(sink)
    }

    fn is_reusable(&self) -> bool {
        true
    }
}

/// The process on several threads: each codes runs of rows, whose bits are put together in order, so that the file is
/// the same for any number of threads.
pub(crate) struct Parallel<T: Sample> {
    plan: Arc<Plan>,
    runs: Runs<T, PieceCoder>,
    bits: Bits,
}

/// A coder of MCUs in the middle of a scan.
struct PieceCoder {
    coder: ScanCoder,
    pieces: Pieces,
}

impl Coder for PieceCoder {
    type Coded = Vec<Piece>;

    fn seek(&mut self, mcu: usize, predictions: &[i32]) {
        for (component, pred) in self.coder.components.iter_mut().zip(predictions) {
            component.pred = *pred;
        }
        self.coder.intervals.seek(mcu);
    }

    fn code(&mut self, segment: &Segment, mcus: Range<usize>, ahead: &Ahead<'_>) {
        let Self { coder, pieces } = self;
        let result = coder.code(segment, mcus, Columns::default(), ahead, |bits, restart| {
            pieces.add(bits, restart);
            Ok(())
        });
        debug_assert!(result.is_ok(), "taking bits does not fail");
    }

    fn take(&mut self) -> Vec<Piece> {
        self.pieces.take(&mut self.coder.bits)
    }
}

impl<T: Sample> Parallel<T> {
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool) -> Self {
        let of = Arc::clone(plan);
        let coder = move || {
            let coder = ScanCoder::new(&of.frame, of.restart.interval(of.frame.mcus_wide()));
            PieceCoder { coder, pieces: Pieces::default() }
        };
        Self { plan: Arc::clone(plan), runs: Runs::new(plan, pool, coder), bits: Bits::new(0) }
    }
}

impl<T: Sample> FrameCoder for Parallel<T> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        sink(&header(&self.plan))
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut Done<'_>,
    ) -> Result<(), Error> {
        let Self { runs, bits, .. } = self;
        let take = |pieces: Vec<Piece>| pieces.iter().try_for_each(|piece| bits.add(piece, sink));
        runs.code(image, above, indices, take, done)
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut Progress<'_>) -> Result<(), Error> {
        self.bits.finish(sink)
    }
}
