//! A scan that is coded while the image is read: all components interleaved, by the typical tables.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bits::{Bits, Piece, Pieces, Sink};
use crate::frame::{Frame, SEGMENT};
use crate::kernels::ahead::Ahead;
use crate::kernels::huffman::{MAX_BLOCK_BYTES, ScanComponent, WORDS, encode_mcus};
use crate::kernels::transform::Part;
use crate::marker;
use crate::plan::Plan;
use crate::pool::Pool;
use crate::process::{Process, Rows};
use crate::restart::Intervals;
use crate::runs::{Coder, Runs};
use crate::sample::Sample;
use crate::segment::Segment;
use crate::tables::TYPICAL_CODES;
use crate::{Error, Image};

/// The coder of the scan, from one segment to the next.
struct ScanCoder {
    components: Vec<ScanComponent>,
    intervals: Intervals,
    words: Vec<u32>,
    bits: Bits,
}

impl ScanCoder {
    /// A coder of all components of `frame`, with memory for the bits of so many MCUs.
    fn new(frame: &Frame, interval: u16, mcus: usize) -> Self {
        let components = frame.components.iter().map(|component| {
            let codes = &TYPICAL_CODES[usize::from(component.table)];
            ScanComponent { h: component.h, v: component.v, part: Part::default(), pred: 0, codes }
        });
        Self {
            components: components.collect(),
            intervals: Intervals::new(interval),
            words: vec![0; WORDS],
            bits: Bits::new(mcus * frame.blocks_per_mcu() * MAX_BLOCK_BYTES),
        }
    }

    /// Codes MCUs of a segment, and meanwhile brings what is ahead nearer. What is coded before a restart is handed to `restart`
    /// with its marker.
    fn code(
        &mut self,
        segment: &Segment,
        mcus: Range<usize>,
        ahead: &Ahead<'_>,
        mut restart: impl FnMut(&mut Bits, [u8; 2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (component, part) in self.components.iter_mut().zip(segment.parts) {
            component.part = part;
        }
        let mut coded = mcus.start;
        while coded < mcus.end {
            let (count, marker) = self.intervals.take(mcus.end - coded);
            if let Some(marker) = marker {
                restart(&mut self.bits, marker)?;
                for component in &mut self.components {
                    component.pred = 0;
                }
            }
            let Bits { raw, position, .. } = &mut self.bits;
            let mcus = coded..coded + count;
            let (components, words) = (&mut self.components, &mut self.words);
            encode_mcus(components, &segment.coefficients, mcus, raw, position, words, ahead);
            coded += count;
        }
        Ok(())
    }
}

/// The process on one thread: segment after segment is transformed and coded.
pub(crate) struct Direct<T: Sample> {
    plan: Arc<Plan>,
    rows: Rows<T>,
    coder: ScanCoder,
    segment: Segment,
}

impl<T: Sample> Direct<T> {
    pub(crate) fn new(plan: &Arc<Plan>) -> Self {
        let frame = &plan.frame;
        let coder = ScanCoder::new(frame, plan.restart.interval(frame.mcus_wide()), frame.mcus_wide());
        Self { plan: Arc::clone(plan), rows: Rows::new(plan), coder, segment: Segment::new(frame) }
    }
}

/// The tables and the header of the scan.
fn header(plan: &Plan, sink: &mut Sink<'_>) -> Result<(), Error> {
    let frame = &plan.frame;
    let interval = plan.restart.interval(frame.mcus_wide());
    let mut header = Vec::new();
    marker::typical_tables(&mut header, frame);
    if interval > 0 {
        marker::restart_interval(&mut header, interval);
    }
    marker::start_of_scan(&mut header, frame, &plan.scans[0]);
    sink(&header)
}

impl<T: Sample> Process for Direct<T> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        header(&self.plan, sink)
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut dyn FnMut(usize),
    ) -> Result<(), Error> {
        for index in indices {
            self.rows.fill(image, above, index);
            let mut ahead = self.rows.ahead(image, above, index);
            for mcu in (0..self.rows.frame.mcus_wide()).step_by(SEGMENT) {
                self.rows.segment(index, mcu, &mut self.segment);
                ahead.move_to(mcu);
                let mcus = 0..self.segment.mcus;
                self.coder.code(&self.segment, mcus, &ahead, |bits, marker| bits.restart(marker, sink))?;
            }
            self.coder.bits.flush(sink)?;
            done(index + 1);
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        self.coder.bits.finish(sink)
    }
}

/// The process on several threads: each codes runs of rows, whose bits are put together in order, so that the file is the same
/// for any number of threads.
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
        let result = coder.code(segment, mcus, ahead, |bits, next| {
            pieces.restart(bits, next);
            Ok(())
        });
        debug_assert!(result.is_ok(), "taking bits does not fail");
        pieces.drain(&mut coder.bits);
    }

    fn take(&mut self) -> Vec<Piece> {
        self.pieces.take(&mut self.coder.bits)
    }
}

impl<T: Sample> Parallel<T> {
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool) -> Self {
        let of = Arc::clone(plan);
        let coder = move || {
            let mcus_wide = of.frame.mcus_wide();
            let interval = of.restart.interval(mcus_wide);
            let coder = ScanCoder::new(&of.frame, interval, SEGMENT.min(mcus_wide));
            PieceCoder { coder, pieces: Pieces::default() }
        };
        Self { plan: Arc::clone(plan), runs: Runs::new(plan, pool, coder), bits: Bits::new(0) }
    }
}

impl<T: Sample> Process for Parallel<T> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        header(&self.plan, sink)
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut dyn FnMut(usize),
    ) -> Result<(), Error> {
        let Self { runs, bits, .. } = self;
        let take = |pieces: Vec<Piece>| pieces.iter().try_for_each(|piece| bits.add(piece, sink));
        runs.code(image, above, indices, take, done)
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        self.bits.finish(sink)
    }
}
