//! Finds out which elements of each stage are computed where.
//!
//! A stage in memory is a block and a nest that fills it ([`Producer`]). The elements that are read behind the nest are
//! a
//! *region*: along each axis, from the least index that a read may have to the greatest, over all loops between the nest
//! and the read. A stage may be read by the nests of those defined after it, so the last one comes first: their loops
//! are known then.
//!
//! The later passes see an ordinary block: should a region be too small, the check finds the accesses outside it. That
//! the elements of a ring are still in memory when they are read is shown in [`slide`] alone.

mod exact;
mod hull;
mod replace;
mod slide;
mod storage;

pub(crate) use storage::hoist;

use proc_macro2::TokenStream;
use shim_core::{Integer, Layout};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::ir::walk::Use;
use crate::ir::{
    AccessId, Addressing, BufferId, Hole, Memory, NameSupply, Producer, Program, ProgramPoint, RegionId,
    Substitution,
};
use crate::locate;
use crate::symbolic::{SymError, SymInt};

use hull::Hull;

/// The most elements of a block on the stack that a stage is stored in.
const ON_STACK: i64 = 1 << 15;

/// The longest expression that a message repeats.
const SHORT: usize = 60;

/// Why a stage has no region, and what to write instead.
struct NoRegion {
    message: String,
    help: String,
    /// What it is about, if that is not the whole stage.
    tokens: Option<TokenStream>,
}

/// Gives each stage in memory its region, and removes those that are not read; the nests that compute the others. A
/// stage that the pass `schedule` moves waits for that, and so does one that is read by a stage which waits. Returns
/// the bodies whose accesses the check looks at next.
pub(crate) fn resolve(
    program: &mut Program,
    names: &mut NameSupply,
    diagnostics: &mut Diagnostics,
) -> Vec<RegionId> {
    let mut resolved = Vec::new();
    while let Some(at) = ready(program) {
        program.producers[at].is_resolved = true;
        let producer = program.producers[at].clone();
        let reads = reads(program, &producer);
        if reads.is_empty() {
            replace::remove(program, &producer);
            continue;
        }
        resolved.push(producer.body);
        let result = kept_twice(program, &producer)
            .or_else(|| overwritten(program, &producer, &reads))
            .map_or(Ok(()), Err);
        if let Err(NoRegion { message, help, tokens }) =
            result.and_then(|()| place(program, names, &producer, &reads))
        {
            diagnostics.within(&producer.calls, |diagnostics| {
                diagnostics.error_in_call(tokens.as_ref().unwrap_or(&producer.tokens), message, help);
            });
            // What stages before it are read for is not known without its region, nor which elements are inside.
            program.producers.clear();
            return Vec::new();
        }
    }
    resolved
}

/// The last stage that stays where it is and whose readers are known.
fn ready(program: &Program) -> Option<usize> {
    let is_ready = |producer: &Producer| {
        let is_known = |id: &AccessId| {
            let region = program.accesses[*id].position.region;
            program.within(region, producer.body) || !program.is_in_unresolved(region)
        };
        !producer.is_resolved && !producer.is_pending() && reads(program, producer).iter().all(is_known)
    };
    program.producers.iter().rposition(is_ready)
}

/// An error if two loops compute elements of a block that is kept for both: each would give it extents of its own.
fn kept_twice(program: &Program, producer: &Producer) -> Option<NoRegion> {
    let is_other = |other: &&Producer| other.buffer == producer.buffer && other.body != producer.body;
    let mut others = program.producers.iter().filter(is_other);
    others.next().map(|_| NoRegion {
        message: format!(
            "the stage `{}` is computed in two loops, for which it is stored once",
            producer.name
        ),
        help: "give the loops labels of their own and define a stage for each, or remove `#[store_at(..)]`"
            .to_owned(),
        tokens: None,
    })
}

/// The accesses that read a stage.
fn reads(program: &Program, producer: &Producer) -> Vec<AccessId> {
    let is_read = |id: &AccessId| {
        let access = &program.accesses[*id];
        access.view.buffer == producer.buffer && !access.kind.writes()
    };
    program.accesses_in(producer.position.region).into_iter().filter(is_read).collect()
}

