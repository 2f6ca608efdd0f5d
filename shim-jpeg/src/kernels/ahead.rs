//! Pixels that are wanted soon.

use std::ops::Range;

use crate::Image;
use crate::image::Layout;

/// Rows of pixels that are converted after those that are being coded. Memory is slow and coding does not need it, so that the
/// one can go on beside the other.
#[derive(Clone, Debug, Default)]
pub struct Ahead<'a> {
    /// The samples of each row, of each plane.
    pub(crate) rows: Vec<&'a [u8]>,
    /// Samples of an MCU in a row.
    pub(crate) step: usize,
    /// The samples to the left of the MCUs that are being coded.
    pub(crate) from: usize,
}

impl<'a> Ahead<'a> {
    /// Rows of an image whose MCUs are `width` pixels wide. Of one whose samples are no bytes, nothing is asked for.
    ///
    /// # Panics
    ///
    /// When the image has fewer rows.
    pub fn new(image: &Image<'a>, rows: Range<usize>, width: usize) -> Self {
        let mut ahead = Self::default();
        for y in rows.filter(|_| image.shape().bytes) {
            match image.row(y) {
                Layout::Interleaved(row) => {
                    ahead.step = width * image.pixels().samples();
                    ahead.rows.push(row);
                }
                Layout::Planar(planes) => {
                    ahead.step = width;
                    ahead.rows.extend(planes.iter().filter(|plane| !plane.is_empty()));
                }
            }
        }
        ahead
    }

    /// Moves to the pixels below an MCU.
    pub fn move_to(&mut self, mcu: usize) {
        self.from = mcu * self.step;
    }
}
