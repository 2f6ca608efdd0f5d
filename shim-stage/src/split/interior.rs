//! The interiors of loops: the range of a loop's variable in which no access needs a test.
//!
//! An access that is tested or folded where it runs often needs that only at the ends of a loop. Its slacks are affine
//! in the loop's variable; solving them for the variable gives the range in which every test succeeds.
//! [`split`](super::split) then makes two bodies, whatever the rank: the interior, with plain loads and stores, and one
//! general edge. The order of the iterations stays the same.
//!
//! The loops over a block of a codec are too short for that. If every test succeeds for the whole block, the whole
//! block is the interior; otherwise it is the edge.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::ir::{
    AccessId, Element, Interior, LoopId, LoopMode, Nest, NestId, Program, ProgramPoint, RegionId, RegionKind,
    StatementKind,
};
use crate::symbolic::{Atom, SymInt, Symbol, extreme, keep_extreme, slack};

/// The trip count up to which a loop is a stencil's or a block's, run inside of the loop worth splitting or on its own.
const SMALL: i64 = 32;

/// The iterations from which two copies of a block's loops are worth their code.
const BLOCK: i64 = 4;

/// An axis on which an access is not proven inside.
struct Axis {
    number: usize,
    /// Each at least zero when it is.
    slacks: Vec<SymInt>,
    /// What the boundary rule folds the coordinate to, where it needs no test.
    fold: Option<SymInt>,
}

/// Marks the loops to split for the accesses that are tested in place.
pub fn find(program: &mut Program) {
    if program.tests_every_access {
        return;
    }
    let mut found: BTreeMap<LoopId, Interior> = BTreeMap::new();
    for id in program.all_accesses() {
        if !program.accesses[id].kind.demands() {
            continue;
        }
        if let Some((for_loop, conditions)) = conditions(program, id) {
            let interior = found.entry(for_loop).or_default();
            interior.accesses.extend(conditions.accesses);
            interior.starts.extend(conditions.starts);
            interior.ends.extend(conditions.ends);
            interior.guards.extend(conditions.guards);
        }
    }
    for region in program.regions.ids() {
        if let Some((for_loop, conditions)) = whole_tiles(program, region) {
            let interior = found.entry(for_loop).or_default();
            interior.whole.extend(conditions.whole);
            interior.starts.extend(conditions.starts);
            interior.ends.extend(conditions.ends);
            interior.guards.extend(conditions.guards);
        }
    }
    for (id, mut interior) in found {
        keep_extreme(&mut interior.starts, Ordering::Greater);
        keep_extreme(&mut interior.ends, Ordering::Less);
        keep_extreme(&mut interior.guards, Ordering::Less);
        program.loops[id].interior = Some(interior);
    }
}

/// Whether no guard is certain to fail.
fn may_exist(interior: &Interior) -> bool {
    interior.guards.iter().all(|guard| guard.range().hi.is_none_or(|hi| hi >= 0))
}

/// The loop over tiles to split, where its body is a choice between a whole tile and one that is cut off, and the range
/// of whole ones. A test for each tile would keep LLVM from making vectors of several.
fn whole_tiles(program: &Program, region: RegionId) -> Option<(LoopId, Interior)> {
    let RegionKind::Nest(nest) = program.regions[region].kind else { return None };
    let id = *program.nests[nest].loops.last()?;
    let (all, then) = program.regions[region].statements.iter().find_map(|own| match &own.kind {
        StatementKind::If { all, then, otherwise: Some(_) } => Some((all, *then)),
        _ => None,
    })?;
    let is_straight = |inner: RegionId| match program.regions[inner].kind {
        RegionKind::Nest(nest) => {
            let mut loops = program.nests[nest].loops.iter();
            loops.all(|id| program.loops[*id].mode == LoopMode::Unrolled)
        }
        RegionKind::Unknown | RegionKind::Closure => false,
        RegionKind::Plain | RegionKind::Branch | RegionKind::Version => true,
    };
    if has_versions(program, nest)
        || !is_worth_splitting(program, id)
        || !program.regions_in(then).into_iter().all(is_straight)
    {
        return None;
    }
    let outside = program.regions[region].parent?;
    let mut interior = Interior { whole: vec![then], ..Interior::default() };
    for slack in all {
        bound(&mut interior, slack, &program.loops[id].symbol)?;
    }
    interior.is_known(&known_before(program, id, outside)?).then_some((id, interior))
}

