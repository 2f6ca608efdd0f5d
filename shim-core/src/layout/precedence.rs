//! Which dependences survive another order of the points of a loop.

use crate::{Curve, Order};

impl Order {
    /// Whether of any two points `i` and `i + distance` that which comes first in row-major order comes first in this order
    /// as well: a loop that carries a dependence of this distance may run in this order.
    ///
    /// The answer is `true` only if that holds for boxes of any extents. Of a distance with positive and negative entries
    /// it may be `false` for an order of tiles that happens to keep it.
    ///
    /// ```
    /// use shim_core::{Curve, Order};
    ///
    /// // Dynamic programming on the left and upper neighbors, and on the upper right one.
    /// let antidiagonal = Order::Curve(Curve::Antidiagonal);
    /// assert!(antidiagonal.preserves(&[0, 1]) && antidiagonal.preserves(&[1, 0]));
    /// assert!(!Order::tile(&[8, 8]).preserves(&[1, -1]));
    /// ```
    pub fn preserves(&self, distance: &[i64]) -> bool {
        match distance.iter().find(|entry| **entry != 0) {
            None => true,
            Some(first) if *first > 0 => self.keeps(distance),
            Some(_) => {
                distance.iter().all(|entry| *entry > i64::MIN)
                    && self.keeps(&distance.iter().map(|entry| -entry).collect::<alloc::vec::Vec<_>>())
            }
        }
    }

    /// Whether the point after a distance that begins with a positive entry comes later.
    fn keeps(&self, distance: &[i64]) -> bool {
        let forward = distance.iter().all(|entry| *entry >= 0);
        match self {
            Order::RowMajor => true,
            Order::ColumnMajor => begins_positive(distance.iter().rev()),
            Order::Axes(axes) => begins_positive(axes.iter().filter_map(|axis| distance.get(*axis))),
            // No tile before the first point's is reached, and in one tile the order of its elements decides.
            Order::Tile { outer, inner, .. } => {
                forward && outer.is_monotone(distance) && inner.is_monotone(distance)
            }
            Order::Morton => forward,
            Order::Curve(curve) => match (curve, distance) {
                // On one antidiagonal the rows ascend.
                (Curve::Antidiagonal, [y, x]) => y.checked_add(*x).is_some_and(|steps| steps >= 0),
                (Curve::Zigzag, [y, x]) => y.checked_add(*x).is_some_and(|steps| steps >= 1),
                _ => false,
            },
            Order::Reversed(_) | Order::Then { .. } => false,
        }
    }

    /// Whether every distance without a negative entry that is zero where `distance` is, is kept.
    fn is_monotone(&self, distance: &[i64]) -> bool {
        match self {
            Order::RowMajor | Order::ColumnMajor | Order::Axes(_) | Order::Morton => true,
            Order::Tile { outer, inner, .. } => outer.is_monotone(distance) && inner.is_monotone(distance),
            Order::Curve(Curve::Antidiagonal | Curve::Zigzag) => distance.len() == 2,
            Order::Curve(Curve::Hilbert) | Order::Reversed(_) | Order::Then { .. } => false,
        }
    }
}

fn begins_positive<'d>(mut entries: impl Iterator<Item = &'d i64>) -> bool {
    entries.find(|entry| **entry != 0).is_some_and(|first| *first > 0)
}
