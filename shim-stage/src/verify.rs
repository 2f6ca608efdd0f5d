//! What holds of a program between passes. A violation is a defect of the compiler.

use std::collections::BTreeSet;

use proc_macro2::Span;

use crate::hygiene::{syntax_context, text};
use crate::ir::walk::Use;
use crate::ir::{
    AccessId, Element, Hole, Id, Interior, LoopId, NameSupply, NestId, Program, ProgramPoint, RegionId,
    RegionKind, SymbolSource,
};
use crate::symbolic::{Facts, SymInt, Symbol};

/// Looks through a program after a pass.
///
/// # Panics
/// If something in it is inconsistent.
pub(crate) fn verify(pass: &str, program: &Program, names: &NameSupply) {
    let mut verifier = Verifier {
        pass,
        program,
        regions: BTreeSet::from([RegionId::BODY]),
        loops: BTreeSet::new(),
        accesses: BTreeSet::new(),
        operands: operands(program),
    };
    verifier.new_region(RegionId::BODY);
    program.walk(RegionId::BODY, &mut |own, here| verifier.used(own, here));
    let live: BTreeSet<AccessId> = program.all_accesses().into_iter().collect();
    let dead = verifier.accesses.difference(&live).next();
    verifier.holds(dead.is_none(), || format!("access {dead:?} is in no region"));
    verifier.names(names);
}

struct Verifier<'p> {
    pass: &'p str,
    program: &'p Program,
    /// The regions that were met.
    regions: BTreeSet<RegionId>,
    /// The loops that were met.
    loops: BTreeSet<LoopId>,
    /// The accesses that were met.
    accesses: BTreeSet<AccessId>,
    /// The operands of accesses and comparisons.
    operands: BTreeSet<Symbol>,
}

fn operands(program: &Program) -> BTreeSet<Symbol> {
    let compared = program.holes.iter().filter_map(|hole| match hole {
        Hole::Compare(.., operands) => Some(operands),
        _ => None,
    });
    let all = program.accesses.iter().map(|access| &access.operands).chain(compared);
    all.flatten().map(|operand| operand.symbol.clone()).collect()
}

