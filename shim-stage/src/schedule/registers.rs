//! Elements in registers: scalar replacement.
//!
//! An element that some serial loops do not move, and that nothing else touches while they run, is loaded before them,
//! held in a local and stored after them. Where loops inside these have constant lengths and move it, the local is an
//! array with an element for each of their iterations:
//!
//! ```text
//! for i in 0..4 { for j in 0..32 { held[[i, j]] = c[[top + i, left + j]]; } }
//! for k in 0..256 { for i in 0..4 { for j in 0..32 { held[[i, j]] += a[[top + i, k]] * b[[k, left + j]]; } } }
//! for i in 0..4 { for j in 0..32 { c[[top + i, left + j]] = held[[i, j]]; } }
//! ```
//!
//! D. Callahan, S. Carr and K. Kennedy, Improving register allocation for subscripted variables (PLDI 1990).

use std::collections::BTreeMap;

use crate::check;
use crate::depend::Dependence;
use crate::ir::array::{declare, element_access};
use crate::ir::{
    Access, AccessId, Loop, LoopKind, LoopMode, Memory, NameSupply, NestId, Program, ProgramPoint,
};
use crate::symbolic::{Facts, Range, SymInt, Symbol};

use super::lanes::{Group, touches_others};
use super::plan::PlannedLoop;
use super::transfer::{Transfer, index_of};

/// The most elements of one array, and of all arrays around a loop.
const MOST: i64 = 256;

/// The groups of accesses to one element each that loops may hold: whatever the order, an iteration touches the element
/// again only along axes that do not move it, and nothing else of the nest touches it.
pub(super) fn invariant(program: &Program, nest: NestId, dependences: &[Dependence]) -> Vec<Group> {
    let loops = &program.nests[nest].loops;
    let mut groups = Group::all(program, nest);
    groups.retain(|group| {
        let access = &program.accesses[group.always];
        let Some(candidate) = access.element.candidates().first() else { return false };
        let moves = |axis: usize| {
            let symbol = &program.loops[loops[axis]].symbol;
            candidate.coordinates.iter().any(|coordinate| coordinate.mentions(symbol))
        };
        let members = &group.accesses;
        let stays = |distance: &Vec<Range>| {
            distance.iter().enumerate().all(|(axis, steps)| *steps == Range::ZERO || !moves(axis))
        };
        let own = |dependence: &Dependence| match [dependence.write, dependence.other]
            .map(|id| members.contains(&id))
        {
            [false, false] => true,
            [true, true] => !dependence.unknown && dependence.distances.iter().all(stays),
            _ => false,
        };
        access.view.casts.is_empty()
            && members.iter().any(|id| program.accesses[*id].kind.writes())
            && dependences.iter().all(own)
            && !touches_others(program, nest, members, &|_| false)
    });
    groups
}

/// A loop of a plan.
struct Step {
    symbol: Symbol,
    /// The number of its iterations, if it is constant and they are counted from zero.
    count: Option<i64>,
    /// Whether its iterations run one after the other.
    is_serial: bool,
}

impl Step {
    fn of(program: &Program, level: &PlannedLoop) -> Step {
        let (symbol, extent, mode) = match level {
            PlannedLoop::New { symbol, extent, mode, .. } => (symbol, Some(extent), *mode),
            PlannedLoop::Source(id, mode) => {
                let Loop { symbol, kind, .. } = &program.loops[*id];
                let extent = match kind {
                    LoopKind::Index { extent } => Some(extent),
                    LoopKind::Range { .. } => None,
                };
                (symbol, extent, *mode)
            }
        };
        let is_serial = matches!(mode, LoopMode::Serial | LoopMode::Unrolled);
        let count = extent.and_then(SymInt::as_constant).filter(|_| is_serial || mode == LoopMode::Lanes);
        Step { symbol: symbol.clone(), count, is_serial }
    }
}

/// An element that loops hold, and the loops inside that move it.
struct HeldElement {
    group: usize,
    along: Vec<(Symbol, i64)>,
}

/// The elements that the loops of one nest hold.
pub(super) struct Registers {
    /// The nest, counted from the outermost.
    pub(super) depth: usize,
    held: Vec<HeldElement>,
    /// What holds around the loops and in them, whatever the values of those that do not move the elements.
    facts: Vec<SymInt>,
}

