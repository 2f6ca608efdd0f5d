//! Finds stack blocks that need no clearing because every element is written before it is read.
//!
//! LLVM removes a store of zeros in front of straight-line code that overwrites them, but not in front of a loop.
//!
//! Nests are in their order here. Blocks used in lanes or tasks stay cleared, and so do those that a transposition takes:
//! it moves slices, which memory that is not cleared has none of, and is worth more than the stores of zeros.

use std::collections::BTreeSet;

use shim_core::Layout;

use crate::idiom::transpose;
use crate::ir::visit::has_holes;
use crate::ir::walk::Use;
use crate::ir::{
    Access, AccessId, AccessKind, Addressing, BufferId, Element, Hole, Iteration, LoopId, LoopMode, Memory,
    Program, ProgramPoint, RegionId, RegionKind,
};
use crate::symbolic::{SymInt, Symbol};

/// The most elements of a block that are looked at one by one.
const ELEMENTS: i64 = 4096;

/// Marks the blocks whose memory is not cleared.
pub(crate) fn spare(program: &mut Program) {
    let stack = |id: &BufferId| {
        let buffer = &program.buffers[*id];
        matches!(buffer.memory, Memory::Stack(_)) && buffer.parent.is_none()
    };
    let transposed: BTreeSet<BufferId> =
        program.nests.ids().flat_map(|nest| transpose::buffers(program, nest)).collect();
    let blocks: Vec<BufferId> =
        program.buffers.ids().filter(|id| stack(id) && !transposed.contains(id)).collect();
    if blocks.is_empty() {
        return;
    }
    let Some(apart) = taken_apart(program) else { return };
    let spared: Vec<BufferId> =
        blocks.into_iter().filter(|id| written_first(program, *id, &apart).is_some()).collect();
    for id in spared {
        program.buffers[id].cleared = false;
    }
}

/// `Some` if every element of a block is written before any is read.
fn written_first(program: &Program, block: BufferId, apart: &BTreeSet<AccessId>) -> Option<()> {
    let ProgramPoint { region, statement: bound } = program.allocated(block);
    let Addressing::Flat(layout) = &program.buffers[block].addressing else { return None };
    let extents = &program.buffers[block].space.extents;
    let count = match layout.size() {
        Some(size) => size.clone(),
        // One order that is not stored as a list: an element for each index, and no padding.
        None => Layout::row_major(extents).ok().filter(|order| order == layout).and_then(|_| {
            extents.iter().try_fold(SymInt::constant(1), |count, extent| count.mul(extent)).ok()
        })?,
    };
    let count = usize::try_from(count.as_constant().filter(|count| *count <= ELEMENTS)?).ok()?;
    let own = |buffer: BufferId| program.root_buffer(buffer) == block;
    let copied = program.buffers.iter().any(|buffer| match &buffer.memory {
        Memory::Like { view, .. } => own(view.buffer),
        _ => false,
    });
    if copied {
        return None;
    }
    // By the statement of the block's own region that they are in.
    let mut accesses: Vec<(usize, &Access)> = Vec::new();
    for id in program.all_accesses() {
        let access = &program.accesses[id];
        let touches = access.element.candidates().iter().any(|candidate| own(candidate.buffer));
        if !touches && !own(access.view.buffer) {
            continue;
        }
        let elements = matches!(access.kind, AccessKind::Read | AccessKind::Write | AccessKind::Update);
        if !elements || apart.contains(&id) || !is_plain(program, access) {
            return None;
        }
        let at = std::iter::successors(Some(access.position), |at| program.regions[at.region].parent)
            .find(|at| at.region == region)?;
        accesses.push((at.statement, access));
    }
    accesses.sort_by_key(|(statement, _)| *statement);
    let mut open: BTreeSet<usize> = (0..count).collect();
    for statement in accesses.chunk_by(|(a, _), (b, _)| a == b) {
        if open.is_empty() {
            break;
        }
        let number = statement[0].0;
        let writes = statement.iter().all(|(_, access)| access.kind == AccessKind::Write);
        if number < bound || !writes {
            return None;
        }
        // A statement that may be left early does not have to write all its elements.
        let own = &program.regions[region];
        if own.epoch(number + 1).is_some_and(|after| after != own.epochs[number]) {
            continue;
        }
        for (_, access) in statement {
            for written in elements(program, access, region).into_iter().flatten() {
                open.remove(&written);
            }
        }
    }
    open.is_empty().then_some(())
}

/// Whether an access runs where the program says, under no lanes and in no task.
fn is_plain(program: &Program, access: &Access) -> bool {
    !program.in_closure(access.position.region)
        && program.ancestors(access.position.region).all(|at| match program.regions[at].kind {
            RegionKind::Nest(nest) => {
                let mut modes = program.nests[nest].loops.iter().map(|id| program.loops[*id].mode);
                modes.all(|mode| matches!(mode, LoopMode::Serial | LoopMode::Unrolled))
            }
            _ => true,
        })
}

/// The elements that a write reaches, by their offsets, whenever the statement of `region` runs that it is in.
fn elements(program: &Program, access: &Access, region: RegionId) -> Option<Vec<usize>> {
    let Element::Inside(candidate) = &access.element else { return None };
    if access.within.is_some() {
        return None;
    }
    let mut loops: Vec<LoopId> = Vec::new();
    for at in program.ancestors(access.position.region).take_while(|at| *at != region) {
        match program.regions[at].kind {
            RegionKind::Plain | RegionKind::Version => {}
            RegionKind::Nest(nest) if program.is_opaque(nest) => return None,
            RegionKind::Nest(nest) => loops.extend(&program.nests[nest].loops),
            RegionKind::Unknown | RegionKind::Branch | RegionKind::Closure => return None,
        }
    }
    let Addressing::Flat(layout) = &program.buffers[candidate.buffer].addressing else { return None };
    let offset = layout.offset(candidate.coordinates.get(..layout.rank())?).ok()?;
    let points = program.points(&loops, ELEMENTS)?;
    let known = |symbol: &Symbol| loops.iter().any(|id| program.loops[*id].symbol == *symbol);
    if !offset.symbols().iter().all(known) {
        return None;
    }
    let at = |point: &Iteration| {
        let value = |symbol: &Symbol| {
            let axis = loops.iter().position(|id| program.loops[*id].symbol == *symbol);
            axis.map_or(0, |axis| point.values[axis])
        };
        usize::try_from(offset.eval(&value)?).ok()
    };
    points.iter().map(at).collect()
}

/// The accesses that a macro or a selection takes apart; `None` where it is not known which these are.
fn taken_apart(program: &Program) -> Option<BTreeSet<AccessId>> {
    let mut apart = BTreeSet::new();
    let mut known = true;
    program.walk(RegionId::BODY, &mut |own, _| {
        let Use::Hole(id, in_macro) = own else { return };
        match &program.holes[*id] {
            Hole::Select(selection) => apart.extend(selection.accesses.iter().chain([&selection.to])),
            _ if !in_macro => {}
            Hole::Access(id) => {
                let access = &program.accesses[*id];
                let nested = access.operands.iter().any(|operand| has_holes(&operand.value));
                known &= !nested && access.within.is_none();
                apart.insert(*id);
            }
            Hole::Value(..) | Hole::Index { .. } => {}
            _ => known = false,
        }
    });
    known.then_some(apart)
}
