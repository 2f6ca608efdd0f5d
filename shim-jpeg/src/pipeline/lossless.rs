//! The lossless process, SOF3 (T.81 Annex H): one scan of all components, H = V = 1, row after row.
//!
//! Tables that fit the image are made by predicting it twice: differences take less time than memory for them would.

mod lines;
pub(crate) mod plan;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use self::lines::Lines;
use self::plan::LosslessPlan;
use crate::entropy::bits::{Bits, Pieces, Sink};
use crate::entropy::optimal;
use crate::format::frame::MAX_COMPONENTS;
use crate::format::marker::{self, END_OF_IMAGE};
use crate::format::restart::Intervals;
use crate::input::image::Shape;
use crate::kernels::lossless::{
    CATEGORIES, DIFFERENCE_BYTES, DifferenceCodes, count, greatest, put_differences,
};
use crate::kernels::tables::{HuffmanSpecification, typical_differences};
use crate::pipeline::process::{Done, FrameCoder, Progress};
use crate::transform::sample::Sample;
use crate::{Error, Image, Pixels};

/// Bytes that are coded before they are given away, and those of a row.
const PIECE: usize = 1 << 15;

impl LosslessPlan {
    /// The process that takes the image row by row. If tables are to fit it, it keeps its differences.
    pub(crate) fn process(self: &Arc<Self>, shape: Shape) -> Box<dyn FrameCoder> {
        if shape.bytes { Box::new(Lossless::<u8>::new(self)) } else { Box::new(Lossless::<u16>::new(self)) }
    }

    /// Encodes a whole image. Tables that fit it are made by predicting it twice.
    ///
    /// # Errors
    ///
    /// Those of the sink, and [`Error::Threads`].
    pub(crate) fn encode(
        self: &Arc<Self>,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut Progress<'_>,
    ) -> Result<(), Error> {
        if image.shape().bytes {
            self.encode_samples::<u8>(image, sink, progress)
        } else {
            self.encode_samples::<u16>(image, sink, progress)
        }
    }

    fn encode_samples<T: Sample>(
        self: &Arc<Self>,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut Progress<'_>,
    ) -> Result<(), Error> {
        let pool = self.threads.pool()?;
        sink(&self.headers)?;
        let (height, rows) = (self.frame.height, self.frame.mcu_height());
        let runs = pool.runs(0..self.frame.mcus_high());
        let lines = |run: &Range<usize>| rows * run.start..height.min(rows * run.end);
        let mut workers: Vec<Lines<T>> = (0..pool.threads()).map(|_| Lines::new(self)).collect();
        let passes = 1 + usize::from(self.optimized);
        let tables = if self.optimized {
            let mut counts = Counts::default();
            let count = |worker: &mut Lines<T>, run: &Range<usize>| {
                let mut counts = Counts::default();
                for y in lines(run) {
                    self.count(worker.differences(image, 0, y), &mut counts);
                }
                (lines(run).end, counts)
            };
            pool.in_order(&mut workers, &runs, count, |(end, more)| {
                for (all, more) in counts.iter_mut().flatten().zip(more.iter().flatten()) {
                    *all += more;
                }
                progress(end / passes, height)?;
                Ok(())
            })?;
            counts.map(|counts| table(&counts))
        } else {
            self.typical()
        };
        let counted = (passes - 1) * height;
        let mut coder = Coder::new(self, &tables, sink)?;
        if pool.threads() == 1 {
            for run in &runs {
                for y in lines(run) {
                    coder.line(workers[0].differences(image, 0, y), |bits, marker| {
                        bits.restart(marker, sink)
                    })?;
                    coder.flush(sink)?;
                }
                progress((counted + lines(run).end) / passes, height)?;
            }
        } else {
            let mut workers: Vec<_> =
                workers.into_iter().map(|lines| (lines, coder.clone(), Pieces::default())).collect();
            let code = |(worker, coder, pieces): &mut (Lines<T>, Coder, Pieces), run: &Range<usize>| {
                coder.intervals.seek(lines(run).start * self.frame.width);
                for y in lines(run) {
                    let result = coder.line(worker.differences(image, 0, y), |bits, marker| {
                        pieces.add(bits, Some(marker));
                        Ok(())
                    });
                    debug_assert!(result.is_ok(), "taking bits does not fail");
                    pieces.add(&mut coder.bits, None);
                }
                (lines(run).end, pieces.take(&mut coder.bits))
            };
            pool.in_order(&mut workers, &runs, code, |(end, pieces)| {
                pieces.iter().try_for_each(|piece| coder.bits.add(piece, sink))?;
                progress((counted + end) / passes, height)?;
                Ok(())
            })?;
        }
        coder.bits.finish(sink)?;
        sink(&END_OF_IMAGE)
    }

    /// The tables of an image that is not known yet.
    fn typical(&self) -> [HuffmanSpecification; 2] {
        [(); 2].map(|()| typical_differences(self.frame.bits))
    }

    /// Td of each component.
    fn destinations(&self) -> [usize; MAX_COMPONENTS] {
        core::array::from_fn(|c| self.frame.components.get(c).map_or(0, |component| component.table.into()))
    }

    /// Adds to the counts of each table what it has to code in a row.
    fn count(&self, row: &[i16], counts: &mut Counts) {
        let n = self.frame.components.len();
        let destinations = self.destinations();
        let all = if destinations == [0; MAX_COMPONENTS] { 1 } else { n };
        // A difference to predictor 4 has up to two bits more than a sample, one of them the sign.
        let greatest = (usize::from(self.frame.bits) + 1).min(CATEGORIES - 1);
        for piece in row.chunks(n * (PIECE / n)) {
            for (c, destination) in destinations.into_iter().enumerate().take(all) {
                let mut above = [0_u32; CATEGORIES];
                count(piece, all, c, &mut above[..greatest]);
                let mut more = (piece.len() / all) as u32;
                for (count, above) in counts[destination].iter_mut().zip(above) {
                    *count += u64::from(more - above);
                    more = above;
                }
            }
        }
    }

