//! Lanes: so many iterations of a loop in lockstep.
//!
//! An element that the lanes write is held in a local of each lane while they run, and written after all of them:
//!
//! ```text
//! for l in 0..16 { let mut held = t[[l]]; if a[[l]] > 0 { held = b[[l]]; } t_lanes[[l]] = held; }
//! for l in 0..16 { t[[l]] = t_lanes[[l]]; }
//! ```
//!
//! The first loop stores to an array of its own alone and the second one loads from it alone, so that LLVM vectorizes
//! both, and makes of the condition a selection. An element that another access of a group may touch is written where
//! its statement is.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::Ident;
use quote::quote;
use syn::parse_quote;

use crate::check;
use crate::depend::{self, Dependence};
use crate::ir::array::{declare, element_access};
use crate::ir::walk::Use;
use crate::ir::{
    Access, AccessId, AccessKind, Candidate, Element, ElementType, Hole, Memory, NameSupply, Nest, NestId,
    Order, Program, ProgramPoint, RegionId, RegionKind, Statement, StatementKind, View,
};
use crate::symbolic::{SymInt, Symbol};

use super::legal::Legal;
use super::transfer::Transfer;

/// The statement of the body that an access is in.
fn event(program: &Program, body: RegionId, id: AccessId) -> Option<usize> {
    let position = program.accesses[id].position;
    program.outwards(position).find(|at| at.region == body).map(|at| at.statement)
}

/// Whether lockstep execution preserves the dependence, whose accesses come in the sequence `source` in the source.
/// Each statement of a group runs in all lanes before the next statement, reads before writes, and writes in lane
/// order.
pub(super) fn keeps(program: &Program, nest: NestId, dependence: &Dependence, source: Ordering) -> bool {
    let body = program.nests[nest].body;
    let (first, second) = match source {
        Ordering::Less => (dependence.write, dependence.other),
        Ordering::Equal => return true,
        Ordering::Greater => (dependence.other, dependence.write),
    };
    let (Some(earlier), Some(later)) = (event(program, body, first), event(program, body, second)) else {
        return false;
    };
    let [before, after] = [first, second].map(|id| program.accesses[id].kind);
    let reads = |kind: AccessKind| kind != AccessKind::Write;
    let flow = !(before.writes() && reads(after)) || earlier < later;
    let anti = !(reads(before) && after.writes()) || earlier <= later;
    let output = !(before.writes() && after.writes()) || earlier <= later;
    flow && anti && output
}

/// Accesses of a nest to one element.
pub(super) struct Group {
    /// The accesses that reach it.
    pub(super) accesses: Vec<AccessId>,
    /// One of them, whose element is inside in every iteration.
    pub(super) always: AccessId,
    pub(super) ty: ElementType,
}

impl Group {
    /// The elements whose coordinates are known before an iteration begins, and which are inside in all of them.
    pub(super) fn all(program: &Program, nest: NestId) -> Vec<Group> {
        let body = program.nests[nest].body;
        let mut groups: Vec<Group> = Vec::new();
        for id in program.accesses_in(body) {
            let access = &program.accesses[id];
            let Element::Inside(candidate) = &access.element else { continue };
            let simple = matches!(access.kind, AccessKind::Read | AccessKind::Write | AccessKind::Update)
                && access.operands.is_empty()
                && access.within.is_none()
                && candidate.casts.is_empty()
                && program.is_fixed(candidate.buffer)
                && candidate.coordinates.len() == program.buffers[candidate.buffer].space.extents.len()
                && !program.in_closure(access.position.region)
                && !program.within(program.allocated(candidate.buffer).region, body)
                && outside(program, nest, candidate);
            let Some(ty) = element_type(program, access).filter(|_| simple) else { continue };
            let same = |group: &&mut Group| {
                let other = &program.accesses[group.always];
                let Some(own) = other.element.candidates().first() else { return false };
                own.buffer == candidate.buffer
                    && own.coordinates == candidate.coordinates
                    && texts(&other.view.casts) == texts(&access.view.casts)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.accesses.push(id),
                None => groups.push(Group { accesses: vec![id], always: id, ty }),
            }
        }
        groups.retain_mut(|group| always(program, body, group).map(|always| group.always = always).is_some());
        groups
    }
}

/// The elements of a nest that its lanes can hold.
pub(super) fn held(program: &Program, nest: NestId, legal: &Legal) -> Vec<Group> {
    let body = program.nests[nest].body;
    let mut groups = Group::all(program, nest);
    groups.retain(|group| {
        let members = &group.accesses;
        let in_lockstep = legal.dependences().iter().any(|dependence| {
            let own = members.contains(&dependence.write) || members.contains(&dependence.other);
            own && dependence.distances.iter().any(|distance| legal.order().in_lockstep(distance))
        });
        members.iter().any(|id| program.accesses[*id].kind.writes())
            && is_exact(program, body, group)
            && !in_lockstep
            && !touches_others(program, nest, members, &|read| is_before_writes(program, body, members, read))
    });
    groups
}

