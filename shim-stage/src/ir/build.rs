//! The parts of a program are made and moved here, so that each region knows what is in it.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use syn::Stmt;

use super::{
    Access, AccessId, AccessKind, Context, ContextId, ContextKind, Element, Hole, HoleId, Loop, LoopKind,
    LoopMode, NestId, Order, Position, Program, Statement, StatementKind, View,
};
use crate::symbolic::{Facts, Sym, Symbol};

impl Access {
    /// An access without operands or a history.
    pub fn new(view: Rc<View>, index: Vec<Sym>, kind: AccessKind, position: Position) -> Self {
        Access {
            view,
            index,
            kind,
            operands: Vec::new(),
            within: None,
            affine: Vec::new(),
            position,
            clock: 0,
            repeats: false,
            tokens: TokenStream::new(),
            calls: Vec::new(),
            element: Element::Unchecked,
            interior: None,
        }
    }
}

impl Loop {
    /// A loop that runs serially, with the first and last values of its variable and what is at least zero if it runs at all.
    pub fn new(
        name: Ident,
        symbol: Symbol,
        [first, last, runs]: [Sym; 3],
        kind: LoopKind,
        nest: NestId,
    ) -> Self {
        Loop {
            name,
            symbol,
            first,
            last,
            runs,
            kind,
            over: None,
            nest,
            parts: Vec::new(),
            own: None,
            opaque: false,
            broken: false,
            mode: LoopMode::Serial,
            peel: None,
        }
    }

    /// A loop over `0..extent`.
    pub fn counted(name: Ident, symbol: Symbol, extent: Sym, nest: NestId) -> Self {
        let last = extent.sub(&Sym::constant(1)).unwrap_or_else(|_| Sym::constant(0));
        Loop::new(name, symbol, [Sym::constant(0), last.clone(), last], LoopKind::Index { extent }, nest)
    }
}

impl Program {
    /// A region without statements in the statement at `parent`.
    pub fn region(
        &mut self,
        parent: Option<Position>,
        kind: ContextKind,
        facts: Facts,
        clock: u64,
    ) -> ContextId {
        let id = self.contexts.push(Context {
            parent,
            kind,
            facts,
            copy_of: None,
            statements: Vec::new(),
            clock: vec![clock],
            accesses: Vec::new(),
            regions: Vec::new(),
        });
        if let Some(parent) = parent {
            self.contexts[parent.context].regions.push(id);
        }
        id
    }

    /// Moves a region to the statement at `parent`.
    pub fn move_region(&mut self, region: ContextId, parent: Option<Position>, kind: ContextKind) {
        let context = &mut self.contexts[region];
        context.kind = kind;
        if let Some(outer) = std::mem::replace(&mut context.parent, parent) {
            self.contexts[outer.context].regions.retain(|inner| *inner != region);
        }
        if let Some(parent) = parent {
            self.contexts[parent.context].regions.push(region);
        }
    }

    /// Adds an access to the region that its position is in.
    pub fn access(&mut self, access: Access) -> AccessId {
        let region = access.position.context;
        let id = self.accesses.push(access);
        self.contexts[region].accesses.push(id);
        id
    }

    /// Takes accesses out of the program that no hole mentions any more.
    pub fn remove_accesses(&mut self, accesses: &[AccessId]) {
        for id in accesses {
            let region = self.accesses[*id].position.context;
            self.contexts[region].accesses.retain(|own| own != id);
        }
    }

    /// Gives `outer`, in the statement at `parent`, a body that is the nest `inner` alone; the position of `inner`.
    pub fn enclose(
        &mut self,
        outer: NestId,
        parent: Position,
        inner: NestId,
        facts: impl IntoIterator<Item = Sym>,
    ) -> Position {
        let around = &self.contexts[parent.context];
        let clock = around.clock.get(parent.statement).copied().unwrap_or(0);
        let mut known = around.facts.clone();
        facts.into_iter().for_each(|fact| known.push(fact));
        let region = self.region(Some(parent), ContextKind::Nest(outer), known, clock);
        self.nests[outer].body = region;
        let position = Position { context: region, statement: 0 };
        self.append(region, Hole::Nest(inner), false);
        position
    }

    /// Puts a region that was the body of a nest in the place of the nest, which is in `hole`.
    pub fn replace_nest(&mut self, hole: HoleId, body: ContextId) {
        self.holes[hole] = Hole::Body(body);
        self.move_region(body, self.contexts[body].parent, ContextKind::Plain);
    }

    /// Adds a hole as the last statement of a region.
    pub fn append(&mut self, region: ContextId, hole: Hole, semicolon: bool) {
        let hole = self.hole(hole);
        let semicolon = semicolon.then(<syn::Token![;]>::default);
        self.append_rust(region, Stmt::Expr(hole, semicolon));
    }

    /// Adds the last statement of a region.
    pub fn append_rust(&mut self, region: ContextId, statement: Stmt) {
        let context = &mut self.contexts[region];
        let number = context.clock.len() - 1;
        let kind = StatementKind::Rust(Box::new(statement));
        context.statements.push(Statement { number, order: Order::Own, kind });
        context.clock.extend(context.clock.last().copied());
    }

    /// A region and all those inside it.
    pub fn regions_in(&self, region: ContextId) -> Vec<ContextId> {
        let mut found = vec![region];
        let mut next = 0;
        while let Some(own) = found.get(next) {
            found.extend(&self.contexts[*own].regions);
            next += 1;
        }
        found
    }

    /// The accesses in a region, those of the regions inside it included, in the order of their numbers.
    pub fn accesses_in(&self, region: ContextId) -> Vec<AccessId> {
        let regions = self.regions_in(region);
        let mut found: Vec<AccessId> =
            regions.into_iter().flat_map(|region| &self.contexts[region].accesses).copied().collect();
        found.sort_unstable();
        found
    }

    /// The accesses that may run while a region does: its own, and those of closures, which run wherever they are called.
    pub fn accesses_while(&self, region: ContextId) -> Vec<AccessId> {
        let closures = self.contexts.enumerated().filter(|(_, own)| own.kind == ContextKind::Closure);
        let mut found = self.accesses_in(region);
        found.extend(closures.flat_map(|(id, _)| self.accesses_in(id)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All accesses.
    pub fn all_accesses(&self) -> Vec<AccessId> {
        self.accesses_in(ContextId::BODY)
    }
}
