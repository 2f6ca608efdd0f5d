//! How far out an assertion may stand.

use crate::ir::density::reached;
use crate::ir::{
    Access, Assertion, BoundsCheck, BufferId, Candidate, Epoch, LoopId, Program, ProgramPoint, RegionKind,
    Side,
};
use crate::symbolic::{Facts, SymInt, extreme};

/// The outermost assertion that says what `access` needs, if it may be asserted at all.
pub(super) fn assertion(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    facts: &Facts,
) -> Option<(ProgramPoint, Assertion)> {
    let mut checks = checks(program, candidate)?;
    // What is proven where the access runs needs no test.
    checks.retain(|check| !facts.proves_nonneg(&check.slack));
    outermost(program, access, candidate, checks)
}

/// The outermost assertion that what `access` folds on the axes `folded` fits `isize`, that those axes are not empty,
/// and that it is inside on the axes `inside`.
pub(super) fn folding(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    [folded, inside]: [&[usize]; 2],
) -> Option<(ProgramPoint, Assertion)> {
    let mut checks = checks(program, candidate)?;
    checks.retain(|check| folded.contains(&check.axis) || inside.contains(&check.axis));
    let (position, mut assertion) = outermost(program, access, candidate, checks)?;
    let (kept, folds): (Vec<_>, Vec<_>) =
        std::mem::take(&mut assertion.checks).into_iter().partition(|check| inside.contains(&check.axis));
    assertion.checks = kept;
    assertion.folds.extend(folds.into_iter().map(|check| check.coordinate).filter(|sym| !sym.fits()));
    let extents = candidate.extents(program);
    assertion.filled = folded.iter().map(|axis| extents[*axis].clone()).collect();
    Some((position, assertion))
}

/// The checks of all coordinates.
fn checks(program: &Program, candidate: &Candidate) -> Option<Vec<BoundsCheck>> {
    let extents = candidate.extents(program);
    let all = candidate.coordinates.iter().zip(&extents).enumerate();
    let checks = all.map(|(axis, (coordinate, extent))| BoundsCheck::of(axis, coordinate, extent));
    Some(checks.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The outermost assertion whose checks are the least over all that runs in between.
fn outermost(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    checks: Vec<BoundsCheck>,
) -> Option<(ProgramPoint, Assertion)> {
    let asserted = Asserted {
        at: access.position,
        epoch: access.epoch,
        buffer: Some(candidate.buffer),
        extents: candidate.extents(program),
    };
    let (position, assertion) = asserted.outermost(program, checks)?;
    Some((position, Assertion { tensor: reached(program, access), ..assertion }))
}

/// The subject of an assertion.
pub(super) struct Asserted {
    /// Where it has to hold.
    pub(super) at: ProgramPoint,
    /// How much has happened there.
    pub(super) epoch: Epoch,
    /// The block, if it is about one.
    pub(super) buffer: Option<BufferId>,
    /// The extents that it compares with.
    pub(super) extents: Vec<SymInt>,
}

impl Asserted {
    /// The outermost assertion whose checks are the least over all that runs in between.
    pub(super) fn outermost(
        self,
        program: &Program,
        mut checks: Vec<BoundsCheck>,
    ) -> Option<(ProgramPoint, Assertion)> {
        let Self { at, epoch, buffer, extents } = self;
        let bound = buffer.map(|buffer| program.buffers[buffer].bound);
        let mut crossed: Vec<LoopId> = Vec::new();
        let mut best = None;
        for at in program.outwards(at) {
            let region = &program.regions[at.region];
            if region.epoch(at.statement) != Some(epoch) {
                break;
            }
            let statement = at.statement;
            let visible = |statement: usize, checks: &[BoundsCheck]| {
                let place = ProgramPoint { region: at.region, statement };
                program.knows(checks.iter().map(|check| &check.coordinate), place)
                    && program.knows(&extents, place)
                    && program.knows(&guards(program, &crossed), place)
                    && bound.is_none_or(|bound| program.visible(bound, place))
            };
            if visible(statement, &checks) {
                let quiet = region.epochs[..statement].iter().rposition(|own| *own != epoch);
                // What is visible before one statement is so before all that follow it: halving finds the first.
                let (mut first, mut last) = (quiet.map_or(0, |loud| loud + 1), statement);
                while first < last {
                    let middle = usize::midpoint(first, last);
                    if visible(middle, &checks) { last = middle } else { first = middle + 1 }
                }
                let earliest = ProgramPoint { region: at.region, statement: first };
                best = Some((earliest, at, checks.clone(), crossed.clone()));
            }
            match region.kind {
                RegionKind::Plain => {}
                RegionKind::Nest(nest) => {
                    if program.is_opaque(nest) {
                        break;
                    }
                    let nest = &program.nests[nest].loops;
                    // It compares the extremes of coordinates with extents that are the same in all of the nest.
                    if nest
                        .iter()
                        .any(|id| extents.iter().any(|own| own.mentions(&program.loops[*id].symbol)))
                    {
                        break;
                    }
                    let Some(outer) = leave(program, nest, &crossed, &checks) else { break };
                    checks = outer;
                    crossed.splice(0..0, nest.iter().copied());
                }
                RegionKind::Unknown | RegionKind::Branch | RegionKind::Version | RegionKind::Closure => break,
            }
        }
        let (earliest, position, checks, crossed) = best?;
        let assertion = Assertion {
            buffer,
            tensor: String::new(),
            guards: guards(program, &crossed),
            extents,
            checks,
            folds: Vec::new(),
            filled: Vec::new(),
            earliest,
        };
        Some((position, assertion))
    }
}

/// The conditions under which all of `loops` run, those that are certain left out.
fn guards(program: &Program, loops: &[LoopId]) -> Vec<SymInt> {
    let mut found: Vec<SymInt> = Vec::new();
    for id in loops {
        let runs = &program.loops[*id].runs;
        if !runs.range().is_nonnegative() && !found.contains(runs) {
            found.push(runs.clone());
        }
    }
    found
}

/// The least of checks over a nest, innermost loop first; `None` when they are not at its corners.
fn leave(
    program: &Program,
    nest: &[LoopId],
    crossed: &[LoopId],
    checks: &[BoundsCheck],
) -> Option<Vec<BoundsCheck>> {
    let mut checks = checks.to_vec();
    for (depth, id) in nest.iter().enumerate().rev() {
        let for_loop = &program.loops[*id];
        // An inner loop whose length depends on this one may not run for every value of it.
        let inner = nest[depth + 1..].iter().chain(crossed);
        for inner in inner {
            let inner = &program.loops[*inner];
            if inner.first.mentions(&for_loop.symbol) || inner.last.mentions(&for_loop.symbol) {
                return None;
            }
        }
        let (first, last) = (&for_loop.first, &for_loop.last);
        for BoundsCheck { side, slack, coordinate, .. } in &mut checks {
            *slack = extreme(slack, &for_loop.symbol, first, last)?;
            *coordinate = match side {
                Side::Below => extreme(coordinate, &for_loop.symbol, first, last)?,
                Side::Above => extreme(coordinate, &for_loop.symbol, last, first)?,
            };
        }
    }
    Some(checks)
}
