//! Two adjacent loops become one in which the second one is some iterations behind the first.
//!
//! The source runs all iterations of the first loop before those of the second. With a lag `n`, iteration `j` of the
//! second loop runs right after iteration `j + n` of the first. So it may read what iterations up to `j + n` wrote.

use shim_core::{Integer, LocationError};
use syn::parse_quote;

use crate::ir::{
    Hole, Loop, LoopId, LoopKind, NameSupply, NestId, Program, ProgramPoint, RegionId, Substitution,
    SymbolSource, ValueType,
};
use crate::symbolic::{Facts, Range, SymError, SymInt};

use super::apply::defined;
use super::rejected::{Rejected, rejected};

/// The most iterations of a fused loop that belong to neither range.
const NEAR: i64 = 1 << 16;

/// The outermost loops of two nests before they became one.
pub(super) struct Lagging {
    first: Loop,
    second: Loop,
    lag: i64,
}

impl Lagging {
    /// The outermost loops of two nests. Those inside are the same.
    pub(super) fn of(program: &Program, [id, next]: [NestId; 2], lag: i64) -> Result<Self, Rejected> {
        let [one, other] = [id, next].map(|nest| &program.nests[nest].loops[..]);
        let ([first, one @ ..], [second, other @ ..]) = (one, other) else { return Err(differ()) };
        if !are_alike(program, one, other)? {
            return Err(differ());
        }
        let (first, second) = (program.loops[*first].clone(), program.loops[*second].clone());
        if first.step() != 1 || second.step() != 1 {
            return Err(rejected(
                "a lag between loops that run in steps or backwards",
                "both run forward by one",
            ));
        }
        let parent = program.regions[program.nests[id].body].parent;
        let facts = parent.map(|parent| program.facts_at(parent).clone()).unwrap_or_default();
        if !meet(&facts, &first, &second, lag)? {
            return Err(rejected(
                "cannot fuse: the ranges of the loops may lie far apart",
                "with a lag one loop runs over both ranges and what is between them: begin or end both at values that differ by a constant",
            ));
        }
        Ok(Self { first, second, lag })
    }

