//! Dependences of small nests of constant lengths, point by point.
//!
//! Coordinates of any form are exact there, remainders and products among them.

use std::collections::BTreeMap;

use crate::ir::Candidate;
use crate::ir::{AccessId, Iteration};
use crate::locate;
use crate::symbolic::{Range, SymInt, Symbol};

use super::{Depends, Meeting};

/// The result of comparing all points of a nest with an order.
pub(crate) enum Enumerated {
    /// It keeps all of them in sequence.
    Kept,
    /// Two of them, so far apart, change places.
    Broken(Vec<Range>),
    /// The nest is not small, or the accesses differ in more than its variables.
    Unknown,
}

/// The most points of a nest that are looked at one by one.
const POINTS: i64 = 512;

impl Depends<'_> {
    /// Looks for a point of a write and one of another access of the same element that are not `kept`.
    pub(super) fn enumerate(
        &self,
        [write, other]: [AccessId; 2],
        kept: &dyn Fn(&[i64], &[i64]) -> bool,
    ) -> Enumerated {
        self.enumerated([write, other], kept).unwrap_or(Enumerated::Unknown)
    }

    fn enumerated(
        &self,
        [write, other]: [AccessId; 2],
        kept: &dyn Fn(&[i64], &[i64]) -> bool,
    ) -> Option<Enumerated> {
        let points = self.program.points(self.loops, POINTS)?;
        let candidates = |id: AccessId| -> Option<Candidate> {
            let mut all = locate::candidates(self.program, &self.program.accesses[id]).ok()?;
            all.pop().filter(|_| all.is_empty())
        };
        let (written, touched) = (candidates(write)?, candidates(other)?);
        match self.meeting(&written, &touched, other) {
            Meeting::Never => return Some(Enumerated::Kept),
            Meeting::AtCoordinates => {}
            Meeting::Unknown => return None,
        }
        let mut axes = Vec::new();
        for (a, b) in written.coordinates.iter().zip(&touched.coordinates) {
            let (Some((a, rest)), Some((b, others))) = (self.split(a), self.split(b)) else { continue };
            if let Some(apart) = others.sub(&rest).ok().and_then(|apart| apart.as_constant()) {
                axes.push((a, b, apart));
            }
        }
        let mut writers: BTreeMap<Vec<i64>, Vec<&Iteration>> = BTreeMap::new();
        for point in points.iter().filter(|point| self.runs(write, &point.values)) {
            let element = axes.iter().map(|(a, ..)| self.at(a, &point.values)).collect::<Option<Vec<_>>>()?;
            writers.entry(element).or_default().push(point);
        }
        for Iteration { numbers: to, values } in points.iter().filter(|point| self.runs(other, &point.values))
        {
            let element = axes
                .iter()
                .map(|(_, b, apart)| self.at(b, values)?.checked_add(*apart))
                .collect::<Option<Vec<_>>>()?;
            let mut from = writers.get(&element).into_iter().flatten().map(|point| &point.numbers);
            if let Some(from) = from.find(|from| !kept(from, to)) {
                let steps = to.iter().zip(from).map(|(to, from)| Range::exactly(to - from));
                return Some(Enumerated::Broken(steps.collect()));
            }
        }
        Some(Enumerated::Kept)
    }

    /// Whether an access may run at a point, as far as conditions around it are about the variables alone.
    fn runs(&self, access: AccessId, values: &[i64]) -> bool {
        let around = self.program.ancestors(self.program.accesses[access].position.region);
        let own = |symbol: &Symbol| self.is_variable(symbol);
        let fails = |fact: &SymInt| {
            fact.symbols().iter().all(own) && self.at(fact, values).is_some_and(|value| value < 0)
        };
        let inside = around.take_while(|region| *region != self.body);
        !inside.into_iter().any(|region| self.program.regions[region].own_facts().iter().any(fails))
    }

    /// Splits a coordinate into the terms in the variables alone and those without any of them.
    fn split(&self, coordinate: &SymInt) -> Option<(SymInt, SymInt)> {
        let own = |symbol: &Symbol| self.is_variable(symbol);
        let (moving, rest) = coordinate.partition_terms(&|symbols| symbols.iter().any(own));
        let alone =
            moving.symbols().iter().all(own) && !rest.symbols().iter().any(|symbol| self.varies(symbol));
        alone.then_some((moving, rest))
    }

    fn at(&self, sym: &SymInt, values: &[i64]) -> Option<i64> {
        let variable = |symbol: &Symbol| {
            let axis = self.loops.iter().position(|id| self.program.loops[*id].symbol == *symbol);
            axis.map_or(0, |axis| values[axis])
        };
        sym.eval(&variable)
    }
}
