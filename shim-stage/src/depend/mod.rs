//! Which points of a nest depend on one another.
//!
//! Two points depend on each other if both touch an element and one of them writes it. Two accesses of one block touch
//! the same element where all their coordinates agree. Of coordinates that are linear in the loops' variables, or
//! quotients of such, with equal coefficients, that is a system of equations in the distance between the points; it is
//! solved by intervals and divisibility. Any other axis says nothing, unless its coordinates are never equal.

mod cause;
mod crossed;
mod enumerate;
mod linear;
mod steps;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use shim_core::Layout;

use crate::ir::{
    AccessId, Addressing, Boundary, BufferId, Constraint, Domain, Id, LoopId, Memory, NestId, Program,
    RegionId,
};
use crate::ir::{Candidate, Element};
use crate::locate;
use crate::symbolic::{Facts, Range, SymInt, Symbol};

pub(crate) use cause::{Cause, cause};
use crossed::Crossed;
pub(crate) use enumerate::Enumerated;
use linear::{Linear, Quotient};
pub(crate) use steps::shown;
use steps::{Equation, distances, gcd};

/// Two accesses of which one writes, and how far after the first point the other one may touch the same element.
#[derive(Debug, Clone)]
pub(crate) struct Dependence {
    /// The write.
    pub(crate) write: AccessId,
    /// The other access, which may be the same.
    pub(crate) other: AccessId,
    /// The distances from the point of the write to that of the other access, without zero.
    pub(crate) distances: Vec<Vec<Range>>,
    /// Whether the coordinates of the accesses say nothing.
    pub(crate) unknown: bool,
}

impl Dependence {
    /// The accesses and the distances, for dumps.
    pub(crate) fn text(&self) -> String {
        let distances: Vec<String> =
            self.distances.iter().map(|distance| format!("[{}]", shown(distance))).collect();
        let unknown = if self.unknown { ", unknown" } else { "" };
        format!("a{} to a{}: {}{unknown}", self.write.index(), self.other.index(), distances.join(" "))
    }
}

/// The dependences between points of a nest, before it is transformed.
pub(crate) fn dependences(program: &Program, nest: NestId) -> Vec<Dependence> {
    let depends = Depends::new(program, nest);
    let body = program.nests[nest].body;
    let mut accesses = program.accesses_while(body);
    accesses.retain(|id| program.accesses[*id].kind.touches());
    let mut seen: BTreeSet<(AccessId, AccessId)> = BTreeSet::new();
    let mut found = Vec::new();
    for write in &accesses {
        let writing = &program.accesses[*write];
        let own = program.allocated(writing.view.buffer).region;
        // Memory of a point's own, or of the tile that it is in.
        if !writing.kind.writes()
            || !program.within(writing.position.region, body)
            || program.within(own, body)
            || program.is_of_tile(writing.view.buffer)
        {
            continue;
        }
        for other in &accesses {
            if seen.insert((*write.min(other), *write.max(other))) {
                found.extend(depends.between(*write, *other));
            }
        }
    }
    found
}

/// Whether a write and another access of one point of a nest may touch the same element.
pub(crate) fn meets(program: &Program, nest: NestId) -> impl Fn(AccessId, AccessId) -> bool + '_ {
    let depends = Depends::new(program, nest);
    move |write, other| {
        let at_zero = |equation: &Equation| equation.holds_at(0);
        let here = vec![Range::ZERO; depends.loops.len()];
        let at_point = |meets: &Meets| {
            meets.equations.iter().all(at_zero)
                && !meets.crossed.iter().any(|crossed| depends.contradicts(crossed, &here))
        };
        let meetings = depends.meetings(write, other);
        meetings.is_none_or(|meetings| meetings.iter().any(at_point))
    }
}

/// Whether each two points of a dependence are `kept`, by enumeration of the points of a small nest.
pub(crate) fn enumerate(
    program: &Program,
    nest: NestId,
    dependence: &Dependence,
    kept: &dyn Fn(&[i64], &[i64]) -> bool,
) -> Enumerated {
    // A closure runs wherever it is called. `Depends::meeting` looks at the other access.
    if program.in_closure(program.accesses[dependence.write].position.region) {
        return Enumerated::Unknown;
    }
    Depends::new(program, nest).enumerate([dependence.write, dependence.other], kept)
}

struct Depends<'p> {
    program: &'p Program,
    loops: &'p [LoopId],
    body: RegionId,
    /// What holds before the nest.
    facts: Facts,
    /// The distances that fit the loops.
    axes: Vec<Range>,
    /// How far the last value of each loop is from the first, if that is known.
    widths: Vec<Option<SymInt>>,
    /// The box around the nest.
    domain: Option<Domain>,
    /// The elements that each access may reach, located once: an access is in many pairs.
    reached: RefCell<BTreeMap<AccessId, Option<Rc<Targets>>>>,
}

