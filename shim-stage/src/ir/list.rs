//! Lists: blocks of rank 1 to which elements are appended.

use proc_macro2::Ident;

use crate::symbolic::SymInt;

use super::{AccessId, ProgramPoint};

/// A list over a block. Its elements are those before its end.
#[derive(Debug, Clone)]
pub struct List {
    /// The local of type `usize` that holds the number of elements.
    pub end: Ident,
    /// The most elements that it has room for: the extent of the block.
    pub capacity: SymInt,
    /// Where it is made.
    pub made: ProgramPoint,
    /// Whether it is made empty.
    pub empty: bool,
    /// The accesses that append to it, each one element at most.
    pub pushes: Vec<AccessId>,
    /// How many calls may change the number of elements.
    pub changes: usize,
}
