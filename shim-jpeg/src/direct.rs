//! A scan that is coded while the image is read: all components interleaved, by the typical tables.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bits::{Bits, Piece, Sink};
use crate::frame::{Frame, SEGMENT};
use crate::kernels::ahead::Ahead;
use crate::kernels::huffman::{MAX_BLOCK_BYTES, ScanComponent, WORDS, encode_mcus};
use crate::kernels::transform::Part;
use crate::marker;
use crate::plan::Plan;
use crate::pool::Pool;
use crate::process::{Process, Rows, predictions};
use crate::restart::Intervals;
use crate::sample::Sample;
use crate::segment::Segment;
use crate::tables::TYPICAL_CODES;
use crate::{Error, Image};

/// The coder of the scan, from one segment to the next.
struct Coder {
    components: Vec<ScanComponent>,
    intervals: Intervals,
    words: Vec<u32>,
    bits: Bits,
}

impl Coder {
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

    /// Codes a segment, and meanwhile brings what is ahead nearer. What is coded before a restart is handed to `restart` with
    /// its marker.
    fn code(
        &mut self,
        segment: &Segment,
        ahead: &Ahead<'_>,
        mut restart: impl FnMut(&mut Bits, [u8; 2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (component, part) in self.components.iter_mut().zip(segment.parts) {
            component.part = part;
        }
        let mut coded = 0;
        while coded < segment.mcus {
            let (count, marker) = self.intervals.take(segment.mcus - coded);
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
    coder: Coder,
    segment: Segment,
}

impl<T: Sample> Direct<T> {
    pub(crate) fn new(plan: &Arc<Plan>) -> Self {
        let frame = &plan.frame;
        let coder = Coder::new(frame, plan.restart.interval(frame.mcus_wide()), frame.mcus_wide());
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

    fn batch(&self) -> usize {
        1
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        for index in indices {
            self.rows.fill(image, above, index);
            let mut ahead = self.rows.ahead(image, above, index);
            for mcu in (0..self.rows.frame.mcus_wide()).step_by(SEGMENT) {
                self.rows.segment(index, mcu, &mut self.segment);
                ahead.move_to(mcu);
                self.coder.code(&self.segment, &ahead, |bits, marker| bits.restart(marker, sink))?;
            }
            self.coder.bits.flush(sink)?;
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        self.coder.bits.finish(sink)
    }
}

/// The process on several threads: some rows are transformed at once, and once the DC that each begins with is known, coded.
/// Their bits are put together in order, so that the file is the same for any number of threads.
pub(crate) struct Parallel<T: Sample> {
    plan: Arc<Plan>,
    pool: Pool,
    workers: Vec<Worker<T>>,
    /// DC of the last blocks of the row before.
    predictions: Vec<i32>,
    bits: Bits,
}

/// What works on one row.
struct Worker<T: Sample> {
    rows: Rows<T>,
    segments: Vec<Segment>,
    coder: Coder,
    pieces: Vec<Piece>,
}

impl<T: Sample> Worker<T> {
    fn code(&mut self) {
        let Self { segments, coder, pieces, .. } = self;
        pieces.clear();
        let (mut marker, mut raw) = (None, Vec::new());
        for segment in segments {
            let result = coder.code(segment, &Ahead::default(), |bits, next| {
                pieces.push(bits.take(marker, core::mem::take(&mut raw)));
                marker = Some(next);
                Ok(())
            });
            debug_assert!(result.is_ok(), "taking bits does not fail");
            coder.bits.drain(&mut raw);
        }
        pieces.push(coder.bits.take(marker, raw));
    }
}

impl<T: Sample> Parallel<T> {
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool) -> Self {
        let frame = &plan.frame;
        let interval = plan.restart.interval(frame.mcus_wide());
        let worker = || Worker {
            rows: Rows::new(plan),
            segments: Segment::row(frame),
            coder: Coder::new(frame, interval, SEGMENT.min(frame.mcus_wide())),
            pieces: Vec::new(),
        };
        let workers = pool.rows(frame.mcus_high());
        Self {
            plan: Arc::clone(plan),
            pool,
            workers: (0..workers).map(|_| worker()).collect(),
            predictions: vec![0; frame.components.len()],
            bits: Bits::new(0),
        }
    }
}

impl<T: Sample> Process for Parallel<T> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        header(&self.plan, sink)
    }

    fn batch(&self) -> usize {
        self.workers.len()
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let Self { pool, workers, predictions: before, bits, .. } = self;
        let first = indices.start;
        let workers = &mut workers[..indices.len()];
        pool.within(|| {
            pool.each(workers, |i, worker| {
                worker.rows.transform(image, above, first + i, &mut worker.segments);
            });
            for (i, worker) in workers.iter_mut().enumerate() {
                for (component, pred) in worker.coder.components.iter_mut().zip(&before[..]) {
                    component.pred = *pred;
                }
                worker.coder.intervals.seek((first + i) * worker.rows.frame.mcus_wide());
                *before = predictions(&worker.segments, before.len());
            }
            pool.each(workers, |_, worker| worker.code());
        });
        for piece in workers.iter().flat_map(|worker| &worker.pieces) {
            bits.add(piece, sink)?;
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        self.bits.finish(sink)
    }
}
