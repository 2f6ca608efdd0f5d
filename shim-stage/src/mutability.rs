//! Which memory is written, and how each element is reached: by its value, or as a place that may be written.

use crate::ir::{AccessId, AccessKind, AccessMode, BufferId, Program, Table};

/// Marks the memory that some access writes, and the accesses by their modes.
pub(crate) fn mark(program: &mut Program) {
    let mut written: Table<BufferId, bool> = program.buffers.map(|_| false);
    let reached = program.all_accesses();
    for access in reached.iter().map(|id| &program.accesses[*id]).filter(|access| access.kind.writes()) {
        if let Some(buffer) = access.element.buffer() {
            written[buffer] = true;
            written[program.root_buffer(buffer)] = true;
        }
    }
    program.written = written;
    for id in reached {
        program.accesses[id].mode = mode(program, id);
    }
}

fn mode(program: &Program, id: AccessId) -> AccessMode {
    let access = &program.accesses[id];
    match access.kind {
        AccessKind::Read if access.mode == AccessMode::Shared => match looked_at(program, id) {
            AccessMode::Mutable => AccessMode::Shared,
            mode => mode,
        },
        AccessKind::Read | AccessKind::Get | AccessKind::Test | AccessKind::Offset | AccessKind::Prefetch => {
            AccessMode::Value
        }
        AccessKind::Place => looked_at(program, id),
        AccessKind::Write => {
            let root = access.element.buffer().map(|buffer| program.root_buffer(buffer));
            let is_set = root.is_none_or(|root| program.buffers[root].cleared);
            if is_set { AccessMode::Mutable } else { AccessMode::Unset }
        }
        AccessKind::Update | AccessKind::PlaceMut => AccessMode::Mutable,
    }
}

/// How an element is reached that something unknown looks at: a method may write through its receiver, if the memory
/// can be written at all.
fn looked_at(program: &Program, id: AccessId) -> AccessMode {
    let access = &program.accesses[id];
    let candidates = access.element.candidates();
    if candidates.iter().any(|candidate| !candidate.casts.is_empty()) {
        // What was cast on the way is no place.
        return AccessMode::Value;
    }
    match candidates {
        [only] if access.within.is_none() && program.written[only.buffer] && access.view.casts.is_empty() => {
            AccessMode::Mutable
        }
        _ => AccessMode::Shared,
    }
}
