//! The loops that visit the points of a box in an order.

use shim_core::{Integer, LocationError};

use crate::ir::{LoopId, LoopMode, Tail, Word};
use crate::symbolic::{Range, Sym, SymError, Symbol};

use super::order::LoopOrder;

/// The indices `start..start + extent` of an axis.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) start: Sym,
    pub(super) extent: Sym,
    /// The user's variable, and what the new one is called after it.
    pub(super) variable: String,
    pub(super) suffix: &'static str,
    /// The loop of the source, where that is all of its indices.
    pub(super) whole: Option<LoopId>,
    /// Whether `i32` holds the extent, which is tested before the nest.
    pub(super) counted: bool,
}

/// A loop.
#[derive(Debug, Clone)]
pub(super) enum Level {
    /// One of the source.
    Source(LoopId),
    /// A new one, from zero.
    New {
        symbol: Symbol,
        hint: String,
        extent: Sym,
        mode: LoopMode,
        /// Whether `i32` may not hold the extent, and has to.
        countable: bool,
    },
}

/// Nests inside one another, and what is in the innermost.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) nests: Vec<Vec<Level>>,
    pub(super) end: End,
}

#[derive(Debug)]
pub(super) enum End {
    /// The body: the index on each axis, none on one whose loop is that of the source.
    Body(Vec<Option<Sym>>),
    /// One of two plans, the first where each of the guards is at least zero.
    Choice { guards: Vec<Sym>, whole: Box<Plan>, rest: Box<Plan> },
}

/// Why there are no such loops.
pub(super) enum Failure {
    Location(LocationError),
    /// The loop of this axis is to be unrolled, and has no constant number of iterations.
    Dynamic(String),
}

impl From<LocationError> for Failure {
    fn from(error: LocationError) -> Self {
        Failure::Location(error)
    }
}

impl From<SymError> for Failure {
    fn from(error: SymError) -> Self {
        Failure::Location(error.into())
    }
}

/// Makes plans; `symbol` makes the variable of a new loop.
pub(super) struct Planner<'s> {
    pub(super) symbol: &'s mut dyn FnMut(&str, Range) -> Symbol,
    /// Whether the tile is cut off, so that its loops need not be unrolled.
    pub(super) cut_off: bool,
    /// Whether the next loop over an axis, or over the points of a front, runs in tasks.
    pub(super) parallel: bool,
}

