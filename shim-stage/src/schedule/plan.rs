//! The loops that visit the points of a box in an order.

use shim_core::{Integer, LocationError};
use syn::Lifetime;

use crate::ir::{Constraint, LoopId, LoopMode, Word};
use crate::symbolic::{Facts, Range, SymError, SymInt, Symbol};

use super::order::{Dim, DimWalk, TileStage, in_lanes};
use super::rejected::{Rejected, rejected};
use super::tiles::{along, base, elements, ends, in_front, no_box, whole_tiles};

/// The indices `start..start + extent` of an axis.
#[derive(Debug, Clone)]
pub(super) struct LoopRange {
    pub(super) start: SymInt,
    pub(super) extent: SymInt,
    /// The user's variable, and what the new one is called after it.
    pub(super) variable: String,
    pub(super) suffix: &'static str,
    /// The loop of the source, where that is all of its indices.
    pub(super) whole: Option<LoopId>,
    /// Whether `i32` holds the extent, which is tested before the nest.
    pub(super) counted: bool,
}

/// The index on each axis, none on one whose loop is that of the source.
pub(super) type Indices = Vec<Option<SymInt>>;

/// A loop.
#[derive(Debug, Clone)]
pub(super) enum PlannedLoop {
    /// One of the source, in this mode.
    Source(LoopId, LoopMode),
    /// A new one, from zero.
    New {
        symbol: Symbol,
        hint: String,
        extent: SymInt,
        mode: LoopMode,
        /// Whether `i32` may not hold the extent, and has to.
        i32_extents: bool,
    },
}

/// Nests inside one another, and what is in the innermost.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) nests: Vec<Vec<PlannedLoop>>,
    /// The tiles with labels whose elements a nest is the first to run over.
    pub(super) labels: Vec<(usize, LabeledTile)>,
    pub(super) end: End,
}

/// A tile with a label.
#[derive(Debug)]
pub(super) struct LabeledTile {
    pub(super) label: Lifetime,
    /// Its indices along each axis.
    pub(super) elements: Vec<LoopRange>,
    /// Whether all of these are indices of points.
    pub(super) is_box: bool,
}

impl Plan {
    /// A plan of the elements of one tile.
    fn in_tile(mut self, tile: Option<LabeledTile>) -> Self {
        self.labels.splice(0..0, tile.map(|tile| (0, tile)));
        self
    }

    /// A plan inside of other nests.
    fn inside(mut self, mut outer: Vec<Vec<PlannedLoop>>) -> Self {
        for (depth, _) in &mut self.labels {
            *depth += outer.len();
        }
        outer.append(&mut self.nests);
        Self { nests: outer, ..self }
    }
}

#[derive(Debug)]
pub(super) enum End {
    /// The body at these indices.
    Body(Indices),
    /// One of two plans, the first where each of the guards is at least zero.
    Choice { guards: Vec<SymInt>, whole: Box<Plan>, rest: Box<Plan> },
}

impl End {
    /// Makes of the one index of each body, a row of a front, those of its point.
    fn place_in_front(&mut self, slope: i64, front: &SymInt, spans: &[LoopRange]) -> Result<(), SymError> {
        match self {
            End::Body(values) => {
                if let [Some(y)] = &values[..] {
                    *values = in_front(slope, front, y, spans)?;
                }
            }
            End::Choice { whole, rest, .. } => {
                whole.end.place_in_front(slope, front, spans)?;
                rest.end.place_in_front(slope, front, spans)?;
            }
        }
        Ok(())
    }
}

/// Makes plans; `symbol` makes the variable of a new loop.
pub(super) struct Planner<'s> {
    pub(super) symbol: &'s mut dyn FnMut(&str, Range) -> Symbol,
    /// What holds of the indices of the box that are points of the nest.
    pub(super) constraints: Vec<Constraint>,
    /// What holds in the loops so far.
    pub(super) facts: Facts,
    /// Whether the tile is cut off, so that its loops need not be unrolled and are in no lanes.
    pub(super) cut_off: bool,
}

