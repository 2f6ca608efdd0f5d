//! Peeling: a loop over a boundary becomes an interior without any test, and its edges.
//!
//! An access that has to be tested where it runs often needs the test at the ends of a loop alone. From its margins,
//! affine in the loop's variable, follows the range of the variable in which every test would succeed. The loop is
//! then emitted in two bodies, whatever the rank: the interior, where those accesses are plain loads and stores, and
//! one general edge. Values come in the same order as before.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::ir::{AccessId, AccessKind, ContextKind, LoopId, LoopKind, Position, Program};
use crate::symbolic::{Atom, Sym, Symbol};

use super::hoist::{extreme, known};
use super::{Checked, Verdict, assertion::keep_extreme, margins};

/// The trip count up to which a loop is a stencil's, run inside of the loop worth peeling.
const SMALL: i64 = 32;

/// How a loop is peeled.
#[derive(Debug, Clone, Default)]
pub struct Peel {
    /// The accesses that are inside in its interior.
    pub accesses: Vec<AccessId>,
    /// The interior starts at the greatest of these.
    pub starts: Vec<Sym>,
    /// It ends before the least of these.
    pub ends: Vec<Sym>,
    /// There is one only if each of these is at least zero.
    pub guards: Vec<Sym>,
}

/// Finds the loops to peel for the accesses that are tested.
pub(super) fn peels(program: &Program, checked: &Checked) -> BTreeMap<LoopId, Peel> {
    let mut found: BTreeMap<LoopId, Peel> = BTreeMap::new();
    for (id, verdict) in checked.verdicts.iter().enumerate() {
        if !matches!(verdict, Verdict::Tested(_)) || program.accesses[id].kind == AccessKind::Test {
            continue;
        }
        if let Some((looping, conditions)) = conditions(program, checked, id) {
            let peel = found.entry(looping).or_default();
            peel.accesses.push(id);
            peel.starts.extend(conditions.starts);
            peel.ends.extend(conditions.ends);
            peel.guards.extend(conditions.guards);
        }
    }
    for peel in found.values_mut() {
        keep_extreme(&mut peel.starts, Ordering::Greater);
        keep_extreme(&mut peel.ends, Ordering::Less);
        keep_extreme(&mut peel.guards, Ordering::Less);
    }
    found
}

/// The loop that an access would be peeled at, and the range in which it is inside.
fn conditions(program: &Program, checked: &Checked, id: AccessId) -> Option<(LoopId, Peel)> {
    let access = &program.accesses[id];
    let Verdict::Tested(candidates) = &checked.verdicts[id] else { return None };
    let candidate = candidates.first()?;
    let facts = &program.contexts[access.position.context].facts;
    let extents = &program.storages[candidate.storage].space.extents;
    let mut needed = Vec::new();
    for (coordinate, extent) in candidate.coordinates.iter().zip(extents) {
        let (near, far) = margins(coordinate, extent)?;
        needed.extend([near, far].into_iter().filter(|margin| !facts.proves_nonneg(margin)));
    }
    // A test that certainly fails has no interior.
    if needed.iter().any(|margin| margin.range().hi.is_some_and(|hi| hi < 0)) {
        return None;
    }
    let mut at = access.position;
    loop {
        let context = &program.contexts[at.context];
        match context.kind {
            ContextKind::Plain | ContextKind::Branch | ContextKind::Unknown => {}
            ContextKind::Closure => return None,
            ContextKind::Loop(_) => {
                for looping in program.nests.get(&at.context)?.iter().rev() {
                    if is_worth_peeling(program, *looping) {
                        return solve(program, *looping, &needed, context.parent?)
                            .map(|conditions| (*looping, conditions));
                    }
                    // A stencil's loop: the test must hold for all of it.
                    let inner = &program.loops[*looping];
                    for margin in &mut needed {
                        *margin = extreme(margin, &inner.symbol, &inner.first, &inner.last)?;
                    }
                }
            }
        }
        at = context.parent?;
    }
}

