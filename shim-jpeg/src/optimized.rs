//! One scan of all components whose symbols are kept, so that its tables can be made for them.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bits::Sink;
use crate::kernels::ahead::Ahead;
use crate::plan::Plan;
use crate::pool::Pool;
use crate::process::FrameCoder;
use crate::runs::{Coder, Runs};
use crate::sample::Sample;
use crate::segment::Segment;
use crate::symbolic::{SymbolicScan, Symbols, write};
use crate::{Error, Image};

/// The process.
pub(crate) struct Optimized<T: Sample> {
    plan: Arc<Plan>,
    runs: Runs<T, SymbolicScan>,
    /// The symbols of rows.
    parts: Vec<Symbols>,
}

impl Coder for SymbolicScan {
    type Coded = Symbols;

    fn seek(&mut self, mcu: usize, predictions: &[i32]) {
        self.seek(mcu, predictions);
    }

    fn code(&mut self, segment: &Segment, mcus: Range<usize>, _ahead: &Ahead<'_>) {
        self.segment(segment, mcus);
    }

    fn take(&mut self) -> Symbols {
        self.take()
    }
}

impl<T: Sample> Optimized<T> {
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool) -> Self {
        let of = Arc::clone(plan);
        let scan = move || SymbolicScan::new(&of.frame, &of.scans[0], of.restart);
        Self { plan: Arc::clone(plan), runs: Runs::new(plan, pool, scan), parts: Vec::new() }
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
        done: &mut dyn FnMut(usize),
    ) -> Result<(), Error> {
        let take = |symbols| {
            self.parts.push(symbols);
            Ok(())
        };
        self.runs.code(image, above, indices, take, done)
    }

    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        write(&self.plan, &self.plan.scans[0], &[], &self.parts, self.runs.pool(), sink)?;
        progress(1, 1);
        Ok(())
    }
}
