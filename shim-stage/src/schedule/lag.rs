//! Two adjacent loops become one in which the second one is some iterations behind the first.
//!
//! The source runs all iterations of the first loop before those of the second. With a lag `n`, iteration `j` of the second
//! loop runs right after iteration `j + n` of the first. So it may read what iterations up to `j + n` wrote.

use shim_core::{Integer, LocationError};
use syn::parse_quote;

use crate::ir::{
    Hole, Loop, LoopKind, NameSupply, NestId, Program, ProgramPoint, RegionId, SymbolSource, ValueType,
};
use crate::symbolic::{Facts, Range, SymInt};

use super::apply::defined;
use super::rejected::{Rejected, rejected};

/// The most iterations of a fused loop that belong to neither range.
const NEAR: i64 = 1 << 16;

/// The loops before they became one.
pub(super) struct Lagging {
    first: Loop,
    second: Loop,
    lag: i64,
}

impl Lagging {
    /// The loops of two nests.
    pub(super) fn of(program: &Program, [id, next]: [NestId; 2], lag: i64) -> Result<Self, Rejected> {
        let (&[own], &[other]) = (&program.nests[id].loops[..], &program.nests[next].loops[..]) else {
            return Err(rejected(
                "a lag between nests of several loops",
                "write the outermost loops as ranges, as in `for y in 0..h`, and the others in their bodies",
            ));
        };
        let (first, second) = (program.loops[own].clone(), program.loops[other].clone());
        if first.step() != 1 || second.step() != 1 {
            return Err(rejected(
                "a lag between loops that run in steps or backwards",
                "both run forward by one",
            ));
        }
        let parent = program.regions[program.nests[id].body].parent;
        let facts = parent.map(|parent| program.regions[parent.region].facts.clone()).unwrap_or_default();
        if !meet(&facts, &first, &second, lag)? {
            return Err(rejected(
                "cannot fuse: the ranges of the loops may lie far apart",
                "with a lag one loop runs over both ranges and what is between them: begin or end both at values that differ by a constant",
            ));
        }
        Ok(Self { first, second, lag })
    }

    /// Runs the bodies of both loops in one, the second body where the loop is behind.
    pub(super) fn apply(
        self,
        program: &mut Program,
        names: &mut NameSupply,
        id: NestId,
        second: RegionId,
    ) -> Result<(), Rejected> {
        let Self { first: one, second: other, lag } = self;
        let both = program.nests[id].body;
        let regions = program.regions[both].regions.clone();
        let Some(first) = regions.into_iter().find(|region| *region != second) else { return Ok(()) };
        let behind = SymInt::constant(lag);
        let start = Integer::min(&one.first, &other.first.add(&behind)?)?;
        let end = Integer::max(&one.last, &other.last.add(&behind)?)?;
        let [from, to] = [start.clone(), end.add(&SymInt::constant(1))?]
            .map(|sym| program.hole(Hole::Value(sym, ValueType::Isize)));
        let Some(parent) = program.regions[both].parent else { return Ok(()) };
        let loop_id = program.loops.next_id();
        let bounds = Range { lo: start.range().lo, hi: end.range().hi };
        let hint = one.symbol.name().to_owned();
        let symbol = program.new_symbol(&hint, bounds, SymbolSource::Loop(loop_id), parent);
        let at = SymInt::symbol(&symbol);
        let kind = LoopKind::Range {
            iterator: Box::new(parse_quote!(#from..#to)),
            step: 1,
            number: Some("isize"),
            fits: true,
        };
        let ends = [start.clone(), end.clone(), end.sub(&start)?];
        program.loops.push(Loop::new(names.fresh(&hint), symbol.clone(), ends, kind, id));
        program.nests[id].loops = vec![loop_id];
        for fact in [at.sub(&start)?, end.sub(&at)?] {
            program.assume(both, fact);
        }
        let earlier = at.sub(&behind)?;
        // The second body is in terms of the first loop's variable.
        program.substitute(second, &[(one.symbol.clone(), earlier.clone())].into_iter().collect())?;
        let ranges = matches!(one.kind, LoopKind::Range { .. });
        let local = if ranges { names.fresh(&format!("{}_i", one.name)) } else { one.name.clone() };
        let variable = one.symbol.id() as usize;
        program.symbols[variable].source = SymbolSource::Local(local.clone());
        program.symbols[variable].defined = ProgramPoint { region: first, statement: 0 };
        program.regions[first].statements.splice(0..0, defined(&one, &local, at.clone()));
        let accesses = program.accesses_in(first);
        program.substitute_in(accesses, &[(one.symbol.clone(), at.clone())].into_iter().collect())?;
        for (region, of, index) in [(first, &one, &at), (second, &other, &earlier)] {
            guard(program, both, region, [&of.first, &of.last], index)?;
        }
        Ok(())
    }
}

/// Whether a loop over both ranges, the second shifted by the lag, takes at most [`NEAR`] iterations more than both loops.
/// If it begins with one range and ends with the other, it is enough that their first values are close, or their last
/// values, or the end of one and the beginning of the other.
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
