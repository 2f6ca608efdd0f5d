//! Bounds checks before a nest.

use crate::symbolic::{SymInt, slack};

use super::{BufferId, ProgramPoint};

/// The end of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first index.
    Below,
    /// The last index.
    Above,
}

/// That a coordinate is inside on one side of an axis.
#[derive(Debug, Clone)]
pub struct BoundsCheck {
    /// The axis of the block.
    pub axis: usize,
    /// The side.
    pub side: Side,
    /// How far the coordinate is from that end of the axis: at least zero if it is inside.
    pub slack: SymInt,
    /// The coordinate, for the panic.
    pub coordinate: SymInt,
}

impl BoundsCheck {
    /// The checks of a coordinate on both sides of an axis; `None` if they overflow.
    pub fn of(axis: usize, coordinate: &SymInt, extent: &SymInt) -> Option<[Self; 2]> {
        let (below, above) = slack(coordinate, extent)?;
        let check = |side, slack| BoundsCheck { axis, side, slack, coordinate: coordinate.clone() };
        Some([check(Side::Below, below), check(Side::Above, above)])
    }

    /// The checks that an index fits `i32`; `None` if they overflow.
    pub fn of_index(index: &SymInt) -> Option<[Self; 2]> {
        let coordinate = index.sub(&SymInt::constant(i64::from(i32::MIN))).ok()?;
        Self::of(0, &coordinate, &SymInt::constant(1 << 32))
    }

    /// The index whose coordinate is that of such a check.
    pub fn index_of(coordinate: &SymInt) -> Option<SymInt> {
        coordinate.add(&SymInt::constant(i64::from(i32::MIN))).ok()
    }
}

/// That a nest stays inside a block, or that indices in it fit their type.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// The block. Of indices none: their coordinates begin at the least `i32`, and the extent is the number of `i32`s.
    pub buffer: Option<BufferId>,
    /// The tensor's name, for the panic.
    pub tensor: String,
    /// The nest runs at all when each of these is at least zero.
    pub guards: Vec<SymInt>,
    /// The extents that it compares with: those of the block, of a shape those at the coordinates, and of an axis that
    /// the block has dropped one.
    pub extents: Vec<SymInt>,
    /// What the nest needs to be inside.
    pub checks: Vec<BoundsCheck>,
    /// What a boundary rule folds must fit `isize`.
    pub folds: Vec<SymInt>,
    /// The extents of axes on which it folds: an empty one has no index to fold to.
    pub filled: Vec<SymInt>,
    /// The first statement before which it may stand as well.
    pub earliest: ProgramPoint,
}

impl Assertion {
    /// Whether nothing is left to test.
    pub(crate) fn is_empty(&self) -> bool {
        self.checks.is_empty() && self.folds.is_empty() && self.filled.is_empty()
    }

    /// The coordinates that it compares with one end of an axis.
    pub(crate) fn coordinates(&self, axis: usize, side: Side) -> impl Iterator<Item = &SymInt> {
        let own = move |check: &&BoundsCheck| check.axis == axis && check.side == side;
        self.checks.iter().filter(own).map(|check| &check.coordinate)
    }

    /// What it computes once its guards hold.
    pub(crate) fn guarded_syms(&self) -> impl Iterator<Item = &SymInt> {
        self.checks.iter().map(|check| &check.coordinate).chain(&self.folds).chain(&self.filled)
    }

    /// All that it computes.
    pub(crate) fn syms(&self) -> impl Iterator<Item = &SymInt> {
        self.guarded_syms().chain(&self.extents).chain(&self.guards)
    }
}
