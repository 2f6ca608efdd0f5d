//! The maps of points and intervals against their definitions and against one another.

use crate::common::{boxed, chain_below, close_pair, grow, pair, period, point, points_of, seed};
use proptest::prelude::*;
use shim_core::points::{PointSet, down_hull, down_set, up_set};
use shim_core::{Interval, Link, LocationError, Placement, Space};

/// Whether the child's point `x` and the parent's point `y` share a location on one axis, by the geometry alone: the
/// child's point is the real interval `[x, x + 1) * c / r + o` and the parent's is `[y, y + 1)`.
fn overlaps(x: i64, y: i64, o: i64, r: i64, c: i64) -> bool {
    // Both sides times r, so that everything is whole.
    let (child_start, child_end) = (x * c + o * r, (x + 1) * c + o * r);
    child_start < (y + 1) * r && y * r < child_end
}

proptest! {
    /// Def. 4.3.2 against the geometry, near the base point.
    #[test]
    fn up_interval_is_the_overlap(seed in seed(4, true), rank in 1_usize..5, x in point()) {
        let space = grow(&Space::root(rank), &[seed]);
        let link = space.link().unwrap();
        let at: Vec<_> = x[..space.rank()].iter().map(|&x| Interval { start: x, end: x + 1 }).collect();
        let up = space.up_interval(&at).unwrap();
        let base = space.up(&x[..space.rank()]).unwrap();
        for axis in 0..rank {
            prop_assert_eq!(up[axis].start, base[axis]);
            let Some(j) = link.permutation.iter().position(|&p| p == axis) else {
                prop_assert_eq!(&up[axis], &Interval { start: link.origin[axis], end: link.origin[axis] + 1 });
                continue;
            };
            for y in base[axis] - 6..base[axis] + 6 {
                let expected = overlaps(x[j], y, link.origin[axis], link.refinement[j], link.coarsening[j]);
                prop_assert_eq!((up[axis].start..up[axis].end).contains(&y), expected);
            }
        }
    }

    /// Def. 4.3.4 against the geometry, near the base point.
    #[test]
    fn down_interval_is_the_overlap(seed in seed(4, true), rank in 1_usize..5, y in point()) {
        let space = grow(&Space::root(rank), &[seed]);
        let link = space.link().unwrap();
        let at: Vec<_> = y[..rank].iter().map(|&y| Interval { start: y, end: y + 1 }).collect();
        let down = space.down_interval(&at).unwrap();
        let base = space.down(&y[..rank]).unwrap();
        for (j, &axis) in link.permutation.iter().enumerate() {
            prop_assert_eq!(down[j].start, base[j]);
            for x in base[j] - 6..base[j] + 6 {
                let expected = overlaps(x, y[axis], link.origin[axis], link.refinement[j], link.coarsening[j]);
                prop_assert_eq!((down[j].start..down[j].end).contains(&x), expected);
            }
        }
    }

    /// A point that goes down and up again ends in its own cell, and is itself unless its axis is coarsened.
    #[test]
    fn up_after_down(seed in seed(5, false), rank in 1_usize..5, y in point()) {
        let space = grow(&Space::root(rank), &[seed]);
        let link = space.link().unwrap();
        let back = space.up(&space.down(&y[..rank]).unwrap()).unwrap();
        for (j, &axis) in link.permutation.iter().enumerate() {
            prop_assert!((back[axis]..back[axis] + link.coarsening[j]).contains(&y[axis]));
        }
    }

    /// A point that goes up and down again is the first of its cell, and itself unless its axis is refined.
    #[test]
    fn down_after_up(seed in seed(5, true), rank in 1_usize..5, x in point()) {
        let space = grow(&Space::root(rank), &[seed]);
        let link = space.link().unwrap();
        let x = &x[..space.rank()];
        let back = space.down(&space.up(x).unwrap()).unwrap();
        for j in 0..space.rank() {
            prop_assert!((back[j]..back[j] + link.refinement[j]).contains(&x[j]));
        }
    }

    /// A map is its steps, one after the other, and goes no higher than the common ancestor.
    #[test]
    fn maps_compose_along_the_chain(pair in pair(4, 4, 5, true), x in point()) {
        let x = &x[..pair.a.rank()];
        let mut at = x.to_vec();
        for space in chain_below(&pair.a, &pair.ancestor).iter().rev() {
            at = space.up(&at).unwrap();
        }
        prop_assert_eq!(&at, &Space::map(&pair.a, &pair.ancestor, x).unwrap());
        for space in chain_below(&pair.b, &pair.ancestor) {
            at = space.down(&at).unwrap();
        }
        prop_assert_eq!(at, Space::map(&pair.a, &pair.b, x).unwrap());
        prop_assert!(Space::common_ancestor(&pair.a, &pair.b).unwrap().same(&pair.ancestor));
        prop_assert!(Space::common_ancestor(&pair.b, &pair.a).unwrap().same(&pair.ancestor));
        prop_assert!(pair.a.tree_root().same(&pair.b.tree_root()));
        prop_assert_eq!(Space::map(&pair.a, &pair.a, x).unwrap(), x);
    }

    /// Interval maps are the point-set maps, point for point: no box is larger than it must be.
    #[test]
    fn interval_maps_are_exact(
        pair in pair(2, 2, 3, true),
        at in point(),
        lengths in prop::array::uniform4(0_i64..3),
    ) {
        let start = boxed(&at, &lengths, pair.a.rank());
        let mut set: PointSet = points_of(&start);
        for space in chain_below(&pair.a, &pair.ancestor).iter().rev() {
            set = up_set(space, &set).unwrap();
        }
        for space in chain_below(&pair.b, &pair.ancestor) {
            set = down_hull(&space, &set).unwrap();
        }
        let hull = Space::map_interval(&pair.a, &pair.b, &start).unwrap();
        // A box that is empty on an axis that `b` has dropped has no points, and its interval there is gone.
        if !points_of(&start).is_empty() {
            prop_assert_eq!(points_of(&hull), set);
        } else if pair.b.rank() == pair.ancestor.rank() && pair.a.rank() == pair.ancestor.rank() {
            prop_assert!(points_of(&hull).is_empty());
        }
    }

    /// The base point is the first point of the interval.
    #[test]
    fn base_points_begin_intervals(pair in pair(4, 1, 4, true), x in point()) {
        let at = boxed(&x, &[1; 4], pair.a.rank());
        let up = Space::map_interval(&pair.a, &pair.ancestor, &at).unwrap();
        let base = Space::map(&pair.a, &pair.ancestor, &x[..pair.a.rank()]).unwrap();
        prop_assert_eq!(up.iter().map(|interval| interval.start).collect::<Vec<_>>(), base);
    }

    /// Density counts: after a whole number of periods along one axis, the other space has moved on by just so many
    /// points as the density says, along just that axis.
    /// Def. 4.3.5: a point has a location in a space if it is apart from it on no axis that was dropped on the way.
    #[test]
    fn points_that_project_are_apart_on_no_axis(pair in close_pair(4, 3), x in point()) {
        let x: Vec<i64> = x[..pair.a.rank()].iter().map(|at| at.rem_euclid(2)).collect();
        let mut found = PointSet::from([x.clone()]);
        for space in chain_below(&pair.a, &pair.ancestor).iter().rev() {
            found = up_set(space, &found).unwrap();
        }
        for space in chain_below(&pair.b, &pair.ancestor) {
            found = down_set(&space, &found).unwrap();
        }
        let apart = Space::apart(&pair.a, &pair.b, &x).unwrap();
        prop_assert_eq!(apart.iter().all(|apart| *apart == 0), !found.is_empty());
        if !found.is_empty() {
            prop_assert_eq!(found, PointSet::from([Space::map(&pair.a, &pair.b, &x).unwrap()]));
        }
    }

    #[test]
    fn density_counts(pair in pair(4, 3, 4, true), x in point(), axis in 0_usize..4) {
        let axis = axis % pair.a.rank();
        let step = period(&pair);
        let mut moved = x;
        moved[axis] += step;
        let from = Space::map(&pair.a, &pair.b, &x[..pair.a.rank()]).unwrap();
        let to = Space::map(&pair.a, &pair.b, &moved[..pair.a.rank()]).unwrap();
        let densities = Space::density(&pair.a, &pair.b).unwrap();
        prop_assert_eq!(densities.len(), pair.b.rank());
        for (j, density) in densities.into_iter().enumerate() {
            let count = match density {
                Some((own, num, den)) => {
                    prop_assert!(num >= 1 && den >= 1);
                    prop_assert!((2..=num.min(den)).all(|d| num % d != 0 || den % d != 0), "reduced");
                    if own == axis { step * num / den } else { 0 }
                }
                None => 0,
            };
            prop_assert_eq!(to[j] - from[j], count);
        }
    }

    /// Swapping the two spaces inverts the density on the axes that both have.
    #[test]
    fn density_inverts(pair in pair(4, 3, 4, true)) {
        let there = Space::density(&pair.a, &pair.b).unwrap();
        let back = Space::density(&pair.b, &pair.a).unwrap();
        for (j, density) in there.iter().enumerate() {
            if let &Some((own, num, den)) = density {
                prop_assert_eq!(back[own], Some((j, den, num)));
            } else {
                prop_assert!(back.iter().flatten().all(|&(axis, _, _)| axis != j));
            }
        }
    }

    #[test]
    fn different_roots_have_no_common_location(a in pair(3, 2, 3, true), b in pair(3, 2, 3, true), x in point()) {
        let error = LocationError::DifferentRoots;
        let x = &x[..a.a.rank()];
        prop_assert_eq!(Space::map(&a.a, &b.a, x).unwrap_err(), error.clone());
        prop_assert_eq!(Space::density(&a.a, &b.a).unwrap_err(), error.clone());
        prop_assert_eq!(Space::common_ancestor(&a.a, &b.a).unwrap_err(), error);
    }
}

