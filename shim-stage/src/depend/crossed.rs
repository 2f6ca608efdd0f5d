//! Coordinates that move differently, as `t[[i, j]]` and `t[[j, k]]` have, and what the domain of the nest says about
//! them.

use crate::ir::Constraint;
use crate::symbolic::{Range, SymInt};

use super::Depends;
use super::linear::Linear;

/// Two coordinates that are equal at a point `p` and at `p + d`: `point * p - distance * d + rest` is zero.
#[derive(Debug)]
pub(super) struct Crossed {
    point: Vec<i64>,
    /// The factors of numbers of iterations.
    distance: Vec<i64>,
    rest: SymInt,
}

impl Depends<'_> {
    /// The equation that two coordinates are equal, if each is a sum of variables of the nest and values that stay.
    pub(super) fn crossed(&self, a: &SymInt, b: &SymInt) -> Option<Crossed> {
        let [a, b] = [Linear::of(a, self)?, Linear::of(b, self)?];
        if a.moving != Range::ZERO || b.moving != Range::ZERO || a.coefficients == b.coefficients {
            return None;
        }
        let point = a.coefficients.iter().zip(&b.coefficients);
        let point = point.map(|(a, b)| a.checked_sub(*b)).collect::<Option<_>>()?;
        Some(Crossed { point, distance: self.in_steps(&b.coefficients)?, rest: a.rest.sub(&b.rest).ok()? })
    }

    /// Factors of values as those of numbers of iterations.
    pub(super) fn in_steps(&self, factors: &[i64]) -> Option<Vec<i64>> {
        let steps = self.loops.iter().map(|id| self.program.loops[*id].step());
        factors.iter().zip(steps).map(|(factor, step)| factor.checked_mul(step)).collect()
    }

    /// Whether no two points at a distance meet an equation: it would take one of them out of the domain.
    pub(super) fn contradicts(&self, crossed: &Crossed, distance: &[Range]) -> bool {
        let Some(domain) = &self.domain else { return false };
        let Some(moved) = product(&crossed.distance, distance) else { return false };
        // The value of `point * p`.
        let Ok(own) = SymInt::constant(moved).sub(&crossed.rest) else { return false };
        let unit = |axis: usize, factor: i64, rest: SymInt| {
            let factors = (0..distance.len()).map(|own| if own == axis { factor } else { 0 }).collect();
            Constraint { factors, rest }
        };
        let ends = domain.ends.iter().enumerate().flat_map(|(axis, [least, most])| {
            [least.neg().ok().map(|rest| unit(axis, 1, rest)), Some(unit(axis, -1, most.clone()))]
        });
        let all = domain.constraints.iter().cloned().chain(ends.flatten());
        all.into_iter().any(|Constraint { factors, rest }| {
            let sign = [1, -1].into_iter().find(|sign| {
                factors.iter().zip(&crossed.point).all(|(factor, point)| *factor == sign * point)
            });
            let Some(sign) = sign else { return false };
            let Ok(at) = own.scale(sign).and_then(|own| own.add(&rest)) else { return false };
            // The value at the other point.
            let beyond = self.in_steps(&factors).and_then(|steps| product(&steps, distance));
            let other = beyond.and_then(|beyond| at.add(&SymInt::constant(beyond)).ok());
            [Some(at), other].into_iter().flatten().any(|value| {
                let below = value.neg().and_then(|below| below.sub(&SymInt::constant(1)));
                below.is_ok_and(|below| self.facts.proves_nonneg(&below))
            })
        })
    }
}

/// The sum of products, if the distances are known that count.
fn product(factors: &[i64], distance: &[Range]) -> Option<i64> {
    factors
        .iter()
        .zip(distance)
        .filter(|(factor, _)| **factor != 0)
        .try_fold(0_i64, |sum, (factor, steps)| sum.checked_add(factor.checked_mul(steps.as_exact()?)?))
}