/// Whether a loop runs long enough, and as one piece, to be split in two bodies.
fn is_worth_peeling(program: &Program, id: LoopId) -> bool {
    let looping = &program.loops[id];
    let whole = match looping.kind {
        LoopKind::Index { .. } => true,
        LoopKind::Range { plain, .. } => plain,
    };
    whole && !looping.broken && looping.runs.as_constant().is_none_or(|last| last >= SMALL)
}

/// The values of the loop's variable for which every margin is at least zero.
fn solve(program: &Program, id: LoopId, margins: &[Sym], outside: Position) -> Option<Peel> {
    let looping = &program.loops[id];
    let variable = &looping.symbol;
    let mut peel = Peel::default();
    for margin in margins {
        if !margin.mentions(variable) {
            peel.guards.push(margin.clone());
            continue;
        }
        let (slope, rest) = line(margin, variable)?;
        if slope > 0 {
            // slope * v + rest >= 0
            peel.starts.push(rest.scale(-1).ok()?.ceil_div(slope).ok()?);
        } else {
            let end = rest.floor_div(slope.checked_neg()?).ok()?;
            peel.ends.push(end.add(&Sym::constant(1)).ok()?);
        }
    }
    // What is computed before the loop must be known there: at the innermost statement around it, or from the
    // loops of the nest that are outside of it.
    let nest = program.nests.get(&looping.context)?;
    let depth = nest.iter().position(|other| *other == id)?;
    let all = peel.starts.iter().chain(&peel.ends).chain(&peel.guards);
    for sym in all {
        for symbol in sym.symbols() {
            let of_nest = nest[..depth].iter().any(|other| program.loops[*other].symbol == symbol);
            if !of_nest && !known(program, std::iter::once(&Sym::symbol(&symbol)), outside) {
                return None;
            }
        }
    }
    Some(peel)
}

/// Slope and rest of a margin in the variable: `margin >= 0` exactly when `slope * v + rest >= 0`.
fn line(margin: &Sym, variable: &Symbol) -> Option<(i64, Sym)> {
    if let Some(slope) = margin.coefficient(variable) {
        let slope = slope.as_constant().filter(|slope| *slope != 0)?;
        let rest = margin.sub(&Sym::symbol(variable).scale(slope).ok()?).ok()?;
        return Some((slope, rest));
    }
    // One floor division that holds the variable: floor(n / k) + m >= 0 exactly when n + k * m >= 0, and
    // m - floor(n / k) >= 0 exactly when k * m + k - 1 - n >= 0.
    let mut found = None;
    for (coefficient, monomial) in margin.terms() {
        if !monomial.iter().any(|atom| atom.mentions(variable)) {
            continue;
        }
        match monomial {
            [Atom::FloorDiv(numerator, divisor)] if found.is_none() && coefficient.abs() == 1 => {
                found = Some((coefficient, numerator.clone(), *divisor));
            }
            _ => return None,
        }
    }
    let (sign, numerator, divisor) = found?;
    let quotient = numerator.floor_div(divisor).ok()?.scale(sign).ok()?;
    let rest = margin.sub(&quotient).ok()?.scale(divisor).ok()?;
    let scaled = numerator.scale(sign).ok()?.add(&rest).ok()?;
    let scaled = if sign > 0 { scaled } else { scaled.add(&Sym::constant(divisor - 1)).ok()? };
    line(&scaled, variable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Range;

    fn symbol(id: u32, name: &str) -> Symbol {
        Symbol::new(id, name, Range { lo: None, hi: None })
    }

    #[test]
    fn lines_are_found_under_a_division() {
        let (v, r) = (symbol(0, "v"), symbol(1, "r"));
        let numerator = Sym::symbol(&v).add(&Sym::symbol(&r)).expect("small");
        let half = numerator.floor_div(3).expect("small");
        let far = Sym::constant(5).sub(&half).expect("small");
        for (margin, sign) in [(half, 1), (far, -1)] {
            let (slope, rest) = line(&margin, &v).expect("a line");
            assert_eq!(slope, sign);
            for at in -20..20 {
                for offset in -5..5 {
                    let value = |s: &Symbol| if s.id() == 0 { at } else { offset };
                    let exact = margin.eval(&value).expect("small") >= 0;
                    assert_eq!(slope * at + rest.eval(&value).expect("small") >= 0, exact, "{at} {offset}");
                }
            }
        }
    }
}
