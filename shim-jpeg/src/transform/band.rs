//! One row of MCUs as planes of samples: the memory between the image and the transform.

use alloc::vec::Vec;

use crate::format::frame::{BLOCK, Component, Frame};
use crate::input::color::ColorSpace;
use crate::input::raster::Raster;
use crate::kernels::downsample::downsample;
use crate::kernels::planes::separate;
use crate::transform::plane::Plane;
use crate::transform::sample::Sample;
use crate::{Error, Image, Pixels};

/// Columns of Y that are converted together where chrominance is averaged at once.
const TILE: usize = 128;

/// The conversion of pixels to components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// Each component is one of the samples of a pixel, in reverse order if the pixel's is.
    Separate { reversed: bool },
    /// Each component is a plane of the image, of as many samples as it has.
    Planes,
    /// By the equations of T.871, of the pixels or of their complements; what comes after the third is separate.
    ToYcbcr,
}

impl Conversion {
    /// From pixels to what a file holds.
    ///
    /// # Errors
    ///
    /// [`Error::Color`] unless it holds the same, or luminance and chrominance of colors, or luminance alone of those.
    pub(crate) fn new(pixels: Pixels, space: ColorSpace) -> Result<Self, Error> {
        match (pixels, space) {
            (Pixels::Rgb | Pixels::Rgba, ColorSpace::Rgb)
            | (Pixels::Gray | Pixels::GrayAlpha | Pixels::YCbCr, ColorSpace::Gray)
            | (Pixels::YCbCr, ColorSpace::YCbCr)
            | (Pixels::Cmyk, ColorSpace::Cmyk)
            | (Pixels::Ycck, ColorSpace::Ycck) => Ok(Self::Separate { reversed: false }),
            (Pixels::Bgr | Pixels::Bgra, ColorSpace::Rgb) => Ok(Self::Separate { reversed: true }),
            (
                Pixels::Rgb | Pixels::Bgr | Pixels::Rgba | Pixels::Bgra,
                ColorSpace::YCbCr | ColorSpace::Gray,
            )
            | (Pixels::Cmyk, ColorSpace::Ycck) => Ok(Self::ToYcbcr),
            _ => Err(Error::Color { pixels, space }),
        }
    }
}

/// The planes of one row of MCUs, filled anew for each.
#[derive(Debug)]
pub(crate) struct Band<T> {
    height: usize,
    mcu_height: usize,
    conversion: Conversion,
    /// The components at the density of the image; without those that are computed at their own.
    fine: Vec<Plane<T>>,
    /// The components whose density is less.
    coarse: Vec<Option<Coarse<T>>>,
    /// Whether Cb and Cr are averaged as they are converted, tile by tile, and never lie in memory at the density of Y.
    by_tiles: bool,
}

/// A component whose density is less than the image's.
#[derive(Debug)]
struct Coarse<T> {
    plane: Plane<T>,
    /// V.
    v: usize,
    /// Samples of the image to one of its, in a column and in a row.
    factors: [usize; 2],
}

impl<T: Sample> Band<T> {
    /// Memory for the rows of MCUs of a frame.
    pub(crate) fn new(frame: &Frame, conversion: Conversion) -> Self {
        let halved = frame.space == ColorSpace::YCbCr
            && frame.components.iter().map(|c| [c.h, c.v]).eq([[2, 2], [1, 1], [1, 1]]);
        let by_tiles = halved && conversion == Conversion::ToYcbcr && T::TO_YCBCR_420.is_some();
        let tiles = frame.width.div_ceil(TILE);
        let (mcu_height, width) = (frame.mcu_height(), frame.width);
        let plane = |c: usize| match (by_tiles, c) {
            (false, _) => Plane::new(mcu_height, width),
            (true, 0) => Plane::new(mcu_height, TILE * tiles),
            (true, _) => Plane::default(),
        };
        let coarse = |component: &Component| {
            let factors = [frame.v_max / component.v, frame.h_max / component.h];
            // A row of averages fills the last block: they are not all equal where samples are repeated.
            let columns = if conversion == Conversion::Planes {
                width.div_ceil(factors[1])
            } else if by_tiles {
                TILE / 2 * tiles
            } else {
                BLOCK * component.h * frame.mcus_wide()
            };
            (factors != [1, 1]).then(|| Coarse {
                plane: Plane::new(BLOCK * component.v, columns),
                v: component.v,
                factors,
            })
        };
        // Luminance alone is converted with what it leaves out.
        let planes = if conversion == Conversion::ToYcbcr {
            frame.components.len().max(3)
        } else {
            frame.components.len()
        };
        Self {
            height: frame.height,
            mcu_height,
            conversion,
            fine: (0..planes).map(plane).collect(),
            coarse: frame.components.iter().map(coarse).collect(),
            by_tiles,
        }
    }

    /// The planes as [`fill`](Self::fill) left them, in the order of the frame's components.
    pub(crate) fn planes(&self) -> impl Iterator<Item = &Plane<T>> {
        self.fine.iter().zip(&self.coarse).map(|(fine, coarse)| coarse.as_ref().map_or(fine, |c| &c.plane))
    }

