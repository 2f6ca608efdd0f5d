//! An encoding under way.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::entropy::bits::Sink;
use crate::format::marker::END_OF_IMAGE;
use crate::input::image::Shape;
use crate::pipeline::arithmetic::Arithmetic;
use crate::pipeline::coefficients::CoefficientBuffer;
use crate::pipeline::driver::{Driver, FrameCoder, Progress};
use crate::pipeline::huffman::Huffman;
use crate::pipeline::lossless::plan::LosslessPlan;
use crate::pipeline::mcu_rows::McuRows;
use crate::pipeline::plan::Plan;
use crate::pipeline::scan::{Emitter, Scan};
use crate::pipeline::token_buffer::TokenBuffer;
use crate::settings::{Process, Settings};
use crate::transform::sample::Sample;
use crate::{Error, Image};
use shim_codec::pool::Pool;

/// A coder, and the image that it is given.
pub(crate) struct Session {
    coder: Box<dyn FrameCoder>,
    /// The marker segments before the first scan.
    headers: Vec<u8>,
    shape: Shape,
    mcu_height: usize,
    /// Number of passes over the image or its coefficients.
    passes: usize,
}

impl Session {
    /// Begins a file for an image of a shape.
    ///
    /// # Errors
    ///
    /// All that the settings and the image can be at fault with, before the first byte, and those of the sink.
    pub(crate) fn new(settings: &Settings, shape: Shape, sink: &mut Sink<'_>) -> Result<Self, Error> {
        let mut session = if let Process::Lossless { predictor, point_transform } = settings.process {
            let plan = LosslessPlan::new(settings, predictor, point_transform, shape)?;
            let (headers, mcu_height) = (plan.headers.clone(), plan.frame.mcu_height());
            Self { coder: Arc::new(plan).coder(shape), headers, shape, mcu_height, passes: 1 }
        } else {
            let plan = Arc::new(Plan::new(settings, shape)?);
            let coder = if plan.bytes { coder::<u8>(&plan)? } else { coder::<u16>(&plan)? };
            let headers = plan.headers.clone();
            Self { coder, headers, shape, mcu_height: plan.frame.mcu_height(), passes: plan.passes() }
        };
        session.begin(sink)?;
        Ok(session)
    }

    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        sink(&self.headers)?;
        self.coder.begin(sink)
    }

    /// Encodes a whole image, with the memory of the image before it if that had the same shape.
    pub(crate) fn encode(
        session: &mut Option<Self>,
        settings: &Settings,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        // After an error the coder may be anywhere in a scan: it is not kept.
        let own = match session.take().filter(|own| own.shape == image.shape()) {
            Some(mut own) => {
                own.begin(sink)?;
                own
            }
            None => Self::new(settings, image.shape(), sink)?,
        };
        let own = session.insert(own);
        let result = own
            .rows(image, 0, own.all(), sink, &mut |_, _| Ok(()))
            .and_then(|()| own.end(sink, &mut |_, _| Ok(())));
        if result.is_err() {
            *session = None;
        }
        result
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

    /// The format of the file's images.
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
        progress: &mut Progress<'_>,
    ) -> Result<(), Error> {
        let height = self.shape.height;
        self.coder.rows(image, above, indices, sink, &mut |end| {
            progress(height.min(end * self.mcu_height) / self.passes, height)
        })
    }

    /// Ends the file.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error> {
        let height = self.shape.height;
        let read = height / self.passes;
        self.coder.end(sink, &mut |done, all| {
            // A single pass has ended with the last row.
            if read == height { Ok(()) } else { progress(read + (height - read) * done / all, height) }
        })?;
        sink(&END_OF_IMAGE)
    }
}

/// The coder that a plan asks for.
///
/// # Errors
///
/// [`Error::Threads`].
fn coder<T: Sample>(plan: &Arc<Plan>) -> Result<Box<dyn FrameCoder>, Error> {
    let [rows, own] = [(); 2].map(|()| Arc::clone(plan));
    let (pool, high) = (plan.threads.pool()?, plan.frame.mcus_high());
    let source = move || McuRows::<T>::new(&rows);
    Ok(match &plan.scans[..] {
        [_] if plan.arithmetic => Box::new(Driver::new(Pool::one(), high, source, scan::<Arithmetic>(plan))),
        [_] if plan.optimized => Box::new(Driver::new(pool, high, source, scan::<TokenBuffer>(plan))),
        [_] => Box::new(Driver::new(pool, high, source, scan::<Huffman>(plan))),
        _ if plan.arithmetic => {
            let coder = move || CoefficientBuffer::<Arithmetic>::new(&own);
            Box::new(Driver::new(pool, high, source, coder))
        }
        _ => Box::new(Driver::new(pool, high, source, move || CoefficientBuffer::<TokenBuffer>::new(&own))),
    })
}

/// Makes coders of the only scan of a plan.
fn scan<E: Emitter>(plan: &Arc<Plan>) -> impl Fn() -> Scan<E> + Send + Sync + 'static {
    let own = Arc::clone(plan);
    move || Scan::new(&own, &own.scans[0], None)
}
