//! Whether each element of a region is read.

use crate::ir::{AccessId, Producer, Program, RegionId, Steps};

use crate::symbolic::{Atom, SymInt};

use super::hull::{Around, Hull, around, index_of};

/// Whether each element of the box around what is read is read by some access whenever the nest of the stage runs.
///
/// All accesses run unconditionally, in the same loops as far as their indices depend on these, and their indices differ by
/// constants. Each axis is covered without gaps: no loop's step exceeds the width of the constant offsets. All combinations
/// of the offsets of the axes are there.
pub(super) fn is_exact(program: &Program, producer: &Producer, reads: &[AccessId], hull: &Hull) -> bool {
    exact(program, producer, reads, hull).unwrap_or(false)
}

fn exact(program: &Program, producer: &Producer, reads: &[AccessId], hull: &Hull) -> Option<bool> {
    let loops = moving(program, producer, *reads.first()?, hull)?;
    let mut bases = Vec::new();
    let mut offsets: Vec<Vec<i64>> = Vec::new();
    for id in reads {
        let own = moving(program, producer, *id, hull)?;
        let is_same = own.iter().map(|own| &own.symbol).eq(loops.iter().map(|own| &own.symbol));
        if !is_same || !is_read(program, producer, reads, *id) {
            return Some(false);
        }
        let index = index_of(program, producer, *id)?;
        let constants: Vec<i64> = index.iter().map(SymInt::constant_part).collect();
        let own: Vec<_> = index
            .iter()
            .zip(&constants)
            .map(|(at, constant)| at.sub(&SymInt::constant(*constant)).ok())
            .collect::<Option<_>>()?;
        if bases.is_empty() {
            bases = own;
        } else if bases != own {
            return Some(false);
        }
        if !offsets.contains(&constants) {
            offsets.push(constants);
        }
    }
    // Loops whose bounds depend on one another do not span a box.
    let is_cut = |own: &Steps| {
        let mut others = loops.iter().map(|other| &other.symbol);
        others.any(|symbol| [&own.first, &own.last, &own.runs].into_iter().any(|end| end.mentions(symbol)))
    };
    if loops.iter().any(is_cut) || producer.tile.as_ref().is_some_and(|tile| !tile.is_box) {
        return Some(false);
    }
    let mut combinations = 1;
    for (axis, base) in bases.iter().enumerate() {
        let mut own: Vec<i64> = offsets.iter().map(|offset| offset[axis]).collect();
        own.sort_unstable();
        own.dedup();
        combinations *= own.len();
        if own.windows(2).any(|pair| pair[1] - pair[0] != 1) {
            return Some(false);
        }
        // A quotient steps over no index where its numerator steps by no more than the divisor.
        let (base, divisor) = numerator(base);
        let width = i64::try_from(own.len()).ok()?.checked_mul(divisor)?;
        for Steps { symbol, step, .. } in &loops {
            if !base.mentions(symbol) {
                continue;
            }
            let coefficient = base.coefficient(symbol)?.as_constant()?;
            let factor = coefficient.checked_mul(*step)?;
            let rest = base.sub(&SymInt::symbol(symbol).scale(coefficient).ok()?).ok()?;
            let elsewhere =
                bases.iter().enumerate().any(|(other, base)| other != axis && base.mentions(symbol));
            if factor.abs() > width || rest.mentions(symbol) || elsewhere {
                return Some(false);
            }
        }
    }
    Some(combinations == offsets.len())
}

/// The loops around a read that its index depends on; `None` if another one may not run where the stage is computed.
fn moving(program: &Program, producer: &Producer, read: AccessId, hull: &Hull) -> Option<Vec<Steps>> {
    let index = index_of(program, producer, read)?;
    let loops = around(program, producer, read).into_iter().filter_map(|around| match around {
        Around::Loop(steps) => Some(steps),
        Around::Branch(_) | Around::Unknown => None,
    });
    let is_moving = |own: &Steps| index.iter().any(|at| at.mentions(&own.symbol));
    let (moving, others): (Vec<_>, Vec<_>) = loops.partition(is_moving);
    let runs = |own: &Steps| own.runs.range().is_nonnegative() || hull.runs.contains(&own.runs);
    others.iter().all(runs).then_some(moving)
}

/// The numerator and the divisor of a quotient, or the value itself and one.
fn numerator(base: &SymInt) -> (SymInt, i64) {
    match base.terms().collect::<Vec<_>>()[..] {
        [(1, [Atom::FloorDiv(numerator, divisor)])] if base.constant_part() == 0 => {
            (numerator.clone(), *divisor)
        }
        _ => (base.clone(), 1),
    }
}

/// Whether the element that an access reads is read in each iteration of the loops around it: by an access that runs, or
/// by one in each arm of a condition.
fn is_read(program: &Program, producer: &Producer, reads: &[AccessId], id: AccessId) -> bool {
    // What may leave the kernel before it has the next epoch.
    let before = program.regions[producer.position.region].epoch(producer.position.statement + 1);
    let same: Vec<AccessId> = reads
        .iter()
        .copied()
        .filter(|own| {
            let index = || index_of(program, producer, *own);
            Some(program.accesses[*own].epoch) == before
                && index().is_some()
                && index() == index_of(program, producer, id)
        })
        .collect();
    same.iter().any(|own| runs_in(program, producer, &same, (*own, None)))
}

/// Whether the element of an access is read whenever an arm around it runs, or the statements behind the stage's nest.
fn runs_in(
    program: &Program,
    producer: &Producer,
    same: &[AccessId],
    (id, arm): (AccessId, Option<RegionId>),
) -> bool {
    let around = around(program, producer, id);
    let inside =
        around.iter().take_while(|own| !matches!(own, Around::Branch(region) if Some(*region) == arm));
    let reads_in = |arm: RegionId| {
        let is_in = |own: &AccessId| program.within(program.accesses[*own].position.region, arm);
        same.iter().any(|own| is_in(own) && runs_in(program, producer, same, (*own, Some(arm))))
    };
    inside.into_iter().all(|own| match own {
        Around::Loop(_) => true,
        Around::Branch(region) => {
            let arms = &program.regions[*region].arms;
            !arms.is_empty() && arms.iter().all(|arm| arm == region || reads_in(*arm))
        }
        Around::Unknown => false,
    })
}
