//! Orders of the points of a box, and the dependences that they keep.

use shim_core::{Curve, LocationError, Order};

use crate::depend::Steps;
use crate::ir::{Tail, Word};
use crate::symbolic::Sym;

use super::listed::Listed;

/// An order of the points of a box, given by the numbers of its axes.
#[derive(Debug, Clone)]
pub(super) enum LoopOrder {
    /// A loop for each axis, the outermost first.
    Axes(Vec<usize>),
    /// The other order from its last point to its first.
    Reversed(Box<LoopOrder>),
    /// Fronts of equal `slope * y + x`, each by ascending `y`. Within a wavefront no two points may depend on each other.
    Fronts { slope: i64, wavefront: bool },
    /// Tile by tile. An axis without an extent is not tiled.
    Tiles { extents: Vec<Option<i64>>, tail: Tail, outer: Box<LoopOrder>, inner: Box<LoopOrder> },
    /// The loops of some axes are unrolled.
    Unrolled { axes: Vec<usize>, order: Box<LoopOrder> },
    /// The iterations of the outermost loop of a nest, or the points of a front, in tasks of their own.
    Parallel(Box<LoopOrder>),
    /// So many points of the innermost loop of a nest or of a front in lockstep.
    Lanes { count: i64, order: Box<LoopOrder> },
    /// The points of a box of constant extents in any other order.
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
    /// A word after `unroll` or `lanes`.
    After(&'static str),
    /// Lanes of an order that has no innermost loop.
    LanesOf,
    /// Tasks of an order that has no outermost loop.
    ParallelOf,
    /// Lanes of the loop whose iterations are tasks.
    LanesOfTasks,
}

impl LoopOrder {
    /// The order that words describe, for loops whose variables have these names, and these extents where they are known. What comes before a `tile` orders the tiles, what comes
    /// after it the points of each.
    pub(super) fn of(words: &[Word], names: &[&str], extents: &[Option<Sym>]) -> Result<Self, Refusal> {
        let rank = names.len();
        let axis = |name: &String| {
            let mut found = names.iter().enumerate().filter(|(_, own)| *own == name);
            match (found.next(), found.next()) {
                (Some((axis, _)), None) => Ok(axis),
                _ => Err(Refusal::Variable(name.clone())),
            }
        };
        let counted = |word, given| {
            if given == rank { Ok(()) } else { Err(Refusal::Entries { word, given, loops: rank }) }
        };
        if let Some(at) = words.iter().position(|word| matches!(word, Word::Tile(..)))
            && let Word::Tile(tile, tail) = &words[at]
        {
            counted("tile", tile.len())?;
            let (tiles, elements) = tiled(extents, tile);
            if let Some(last) = words[..at].iter().find_map(last_word) {
                return Err(Refusal::After(last));
            }
            return Ok(LoopOrder::Tiles {
                extents: tile.clone(),
                tail: *tail,
                outer: Box::new(Self::of(&words[..at], names, &tiles)?.over_tiles(tile)),
                inner: Box::new(Self::of(&words[at + 1..], names, &elements)?),
            });
        }
        let mut order: Option<LoopOrder> = None;
        let mut last: Option<&Word> = None;
        let parallel = words.iter().any(|word| matches!(word, Word::Parallel));
        for word in words {
            if let Some(last) = last.and_then(last_word) {
                return Err(Refusal::After(last));
            }
            let own = match word {
                Word::Unroll(_) | Word::UnrollBy(_) | Word::Lanes(_) => {
                    last = Some(word);
                    continue;
                }
                Word::Order(order) => Self::of_layout(order, extents)?,
                Word::Reorder(variables) => {
                    counted("reorder", variables.len())?;
                    let axes = variables.iter().map(axis).collect::<Result<Vec<_>, _>>()?;
                    if let Some(again) = (1..rank).find(|at| axes[..*at].contains(&axes[*at])) {
                        return Err(Refusal::Repeated(variables[again].clone()));
                    }
                    LoopOrder::Axes(axes)
                }
                Word::Wavefront(terms) => match &terms[..] {
                    [first, second] if rank == 2 => {
                        let mut slopes = [0; 2];
                        for (name, factor) in [first, second] {
                            slopes[axis(name)?] = *factor;
                        }
                        let [slope, last] = slopes;
                        if slope < 1 || last != 1 {
                            return Err(Refusal::Wavefront);
                        }
                        LoopOrder::Fronts { slope, wavefront: true }
                    }
                    _ => return Err(Refusal::Wavefront),
                },
                Word::Tile(..) | Word::Fuse | Word::Parallel => continue,
            };
            if order.replace(own).is_some() {
                return Err(Refusal::Twice);
            }
        }
        let mut order = order.unwrap_or_else(|| LoopOrder::Axes((0..rank).collect()));
        let has_loops = matches!(order, LoopOrder::Axes(_) | LoopOrder::Fronts { .. });
        if parallel {
            if !has_loops {
                return Err(Refusal::ParallelOf);
            }
            if matches!(last, Some(Word::Lanes(_)))
                && (rank == 1 || matches!(order, LoopOrder::Fronts { .. }))
            {
                return Err(Refusal::LanesOfTasks);
            }
            order = LoopOrder::Parallel(Box::new(order));
        }
        Ok(match last {
            Some(Word::Unroll(variables)) => {
                let axes = variables.iter().map(axis).collect::<Result<Vec<_>, _>>()?;
                LoopOrder::Unrolled { axes, order: Box::new(order) }
            }
            Some(Word::UnrollBy(count)) => {
                // The innermost loop in pieces, all others as tiles of one index.
                let serial = order.serial().clone();
                let LoopOrder::Axes(axes) = &serial else { return Err(Refusal::Twice) };
                let innermost = axes[rank - 1];
                let mut extents = vec![Some(1); rank];
                extents[innermost] = Some(*count);
                let inner = LoopOrder::Unrolled { axes: vec![innermost], order: Box::new(serial) };
                LoopOrder::Tiles { extents, tail: Tail::Peel, outer: Box::new(order), inner: Box::new(inner) }
            }
            Some(Word::Lanes(count)) => {
                if !has_loops {
                    return Err(Refusal::LanesOf);
                }
                LoopOrder::Lanes { count: *count, order: Box::new(order) }
            }
            _ => order,
        })
    }

