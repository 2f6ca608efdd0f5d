//! One row of MCUs as planes of samples: the memory between the image and the transform.

use alloc::vec::Vec;
use core::ops::Range;

use crate::format::frame::{BLOCK, Component, Frame, RUN};
use crate::input::color::ColorSpace;
use crate::input::raster::Raster;
use crate::kernels::downsample::downsample;
use crate::kernels::planes::{Plane, repeat_last, separate};
use crate::kernels::tile::LANES;
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

/// The most MCU rows wider than half a run that are laid side by side.
const MOST: usize = 4;

/// Number of MCU rows to lay side by side. Blocks are transformed in tiles of [`LANES`], whatever the image's width: a
/// row of an image that is not much wider than a tile, or narrower, leaves lanes unused. In a scan the MCUs of a row
/// follow those of the row above, so that several rows make one.
fn side_by_side(frame: &Frame) -> usize {
    let wide = frame.mcus_wide();
    let most = if 2 * wide <= RUN { RUN / wide } else { MOST };
    // Of a component with one block per MCU, the lanes for each thousand blocks.
    let lanes = |rows: usize| 1000 * (rows * wide).next_multiple_of(LANES) / (rows * wide);
    let best = (1..=most.min(frame.height / frame.mcu_height())).min_by_key(|&rows| (lanes(rows), rows));
    best.filter(|&rows| lanes(rows) + 200 < lanes(1)).unwrap_or(1)
}

/// The planes of an MCU row, or of several side by side. They are filled again for each.
#[derive(Debug)]
pub(crate) struct McuRow<T> {
    height: usize,
    mcu_height: usize,
    conversion: Conversion,
    /// The most MCU rows side by side.
    most: usize,
    /// Those that were taken last.
    taken: usize,
    /// Columns from one of them to the next.
    pitch: usize,
    /// The components at full resolution, without those that are subsampled as they are converted.
    full: Vec<Plane<T>>,
    /// The subsampled components.
    subsampled: Vec<Option<Subsampled<T>>>,
    /// Whether Cb and Cr are averaged as they are converted, tile by tile.
    by_tiles: bool,
    /// Whether these averages are those of libjpeg.
    as_libjpeg: bool,
}

/// A subsampled component.
#[derive(Debug)]
struct Subsampled<T> {
    plane: Plane<T>,
    /// Samples of the image for each of its own, in a column and in a row.
    factors: [usize; 2],
}

impl<T: Sample> McuRow<T> {
    /// Memory for an MCU row of a frame, or with `several` for as many as fill the tiles of the transform. Subsampled
    /// components of a libjpeg-compatible file are those of libjpeg.
    pub(crate) fn new(frame: &Frame, conversion: Conversion, as_libjpeg: bool, several: bool) -> Self {
        let most = if several && conversion != Conversion::Planes { side_by_side(frame) } else { 1 };
        let halved = frame.space == ColorSpace::YCbCr
            && frame.components.iter().map(|c| [c.h, c.v]).eq([[2, 2], [1, 1], [1, 1]]);
        let by_tiles = halved && conversion == Conversion::ToYcbcr && T::TO_YCBCR_420.is_some();
        let mcu_height = frame.mcu_height();
        let pitch = if most == 1 { frame.width } else { frame.mcus_wide() * frame.mcu_width() };
        // The last tile may reach beyond the last row.
        let width = (most - 1) * pitch + if by_tiles { frame.width.next_multiple_of(TILE) } else { pitch };
        let plane = |c: usize| match (by_tiles, c) {
            (true, 1..) => Plane::default(),
            _ => Plane::new(mcu_height, width),
        };
        let subsampled = |component: &Component| {
            let factors = [frame.v_max / component.v, frame.h_max / component.h];
            // A row of averages fills the last block: they are not all equal where samples are repeated.
            let columns = if conversion == Conversion::Planes || by_tiles {
                width.div_ceil(factors[1])
            } else {
                most * BLOCK * component.h * frame.mcus_wide()
            };
            let plane = || Plane::new(BLOCK * component.v, columns);
            (factors != [1, 1]).then(|| Subsampled { plane: plane(), factors })
        };
        // Luminance alone is converted with chrominance.
        let planes = frame.components.len().max(if conversion == Conversion::ToYcbcr { 3 } else { 0 });
        Self {
            height: frame.height,
            mcu_height,
            conversion,
            most,
            taken: 0,
            pitch,
            full: (0..planes).map(plane).collect(),
            subsampled: frame.components.iter().map(subsampled).collect(),
            by_tiles,
            as_libjpeg,
        }
    }

