//! Coefficient buffer: several scans of an image, which is transformed once.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::Error;
use crate::entropy::bits::Sink;
use crate::format::script::ScanSpec;
use crate::pipeline::driver::{EntropyCoder, Progress};
use crate::pipeline::plan::Plan;
use crate::pipeline::scan::{Emitter, Scan};
use crate::pipeline::script_search;
use crate::transform::mcu_run::{McuRun, StoredRows};
use shim_codec::pool::Pool;

/// Keeps the coefficients of a frame, of whose scans emitters `E` make coded data.
pub(crate) struct CoefficientBuffer<E> {
    plan: Arc<Plan>,
    runs: Vec<McuRun>,
    /// Whether some scan has whole blocks. The scans of a progressive file look at one spectral band at a time.
    whole: bool,
    emitter: PhantomData<fn() -> E>,
}

impl<E> CoefficientBuffer<E> {
    pub(crate) fn new(plan: &Arc<Plan>) -> Self {
        let whole = plan.scans.iter().any(ScanSpec::is_whole);
        Self { plan: Arc::clone(plan), runs: Vec::new(), whole, emitter: PhantomData }
    }
}

impl<E: Emitter> EntropyCoder<McuRun> for CoefficientBuffer<E> {
    type Coded = Vec<McuRun>;

    fn begin(&mut self, _sink: &mut Sink<'_>) -> Result<(), Error> {
        self.runs.clear();
        Ok(())
    }

    fn seek(&mut self, _row: usize) {}

    fn code(&mut self, run: &mut McuRun, _sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        let frame = &self.plan.frame;
        let mut own = core::mem::replace(run, McuRun::new(frame, frame.mcus_wide()));
        if !self.whole {
            own.coefficients.keep_values_only();
        }
        self.runs.push(own);
        Ok(())
    }

    fn take(&mut self) -> Vec<McuRun> {
        core::mem::take(&mut self.runs)
    }

    fn append(&mut self, coded: Vec<McuRun>, _sink: &mut Sink<'_>) -> Result<(), Error> {
        self.runs.extend(coded);
        Ok(())
    }

    fn end(&mut self, pool: &Pool, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error> {
        let Self { plan, runs, .. } = self;
        let rows = StoredRows::new(&plan.frame, runs);
        let searched = plan.search.then(|| script_search::smallest(plan, rows, pool)).transpose()?;
        let scans = searched.as_ref().unwrap_or(&plan.scans);
        let write = |memory: &mut Option<E>, index: usize, sink: &mut Sink<'_>| {
            let mut scan = Scan::new(plan, &scans[index], memory.take());
            scan.rows(rows.iter())?;
            memory.insert(scan.emitter).end(&scans[..index], pool, sink)
        };
        if pool.threads() == 1 {
            let mut memory = None;
            return (0..scans.len()).try_for_each(|index| {
                write(&mut memory, index, sink)?;
                progress(index + 1, scans.len())
            });
        }
        // Scans are independent of each other. The last bits of coefficients take the most time: they come first, so
        // that no thread is left alone with them.
        let mut memory: Vec<_> = (0..pool.threads().min(scans.len())).map(|_| None).collect();
        let backwards: Vec<usize> = (0..scans.len()).rev().collect();
        let write_apart = |memory: &mut Option<E>, &index: &usize| {
            let mut bytes = Vec::new();
            let to_memory: &mut Sink<'_> = &mut |piece| {
                bytes.extend_from_slice(piece);
                Ok(())
            };
            write(memory, index, to_memory).map(|()| bytes)
        };
        let mut written = Vec::with_capacity(scans.len());
        pool.in_order(&mut memory, &backwards, write_apart, |scan| {
            written.push(scan?);
            progress(written.len(), scans.len())
        })?;
        written.iter().rev().try_for_each(|scan| sink(scan))
    }
}
