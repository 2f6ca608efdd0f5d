//! Elements in registers: scalar replacement.
//!
//! An element that some serial loops do not move, and that nothing else touches while they run, is loaded before them, held in a local and stored
//! after them. Where loops inside these have constant lengths and move it, the local is an array with an element for each of their iterations:
//!
//! ```text
//! for i in 0..4 { for j in 0..32 { held[[i, j]] = c[[top + i, left + j]]; } }
//! for k in 0..256 { for i in 0..4 { for j in 0..32 { held[[i, j]] += a[[top + i, k]] * b[[k, left + j]]; } } }
//! for i in 0..4 { for j in 0..32 { c[[top + i, left + j]] = held[[i, j]]; } }
//! ```
//!
//! D. Callahan, S. Carr and K. Kennedy, Improving register allocation for subscripted variables (PLDI 1990).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::check;
use crate::depend::Dependence;
use crate::ir::{
    Access, AccessId, AccessKind, ContextKind, Hole, Id, Loop, LoopKind, LoopMode, Names, Nest, NestId,
    Position, Program, Source, View,
};
use crate::symbolic::{Facts, Range, Sym, Symbol};

use super::array;
use super::lanes::{Group, touches_others};
use super::plan::Level;

/// The most elements of one array, and of all arrays around a loop.
const MOST: i64 = 256;

/// The groups of accesses to one element each that loops may hold: whatever the order, an iteration touches the element again only along
/// axes that do not move it, and nothing else of the nest touches it.
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
            && !touches_others(program, nest, members)
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
    fn of(program: &Program, level: &Level) -> Step {
        let (symbol, extent, mode) = match level {
            Level::New { symbol, extent, mode, .. } => (symbol, Some(extent), *mode),
            Level::Source(id) => {
                let Loop { symbol, kind, mode, .. } = &program.loops[*id];
                let extent = match kind {
                    LoopKind::Index { extent } => Some(extent),
                    LoopKind::Range { .. } => None,
                };
                (symbol, extent, *mode)
            }
        };
        let is_serial = matches!(mode, LoopMode::Serial | LoopMode::Unrolled);
        let count = extent.and_then(Sym::as_constant).filter(|_| is_serial || mode == LoopMode::Lanes);
        Step { symbol: symbol.clone(), count, is_serial }
    }
}

/// An element that loops hold, and the loops inside that move it.
struct Held {
    group: usize,
    along: Vec<(Symbol, i64)>,
}

/// The elements that the loops of one nest hold.
pub(super) struct Registers {
    /// The nest, counted from the outermost.
    pub(super) depth: usize,
    held: Vec<Held>,
    /// What holds around the loops and in them, whatever the values of those that do not move the elements.
    facts: Vec<Sym>,
}

impl Registers {
    /// Finds the outermost loop of a plan that holds elements, which becomes the first of its nest. `coordinates` are those of each group in
    /// the variables of the plan, and `facts` what holds of these.
    pub(super) fn of(
        program: &Program,
        nests: &mut Vec<Vec<Level>>,
        coordinates: &[Option<Vec<Sym>>],
        facts: &[Sym],
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
        let still = |fact: &&Sym| {
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
        names: &mut Names,
        around: Position,
        (groups, originals): (&'g [Group], &BTreeMap<AccessId, AccessId>),
    ) -> Vec<&'g Group> {
        let mut done = Vec::new();
        for Held { group, along } in &self.held {
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
            let buffer = program.buffer(element.view.storage);
            program.storages[buffer].cleared = true;
            let name = format!("{}_held", program.storages[element.view.storage].name);
            let extents = match along[..] {
                [] => vec![Sym::constant(1)],
                _ => along.iter().map(|(_, count)| Sym::constant(*count)).collect(),
            };
            let array = array::declare(program, names, (name, ty), extents, around);
            let at = index_of(along.iter().map(|(symbol, _)| symbol));
            for copy in copies {
                let access = &mut program.accesses[copy];
                let (kind, tokens) = ((access.kind, access.position), access.tokens.clone());
                let held = array::element(&array, at.clone(), kind, tokens);
                (access.view, access.index, access.element) = (held.view, held.index, held.element);
            }
            let mut transfer = Transfer { program, names, along, element: &element, array: &array };
            transfer.write(around, false);
            let end = transfer.program.contexts[around.context].clock.len() - 1;
            transfer.write(Position { statement: end, ..around }, true);
            done.push(group);
        }
        done
    }

    /// Whether an element is inside its block although the loops may not run: for all values of the variables that move it.
    fn is_inside(&self, program: &Program, around: Position, element: &Access) -> bool {
        let mut facts: Facts = program.contexts[around.context].facts.clone();
        for fact in &self.facts {
            facts.push(fact.clone());
        }
        let candidate = element.element.candidates().first();
        candidate.is_some_and(|candidate| check::is_inside(program, candidate, &facts))
    }
}

/// The groups that loops hold of which the first does not move their elements.
fn holdable(steps: &[Step], coordinates: &[Option<Vec<Sym>>]) -> Vec<Held> {
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
            found.push(Held { group, along });
        }
    }
    found
}

