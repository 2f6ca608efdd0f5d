//! Orders of the points of a box, and the dependences that they keep.

use shim_core::{Curve, LocationError, Order};

use crate::ir::{LoopMode, Tail, Word};
use crate::symbolic::{Range, Sym};

use super::listed::Listed;

/// An order of the points of a box: loops, the outermost first, in stages of which each runs over the tiles of the next one.
#[derive(Debug, Clone)]
pub(super) struct LoopOrder {
    /// The tiles of the last stage are points.
    pub(super) stages: Vec<Stage>,
}

/// Loops over the tiles of a box, or over its points.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    /// The extents of a tile. An axis without one is not tiled.
    pub(super) tile: Vec<Option<i64>>,
    pub(super) tail: Tail,
    pub(super) dims: Vec<Dim>,
    /// What the variables of its loops are called after those of the source.
    pub(super) suffix: &'static str,
}

/// A loop.
#[derive(Debug, Clone)]
pub(super) struct Dim {
    pub(super) walk: Walk,
    pub(super) backwards: bool,
    pub(super) mode: LoopMode,
}

/// What a loop runs over.
#[derive(Debug, Clone)]
pub(super) enum Walk {
    /// The tiles along an axis.
    Axis(usize),
    /// The fronts of equal `slope * y + x`. Where they run in parallel, so do the rows of each.
    Front { slope: i64 },
    /// The rows of a front; in a wavefront no two of them may depend on each other. So many of them are in lockstep.
    Row { slope: i64, ordered: bool, lanes: Option<i64> },
    /// The points of a box of constant extents, in any order.
    Listed(Listed),
}

