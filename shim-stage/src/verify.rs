//! What holds of a program between passes. A violation is a defect of the compiler.

use std::collections::BTreeSet;

use proc_macro2::Span;

use crate::hygiene::{context, text};
use crate::ir::visit::{holes_in_expr, holes_in_stmt};
use crate::ir::{
    AccessId, ContextId, ContextKind, Definition, Element, Hole, HoleId, Id, LoopId, LoopKind, Names, NestId,
    Operand, Position, Program, Source, StatementKind,
};
use crate::symbolic::Sym;

/// Looks through a program after a pass.
///
/// # Panics
/// If something in it is inconsistent.
pub(crate) fn verify(pass: &str, program: &Program, names: &Names) {
    let mut verifier = Verifier { pass, program, contexts: BTreeSet::new(), loops: BTreeSet::new() };
    verifier.context(ContextId::BODY);
    // The passes between these bring no other names into locations.
    if matches!(pass, "bind" | "schedule" | "lower") {
        verifier.names(names);
    }
}

struct Verifier<'p> {
    pass: &'p str,
    program: &'p Program,
    /// The contexts that were met.
    contexts: BTreeSet<ContextId>,
    /// The loops that were met.
    loops: BTreeSet<LoopId>,
}

impl Verifier<'_> {
    #[track_caller]
    fn holds(&self, condition: bool, what: impl FnOnce() -> String) {
        assert!(condition, "shim: `{}` after the pass `{}`: {}", self.program.name, self.pass, what());
    }

    /// Every local that locations are computed of is one of the expansion's, which the user's code can neither name nor hide.
    fn names(&self, names: &Names) {
        let program = self.program;
        let loops = program.loops.iter().map(|own| &own.name).filter(|name| *name != "_");
        let captures = program.symbols.iter().flat_map(|info| &info.captures).map(|(_, name)| name);
        let sources = program.symbols.iter().filter_map(|info| match &info.source {
            Source::Local(name)
            | Source::Stable(name, _)
            | Source::Constant(name)
            | Source::Same(name, _) => Some(name),
            Source::Loop(_) | Source::Coordinate(_) => None,
        });
        let memory = program.storages.iter().map(|storage| &storage.local);
        let own = context(Span::mixed_site());
        for name in loops.chain(captures).chain(sources).chain(memory) {
            let hygienic = names.is_local(&text(name)) && context(name.span()) == own;
            self.holds(hygienic, || format!("a location mentions `{name}`, which is the user's"));
        }
    }

    /// The statements of a context, which belongs to one statement alone.
    fn context(&mut self, id: ContextId) {
        let program = self.program;
        let first = self.contexts.insert(id);
        self.holds(first, || format!("body {} is in two places", id.index()));
        let context = &program.contexts[id];
        let sorted = context.statements.is_sorted_by_key(|statement| statement.number);
        self.holds(sorted, || format!("the statements of body {} are out of order", id.index()));
        for statement in &context.statements {
            let here = Position { context: id, statement: statement.number };
            match &statement.kind {
                StatementKind::Rust(statement) => self.holes(&holes_in_stmt(statement), here),
                StatementKind::Memory(_, place) => {
                    if let Some(place) = place {
                        self.holes(&holes_in_expr(place), here);
                    }
                }
                StatementKind::Let(local) => match &local.value {
                    Definition::Conversion { value, .. } => self.holes(&holes_in_expr(value), here),
                    Definition::Index(value) | Definition::Extent(value) => self.in_scope([value], here),
                    Definition::Part(part) => self.in_scope([&part.value], here),
                    Definition::Constant(_) => {}
                },
                StatementKind::Assert(assertion) => {
                    let bounds =
                        assertion.bounds.iter().flat_map(|bound| bound.least.iter().chain(&bound.greatest));
                    self.in_scope(assertion.guards.iter().chain(bounds), here);
                }
                StatementKind::Expect { .. } => {}
            }
        }
    }

    fn inner(&mut self, id: ContextId, around: Position) {
        self.is_in("body", id.index(), self.program.contexts[id].parent, around);
        self.context(id);
    }

    fn holes(&mut self, holes: &[HoleId], here: Position) {
        for id in holes {
            match &self.program.holes[*id] {
                Hole::Access(access) | Hole::Contains(access) | Hole::Prefetch(access) => {
                    self.access(*access, here);
                }
                Hole::Assign { access, value, .. } => {
                    self.access(*access, here);
                    self.holes(&holes_in_expr(value), here);
                }
                Hole::Held { assigned, .. } => {
                    if let Some((_, value)) = assigned {
                        self.holes(&holes_in_expr(value), here);
                    }
                }
                Hole::Body(body) | Hole::Place(body) | Hole::Copies(body) => self.inner(*body, here),
                Hole::Select(selection) => {
                    let accesses = selection.accesses.iter().chain([&selection.to]);
                    accesses.for_each(|access| self.access(*access, here));
                }
                Hole::Nest(nest) => self.nest(*nest, here),
                Hole::Value(value, _) => self.in_scope([value], here),
                Hole::Compare(left, _, right, operands) => {
                    self.operands(operands, here);
                    let own = |sym: &&Sym| {
                        sym.symbols()
                            .iter()
                            .all(|symbol| operands.iter().all(|operand| operand.symbol != *symbol))
                    };
                    self.in_scope([left, right].into_iter().filter(own), here);
                }
            }
        }
    }

    fn operands(&mut self, operands: &[Operand], here: Position) {
        for operand in operands {
            self.holes(&holes_in_expr(&operand.value), here);
        }
    }

    /// Whether the variables of loops are in scope at a statement. Values of the user's are converted where they are needed.
    fn in_scope<'s>(&self, syms: impl IntoIterator<Item = &'s Sym>, here: Position) {
        for symbol in syms.into_iter().flat_map(Sym::symbols) {
            let variable = matches!(self.program.symbol(&symbol).source, Source::Loop(_));
            let own = Sym::symbol(&symbol);
            self.holds(!variable || self.program.knows([&own], here), || {
                format!("`{symbol}` is used in {here:?}, where it is not in scope")
            });
        }
    }

    /// Whether something belongs to a statement, or to one around it. Statements that binding wrote for its sake come after its position.
    fn is_in(&self, what: &str, number: usize, position: Option<Position>, here: Position) {
        let inside = position.is_some_and(|position| {
            let same = position.context == here.context;
            same && position.statement <= here.statement
                || !same && self.program.within(here.context, position.context)
        });
        self.holds(inside, || format!("{what} {number} is in {here:?} and says {position:?}"));
    }

    fn access(&mut self, id: AccessId, here: Position) {
        let program = self.program;
        let access = &program.accesses[id];
        self.is_in("access", id.index(), Some(access.position), here);
        self.operands(&access.operands, here);
        if let Some(condition) = &access.within {
            self.holes(&holes_in_expr(condition), here);
        }
        if matches!(access.element, Element::Unchecked) {
            self.holds(self.pass == "bind", || format!("access {} is not checked", id.index()));
        }
        let candidates = access.element.candidates();
        let own = |sym: &&Sym| {
            sym.symbols().iter().all(|symbol| access.operands.iter().all(|operand| operand.symbol != *symbol))
        };
        let coordinates = candidates.iter().flat_map(|candidate| &candidate.coordinates);
        self.in_scope(coordinates.filter(own), here);
    }

    fn nest(&mut self, id: NestId, here: Position) {
        let program = self.program;
        let nest = &program.nests[id];
        for (depth, own) in nest.loops.iter().enumerate() {
            let looping = &program.loops[*own];
            let first = self.loops.insert(*own);
            self.holds(first, || format!("loop `{}` is in two nests", looping.name));
            self.holds(looping.nest == id, || format!("loop `{}` is of another nest", looping.name));
            let bounds = [&looping.first, &looping.last, &looping.runs];
            for inner in &nest.loops[depth..] {
                let symbol = &program.loops[*inner].symbol;
                self.holds(bounds.iter().all(|bound| !bound.mentions(symbol)), || {
                    format!("loop `{}` ends at a variable inside it", looping.name)
                });
            }
            if let LoopKind::Range { iterator, .. } = &looping.kind {
                self.holes(&holes_in_expr(iterator), here);
            }
        }
        let kind = program.contexts[nest.body].kind;
        self.holds(kind == ContextKind::Nest(id), || {
            format!("the body of nest {} is that of {kind:?}", id.index())
        });
        self.inner(nest.body, here);
        if let Some(split) = &nest.split {
            self.nest(split.interior, here);
        }
    }
}
