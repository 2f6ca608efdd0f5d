//! Stages that are computed in memory.

use proc_macro2::TokenStream;

use crate::symbolic::Symbol;

use super::{BufferId, ProgramPoint, RegionId, TemplateCall};

/// The nest that computes the elements of a stage that are read behind it, in a region.
///
/// Binding does not know yet which elements these are: the index of the first one and the number of elements along each
/// axis are symbols, which the pass `regions` replaces by their values.
#[derive(Debug, Clone)]
pub(crate) struct Producer {
    /// The user's name of the stage.
    pub(crate) name: String,
    /// The block that holds the elements.
    pub(crate) buffer: BufferId,
    /// The index of the first element of the block, one symbol per axis.
    pub(crate) origin: Vec<Symbol>,
    /// The extents of the block, one symbol per axis.
    pub(crate) extents: Vec<Symbol>,
    /// The index of the first element that the nest computes, one symbol per axis.
    pub(crate) first: Vec<Symbol>,
    /// The number of elements that the nest computes, one symbol per axis.
    pub(crate) counts: Vec<Symbol>,
    /// Where the block is made, if its elements stay for the next iterations of the loops in between.
    pub(crate) kept: Option<ProgramPoint>,
    /// The statement that computes them; what reads them is behind it, in the same region.
    pub(crate) position: ProgramPoint,
    /// The statements that compute them: a nest.
    pub(crate) body: RegionId,
    /// Whether computing an element cannot panic but for its accesses.
    pub(crate) is_total: bool,
    /// The stage's definition, for errors.
    pub(crate) tokens: TokenStream,
    /// The template calls around it, for errors.
    pub(crate) calls: Vec<TemplateCall>,
}
