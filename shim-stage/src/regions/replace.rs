//! The extents of a block reach its views, and stages that nothing reads are removed.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::ir::{BufferId, Producer, Program, StatementKind, View};
use crate::symbolic::SymInt;

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
