//! Lists whose capacity is enough for all that is appended to them: their elements need no test.

use std::collections::BTreeSet;

use crate::ir::{AccessId, ContextKind, List, Position, Program};
use crate::symbolic::Sym;

/// The accesses that append to lists that cannot be full.
pub(super) fn sufficient(program: &Program) -> BTreeSet<AccessId> {
    let fitting = program.lists.iter().filter(|list| never_full(program, list).is_some());
    fitting.flat_map(|list| list.pushes.iter().copied()).collect()
}

/// `Some` if the capacity of a list is at least the number of elements that are appended since it was made.
fn never_full(program: &Program, list: &List) -> Option<()> {
    if !list.empty {
        return None;
    }
    let mut most = Sym::constant(0);
    for push in &list.pushes {
        let push = &program.accesses[*push];
        if push.repeats {
            return None;
        }
        most = most.add(&times(program, push.position, list.made)?).ok()?;
    }
    let room = list.capacity.sub(&most).ok()?;
    program.contexts[list.made.context].facts.proves_nonneg(&room).then_some(())
}

/// How often a statement at `position` runs at most for each time that `made` is passed.
fn times(program: &Program, position: Position, made: Position) -> Option<Sym> {
    let mut times = Sym::constant(1);
    let mut around = program.ancestors(position.context);
    loop {
        let context = around.next()?;
        if context == made.context {
            return Some(times);
        }
        match program.contexts[context].kind {
            ContextKind::Plain | ContextKind::Branch => {}
            ContextKind::Unknown | ContextKind::Closure => return None,
            ContextKind::Nest(nest) => {
                for id in &program.nests[nest].loops {
                    let extent = program.loops[*id].extent().ok()?;
                    // A symbol of an inner block has a value for each of its iterations.
                    let fixed = extent
                        .symbols()
                        .iter()
                        .all(|symbol| program.visible(program.symbol(symbol).defined, made));
                    let most = if fixed { extent } else { Sym::constant(extent.range().hi?) };
                    times = times.mul(&most).ok()?;
                }
            }
        }
    }
}
