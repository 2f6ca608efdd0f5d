//! Mappings of point sets: Defs. 4.3.1 to 4.3.5.

use crate::common::{Pair, pair, point, seed};
use proptest::prelude::*;
use shim_core::points::{
    PartialPermutation, PointSet, down_hull, down_set, from_root, spatial_intersection, to_root, up_set,
};
use shim_core::{LocationError, Space};

/// The example below Def. 4.3.1.
#[test]
fn partial_permutation_of_the_thesis() {
    let matrix = PartialPermutation::new(&[3, 1, 2], 4).unwrap();
    let rows: Vec<Vec<u8>> = (0..3).map(|i| (0..4).map(|j| u8::from(matrix.entry(i, j))).collect()).collect();
    assert_eq!(rows, [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]);
    assert_eq!(matrix.apply(&[10, 11, 12, 13]).unwrap(), [13, 11, 12]);
    assert_eq!(matrix.apply_transposed(&[20, 21, 22]).unwrap(), [0, 21, 22, 20]);
    assert_eq!(PartialPermutation::new(&[0, 0], 4).unwrap_err(), LocationError::RepeatedAxis { axis: 0 });
    assert_eq!(PartialPermutation::new(&[4], 4).unwrap_err(), LocationError::Axis { axis: 4, rank: 4 });
    assert!(PartialPermutation::new(&[0, 1, 2], 2).is_err());
    assert!(matrix.apply(&[1, 2, 3]).is_err());
    assert!(matrix.apply_transposed(&[1, 2]).is_err());
}

/// Figure 4.6: three points project to one, and only the one on the slice has a location there.
#[test]
fn unsound_projections_map_to_nothing() {
    let root = Space::<i64>::root(2);
    let row = root.slice(0, 2).unwrap();
    let points = PointSet::from([vec![0, 3], vec![1, 3], vec![2, 3]]);
    assert_eq!(down_hull(&row, &points).unwrap(), PointSet::from([vec![3]]));
    assert_eq!(down_set(&row, &points).unwrap(), PointSet::from([vec![3]]));
    let beside = PointSet::from([vec![0, 3], vec![1, 3]]);
    assert_eq!(down_hull(&row, &beside).unwrap(), PointSet::from([vec![3]]));
    assert_eq!(down_set(&row, &beside).unwrap(), PointSet::new());
}

/// Figure 4.8: refinement is one-to-many downwards, coarsening one-to-many upwards.
#[test]
fn factors_map_one_to_many() {
    let root = Space::<i64>::root(1);
    let fine = root.refine(&[3]).unwrap();
    assert_eq!(down_set(&fine, &[vec![-1]].into()).unwrap(), [vec![-3], vec![-2], vec![-1]].into());
    assert_eq!(up_set(&fine, &[vec![-3], vec![-1]].into()).unwrap(), [vec![-1]].into());
    let coarse = root.coarsen(&[3]).unwrap();
    assert_eq!(up_set(&coarse, &[vec![-1]].into()).unwrap(), [vec![-3], vec![-2], vec![-1]].into());
    assert_eq!(down_set(&coarse, &[vec![-3], vec![-1]].into()).unwrap(), [vec![-1]].into());
}

#[test]
fn ranks_are_checked() {
    let root = Space::<i64>::root(2);
    let row = root.slice(0, 2).unwrap();
    let flat = PointSet::from([vec![1]]);
    for error in [
        down_hull(&row, &flat).unwrap_err(),
        down_set(&root, &flat).unwrap_err(),
        up_set(&root, &flat).unwrap_err(),
        to_root(&root, &flat).unwrap_err(),
        from_root(&row, &flat).unwrap_err(),
    ] {
        assert_eq!(error, LocationError::Length { expected: 2, found: 1 });
    }
    let elsewhere = Space::root(2);
    let error = spatial_intersection(&root, &PointSet::new(), &elsewhere, &PointSet::new()).unwrap_err();
    assert_eq!(error, LocationError::DifferentRoots);
}

/// A few points of a space, from as many as are drawn.
fn some(points: &[[i64; 4]], space: &Space<i64>) -> PointSet {
    points.iter().map(|point| point[..space.rank()].to_vec()).collect()
}

