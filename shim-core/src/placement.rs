//! Where a block itself stands, spelled as a programmer gives it.

use alloc::vec;
use alloc::vec::Vec;

use crate::space::check_length;
use crate::{Integer, Link, LocationError, Space};

/// The place of a block in a space of the same or a higher rank, as the builder methods of a block give it.
///
/// All of it makes one [`Link`], so the order in which the parts are given has no meaning: the origin is in points
/// of the parent whether or not the block is coarsened, and along the axes on which the block stands before it is
/// permuted. A part given twice counts as given last.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement<I> {
    axes: Vec<usize>,
    origin: Vec<I>,
    permutation: Vec<usize>,
    refinement: Vec<i64>,
    coarsening: Vec<i64>,
}

impl<I: Integer> Placement<I> {
    /// At the parent's origin, axis `i` on the parent's axis `i`, in the parent's density.
    #[must_use]
    pub fn new(rank: usize) -> Self {
        Self {
            axes: (0..rank).collect(),
            origin: vec![I::constant(0); rank],
            permutation: (0..rank).collect(),
            refinement: vec![1; rank],
            coarsening: vec![1; rank],
        }
    }

    /// Stands on the given axes of the parent: entry `i` on the parent's axis `axes[i]`.
    #[must_use]
    pub fn on_axes(self, axes: &[usize]) -> Self {
        Self { axes: axes.to_vec(), ..self }
    }

    /// Begins at the parent's point `origin`, given along the axes of [`on_axes`](Self::on_axes).
    #[must_use]
    pub fn at(self, origin: &[I]) -> Self {
        Self { origin: origin.to_vec(), ..self }
    }

    /// Axis `i` of the block is entry `permutation[i]` of [`on_axes`](Self::on_axes).
    #[must_use]
    pub fn permuted(self, permutation: &[usize]) -> Self {
        Self { permutation: permutation.to_vec(), ..self }
    }

    /// Has `factors[i]` points along its axis `i` for each point of the parent.
    #[must_use]
    pub fn refined(self, factors: &[i64]) -> Self {
        Self { refinement: factors.to_vec(), ..self }
    }

    /// Has one point along its axis `i` for each `factors[i]` points of the parent.
    #[must_use]
    pub fn coarsened(self, factors: &[i64]) -> Self {
        Self { coarsening: factors.to_vec(), ..self }
    }

    /// The space at this place of the parent.
    ///
    /// # Errors
    /// As for [`Space::child`]; [`LocationError::Length`] also when the parts are not all of one rank.
    pub fn place_in(&self, parent: &Space<I>) -> Result<Space<I>, LocationError> {
        parent.child(self.link_in(parent)?)
    }

    /// The link from that space to the parent, not validated.
    ///
    /// # Errors
    /// [`LocationError::RankRises`], [`LocationError::Axis`] and [`LocationError::Length`].
    pub fn link_in(&self, parent: &Space<I>) -> Result<Link<I>, LocationError> {
        let (rank, parent_rank) = (self.axes.len(), parent.rank());
        if rank > parent_rank {
            return Err(LocationError::RankRises { from: parent_rank, to: rank });
        }
        check_length(rank, self.origin.len())?;
        check_length(rank, self.permutation.len())?;
        let mut origin = vec![I::constant(0); parent_rank];
        for (&axis, value) in self.axes.iter().zip(&self.origin) {
            *origin.get_mut(axis).ok_or(LocationError::Axis { axis, rank: parent_rank })? = value.clone();
        }
        let stands_on =
            |&axis: &usize| self.axes.get(axis).copied().ok_or(LocationError::Axis { axis, rank });
        Ok(Link {
            permutation: self.permutation.iter().map(stands_on).collect::<Result<_, _>>()?,
            origin,
            refinement: self.refinement.clone(),
            coarsening: self.coarsening.clone(),
            everywhere: true,
        })
    }
}
