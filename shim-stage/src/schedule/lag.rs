//! Two adjacent loops become one in which the second one is some iterations behind the first.
//!
//! The source runs all iterations of the first loop before those of the second. With a lag `n`, iteration `j` of the second
//! loop runs right after iteration `j + n` of the first. So it may read what iterations up to `j + n` wrote.

use shim_core::{Integer, LocationError};
use syn::parse_quote;

use crate::ir::walk::{UseMut, edit};
use crate::ir::{
    Hole, Loop, LoopKind, NameSupply, NestId, Program, ProgramPoint, RegionId, SymbolSource, ValueType,
};
use crate::symbolic::{Facts, Range, SymInt, Symbol};

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
    /// The loops of two nests, of which the first one gets the indices of both, for the dependences between them.
    pub(super) fn of(program: &mut Program, [id, next]: [NestId; 2], lag: i64) -> Result<Self, Rejected> {
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
        let widest = &mut program.loops[own];
        widest.first = Integer::min(&first.first, &second.first)?;
        widest.last = Integer::max(&first.last, &second.last)?;
        widest.runs = widest.last.sub(&widest.first)?;
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
        program.nests[id].schedule = None;
        for fact in [at.sub(&start)?, end.sub(&at)?] {
            program.assume(both, fact);
        }
        let earlier = at.sub(&behind)?;
        // The second body is in terms of the first loop's variable.
        replace(program, second, &one.symbol, &earlier)?;
        let variable = other.symbol.id() as usize;
        if let SymbolSource::Same(local, _) = program.symbols[variable].source.clone() {
            program.symbols[variable].source = SymbolSource::Local(local);
        }
        let ranges = matches!(one.kind, LoopKind::Range { .. });
        let local = if ranges { names.fresh(&format!("{}_i", one.name)) } else { one.name.clone() };
        let variable = one.symbol.id() as usize;
        program.symbols[variable].source = SymbolSource::Local(local.clone());
        program.symbols[variable].defined = ProgramPoint { region: first, statement: 0 };
        program.regions[first].statements.splice(0..0, defined(&one, &local, at.clone()));
        let value = |own: &Symbol| (*own == one.symbol).then(|| at.clone());
        for access in program.accesses_in(first) {
            program.accesses[access].element.substitute(&value)?;
        }
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

/// Replaces a symbol in all that is in a region.
fn replace(
    program: &mut Program,
    region: RegionId,
    symbol: &Symbol,
    value: &SymInt,
) -> Result<(), LocationError> {
    let mut result = Ok(());
    let mut sym = |own: UseMut<'_>| {
        if let UseMut::SymInt(sym) = own
            && sym.mentions(symbol)
        {
            match sym.substitute(&|other: &Symbol| (other == symbol).then(|| value.clone())) {
                Ok(replaced) => *sym = replaced,
                Err(error) => result = Err(error.into()),
            }
        }
    };
    for own in program.regions_in(region) {
        for statement in &mut program.regions[own].statements {
            edit::statement(&mut statement.kind, &mut sym);
        }
    }
    for access in program.accesses_in(region) {
        edit::access(&mut program.accesses[access], &mut sym);
    }
    result
}
