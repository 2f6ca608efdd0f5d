//! The passage of MCU rows through the stages, which all processes share.

use core::ops::Range;

use crate::entropy::bits::Sink;
use crate::format::frame::{Frame, SEGMENT};
use crate::input::image::Shape;
use crate::kernels::ahead::Ahead;
use crate::pipeline::plan::Plan;
use crate::transform::band::Band;
use crate::transform::plane::Plane;
use crate::transform::sample::Sample;
use crate::transform::segment::{Segment, Transformer};
use crate::{Error, Image};

/// Told of how much is done of all; an error ends the encoding.
pub(crate) type Progress<'p> = dyn FnMut(usize, usize) -> Result<(), Error> + 'p;

/// Told of how many rows of MCUs are done; an error ends the encoding.
pub(crate) type Done<'d> = dyn FnMut(usize) -> Result<(), Error> + 'd;

/// A way to code a frame, row of MCUs by row of MCUs.
pub(crate) trait FrameCoder: Send {
    /// Writes what stands before the coded data, if it is known by then.
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error>;

    /// Takes the rows `indices` of MCUs from `image`, whose first row is row `above` of the frame. Rows come in order;
    /// `done` is told of how many it has seen the end.
    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut Done<'_>,
    ) -> Result<(), Error>;

    /// Writes what is left, after all rows were taken; `progress(done, all)` is told about it.
    fn end(&mut self, sink: &mut Sink<'_>, progress: &mut Progress<'_>) -> Result<(), Error>;

    /// Whether [`begin`](Self::begin) may follow again, for another image of the same shape.
    fn is_reusable(&self) -> bool {
        false
    }
}

/// The pixels of the row after row `index`, as far as they are in the image, whose first row is row `above` of the
/// frame. Nothing is asked for of an image whose samples are no bytes, or whose planes are of different sizes.
pub(crate) fn ahead<'i>(frame: &Frame, image: &Image<'i>, above: usize, index: usize) -> Ahead<'i> {
    let below = [index + 1, index + 2].map(|row| row * frame.mcu_height());
    let [start, end] = below.map(|y| y.saturating_sub(above).min(image.height()));
    match image.shape() {
        Shape { bytes: true, subsampling: None, .. } => {
            Ahead::new(image.raster().rows(start, end - start), frame.mcu_width())
        }
        _ => Ahead::default(),
    }
}

/// The transforms that a plan asks for.
pub(crate) fn transformer<T: Sample>(plan: &Plan) -> Transformer<T> {
    if plan.trellis {
        Transformer::with_trellis(&plan.tables, plan.frame.bits)
    } else {
        Transformer::new(&plan.tables, plan.exact)
    }
}

/// From pixels to coefficients, a row of MCUs at a time.
pub(crate) struct Rows<T: Sample> {
    pub(crate) frame: Frame,
    transformer: Transformer<T>,
    band: Band<T>,
}

impl<T: Sample> Rows<T> {
    pub(crate) fn new(plan: &Plan) -> Self {
        let band = Band::new(&plan.frame, plan.conversion);
        Self { frame: plan.frame.clone(), transformer: transformer(plan), band }
    }

    /// Takes row `index` from the image, whose first row is row `above` of the frame.
    pub(crate) fn fill(&mut self, image: &Image<'_>, above: usize, index: usize) {
        self.band.fill(image, above, index);
    }

    /// See [`ahead`].
    pub(crate) fn ahead<'i>(&self, image: &Image<'i>, above: usize, index: usize) -> Ahead<'i> {
        ahead(&self.frame, image, above, index)
    }

    /// Transforms the MCUs from `mcu` on of that row.
    pub(crate) fn segment(&mut self, index: usize, mcu: usize, segment: &mut Segment) {
        self.transformer.segment(&self.frame, &self.band, index, mcu, segment);
    }

    /// The samples of the row that was taken.
    pub(crate) fn planes(&self) -> impl Iterator<Item = &Plane<T>> {
        self.band.planes()
    }

    /// Takes row `index` and transforms all of it.
    pub(crate) fn transform(
        &mut self,
        image: &Image<'_>,
        above: usize,
        index: usize,
        segments: &mut [Segment],
    ) {
        self.fill(image, above, index);
        for (segment, mcu) in segments.iter_mut().zip((0..).step_by(SEGMENT)) {
            self.segment(index, mcu, segment);
        }
    }
}
