//! Elements of a stage that stay in memory from one iteration to the next: the sliding window of Halide.
//!
//! An iteration reads the indices from `least` to `greatest` on an axis, and both grow with a loop's variable. Then it
//! computes those behind the `greatest` of the iteration before. The first iteration computes all of them, and so does
//! one behind an iteration that read nothing and computed nothing. Of an axis that the outermost such loop moves, only
//! as many elements stay in memory as one iteration reads: a ring.

use shim_core::{Integer, LocationError};
use syn::{BinOp, Expr, parse_quote};

use crate::ir::{
    Hole, Loop, LoopId, LoopMode, NameSupply, Nest, NestId, Order, Producer, Program, ProgramPoint,
    RegionKind, StatementKind, SymbolSource, ValueType, Word,
};
use crate::symbolic::{Range, SymError, SymInt, Symbol, extreme};

use super::hull::Hull;
use super::{NoRegion, Placed, count};

/// The most elements of a ring along its axis.
const RING: i64 = 1 << 12;

/// Where the elements of a stage are that is kept from `kept` on.
pub(super) fn slide(
    program: &mut Program,
    names: &mut NameSupply,
    producer: &Producer,
    kept: ProgramPoint,
    hull: &Hull,
) -> Result<Placed, NoRegion> {
    let unmoved = |why: &str| {
        NoRegion {
        message: format!("the elements of the stage `{}` cannot stay in memory: {why}", producer.name),
        help: "an iteration of a `for` loop computes what lies behind that of the iteration before, so the indices that are read rise with the \
               variable of the loop: remove `#[store_at(..)]`"
            .to_owned(), tokens: None }
    };
    let too_large = |_: SymError| unmoved("their indices do not fit in 64 bits");
    let too_far = |_: LocationError| unmoved("their indices do not fit in 64 bits");
    let loops = loops_between(program, producer, kept)
        .ok_or_else(|| unmoved("it is computed under a condition, in a loop that is no range, or in iterations that run at the same time"))?;
    let moved = |sym: &SymInt| {
        loops.iter().copied().filter(|id| sym.mentions(&program.loops[*id].symbol)).collect::<Vec<LoopId>>()
    };
    let mut placed = Placed::alone(hull).map_err(too_large)?;
    let mut moves: Vec<(usize, LoopId)> = Vec::new();
    for (axis, [least, greatest]) in hull.axes.iter().enumerate() {
        // What an earlier iteration left out was no less than the first index of an iteration that leaves out nothing.
        let least = program.least_of_slide(least).map_err(too_large)?;
        let (mut by, ends) = (moved(&least), moved(greatest));
        by.extend(ends);
        by.dedup();
        match by[..] {
            [] => {}
            [id] if moves.iter().all(|(_, other)| *other != id) => moves.push((axis, id)),
            _ => return Err(unmoved("two axes move with one loop, or one axis with two")),
        }
        let (mut from, mut to) = (least, greatest.clone());
        for id in &loops {
            let for_loop = &program.loops[*id];
            let (first, last) = (&for_loop.first, &for_loop.last);
            let unknown = || unmoved("where they begin and end is not known before the loop");
            from = extreme(&from, &for_loop.symbol, first, last).ok_or_else(unknown)?;
            to = extreme(&to, &for_loop.symbol, last, first).ok_or_else(unknown)?;
        }
        if !program.knows([&from, &to], kept) {
            return Err(unmoved("where they begin and end is not known before the loop"));
        }
        placed.extents[axis] = count(&from, &to).map_err(too_large)?;
        placed.origin[axis] = from;
    }
    if moves.is_empty() {
        return Err(unmoved("no loop in between moves the indices that are read"));
    }
    let outermost = moves.iter().map(|(_, id)| *id).max_by_key(|id| loops.iter().position(|own| own == id));
    for (axis, id) in moves {
        let least = program.least_of_slide(&hull.axes[axis][0]).map_err(too_large)?;
        let greatest = &hull.axes[axis][1];
        let for_loop = &program.loops[id];
        let (symbol, start, step) = (for_loop.symbol.clone(), for_loop.first.clone(), for_loop.step());
        let before = SymInt::symbol(&symbol).sub(&SymInt::constant(step)).map_err(too_large)?;
        let earlier = |sym: &SymInt| sym.substitute(&|own: &Symbol| (*own == symbol).then(|| before.clone()));
        let facts = program.facts_at(producer.position);
        let length = count(&least, greatest).map_err(too_large)?;
        let ring = length.range().hi.filter(|most| (1..=RING).contains(most)).map(ring);
        let before = earlier(greatest).map_err(too_large)?;
        // Without a word, elements stay where that saves some of them, in less memory than all take.
        let is_useful = producer.kept.is_some() || ring.is_some() && facts.proves_le(&least, &before);
        let rises = step > 0 && facts.proves_le(&earlier(&least).map_err(too_large)?, &least);
        if !(rises && is_useful) {
            return Err(unmoved("the indices that are read do not rise with the loop"));
        }
        let behind = before.add(&SymInt::constant(1)).map_err(too_large)?;
        let next = if facts.proves_le(&least, &behind) {
            behind
        } else {
            SymInt::max(&least, &behind).map_err(too_large)?
        };
        placed.rings[axis] = ring.filter(|_| Some(id) == outermost);
        let inner = &loops[..loops.iter().position(|own| *own == id).unwrap_or(0)];
        let computed = computed_before(program, producer, hull, (id, inner), &earlier)
            .map_err(too_large)?
            .ok_or_else(|| unmoved("the iteration before may not have computed them"))?;
        let reaches_further = facts.proves_le(&before, greatest);
        let is_first = is_first(program, (symbol, start), computed);
        let first = SymInt::symbol(&first_index(program, names, producer, is_first, [&least, &next]));
        let counted = count(&first, greatest).map_err(too_large)?;
        placed.counts[axis] =
            if reaches_further { counted } else { Integer::at_least_zero(&counted).map_err(too_far)? };
        placed.first[axis] = first;
    }
    Ok(placed)
}

