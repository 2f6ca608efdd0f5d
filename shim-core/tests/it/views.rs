//! Runtime views against a plain interpreter of their operations.

use proptest::prelude::*;
use shim_core::{AccessError, Block, Boundary, LocationError, Part, Space, TensorOps, View};
use shim_core::{BlockError, Located};

/// One view operation on rank two, as a program would write it.
#[derive(Clone, Debug)]
enum Step {
    Permute,
    Refine([usize; 2]),
    Coarsen([usize; 2]),
    Partition([(isize, isize, i64); 2]),
}

fn step() -> impl Strategy<Value = Step> {
    let factors = || prop::array::uniform2(1_usize..4);
    prop_oneof![
        Just(Step::Permute),
        factors().prop_map(Step::Refine),
        factors().prop_map(Step::Coarsen),
        prop::array::uniform2((-4_isize..6, -2_isize..9, 1_i64..4)).prop_map(Step::Partition),
    ]
}

impl Step {
    fn apply<'a>(&self, view: &View<'a, i32, 2>) -> View<'a, i32, 2> {
        match self {
            Self::Permute => view.permute([1, 0]),
            Self::Refine(factors) => view.refine(*factors),
            Self::Coarsen(factors) => view.coarsen(*factors),
            Self::Partition(parts) => view.partition(&parts.map(|(start, end, step)| Part::Range {
                start: start as i64,
                end: end as i64,
                step,
            })),
        }
        .unwrap()
    }

    /// What the index was before the step, by the words of section 5.2.
    fn undo(&self, [y, x]: [isize; 2]) -> [isize; 2] {
        match self {
            Self::Permute => [x, y],
            Self::Refine([a, b]) => [y.div_euclid(*a as isize), x.div_euclid(*b as isize)],
            Self::Coarsen([a, b]) => [y * *a as isize, x * *b as isize],
            Self::Partition([(s, _, a), (t, _, b)]) => [s + y * *a as isize, t + x * *b as isize],
        }
    }

    fn extents(&self, [h, w]: [usize; 2]) -> [usize; 2] {
        match self {
            Self::Permute => [w, h],
            Self::Refine([a, b]) => [h * a, w * b],
            Self::Coarsen([a, b]) => [h.div_ceil(*a), w.div_ceil(*b)],
            Self::Partition(parts) => {
                parts.map(|(start, end, step)| (start..end).step_by(step as usize).count())
            }
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 0..5)
}

fn extents() -> impl Strategy<Value = [usize; 2]> {
    prop::array::uniform2(0_usize..6)
}

/// A block whose elements are all different.
fn numbered(extents: [usize; 2], from: i32) -> Block<i32, 2> {
    let width = extents[1] as isize;
    Block::from_fn(extents, |[y, x]| from + (y * width + x) as i32)
}

/// What a plain two-dimensional array has at an index.
fn plain(extents: [usize; 2], from: i32, [y, x]: [isize; 2]) -> Option<i32> {
    let inside = |at: isize, extent: usize| (0..extent as isize).contains(&at);
    (inside(y, extents[0]) && inside(x, extents[1])).then(|| from + (y * extents[1] as isize + x) as i32)
}

/// Indices in and around a view.
fn around(extents: [usize; 2]) -> impl Iterator<Item = [isize; 2]> {
    let [h, w] = extents.map(|extent| extent.min(12) as isize);
    (-3..h + 3).flat_map(move |y| (-3..w + 3).map(move |x| [y, x]))
}

