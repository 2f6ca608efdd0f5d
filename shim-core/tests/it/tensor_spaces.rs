//! View operations on locations alone: extents, footprint, coverage, placement.

use crate::common::{Pair, boxed, chain_below, grow, pair, pair_at_origin, point, points_of, seed};
use proptest::prelude::*;
use shim_core::points::{PointSet, down_hull, up_set};
use shim_core::{LocationError, Part, Placement, Space, TensorSpace};

fn lengths() -> impl Strategy<Value = [i64; 4]> {
    prop::array::uniform4(0_i64..9)
}

/// The points of a tensor space that are inside its extents.
fn inside(tensor: &TensorSpace<i64>) -> PointSet {
    points_of(&boxed(&[0; 4], &tensor.extents.clone().try_into_four(), tensor.rank()))
}

trait TryIntoFour {
    fn try_into_four(self) -> [i64; 4];
}

impl TryIntoFour for Vec<i64> {
    fn try_into_four(mut self) -> [i64; 4] {
        self.resize(4, 0);
        self.try_into().unwrap()
    }
}

/// All points of `b` that share a location with a set of points of `a`, by the definitions.
fn carried(pair: &Pair, set: PointSet) -> PointSet {
    let mut set = set;
    for space in chain_below(&pair.a, &pair.ancestor).iter().rev() {
        set = up_set(space, &set).unwrap();
    }
    for space in chain_below(&pair.b, &pair.ancestor) {
        set = down_hull(&space, &set).unwrap();
    }
    set
}

