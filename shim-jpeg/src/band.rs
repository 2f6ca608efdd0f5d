//! One row of MCUs as planes of samples: the memory between colour conversion and transform.

use crate::frame::{BLOCK, Frame};
use crate::image::{Image, Row};
use crate::kernels::colour::{interleaved_to_ycbcr, planar_to_ycbcr};
use crate::kernels::downsample::downsample_2x2;
use crate::kernels::pad::pad;

/// The samples of one component in one row of MCUs, complete blocks with repeated edges.
#[derive(Debug)]
pub(crate) struct Plane {
    /// Rows of `stride` samples.
    pub(crate) samples: Vec<u8>,
    /// Samples from one row to the next.
    pub(crate) stride: usize,
}

impl Plane {
    fn new(rows: usize, stride: usize) -> Self {
        Self { samples: vec![0; rows * stride], stride }
    }

    fn row(&mut self, y: usize, width: usize) -> &mut [u8] {
        &mut self.samples[y * self.stride..][..width]
    }

    /// Repeats the edges of an image of `rows` by `columns` samples up to complete blocks.
    fn complete(&mut self, rows: usize, columns: usize) {
        let up = |side: usize| side.next_multiple_of(BLOCK);
        pad(&mut self.samples, self.stride, rows, columns, up(rows), up(columns));
    }
}

/// The planes of one row of MCUs, filled anew for each.
#[derive(Debug)]
pub(crate) struct Band {
    width: usize,
    height: usize,
    mcu_side: usize,
    /// Whether the chrominance has half the density on both axes.
    halved: bool,
    /// Y, Cb and Cr, or Y alone, at the density of each.
    planes: Vec<Plane>,
    /// Cb and Cr at the density of Y, when theirs is another.
    fine: Vec<Plane>,
}

impl Band {
    /// Memory for the rows of MCUs of a frame.
    pub(crate) fn new(frame: &Frame) -> Self {
        let mcus = frame.mcus_wide();
        let plane = |factor: usize| Plane::new(BLOCK * factor, mcus * BLOCK * factor);
        let halved = frame.factor == 2;
        Self {
            width: frame.width,
            height: frame.height,
            mcu_side: frame.mcu_side(),
            halved,
            planes: frame.components.iter().map(|component| plane(component.factor)).collect(),
            fine: if halved { vec![plane(2), plane(2)] } else { Vec::new() },
        }
    }

    /// The planes as [`fill`](Self::fill) left them, in the order of the frame's components.
    pub(crate) fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Takes the pixels of the MCU row `index` of `image`, which has the frame's size.
    ///
    /// Blocks that hold no sample of the image keep what they had: they are not coded from samples.
    pub(crate) fn fill(&mut self, image: &Image<'_>, index: usize) {
        let first = index * self.mcu_side;
        let rows = self.mcu_side.min(self.height - first);
        for y in 0..rows {
            self.fill_row(y, image.row(first + y));
        }
        if self.halved {
            self.planes[0].complete(rows, self.width);
            for (fine, coarse) in self.fine.iter_mut().zip(&mut self.planes[1..]) {
                // Whole squares to average, as many as complete blocks need on the right. Below, the averages
                // are what is repeated: it costs fewer bits than averages of repeated samples.
                let (coarse_rows, coarse_columns) = (rows.div_ceil(2), coarse.stride);
                pad(&mut fine.samples, fine.stride, rows, self.width, 2 * coarse_rows, 2 * coarse_columns);
                downsample_2x2(
                    &fine.samples,
                    fine.stride,
                    &mut coarse.samples,
                    coarse.stride,
                    coarse_rows,
                    coarse_columns,
                );
                coarse.complete(coarse_rows, coarse_columns);
            }
        } else {
            for plane in &mut self.planes {
                plane.complete(rows, self.width);
            }
        }
    }

    /// Converts one row of pixels to row `y` of the planes.
    fn fill_row(&mut self, y: usize, row: Row<'_>) {
        let width = self.width;
        let (luminance, chrominance) = self.planes.split_at_mut(1);
        let luminance = luminance[0].row(y, width);
        let chrominance = if self.halved { &mut self.fine[..] } else { chrominance };
        match (row, chrominance) {
            (Row::Interleaved(rgb), [cb, cr]) => {
                interleaved_to_ycbcr(rgb, luminance, cb.row(y, width), cr.row(y, width));
            }
            (Row::Planar([r, g, b]), [cb, cr]) => {
                planar_to_ycbcr(r, g, b, luminance, cb.row(y, width), cr.row(y, width));
            }
            (Row::Grey(grey), _) => luminance.copy_from_slice(grey),
            _ => unreachable!("a colour image has a frame of three components"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Subsampling;

    #[test]
    fn chrominance_repeats_averages_below_and_samples_to_the_right() {
        // Three by two pixels of pure red and blue; Cr tells them apart: 255 and 107.
        let (red, blue) = ([255, 0, 0], [0, 0, 255]);
        let pixels = [red, red, blue, blue, red, red].concat();
        let image = Image::rgb(&pixels, 3, 2).unwrap();
        let mut band = Band::new(&Frame::new(3, 2, false, Subsampling::S420));
        band.fill(&image, 0);
        let cr = &band.planes()[2];
        // First square: red, red, blue, red. Second: blue and red, each repeated once. Further: the same again.
        let (first, second) = ((3 * 255 + 107 + 1) / 4, (2 * 107 + 2 * 255 + 2) / 4);
        for y in 0..8 {
            assert_eq!(cr.samples[y * cr.stride], first as u8);
            for x in 1..8 {
                assert_eq!(cr.samples[y * cr.stride + x], second as u8, "{y}, {x}");
            }
        }
    }

    #[test]
    fn the_last_band_may_have_fewer_rows() {
        let pixels: Vec<u8> = (0..10 * 19).map(|i| i as u8).collect();
        let image = Image::grey(&pixels, 10, 19).unwrap();
        let mut band = Band::new(&Frame::new(10, 19, true, Subsampling::S420));
        for index in 0..3 {
            band.fill(&image, index);
            let plane = &band.planes()[0];
            for y in 0..8 {
                for x in 0..16 {
                    let nearest = (8 * index + y).min(18) * 10 + x.min(9);
                    assert_eq!(plane.samples[y * plane.stride + x], pixels[nearest]);
                }
            }
        }
    }
}
