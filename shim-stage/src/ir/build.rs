//! The parts of a program are made and moved here, so that each region knows what is in it.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use syn::Stmt;

use super::walk::Use;
use super::{
    Access, AccessId, AccessKind, AccessMode, Element, Epoch, Hole, HoleId, Loop, LoopKind, LoopMode, NestId,
    Order, Program, ProgramPoint, Region, RegionId, RegionKind, Statement, StatementKind, View,
};
use crate::symbolic::{SymInt, Symbol};

/// The lengths of lists of a program.
pub(crate) struct Demands {
    ordered_copies: usize,
    producers: usize,
    stage_blocks: usize,
    tabulations: usize,
    notes: usize,
}

impl Access {
    /// An access without operands or a history.
    pub fn new(view: Rc<View>, index: Vec<SymInt>, kind: AccessKind, position: ProgramPoint) -> Self {
        Access {
            view,
            index,
            kind,
            commutes: None,
            operands: Vec::new(),
            within: None,
            let_defs: Vec::new(),
            position,
            epoch: Epoch::default(),
            repeats: false,
            tokens: TokenStream::new(),
            calls: Vec::new(),
            element: Element::Unchecked,
            asserted: None,
            interior: None,
            mode: AccessMode::Value,
        }
    }
}

impl Loop {
    /// A loop that runs serially, with the first and last values of its variable and what is at least zero if it runs
    /// at all.
    pub fn new(
        name: Ident,
        symbol: Symbol,
        [first, last, runs]: [SymInt; 3],
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
            mode: LoopMode::Serial,
            is_i32: false,
            interior: None,
        }
    }

    /// A loop over `0..extent`.
    pub fn counted(name: Ident, symbol: Symbol, extent: SymInt, nest: NestId) -> Self {
        let last = extent.sub(&SymInt::constant(1)).unwrap_or_else(|_| SymInt::constant(0));
        Loop::new(name, symbol, [SymInt::constant(0), last.clone(), last], LoopKind::Index { extent }, nest)
    }
}

impl Program {
    /// A region without statements in the statement at `parent`.
    pub fn new_region(
        &mut self,
        parent: Option<ProgramPoint>,
        kind: RegionKind,
        own: Vec<SymInt>,
        epoch: Epoch,
    ) -> RegionId {
        let id = self.regions.push(Region::new(kind, own, epoch));
        self.move_region(id, parent, kind);
        id
    }

    /// Moves a region to the statement at `parent`, where other facts hold.
    pub fn move_region(&mut self, id: RegionId, parent: Option<ProgramPoint>, kind: RegionKind) {
        let region = &mut self.regions[id];
        region.kind = kind;
        if let Some(outer) = std::mem::replace(&mut region.parent, parent) {
            self.regions[outer.region].regions.retain(|inner| *inner != id);
        }
        if let Some(parent) = parent {
            self.regions[parent.region].regions.push(id);
        }
        self.derive_facts(id);
    }

    /// Takes a region with all that is in it out of the program.
    pub fn detach(&mut self, id: RegionId) {
        let mut nests: Vec<NestId> = Vec::new();
        self.walk(id, &mut |own, _| {
            if let Use::Nest(nest) = own {
                nests.push(*nest);
            }
        });
        for nest in nests {
            self.nests[nest].loops.clear();
            self.nests[nest].schedule = None;
        }
        self.move_region(id, None, RegionKind::Plain);
    }

    /// How much there is of what regions make the passes do, besides what is in them.
    pub(crate) fn demands(&self) -> Demands {
        Demands {
            ordered_copies: self.ordered_copies.len(),
            producers: self.producers.len(),
            stage_blocks: self.stage_blocks.len(),
            tabulations: self.tabulations.len(),
            notes: self.notes.len(),
        }
    }

    /// Takes back what was demanded since then.
    pub(crate) fn withdraw(&mut self, since: Demands) {
        let Demands { ordered_copies, producers, stage_blocks, tabulations, notes } = since;
        self.ordered_copies.truncate(ordered_copies);
        self.producers.truncate(producers);
        self.stage_blocks.truncate(stage_blocks);
        self.tabulations.truncate(tabulations);
        self.notes.truncate(notes);
    }

    /// Adds an access to the region that its position is in.
    pub fn access(&mut self, access: Access) -> AccessId {
        let region = access.position.region;
        let id = self.accesses.push(access);
        self.regions[region].accesses.push(id);
        id
    }

    /// Takes accesses out of the program that no hole mentions any more.
    pub fn remove_accesses(&mut self, accesses: &[AccessId]) {
        for id in accesses {
            let region = self.accesses[*id].position.region;
            self.regions[region].accesses.retain(|own| own != id);
        }
    }