proptest! {
    /// Coarsening loses no point and adds no cell without one; refinement has all points of each.
    #[test]
    fn extents_follow_the_factors(extents in lengths(), factor in 1_i64..6) {
        let tensor = TensorSpace::new(Space::root(1), vec![extents[0]]).unwrap();
        for view in [tensor.coarsen(&[factor]).unwrap(), tensor.refine(&[factor]).unwrap()] {
            prop_assert_eq!(inside(&view), down_hull(&view.space, &inside(&tensor)).unwrap());
        }
    }

    /// A strided partition holds just the points that a stepped range does, also of a strided view.
    #[test]
    fn strides_multiply(
        (start, end, step) in (-9_i64..9, -9_i64..9, 1_i64..4),
        (start2, end2, step2) in (-9_i64..9, -9_i64..9, 1_i64..4),
    ) {
        let root = TensorSpace::new(Space::root(1), vec![10]).unwrap();
        let view = root.partition(&[Part::Range { start, end, step }]).unwrap();
        let base = |view: &TensorSpace<i64>| {
            let up = |x| Space::map(&view.space, &root.space, &[x]).unwrap()[0];
            (0..view.extents[0]).map(up).collect::<Vec<_>>()
        };
        prop_assert_eq!(base(&view), (start..end).step_by(step as usize).collect::<Vec<_>>());
        let again = view.partition(&[Part::Range { start: start2, end: end2, step: step2 }]).unwrap();
        let twice = (start2..end2).step_by(step2 as usize).map(|x| start + step * x).collect::<Vec<_>>();
        prop_assert_eq!(base(&again), twice);
    }

    /// Parts together do what slices and translations do one by one.
    #[test]
    fn partitions_are_slices_and_translations(extents in lengths(), at in point(), which in any::<[bool; 3]>()) {
        let tensor = TensorSpace::new(Space::root(3), extents[..3].to_vec()).unwrap();
        let parts: Vec<_> = (0..3)
            .map(|j| if which[j] { Part::Index(at[j]) } else { Part::Range { start: at[j], end: at[j] + 2, step: 1 } })
            .collect();
        let view = tensor.partition(&parts).unwrap();
        let moved: Vec<_> = (0..3).map(|j| if which[j] { 0 } else { at[j] }).collect();
        let mut space = tensor.space.translate(&moved).unwrap();
        for j in (0..3).filter(|&j| which[j]).rev() {
            space = space.slice(j, at[j]).unwrap();
        }
        prop_assert_eq!(view.extents.len(), space.rank());
        let zero = vec![0; space.rank()];
        prop_assert_eq!(
            Space::map(&view.space, &tensor.space, &zero).unwrap(),
            Space::map(&space, &tensor.space, &zero).unwrap()
        );
        prop_assert_eq!(Space::density(&view.space, &space).unwrap(), Space::density(&space, &view.space).unwrap());
    }

    /// Coverage by the definitions: to `with` and back, as sets.
    #[test]
    fn coverage_is_the_cell(pair in pair(2, 2, 3, true), x in point()) {
        let rank = pair.a.rank();
        let tensor = TensorSpace::new(pair.a.clone(), vec![1; rank]).unwrap();
        let view = tensor.coverage(&x[..rank], &pair.b).unwrap();
        let cell = carried(&pair, [x[..rank].to_vec()].into());
        let swapped = Pair { a: pair.b.clone(), b: pair.a.clone(), ancestor: pair.ancestor.clone() };
        let expected = carried(&swapped, cell);
        let origin = Space::map(&view.space, &pair.a, &vec![0; rank]).unwrap();
        let found = points_of(&boxed(
            &origin.try_into_four(),
            &view.extents.try_into_four(),
            rank,
        ));
        prop_assert_eq!(&found, &expected);
        if pair.b.rank() == pair.ancestor.rank() {
            prop_assert!(found.contains(&x[..rank]), "the point shares its own cell");
        }
    }

    /// Of a tensor that stands on whole cells the footprint is the exact hull.
    #[test]
    fn footprints_of_aligned_tensors_are_exact(
        pair in pair_at_origin(3, 2, 3, true),
        cell in prop::array::uniform4(-3_i64..3),
        cells in prop::array::uniform4(0_i64..3),
    ) {
        let (period, rank) = (crate::common::period(&pair), pair.a.rank());
        let at = cell.map(|cell| cell * period);
        let extents = cells.map(|cells| cells * period);
        let of = TensorSpace::new(pair.a.translate(&at[..rank]).unwrap(), extents[..rank].to_vec()).unwrap();
        let own = TensorSpace::new(pair.b.clone(), vec![1; pair.b.rank()]).unwrap();
        let footprint = own.footprint(&of).unwrap();
        let hull = Space::map_interval(&pair.a, &pair.b, &boxed(&at, &extents, rank)).unwrap();
        let start = Space::map(&footprint.space, &pair.b, &vec![0; pair.b.rank()]).unwrap();
        for (j, density) in Space::density(&pair.a, &pair.b).unwrap().into_iter().enumerate() {
            prop_assert_eq!(start[j], hull[j].start);
            let extent = if density.is_some() { hull[j].length().unwrap() } else { 1 };
            prop_assert_eq!(footprint.extents[j], extent, "one where the tensor has dropped the axis");
        }
    }

    /// Unaligned, the footprint is the floor and the ceiling of DESIGN 4.9, on a coarsened grid as on a refined one.
    #[test]
    fn footprints_round_outward(start in -20_i64..20, extent in 0_i64..20, factor in 1_i64..6) {
        let root = TensorSpace::new(Space::root(1), vec![100]).unwrap();
        let of = root.partition(&[Part::Range { start, end: start + extent, step: 1 }]).unwrap();
        let coarse = root.coarsen(&[factor]).unwrap().footprint(&of).unwrap();
        prop_assert_eq!(coarse.space.up(&[0]).unwrap(), [start.div_euclid(factor)]);
        prop_assert_eq!(coarse.extents, [(extent + factor - 1) / factor]);
        let fine = root.refine(&[factor]).unwrap().footprint(&of).unwrap();
        prop_assert_eq!(fine.space.up(&[0]).unwrap(), [start * factor]);
        prop_assert_eq!(fine.extents, [extent * factor]);
    }

    /// A shift moves each point by as many points of the tensor's own.
    #[test]
    fn shifts_move_every_point(pair in pair(3, 2, 4, true), extents in lengths(), by in point(), x in point()) {
        let rank = pair.a.rank();
        let tensor = TensorSpace::new(pair.a.clone(), extents[..rank].to_vec()).unwrap();
        let moved = tensor.shifted(&by[..rank]).unwrap();
        let there: Vec<i64> = x[..rank].iter().zip(&by).map(|(x, by)| x + by).collect();
        prop_assert_eq!(
            Space::map(&moved.space, &pair.b, &x[..rank]).unwrap(),
            Space::map(&tensor.space, &pair.b, &there).unwrap()
        );
        prop_assert_eq!(moved.extents, tensor.extents);
    }

    /// The place of a tensor that begins at a whole point of the root has the tensor's points and no others.
    #[test]
    fn places_are_footprints_in_the_root(
        keys in any::<[u8; 2]>(), at in point(), extents in lengths(), factors in prop::array::uniform2(1_i64..5),
        coarse in any::<bool>(),
    ) {
        let root = Space::root(3);
        let permutation = if keys[0] < keys[1] { [0, 1] } else { [1, 0] };
        let placement = Placement::new(2).at(&at[..2]).permuted(&permutation);
        let placement = if coarse { placement.coarsened(&factors) } else { placement.refined(&factors) };
        let tensor = TensorSpace::new(placement.place_in(&root).unwrap(), extents[..2].to_vec()).unwrap();
        let place = tensor.place().unwrap();
        let covered = |tensor: &TensorSpace<i64>| up_set(&tensor.space, &inside(tensor)).unwrap();
        prop_assert_eq!(covered(&place), covered(&tensor));
        let flat = Placement::new(2).on_axes(&[0, 2]).place_in(&root).unwrap();
        prop_assert!(TensorSpace::new(flat, vec![1, 1]).unwrap().place().is_err(), "it stands on axis 2");
    }

    /// A placement is one link: the order of its parts has no meaning, and it is the chain of a translation, a choice
    /// of axes and a factor.
    #[test]
    fn placements_are_one_link(seed in seed(4, false), keys in any::<[u8; 3]>(), at in point(), x in point()) {
        let root = Space::<i64>::root(4);
        let mut axes = vec![3, 0, 2];
        axes.sort_by_key(|&axis: &usize| keys[axis % 3]);
        let like = seed.link(3);
        let (p, r, c) = (like.permutation, like.refinement, like.coarsening);
        let one = Placement::new(3).on_axes(&axes).at(&at[..3]).permuted(&p).refined(&r).coarsened(&c);
        let two = Placement::new(3).coarsened(&c).refined(&r).permuted(&p).at(&at[..3]).on_axes(&axes);
        prop_assert_eq!(&one, &two);
        let placed = one.place_in(&root).unwrap();
        let mut origin = vec![0; 4];
        for j in 0..3 {
            origin[axes[j]] = at[j];
        }
        // Root axis 1 is on none of the axes.
        let full = [axes.as_slice(), &[1]].concat();
        let chain = root.translate(&origin).unwrap().permute(&full).unwrap().slice(3, 0).unwrap();
        let chain = chain.permute(&p).unwrap().refine(&r).unwrap().coarsen(&c).unwrap();
        prop_assert_eq!(
            Space::map(&placed, &root, &x[..3]).unwrap(),
            Space::map(&chain, &root, &x[..3]).unwrap()
        );
        prop_assert_eq!(placed.depth(), 1);
    }

    /// The origin along a dimension is that of the root axis it stands on, whatever was permuted on the way.
    #[test]
    fn origins_follow_their_axes(seeds in prop::collection::vec(seed(3, true), 0..4), rank in 1_usize..5) {
        let root = Space::root(rank);
        let space = grow(&root, &seeds);
        let tensor = TensorSpace::new(space.clone(), vec![1; space.rank()]).unwrap();
        let zero = Space::map(&space, &root, &vec![0; space.rank()]).unwrap();
        for (axis, density) in Space::density(&space, &root).unwrap().into_iter().enumerate() {
            prop_assert_eq!(tensor.origin_in(&root, axis).unwrap(), zero[axis]);
            if let Some((own, _, _)) = density {
                prop_assert_eq!(tensor.origin(own).unwrap(), zero[axis]);
            }
        }
        let error = LocationError::Axis { axis: 4, rank: tensor.rank() };
        prop_assert_eq!(tensor.origin(4).unwrap_err(), error);
        prop_assert_eq!(tensor.origin_in(&root, 4).unwrap_err(), LocationError::Axis { axis: 4, rank });
    }
}

