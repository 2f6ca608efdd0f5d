//! Replaces the loops of a nest by those of a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::Ident;
use shim_core::LocationError;
use syn::Lifetime;

use crate::ir::{
    AccessId, Constraint, Copier, Copies, Definition, Domain, Hole, Id, Let, Loop, LoopId, LoopKind,
    LoopMode, NameSupply, Nest, NestId, OffsetPart, Order, Program, ProgramPoint, Reduction, RegionId,
    RegionKind, Reordered, Schedule, Statement, StatementKind, Steps, Substitution, SymbolSource, Tasks,
    Tile,
};
use crate::symbolic::{SymInt, Symbol};

use super::lanes::{self, Group, Lockstep};
use super::legal::{self, Legal};
use super::merge;
use super::plan::{End, LabeledTile, LoopRange, Plan, PlannedLoop, Planner};
use super::registers::{self, Registers};
use super::rejected::Rejected;
use super::stages::TileStages;
use super::strided;
use super::tasks;

pub(super) struct Apply<'p> {
    program: &'p mut Program,
    names: &'p mut NameSupply,
    legal: Legal,
    /// The elements that lanes hold.
    held: Vec<Group>,
    /// The elements that loops may hold.
    invariant: Vec<Group>,
    /// The variables that tasks reduce into.
    reductions: Vec<Reduction>,
    /// The stages of its tiles.
    stages: TileStages,
    /// The nests whose iterations are tasks, with the columns and the slope of a wavefront.
    parallel: Vec<(NestId, Option<(SymInt, i64)>)>,
}

/// The nests whose iterations are tasks, which share what is not known before the stages in them are resolved.
pub(super) struct TaskNests {
    nests: Vec<(NestId, Option<(SymInt, i64)>)>,
    reductions: Vec<Reduction>,
}

impl TaskNests {
    /// Notes what tasks share.
    pub(super) fn share(self, program: &mut Program, names: &mut NameSupply) {
        for (id, wavefront) in self.nests {
            let tasks = tasks::tasks(program, names, id, &self.reductions);
            program.nests[id].tasks = Some(Box::new(Tasks { wavefront, ..tasks }));
        }
    }
}

/// A nest as its source has it.
struct Original {
    loops: Vec<LoopId>,
    /// The region around them.
    outside: RegionId,
    /// The values of their variables in the iterations with number zero.
    origins: Vec<SymInt>,
    body: RegionId,
    /// The accesses of the body.
    accesses: BTreeSet<AccessId>,
    /// The label that goes on with the next iteration.
    next: Option<Lifetime>,
    /// The statements at which the innermost loop begins again.
    distributed: Vec<usize>,
}

impl<'p> Apply<'p> {
    /// Finds the elements and variables that the loops of an order hold.
    pub(super) fn new(
        program: &'p mut Program,
        names: &'p mut NameSupply,
        id: NestId,
        legal: Legal,
        schedule: &Schedule,
    ) -> Result<Self, Rejected> {
        let reductions = if legal.order().has_tasks() {
            tasks::shareable(program, id)?;
            tasks::reductions(program, id)
        } else {
            Vec::new()
        };
        let held = if legal.order().has_lanes() { lanes::held(program, id, &legal) } else { Vec::new() };
        if legal.order().has_lanes() {
            let remark = if held.is_empty() {
                "lanes hold no element: the loop is left to LLVM".to_owned()
            } else {
                format!("lanes hold {}", elements(program, held.iter()))
            };
            program.remarks.push((id, remark));
            strided::warn(program, id, legal.order(), &held, schedule);
        }
        // Lanes that hold nothing are those that LLVM makes of a plain loop.
        let legal = if held.is_empty() { legal.without_lanes() } else { legal };
        // The dependences of a scan are not derived.
        let whole = !schedule.is_scan && legal::runs_whole(program, id);
        let invariant =
            if whole { registers::invariant(program, id, legal.dependences()) } else { Vec::new() };
        let stages = TileStages::of(program, id);
        Ok(Apply { program, names, legal, held, invariant, reductions, stages, parallel: Vec::new() })
    }

    /// Gives a nest its order.
    pub(super) fn apply(mut self, id: NestId) -> Result<TaskNests, Rejected> {
        self.reorder(id)?;
        Ok(TaskNests { nests: self.parallel, reductions: self.reductions })
    }

