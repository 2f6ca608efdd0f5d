//! Decides which accesses are safe, and how each is kept so.
//!
//! An access is *proven* when what is known where it runs implies that every coordinate is inside the block. One
//! that is not, but runs unconditionally with indices affine in loop variables, is *asserted* before its nest. The
//! rest is *tested* where it runs. An assertion may be hoisted only past transparent operations, to where its symbols
//! are defined.

mod assertion;
mod capacity;
mod fold;
mod hoist;
mod indices;
mod let_defs;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;

use crate::diagnostics::Diagnostics;
use crate::ir::density;
use crate::ir::{
    Access, AccessId, AssertedAt, Assertion, Candidate, Element, LoopKind, Order, Producer, Program,
    ProgramPoint, RegionId, RegionKind, StatementKind, Tested,
};
use crate::locate;
use crate::symbolic::{Facts, SymInt, slack};

/// Decides every access of `program`, writes assertions before its statements, and reports accesses that are certain to
/// miss.
pub fn check(program: &mut Program, diagnostics: &mut Diagnostics) {
    check_in(program, &[RegionId::BODY], diagnostics);
}

/// Decides the accesses that are not decided yet, those of stages which are `resolved` now among them.
pub(crate) fn check_in(program: &mut Program, resolved: &[RegionId], diagnostics: &mut Diagnostics) {
    let mut assertions = BTreeMap::new();
    let appended = capacity::sufficient(program);
    let mut open = program.all_accesses();
    open.retain(|id| {
        matches!(program.accesses[*id].element, Element::Unchecked) && !program.is_unresolved(*id)
    });
    for id in open {
        reorder(program, id);
        let access = &program.accesses[id];
        let candidates = match locate::candidates(program, access) {
            Ok(candidates) => candidates,
            Err(error) => {
                diagnostics.within(&access.calls, |diagnostics| {
                    diagnostics.error_in_call(
                        &access.tokens,
                        error,
                        "the constants of a location must fit in 64 bits",
                    );
                });
                Vec::new()
            }
        };
        let (element, asserted) = match candidates.first() {
            Some(element) if !program.tests_every_access && appended.contains(&id) => {
                (Element::Inside(element.clone()), None)
            }
            _ => decide(program, access, candidates, &mut assertions, diagnostics),
        };
        let asserted = asserted.map(|at| stands(program, access, at));
        let access = &mut program.accesses[id];
        (access.element, access.asserted) = (element, asserted);
    }
    indices::check(program, &mut assertions);
    assertion::merge(program, &mut assertions);
    for region in resolved {
        i32_extents(program, *region);
    }
    for (position, list) in assertions {
        for assertion in list {
            program.insert(position, Order::Assertion, StatementKind::Assert(assertion));
        }
    }
}

/// Brings the index of an access to the variables of the loops that run it.
fn reorder(program: &mut Program, id: AccessId) {
    let around: Vec<RegionId> = program.ancestors(program.accesses[id].position.region).collect();
    for region in around {
        if let Some(nest) = program.regions[region].reordered.clone() {
            // What does not fit stays a local of the body, of which less is known.
            let _ = program.substitute_in([id], &nest.values);
        }
    }
}

/// Finds the extents in a region that might have more indices than the type of loop variables, each nest's once.
fn i32_extents(program: &mut Program, region: RegionId) {
    for inner in program.regions_in(region) {
        let RegionKind::Nest(nest) = program.regions[inner].kind else { continue };
        let mut found: Vec<SymInt> = Vec::new();
        for id in &program.nests[nest].loops {
            let for_loop = &program.loops[*id];
            let past = for_loop.last.add(&SymInt::constant(1));
            let extent = match &for_loop.kind {
                LoopKind::Index { extent } => extent,
                LoopKind::Range { .. }
                    if for_loop.is_i32
                        && let Ok(past) = &past =>
                {
                    past
                }
                LoopKind::Range { .. } => continue,
            };
            let counted = extent.range().hi.is_some_and(|hi| hi <= i64::from(i32::MAX));
            if !counted && !found.contains(extent) {
                found.push(extent.clone());
            }
        }
        program.nests[nest].i32_extents = found;
    }
}

