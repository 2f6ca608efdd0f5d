//! Layouts: offsets, their inverse and their span; blocks with strides against dense ones.

use proptest::prelude::*;
use shim_core::{Block, BlockError, Boundary, Fold, Layout, Located, LocationError, Part, Space, TensorOps};

/// Extents, and strides in which the axes nest in some order with gaps between them.
fn nested() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    let axes = prop::collection::vec((1_i64..5, 0_i64..3), 1..4);
    axes.prop_flat_map(|axes| {
        let order: Vec<usize> = (0..axes.len()).collect();
        (Just(axes), Just(order).prop_shuffle())
    })
    .prop_map(|(axes, order)| {
        let mut strides = vec![0; axes.len()];
        let mut span = 1;
        for &axis in &order {
            let (extent, gap) = axes[axis];
            // A stride that no other axis has, so that the inverse does not depend on which comes first.
            strides[axis] = span + gap;
            span = strides[axis] * extent.max(2);
        }
        (axes.into_iter().map(|(extent, _)| extent).collect(), strides)
    })
}

/// All coordinates of a box.
fn coordinates(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![Vec::new()], |prefixes, &extent| {
        let extend = |prefix: Vec<i64>| (0..extent).map(move |at| [prefix.clone(), vec![at]].concat());
        prefixes.into_iter().flat_map(extend).collect()
    })
}

proptest! {
    #[test]
    fn row_major_counts_elements(extents in prop::collection::vec(1_i64..6, 1..5)) {
        let layout = Layout::row_major(&extents).unwrap();
        let all = coordinates(&extents);
        prop_assert_eq!(layout.span(&extents), Ok(all.len() as i64));
        for (offset, at) in all.iter().enumerate() {
            prop_assert_eq!(layout.offset(at), Ok(offset as i64));
            prop_assert_eq!(&layout.coordinates(&(offset as i64)).unwrap(), at);
        }
    }

    #[test]
    fn coordinates_invert_offsets((extents, strides) in nested(), base in -9_i64..9) {
        let layout = Layout::strided(strides).based(base);
        let mut last = base;
        for at in coordinates(&extents) {
            let offset = layout.offset(&at).unwrap();
            prop_assert_eq!(layout.coordinates(&offset), Ok(at));
            last = last.max(offset);
        }
        prop_assert_eq!(layout.span(&extents), Ok(last + 1));
    }

    /// Every view of a block with strides reads what the same view of a dense block reads.
    #[test]
    fn strides_change_no_value(
        shape in prop::array::uniform2(0_usize..6),
        gaps in prop::array::uniform2(0_usize..3),
        columns_first in any::<bool>(),
        starts in prop::array::uniform2(-2_isize..6),
        lengths in prop::array::uniform2(0_isize..5),
        permute in any::<bool>(),
    ) {
        let [h, w] = shape;
        let strides = if columns_first {
            [1 + gaps[1], (1 + gaps[1]) * h.max(1) + gaps[0]]
        } else {
            [(1 + gaps[1]) * w.max(1) + gaps[0], 1 + gaps[1]]
        };
        let mut dense = Block::<i32, 2>::new(shape);
        let memory = vec![-1; if h * w == 0 { 0 } else { (h - 1) * strides[0] + (w - 1) * strides[1] + 1 }];
        let mut strided = Block::with_strides(shape, strides, memory).unwrap();
        for (value, index) in (0..).zip(dense.indices()) {
            dense.set(index, value).unwrap();
            strided.set(index, value).unwrap();
            let [y, x] = index.map(|at| at as usize);
            prop_assert_eq!(strided.as_slice()[y * strides[0] + x * strides[1]], value);
        }
        let parts = [0, 1].map(|j| Part::from(starts[j]..starts[j] + lengths[j]));
        let (mut a, mut b) = (dense.view(), strided.view());
        if permute {
            (a, b) = (a.permute([1, 0]).unwrap(), b.permute([1, 0]).unwrap());
        }
        let (a, b) = (a.partition::<2>(&parts).unwrap(), b.partition::<2>(&parts).unwrap());
        let (folded, also) = (a.boundary(Boundary::Mirror), b.boundary(Boundary::Mirror));
        for y in -1..=lengths[0] {
            for x in -1..=lengths[1] {
                prop_assert_eq!(a.get([y, x]), b.get([y, x]));
                prop_assert_eq!(folded.get([y, x]), also.get([y, x]));
            }
        }
        // A kernel is given the same elements.
        if let Ok(parts) = b.__parts() {
            for [y, x] in b.indices() {
                let at = parts.base + y * parts.strides[0] + x * parts.strides[1];
                prop_assert_eq!(&parts.memory[at as usize], a.get([y, x]).unwrap());
            }
        }
    }
}

