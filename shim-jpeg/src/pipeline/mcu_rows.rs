//! From the pixels of an image to quantized coefficients.

use alloc::sync::Arc;
use core::ops::Range;

use crate::format::frame::RUN;
use crate::pipeline::driver::Source;
use crate::pipeline::plan::Plan;
use crate::transform::mcu_row::McuRow;
use crate::transform::mcu_run::{McuRun, Transformer};
use crate::transform::sample::Sample;
use crate::{Error, Image};

/// Makes runs of MCUs.
pub(crate) struct McuRows<T: Sample> {
    plan: Arc<Plan>,
    row: McuRow<T>,
    transformer: Transformer<T>,
    run: McuRun,
}

impl<T: Sample> McuRows<T> {
    pub(crate) fn new(plan: &Arc<Plan>) -> Self {
        let frame = &plan.frame;
        // Scans of single components are not in the order of MCUs.
        let side_by_side = plan.scans.len() == 1;
        let row = McuRow::new(frame, plan.conversion, plan.libjpeg_compatible, side_by_side);
        let run = McuRun::new(frame, row.most() * frame.mcus_wide());
        let transformer = if plan.trellis {
            Transformer::with_trellis(&plan.tables, frame.bits)
        } else {
            Transformer::new(&plan.tables, plan.libjpeg_compatible)
        };
        Self { plan: Arc::clone(plan), row, transformer, run }
    }

    /// Takes the first of the MCU rows `rows`, or several at once; see [`Source::units`]. Returns their number.
    pub(crate) fn fill(&mut self, image: &Image<'_>, above: usize, rows: Range<usize>) -> usize {
        self.row.fill(image, above, rows);
        self.row.taken()
    }

    /// The MCUs from `mcu` on of the rows that were taken, the first of which is row `index`, and their samples.
    pub(crate) fn run(&mut self, index: usize, mcu: usize) -> (&mut McuRun, &McuRow<T>) {
        self.transformer.run(&self.plan.frame, &self.row, index, mcu, &mut self.run);
        (&mut self.run, &self.row)
    }
}

impl<T: Sample> Source for McuRows<T> {
    type Unit = McuRun;

    fn units(
        &mut self,
        image: &Image<'_>,
        above: usize,
        rows: Range<usize>,
        mut code: impl FnMut(&mut McuRun) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let index = rows.start;
        let taken = self.fill(image, above, rows);
        for mcu in (0..taken * self.plan.frame.mcus_wide()).step_by(RUN) {
            code(self.run(index, mcu).0)?;
        }
        Ok(taken)
    }
}
