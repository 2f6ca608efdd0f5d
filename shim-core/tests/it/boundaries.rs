//! Boundary rules against walks along the axis.

use proptest::prelude::*;
use shim_core::{AccessError, Block, Boundary, Located, Part, TensorOps};

/// The coordinate that `Clamp` takes, by walking one step at a time.
fn clamped(mut at: isize, extent: isize) -> isize {
    while at < 0 {
        at += 1;
    }
    while at >= extent {
        at -= 1;
    }
    at
}

/// The coordinate that `Wrap` takes, by whole turns.
fn wrapped(mut at: isize, extent: isize) -> isize {
    while at < 0 {
        at += extent;
    }
    while at >= extent {
        at -= extent;
    }
    at
}

/// The coordinate that `Mirror` takes, by folding at one edge after the other.
fn mirrored(mut at: isize, extent: isize) -> isize {
    loop {
        if at < 0 {
            at = -1 - at;
        } else if at >= extent {
            at = 2 * extent - 1 - at;
        } else {
            return at;
        }
    }
}

/// A rule and what it does to one coordinate.
type Rule = (Boundary<i32>, fn(isize, isize) -> isize);

const RULES: [Rule; 3] =
    [(Boundary::Clamp, clamped), (Boundary::Wrap, wrapped), (Boundary::Mirror, mirrored)];

proptest! {
    #[test]
    fn rules_fold_every_axis(h in 1_isize..6, w in 1_isize..6, y in -30_isize..30, x in -30_isize..30) {
        let block = Block::from_fn([h as usize, w as usize], |[y, x]| (10 * y + x) as i32);
        for (rule, fold) in RULES {
            let view = block.boundary(rule);
            let expected = 10 * fold(y, h) + fold(x, w);
            prop_assert_eq!(view[[y, x]], expected as i32);
            prop_assert_eq!(view.contains([y, x]), block.contains([y, x]), "rules add no memory");
        }
        let filled = block.boundary(Boundary::Fill(-1));
        prop_assert_eq!(filled[[y, x]], block.get([y, x]).copied().unwrap_or(-1));
    }

    /// A rule applies at the block's extents, not at the view's, and stays with the memory when that is colocated.
    #[test]
    fn rules_apply_at_the_block(start in -9_isize..9, at in -9_isize..9, step in 1_i64..4) {
        let block = Block::from_fn([5], |[x]| x as i32);
        let parts = [Part::Range { start: start as i64, end: start as i64 + 3, step }];
        for (rule, fold) in RULES {
            let expected = fold(start + at * step as isize, 5) as i32;
            let before = block.boundary(rule).partition::<1>(&parts).unwrap();
            prop_assert_eq!(before[[at]], expected);
            let after = block.partition::<1>(&parts).unwrap().boundary(rule);
            prop_assert_eq!(after[[at]], expected);
            let colocated = block.boundary(rule).colocate(&block.partition::<1>(&parts).unwrap()).unwrap();
            prop_assert_eq!(colocated[[at]], expected);
        }
    }

    /// Walking up goes before any rule; the rule is the tensor's own, never its parent's.
    #[test]
    fn memory_goes_before_rules(at in -12_isize..12) {
        let frame = Block::from_fn([8], |[x]| x as i32);
        let view = frame.partition::<1>(&[Part::from(2..5)]).unwrap();
        let mut copy = view.to_block();
        copy.as_mut_slice().fill(100);
        let found = |x: isize| {
            if (0..3).contains(&x) { Some(100) } else { frame.get([x + 2]).copied() }
        };
        let plain = copy.view().with_parent(&view).unwrap();
        prop_assert_eq!(plain.get([at]).copied(), found(at));
        let own = plain.boundary(Boundary::Fill(-1));
        prop_assert_eq!(own[[at]], found(at).unwrap_or(-1));
        let clamped_frame = view.boundary(Boundary::Clamp);
        let above = copy.view().with_parent(&clamped_frame).unwrap();
        prop_assert_eq!(above.get([at]).copied(), found(at));
        let wrapping = above.boundary(Boundary::Wrap);
        prop_assert_eq!(wrapping[[at]], found(at).unwrap_or(100), "at the copy, not at the frame");
    }

    /// Rules do not help a write.
    #[test]
    fn writes_obey_no_rule(at in -9_isize..9) {
        let mut block = Block::<i32, 1>::new([4]);
        let mut view = block.view_mut().boundary(Boundary::Clamp);
        prop_assert!(view.get([at]).is_some());
        prop_assert_eq!(view.set([at], 1).is_ok(), (0..4).contains(&at));
    }
}

#[test]
fn empty_axes_have_nothing_to_give() {
    let block = Block::<i32, 2>::new([3, 0]);
    for (rule, _) in RULES {
        let error = block.boundary(rule).read([1, 0]).unwrap_err();
        assert_eq!(error, AccessError::EmptyAxis { axis: 1 });
    }
    assert_eq!(block.boundary(Boundary::Fill(7)).read([1, 0]), Ok(7));
    assert_eq!(block.extent(1), 0);
}

/// The mirror's period need not fit the coordinate.
#[test]
fn far_coordinates_fold() {
    let block = Block::from_fn([3], |[x]| x as i32);
    let mirror = block.boundary(Boundary::Mirror);
    assert_eq!(mirror[[isize::MAX]], 1, "2^63 - 1 is 1 modulo 6");
    assert_eq!(mirror[[isize::MIN]], 1, "-2^63 is 4 modulo 6, the image of 1");
}

#[test]
#[should_panic(expected = "axis 0 of the block is empty")]
fn an_empty_axis_panics_when_indexed() {
    let _ = Block::<i32, 1>::new([0]).boundary(Boundary::Clamp)[[0]];
}
