//! Indices of stages as values of the type `i32`.
//!
//! An index of a stage is what a reader gives, computed in `isize`. Where the stage uses it as a value it is an `i32`,
//! and what is decided by that value is about the index only if the index fits. The variable of a loop over indices
//! fits because its extent is asserted to; any other one is proven to fit, or asserted before the loops, or tested in
//! place.

use std::collections::BTreeMap;

use crate::ir::walk::Use;
use crate::ir::{Assertion, BoundsCheck, Hole, HoleId, Program, ProgramPoint, RegionId};
use crate::symbolic::SymInt;

use super::hoist::Asserted;

/// Decides how each index is converted to a value.
pub(super) fn check(program: &mut Program, assertions: &mut BTreeMap<ProgramPoint, Vec<Assertion>>) {
    let mut uses: BTreeMap<HoleId, Vec<ProgramPoint>> = BTreeMap::new();
    program.walk(RegionId::BODY, &mut |own, here| {
        if let Use::Hole(id, _) = own
            && matches!(program.holes[*id], Hole::Index { fits: None, .. })
            && !program.is_in_unresolved(here.region)
        {
            uses.entry(*id).or_default().push(here);
        }
    });
    for (id, uses) in uses {
        let Hole::Index { index, stage, .. } = &program.holes[id] else { continue };
        let found = fits(program, index, &uses, stage);
        let is_known = found.is_some();
        if let Some(Some((position, assertion))) = found {
            assertions.entry(position).or_default().push(assertion);
        }
        if let Hole::Index { fits, .. } = &mut program.holes[id] {
            *fits = Some(is_known && !program.tests_every_access);
        }
    }
}

/// The assertion that lets an index fit `i32` at all of its uses, none if it does anyway; `None` if there is no such.
#[allow(clippy::option_option)]
fn fits(
    program: &Program,
    index: &SymInt,
    uses: &[ProgramPoint],
    stage: &str,
) -> Option<Option<(ProgramPoint, Assertion)>> {
    let checks: Vec<BoundsCheck> = BoundsCheck::of_index(index)?.into();
    let holds = |at: &ProgramPoint| {
        let facts = program.facts_at(*at);
        checks.iter().all(|check| facts.proves_nonneg(&check.slack))
    };
    if uses.iter().all(holds) {
        return Some(None);
    }
    let asserted = |at: &ProgramPoint| {
        let region = &program.regions[at.region];
        let epoch =
            region.epoch(at.statement).filter(|epoch| region.epoch(at.statement + 1) == Some(*epoch))?;
        let extents = vec![SymInt::constant(1 << 32)];
        let asserted = Asserted { at: *at, epoch, buffer: None, extents };
        let (position, assertion) = asserted.outermost(program, checks.clone())?;
        let is_before = |other: &ProgramPoint| {
            program
                .outwards(*other)
                .any(|at| at.region == position.region && at.statement >= position.statement)
        };
        let tensor = stage.to_owned();
        uses.iter().all(is_before).then_some((position, Assertion { tensor, ..assertion }))
    };
    uses.iter().find_map(asserted).map(Some)
}