    /// Moves axes with a single tile inwards, so that the outermost loop, whose iterations are tasks, has several.
    fn over_tiles(self, extents: &[Option<i64>]) -> Self {
        match self {
            LoopOrder::Parallel(order) => LoopOrder::Parallel(Box::new(match *order {
                LoopOrder::Axes(mut axes) => {
                    axes.sort_by_key(|axis| extents[*axis].is_none());
                    LoopOrder::Axes(axes)
                }
                other => other,
            })),
            other => other,
        }
    }

    fn of_layout(order: &Order, extents: &[Option<Sym>]) -> Result<Self, Refusal> {
        let rank = extents.len();
        let name = match order {
            Order::RowMajor => return Ok(LoopOrder::Axes((0..rank).collect())),
            Order::ColumnMajor => return Ok(LoopOrder::Axes((0..rank).rev().collect())),
            Order::Axes(axes) => return Ok(LoopOrder::Axes(axes.clone())),
            Order::Reversed(order) => {
                return Ok(LoopOrder::Reversed(Box::new(Self::of_layout(order, extents)?)));
            }
            Order::Tile { extents: tile, outer, inner } => {
                let tile: Vec<Option<i64>> = tile.iter().copied().map(Some).collect();
                let (tiles, elements) = tiled(extents, &tile);
                return Ok(LoopOrder::Tiles {
                    extents: tile,
                    tail: Tail::Clip,
                    outer: Box::new(Self::of_layout(outer, &tiles)?),
                    inner: Box::new(Self::of_layout(inner, &elements)?),
                });
            }
            Order::Lanes(lanes) => {
                let tile = (0..rank).map(|axis| if axis == 0 { *lanes } else { 1 });
                return Self::of_layout(&Order::tile(&tile.collect::<Vec<_>>()), extents);
            }
            Order::Curve(Curve::Antidiagonal) if rank == 2 => {
                return Ok(LoopOrder::Fronts { slope: 1, wavefront: false });
            }
            Order::Curve(Curve::Antidiagonal) => "antidiagonal",
            Order::Morton => "morton",
            Order::Curve(Curve::Zigzag) => "zigzag",
            Order::Curve(Curve::Hilbert) => "hilbert",
            Order::Then { .. } => "then",
            Order::Swizzle(_) => "swizzle",
            Order::Table { .. } | Order::By(_) => "by",
        };
        let known = extents.iter().map(|extent| extent.as_ref()?.as_constant());
        let Some(extents) = known.collect::<Option<Vec<i64>>>() else { return Err(Refusal::Extents(name)) };
        match Listed::of(order, extents.clone()).map_err(Refusal::Undefined)? {
            Some(listed) => Ok(LoopOrder::Listed(listed)),
            None if extents.contains(&0) => Ok(LoopOrder::Axes((0..rank).collect())),
            None => Err(Refusal::Extents(name)),
        }
    }