    /// The loop over the points of both, which begin at the first or second one and end at the first or second one.
    pub(super) fn loop_over_both(
        &self,
        program: &mut Program,
        names: &mut NameSupply,
        id: NestId,
    ) -> Result<LoopId, LocationError> {
        let Self { first: one, second: other, lag } = self;
        let behind = SymInt::constant(*lag);
        let start = Integer::min(&one.first, &other.first.add(&behind)?)?;
        let end = Integer::max(&one.last, &other.last.add(&behind)?)?;
        let [from, to] = [start.clone(), end.add(&SymInt::constant(1))?]
            .map(|sym| program.hole(Hole::Value(sym, ValueType::Isize)));
        let body = program.nests[id].body;
        let here = program.regions[body].parent.unwrap_or(ProgramPoint { region: body, statement: 0 });
        let loop_id = program.loops.next_id();
        let bounds = Range { lo: start.range().lo, hi: end.range().hi };
        let hint = one.symbol.name().to_owned();
        let symbol = program.new_symbol(&hint, bounds, SymbolSource::Loop(loop_id), here);
        let kind = LoopKind::Range {
            iterator: Box::new(parse_quote!(#from..#to)),
            step: 1,
            number: Some("isize"),
            fits: true,
        };
        let ends = [start.clone(), end.clone(), end.sub(&start)?];
        Ok(program.loops.push(Loop::new(names.fresh(&hint), symbol, ends, kind, id)))
    }

    /// The value of the second loop's variable in that loop.
    pub(super) fn earlier(&self, program: &Program, both: LoopId) -> Result<SymInt, SymError> {
        SymInt::symbol(&program.loops[both].symbol).sub(&SymInt::constant(self.lag))
    }

    /// Makes the first loop of a nest that over both, and runs the two bodies in their ranges.
    pub(super) fn apply(
        self,
        program: &mut Program,
        names: &mut NameSupply,
        (id, loop_id): (NestId, LoopId),
        [first, second]: [RegionId; 2],
    ) -> Result<(), LocationError> {
        let earlier = self.earlier(program, loop_id)?;
        let Self { first: one, second: other, .. } = self;
        let both = program.nests[id].body;
        let [at, start, end] = {
            let own = &program.loops[loop_id];
            [SymInt::symbol(&own.symbol), own.first.clone(), own.last.clone()]
        };
        program.nests[id].loops[0] = loop_id;
        for fact in [at.sub(&start)?, end.sub(&at)?] {
            program.assume(both, fact);
        }
        let ranges = matches!(one.kind, LoopKind::Range { .. });
        let local = if ranges { names.fresh(&format!("{}_i", one.name)) } else { one.name.clone() };
        let variable = one.symbol.id() as usize;
        program.symbols[variable].source = SymbolSource::Local(local.clone());
        program.symbols[variable].defined = ProgramPoint { region: first, statement: 0 };
        program.regions[first].statements.splice(0..0, defined(&one, &local, at.clone()));
        program.substitute_variables(first, &[(one.symbol.clone(), at.clone())].into_iter().collect())?;
        for (region, of, index) in [(first, &one, &at), (second, &other, &earlier)] {
            guard(program, both, region, [&of.first, &of.last], index)?;
        }
        Ok(())
    }
}

fn differ() -> Rejected {
    rejected(
        "cannot fuse: the loops inside the outermost ones have different lengths, or depend on these",
        "with a lag the second nest is behind in the outermost loop alone; the loops inside run over the same ranges: write loops as ranges, \
         and those that differ in the bodies of the others",
    )
}

/// Whether loops have the same values, bounds being those of the same variables.
pub(super) fn are_alike(program: &Program, own: &[LoopId], others: &[LoopId]) -> Result<bool, SymError> {
    let variable = |id: &LoopId| program.loops[*id].symbol.clone();
    let values: Substitution = std::iter::zip(others, own)
        .map(|(other, own)| (variable(other), SymInt::symbol(&variable(own))))
        .collect();
    let mut pairs = std::iter::zip(own, others);
    let alike = pairs.try_fold(true, |alike, (own, other)| {
        Ok(alike && program.loops[*own].is_alike(&values.in_loop(&program.loops[*other])?))
    })?;
    Ok(alike && own.len() == others.len())
}

/// Whether a loop over both ranges, the second shifted by the lag, takes at most [`NEAR`] iterations more than both
/// loops. If it begins with one range and ends with the other, it is enough that their first values are close, or their
/// last values, or the end of one and the beginning of the other.
fn meet(facts: &Facts, first: &Loop, second: &Loop, lag: i64) -> Result<bool, LocationError> {
    let behind = SymInt::constant(lag);
    let [one, other] =
        [[first.first.clone(), first.last.clone()], [second.first.add(&behind)?, second.last.add(&behind)?]];
    let least_gap = SymInt::constant(lag.max(NEAR));
    let is_near = |from: &SymInt, to: &SymInt| -> Result<bool, LocationError> {
        Ok(facts.proves_nonneg(&least_gap.sub(&from.sub(to)?)?))
    };
    let mut all = true;
    for ([begin, begin_last], [end_first, end]) in [(&one, &other), (&other, &one)] {
        all &= is_near(end_first, begin)?
            || is_near(end, begin_last)?
            || is_near(end, begin)?
            || is_near(end_first, begin_last)?;
    }
    Ok(all)
}

/// Runs a body where an index is in a range.
fn guard(
    program: &mut Program,
    both: RegionId,
    region: RegionId,
    [first, last]: [&SymInt; 2],
    index: &SymInt,
) -> Result<(), LocationError> {
    let (known, unknown): (Vec<SymInt>, Vec<SymInt>) = [index.sub(first)?, last.sub(index)?]
        .into_iter()
        .partition(|inside| program.regions[both].facts.proves_nonneg(inside));
    for fact in known {
        program.assume(region, fact);
    }
    program.guard(region, unknown);
    Ok(())
}