    /// All between the frame's header and the bits.
    fn scan_header(&self, tables: &[HuffmanSpecification; 2]) -> Vec<u8> {
        let mut header = Vec::new();
        let used = if self.destinations().contains(&1) { 2 } else { 1 };
        for (destination, table) in (0..).zip(&tables[..used]) {
            marker::huffman_table(&mut header, 0, destination, table);
        }
        if self.interval > 0 {
            marker::restart_interval(&mut header, self.interval);
        }
        marker::start_of_lossless_scan(&mut header, &self.frame, self.predictor as u8, self.point_transform);
        header
    }
}

/// The table that fits categories which occur so often.
fn table(counts: &[u64; CATEGORIES]) -> HuffmanSpecification {
    optimal::table(&core::array::from_fn(|v| counts.get(v).copied().unwrap_or(0)))
}

/// Counts of the categories, by the table of their component.
type Counts = [[u64; CATEGORIES]; 2];

/// The coder of the scan.
#[derive(Clone)]
struct Coder {
    plan: Arc<LosslessPlan>,
    codes: DifferenceCodes,
    bits: Bits,
    intervals: Intervals,
}

impl Coder {
    /// Begins the scan by these tables.
    fn new(
        plan: &Arc<LosslessPlan>,
        tables: &[HuffmanSpecification; 2],
        sink: &mut Sink<'_>,
    ) -> Result<Self, Error> {
        sink(&plan.scan_header(tables))?;
        let codes = tables.each_ref().map(HuffmanSpecification::codes);
        let length = plan.frame.components.len() * plan.frame.width;
        Ok(Self {
            codes: DifferenceCodes::new(codes.each_ref(), plan.destinations()),
            bits: Bits::new(PIECE + DIFFERENCE_BYTES * length),
            intervals: Intervals::new(plan.interval),
            plan: Arc::clone(plan),
        })
    }

    /// Codes the differences of a row. What is coded before a restart is handed to `restart` with its marker.
    fn line(
        &mut self,
        differences: &[i16],
        restart: impl FnOnce(&mut Bits, [u8; 2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { plan, codes, bits, intervals } = self;
        if let (_, Some(marker)) = intervals.take(plan.frame.width) {
            restart(bits, marker)?;
        }
        put_differences(differences, plan.frame.components.len(), codes, &mut bits.raw, &mut bits.position);
        Ok(())
    }

    /// Gives complete bytes away, if there are many.
    fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        if self.bits.position.bytes >= PIECE { self.bits.flush(sink) } else { Ok(()) }
    }
}

/// The process for images that come in strips.
struct Lossless<T: Sample> {
    plan: Arc<LosslessPlan>,
    lines: Lines<T>,
    /// The coder, once the tables are known.
    coder: Option<Coder>,
    /// Differences that wait for tables, and what they count.
    waiting: Vec<i16>,
    counts: Counts,
}

impl<T: Sample> Lossless<T> {
    fn new(plan: &Arc<LosslessPlan>) -> Self {
        Self {
            plan: Arc::clone(plan),
            lines: Lines::new(plan),
            coder: None,
            waiting: Vec::new(),
            counts: Counts::default(),
        }
    }
}

impl<T: Sample> FrameCoder for Lossless<T> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        if !self.plan.optimized {
            self.coder = Some(Coder::new(&self.plan, &self.plan.typical(), sink)?);
        }
        Ok(())
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut Done<'_>,
    ) -> Result<(), Error> {
        let Self { plan, lines, coder, waiting, counts } = self;
        let (height, rows) = (plan.frame.height, plan.frame.mcu_height());
        for y in rows * indices.start..height.min(rows * indices.end) {
            let differences = lines.differences(image, above, y);
            if let Some(coder) = coder {
                coder.line(differences, |bits, marker| bits.restart(marker, sink))?;
                coder.flush(sink)?;
            } else {
                plan.count(differences, counts);
                waiting.extend_from_slice(differences);
            }
            if (y + 1).is_multiple_of(rows) || y + 1 == height {
                done((y + 1).div_ceil(rows))?;
            }
        }
        lines.keep_last(image);
        Ok(())
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut Progress<'_>) -> Result<(), Error> {
        let Self { plan, coder, waiting, counts, .. } = self;
        let coder = match coder {
            Some(coder) => coder,
            None => coder.insert(Coder::new(plan, &counts.map(|counts| table(&counts)), sink)?),
        };
        for line in waiting.chunks(plan.frame.components.len() * plan.frame.width) {
            coder.line(line, |bits, marker| bits.restart(marker, sink))?;
            coder.flush(sink)?;
        }
        coder.bits.finish(sink)
    }
}

/// Whether an image has only samples of the bits that it is said to have.
///
/// # Errors
///
/// [`Error::Sample`].
pub(crate) fn check(image: &Image<'_>) -> Result<(), Error> {
    let Shape { bits, bytes, pixels, width, height, .. } = image.shape();
    if bytes {
        return Ok(());
    }
    let all = image.raster();
    // The fourth sample may be anything.
    let step = if matches!(pixels, Pixels::Rgba | Pixels::Bgra) { all.step() } else { 1 };
    let columns = width * all.step() / step;
    let rows = (0..height).filter_map(|y| all.row(y).map(|row| greatest(row, columns, step)).max());
    let above = rows.into_iter().find(|&sample| sample > u16::MAX >> (16 - bits));
    above.map_or(Ok(()), |sample| Err(Error::Sample { sample, bits }))
}