/// The elements of blocks that an access may reach, in the names of the nest.
struct Targets {
    /// The one that a write goes to, if there is a block for it.
    written: Option<Candidate>,
    touched: Vec<Candidate>,
}

impl<'p> Depends<'p> {
    fn new(program: &'p Program, nest: NestId) -> Self {
        let (loops, body) = (&program.nests[nest].loops[..], program.nests[nest].body);
        let facts =
            program.regions[body].parent.map_or_else(Facts::new, |parent| program.facts_at(parent).clone());
        let domain = program.domain(loops);
        let width = |axis: usize| -> Option<SymInt> {
            if !program.is_cut(loops[axis], loops) {
                return Some(program.loops[loops[axis]].runs.clone());
            }
            let [least, most] = &domain.as_ref()?.ends[axis];
            most.sub(least).ok()
        };
        let widths: Vec<Option<SymInt>> = (0..loops.len()).map(width).collect();
        let most = |(id, width): (&LoopId, &Option<SymInt>)| {
            let last = width.as_ref().and_then(|width| width.range().hi);
            let last = last.map(|last| last / program.loops[*id].step().abs());
            last.map_or(Range::UNKNOWN, |last| Range::within(last.max(0)))
        };
        let axes = loops.iter().zip(&widths).map(most).collect();
        Depends { program, loops, body, facts, axes, widths, domain, reached: RefCell::default() }
    }

    /// The dependence between a write and another access, if there is one.
    fn between(&self, write: AccessId, other: AccessId) -> Option<Dependence> {
        let dependence = |distances, unknown| Some(Dependence { write, other, distances, unknown });
        let Some(meetings) = self.meetings(write, other) else {
            return dependence(distances(&self.axes, &[]), true);
        };
        let mut all = Vec::new();
        for Meets { equations, crossed } in &meetings {
            let mut found = distances(&self.axes, equations);
            found.retain(|distance| !crossed.iter().any(|crossed| self.contradicts(crossed, distance)));
            if equations.is_empty() && !found.is_empty() {
                return dependence(found, true);
            }
            all.extend(found);
        }
        if all.is_empty() { None } else { dependence(all, false) }
    }

    /// The constraints on the distance between two points that touch one element, for each block in which they may;
    /// `None` if nothing is known.
    fn meetings(&self, write: AccessId, other: AccessId) -> Option<Vec<Meets>> {
        let (writes, touches) = (self.reached(write)?, self.reached(other)?);
        let Some(written) = &writes.written else { return Some(Vec::new()) };
        let mut meetings = Vec::new();
        for candidate in &touches.touched {
            match self.meeting(written, candidate, other) {
                Meeting::Never => {}
                Meeting::AtCoordinates if self.is_beside([write, other], written, candidate) => {}
                Meeting::AtCoordinates => meetings.extend(self.constraints(written, candidate)),
                Meeting::Unknown => return None,
            }
        }
        Some(meetings)
    }

    /// What an access reaches; `None` if that is not known.
    fn reached(&self, id: AccessId) -> Option<Rc<Targets>> {
        if let Some(known) = self.reached.borrow().get(&id) {
            return known.clone();
        }
        let access = &self.program.accesses[id];
        let found = locate::candidates(self.program, access).ok().map(|candidates| {
            let written = candidates.last().cloned();
            let touched = match &access.element {
                Element::Inside(candidate) => vec![candidate.clone()],
                _ => candidates,
            };
            Rc::new(Targets { written, touched })
        });
        self.reached.borrow_mut().insert(id, found.clone());
        found
    }

    /// How a written element and one that access `other` touches may be in one place of memory.
    fn meeting(&self, written: &Candidate, touched: &Candidate, other: AccessId) -> Meeting {
        let program = self.program;
        let overlap = program.may_overlap(touched.buffer, written.buffer);
        if touched.buffer != written.buffer && !overlap {
            return Meeting::Never;
        }
        let unknown = overlap
            || !program.is_fixed(written.buffer)
            || !is_injective(program, &self.facts, written.buffer)
            || self.folds(other)
            || program.in_closure(program.accesses[other].position.region);
        if unknown { Meeting::Unknown } else { Meeting::AtCoordinates }
    }

    /// Whether a boundary rule may give another element than the one at the coordinates.
    fn folds(&self, access: AccessId) -> bool {
        let boundary = self.program.accesses[access].view.boundary.as_ref();
        boundary.is_some_and(Boundary::folds)
            && !matches!(self.program.accesses[access].element, Element::Inside(_))
    }