/// Why words give no order.
pub(super) enum Refusal {
    /// This order needs constant extents, or more points than it may have.
    Extents(&'static str),
    /// This order is not defined for the box.
    Undefined(LocationError),
    /// Two words order the same loops.
    Twice,
    /// A list has another number of entries than the nest has loops.
    Entries { word: &'static str, given: usize, loops: usize },
    /// There is no such variable.
    Variable(String),
    /// A variable is named twice.
    Repeated(String),
    /// The sum of a wavefront is not that of two variables, the last one without a factor.
    Wavefront,
    /// Lanes of loops that are not the innermost ones.
    LanesOutside,
    /// This word is about an innermost loop, which the order does not have.
    Innermost(&'static str),
    /// Two words say how the same loop runs.
    Modes,
    /// Tasks of an order that has no outermost loop.
    ParallelOf,
    /// Lanes of the loop whose iterations are tasks.
    LanesOfTasks,
}

impl LoopOrder {
    /// The order that words describe, for loops whose variables have these names, and these extents where they are known.
    pub(super) fn of(words: &[Word], names: &[&str], extents: &[Option<Sym>]) -> Result<Self, Refusal> {
        let stages = Words { names }.stages(words, extents)?;
        let mut dims = stages.iter().flat_map(|stage| &stage.dims).rev();
        if dims.any(Dim::is_in_lanes) && !stages.last().is_some_and(Stage::has_lanes) {
            return Err(Refusal::LanesOutside);
        }
        Ok(LoopOrder { stages })
    }

    /// Whether two points are visited in the sequence of their source.
    pub(super) fn keeps(&self, from: &[i64], to: &[i64]) -> bool {
        let (Some(first), Some(second)) = (self.key(from), self.key(to)) else { return from == to };
        from == to || first != second && first.cmp(&second) == from.cmp(to)
    }

    /// A key by which the points are visited; points of one wavefront have the same. `None` where a point is visited twice.
    fn key(&self, point: &[i64]) -> Option<Vec<i64>> {
        let mut key = Vec::new();
        let mut point = point.to_vec();
        for stage in &self.stages {
            if stage.tail == Tail::Shift {
                return None;
            }
            let tile = stage.tile_of(&mut point);
            for dim in &stage.dims {
                key.push(dim.key(&tile)?);
            }
        }
        Some(key)
    }

    /// Whether the points at each of these distances are visited in the sequence of their source.
    pub(super) fn preserves(&self, distances: &[Range]) -> bool {
        let first = distances.iter().find(|steps| **steps != Range::ZERO);
        match first {
            None => true,
            Some(Range { lo: Some(1..), .. }) => self.advances(distances),
            Some(_) => self.advances(&negated(distances)),
        }
    }

    /// Whether the point at each nonzero distance of a box is visited later.
    fn advances(&self, distances: &[Range]) -> bool {
        let mut near = distances.to_vec();
        for stage in &self.stages {
            if stage.tail == Tail::Shift {
                return false;
            }
            let tiles = stage.narrow(&mut near);
            if let Some(advances) = stage.dims.iter().find_map(|dim| dim.advances(&tiles)) {
                return advances;
            }
            if near.iter().any(|steps| steps.is_empty()) {
                return true;
            }
        }
        true
    }

    /// Whether two points at one of these distances may run in lockstep.
    pub(super) fn in_lockstep(&self, distances: &[Range]) -> bool {
        self.run_together(distances, Dim::is_in_lanes)
    }

    /// Whether two points at one of these distances may run in two tasks at the same time.
    pub(super) fn is_concurrent(&self, distances: &[Range]) -> bool {
        self.run_together(distances, Dim::is_parallel)
    }

    /// Whether two points at one of these distances may be in one iteration of all loops around one of some loops, and in two of its.
    fn run_together(&self, distances: &[Range], some: fn(&Dim) -> bool) -> bool {
        let mut near = distances.to_vec();
        for stage in &self.stages {
            let tiles = stage.narrow(&mut near);
            for dim in &stage.dims {
                if some(dim) {
                    return dim.parts(&tiles);
                }
                if !dim.may_stay(&tiles) {
                    return false;
                }
            }
            if near.iter().any(|steps| steps.is_empty()) {
                return false;
            }
        }
        false
    }

    /// Whether two points may run in two tasks at the same time.
    pub(super) fn are_concurrent(&self, p: &[i64], q: &[i64]) -> bool {
        let [mut p, mut q] = [p, q].map(<[i64]>::to_vec);
        for stage in &self.stages {
            let [p, q] = [&mut p, &mut q].map(|point| stage.tile_of(point));
            for dim in &stage.dims {
                if let (Walk::Front { slope }, LoopMode::Parallel) = (&dim.walk, dim.mode) {
                    let front = |at: &[i64]| slope.checked_mul(at[0]).and_then(|row| row.checked_add(at[1]));
                    let (above, below) = if p[0] < q[0] { (&p, &q) } else { (&q, &p) };
                    return p[0] != q[0] && front(above) >= front(below);
                }
                if dim.key(&p) != dim.key(&q) {
                    return dim.is_parallel();
                }
            }
        }
        false
    }

    fn dims(&self) -> impl Iterator<Item = &Dim> {
        self.stages.iter().flat_map(|stage| &stage.dims)
    }

    /// Whether points run in tasks.
    pub(super) fn has_tasks(&self) -> bool {
        self.dims().any(Dim::is_parallel)
    }

    /// Whether points run in lockstep.
    pub(super) fn has_lanes(&self) -> bool {
        self.dims().any(Dim::is_in_lanes)
    }

    /// The order without lanes.
    pub(super) fn without_lanes(mut self) -> Self {
        let last = self.stages.last_mut();
        for dim in last.into_iter().flat_map(|stage| &mut stage.dims) {
            if let Walk::Row { lanes, .. } = &mut dim.walk {
                *lanes = None;
            }
        }
        // The groups of lanes were split off the points.
        if self.has_lanes() {
            self.stages.pop();
            if let Some(Stage { tile, tail, suffix, .. }) = self.stages.last_mut() {
                tile.fill(Some(1));
                (*tail, *suffix) = (Tail::Clip, "");
            }
        }
        self
    }

    /// Whether some points may run twice.
    pub(super) fn repeats(&self) -> bool {
        self.stages.iter().any(|stage| stage.tail == Tail::Shift)
    }
}

impl Stage {
    /// Loops over the points of a box.
    fn points(rank: usize, walks: impl IntoIterator<Item = Walk>) -> Self {
        let dim = |walk| Dim { walk, backwards: false, mode: LoopMode::Serial };
        Stage {
            tile: vec![Some(1); rank],
            tail: Tail::Clip,
            dims: walks.into_iter().map(dim).collect(),
            suffix: "",
        }
    }

    /// The tile that a point is in, which becomes that of the tile.
    fn tile_of(&self, point: &mut [i64]) -> Vec<i64> {
        let number = |(at, extent): (&mut i64, &Option<i64>)| {
            let tile = extent.and_then(|extent| at.checked_div_euclid(extent)).unwrap_or(0);
            *at -= tile * extent.unwrap_or(0);
            tile
        };
        point.iter_mut().zip(&self.tile).map(number).collect()
    }

    /// The distances between the tiles of points; those between the points become those within one tile.
    fn narrow(&self, distances: &mut [Range]) -> Vec<Range> {
        let axis = |(steps, extent): (&mut Range, &Option<i64>)| match extent {
            Some(extent) => {
                let tiles = steps.tiles(*extent);
                *steps = steps.intersect(Range::within(extent - 1));
                tiles
            }
            None => Range::ZERO,
        };
        distances.iter_mut().zip(&self.tile).map(axis).collect()
    }

    /// Whether its innermost loop is in lanes.
    fn has_lanes(&self) -> bool {
        self.dims.last().is_some_and(Dim::is_in_lanes)
    }
}

impl Dim {
    fn is_in_lanes(&self) -> bool {
        self.mode == LoopMode::Lanes || matches!(self.walk, Walk::Row { lanes: Some(_), .. })
    }

    fn is_parallel(&self) -> bool {
        self.mode == LoopMode::Parallel
    }

    /// The number of the iteration that runs a tile, or one that is in the same sequence; `None` where there is none.
    fn key(&self, tile: &[i64]) -> Option<i64> {
        let key = match &self.walk {
            Walk::Axis(axis) => tile.get(*axis).copied()?,
            Walk::Front { slope } => slope.checked_mul(tile[0])?.checked_add(tile[1])?,
            Walk::Row { ordered: true, .. } => tile[0],
            Walk::Row { ordered: false, .. } => 0,
            Walk::Listed(listed) => listed.position(tile)?,
        };
        Some(if self.backwards { -key } else { key })
    }

    /// Whether a tile at each of these distances comes later; `None` where one may be in the same iteration.
    fn advances(&self, distances: &[Range]) -> Option<bool> {
        let negated = self.backwards.then(|| negated(distances));
        let distances = negated.as_deref().unwrap_or(distances);
        let along = |steps: Range| match steps.lo {
            Some(1..) => Some(true),
            Some(0) => None,
            _ => Some(false),
        };
        match &self.walk {
            Walk::Axis(axis) => along(distances[*axis]),
            Walk::Front { slope } => {
                let (Some(y), Some(x)) = (distances[0].lo, distances[1].lo) else { return Some(false) };
                match slope.checked_mul(y).and_then(|steps| steps.checked_add(x)) {
                    Some(1..) => Some(true),
                    // One distance alone stays in the front, and it is zero.
                    Some(0) if (y, x) == (0, 0) => Some(true),
                    Some(0) => None,
                    _ => Some(false),
                }
            }
            Walk::Row { ordered, .. } => Some(*ordered && distances[0].lo > Some(0)),
            Walk::Listed(listed) => Some(listed.advances(distances)),
        }
    }

    /// Whether tiles at one of these distances may be in one iteration.
    fn may_stay(&self, distances: &[Range]) -> bool {
        let may_be_zero = |steps: Range| !steps.intersect(Range::ZERO).is_empty();
        match &self.walk {
            Walk::Axis(axis) => may_be_zero(distances[*axis]),
            Walk::Front { slope } => may_be_zero(distances[0].times(*slope).plus(distances[1])),
            Walk::Row { .. } => may_be_zero(distances[0]),
            Walk::Listed(_) => distances.iter().all(|steps| may_be_zero(*steps)),
        }
    }

    /// Whether tiles at one of these distances may be in different iterations that run at the same time, if all loops around stay.
    fn parts(&self, distances: &[Range]) -> bool {
        match &self.walk {
            Walk::Axis(axis) => distances[*axis] != Range::ZERO && !distances[*axis].is_empty(),
            // Rows are tasks. A point waits for those of earlier fronts in the rows above.
            Walk::Front { slope } => [distances.to_vec(), negated(distances)].into_iter().any(|distances| {
                let rows = distances[0].intersect(Range { lo: Some(1), hi: None });
                let fronts = rows.times(*slope).plus(distances[1]);
                !rows.is_empty() && !fronts.intersect(Range { lo: None, hi: Some(0) }).is_empty()
            }),
            Walk::Row { slope, lanes, .. } => {
                let rows = distances[0].intersect(Range::within(lanes.unwrap_or(1) - 1));
                let front = rows.times(*slope).plus(distances[1]);
                !rows.is_empty() && !front.intersect(Range::ZERO).is_empty()
            }
            Walk::Listed(_) => true,
        }
    }
}

/// Reads words.
struct Words<'w> {
    /// The variables of the loops.
    names: &'w [&'w str],
}

impl Words<'_> {
    fn axis(&self, name: &String) -> Result<usize, Refusal> {
        let mut found = self.names.iter().enumerate().filter(|(_, own)| *own == name);
        match (found.next(), found.next()) {
            (Some((axis, _)), None) => Ok(axis),
            _ => Err(Refusal::Variable(name.clone())),
        }
    }

