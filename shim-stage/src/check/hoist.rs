//! How far out an assertion may stand.

use crate::ir::{Access, Assertion, Bound, Candidate, ContextKind, LoopId, Position, Program};
use crate::symbolic::{Atom, Facts, Sym, Symbol, slack};

use super::assertion::fits;
use super::density::reached;

/// The least and greatest coordinate on an axis, where they need a test.
type Extremes = (Option<Sym>, Option<Sym>);

/// The outermost assertion that says what `access` needs, if it may be asserted at all.
pub(super) fn assertion(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    facts: &Facts,
) -> Option<(Position, Assertion)> {
    let extents = candidate.extents(program);
    // What is proven where the access runs needs no test.
    let mut bounds: Vec<Extremes> = Vec::new();
    for (coordinate, extent) in candidate.coordinates.iter().zip(&extents) {
        let (below, above) = slack(coordinate, extent)?;
        let least = (!facts.proves_nonneg(&below)).then(|| coordinate.clone());
        let greatest = (!facts.proves_nonneg(&above)).then(|| coordinate.clone());
        bounds.push((least, greatest));
    }
    let (position, bounds, mut assertion) = outermost(program, access, candidate, bounds)?;
    assertion.bounds = bounds
        .into_iter()
        .map(|(least, greatest)| Bound {
            least: least.into_iter().collect(),
            greatest: greatest.into_iter().collect(),
        })
        .collect();
    Some((position, assertion))
}

/// The outermost assertion that what `access` folds on the axes `folded` fits `isize`, that those axes are not empty, and that it is
/// inside on the axes `inside`.
pub(super) fn folding(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    [folded, inside]: [&[usize]; 2],
) -> Option<(Position, Assertion)> {
    let extents = candidate.extents(program);
    let all = candidate.coordinates.iter().enumerate();
    let bounds = all
        .map(|(axis, coordinate)| {
            (folded.contains(&axis) || inside.contains(&axis)).then(|| coordinate.clone())
        })
        .map(|coordinate| (coordinate.clone(), coordinate))
        .collect();
    let (position, bounds, mut assertion) = outermost(program, access, candidate, bounds)?;
    assertion.bounds = vec![Bound::default(); extents.len()];
    for (axis, (least, greatest)) in bounds.into_iter().enumerate() {
        if inside.contains(&axis) {
            assertion.bounds[axis] =
                Bound { least: least.into_iter().collect(), greatest: greatest.into_iter().collect() };
        } else {
            assertion.folds.extend(least.into_iter().chain(greatest).filter(|sym| !fits(sym)));
        }
    }
    assertion.filled = folded.iter().map(|axis| extents[*axis].clone()).collect();
    Some((position, assertion))
}

/// The outermost place where the extremes of `bounds` over all that runs in between are known, with those extremes
/// and an assertion of nothing yet.
fn outermost(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    mut bounds: Vec<Extremes>,
) -> Option<(Position, Vec<Extremes>, Assertion)> {
    let storage = &program.storages[candidate.storage];
    let extents = &storage.space.extents;
    let mut crossed: Vec<LoopId> = Vec::new();
    let mut best = None;
    for at in program.outwards(access.position) {
        let context = &program.contexts[at.context];
        if context.clock.get(at.statement) != Some(&access.clock) {
            break;
        }
        let statement = at.statement;
        let visible = |statement: usize, bounds: &[Extremes]| {
            let place = Position { context: at.context, statement };
            program.knows(bounds.iter().flat_map(|(a, b)| a.iter().chain(b)), place)
                && program.knows(extents, place)
                && program.knows(&guards(program, &crossed), place)
                && program.visible(storage.bound, place)
        };
        if visible(statement, &bounds) {
            let quiet = context.clock[..statement].iter().rposition(|clock| *clock != access.clock);
            // What is visible before one statement is so before all that follow it: halving finds the first.
            let (mut first, mut last) = (quiet.map_or(0, |loud| loud + 1), statement);
            while first < last {
                let middle = usize::midpoint(first, last);
                if visible(middle, &bounds) { last = middle } else { first = middle + 1 }
            }
            let earliest = Position { context: at.context, statement: first };
            best = Some((earliest, at, bounds.clone(), crossed.clone()));
        }
        match context.kind {
            ContextKind::Plain => {}
            ContextKind::Nest(nest) => {
                let nest = &program.nests[nest].loops;
                if nest.iter().any(|id| program.loops[*id].opaque) {
                    break;
                }
                let Some(outer) = leave(program, nest, &crossed, &bounds) else { break };
                bounds = outer;
                crossed.splice(0..0, nest.iter().copied());
            }
            ContextKind::Unknown | ContextKind::Branch | ContextKind::Closure => break,
        }
    }
    let (earliest, position, bounds, crossed) = best?;
    let assertion = Assertion {
        storage: candidate.storage,
        tensor: reached(program, access),
        guards: guards(program, &crossed),
        bounds: Vec::new(),
        folds: Vec::new(),
        filled: Vec::new(),
        earliest,
    };
    Some((position, bounds, assertion))
}