/// An error if something between the nest of a stage and the last read of it writes what the nest reads: at a read,
/// the stage would have another value. Elements that stay in memory are read in later iterations too, so that all that
/// these do is in between.
fn overwritten(program: &Program, producer: &Producer, reads: &[AccessId]) -> Option<NoRegion> {
    let region = producer.kept.unwrap_or(producer.position).region;
    let within = |position: ProgramPoint| {
        let at = program.outwards(position).find(|at| at.region == region);
        at.map_or(usize::MAX, |at| at.statement)
    };
    let statement = |id: &AccessId| within(program.accesses[*id].position);
    let first = within(producer.position);
    let last = reads.iter().map(statement).max()?;
    let sources = sources(program, producer);
    let meets = |buffer: BufferId| {
        // The elements of another stage are the same whenever they are written.
        !program.stage_blocks.contains(&buffer)
            && sources.iter().any(|own| program.share_memory(*own, buffer))
    };
    let is_own = |id: &AccessId| program.within(program.accesses[*id].position.region, producer.body);
    let is_changed = |id: &AccessId| {
        let access = &program.accesses[*id];
        access.kind.writes()
            && meets(access.view.buffer)
            && !is_own(id)
            && (first..=last).contains(&statement(id))
    };
    let write = program.accesses_while(region).into_iter().find(is_changed)?;
    let (name, written) = (&producer.name, &program.accesses[write].view.name);
    Some(NoRegion {
        message: format!("the stage `{name}` reads `{written}`, which is written between the computation of `{name}` and a read of it"),
        help: "remove `#[compute_at(..)]`, so that each element is computed where it is read, or write to another block".to_owned(), tokens: None })
}

/// The blocks that the nest of a stage reads, those that it reads by other stages in memory among them.
fn sources(program: &Program, producer: &Producer) -> Vec<BufferId> {
    let mut found: Vec<BufferId> = Vec::new();
    let mut open = vec![producer.body];
    while let Some(body) = open.pop() {
        for id in program.accesses_in(body) {
            for candidate in locate::candidates(program, &program.accesses[id]).unwrap_or_default() {
                if found.contains(&candidate.buffer) {
                    continue;
                }
                found.push(candidate.buffer);
                let others = program.producers.iter().filter(|other| other.buffer == candidate.buffer);
                open.extend(others.map(|other| other.body));
            }
        }
    }
    found
}

/// Replaces the symbols of a stage by its region.
fn place(
    program: &mut Program,
    names: &mut NameSupply,
    producer: &Producer,
    reads: &[AccessId],
) -> Result<(), NoRegion> {
    let hull = hull::hull(program, producer, reads)?;
    let is_exact = exact::is_exact(program, producer, reads, &hull);
    if !is_exact {
        program.beyond.push(producer.clone());
        wrap(program, producer.body);
    }
    if let Some(panics) = producer.panics.as_ref().filter(|_| !is_exact) {
        let (shown, name) = (hygiene::source_text(panics), &producer.name);
        let shown = if shown.len() > SHORT { "this expression".to_owned() } else { format!("`{shown}`") };
        return Err(NoRegion {
            message: format!("{shown} may panic for elements of the stage `{name}` that nothing reads"),
            help: "a stage in memory is computed for all indices between those that are read, and only `+`, `-`, `*` and `abs` of integers \
                   wrap there: keep divisors and indices in range, as in `a / b.max(1)`, or remove `#[compute_at(..)]`"
                .to_owned(),
            tokens: Some(panics.clone()),
        });
    }
    let too_large = |_| NoRegion {
        message: format!("the region of the stage `{}` is too large", producer.name),
        help: "the constants of an index must fit in 64 bits".to_owned(),
        tokens: None,
    };
    let placed = match (producer.kept, slide::before_loop(program, producer)) {
        (Some(kept), _) => slide::slide(program, names, producer, kept, &hull)?,
        (None, Some(kept)) => match stay(program, names, (producer, kept), (reads, &hull)) {
            Some(placed) => placed,
            None => Placed::alone(&hull).map_err(too_large)?,
        },
        (None, None) => Placed::alone(&hull).map_err(too_large)?,
    };
    let values: Substitution = [
        (&producer.origin, &placed.origin),
        (&producer.extents, &placed.extents),
        (&producer.first, &placed.first),
        (&producer.counts, &placed.counts),
    ]
    .into_iter()
    .flat_map(|(symbols, own)| symbols.iter().cloned().zip(own.iter().cloned()))
    .collect();
    program.substitute(producer.body, &values).map_err(too_large)?;
    program.substitute_in(reads.iter().copied(), &values).map_err(too_large)?;
    let facts = program.facts_at(producer.position);
    let runs: Vec<SymInt> = hull.runs.into_iter().filter(|runs| !facts.proves_nonneg(runs)).collect();
    // The nest runs only if the loops that read it do.
    program.guard(producer.body, runs);
    store(program, producer, placed);
    Ok(())
}