#[test]
fn layouts_without_an_inverse_say_so() {
    assert_eq!(Layout::strided(vec![0_i64, 1]).coordinates(&3), Err(LocationError::NoInverse));
    assert_eq!(Layout::strided(vec![-4_i64, 1]).coordinates(&3), Err(LocationError::NoInverse));
    assert_eq!(Layout::strided(vec![4_i64, 2]).coordinates(&3), Err(LocationError::NoInverse));
    assert_eq!(
        Layout::strided(vec![4_i64, 2]).offset(&[1]),
        Err(LocationError::Length { expected: 2, found: 1 })
    );
    assert_eq!(Layout::row_major(&[2, i64::MAX, 2]), Err(LocationError::Overflow));
    assert_eq!(Layout::strided(vec![i64::MAX, 1]).span(&[3, 1]), Err(LocationError::Overflow));
    assert_eq!(Layout::strided(vec![i64::MAX, 1]).span(&[3, 0]), Ok(0));
}

#[test]
fn a_vector_that_ends_early_is_refused() {
    let error = Block::with_strides([2, 3], [4, 1], vec![0_u8; 6]).unwrap_err();
    assert_eq!(error, BlockError::Span { span: 7, found: 6 });
    assert_eq!(error.to_string(), "the extents and the layout span 7 elements, and the vector has 6");
    assert!(Block::with_strides([0, 3], [4, 1], Vec::<u8>::new()).is_ok());
    let error = Block::with_strides([2, 3], [usize::MAX, 1], vec![0_u8; 6]).unwrap_err();
    assert_eq!(error, BlockError::Location(LocationError::Overflow));
}

#[test]
fn strided_blocks_are_placed_like_others() {
    let root = Space::root(2);
    let plane = Block::with_strides([2, 2], [3, 1], vec![1, 2, 0, 3, 4]).unwrap();
    let plane = plane.in_space(&root).unwrap().coarsened([2, 2]).unwrap();
    let luma = Block::<u8, 2>::new([4, 4]).in_space(&root).unwrap();
    assert_eq!(plane.view().colocate(&luma).unwrap()[[3, 1]], 3);
}

#[test]
fn folds_stay_in_their_type() {
    for rule in [Fold::Clamp, Fold::Mirror, Fold::Reflect, Fold::Wrap] {
        for extent in [1, 2, 3, 7, i64::MAX / 2 + 1, i64::MAX - 1, i64::MAX] {
            for at in [i64::MIN, i64::MIN + 1, -extent, -1, 0, extent - 1, i64::MAX - 1, i64::MAX] {
                let folded = rule.apply(at, extent);
                assert!((0..extent).contains(&folded), "{rule:?} {at} {extent}");
                // Twice the width has room for the definition.
                let (at, extent) = (i128::from(at), i128::from(extent));
                let expected = match rule {
                    Fold::Clamp => at.clamp(0, extent - 1),
                    Fold::Wrap => at.rem_euclid(extent),
                    Fold::Mirror => {
                        let at = at.rem_euclid(2 * extent);
                        if at < extent { at } else { 2 * extent - 1 - at }
                    }
                    Fold::Reflect if extent == 1 => 0,
                    Fold::Reflect => {
                        let at = at.rem_euclid(2 * (extent - 1));
                        if at < extent { at } else { 2 * (extent - 1) - at }
                    }
                };
                assert_eq!(i128::from(folded), expected, "{rule:?} {at} {extent}");
            }
        }
        assert_eq!(rule.apply(5_i64, 0), 0);
        assert_eq!(rule.apply(-5_i64, -3), 0);
    }
}
