//! Rows of samples as they lie in memory: what kernels are given of an image.

use crate::input::pixels::Pixels;

/// The samples of an image or of one of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout<'a, T> {
    /// Pixel after pixel.
    Interleaved(&'a [T]),
    /// The first, second, third and fourth sample of all pixels; planes that the pixels do not have are empty.
    Planar([&'a [T]; 4]),
}

impl<'a, T> Layout<'a, T> {
    /// Each slice by another.
    pub(crate) fn map(self, mut f: impl FnMut(&'a [T]) -> &'a [T]) -> Self {
        match self {
            Self::Interleaved(samples) => Self::Interleaved(f(samples)),
            Self::Planar(planes) => Self::Planar(planes.map(f)),
        }
    }

    /// Without the first samples of each slice, if it has so many.
    pub(crate) fn from(self, start: usize) -> Self {
        self.map(|samples| samples.get(start..).unwrap_or(&[]))
    }

    /// The samples of the plane, of `planes`, that has the fewest.
    pub(crate) fn least(&self, planes: usize) -> usize {
        match self {
            Self::Interleaved(samples) => samples.len(),
            Self::Planar(all) => all[..planes].iter().map(|plane| plane.len()).min().unwrap_or(0),
        }
    }
}

/// Rows of pixels in memory.
#[derive(Clone, Copy, Debug)]
pub struct Raster<'a, T> {
    pub(crate) layout: Layout<'a, T>,
    pub(crate) pixels: Pixels,
    /// Bits of a sample.
    pub(crate) bits: u32,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Samples from one row to the next.
    pub(crate) stride: usize,
}

impl<'a, T> Raster<'a, T> {
    /// `rows` of the rows from `first` on.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    #[must_use]
    pub fn rows(self, first: usize, rows: usize) -> Self {
        assert!(first + rows <= self.height, "{rows} rows from {first} of {}", self.height);
        Self { layout: self.layout.from(first * self.stride), height: rows, ..self }
    }

    /// The columns from `first` on.
    ///
    /// # Panics
    ///
    /// When there are none.
    #[must_use]
    pub fn columns(self, first: usize) -> Self {
        assert!(first < self.width, "columns from {first} of {}", self.width);
        let step = match self.layout {
            Layout::Interleaved(_) => self.pixels.samples(),
            Layout::Planar(_) => 1,
        };
        Self { layout: self.layout.from(first * step), width: self.width - first, ..self }
    }

    /// Sample `c` of all pixels, from the first on, and how many samples lie from one of them to the next.
    ///
    /// # Panics
    ///
    /// When the pixels have no such sample.
    pub fn component(&self, c: usize) -> (&'a [T], usize) {
        match self.layout {
            Layout::Interleaved(samples) => (&samples[c..], self.pixels.samples()),
            Layout::Planar(planes) => (planes[c], 1),
        }
    }
}
