//! Narrow images: rows of MCUs side by side, so that together they fill tiles.
//!
//! Blocks are transformed in tiles of thirty-two, and pixels converted 128 at a time, whatever the image's width. Of an
//! image that is not much wider than a tile, or narrower, several rows of MCUs are copied into one. MCUs follow one
//! another in the scan as they do in that row, so that nothing else changes.

use alloc::vec::Vec;

use crate::format::frame::{Frame, SEGMENT};
use crate::input::image::Shape;
use crate::kernels::tile::LANES;
use crate::{Error, Image};

/// The most rows of MCUs wider than half a segment that are laid side by side.
const MOST: usize = 4;

/// The number of MCU rows of a frame to lay side by side; 1 if folding costs more than it gains.
fn rows_of(frame: &Frame) -> usize {
    let wide = frame.mcus_wide();
    let most = if 2 * wide <= SEGMENT { SEGMENT / wide } else { MOST };
    // Of a component with one block to an MCU, the lanes for each thousand blocks.
    let lanes = |rows: usize| 1000 * (rows * wide).next_multiple_of(LANES) / (rows * wide);
    let best = (1..=most.min(frame.height / frame.mcu_height())).min_by_key(|&rows| (lanes(rows), rows));
    best.filter(|&rows| lanes(rows) + 200 < lanes(1)).unwrap_or(1)
}

/// Whole rows of MCUs of an image, side by side.
#[derive(Debug)]
pub(crate) struct Fold {
    /// Maximum number of MCU rows.
    rows: usize,
    /// The frame of those.
    frame: Frame,
    /// MCUs in a row of the image.
    mcus_wide: usize,
    /// The pixels, or a plane for each of their samples.
    samples: [Vec<u8>; 4],
}

impl Fold {
    /// A fold for images of a frame, whose samples are bytes; none for images that are too wide for it.
    pub(crate) fn new(frame: &Frame) -> Result<Option<Self>, Error> {
        let (rows, mcus_wide) = (rows_of(frame), frame.mcus_wide());
        if rows == 1 {
            return Ok(None);
        }
        let size = [rows * mcus_wide * frame.mcu_width(), frame.mcu_height()];
        let factors: Vec<[u8; 2]> = frame.components.iter().map(|c| [c.h as u8, c.v as u8]).collect();
        let frame = Frame::new(size, frame.bits, frame.space, &factors)?;
        Ok(Some(Self { rows, frame, mcus_wide, samples: Default::default() }))
    }

    /// The most rows of MCUs.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The frame of that many.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Lays `rows` rows of MCUs of an image from pixel row `first` on side by side, each completed to whole MCUs by its
    /// last pixels. Where there are fewer than there may be, what follows them is left as it is.
    pub(crate) fn fill(&mut self, image: &Image<'_>, first: usize, rows: usize) -> Result<Image<'_>, Error> {
        let Self { frame, mcus_wide, samples, .. } = self;
        let Shape { pixels, .. } = image.shape();
        let (width, height) = (frame.width, frame.height);
        let row_width = *mcus_wide * frame.mcu_width();
        let all = image.raster();
        let (planes, step) = (all.planes().len(), all.step());
        for plane in &mut samples[..planes] {
            plane.resize(width * height * step, 0);
        }
        for y in 0..rows * height {
            let at = ((y % height) * width + y / height * row_width) * step;
            for (own, row) in samples.iter_mut().zip(all.row(first + y)) {
                let (own, rest) = own[at..at + row_width * step].split_at_mut(row.len());
                own.copy_from_slice(row);
                let last = &row[row.len() - step..];
                rest.chunks_exact_mut(step).for_each(|pixel| pixel.copy_from_slice(last));
            }
        }
        if image.is_planar() {
            let all = samples.each_ref().map(Vec::as_slice);
            Image::planar(&all[..planes], pixels, width, height, width)
        } else {
            Image::interleaved(&samples[0], pixels, width, height, width * step)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColorSpace, Pixels};

    fn frame(width: usize, height: usize) -> Frame {
        Frame::new([width, height], 8, ColorSpace::YCbCr, &[[2, 2], [1, 1], [1, 1]]).unwrap()
    }

    #[test]
    fn narrow_images_alone_are_folded() {
        let rows = |width, height| rows_of(&frame(width, height));
        assert_eq!(rows(16, 16), 1, "there is one row");
        assert_eq!(rows(16, 31), 1, "the second row is not whole");
        assert_eq!(rows(16, 2000), 64 / 2, "half a segment fills the tiles");
        assert_eq!(rows(64, 64), 4);
        assert_eq!(rows(256, 256), 2);
        assert_eq!(rows(512, 512), 1);
        assert_eq!(rows(640, 480), 4);
        assert_eq!(rows(1920, 1080), 1);
    }

    #[test]
    fn rows_of_mcus_lie_side_by_side() {
        let pixels: Vec<u8> = (0..20 * 48 * 3_u32).map(|i| (i * i / 3) as u8).collect();
        let image = Image::rgb(&pixels, 20, 48).unwrap();
        let mut fold = Fold::new(&frame(20, 48)).unwrap().unwrap();
        assert_eq!((fold.rows(), fold.frame().width), (3, 96));
        let folded = fold.fill(&image, 0, 3).unwrap();
        let rows: Vec<&[u8]> = folded.raster().row(5).collect();
        let [row] = rows[..] else { panic!("pixels became planes") };
        for (x, pixel) in row.chunks(3).enumerate() {
            let (column, y) = ((x % 32).min(19), 5 + 16 * (x / 32));
            assert_eq!(pixel, &pixels[(20 * y + column) * 3..][..3], "pixel {x}");
        }
    }

    #[test]
    fn planes_are_folded_each() {
        let planes = [1_u8, 2, 3].map(|plane| vec![plane; 16 * 32]);
        let image = Image::rgb_planes(planes.each_ref().map(Vec::as_slice), 16, 32).unwrap();
        assert_eq!(image.pixels(), Pixels::Rgb);
        let mut fold = Fold::new(&frame(16, 32)).unwrap().unwrap();
        let folded = fold.fill(&image, 0, 2).unwrap();
        let rows: Vec<&[u8]> = folded.raster().row(15).collect();
        assert_eq!(rows, [&[1; 32][..], &[2; 32], &[3; 32]]);
    }
}
