//! Loops over tensors of several pieces: a loop for each piece.
//!
//! ```text
//! for y in 0..h + k { out[[y, x]] = a.cat(0, b)[[y, x]]; }
//!
//! let [front, back] = halves(0..h + k, h);
//! for y in front { out[[y, x]] = a[[y, x]]; }
//! for y in back { out[[y, x]] = b[[y - h, x]]; }
//! ```
//!
//! Whether a coordinate is inside a piece often depends on the variable of one loop alone, and changes at one value of
//! it. The loop is cut in two at that value, and the accesses are decided anew by what is known in each half. Inside a
//! loop that cannot be cut, such as a parallel one, the next loop is chosen from two copies.

use crate::check;
use crate::ir::{
    AccessId, Behind, Copier, Element, Loop, LoopId, NestId, Program, ProgramPoint, RegionId, RegionKind,
    When,
};
use crate::symbolic::{Facts, SymInt, slack};
use shim_core::LocationError;

use super::Splitter;
use super::interior::{is_worth_splitting, known_before};

/// The most candidates of the accesses of one nest of the source, in all its copies: twice those of a rotation in four
/// dimensions.
const MOST: usize = 32;

/// The pieces of a grid of three by three.
const GRID: usize = 9;

/// Cuts the loops in which an access goes from one piece to another.
pub(crate) fn part(program: &mut Program) {
    if program.tests_every_access {
        return;
    }
    let mut open = program.all_accesses();
    let mut done: Vec<(LoopId, SymInt)> = Vec::new();
    loop {
        open.retain(|id| is_of_pieces(program, *id));
        let mut found = open.iter().filter_map(|id| PieceCut::of(program, *id));
        // What a cut does not decide is not decided by another one there.
        let is_new = |cut: &PieceCut| !done.iter().any(|(id, at)| *id == cut.id && at == cut.when.value());
        let Some(cut) = found.find(|cut| is_new(cut) && cut.is_small(program, &open)) else { return };
        done.push((cut.id, cut.when.value().clone()));
        open.extend(cut.apply(program));
    }
}

/// Whether an access has several candidates, but no more than a rotation or a grid has.
fn is_of_pieces(program: &Program, id: AccessId) -> bool {
    let access = &program.accesses[id];
    let most = GRID.max(1 << access.index.len());
    let several =
        matches!(&access.element, Element::Tested(tested) if (2..=most).contains(&tested.candidates.len()));
    several && access.kind.demands() && access.within.is_none() && check::passes_over(access)
}

/// The body of the outermost loop around a region, as the source has it.
fn outermost(program: &Program, region: RegionId) -> RegionId {
    let is_body = |own: &RegionId| matches!(program.regions[*own].kind, RegionKind::Nest(_));
    program.original(program.ancestors(region).filter(is_body).last().unwrap_or(region))
}

/// Where a loop is cut.
struct PieceCut {
    /// The loop that becomes two.
    id: LoopId,
    /// Which of its iterations are in the second.
    when: When,
    /// The body of the access that is decided so.
    around: RegionId,
}

impl PieceCut {
    /// The outermost cut that decides on which side of one end of a piece an access is.
    fn of(program: &Program, id: AccessId) -> Option<PieceCut> {
        let access = &program.accesses[id];
        let around = access.position.region;
        let facts = program.facts_at(access.position);
        let loops = loops_around(program, around);
        let mut found: Option<(usize, PieceCut)> = None;
        for candidate in access.element.candidates() {
            for (coordinate, extent) in candidate.coordinates.iter().zip(candidate.extents(program)) {
                let Some((below, above)) = slack(coordinate, &extent) else { continue };
                for slack in [below, above] {
                    if facts.proves_nonneg(&slack) {
                        continue;
                    }
                    let Some((depth, id, when)) = Self::at(program, facts, &loops, &slack) else { continue };
                    if found.as_ref().is_none_or(|(least, _)| depth < *least) {
                        found = Some((depth, PieceCut { id, when, around }));
                    }
                }
            }
        }
        found.map(|(_, cut)| cut)
    }

    /// The loop whose cut decides whether a slack is negative, and its depth.
    fn at(
        program: &Program,
        facts: &Facts,
        loops: &[(LoopId, ProgramPoint)],
        slack: &SymInt,
    ) -> Option<(usize, LoopId, When)> {
        let is_known = |(id, outside): (LoopId, ProgramPoint), sym: &SymInt| {
            known_before(program, id, outside).is_some_and(|before| before(sym))
        };
        let moving = loops.iter().rposition(|(id, _)| slack.mentions(&program.loops[*id].symbol));
        if let Some(depth) = moving
            && let Some(from) = start_of_back(slack, &program.loops[loops[depth].0])
            && is_worth_splitting(program, loops[depth].0)
            && is_known(loops[depth], &from)
            && may_be_both(facts, &SymInt::symbol(&program.loops[loops[depth].0].symbol), &from)
        {
            return Some((depth, loops[depth].0, When::From(from)));
        }
        let inside = moving.map_or(0, |depth| depth + 1);
        let own = *loops.get(inside)?;
        let may_choose = is_worth_splitting(program, own.0)
            && is_known(own, slack)
            && may_be_both(facts, slack, &SymInt::constant(0));
        may_choose.then(|| (inside, own.0, When::If(slack.clone())))
    }