    /// The most MCU rows that are taken at once.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Number of MCU rows that were taken.
    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    /// The planes as [`fill`](Self::fill) left them, in the order of the frame's components.
    pub(crate) fn planes(&self) -> impl Iterator<Item = &Plane<T>> {
        self.full.iter().zip(&self.subsampled).map(|(full, own)| own.as_ref().map_or(full, |own| &own.plane))
    }

    /// Takes the pixels of the first of the MCU rows `rows`, or of several that are whole, from `image`, whose row 0 is
    /// row `above` of the frame.
    pub(crate) fn fill(&mut self, image: &Image<'_>, above: usize, rows: Range<usize>) {
        let whole = rows.end.min(self.height / self.mcu_height).saturating_sub(rows.start);
        self.taken = whole.min(self.most).max(1);
        let first = rows.start * self.mcu_height;
        let height = self.mcu_height.min(self.height - first);
        if self.conversion == Conversion::Planes {
            return self.take_planes(image, first - above, height);
        }
        // Conversion by tiles completes the last squares.
        let converted = if self.by_tiles { height.next_multiple_of(2) } else { height };
        for plane in &mut self.full {
            plane.rows = converted;
        }
        for Subsampled { plane, factors } in self.subsampled.iter_mut().flatten() {
            let v = self.mcu_height / (BLOCK * factors[0]);
            // Below the image, the averages are what is repeated: it costs fewer bits than averages of repeated
            // samples, which only complete the last rows that are averaged together.
            plane.rows = v * height.div_ceil(v * factors[0]);
        }
        for part in 0..self.taken {
            let first = first + part * self.mcu_height - above;
            self.convert(image.raster().rows(first, height).at(part * self.pitch));
        }
        if !self.by_tiles {
            for (own, full) in self.subsampled.iter_mut().zip(&self.full) {
                if let Some(Subsampled { plane, factors }) = own {
                    downsample(full, *factors, plane);
                }
            }
        }
    }

    /// Converts the pixels of an MCU row to planes.
    fn convert(&mut self, pixels: Raster<'_, T>) {
        if let (true, Some(convert), [_, Some(cb), Some(cr)]) =
            (self.by_tiles, T::TO_YCBCR_420, &mut self.subsampled[..])
        {
            return convert(pixels, self.as_libjpeg, &mut self.full[0], &mut cb.plane, &mut cr.plane);
        }
        let (converted, others) = match self.conversion {
            Conversion::ToYcbcr => self.full.split_at_mut(3),
            Conversion::Separate { .. } | Conversion::Planes => self.full.split_at_mut(0),
        };
        if let [y, cb, cr] = converted {
            T::TO_YCBCR(pixels, y, cb, cr);
        }
        for (c, plane) in (converted.len()..).zip(others) {
            let reversed = self.conversion == Conversion::Separate { reversed: true };
            let samples = pixels.component(if reversed { 2 - c } else { c });
            let size = [pixels.height, pixels.width];
            separate(samples, pixels.step(), pixels.stride, size, pixels.left, plane);
        }
        if self.most > 1 {
            for plane in &mut self.full {
                repeat_last(plane, [pixels.left, pixels.left + pixels.width, pixels.left + self.pitch]);
            }
        }
    }