/// Down to rank two by a permuted slice, and laterally to a sibling of rank four.
/// A space on fewer axes than its parent is met anywhere along the others, and has no place there itself.
#[test]
fn spaces_on_fewer_axes_have_no_place_on_the_others() {
    let root = Space::<i64>::root(3);
    let layer = root.slice(0, 7).unwrap();
    let plane = Placement::new(2).on_axes(&[1, 2]).place_in(&root).unwrap();
    let apart = |from: &Space<i64>, to: &Space<i64>, x: &[i64]| Space::apart(from, to, x).unwrap();
    assert_eq!(apart(&root, &layer, &[3, 1, 2]), [-4]);
    assert_eq!(apart(&root, &layer, &[7, 1, 2]), [0]);
    assert_eq!(apart(&root.slice(0, 9).unwrap(), &layer, &[1, 2]), [2]);
    assert!(apart(&plane, &layer, &[1, 2]).is_empty());
    assert!(apart(&layer, &plane, &[1, 2]).is_empty());
    assert!(apart(&root, &plane, &[3, 1, 2]).is_empty());
    // A layer of what stands anywhere stands anywhere.
    let row = plane.slice(0, 5).unwrap();
    assert_eq!(apart(&layer, &row, &[4, 2]), [-1]);
    assert!(!Link::<i64>::identity(3).everywhere);
}