/// The element of an access, and the point before which an assertion keeps it inside, if one does.
fn decide(
    program: &Program,
    access: &Access,
    mut candidates: Vec<Candidate>,
    assertions: &mut BTreeMap<ProgramPoint, Vec<Assertion>>,
    diagnostics: &mut Diagnostics,
) -> (Element, Option<ProgramPoint>) {
    let facts = program.facts_at(access.position);
    let every = program.tests_every_access;
    let tested = |candidates: Vec<Candidate>| {
        let open = candidates.first().map(|nearest| open_axes(program, nearest, facts).collect());
        (Element::Tested(Tested { open: open.unwrap_or_default(), candidates }), None)
    };
    if !access.kind.demands() || access.within.is_some() {
        return tested(candidates);
    }
    let boundary = access.view.boundary.as_ref().filter(|_| !access.kind.writes());
    pass_over(program, access, &mut candidates);
    let Some(first) = candidates.first().cloned() else { return tested(candidates) };
    if is_inside(program, &first, facts) {
        return if every { tested(vec![first]) } else { (Element::Inside(first), None) };
    }
    if let ([only], Some(boundary)) = (candidates.as_slice(), boundary)
        && let Some((folded, assertion)) = fold::fold(program, access, only, boundary, facts)
    {
        if let Some((position, assertion)) = assertion {
            let is_filled = |extent: &SymInt| {
                extent.sub(&SymInt::constant(1)).is_ok_and(|last| facts.proves_nonneg(&last))
            };
            if !assertion.filled.iter().all(is_filled) {
                report_beyond(program, access, diagnostics, |element, stage| {
                    format!(
                        "`{element}` panics if its tensor is empty, also for elements of the stage `{stage}` that nothing reads"
                    )
                });
            }
            assertions.entry(position).or_default().push(assertion);
        }
        return if every { tested(candidates) } else { (Element::Folded(folded), None) };
    }
    if candidates.len() > 1 || boundary.is_some() {
        return tested(candidates);
    }
    if misses(program, &first, facts) && is_certain(program, access) {
        diagnostics.within(&access.calls, |diagnostics| report_miss(program, access, &first, diagnostics));
        return tested(candidates);
    }
    let resolved = let_defs::resolved(access, &first, facts).unwrap_or_else(|| first.clone());
    if is_inside(program, &resolved, facts) {
        return if every { tested(vec![first]) } else { (Element::Inside(resolved), None) };
    }
    let is_beyond = report_beyond(program, access, diagnostics, |element, stage| {
        format!("`{element}` may be outside for elements of the stage `{stage}` that nothing reads")
    });
    if is_beyond {
        return tested(candidates);
    }
    match hoist::assertion(program, access, &resolved, facts) {
        Some((position, assertion)) => {
            if let Some(reach) = failing(program, &assertion)
                && is_certain(program, access)
            {
                diagnostics
                    .within(&access.calls, |diagnostics| report_reach(program, access, reach, diagnostics));
            }
            assertions.entry(position).or_default().push(assertion);
            if every { tested(vec![first]) } else { (Element::Inside(resolved), Some(position)) }
        }
        None => tested(candidates),
    }
}

/// Where an assertion before `at` stands for an access.
fn stands(program: &Program, access: &Access, at: ProgramPoint) -> AssertedAt {
    let innermost =
        program.ancestors(access.position.region).find(|region| program.regions[*region].kind.repeats());
    match innermost {
        Some(body) if program.within(at.region, body) => AssertedAt::InLoop,
        _ => AssertedAt::BeforeLoop,
    }
}

/// Leaves out blocks that certainly do not hold an element, unless a rule applies at their extents.
fn pass_over(program: &Program, access: &Access, candidates: &mut Vec<Candidate>) {
    if passes_over(access) {
        let facts = program.facts_at(access.position);
        let last = candidates.pop();
        candidates.retain(|candidate| !misses(program, candidate, facts));
        candidates.extend(last);
    }
}

/// Whether blocks that do not hold the element of an access play no part in it: no rule applies at the extents of the
/// nearest one.
pub(crate) fn passes_over(access: &Access) -> bool {
    let boundary = access.view.boundary.as_ref().filter(|_| !access.kind.writes());
    boundary.is_none_or(|boundary| boundary.value().is_some())
}

/// Decides an access anew that is looked for in several blocks, where more is known now.
pub(crate) fn narrow(program: &mut Program, id: AccessId) {
    let access = &program.accesses[id];
    let Element::Tested(Tested { candidates, .. }) = &access.element else { return };
    if candidates.len() < 2 || !access.kind.demands() || access.within.is_some() {
        return;
    }
    let facts = program.facts_at(access.position);
    let mut candidates = candidates.clone();
    pass_over(program, access, &mut candidates);
    let nearest = &candidates[0];
    program.accesses[id].element = if is_inside(program, nearest, facts) {
        Element::Inside(nearest.clone())
    } else {
        Element::Tested(Tested { open: open_axes(program, nearest, facts).collect(), candidates })
    };
}

/// Whether an element is inside its block, as far as facts say.
pub(crate) fn is_inside(program: &Program, candidate: &Candidate, facts: &Facts) -> bool {
    open_axes(program, candidate, facts).next().is_none()
}