/// The loop to split for an access, and the range in which the access is inside.
fn conditions(program: &Program, id: AccessId) -> Option<(LoopId, Interior)> {
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
    let facts = program.facts_at(access.position);
    let extents = candidate.extents(program);
    let mut needed: Vec<Axis> = Vec::new();
    for (axis, (coordinate, extent)) in candidate.coordinates.iter().zip(&extents).enumerate() {
        let (below, above) = slack(coordinate, extent)?;
        let slacks: Vec<SymInt> =
            [below, above].into_iter().filter(|slack| !facts.proves_nonneg(slack)).collect();
        // A test that certainly fails has no interior.
        if slacks.iter().any(|slack| slack.range().hi.is_some_and(|hi| hi < 0)) {
            return None;
        }
        if !slacks.is_empty() {
            let fold = folds.iter().find(|(other, _)| *other == axis).map(|(_, fold)| fold.clone());
            if fold.is_none() && matches!(access.element, Element::Folded(_)) {
                // Without a rule, it is asserted.
                continue;
            }
            needed.push(Axis { number: axis, slacks, fold });
        }
    }
    let mut block = None;
    let mut iterations = Some(1);
    for region in program.ancestors(access.position.region) {
        match program.regions[region].kind {
            RegionKind::Plain | RegionKind::Branch | RegionKind::Version | RegionKind::Unknown => {}
            RegionKind::Closure => break,
            // Two bodies are enough.
            RegionKind::Nest(nest) if has_versions(program, nest) => return block,
            RegionKind::Nest(nest) => {
                let Some(parent) = program.regions[region].parent else { break };
                for for_loop in program.nests[nest].loops.iter().rev() {
                    if is_worth_splitting(program, *for_loop) {
                        let interior = solve(program, *for_loop, id, &needed, parent);
                        return interior.map(|interior| (*for_loop, interior)).or(block);
                    }
                    // The test must hold for all of a short loop.
                    let inner = &program.loops[*for_loop];
                    for slack in needed.iter_mut().flat_map(|axis| &mut axis.slacks) {
                        let Some(least) = extreme(slack, &inner.symbol, &inner.first, &inner.last) else {
                            return block;
                        };
                        *slack = least;
                    }
                    iterations = iterations.zip(short(program, *for_loop)).map(|(all, own)| all * own);
                    if iterations.is_some_and(|iterations| iterations >= BLOCK) {
                        let interior = solve(program, *for_loop, id, &needed, parent);
                        block = interior.filter(may_exist).map(|interior| (*for_loop, interior)).or(block);
                    }
                }
            }
        }
    }
    block
}

/// Whether a nest is the edge beside an interior, or the rest beside whole tiles.
fn has_versions(program: &Program, nest: NestId) -> bool {
    let Nest { split, body, .. } = &program.nests[nest];
    let is_rest = |around: RegionId| {
        let outside = program.regions[around].parent.map(|at| &program.regions[at.region].statements);
        outside
            .into_iter()
            .flatten()
            .any(|own| matches!(own.kind, StatementKind::If { otherwise: Some(rest), .. } if rest == around))
    };
    split.is_some() || program.parent(*body).is_some_and(is_rest)
}

/// How often a short loop runs.
fn short(program: &Program, id: LoopId) -> Option<i64> {
    program.loops[id].runs.as_constant().filter(|last| (0..SMALL).contains(last)).map(|last| last + 1)
}

/// Whether a loop runs long enough, and as one piece, to be split in two bodies.
pub(super) fn is_worth_splitting(program: &Program, id: LoopId) -> bool {
    let for_loop = &program.loops[id];
    for_loop.step() == 1
        && !program.is_left(for_loop.nest)
        && matches!(for_loop.mode, LoopMode::Serial | LoopMode::Distributed)
        && for_loop.runs.as_constant().is_none_or(|last| last >= SMALL)
}