    fn counted(&self, word: &'static str, given: usize) -> Result<(), Refusal> {
        let loops = self.names.len();
        if given == loops { Ok(()) } else { Err(Refusal::Entries { word, given, loops }) }
    }

    /// The stages that words describe. What comes before a `tile` orders the tiles, what comes after it the points of each.
    fn stages(&self, words: &[Word], extents: &[Option<Sym>]) -> Result<Vec<Stage>, Refusal> {
        if let Some(at) = words.iter().position(|word| matches!(word, Word::Tile(..)))
            && let Word::Tile(tile, tail) = &words[at]
        {
            self.counted("tile", tile.len())?;
            let (tiles, elements) = tiled(extents, tile);
            let mut outer = self.stages(&words[..at], &tiles)?;
            if let [Stage { dims, .. }, ..] = &mut outer[..]
                && dims.first().is_some_and(|dim| dim.is_parallel() && matches!(dim.walk, Walk::Axis(_)))
            {
                spread(dims, tile);
            }
            return Ok(tiles_of(tile, *tail, outer, self.stages(&words[at + 1..], &elements)?));
        }
        let rank = self.names.len();
        let mut order: Option<Vec<Stage>> = None;
        for word in words {
            if let Some(own) = self.order(word, extents)?
                && order.replace(own).is_some()
            {
                return Err(Refusal::Twice);
            }
        }
        let mut stages = order.unwrap_or_else(|| vec![Stage::points(rank, (0..rank).map(Walk::Axis))]);
        for word in words {
            self.mode(word, &mut stages)?;
        }
        Ok(stages)
    }