    /// Whether two points are visited in the sequence of their source.
    pub(super) fn keeps(&self, from: &[i64], to: &[i64]) -> bool {
        let (Some(first), Some(second)) = (self.key(from), self.key(to)) else { return from == to };
        from == to || first != second && first.cmp(&second) == from.cmp(to)
    }

    /// A key by which the points are visited; points of one wavefront have the same. `None` where a point is visited twice.
    fn key(&self, point: &[i64]) -> Option<Vec<i64>> {
        Some(match self {
            LoopOrder::Axes(axes) => {
                axes.iter().map(|axis| point.get(*axis).copied()).collect::<Option<_>>()?
            }
            LoopOrder::Reversed(order) => order.key(point)?.into_iter().map(|key| -key).collect(),
            LoopOrder::Fronts { slope, wavefront } => {
                let front = slope.checked_mul(point[0])?.checked_add(point[1])?;
                if *wavefront { vec![front] } else { vec![front, point[0]] }
            }
            LoopOrder::Tiles { tail: Tail::Shift, .. } => return None,
            LoopOrder::Tiles { extents, outer, inner, .. } => {
                let tile = tile_of(point, extents);
                [outer.key(&tile)?, inner.key(point)?].concat()
            }
            LoopOrder::Unrolled { order, .. }
            | LoopOrder::Lanes { order, .. }
            | LoopOrder::Parallel(order) => order.key(point)?,
            LoopOrder::Listed(listed) => vec![listed.position(point)?],
        })
    }

    /// Whether the points at each of these distances are visited in the sequence of their source.
    pub(super) fn preserves(&self, distances: &[Steps]) -> bool {
        let first = distances.iter().find(|steps| **steps != Steps::ZERO);
        match first {
            None => true,
            Some(Steps { lo: Some(1..), .. }) => self.advances(distances),
            Some(_) => {
                let negated: Vec<Steps> = distances.iter().map(|steps| steps.negated()).collect();
                self.advances(&negated)
            }
        }
    }

    /// Whether the point at each nonzero distance of a box is visited later.
    fn advances(&self, distances: &[Steps]) -> bool {
        match self {
            LoopOrder::Axes(axes) => {
                for axis in axes {
                    match distances[*axis].lo {
                        Some(1..) => return true,
                        Some(0) => {}
                        _ => return false,
                    }
                }
                true
            }
            LoopOrder::Reversed(order) => {
                let negated: Vec<Steps> = distances.iter().map(|steps| steps.negated()).collect();
                order.advances(&negated)
            }
            LoopOrder::Fronts { slope, wavefront } => {
                let (Some(y), Some(x)) = (distances[0].lo, distances[1].lo) else { return false };
                match slope.checked_mul(y).and_then(|steps| steps.checked_add(x)) {
                    Some(1..) => true,
                    // One distance alone stays in the front.
                    Some(0) => (y, x) == (0, 0) || !wavefront && y > 0,
                    _ => false,
                }
            }
            LoopOrder::Tiles { extents, tail, outer, inner } => {
                if *tail == Tail::Shift {
                    return false;
                }
                let tiles: Vec<Steps> = tiles(distances, extents).collect();
                let near: Vec<Steps> = near(distances, extents).collect();
                let apart = near.iter().any(|steps| steps.is_empty());
                outer.advances(&tiles) && (apart || inner.advances(&near))
            }
            LoopOrder::Unrolled { order, .. }
            | LoopOrder::Lanes { order, .. }
            | LoopOrder::Parallel(order) => order.advances(distances),
            LoopOrder::Listed(listed) => listed.advances(distances),
        }
    }

