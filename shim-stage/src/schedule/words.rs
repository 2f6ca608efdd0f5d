//! The words of attributes as orders.

use shim_core::{Curve, Order};

use crate::diagnostics::{self, counted};
use crate::ir::{LoopMode, Tail, Word};
use crate::symbolic::SymInt;

use super::listed::Listed;
use super::order::{Dim, DimWalk, LoopOrder, TileStage, split_off};
use super::rejected::{Rejected, rejected};

/// The order that words describe, for loops whose variables have these names, and these extents where they are known.
pub(super) fn read(
    words: &[Word],
    names: &[&str],
    extents: &[Option<SymInt>],
) -> Result<LoopOrder, Rejected> {
    let stages = Words { names }.stages(words, extents)?;
    let mut outside = stages.iter().flat_map(|stage| &stage.dims).rev().skip(1);
    if outside.clone().any(Dim::is_in_lanes) {
        return Err(rejected(
            "`#[lanes(..)]` applies to a loop with others inside it",
            "write `#[lanes(..)]` after the last `#[tile(..)]`: lanes are iterations of the innermost loop",
        ));
    }
    if outside.any(|dim| dim.mode == LoopMode::Distributed) {
        return Err(rejected(
            "`#[distribute]` applies to a loop with others inside it",
            "write `#[distribute]` after the last `#[tile(..)]`: the innermost loop is distributed",
        ));
    }
    Ok(LoopOrder { stages })
}

/// Reads words.
struct Words<'w> {
    /// The variables of the loops.
    names: &'w [&'w str],
}

