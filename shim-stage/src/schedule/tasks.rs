//! Tasks: the iterations of a parallel loop.
//!
//! Tasks write disjoint elements of shared buffers and hold private partial reductions.

use crate::hygiene;
use crate::ir::walk::Use;
use crate::ir::{
    AccessKind, BufferId, Hole, Memory, NameSupply, NestId, Program, Reduction, RegionId, StatementKind,
    Tasks, View,
};

use super::rejected::{Rejected, rejected};

/// The memory and variables that the tasks of a nest share.
pub(super) fn tasks(
    program: &Program,
    names: &mut NameSupply,
    nest: NestId,
    reductions: &[Reduction],
) -> Tasks {
    let mut tasks = Tasks::default();
    let body = program.nests[nest].body;
    let written = touched(program, body, AccessKind::writes);
    tasks.read = touched(program, body, |_| true);
    tasks.read.retain(|buffer| !written.contains(buffer));
    for buffer in written {
        let local = names.fresh(&format!("{}_shared", program.buffers[buffer].name));
        tasks.memory.push((buffer, local));
    }
    for reduction in reductions {
        let local = names.fresh(&format!("{}_total", hygiene::text(&reduction.local)));
        tasks.totals.push((reduction.clone(), local));
    }
    tasks
}

/// The reductions of a nest, each variable once.
pub(super) fn reductions(program: &Program, nest: NestId) -> Vec<Reduction> {
    let changes = program.nests[nest].effects.iter().flat_map(|effects| &effects.changes);
    let mut found: Vec<Reduction> = Vec::new();
    for reduction in changes.filter_map(|change| change.reduction.as_ref()) {
        if !found.iter().any(|other| other.local == reduction.local) {
            found.push(reduction.clone());
        }
    }
    found
}

/// The memory around a body that some of its accesses are to.
fn touched(program: &Program, body: RegionId, some: fn(AccessKind) -> bool) -> Vec<BufferId> {
    let mut found: Vec<BufferId> = Vec::new();
    let accesses = program.accesses_in(body).into_iter().map(|id| &program.accesses[id]);
    for access in accesses.filter(|access| some(access.kind)) {
        for candidate in access.element.candidates() {
            let buffer = program.root_buffer(candidate.buffer);
            let own = program.is_declared_in(buffer, access.position.region, body);
            if !own && !found.contains(&buffer) {
                found.push(buffer);
            }
        }
    }
    found
}

/// An error where tasks would use memory that they write in another way than by its elements.
pub(super) fn shareable(program: &Program, nest: NestId) -> Result<(), Rejected> {
    let body = program.nests[nest].body;
    let shared = touched(program, body, AccessKind::writes);
    let is_shared = |buffer: BufferId| shared.contains(&program.root_buffer(buffer));
    if let Some(rows) = shared.iter().find(|id| matches!(program.buffers[**id].memory, Memory::Rows)) {
        return Err(rejected(
            format!("a parallel loop writes to `{}`, a slice of rows", program.buffers[*rows].name),
            "tasks write elements of contiguous memory: use one slice for all rows",
        ));
    }
    let statements = program.regions_in(body).into_iter().flat_map(|own| &program.regions[own].statements);
    let copied = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Memory(id, _) => match &program.buffers[*id].memory {
            Memory::Like { view, .. } => Some(view),
            _ => None,
        },
        _ => None,
    });
    let mut selected: Vec<&View> = Vec::new();
    program.walk(body, &mut |own, _| {
        if let Use::Hole(id, _) = own
            && let Hole::Select(selection) = &program.holes[*id]
        {
            let accesses = selection.accesses.iter().chain([&selection.to]);
            selected.extend(accesses.map(|id| &*program.accesses[*id].view));
        }
    });
    let accesses = program.accesses_in(body).into_iter().map(|id| &program.accesses[id]);
    let borrowed = accesses.filter(|access| matches!(access.kind, AccessKind::Place | AccessKind::PlaceMut));
    let mut views = copied.map(|view| &**view).chain(selected).chain(borrowed.map(|access| &*access.view));
    match views.find(|view| is_shared(view.buffer)) {
        Some(View { name, .. }) => Err(rejected(
            format!("a parallel loop writes to `{name}`, and copies, selects or borrows elements of it"),
            "tasks read and assign single elements of what they write",
        )),
        None => Ok(()),
    }
}
