//! Stages that are computed in memory.

use std::rc::Rc;

use proc_macro2::TokenStream;
use syn::Lifetime;

use crate::symbolic::{SymInt, Symbol};

use super::{AccessId, BufferId, Loop, NestId, Program, ProgramPoint, RegionId, TemplateCall};

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
    /// Whether they may stay for the next iteration of the loop around the nest, although no word says so.
    pub(crate) may_stay: bool,
    /// The statement that computes them; what reads them is behind it, in the same region.
    pub(crate) position: ProgramPoint,
    /// The statements that compute them: a nest.
    pub(crate) body: RegionId,
    /// The tiles in whose loops the elements are computed, until the pass `schedule` has moved them there.
    pub(crate) level: Option<Lifetime>,
    /// The tiles in whose loops the block is made, likewise.
    pub(crate) storage: Option<Lifetime>,
    /// The nest of these tiles.
    pub(crate) nest: Option<NestId>,
    /// The points of the nest that are in the tile, once it is computed there.
    pub(crate) tile: Option<Rc<Tile>>,
    /// Whether it is known which elements are computed.
    pub(crate) is_resolved: bool,
    /// What may panic where an element is computed, its accesses aside.
    pub(crate) panics: Option<TokenStream>,
    /// The stage's definition, for errors.
    pub(crate) tokens: TokenStream,
    /// The template calls around it, for errors.
    pub(crate) calls: Vec<TemplateCall>,
}

/// The points of a nest in one of its tiles.
#[derive(Debug)]
pub(crate) struct Tile {
    /// The body of the nest; copies of it are for these points as well.
    pub(crate) body: RegionId,
    /// The values of the nest's variables, the outermost first.
    pub(crate) axes: Vec<Steps>,
    /// Whether all of these are points of the nest.
    pub(crate) is_box: bool,
}

/// The values of a variable.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    pub(crate) symbol: Symbol,
    /// The least value.
    pub(crate) first: SymInt,
    /// The greatest value.
    pub(crate) last: SymInt,
    /// At least zero exactly when there is a value.
    pub(crate) runs: SymInt,
    /// How far apart the values are; they fall where it is negative.
    pub(crate) step: i64,
}

impl Steps {
    /// The values of a loop's variable.
    pub(crate) fn of(for_loop: &Loop) -> Self {
        let Loop { symbol, first, last, runs, .. } = for_loop.clone();
        Self { symbol, first, last, runs, step: for_loop.step() }
    }
}

impl Producer {
    /// Whether the pass `schedule` has yet to move it.
    pub(crate) const fn is_pending(&self) -> bool {
        self.level.is_some() || self.storage.is_some()
    }
}

impl Program {
    /// Whether a region is in the nest of a stage of which it is not known yet which elements are computed.
    pub(crate) fn is_in_unresolved(&self, region: RegionId) -> bool {
        self.unresolved().any(|own| self.within(region, own.body))
    }

    /// Whether it is not known yet which element an access reaches.
    pub(crate) fn is_unresolved(&self, access: AccessId) -> bool {
        let access = &self.accesses[access];
        self.unresolved().any(|own| own.buffer == access.view.buffer)
            || self.is_in_unresolved(access.position.region)
    }

    /// Whether a block is that of a stage which the pass `schedule` will make in tiles.
    pub(crate) fn is_of_tile(&self, buffer: BufferId) -> bool {
        self.producers.iter().any(|own| own.buffer == buffer && own.storage.is_some())
    }

    fn unresolved(&self) -> impl Iterator<Item = &Producer> {
        self.producers.iter().filter(|own| !own.is_resolved)
    }
}
