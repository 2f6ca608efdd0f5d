//! Rules for reads where no memory is.

use crate::runtime::AccessError;

/// What a read finds outside its nearest block, when walking up found nothing (section 5.2.6 of the thesis leaves
/// the choice to the implementation).
///
/// A rule concerns reads alone. It applies at the extents of the nearest block of the tensor it was given to, on
/// each axis by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary<T> {
    /// The nearest element: coordinate -2 is 0.
    Clamp,
    /// The mirror image, with the edge repeated: -1 is 0, -2 is 1; folded as often as needed.
    Mirror,
    /// The other end: -1 is the last.
    Wrap,
    /// This value.
    Fill(T),
}

impl<T> Boundary<T> {
    /// Takes a coordinate to `0..extent`; any coordinate will do under `Fill`, which reads none.
    ///
    /// An axis without points has no nearest one, which is the error.
    pub(super) fn fold(&self, axis: usize, coordinate: i64, extent: i64) -> Result<i64, AccessError> {
        if extent < 1 {
            return Err(AccessError::EmptyAxis { axis });
        }
        Ok(match self {
            Self::Clamp => coordinate.clamp(0, extent - 1),
            Self::Wrap => coordinate.rem_euclid(extent),
            Self::Mirror => {
                // The image repeats after twice the extent, which need not fit the coordinate's own type.
                let (coordinate, extent) = (i128::from(coordinate), i128::from(extent));
                let place = coordinate.rem_euclid(2 * extent);
                (if place < extent { place } else { 2 * extent - 1 - place }) as i64
            }
            Self::Fill(_) => coordinate,
        })
    }
}