    /// Copies rows of the planes of Y, Cb and Cr, the latter at their own resolution.
    fn take_planes(&mut self, image: &Image<'_>, first: usize, rows: usize) {
        for (c, (full, own)) in self.full.iter_mut().zip(&mut self.subsampled).enumerate() {
            let Some(image) = image.plane(c) else { continue };
            let (plane, v) = match own {
                Some(Subsampled { plane, factors, .. }) => (plane, factors[0]),
                None => (full, 1),
            };
            plane.rows = rows.div_ceil(v);
            let pixels = image.raster().rows(first / v, plane.rows);
            separate(pixels.component(0), 1, pixels.stride, [pixels.height, pixels.width], 0, plane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mcu_row(
        size: [usize; 2],
        space: ColorSpace,
        luminance: [u8; 2],
        conversion: Conversion,
    ) -> McuRow<u8> {
        let factors = [luminance, [1, 1], [1, 1]];
        let frame = Frame::new(size, 8, space, &factors[..space.identifiers().len()]).unwrap();
        McuRow::new(&frame, conversion, false, false)
    }

    #[test]
    fn chrominance_averages_repeated_samples_to_the_right() {
        // Three by two pixels of pure red and blue; Cr tells them apart: 255 and 107.
        let (red, blue) = ([255, 0, 0], [0, 0, 255]);
        let pixels = [red, red, blue, blue, red, red].concat();
        let image = Image::rgb(&pixels, 3, 2).unwrap();
        let mut mcu_row = mcu_row([3, 2], ColorSpace::YCbCr, [2, 2], Conversion::ToYcbcr);
        mcu_row.fill(&image, 0, 0..1);
        let cr = mcu_row.planes().nth(2).unwrap();
        assert_eq!((cr.rows, cr.columns), (1, TILE / 2));
        // First square: red, red, blue, red. Second: blue and red, each repeated once. Further: the same again.
        let (first, second) = ((3 * 255 + 107 + 1) / 4, (2 * 107 + 2 * 255 + 2) / 4);
        assert_eq!(
            cr.samples[..8],
            [first, second, second, second, second, second, second, second].map(|v| v as u8)
        );
    }

    #[test]
    fn the_last_row_may_have_fewer_rows() {
        let pixels: Vec<u8> = (0..10 * 19).map(|i| i as u8).collect();
        let image = Image::gray(&pixels, 10, 19).unwrap();
        let mut mcu_row =
            mcu_row([10, 19], ColorSpace::Gray, [2, 2], Conversion::Separate { reversed: false });
        for index in 0..3 {
            mcu_row.fill(&image, 0, index..index + 1);
            let plane = mcu_row.planes().next().unwrap();
            assert_eq!((plane.rows, plane.columns), ([8, 8, 3][index], 10));
            assert_eq!(plane.samples[..10 * plane.rows], pixels[80 * index..][..10 * plane.rows]);
        }
    }

    #[test]
    fn a_row_of_an_image_that_begins_further_down() {
        let pixels: Vec<u8> = (0..10 * 19).map(|i| i as u8).collect();
        let image = Image::gray(&pixels[80..], 10, 11).unwrap();
        let mut mcu_row =
            mcu_row([10, 19], ColorSpace::Gray, [1, 1], Conversion::Separate { reversed: false });
        mcu_row.fill(&image, 8, 1..2);
        assert_eq!(mcu_row.planes().next().unwrap().samples, pixels[80..160]);
    }

    fn frame_of(width: usize, height: usize) -> Frame {
        Frame::new([width, height], 8, ColorSpace::YCbCr, &[[2, 2], [1, 1], [1, 1]]).unwrap()
    }

    #[test]
    fn rows_of_narrow_images_are_laid_side_by_side() {
        let rows = |width, height| side_by_side(&frame_of(width, height));
        assert_eq!(rows(16, 16), 1, "there is one row");
        assert_eq!(rows(16, 31), 1, "the second row is not whole");
        assert_eq!(rows(16, 2000), 64 / 2, "half a run fills the tiles");
        assert_eq!(rows(64, 64), 4);
        assert_eq!(rows(256, 256), 2);
        assert_eq!(rows(512, 512), 1);
        assert_eq!(rows(640, 480), 4);
        assert_eq!(rows(1920, 1080), 1);
    }

    #[test]
    fn rows_side_by_side_are_those_one_by_one() {
        for (factors, width) in [([2, 2], 20), ([2, 1], 100), ([1, 1], 50), ([4, 1], 37), ([2, 2], 150)] {
            for space in [ColorSpace::YCbCr, ColorSpace::Rgb] {
                let pixels: Vec<u8> = (0..3 * width * 70).map(|i| (i * i / 3) as u8).collect();
                let image = Image::rgb(&pixels, width, 70).unwrap();
                let factors = [factors, [1, 1], [1, 1]];
                let frame = Frame::new([width, 70], 8, space, &factors).unwrap();
                let conversion = Conversion::new(Pixels::Rgb, space).unwrap();
                let (mut several, mut one) = (
                    McuRow::<u8>::new(&frame, conversion, false, true),
                    McuRow::new(&frame, conversion, false, false),
                );
                let mut index = 0;
                while index < frame.mcus_high() {
                    several.fill(&image, 0, index..frame.mcus_high());
                    let taken = several.taken();
                    assert!(
                        taken <= several.most() && (taken > 1 || index > 0),
                        "{taken} of {}",
                        several.most()
                    );
                    for part in 0..taken {
                        one.fill(&image, 0, index + part..frame.mcus_high());
                        for ((component, all), own) in
                            frame.components.iter().zip(several.planes()).zip(one.planes())
                        {
                            let pitch = 8 * component.h * frame.mcus_wide();
                            let wide = (8 * component.blocks_wide).min(own.columns);
                            assert_eq!(all.rows, own.rows);
                            for y in 0..own.rows {
                                let all = &all.samples[y * all.columns + part * pitch..][..wide];
                                assert_eq!(
                                    all,
                                    &own.samples[y * own.columns..][..wide],
                                    "{space:?} {part} {y}"
                                );
                            }
                        }
                    }
                    index += taken;
                }
            }
        }
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
