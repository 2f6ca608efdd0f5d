//! The lossless process, SOF3 (T.81 Annex H): one scan of all components, H = V = 1, line after line.
//!
//! Tables that fit an image are made by predicting it twice, which takes less time than memory for its differences.
//! Images that come in strips are predicted once, and their differences wait for the tables.

mod differences;
mod lines;
pub(crate) mod plan;

use alloc::boxed::Box;
use alloc::sync::Arc;

use self::differences::{DifferenceBuffer, Differences};
use self::lines::Lines;
use self::plan::LosslessPlan;
use crate::entropy::bits::Sink;
use crate::format::marker::END_OF_IMAGE;
use crate::input::image::Shape;
use crate::kernels::lossless::greatest;
use crate::pipeline::driver::{Driver, EntropyCoder, FrameCoder, Progress};
use crate::transform::sample::Sample;
use crate::{Error, Image, Pixels};
use shim_codec::pool::Pool;

impl LosslessPlan {
    /// The coder of images that come in strips.
    pub(crate) fn coder(self: &Arc<Self>, shape: Shape) -> Box<dyn FrameCoder> {
        if shape.bytes { self.strips::<u8>() } else { self.strips::<u16>() }
    }

    fn strips<T: Sample>(self: &Arc<Self>) -> Box<dyn FrameCoder> {
        if self.optimized {
            Box::new(self.driver::<T, _>(Pool::one(), |plan| DifferenceBuffer::new(plan, true)))
        } else {
            Box::new(self.driver::<T, _>(Pool::one(), |plan| Differences::new(plan, &plan.default_tables())))
        }
    }

    fn driver<T: Sample, C: EntropyCoder<[i16]>>(
        self: &Arc<Self>,
        pool: Pool,
        coder: impl Fn(&Arc<Self>) -> C + Send + Sync + 'static,
    ) -> Driver<Lines<T>, C> {
        let [lines, own] = [(); 2].map(|()| Arc::clone(self));
        Driver::new(pool, self.frame.mcus_high(), move || Lines::new(&lines), move || coder(&own))
    }

    /// Encodes a whole image.
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
        let (height, mcu_height, all) =
            (self.frame.height, self.frame.mcu_height(), 0..self.frame.mcus_high());
        let passes = 1 + usize::from(self.optimized);
        let mut done =
            |before: usize, end: usize| progress((before + height.min(end * mcu_height)) / passes, height);
        let tables = if self.optimized {
            let mut counting = self.driver::<T, _>(pool.clone(), |plan| DifferenceBuffer::new(plan, false));
            counting.rows(image, 0, all.clone(), &mut |_| Ok(()), &mut |end| done(0, end))?;
            counting.main.tables()
        } else {
            self.default_tables()
        };
        let mut coding = self.driver::<T, _>(pool, move |plan| Differences::new(plan, &tables));
        coding.begin(sink)?;
        coding.rows(image, 0, all, sink, &mut |end| done((passes - 1) * height, end))?;
        coding.end(sink, &mut |_, _| Ok(()))?;
        sink(&END_OF_IMAGE)
    }
}

/// Checks that samples have no more bits than the image says.
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