/// Where the elements of a stage are that stay for the next iteration of the loop around it, if they can.
fn stay(
    program: &mut Program,
    names: &mut NameSupply,
    (producer, kept): (&Producer, ProgramPoint),
    (reads, hull): (&[AccessId], &Hull),
) -> Option<Placed> {
    let staying = Producer { kept: Some(kept), ..producer.clone() };
    if overwritten(program, &staying, reads).is_some() {
        return None;
    }
    let placed = slide::slide(program, names, producer, kept, hull).ok()?;
    storage::move_to(program, producer.buffer, producer.position.region, kept);
    Some(placed)
}

/// Lets the operations on integers in the body of a stage wrap: nothing tells that an element was computed which
/// nothing reads.
fn wrap(program: &mut Program, body: RegionId) {
    let mut operations = Vec::new();
    program.walk(body, &mut |own, _| {
        if let Use::Hole(id, _) = own {
            operations.push(*id);
        }
    });
    for id in operations {
        if let Hole::Overflowing { wraps, .. } = &mut program.holes[id] {
            *wraps = true;
        }
    }
}

/// Where the elements of a stage are, and which of them are computed at a time.
struct Placed {
    /// The index of the first element of the block.
    origin: Vec<SymInt>,
    /// The extents of the block.
    extents: Vec<SymInt>,
    /// The index of the first element that is computed.
    first: Vec<SymInt>,
    /// How many elements are computed.
    counts: Vec<SymInt>,
    /// How many elements along an axis are in memory at a time, where the rest is needed no more.
    rings: Vec<Option<i64>>,
}

impl Placed {
    /// All elements that are read, computed at once.
    fn alone(hull: &Hull) -> Result<Self, SymError> {
        let first: Vec<SymInt> = hull.axes.iter().map(|[least, _]| least.clone()).collect();
        let extents = hull.axes.iter().map(|[least, greatest]| count(least, greatest));
        let extents = extents.collect::<Result<Vec<_>, _>>()?;
        let rings = vec![None; first.len()];
        Ok(Self { origin: first.clone(), counts: extents.clone(), first, extents, rings })
    }
}

/// The number of indices from the least to the greatest.
fn count(least: &SymInt, greatest: &SymInt) -> Result<SymInt, SymError> {
    greatest.sub(least)?.add(&SymInt::constant(1))
}

/// Gives the block of a stage its extents: constants, where the region has any, so that its rows lie at constant
/// distances and it may be on the stack.
fn store(program: &mut Program, producer: &Producer, placed: Placed) {
    let Placed { mut extents, rings, .. } = placed;
    let most = |(extent, ring): (&SymInt, &Option<i64>)| ring.or_else(|| extent.range().hi);
    let counts: Option<Vec<i64>> = extents.iter().zip(&rings).map(most).collect();
    let total = counts
        .as_ref()
        .and_then(|counts| counts.iter().try_fold(1_i64, |total, own| total.checked_mul(*own)));
    let buffer = &mut program.buffers[producer.buffer];
    let is_small = total.is_some_and(|total| total <= ON_STACK);
    for (axis, extent) in extents.iter_mut().enumerate() {
        if let (true, None, Some(counts)) = (is_small, rings[axis], &counts) {
            *extent = SymInt::constant(counts[axis].max(1));
        } else if !extent.range().is_nonnegative()
            && let Ok(least) = Integer::at_least_zero(extent)
        {
            *extent = least;
        }
    }
    if let (true, Memory::Heap(element)) = (is_small, &buffer.memory) {
        buffer.memory = Memory::Stack(element.clone());
    }
    let is_ring = rings.iter().any(Option::is_some);
    let layout = if is_ring { Layout::ring(&extents, &rings) } else { Layout::row_major(&extents) };
    if let Ok(layout) = layout {
        buffer.addressing = Addressing::Flat(layout);
    }
    buffer.space.extents.clone_from(&extents);
    replace::extents(program, producer.buffer, &extents);
}
