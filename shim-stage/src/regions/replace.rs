//! Symbols of stages become their values, and stages that nothing reads are removed.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::ir::walk::{UseMut, edit};
use crate::ir::{Access, BufferId, Producer, Program, RegionId, StatementKind, View};
use crate::symbolic::{SymError, SymInt, Symbol};

/// Replaces symbols wherever the program mentions them.
pub(super) fn symbols(program: &mut Program, values: &[(Symbol, SymInt)]) -> Result<(), SymError> {
    let mut result = Ok(());
    let value =
        |symbol: &Symbol| values.iter().find(|(own, _)| own == symbol).map(|(_, value)| value.clone());
    let mut visit = |own: UseMut<'_>| {
        if let UseMut::SymInt(sym) = own
            && values.iter().any(|(symbol, _)| sym.mentions(symbol))
        {
            match sym.substitute(&value) {
                Ok(replaced) => *sym = replaced,
                Err(error) => result = Err(error),
            }
        }
    };
    for id in program.regions.ids() {
        for statement in &mut program.regions[id].statements {
            edit::statement(&mut statement.kind, &mut visit);
        }
    }
    for id in program.holes.ids() {
        edit::hole(&mut program.holes[id], &mut visit);
    }
    for id in program.nests.ids() {
        edit::nest(&mut program.nests[id], &mut visit);
    }
    for id in program.loops.ids() {
        edit::for_loop(&mut program.loops[id], &mut visit);
    }
    for id in program.accesses.ids() {
        edit::access(&mut program.accesses[id], &mut visit);
        let Access { index, let_defs, .. } = &mut program.accesses[id];
        for own in index.iter_mut().chain(let_defs.iter_mut().map(|own| &mut own.value)) {
            visit(UseMut::SymInt(own));
        }
    }
    for (moved, unmoved) in &mut program.moved_tiles {
        visit(UseMut::SymInt(moved));
        visit(UseMut::SymInt(unmoved));
    }
    for id in program.regions.ids() {
        program.edit_facts(id, &mut |fact| visit(UseMut::SymInt(fact)));
    }
    program.derive_facts(RegionId::BODY);
    result
}

/// Gives the views of a block its extents.
pub(super) fn extents(program: &mut Program, buffer: BufferId, extents: &[SymInt]) {
    let mut views: BTreeMap<*const View, Rc<View>> = BTreeMap::new();
    for id in program.accesses.ids() {
        let view = &mut program.accesses[id].view;
        if view.buffer == buffer {
            let own = views.entry(Rc::as_ptr(view)).or_insert_with(|| {
                let mut own = (**view).clone();
                own.space.extents = extents.to_vec();
                Rc::new(own)
            });
            *view = own.clone();
        }
    }
}

/// Removes the nest and the block of a stage.
pub(super) fn remove(program: &mut Program, producer: &Producer) {
    let region = producer.position.region;
    program.detach(producer.body);
    program.regions[region].statements.retain(|statement| match &statement.kind {
        StatementKind::Memory(buffer, _) => *buffer != producer.buffer,
        _ => statement.number != producer.position.statement,
    });
}
