//! The box around the elements of a stage that are read.

use crate::ir::{AccessId, LoopId, Producer, Program, RegionId, RegionKind, Steps};
use crate::locate;
use crate::symbolic::{Facts, SymInt, extreme, without_remainders};

use super::NoRegion;

/// The box around all elements that are read.
pub(super) struct Hull {
    /// The least and the greatest index on each axis.
    pub(super) axes: Vec<[SymInt; 2]>,
    /// Something is read only if each of these is at least zero.
    pub(super) runs: Vec<SymInt>,
}

/// The box around the elements of a stage that are read behind its nest.
pub(super) fn hull(program: &Program, producer: &Producer, reads: &[AccessId]) -> Result<Hull, NoRegion> {
    let mut axes: Vec<[SymInt; 2]> = Vec::new();
    let mut runs: Option<Vec<SymInt>> = None;
    let facts = program.facts_at(producer.position);
    for id in reads {
        let own = of_read(program, producer, *id).ok_or_else(|| unbounded(program, producer, *id))?;
        if axes.is_empty() {
            axes = own.axes;
        } else {
            for ([least, greatest], [own_least, own_greatest]) in axes.iter_mut().zip(own.axes) {
                *least = lesser(facts, least, &own_least).ok_or_else(|| unbounded(program, producer, *id))?;
                *greatest = greater(facts, greatest, &own_greatest)
                    .ok_or_else(|| unbounded(program, producer, *id))?;
            }
        }
        runs = Some(match runs {
            None => own.runs,
            Some(known) => common(facts, known, own.runs),
        });
    }
    Ok(Hull { axes, runs: runs.unwrap_or_default() })
}

/// The conditions that both lists imply.
fn common(facts: &Facts, one: Vec<SymInt>, other: Vec<SymInt>) -> Vec<SymInt> {
    if one == other {
        return one;
    }
    let implied = |by: &[SymInt]| {
        let mut facts = facts.clone();
        for fact in by {
            facts.push(fact.clone());
        }
        move |runs: &SymInt| facts.proves_nonneg(runs)
    };
    let (by_one, by_other) = (implied(&one), implied(&other));
    let mut common: Vec<SymInt> = one.into_iter().filter(|runs| by_other(runs)).collect();
    for runs in other.into_iter().filter(|runs| by_one(runs)) {
        if !common.contains(&runs) {
            common.push(runs);
        }
    }
    common
}

fn lesser(facts: &Facts, a: &SymInt, b: &SymInt) -> Option<SymInt> {
    if facts.proves_le(a, b) {
        Some(a.clone())
    } else if facts.proves_le(b, a) {
        Some(b.clone())
    } else {
        SymInt::min(a, b).ok()
    }
}

fn greater(facts: &Facts, a: &SymInt, b: &SymInt) -> Option<SymInt> {
    if facts.proves_le(a, b) {
        Some(b.clone())
    } else if facts.proves_le(b, a) {
        Some(a.clone())
    } else {
        SymInt::max(a, b).ok()
    }
}

/// The index of a read in the stage: its coordinates in the block, from the block's first index on.
pub(super) fn index_of(program: &Program, producer: &Producer, read: AccessId) -> Option<Vec<SymInt>> {
    let candidates = locate::candidates(program, &program.accesses[read]).ok()?;
    let [only] = &candidates[..] else { return None };
    let first = producer.origin.iter().map(SymInt::symbol);
    only.coordinates.iter().zip(first).map(|(at, first)| at.add(&first).ok()).collect()
}

/// What is around a read behind the nest of a stage.
pub(super) enum Around {
    Loop(Steps),
    /// A region that runs under a condition.
    Branch(RegionId),
    /// A loop of the user's, or a closure.
    Unknown,
}

/// The loops and branches around a read behind the nest of a stage, the innermost first. If the nest has an order, its
/// loops are those of the source, or the points of the tile in which the stage is computed.
pub(super) fn around(program: &Program, producer: &Producer, read: AccessId) -> Vec<Around> {
    let mut found = Vec::new();
    let mut next = Some(program.accesses[read].position.region);
    while let Some(region) = next.filter(|region| *region != producer.position.region) {
        if let Some(tile) = producer.tile.as_ref().filter(|tile| program.original(region) == tile.body) {
            found.extend(tile.axes.iter().rev().cloned().map(Around::Loop));
            break;
        }
        let own = &program.regions[region];
        next = program.parent(region);
        let steps = |id: &LoopId| Around::Loop(Steps::of(&program.loops[*id]));
        match (own.kind, &own.reordered) {
            (_, Some(nest)) => {
                found.extend(nest.loops.iter().rev().map(steps));
                next = Some(nest.outside);
            }
            (RegionKind::Nest(nest), None) => found.extend(program.nests[nest].loops.iter().rev().map(steps)),
            // It is read only where the branch is taken.
            (RegionKind::Branch | RegionKind::Version, None) => found.push(Around::Branch(region)),
            (RegionKind::Unknown | RegionKind::Closure, None) => found.push(Around::Unknown),
            (RegionKind::Plain, None) => {}
        }
    }
    found
}

/// The box around what one access reads.
fn of_read(program: &Program, producer: &Producer, read: AccessId) -> Option<Hull> {
    let index = index_of(program, producer, read)?;
    let mut axes: Vec<[SymInt; 2]> = index.into_iter().map(|at| [at.clone(), at]).collect();
    let mut runs: Vec<SymInt> = Vec::new();
    for around in around(program, producer, read) {
        let Steps { symbol, first, last, runs: own, .. } = match around {
            Around::Loop(steps) => steps,
            Around::Unknown => continue,
            Around::Branch(region) => {
                for fact in program.regions[region].own_facts() {
                    if !runs.contains(fact) {
                        runs.push(fact.clone());
                    }
                }
                continue;
            }
        };
        for [least, greatest] in &mut axes {
            *least = extreme(least, &symbol, &first, &last)
                .or_else(|| extreme(&without_remainders(least, &symbol, false)?, &symbol, &first, &last))?;
            *greatest = extreme(greatest, &symbol, &last, &first)
                .or_else(|| extreme(&without_remainders(greatest, &symbol, true)?, &symbol, &last, &first))?;
        }
        // Whether an inner loop runs may depend on this one: it is as long as it can be.
        runs = runs.iter().filter_map(|runs| extreme(runs, &symbol, &last, &first)).collect();
        if !own.range().is_nonnegative() && !runs.contains(&own) {
            runs.push(own);
        }
    }
    let known = |sym: &SymInt| program.knows([sym], producer.position);
    axes.iter().flatten().all(known).then(|| {
        runs.retain(known);
        Hull { axes, runs }
    })
}

fn unbounded(program: &Program, producer: &Producer, read: AccessId) -> NoRegion {
    NoRegion {
        message: format!(
            "which elements of the stage `{}` are read by `{}` is not known where they are computed",
            producer.name,
            program.accesses[read].shown()
        ),
        help: "an index is a sum of loop variables and of values that are bound before the stage is computed, or the `min` or `max` of such: \
               bind them before, or remove `#[compute_at(..)]`"
            .to_owned(),
        tokens: None,
    }
}