    fn reorder(&mut self, id: NestId) -> Result<(), Rejected> {
        let nest = &self.program.nests[id];
        let (loops, body) = (nest.loops.clone(), nest.body);
        let Some(parent) = self.program.regions[body].parent else { return Ok(()) };
        let domain = self.program.domain(&loops).ok_or_else(merge::not_affine)?;
        let spans = self.spans(&loops, &domain)?;
        let origins: Vec<SymInt> =
            loops.iter().zip(&domain.ends).map(|(id, ends)| self.origin(*id, ends)).collect();
        let constraints = self.of_indices(&domain.constraints, &loops, &origins)?;
        let facts = self.program.facts_at(parent).clone();
        let program = &mut *self.program;
        // The loop that a symbol is the variable of follows.
        let mut symbol =
            |name: &str, range| program.new_symbol(name, range, SymbolSource::Loop(Id::new(0)), parent);
        let plan = Planner { symbol: &mut symbol, constraints, facts, cut_off: false }
            .plan(&self.legal.order().stages, spans)?;
        let accesses = self.program.accesses_in(body).into_iter().collect();
        let next = self.program.nests[id].next.take();
        let distributed = std::mem::take(&mut self.program.nests[id].distributed);
        let original = Original { loops, outside: parent.region, origins, body, accesses, next, distributed };
        self.source_locals(&original, &plan);
        self.place(plan, &original, parent, Some(id), false)
    }

    /// All indices of the box around a nest.
    fn spans(&self, loops: &[LoopId], domain: &Domain) -> Result<Vec<LoopRange>, LocationError> {
        let is_cut = loops.iter().any(|id| self.program.is_cut(*id, loops));
        let span = |(axis, id): (usize, &LoopId)| {
            let for_loop = &self.program.loops[*id];
            let extent = self.program.extent(loops, axis, domain)?;
            let variable = for_loop.symbol.name().to_owned();
            let counted = matches!(for_loop.kind, LoopKind::Index { .. });
            let start = SymInt::constant(0);
            Ok(LoopRange { start, extent, variable, suffix: "", whole: (!is_cut).then_some(*id), counted })
        };
        loops.iter().enumerate().map(span).collect()
    }

    /// The value of a loop's variable in the iteration with number zero.
    fn origin(&self, id: LoopId, [least, greatest]: &[SymInt; 2]) -> SymInt {
        if self.program.loops[id].step() < 0 { greatest.clone() } else { least.clone() }
    }

    /// Constraints on the values of loops as those on the numbers of their iterations.
    fn of_indices(
        &self,
        constraints: &[Constraint],
        loops: &[LoopId],
        origins: &[SymInt],
    ) -> Result<Vec<Constraint>, LocationError> {
        let of_indices = |constraint: &Constraint| {
            let mut own = constraint.clone();
            for ((factor, id), origin) in own.factors.iter_mut().zip(loops).zip(origins) {
                own.rest = own.rest.add(&origin.scale(*factor)?)?;
                *factor *= self.program.loops[*id].step();
            }
            Ok(own)
        };
        constraints.iter().map(of_indices).collect()
    }

    /// Makes the variables of loops that are replaced locals of the body.
    fn source_locals(&mut self, original: &Original, plan: &Plan) {
        // A plan of two bodies keeps none of these loops.
        let kept = |id: &LoopId| {
            let mut levels = plan.nests.iter().flatten();
            levels.any(|level| matches!(level, PlannedLoop::Source(own, _) if own == id))
        };
        for id in original.loops.iter().filter(|id| !kept(id)) {
            let Loop { name, symbol, kind, .. } = &self.program.loops[*id];
            let (symbol, ranges) = (symbol.id() as usize, matches!(kind, LoopKind::Range { .. }));
            let local = if ranges { self.names.fresh(&format!("{name}_i")) } else { name.clone() };
            self.program.symbols[symbol].source = SymbolSource::Local(local);
            let own = self.program.loops[*id].own.unwrap_or(original.body);
            // The nest may be a copy: each copy of its body defines them.
            let region = self.program.original(own);
            self.program.symbols[symbol].defined = ProgramPoint { region, statement: 0 };
        }
    }