/// The conditions under which all of `loops` run, those that are certain left out.
fn guards(program: &Program, loops: &[LoopId]) -> Vec<Sym> {
    let mut found: Vec<Sym> = Vec::new();
    for id in loops {
        let runs = &program.loops[*id].runs;
        if !runs.range().is_nonnegative() && !found.contains(runs) {
            found.push(runs.clone());
        }
    }
    found
}

/// The extremes of `bounds` over a nest, innermost loop first; `None` when they are not at its corners.
fn leave(
    program: &Program,
    nest: &[LoopId],
    crossed: &[LoopId],
    bounds: &[Extremes],
) -> Option<Vec<Extremes>> {
    let mut bounds = bounds.to_vec();
    for (depth, id) in nest.iter().enumerate().rev() {
        let looping = &program.loops[*id];
        // An inner loop whose length depends on this one may not run for every value of it.
        let inner = nest[depth + 1..].iter().chain(crossed);
        for inner in inner {
            let inner = &program.loops[*inner];
            if inner.first.mentions(&looping.symbol) || inner.last.mentions(&looping.symbol) {
                return None;
            }
        }
        for (least, greatest) in &mut bounds {
            if let Some(sym) = least {
                *sym = extreme(sym, &looping.symbol, &looping.first, &looping.last)?;
            }
            if let Some(sym) = greatest {
                *sym = extreme(sym, &looping.symbol, &looping.last, &looping.first)?;
            }
        }
    }
    Some(bounds)
}

/// `sym` with `symbol` at the value that makes it extreme: `rising` if it grows with the symbol, else `falling`.
pub(super) fn extreme(sym: &Sym, symbol: &Symbol, rising: &Sym, falling: &Sym) -> Option<Sym> {
    let value = match direction(sym, symbol)? {
        Direction::None => return Some(sym.clone()),
        Direction::Rising => rising,
        Direction::Falling => falling,
    };
    sym.substitute(&|other| (other == symbol).then(|| value.clone())).ok()
}

/// How an expression moves when a symbol grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    None,
    Rising,
    Falling,
}

impl Direction {
    fn flip(self) -> Self {
        match self {
            Direction::None => Direction::None,
            Direction::Rising => Direction::Falling,
            Direction::Falling => Direction::Rising,
        }
    }

    fn join(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Direction::None, direction) | (direction, Direction::None) => Some(direction),
            (a, b) if a == b => Some(a),
            _ => None,
        }
    }
}

/// `None` when the expression is not known to be monotone in the symbol.
fn direction(sym: &Sym, symbol: &Symbol) -> Option<Direction> {
    let mut whole = Direction::None;
    for (coefficient, monomial) in sym.terms() {
        if !monomial.iter().any(|atom| atom.mentions(symbol)) {
            continue;
        }
        // One factor moves; the others must keep their sign.
        let mut moving = None;
        let mut negative = coefficient < 0;
        for atom in monomial {
            if atom.mentions(symbol) {
                if moving.replace(atom).is_some() {
                    return None;
                }
                continue;
            }
            let range = atom.range();
            if range.lo.is_some_and(|lo| lo >= 0) {
            } else if range.hi.is_some_and(|hi| hi <= 0) {
                negative = !negative;
            } else {
                return None;
            }
        }
        let own = match moving? {
            Atom::Symbol(_) => Direction::Rising,
            Atom::FloorDiv(numerator, _) => direction(numerator, symbol)?,
            Atom::Min(a, b) | Atom::Max(a, b) => direction(a, symbol)?.join(direction(b, symbol)?)?,
            Atom::Mod(..) | Atom::Op(..) => return None,
        };
        whole = whole.join(if negative { own.flip() } else { own })?;
    }
    Some(whole)
}