/// The values of the loop's variable for which every slack is at least zero. An axis that can be folded outside of
/// the loop is left to its fold.
fn solve(
    program: &Program,
    id: LoopId,
    access: AccessId,
    needed: &[Axis],
    outside: ProgramPoint,
) -> Option<Interior> {
    let variable = &program.loops[id].symbol;
    let before = known_before(program, id, outside)?;
    let mut interior = Interior::default();
    let tested: Vec<&Axis> = needed.iter().filter(|axis| !axis.fold.as_ref().is_some_and(&before)).collect();
    if tested.is_empty() {
        return None;
    }
    interior.accesses.insert(access, tested.iter().map(|axis| axis.number).collect());
    for slack in tested.iter().flat_map(|axis| &axis.slacks) {
        bound(&mut interior, slack, variable)?;
    }
    interior.is_known(&before).then_some(interior)
}

/// The facts before a loop: those at the innermost statement around it, or those that the outer loops of the nest imply.
pub(super) fn known_before(
    program: &Program,
    id: LoopId,
    outside: ProgramPoint,
) -> Option<impl Fn(&SymInt) -> bool> {
    let nest = &program.nests[program.loops[id].nest].loops;
    let depth = nest.iter().position(|other| *other == id)?;
    Some(move |sym: &SymInt| {
        sym.symbols().iter().all(|symbol| {
            nest[..depth].iter().any(|other| program.loops[*other].symbol == *symbol)
                || program.knows([&SymInt::symbol(symbol)], outside)
        })
    })
}

/// Restricts an interior to the values of a variable for which a slack is at least zero.
fn bound(interior: &mut Interior, slack: &SymInt, variable: &Symbol) -> Option<()> {
    if !slack.mentions(variable) {
        interior.guards.push(slack.clone());
        return Some(());
    }
    let (slope, rest) = line(slack, variable)?;
    if slope > 0 {
        // slope * v + rest >= 0
        interior.starts.push(rest.scale(-1).ok()?.ceil_div(slope).ok()?);
    } else {
        let end = rest.floor_div(slope.checked_neg()?).ok()?;
        interior.ends.push(end.add(&SymInt::constant(1)).ok()?);
    }
    Some(())
}

impl Interior {
    /// Whether its ends can be computed where `before` knows what they mention.
    fn is_known(&self, before: &dyn Fn(&SymInt) -> bool) -> bool {
        self.starts.iter().chain(&self.ends).chain(&self.guards).all(before)
    }
}

/// Slope and rest of a slack in the variable: `slack >= 0` exactly when `slope * v + rest >= 0`.
fn line(slack: &SymInt, variable: &Symbol) -> Option<(i64, SymInt)> {
    if let Some(slope) = slack.coefficient(variable) {
        let slope = slope.as_constant().filter(|slope| *slope != 0)?;
        let rest = slack.sub(&SymInt::symbol(variable).scale(slope).ok()?).ok()?;
        return Some((slope, rest));
    }
    // One floor division that holds the variable: floor(n / k) + m >= 0 exactly when n + k * m >= 0, and
    // m - floor(n / k) >= 0 exactly when k * m + k - 1 - n >= 0.
    let mut found = None;
    for (coefficient, monomial) in slack.terms() {
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
    let rest = slack.sub(&quotient).ok()?.scale(divisor).ok()?;
    let scaled = numerator.scale(sign).ok()?.add(&rest).ok()?;
    let scaled = if sign > 0 { scaled } else { scaled.add(&SymInt::constant(divisor - 1)).ok()? };
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
        let numerator = SymInt::symbol(&v).add(&SymInt::symbol(&r)).expect("small");
        let half = numerator.floor_div(3).expect("small");
        let far = SymInt::constant(5).sub(&half).expect("small");
        for (slack, sign) in [(half, 1), (far, -1)] {
            let (slope, rest) = line(&slack, &v).expect("a line");
            assert_eq!(slope, sign);
            for at in -20..20 {
                for offset in -5..5 {
                    let value = |s: &Symbol| if s.id() == 0 { at } else { offset };
                    let exact = slack.eval(&value).expect("small") >= 0;
                    assert_eq!(slope * at + rest.eval(&value).expect("small") >= 0, exact, "{at} {offset}");
                }
            }
        }
    }
}
