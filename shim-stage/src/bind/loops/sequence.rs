//! Whether an unrolled loop gives the same result in another order of its copies.
//!
//! Two copies depend on each other if both touch an element and one of them writes it.

use std::collections::BTreeMap;

use quote::ToTokens;

use crate::diagnostics;
use crate::ir::{Access, AccessId, AccessKind, Boundary, BufferId, Candidate, RegionId};
use crate::locate;
use crate::symbolic::SymInt;

use crate::bind::Binder;
use crate::bind::rust::assigned::Beginning;

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

impl Binder<'_> {
    /// Reports what an order of the copies of an unrolled body would change; they begin with the region `first` and are
    /// in this sequence.
    pub(in crate::bind) fn keep_sequence(
        &mut self,
        attribute: &syn::Attribute,
        beginning: Beginning,
        sequence: &[usize],
        first: RegionId,
        leaves: bool,
    ) {
        let effects = self.effects_since(beginning, first);
        let error = if leaves {
            Some((
                attribute.to_token_stream(),
                diagnostics::ORDER_OF_EFFECTS.0.to_owned(),
                diagnostics::ORDER_OF_EFFECTS.1,
            ))
        } else {
            effects.carried().map(|change| {
                let (message, help) = diagnostics::carries(change);
                (change.tokens.clone(), message, help)
            })
        };
        match error {
            Some((tokens, message, help)) => self.diagnostics.error_in_call(tokens, message, help),
            None => {
                if let Some(broken) = self.broken_sequence(sequence, first) {
                    self.reject_dependence(attribute, broken);
                }
            }
        }
    }

    fn reject_dependence(&mut self, attribute: &syn::Attribute, broken: Broken) {
        let Broken { write, other } = broken;
        let [written, touched] = [write, other].map(|id| self.program.accesses[id].shown());
        let message = if write == other {
            format!("this order does not keep the sequence in which iterations write `{written}`")
        } else {
            format!("this order does not keep the dependence between `{written}` and `{touched}`")
        };
        let help = "it is not known which iterations touch one element: write at the indices of the loop, plus constants, \
                    and read what is written there as well";
        self.diagnostics.error_in_call(attribute, message, help);
    }

    /// Two accesses of copies that may touch one element, one of them by writing it, and whose sequence changed.
    fn broken_sequence(&self, sequence: &[usize], first: RegionId) -> Option<Broken> {
        let program = &self.program;
        // The copies' own regions, in the order in which they were bound.
        let copies = &program.regions[first].regions;
        let copy_of = |region: RegionId| copies.iter().position(|copy| program.within(region, *copy));
        let accesses = program.accesses_while(first).into_iter().map(|id| (id, &program.accesses[id]));
        let accesses: Vec<(AccessId, &Access)> = accesses.collect();
        let outside = |buffer: BufferId| copy_of(program.allocated(buffer).region).is_none();
        let writes = accesses.iter().filter(|(_, access)| access.kind.writes());
        let writes = writes
            .filter(|(_, access)| copy_of(access.position.region).is_some() && outside(access.view.buffer));
        let written: BTreeMap<BufferId, AccessId> =
            writes.map(|(id, access)| (access.view.buffer, *id)).collect();
        // Elements by their block and coordinates, with the copies that touch them.
        let mut touched: Vec<Touched> = Vec::new();
        for (id, access) in accesses {
            let copy = copy_of(access.position.region);
            let in_closure = program.in_closure(access.position.region);
            if copy.is_none() && !in_closure || access.kind == AccessKind::Prefetch {
                continue;
            }
            let unknown = |write: AccessId| Some(Broken { write, other: id });
            let Ok(candidates) = locate::candidates(program, access) else { return unknown(id) };
            for Candidate { buffer, coordinates, .. } in candidates {
                if let Some((_, write)) =
                    written.iter().find(|(other, _)| program.may_overlap(**other, buffer))
                {
                    return unknown(*write);
                }
                let Some(write) = written.get(&buffer) else { continue };
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
}

/// Whether two coordinates differ, whatever the values in them.
fn certainly_apart(a: &[SymInt], b: &[SymInt]) -> bool {
    a.iter().zip(b).any(|(a, b)| {
        let range = a.sub(b).map(|apart| apart.range());
        range.is_ok_and(|range| range.lo.is_some_and(|lo| lo > 0) || range.hi.is_some_and(|hi| hi < 0))
    })
}