/// An access whose element is inside in every iteration, also where the access does not run.
fn always(program: &Program, body: RegionId, group: &Group) -> Option<AccessId> {
    let in_body = |id: &&AccessId| program.accesses[**id].position.region == body;
    let found = group.accesses.iter().find(in_body).or_else(|| {
        let candidate = program.accesses[group.always].element.candidates().first()?;
        let inside = check::is_inside(program, candidate, &program.regions[body].facts);
        inside.then_some(&group.always)
    });
    found.copied()
}

/// The type of a number that an access gives.
fn element_type(program: &Program, access: &Access) -> Option<ElementType> {
    let buffer = &program.buffers[access.view.buffer];
    let own = buffer.element.clone().filter(ElementType::is_number);
    access.view.casts.last().cloned().or(own)
}

fn texts(casts: &[ElementType]) -> Vec<String> {
    casts.iter().map(|ElementType { ty, .. }| quote!(#ty).to_string()).collect()
}

/// Whether the coordinates of an element are known before an iteration begins.
fn outside(program: &Program, nest: NestId, candidate: &Candidate) -> bool {
    let Nest { loops, body, .. } = &program.nests[nest];
    let variable = |symbol| loops.iter().any(|id| program.loops[*id].symbol == symbol);
    let defined = |symbol| program.symbol(&symbol).defined.region;
    candidate
        .coordinates
        .iter()
        .flat_map(SymInt::symbols)
        .all(|symbol| variable(symbol.clone()) || !program.within(defined(symbol), *body))
}

/// Whether a local can stand in for an element behind a cast: no read may observe a write before it is narrowed.
fn is_exact(program: &Program, body: RegionId, group: &Group) -> bool {
    if program.accesses[group.always].view.casts.is_empty() {
        return true;
    }
    let kind = |id: &AccessId| program.accesses[*id].kind;
    let writes: Vec<AccessId> = group.accesses.iter().copied().filter(|id| kind(id).writes()).collect();
    let first = writes.iter().map(|id| event(program, body, *id)).min().flatten();
    let mut late = group
        .accesses
        .iter()
        .filter(|id| !kind(id).writes() && event(program, body, **id).is_none_or(|at| Some(at) >= first));
    match writes[..] {
        [only] if kind(&only) == AccessKind::Write && late.clone().next().is_none() => true,
        // The right side of an assignment is evaluated before the assignment writes, and nothing reads after it.
        [only] => {
            is_assigned_once(program, body, only) && late.all(|read| is_operand_of(program, *read, only))
        }
        _ => late.next().is_none() && writes.iter().all(|id| kind(id) == AccessKind::Write),
    }
}

/// Whether an iteration of the lanes writes an element once at most.
fn is_assigned_once(program: &Program, body: RegionId, write: AccessId) -> bool {
    let around = program.outwards(program.accesses[write].position).take_while(|at| at.region != body);
    around
        .into_iter()
        .all(|at| matches!(program.regions[at.region].kind, RegionKind::Plain | RegionKind::Branch))
}

/// Whether an element is read by the right side of the assignment that a statement is.
fn is_operand_of(program: &Program, read: AccessId, write: AccessId) -> bool {
    let at = program.accesses[write].position;
    let own = program.regions[at.region]
        .statements
        .iter()
        .find(|statement| statement.number == at.statement && statement.order == Order::Own);
    let held = own.and_then(|statement| program.held_by(statement.kind.expr()?));
    let assigns = matches!(held, Some(Hole::Assign { access, .. }) if *access == write);
    assigns && program.outwards(program.accesses[read].position).any(|outer| outer == at)
}

/// Whether a read comes before all writes of some accesses in one iteration, so that it gives what the element was
/// before that.
fn is_before_writes(program: &Program, body: RegionId, members: &[AccessId], read: AccessId) -> bool {
    let writes = members.iter().filter(|id| program.accesses[**id].kind.writes());
    program.accesses[read].kind == AccessKind::Read
        && writes.into_iter().all(|write| {
            let before = event(program, body, read).zip(event(program, body, *write));
            is_operand_of(program, read, *write) || before.is_some_and(|(read, write)| read < write)
        })
}

/// Whether accesses of a nest to one element touch, in one iteration, what others touch, but for reads that may.
pub(super) fn touches_others(
    program: &Program,
    nest: NestId,
    members: &[AccessId],
    may: &dyn Fn(AccessId) -> bool,
) -> bool {
    let meets = depend::meets(program, nest);
    let touches =
        |write: AccessId, other: AccessId| program.accesses[other].kind.touches() && meets(write, other);
    let written = |id: AccessId| program.accesses[id].kind.writes();
    let mut others = program.accesses_while(program.nests[nest].body);
    others.retain(|id| !members.contains(id));
    members.iter().any(|own| {
        others.iter().any(|other| {
            let meets = written(*own) && touches(*own, *other) || written(*other) && touches(*other, *own);
            meets && !may(*other)
        })
    })
}

/// Gives each lane of a loop the locals that hold elements.
pub(super) struct Lockstep<'p> {
    pub(super) program: &'p mut Program,
    pub(super) names: &'p mut NameSupply,
}

impl Lockstep<'_> {
    /// Holds elements in a nest whose one loop is the lanes, and which is all of the body around it. `accesses` are the
    /// originals of those of the body.
    pub(super) fn hold(&mut self, nest: NestId, accesses: &BTreeMap<AccessId, AccessId>, held: &[&Group]) {
        let body = self.program.nests[nest].body;
        let [lanes] = self.program.nests[nest].loops[..] else { return };
        let Some(around) = self.program.regions[body].parent else { return };
        let lane = self.program.loops[lanes].symbol.clone();
        let first = ProgramPoint { region: body, statement: 0 };
        for Group { accesses: members, always, ty } in held {
            let copies: Vec<AccessId> = accesses
                .iter()
                .filter(|(_, original)| members.contains(original))
                .map(|(copy, _)| *copy)
                .collect();
            let Some(always) = copies.iter().copied().find(|copy| accesses[copy] == *always) else {
                continue;
            };
            let name = self.program.buffers[self.program.accesses[always].view.buffer].name.clone();
            let local = self.names.fresh(&format!("{name}_held"));
            let count = self.program.loops[lanes].extent().ok().and_then(|extent| extent.as_constant());
            let along = [(lane.clone(), count.unwrap_or(0))];
            let extents = vec![SymInt::constant(along[0].1)];
            let name = format!("{name}_lanes");
            let array = declare(self.program, self.names, (name, Memory::Stack, ty), extents, around);
            let element = self.access(always, AccessKind::Read, first);
            self.begins_with(first, &local, element);
            let last = ProgramPoint { region: body, statement: self.program.regions[body].next_statement() };
            let access = self.lane_of(&array, &lane, AccessKind::Write, last);
            let value = Box::new(parse_quote!(#local));
            self.program.append(body, Hole::Assign { access, op: None, value }, true);
            let element = self.program.accesses[always].clone();
            let (program, names) = (&mut *self.program, &mut *self.names);
            Transfer { program, names, along: &along, element: &element, array: &array }.write(around, true);
            self.replace(body, &copies, &local);
        }
    }

    /// The element of a lane.
    fn lane_of(
        &mut self,
        array: &Rc<View>,
        lane: &Symbol,
        kind: AccessKind,
        position: ProgramPoint,
    ) -> AccessId {
        let local = &self.program.buffers[array.buffer].local;
        let access = element_access(array, vec![SymInt::symbol(lane)], (kind, position), quote!(#local));
        self.program.access(access)
    }

    /// An access to the element that another one reaches.
    fn access(&mut self, of: AccessId, kind: AccessKind, position: ProgramPoint) -> AccessId {
        let access = Access { kind, position, ..self.program.accesses[of].clone() };
        self.program.access(access)
    }

    /// Replaces accesses by the local that holds their element.
    fn replace(&mut self, body: RegionId, accesses: &[AccessId], local: &Ident) {
        let mut holes = Vec::new();
        self.program.walk(body, &mut |own, _| {
            if let Use::Hole(id, _) = own {
                holes.push(*id);
            }
        });
        for id in holes {
            let hole = &mut self.program.holes[id];
            let held = |assigned| Hole::Held { local: local.clone(), assigned };
            match hole {
                Hole::Access(access) if accesses.contains(access) => *hole = held(None),
                Hole::Assign { access, op, value } if accesses.contains(access) => {
                    *hole = held(Some((*op, value.clone())));
                }
                _ => {}
            }
        }
        self.program.remove_accesses(accesses);
    }

    /// Declares a local with the value of an element, before the statements of a region that binding wrote.
    fn begins_with(&mut self, at: ProgramPoint, local: &Ident, element: AccessId) {
        let value = self.program.hole(Hole::Access(element));
        let kind = StatementKind::Rust(Box::new(parse_quote!(let mut #local = #value;)));
        let statements = &mut self.program.regions[at.region].statements;
        let index = statements.partition_point(|other| (other.number, other.order) < (0, Order::Own));
        statements.insert(index, Statement { number: 0, order: Order::Own, kind });
    }
}
