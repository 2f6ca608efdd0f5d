//! An encoding under way.

use std::ops::Range;

use crate::Error;
use crate::Image;
use crate::bits::Sink;
use crate::encoder::Encoder;
use crate::image::Shape;
use crate::marker::END_OF_IMAGE;
use crate::plan::Plan;
use crate::process::Process;

/// A plan, and the process that carries it out.
pub(crate) struct Session {
    plan: Plan,
    process: Box<dyn Process>,
}

impl Session {
    /// Begins a file for an image of a shape.
    ///
    /// # Errors
    ///
    /// All that the settings and the image can be at fault with, before the first byte, and those of the sink.
    pub(crate) fn new(encoder: &Encoder, shape: Shape, sink: &mut Sink<'_>) -> Result<Self, Error> {
        let plan = Plan::new(encoder, shape)?;
        let mut process = plan.process()?;
        sink(&plan.headers)?;
        process.begin(&plan, sink)?;
        Ok(Self { plan, process })
    }

    /// All rows of MCUs.
    pub(crate) fn all(&self) -> Range<usize> {
        0..self.plan.frame.mcus_high()
    }

    /// Rows of pixels in a row of MCUs.
    pub(crate) fn mcu_height(&self) -> usize {
        self.plan.frame.mcu_height()
    }

    /// What the images of the file are.
    pub(crate) fn shape(&self) -> Shape {
        self.plan.shape
    }

    /// Takes rows of MCUs from an image whose first row is row `above` of the file's.
    pub(crate) fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        let height = self.plan.frame.height;
        let batch = self.process.batch();
        for first in indices.clone().step_by(batch) {
            let end = indices.end.min(first + batch);
            self.process.rows(image, above, first..end, sink)?;
            let rows = height.min(end * self.mcu_height());
            progress(rows / self.plan.passes(), height);
        }
        Ok(())
    }

    /// Ends the file.
    pub(crate) fn end(
        &mut self,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        let (height, passes) = (self.plan.frame.height, self.plan.passes());
        let read = height / passes;
        self.process.end(&self.plan, sink, &mut |done, all| {
            progress(read + (height - read) * done / all, height);
        })?;
        sink(&END_OF_IMAGE)
    }
}
