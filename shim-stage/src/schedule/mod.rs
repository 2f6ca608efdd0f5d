//! Applies the attributes that order nests.
//!
//! The pass comes after the check, whose proofs hold for every point in whatever order it runs. A nest in the order of its source is
//! merged with the loops perfectly nested in it, its [dependences](crate::depend) are compared with the order, and its loops are replaced.
//! The variables of the source become locals of the body, computed from the new ones.

mod apply;
mod fuse;
mod lanes;
mod listed;
mod merge;
mod order;
mod plan;
mod registers;
mod tasks;

use proc_macro2::{Ident, TokenStream};
use shim_core::{LocationError, Order};

use crate::depend::{self, Enumerated};
use crate::diagnostics::{self, Diagnostics, counted};
use crate::ir::{AccessId, AccessKind, Names, NestId, Program, Schedule, StorageId, Tail, Word};
use crate::symbolic::{Range, Sym};

use apply::Apply;
use merge::Imperfect;
use order::{LoopOrder, Refusal};
use plan::Failure;

/// Gives each nest of a program with attributes its order, and reports those that would change the result.
pub(crate) fn schedule(
    program: &mut Program,
    names: &mut Names,
    runtime: &Ident,
    diagnostics: &mut Diagnostics,
) {
    let nests: Vec<NestId> = program.nests.ids().collect();
    let mut refused: Vec<(Box<Schedule>, Rejected)> = Vec::new();
    // The last of several adjacent nests first.
    for id in nests.iter().copied().rev() {
        let is_fused = |schedule: &Schedule| schedule.words.iter().any(|word| matches!(word, Word::Fuse));
        if let Some(schedule) = program.nests[id].schedule.clone()
            && is_fused(&schedule)
            && let Err(rejected) = fuse::fuse(program, (names, runtime), id)
        {
            program.nests[id].schedule = None;
            refused.push((schedule, rejected));
        }
    }
    // An outer nest takes its loops from those inside it before these have an order of their own.
    for id in nests.iter().copied() {
        let Some(schedule) = program.nests[id].schedule.clone() else { continue };
        let own = program.nests[id].loops.len();
        let depth = schedule.words.iter().filter_map(depth).max().unwrap_or(own);
        if let Err(imperfect) = merge::merge(program, runtime, id, depth) {
            program.nests[id].schedule = None;
            refused.push((schedule, imperfect_nest(program, &imperfect)));
        }
    }
    // Inner nests come after those around them, and are in order before these are copied.
    for id in nests.into_iter().rev() {
        let Some(schedule) = program.nests[id].schedule.take() else { continue };
        if let Err(rejected) = run(program, names, runtime, id, &schedule) {
            refused.push((schedule, rejected));
        }
    }
    refused.sort_by_key(|(schedule, _)| schedule.number);
    for (schedule, Rejected { message, help, tokens }) in refused {
        diagnostics.within(&schedule.calls, |diagnostics| {
            diagnostics.error_in_call(tokens.as_ref().unwrap_or(&schedule.attribute), message, help);
        });
    }
}

/// Why a nest keeps the order of its source.
struct Rejected {
    message: String,
    help: String,
    /// What it is about, if it is not the attribute.
    tokens: Option<TokenStream>,
}

fn rejected(message: impl Into<String>, help: impl Into<String>) -> Rejected {
    Rejected { message: message.into(), help: help.into(), tokens: None }
}