    /// The order of the points of a box that a word describes, if it does.
    fn order(&self, word: &Word, extents: &[Option<Sym>]) -> Result<Option<Vec<Stage>>, Refusal> {
        let rank = self.names.len();
        Ok(Some(match word {
            Word::Order(order) => of_layout(order, extents)?,
            Word::Reorder(variables) => {
                self.counted("reorder", variables.len())?;
                let axes =
                    variables.iter().map(|variable| self.axis(variable)).collect::<Result<Vec<_>, _>>()?;
                if let Some(again) = (1..rank).find(|at| axes[..*at].contains(&axes[*at])) {
                    return Err(Refusal::Repeated(variables[again].clone()));
                }
                vec![Stage::points(rank, axes.into_iter().map(Walk::Axis))]
            }
            Word::Wavefront(terms) => {
                let ([first, second], 2) = (&terms[..], rank) else { return Err(Refusal::Wavefront) };
                let mut slopes = [0; 2];
                for (name, factor) in [first, second] {
                    slopes[self.axis(name)?] = *factor;
                }
                let [slope, last] = slopes;
                if slope < 1 || last != 1 {
                    return Err(Refusal::Wavefront);
                }
                fronts(slope, false)
            }
            Word::Tile(..)
            | Word::Fuse
            | Word::Parallel
            | Word::Unroll(_)
            | Word::UnrollBy(_)
            | Word::Lanes(_) => return Ok(None),
        }))
    }