    /// The elements that loops of a plan hold.
    fn registers(
        &self,
        nests: &mut Vec<Vec<PlannedLoop>>,
        original: &Original,
        values: &[Option<SymInt>],
    ) -> Result<Option<Registers>, LocationError> {
        let mut replaced: Vec<(&Symbol, SymInt)> = Vec::new();
        for (axis, index) in values.iter().enumerate() {
            let Some(index) = index else { continue };
            replaced
                .push((&self.program.loops[original.loops[axis]].symbol, self.value(original, axis, index)?));
        }
        let value =
            |symbol: &Symbol| replaced.iter().find(|(own, _)| *own == symbol).map(|(_, value)| value.clone());
        let facts = self.between(original, values, &value);
        let coordinates = |group: &Group| {
            let candidate = self.program.accesses[group.always].element.candidates().first()?;
            let own = candidate.coordinates.iter().map(|coordinate| coordinate.substitute(&value).ok());
            let own: Vec<SymInt> = own.collect::<Option<_>>()?;
            // A table is read once in an iteration.
            (!own.iter().any(SymInt::has_entry)).then_some(own)
        };
        let coordinates: Vec<Option<Vec<SymInt>>> = self.invariant.iter().map(coordinates).collect();
        Ok(Registers::of(self.program, nests, &coordinates, &facts))
    }

    /// Writes the nests of a plan around the body, or around a copy of it. The outermost is the nest in the statement
    /// at
    /// `parent`, or a new one in the region there.
    ///
    /// Long: one arm for what each end of a plan and each loop becomes.
    fn place(
        &mut self,
        plan: Plan,
        original: &Original,
        mut parent: ProgramPoint,
        outermost: Option<NestId>,
        copied: bool,
    ) -> Result<(), Rejected> {
        let Plan { mut nests, labels, end } = plan;
        let has_label = |depth: usize| labels.iter().any(|(own, _)| *own == depth);
        if nests.is_empty() || has_label(nests.len()) {
            // The loops have one iteration each, or none of them is left.
            nests.push(Vec::new());
        }
        let count = nests.len();
        let registers = match &end {
            End::Body(values) => self.registers(&mut nests, original, values)?,
            End::Choice { .. } => None,
        };
        // The loops that hold elements may be the inner ones of a nest, which is two then.
        let split = registers.as_ref().filter(|_| nests.len() > count).map(|registers| registers.depth);
        let mut around = parent;
        let mut first = None;
        let mut last = None;
        for (depth, levels) in nests.into_iter().enumerate() {
            let id = match outermost.filter(|_| depth == 0) {
                Some(id) => {
                    for (_, tile) in labels.iter().filter(|(own, _)| *own == 0) {
                        let points = Rc::new(self.points(original, tile)?);
                        self.stages.stay(self.program, (&tile.label, &points));
                    }
                    id
                }
                None => {
                    let around = last.map_or(parent.region, |outer| self.inside(outer, parent));
                    let before = depth - usize::from(split.is_some_and(|split| depth > split));
                    let is_first = split != Some(depth);
                    for (_, tile) in labels.iter().filter(|(own, _)| is_first && *own == before) {
                        let points = Rc::new(self.points(original, tile)?);
                        self.source_runs(original, &points, around);
                        let Apply { program, names, stages, .. } = self;
                        stages.place(program, names, (&tile.label, points), around)?;
                    }
                    let id = self.program.nests.push(Nest::new(Vec::new(), None));
                    parent = self.program.append(around, Hole::Nest(id), false);
                    id
                }
            };
            if registers.as_ref().is_some_and(|registers| registers.depth == depth) {
                around = parent;
            }
            let loops = levels.into_iter().map(|level| self.level(level, id)).collect();
            self.program.nests[id].loops = loops;
            let loops = self.program.nests[id].loops.iter().map(|id| &self.program.loops[*id]);
            for for_loop in loops {
                match (for_loop.mode, &for_loop.kind) {
                    (LoopMode::Parallel, _) => self.parallel.push((id, None)),
                    (LoopMode::Following(slope), LoopKind::Index { extent }) => {
                        if let Some((_, wavefront)) = self.parallel.last_mut() {
                            *wavefront = Some((extent.clone(), slope));
                        }
                    }
                    _ => {}
                }
            }
            first.get_or_insert(id);
            last = Some(id);
        }
        let (Some(first), Some(last)) = (first, last) else {
            unreachable!("a plan without nests has got one");
        };
        match end {
            End::Body(values) => {
                let (body, accesses) = if copied { self.copy(original) } else { self.original(original) };
                let facts = self.facts(last);
                self.program.move_region(body, Some(parent), RegionKind::Nest(last));
                for fact in facts {
                    self.program.assume(body, fact);
                }
                self.program.nests[last].body = body;
                self.program.nests[last].next.clone_from(&original.next);
                self.program.nests[last].distributed.clone_from(&original.distributed);
                self.values(original, body, &values, &accesses)?;
                let Apply { program, names, held, invariant, .. } = self;
                let mut held: Vec<&Group> = held.iter().collect();
                if let Some(registers) = registers {
                    let own = registers.hold(program, names, around, (invariant, &accesses));
                    let remark = format!("registers hold {}", elements(program, own.iter().copied()));
                    program.remarks.push((first, remark));
                    held.retain(|group| !own.iter().any(|own| own.accesses == group.accesses));
                }
                if let [innermost] = program.nests[last].loops[..]
                    && program.loops[innermost].mode == LoopMode::Lanes
                {
                    Lockstep { program, names }.hold(last, &accesses, &held);
                }
            }
            End::Choice { guards, whole, rest } => {
                let around = self.inside(last, parent);
                let at = |region| ProgramPoint { region, statement: 0 };
                let [then, otherwise] = [guards.clone(), Vec::new()]
                    .map(|facts| self.program.region_at(at(around), RegionKind::Version, facts));
                let choice = StatementKind::If { all: guards, then, otherwise: Some(otherwise) };
                self.program.append_statement(around, choice);
                self.place(*rest, original, at(otherwise), None, true)?;
                self.place(*whole, original, at(then), None, copied)?;
            }
        }
        Ok(())
    }

