//! The indices that tiles and fronts visit.

use super::plan::{Indices, LoopRange};
use super::rejected::{Rejected, rejected};
use crate::ir::Tail;
use crate::symbolic::{SymError, SymInt};
use shim_core::{Integer, LocationError};

/// The point of a front in row `y` of a rectangle.
pub(super) fn in_front(
    slope: i64,
    front: &SymInt,
    y: &SymInt,
    spans: &[LoopRange],
) -> Result<Indices, SymError> {
    let x = front.sub(&y.scale(slope)?)?;
    Ok(vec![Some(spans[0].start.add(y)?), Some(spans[1].start.add(&x)?)])
}

/// The least and the greatest index of each axis.
pub(super) fn ends(spans: &[LoopRange]) -> Result<Vec<[SymInt; 2]>, SymError> {
    let ends =
        |span: &LoopRange| Ok([span.start.clone(), span.start.add(&span.extent)?.sub(&SymInt::constant(1))?]);
    spans.iter().map(ends).collect()
}

/// The first element of the tile with number zero.
pub(super) fn base(elements: &LoopRange, tiles: &LoopRange, size: i64) -> Result<SymInt, SymError> {
    elements.start.sub(&tiles.start.scale(size)?)
}

pub(super) fn no_box(why: &str) -> Rejected {
    rejected(
        format!("{why}, and bounds of this nest depend on outer variables"),
        "use `tile`, `reorder`, `unroll`, `lanes` or `parallel`, or bounds that are the same in all iterations",
    )
}

/// The elements of the tile at a point.
pub(super) fn elements(
    spans: &[LoopRange],
    extents: &[Option<i64>],
    tail: Tail,
    at: &[SymInt],
) -> Result<Vec<LoopRange>, LocationError> {
    let mut elements = Vec::new();
    for ((span, extent), at) in spans.iter().zip(extents).zip(at) {
        let Some(extent) = *extent else {
            elements.push(span.clone());
            continue;
        };
        let mut before = at.scale(extent)?;
        let tile = SymInt::constant(extent);
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
        elements.push(LoopRange {
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

/// Makes tiles whole; gives what is at least zero where they are. A tile that is moved back is whole if the box is large
/// enough.
pub(super) fn whole_tiles(
    elements: &mut [LoopRange],
    spans: &[LoopRange],
    (extents, tail): (&[Option<i64>], Tail),
    at: &[SymInt],
) -> Result<Vec<SymInt>, LocationError> {
    let mut guards = Vec::new();
    for (axis, element) in elements.iter_mut().enumerate() {
        let Some(tile) = extents[axis] else { continue };
        let extent = SymInt::constant(tile);
        if element.extent != extent {
            let before = if tail == Tail::Shift { SymInt::constant(0) } else { at[axis].scale(tile)? };
            guards.push(spans[axis].extent.sub(&before)?.sub(&extent)?);
            element.extent = extent;
        }
    }
    Ok(guards)
}

/// The value of a loop's variable from the number of its iteration.
pub(super) fn along(
    start: &SymInt,
    extent: &SymInt,
    iteration: &SymInt,
    backwards: bool,
) -> Result<SymInt, LocationError> {
    if backwards {
        return Ok(start.add(extent)?.sub(&SymInt::constant(1))?.sub(iteration)?);
    }
    Ok(start.add(iteration)?)
}
