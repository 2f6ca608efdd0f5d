//! The way out of a context, and what is in scope on it.

use super::{ContextId, ContextKind, LoopId, Position, Program, Source, StorageId};
use crate::symbolic::{Sym, Symbol};

/// Where a value could be computed, and the loops between there and its use.
#[derive(Debug, Clone)]
pub struct Path {
    /// Before this statement.
    pub position: Position,
    /// The loops, outermost first.
    pub loops: Vec<LoopId>,
}

impl Program {
    /// A position, then that of the statement around its context, and so on out to the function's body.
    pub fn outwards(&self, from: Position) -> impl Iterator<Item = Position> {
        std::iter::successors(Some(from), |at| self.contexts[at.context].parent)
    }

    /// A context, then the one around it, and so on out to the function's body.
    pub fn ancestors(&self, context: ContextId) -> impl Iterator<Item = ContextId> {
        std::iter::successors(Some(context), |at| self.parent(*at))
    }

    /// The context around one.
    pub fn parent(&self, context: ContextId) -> Option<ContextId> {
        self.contexts[context].parent.map(|parent| parent.context)
    }

    /// The context that one is a copy of, or itself.
    pub fn original(&self, context: ContextId) -> ContextId {
        self.contexts[context].copy_of.unwrap_or(context)
    }

    /// Whether context `inner` is `outer` or inside it. A context and its copies are one.
    pub fn within(&self, inner: ContextId, outer: ContextId) -> bool {
        let outer = self.original(outer);
        self.ancestors(inner).any(|context| self.original(context) == outer)
    }

    /// Whether the memory of a block that is accessed in `inner` is declared in `outer` or inside it. The accesses of a copy of a context
    /// are to the copies of its blocks.
    pub fn is_declared_in(&self, storage: StorageId, inner: ContextId, outer: ContextId) -> bool {
        let declared = self.original(self.allocated(storage).context);
        let around = self.parent(outer);
        self.ancestors(inner).take_while(|at| Some(*at) != around).any(|at| self.original(at) == declared)
    }

    /// Whether a context is, or is in, the body of a closure, which runs wherever it is called.
    pub fn in_closure(&self, context: ContextId) -> bool {
        self.ancestors(context).any(|context| self.contexts[context].kind == ContextKind::Closure)
    }

    /// Whether something defined at `definition` is in scope at `place`. What a copy defines is in scope in that copy, and a
    /// context's own definitions in all of its copies, where they are repeated.
    pub fn visible(&self, definition: Position, place: Position) -> bool {
        let defines = |at: &Position| {
            at.context == definition.context || self.contexts[at.context].copy_of == Some(definition.context)
        };
        self.outwards(place).find(defines).is_some_and(|at| at.statement >= definition.statement)
    }

    /// Whether the value of `symbol` is in scope before the statement at `place`.
    fn is_known(&self, symbol: &Symbol, place: Position) -> bool {
        let info = self.symbol(symbol);
        match info.source {
            // A loop's variable is known in its body alone.
            Source::Loop(id) => self.within(place.context, self.body_of(id)),
            _ => self.visible(info.defined, place),
        }
    }

    /// Whether every symbol of `syms` is in scope before the statement at `place`.
    pub fn knows<'s>(&self, syms: impl IntoIterator<Item = &'s Sym>, place: Position) -> bool {
        syms.into_iter().all(|sym| sym.symbols().iter().all(|symbol| self.is_known(symbol, place)))
    }

    /// The path from the outermost statement where every symbol of `syms` is in scope, but for the variables of loops on it, to
    /// `position`, through loops alone.
    pub fn path(&self, position: Position, syms: &[&Sym]) -> Path {
        let mut loops: Vec<LoopId> = Vec::new();
        let mut best = Path { position, loops: Vec::new() };
        let symbols = syms.iter().flat_map(|sym| sym.symbols()).map(|symbol| self.symbol(&symbol));
        let mut defined: Vec<Position> =
            symbols.filter(|info| !matches!(info.source, Source::Loop(_))).map(|info| info.defined).collect();
        defined.sort_unstable();
        defined.dedup();
        for at in self.outwards(position) {
            if defined.iter().all(|defined| self.visible(*defined, at)) {
                best = Path { position: at, loops: loops.clone() };
            }
            match self.contexts[at.context].kind {
                ContextKind::Plain => {}
                ContextKind::Nest(nest) => {
                    loops.splice(0..0, self.nests[nest].loops.iter().copied());
                }
                ContextKind::Unknown | ContextKind::Branch | ContextKind::Closure => break,
            }
        }
        best
    }
}