proptest! {
    /// Every chain of operations reads what undoing them one by one says, outside the view as inside, and the extents
    /// are those of the operations.
    #[test]
    fn chains_read_like_their_steps(shape in extents(), steps in steps()) {
        let block = numbered(shape, 1);
        let (mut view, mut expected_extents) = (block.view(), shape);
        for step in &steps {
            view = step.apply(&view);
            expected_extents = step.extents(expected_extents);
        }
        prop_assert_eq!(view.extents(), expected_extents);
        for index in around(view.extents()) {
            let origin = steps.iter().rev().fold(index, |index, step| step.undo(index));
            let expected = plain(shape, 1, origin);
            prop_assert_eq!(view.get(index).copied(), expected);
            prop_assert_eq!(view.contains(index), expected.is_some());
            prop_assert_eq!(view.read(index).ok(), expected);
        }
    }

    /// Writing through a view changes the one element that reading through it shows.
    #[test]
    fn chains_write_like_their_steps(shape in extents(), steps in steps()) {
        let mut block = numbered(shape, 1);
        let reader = block.clone();
        let view = steps.iter().fold(reader.view(), |view, step| step.apply(&view));
        for index in around(view.extents()) {
            let mut writer = block.view_mut();
            // Any place may be laid over the memory of a block of the same trie.
            let mut writer = writer.reborrow().colocate(&view).unwrap();
            let origin = steps.iter().rev().fold(index, |index, step| step.undo(index));
            if plain(shape, 1, origin).is_some() {
                let before = writer[index];
                writer.set(index, -before).unwrap();
                prop_assert_eq!(writer[index], -before);
                prop_assert_eq!(block[origin], -before);
                prop_assert_eq!(block.as_slice().iter().filter(|&&value| value < 0).count(), 1);
                block[origin] = before;
            } else {
                let refused = matches!(writer.set(index, 0), Err(AccessError::Outside { .. }));
                prop_assert!(refused);
                prop_assert!(writer.get_mut(index).is_none());
            }
        }
        prop_assert_eq!(block.as_slice(), reader.as_slice());
    }

    /// Colocation: the index goes up to the root and down to the other block, by the formula of a placement.
    #[test]
    fn colocated_reads_go_through_the_root(
        shape in extents(),
        (at, from) in prop::array::uniform2(prop::array::uniform2(-5_isize..5)).prop_map(|[a, b]| (a, b)),
        factors in prop::array::uniform2(1_usize..4),
        fine in any::<bool>(),
        steps in steps(),
    ) {
        let root = Space::root(2);
        let target = numbered(shape, 1).in_space(&root).unwrap().at(at);
        let target = if fine { target.refined(factors) } else { target.coarsened(factors) }.unwrap();
        let source = numbered([3, 4], 0).in_space(&root).unwrap().at(from);
        let view = steps.iter().fold(source.view(), |view, step| step.apply(&view));
        let seen = target.colocate(&view).unwrap();
        prop_assert_eq!(seen.extents(), view.extents());
        for index in around(view.extents()) {
            let [y, x] = steps.iter().rev().fold(index, |index, step| step.undo(index));
            // Up from the source, down to the target.
            let root_point = [y + from[0], x + from[1]];
            let down = |axis: usize| {
                let (offset, factor) = (root_point[axis] - at[axis], factors[axis] as isize);
                if fine { offset * factor } else { offset.div_euclid(factor) }
            };
            prop_assert_eq!(seen.get(index).copied(), plain(shape, 1, [down(0), down(1)]));
        }
    }

    /// A block copied from a view stands where the view does, and its reads walk up to what the view reads.
    #[test]
    fn reads_walk_up_and_writes_do_not(shape in extents(), above in steps(), below in steps()) {
        let frame = numbered(shape, 1);
        let view = above.iter().fold(frame.view(), |view, step| step.apply(&view));
        prop_assume!(view.extents().iter().product::<usize>() < 200);
        let mut copy = view.to_block();
        prop_assert_eq!(copy.extents(), view.extents());
        prop_assert!(copy.as_slice().iter().all(|&element| element == 0));
        for index in copy.indices() {
            copy.set(index, -1).unwrap();
        }
        let inner = below.iter().fold(copy.view().with_parent(&view).unwrap(), |view, step| step.apply(&view));
        for index in around(inner.extents()) {
            let in_copy = below.iter().rev().fold(index, |index, step| step.undo(index));
            let in_frame = above.iter().rev().fold(in_copy, |index, step| step.undo(index));
            let own = plain(copy.extents(), 0, in_copy).map(|_| -1);
            let expected = own.or(plain(shape, 1, in_frame));
            prop_assert_eq!(inner.get(index).copied(), expected);
            prop_assert_eq!(inner.contains(index), expected.is_some());
        }
        let mut writable = copy.view_mut().with_parent(&view).unwrap();
        for index in around(view.extents()) {
            let inside = plain(view.extents(), 0, index).is_some();
            prop_assert_eq!(writable.set(index, -2).is_ok(), inside);
            prop_assert_eq!(writable.get(index).copied(), writable.as_view().get(index).copied());
        }
    }

    /// A copy with contents holds what the view reads, and fails where the view does.
    #[test]
    fn copies_hold_what_the_view_reads(shape in extents(), steps in steps()) {
        let block = numbered(shape, 1);
        let view = steps.iter().fold(block.view(), |view, step| step.apply(&view));
        prop_assume!(view.extents().iter().product::<usize>() < 200);
        match view.copied() {
            Ok(copy) => {
                for index in view.indices() {
                    prop_assert_eq!(copy[index], view[index]);
                }
            }
            Err(_) => prop_assert!(view.indices().any(|index| !view.contains(index))),
        }
        if shape.iter().all(|&extent| extent > 0) {
            prop_assert!(view.boundary(Boundary::Wrap).copied().is_ok());
        }
    }

    /// Footprint and coverage of a grid at half and quarter density, element for element.
    #[test]
    fn footprints_and_coverage_by_hand(y in 0_isize..16, x in 0_isize..16) {
        let root = Space::root(2);
        let luma = numbered([16, 16], 0).in_space(&root).unwrap();
        let chroma = numbered([8, 8], 0).in_space(&root).unwrap().coarsened([2, 2]).unwrap();
        let part = |at: isize| Part::from(at..at + 4);
        let block = luma.partition::<2>(&[part(y), part(x)]).unwrap();
        let footprint = chroma.footprint(&block).unwrap();
        prop_assert_eq!(footprint.extents(), [2, 2]);
        for [i, j] in footprint.indices() {
            prop_assert_eq!(footprint.get([i, j]).copied(), plain([8, 8], 0, [y / 2 + i, x / 2 + j]));
        }
        let cover = luma.coverage([y, x], &chroma).unwrap();
        let found: Vec<i32> = cover.indices().map(|index| cover[index]).collect();
        let shares = |&[i, j]: &[isize; 2]| i / 2 == y / 2 && j / 2 == x / 2;
        let expected: Vec<i32> = luma.indices().filter(shares).map(|index| luma[index]).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(chroma.coverage([y / 2, x / 2], &luma).unwrap().extents(), [1, 1]);
    }
}