fn run(
    program: &mut Program,
    names: &mut Names,
    runtime: &Ident,
    id: NestId,
    schedule: &Schedule,
) -> Result<(), Rejected> {
    let variables: Vec<String> = program.nests[id]
        .loops
        .iter()
        .map(|looping| program.loops[*looping].symbol.name().to_owned())
        .collect();
    let variables: Vec<&str> = variables.iter().map(String::as_str).collect();
    judge_effects(program, id, &schedule.words)?;
    let extents: Vec<Option<Sym>> =
        program.nests[id].loops.iter().map(|looping| program.loops[*looping].extent().ok()).collect();
    let order = LoopOrder::of(&schedule.words, &variables, &extents)
        .map_err(|refusal| refused(&refusal, &variables))?;
    let dependences = depend::dependences(program, id);
    program.dependences.extend(dependences.iter().map(depend::Dependence::text));
    for dependence in &dependences {
        let in_lockstep = |distance: &[Range]| {
            !order.in_lockstep(distance) || lanes::keeps(program, id, dependence, distance)
        };
        let why = |distance: &[Range]| {
            if order.is_concurrent(distance) {
                "tasks run them at the same time"
            } else if order.preserves(distance) {
                "the lanes of a loop run each statement before the next one, and what it reads before it writes"
            } else {
                "their sequence changes"
            }
        };
        let in_sequence = |distance: &[Range]| in_lockstep(distance) && !order.is_concurrent(distance);
        let keeps = |distance: &[Range]| order.preserves(distance) && in_sequence(distance);
        if dependence.distances.iter().all(|distance| keeps(distance)) {
            continue;
        }
        let accesses = [dependence.write, dependence.other];
        let kept = |from: &[i64], to: &[i64]| {
            let distance: Vec<Range> =
                from.iter().zip(to).map(|(from, to)| Range::exactly(to - from)).collect();
            order.keeps(from, to) && in_lockstep(&distance) && !order.are_concurrent(from, to)
        };
        match depend::enumerate(program, id, dependence, &kept) {
            Enumerated::Kept => {}
            Enumerated::Broken(distance) => {
                return Err(breaks(program, accesses, Some(&distance), why(&distance)));
            }
            Enumerated::Unknown => {
                let broken = dependence.distances.iter().find(|distance| !keeps(distance));
                let why = broken.map_or("", |distance| why(distance));
                return Err(breaks(program, accesses, broken.filter(|_| !dependence.unknown), why));
            }
        }
    }
    if order.repeats() {
        if order.has_tasks() {
            return Err(rejected(
                "`shift` runs iterations twice, which two tasks would do at the same time",
                "use `peel`, or neither, where iterations are tasks",
            ));
        }
        repeatable(program, id)?;
    }
    let reductions = if order.has_tasks() {
        tasks::shareable(program, id)?;
        tasks::reductions(program, id)
    } else {
        Vec::new()
    };
    let held = if order.has_lanes() { lanes::held(program, id, &order, &dependences) } else { Vec::new() };
    // Lanes that hold nothing are those that LLVM makes of a plain loop.
    let order = if held.is_empty() { order.without_lanes() } else { order };
    let invariant =
        if runs_whole(program, id) { registers::invariant(program, id, &dependences) } else { Vec::new() };
    Apply { program, names, runtime, held, invariant, reductions }.apply(id, &order).map_err(failed)
}

/// An error if a nest does what words would change besides accessing elements.
fn judge_effects(program: &Program, id: NestId, words: &[Word]) -> Result<(), Rejected> {
    let keeps = |word: &Word| matches!(word, Word::UnrollBy(_) | Word::Unroll(_) | Word::Fuse);
    if words.iter().all(|word| matches!(word, Word::UnrollBy(_) | Word::Unroll(_))) {
        return Ok(());
    }
    let nest = &program.nests[id];
    if nest.loops.iter().any(|id| program.loops[*id].opaque || program.loops[*id].broken) {
        let (message, help) = diagnostics::ORDER_OF_EFFECTS;
        return Err(rejected(message, help));
    }
    if let Some(unknown) = nest.effects.as_deref().and_then(|effects| effects.unknown.as_ref()) {
        return Err(acts(unknown));
    }
    let Some(effects) = nest.effects.as_deref().filter(|_| !words.iter().all(keeps)) else { return Ok(()) };
    if words.iter().any(|word| matches!(word, Word::Tile(_, Tail::Shift)))
        && let Some(change) = effects.changes.first()
    {
        return Err(rejected(
            format!("`shift` runs iterations twice, which would change `{}`", change.name),
            "use `peel`, or neither, where the loop changes a variable",
        ));
    }
    match effects.carried() {
        Some(change) => {
            let (message, help) = diagnostics::carries(change);
            Err(Rejected { tokens: Some(change.tokens.clone()), ..rejected(message, help) })
        }
        None => Ok(()),
    }
}

