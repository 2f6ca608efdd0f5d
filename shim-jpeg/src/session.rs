//! An encoding under way.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::ops::Range;

use crate::bits::Sink;
use crate::encoder::Encoder;
use crate::image::Shape;
use crate::lossless::LosslessPlan;
use crate::marker::END_OF_IMAGE;
use crate::plan::Plan;
use crate::process::Process;
use crate::{Error, Image};

/// A process, and what it is given.
pub(crate) struct Session {
    process: Box<dyn Process>,
    shape: Shape,
    mcu_height: usize,
    /// How often the image or what is made of it is gone through.
    passes: usize,
}

impl Session {
    /// Begins a file for an image of a shape.
    ///
    /// # Errors
    ///
    /// All that the settings and the image can be at fault with, before the first byte, and those of the sink.
    pub(crate) fn new(encoder: &Encoder, shape: Shape, sink: &mut Sink<'_>) -> Result<Self, Error> {
        let mut session = if let Some((predictor, point_transform)) = encoder.lossless {
            let plan = Arc::new(LosslessPlan::new(encoder, predictor, point_transform, shape)?);
            sink(&plan.headers)?;
            Self { process: plan.process(shape), shape, mcu_height: plan.frame.mcu_height(), passes: 1 }
        } else {
            let plan = Arc::new(Plan::new(encoder, shape)?);
            let process = plan.process()?;
            sink(&plan.headers)?;
            Self { process, shape, mcu_height: plan.frame.mcu_height(), passes: plan.passes() }
        };
        session.process.begin(sink)?;
        Ok(session)
    }

    /// All rows of MCUs.
    pub(crate) fn all(&self) -> Range<usize> {
        0..self.shape.height.div_ceil(self.mcu_height)
    }

    /// Rows of pixels in a row of MCUs.
    #[cfg(feature = "std")]
    pub(crate) fn mcu_height(&self) -> usize {
        self.mcu_height
    }

    /// What the images of the file are.
    #[cfg(feature = "std")]
    pub(crate) fn shape(&self) -> Shape {
        self.shape
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
        let height = self.shape.height;
        self.process.rows(image, above, indices, sink, &mut |end| {
            progress(height.min(end * self.mcu_height) / self.passes, height);
        })
    }

    /// Ends the file.
    pub(crate) fn end(
        &mut self,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        let height = self.shape.height;
        let read = height / self.passes;
        self.process.end(sink, &mut |done, all| {
            progress(read + (height - read) * done / all, height);
        })?;
        sink(&END_OF_IMAGE)
    }
}
