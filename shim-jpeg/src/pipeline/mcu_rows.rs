//! From the pixels of an image to quantized coefficients.

use alloc::sync::Arc;
use core::ops::Range;

use crate::format::frame::{Frame, RUN};
use crate::input::image::Shape;
use crate::kernels::prefetch::Prefetch;
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
        mut code: impl FnMut(&mut McuRun, &Prefetch<'_>) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let index = rows.start;
        let taken = self.fill(image, above, rows);
        let mut prefetch =
            if taken == 1 { next_row(&self.plan.frame, image, above, index) } else { Prefetch::default() };
        for mcu in (0..taken * self.plan.frame.mcus_wide()).step_by(RUN) {
            prefetch.move_to(mcu);
            code(self.run(index, mcu).0, &prefetch)?;
        }
        Ok(taken)
    }
}

/// The pixels of the MCU row after row `index` that are in `image`, whose row 0 is row `above` of the frame. Only
/// samples in bytes, and planes of one size, are fetched ahead.
fn next_row<'i>(frame: &Frame, image: &Image<'i>, above: usize, index: usize) -> Prefetch<'i> {
    let below = [index + 1, index + 2].map(|row| row * frame.mcu_height());
    let [start, end] = below.map(|y| y.saturating_sub(above).min(image.height()));
    match image.shape() {
        Shape { bytes: true, subsampling: None, .. } => {
            Prefetch::new(image.raster().rows(start, end - start), frame.mcu_width())
        }
        _ => Prefetch::default(),
    }
}