/// Before the loop around a stage whose elements may stay for the next iteration: one loop, which no word orders.
pub(super) fn before_loop(program: &Program, producer: &Producer) -> Option<ProgramPoint> {
    let RegionKind::Nest(nest) = program.regions[producer.position.region].kind else { return None };
    let loops = &program.nests[nest].loops;
    let is_serial = |id: &LoopId| program.loops[*id].mode == LoopMode::Serial;
    let stays = producer.may_stay && loops.len() == 1 && loops.iter().all(is_serial);
    program.outwards(producer.position).nth(1).filter(|_| stays && !is_ordered(program, nest))
}

/// Whether a word is about a loop: its own, one before a loop around it that takes in those inside, or one that fuses.
fn is_ordered(program: &Program, nest: NestId) -> bool {
    let mut loops = 0;
    let around = program.ancestors(program.nests[nest].body).any(|region| {
        let RegionKind::Nest(around) = program.regions[region].kind else { return false };
        let Nest { loops: own, schedule, .. } = &program.nests[around];
        loops += own.len();
        let words = schedule.iter().flat_map(|schedule| &schedule.words);
        schedule.is_some() && around == nest || words.filter_map(Word::depth).any(|depth| depth >= loops)
    });
    let fuses = |nest: &Nest| nest.schedule.as_ref().is_some_and(|schedule| schedule.lag().is_some());
    around || program.nests.iter().any(fuses)
}

/// A count whose remainders are bits.
fn ring(most: i64) -> i64 {
    most.unsigned_abs().next_power_of_two().try_into().unwrap_or(RING)
}

/// The loops between where a stage is kept and where it is computed, the innermost first.
fn loops_between(program: &Program, producer: &Producer, kept: ProgramPoint) -> Option<Vec<LoopId>> {
    let mut loops = Vec::new();
    for region in program.ancestors(producer.position.region).take_while(|region| *region != kept.region) {
        match program.regions[region].kind {
            RegionKind::Plain => {}
            RegionKind::Nest(nest) => {
                let own = program.nests[nest].loops.iter().rev();
                let mut modes = own.clone().map(|id| program.loops[*id].mode);
                if !modes.all(|mode| matches!(mode, LoopMode::Serial | LoopMode::Unrolled)) {
                    return None;
                }
                loops.extend(own);
            }
            RegionKind::Unknown | RegionKind::Branch | RegionKind::Version | RegionKind::Closure => {
                return None;
            }
        }
    }
    Some(loops)
}

