//! Applies the attributes that order nests.
//!
//! The pass comes after the check, whose proofs hold for every point in whatever order it runs. A nest in the order of
//! its source is merged with the loops perfectly nested in it, its [dependences](crate::depend) are compared with the
//! order, and its loops are replaced. The variables of the source become locals of the body, computed from the new
//! ones.

mod apply;
mod columns;
mod copies;
mod distribute;
mod fuse;
mod lag;
mod lanes;
mod legal;
mod listed;
mod merge;
mod order;
mod phases;
mod plan;
mod registers;
mod rejected;
mod stages;
mod strided;
mod tasks;
mod tiles;
mod transfer;
mod words;

use std::collections::BTreeMap;

use crate::diagnostics::Diagnostics;
use crate::ir::{NameSupply, NestId, Program, Schedule, Word};
use crate::symbolic::SymInt;
use crate::{check, depend, regions};

use apply::Apply;
use legal::Legal;
use rejected::Rejected;

/// What the pass may use besides the program.
pub(crate) struct Tools<'t> {
    pub(crate) names: &'t mut NameSupply,
    pub(crate) diagnostics: &'t mut Diagnostics,
}

impl Tools<'_> {
    /// Finds out what stages compute that are where they stay, and checks their accesses.
    fn resolve(&mut self, program: &mut Program) {
        let resolved = regions::resolve(program, self.names, self.diagnostics);
        if !resolved.is_empty() {
            check::check_in(program, &resolved, self.diagnostics);
        }
    }
}

/// Gives each nest of a program with attributes its order, and reports those that would change the result.
pub(crate) fn schedule(program: &mut Program, tools: &mut Tools<'_>) {
    let nests: Vec<NestId> = program.nests.ids().collect();
    for copies in std::mem::take(&mut program.ordered_copies) {
        if let Err(Rejected { message, help, tokens }) = copies::judge(program, &copies) {
            tools.diagnostics.within(&copies.calls, |diagnostics| {
                diagnostics.error_in_call(tokens.unwrap_or(copies.attribute), message, help);
            });
        }
    }
    columns::copy(program, tools.names);
    stages::assign(program);
    phases::assign(program, false);
    tools.resolve(program);
    phases::assign(program, true);
    let mut refused: Vec<(Box<Schedule>, Rejected)> = Vec::new();
    // The words before the first of several fused nests are about the loops of all of them.
    let mut depths: BTreeMap<NestId, usize> = BTreeMap::new();
    for id in nests.iter().copied() {
        let Some(schedule) = program.nests[id].schedule.as_deref() else { continue };
        let own = schedule.words.iter().filter_map(Word::depth).max().unwrap_or(0);
        let own = own.max(depths.get(&id).copied().unwrap_or(0));
        depths.insert(id, own);
        if let (Some(_), Some((next, _))) = (schedule.lag(), fuse::adjacent(program, id)) {
            depths.insert(next, own);
        }
    }
    // The last of several adjacent nests first.
    for id in nests.iter().copied().rev() {
        if let Some(schedule) = program.nests[id].schedule.clone()
            && let Some(lag) = schedule.lag()
            && let Err(rejected) = fuse::fuse(program, tools.names, id, (lag, depths[&id]))
        {
            program.nests[id].schedule = None;
            refused.push((schedule, rejected));
        }
    }
    // An outer nest takes its loops from those inside it before these have an order of their own.
    for id in nests {
        let Some(schedule) = program.nests[id].schedule.clone() else { continue };
        let own = program.nests[id].loops.len();
        let depth = schedule.words.iter().filter_map(Word::depth).max().unwrap_or(own);
        if let Err(imperfect) = merge::merge(program, id, depth) {
            program.nests[id].schedule = None;
            refused.push((schedule, imperfect));
        }
    }
    // Inner nests have larger ids; schedule them before an outer one copies them. A stage comes before the nest that reads
    // it, and after the copies of it that this nest makes.
    let last =
        |program: &Program| program.nests.ids().filter(|id| program.nests[*id].schedule.is_some()).last();
    while let Some(id) = last(program) {
        let Some(schedule) = program.nests[id].schedule.take() else { break };
        // A nest that reads this stage was refused.
        if program.is_in_unresolved(program.nests[id].body) {
            continue;
        }
        if let Err(rejected) = run(program, tools, id, &schedule) {
            refused.push((schedule, rejected));
        }
    }
    refused.sort_by_key(|(schedule, _)| schedule.number);
    for (schedule, Rejected { message, help, tokens }) in refused {
        tools.diagnostics.within(&schedule.calls, |diagnostics| {
            diagnostics.error_in_call(tokens.as_ref().unwrap_or(&schedule.attribute), message, help);
        });
    }
    regions::hoist(program);
}

fn run(
    program: &mut Program,
    tools: &mut Tools<'_>,
    id: NestId,
    schedule: &Schedule,
) -> Result<(), Rejected> {
    let loops = &program.nests[id].loops;
    let domain = program.domain(loops).ok_or_else(merge::not_affine)?;
    let variables: Vec<&str> = loops.iter().map(|id| program.loops[*id].symbol.name()).collect();
    let extents: Vec<Option<SymInt>> =
        (0..loops.len()).map(|axis| program.extent(loops, axis, &domain).ok()).collect();
    if !schedule.is_scan {
        legal::judge_effects(program, id, schedule)?;
    }
    let order = words::read(&schedule.words, &variables, &extents)?;
    let cuts = distribute::cuts(program, id, &order)?;
    let legal = if schedule.is_scan { Legal::scan(order) } else { Legal::prove(program, id, order, &cuts)? };
    program.dependences.extend(legal.dependences().iter().map(depend::Dependence::text));
    program.nests[id].distributed = cuts;
    let apply = Apply::new(program, tools.names, id, legal, schedule)?;
    let tasks = apply.apply(id)?;
    tools.resolve(program);
    tasks.share(program, tools.names);
    Ok(())
}