impl Planner<'_> {
    pub(super) fn plan(&mut self, order: &LoopOrder, spans: Vec<Span>) -> Result<Plan, Failure> {
        self.plan_unrolling(order, spans, &[])
    }

    fn plan_unrolling(
        &mut self,
        order: &LoopOrder,
        spans: Vec<Span>,
        unrolled: &[usize],
    ) -> Result<Plan, Failure> {
        let mut nests = Vec::new();
        match order {
            LoopOrder::Unrolled { axes, order } => self.plan_unrolling(order, spans, axes),
            LoopOrder::Lanes { count, order } => self.in_lanes(*count, order, &spans),
            LoopOrder::Tiles { extents, tail, outer, inner } => {
                let at = self.tiles(extents, outer, &spans, false, &mut nests)?;
                let mut elements = elements(&spans, extents, *tail, &at)?;
                if *tail == Tail::Peel {
                    let clipped = elements.clone();
                    let guards = whole_tiles(&mut elements, &spans, extents, &at)?;
                    if !guards.is_empty() {
                        let whole = Box::new(self.plan(inner, elements)?);
                        let outside = std::mem::replace(&mut self.cut_off, true);
                        let rest = self.plan(inner, clipped).map(Box::new);
                        self.cut_off = outside;
                        return Ok(Plan { nests, end: End::Choice { guards, whole, rest: rest? } });
                    }
                }
                let mut plan = self.plan(inner, elements)?;
                nests.append(&mut plan.nests);
                Ok(Plan { nests, end: plan.end })
            }
            _ => {
                let values = self.levels(order, &spans, false, unrolled, &mut nests)?;
                Ok(Plan { nests, end: End::Body(values) })
            }
        }
    }

    /// Loops over tiles; the number of the tile along each axis.
    fn tiles(
        &mut self,
        extents: &[Option<i64>],
        outer: &LoopOrder,
        spans: &[Span],
        backwards: bool,
        nests: &mut Vec<Vec<Level>>,
    ) -> Result<Vec<Sym>, Failure> {
        let mut tiles = Vec::new();
        for (span, extent) in spans.iter().zip(extents) {
            let extent = match extent {
                Some(1) => span.extent.clone(),
                Some(extent) => span.extent.ceil_div(*extent)?,
                None => Sym::constant(1),
            };
            let start = Sym::constant(0);
            tiles.push(Span { start, extent, suffix: "_tile", whole: None, ..span.clone() });
        }
        let at = self.levels(outer, &tiles, backwards, &[], nests)?;
        Ok(at.into_iter().map(|at| at.unwrap_or_else(|| Sym::constant(0))).collect())
    }

    /// Loops in an order without copies of the body; the index along each axis.
    fn levels(
        &mut self,
        order: &LoopOrder,
        spans: &[Span],
        backwards: bool,
        unrolled: &[usize],
        nests: &mut Vec<Vec<Level>>,
    ) -> Result<Vec<Option<Sym>>, Failure> {
        match order {
            LoopOrder::Reversed(order) => self.levels(order, spans, !backwards, unrolled, nests),
            LoopOrder::Unrolled { axes, order } => self.levels(order, spans, backwards, axes, nests),
            LoopOrder::Lanes { order, .. } => self.levels(order, spans, backwards, unrolled, nests),
            LoopOrder::Parallel(order) => {
                self.parallel = true;
                let spans = not_of_source(spans);
                self.levels(order, &spans, backwards, unrolled, nests)
            }
            LoopOrder::Tiles { extents, tail, outer, inner } => {
                let at = self.tiles(extents, outer, spans, backwards, nests)?;
                let elements = elements(spans, extents, *tail, &at)?;
                self.levels(inner, &elements, backwards, unrolled, nests)
            }
            LoopOrder::Fronts { slope, .. } if self.parallel => {
                let mut at = Vec::new();
                for (span, mode) in spans.iter().zip([self.mode(), LoopMode::Following(*slope)]) {
                    let mut nest = Vec::new();
                    let hint = format!("{}{}", span.variable, span.suffix);
                    let extent = span.extent.at_least_zero()?;
                    let value = self.new_level(&hint, &extent, (span.counted, mode), &mut nest);
                    nests.push(nest);
                    at.push(Some(along(&span.start, &extent, &value, backwards)?));
                }
                Ok(at)
            }
            LoopOrder::Fronts { slope, .. } => {
                let (front, rows) = self.fronts(*slope, spans, backwards, nests)?;
                let mut row = Vec::new();
                let length = rows.extent.at_least_zero()?;
                let y = self.new_level("row", &length, (rows.counted, LoopMode::Serial), &mut row);
                nests.push(row);
                let y = along(&rows.start, &rows.extent, &y, backwards)?;
                in_front(*slope, &front, &y, spans)
            }
            LoopOrder::Listed(listed) => {
                if !listed.is_of(spans.iter().map(|span| span.extent.as_constant())) {
                    return Err(Failure::Location(LocationError::Dynamic));
                }
                let count = Sym::constant(listed.len());
                let mut nest = Vec::new();
                let number = self.new_level("point", &count, (true, LoopMode::Serial), &mut nest);
                nests.push(nest);
                let number = along(&Sym::constant(0), &count, &number, backwards)?;
                let mut values = Vec::new();
                for (axis, span) in spans.iter().enumerate() {
                    values.push(Some(span.start.add(&number.entry(&listed.coordinates(axis))?)?));
                }
                Ok(values)
            }
            LoopOrder::Axes(axes) => {
                if let Some(axis) = axes.iter().find(|axis| **axis >= spans.len()) {
                    let rank = spans.len();
                    return Err(Failure::Location(LocationError::Axis { axis: *axis, rank }));
                }
                let mut copies: i64 = 1;
                let mut nest = Vec::new();
                let mut values: Vec<Option<Sym>> = vec![None; spans.len()];
                for axis in axes {
                    let Span { start, extent, variable, suffix, whole, counted } = &spans[*axis];
                    let mode = self.mode();
                    let fixed = extent.as_constant().is_some();
                    let unrolled = unrolled.contains(axis) && (fixed || !self.cut_off);
                    if let Some(source) = whole
                        && !backwards
                        && !unrolled
                        && mode == LoopMode::Serial
                    {
                        nest.push(Level::Source(*source));
                        continue;
                    }
                    let value = if extent.as_constant() == Some(1) {
                        Sym::constant(0)
                    } else {
                        if unrolled {
                            copies = copies.saturating_mul(extent.as_constant().unwrap_or(i64::MAX));
                            if copies > Word::MAX_COPIES {
                                return Err(Failure::Dynamic(variable.clone()));
                            }
                        }
                        let hint = format!("{variable}{suffix}");
                        let mode = if unrolled { LoopMode::Unrolled } else { mode };
                        let value = self.new_level(&hint, extent, (*counted, mode), &mut nest);
                        if mode == LoopMode::Parallel {
                            // A task is the body of a nest of its own.
                            nests.push(std::mem::take(&mut nest));
                        }
                        value
                    };
                    values[*axis] = Some(along(start, extent, &value, backwards)?);
                }
                if !nest.is_empty() {
                    nests.push(nest);
                }
                Ok(values)
            }
        }
    }

    /// So many points at a time of the innermost loop of a nest or of a front, and the rest one by one.
    fn in_lanes(&mut self, count: i64, order: &LoopOrder, spans: &[Span]) -> Result<Plan, Failure> {
        let mut nests = Vec::new();
        self.parallel = matches!(order, LoopOrder::Parallel(_));
        let (span, innermost) = match order.serial() {
            LoopOrder::Fronts { slope, .. } => {
                let (front, rows) = self.fronts(*slope, spans, false, &mut nests)?;
                (rows, Innermost::Front { slope: *slope, front })
            }
            LoopOrder::Axes(axes) if !axes.is_empty() => {
                let (axis, outer) = (axes[axes.len() - 1], axes[..axes.len() - 1].to_vec());
                let spans = not_of_source(spans);
                let around = self.levels(&LoopOrder::Axes(outer), &spans, false, &[], &mut nests)?;
                (spans[axis].clone(), Innermost::Axis { around, axis })
            }
            _ => return Err(Failure::Location(LocationError::Dynamic)),
        };
        let lanes = Sym::constant(count);
        let groups = span.extent.ceil_div(count)?;
        let group = match groups.as_constant() {
            Some(1) => Sym::constant(0),
            _ => {
                let mut level = Vec::new();
                let hint = format!("{}_group", span.variable);
                let group = self.new_level(&hint, &groups, (span.counted, LoopMode::Serial), &mut level);
                nests.push(level);
                group
            }
        };
        let before = group.scale(count)?;
        let start = span.start.add(&before)?;
        let run = |planner: &mut Self, extent: &Sym, mode| {
            let mut level = Vec::new();
            let hint = format!("{}{}", span.variable, if mode == LoopMode::Lanes { "_lane" } else { "_in" });
            let at = planner.new_level(&hint, extent, (true, mode), &mut level);
            let values = innermost.point(start.add(&at)?, spans)?;
            // The loops that write what lanes hold follow theirs, in a nest around them all.
            let nests = if mode == LoopMode::Lanes { vec![Vec::new(), level] } else { vec![level] };
            Ok::<Plan, Failure>(Plan { nests, end: End::Body(values) })
        };
        let left = span.extent.sub(&before)?;
        let end = if span.extent.modulo(count)?.is_zero() {
            let mut plan = run(self, &lanes, LoopMode::Lanes)?;
            nests.append(&mut plan.nests);
            plan.end
        } else {
            let rest = Box::new(run(self, &Integer::min(&left, &lanes)?, LoopMode::Serial)?);
            let whole = Box::new(run(self, &lanes, LoopMode::Lanes)?);
            End::Choice { guards: vec![left.sub(&lanes)?], whole, rest }
        };
        Ok(Plan { nests, end })
    }

    /// A loop over the fronts of equal `slope * y + x` of a rectangle; the number of the front, and its rows.
    fn fronts(
        &mut self,
        slope: i64,
        spans: &[Span],
        backwards: bool,
        nests: &mut Vec<Vec<Level>>,
    ) -> Result<(Sym, Span), Failure> {
        let one = Sym::constant(1);
        let [rows, columns] = [&spans[0], &spans[1]];
        let last = [rows.extent.sub(&one)?, columns.extent.sub(&one)?];
        // An empty rectangle may have fronts, which are empty.
        let count = last[0].scale(slope)?.add(&columns.extent)?.at_least_zero()?;
        let counted = rows.counted && columns.counted;
        let mut fronts = Vec::new();
        let front = self.new_level("front", &count, (counted, LoopMode::Serial), &mut fronts);
        if let Some(Level::New { countable, .. }) = fronts.last_mut() {
            *countable = counted;
        }
        nests.push(fronts);
        let front = along(&Sym::constant(0), &count, &front, backwards)?;
        // `0 <= front - slope * y <= last[1]`
        let first = front.sub(&last[1])?.ceil_div(slope)?.at_least_zero()?;
        let end = Integer::min(&front.floor_div(slope)?, &last[0])?;
        let extent = end.sub(&first)?.add(&one)?;
        Ok((front, Span { start: first, extent, whole: None, ..(*rows).clone() }))
    }

    /// How the next loop runs.
    fn mode(&mut self) -> LoopMode {
        if std::mem::take(&mut self.parallel) { LoopMode::Parallel } else { LoopMode::Serial }
    }

    /// A loop of `extent` iterations, which `i32` is known to hold or not; the value of its variable.
    fn new_level(
        &mut self,
        hint: &str,
        extent: &Sym,
        (counted, mode): (bool, LoopMode),
        nest: &mut Vec<Level>,
    ) -> Sym {
        let most = extent.range().hi.or(counted.then_some(i64::from(i32::MAX)));
        let range = Range { lo: Some(0), hi: most.map(|most| most.saturating_sub(1).max(0)) };
        let symbol = (self.symbol)(hint, range);
        let value = Sym::symbol(&symbol);
        let (hint, extent) = (hint.to_owned(), extent.clone());
        nest.push(Level::New { symbol, hint, extent, mode, countable: false });
        value
    }
}

