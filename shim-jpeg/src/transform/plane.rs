//! The samples of a component.

use alloc::vec;
use alloc::vec::Vec;

/// The samples of one component in one row of MCUs.
#[derive(Debug, Default)]
pub(crate) struct Plane<T> {
    /// Rows of `columns` samples, `rows` of them.
    pub(crate) samples: Vec<T>,
    /// The rows that hold the image.
    pub(crate) rows: usize,
    /// Samples of a row.
    pub(crate) columns: usize,
}

impl<T: Copy + Default> Plane<T> {
    /// Memory for so many rows.
    pub(crate) fn new(most_rows: usize, columns: usize) -> Self {
        Self { samples: vec![T::default(); most_rows * columns], rows: 0, columns }
    }
}
