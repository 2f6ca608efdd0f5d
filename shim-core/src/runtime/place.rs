//! Places as ordinary values.

use crate::runtime::operations::to_factors;
use crate::{LocationError, Placement, Space, TensorSpace};

/// A box of a root space: where something is, without the elements.
///
/// Axis `i` of a place is axis `i` of the root, in points of the root. A place is a value like any other: a program
/// computes it, stores it and hands it to kernels, where it is a tensor without elements. `t[place]` is then the
/// memory of `t` seen from there, whatever the density of `t` is.
///
/// ```
/// use shim_core::{Block, Place, Space, TensorOps};
///
/// // One motion vector for each 4x4 samples, and the vectors around the 8x8 block at (4, 8).
/// let root = Space::root(2);
/// let vectors = Block::from_fn([4, 4], |[y, x]| [y, x]).in_space(&root)?.coarsened([4, 4])?;
/// let block = Place::new([4, 8], [8, 8]);
/// let seen = vectors.seen_from::<2>(block.in_root(&root)?)?;
/// assert_eq!((seen[[0, -1]], seen[[-1, 0]]), ([1, 1], [0, 2]));
/// # Ok::<(), shim_core::LocationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place<const N: usize> {
    origin: [isize; N],
    extents: [usize; N],
}

impl<const N: usize> Place<N> {
    /// The box of the given extents that begins at the given point of the root.
    #[must_use]
    pub const fn new(origin: [isize; N], extents: [usize; N]) -> Self {
        Self { origin, extents }
    }

    /// The first point, in coordinates of the root.
    #[must_use]
    pub const fn origin(self) -> [isize; N] {
        self.origin
    }

    /// The number of points of the root along each axis.
    #[must_use]
    pub const fn extents(self) -> [usize; N] {
        self.extents
    }

    /// The place moved by so many points of the root.
    ///
    /// # Panics
    /// When a coordinate leaves `isize`.
    #[must_use]
    #[track_caller]
    pub fn shifted(self, by: [isize; N]) -> Self {
        let at = |axis: usize| self.origin[axis].checked_add(by[axis]).expect("a coordinate leaves `isize`");
        Self { origin: core::array::from_fn(at), ..self }
    }

    /// The place moved as little as possible to lie within another. Where it is longer than the other, it begins where
    /// that does.
    ///
    /// ```
    /// use shim_core::Place;
    ///
    /// let picture = Place::new([0, 0], [16, 32]);
    /// assert_eq!(Place::new([-3, 30], [8, 8]).clamped(picture), Place::new([0, 24], [8, 8]));
    /// ```
    ///
    /// # Panics
    /// When a coordinate or an extent leaves `isize`.
    #[must_use]
    #[track_caller]
    pub fn clamped(self, within: Self) -> Self {
        let at = |axis: usize| {
            let [extent, room] = [self, within].map(|place| isize::try_from(place.extents[axis]).ok());
            let left = room.zip(extent).and_then(|(room, extent)| room.checked_sub(extent));
            let last = left.and_then(|left| within.origin[axis].checked_add(left));
            self.origin[axis].min(last.expect("a coordinate leaves `isize`")).max(within.origin[axis])
        };
        Self { origin: core::array::from_fn(at), ..self }
    }

    /// The place as a box of a root space that exists, to index tensors of the runtime library.
    ///
    /// # Errors
    /// [`LocationError::RankRises`] when the root has fewer dimensions, [`LocationError::Overflow`] when an extent does
    /// not fit.
    pub fn in_root(self, root: &Space<i64>) -> Result<TensorSpace<i64>, LocationError> {
        let origin = self.origin.map(|at| at as i64);
        let extents = to_factors(self.extents)?;
        TensorSpace::new(Placement::new(N).at(&origin).place_in(root)?, extents.to_vec())
    }
}
