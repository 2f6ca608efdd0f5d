//! How far out an assertion may stand.

use crate::ir::{Access, Assertion, Candidate, CoordinateBound, LoopId, Program, ProgramPoint, RegionKind};
use crate::symbolic::{Facts, SymInt, extreme, slack};

use super::assertion::fits;
use super::density::reached;

/// The least and greatest coordinate on an axis, where they need a test.
type Extremes = (Option<SymInt>, Option<SymInt>);

/// The outermost assertion that says what `access` needs, if it may be asserted at all.
pub(super) fn assertion(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    facts: &Facts,
) -> Option<(ProgramPoint, Assertion)> {
    let extents = candidate.extents(program);
    // What is proven where the access runs needs no test.
    let mut bounds: Vec<Extremes> = Vec::new();
    for (coordinate, extent) in candidate.coordinates.iter().zip(&extents) {
        let (below, above) = slack(coordinate, extent)?;
        let least = (!facts.proves_nonneg(&below)).then(|| coordinate.clone());
        let greatest = (!facts.proves_nonneg(&above)).then(|| coordinate.clone());
        bounds.push((least, greatest));
    }
    let (position, bounds, mut assertion) = outermost(program, access, candidate, bounds)?;
    assertion.bounds = bounds
        .into_iter()
        .map(|(least, greatest)| CoordinateBound {
            least: least.into_iter().collect(),
            greatest: greatest.into_iter().collect(),
        })
        .collect();
    Some((position, assertion))
}

/// The outermost assertion that what `access` folds on the axes `folded` fits `isize`, that those axes are not empty,
/// and that it is inside on the axes `inside`.
pub(super) fn folding(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    [folded, inside]: [&[usize]; 2],
) -> Option<(ProgramPoint, Assertion)> {
    let extents = candidate.extents(program);
    let all = candidate.coordinates.iter().enumerate();
    let bounds = all
        .map(|(axis, coordinate)| {
            (folded.contains(&axis) || inside.contains(&axis)).then(|| coordinate.clone())
        })
        .map(|coordinate| (coordinate.clone(), coordinate))
        .collect();
    let (position, bounds, mut assertion) = outermost(program, access, candidate, bounds)?;
    assertion.bounds = vec![CoordinateBound::default(); extents.len()];
    for (axis, (least, greatest)) in bounds.into_iter().enumerate() {
        if inside.contains(&axis) {
            assertion.bounds[axis] = CoordinateBound {
                least: least.into_iter().collect(),
                greatest: greatest.into_iter().collect(),
            };
        } else {
            assertion.folds.extend(least.into_iter().chain(greatest).filter(|sym| !fits(sym)));
        }
    }
    assertion.filled = folded.iter().map(|axis| extents[*axis].clone()).collect();
    Some((position, assertion))
}

/// The outermost place where the extremes of `bounds` over all that runs in between are known, with those extremes
/// and an assertion of nothing yet.
fn outermost(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    mut bounds: Vec<Extremes>,
) -> Option<(ProgramPoint, Vec<Extremes>, Assertion)> {
    let buffer = &program.buffers[candidate.buffer];
    let extents = &buffer.space.extents;
    let mut crossed: Vec<LoopId> = Vec::new();
    let mut best = None;
    for at in program.outwards(access.position) {
        let region = &program.regions[at.region];
        if region.epoch(at.statement) != Some(access.epoch) {
            break;
        }
        let statement = at.statement;
        let visible = |statement: usize, bounds: &[Extremes]| {
            let place = ProgramPoint { region: at.region, statement };
            program.knows(bounds.iter().flat_map(|(a, b)| a.iter().chain(b)), place)
                && program.knows(extents, place)
                && program.knows(&guards(program, &crossed), place)
                && program.visible(buffer.bound, place)
        };
        if visible(statement, &bounds) {
            let quiet = region.epochs[..statement].iter().rposition(|epoch| *epoch != access.epoch);
            // What is visible before one statement is so before all that follow it: halving finds the first.
            let (mut first, mut last) = (quiet.map_or(0, |loud| loud + 1), statement);
            while first < last {
                let middle = usize::midpoint(first, last);
                if visible(middle, &bounds) { last = middle } else { first = middle + 1 }
            }
            let earliest = ProgramPoint { region: at.region, statement: first };
            best = Some((earliest, at, bounds.clone(), crossed.clone()));
        }
        match region.kind {
            RegionKind::Plain => {}
            RegionKind::Nest(nest) => {
                if program.is_opaque(nest) {
                    break;
                }
                let nest = &program.nests[nest].loops;
                let Some(outer) = leave(program, nest, &crossed, &bounds) else { break };
                bounds = outer;
                crossed.splice(0..0, nest.iter().copied());
            }
            RegionKind::Unknown | RegionKind::Branch | RegionKind::Closure => break,
        }
    }
    let (earliest, position, bounds, crossed) = best?;
    let assertion = Assertion {
        buffer: candidate.buffer,
        tensor: reached(program, access),
        guards: guards(program, &crossed),
        bounds: Vec::new(),
        folds: Vec::new(),
        filled: Vec::new(),
        earliest,
    };
    Some((position, bounds, assertion))
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

/// The extremes of `bounds` over a nest, innermost loop first; `None` when they are not at its corners.
fn leave(
    program: &Program,
    nest: &[LoopId],
    crossed: &[LoopId],
    bounds: &[Extremes],
) -> Option<Vec<Extremes>> {
    let mut bounds = bounds.to_vec();
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
        for (least, greatest) in &mut bounds {
            if let Some(sym) = least {
                *sym = extreme(sym, &for_loop.symbol, &for_loop.first, &for_loop.last)?;
            }
            if let Some(sym) = greatest {
                *sym = extreme(sym, &for_loop.symbol, &for_loop.last, &for_loop.first)?;
            }
        }
    }
    Some(bounds)
}