impl Words<'_> {
    fn listed(&self) -> String {
        self.names.join(", ")
    }

    fn axis(&self, name: &String) -> Result<usize, Rejected> {
        let mut found = self.names.iter().enumerate().filter(|(_, own)| *own == name);
        match (found.next(), found.next()) {
            (Some((axis, _)), None) => Ok(axis),
            _ => Err(rejected(
                format!("`{name}` is not a variable of the nest"),
                format!("its variables are `{}`; a name that two loops have names neither", self.listed()),
            )),
        }
    }

    fn counted(&self, word: &'static str, given: usize) -> Result<(), Rejected> {
        let loops = self.names.len();
        if given == loops {
            return Ok(());
        }
        let (entries, loops) = (counted(given, "entry", "entries"), counted(loops, "loop", "loops"));
        Err(rejected(
            format!("{entries} in `{word}` for a nest of {loops}"),
            format!("give one for each of `{}`", self.listed()),
        ))
    }

    /// The stages that words describe. What comes before a `tile` orders the tiles, what comes after it the points of
    /// each.
    fn stages(&self, words: &[Word], extents: &[Option<SymInt>]) -> Result<Vec<TileStage>, Rejected> {
        if let Some(at) = words.iter().position(|word| matches!(word, Word::Tile { .. }))
            && let Word::Tile { extents: tile, tail, label } = &words[at]
        {
            self.counted("tile", tile.len())?;
            let (tiles, elements) = tiled(extents, tile);
            let mut outer = self.stages(&words[..at], &tiles)?;
            if let [TileStage { dims, .. }, ..] = &mut outer[..]
                && dims.first().is_some_and(|dim| dim.is_parallel() && matches!(dim.walk, DimWalk::Axis(_)))
            {
                spread(dims, tile);
            }
            if let Some(last) = outer.last_mut() {
                last.label.clone_from(label);
            }
            return Ok(tiles_of(tile, *tail, outer, self.stages(&words[at + 1..], &elements)?));
        }
        let rank = self.names.len();
        let mut order: Option<Vec<TileStage>> = None;
        for word in words {
            if let Some(own) = self.order(word, extents)?
                && order.replace(own).is_some()
            {
                return Err(rejected(
                    "two attributes order the same loops",
                    "a word before `#[tile]` orders the tiles, one after it the points of each tile",
                ));
            }
        }
        let mut stages = order.unwrap_or_else(|| vec![TileStage::points(rank, (0..rank).map(DimWalk::Axis))]);
        for word in words {
            self.mode(word, &mut stages)?;
        }
        Ok(stages)
    }

    /// The order of the points of a box that a word describes, if it does.
    fn order(&self, word: &Word, extents: &[Option<SymInt>]) -> Result<Option<Vec<TileStage>>, Rejected> {
        let rank = self.names.len();
        Ok(Some(match word {
            Word::Order(order) => of_layout(order, extents)?,
            Word::Reorder(variables) => {
                self.counted("reorder", variables.len())?;
                let axes =
                    variables.iter().map(|variable| self.axis(variable)).collect::<Result<Vec<_>, _>>()?;
                if let Some(again) = (1..rank).find(|at| axes[..*at].contains(&axes[*at])) {
                    return Err(rejected(
                        format!("`{}` is named twice", variables[again]),
                        format!("name each of `{}` once", self.listed()),
                    ));
                }
                vec![TileStage::points(rank, axes.into_iter().map(DimWalk::Axis))]
            }
            Word::Wavefront(terms) => {
                let ([first, second], 2) = (&terms[..], rank) else {
                    let (terms, loops) =
                        (counted(terms.len(), "variable", "variables"), counted(rank, "loop", "loops"));
                    return Err(no_wavefront(&format!(
                        "it has {terms}, for a nest of {loops}, and a wavefront is of two"
                    )));
                };
                let mut slopes = [0; 2];
                for (name, factor) in [first, second] {
                    slopes[self.axis(name)?] = *factor;
                }
                let [slope, last] = slopes;
                if last != 1 {
                    let name = self.names[1];
                    return Err(no_wavefront(&format!("the inner variable `{name}` has the factor {last}")));
                }
                if slope < 1 {
                    let name = self.names[0];
                    return Err(no_wavefront(&format!(
                        "the outer variable `{name}` has the factor {slope}, which is not above zero"
                    )));
                }
                fronts(slope, false)
            }
            Word::Tile { .. }
            | Word::Fuse(_)
            | Word::Distribute
            | Word::Parallel
            | Word::Unroll(_)
            | Word::UnrollBy(_)
            | Word::Lanes(_) => return Ok(None),
        }))
    }

    /// Applies a word that says how a loop runs.
    fn mode(&self, word: &Word, stages: &mut Vec<TileStage>) -> Result<(), Rejected> {
        let has_lanes = stages.iter().flat_map(|stage| &stage.dims).any(Dim::is_in_lanes);
        let has_tasks = stages.iter().flat_map(|stage| &stage.dims).any(Dim::is_parallel);
        match word {
            Word::Parallel => {
                let outermost = stages.first_mut().and_then(|stage| stage.dims.first_mut());
                let Some(dim) = outermost.filter(|dim| !matches!(dim.walk, DimWalk::Listed(_))) else {
                    return Err(rejected(
                        "`#[parallel]` needs an outermost loop",
                        "write `#[parallel]` with `reorder`, `wavefront` or `order(antidiagonal)`, before `tile` or after it, or alone",
                    ));
                };
                if has_lanes && matches!(dim.walk, DimWalk::Front { .. }) {
                    return Err(lanes_of_tasks());
                }
                set_mode(dim, LoopMode::Parallel)
            }
            Word::Unroll(variables) => {
                for variable in variables {
                    let axis = self.axis(variable)?;
                    let own = |dim: &&mut Dim| matches!(dim.walk, DimWalk::Axis(own) if own == axis);
                    let dim = stages.last_mut().and_then(|stage| stage.dims.iter_mut().find(own));
                    set_mode(dim.ok_or_else(|| no_innermost("unroll(..)"))?, LoopMode::Unrolled)?;
                }
                Ok(())
            }
            Word::UnrollBy(count) => split(stages, *count, LoopMode::Unrolled, "_tile", "unroll(..)"),
            Word::Lanes(count) => {
                let innermost = stages.last_mut().and_then(|stage| stage.dims.last_mut());
                match innermost.map(|dim| &mut dim.walk) {
                    Some(DimWalk::Row { .. }) if has_tasks => Err(lanes_of_tasks()),
                    Some(DimWalk::Row { lanes, .. }) => {
                        if lanes.replace(*count).is_some() {
                            Err(two_modes())
                        } else {
                            Ok(())
                        }
                    }
                    _ => split(stages, *count, LoopMode::Lanes, "_group", "lanes(..)"),
                }
            }
            Word::Distribute => {
                let innermost = stages.last_mut().and_then(|stage| stage.dims.last_mut());
                let axis = innermost.filter(|dim| matches!(dim.walk, DimWalk::Axis(_)));
                set_mode(axis.ok_or_else(|| no_innermost("distribute"))?, LoopMode::Distributed)
            }
            Word::Order(_) | Word::Reorder(_) | Word::Wavefront(_) | Word::Tile { .. } | Word::Fuse(_) => {
                Ok(())
            }
        }
    }
}