impl Planner<'_> {
    pub(super) fn plan(&mut self, stages: &[TileStage], spans: Vec<LoopRange>) -> Result<Plan, Rejected> {
        let mut nests = Vec::new();
        let [stage, inner @ ..] = stages else {
            return Ok(Plan { nests, labels: Vec::new(), end: End::Body(vec![None; spans.len()]) });
        };
        if inner.is_empty() {
            return self.points(stage, spans);
        }
        if stage.tail.repeats() && !self.constraints.is_empty() {
            return Err(no_box("`shift` moves tiles back to the end of the box"));
        }
        let at = self.tiles(stage, &spans, &mut nests)?;
        let mut elements = elements(&spans, &stage.tile, stage.tail, &at)?;
        if stage.tail.has_copies() {
            let mut clipped = elements.clone();
            let mut guards = whole_tiles(&mut elements, &spans, (&stage.tile, stage.tail), &at)?;
            let ends = ends(&elements)?;
            for constraint in &self.constraints {
                guards.push(constraint.extreme(&ends, false)?);
            }
            if !guards.is_empty() {
                // Each body has loops of its own.
                for span in elements.iter_mut().chain(&mut clipped) {
                    span.whole = None;
                }
                let cut = std::mem::take(&mut self.constraints);
                let tile = self.labeled(stage, &elements);
                let whole = self.plan(inner, elements).map(|plan| plan.in_tile(tile));
                self.constraints = cut;
                let outside = std::mem::replace(&mut self.cut_off, true);
                let tile = self.labeled(stage, &clipped);
                let rest = self.plan(inner, clipped).map(|plan| plan.in_tile(tile));
                self.cut_off = outside;
                let [whole, rest] = [whole?, rest?].map(Box::new);
                return Ok(Plan { nests, labels: Vec::new(), end: End::Choice { guards, whole, rest } });
            }
        }
        let tile = self.labeled(stage, &elements);
        Ok(self.plan(inner, elements)?.in_tile(tile).inside(nests))
    }

    /// A tile of a stage with a label.
    fn labeled(&self, stage: &TileStage, elements: &[LoopRange]) -> Option<LabeledTile> {
        let label = stage.label.clone()?;
        Some(LabeledTile { label, elements: elements.to_vec(), is_box: self.constraints.is_empty() })
    }

    /// The loops of the last stage.
    fn points(&mut self, stage: &TileStage, spans: Vec<LoopRange>) -> Result<Plan, Rejected> {
        let mut nests = Vec::new();
        if let [Dim { walk: DimWalk::Front { slope }, backwards, .. }, row] = &stage.dims[..]
            && let DimWalk::Row { lanes: Some(count), .. } = row.walk
        {
            let (front, rows) = self.fronts(*slope, &spans, *backwards, &mut nests)?;
            let mut plan = self.plan(&in_lanes(count, *backwards), vec![rows])?;
            plan.end.place_in_front(*slope, &front, &spans)?;
            return Ok(plan.inside(nests));
        }
        let tile = vec![Some(1); spans.len()];
        let values = self.levels(&stage.dims, &spans, (&spans, &tile), &mut nests)?;
        Ok(Plan { nests, labels: Vec::new(), end: End::Body(values) })
    }

    /// Loops over tiles; the number of the tile along each axis.
    fn tiles(
        &mut self,
        stage: &TileStage,
        spans: &[LoopRange],
        nests: &mut Vec<Vec<PlannedLoop>>,
    ) -> Result<Vec<SymInt>, Rejected> {
        let mut tiles = Vec::new();
        for (span, extent) in spans.iter().zip(&stage.tile) {
            let suffix = if *extent == Some(1) { span.suffix } else { stage.suffix };
            let extent = match extent {
                Some(1) => span.extent.clone(),
                Some(extent) => span.extent.ceil_div(*extent)?,
                None => SymInt::constant(1),
            };
            let start = SymInt::constant(0);
            tiles.push(LoopRange { start, extent, suffix, whole: None, ..span.clone() });
        }
        let at = self.levels(&stage.dims, &tiles, (spans, &stage.tile), nests)?;
        Ok(at.into_iter().map(|at| at.unwrap_or_else(|| SymInt::constant(0))).collect())
    }

    /// The loops of a stage over `spans`, each index of which is a tile of `elements`; the index along each axis.
    ///
    /// Long: one arm for each kind of dimension.
    fn levels(
        &mut self,
        dims: &[Dim],
        spans: &[LoopRange],
        (elements, tile): (&[LoopRange], &[Option<i64>]),
        nests: &mut Vec<Vec<PlannedLoop>>,
    ) -> Result<Indices, Rejected> {
        if !(self.constraints.is_empty() || dims.iter().all(|dim| matches!(dim.walk, DimWalk::Axis(_)))) {
            return Err(no_box("wavefronts and listed orders need a box"));
        }
        let mut reached = ends(elements)?;
        let in_tasks = dims.iter().any(|dim| dim.mode == LoopMode::Parallel);
        let mut nest = Vec::new();
        let mut values: Indices = vec![None; spans.len()];
        let mut copies: i64 = 1;
        for Dim { walk, backwards, mode } in dims {
            match walk {
                DimWalk::Axis(axis) => {
                    let rank = spans.len();
                    let span = spans.get(*axis).ok_or(LocationError::Axis { axis: *axis, rank })?;
                    let extent = span.extent.as_constant();
                    let mode = match mode {
                        LoopMode::Unrolled if self.cut_off && extent.is_none() => LoopMode::Serial,
                        LoopMode::Lanes if self.cut_off => LoopMode::Serial,
                        mode => *mode,
                    };
                    if let Some(source) = span.whole
                        && matches!(mode, LoopMode::Serial | LoopMode::Distributed)
                        && !(*backwards || in_tasks)
                    {
                        nest.push(PlannedLoop::Source(source, mode));
                        continue;
                    }
                    if mode == LoopMode::Unrolled {
                        copies = copies.saturating_mul(extent.unwrap_or(i64::MAX));
                        if copies > Word::MAX_UNROLL_FACTOR {
                            return Err(rejected(
                                format!("the loop over `{}` cannot be unrolled", span.variable),
                                "a loop that is unrolled has a constant number of iterations, 256 at most together with the others: \
                                 tile it with `peel`, as in `#[tile([_, 4], peel)]`",
                            ));
                        }
                    }
                    let size = tile[*axis];
                    // Its bounds may mention the variables of the loops before.
                    if !(self.constraints.is_empty() || nest.is_empty()) {
                        nests.push(std::mem::take(&mut nest));
                    }
                    let span = self.cut(span, (&elements[*axis], size), *axis, &reached)?;
                    let value = match span.extent.as_constant() {
                        Some(1) => span.start.clone(),
                        _ => self.along_axis(&span, (mode, *backwards), &mut nest, nests)?,
                    };
                    if let Some(size) = size {
                        let first = base(&elements[*axis], &spans[*axis], size)?.add(&value.scale(size)?)?;
                        reached[*axis] = [first.clone(), first.add(&SymInt::constant(size - 1))?];
                    }
                    values[*axis] = Some(value);
                }
                DimWalk::Front { slope } if *mode == LoopMode::Parallel => {
                    for (axis, mode) in [*mode, LoopMode::Following(*slope)].into_iter().enumerate() {
                        let span =
                            LoopRange { extent: spans[axis].extent.at_least_zero()?, ..spans[axis].clone() };
                        values[axis] = Some(self.along_axis(&span, (mode, *backwards), &mut nest, nests)?);
                    }
                    return Ok(values);
                }
                DimWalk::Front { slope } => {
                    let (front, rows) = self.fronts(*slope, spans, *backwards, nests)?;
                    let length = rows.extent.at_least_zero()?;
                    let mut row = Vec::new();
                    let y = self.new_level("row", &length, (rows.counted, LoopMode::Serial), &mut row);
                    nests.push(row);
                    let y = along(&rows.start, &rows.extent, &y, *backwards)?;
                    return Ok(in_front(*slope, &front, &y, spans)?);
                }
                DimWalk::Row { .. } => {}
                DimWalk::Listed(listed) => {
                    if !listed.is_of(spans.iter().map(|span| span.extent.as_constant())) {
                        return Err(LocationError::Dynamic.into());
                    }
                    let count = SymInt::constant(listed.len());
                    let number = self.new_level("point", &count, (true, LoopMode::Serial), &mut nest);
                    let number = along(&SymInt::constant(0), &count, &number, *backwards)?;
                    for (axis, span) in spans.iter().enumerate() {
                        values[axis] = Some(span.start.add(&number.entry(&listed.coordinates(axis))?)?);
                    }
                }
            }
        }
        if !nest.is_empty() {
            nests.push(nest);
        }
        Ok(values)
    }

    /// The indices of an axis at which there may be a point, where the others are as far as `reached`. There is one at
    /// each if they have one index each.
    fn cut(
        &self,
        span: &LoopRange,
        (elements, size): (&LoopRange, Option<i64>),
        axis: usize,
        reached: &[[SymInt; 2]],
    ) -> Result<LoopRange, Rejected> {
        let one = SymInt::constant(1);
        let Some(size) = size else { return Ok(span.clone()) };
        let base = base(elements, span, size)?;
        let mut start = span.start.clone();
        let mut end = start.add(&span.extent)?;
        for constraint in &self.constraints {
            let factor = constraint.factors[axis];
            let mut others = constraint.clone();
            others.factors[axis] = 0;
            let room = others.extreme(reached, true)?;
            if factor > 0 {
                // factor * (base + size * at + size - 1) + room >= 0
                let most = base.add(&SymInt::constant(size - 1))?.scale(factor)?.add(&room)?;
                let least = most.neg()?.ceil_div(factor * size)?;
                if !self.facts.proves_le(&least, &span.start) {
                    start = Integer::max(&start, &least)?;
                }
            } else if factor < 0 {
                // factor * (base + size * at) + room >= 0
                let past = base.scale(factor)?.add(&room)?.floor_div(-factor * size)?.add(&one)?;
                if !self.facts.proves_le(&end, &past) {
                    end = Integer::min(&end, &past)?;
                }
            }
        }
        Ok(LoopRange { extent: end.sub(&start)?, start, ..span.clone() })
    }

    /// A loop over the indices of an axis; its value.
    fn along_axis(
        &mut self,
        LoopRange { start, extent, variable, suffix, counted, .. }: &LoopRange,
        (mode, backwards): (LoopMode, bool),
        nest: &mut Vec<PlannedLoop>,
        nests: &mut Vec<Vec<PlannedLoop>>,
    ) -> Result<SymInt, Rejected> {
        let in_lanes = mode == LoopMode::Lanes;
        if in_lanes {
            // The loops that write what lanes hold follow theirs, in a nest around them all.
            nests.push(std::mem::take(nest));
        }
        let hint = format!("{variable}{}", if in_lanes { "_lane" } else { suffix });
        let value = self.new_level(&hint, extent, (*counted, mode), nest);
        if in_lanes || matches!(mode, LoopMode::Parallel | LoopMode::Following(_)) {
            // A task is the body of a nest of its own.
            nests.push(std::mem::take(nest));
        }
        Ok(along(start, extent, &value, backwards)?)
    }

    /// A loop over the fronts of equal `slope * y + x` of a rectangle; the number of the front, and its rows.
    fn fronts(
        &mut self,
        slope: i64,
        spans: &[LoopRange],
        backwards: bool,
        nests: &mut Vec<Vec<PlannedLoop>>,
    ) -> Result<(SymInt, LoopRange), Rejected> {
        let one = SymInt::constant(1);
        let [rows, columns] = [&spans[0], &spans[1]];
        let last = [rows.extent.sub(&one)?, columns.extent.sub(&one)?];
        // An empty rectangle may have fronts, which are empty.
        let count = last[0].scale(slope)?.add(&columns.extent)?.at_least_zero()?;
        let counted = rows.counted && columns.counted;
        let mut fronts = Vec::new();
        let front = self.new_level("front", &count, (counted, LoopMode::Serial), &mut fronts);
        if let Some(PlannedLoop::New { i32_extents, .. }) = fronts.last_mut() {
            *i32_extents = counted;
        }
        nests.push(fronts);
        let front = along(&SymInt::constant(0), &count, &front, backwards)?;
        // `0 <= front - slope * y <= last[1]`
        let first = front.sub(&last[1])?.ceil_div(slope)?.at_least_zero()?;
        let end = Integer::min(&front.floor_div(slope)?, &last[0])?;
        let extent = end.sub(&first)?.add(&one)?;
        Ok((front, LoopRange { start: first, extent, whole: None, ..(*rows).clone() }))
    }

    /// A loop of `extent` iterations, which `i32` is known to hold or not; the value of its variable.
    fn new_level(
        &mut self,
        hint: &str,
        extent: &SymInt,
        (counted, mode): (bool, LoopMode),
        nest: &mut Vec<PlannedLoop>,
    ) -> SymInt {
        let most = extent.range().hi.or(counted.then_some(i64::from(i32::MAX)));
        let range = Range { lo: Some(0), hi: most.map(|most| most.saturating_sub(1).max(0)) };
        let symbol = (self.symbol)(hint, range);
        let value = SymInt::symbol(&symbol);
        let room = extent.sub(&value).and_then(|room| room.sub(&SymInt::constant(1)));
        if let Ok(room) = room {
            self.facts.push(room);
        }
        let (hint, extent) = (hint.to_owned(), extent.clone());
        nest.push(PlannedLoop::New { symbol, hint, extent, mode, i32_extents: false });
        value
    }
}
