//! Worked examples of the algebra, small enough to be checked by hand.

use shim_core::{Interval, Link, LocationError, Part, Space, TensorSpace};

fn interval(start: i64, end: i64) -> Interval<i64> {
    Interval { start, end }
}

/// A 3-cycle tells a permutation from its inverse, which a swap does not.
#[test]
fn permute_follows_numpy() {
    let root = Space::<i64>::root(3);
    let child = root.permute(&[2, 0, 1]).unwrap();
    assert_eq!(child.down(&[10, 11, 12]).unwrap(), [12, 10, 11]);
    assert_eq!(child.up(&[12, 10, 11]).unwrap(), [10, 11, 12]);
    let twice = child.permute(&[2, 0, 1]).unwrap();
    assert_eq!(Space::map(&root, &twice, &[10, 11, 12]).unwrap(), [11, 12, 10]);
    let thrice = twice.permute(&[2, 0, 1]).unwrap();
    assert_eq!(Space::map(&root, &thrice, &[10, 11, 12]).unwrap(), [10, 11, 12]);
}

#[test]
fn factors_compose_and_floor() {
    let root = Space::<i64>::root(1);
    let six = root.coarsen(&[3]).unwrap().coarsen(&[2]).unwrap();
    for x in -20_i64..20 {
        assert_eq!(Space::map(&root, &six, &[x]).unwrap(), [x.div_euclid(6)]);
        assert_eq!(Space::map(&six, &root, &[x]).unwrap(), [6 * x]);
    }
    let there_and_back = root.coarsen(&[2]).unwrap().refine(&[2]).unwrap();
    assert_eq!(
        Space::map(&there_and_back, &root, &[-1]).unwrap(),
        [-2],
        "refine after coarsen is no identity"
    );
    let back_and_there = root.refine(&[2]).unwrap().coarsen(&[2]).unwrap();
    assert_eq!(Space::map(&back_and_there, &root, &[-1]).unwrap(), [-1]);
}

#[test]
fn rank_falls_to_the_origin() {
    let root = Space::<i64>::root(3);
    let row = root.slice(1, 7).unwrap();
    assert_eq!(row.up(&[3, 4]).unwrap(), [3, 7, 4]);
    assert_eq!(row.down(&[3, 100, 4]).unwrap(), [3, 4]);
    assert_eq!(
        row.up_interval(&[interval(3, 5), interval(4, 6)]).unwrap(),
        [interval(3, 5), interval(7, 8), interval(4, 6)]
    );
    assert_eq!(Space::density(&row, &root).unwrap(), [Some((0, 1, 1)), None, Some((1, 1, 1))]);
}

#[test]
fn links_are_checked() {
    let root = Space::<i64>::root(2);
    let identity = Link::identity(2);
    let with = |change: fn(&mut Link<i64>)| {
        let mut link = identity.clone();
        change(&mut link);
        root.child(link).map(drop).unwrap_err()
    };
    assert_eq!(root.child(Link::identity(3)).unwrap_err(), LocationError::RankRises { from: 2, to: 3 });
    assert_eq!(with(|l| l.permutation[1] = 0), LocationError::RepeatedAxis { axis: 0 });
    assert_eq!(with(|l| l.permutation[1] = 2), LocationError::Axis { axis: 2, rank: 2 });
    assert_eq!(with(|l| l.refinement[1] = 0), LocationError::Factor { factor: 0 });
    assert_eq!(with(|l| l.origin.truncate(1)), LocationError::Length { expected: 2, found: 1 });
    assert_eq!(
        with(|l| (l.refinement[1], l.coarsening[1]) = (2, 3)),
        LocationError::RefinedAndCoarsened { dimension: 1, refinement: 2, coarsening: 3 }
    );
    assert_eq!(Space::map(&root, &Space::root(2), &[0, 0]).unwrap_err(), LocationError::DifferentRoots);
    assert_eq!(root.translate(&[i64::MAX, 0]).unwrap().up(&[1, 0]).unwrap_err(), LocationError::Overflow);
}

/// A 4:2:0 chroma plane: the 16x16 luma macroblock at (1, 2) has its 8x8 chroma block at (8, 16).
#[test]
fn footprint_of_a_macroblock() {
    let root = Space::<i64>::root(2);
    let luma = TensorSpace::new(root.clone(), vec![64, 64]).unwrap();
    let chroma = luma.coarsen(&[2, 2]).unwrap();
    assert_eq!(chroma.extents, [32, 32]);
    let part = |at: i64| Part::Range { start: at, end: at + 16, step: 1 };
    let block = luma.partition(&[part(16), part(32)]).unwrap();
    let footprint = chroma.footprint(&block).unwrap();
    assert_eq!(footprint.extents, [8, 8]);
    assert_eq!(Space::map(&footprint.space, &chroma.space, &[0, 0]).unwrap(), [8, 16]);
    let table = luma.coarsen(&[16, 16]).unwrap();
    let flag = table.footprint(&block).unwrap();
    assert_eq!(flag.extents, [1, 1]);
    assert_eq!(flag.space.up(&[0, 0]).unwrap(), [1, 2]);
    let cover = luma.coverage(&[17, 47], &table.space).unwrap();
    assert_eq!(cover.extents, [16, 16]);
    assert_eq!(cover.space.up(&[0, 0]).unwrap(), [16, 32]);
}

#[test]
fn partitions_pad_step_and_drop() {
    let root = Space::<i64>::root(3);
    let tensor = TensorSpace::new(root, vec![4, 5, 6]).unwrap();
    let view = tensor.partition(&[Part::Index(2), Part::Range { start: 1, end: 6, step: 3 }]).unwrap();
    assert_eq!(view.extents, [2]);
    assert_eq!(view.space.up(&[1]).unwrap(), [0, 2, 4]);
    let reversed = tensor.partition(&[Part::Range { start: 5, end: 2, step: 1 }]).unwrap();
    assert_eq!(reversed.extents, [0]);
    assert!(tensor.partition(&[Part::Full; 4]).is_err());
    assert_eq!(tensor.partition(&[Part::Full; 3]).unwrap().extents, [4, 5, 6]);
}

/// A chain of a million links is dropped without a stack frame per link.
#[test]
fn long_chains_are_dropped_in_a_loop() {
    let mut space = Space::<i64>::root(1);
    for _ in 0..1_000_000 {
        space = space.translate(&[1]).unwrap();
    }
    assert_eq!(space.depth(), 1_000_000);
    assert_eq!(Space::map(&space, &space.tree_root(), &[0]).unwrap(), [1_000_000]);
}