/// The axes on which a coordinate is not proven inside.
fn open_axes(program: &Program, candidate: &Candidate, facts: &Facts) -> impl Iterator<Item = usize> {
    let inside = |(coordinate, extent): &(&SymInt, SymInt)| {
        slack(coordinate, extent)
            .is_some_and(|(below, above)| facts.proves_nonneg(&below) && facts.proves_nonneg(&above))
    };
    let axes = candidate.coordinates.iter().zip(candidate.extents(program)).enumerate();
    axes.filter(move |(_, axis)| !inside(axis)).map(|(number, _)| number)
}

/// Whether some coordinate is certainly outside.
fn misses(program: &Program, candidate: &Candidate, facts: &Facts) -> bool {
    candidate.coordinates.iter().zip(candidate.extents(program)).any(|(coordinate, extent)| {
        let Some((below, above)) = slack(coordinate, &extent) else { return false };
        [below, above].iter().any(|slack| {
            // slack < 0, as -slack - 1 >= 0.
            slack
                .scale(-1)
                .and_then(|missing| missing.sub(&SymInt::constant(1)))
                .is_ok_and(|missing| facts.proves_nonneg(&missing))
        })
    })
}

/// Whether an access runs whenever the kernel does.
fn is_certain(program: &Program, access: &Access) -> bool {
    if access.epoch.opaque != 0 {
        return false;
    }
    program.ancestors(access.position.region).all(|region| match program.regions[region].kind {
        RegionKind::Plain => true,
        RegionKind::Nest(nest) => {
            let loops = &program.nests[nest].loops;
            loops.iter().all(|id| program.loops[*id].runs.range().is_nonnegative())
        }
        RegionKind::Unknown | RegionKind::Branch | RegionKind::Version | RegionKind::Closure => false,
    })
}

/// The index and the axis, of a nest that certainly leaves the block on it.
fn failing(program: &Program, assertion: &Assertion) -> Option<(i64, usize)> {
    if !assertion.guards.is_empty() {
        return None;
    }
    let rank = program.buffers[assertion.buffer?].space.extents.len();
    let own = assertion.checks.iter().filter(|check| check.axis < rank);
    let mut outside = own.filter(|check| check.slack.as_constant().is_some_and(|slack| slack < 0));
    outside.find_map(|check| Some((check.coordinate.as_constant()?, check.axis)))
}

/// Reports a nest that leaves the block.
fn report_reach(program: &Program, access: &Access, (at, axis): (i64, usize), diagnostics: &mut Diagnostics) {
    let extents = &program.buffers[access.view.buffer].space.extents;
    let extents: Vec<String> = extents.iter().map(SymInt::to_string).collect();
    let message = format!(
        "this reaches outside of `{}`: index {at} on axis {axis}, the extents are [{}]",
        program.buffers[access.view.buffer].name,
        extents.join(", ")
    );
    diagnostics.error_in_call(&access.tokens, message, help_for_outside(program, access));
}

/// Reports an access that may panic where a stage is computed for elements that nothing reads; says whether it is in
/// one.
fn report_beyond(
    program: &Program,
    access: &Access,
    diagnostics: &mut Diagnostics,
    message: impl FnOnce(&str, &str) -> String,
) -> bool {
    let is_in = |producer: &&Producer| program.within(access.position.region, producer.body);
    let Some(producer) = program.beyond.iter().find(is_in) else { return false };
    let message = message(&access.shown(), &producer.name);
    let help = "a stage in memory is computed for all indices between those that are read: give the tensor a boundary rule, as in \
                `.boundary(Clamp)`, or remove `#[compute_at(..)]`";
    diagnostics.within(&access.calls, |diagnostics| diagnostics.error_in_call(&access.tokens, message, help));
    true
}

/// How an access is kept inside.
fn help_for_outside(program: &Program, access: &Access) -> String {
    if let Some(density::Mismatch { over, elements }) = density::mismatch(program, access) {
        let (own, other) = (&access.view.name, &over.tensor);
        return format!(
            "the indices are those of `{other}`, which has {elements}: `{own}[{other}]` is indexed by them"
        );
    }
    let help = if access.kind.writes() {
        "a write reaches the block itself alone; a negative index is the neighbor outside the view"
    } else {
        "a negative index is the neighbor outside the view, never \"from the end\"; give the tensor a boundary rule \
         with `.boundary(Clamp)` if it may be read there"
    };
    help.to_owned()
}

fn report_miss(program: &Program, access: &Access, candidate: &Candidate, diagnostics: &mut Diagnostics) {
    let buffer = &program.buffers[candidate.buffer];
    let shown = |sym: &SymInt| sym.to_string();
    let at: Vec<String> = candidate.coordinates.iter().map(shown).collect();
    let extents: Vec<String> = candidate.extents(program).iter().map(shown).collect();
    let message = format!(
        "this element is outside of `{}`: its coordinates are [{}], the extents are [{}]",
        buffer.name,
        at.join(", "),
        extents.join(", ")
    );
    diagnostics.error_in_call(&access.tokens, message, help_for_outside(program, access));
}