#[test]
fn slices_and_short_indices() {
    let block = Block::from_fn([2, 3, 4], |[z, y, x]| 100 * z + 10 * y + x);
    let plane = block.slice::<2>(1, 2).unwrap();
    assert_eq!(plane.extents(), [2, 4]);
    assert_eq!(plane[[1, 3]], 123);
    assert_eq!(plane[[3]], 23, "short index lists are padded with zeros on the left");
    assert_eq!(block[[2, 1]], 21);
    let row = plane.slice::<1>(0, 1).unwrap();
    assert_eq!(row.indices().map(|index| row[index]).collect::<Vec<_>>(), [120, 121, 122, 123]);
    let element = row.slice::<0>(0, 3).unwrap();
    assert_eq!(element[[]], 123);
    assert_eq!(element.indices().count(), 1);
    let mixed = block.partition::<1>(&[Part::from(1), Part::from(0..3), Part::from(2)]).unwrap();
    assert_eq!(mixed.copied().unwrap().into_vec(), [102, 112, 122]);
    let wrong = block.partition::<2>(&[Part::from(1), Part::Full, Part::from(2)]);
    assert_eq!(wrong.unwrap_err(), LocationError::Length { expected: 2, found: 1 });
    let cycled = block.permute([2, 0, 1]).unwrap();
    assert_eq!(cycled.extents(), [4, 2, 3]);
    assert_eq!(cycled[[3, 1, 2]], 123);
    assert_eq!(cycled.permute([2, 0, 1]).unwrap()[[2, 3, 1]], 123);
}

/// The flags of section 6.3.3: a table with one flag a macroblock, read as if it had one a sample.
#[test]
fn a_flag_table_is_read_at_samples() {
    let root = Space::root(2);
    let mut flags = Block::<bool, 2>::new([2, 2]).in_space(&root).unwrap().coarsened([16, 16]).unwrap();
    flags[[0, 1]] = true;
    let frame = Block::<u8, 2>::new([32, 32]).in_space(&root).unwrap();
    let block = frame.partition::<2>(&[Part::from(16..20), Part::from(16..20)]).unwrap();
    let seen = flags.colocate(&block).unwrap();
    assert!(!seen[[0, 0]] && !seen[[0, -1]] && !seen[[-1, -1]] && seen[[-1, 0]] && seen[[-1, 15]]);
    assert!(!seen.contains([-17, 0]) && !seen.contains([-1, 16]));
    assert_eq!((block.origin(0).unwrap(), block.origin_in(&flags, 1).unwrap()), (16, 1));
}

/// A chroma plane stands on two axes of an interleaved image, and lies at the origin of the third.
#[test]
fn blocks_stand_on_axes() {
    let root = Space::root(3);
    let rgb = Block::from_fn([2, 3, 3], |[y, x, c]| 100 * y + 10 * x + c).in_space(&root).unwrap();
    let plane = Block::from_fn([3, 2], |[c, y]| 10 * c + y).in_space(&root).unwrap();
    let plane = plane.on_axes([2, 0]).unwrap();
    let seen = plane.colocate(&rgb.permute([2, 0, 1]).unwrap()).map(drop);
    assert_eq!(seen.unwrap_err(), LocationError::RankRises { from: 2, to: 3 });
    let source = rgb.slice::<2>(1, 2).unwrap();
    assert_eq!(plane.colocate(&source).unwrap()[[1, 2]], 21, "(y, c) of the image is (c, y) of the plane");
    assert_eq!(rgb.footprint(&plane).unwrap().extents(), [2, 1, 3]);
    let lone = Block::<u8, 2>::new([1, 1]);
    assert_eq!(rgb.colocate(&lone).map(drop).unwrap_err(), LocationError::DifferentRoots);
    assert!(lone.clone().in_space(&Space::root(1)).is_err());
    assert!(lone.clone().on_axes([0, 2]).is_err());
    assert!(lone.clone().permuted([0, 0]).is_err());
    assert!(lone.refined([2, 2]).unwrap().coarsened([1, 2]).is_err());
}