/// The index in an array at the values of loops, which has one element if there are none.
fn index_of<'s>(loops: impl IntoIterator<Item = &'s Symbol>) -> Vec<Sym> {
    let mut index: Vec<Sym> = loops.into_iter().map(Sym::symbol).collect();
    if index.is_empty() {
        index.push(Sym::constant(0));
    }
    index
}

/// Copies elements to an array or back.
struct Transfer<'t> {
    program: &'t mut Program,
    names: &'t mut Names,
    along: &'t [(Symbol, i64)],
    /// An access to one of the elements.
    element: &'t Access,
    array: &'t Rc<View>,
}

impl Transfer<'_> {
    /// A nest that loads the elements before a statement, or stores them behind the last one.
    fn write(&mut self, at: Position, stores: bool) {
        let nest = self.program.nests.push(Nest::new(Vec::new(), None));
        let own: Vec<Symbol> = self.along.iter().map(|along| self.looping(along, nest, at)).collect();
        let context = &self.program.contexts[at.context];
        let clock = context.clock.last().copied().unwrap_or(0);
        let body = self.program.region(Some(at), ContextKind::Nest(nest), context.facts.clone(), clock);
        self.program.nests[nest].body = body;
        let here = Position { context: body, statement: 0 };
        let [to, from] = if stores {
            [self.element(AccessKind::Write, &own, here), self.held(AccessKind::Read, &own, here)]
        } else {
            [self.held(AccessKind::Write, &own, here), self.element(AccessKind::Read, &own, here)]
        };
        let [to, from] = [to, from].map(|access| self.program.access(access));
        let value = Box::new(self.program.hole(Hole::Access(from)));
        self.program.append(body, Hole::Assign { access: to, op: None, value }, true);
        self.program.append(at.context, Hole::Nest(nest), false);
        if !stores {
            // Behind the declaration of the array.
            let context = &mut self.program.contexts[at.context];
            context.clock.pop();
            if let Some(mut last) = context.statements.pop() {
                last.number = at.statement;
                context.statements.insert(1, last);
            }
        }
    }

    fn looping(&mut self, (along, count): &(Symbol, i64), nest: NestId, at: Position) -> Symbol {
        let range = Range { lo: Some(0), hi: Some(count - 1) };
        let source = Source::Loop(Id::new(self.program.loops.len()));
        let symbol = self.program.new_symbol(along.name(), range, source, at);
        let name = self.names.fresh(along.name());
        let id = self.program.loops.push(Loop::counted(name, symbol.clone(), Sym::constant(*count), nest));
        self.program.nests[nest].loops.push(id);
        symbol
    }

    /// The element at the values of new loops.
    fn element(&self, kind: AccessKind, own: &[Symbol], position: Position) -> Access {
        let mut access = Access { kind, position, ..self.element.clone() };
        let replacement = |symbol: &Symbol| {
            let at = self.along.iter().position(|(along, _)| along == symbol)?;
            Some(Sym::symbol(&own[at]))
        };
        access.element.substitute(&replacement).expect("one variable in the place of another");
        access
    }

    fn held(&self, kind: AccessKind, own: &[Symbol], position: Position) -> Access {
        array::element(self.array, index_of(own), (kind, position), self.element.tokens.clone())
    }
}
