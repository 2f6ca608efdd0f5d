//! Range assertions before a nest.

use crate::symbolic::SymInt;

use super::{BufferId, ProgramPoint};

/// The least and greatest coordinates that a nest reaches on an axis, as far as they need a test.
#[derive(Debug, Clone, Default)]
pub struct CoordinateBound {
    /// Each must be at least zero.
    pub least: Vec<SymInt>,
    /// Each must be below the extent.
    pub greatest: Vec<SymInt>,
}

/// That a nest stays inside a block.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// The block.
    pub buffer: BufferId,
    /// The tensor's name, for the panic.
    pub tensor: String,
    /// The nest runs at all when each of these is at least zero.
    pub guards: Vec<SymInt>,
    /// Per axis of the block.
    pub bounds: Vec<CoordinateBound>,
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
        let bound = |bound: &CoordinateBound| bound.least.is_empty() && bound.greatest.is_empty();
        self.bounds.iter().all(bound) && self.folds.is_empty() && self.filled.is_empty()
    }
}

impl Assertion {
    /// All that it mentions.
    pub(crate) fn syms(&self) -> impl Iterator<Item = &SymInt> {
        let bounds = self.bounds.iter().flat_map(|bound| bound.least.iter().chain(&bound.greatest));
        bounds.chain(&self.guards).chain(&self.folds).chain(&self.filled)
    }
}