/// Whether nothing leaves the iterations of a nest early, so that what is written after it is written.
fn runs_whole(program: &Program, id: NestId) -> bool {
    let nest = &program.nests[id];
    let known = nest.effects.as_deref().is_some_and(|effects| effects.unknown.is_none());
    known && !nest.loops.iter().any(|id| program.loops[*id].opaque || program.loops[*id].broken)
}

/// The error about an operation in a loop with an order whose effect is not known.
fn acts(unknown: &TokenStream) -> Rejected {
    let (message, help) = diagnostics::UNKNOWN_EFFECT;
    Rejected { tokens: Some(unknown.clone()), ..rejected(message, help) }
}

/// The number of loops that a word is about, where it says.
fn depth(word: &Word) -> Option<usize> {
    match word {
        Word::Tile(extents, _) => Some(extents.len()),
        Word::Reorder(variables) => Some(variables.len()),
        Word::Wavefront(terms) => Some(terms.len()),
        Word::Order(order) => rank(order),
        Word::UnrollBy(_) | Word::Unroll(_) | Word::Lanes(_) | Word::Parallel | Word::Fuse => None,
    }
}

/// The number of axes that an order is of, where it says.
fn rank(order: &Order) -> Option<usize> {
    match order {
        Order::Axes(axes) => Some(axes.len()),
        Order::Tile { extents, .. } | Order::Table { extents, .. } => Some(extents.len()),
        Order::Curve(_) => Some(2),
        Order::Reversed(order) | Order::Then { first: order, .. } => rank(order),
        Order::RowMajor
        | Order::ColumnMajor
        | Order::Lanes(_)
        | Order::Morton
        | Order::Swizzle(_)
        | Order::By(_) => None,
    }
}

fn imperfect_nest(program: &Program, imperfect: &Imperfect) -> Rejected {
    match imperfect {
        Imperfect::Body => rejected(
            "this word names more loops than are perfectly nested here",
            "the body of each loop but the innermost is another `for` over indices or a range, and nothing else; \
             bind the bounds of inner loops before the nest",
        ),
        Imperfect::Scheduled => rejected(
            "an inner loop of this nest has attributes of its own",
            "order all loops of the nest by the attributes of the outermost one",
        ),
        Imperfect::Bounds(id) => {
            let name = program.loops[*id].symbol.name();
            rejected(
                format!("the loop over `{name}` begins or ends at a variable of an outer loop"),
                "loops are reordered where the bounds of each are the same in all iterations of the others",
            )
        }
    }
}

fn refused(refusal: &Refusal, variables: &[&str]) -> Rejected {
    let listed = variables.join(", ");
    match refusal {
        Refusal::Extents(name) => rejected(
            format!("`{name}` is an order of at most 4096 iterations whose number is constant"),
            "write it as the order of the elements of a tile, whose extents divide those of the loops: \
             `tile([8, 8]).inner(..)`",
        ),
        Refusal::Undefined(error) => rejected(error.to_string(), diagnostics::location_help(error)),
        Refusal::Twice => rejected(
            "two words order the same loops",
            "a word before `#[tile]` orders the tiles, one after it the points of each tile",
        ),
        Refusal::Entries { word, given, loops } => rejected(
            format!(
                "{} in `{word}` for a nest of {}",
                counted(*given, "entry", "entries"),
                counted(*loops, "loop", "loops")
            ),
            format!("give one for each of `{listed}`"),
        ),
        Refusal::Variable(name) => rejected(
            format!("`{name}` is not a variable of the nest"),
            format!("its variables are `{listed}`; a name that two loops have names neither"),
        ),
        Refusal::Repeated(name) => {
            rejected(format!("`{name}` is named twice"), format!("name each of `{listed}` once"))
        }
        Refusal::Wavefront => rejected(
            "this is not a wavefront of the loop",
            "write `#[wavefront(2 * y + x)]` before `for [y, x] in t.indices()`; the last variable has no factor",
        ),
        Refusal::Modes => rejected(
            "two words say how one loop runs",
            "a loop is unrolled, in lanes or in tasks: split it by `#[tile(..)]` first",
        ),
        Refusal::ParallelOf => rejected(
            "`#[parallel]` needs an outermost loop",
            "write `#[parallel]` with `reorder`, `wavefront` or `order(antidiagonal)`, before `tile` or after it, or alone",
        ),
        Refusal::LanesOfTasks => rejected(
            "`#[lanes]` and `#[parallel]` apply to the same loop",
            "make tasks of tiles: `#[parallel] #[tile([4096])] #[lanes(16)]`",
        ),
        Refusal::LanesOutside => rejected(
            "`#[lanes(..)]` applies to a loop with others inside it",
            "write `#[lanes(..)]` after the last `#[tile(..)]`: lanes are iterations of the innermost loop",
        ),
        Refusal::Innermost(word) => rejected(
            format!("`#[{word}(..)]` needs a loop over one variable"),
            format!("write `#[{word}(..)]` with `reorder` or `tile`, or alone"),
        ),
    }
}