#[test]
fn tensor_spaces_are_checked() {
    let root = Space::<i64>::root(2);
    assert_eq!(
        TensorSpace::new(root.clone(), vec![1]).unwrap_err(),
        LocationError::Length { expected: 2, found: 1 }
    );
    assert_eq!(
        TensorSpace::new(root.clone(), vec![1, -1]).unwrap_err(),
        LocationError::NegativeExtent { extent: -1 }
    );
    let tensor = TensorSpace::new(root.clone(), vec![4, 4]).unwrap();
    assert!(tensor.permute(&[0]).is_err());
    assert!(tensor.permute(&[1, 1]).is_err());
    assert_eq!(tensor.slice(2, 0).unwrap_err(), LocationError::Axis { axis: 2, rank: 2 });
    assert_eq!(tensor.refine(&[0, 1]).unwrap_err(), LocationError::Factor { factor: 0 });
    assert_eq!(tensor.coarsen(&[2]).unwrap_err(), LocationError::Length { expected: 2, found: 1 });
    let stepped = tensor.partition(&[Part::Range { start: 0, end: 4, step: 0 }]);
    assert_eq!(stepped.unwrap_err(), LocationError::Factor { factor: 0 });
    let row = tensor.slice(0, 1).unwrap();
    assert_eq!(row.colocate(&tensor).unwrap_err(), LocationError::RankRises { from: 1, to: 2 });
    assert!(tensor.colocate(&row).unwrap().space.same(&row.space));
    let elsewhere = TensorSpace::new(Space::root(1), vec![4]).unwrap();
    assert_eq!(tensor.colocate(&elsewhere).unwrap_err(), LocationError::DifferentRoots);
    assert_eq!(tensor.footprint(&elsewhere).unwrap_err(), LocationError::DifferentRoots);
    assert_eq!(tensor.coverage(&[0, 0], &elsewhere.space).unwrap_err(), LocationError::DifferentRoots);
    assert!(tensor.coverage(&[0], &root).is_err());
    let huge = TensorSpace::new(Space::<i64>::root(1), vec![i64::MAX]).unwrap();
    assert_eq!(huge.refine(&[2]).unwrap_err(), LocationError::Overflow);
}

