//! Nests that copy the lines of one block of bytes to the columns of another, or to its lines where tasks share one of
//! the two.
//!
//! A loop would read or write single bytes far apart. The [runtime](crate::emit) moves words and takes them apart in
//! vectors. LLVM makes vectors of loops that copy lines to lines, but not where it cannot tell that the memory that
//! tasks share is not the other block.

use shim_core::Layout;

use crate::depend;
use crate::ir::{
    Access, AccessId, AccessKind, Addressing, BufferId, Element, Hole, LoopKind, LoopMode, Nest, NestId,
    Program, Strided, Transposition,
};
use crate::static_eval::IntType;
use crate::symbolic::{SymInt, Symbol};

/// Extents of nests that are worth a transposition: shorter lines do not fill a word, and longer ones do not fit in
/// registers.
const EXTENTS: core::ops::RangeInclusive<i64> = 4..=64;

/// Marks the nests that do nothing else.
pub(crate) fn mark(program: &mut Program) {
    for id in program.nests.ids() {
        let found = transposition(program, id).filter(|found| {
            let mut ends = [&found.from, &found.to].into_iter();
            ends.all(|own| program.buffers[program.root_buffer(own.buffer)].cleared)
        });
        program.nests[id].transposition = found.map(Box::new);
    }
}

/// The memory of the transposition that a nest is, if it is one.
pub(crate) fn buffers(program: &Program, id: NestId) -> Vec<BufferId> {
    let found = transposition(program, id);
    found
        .iter()
        .flat_map(|found| [&found.from, &found.to])
        .map(|own| program.root_buffer(own.buffer))
        .collect()
}

fn transposition(program: &Program, id: NestId) -> Option<Transposition> {
    let nest = &program.nests[id];
    let [outer, inner] = nest.loops[..] else { return None };
    if program.is_part(id) {
        return None;
    }
    let extent = |id| match &program.loops[id].kind {
        LoopKind::Index { extent } if program.loops[id].mode == LoopMode::Serial => {
            extent.as_constant().filter(|extent| EXTENTS.contains(extent))
        }
        _ => None,
    };
    let (rows, columns) = (extent(outer)?, extent(inner)?);
    let (written, read) = copied(program, nest)?;
    let variables = [outer, inner].map(|id| program.loops[id].symbol.clone());
    let (from, [from_outer, from_inner]) = strided(program, &program.accesses[read], &variables)?;
    let (to, [to_outer, to_inner]) = strided(program, &program.accesses[written], &variables)?;
    // Where the lines that are written overlap, the last write of the source decides.
    let facts = &program.regions[nest.body].facts;
    if program.root_buffer(from.buffer) == program.root_buffer(to.buffer)
        || !depend::is_injective(program, facts, to.buffer)
    {
        return None;
    }
    let is_one = |sym: &SymInt| sym.as_constant() == Some(1);
    // The lines lie along the axis on which the bytes that are read are contiguous.
    if is_one(&from_outer) && is_one(&to_inner) && !is_one(&from_inner) {
        let (from, to) = (Strided { step: from_inner, ..from }, Strided { step: to_outer, ..to });
        return Some(Transposition { from, to, lines: columns, length: rows, turned: true });
    }
    if is_one(&from_inner) && is_one(&to_outer) && !is_one(&from_outer) {
        let (from, to) = (Strided { step: from_outer, ..from }, Strided { step: to_inner, ..to });
        return Some(Transposition { from, to, lines: rows, length: columns, turned: true });
    }
    let shared = |own: &Strided| program.shared_by_tasks(nest.body, own.buffer).is_some();
    if is_one(&from_inner) && is_one(&to_inner) && (shared(&from) || shared(&to)) {
        let (from, to) = (Strided { step: from_outer, ..from }, Strided { step: to_outer, ..to });
        return Some(Transposition { from, to, lines: rows, length: columns, turned: false });
    }
    None
}

/// The elements of a nest whose body is `t[[..]] = u[[..]]` of bytes: the one written, and the one read.
fn copied(program: &Program, nest: &Nest) -> Option<(AccessId, AccessId)> {
    let is_split = nest.loops.iter().any(|id| program.loops[*id].interior.is_some());
    let whole = nest.label.is_none() && nest.next.is_none() && !is_split;
    let [statement] = &program.regions[nest.body].statements[..] else { return None };
    let Hole::Assign { access, op: None, value } = program.held_by(statement.kind.expr()?)? else {
        return None;
    };
    let Hole::Access(read) = program.held_by(value)? else { return None };
    let plain = |id: AccessId| {
        let access = &program.accesses[id];
        let Element::Inside(candidate) = &access.element else { return false };
        let buffer = &program.buffers[candidate.buffer];
        let whole = candidate.casts.is_empty() && access.view.casts.is_empty() && access.operands.is_empty();
        whole && access.within.is_none() && buffer.number() == Some(IntType::U8)
    };
    let read_only = program.accesses[*read].kind == AccessKind::Read;
    (whole && read_only && plain(*access) && plain(*read)).then_some((*access, *read))
}

/// The bytes that an access reaches: where the first one is, and how far apart those of neighboring values of two
/// variables are.
fn strided(program: &Program, access: &Access, variables: &[Symbol; 2]) -> Option<(Strided, [SymInt; 2])> {
    let Element::Inside(candidate) = &access.element else { return None };
    let Addressing::Flat(layout) = &program.buffers[candidate.buffer].addressing else { return None };
    let offset = Layout::offset(layout, candidate.coordinates.get(..layout.rank())?).ok()?;
    let [outer, inner] = variables.each_ref().map(|variable| offset.coefficient(variable));
    let first = offset.substitute(&|symbol| variables.contains(symbol).then(|| SymInt::constant(0))).ok()?;
    let steps = [outer?, inner?];
    let varies = |sym: &SymInt| variables.iter().any(|variable| sym.mentions(variable));
    if varies(&first) || steps.iter().any(varies) {
        return None;
    }
    Some((Strided { buffer: candidate.buffer, first, step: SymInt::constant(0) }, steps))
}
