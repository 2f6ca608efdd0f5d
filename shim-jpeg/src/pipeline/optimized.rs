//! One scan of all components whose symbols are kept, so that its tables can be made for them.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::entropy::bits::Sink;
use crate::kernels::ahead::Ahead;
use crate::kernels::symbols::VALUES;
use crate::pipeline::plan::Plan;
use crate::pipeline::process::{Done, FrameCoder, Progress};
use crate::pipeline::runs::{Coder, Runs};
use crate::pipeline::symbolic::{Counts, SymbolicScan, Symbols, write};
use crate::pool::Pool;
use crate::transform::sample::Sample;
use crate::transform::segment::Segment;
use crate::{Error, Image};

/// The process.
pub(crate) struct Optimized<T: Sample> {
    plan: Arc<Plan>,
    runs: Runs<T, SymbolicScan>,
    /// The symbols of rows.
    parts: Vec<Symbols>,
    /// How often each value of all tables occurs in them.
    times: Vec<u64>,
}

impl Coder for SymbolicScan {
    type Coded = (Symbols, Counts);

    fn seek(&mut self, mcu: usize, predictions: &[i32]) {
        self.seek(mcu, predictions);
    }

    fn code(&mut self, segment: &Segment, mcus: Range<usize>, _ahead: &Ahead<'_>) {
        self.segment(segment, mcus);
    }

    fn take(&mut self) -> (Symbols, Counts) {
        self.take()
    }
}

impl<T: Sample> Optimized<T> {
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool) -> Self {
        let of = Arc::clone(plan);
        let scan = move || SymbolicScan::new(&of.frame, &of.scans[0], of.restart);
        Self {
            plan: Arc::clone(plan),
            runs: Runs::new(plan, pool, scan),
            parts: Vec::new(),
            times: vec![0; VALUES],
        }
    }
}

impl<T: Sample> FrameCoder for Optimized<T> {
    fn begin(&mut self, _sink: &mut Sink<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        _sink: &mut Sink<'_>,
        done: &mut Done<'_>,
    ) -> Result<(), Error> {
        let take = |(symbols, counts): (Symbols, Counts)| {
            self.parts.push(symbols);
            self.times.iter_mut().zip(counts.times()).for_each(|(sum, times)| *sum += times);
            Ok(())
        };
        self.runs.code(image, above, indices, take, done)
    }

    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error> {
        let parts: Vec<&Symbols> = self.parts.iter().collect();
        write(&self.plan, &self.plan.scans[0], &[], &parts, &self.times, self.runs.pool(), sink)?;
        progress(1, 1)?;
        Ok(())
    }
}