impl Registers {
    /// Finds the outermost loop of a plan that holds elements, which becomes the first of its nest. `coordinates` are
    /// those of each group in the variables of the plan, and `facts` what holds of these.
    pub(super) fn of(
        program: &Program,
        nests: &mut Vec<Vec<PlannedLoop>>,
        coordinates: &[Option<Vec<SymInt>>],
        facts: &[SymInt],
    ) -> Option<Registers> {
        let places =
            nests.iter().enumerate().flat_map(|(depth, levels)| (0..levels.len()).map(move |at| (depth, at)));
        let places: Vec<(usize, usize)> = places.collect();
        let steps: Vec<Step> =
            places.iter().map(|(depth, at)| Step::of(program, &nests[*depth][*at])).collect();
        let (first, held) = (0..steps.len()).find_map(|first| {
            let held = holdable(&steps[first..], coordinates);
            (!held.is_empty()).then_some((first, held))
        })?;
        let still = |fact: &&SymInt| {
            let moved =
                |symbol: &Symbol| held.iter().any(|held| held.along.iter().any(|(own, _)| own == symbol));
            steps[first..].iter().all(|step| moved(&step.symbol) || !fact.mentions(&step.symbol))
        };
        let facts = facts.iter().filter(still).cloned().collect();
        let (mut depth, at) = places[first];
        if depth == 0 || at > 0 {
            let inner = nests[depth].split_off(at);
            depth += 1;
            nests.insert(depth, inner);
        }
        Some(Registers { depth, held, facts })
    }

    /// Loads the elements before the nest at `around`, stores them after it, and lets its accesses reach the arrays.
    /// `originals` are those of the accesses in the nest. Gives the groups that are held.
    pub(super) fn hold<'g>(
        &self,
        program: &mut Program,
        names: &mut NameSupply,
        around: ProgramPoint,
        (groups, originals): (&'g [Group], &BTreeMap<AccessId, AccessId>),
    ) -> Vec<&'g Group> {
        let mut done = Vec::new();
        for HeldElement { group, along } in &self.held {
            let group = &groups[*group];
            let Group { accesses, always, ty } = group;
            let of = |copy: &&AccessId| originals.get(copy).is_some_and(|own| accesses.contains(own));
            let copies: Vec<AccessId> = originals.keys().filter(of).copied().collect();
            let Some(any) = copies.iter().copied().find(|copy| originals[copy] == *always) else { continue };
            let element = program.accesses[any].clone();
            if !self.is_inside(program, around, &element) {
                continue;
            }
            // An element may be loaded here that no iteration reads before it writes it.
            let root = program.root_buffer(element.view.buffer);
            program.buffers[root].cleared = true;
            let name = format!("{}_held", program.buffers[element.view.buffer].name);
            let extents = match along[..] {
                [] => vec![SymInt::constant(1)],
                _ => along.iter().map(|(_, count)| SymInt::constant(*count)).collect(),
            };
            let array = declare(program, names, (name, Memory::Stack, ty), extents, around);
            let at = index_of(along.iter().map(|(symbol, _)| symbol));
            for copy in copies {
                let access = &mut program.accesses[copy];
                let (kind, tokens) = ((access.kind, access.position), access.tokens.clone());
                let held = element_access(&array, at.clone(), kind, tokens);
                (access.view, access.index, access.element) = (held.view, held.index, held.element);
            }
            let mut transfer = Transfer { program, names, along, element: &element, array: &array };
            transfer.write(around, false);
            let end = transfer.program.regions[around.region].next_statement();
            transfer.write(ProgramPoint { statement: end, ..around }, true);
            done.push(group);
        }
        done
    }

    /// Whether an element is inside its block although the loops may not run: for all values of the variables that move
    /// it.
    fn is_inside(&self, program: &Program, around: ProgramPoint, element: &Access) -> bool {
        let mut facts: Facts = program.facts_at(around).clone();
        for fact in &self.facts {
            facts.push(fact.clone());
        }
        let candidate = element.element.candidates().first();
        candidate.is_some_and(|candidate| check::is_inside(program, candidate, &facts))
    }
}

/// The groups that loops hold of which the first does not move their elements.
fn holdable(steps: &[Step], coordinates: &[Option<Vec<SymInt>>]) -> Vec<HeldElement> {
    let mut found = Vec::new();
    let mut left = MOST;
    for (group, coordinates) in coordinates.iter().enumerate() {
        let Some(coordinates) = coordinates else { continue };
        let moves = |step: &Step| coordinates.iter().any(|coordinate| coordinate.mentions(&step.symbol));
        if !steps[0].is_serial || steps[0].count == Some(1) || moves(&steps[0]) {
            continue;
        }
        let (moving, still): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|step| moves(step));
        let along: Option<Vec<(Symbol, i64)>> =
            moving.iter().map(|step| Some((step.symbol.clone(), step.count?))).collect();
        let Some(along) = along.filter(|_| still.iter().all(|step| step.is_serial)) else { continue };
        let count = along.iter().fold(1_i64, |count, (_, own)| count.saturating_mul(*own));
        if (1..=left).contains(&count) {
            left -= count;
            found.push(HeldElement { group, along });
        }
    }
    found
}
