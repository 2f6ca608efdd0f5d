//! Extents that cost more than an addition are computed once, where the first loop over them or the assertion before it
//! stands.

use crate::ir::{
    Assertion, Definition, Let, LoopKind, NameSupply, NamedExtent, Nest, Order, Program, ProgramPoint,
    StatementKind,
};
use crate::symbolic::Form;

/// The cost from which on an extent has a name.
const WORTH_A_NAME: u32 = 2;

/// How many assertions before a nest are looked at.
const LOOK_BACK: usize = 64;

/// Names the extents of loops, and writes the names before the statements that are the first to need them.
pub(super) fn place(program: &mut Program, names: &mut NameSupply) {
    let found = find(program, names);
    for NamedExtent { name, place, value, .. } in &found {
        let named = Let { name: name.clone(), value: Definition::Extent(value.clone()) };
        program.define(*place, Order::Extent, &named);
    }
    program.extents = found;
}

fn find(program: &Program, names: &mut NameSupply) -> Vec<NamedExtent> {
    let mut found: Vec<NamedExtent> = Vec::new();
    let mut nests: Vec<&Nest> = program.nests.iter().collect();
    nests.sort_by_key(|nest| nest.body);
    for Nest { loops, body, .. } in nests {
        let body = &program.regions[*body];
        let Some(nest) = body.parent else { continue };
        // Nothing unknown runs in the statement before the nest does.
        if program.regions[nest.region].epoch(nest.statement).as_ref() != body.epochs.first() {
            continue;
        }
        for id in loops {
            let for_loop = &program.loops[*id];
            let LoopKind::Index { extent } = &for_loop.kind else { continue };
            let is_known = |place: ProgramPoint| program.knows([extent], place);
            let is_named = |known: &NamedExtent| known.value == *extent && program.visible(known.place, nest);
            // The others are compared with `i32` before the nest as well, whether the loops around them run or not.
            let counted = extent.range().hi.is_none_or(|hi| hi > i64::from(i32::MAX));
            if !counted || extent.cost() < WORTH_A_NAME || !is_known(nest) || found.iter().any(is_named) {
                continue;
            }
            let form = extent.form();
            let mentions = |assertion: &Assertion| {
                let checks = assertion.checks.iter().map(|check| &check.coordinate);
                assertion.guards.iter().chain(checks).any(|sym| stands_in(&form, &sym.form()))
            };
            let earlier = program.regions[nest.region].statements.iter().rev();
            let place = earlier
                .filter_map(|statement| match &statement.kind {
                    StatementKind::Assert(assertion) if statement.number < nest.statement => {
                        Some((ProgramPoint { statement: statement.number, ..nest }, assertion))
                    }
                    _ => None,
                })
                .take(LOOK_BACK)
                .filter(|(at, assertion)| is_known(*at) && mentions(assertion))
                .last()
                .map_or(nest, |(at, _)| at);
            let name = names.fresh(&format!("{}_end", for_loop.name));
            found.push(NamedExtent { name, place, value: extent.clone(), form });
        }
    }
    found
}

/// Whether `part` is an operand in `whole`.
fn stands_in(part: &Form, whole: &Form) -> bool {
    part == whole || whole.operands().into_iter().flatten().any(|operand| stands_in(part, operand))
}
