//! Idioms: what the runtime does in vectors, recognized in the loops and selections of the source.

pub(crate) mod gather;
pub(crate) mod strided;
pub(crate) mod sum;
pub(crate) mod transpose;

use crate::ir::{Idiom, NestId, Program};

/// Marks the nests that do what a function of the runtime does.
pub(crate) fn mark(program: &mut Program) {
    for id in program.nests.ids() {
        let found = transpose::of(program, id).map(Idiom::Transposition);
        let found = found.or_else(|| sum::of(program, id).map(Idiom::Sum));
        program.nests[id].idiom = found.map(Box::new);
    }
}

/// Whether a nest runs all of its loops' iterations, and nothing jumps out of it.
fn is_whole(program: &Program, id: NestId) -> bool {
    let nest = &program.nests[id];
    let is_split = nest.loops.iter().any(|id| program.loops[*id].interior.is_some());
    nest.label.is_none() && nest.next.is_none() && nest.cut.is_none() && !is_split && !program.is_part(id)
}
