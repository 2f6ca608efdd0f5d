//! Loops whose variable fits `isize` in every iteration.
//!
//! A range has the user's integer type, of which `isize` holds a part. Its variable is cast where both ends are known
//! to fit: they are small, an extent or a value that was converted before the loop. Otherwise each use of the variable
//! converts it, and panics if it does not fit.

use std::collections::BTreeSet;

use crate::ir::{Assertion, LoopId, LoopKind, Program, ProgramPoint, RegionKind, Side, SymbolSource};
use crate::symbolic::{Atom, SymInt, Symbol};

/// Marks the ranges whose ends fit.
pub(super) fn mark(program: &mut Program) {
    // An inner range may end at an outer variable, and outer loops are not always numbered first.
    let mut open: Vec<LoopId> =
        program.loops.ids().filter(|id| matches!(program.loops[*id].kind, LoopKind::Range { .. })).collect();
    loop {
        let fitting: Vec<LoopId> = open.iter().copied().filter(|id| Ends::of(program, *id).fit()).collect();
        if fitting.is_empty() {
            return;
        }
        open.retain(|id| !fitting.contains(id));
        for id in fitting {
            if let LoopKind::Range { fits, .. } = &mut program.loops[id].kind {
                *fits = true;
            }
        }
    }
}

/// The smallest `isize` of a target.
const ISIZE: [i64; 2] = [i32::MIN as i64, i32::MAX as i64];

struct Ends<'p> {
    program: &'p Program,
    id: LoopId,
    /// Where the loop begins.
    place: ProgramPoint,
    /// The symbols that assertions convert before the loop whenever its body runs.
    converted: BTreeSet<Symbol>,
}

impl<'p> Ends<'p> {
    fn of(program: &'p Program, id: LoopId) -> Self {
        let body = &program.regions[program.body_of(id)];
        let place = body.parent.expect("the body of a nest is in a region");
        let runs = around(program, id);
        let before = program.assertions().filter(|(at, assertion)| {
            program.visible(*at, place) && assertion.guards.iter().all(|guard| runs.contains(&guard))
        });
        let converted = before.flat_map(|(_, assertion)| mentioned(assertion)).collect();
        Ends { program, id, place, converted }
    }

    fn fit(&self) -> bool {
        let own = &self.program.loops[self.id];
        // Without the step, of which `last` is a multiple.
        own.runs.add(&own.first).is_ok_and(|end| self.above(&end)) && self.below(&own.first)
    }

    /// Whether `sym` is at least the least `isize`.
    fn below(&self, sym: &SymInt) -> bool {
        sym.range().lo.is_some_and(|lo| lo >= ISIZE[0])
            || sym.constant_part() >= 0 && matches!(single(sym), Some(atom) if self.atom(atom, Side::Below))
    }

    /// Whether `sym` is at most the greatest `isize`.
    fn above(&self, sym: &SymInt) -> bool {
        if sym.range().hi.is_some_and(|hi| hi <= ISIZE[1]) {
            return true;
        }
        // What is subtracted only helps.
        let (added, subtracted): (Vec<_>, Vec<_>) =
            sym.terms().partition(|(coefficient, _)| *coefficient > 0);
        let positive = |monomial: &[Atom]| {
            monomial.iter().all(|atom| matches!(atom, Atom::Symbol(own) if own.range().is_nonnegative()))
        };
        let [(1, [atom])] = added[..] else { return false };
        sym.constant_part() <= 0
            && subtracted.iter().all(|(_, monomial)| positive(monomial))
            && self.atom(atom, Side::Above)
    }

    /// Whether an atom fits on one side.
    fn atom(&self, atom: &Atom, side: Side) -> bool {
        let fits = |sym: &SymInt| match side {
            Side::Below => self.below(sym),
            Side::Above => self.above(sym),
        };
        match (atom, side) {
            (Atom::Symbol(symbol), _) => self.symbol(symbol),
            // A quotient is nearer to zero.
            (Atom::FloorDiv(numerator, _), _) => fits(numerator),
            (Atom::Min(a, b), Side::Above) | (Atom::Max(a, b), Side::Below) => fits(a) || fits(b),
            (Atom::Min(a, b), Side::Below) | (Atom::Max(a, b), Side::Above) => fits(a) && fits(b),
            // What no end of a range is made of.
            (Atom::Mod(..) | Atom::Op(..), _) => false,
        }
    }

    /// Whether a symbol is an `isize` in the loop's body.
    fn symbol(&self, symbol: &Symbol) -> bool {
        let info = self.program.symbol(symbol);
        match &info.source {
            SymbolSource::Local(_) | SymbolSource::Coordinate(_) => true,
            SymbolSource::Constant(_) => false,
            SymbolSource::Stable(..) => {
                self.program.converted(symbol, self.place).is_some() || self.converted.contains(symbol)
            }
            SymbolSource::Loop(id) => match self.program.loops[*id].kind {
                LoopKind::Index { .. } => true,
                LoopKind::Range { fits, .. } => fits,
            },
        }
    }
}

/// The atom that `sym` is, but for a constant.
fn single(sym: &SymInt) -> Option<&Atom> {
    let mut terms = sym.terms();
    match (terms.next(), terms.next()) {
        (Some((1, [atom])), None) => Some(atom),
        _ => None,
    }
}

/// The conditions under which the body of a range runs: those of its loop, the only one of its nest, and of the loops
/// around it.
fn around(program: &Program, id: LoopId) -> Vec<&SymInt> {
    let nests =
        program.ancestors(program.body_of(id)).filter_map(|region| match program.regions[region].kind {
            RegionKind::Nest(nest) => Some(nest),
            _ => None,
        });
    nests.flat_map(|nest| &program.nests[nest].loops).map(|id| &program.loops[*id].runs).collect()
}

/// The symbols whose values an assertion converts.
fn mentioned(assertion: &Assertion) -> impl Iterator<Item = Symbol> {
    assertion.guarded_syms().flat_map(SymInt::symbols)
}