    /// A new body of a nest in the statement at `parent`.
    fn inside(&mut self, nest: NestId, parent: ProgramPoint) -> RegionId {
        let facts = self.facts(nest);
        self.program.give_body(nest, parent, facts)
    }

    /// Where a tile has points, the loops of the source run.
    fn source_runs(&mut self, original: &Original, tile: &Tile, region: RegionId) {
        for (id, own) in original.loops.iter().zip(&tile.axes) {
            let runs = self.program.loops[*id].runs.clone();
            let facts = &self.program.regions[region].facts;
            if !self.program.is_cut(*id, &original.loops)
                && !facts.proves_nonneg(&runs)
                && facts.proves_nonneg(&own.runs)
            {
                self.program.assume(region, runs);
            }
        }
    }

    /// The values of the variables of the source in a tile.
    fn points(&self, original: &Original, tile: &LabeledTile) -> Result<Tile, LocationError> {
        let mut axes = Vec::new();
        for (axis, LoopRange { start, extent, .. }) in tile.elements.iter().enumerate() {
            let for_loop = &self.program.loops[original.loops[axis]];
            let runs = extent.sub(&SymInt::constant(1))?;
            let first = self.value(original, axis, start)?;
            let last = self.value(original, axis, &start.add(&runs)?)?;
            let [first, last] = if for_loop.step() < 0 { [last, first] } else { [first, last] };
            axes.push(Steps { symbol: for_loop.symbol.clone(), first, last, runs, step: for_loop.step() });
        }
        Ok(Tile { body: self.program.original(original.body), axes, is_box: tile.is_box })
    }

    /// What holds in the body of a nest's new loops.
    fn facts(&self, nest: NestId) -> Vec<SymInt> {
        let mut facts = Vec::new();
        for id in &self.program.nests[nest].loops {
            let Loop { symbol, kind: LoopKind::Index { extent }, .. } = &self.program.loops[*id] else {
                continue;
            };
            for extent in [Some(extent.clone()), extent.positive_part()].into_iter().flatten() {
                let room =
                    extent.sub(&SymInt::symbol(symbol)).and_then(|room| room.sub(&SymInt::constant(1)));
                facts.extend(room);
            }
        }
        facts
    }

    /// The loop of a level.
    fn level(&mut self, level: PlannedLoop, nest: NestId) -> LoopId {
        match level {
            PlannedLoop::Source(id, mode) => {
                self.program.loops[id].nest = nest;
                self.program.loops[id].mode = mode;
                id
            }
            PlannedLoop::New { symbol, hint, extent, mode, i32_extents } => {
                let most = extent.range().hi;
                if i32_extents && most.is_none_or(|most| most > i64::from(i32::MAX)) {
                    self.program.nests[nest].i32_extents.push(extent.clone());
                }
                let number = symbol.id() as usize;
                let for_loop = Loop::counted(self.names.fresh(&hint), symbol, extent, nest);
                let id = self.program.loops.push(Loop { mode, ..for_loop });
                self.program.symbols[number].source = SymbolSource::Loop(id);
                id
            }
        }
    }

    /// The body itself, and its accesses as their own originals.
    fn original(&mut self, original: &Original) -> (RegionId, BTreeMap<AccessId, AccessId>) {
        self.stages.reach(self.program, original.body, &BTreeMap::new());
        (original.body, original.accesses.iter().map(|id| (*id, *id)).collect())
    }

