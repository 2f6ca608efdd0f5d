//! A scan of MCUs (T.81 E.1.3 and E.1.4): restart intervals and predictions, whatever MCUs become.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::Error;
use crate::entropy::bits::Sink;
use crate::format::restart::Intervals;
use crate::format::script::ScanSpec;
use crate::kernels::mcu::{McuBlock, Mcus, Predictions, ScanComponent, find_blocks};
use crate::kernels::partial::dc_of_block;
use crate::kernels::progressive::SpectralBand;
use crate::kernels::tile::Blocks;
use crate::pipeline::driver::{EntropyCoder, Progress};
use crate::pipeline::plan::Plan;
use crate::pipeline::scan_header::restart_interval;
use crate::transform::mcu_run::McuRun;
use shim_codec::pool::Pool;

/// The coefficients of a block that a scan codes (T.81 G.1.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coded {
    /// All of them.
    Blocks,
    /// DC.
    Dc,
    /// A band of AC coefficients.
    Ac,
}

impl Coded {
    /// Those that the scan `spec` codes.
    pub(crate) fn by(spec: &ScanSpec) -> Self {
        match (spec.ss, spec.se) {
            (0, 63) => Self::Blocks,
            (0, _) => Self::Dc,
            _ => Self::Ac,
        }
    }
}

/// Makes coded data of MCUs that no restart divides.
pub(crate) trait Emitter: Send {
    /// The coded form of MCUs that another emitter takes.
    type Part: Send;

    /// The most MCUs that it takes at a time.
    const BATCH: usize;

    /// An emitter for the scan `spec`, with the memory of another if that is no longer needed.
    fn new(plan: &Arc<Plan>, spec: &ScanSpec, memory: Option<Self>) -> Self
    where
        Self: Sized;

    /// Begins a scan, whatever was made before, and writes its header if that is known by now.
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error>;