    /// Whether two points at one of these distances may run in lockstep.
    pub(super) fn in_lockstep(&self, distances: &[Steps]) -> bool {
        match self {
            LoopOrder::Lanes { count, order } => match order.serial() {
                LoopOrder::Axes(axes) => axes.iter().enumerate().all(|(depth, axis)| {
                    let reach = if depth + 1 == axes.len() { count - 1 } else { 0 };
                    !distances[*axis].intersect(Steps::within(reach)).is_empty()
                }),
                LoopOrder::Fronts { slope, .. } => {
                    let rows = distances[0].intersect(Steps::within(count - 1));
                    let front = rows.times(*slope).plus(distances[1]);
                    !rows.is_empty() && !front.intersect(Steps::ZERO).is_empty()
                }
                _ => true,
            },
            LoopOrder::Tiles { extents, inner, .. } => {
                let near: Vec<Steps> = near(distances, extents).collect();
                !near.iter().any(|steps| steps.is_empty()) && inner.in_lockstep(&near)
            }
            LoopOrder::Unrolled { order, .. } | LoopOrder::Reversed(order) | LoopOrder::Parallel(order) => {
                order.in_lockstep(distances)
            }
            LoopOrder::Axes(_) | LoopOrder::Fronts { .. } | LoopOrder::Listed(_) => false,
        }
    }

    /// The order of the points, in tasks or not.
    pub(super) fn serial(&self) -> &Self {
        match self {
            LoopOrder::Parallel(order) => order,
            other => other,
        }
    }

    /// Whether points run in tasks.
    pub(super) fn has_tasks(&self) -> bool {
        match self {
            LoopOrder::Parallel(_) => true,
            LoopOrder::Tiles { outer, inner, .. } => outer.has_tasks() || inner.has_tasks(),
            LoopOrder::Unrolled { order, .. }
            | LoopOrder::Reversed(order)
            | LoopOrder::Lanes { order, .. } => order.has_tasks(),
            LoopOrder::Axes(_) | LoopOrder::Fronts { .. } | LoopOrder::Listed(_) => false,
        }
    }

    /// Whether two points at one of these distances may run in two tasks at the same time.
    pub(super) fn is_concurrent(&self, distances: &[Steps]) -> bool {
        match self {
            LoopOrder::Parallel(order) => match &**order {
                LoopOrder::Axes(axes) => distances[axes[0]] != Steps::ZERO,
                // Rows are tasks. A point waits for those of earlier fronts in the rows above.
                LoopOrder::Fronts { slope, .. } => {
                    [(distances[0], distances[1]), (distances[0].negated(), distances[1].negated())]
                        .into_iter()
                        .any(|(rows, columns)| {
                            let rows = rows.intersect(Steps { lo: Some(1), hi: None });
                            let fronts = rows.times(*slope).plus(columns);
                            !rows.is_empty() && !fronts.intersect(Steps { lo: None, hi: Some(0) }).is_empty()
                        })
                }
                _ => true,
            },
            LoopOrder::Tiles { extents, outer, inner, .. } => {
                let tiles: Vec<Steps> = tiles(distances, extents).collect();
                let near: Vec<Steps> = near(distances, extents).collect();
                let apart = near.iter().any(|steps| steps.is_empty());
                outer.is_concurrent(&tiles) || !apart && inner.is_concurrent(&near)
            }
            LoopOrder::Unrolled { order, .. }
            | LoopOrder::Reversed(order)
            | LoopOrder::Lanes { order, .. } => order.is_concurrent(distances),
            LoopOrder::Axes(_) | LoopOrder::Fronts { .. } | LoopOrder::Listed(_) => false,
        }
    }

