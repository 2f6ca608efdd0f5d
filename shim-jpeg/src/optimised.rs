//! One scan of all components whose symbols are kept, so that its tables can be made for them.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bits::Sink;
use crate::plan::Plan;
use crate::pool::Pool;
use crate::process::{Process, Rows, predictions};
use crate::sample::Sample;
use crate::segment::Segment;
use crate::symbolic::{SymbolicScan, Symbols, write};
use crate::{Error, Image};

/// The process.
pub(crate) struct Optimised<T: Sample> {
    plan: Arc<Plan>,
    pool: Pool,
    workers: Vec<Worker<T>>,
    /// DC of the last blocks of the row before.
    predictions: Vec<i32>,
    /// The symbols of rows.
    parts: Vec<Symbols>,
}

/// What works on one row.
struct Worker<T: Sample> {
    rows: Rows<T>,
    segments: Vec<Segment>,
    predictions: Vec<i32>,
    scan: SymbolicScan,
    symbols: Symbols,
}

impl<T: Sample> Optimised<T> {
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool) -> Self {
        let frame = &plan.frame;
        let worker = || Worker {
            rows: Rows::new(plan),
            segments: Segment::row(frame),
            predictions: Vec::new(),
            scan: SymbolicScan::new(frame, &plan.scans[0], plan.restart),
            symbols: Symbols::default(),
        };
        let workers = pool.rows(frame.mcus_high());
        Self {
            plan: Arc::clone(plan),
            pool,
            workers: (0..workers).map(|_| worker()).collect(),
            predictions: vec![0; frame.components.len()],
            parts: Vec::new(),
        }
    }
}

impl<T: Sample> Process for Optimised<T> {
    fn begin(&mut self, _sink: &mut Sink<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn batch(&self) -> usize {
        self.workers.len()
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        _sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let Self { pool, workers, predictions: before, parts, .. } = self;
        let first = indices.start;
        let workers = &mut workers[..indices.len()];
        pool.within(|| {
            pool.each(workers, |i, worker| {
                worker.rows.transform(image, above, first + i, &mut worker.segments);
            });
            for worker in workers.iter_mut() {
                worker.predictions = core::mem::replace(before, predictions(&worker.segments, before.len()));
            }
            pool.each(workers, |i, Worker { rows, segments, predictions, scan, symbols }| {
                scan.seek((first + i) * rows.frame.mcus_wide(), predictions);
                scan.row(segments);
                *symbols = scan.take();
            });
        });
        parts.extend(workers.iter_mut().map(|worker| core::mem::take(&mut worker.symbols)));
        Ok(())
    }

    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        write(&self.plan, &self.plan.scans[0], 0, &self.parts, &self.pool, sink)?;
        progress(1, 1);
        Ok(())
    }
}
