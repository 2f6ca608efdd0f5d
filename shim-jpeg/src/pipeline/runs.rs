//! Rows of MCUs that several threads code, some each, without waiting for one another.
//!
//! DC is coded as the difference to the block before (T.81 F.1.1.5.1), and so the first MCU of a run of rows cannot be
//! coded before the run before it is transformed. It is left open: each thread begins its run with the second MCU, and
//! who puts the runs together codes the first ones.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::format::frame::SEGMENT;
use crate::kernels::ahead::Ahead;
use crate::pipeline::plan::Plan;
use crate::pipeline::process::{Done, Rows};
use crate::pool::Pool;
use crate::transform::sample::Sample;
use crate::transform::segment::Segment;
use crate::{Error, Image};

/// Codes consecutive MCUs.
pub(crate) trait Coder: Send {
    /// The coded form of a run.
    type Coded: Send;

    /// Goes to an MCU of the scan, before which the components' DC was `predictions`.
    fn seek(&mut self, mcu: usize, predictions: &[i32]);

    /// Codes MCUs of a segment, and meanwhile brings what is ahead nearer.
    fn code(&mut self, segment: &Segment, mcus: Range<usize>, ahead: &Ahead<'_>);

    /// Takes what was coded since the last call.
    fn take(&mut self) -> Self::Coded;
}

/// The rows of a frame, coded by the threads of a pool.
pub(crate) struct Runs<T: Sample, C: Coder> {
    plan: Arc<Plan>,
    pool: Pool,
    coder: Box<dyn Fn() -> C + Send + Sync>,
    /// One for each thread, which makes it when it begins: memory is cleared by several, too.
    workers: Vec<Option<Worker<T, C>>>,
    /// Codes the first MCU of each run.
    openings: C,
    /// DC of the last blocks of the rows before.
    predictions: Vec<i32>,
}

/// The state for one run at a time.
struct Worker<T: Sample, C> {
    rows: Rows<T>,
    segment: Segment,
    coder: C,
}

/// Some rows of MCUs.
struct Run<C> {
    rows: Range<usize>,
    /// The first MCU.
    opening: Segment,
    /// All that follow it.
    coded: C,
    /// DC of the last blocks.
    predictions: Vec<i32>,
}

impl<T: Sample, C: Coder> Runs<T, C> {
    /// The threads of a pool, and coders for them.
    pub(crate) fn new(plan: &Arc<Plan>, pool: Pool, coder: impl Fn() -> C + Send + Sync + 'static) -> Self {
        Self {
            plan: Arc::clone(plan),
            workers: (0..pool.threads().min(plan.frame.mcus_high())).map(|_| None).collect(),
            pool,
            openings: coder(),
            coder: Box::new(coder),
            predictions: vec![0; plan.frame.components.len()],
        }
    }

    /// The threads.
    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Codes the rows `indices` of an image whose first row is row `above` of the frame. What they become is given to
    /// `take` piece by piece, and `done` is told at which row each ends.
    ///
    /// # Errors
    ///
    /// Those of `take`.
    pub(crate) fn code(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        mut take: impl FnMut(C::Coded) -> Result<(), Error>,
        done: &mut Done<'_>,
    ) -> Result<(), Error> {
        let Self { plan, pool, coder, workers, openings, predictions } = self;
        let frame = &plan.frame;
        let mcus_wide = frame.mcus_wide();
        let new = || Worker { rows: Rows::new(plan), segment: Segment::new(frame), coder: coder() };
        let code = |worker: &mut Option<Worker<T, C>>, rows: &Range<usize>| {
            worker.get_or_insert_with(new).run(image, above, rows.clone())
        };
        pool.in_order(workers, &pool.runs(indices), code, |run| {
            openings.seek(run.rows.start * mcus_wide, predictions);
            openings.code(&run.opening, 0..1, &Ahead::default());
            take(openings.take())?;
            take(run.coded)?;
            *predictions = run.predictions;
            done(run.rows.end)?;
            Ok(())
        })
    }
}

impl<T: Sample, C: Coder> Worker<T, C> {
    fn run(&mut self, image: &Image<'_>, above: usize, rows: Range<usize>) -> Run<C::Coded> {
        let Self { rows: own, segment, coder } = self;
        let (components, mcus_wide) = (own.frame.components.len(), own.frame.mcus_wide());
        let mut opening = None;
        for index in rows.clone() {
            own.fill(image, above, index);
            let mut ahead = own.ahead(image, above, index);
            for mcu in (0..mcus_wide).step_by(SEGMENT) {
                own.segment(index, mcu, segment);
                ahead.move_to(mcu);
                let first = usize::from(opening.is_none());
                opening.get_or_insert_with(|| {
                    let opening = segment.opening(&own.frame);
                    coder.seek(index * mcus_wide + 1, &opening.predictions(components));
                    opening
                });
                coder.code(segment, first..segment.mcus, &ahead);
            }
        }
        Run {
            rows,
            opening: opening.expect("a run has rows, and a row MCUs"),
            coded: coder.take(),
            predictions: segment.predictions(components),
        }
    }
}