    /// Whether a value is the same in the whole nest.
    fn stays(&self, sym: &SymInt) -> bool {
        !sym.symbols().iter().any(|symbol| self.is_variable(symbol) || self.varies(symbol))
    }

    /// Whether a symbol is the variable of a loop of the nest.
    fn is_variable(&self, symbol: &Symbol) -> bool {
        self.loops.iter().any(|id| self.program.loops[*id].symbol == *symbol)
    }

    /// Whether a coordinate of one access is the same in the whole nest, and that of the other one always less or
    /// greater, as the bounds of loops inside say: column `k` beside columns from `k + 1` on.
    fn is_beside(&self, accesses: [AccessId; 2], written: &Candidate, touched: &Candidate) -> bool {
        let [at_write, at_other] =
            accesses.map(|id| self.program.facts_at(self.program.accesses[id].position));
        written.coordinates.iter().zip(&touched.coordinates).any(|(a, b)| {
            self.stays(b) && (at_write.proves_lt(a, b) || at_write.proves_lt(b, a))
                || self.stays(a) && (at_other.proves_lt(a, b) || at_other.proves_lt(b, a))
        })
    }

    /// The constraints on the distance between points that touch the same element; `None` if no two points do.
    fn constraints(&self, written: &Candidate, touched: &Candidate) -> Option<Meets> {
        let mut meets = Meets { equations: Vec::new(), crossed: Vec::new() };
        for (a, b) in written.coordinates.iter().zip(&touched.coordinates) {
            match self.axis(a, b) {
                Equal::Never => return None,
                Equal::At(equation) => meets.equations.push(equation),
                Equal::Anywhere => meets.crossed.extend(self.crossed(a, b)),
            }
        }
        Some(meets)
    }

    fn axis(&self, a: &SymInt, b: &SymInt) -> Equal {
        let disjoint = |a: &SymInt, b: &SymInt| {
            let [a, b] = [a, b].map(SymInt::range);
            a.intersect(b).is_empty()
        };
        if disjoint(a, b) {
            return Equal::Never;
        }
        let quotients = [a, b].map(|sym| Quotient::of(sym, self));
        let [Some(a), Some(b)] = quotients else { return self.remainders([a, b]) };
        if a.divisor != b.divisor {
            return Equal::Anywhere;
        }
        let (first, second) = (&a.linear, &b.linear);
        // floor(m / q) + s == floor(n / q) + t where n - m is in q * (s - t) - (q - 1) ..= q * (s - t) + q - 1.
        let offset = a.offset.saturating_sub(b.offset).saturating_mul(a.divisor);
        let slack = Range::within(a.divisor - 1).plus(Range::exactly(offset));
        let apart = match (first.rest.sub(&second.rest), first.moving.plus(second.moving.negated())) {
            (Ok(rest), moving) => {
                let range = rest.range();
                if self.out_of_reach(first, second, &rest, moving.plus(slack)) {
                    return Equal::Never;
                }
                range.plus(moving).plus(slack)
            }
            (Err(_), _) => return Equal::Anywhere,
        };
        if self.are_apart([&a, &b]) {
            return Equal::Never;
        }
        if first.coefficients != second.coefficients {
            let all = first.coefficients.iter().chain(&second.coefficients);
            let divisor = all.fold(0, |divisor, coefficient| gcd(divisor, *coefficient));
            let never = divisor == 0 && apart.intersect(Range::ZERO).is_empty()
                || divisor != 0 && apart.divided(divisor).is_empty();
            return if never { Equal::Never } else { Equal::Anywhere };
        }
        let steps = self.loops.iter().map(|id| self.program.loops[*id].step());
        let coefficients: Vec<i64> = first
            .coefficients
            .iter()
            .zip(steps)
            .map(|(coefficient, step)| coefficient.saturating_mul(step))
            .collect();
        if coefficients.iter().all(|coefficient| *coefficient == 0) {
            return if apart.intersect(Range::ZERO).is_empty() { Equal::Never } else { Equal::Anywhere };
        }
        Equal::At(Equation { coefficients, sum: apart, modulus: None })
    }

    /// Where coordinates with multiples of one number are equal: without them, they are apart by one. A remainder is
    /// such, as `x % k` is `x - k * (x / k)`.
    fn remainders(&self, coordinates: [&SymInt; 2]) -> Equal {
        let [Some((a, k)), Some((b, other))] = coordinates.map(|sym| Linear::with_multiples(sym, self))
        else {
            return Equal::Anywhere;
        };
        let Ok(rest) = a.rest.sub(&b.rest) else { return Equal::Anywhere };
        let sum = rest.range().plus(a.moving).plus(b.moving.negated());
        let modulus = gcd(k, other);
        if modulus < 2 || a.coefficients != b.coefficients || sum.lo.is_none() || sum.hi.is_none() {
            return Equal::Anywhere;
        }
        match self.in_steps(&a.coefficients) {
            Some(coefficients) => Equal::At(Equation { coefficients, sum, modulus: Some(modulus) }),
            None => Equal::Anywhere,
        }
    }