    /// Whether two points may run in two tasks at the same time.
    pub(super) fn are_concurrent(&self, p: &[i64], q: &[i64]) -> bool {
        match self {
            LoopOrder::Parallel(order) => match &**order {
                LoopOrder::Axes(axes) => p[axes[0]] != q[axes[0]],
                LoopOrder::Fronts { slope, .. } => {
                    let front = |at: &[i64]| slope.checked_mul(at[0]).and_then(|row| row.checked_add(at[1]));
                    let (above, below) = if p[0] < q[0] { (p, q) } else { (q, p) };
                    p[0] != q[0] && front(above) >= front(below)
                }
                _ => true,
            },
            LoopOrder::Tiles { extents, outer, inner, .. } => {
                let [first, second] = [p, q].map(|point| tile_of(point, extents));
                outer.are_concurrent(&first, &second) || first == second && inner.are_concurrent(p, q)
            }
            LoopOrder::Unrolled { order, .. }
            | LoopOrder::Reversed(order)
            | LoopOrder::Lanes { order, .. } => order.are_concurrent(p, q),
            LoopOrder::Axes(_) | LoopOrder::Fronts { .. } | LoopOrder::Listed(_) => false,
        }
    }

    /// Whether points run in lockstep.
    pub(super) fn has_lanes(&self) -> bool {
        match self {
            LoopOrder::Lanes { .. } => true,
            LoopOrder::Tiles { inner: order, .. }
            | LoopOrder::Unrolled { order, .. }
            | LoopOrder::Reversed(order)
            | LoopOrder::Parallel(order) => order.has_lanes(),
            LoopOrder::Axes(_) | LoopOrder::Fronts { .. } | LoopOrder::Listed(_) => false,
        }
    }

    /// The order without lanes.
    pub(super) fn without_lanes(self) -> Self {
        match self {
            LoopOrder::Lanes { order, .. } => *order,
            LoopOrder::Tiles { extents, tail, outer, inner } => {
                LoopOrder::Tiles { extents, tail, outer, inner: Box::new(inner.without_lanes()) }
            }
            other => other,
        }
    }

    /// Whether some points may run twice.
    pub(super) fn repeats(&self) -> bool {
        match self {
            LoopOrder::Tiles { tail, outer, inner, .. } => {
                *tail == Tail::Shift || outer.repeats() || inner.repeats()
            }
            LoopOrder::Reversed(order)
            | LoopOrder::Unrolled { order, .. }
            | LoopOrder::Parallel(order)
            | LoopOrder::Lanes { order, .. } => order.repeats(),
            LoopOrder::Axes(_) | LoopOrder::Fronts { .. } | LoopOrder::Listed(_) => false,
        }
    }
}

/// The tile of a point.
fn tile_of(point: &[i64], extents: &[Option<i64>]) -> Vec<i64> {
    point
        .iter()
        .zip(extents)
        .map(|(at, extent)| extent.map_or(0, |extent| at.checked_div_euclid(extent).unwrap_or(0)))
        .collect()
}

/// The distances between the tiles of points.
fn tiles(distances: &[Steps], extents: &[Option<i64>]) -> impl Iterator<Item = Steps> {
    let axes = distances.iter().zip(extents);
    axes.map(|(steps, extent)| extent.map_or(Steps::ZERO, |extent| steps.tiles(extent)))
}

/// The distances between points of one tile.
fn near(distances: &[Steps], extents: &[Option<i64>]) -> impl Iterator<Item = Steps> {
    distances
        .iter()
        .zip(extents)
        .map(|(steps, extent)| extent.map_or(*steps, |extent| steps.intersect(Steps::within(extent - 1))))
}

/// The name of a word that comes after all others of its loops.
fn last_word(word: &Word) -> Option<&'static str> {
    match word {
        Word::Unroll(_) | Word::UnrollBy(_) => Some("unroll"),
        Word::Lanes(_) => Some("lanes"),
        _ => None,
    }
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