impl Verifier<'_> {
    #[track_caller]
    fn holds(&self, condition: bool, what: impl FnOnce() -> String) {
        assert!(condition, "shim: `{}` after the pass `{}`: {}", self.program.name, self.pass, what());
    }

    fn used(&mut self, own: Use<'_>, here: ProgramPoint) {
        match own {
            Use::Hole(id, _) => {
                if let Hole::Select(selection) = &self.program.holes[*id] {
                    let count = selection.accesses.len();
                    let known = selection.elements.iter().all(|element| *element < count);
                    self.holds(known, || "a selection has an element of no access".to_owned());
                }
            }
            Use::Access(id) => self.access(*id, here),
            Use::Region(id) => {
                let first = self.regions.insert(*id);
                self.holds(first, || format!("body {} is in two places", id.index()));
                let parent = self.program.regions[*id].parent;
                self.is_in("body", id.index(), parent, here);
                let listed =
                    parent.is_some_and(|parent| self.program.regions[parent.region].regions.contains(id));
                self.holds(listed, || format!("body {} is not among those around it", id.index()));
                self.new_region(*id);
            }
            Use::Nest(id) => self.nest(*id),
            Use::Loop(id) => {
                let first = self.loops.insert(*id);
                let name = &self.program.loops[*id].name;
                self.holds(first, || format!("loop `{name}` is in two nests"));
            }
            Use::Rust(_) => {}
            Use::SymInt(sym) => self.in_scope(sym, here),
        }
    }

    fn new_region(&self, id: RegionId) {
        let statements = &self.program.regions[id].statements;
        let sorted = statements.is_sorted_by_key(|statement| statement.number);
        self.holds(sorted, || format!("the statements of body {} are out of order", id.index()));
        self.facts(id);
    }

    /// The facts of a region are about symbols in scope there: those of another region could contradict them. A loop, a
    /// branch or a closure whose facts contradict each other never runs, but a block runs with its statement.
    fn facts(&self, id: RegionId) {
        let region = &self.program.regions[id];
        let end = ProgramPoint { region: id, statement: usize::MAX };
        for fact in region.own_facts() {
            self.in_scope(fact, end);
        }
        if region.kind != RegionKind::Plain || region.own_facts().is_empty() {
            return;
        }
        let around = region.parent.map(|around| self.program.facts_at(around));
        let around = around.is_some_and(is_contradiction);
        self.holds(around || !is_contradiction(&region.facts), || {
            format!("the facts of body {} contradict each other", id.index())
        });
    }

    /// Whether the symbols of a value are in scope at a statement, but for operands, which are bound in their access.
    fn in_scope(&self, sym: &SymInt, here: ProgramPoint) {
        if self.program.knows([sym], here) {
            return;
        }
        for symbol in sym.symbols().into_iter().filter(|symbol| !self.operands.contains(symbol)) {
            self.holds(self.program.knows([&SymInt::symbol(&symbol)], here), || {
                format!("`{symbol}` is used in {here:?}, where it is not in scope")
            });
        }
    }

    /// Whether something belongs to a statement, or to one around it. Statements that binding wrote for its sake come
    /// after its position.
    fn is_in(&self, what: &str, number: usize, position: Option<ProgramPoint>, here: ProgramPoint) {
        let inside = position.is_some_and(|position| {
            let same = position.region == here.region;
            same && position.statement <= here.statement
                || !same && self.program.within(here.region, position.region)
        });
        self.holds(inside, || format!("{what} {number} is in {here:?} and says {position:?}"));
    }

    fn access(&mut self, id: AccessId, here: ProgramPoint) {
        let access = &self.program.accesses[id];
        self.accesses.insert(id);
        self.is_in("access", id.index(), Some(access.position), here);
        if matches!(access.element, Element::Unchecked) {
            self.holds(
                self.pass == "bind" || self.pass == "regions" || self.program.is_unresolved(id),
                || format!("access {} is not checked", id.index()),
            );
        }
    }

    fn nest(&self, id: NestId) {
        let program = self.program;
        let nest = &program.nests[id];
        for (depth, own) in nest.loops.iter().enumerate() {
            let for_loop = &program.loops[*own];
            self.holds(for_loop.nest == id, || format!("loop `{}` is of another nest", for_loop.name));
            let mut bounds = vec![&for_loop.first, &for_loop.last, &for_loop.runs];
            if let Some(Interior { starts, ends, guards, .. }) = &for_loop.interior {
                // The walk does not visit it.
                let inside = ProgramPoint { region: nest.body, statement: 0 };
                for end in starts.iter().chain(ends).chain(guards) {
                    self.in_scope(end, inside);
                    bounds.push(end);
                }
            }
            for inner in &nest.loops[depth..] {
                let symbol = &program.loops[*inner].symbol;
                self.holds(bounds.iter().all(|bound| !bound.mentions(symbol)), || {
                    format!("loop `{}` ends at a variable inside it", for_loop.name)
                });
            }
        }
        let kind = program.regions[nest.body].kind;
        self.holds(kind == RegionKind::Nest(id), || {
            format!("the body of nest {} is that of {kind:?}", id.index())
        });
        let Some(tasks) = &nest.tasks else { return };
        for access in program.accesses_in(nest.body).into_iter().map(|id| &program.accesses[id]) {
            let Some(candidate) = access.element.candidates().first().filter(|_| access.kind.writes()) else {
                continue;
            };
            let root = program.root_buffer(candidate.buffer);
            let own = program.is_declared_in(root, access.position.region, nest.body);
            let shared = own || tasks.memory.iter().any(|(buffer, _)| *buffer == root);
            self.holds(shared, || format!("tasks write `{}`, which they do not share", access.view.name));
        }
    }

    /// Every local that locations are computed of is one of the expansion's, which the user's code can neither name nor
    /// hide.
    fn names(&self, names: &NameSupply) {
        let program = self.program;
        let loops = program.loops.iter().map(|own| &own.name).filter(|name| *name != "_");
        let captures = program.symbols.iter().flat_map(|info| &info.captures).map(|(_, name)| name);
        let sources = program.symbols.iter().filter_map(|info| match &info.source {
            SymbolSource::Local(name) | SymbolSource::Stable(name, _) | SymbolSource::Constant(name) => {
                Some(name)
            }
            SymbolSource::Loop(_) | SymbolSource::Coordinate(_) => None,
        });
        let memory = program.buffers.iter().map(|buffer| &buffer.local);
        let own = syntax_context(Span::mixed_site());
        for name in loops.chain(captures).chain(sources).chain(memory) {
            let hygienic = names.is_local(&text(name)) && syntax_context(name.span()) == own;
            self.holds(hygienic, || format!("a location mentions `{name}`, which is the user's"));
        }
    }
}

/// Whether facts hold nowhere.
fn is_contradiction(facts: &Facts) -> bool {
    facts.iter().any(|fact| {
        let fails = SymInt::constant(-1).sub(fact);
        fails.is_ok_and(|fails| facts.proves_nonneg(&fails))
    })
}