    /// Whether one coordinate is greater than another one at all points, by what holds before the nest.
    fn are_apart(&self, coordinates: [&Quotient; 2]) -> bool {
        let Some(Domain { ends, .. }) = &self.domain else { return false };
        let extreme = |coordinate: &Quotient, greatest: bool| {
            let Linear { coefficients, moving, rest } = &coordinate.linear;
            let own = Constraint { factors: coefficients.clone(), rest: rest.clone() };
            let moved = if greatest { moving.hi } else { moving.lo }?;
            own.extreme(ends, greatest).ok()?.add(&SymInt::constant(moved)).ok()
        };
        let above = |more: &Quotient, less: &Quotient| {
            let [least, most] = [extreme(more, false), extreme(less, true)];
            let apart = least.zip(most).and_then(|(least, most)| least.sub(&most).ok());
            apart
                .and_then(|apart| apart.sub(&SymInt::constant(1)).ok())
                .is_some_and(|apart| self.facts.proves_nonneg(&apart))
        };
        let [a, b] = coordinates;
        a.divisor == 1 && (above(a, b) || above(b, a))
    }

    /// Whether two coordinates that move with one loop alone are further apart than the loop is long.
    fn out_of_reach(&self, first: &Linear, second: &Linear, rest: &SymInt, slack: Range) -> bool {
        let mut moving = (0..self.loops.len()).filter(|axis| first.coefficients[*axis] != 0);
        let (Some(axis), None) = (moving.next(), moving.next()) else { return false };
        let (Some(lo), Some(hi)) = (slack.lo, slack.hi) else { return false };
        if first.coefficients != second.coefficients {
            return false;
        }
        let Some(width) = &self.widths[axis] else { return false };
        let longest = width.scale(first.coefficients[axis].abs());
        let beyond = |rest: Result<SymInt, _>, slack: i64| {
            let room = rest.and_then(|rest: SymInt| rest.sub(longest.as_ref().map_err(Clone::clone)?));
            room.and_then(|room| room.add(&SymInt::constant(slack)))
                .and_then(|room| room.sub(&SymInt::constant(1)))
                .is_ok_and(|room| self.facts.proves_nonneg(&room))
        };
        beyond(Ok(rest.clone()), lo) || beyond(rest.neg(), hi.saturating_neg())
    }
}

/// Whether two elements of a block are in one place only if their coordinates agree. An order is one-to-one; strides
/// are if each steps over all elements along the axes inside.
pub(crate) fn is_injective(program: &Program, facts: &Facts, id: BufferId) -> bool {
    let buffer = &program.buffers[id];
    let Addressing::Flat(layout) = &buffer.addressing else { return true };
    let extents = &buffer.space.extents;
    if layout.size().is_some() || Layout::row_major(extents).is_ok_and(|order| order == *layout) {
        return match buffer.memory {
            Memory::Over { of, .. } => is_injective(program, facts, of),
            _ => true,
        };
    }
    let Some(strides) = layout.strides() else { return false };
    // Which way an axis runs does not matter.
    let length = |stride: SymInt| match stride.neg() {
        Ok(back) if facts.proves_nonneg(&back) => back,
        _ => stride,
    };
    let strides: Vec<SymInt> = strides.into_iter().map(length).collect();
    let steps_over = |axes: &mut dyn Iterator<Item = usize>| {
        let mut inside = SymInt::constant(1);
        axes.filter(|axis| extents[*axis].as_constant() != Some(1)).all(|axis| {
            let over = strides[axis].sub(&inside).is_ok_and(|over| facts.proves_nonneg(&over));
            let next = strides[axis].mul(&extents[axis]);
            over && next.map(|next| inside = next).is_ok()
        })
    };
    steps_over(&mut (0..strides.len()).rev()) || steps_over(&mut (0..strides.len()))
}

/// The points of a write and of another access that touch one element.
struct Meets {
    /// Equations of the distance between them.
    equations: Vec<Equation>,
    /// Equations of both points.
    crossed: Vec<Crossed>,
}

/// How two elements may be in one place of memory.
enum Meeting {
    Never,
    /// Where their coordinates agree, and nowhere else.
    AtCoordinates,
    /// Wherever they are, as far as is known.
    Unknown,
}

/// Where two coordinates are equal.
enum Equal {
    Never,
    At(Equation),
    Anywhere,
}
