//! Leaves out the locals that nothing mentions: constants, and conversions of values that no emitted index needs.
//!
//! Placement gives a value a local where a view is made or an assertion needs it; offsets are parts of others then, and
//! extents have names. What is converted where an access runs may panic there, and stays.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proc_macro2::Ident;

use crate::ir::walk::{Use, read};
use crate::ir::{
    AccessId, Addressing, BufferId, Definition, Element, Let, LoopKind, Memory, NestId, Offset, Program,
    ProgramPoint, RegionId, StatementKind, SymbolSource,
};
use crate::symbolic::SymInt;

/// Leaves them out.
pub(crate) fn eliminate(program: &mut Program) {
    let mut live = LiveLocals { program, used: BTreeSet::new() };
    live.region(RegionId::BODY);
    let used = live.used;
    let is_dead = |program: &Program, Let { name, value }: &Let| {
        let has_no_effect = match value {
            Definition::Constant(_) => true,
            Definition::Conversion { symbol, .. } => {
                matches!(program.symbol(symbol).source, SymbolSource::Stable(..))
            }
            Definition::Index(_)
            | Definition::Extent(_)
            | Definition::Table(_)
            | Definition::Starts(..)
            | Definition::Indices(..)
            | Definition::OffsetPart(_)
            | Definition::Item(..) => false,
        };
        has_no_effect && !used.contains(name)
    };
    for region in program.regions.ids() {
        let mut statements = std::mem::take(&mut program.regions[region].statements);
        statements.retain(|own| !matches!(&own.kind, StatementKind::Let(local) if is_dead(program, local)));
        program.regions[region].statements = statements;
    }
}

/// The locals that are mentioned where symbolic integers are emitted.
struct LiveLocals<'p> {
    program: &'p Program,
    used: BTreeSet<Ident>,
}

impl LiveLocals<'_> {
    /// A symbolic integer that is emitted in the statement at `here`.
    fn sym(&mut self, sym: &SymInt, here: ProgramPoint) {
        for symbol in sym.symbols() {
            let local = match &self.program.symbol(&symbol).source {
                SymbolSource::Constant(name) => Some(name),
                SymbolSource::Stable(..) => self.program.converted(&symbol, here),
                SymbolSource::Local(_) | SymbolSource::Loop(_) | SymbolSource::Coordinate(_) => None,
            };
            self.used.extend(local.cloned());
        }
    }

    fn syms<'s>(&mut self, syms: impl IntoIterator<Item = &'s SymInt>, here: ProgramPoint) {
        syms.into_iter().for_each(|sym| self.sym(sym, here));
    }

    fn region(&mut self, region: RegionId) {
        let program = self.program;
        for statement in &program.regions[region].statements {
            let here = ProgramPoint { region, statement: statement.number };
            match &statement.kind {
                StatementKind::Memory(buffer, _) => self.buffer(*buffer, here),
                StatementKind::Assert(assertion) => self.syms(&assertion.extents, here),
                _ => {}
            }
            read::statement(&statement.kind, &mut |own| self.mentioned(own, here));
        }
    }

    fn mentioned(&mut self, own: Use<'_>, here: ProgramPoint) {
        let program = self.program;
        match own {
            Use::SymInt(sym) => self.sym(sym, here),
            Use::Hole(id, _) => read::hole(&program.holes[*id], &mut |own| self.mentioned(own, here)),
            Use::Access(id) => self.access(*id, here),
            Use::Region(id) => self.region(*id),
            Use::Nest(id) => self.nest(*id, here),
            Use::Loop(id) => {
                let for_loop = &program.loops[*id];
                match &for_loop.kind {
                    LoopKind::Index { extent } => self.sym(extent, here),
                    LoopKind::Range { iterator, .. } => {
                        read::expr(iterator, &mut |own| self.mentioned(own, here));
                    }
                }
                read::parts(for_loop, &mut |own| self.mentioned(own, here));
            }
            Use::Rust(_) => {}
        }
    }

    fn nest(&mut self, id: NestId, here: ProgramPoint) {
        let nest = &self.program.nests[id];
        match &nest.idiom {
            // It is emitted as a whole.
            Some(whole) => {
                let places = whole.places().into_iter();
                self.syms(places.flat_map(|own| std::iter::once(&own.first).chain(&own.steps)), here);
            }
            None => read::nest(nest, &mut |own| self.mentioned(own, here)),
        }
    }

    fn access(&mut self, id: AccessId, here: ProgramPoint) {
        let access = &self.program.accesses[id];
        read::operands(&access.operands, &mut |own| self.mentioned(own, here));
        if let Some(within) = &access.within {
            read::expr(within, &mut |own| self.mentioned(own, here));
        }
        match &access.element {
            Element::At(_, Offset::Flat { rest, .. }) => self.sym(rest, here),
            Element::At(_, Offset::Row(row, column)) => self.syms([row, column], here),
            Element::Tested(tested) => {
                for candidate in &tested.candidates {
                    self.syms(&candidate.coordinates, here);
                    self.buffer(candidate.buffer, here);
                }
            }
            Element::Unchecked | Element::Inside(_) | Element::Folded(_) => {}
        }
    }

    fn extents(&mut self, buffer: BufferId, here: ProgramPoint) {
        self.syms(&self.program.buffers[buffer].space.extents, here);
    }

    /// The extents and the layout of a block.
    fn buffer(&mut self, buffer: BufferId, here: ProgramPoint) {
        self.extents(buffer, here);
        let own = &self.program.buffers[buffer];
        if let Some(packed) = &own.shape {
            self.sym(&packed.bound, here);
        }
        if let Memory::Over { reshaped: Some(of), .. } = &own.memory {
            self.syms(of, here);
        }
        if let Addressing::Flat(layout) = &own.addressing {
            let live = RefCell::new(self);
            layout.map(&|sym: &SymInt| live.borrow_mut().sym(sym, here));
        }
    }
}