#[test]
fn placements_are_checked() {
    let root = Space::<i64>::root(2);
    let place = |placement: Placement<i64>| placement.place_in(&root).unwrap_err();
    assert_eq!(place(Placement::new(3)), LocationError::RankRises { from: 2, to: 3 });
    assert_eq!(place(Placement::new(1).on_axes(&[2])), LocationError::Axis { axis: 2, rank: 2 });
    assert_eq!(place(Placement::new(2).on_axes(&[1, 1])), LocationError::RepeatedAxis { axis: 1 });
    assert_eq!(place(Placement::new(2).at(&[1])), LocationError::Length { expected: 2, found: 1 });
    assert_eq!(place(Placement::new(2).permuted(&[0, 2])), LocationError::Axis { axis: 2, rank: 2 });
    assert_eq!(place(Placement::new(2).refined(&[1, 0])), LocationError::Factor { factor: 0 });
    assert_eq!(
        place(Placement::new(2).refined(&[1, 2]).coarsened(&[1, 2])),
        LocationError::RefinedAndCoarsened { dimension: 1, refinement: 2, coarsening: 2 }
    );
}

/// Figure 5.5: a row of the parent, coarsened by two, over its first two rows.
#[test]
fn colocation_with_both_parameterizations() {
    let root = Space::<i64>::root(2);
    let tall = TensorSpace::new(root.clone(), vec![2, 8]).unwrap();
    let row = TensorSpace::new(root.slice(0, 0).unwrap().coarsen(&[2]).unwrap(), vec![4]).unwrap();
    let source = tall.colocate(&row).unwrap();
    assert_eq!(source.extents, [4]);
    assert_eq!(Space::map(&source.space, &tall.space, &[3]).unwrap(), [0, 6]);
    let destination = tall.footprint(&row).unwrap();
    assert_eq!(destination.extents, [1, 8]);
    assert_eq!(Space::map(&destination.space, &tall.space, &[0, 3]).unwrap(), [0, 3]);
}

/// Figure 5.6: along a chain of refinements the cover of a point grows with the height that it is asked for.
#[test]
fn coverage_grows_up_the_trie() {
    let root = Space::<i64>::root(1);
    let middle = root.refine(&[2]).unwrap();
    let fine = TensorSpace::new(middle.refine(&[2]).unwrap(), vec![16]).unwrap();
    let cover = |with: &Space<i64>| {
        let view = fine.coverage(&[6], with).unwrap();
        (view.space.up(&[0]).unwrap()[0], view.extents[0])
    };
    assert_eq!(cover(&fine.space), (6, 1));
    assert_eq!(cover(&middle), (6, 2));
    assert_eq!(cover(&root), (4, 4));
}
