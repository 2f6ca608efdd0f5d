//! Which orders change no result.

use proc_macro2::TokenStream;

use crate::depend::{self, Cause, Dependence, Enumerated};
use crate::diagnostics;
use crate::ir::{AccessId, AccessKind, Nest, NestId, Program, Schedule, Word};
use crate::symbolic::Range;

use super::lanes;
use super::order::{Bodies, LoopOrder};
use super::rejected::{Rejected, rejected};

/// An order that keeps all dependences of a nest. Nothing else is applied.
pub(super) struct Legal {
    order: LoopOrder,
    dependences: Vec<Dependence>,
}

impl Legal {
    /// The proof that an order keeps the dependences of a nest, whose innermost loop begins again at `cuts`.
    ///
    /// Of two accesses that may touch one element, one of them by writing it, the one that comes first in the source comes
    /// first in the order. The nests that were fused come one after the other in the source.
    pub(super) fn prove(
        program: &Program,
        id: NestId,
        order: LoopOrder,
        cuts: &[usize],
    ) -> Result<Self, Rejected> {
        let dependences = depend::dependences(program, id);
        for dependence in &dependences {
            let bodies = bodies(program, id, dependence, cuts);
            let in_lockstep = |distance: &[Range]| {
                !order.in_lockstep(distance) || lanes::keeps(program, id, dependence, bodies.source(distance))
            };
            let why = |distance: &[Range]| {
                if order.is_concurrent(distance) {
                    "tasks run them at the same time"
                } else if order.preserves(distance, bodies) {
                    "the lanes of a loop run each statement before the next one, and what it reads before it writes"
                } else if bodies.part.is_ne() {
                    "the loop of the one ends before that of the other begins"
                } else {
                    "their sequence changes"
                }
            };
            let in_sequence = |distance: &[Range]| in_lockstep(distance) && !order.is_concurrent(distance);
            let commutes = commute(program, dependence);
            let keeps =
                |distance: &[Range]| (commutes || order.preserves(distance, bodies)) && in_sequence(distance);
            if dependence.distances.iter().all(|distance| keeps(distance)) {
                continue;
            }
            let accesses = [dependence.write, dependence.other];
            let kept = |from: &[i64], to: &[i64]| {
                let distance: Vec<Range> =
                    from.iter().zip(to).map(|(from, to)| Range::exactly(to - from)).collect();
                (commutes || order.keeps(from, to, bodies))
                    && in_lockstep(&distance)
                    && !order.are_concurrent(from, to)
            };
            match depend::enumerate(program, id, dependence, &kept) {
                Enumerated::Kept => {}
                Enumerated::Broken(distance) => {
                    return Err(breaks(program, id, accesses, Some(&distance), why(&distance)));
                }
                Enumerated::Unknown => {
                    let broken = dependence.distances.iter().find(|distance| !keeps(distance));
                    let why = broken.map_or("", |distance| why(distance));
                    return Err(breaks(program, id, accesses, broken.filter(|_| !dependence.unknown), why));
                }
            }
        }
        if order.repeats() {
            repeatable(program, id, order.has_tasks())?;
        }
        Ok(Legal { order, dependences })
    }

    /// The order of a scan, whose result is that of this order by definition.
    pub(super) const fn scan(order: LoopOrder) -> Self {
        Legal { order, dependences: Vec::new() }
    }

    pub(super) fn order(&self) -> &LoopOrder {
        &self.order
    }

    pub(super) fn dependences(&self) -> &[Dependence] {
        &self.dependences
    }

    /// The order without lanes, which keeps what it keeps with them.
    pub(super) fn without_lanes(self) -> Self {
        Legal { order: self.order.without_lanes(), ..self }
    }
}

/// Whether the accesses of a dependence are updates whose sequence does not matter.
fn commute(program: &Program, dependence: &Dependence) -> bool {
    let [write, other] = [dependence.write, dependence.other].map(|id| program.accesses[id].commutes);
    write.is_some() && write == other
}

/// Which access of a dependence comes first in an iteration.
fn bodies(program: &Program, id: NestId, dependence: &Dependence, cuts: &[usize]) -> Bodies {
    let Nest { fused, body, .. } = &program.nests[id];
    let number = |access: AccessId| {
        let region = program.accesses[access].position.region;
        fused.iter().position(|own| program.within(region, *own))
    };
    let part = |access: AccessId| {
        let mut outwards = program.outwards(program.accesses[access].position);
        let statement = outwards.find(|at| at.region == *body).map_or(0, |at| at.statement);
        cuts.partition_point(|cut| *cut <= statement)
    };
    let Dependence { write, other, .. } = dependence;
    Bodies { fused: number(*write).cmp(&number(*other)), part: part(*write).cmp(&part(*other)) }
}

