//! Loops that are perfectly nested become one nest.

use super::rejected::{Rejected, rejected};
use crate::ir::{ContextKind, NestId, Order, Position, Program, Source, StatementKind};

/// Makes a nest of at least `depth` loops from those in its body.
pub(super) fn merge(program: &mut Program, id: NestId, depth: usize) -> Result<(), Rejected> {
    while program.nests[id].loops.len() < depth {
        let between = program.nests[id].body;
        let inner = only_nest(program, id).ok_or_else(|| {
            rejected(
                "this word names more loops than are perfectly nested here",
                "the body of each loop but the innermost is another `for` over indices or a range, and nothing else; \
                 bind the bounds of inner loops before the nest",
            )
        })?;
        if program.nests[inner].schedule.is_some() {
            return Err(rejected(
                "an inner loop of this nest has attributes of its own",
                "order all loops of the nest by the attributes of the outermost one",
            ));
        }
        let loops = program.nests[inner].loops.clone();
        let parent = program.contexts[between].parent;
        let body = program.nests[inner].body;
        program.nests[inner].loops.clear();
        let countable = std::mem::take(&mut program.nests[inner].countable);
        for extent in countable {
            if !program.nests[id].countable.contains(&extent) {
                program.nests[id].countable.push(extent);
            }
        }
        for looping in &loops {
            program.loops[*looping].nest = id;
            let symbol = program.loops[*looping].symbol.id() as usize;
            if let (Source::Loop(_), Some(parent)) = (&program.symbols[symbol].source, parent) {
                program.symbols[symbol].defined = parent;
            }
        }
        program.nests[id].loops.extend(loops);
        program.nests[id].body = body;
        // What is in between, besides the nest, runs in the body.
        for statement in std::mem::take(&mut program.contexts[between].statements) {
            let order = match &statement.kind {
                StatementKind::Rust(_) => continue,
                StatementKind::Confirm(_) => Order::Constant,
                _ => statement.order,
            };
            program.insert(Position { context: body, statement: 0 }, order, statement.kind);
        }
        program.move_region(body, parent, ContextKind::Nest(id));
    }
    Ok(())
}

/// The error about bounds that are not sums of variables.
pub(super) fn not_affine() -> Rejected {
    rejected(
        "a loop of this nest begins or ends at more than a sum of outer variables",
        "bounds are sums of outer variables and values that stay, such as `i + 1` or `n - i`, or the `min` or `max` of such",
    )
}

/// The nest that is all of a nest's body.
fn only_nest(program: &Program, id: NestId) -> Option<NestId> {
    let nest = &program.nests[id];
    if nest.next.is_some() {
        return None;
    }
    let mut found = None;
    for statement in &program.contexts[nest.body].statements {
        match &statement.kind {
            StatementKind::Assert(_) | StatementKind::Confirm(_) => {}
            StatementKind::Rust(_) => {
                let inner = program.nest_of(statement.kind.expr()?)?;
                let plain = program.nests[inner].label.is_none() && program.nests[inner].next.is_none();
                if !plain || found.replace(inner).is_some() {
                    return None;
                }
            }
            _ => return None,
        }
    }
    found
}
