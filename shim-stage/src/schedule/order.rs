//! Orders of the points of a box, and the dependences that they keep.

use std::cmp::Ordering;

use syn::Lifetime;

use crate::ir::{LoopMode, Tail};
use crate::symbolic::Range;

use super::listed::Listed;

/// Which of two accesses comes first in an iteration that has both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bodies {
    /// In the source, which runs one nest before the next one, by the nests that were fused.
    pub(super) fused: Ordering,
    /// By the parts for which the innermost loop is distributed.
    pub(super) part: Ordering,
}

impl Bodies {
    /// Which of two accesses comes first in the source, at each of these distances.
    pub(super) fn source(self, distances: &[Range]) -> Ordering {
        let first = distances.iter().find(|steps| **steps != Range::ZERO);
        self.fused.then(match first {
            None => Ordering::Equal,
            Some(Range { lo: Some(1..), .. }) => Ordering::Less,
            Some(_) => Ordering::Greater,
        })
    }

    fn reversed(self) -> Self {
        Self { fused: self.fused.reverse(), part: self.part.reverse() }
    }
}

/// An order of the points of a box: loops, the outermost first, in stages of which each runs over the tiles of the next
/// one.
#[derive(Debug, Clone)]
pub(super) struct LoopOrder {
    /// The tiles of the last stage are points.
    pub(super) stages: Vec<TileStage>,
}

/// Loops over the tiles of a box, or over its points.
#[derive(Debug, Clone)]
pub(super) struct TileStage {
    /// The extents of a tile. An axis without one is not tiled.
    pub(super) tile: Vec<Option<i64>>,
    pub(super) tail: Tail,
    /// What its tiles are called.
    pub(super) label: Option<Lifetime>,
    pub(super) dims: Vec<Dim>,
    /// What the variables of its loops are called after those of the source.
    pub(super) suffix: &'static str,
}

/// A loop.
#[derive(Debug, Clone)]
pub(super) struct Dim {
    pub(super) walk: DimWalk,
    pub(super) backwards: bool,
    pub(super) mode: LoopMode,
}

/// What a loop runs over.
#[derive(Debug, Clone)]
pub(super) enum DimWalk {
    /// The tiles along an axis.
    Axis(usize),
    /// The fronts of equal `slope * y + x`. Where they run in parallel, so do the rows of each.
    Front { slope: i64 },
    /// The rows of a front; in a wavefront no two of them may depend on each other. So many of them are in lockstep.
    Row { slope: i64, ordered: bool, lanes: Option<i64> },
    /// The points of a box of constant extents, in any order.
    Listed(Listed),
}

impl LoopOrder {
    /// Whether two accesses, at two points, run in the sequence of their source.
    pub(super) fn keeps(&self, from: &[i64], to: &[i64], bodies: Bodies) -> bool {
        let source = bodies.fused.then(from.cmp(to));
        let (Some(mut first), Some(mut second)) = (self.key(from), self.key(to)) else {
            return source.is_eq();
        };
        let mut order = first.cmp(&second);
        if self.distributes() {
            let inner = first.pop().cmp(&second.pop());
            order = first.cmp(&second).then(bodies.part).then(inner);
        }
        if from == to {
            order = order.then(bodies.fused);
        }
        order == source && (order.is_ne() || from == to)
    }

    /// A key by which the points are visited; points of one wavefront have the same. `None` where a point is visited
    /// twice.
    fn key(&self, point: &[i64]) -> Option<Vec<i64>> {
        let mut key = Vec::new();
        let mut point = point.to_vec();
        for stage in &self.stages {
            if stage.tail.repeats() {
                return None;
            }
            let tile = stage.tile_of(&mut point);
            for dim in &stage.dims {
                key.push(dim.key(&tile)?);
            }
        }
        Some(key)
    }

    /// Whether two accesses at each of these distances run in the sequence of their source.
    pub(super) fn preserves(&self, distances: &[Range], bodies: Bodies) -> bool {
        match bodies.source(distances) {
            Ordering::Less => self.advances(distances, bodies),
            Ordering::Equal => true,
            Ordering::Greater => self.advances(&negated(distances), bodies.reversed()),
        }
    }