fn few() -> impl Strategy<Value = Vec<[i64; 4]>> {
    prop::collection::vec(prop::array::uniform4(-4_i64..4), 0..4)
}

proptest! {
    /// `P P^T` is the identity on the child, and `P` of an index vector is the permutation vector.
    #[test]
    fn the_transpose_undoes_the_permutation(seed in seed(1, true), rank in 1_usize..5, y in point()) {
        let p = seed.link(rank).permutation;
        let matrix = PartialPermutation::new(&p, rank).unwrap();
        let y = &y[..p.len()];
        prop_assert_eq!(matrix.apply(&matrix.apply_transposed(y).unwrap()).unwrap(), y);
        let axes: Vec<i64> = (0..rank as i64).collect();
        let seen: Vec<usize> = matrix.apply(&axes).unwrap().into_iter().map(|axis| axis as usize).collect();
        prop_assert_eq!(seen, p);
    }

    /// Without factors and drops the maps are bijections.
    #[test]
    fn plain_maps_are_bijective(seed in seed(1, false), rank in 1_usize..5, points in few()) {
        let root = Space::root(rank);
        let space = crate::common::grow(&root, &[seed]);
        let set = some(&points, &root);
        let down = down_set(&space, &set).unwrap();
        prop_assert_eq!(down.len(), set.len());
        prop_assert_eq!(up_set(&space, &down).unwrap(), set);
    }

    /// The intersection is commutative, and a set meets itself in all of its own location.
    #[test]
    fn intersections_commute(pair in pair(2, 2, 3, true), x in few(), y in few()) {
        let Pair { a, b, .. } = pair;
        let (x, y) = (some(&x, &a), some(&y, &b));
        let shared = spatial_intersection(&a, &x, &b, &y).unwrap();
        prop_assert_eq!(&shared, &spatial_intersection(&b, &y, &a, &x).unwrap());
        prop_assert_eq!(&to_root(&a, &x).unwrap(), &spatial_intersection(&a, &x, &a, &x).unwrap());
        let (up_x, up_y) = (to_root(&a, &x).unwrap(), to_root(&b, &y).unwrap());
        let both = |point: &&Vec<i64>| up_x.contains(*point) && up_y.contains(*point);
        let all: PointSet = up_x.union(&up_y).filter(both).cloned().collect();
        prop_assert_eq!(shared, all);
    }

    /// Def. 4.3.5 read as a relation: what is in it shares a location with the set; what is left out of the hull by
    /// it shares none.
    #[test]
    fn the_projection_check_keeps_what_shares_a_location(
        stem in seed(2, true),
        last in seed(3, true),
        rank in 1_usize..4,
        points in few(),
    ) {
        let parent = crate::common::grow(&Space::root(rank), &[stem]);
        let child = crate::common::grow(&parent, &[last]);
        let set = some(&points, &parent);
        let hull = down_hull(&child, &set).unwrap();
        let sound = down_set(&child, &set).unwrap();
        let location = to_root(&parent, &set).unwrap();
        for x in &hull {
            let own = to_root(&child, &[x.clone()].into()).unwrap();
            prop_assert_eq!(sound.contains(x), !own.is_disjoint(&location));
        }
        // Two points that one point of the root holds cannot be told apart there, so that a refined space above
        // the child may add points to the hull; without refinement it never does.
        if child.parent().unwrap().link().unwrap().refinement.iter().all(|&r| r == 1) {
            prop_assert!(sound.is_subset(&hull));
        }
    }

    /// For the same rank the hull and the map are the same (section 4.3.2).
    #[test]
    fn hulls_are_sound_without_projections(last in seed(3, false), rank in 1_usize..4, points in few()) {
        let root = Space::root(rank);
        let child = crate::common::grow(&root, &[last]);
        let set = some(&points, &root);
        prop_assert_eq!(down_set(&child, &set).unwrap(), down_hull(&child, &set).unwrap());
    }

    /// A set that goes to the root and comes back covers itself.
    #[test]
    fn sets_come_back_from_the_root(pair in pair(2, 2, 3, true), points in few()) {
        let set = some(&points, &pair.a);
        let back = from_root(&pair.a, &to_root(&pair.a, &set).unwrap()).unwrap();
        prop_assert!(set.is_subset(&back));
    }
}