fn failed(failure: Failure) -> Rejected {
    match failure {
        Failure::Location(error @ LocationError::Axis { .. }) => {
            rejected(error.to_string(), "name each axis of the tensor once, counted from 0")
        }
        Failure::Location(error) => {
            rejected(error.to_string(), "the constants of an order must fit in 64 bits")
        }
        Failure::Dynamic(variable) => rejected(
            format!("the loop over `{variable}` cannot be unrolled"),
            "a loop that is unrolled has a constant number of iterations, 256 at most together with the others: \
             tile it with `peel`, as in `#[tile([_, 4], peel)]`",
        ),
    }
}

/// The error about two accesses whose dependence an order does not keep, over a distance if it is known.
fn breaks(program: &Program, accesses: [AccessId; 2], distance: Option<&Vec<Range>>, why: &str) -> Rejected {
    let [write, other] = accesses.map(|id| {
        let access = &program.accesses[id];
        let line = access.line().map_or_else(String::new, |line| format!(" (line {line})"));
        format!("`{}`{line}", access.shown())
    });
    let message = if accesses[0] == accesses[1] {
        format!("this order does not keep the sequence in which iterations write {write}")
    } else {
        format!("this order does not keep the dependence between {write} and {other}")
    };
    let Some(distance) = distance else {
        if let Some(name) = depend::overlapping(program, accesses[0]) {
            let help = format!(
                "elements of `{name}` may be in one place, as far as its strides are known: give it extents without strides"
            );
            return rejected(message, help);
        }
        let help = "it is not known which iterations touch one element: write at the indices of the loop, plus constants, \
                    and read what is written there as well";
        return rejected(message, help);
    };
    let exact = distance.iter().all(|steps| steps.as_exact().is_some());
    let legend = if exact { "" } else { " (`+` is any number above zero, `-` any below, `*` any)" };
    let help = format!(
        "the iterations that touch one element are [{}] apart{legend}, and {why}",
        depend::shown(distance)
    );
    rejected(message, help)
}

/// An error unless the points of a nest may run twice: all that they do is write what they do not read.
fn repeatable(program: &Program, id: NestId) -> Result<(), Rejected> {
    let body = program.nests[id].body;
    let accesses = program.accesses_while(body).into_iter().map(|id| &program.accesses[id]);
    let accesses: Vec<_> = accesses.collect();
    let written = accesses.iter().filter(|access| access.kind.writes());
    let own = |storage| program.within(program.allocated(storage).context, body);
    for access in written.filter(|access| !own(access.view.storage)) {
        let same = |other: StorageId| program.buffer(other) == program.buffer(access.view.storage);
        let read = accesses.iter().find(|other| same(other.view.storage) && other.kind != AccessKind::Write);
        if let Some(read) = read {
            return Err(rejected(
                format!("`shift` runs iterations twice, which would change `{}`", read.shown()),
                "use `peel`, or neither, where the nest reads or updates what it writes",
            ));
        }
    }
    Ok(())
}
