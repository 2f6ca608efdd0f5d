//! Rows of samples in memory: the view of an image that kernels take.

use crate::input::pixels::Pixels;

/// Samples of an image or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout<'a, T> {
    /// Interleaved pixels.
    Interleaved(&'a [T]),
    /// One plane per sample of a pixel; unused planes are empty.
    Planar([&'a [T]; 4]),
}

impl<'a, T> Layout<'a, T> {
    /// Maps each slice.
    pub(crate) fn map(self, mut f: impl FnMut(&'a [T]) -> &'a [T]) -> Self {
        match self {
            Self::Interleaved(samples) => Self::Interleaved(f(samples)),
            Self::Planar(planes) => Self::Planar(planes.map(f)),
        }
    }

    /// Skips the first `start` samples of each slice, if it has as many.
    pub(crate) fn from(self, start: usize) -> Self {
        self.map(|samples| samples.get(start..).unwrap_or(&[]))
    }

    /// Number of samples of the shortest of the first `planes` planes.
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
    /// Sample precision, in bits.
    pub(crate) bits: u32,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Samples from one row to the next.
    pub(crate) stride: usize,
    /// The column of the MCU row that the first pixels are at.
    pub(crate) left: usize,
}

impl<'a, T> Raster<'a, T> {
    /// `rows` rows, starting at row `first`.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    #[must_use]
    pub fn rows(self, first: usize, rows: usize) -> Self {
        assert!(first + rows <= self.height, "{rows} rows from {first} of {}", self.height);
        Self { layout: self.layout.from(first * self.stride), height: rows, ..self }
    }

    /// Places the first pixels at column `left` of the MCU row.
    #[must_use]
    pub const fn at(self, left: usize) -> Self {
        Self { left, ..self }
    }

    /// Row `y` of each plane, or of the interleaved samples, without padding.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, y: usize) -> impl Iterator<Item = &'a [T]> {
        let (start, length) = (y * self.stride, self.width * self.step());
        self.planes().iter().map(move |plane| &plane[start..start + length])
    }

    /// The columns starting at column `first`.
    ///
    /// # Panics
    ///
    /// When there are none.
    #[must_use]
    pub fn columns(self, first: usize) -> Self {
        assert!(first < self.width, "columns from {first} of {}", self.width);
        let start = first * self.step();
        Self { layout: self.layout.from(start), width: self.width - first, left: self.left + first, ..self }
    }

    /// Samples from one pixel to the next.
    pub fn step(&self) -> usize {
        if matches!(self.layout, Layout::Planar(_)) { 1 } else { self.pixels.samples() }
    }

    /// The planes, or all samples as one.
    pub fn planes(&self) -> &[&'a [T]] {
        match &self.layout {
            Layout::Interleaved(samples) => core::slice::from_ref(samples),
            Layout::Planar(planes) => &planes[..self.pixels.samples()],
        }
    }

    /// Sample `c` of all pixels, from the first on.
    ///
    /// # Panics
    ///
    /// When the pixels have no such sample.
    pub fn component(&self, c: usize) -> &'a [T] {
        match self.layout {
            Layout::Interleaved(samples) => &samples[c..],
            Layout::Planar(planes) => planes[c],
        }
    }
}
