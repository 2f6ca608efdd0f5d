//! What can go wrong when a location is made or followed.

use alloc::vec::Vec;

/// Why a reference space, a map between two of them, or a view could not be made.
///
/// All of them are mistakes in the description of a location; none depends on the data of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LocationError {
    /// A coordinate, an origin, an extent or a product of factors does not fit the integer.
    #[error("a location does not fit its integer type")]
    Overflow,
    /// The two spaces stand in different tries, so that no common location exists (section 4.1 of the thesis).
    #[error("the two spaces have different roots, so they have no common location")]
    DifferentRoots,
    /// A child space or an index space has more dimensions than what it is laid over (`N <= M` in Def. 4.2.1).
    #[error("the rank rises from {from} to {to}; it may fall from parent to child, never rise")]
    RankRises {
        /// The rank of the parent, or of the tensor that is indexed.
        from: usize,
        /// The rank that was asked for.
        to: usize,
    },
    /// A list has the wrong number of entries for the rank it describes.
    #[error("{found} entries were given where the rank asks for {expected}")]
    Length {
        /// The number of entries that the rank asks for.
        expected: usize,
        /// The number of entries given.
        found: usize,
    },
    /// An entry of a permutation is not a dimension of the parent.
    #[error("{axis} is not a dimension of a space of rank {rank}")]
    Axis {
        /// The offending dimension.
        axis: usize,
        /// The rank of the space that lacks it.
        rank: usize,
    },
    /// A permutation names one dimension twice.
    #[error("the permutation names dimension {axis} twice")]
    RepeatedAxis {
        /// The dimension named twice.
        axis: usize,
    },
    /// A view reaches outside the block that it would be laid over.
    #[error("the elements are not all inside one block")]
    Outside,
    /// A refinement, a coarsening, a step or a divisor is below one.
    #[error("a factor must be at least one, and {factor} is not")]
    Factor {
        /// The offending factor.
        factor: i64,
    },
    /// One dimension is both refined and coarsened in one link, which Def. 4.2.1 excludes.
    #[error("dimension {dimension} is refined by {refinement} and coarsened by {coarsening} at once")]
    RefinedAndCoarsened {
        /// The dimension of the child.
        dimension: usize,
        /// Its refinement factor.
        refinement: i64,
        /// Its coarsening factor.
        coarsening: i64,
    },
    /// An extent is known to be negative.
    #[error("an extent cannot be negative, and {extent} is")]
    NegativeExtent {
        /// The offending extent.
        extent: i64,
    },
    /// An order of elements that needs an extent, or a coordinate, whose value is not known.
    #[error("the order needs an extent or a coordinate whose value is not known")]
    Dynamic,
    /// An order of elements that is not defined for this number of axes, or for these extents.
    #[error("`{order}` is not defined for a box of extents {extents:?}")]
    Undefined {
        /// The name of the order.
        order: &'static str,
        /// The extents, zero where they are not known.
        extents: Vec<i64>,
    },
    /// An order whose offsets take more arithmetic than an order may, see
    /// [`Order::MAX_DIGITS`](crate::Order::MAX_DIGITS).
    #[error("the order takes {digits} digits of coordinates for an offset, of at most {most}")]
    Costly {
        /// How many digits of coordinates an offset has.
        digits: u64,
        /// The most that it may have.
        most: u64,
    },
    /// A function that does not give each element of a box a position of its own.
    #[error("position {position} of element {at:?} is taken or lies beyond the box")]
    NotABijection {
        /// The index of the element.
        at: Vec<i64>,
        /// The position that it is given.
        position: i64,
    },
    /// A coordinate outside the box that a curve runs through, or a position beyond its end.
    #[error("the curve does not reach this point")]
    OffCurve,
    /// An index of a group that a shape does not list.
    #[error("there is no group {index}: the shape lists {groups}")]
    NoGroup {
        /// The index.
        index: i64,
        /// The number of groups.
        groups: usize,
    },
    /// A shape whose points before an index are not a sum that the algebra writes without a loop.
    #[error("the number of elements before an index has no closed form in this shape")]
    NoClosedForm,
    /// An offset of a layout that belongs to no coordinate, or to one that cannot be told.
    #[error("no coordinate of the layout is known for this offset")]
    NoInverse,
}