/// Spans whose loops are new ones: those of the source are of one nest, and lanes and tasks are in nests of their own.
fn not_of_source(spans: &[Span]) -> Vec<Span> {
    spans.iter().map(|span| Span { whole: None, ..span.clone() }).collect()
}

/// A loop around which all others are.
enum Innermost {
    /// That of an axis, and the indices along the others.
    Axis { around: Vec<Option<Sym>>, axis: usize },
    /// That over the rows of a front.
    Front { slope: i64, front: Sym },
}

impl Innermost {
    /// The point at an index of the loop.
    fn point(&self, index: Sym, spans: &[Span]) -> Result<Vec<Option<Sym>>, Failure> {
        match self {
            Innermost::Axis { around, axis } => {
                let mut point = around.clone();
                point[*axis] = Some(index);
                Ok(point)
            }
            Innermost::Front { slope, front } => in_front(*slope, front, &index, spans),
        }
    }
}

/// The point of a front in row `y` of a rectangle.
fn in_front(slope: i64, front: &Sym, y: &Sym, spans: &[Span]) -> Result<Vec<Option<Sym>>, Failure> {
    let x = front.sub(&y.scale(slope)?)?;
    Ok(vec![Some(spans[0].start.add(y)?), Some(spans[1].start.add(&x)?)])
}