    /// Applies a word that says how a loop runs.
    fn mode(&self, word: &Word, stages: &mut Vec<Stage>) -> Result<(), Refusal> {
        let has_lanes = stages.iter().flat_map(|stage| &stage.dims).any(Dim::is_in_lanes);
        let has_tasks = stages.iter().flat_map(|stage| &stage.dims).any(Dim::is_parallel);
        match word {
            Word::Parallel => {
                let outermost = stages.first_mut().and_then(|stage| stage.dims.first_mut());
                let Some(dim) = outermost.filter(|dim| !matches!(dim.walk, Walk::Listed(_))) else {
                    return Err(Refusal::ParallelOf);
                };
                if has_lanes && matches!(dim.walk, Walk::Front { .. }) {
                    return Err(Refusal::LanesOfTasks);
                }
                set_mode(dim, LoopMode::Parallel)
            }
            Word::Unroll(variables) => {
                for variable in variables {
                    let axis = self.axis(variable)?;
                    let own = |dim: &&mut Dim| matches!(dim.walk, Walk::Axis(own) if own == axis);
                    let dim = stages.last_mut().and_then(|stage| stage.dims.iter_mut().find(own));
                    set_mode(dim.ok_or(Refusal::Innermost("unroll"))?, LoopMode::Unrolled)?;
                }
                Ok(())
            }
            Word::UnrollBy(count) => split(stages, *count, LoopMode::Unrolled, "_tile", "unroll"),
            Word::Lanes(count) => {
                let innermost = stages.last_mut().and_then(|stage| stage.dims.last_mut());
                match innermost.map(|dim| &mut dim.walk) {
                    Some(Walk::Row { .. }) if has_tasks => Err(Refusal::LanesOfTasks),
                    Some(Walk::Row { lanes, .. }) => {
                        if lanes.replace(*count).is_some() {
                            Err(Refusal::Modes)
                        } else {
                            Ok(())
                        }
                    }
                    _ => split(stages, *count, LoopMode::Lanes, "_group", "lanes"),
                }
            }
            Word::Order(_) | Word::Reorder(_) | Word::Wavefront(_) | Word::Tile(..) | Word::Fuse => Ok(()),
        }
    }
}

fn set_mode(dim: &mut Dim, mode: LoopMode) -> Result<(), Refusal> {
    if dim.mode != LoopMode::Serial {
        return Err(Refusal::Modes);
    }
    dim.mode = mode;
    Ok(())
}

/// So many points of a line at a time in lockstep.
pub(super) fn in_lanes(count: i64, backwards: bool) -> Vec<Stage> {
    let mut stages = vec![Stage::points(1, [Walk::Axis(0)])];
    stages[0].dims[0].backwards = backwards;
    split_off(&mut stages, 0, count, LoopMode::Lanes, "_group");
    stages
}

/// Splits the innermost loop: so many of its iterations at a time run in a mode.
fn split(
    stages: &mut Vec<Stage>,
    count: i64,
    mode: LoopMode,
    suffix: &'static str,
    word: &'static str,
) -> Result<(), Refusal> {
    let last = stages.last_mut().ok_or(Refusal::Innermost(word))?;
    let innermost = match last.dims.last() {
        Some(Dim { walk: Walk::Axis(axis), mode: LoopMode::Serial | LoopMode::Parallel, .. }) => *axis,
        Some(Dim { walk: Walk::Axis(_), .. }) => return Err(Refusal::Modes),
        _ => return Err(Refusal::Innermost(word)),
    };
    split_off(stages, innermost, count, mode, suffix);
    Ok(())
}

/// Makes of the points of the last stage tiles of so many along one axis.
fn split_off(stages: &mut Vec<Stage>, axis: usize, count: i64, mode: LoopMode, suffix: &'static str) {
    let Some(last) = stages.last_mut() else { return };
    let rank = last.tile.len();
    let mut points = Stage::points(rank, (0..rank).filter(|own| *own != axis).chain([axis]).map(Walk::Axis));
    if let (Some(dim), Some(around)) = (points.dims.last_mut(), last.dims.last()) {
        (dim.mode, dim.backwards) = (mode, around.backwards);
    }
    last.tile[axis] = Some(count);
    (last.tail, last.suffix) = (Tail::Peel, suffix);
    stages.push(points);
}

