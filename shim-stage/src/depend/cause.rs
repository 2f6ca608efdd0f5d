//! Why it is not known which iterations touch one element.

use crate::ir::{AccessId, Candidate, NestId, Program, SymbolSource};
use crate::locate;

use super::linear::Quotient;
use super::{Depends, is_injective};

/// The reason that the distances between two accesses are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Elements of this block may be in one place although their coordinates differ.
    Strides(String),
    /// Two blocks may be parts of one memory.
    Memory(String, String),
    /// A boundary rule gives another element than the one at the index.
    Boundary(AccessId),
    /// The access is in a closure.
    Closure(AccessId),
    /// A value that the loop computes is in the index.
    Value(AccessId, String),
    /// The index is not a sum of variables.
    Form(AccessId),
    /// The index mentions no variable of the nest.
    Everywhere(AccessId),
    /// On one axis a coordinate of the second access is the same in the whole nest, and may be one of the first access.
    Meets([AccessId; 2], [String; 2]),
    /// The coordinates move differently.
    Apart,
}

/// The reason that the distances between a write and another access are not known.
pub(crate) fn cause(program: &Program, nest: NestId, [write, other]: [AccessId; 2]) -> Cause {
    let depends = Depends::new(program, nest);
    let candidates = |id: AccessId| locate::candidates(program, &program.accesses[id]).unwrap_or_default();
    let (written, touched) = (candidates(write), candidates(other));
    for (written, touched) in written.iter().flat_map(|own| touched.iter().map(move |other| (own, other))) {
        if written.buffer != touched.buffer && program.may_overlap(written.buffer, touched.buffer) {
            let [first, second] =
                [written, touched].map(|candidate| program.buffers[candidate.buffer].name.clone());
            return Cause::Memory(first, second);
        }
    }
    if let Some(Candidate { buffer, .. }) =
        written.iter().find(|candidate| !is_injective(program, &depends.facts, candidate.buffer))
    {
        return Cause::Strides(program.buffers[*buffer].name.clone());
    }
    let accesses = [other, write];
    if let Some(folded) = accesses.into_iter().find(|id| depends.folds(*id)) {
        return Cause::Boundary(folded);
    }
    let in_closure = |id: &AccessId| program.in_closure(program.accesses[*id].position.region);
    if let Some(called) = accesses.into_iter().find(in_closure) {
        return Cause::Closure(called);
    }
    let mut everywhere = None;
    for (id, candidates) in [(write, &written), (other, &touched)] {
        let coordinates: Vec<_> = candidates.iter().flat_map(|candidate| &candidate.coordinates).collect();
        let symbols = coordinates.iter().flat_map(|coordinate| coordinate.symbols());
        let computed = |symbol: &crate::symbolic::Symbol| {
            depends.varies(symbol) && !matches!(program.symbol(symbol).source, SymbolSource::Loop(_))
        };
        if let Some(value) = symbols.into_iter().find(computed) {
            return Cause::Value(id, value.name().to_owned());
        }
        if coordinates.is_empty() || coordinates.iter().any(|own| Quotient::of(own, &depends).is_none()) {
            return Cause::Form(id);
        }
        let variables = depends.loops.iter().map(|for_loop| &program.loops[*for_loop].symbol);
        let mut mentioned = variables.filter(|symbol| coordinates.iter().any(|own| own.mentions(symbol)));
        if mentioned.next().is_none() {
            everywhere.get_or_insert(id);
        }
    }
    let Some(everywhere) = everywhere else { return Cause::Apart };
    let inside = |candidates: &[Candidate]| {
        candidates
            .iter()
            .flat_map(|own| &own.coordinates)
            .any(|own| own.symbols().iter().any(|symbol| depends.varies(symbol)))
    };
    let (Some(one), Some(two)) = (written.last(), touched.last()) else {
        return Cause::Everywhere(everywhere);
    };
    let mut axes = one.coordinates.iter().zip(&two.coordinates);
    let stays = axes.find(|(a, b)| depends.stays(b) && !depends.stays(a));
    match stays {
        Some((a, b)) if everywhere == other && inside(&touched) => {
            Cause::Meets([write, other], [a, b].map(ToString::to_string))
        }
        _ => Cause::Everywhere(everywhere),
    }
}
