//! The way out of a region, and what is in scope on it.

use proc_macro2::Ident;

use super::{BufferId, LoopId, Program, ProgramPoint, RegionId, RegionKind, SymbolSource};
use crate::symbolic::{SymInt, Symbol};

/// Where a value could be computed, and the loops between there and its use.
#[derive(Debug, Clone)]
pub struct Path {
    /// Before this statement.
    pub position: ProgramPoint,
    /// The loops, outermost first.
    pub loops: Vec<LoopId>,
}

impl Program {
    /// A position, then that of the statement around its region, and so on out to the function's body.
    pub fn outwards(&self, from: ProgramPoint) -> impl Iterator<Item = ProgramPoint> {
        std::iter::successors(Some(from), |at| self.regions[at.region].parent)
    }

    /// A region, then the one around it, and so on out to the function's body.
    pub fn ancestors(&self, region: RegionId) -> impl Iterator<Item = RegionId> {
        std::iter::successors(Some(region), |at| self.parent(*at))
    }

    /// The region around one.
    pub fn parent(&self, region: RegionId) -> Option<RegionId> {
        self.regions[region].parent.map(|parent| parent.region)
    }

    /// The region that one is a copy of, or itself.
    pub fn original(&self, region: RegionId) -> RegionId {
        self.regions[region].copy_of.unwrap_or(region)
    }

    /// Whether region `inner` is `outer` or inside it. A region and its copies are one.
    pub fn within(&self, inner: RegionId, outer: RegionId) -> bool {
        let outer = self.original(outer);
        self.ancestors(inner).any(|region| self.original(region) == outer)
    }

    /// Whether the memory of a block that is accessed in `inner` is declared in `outer` or inside it. The accesses of a
    /// copy of a region are to the copies of its blocks.
    pub fn is_declared_in(&self, buffer: BufferId, inner: RegionId, outer: RegionId) -> bool {
        let declared = self.original(self.allocated(buffer).region);
        let around = self.parent(outer);
        self.ancestors(inner).take_while(|at| Some(*at) != around).any(|at| self.original(at) == declared)
    }

    /// Whether a region is, or is in, the body of a closure, which runs wherever it is called.
    pub fn in_closure(&self, region: RegionId) -> bool {
        self.ancestors(region).any(|region| self.regions[region].kind == RegionKind::Closure)
    }

    /// Whether something defined at `definition` is in scope at `place`. What a copy defines is in scope in that copy,
    /// and a region's own definitions in all of its copies, where they are repeated.
    pub fn visible(&self, definition: ProgramPoint, place: ProgramPoint) -> bool {
        let defines = |at: &ProgramPoint| {
            at.region == definition.region || self.regions[at.region].copy_of == Some(definition.region)
        };
        self.outwards(place).find(defines).is_some_and(|at| at.statement >= definition.statement)
    }

    /// The local that holds the converted value of `symbol` at `place`, if one does.
    pub fn converted(&self, symbol: &Symbol, place: ProgramPoint) -> Option<&Ident> {
        let captures = self.symbol(symbol).captures.iter();
        captures.filter(|(from, _)| self.visible(*from, place)).map(|(_, name)| name).next()
    }

    /// Whether the value of `symbol` is in scope before the statement at `place`.
    fn is_known(&self, symbol: &Symbol, place: ProgramPoint) -> bool {
        let info = self.symbol(symbol);
        match info.source {
            // A loop's variable is known in its body alone, and a copy of the loop has the same.
            SymbolSource::Loop(_) => self.is_variable_around(symbol, place.region),
            _ => self.visible(info.defined, place),
        }
    }

    /// Whether a symbol is the variable of a loop around a region.
    fn is_variable_around(&self, symbol: &Symbol, region: RegionId) -> bool {
        self.ancestors(region).any(|region| match self.regions[region].kind {
            RegionKind::Nest(nest) => {
                self.nests[nest].loops.iter().any(|id| self.loops[*id].symbol == *symbol)
            }
            _ => false,
        })
    }

    /// Whether every symbol of `syms` is in scope before the statement at `place`.
    pub fn knows<'s>(&self, syms: impl IntoIterator<Item = &'s SymInt>, place: ProgramPoint) -> bool {
        syms.into_iter().all(|sym| sym.symbols().iter().all(|symbol| self.is_known(symbol, place)))
    }

    /// The path from the outermost statement where every symbol of `syms` is in scope, but for the variables of loops
    /// on it, to `position`, through loops alone.
    pub fn path(&self, position: ProgramPoint, syms: &[&SymInt]) -> Path {
        let mut loops: Vec<LoopId> = Vec::new();
        let mut best = Path { position, loops: Vec::new() };
        let symbols = syms.iter().flat_map(|sym| sym.symbols()).map(|symbol| self.symbol(&symbol));
        let mut defined: Vec<ProgramPoint> = symbols
            .filter(|info| !matches!(info.source, SymbolSource::Loop(_)))
            .map(|info| info.defined)
            .collect();
        defined.sort_unstable();
        defined.dedup();
        for at in self.outwards(position) {
            if defined.iter().all(|defined| self.visible(*defined, at)) {
                best = Path { position: at, loops: loops.clone() };
            }
            match self.regions[at.region].kind {
                RegionKind::Plain | RegionKind::Version => {}
                RegionKind::Nest(nest) => {
                    loops.splice(0..0, self.nests[nest].loops.iter().copied());
                }
                RegionKind::Unknown | RegionKind::Branch | RegionKind::Closure => break,
            }
        }
        best
    }
}
