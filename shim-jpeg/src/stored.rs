//! Several scans of coefficients that are kept.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bits::Sink;
use crate::plan::Plan;
use crate::pool::Pool;
use crate::process::{Process, Rows};
use crate::sample::Sample;
use crate::script::ScanSpec;
use crate::segment::Segment;
use crate::symbolic::{SymbolicScan, Symbols, interval, write};
use crate::{Error, Image, search};

/// The process.
pub(crate) struct Stored<T: Sample> {
    plan: Arc<Plan>,
    pool: Pool,
    workers: Vec<Rows<T>>,
    /// The rows of MCUs.
    image: Vec<Vec<Segment>>,
}

impl<T: Sample> Stored<T> {
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool) -> Self {
        let workers = (0..pool.rows(plan.frame.mcus_high())).map(|_| Rows::new(plan)).collect();
        Self { plan: Arc::clone(plan), pool, workers, image: Vec::with_capacity(plan.frame.mcus_high()) }
    }
}

impl<T: Sample> Process for Stored<T> {
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
        let Self { pool, workers, image: stored, .. } = self;
        let first = indices.start;
        let workers = workers[..indices.len()].iter_mut();
        let mut items = workers.map(|rows| (Segment::row(&rows.frame), rows)).collect::<Vec<_>>();
        pool.each(&mut items, |i, (segments, rows)| rows.transform(image, above, first + i, segments));
        stored.extend(items.into_iter().map(|(segments, _)| segments));
        Ok(())
    }

    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        let Self { plan, pool, image, .. } = self;
        let searched = plan.search.then(|| search::smallest(plan, image, pool));
        let scans = searched.as_ref().unwrap_or(&plan.scans);
        let symbols = |spec: &ScanSpec| -> [Symbols; 1] {
            let mut scan = SymbolicScan::new(&plan.frame, spec, plan.restart);
            for row in &image[..] {
                scan.row(row);
            }
            [scan.end()]
        };
        let before = |index: usize| match index {
            0 => 0,
            _ => interval(&plan.frame, &scans[index - 1], plan.restart),
        };
        if pool.threads() == 1 {
            for (index, spec) in scans.iter().enumerate() {
                write(plan, spec, before(index), &symbols(spec), pool, sink)?;
                progress(index + 1, scans.len());
            }
            return Ok(());
        }
        // Scans know nothing of each other.
        let written = pool.map(scans, |index, spec| {
            let mut bytes = Vec::new();
            let to_memory: &mut Sink<'_> = &mut |piece| {
                bytes.extend_from_slice(piece);
                Ok(())
            };
            write(plan, spec, before(index), &symbols(spec), pool, to_memory).map(|()| bytes)
        });
        for (index, bytes) in written.into_iter().enumerate() {
            sink(&bytes?)?;
            progress(index + 1, scans.len());
        }
        Ok(())
    }
}