/// Tiles in one order, and the points of each in another.
fn tiles_of(tile: &[Option<i64>], tail: Tail, mut outer: Vec<Stage>, inner: Vec<Stage>) -> Vec<Stage> {
    for stage in &mut outer {
        for (extent, tile) in stage.tile.iter_mut().zip(tile) {
            *extent = extent.zip(*tile).map(|(count, extent)| count.saturating_mul(extent));
        }
    }
    if let Some(last) = outer.last_mut() {
        (last.tail, last.suffix) = (tail, "_tile");
    }
    outer.extend(inner);
    outer
}

/// Moves axes with a single tile inwards, so that the outermost loop, whose iterations are tasks, has several.
fn spread(dims: &mut [Dim], tile: &[Option<i64>]) {
    dims[0].mode = LoopMode::Serial;
    dims.sort_by_key(|dim| matches!(dim.walk, Walk::Axis(axis) if tile[axis].is_none()));
    dims[0].mode = LoopMode::Parallel;
}

fn fronts(slope: i64, ordered: bool) -> Vec<Stage> {
    vec![Stage::points(2, [Walk::Front { slope }, Walk::Row { slope, ordered, lanes: None }])]
}

fn of_layout(order: &Order, extents: &[Option<Sym>]) -> Result<Vec<Stage>, Refusal> {
    let rank = extents.len();
    let axes = |axes: Vec<usize>| Ok(vec![Stage::points(rank, axes.into_iter().map(Walk::Axis))]);
    let name = match order {
        Order::RowMajor => return axes((0..rank).collect()),
        Order::ColumnMajor => return axes((0..rank).rev().collect()),
        Order::Axes(own) => return axes(own.clone()),
        Order::Reversed(order) => {
            let mut stages = of_layout(order, extents)?;
            for dim in stages.iter_mut().flat_map(|stage| &mut stage.dims) {
                dim.backwards = !dim.backwards;
            }
            return Ok(stages);
        }
        Order::Tile { extents: tile, outer, inner } => {
            let tile: Vec<Option<i64>> = tile.iter().copied().map(Some).collect();
            let (tiles, elements) = tiled(extents, &tile);
            let (outer, inner) = (of_layout(outer, &tiles)?, of_layout(inner, &elements)?);
            return Ok(tiles_of(&tile, Tail::Clip, outer, inner));
        }
        Order::Lanes(lanes) => {
            let tile = (0..rank).map(|axis| if axis == 0 { *lanes } else { 1 });
            return of_layout(&Order::tile(&tile.collect::<Vec<_>>()), extents);
        }
        Order::Curve(Curve::Antidiagonal) if rank == 2 => return Ok(fronts(1, true)),
        Order::Curve(Curve::Antidiagonal) => "antidiagonal",
        Order::Morton => "morton",
        Order::Curve(Curve::Zigzag) => "zigzag",
        Order::Curve(Curve::Hilbert) => "hilbert",
        Order::Then { .. } => "then",
        Order::Swizzle(_) => "swizzle",
        Order::Table { .. } | Order::By(_) => "by",
    };
    let known = extents.iter().map(|extent| extent.as_ref()?.as_constant());
    let Some(constant) = known.collect::<Option<Vec<i64>>>() else { return Err(Refusal::Extents(name)) };
    match Listed::of(order, constant.clone()).map_err(Refusal::Undefined)? {
        Some(listed) => Ok(vec![Stage::points(rank, [Walk::Listed(listed)])]),
        None if constant.contains(&0) => axes((0..rank).collect()),
        None => Err(Refusal::Extents(name)),
    }
}

fn negated(distances: &[Range]) -> Vec<Range> {
    distances.iter().map(|steps| steps.negated()).collect()
}

/// The extents of the tiles of a box, and those of each tile, as far as they are known and the same for all.
fn tiled(extents: &[Option<Sym>], tile: &[Option<i64>]) -> (Vec<Option<Sym>>, Vec<Option<Sym>>) {
    let divided = |(extent, tile): (&Option<Sym>, &Option<i64>)| match tile {
        None => (Some(Sym::constant(1)), extent.clone()),
        Some(tile) => {
            let rest = extent.as_ref().and_then(|extent| extent.modulo(*tile).ok());
            let whole = rest.is_some_and(|rest| rest.is_zero());
            let tiles = extent.as_ref().and_then(|extent| extent.ceil_div(*tile).ok());
            (tiles, (whole || *tile == 1).then(|| Sym::constant(*tile)))
        }
    };
    extents.iter().zip(tile).map(divided).unzip()
}
