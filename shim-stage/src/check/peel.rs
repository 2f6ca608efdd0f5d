//! Peeling: a loop over a boundary becomes an interior without any test, and its edges.
//!
//! An access that has to be tested or folded where it runs often needs that at the ends of a loop alone. From its margins,
//! affine in the loop's variable, follows the range of the variable in which every test would succeed. The loop is
//! then emitted in two bodies, whatever the rank: the interior, where those accesses are plain loads and stores, and
//! one general edge. Values come in the same order as before.
//!
//! The loops over a block of a codec are too short for that. If every test would succeed for the whole block, all of it is the
//! interior; else all of it is the edge.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::ir::{AccessId, ContextKind, Element, LoopId, LoopMode, Peel, Position, Program};
use crate::symbolic::{Atom, Sym, Symbol, slack};

use super::assertion::keep_extreme;
use super::hoist::extreme;

/// The trip count up to which a loop is a stencil's or a block's, run inside of the loop worth peeling or on its own.
const SMALL: i64 = 32;

/// The iterations from which two copies of a block's loops are worth their code.
const BLOCK: i64 = 4;

/// An axis on which an access is not proven inside.
struct Axis {
    number: usize,
    /// Each at least zero when it is.
    margins: Vec<Sym>,
    /// What the boundary rule folds the coordinate to, where it needs no test.
    fold: Option<Sym>,
}

/// Marks the loops that are to be split for the accesses that are tested.
pub fn peel(program: &mut Program) {
    let mut found: BTreeMap<LoopId, Peel> = BTreeMap::new();
    for id in program.all_accesses() {
        if !program.accesses[id].kind.demands() {
            continue;
        }
        if let Some((looping, conditions)) = conditions(program, id) {
            let peel = found.entry(looping).or_default();
            peel.accesses.extend(conditions.accesses);
            peel.starts.extend(conditions.starts);
            peel.ends.extend(conditions.ends);
            peel.guards.extend(conditions.guards);
        }
    }
    for (id, mut peel) in found {
        keep_extreme(&mut peel.starts, Ordering::Greater);
        keep_extreme(&mut peel.ends, Ordering::Less);
        keep_extreme(&mut peel.guards, Ordering::Less);
        program.loops[id].peel = Some(peel);
    }
}

/// Whether no guard is certain to fail.
fn may_exist(peel: &Peel) -> bool {
    peel.guards.iter().all(|guard| guard.range().hi.is_none_or(|hi| hi >= 0))
}

/// The loop that an access would be peeled at, and the range in which it is inside.
fn conditions(program: &Program, id: AccessId) -> Option<(LoopId, Peel)> {
    let access = &program.accesses[id];
    if access.within.is_some() {
        // No index is known to pass the test.
        return None;
    }
    let (candidate, folds) = match &access.element {
        Element::Unchecked | Element::Inside(_) | Element::At(..) => return None,
        Element::Folded(folded) => (&folded.candidate, folded.axes.as_slice()),
        Element::Tested(tested) => (tested.candidates.first()?, [].as_slice()),
    };
    let facts = &program.contexts[access.position.context].facts;
    let extents = candidate.extents(program);
    let mut needed: Vec<Axis> = Vec::new();
    for (axis, (coordinate, extent)) in candidate.coordinates.iter().zip(&extents).enumerate() {
        let (below, above) = slack(coordinate, extent)?;
        let margins: Vec<Sym> =
            [below, above].into_iter().filter(|margin| !facts.proves_nonneg(margin)).collect();
        // A test that certainly fails has no interior.
        if margins.iter().any(|margin| margin.range().hi.is_some_and(|hi| hi < 0)) {
            return None;
        }
        if !margins.is_empty() {
            let fold = folds.iter().find(|(other, _)| *other == axis).map(|(_, fold)| fold.clone());
            if fold.is_none() && matches!(access.element, Element::Folded(_)) {
                // Without a rule, it is asserted.
                continue;
            }
            needed.push(Axis { number: axis, margins, fold });
        }
    }
    let mut block = None;
    let mut iterations = Some(1);
    for context in program.ancestors(access.position.context) {
        match program.contexts[context].kind {
            ContextKind::Plain | ContextKind::Branch | ContextKind::Unknown => {}
            ContextKind::Closure => break,
            // Two bodies are enough.
            ContextKind::Nest(nest) if program.nests[nest].split.is_some() => return block,
            ContextKind::Nest(nest) => {
                let Some(parent) = program.contexts[context].parent else { break };
                for looping in program.nests[nest].loops.iter().rev() {
                    if is_worth_peeling(program, *looping) {
                        let peel = solve(program, *looping, id, &needed, parent);
                        return peel.map(|peel| (*looping, peel)).or(block);
                    }
                    // The test must hold for all of a short loop.
                    let inner = &program.loops[*looping];
                    for margin in needed.iter_mut().flat_map(|axis| &mut axis.margins) {
                        let Some(least) = extreme(margin, &inner.symbol, &inner.first, &inner.last) else {
                            return block;
                        };
                        *margin = least;
                    }
                    iterations = iterations.zip(short(program, *looping)).map(|(all, own)| all * own);
                    if iterations.is_some_and(|iterations| iterations >= BLOCK) {
                        let peel = solve(program, *looping, id, &needed, parent);
                        block = peel.filter(may_exist).map(|peel| (*looping, peel)).or(block);
                    }
                }
            }
        }
    }
    block
}

/// How often a short loop runs.
fn short(program: &Program, id: LoopId) -> Option<i64> {
    program.loops[id].runs.as_constant().filter(|last| (0..SMALL).contains(last)).map(|last| last + 1)
}

/// Whether a loop runs long enough, and as one piece, to be split in two bodies.
fn is_worth_peeling(program: &Program, id: LoopId) -> bool {
    let looping = &program.loops[id];
    looping.step() == 1
        && !looping.broken
        && looping.mode == LoopMode::Serial
        && looping.runs.as_constant().is_none_or(|last| last >= SMALL)
}

/// The values of the loop's variable for which every margin is at least zero. An axis that can be folded outside of
/// the loop is left to its fold.
fn solve(
    program: &Program,
    id: LoopId,
    access: AccessId,
    needed: &[Axis],
    outside: Position,
) -> Option<Peel> {
    let looping = &program.loops[id];
    let variable = &looping.symbol;
    // What is computed before the loop must be known there: at the innermost statement around it, or from the
    // loops of the nest that are outside of it.
    let nest = &program.nests[looping.nest].loops;
    let depth = nest.iter().position(|other| *other == id)?;
    let before = |sym: &Sym| {
        sym.symbols().iter().all(|symbol| {
            nest[..depth].iter().any(|other| program.loops[*other].symbol == *symbol)
                || program.knows([&Sym::symbol(symbol)], outside)
        })
    };
    let mut peel = Peel::default();
    let tested: Vec<&Axis> = needed.iter().filter(|axis| !axis.fold.as_ref().is_some_and(&before)).collect();
    if tested.is_empty() {
        return None;
    }
    peel.accesses.insert(access, tested.iter().map(|axis| axis.number).collect());
    for margin in tested.iter().flat_map(|axis| &axis.margins) {
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
    let mut conditions = peel.starts.iter().chain(&peel.ends).chain(&peel.guards);
    conditions.all(before).then_some(peel)
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