/// Permuted, moved and refined in one placement: the order of the calls has no meaning.
#[test]
fn placements_of_blocks_commute() {
    let root = Space::root(2);
    let block = || Block::<u8, 2>::new([8, 8]).in_space(&root).unwrap();
    let one = block().at([3, 5]).permuted([1, 0]).unwrap().refined([2, 4]).unwrap();
    let two = block().refined([2, 4]).unwrap().permuted([1, 0]).unwrap().at([3, 5]);
    for block in [one, two] {
        let whole = Block::<u8, 2>::new([1, 1]).in_space(&root).unwrap();
        let place = |y, x| {
            let at = block.partition::<2>(&[Part::from(y..y + 1), Part::from(x..x + 1)]).unwrap();
            [at.origin_in(&whole, 0).unwrap(), at.origin_in(&whole, 1).unwrap()]
        };
        assert_eq!(place(0, 0), [3, 5]);
        assert_eq!(place(2, 4), [4, 6]);
        assert_eq!(place(3, -1), [2, 6]);
        assert_eq!((block.origin(0).unwrap(), block.origin(1).unwrap()), (5, 3));
    }
}

#[test]
fn blocks_are_made_of_what_fits() {
    assert_eq!(
        Block::from_vec([2, 2], vec![1, 2, 3]).unwrap_err(),
        BlockError::Elements { expected: 4, found: 3 }
    );
    let huge = Block::from_vec([usize::MAX, 2], Vec::<u8>::new());
    assert_eq!(huge.unwrap_err(), BlockError::Location(LocationError::Overflow));
    let empty = Block::from_vec([isize::MAX as usize, 0, isize::MAX as usize], Vec::<u8>::new()).unwrap();
    assert_eq!(empty.indices().count(), 0);
    assert!(!empty.contains([0, 0, 0]));
    let beyond = Block::from_vec([usize::MAX, 0], Vec::<u8>::new());
    assert_eq!(beyond.unwrap_err(), BlockError::Location(LocationError::Overflow));
    let mut block = Block::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
    block[[1, 0]] += 10;
    *block.get_mut([0, 1]).unwrap() = 7;
    block.as_mut_slice()[0] = 0;
    assert!(block.get_mut([2, 0]).is_none());
    assert_eq!(block.into_vec(), [0, 7, 13, 4]);
}

/// A column of -1 is not the last element of the row above.
#[test]
#[should_panic(expected = "index [1, -1] is [1, -1] in its nearest block, whose extents are [2, 2]")]
fn indexing_outside_panics_with_the_place() {
    let _ = Block::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap()[[1, -1]];
}

#[test]
#[should_panic(expected = "index [1] is [5] in its nearest block, whose extents are [4]")]
fn writing_outside_panics_with_the_place() {
    let mut block = Block::<u8, 1>::new([4]);
    let mut view = block.view_mut().partition::<1>(&[Part::from(4..6)]).unwrap();
    view[[1]] = 1;
}

/// A slice keeps its index where the tensor that it is indexed by has no place on the axis.
#[test]
fn colocation_keeps_the_index_of_a_slice() {
    let root = Space::root(3);
    let a = Block::from_fn([2, 2, 2], |[i, j, k]| 4 * i + 2 * j + k).in_space(&root).unwrap();
    let u = Block::<u8, 2>::new([2, 2]).in_space(&root).unwrap();
    let row = Block::<u8, 1>::new([2]).in_space(&root).unwrap().on_axes([1]).unwrap();
    for k in 0..2 {
        let slice: View<'_, _, 2> = a.slice(2, k).unwrap();
        let own: View<'_, _, 2> = slice.colocate(&u).unwrap();
        assert_eq!([own[[0, 0]], own[[1, 1]]], [k, 6 + k]);
        let footprint: View<'_, _, 2> = slice.footprint(&u).unwrap();
        assert_eq!([footprint[[0, 0]], footprint[[1, 1]]], [k, 6 + k]);
        for i in 0..2 {
            let both: View<'_, _, 1> = slice.slice(0, i).unwrap();
            let own: View<'_, _, 1> = both.colocate(&row).unwrap();
            assert_eq!(own[[1]], 4 * i + 2 + k);
        }
    }
    // An index that lies at one coordinate itself is met there.
    let (first, placed): (View<'_, _, 2>, View<'_, _, 2>) = (a.slice(2, 0).unwrap(), a.slice(2, 1).unwrap());
    let own: View<'_, _, 2> = first.colocate(&placed).unwrap();
    assert_eq!(own[[0, 0]], 1);
}
