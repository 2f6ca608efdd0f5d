//! The driver of an encoding, which every process shares: rows of an image become units, units coded data, and coded
//! data the bytes of a file.
//!
//! | process | [`Source`] | [`EntropyCoder`] |
//! |---|---|---|
//! | sequential, standard tables | MCU rows | `Scan<Huffman>` |
//! | sequential, optimized tables | MCU rows | `Scan<TokenBuffer>` |
//! | sequential, arithmetic coding | MCU rows | `Scan<Arithmetic>` |
//! | several scans, progressive | MCU rows | `CoefficientBuffer` of these |
//! | lossless | lines | `Differences`, `DifferenceBuffer` |

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::entropy::bits::Sink;
use crate::{Error, Image};
use shim_codec::pool::Pool;

/// Called with the work that is done and all work; an error ends the encoding.
pub(crate) type Progress<'p> = dyn FnMut(usize, usize) -> Result<(), Error> + 'p;

/// Called with the number of MCU rows that are done; an error ends the encoding.
pub(crate) type Done<'d> = dyn FnMut(usize) -> Result<(), Error> + 'd;

/// Makes the units that a scan codes, such as the MCUs of a row, from the rows of an image.
pub(crate) trait Source: Send {
    /// The unit, such as a run of MCUs.
    type Unit: ?Sized;

    /// Makes the units of the first of the MCU rows `rows`, or of several at once, and has each coded. Row 0 of `image`
    /// is row `above` of the frame. Returns the number of MCU rows.
    ///
    /// # Errors
    ///
    /// Those of `code`.
    fn units(
        &mut self,
        image: &Image<'_>,
        above: usize,
        rows: Range<usize>,
        code: impl FnMut(&mut Self::Unit) -> Result<(), Error>,
    ) -> Result<usize, Error>;

    /// Called after the last row of an image, when another one continues the frame.
    fn end_of_strip(&mut self, _image: &Image<'_>) {}
}

/// Codes the units of a frame.
pub(crate) trait EntropyCoder<U: ?Sized>: Send {
    /// The coded form of units that were coded without those before them.
    type Coded: Send;

    /// Begins a frame, whatever was coded before, and writes everything before the coded data that is known by now.
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error>;

    /// Continues with an MCU row whose predecessors are coded by another coder.
    fn seek(&mut self, row: usize);

    /// Codes a unit. Complete bytes go to the sink, if there is one.
    fn code(&mut self, unit: &mut U, sink: Option<&mut Sink<'_>>) -> Result<(), Error>;

    /// Takes what was coded since [`seek`](Self::seek).
    fn take(&mut self) -> Self::Coded;

    /// Appends what another coder took.
    fn append(&mut self, coded: Self::Coded, sink: &mut Sink<'_>) -> Result<(), Error>;

    /// Writes complete bytes.
    fn flush(&mut self, _sink: &mut Sink<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Writes the rest of the scans, after all units were coded.
    fn end(&mut self, pool: &Pool, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error>;
}

/// Codes a frame, MCU row by MCU row.
pub(crate) trait FrameCoder: Send {
    /// Begins a frame, and writes everything before the coded data that is known by now.
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error>;

    /// Codes the MCU rows `rows` of `image`, whose row 0 is row `above` of the frame. Rows come in order; `done` is
    /// told how many MCU rows of the frame are coded.
    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        rows: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut Done<'_>,
    ) -> Result<(), Error>;

    /// Writes the rest, after the last row.
    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error>;
}

/// A source and an entropy coder on the threads of a pool. Each thread takes an interval of rows at a time, whose coded
/// data are put together in order: the file does not depend on the number of threads.
pub(crate) struct Driver<S, C> {
    pool: Pool,
    source: Box<dyn Fn() -> S + Send + Sync>,
    coder: Box<dyn Fn() -> C + Send + Sync>,
    /// Each is made by its thread, so that several threads clear memory.
    workers: Vec<Worker<S, C>>,
    /// The coder of the file.
    pub(crate) main: C,
}

/// The most MCU rows that a thread takes at once.
const LONGEST_INTERVAL: usize = 8;

/// Divides MCU rows into the intervals that threads take: shorter towards the end, so that all end at about the same
/// time.
fn intervals(threads: usize, rows: Range<usize>) -> Vec<Range<usize>> {
    let mut intervals = Vec::new();
    let mut start = rows.start;
    while start < rows.end {
        let length = ((rows.end - start) / (4 * threads)).clamp(1, LONGEST_INTERVAL);
        intervals.push(start..start + length);
        start += length;
    }
    intervals
}

/// The state of a thread.
struct Worker<S, C> {
    source: Option<S>,
    coder: Option<C>,
}

impl<S: Source, C: EntropyCoder<S::Unit>> Driver<S, C> {
    /// A driver for frames of so many MCU rows.
    pub(crate) fn new(
        pool: Pool,
        mcu_rows: usize,
        source: impl Fn() -> S + Send + Sync + 'static,
        coder: impl Fn() -> C + Send + Sync + 'static,
    ) -> Self {
        let workers = 0..pool.threads().min(mcu_rows);
        Self {
            workers: workers.map(|_| Worker { source: None, coder: None }).collect(),
            pool,
            source: Box::new(source),
            main: coder(),
            coder: Box::new(coder),
        }
    }
}

impl<S: Source, C: EntropyCoder<S::Unit>> FrameCoder for Driver<S, C> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.main.begin(sink)
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        rows: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut Done<'_>,
    ) -> Result<(), Error> {
        let Self { pool, source, coder, workers, main } = self;
        if let [worker] = &mut workers[..] {
            let source = worker.source.get_or_insert_with(&*source);
            let Range { mut start, end } = rows;
            while start < end {
                let code = |unit: &mut S::Unit| main.code(unit, Some(&mut *sink));
                let taken = source.units(image, above, start..end, code)?;
                (start..start + taken).try_for_each(|row| done(row + 1))?;
                start += taken;
            }
            source.end_of_strip(image);
            return main.flush(sink);
        }
        let code = |worker: &mut Worker<S, C>, rows: &Range<usize>| {
            let own = worker.coder.get_or_insert_with(&*coder);
            own.seek(rows.start);
            let source = worker.source.get_or_insert_with(&*source);
            let mut start = rows.start;
            while start < rows.end {
                start += source.units(image, above, start..rows.end, |unit| own.code(unit, None))?;
            }
            Ok((rows.end, own.take()))
        };
        pool.in_order(workers, &intervals(pool.threads(), rows), code, |coded: Result<_, Error>| {
            let (end, coded) = coded?;
            main.append(coded, sink)?;
            done(end)
        })
    }

    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error> {
        self.main.end(&self.pool, sink, progress)
    }
}
