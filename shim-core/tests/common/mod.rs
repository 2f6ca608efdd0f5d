//! Random tries of reference spaces for the property tests.
#![allow(dead_code, reason = "each test file uses a part of it")]

use proptest::prelude::*;
use shim_core::points::PointSet;
use shim_core::{Interval, Link, Space};

/// A link before the rank of its parent is known: it takes as much of each list as the rank asks for.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    keys: [u8; 4],
    drops: bool,
    origin: [i64; 4],
    /// Above one refines, below minus one coarsens.
    factors: [i64; 4],
}

/// Links with factors up to `factor`; a rank falls only if `drops`.
pub(crate) fn seed(factor: i64, drops: bool) -> impl Strategy<Value = Seed> {
    let drop_chance = if drops { 0.3 } else { 0.0 };
    let factors = prop_oneof![2 => Just(1), 1 => 1..=factor, 1 => -factor..=-1];
    (
        any::<[u8; 4]>(),
        prop::bool::weighted(drop_chance),
        prop::array::uniform4(-9_i64..9),
        prop::array::uniform4(factors),
    )
        .prop_map(|(keys, drops, origin, factors)| Seed { keys, drops, origin, factors })
}

impl Seed {
    pub(crate) fn link(&self, rank: usize) -> Link<i64> {
        let mut permutation: Vec<usize> = (0..rank).collect();
        permutation.sort_by_key(|&axis| self.keys[axis]);
        permutation.truncate(if self.drops && rank > 1 { rank - 1 } else { rank });
        let factors = &self.factors[..permutation.len()];
        Link {
            origin: self.origin[..rank].to_vec(),
            refinement: factors.iter().map(|&factor| factor.max(1)).collect(),
            coarsening: factors.iter().map(|&factor| (-factor).max(1)).collect(),
            permutation,
            everywhere: false,
        }
    }
}

/// The space at the end of a chain of links.
pub(crate) fn grow(from: &Space<i64>, seeds: &[Seed]) -> Space<i64> {
    seeds.iter().fold(from.clone(), |space, seed| space.child(seed.link(space.rank())).unwrap())
}

/// Two spaces of one trie, and their deepest common ancestor.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) a: Space<i64>,
    pub(crate) b: Space<i64>,
    pub(crate) ancestor: Space<i64>,
}

/// Pairs of spaces whose root is of a rank up to `rank`, with chains up to `depth` links each.
pub(crate) fn pair(rank: usize, depth: usize, factor: i64, drops: bool) -> impl Strategy<Value = Pair> {
    pair_of(rank, depth, move || seed(factor, drops).boxed())
}

/// Pairs of spaces whose origins are all zero, so that a whole number of periods is aligned in every space.
pub(crate) fn pair_at_origin(
    rank: usize,
    depth: usize,
    factor: i64,
    drops: bool,
) -> impl Strategy<Value = Pair> {
    let at_origin = |seed| Seed { origin: [0; 4], ..seed };
    pair_of(rank, depth, move || seed(factor, drops).prop_map(at_origin).boxed())
}

/// Pairs of spaces in one density that stand closely together, so that those that dropped an axis often meet.
pub(crate) fn close_pair(rank: usize, depth: usize) -> impl Strategy<Value = Pair> {
    let close = |seed: Seed| Seed { origin: seed.origin.map(|at| at.rem_euclid(2)), ..seed };
    pair_of(rank, depth, move || seed(1, true).prop_map(close).boxed())
}

fn pair_of(rank: usize, depth: usize, seed: impl Fn() -> BoxedStrategy<Seed>) -> impl Strategy<Value = Pair> {
    let chain = |depth| prop::collection::vec(seed(), 0..=depth);
    (1..=rank, chain(1), chain(depth), chain(depth)).prop_map(|(rank, stem, a, b)| {
        let ancestor = grow(&Space::root(rank), &stem);
        Pair { a: grow(&ancestor, &a), b: grow(&ancestor, &b), ancestor }
    })
}

/// A point of a space of rank four or less: as many coordinates as the rank asks for.
pub(crate) fn point() -> impl Strategy<Value = [i64; 4]> {
    prop::array::uniform4(-20_i64..20)
}

/// The box of up to three points per axis at a point.
pub(crate) fn boxed(at: &[i64; 4], lengths: &[i64; 4], rank: usize) -> Vec<Interval<i64>> {
    (0..rank).map(|axis| Interval { start: at[axis], end: at[axis] + lengths[axis] }).collect()
}

/// All points of a box.
pub(crate) fn points_of(intervals: &[Interval<i64>]) -> PointSet {
    intervals.iter().fold(PointSet::from([vec![]]), |prefixes, interval| {
        prefixes
            .iter()
            .flat_map(|prefix| {
                (interval.start..interval.end).map(move |at| [prefix.as_slice(), &[at]].concat())
            })
            .collect()
    })
}

/// The spaces from below the ancestor down to `space`.
pub(crate) fn chain_below(space: &Space<i64>, ancestor: &Space<i64>) -> Vec<Space<i64>> {
    let up = std::iter::successors(Some(space.clone()), |space| space.parent().cloned());
    let mut chain: Vec<_> = up.take_while(|space| !space.same(ancestor)).collect();
    chain.reverse();
    chain
}

/// The product of all factors between two spaces: after so many points their map repeats itself.
pub(crate) fn period(pair: &Pair) -> i64 {
    let below = |space| chain_below(space, &pair.ancestor);
    let spaces = below(&pair.a).into_iter().chain(below(&pair.b));
    let factors: Vec<i64> = spaces
        .flat_map(|space| {
            let link = space.link().unwrap();
            [link.refinement.clone(), link.coarsening.clone()].concat()
        })
        .collect();
    factors.iter().product()
}