    /// Whether the copies of a nest stay small, should the cut decide nothing.
    fn is_small(&self, program: &Program, open: &[AccessId]) -> bool {
        let source = outermost(program, self.around);
        let copied = program.nests[program.loops[self.id].nest].body;
        let count = |id: &AccessId| program.accesses[*id].element.candidates().len();
        let is_own = |id: &&AccessId| outermost(program, program.accesses[**id].position.region) == source;
        let is_copied = |id: &&AccessId| {
            program.ancestors(program.accesses[**id].position.region).any(|region| region == copied)
        };
        let all: usize = open.iter().filter(is_own).map(count).sum();
        all + open.iter().filter(is_copied).map(count).sum::<usize>() <= MOST
    }

    /// Cuts the loop; the accesses in the second half.
    fn apply(self, program: &mut Program) -> Vec<AccessId> {
        let PieceCut { id, when, .. } = self;
        let front = Splitter::new(program).alone(id);
        let mut behind = std::mem::take(&mut program.nests[front].behind);
        let mut copier = Copier::new(program);
        let back = copier.nest(front);
        copier.finish();
        // What has to be countable is tested once before both.
        program.nests[back].i32_extents.clear();
        // Without them, the accesses stay as they are.
        let _ = know(program, [front, back], &when);
        behind.push(Behind { when, nest: back });
        program.nests[front].behind = behind;
        let bodies = [front, back].map(|nest| program.nests[nest].body);
        for access in bodies.into_iter().flat_map(|body| program.accesses_in(body)).collect::<Vec<_>>() {
            check::narrow(program, access);
        }
        program.accesses_in(bodies[1])
    }
}

/// Notes what holds in each half of a loop, and the ends of both.
fn know(program: &mut Program, halves: [NestId; 2], when: &When) -> Result<(), LocationError> {
    let one = SymInt::constant(1);
    let loops = halves.map(|nest| program.nests[nest].loops[0]);
    let bodies = halves.map(|nest| program.nests[nest].body);
    let [in_front, in_back] = match when {
        When::From(from) => {
            let Loop { symbol, first, last, .. } = &program.loops[loops[0]];
            let symbol = SymInt::symbol(symbol);
            let around = program.regions[bodies[0]].parent;
            let facts = around.map(|around| program.facts_at(around).clone()).unwrap_or_default();
            let (first, last) = (first.clone(), last.clone());
            let end = facts.least(&last, &from.sub(&one)?)?;
            let start = facts.greatest(&first, from)?;
            for (id, first, last) in [(loops[0], first, end), (loops[1], start, last)] {
                let runs = last.sub(&first)?;
                let own = &mut program.loops[id];
                (own.first, own.last, own.runs) = (first, last, runs);
            }
            [from.sub(&one)?.sub(&symbol)?, symbol.sub(from)?]
        }
        When::If(slack) => [slack.neg()?.sub(&one)?, slack.clone()],
    };
    program.assume(bodies[0], in_front);
    program.assume(bodies[1], in_back);
    Ok(())
}

/// Whether a value may be on either side of another one, as far as is known.
fn may_be_both(facts: &Facts, value: &SymInt, from: &SymInt) -> bool {
    !facts.proves_lt(value, from) && !facts.proves_le(from, value)
}

/// The least value of the variable of a loop from which on a slack keeps its sign, if there is one such value.
fn start_of_back(slack: &SymInt, own: &Loop) -> Option<SymInt> {
    let slope = slack.coefficient(&own.symbol)?.as_constant()?;
    let rest = slack.sub(&SymInt::symbol(&own.symbol).scale(slope).ok()?).ok()?;
    match slope {
        1 => rest.neg().ok(),
        -1 => rest.add(&SymInt::constant(1)).ok(),
        _ => None,
    }
}

/// The loops around a region, the outermost first, and the statements that hold their nests; none outside a closure.
fn loops_around(program: &Program, region: RegionId) -> Vec<(LoopId, ProgramPoint)> {
    let mut loops = Vec::new();
    for own in program.ancestors(region) {
        match program.regions[own].kind {
            RegionKind::Closure => break,
            RegionKind::Nest(nest) => {
                let Some(outside) = program.regions[own].parent else { break };
                loops.extend(program.nests[nest].loops.iter().rev().map(|id| (*id, outside)));
            }
            RegionKind::Plain | RegionKind::Branch | RegionKind::Version | RegionKind::Unknown => {}
        }
    }
    loops.reverse();
    loops
}
