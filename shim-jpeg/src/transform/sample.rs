//! The stages for samples of 8 bits and of 12.

use alloc::boxed::Box;

use crate::format::quality::QuantizationTable;
use crate::input::image::Raw;
use crate::input::raster::Raster;
use crate::kernels::color::{to_ycbcr, to_ycbcr16};
use crate::kernels::color_420::to_ycbcr_420;
use crate::kernels::element::Element;
use crate::kernels::planes::Plane;
use crate::kernels::quantize::{Divisors, Reciprocals, WideDivisors};
use crate::kernels::spectra::{Inverses, Spectra, divided};
use crate::kernels::tile::{Blocks, Coefficients, LANES};
use crate::kernels::transform::{Scratch, WideScratch, samples, transform, transform_fast, transform_wide};

/// A sample of an image as it lies in memory.
pub(crate) trait Sample: Element + Raw + Send + 'static {
    /// A transform with its quantization.
    type Transform: Send;

    /// Memory of a transform.
    type Scratch: Default + Send;

    /// The transform for a table.
    fn transform_for(table: &QuantizationTable, as_libjpeg: bool) -> Self::Transform;

    /// Transforms blocks of a plane.
    fn transform(
        by: &Self::Transform,
        plane: &Plane<Self>,
        blocks: Blocks,
        scratch: &mut Self::Scratch,
        out: &mut Coefficients,
    );

    /// Half the range of samples, which the level shift (A.3.1) takes away.
    const LEVEL: i32;

    /// Fractional bits that the rows' results keep for the columns: more do not fit 32 bits.
    const KEPT: u32;

    /// Transforms blocks of a plane, and does not round.
    fn spectra(
        by: &Inverses,
        plane: &Plane<Self>,
        blocks: Blocks,
        scratch: &mut WideScratch,
        out: &mut Spectra,
    ) {
        for v in 0..blocks.high {
            for t in 0..blocks.wide.div_ceil(LANES) {
                samples(plane, [v, blocks.left + t], Self::LEVEL, &mut scratch.tile);
                divided(by, Self::KEPT, scratch, [blocks.component, blocks.row + v, t], out);
            }
        }
    }

    /// Converts pixels of red, green and blue, or of their complements, to Y, Cb and Cr where they are in the planes.
    const TO_YCBCR: ToYcbcr<Self>;

    /// The same with Cb and Cr at half the resolution, if there is a kernel for both.
    const TO_YCBCR_420: Option<ToYcbcr420<Self>>;
}

/// Converts pixels to planes of Y, Cb and Cr.
pub(crate) type ToYcbcr<T> =
    fn(pixels: Raster<'_, T>, y: &mut Plane<T>, cb: &mut Plane<T>, cr: &mut Plane<T>);

/// Converts pixels, for a libjpeg-compatible file or another, to planes of Y, Cb and Cr.
pub(crate) type ToYcbcr420<T> =
    fn(pixels: Raster<'_, T>, as_libjpeg: bool, y: &mut Plane<T>, cb: &mut Plane<T>, cr: &mut Plane<T>);

/// The transforms of 8-bit samples.
pub(crate) enum NarrowTransform {
    Accurate(Box<Divisors>),
    Fast(Box<Reciprocals>),
}

impl Sample for u8 {
    type Transform = NarrowTransform;
    type Scratch = Scratch;

    fn transform_for(table: &QuantizationTable, as_libjpeg: bool) -> NarrowTransform {
        let fast = if as_libjpeg { None } else { Reciprocals::new(table) };
        fast.map_or_else(|| NarrowTransform::Accurate(Box::new(Divisors::new(table))), NarrowTransform::Fast)
    }

    fn transform(
        by: &NarrowTransform,
        plane: &Plane<u8>,
        blocks: Blocks,
        scratch: &mut Scratch,
        out: &mut Coefficients,
    ) {
        match by {
            NarrowTransform::Accurate(divisors) => transform(plane, divisors, blocks, scratch, out),
            NarrowTransform::Fast(reciprocals) => transform_fast(plane, reciprocals, blocks, scratch, out),
        }
    }

    const LEVEL: i32 = 128;
    const KEPT: u32 = 2;

    const TO_YCBCR: ToYcbcr<u8> = to_ycbcr;
    const TO_YCBCR_420: Option<ToYcbcr420<u8>> = Some(to_ycbcr_420);
}

impl Sample for u16 {
    type Transform = Box<WideDivisors>;
    type Scratch = WideScratch;

    fn transform_for(table: &QuantizationTable, _as_libjpeg: bool) -> Box<WideDivisors> {
        Box::new(WideDivisors::new(table))
    }

    fn transform(
        by: &Box<WideDivisors>,
        plane: &Plane<u16>,
        blocks: Blocks,
        scratch: &mut WideScratch,
        out: &mut Coefficients,
    ) {
        transform_wide(plane, by, blocks, scratch, out);
    }

    const LEVEL: i32 = 2048;
    const KEPT: u32 = 1;

    const TO_YCBCR: ToYcbcr<u16> = to_ycbcr16;
    const TO_YCBCR_420: Option<ToYcbcr420<u16>> = None;
}
