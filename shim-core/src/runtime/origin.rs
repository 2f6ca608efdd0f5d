//! The location of a runtime tensor as a kernel takes it: its origin, where the signature declares the rest.
//!
//! Hidden from the documentation, as [`parts`](super::parts) is.

use alloc::vec;

use crate::map::OnAxis;
use crate::runtime::Located;
use crate::{LocationError, Space};

/// How a kernel declares that an axis of a tensor lies in the root space: the root's axis, the refinement and the
/// coarsening, as one [`Link`](crate::Link) has them.
pub type DeclaredAxis = (usize, i64, i64);

/// Why a tensor is not where a kernel's signature declares it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OriginError {
    /// An axis is that of another axis of the root.
    #[error(
        "its axis {axis} is not axis {declared} of the root space; declare the axes of a permuted or sliced tensor with `#[on_axes(..)]`"
    )]
    Axis {
        /// The axis of the tensor.
        axis: usize,
        /// The axis of the root that the signature declares.
        declared: usize,
    },
    /// The tensor was sliced, and has one coordinate on an axis of the root that it lacks.
    #[error(
        "it is a slice along axis {axis} of the root space; give the whole tensor and slice it inside the kernel"
    )]
    Sliced {
        /// The axis of the root.
        axis: usize,
    },
    /// An axis has another density than the signature declares.
    #[error(
        "along axis {axis} its density is {num}:{den} of the root space, and the signature declares {declared_num}:{declared_den}; declare factors with `#[refined(..)]` or `#[coarsened(..)]`"
    )]
    Density {
        /// The axis of the tensor.
        axis: usize,
        /// The points of the tensor,
        num: i64,
        /// for so many of the root.
        den: i64,
        /// The points of the tensor that the signature declares,
        declared_num: i64,
        /// for so many of the root.
        declared_den: i64,
    },
    /// Both refinements and coarsenings lie between an axis and the root, which no one factor describes.
    #[error("along axis {axis} it is both refined and coarsened; change its density inside the kernel")]
    Mixed {
        /// The axis of the tensor.
        axis: usize,
    },
    /// A refined tensor begins between two points of the root.
    #[error("along axis {axis} it begins between two points of the root space; cut it inside the kernel")]
    Phase {
        /// The axis of the tensor.
        axis: usize,
    },
    /// The place cannot be mapped to the root.
    #[error(transparent)]
    Location(#[from] LocationError),
}

/// The point of the root at which a tensor begins, along the declared axes, after a check that the tensor lies as
/// declared: one link from the root with this origin and the declared axes and factors then has the tensor's maps.
///
/// # Errors
/// See [`OriginError`].
pub fn declared_origin<const N: usize>(
    tensor: &impl Located<N>,
    declared: [DeclaredAxis; N],
) -> Result<[isize; N], OriginError> {
    let space = &tensor.location().space;
    let root = space.tree_root();
    let base = Space::map(space, &root, &vec![0; N])?;
    let phase = Space::map(&root, space, &base)?;
    let (on, density) = (space.on_root_axes(), Space::density(space, &root)?);
    let mixed = Space::mixed(space, &root)?;
    let mut origin = [0; N];
    for (axis, &(root_axis, refinement, coarsening)) in declared.iter().enumerate() {
        let (num, den) = match density.get(root_axis) {
            // A point of the tensor spans `num / den` points of the root.
            Some(&Some((own, num, den))) if own == axis => (den, num),
            _ => return Err(OriginError::Axis { axis, declared: root_axis }),
        };
        if (num, den) != (refinement, coarsening) {
            let (declared_num, declared_den) = (refinement, coarsening);
            return Err(OriginError::Density { axis, num, den, declared_num, declared_den });
        }
        if mixed[root_axis] == Some(true) {
            return Err(OriginError::Mixed { axis });
        }
        if phase[axis] != 0 {
            return Err(OriginError::Phase { axis });
        }
        origin[axis] = isize::try_from(base[root_axis]).map_err(|_| LocationError::Overflow)?;
    }
    match on.iter().position(|&on| on == OnAxis::AtOne) {
        Some(axis) => Err(OriginError::Sliced { axis }),
        None => Ok(origin),
    }
}