/// The values that are at least zero if the previous iteration, with the same values of the loops inside, computed its
/// elements. There is a previous iteration, and this one computes elements. `None` if one of them is not known here.
fn computed_before(
    program: &Program,
    producer: &Producer,
    hull: &Hull,
    (id, inner): (LoopId, &[LoopId]),
    earlier: &dyn Fn(&SymInt) -> Result<SymInt, SymError>,
) -> Result<Option<Vec<SymInt>>, SymError> {
    let Loop { symbol, first, nest, .. } = &program.loops[id];
    let mut known = program.facts_at(producer.position).clone();
    hull.runs.iter().for_each(|runs| known.push(runs.clone()));
    known.push(earlier(&SymInt::symbol(symbol))?.sub(first)?);
    let mut conditions = hull.runs.clone();
    for own in inner {
        let Loop { symbol, first, last, nest: around, .. } = &program.loops[*own];
        if around != nest && may_skip(program, producer, *nest) {
            return Ok(None);
        }
        let at = SymInt::symbol(symbol);
        let step = program.loops[*own].step();
        if step.abs() != 1 && earlier(first)? != *first {
            return Ok(None);
        }
        let [least, greatest] = if step > 0 { [first, last] } else { [last, first] };
        conditions.extend([at.sub(least)?, greatest.sub(&at)?]);
    }
    let mut found = Vec::new();
    for condition in conditions {
        let before = earlier(&program.least_of_slide(&condition)?)?;
        if !known.proves_nonneg(&before) {
            found.push(before);
        }
    }
    let start = ProgramPoint { region: producer.position.region, statement: 0 };
    Ok(program.knows(&found, start).then_some(found))
}

/// Whether an iteration of a nest may not come to where a stage is computed in loops inside, or these may be left
/// early.
fn may_skip(program: &Program, producer: &Producer, nest: NestId) -> bool {
    let body = program.nests[nest].body;
    let mut path =
        program.outwards(producer.position).take_while(|at| Some(at.region) != program.parent(body));
    let skips = |at: ProgramPoint| {
        let region = &program.regions[at.region];
        region.epoch(at.statement) != region.epoch(0)
    };
    program.is_left(nest) || path.any(skips)
}

/// Whether an iteration computes all that it reads.
fn is_first(
    program: &mut Program,
    (variable, start): (Symbol, SymInt),
    computed_before: Vec<SymInt>,
) -> Expr {
    let mut compare =
        |sym, operator: BinOp, bound| program.hole(Hole::Compare(sym, operator, bound, Vec::new()));
    let first = compare(SymInt::symbol(&variable), parse_quote!(==), start);
    let behind = computed_before.into_iter().map(|sym| compare(sym, parse_quote!(<), SymInt::constant(0)));
    behind.fold(first, |first, behind| parse_quote!(#first || #behind))
}

/// A symbol for the first index that an iteration computes: `least` in the first iteration, else `next`.
fn first_index(
    program: &mut Program,
    names: &mut NameSupply,
    producer: &Producer,
    is_first: Expr,
    [least, next]: [&SymInt; 2],
) -> Symbol {
    let region = producer.position.region;
    let at = ProgramPoint { region, statement: 0 };
    let name = format!("{}_first", producer.name);
    let local = names.fresh(&name);
    let symbol = program.new_symbol(&name, Range::UNKNOWN, SymbolSource::Local(local.clone()), at);
    let values = [least, next].map(|sym| program.hole(Hole::Value(sym.clone(), ValueType::Isize)));
    let [least_value, next_value] = values;
    let statement = parse_quote!(let #local = if #is_first { #least_value } else { #next_value };);
    program.insert(at, Order::Extent, StatementKind::Rust(Box::new(statement)));
    let value = SymInt::symbol(&symbol);
    if let Ok(above) = value.sub(least) {
        program.assume(region, above);
    }
    program.slides.push((symbol.clone(), least.clone()));
    symbol
}

impl Program {
    /// A value where each first index of a sliding window is that of a whole one.
    fn least_of_slide(&self, sym: &SymInt) -> Result<SymInt, SymError> {
        sym.substitute(&|own: &Symbol| {
            self.slides.iter().find(|(first, _)| first == own).map(|(_, least)| least.clone())
        })
    }
}
