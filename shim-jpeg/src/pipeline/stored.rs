//! Several scans of coefficients that are kept.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::entropy::bits::Sink;
use crate::format::script::ScanSpec;
use crate::pipeline::plan::Plan;
use crate::pipeline::process::{Done, FrameCoder, Progress, Rows};
use crate::pipeline::search;
use crate::pipeline::symbolic::{SymbolicScan, write};
use crate::pool::Pool;
use crate::transform::sample::Sample;
use crate::transform::segment::Segment;
use crate::{Error, Image};

/// A scan whose memory the next one may have.
type Memory = Option<SymbolicScan>;

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
        let workers = (0..pool.threads()).map(|_| Rows::new(plan)).collect();
        Self { plan: Arc::clone(plan), pool, workers, image: Vec::with_capacity(plan.frame.mcus_high()) }
    }
}

impl<T: Sample> FrameCoder for Stored<T> {
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
        let Self { plan, pool, workers, image: stored } = self;
        // The scans of a progressive file look at coefficients one band at a time.
        let whole = plan.scans.iter().any(ScanSpec::is_whole);
        let transform = |rows: &mut Rows<T>, &index: &usize| {
            let mut row = Segment::row(&rows.frame);
            rows.transform(image, above, index, &mut row);
            for segment in row.iter_mut().filter(|_| !whole) {
                segment.coefficients.keep_values_only();
            }
            row
        };
        pool.in_order(workers, &indices.collect::<Vec<_>>(), transform, |row| {
            stored.push(row);
            done(stored.len())?;
            Ok(())
        })
    }

    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error> {
        let Self { plan, pool, image, .. } = self;
        let searched = plan.search.then(|| search::smallest(plan, image, pool));
        let scans = searched.as_ref().unwrap_or(&plan.scans);
        let write_scan = |memory: &mut Memory, index: usize, sink: &mut Sink<'_>| -> Result<(), Error> {
            let scan = SymbolicScan::new(&plan.frame, &scans[index], plan.restart).with_memory(memory.take());
            let scan = memory.insert(scan);
            for row in &image[..] {
                scan.row(row);
            }
            let (symbols, counts) = scan.end();
            write(plan, &scans[index], &scans[..index], &[symbols], &counts.times(), pool, sink)
        };
        if pool.threads() == 1 {
            let mut memory = None;
            for index in 0..scans.len() {
                write_scan(&mut memory, index, sink)?;
                progress(index + 1, scans.len())?;
            }
            return Ok(());
        }
        // Scans know nothing of each other. The last bits of coefficients take the most time: they come first here, so
        // that no thread is left alone with them.
        let mut memory: Vec<_> = (0..pool.threads().min(scans.len())).map(|_| None).collect();
        let backwards: Vec<usize> = (0..scans.len()).rev().collect();
        let written = |memory: &mut Memory, &index: &usize| {
            let mut bytes = Vec::new();
            let to_memory: &mut Sink<'_> = &mut |piece| {
                bytes.extend_from_slice(piece);
                Ok(())
            };
            write_scan(memory, index, to_memory).map(|()| bytes)
        };
        let mut all = Vec::with_capacity(scans.len());
        pool.in_order(&mut memory, &backwards, written, |scan| {
            all.push(scan?);
            progress(all.len(), scans.len())?;
            Ok(())
        })?;
        all.iter().rev().try_for_each(|scan| sink(scan))
    }
}