fn no_wavefront(why: &str) -> Rejected {
    rejected(
        "this is not a wavefront of the loop",
        format!("{why}: write `#[wavefront(2 * y + x)]` before `for [y, x] in t.indices()`"),
    )
}

fn lanes_of_tasks() -> Rejected {
    rejected(
        "`#[lanes]` and `#[parallel]` apply to the same loop",
        "make tasks of tiles: `#[parallel] #[tile([4096])] #[lanes(16)]`",
    )
}

fn no_innermost(attribute: &str) -> Rejected {
    rejected(
        format!("`#[{attribute}]` needs a loop over one variable"),
        format!("write `#[{attribute}]` with `reorder` or `tile`, or alone"),
    )
}

fn two_modes() -> Rejected {
    rejected(
        "two attributes set how one loop runs",
        "a loop is unrolled, distributed, in lanes or in tasks: split it by `#[tile(..)]` first",
    )
}

fn not_constant(name: &str) -> Rejected {
    rejected(
        format!("`{name}` is an order of at most 4096 iterations whose number is constant"),
        "write it as the order of the elements of a tile, whose extents divide those of the loops: \
         `tile([8, 8]).inner(..)`",
    )
}

fn set_mode(dim: &mut Dim, mode: LoopMode) -> Result<(), Rejected> {
    if dim.mode != LoopMode::Serial {
        return Err(two_modes());
    }
    dim.mode = mode;
    Ok(())
}

/// Splits the innermost loop: so many of its iterations at a time run in a mode.
fn split(
    stages: &mut Vec<TileStage>,
    count: i64,
    mode: LoopMode,
    suffix: &'static str,
    attribute: &str,
) -> Result<(), Rejected> {
    let last = stages.last_mut().ok_or_else(|| no_innermost(attribute))?;
    let innermost = match last.dims.last() {
        Some(Dim { walk: DimWalk::Axis(axis), mode: LoopMode::Serial | LoopMode::Parallel, .. }) => *axis,
        Some(Dim { walk: DimWalk::Axis(_), .. }) => return Err(two_modes()),
        _ => return Err(no_innermost(attribute)),
    };
    split_off(stages, innermost, count, mode, suffix);
    Ok(())
}

/// Tiles in one order, and the points of each in another.
fn tiles_of(
    tile: &[Option<i64>],
    tail: Tail,
    mut outer: Vec<TileStage>,
    inner: Vec<TileStage>,
) -> Vec<TileStage> {
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
    dims.sort_by_key(|dim| matches!(dim.walk, DimWalk::Axis(axis) if tile[axis].is_none()));
    dims[0].mode = LoopMode::Parallel;
}

fn fronts(slope: i64, ordered: bool) -> Vec<TileStage> {
    vec![TileStage::points(2, [DimWalk::Front { slope }, DimWalk::Row { slope, ordered, lanes: None }])]
}

fn of_layout(order: &Order, extents: &[Option<SymInt>]) -> Result<Vec<TileStage>, Rejected> {
    let rank = extents.len();
    let axes = |axes: Vec<usize>| Ok(vec![TileStage::points(rank, axes.into_iter().map(DimWalk::Axis))]);
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
    let Some(constant) = known.collect::<Option<Vec<i64>>>() else { return Err(not_constant(name)) };
    match Listed::of(order, constant.clone())
        .map_err(|error| rejected(error.to_string(), diagnostics::location_help(&error)))?
    {
        Some(listed) => Ok(vec![TileStage::points(rank, [DimWalk::Listed(listed)])]),
        None if constant.contains(&0) => axes((0..rank).collect()),
        None => Err(not_constant(name)),
    }
}

/// The extents of the tiles of a box, and those of each tile, as far as they are known and the same for all.
fn tiled(extents: &[Option<SymInt>], tile: &[Option<i64>]) -> (Vec<Option<SymInt>>, Vec<Option<SymInt>>) {
    let divided = |(extent, tile): (&Option<SymInt>, &Option<i64>)| match tile {
        None => (Some(SymInt::constant(1)), extent.clone()),
        Some(tile) => {
            let rest = extent.as_ref().and_then(|extent| extent.modulo(*tile).ok());
            let whole = rest.is_some_and(|rest| rest.is_zero());
            let tiles = extent.as_ref().and_then(|extent| extent.ceil_div(*tile).ok());
            (tiles, (whole || *tile == 1).then(|| SymInt::constant(*tile)))
        }
    };
    extents.iter().zip(tile).map(divided).unzip()
}
