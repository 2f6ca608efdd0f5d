//! The points of a nest: a box, of which a bound that mentions an outer variable cuts parts off.

use shim_core::{Integer as _, LocationError};

use crate::symbolic::{Atom, SymError, SymInt, Symbol};

use super::{Loop, LoopId, LoopKind, Program, RegionKind};

/// The points of a nest.
#[derive(Debug, Clone)]
pub(crate) struct Domain {
    /// The least and the greatest value of each variable that a point may have.
    pub(crate) ends: Vec<[SymInt; 2]>,
    /// What holds of the points of the box that are points of the nest, if not of all.
    pub(crate) constraints: Vec<Constraint>,
}

/// That a sum of variables is at least zero.
#[derive(Debug, Clone)]
pub(crate) struct Constraint {
    /// One factor for each variable.
    pub(crate) factors: Vec<i64>,
    /// What is added to their products, and does not change in the nest.
    pub(crate) rest: SymInt,
}

impl Constraint {
    /// A constraint on variables, if the sum is affine in them.
    pub(crate) fn of(sum: &SymInt, variables: &[&Symbol]) -> Option<Self> {
        let mut rest = sum.clone();
        let mut factors = Vec::new();
        for variable in variables {
            let factor = rest.coefficient(variable)?.as_constant()?;
            rest = rest.sub(&SymInt::symbol(variable).scale(factor).ok()?).ok()?;
            factors.push(factor);
        }
        Some(Constraint { factors, rest })
    }

    /// The sum where each variable that counts against it is as great as it can be, and each other one as small, or the
    /// other way round.
    pub(crate) fn extreme(&self, ends: &[[SymInt; 2]], greatest: bool) -> Result<SymInt, SymError> {
        let mut sum = self.rest.clone();
        for (factor, [least, most]) in self.factors.iter().zip(ends) {
            let end = if (*factor > 0) == greatest { most } else { least };
            sum = sum.add(&end.scale(*factor)?)?;
        }
        Ok(sum)
    }
}

impl Program {
    /// Whether the bounds of a loop mention the variables of others.
    pub(crate) fn is_cut(&self, id: LoopId, others: &[LoopId]) -> bool {
        let for_loop = &self.loops[id];
        others.iter().map(|other| &self.loops[*other].symbol).any(|symbol| {
            [&for_loop.first, &for_loop.last, &for_loop.runs].into_iter().any(|bound| bound.mentions(symbol))
        })
    }

    /// How many loops are around one. Its bounds may depend on these alone.
    pub(crate) fn depth(&self, id: LoopId) -> usize {
        let nest = &self.nests[self.loops[id].nest];
        let own = nest.loops.iter().position(|other| *other == id).unwrap_or(0);
        let around = self.ancestors(nest.body).skip(1).map(|region| match self.regions[region].kind {
            RegionKind::Nest(nest) => self.nests[nest].loops.len(),
            _ => 0,
        });
        own + around.sum::<usize>()
    }

    /// The number of indices of the box along an axis.
    pub(crate) fn extent(
        &self,
        loops: &[LoopId],
        axis: usize,
        domain: &Domain,
    ) -> Result<SymInt, LocationError> {
        if !self.is_cut(loops[axis], loops) {
            return self.loops[loops[axis]].extent();
        }
        let [least, greatest] = &domain.ends[axis];
        greatest.sub(least)?.add(&SymInt::constant(1))?.at_least_zero()
    }

    /// The points of loops; `None` where a bound is no sum of outer variables, or a loop that has one runs in steps.
    pub(crate) fn domain(&self, loops: &[LoopId]) -> Option<Domain> {
        let variables: Vec<&Symbol> = loops.iter().map(|id| &self.loops[*id].symbol).collect();
        let mut ends: Vec<[SymInt; 2]> = Vec::new();
        let mut constraints = Vec::new();
        for (axis, id) in loops.iter().enumerate() {
            let Loop { symbol, first, last, kind, .. } = &self.loops[*id];
            if !self.is_cut(*id, loops) {
                ends.push([first.clone(), last.clone()]);
                continue;
            }
            if !matches!(kind, LoopKind::Index { .. } | LoopKind::Range { step: 1 | -1, .. }) {
                return None;
            }
            let value = SymInt::symbol(symbol);
            let mut own: [Option<SymInt>; 2] = [None, None];
            for (end, sum) in [value.sub(first).ok()?, last.sub(&value).ok()?].into_iter().enumerate() {
                for part in parts(sum) {
                    let constraint = Constraint::of(&part, &variables)?;
                    // The variables inside are not bounded yet, and no bound mentions them.
                    if constraint.factors[axis + 1..].iter().any(|factor| *factor != 0) {
                        return None;
                    }
                    let mut around = constraint.clone();
                    around.factors.truncate(axis);
                    let furthest = around.extreme(&ends, true).ok()?;
                    // `value + furthest >= 0` below, and `furthest - value >= 0` above.
                    own[end] = Some(match (own[end].take(), end) {
                        (None, 0) => furthest.neg().ok()?,
                        (None, _) => furthest,
                        (Some(known), 0) => SymInt::max(&known, &furthest.neg().ok()?).ok()?,
                        (Some(known), _) => SymInt::min(&known, &furthest).ok()?,
                    });
                    if constraint.factors[..axis].iter().any(|factor| *factor != 0) {
                        constraints.push(constraint);
                    }
                }
            }
            let [Some(least), Some(most)] = own else { return None };
            ends.push([least, most]);
        }
        Some(Domain { ends, constraints })
    }
}

/// Sums that are all at least zero where `sum` is: of a least or greatest value, one for each operand.
fn parts(sum: SymInt) -> Vec<SymInt> {
    let split = sum.terms().find_map(|(factor, atoms)| {
        let [atom] = atoms else { return None };
        let (whole, operands) = match atom {
            Atom::Min(a, b) if factor > 0 => (SymInt::min(a, b).ok()?, [a, b]),
            Atom::Max(a, b) if factor < 0 => (SymInt::max(a, b).ok()?, [a, b]),
            _ => return None,
        };
        let rest = sum.sub(&whole.scale(factor).ok()?).ok()?;
        let [first, second] = operands.map(|operand| rest.add(&operand.scale(factor).ok()?).ok());
        Some([first?, second?])
    });
    match split {
        Some(operands) => operands.into_iter().flat_map(parts).collect(),
        None => vec![sum],
    }
}
