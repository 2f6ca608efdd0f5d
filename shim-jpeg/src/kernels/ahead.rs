//! Pixels that are wanted soon.

use core::ops::Range;

use crate::Image;
use crate::input::image::Shape;
use crate::input::raster::Layout;

/// Rows of pixels that are converted after those that are being coded. Memory is slow and coding does not need it, so that the
/// one can go on beside the other.
#[derive(Clone, Debug)]
pub struct Ahead<'a> {
    /// The samples of each row, of each plane.
    pub(crate) rows: [&'a [u8]; MOST],
    /// How many rows there are.
    pub(crate) count: usize,
    /// Samples of an MCU in a row.
    pub(crate) step: usize,
    /// The samples to the left of the MCUs that are being coded.
    pub(crate) from: usize,
}

/// The rows of an MCU of four blocks in a column, in four planes.
const MOST: usize = 4 * 8 * 4;

impl Default for Ahead<'_> {
    /// No rows.
    fn default() -> Self {
        Self { rows: [&[]; MOST], count: 0, step: 0, from: 0 }
    }
}

impl<'a> Ahead<'a> {
    /// Rows of an image whose MCUs are `width` pixels wide. Of one whose samples are no bytes, or whose planes are of different
    /// sizes, nothing is asked for.
    ///
    /// # Panics
    ///
    /// When the image has fewer rows, or they are more than an MCU can have.
    pub fn new(image: &Image<'a>, rows: Range<usize>, width: usize) -> Self {
        let mut ahead = Self::default();
        let Shape { bytes, subsampling, .. } = image.shape();
        for y in rows.filter(|_| bytes && subsampling.is_none()) {
            match image.row(y) {
                Layout::Interleaved(row) => {
                    ahead.step = width * image.pixels().samples();
                    ahead.push(row);
                }
                Layout::Planar(planes) => {
                    ahead.step = width;
                    planes.into_iter().filter(|plane| !plane.is_empty()).for_each(|row| ahead.push(row));
                }
            }
        }
        ahead
    }

    fn push(&mut self, row: &'a [u8]) {
        self.rows[self.count] = row;
        self.count += 1;
    }

    /// Moves to the pixels below an MCU.
    pub fn move_to(&mut self, mcu: usize) {
        self.from = mcu * self.step;
    }
}
