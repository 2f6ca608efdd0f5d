//! Orders of the points of a box of constant extents, point by point.

use shim_core::{LocationError, Order, points::points_of};

use crate::symbolic::Range;

/// The most points.
const MAX_POINTS: i64 = 4096;

/// The most pairs of points that are compared.
const MAX_PAIRS: i64 = 1 << 20;

/// The points of a box in the sequence of their visits.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    extents: Vec<i64>,
    points: Vec<Vec<i64>>,
    /// The place of each point, these in row-major order, in the sequence.
    positions: Vec<i64>,
}

impl Listed {
    /// The points of a box in an order; `None` if there are none, or too many.
    pub(super) fn of(order: &Order, extents: Vec<i64>) -> Result<Option<Self>, LocationError> {
        let count = extents.iter().fold(1_i64, |count, extent| count.saturating_mul((*extent).max(0)));
        if !(1..=MAX_POINTS).contains(&count) {
            return Ok(None);
        }
        let layout = order.layout(&extents)?;
        let mut keyed = Vec::new();
        for (number, point) in (0..count).zip(points_of(&extents)) {
            keyed.push((layout.offset(&point)?, number, point));
        }
        keyed.sort();
        let mut positions = vec![0; keyed.len()];
        for ((_, number, _), position) in keyed.iter().zip(0..) {
            positions[*number as usize] = position;
        }
        let points = keyed.into_iter().map(|(.., point)| point).collect();
        Ok(Some(Self { extents, points, positions }))
    }

    /// Whether a box has the extents that it is of.
    pub(super) fn is_of(&self, extents: impl Iterator<Item = Option<i64>>) -> bool {
        extents.eq(self.extents.iter().copied().map(Some))
    }

    pub(super) fn len(&self) -> i64 {
        self.positions.len() as i64
    }

    /// The coordinates along an axis, in the sequence of the points.
    pub(super) fn coordinates(&self, axis: usize) -> Vec<i64> {
        self.points.iter().map(|point| point[axis]).collect()
    }

    /// The place of a point in the sequence; `None` outside the box.
    pub(super) fn position(&self, point: &[i64]) -> Option<i64> {
        let mut index = 0;
        for (at, extent) in point.iter().zip(&self.extents) {
            if !(0..*extent).contains(at) {
                return None;
            }
            index = index * extent + at;
        }
        self.positions.get(index as usize).copied()
    }

    /// Whether the point at each nonzero distance of a box is visited later.
    pub(super) fn advances(&self, distances: &[Range]) -> bool {
        let reach = distances.iter().zip(&self.extents).map(|(steps, extent)| {
            let near = steps.intersect(Range::within(extent - 1));
            // Both ends are known after the intersection.
            (near.lo.unwrap_or(0), near.hi.unwrap_or(-1))
        });
        let reach: Vec<(i64, i64)> = reach.collect();
        let lengths: Vec<i64> = reach.iter().map(|(lo, hi)| (hi - lo + 1).max(0)).collect();
        let steps = lengths.iter().fold(1_i64, |count, length| count.saturating_mul(*length));
        if steps.saturating_mul(self.len()) > MAX_PAIRS {
            return false;
        }
        points_of(&lengths).into_iter().all(|offsets| {
            let distance: Vec<i64> =
                offsets.iter().zip(&reach).map(|(offset, (lo, _))| lo + offset).collect();
            distance.iter().all(|step| *step == 0)
                || self.points.iter().zip(0..).all(|(from, earlier)| {
                    let to: Vec<i64> = from.iter().zip(&distance).map(|(at, step)| at + step).collect();
                    self.position(&to).is_none_or(|later| later > earlier)
                })
        })
    }
}