/// An error if a nest does what words would change besides accessing elements.
pub(super) fn judge_effects(program: &Program, id: NestId, schedule: &Schedule) -> Result<(), Rejected> {
    let words = &schedule.words;
    let keeps = |word: &Word| word.unrolls() || word.lag().is_some();
    if words.iter().all(Word::unrolls) {
        return Ok(());
    }
    let nest = &program.nests[id];
    if program.is_opaque(id) {
        let (message, help) = diagnostics::ORDER_OF_EFFECTS;
        return Err(rejected(message, help));
    }
    if let Some(unknown) = nest.effects.as_deref().and_then(|effects| effects.unknown.as_ref()) {
        return Err(acts(unknown));
    }
    let Some(effects) = nest.effects.as_deref().filter(|_| !words.iter().all(keeps)) else { return Ok(()) };
    if words.iter().any(Word::repeats)
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
pub(super) fn runs_whole(program: &Program, id: NestId) -> bool {
    let nest = &program.nests[id];
    let known = nest.effects.as_deref().is_some_and(|effects| effects.unknown.is_none());
    known && !program.is_opaque(id)
}

/// The error about an operation in a loop with an order whose effect is not known.
pub(super) fn acts(unknown: &TokenStream) -> Rejected {
    let (message, help) = diagnostics::UNKNOWN_EFFECT;
    Rejected { tokens: Some(unknown.clone()), ..rejected(message, help) }
}

/// That an order does not keep the dependence between two accesses.
pub(super) fn changed_order(program: &Program, accesses: [AccessId; 2]) -> String {
    let [write, other] = accesses.map(|id| {
        let access = &program.accesses[id];
        let line = access.line().map_or_else(String::new, |line| format!(" (line {line})"));
        format!("`{}`{line}", access.shown())
    });
    if accesses[0] == accesses[1] {
        format!("this order does not keep the sequence in which iterations write {write}")
    } else {
        format!("this order does not keep the dependence between {write} and {other}")
    }
}

/// The error about two accesses whose dependence an order does not keep, over a distance if it is known.
pub(super) fn breaks(
    program: &Program,
    nest: NestId,
    accesses: [AccessId; 2],
    distance: Option<&Vec<Range>>,
    why: &str,
) -> Rejected {
    let message = changed_order(program, accesses);
    let written = &program.accesses[accesses[0]].view;
    if program.stage_blocks.contains(&written.buffer) {
        let help = format!(
            "the stage `{}` stays in memory from one iteration of this loop to the next: store it at this loop, or remove `#[store_at(..)]`",
            written.name
        );
        return rejected(message, help);
    }
    let Some(distance) = distance else {
        let help = unknown(program, &depend::cause(program, nest, accesses));
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

/// Why a distance is not known, and what to do about it.
fn unknown(program: &Program, cause: &Cause) -> String {
    let shown = |id: &AccessId| program.accesses[*id].shown();
    match cause {
        Cause::Strides(name) => format!(
            "elements of `{name}` may be in one place, as far as its strides are known: give it extents without strides"
        ),
        Cause::Memory(first, second) => format!(
            "`{first}` and `{second}` may be parts of one memory: take slices, which rustc keeps apart, in the place of pointers, and one of the \
             blocks where one is the other reshaped"
        ),
        Cause::Boundary(id) => format!(
            "a boundary rule may fold `{}` to an element of another iteration: run the loop over the indices where it is inside, or read a copy",
            shown(id)
        ),
        Cause::Closure(id) => {
            format!("`{}` is in a closure, which runs wherever it is called: write it in the loop", shown(id))
        }
        Cause::Value(id, name) => {
            let is_named = program.accesses[*id].tokens.to_string().split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
            let value = if is_named { format!("`{name}`, which the loop computes,") } else { "a value that the loop computes".to_owned() };
            let way_out = if program.accesses[*id].kind == AccessKind::Update {
                "give the loop private copies of the table, as in `#[copies(4)]`"
            } else {
                "write at sums of the variables of the loop"
            };
            format!("{value} is in the index of `{}`, so that it may be any element: {way_out}", shown(id))
        }
        Cause::Form(id) => format!(
            "the index of `{}` is more than a sum of variables, of which the distance between two iterations does not follow: write the sum, or run \
             over a view whose axes are those digits",
            shown(id)
        ),
        Cause::Everywhere(id) => format!(
            "every iteration touches `{}`: reduce into a local, as in `sum += ..`, and write that after the loop",
            shown(id)
        ),
        Cause::Meets([write, other], [a, b]) => format!(
            "`{}` may be the element that `{}` writes in another iteration, as far as `{a}` may be `{b}`: bounds that keep the two apart, as in \
             `{b} + 1..`, prove that it is not",
            shown(other),
            shown(write)
        ),
        Cause::Apart => "the indices move differently with the variables, and the bounds of the loops do not keep them apart: read what is written at \
                         the same variables, plus constants"
            .to_owned(),
    }
}

/// An error unless the points of a nest may run twice: all that they do is write what they do not read, and no two tasks
/// run the same one.
fn repeatable(program: &Program, id: NestId, has_tasks: bool) -> Result<(), Rejected> {
    if has_tasks {
        return Err(rejected(
            "`shift` runs iterations twice, which two tasks would do at the same time",
            "use `peel`, or neither, where iterations are tasks",
        ));
    }
    let body = program.nests[id].body;
    let accesses = program.accesses_while(body);
    let kind = |id: AccessId| program.accesses[id].kind;
    let buffer = |id: AccessId| program.accesses[id].view.buffer;
    // An element of a stage is the same whenever it is written.
    let own = |buffer| {
        program.within(program.allocated(buffer).region, body) || program.stage_blocks.contains(&buffer)
    };
    let meets = depend::meets(program, id);
    let is_read = |write: AccessId| {
        let is_other =
            |other: &AccessId| *other != write && kind(*other) != AccessKind::Write && kind(*other).touches();
        let mut others = accesses.iter().copied().filter(is_other);
        if kind(write) == AccessKind::Write { others.find(|other| meets(write, *other)) } else { Some(write) }
    };
    let mut written = accesses.iter().copied().filter(|id| kind(*id).writes() && !own(buffer(*id)));
    match written.find_map(is_read) {
        Some(read) => Err(rejected(
            format!("`shift` runs iterations twice, which would change `{}`", program.accesses[read].shown()),
            "use `peel`, or neither, where the nest reads or updates what it writes",
        )),
        None => Ok(()),
    }
}
