//! Whether an unrolled loop gives the same result in another order of its copies.
//!
//! Two copies depend on each other if both touch an element and one of them writes it.

use std::collections::BTreeMap;

use crate::depend;
use crate::diagnostics;
use crate::ir::{Access, AccessId, Boundary, BufferId, Candidate, OrderedCopies, Program, RegionId};
use crate::locate;
use crate::symbolic::SymInt;

use super::legal;
use super::rejected::{Rejected, rejected};

/// A write and another access whose sequence an order changes.
struct Broken {
    write: AccessId,
    other: AccessId,
}

/// An access of a copy of an unrolled body.
struct Touched {
    buffer: BufferId,
    coordinates: Vec<SymInt>,
    copy: usize,
    id: AccessId,
    write: bool,
}

/// An error if the order of copies changes the result.
pub(super) fn judge(program: &Program, copies: &OrderedCopies) -> Result<(), Rejected> {
    let region = &program.regions[copies.region];
    if region.last_epoch() != region.epochs[0] {
        let (message, help) = diagnostics::ORDER_OF_EFFECTS;
        return Err(rejected(message, help));
    }
    if let Some(change) = copies.effects.carried() {
        let (message, help) = diagnostics::carries(change);
        return Err(Rejected { tokens: Some(change.tokens.clone()), ..rejected(message, help) });
    }
    let Some(Broken { write, other }) = broken(program, &copies.sequence, copies.region) else {
        return Ok(());
    };
    let help = "it is not known which iterations touch one element: write at the indices of the loop, plus constants, \
                and read what is written there as well";
    Err(rejected(legal::changed_order(program, [write, other]), help))
}

/// Two accesses of copies that may touch one element, one of them by writing it, and whose sequence changed.
fn broken(program: &Program, sequence: &[usize], first: RegionId) -> Option<Broken> {
    // The copies' own regions, in the order in which they were bound.
    let copies = &program.regions[first].regions;
    let copy_of = |region: RegionId| copies.iter().position(|copy| program.within(region, *copy));
    let accesses = program.accesses_while(first).into_iter().map(|id| (id, &program.accesses[id]));
    let accesses: Vec<(AccessId, &Access)> = accesses.collect();
    let outside = |buffer: BufferId| copy_of(program.allocated(buffer).region).is_none();
    let writes = accesses.iter().filter(|(_, access)| access.kind.writes());
    let writes =
        writes.filter(|(_, access)| copy_of(access.position.region).is_some() && outside(access.view.buffer));
    let written: BTreeMap<BufferId, AccessId> =
        writes.map(|(id, access)| (access.view.buffer, *id)).collect();
    // Elements by their block and coordinates, with the copies that touch them.
    let mut touched: Vec<Touched> = Vec::new();
    for (id, access) in accesses {
        let copy = copy_of(access.position.region);
        let in_closure = program.in_closure(access.position.region);
        if copy.is_none() && !in_closure || !access.kind.touches() {
            continue;
        }
        let unknown = |write: AccessId| Some(Broken { write, other: id });
        let Ok(candidates) = locate::candidates(program, access) else { return unknown(id) };
        for Candidate { buffer, coordinates, .. } in candidates {
            if let Some((_, write)) = written.iter().find(|(other, _)| program.may_overlap(**other, buffer)) {
                return unknown(*write);
            }
            let Some(write) = written.get(&buffer) else { continue };
            let facts = program.facts_at(access.position);
            if !depend::is_injective(program, facts, buffer) {
                return unknown(*write);
            }
            let folds = access.view.boundary.as_ref().is_some_and(Boundary::folds);
            match copy {
                Some(copy) if !folds && !in_closure => {
                    let write = access.kind.writes();
                    touched.push(Touched { buffer, coordinates, copy, id, write });
                }
                _ => return unknown(*write),
            }
        }
    }
    let changed = |a: usize, b: usize| (a < b) != (sequence[a] < sequence[b]);
    touched.sort_by(|a, b| (a.buffer, &a.coordinates).cmp(&(b.buffer, &b.coordinates)));
    let elements: Vec<&[Touched]> =
        touched.chunk_by(|a, b| a.buffer == b.buffer && a.coordinates == b.coordinates).collect();
    for (at, element) in elements.iter().enumerate() {
        for other in &elements[at..] {
            let (a, b) = (&element[0], &other[0]);
            if a.buffer != b.buffer || certainly_apart(&a.coordinates, &b.coordinates) {
                continue;
            }
            for a in *element {
                for b in *other {
                    if a.copy != b.copy && (a.write || b.write) && changed(a.copy, b.copy) {
                        let (write, other) = if a.write { (a.id, b.id) } else { (b.id, a.id) };
                        return Some(Broken { write, other });
                    }
                }
            }
        }
    }
    None
}

/// Whether two coordinates differ, whatever the values in them.
fn certainly_apart(a: &[SymInt], b: &[SymInt]) -> bool {
    a.iter().zip(b).any(|(a, b)| {
        let range = a.sub(b).map(|apart| apart.range());
        range.is_ok_and(|range| range.lo.is_some_and(|lo| lo > 0) || range.hi.is_some_and(|hi| hi < 0))
    })
}