    /// Takes the pixels of the MCU row `index` of a frame from `image`, whose row 0 is the frame's row `above`.
    pub(crate) fn fill(&mut self, image: &Image<'_>, above: usize, index: usize) {
        let first = index * self.mcu_height;
        let rows = self.mcu_height.min(self.height - first);
        let first = first - above;
        if self.conversion == Conversion::Planes {
            return self.take_planes(image, first, rows);
        }
        let pixels = image.raster().rows(first, rows);
        if self.by_tiles {
            return self.fill_by_tiles(pixels);
        }
        let (converted, others) = match self.conversion {
            Conversion::ToYcbcr => self.fine.split_at_mut(3),
            Conversion::Separate { .. } | Conversion::Planes => self.fine.split_at_mut(0),
        };
        if let [y, cb, cr] = converted {
            T::to_ycbcr(pixels, [&mut y.samples, &mut cb.samples, &mut cr.samples]);
        }
        for (c, plane) in (converted.len()..).zip(others) {
            let reversed = self.conversion == Conversion::Separate { reversed: true };
            let samples = pixels.component(if reversed { 2 - c } else { c });
            separate(samples, pixels.step(), pixels.stride, [rows, pixels.width], &mut plane.samples);
        }
        for plane in &mut self.fine {
            plane.rows = rows;
        }
        for (coarse, fine) in self.coarse.iter_mut().zip(&self.fine) {
            let Some(Coarse { plane, v, factors }) = coarse else { continue };
            // Below the image, the averages are what is repeated: it costs fewer bits than averages of repeated
            // samples, which only complete the last rows that are averaged together.
            plane.rows = *v * rows.div_ceil(*v * factors[0]);
            let size = [plane.rows, plane.columns];
            downsample(&fine.samples, [rows, fine.columns], *factors, &mut plane.samples, size);
        }
    }

    /// Copies rows of the planes of Y, Cb and Cr, the latter at their own density.
    fn take_planes(&mut self, image: &Image<'_>, first: usize, rows: usize) {
        for (c, (fine, coarse)) in self.fine.iter_mut().zip(&mut self.coarse).enumerate() {
            let Some(own) = image.plane(c) else { continue };
            let (plane, v) = match coarse {
                Some(Coarse { plane, factors, .. }) => (plane, factors[0]),
                None => (fine, 1),
            };
            plane.rows = rows.div_ceil(v);
            let pixels = own.raster().rows(first / v, plane.rows);
            separate(pixels.component(0), 1, pixels.stride, [plane.rows, pixels.width], &mut plane.samples);
        }
    }

    fn fill_by_tiles(&mut self, pixels: Raster<'_, T>) {
        let y = &mut self.fine[0];
        let tiles = y.columns / TILE;
        if let (Some(convert), [_, Some(cb), Some(cr)]) = (T::TO_YCBCR_420, &mut self.coarse[..]) {
            let (cb, cr) = (&mut cb.plane, &mut cr.plane);
            let rows = pixels.height;
            convert(pixels, tiles, &mut y.samples, &mut cb.samples, &mut cr.samples);
            (y.rows, cb.rows, cr.rows) = (rows, rows.div_ceil(2), rows.div_ceil(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(size: [usize; 2], space: ColorSpace, luminance: [u8; 2], conversion: Conversion) -> Band<u8> {
        let factors = [luminance, [1, 1], [1, 1]];
        let frame = Frame::new(size, 8, space, &factors[..space.identifiers().len()]).unwrap();
        Band::new(&frame, conversion)
    }

    #[test]
    fn chrominance_averages_repeated_samples_to_the_right() {
        // Three by two pixels of pure red and blue; Cr tells them apart: 255 and 107.
        let (red, blue) = ([255, 0, 0], [0, 0, 255]);
        let pixels = [red, red, blue, blue, red, red].concat();
        let image = Image::rgb(&pixels, 3, 2).unwrap();
        let mut band = band([3, 2], ColorSpace::YCbCr, [2, 2], Conversion::ToYcbcr);
        band.fill(&image, 0, 0);
        let cr = band.planes().nth(2).unwrap();
        assert_eq!((cr.rows, cr.columns), (1, TILE / 2));
        // First square: red, red, blue, red. Second: blue and red, each repeated once. Further: the same again.
        let (first, second) = ((3 * 255 + 107 + 1) / 4, (2 * 107 + 2 * 255 + 2) / 4);
        assert_eq!(
            cr.samples[..8],
            [first, second, second, second, second, second, second, second].map(|v| v as u8)
        );
    }

    #[test]
    fn the_last_band_may_have_fewer_rows() {
        let pixels: Vec<u8> = (0..10 * 19).map(|i| i as u8).collect();
        let image = Image::gray(&pixels, 10, 19).unwrap();
        let mut band = band([10, 19], ColorSpace::Gray, [2, 2], Conversion::Separate { reversed: false });
        for index in 0..3 {
            band.fill(&image, 0, index);
            let plane = band.planes().next().unwrap();
            assert_eq!((plane.rows, plane.columns), ([8, 8, 3][index], 10));
            assert_eq!(plane.samples[..10 * plane.rows], pixels[80 * index..][..10 * plane.rows]);
        }
    }

    #[test]
    fn a_band_of_an_image_that_begins_further_down() {
        let pixels: Vec<u8> = (0..10 * 19).map(|i| i as u8).collect();
        let image = Image::gray(&pixels[80..], 10, 11).unwrap();
        let mut band = band([10, 19], ColorSpace::Gray, [1, 1], Conversion::Separate { reversed: false });
        band.fill(&image, 8, 1);
        assert_eq!(band.planes().next().unwrap().samples, pixels[80..160]);
    }

    #[test]
    fn what_cannot_be_converted() {
        for (pixels, space) in [
            (Pixels::Gray, ColorSpace::YCbCr),
            (Pixels::Rgb, ColorSpace::Cmyk),
            (Pixels::Ycck, ColorSpace::Cmyk),
            (Pixels::YCbCr, ColorSpace::Rgb),
            (Pixels::Cmyk, ColorSpace::Gray),
        ] {
            assert!(matches!(Conversion::new(pixels, space), Err(Error::Color { .. })));
        }
    }
}
