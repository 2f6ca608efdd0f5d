//! Pixels that are wanted soon.

use crate::input::raster::Raster;

/// Rows of pixels that are converted after those that are being coded. Memory is slow and coding does not need it, so
/// that the one can go on beside the other.
#[derive(Clone, Debug)]
pub struct Prefetch<'a> {
    /// The samples of each row, of each plane.
    pub(crate) rows: [&'a [u8]; MOST],
    /// Number of rows.
    pub(crate) count: usize,
    /// Samples of an MCU in a row.
    pub(crate) step: usize,
    /// The samples to the left of the MCUs that are being coded.
    pub(crate) from: usize,
}

/// The rows of an MCU of four blocks in a column, in four planes.
const MOST: usize = 4 * 8 * 4;

impl Default for Prefetch<'_> {
    /// No rows.
    fn default() -> Self {
        Self { rows: [&[]; MOST], count: 0, step: 0, from: 0 }
    }
}

impl<'a> Prefetch<'a> {
    /// Rows of pixels, whose MCUs are `width` wide.
    ///
    /// # Panics
    ///
    /// When they are more than an MCU can have.
    pub fn new(pixels: Raster<'a, u8>, width: usize) -> Self {
        let mut prefetch = Self { step: width * pixels.step(), ..Self::default() };
        for y in 0..pixels.height {
            for row in pixels.row(y) {
                prefetch.rows[prefetch.count] = row;
                prefetch.count += 1;
            }
        }
        prefetch
    }

    /// Moves to the pixels below an MCU.
    pub fn move_to(&mut self, mcu: usize) {
        self.from = mcu * self.step;
    }
}