    /// A copy of the body, and the originals of its accesses.
    fn copy(&mut self, original: &Original) -> (RegionId, BTreeMap<AccessId, AccessId>) {
        let kind = self.program.regions[original.body].kind;
        let mut copier = Copier::new(self.program);
        let body = copier.region(original.body, kind);
        let Copies { originals, regions, .. } = copier.finish();
        self.stages.reach(self.program, body, &regions);
        (body, originals)
    }

    /// The value of a variable of the source in the iteration with a number.
    fn value(&self, original: &Original, axis: usize, index: &SymInt) -> Result<SymInt, LocationError> {
        let step = self.program.loops[original.loops[axis]].step();
        Ok(original.origins[axis].add(&index.scale(step)?)?)
    }

    /// That variables which were replaced are between the first and the last value of their loops.
    fn between(
        &self,
        original: &Original,
        values: &[Option<SymInt>],
        replacement: &dyn Fn(&Symbol) -> Option<SymInt>,
    ) -> Vec<SymInt> {
        let replaced = original.loops.iter().zip(values).filter(|(_, index)| index.is_some());
        let facts = replaced.flat_map(|(id, _)| {
            let Loop { symbol, first, last, .. } = &self.program.loops[*id];
            let value = SymInt::symbol(symbol);
            [value.sub(first), last.sub(&value)]
        });
        facts.flatten().flat_map(|fact| fact.substitute(replacement)).collect()
    }

    /// Defines the variables of the source in a body, and replaces them in the coordinates of its accesses.
    fn values(
        &mut self,
        original: &Original,
        body: RegionId,
        values: &[Option<SymInt>],
        accesses: &BTreeMap<AccessId, AccessId>,
    ) -> Result<(), LocationError> {
        let mut replaced: Vec<(Symbol, SymInt)> = Vec::new();
        let mut statements: BTreeMap<RegionId, Vec<Statement>> = BTreeMap::new();
        let regions = self.program.regions_in(body);
        for (axis, (id, index)) in original.loops.iter().zip(values).enumerate() {
            let Some(index) = index else { continue };
            let value = self.value(original, axis, index)?;
            let for_loop = self.program.loops[*id].clone();
            let SymbolSource::Local(local) = self.program.symbol(&for_loop.symbol).source.clone() else {
                continue;
            };
            let own = for_loop.own.unwrap_or(original.body);
            let is_own = |region: &&RegionId| self.program.original(**region) == self.program.original(own);
            let region = regions.iter().find(is_own).copied().unwrap_or(body);
            statements.entry(region).or_default().extend(defined(&for_loop, &local, value.clone()));
            // A table is read once, not for each access.
            if !value.has_entry() {
                replaced.push((for_loop.symbol, value));
            }
        }
        for (region, statements) in statements {
            self.program.regions[region].statements.splice(0..0, statements);
        }
        let replaced: Substitution = replaced.into_iter().collect();
        let facts = self.between(original, values, &|symbol| replaced.value(symbol));
        for fact in facts {
            self.program.assume(body, fact);
        }
        for (copy, _) in accesses.iter().filter(|(_, original_id)| original.accesses.contains(original_id)) {
            self.program.accesses[*copy].element.substitute(&|symbol| replaced.value(symbol))?;
        }
        let Original { loops, outside, .. } = original;
        let reordered = Reordered { loops: loops.clone(), values: replaced, outside: *outside };
        self.program.regions[body].reordered = Some(Rc::new(reordered));
        Ok(())
    }
}

/// Definitions of a replaced loop's variable: its value, and for a range the value in the type of the range.
pub(super) fn defined(for_loop: &Loop, local: &Ident, value: SymInt) -> Vec<Statement> {
    // The value fits, but the sums on the way to it may not where a range ends at the end of its type.
    let fits = matches!(for_loop.kind, LoopKind::Index { .. });
    let part = OffsetPart { outside: None, value, fits };
    let mut kinds =
        vec![StatementKind::Let(Let { name: local.clone(), value: Definition::OffsetPart(part) })];
    if let LoopKind::Range { iterator, .. } = &for_loop.kind
        && for_loop.name != "_"
    {
        let value = Definition::Item(local.clone(), iterator.clone());
        kinds.push(StatementKind::Let(Let { name: for_loop.name.clone(), value }));
    }
    kinds.into_iter().map(|kind| Statement { number: 0, order: Order::Constant, kind }).collect()
}

/// The elements of some groups, as the source names one of each.
fn elements<'g>(program: &Program, groups: impl Iterator<Item = &'g Group>) -> String {
    let element = |group: &Group| format!("`{}`", program.accesses[group.always].shown());
    groups.map(element).collect::<Vec<_>>().join(", ")
}
