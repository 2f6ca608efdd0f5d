//! Loops over a variable that is divided: `t[[y, x / 2]]`, `t[[y, x % 2]]`.
//!
//! Such a coordinate is no sum of variables, so that the loop has no interior, and LLVM makes no vectors of it. Where the
//! iterations of a period are written out, each coordinate is a sum: the loop is unrolled by its period.

use crate::ir::{Loop, LoopId, LoopMode, NestId, Program, RegionKind, Schedule, Word};
use crate::symbolic::{Atom, SymInt, Symbol};

/// The greatest period for which a loop is written out.
const MAX_PERIOD: i64 = 4;

/// The most accesses of a body that is written out.
const MOST: usize = 16;

/// The trip count from which a loop is written out.
const LONG: i64 = 32;

/// Gives loops without words, whose variable is divided in indices, their period: those of stages, or the others.
pub(super) fn assign(program: &mut Program, of_stages: bool) {
    let nests: Vec<NestId> = program.nests.ids().collect();
    for id in nests {
        let nest = &program.nests[id];
        if nest.produces.is_some() != of_stages || program.is_in_unresolved(nest.body) {
            continue;
        }
        if let Some(period) = period(program, id) {
            let words = vec![Word::UnrollBy(period)];
            let schedule = Schedule { words, ..Schedule::default() };
            program.nests[id].schedule = Some(Box::new(schedule));
        }
    }
}

/// The period of the innermost loop of a nest, if it is worth writing out.
fn period(program: &Program, id: NestId) -> Option<i64> {
    let nest = &program.nests[id];
    let innermost: LoopId = *nest.loops.last()?;
    let Loop { symbol, first, runs, mode, .. } = &program.loops[innermost];
    let is_plain = |region| {
        matches!(program.regions[region].kind, RegionKind::Plain | RegionKind::Branch) || region == nest.body
    };
    if nest.schedule.is_some()
        || nest.loops.iter().any(|id| program.is_cut(*id, &nest.loops))
        || program.loops[innermost].step() != 1
        || *mode != LoopMode::Serial
        || first.as_constant().is_none()
        || runs.as_constant().is_some_and(|last| last < LONG)
        || program.is_opaque(id)
        || !program.regions_in(nest.body).into_iter().all(is_plain)
    {
        return None;
    }
    let accesses = program.accesses_in(nest.body);
    if accesses.len() > MOST {
        return None;
    }
    let mut found = Vec::new();
    for access in accesses {
        for candidate in program.accesses[access].element.candidates() {
            candidate.coordinates.iter().for_each(|own| divisors(own, symbol, &mut found));
        }
    }
    let period = found.iter().copied().max()?;
    let is_common = found.iter().all(|own| period % own == 0);
    (is_common && period <= MAX_PERIOD).then_some(period)
}

/// Whether the quotient of a sum by a divisor is a sum in each iteration of a period.
fn is_periodic(numerator: &SymInt, variable: &Symbol, divisor: i64) -> bool {
    let rest = || {
        let factor = numerator.coefficient(variable)?.as_constant()?;
        numerator.sub(&SymInt::symbol(variable).scale(factor).ok()?).ok()
    };
    rest().is_some_and(|rest| rest.terms().all(|(factor, _)| factor % divisor == 0))
}

/// The numbers that sums of a variable are divided by.
fn divisors(value: &SymInt, variable: &Symbol, found: &mut Vec<i64>) {
    for (_, monomial) in value.terms() {
        for atom in monomial {
            match atom {
                Atom::FloorDiv(numerator, divisor) if numerator.mentions(variable) => {
                    found.extend(is_periodic(numerator, variable, *divisor).then_some(*divisor));
                    divisors(numerator, variable, found);
                }
                Atom::Min(a, b) | Atom::Max(a, b) => {
                    divisors(a, variable, found);
                    divisors(b, variable, found);
                }
                _ => {}
            }
        }
    }
}
