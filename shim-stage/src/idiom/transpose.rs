//! Nests that copy the lines of one block of bytes to the columns of another, or to its lines where tasks share one of
//! the two.
//!
//! A loop would read or write single bytes far apart. The [runtime](crate::emit) moves words and takes them apart in
//! vectors. LLVM makes vectors of loops that copy lines to lines, but not where it cannot tell that the memory that
//! tasks share is not the other block.

use crate::depend;
use crate::ir::{Access, BufferId, Hole, Nest, NestId, Program, Strided, Transposition};
use crate::symbolic::SymInt;

use super::is_whole;
use super::strided::{byte, byte_read, constant_extent, strided};

/// Extents of nests that are worth a transposition: shorter lines do not fill a word, and longer ones do not fit in
/// registers.
const EXTENTS: core::ops::RangeInclusive<i64> = 4..=64;

/// The transposition that a nest is, if it is one of blocks that are cleared.
pub(super) fn of(program: &Program, id: NestId) -> Option<Transposition> {
    transposition(program, id).filter(|found| {
        let mut ends = [&found.from, &found.to].into_iter();
        ends.all(|own| program.buffers[program.root_buffer(own.buffer)].cleared)
    })
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
    if !is_whole(program, id) {
        return None;
    }
    let extent = |id| constant_extent(program, id).filter(|extent| EXTENTS.contains(extent));
    let (rows, columns) = (extent(outer)?, extent(inner)?);
    let (written, read) = copied(program, nest)?;
    let (from, from_steps) = strided(program, read, &nest.loops)?;
    let (to, to_steps) = strided(program, written, &nest.loops)?;
    let ([from_outer, from_inner], [to_outer, to_inner]) =
        (<[SymInt; 2]>::try_from(from_steps).ok()?, <[SymInt; 2]>::try_from(to_steps).ok()?);
    // Where the lines that are written overlap, the last write of the source decides.
    let facts = &program.regions[nest.body].facts;
    if program.root_buffer(from.buffer) == program.root_buffer(to.buffer)
        || !depend::is_injective(program, facts, to.buffer)
    {
        return None;
    }
    let is_one = |sym: &SymInt| sym.as_constant() == Some(1);
    let lines = |own: &Strided, step: &SymInt| Strided { steps: vec![step.clone()], ..own.clone() };
    // The lines lie along the axis on which the bytes that are read are contiguous.
    if is_one(&from_outer) && is_one(&to_inner) && !is_one(&from_inner) {
        let (from, to) = (lines(&from, &from_inner), lines(&to, &to_outer));
        return Some(Transposition { from, to, lines: columns, length: rows, turned: true });
    }
    if is_one(&from_inner) && is_one(&to_outer) && !is_one(&from_outer) {
        let (from, to) = (lines(&from, &from_outer), lines(&to, &to_inner));
        return Some(Transposition { from, to, lines: rows, length: columns, turned: true });
    }
    let shared = |own: &Strided| program.shared_by_tasks(nest.body, own.buffer).is_some();
    if is_one(&from_inner) && is_one(&to_inner) && (shared(&from) || shared(&to)) {
        let (from, to) = (lines(&from, &from_outer), lines(&to, &to_outer));
        return Some(Transposition { from, to, lines: rows, length: columns, turned: false });
    }
    None
}

/// The elements of a nest whose body is `t[[..]] = u[[..]]` of bytes: the one written, and the one read.
fn copied<'p>(program: &'p Program, nest: &Nest) -> Option<(&'p Access, &'p Access)> {
    let [statement] = &program.regions[nest.body].statements[..] else { return None };
    let Hole::Assign { access, op: None, value } = program.held_by(statement.kind.expr()?)? else {
        return None;
    };
    let Hole::Access(read) = program.held_by(value)? else { return None };
    let written = byte(program, *access)?;
    byte_read(program, *read)
        .map(|read| (written, read))
        .filter(|(written, read)| written.view.casts.is_empty() && read.view.casts.is_empty())
}
