//! Where the elements lie that an access reaches in the iterations of a nest.

use shim_core::Layout;

use crate::ir::{
    Access, AccessId, AccessKind, Addressing, Element, Loop, LoopId, LoopMode, Program, Strided,
};
use crate::static_eval::IntType;
use crate::symbolic::SymInt;

/// The number of iterations of a serial loop in ascending steps of one, if it is constant.
pub(super) fn constant_extent(program: &Program, id: LoopId) -> Option<i64> {
    let own = &program.loops[id];
    if own.mode != LoopMode::Serial || own.step() != 1 {
        return None;
    }
    own.extent().ok()?.as_constant()
}

/// The access of a byte that is certainly inside its block, and not evaluated for its effects.
pub(super) fn byte(program: &Program, id: AccessId) -> Option<&Access> {
    let access = &program.accesses[id];
    let Element::Inside(candidate) = &access.element else { return None };
    let is_plain = candidate.casts.is_empty() && access.operands.is_empty() && access.within.is_none();
    (is_plain && program.buffers[candidate.buffer].number() == Some(IntType::U8)).then_some(access)
}

/// The access of such a byte, if it is read.
pub(super) fn byte_read(program: &Program, id: AccessId) -> Option<&Access> {
    byte(program, id).filter(|access| access.kind == AccessKind::Read)
}

/// Where the element of an access is in the first iteration of loops, and how far apart it is in neighboring iterations
/// of each.
pub(super) fn strided(
    program: &Program,
    access: &Access,
    loops: &[LoopId],
) -> Option<(Strided, Vec<SymInt>)> {
    let Element::Inside(candidate) = &access.element else { return None };
    let Addressing::Flat(layout) = &program.buffers[candidate.buffer].addressing else { return None };
    let offset = Layout::offset(layout, candidate.coordinates.get(..layout.rank())?).ok()?;
    let loops: Vec<&Loop> = loops.iter().map(|id| &program.loops[*id]).collect();
    let steps: Vec<SymInt> =
        loops.iter().map(|own| offset.coefficient(&own.symbol)).collect::<Option<_>>()?;
    let start = |symbol: &_| loops.iter().find(|own| own.symbol == *symbol).map(|own| own.first.clone());
    let first = offset.substitute(&start).ok()?;
    let varies = |sym: &SymInt| loops.iter().any(|own| sym.mentions(&own.symbol));
    if varies(&first) || steps.iter().any(varies) {
        return None;
    }
    Some((Strided { buffer: candidate.buffer, first, steps: Vec::new() }, steps))
}