    /// Adds MCUs of a scan whose first component is `first`.
    fn add(&mut self, mcus: &Mcus<'_>, first: ScanComponent, predictions: &mut Predictions);

    /// Hands on what is complete, to the sink if there is one. A restart with this marker follows, if one is given.
    fn emit(&mut self, restart: Option<[u8; 2]>, sink: Option<&mut Sink<'_>>) -> Result<(), Error>;

    /// Takes what was made.
    fn take(&mut self) -> Self::Part;

    /// Appends what another emitter took.
    fn append(&mut self, part: Self::Part, sink: &mut Sink<'_>) -> Result<(), Error>;

    /// Writes complete bytes.
    fn flush(&mut self, _sink: &mut Sink<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Ends the scan, which follows the scans `before`, and writes everything that is not written yet.
    fn end(&mut self, before: &[ScanSpec], pool: &Pool, sink: &mut Sink<'_>) -> Result<(), Error>;
}

/// The coder of a scan.
pub(crate) struct Scan<E> {
    plan: Arc<Plan>,
    spec: ScanSpec,
    components: Vec<ScanComponent>,
    /// The blocks of each MCU of the run that is coded.
    blocks: Vec<McuBlock>,
    predictions: Predictions,
    intervals: Intervals,
    /// The interval of rows that this coder codes for another one.
    interval: Option<Interval>,
    pub(crate) emitter: E,
}

/// The beginning of rows that were coded without those before them. DC is coded as the difference to the block before
/// it (F.1.1.5.1): all MCUs but the first can be coded by themselves.
struct Interval {
    /// Number of the first MCU in the scan.
    first: usize,
    /// The first MCU, which is left to the one who appends the interval.
    left_out: Option<McuRun>,
}

/// A coded interval of rows.
pub(crate) struct CodedInterval<P> {
    interval: Option<Interval>,
    /// Everything after the first MCU.
    rest: P,
    /// Those after the last MCU.
    predictions: Predictions,
}

impl<E: Emitter> Scan<E> {
    /// A coder of the scan `spec`, with the memory of an emitter that is no longer needed.
    pub(crate) fn new(plan: &Arc<Plan>, spec: &ScanSpec, memory: Option<E>) -> Self {
        // With one component, an MCU is one block whatever H and V say (A.2.2).
        let single = spec.components.len() == 1;
        let components = spec.components.iter().map(|&c| {
            let component = plan.frame.components[usize::from(c)];
            let (h, v) = if single { (1, 1) } else { (component.h, component.v) };
            // It has no blocks that complete MCUs.
            let blocks_wide = if single { usize::MAX } else { component.blocks_wide };
            ScanComponent { h, v, blocks_wide, table: component.table.into(), ..ScanComponent::default() }
        });
        Self {
            plan: Arc::clone(plan),
            spec: spec.clone(),
            components: components.collect(),
            blocks: Vec::new(),
            predictions: Predictions::default(),
            intervals: Intervals::new(restart_interval(&plan.frame, spec, plan.restart)),
            interval: None,
            emitter: E::new(plan, spec, memory),
        }
    }

    /// Codes the MCU rows of a frame.
    pub(crate) fn rows<'r>(&mut self, rows: impl Iterator<Item = &'r [McuRun]>) -> Result<(), Error> {
        rows.into_iter().try_for_each(|row| self.row(row))
    }

    /// Codes an MCU row. If there is one component, its blocks are coded row by row, without those that only complete
    /// MCUs (A.2.2).
    fn row(&mut self, runs: &[McuRun]) -> Result<(), Error> {
        let [c] = self.spec.components[..] else {
            return runs.iter().try_for_each(|run| self.run(run, 0..run.mcus, None));
        };
        let c = usize::from(c);
        let rows = runs.first().map_or(0, |run| run.blocks[c].high);
        for row in 0..rows {
            for run in runs {
                let own = run.blocks[c];
                self.components[0].blocks = Blocks { row, high: 1, ..own };
                self.mcus(run, 0..own.wide, None)?;
            }
        }
        Ok(())
    }

    /// Codes MCUs of a run.
    fn run(&mut self, run: &McuRun, mcus: Range<usize>, sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        for (component, &c) in self.components.iter_mut().zip(&self.spec.components) {
            component.blocks = run.blocks[usize::from(c)];
        }
        self.mcus(run, mcus, sink)
    }

    /// Codes MCUs of the components' blocks.
    fn mcus(
        &mut self,
        run: &McuRun,
        mcus: Range<usize>,
        mut sink: Option<&mut Sink<'_>>,
    ) -> Result<(), Error> {
        let Self { components, blocks, predictions, intervals, emitter, .. } = self;
        let McuRun { columns, coefficients, .. } = run;
        find_blocks(components, *columns, coefficients, blocks);
        let first = components.first().copied().unwrap_or_default();
        let mut next = mcus.start;
        while next < mcus.end {
            let (count, marker) = intervals.take(E::BATCH.min(mcus.end - next));
            if marker.is_some() {
                emitter.emit(marker, sink.as_deref_mut())?;
                *predictions = Predictions::default();
            }
            let mcus = Mcus { blocks, coefficients, range: next..next + count, columns: *columns };
            emitter.add(&mcus, first, predictions);
            emitter.emit(None, sink.as_deref_mut())?;
            next += count;
        }
        Ok(())
    }
}

impl<E: Emitter> EntropyCoder<McuRun> for Scan<E> {
    type Coded = CodedInterval<E::Part>;

    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.intervals.seek(0);
        self.predictions = Predictions::default();
        self.emitter.begin(sink)
    }

    fn seek(&mut self, row: usize) {
        let first = row * self.plan.frame.mcus_wide();
        self.interval = Some(Interval { first, left_out: None });
    }

    fn code(&mut self, run: &mut McuRun, sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        let mut mcus = 0..run.mcus;
        if let Some(Interval { first, left_out: left_out @ None }) = &mut self.interval {
            self.intervals.seek(*first + 1);
            *left_out = Some(run.first_mcu());
            for ((pred, component), own) in self.predictions.iter_mut().zip(&self.components).zip(run.blocks)
            {
                let place = component.h.min(component.blocks_wide) - 1;
                *pred = dc_of_block(&run.coefficients, [own.component, own.high - 1, place]);
            }
            mcus.start = 1;
        }
        self.run(run, mcus, sink)
    }

    fn take(&mut self) -> Self::Coded {
        let Self { interval, emitter, predictions, .. } = self;
        CodedInterval { interval: interval.take(), rest: emitter.take(), predictions: *predictions }
    }

    fn append(&mut self, coded: Self::Coded, sink: &mut Sink<'_>) -> Result<(), Error> {
        if let Some(Interval { first, left_out: Some(mcu) }) = &coded.interval {
            self.intervals.seek(*first);
            self.run(mcu, 0..1, Some(sink))?;
        }
        self.predictions = coded.predictions;
        self.emitter.append(coded.rest, sink)
    }

    fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.emitter.flush(sink)
    }

    fn end(&mut self, pool: &Pool, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error> {
        self.emitter.end(&[], pool, sink)?;
        progress(1, 1)
    }
}

/// The coefficients of a scan.
pub(crate) fn spectral_band(spec: &ScanSpec) -> SpectralBand {
    SpectralBand { ss: spec.ss.into(), se: spec.se.into(), al: spec.al.into() }
}
