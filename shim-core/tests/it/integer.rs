//! The integer of the algebra: floors, overflow, and an integer that knows nothing.

use std::cmp::Ordering;

use crate::common::{boxed, pair, point};
use proptest::prelude::*;
use shim_core::{Fold, Integer, Interval, Link, LocationError, Part, Space, TensorSpace};

/// An integer that computes and never tells: what a symbolic integer is at its worst.
#[derive(Clone, Debug, PartialEq)]
struct Blind(i64);

impl Integer for Blind {
    fn constant(value: i64) -> Self {
        Self(value)
    }

    fn as_constant(&self) -> Option<i64> {
        None
    }

    fn add(&self, rhs: &Self) -> Result<Self, LocationError> {
        Integer::add(&self.0, &rhs.0).map(Self)
    }

    fn sub(&self, rhs: &Self) -> Result<Self, LocationError> {
        Integer::sub(&self.0, &rhs.0).map(Self)
    }

    fn mul(&self, rhs: &Self) -> Result<Self, LocationError> {
        Integer::mul(&self.0, &rhs.0).map(Self)
    }

    fn scale(&self, factor: i64) -> Result<Self, LocationError> {
        self.0.scale(factor).map(Self)
    }

    fn floor_div(&self, divisor: i64) -> Result<Self, LocationError> {
        self.0.floor_div(divisor).map(Self)
    }

    fn modulo(&self, divisor: i64) -> Result<Self, LocationError> {
        self.0.modulo(divisor).map(Self)
    }

    fn max(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(Self(self.0.max(rhs.0)))
    }

    fn min(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(Self(self.0.min(rhs.0)))
    }

    fn fold(&self, rule: Fold, extent: &Self) -> Result<Self, LocationError> {
        self.0.fold(rule, &extent.0).map(Self)
    }

    fn compare(&self, _: &Self) -> Option<Ordering> {
        None
    }
}

fn blind(values: &[i64]) -> Vec<Blind> {
    values.iter().copied().map(Blind).collect()
}

/// The same space over the integer that knows nothing, in a trie of its own above `ancestor`.
fn blinded(space: &Space<i64>, ancestor: &Space<i64>, above: &Space<Blind>) -> Space<Blind> {
    crate::common::chain_below(space, ancestor).iter().fold(above.clone(), |above, space| {
        let link = space.link().unwrap();
        let Link { permutation, origin, refinement, coarsening, everywhere } = link.clone();
        above.child(Link { permutation, origin: blind(&origin), refinement, coarsening, everywhere }).unwrap()
    })
}

proptest! {
    #[test]
    fn division_is_floored(x in any::<i64>(), divisor in 1_i64..) {
        let (quotient, rest) = (x.floor_div(divisor).unwrap(), x.modulo(divisor).unwrap());
        prop_assert!((0..divisor).contains(&rest));
        prop_assert_eq!(i128::from(quotient) * i128::from(divisor) + i128::from(rest), i128::from(x));
        let ceiling = x.ceil_div(divisor).unwrap();
        prop_assert_eq!(i128::from(ceiling), -(-i128::from(x)).div_euclid(i128::from(divisor)));
    }

    #[test]
    fn the_provided_ceiling_is_the_ceiling(x in -1000_i64..1000, divisor in 1_i64..50) {
        prop_assert_eq!(Blind(x).ceil_div(divisor).unwrap().0, x.ceil_div(divisor).unwrap());
    }

    #[test]
    fn nothing_wraps(x in any::<i64>(), y in any::<i64>()) {
        prop_assert_eq!(Integer::add(&x, &y).ok(), x.checked_add(y));
        prop_assert_eq!(Integer::sub(&x, &y).ok(), x.checked_sub(y));
        prop_assert_eq!(Integer::mul(&x, &y).ok(), x.checked_mul(y));
        prop_assert_eq!(x.scale(y).ok(), x.checked_mul(y));
        prop_assert_eq!(Integer::max(&x, &y).unwrap(), std::cmp::max(x, y));
        prop_assert_eq!(Integer::min(&x, &y).unwrap(), std::cmp::min(x, y));
        prop_assert_eq!(x.at_least_zero().unwrap(), std::cmp::max(x, 0));
    }

    #[test]
    fn divisors_are_at_least_one(x in any::<i64>(), divisor in i64::MIN..1) {
        let error = LocationError::Factor { factor: divisor };
        prop_assert_eq!(x.floor_div(divisor).unwrap_err(), error.clone());
        prop_assert_eq!(x.modulo(divisor).unwrap_err(), error.clone());
        prop_assert_eq!(x.ceil_div(divisor).unwrap_err(), error.clone());
        prop_assert_eq!(Blind(x).ceil_div(divisor).unwrap_err(), error);
    }

    /// No map needs to know how two integers compare: intervals come out the same, empty ones included.
    #[test]
    fn maps_need_no_comparison(
        pair in pair(3, 3, 4, true),
        at in point(),
        lengths in prop::array::uniform4(0_i64..4),
    ) {
        let above = Space::<Blind>::root(pair.ancestor.rank());
        let a = blinded(&pair.a, &pair.ancestor, &above);
        let b = blinded(&pair.b, &pair.ancestor, &above);
        let seen = boxed(&at, &lengths, pair.a.rank());
        let unseen: Vec<_> =
            seen.iter().map(|i| Interval { start: Blind(i.start), end: Blind(i.end) }).collect();
        let expected = Space::map_interval(&pair.a, &pair.b, &seen).unwrap();
        let found: Vec<_> = Space::map_interval(&a, &b, &unseen)
            .unwrap()
            .into_iter()
            .map(|i| Interval { start: i.start.0, end: i.end.0 })
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn partitions_need_no_comparison(start in -9_i64..9, end in -9_i64..9, step in 1_i64..5) {
        let seen = TensorSpace::new(Space::root(1), vec![4]).unwrap();
        let unseen = TensorSpace::new(Space::root(1), vec![Blind(4)]).unwrap();
        let expected = seen.partition(&[Part::Range { start, end, step }]).unwrap();
        let found = unseen.partition(&[Part::Range { start: Blind(start), end: Blind(end), step }]).unwrap();
        prop_assert_eq!(found.extents, blind(&expected.extents));
    }
}

/// The largest coordinates map without overflow where the result fits, and say so where it does not.
#[test]
fn the_ends_of_the_integer() {
    let root = Space::<i64>::root(1);
    let half = root.coarsen(&[2]).unwrap();
    assert_eq!(half.down(&[i64::MIN]).unwrap(), [i64::MIN / 2]);
    assert_eq!(half.up(&[i64::MAX]).unwrap_err(), LocationError::Overflow);
    let all = Interval { start: i64::MIN, end: i64::MAX };
    let covered = half.down_interval(std::slice::from_ref(&all)).unwrap();
    assert_eq!(covered, [Interval { start: i64::MIN / 2, end: i64::MAX / 2 + 1 }]);
    assert_eq!(half.up_interval(&[all]).unwrap_err(), LocationError::Overflow);
    let huge = root.refine(&[i64::MAX]).unwrap().refine(&[2]).unwrap();
    assert_eq!(Space::density(&root, &huge).unwrap_err(), LocationError::Overflow);
    let canceled = root.refine(&[i64::MAX]).unwrap().coarsen(&[i64::MAX]).unwrap();
    assert_eq!(Space::density(&root, &canceled).unwrap(), [Some((0, 1, 1))]);
    assert_eq!(Interval::point(i64::MAX).unwrap_err(), LocationError::Overflow);
}
