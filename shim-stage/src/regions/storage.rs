//! Moves the memory of stages out of the loops in which they are computed.

use crate::ir::{
    BufferId, LoopMode, Memory, Order, Program, ProgramPoint, RegionId, RegionKind, StatementKind,
};

/// Moves the memory of each block of a stage to before the outermost loop around it whose iterations run one after the
/// other, so that it is made once for all of them, or once for each task.
pub(crate) fn hoist(program: &mut Program) {
    let scratch = program.stage_blocks.clone();
    for region in program.regions.ids() {
        let memory =
            program.regions[region].statements.iter().filter_map(|statement| match &statement.kind {
                StatementKind::Memory(id, None) if scratch.contains(id) => Some((*id, statement.number)),
                _ => None,
            });
        for (id, statement) in memory.collect::<Vec<_>>() {
            let Some(to) = outermost(program, id, ProgramPoint { region, statement }) else { continue };
            move_to(program, id, region, to);
        }
    }
}

/// Moves the memory of a block from the region where it is made to a point further out.
pub(super) fn move_to(program: &mut Program, id: BufferId, from: RegionId, to: ProgramPoint) {
    let Some(made) = program.take_memory(id, from) else { return };
    program.buffers[id].bound = to;
    program.insert(to, Order::OffsetPart, made);
}

/// Where the memory of a block may be made, if that is further out than where it is.
fn outermost(program: &Program, id: BufferId, from: ProgramPoint) -> Option<ProgramPoint> {
    let mut best = None;
    let mut at = from;
    loop {
        let runs_in_sequence = match program.regions[at.region].kind {
            RegionKind::Plain => true,
            RegionKind::Nest(nest) => {
                let mut modes = program.nests[nest].loops.iter().map(|id| program.loops[*id].mode);
                modes.all(|mode| matches!(mode, LoopMode::Serial | LoopMode::Unrolled))
            }
            // Room on the stack costs nothing where it is not used.
            RegionKind::Branch | RegionKind::Version => {
                matches!(program.buffers[id].memory, Memory::Stack(_))
            }
            RegionKind::Unknown | RegionKind::Closure => false,
        };
        let around = program.regions[at.region].parent.filter(|_| runs_in_sequence);
        let Some(around) = around.filter(|at| program.knows(&program.buffers[id].space.extents, *at)) else {
            return best;
        };
        if matches!(program.regions[at.region].kind, RegionKind::Nest(_)) {
            best = Some(around);
        }
        at = around;
    }
}
