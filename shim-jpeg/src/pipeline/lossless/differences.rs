//! The entropy coders of differences (T.81 H.1.2.2).

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::plan::LosslessPlan;
use crate::Error;
use crate::entropy::bits::{Bits, CHUNK, PartialSegment, Sink};
use crate::entropy::optimal;
use crate::format::restart::Intervals;
use crate::kernels::lossless::{CATEGORIES, DIFFERENCE_BYTES, DifferenceCodes, count, put_differences};
use crate::kernels::tables::HuffmanSpecification;
use crate::pipeline::driver::{EntropyCoder, Progress};
use shim_codec::pool::Pool;

/// Samples that are counted at a time: a count has 16 bits.
const COUNTED: usize = 1 << 15;

/// Writes differences by tables that are known.
pub(super) struct Differences {
    plan: Arc<LosslessPlan>,
    header: Vec<u8>,
    codes: DifferenceCodes,
    bits: Bits,
    intervals: Intervals,
}

impl Differences {
    pub(super) fn new(plan: &Arc<LosslessPlan>, tables: &[HuffmanSpecification; 2]) -> Self {
        let codes = tables.each_ref().map(HuffmanSpecification::codes);
        Self {
            header: plan.scan_header(tables),
            codes: DifferenceCodes::new(codes.each_ref(), plan.destinations()),
            bits: Bits::new(CHUNK + DIFFERENCE_BYTES * plan.line_length()),
            intervals: Intervals::new(plan.interval),
            plan: Arc::clone(plan),
        }
    }

    /// Codes a line.
    fn line(&mut self, differences: &[i16], mut sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        let Self { plan, codes, bits, intervals, .. } = self;
        if let (_, marker @ Some(_)) = intervals.take(plan.frame.width) {
            bits.emit(marker, sink.as_deref_mut())?;
        }
        put_differences(differences, plan.frame.components.len(), codes, &mut bits.raw, &mut bits.position);
        bits.emit(None, sink)
    }
}

impl EntropyCoder<[i16]> for Differences {
    type Coded = Vec<PartialSegment>;

    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.intervals.seek(0);
        self.bits.clear();
        sink(&self.header)
    }

    fn seek(&mut self, row: usize) {
        self.intervals.seek(row * self.plan.frame.mcu_height() * self.plan.frame.width);
    }

    fn code(&mut self, line: &mut [i16], sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        self.line(line, sink)
    }

    fn take(&mut self) -> Vec<PartialSegment> {
        self.bits.take_parts()
    }

    fn append(&mut self, parts: Vec<PartialSegment>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.append(&parts, sink)
    }

    fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.flush(sink)
    }

    fn end(&mut self, _pool: &Pool, sink: &mut Sink<'_>, _progress: &mut Progress<'_>) -> Result<(), Error> {
        self.bits.finish(sink)
    }
}

/// The number of differences of each category, by the table of their component.
type Counts = [[u64; CATEGORIES]; 2];

/// Counts differences for the tables that fit them, and keeps them if they are needed again.
pub(super) struct DifferenceBuffer {
    plan: Arc<LosslessPlan>,
    counts: Counts,
    keeps: bool,
    lines: Vec<i16>,
}

impl DifferenceBuffer {
    pub(super) fn new(plan: &Arc<LosslessPlan>, keeps: bool) -> Self {
        Self { plan: Arc::clone(plan), counts: Counts::default(), keeps, lines: Vec::new() }
    }

    /// The tables that fit the differences.
    pub(super) fn tables(&self) -> [HuffmanSpecification; 2] {
        let table = |counts: [u64; CATEGORIES]| {
            optimal::table(&core::array::from_fn(|v| counts.get(v).copied().unwrap_or(0)))
        };
        self.counts.map(table)
    }

    /// Counts the differences of a line.
    fn count(&mut self, line: &[i16]) {
        let n = self.plan.frame.components.len();
        let destinations = self.plan.destinations();
        let all = if destinations.contains(&1) { n } else { 1 };
        // A difference to predictor 4 has up to two bits more than a sample, one of them the sign.
        let greatest = (usize::from(self.plan.frame.bits) + 1).min(CATEGORIES - 1);
        for piece in line.chunks(n * (COUNTED / n)) {
            for (c, destination) in destinations.into_iter().enumerate().take(all) {
                let mut above = [0_u32; CATEGORIES];
                count(piece, all, c, &mut above[..greatest]);
                let mut more = (piece.len() / all) as u32;
                for (count, above) in self.counts[destination].iter_mut().zip(above) {
                    *count += u64::from(more - above);
                    more = above;
                }
            }
        }
    }
}

impl EntropyCoder<[i16]> for DifferenceBuffer {
    type Coded = Counts;

    fn begin(&mut self, _sink: &mut Sink<'_>) -> Result<(), Error> {
        self.counts = Counts::default();
        self.lines.clear();
        Ok(())
    }

    fn seek(&mut self, _row: usize) {
        debug_assert!(!self.keeps, "differences of strips are kept by one thread");
    }

    fn code(&mut self, line: &mut [i16], _sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        self.count(line);
        if self.keeps {
            self.lines.extend_from_slice(line);
        }
        Ok(())
    }

    fn take(&mut self) -> Counts {
        core::mem::take(&mut self.counts)
    }

    fn append(&mut self, counts: Counts, _sink: &mut Sink<'_>) -> Result<(), Error> {
        self.counts.iter_mut().flatten().zip(counts.iter().flatten()).for_each(|(all, more)| *all += more);
        Ok(())
    }

    fn end(&mut self, pool: &Pool, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error> {
        let mut coder = Differences::new(&self.plan, &self.tables());
        coder.begin(sink)?;
        for line in self.lines.chunks(self.plan.line_length()) {
            coder.line(line, Some(&mut *sink))?;
        }
        coder.end(pool, sink, progress)
    }
}