#[test]
fn rank_two_to_four_and_back() {
    let root = Space::<i64>::root(4);
    let wide = root.translate(&[1, 2, 3, 4]).unwrap();
    let flat = root.slice(2, 30).unwrap().slice(0, 10).unwrap().permute(&[1, 0]).unwrap();
    assert_eq!(Space::map(&flat, &root, &[5, 6]).unwrap(), [10, 6, 30, 5]);
    assert_eq!(Space::map(&flat, &wide, &[5, 6]).unwrap(), [9, 4, 27, 1]);
    assert_eq!(Space::map(&wide, &flat, &[9, 4, 27, 1]).unwrap(), [5, 6]);
    assert_eq!(Space::density(&wide, &flat).unwrap(), [Some((3, 1, 1)), Some((1, 1, 1))]);
    assert_eq!(Space::density(&flat, &wide).unwrap(), [None, Some((1, 1, 1)), None, Some((0, 1, 1))]);
}

/// Two refined siblings meet at whole points of their parent; the finest grid belongs at the root.
#[test]
fn refined_siblings_meet_at_whole_points() {
    let root = Space::<i64>::root(1);
    let (a, b) = (root.refine(&[4]).unwrap(), root.refine(&[4]).unwrap());
    let meet: Vec<_> = (-5..5).map(|x| Space::map(&a, &b, &[x]).unwrap()[0]).collect();
    assert_eq!(meet, [-8, -4, -4, -4, -4, 0, 0, 0, 0, 4]);
    let quarter = Space::<i64>::root(1);
    let (whole, half) = (quarter.coarsen(&[4]).unwrap(), quarter.coarsen(&[2]).unwrap());
    assert_eq!(Space::map(&half, &whole, &[-1]).unwrap(), [-1]);
    assert_eq!(Space::map(&whole, &half, &[-1]).unwrap(), [-2]);
}
