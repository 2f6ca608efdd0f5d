//! Under which loops, conditions and closures a piece of a kernel runs.

use crate::symbolic::Facts;

use super::{AccessId, NestId, RegionId, Statement};

/// A point of a program: before the statement of a number, and before what passes add there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramPoint {
    /// The region.
    pub region: RegionId,
    /// The statement's number in it.
    pub statement: usize,
}

/// Region kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    /// Runs exactly when the statement it stands in runs.
    Plain,
    /// The body of a nest of counted loops.
    Nest(NestId),
    /// The body of a loop that nothing is known about.
    Unknown,
    /// Runs under a condition.
    Branch,
    /// The body of a closure: runs when it is called, if ever.
    Closure,
}

/// A block of statements and what is known where it runs.
#[derive(Debug, Clone)]
pub struct Region {
    /// The statement that contains it; none for the function's body.
    pub parent: Option<ProgramPoint>,
    /// Why it is one.
    pub kind: RegionKind,
    /// What holds in it.
    pub facts: Facts,
    /// The region that it is a copy of, itself no copy.
    pub copy_of: Option<RegionId>,
    /// Its statements.
    pub statements: Vec<Statement>,
    /// For each statement that binding wrote: how many opaque operations ran, in source order, before it.
    pub clock: Vec<u64>,
    /// The accesses of its statements, see [`Program::accesses_in`](super::Program::accesses_in).
    pub accesses: Vec<AccessId>,
    /// The regions in its statements.
    pub regions: Vec<RegionId>,
}
