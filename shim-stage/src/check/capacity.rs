//! Lists whose capacity is enough for all that is appended to them: their elements need no test.

use std::collections::BTreeSet;

use crate::ir::{AccessId, List, Program, ProgramPoint, RegionKind};
use crate::symbolic::SymInt;

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
    let mut most = SymInt::constant(0);
    for push in &list.pushes {
        let push = &program.accesses[*push];
        if push.repeats {
            return None;
        }
        most = most.add(&times(program, push.position, list.made)?).ok()?;
    }
    let room = list.capacity.sub(&most).ok()?;
    program.facts_at(list.made).proves_nonneg(&room).then_some(())
}

/// How often a statement at `position` runs at most for each time that `made` is passed.
fn times(program: &Program, position: ProgramPoint, made: ProgramPoint) -> Option<SymInt> {
    let mut times = SymInt::constant(1);
    let mut around = program.ancestors(position.region);
    loop {
        let region = around.next()?;
        if region == made.region {
            return Some(times);
        }
        match program.regions[region].kind {
            RegionKind::Plain | RegionKind::Branch | RegionKind::Version => {}
            RegionKind::Unknown | RegionKind::Closure => return None,
            RegionKind::Nest(nest) => {
                for id in &program.nests[nest].loops {
                    let extent = program.loops[*id].extent().ok()?;
                    // A symbol of an inner block has a value for each of its iterations.
                    let fixed = extent
                        .symbols()
                        .iter()
                        .all(|symbol| program.visible(program.symbol(symbol).defined, made));
                    let most = if fixed { extent } else { SymInt::constant(extent.range().hi?) };
                    times = times.mul(&most).ok()?;
                }
            }
        }
    }
}