    /// A region without statements in the statement at `parent`, in which `facts` hold.
    pub fn region_at(&mut self, parent: ProgramPoint, kind: RegionKind, facts: Vec<SymInt>) -> RegionId {
        let epoch = self.regions[parent.region].epoch(parent.statement).unwrap_or_default();
        self.new_region(Some(parent), kind, facts, epoch)
    }

    /// Gives a nest, in the statement at `parent`, a body without statements.
    pub fn give_body(&mut self, nest: NestId, parent: ProgramPoint, facts: Vec<SymInt>) -> RegionId {
        let body = self.region_at(parent, RegionKind::Nest(nest), facts);
        self.nests[nest].body = body;
        body
    }

    /// Lets a region run only where each of `all` is at least zero: its statement becomes conditional.
    pub(crate) fn guard(&mut self, region: RegionId, all: Vec<SymInt>) {
        let Some(at) = self.regions[region].parent.filter(|_| !all.is_empty()) else { return };
        self.move_region(region, Some(at), RegionKind::Branch);
        for own in &all {
            self.assume(region, own.clone());
        }
        let is_own = |own: &&mut Statement| own.number == at.statement && own.order == Order::Own;
        if let Some(own) = self.regions[at.region].statements.iter_mut().find(is_own) {
            own.kind = StatementKind::If { all, then: region, otherwise: None };
        }
    }

    /// Lets the region where a condition holds run whatever the condition, and takes the other one out.
    pub(crate) fn decide(&mut self, region: RegionId) {
        let Some(at) = self.regions[region].parent else { return };
        let hole = self.hole(Hole::Body(region));
        let is_own =
            |own: &&mut Statement| matches!(own.kind, StatementKind::If { then, .. } if then == region);
        let Some(own) = self.regions[at.region].statements.iter_mut().find(is_own) else { return };
        let statement = Stmt::Expr(hole, Some(<syn::Token![;]>::default()));
        let choice = std::mem::replace(&mut own.kind, StatementKind::Rust(Box::new(statement)));
        if let StatementKind::If { otherwise: Some(otherwise), .. } = choice {
            self.detach(otherwise);
        }
        self.move_region(region, Some(at), RegionKind::Plain);
    }

    /// Puts a region that was the body of a nest in the place of the nest, which is in `hole`.
    pub fn replace_nest(&mut self, hole: HoleId, body: RegionId) {
        self.holes[hole] = Hole::Body(body);
        self.move_region(body, self.regions[body].parent, RegionKind::Plain);
    }

    /// Adds a hole as the last statement of a region.
    pub fn append(&mut self, region: RegionId, hole: Hole, semicolon: bool) -> ProgramPoint {
        let hole = self.hole(hole);
        let semicolon = semicolon.then(<syn::Token![;]>::default);
        self.append_rust(region, Stmt::Expr(hole, semicolon))
    }

    /// Adds Rust as the last statement of a region.
    pub fn append_rust(&mut self, region: RegionId, statement: Stmt) -> ProgramPoint {
        self.append_statement(region, StatementKind::Rust(Box::new(statement)))
    }

    /// Adds the last statement of a region; its position.
    pub fn append_statement(&mut self, region: RegionId, kind: StatementKind) -> ProgramPoint {
        let own = &mut self.regions[region];
        let number = own.next_statement();
        own.statements.push(Statement { number, order: Order::Own, kind });
        own.epochs.push(own.last_epoch());
        ProgramPoint { region, statement: number }
    }

    /// A region and all those inside it.
    pub fn regions_in(&self, region: RegionId) -> Vec<RegionId> {
        let mut found = vec![region];
        let mut next = 0;
        while let Some(own) = found.get(next) {
            found.extend(&self.regions[*own].regions);
            next += 1;
        }
        found
    }

    /// The accesses in a region, those of the regions inside it included, in the order of their numbers.
    pub fn accesses_in(&self, region: RegionId) -> Vec<AccessId> {
        let regions = self.regions_in(region);
        let mut found: Vec<AccessId> =
            regions.into_iter().flat_map(|region| &self.regions[region].accesses).copied().collect();
        found.sort_unstable();
        found
    }

    /// The accesses that may run while a region does: its own, and those of closures, which run wherever they are
    /// called.
    pub fn accesses_while(&self, region: RegionId) -> Vec<AccessId> {
        let closures = self.regions.enumerated().filter(|(_, own)| own.kind == RegionKind::Closure);
        let mut found = self.accesses_in(region);
        found.extend(closures.flat_map(|(id, _)| self.accesses_in(id)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All accesses.
    pub fn all_accesses(&self) -> Vec<AccessId> {
        self.accesses_in(RegionId::BODY)
    }
}