    /// Whether the access at each nonzero distance of a box runs later.
    fn advances(&self, distances: &[Range], bodies: Bodies) -> bool {
        let mut near = distances.to_vec();
        for stage in &self.stages {
            if stage.tail.repeats() {
                return false;
            }
            let tiles = stage.narrow(&mut near);
            for dim in &stage.dims {
                if dim.mode == LoopMode::Distributed && bodies.part.is_ne() {
                    return bodies.part.is_lt();
                }
                if let Some(advances) = dim.advances(&tiles) {
                    return advances;
                }
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

    /// Whether two such points can share all outer iterations and differ in a loop of this kind.
    fn run_together(&self, distances: &[Range], some: fn(&Dim) -> bool) -> bool {
        let mut near = distances.to_vec();
        for stage in &self.stages {
            let tiles = stage.narrow(&mut near);
            for dim in &stage.dims {
                if some(dim) && dim.parts(&tiles) {
                    return true;
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
                if let (DimWalk::Front { slope }, LoopMode::Parallel) = (&dim.walk, dim.mode)
                    && p != q
                {
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

    /// Whether the innermost loop runs once for each part of the body.
    pub(super) fn distributes(&self) -> bool {
        self.dims().any(|dim| dim.mode == LoopMode::Distributed)
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
            if let DimWalk::Row { lanes, .. } = &mut dim.walk {
                *lanes = None;
            }
        }
        // The groups of lanes were split off the points.
        if self.has_lanes() {
            self.stages.pop();
            if let Some(TileStage { tile, tail, suffix, .. }) = self.stages.last_mut() {
                tile.fill(Some(1));
                (*tail, *suffix) = (Tail::Clip, "");
            }
        }
        self
    }

    /// Whether some points may run twice.
    pub(super) fn repeats(&self) -> bool {
        self.stages.iter().any(|stage| stage.tail.repeats())
    }
}

impl TileStage {
    /// Loops over the points of a box.
    pub(super) fn points(rank: usize, walks: impl IntoIterator<Item = DimWalk>) -> Self {
        let dim = |walk| Dim { walk, backwards: false, mode: LoopMode::Serial };
        TileStage {
            tile: vec![Some(1); rank],
            tail: Tail::Clip,
            label: None,
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
}

impl Dim {
    pub(super) fn is_in_lanes(&self) -> bool {
        self.mode == LoopMode::Lanes || matches!(self.walk, DimWalk::Row { lanes: Some(_), .. })
    }

    pub(super) fn is_parallel(&self) -> bool {
        self.mode == LoopMode::Parallel
    }

    /// The number of the iteration that runs a tile, or one that is in the same sequence; `None` where there is none.
    fn key(&self, tile: &[i64]) -> Option<i64> {
        let key = match &self.walk {
            DimWalk::Axis(axis) => tile.get(*axis).copied()?,
            DimWalk::Front { slope } => slope.checked_mul(tile[0])?.checked_add(tile[1])?,
            DimWalk::Row { ordered: true, .. } => tile[0],
            DimWalk::Row { ordered: false, .. } => 0,
            DimWalk::Listed(listed) => listed.position(tile)?,
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
            DimWalk::Axis(axis) => along(distances[*axis]),
            DimWalk::Front { slope } => {
                let (Some(y), Some(x)) = (distances[0].lo, distances[1].lo) else { return Some(false) };
                match slope.checked_mul(y).and_then(|steps| steps.checked_add(x)) {
                    Some(1..) => Some(true),
                    // One distance alone stays in the front, and it is zero.
                    Some(0) if (y, x) == (0, 0) => Some(true),
                    Some(0) => None,
                    _ => Some(false),
                }
            }
            DimWalk::Row { ordered, .. } => Some(*ordered && distances[0].lo > Some(0)),
            // Inside of one tile the loops inside decide.
            DimWalk::Listed(listed) => {
                let may_stay = distances.iter().all(|steps| !steps.intersect(Range::ZERO).is_empty());
                if listed.advances(distances) { (!may_stay).then_some(true) } else { Some(false) }
            }
        }
    }

    /// Whether tiles at one of these distances may be in one iteration.
    fn may_stay(&self, distances: &[Range]) -> bool {
        let may_be_zero = |steps: Range| !steps.intersect(Range::ZERO).is_empty();
        match &self.walk {
            DimWalk::Axis(axis) => may_be_zero(distances[*axis]),
            DimWalk::Front { slope } => may_be_zero(distances[0].times(*slope).plus(distances[1])),
            DimWalk::Row { .. } => may_be_zero(distances[0]),
            DimWalk::Listed(_) => distances.iter().all(|steps| may_be_zero(*steps)),
        }
    }

    /// Whether tiles at one of these distances may be in different iterations that run at the same time, if all loops
    /// around stay.
    fn parts(&self, distances: &[Range]) -> bool {
        match &self.walk {
            DimWalk::Axis(axis) => distances[*axis] != Range::ZERO && !distances[*axis].is_empty(),
            // Rows are tasks. A point waits for those of earlier fronts in the rows above.
            DimWalk::Front { slope } => {
                [distances.to_vec(), negated(distances)].into_iter().any(|distances| {
                    let rows = distances[0].intersect(Range { lo: Some(1), hi: None });
                    let fronts = rows.times(*slope).plus(distances[1]);
                    !rows.is_empty() && !fronts.intersect(Range { lo: None, hi: Some(0) }).is_empty()
                })
            }
            DimWalk::Row { slope, lanes, .. } => {
                let rows = distances[0].intersect(Range::within(lanes.unwrap_or(1) - 1));
                let front = rows.times(*slope).plus(distances[1]);
                !rows.is_empty() && !front.intersect(Range::ZERO).is_empty()
            }
            DimWalk::Listed(_) => true,
        }
    }
}

/// So many points of a line at a time in lockstep.
pub(super) fn in_lanes(count: i64, backwards: bool) -> Vec<TileStage> {
    let mut stages = vec![TileStage::points(1, [DimWalk::Axis(0)])];
    stages[0].dims[0].backwards = backwards;
    split_off(&mut stages, 0, count, LoopMode::Lanes, "_group");
    stages
}

/// Makes of the points of the last stage tiles of so many along one axis.
pub(super) fn split_off(
    stages: &mut Vec<TileStage>,
    axis: usize,
    count: i64,
    mode: LoopMode,
    suffix: &'static str,
) {
    let Some(last) = stages.last_mut() else { return };
    let rank = last.tile.len();
    let mut points =
        TileStage::points(rank, (0..rank).filter(|own| *own != axis).chain([axis]).map(DimWalk::Axis));
    if let (Some(dim), Some(around)) = (points.dims.last_mut(), last.dims.last()) {
        (dim.mode, dim.backwards) = (mode, around.backwards);
    }
    last.tile[axis] = Some(count);
    (last.tail, last.suffix) = (Tail::Peel, suffix);
    stages.push(points);
}

fn negated(distances: &[Range]) -> Vec<Range> {
    distances.iter().map(|steps| steps.negated()).collect()
}