/// The elements of the tile at a point.
fn elements(
    spans: &[Span],
    extents: &[Option<i64>],
    tail: Tail,
    at: &[Sym],
) -> Result<Vec<Span>, LocationError> {
    let mut elements = Vec::new();
    for ((span, extent), at) in spans.iter().zip(extents).zip(at) {
        let Some(extent) = *extent else {
            elements.push(span.clone());
            continue;
        };
        let mut before = at.scale(extent)?;
        let tile = Sym::constant(extent);
        let whole = extent == 1 || span.extent.modulo(extent)?.is_zero();
        let inside = if whole {
            tile
        } else if tail == Tail::Shift {
            before = Integer::min(&before, &span.extent.sub(&tile)?.at_least_zero()?)?;
            Integer::min(&span.extent, &tile)?
        } else {
            Integer::min(&span.extent.sub(&before)?, &tile)?
        };
        let start = span.start.add(&before)?;
        elements.push(Span {
            start,
            extent: inside,
            suffix: "_in",
            whole: None,
            counted: true,
            ..span.clone()
        });
    }
    Ok(elements)
}

/// Makes tiles whole; gives what is at least zero where they are.
fn whole_tiles(
    elements: &mut [Span],
    spans: &[Span],
    extents: &[Option<i64>],
    at: &[Sym],
) -> Result<Vec<Sym>, LocationError> {
    let mut guards = Vec::new();
    for (axis, element) in elements.iter_mut().enumerate() {
        let Some(tile) = extents[axis] else { continue };
        let extent = Sym::constant(tile);
        if element.extent != extent {
            guards.push(spans[axis].extent.sub(&at[axis].scale(tile)?)?.sub(&extent)?);
            element.extent = extent;
        }
    }
    Ok(guards)
}

/// The value of a loop's variable from the number of its iteration.
fn along(start: &Sym, extent: &Sym, iteration: &Sym, backwards: bool) -> Result<Sym, LocationError> {
    if backwards {
        return Ok(start.add(extent)?.sub(&Sym::constant(1))?.sub(iteration)?);
    }
    Ok(start.add(iteration)?)
}
