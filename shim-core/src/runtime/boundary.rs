//! Rules for reads where no memory is.

use crate::Fold;

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
    /// How the rule folds a coordinate; `None` for `Fill`, which reads no element.
    pub fn rule(&self) -> Option<Fold> {
        match self {
            Self::Clamp => Some(Fold::Clamp),
            Self::Mirror => Some(Fold::Mirror),
            Self::Wrap => Some(Fold::Wrap),
            Self::Fill(_) => None,
        }
    }
}
