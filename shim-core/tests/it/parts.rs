//! What a kernel is given of a runtime tensor: flat memory that agrees with every read inside the extents.

use proptest::prelude::*;
use shim_core::{Block, Located, Part, PartsError, Space, TensorOps, View};

/// Checks that the parts and the view agree at every index, and that all of it is in memory.
fn agrees(view: &View<'_, i32, 2>) -> Result<(), TestCaseError> {
    let parts = view.__parts().unwrap();
    prop_assert_eq!(parts.extents, view.extents());
    for index in view.indices() {
        let [y, x] = index;
        let flat = parts.base + y * parts.strides[0] + x * parts.strides[1];
        prop_assert_eq!(parts.memory.get(flat as usize), view.get(index));
    }
    Ok(())
}

fn numbered(extents: [usize; 2]) -> Block<i32, 2> {
    let mut next = 0;
    Block::from_fn(extents, |_| {
        next += 1;
        next
    })
}

proptest! {
    /// Parts exist just when every point of the view is a point of the block, in step.
    #[test]
    fn parts_agree_with_reads(
        shape in prop::array::uniform2(0_usize..7),
        starts in prop::array::uniform2(-2_isize..7),
        lengths in prop::array::uniform2(0_isize..5),
        factors in prop::array::uniform2(1_usize..3),
        (permute, refine, first) in any::<(bool, bool, bool)>(),
    ) {
        let block = numbered(shape);
        let mut view = block.view();
        if permute {
            view = view.permute([1, 0]).unwrap();
        }
        // Refined and then coarsened is the identity; coarsened and then refined is not.
        if refine {
            view = if first { view.refine(factors) } else { view.coarsen(factors) }.unwrap();
            view = if first { view.coarsen(factors) } else { view.refine(factors) }.unwrap();
        }
        let parts = [0, 1].map(|j| Part::from(starts[j]..starts[j] + lengths[j]));
        let view = view.partition::<2>(&parts).unwrap();
        match view.__parts() {
            Ok(_) => agrees(&view)?,
            Err(PartsError::Outside { axis, first, last, extent }) => {
                prop_assert!(view.indices().any(|index| !view.contains(index)));
                prop_assert!(first < 0 || last >= extent);
                prop_assert_eq!(extent, block.extent(axis) as i64);
            }
            Err(error) => {
                let PartsError::Factor { axis } = error else { panic!("{error}") };
                prop_assert!(refine && !first && factors.contains(&2), "{}", error);
                prop_assert!(lengths[axis] > 1);
            }
        }
        if !refine && view.indices().all(|index| view.contains(index)) {
            agrees(&view)?;
        }
    }

    /// Over two blocks of one density the origins may differ in any way.
    #[test]
    fn siblings_of_one_density_are_in_step(at in -9_isize..9, from in -9_isize..9, factor in 1_usize..5) {
        let root = Space::root(2);
        let place = |block: Block<i32, 2>, at| block.in_space(&root).unwrap().at([0, at]).coarsened([1, factor]).unwrap();
        let target = place(numbered([1, 48]), at - 20 * factor as isize);
        let source = place(numbered([1, 4]), from);
        agrees(&target.colocate(&source).unwrap())?;
    }
}

#[test]
fn factors_are_refused() {
    let block = numbered([4, 4]);
    for view in [block.coarsen([1, 2]), block.refine([1, 2])] {
        assert_eq!(view.unwrap().__parts().unwrap_err(), PartsError::Factor { axis: 1 });
    }
    let single = block.partition::<2>(&[Part::from(1..2), Part::Range { start: 1, end: 2, step: 2 }]);
    assert_eq!(single.unwrap().__parts().unwrap_err(), PartsError::Factor { axis: 1 });
}

#[test]
fn blocks_and_writers_have_parts() {
    let root = Space::root(2);
    let mut block = numbered([3, 4]).in_space(&root).unwrap().at([7, 7]).coarsened([2, 2]).unwrap();
    let parts = block.__parts().unwrap();
    assert_eq!((parts.base, parts.extents, parts.strides), (0, [3, 4], [4, 1]));
    let parts = block.__parts_mut().unwrap();
    parts.memory[5] = -6;
    assert_eq!((parts.base, parts.extents, parts.strides), (0, [3, 4], [4, 1]));
    let mut column = block.view_mut().slice::<1>(1, 1).unwrap();
    let parts = column.__parts_mut().unwrap();
    assert_eq!((parts.base, parts.extents, parts.strides), (1, [3], [4]));
    assert_eq!(parts.memory[(parts.base + parts.strides[0]) as usize], -6);
    assert_eq!(column[[1]], -6);
}

/// Nothing of an empty tensor is addressed, so that it may stand anywhere, also over an empty block.
#[test]
fn empty_tensors_have_parts() {
    let block = numbered([0, 4]);
    assert_eq!(block.__parts().unwrap().base, 0);
    let beyond = [Part::from(90..90), Part::from(90..99)];
    assert_eq!(block.partition::<2>(&beyond).unwrap().__parts().unwrap().extents, [0, 9]);
    let error = block.partition::<2>(&[Part::from(0..1), Part::Full]).unwrap().__parts().unwrap_err();
    assert_eq!(error, PartsError::Outside { axis: 0, first: 0, last: 0, extent: 0 });
}

/// Along an axis that the block lacks, all points are one element.
#[test]
fn missing_axes_have_no_stride() {
    let root = Space::root(3);
    let table = numbered([3, 5]).in_space(&root).unwrap().on_axes([0, 2]).unwrap();
    let source = Block::<u8, 2>::new([4, 5]).in_space(&root).unwrap().on_axes([1, 2]).unwrap();
    let view = table.colocate(&source).unwrap();
    assert_eq!(view.__parts().unwrap().strides, [0, 1]);
    agrees(&view).unwrap();
}
