//! A boundary rule for each axis, and rules that call a function.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use shim::prelude::*;
use shim::{AccessError, TensorOps};

fn message(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn samples(count: usize) -> Vec<i32> {
    (0..count).map(|at| (at * 37 + at / 7 * 11 + 5) as i32 % 251).collect()
}

fn block(src: &[i32], h: usize, w: usize) -> Block<i32, 2> {
    Block::from_fn([h, w], |[y, x]| src[y as usize * w + x as usize])
}

/// The rule that turns an axis round at its ends.
fn turned(at: isize, extent: isize) -> isize {
    if at < 0 { extent - 1 - (-1 - at) % extent } else { at % extent }
}

macro_rules! stencil {
    ($name:ident, $rules:expr) => {
        /// The kernel, and what the library says.
        #[allow(non_snake_case)]
        mod $name {
            use super::*;

            #[shim::kernel]
            pub(super) fn staged(src: &[i32], h: usize, w: usize, dst: &mut [i32]) {
                let src = Block::external(src, [h, w]).boundary($rules);
                let dst = Block::external(dst, [h + 4, w + 4]).at([-2, -2]);
                for [y, x] in dst.indices() {
                    dst[[y, x]] = src[[y - 2, x - 2]] * 3 - src[[y - 2, x - 1]] + src[[y - 1, x - 2]];
                }
            }

            pub(super) fn library(src: &[i32], h: usize, w: usize) -> Vec<i32> {
                let src = block(src, h, w);
                let src = src.boundary($rules);
                let at = |y: isize, x: isize| src[[y, x]] * 3 - src[[y, x + 1]] + src[[y + 1, x]];
                (-2..h as isize + 2).flat_map(|y| (-2..w as isize + 2).map(move |x| at(y, x))).collect()
            }

            /// One element, as the library says.
            pub(super) fn at(block: &Block<i32, 2>, y: isize, x: isize) -> i32 {
                block.boundary($rules)[[y, x]]
            }

            /// Elements chosen at run time, at places of the caller's.
            #[shim::kernel]
            pub(super) fn single(src: &[i32], h: usize, w: usize, y: isize, x: isize) -> i32 {
                let src = Block::external(src, [h, w]).boundary($rules);
                src[[y, x]]
            }
        }
    };
}

stencil!(clamp_wrap, [Clamp, Wrap]);
stencil!(reflect_mirror, [Reflect, Mirror]);
stencil!(fill_wrap, [Fill(1000), Wrap]);
stencil!(clamp_fill, [Clamp, Fill(-7)]);
stencil!(fill_fill, [Fill(10), Fill(20)]);
stencil!(by_clamp, [By(|i, n| if i < 0 { (-1 - i).min(n - 1) } else { n - 1 }), Clamp]);
stencil!(by_by, By(turned));
stencil!(fill_by, [Fill(5), By(turned)]);

#[test]
fn each_axis_follows_its_own_rule() {
    macro_rules! agree {
        ($($name:ident),*) => { $(
            for h in 1..6 {
                for w in (1..6).chain([17, 40]) {
                    let src = samples(h * w);
                    let mut dst = vec![0; (h + 4) * (w + 4)];
                    $name::staged(&src, h, w, &mut dst);
                    // The kernel's output is at -2, and its indices count from there.
                    let wanted = $name::library(&src, h, w);
                    let found: Vec<i32> = dst;
                    assert_eq!(found, wanted, "{} {h}x{w}", stringify!($name));
                    let block = block(&src, h, w);
                    for y in -7..10 {
                        for x in -7..10 {
                            let single = $name::single(&src, h, w, y, x);
                            assert_eq!(single, $name::at(&block, y, x), "{} {y} {x}", stringify!($name));
                        }
                    }
                }
            }
        )* };
    }
    agree!(clamp_wrap, reflect_mirror, fill_wrap, clamp_fill, fill_fill, by_clamp, by_by, fill_by);
}

#[test]
fn rules_are_those_of_the_axes() {
    // Columns wrap, rows are clamped.
    let src = [1, 2, 3, 4, 5, 6];
    assert_eq!(clamp_wrap::single(&src, 2, 3, -5, -1), 3);
    assert_eq!(clamp_wrap::single(&src, 2, 3, 9, 4), 5);
    // A value goes before the other rule.
    assert_eq!(fill_wrap::single(&src, 2, 3, 2, -1), 1000);
    assert_eq!(fill_wrap::single(&src, 2, 3, 1, -1), 6);
    assert_eq!(fill_fill::single(&src, 2, 3, -1, 3), 10, "the first axis that is outside");
    assert_eq!(fill_fill::single(&src, 2, 3, 0, 3), 20);
}

/// Axes of a permuted slice: the planes have no rule, rows wrap and columns are clamped.
#[shim::kernel]
fn of_a_plane(planes: &[i32], h: usize, w: usize, c: usize, out: &mut [i32]) {
    let planes = Block::external(planes, [3, h, w]);
    let plane = planes.slice(0, c).permute([1, 0]).boundary([Clamp, Wrap]);
    let out = Block::external(out, [w + 2, h + 2]);
    for [x, y] in out.indices() {
        out[[x, y]] = plane[[x - 1, y - 1]];
    }
}

#[test]
fn an_axis_that_the_tensor_lacks_has_no_rule() {
    let (h, w) = (3, 2);
    let planes = samples(3 * h * w);
    let mut out = vec![0; (w + 2) * (h + 2)];
    for c in 0..3 {
        of_a_plane(&planes, h, w, c, &mut out);
        for x in 0..w + 2 {
            for y in 0..h + 2 {
                let (from_x, from_y) = (x.saturating_sub(1).min(w - 1), (y + h - 1) % h);
                assert_eq!(out[x * (h + 2) + y], planes[(c * h + from_y) * w + from_x], "{c} {y} {x}");
            }
        }
    }
    out.fill(-1);
    let text = message(|| of_a_plane(&planes, h, w, 3, &mut out));
    assert!(text.contains("`planes`"), "{text}");
    assert!(out.iter().all(|&out| out == -1), "the index of the plane is asserted before the loop");
    let rows = block(&planes, 3 * h, w);
    let library = Block::from_fn([3, h, w], |[c, y, x]| rows[[c * h as isize + y, x]]);
    let plane = library.slice::<2>(0, 3).unwrap();
    let plane = plane.boundary([Clamp, Wrap]);
    assert!(matches!(plane.read([0, 0]), Err(AccessError::Outside { .. })));
}

/// A block that lies on one row: with a list, the other rows are outside.
#[shim::kernel]
fn of_a_row(frame: &[i32; 12], row: usize, at: isize, listed: bool) -> i32 {
    let frame = Block::external(frame, [3, 4]);
    let second = frame.slice(0, 1).to_block().copied();
    let place = frame.slice(0, row);
    if listed { second.boundary([Clamp])[place][[at]] } else { second.boundary(Clamp)[place][[at]] }
}

#[test]
fn an_axis_that_the_block_dropped_has_the_rule_of_all_axes_alone() {
    let frame = core::array::from_fn(|at| at as i32);
    assert_eq!(of_a_row(&frame, 1, 9, true), 7);
    assert_eq!(of_a_row(&frame, 1, 9, false), 7);
    assert_eq!(of_a_row(&frame, 0, -3, false), 4, "the block's own row");
    assert!(message(|| _ = of_a_row(&frame, 0, -3, true)).contains("second"));
}

/// A function sees what is outside alone, and may keep what it finds.
#[shim::kernel]
fn counted(src: &[i32], calls: &Cell<usize>, most: isize) -> i32 {
    let src = Block::external(src, [src.len()]);
    let last = src.boundary(By(|i: isize, n| {
        calls.set(calls.get() + 1);
        if i < 0 { 0 } else { n - 1 }
    }));
    let mut sum = 0;
    for i in -1..most {
        sum += last[[i]];
    }
    sum
}

#[test]
fn a_function_is_called_for_what_is_outside() {
    let calls = Cell::new(0);
    assert_eq!(counted(&[1, 2, 3], &calls, 5), 1 + 1 + 2 + 3 + 3 + 3);
    assert_eq!(calls.get(), 3);
}

#[shim::kernel]
fn offset(src: &[i32], shift: isize, at: isize) -> i32 {
    let src = Block::external(src, [src.len()]).boundary(By(move |i, _| i + shift));
    src[[at]]
}

#[test]
fn a_function_that_stays_outside_panics() {
    assert_eq!(offset(&[1, 2, 3], 4, -2), 3);
    assert_eq!(offset(&[1, 2, 3], 99, 2), 3);
    assert_eq!(
        message(|| _ = offset(&[1, 2, 3], 5, -2)),
        "shim: the boundary rule of `src` in `offset` takes -2 to 3, and the extent is 3"
    );
    assert_eq!(
        message(|| _ = offset(&[], 5, 0)),
        "shim: `offset` reads `src` by a boundary rule, and it is empty"
    );
    let block = Block::from_fn([3], |[x]| x as i32);
    let view = block.boundary(By(|i, _| i + 5));
    let error = view.read([-2]).unwrap_err();
    assert_eq!(error, AccessError::Rule { axis: 0, coordinate: -2, found: 3, extent: 3 });
    assert_eq!(
        error.to_string(),
        "the boundary rule of axis 0 takes coordinate -2 to 3, and the extent is 3"
    );
}

/// Casts before and after the values to fill with.
#[shim::kernel]
fn casts(src: &[u8; 4], y: isize, x: isize) -> i64 {
    let src = Block::external(src, [2, 2]).cast::<i32>().boundary([Fill(-300), Fill(70_000)]).cast::<i64>();
    src[[y, x]]
}

#[test]
fn values_are_of_the_type_before_the_rules() {
    let src = [1, 2, 3, 4];
    assert_eq!([casts(&src, 1, 0), casts(&src, -1, 0), casts(&src, 0, 2)], [3, -300, 70_000]);
}

/// Places that are certainly outside the copy, and outside the block that it was made from.
#[shim::kernel]
fn far_from_a_copy(t: &[i32; 4]) -> [i32; 3] {
    let t = Block::external(t, [2, 2]);
    let own = t.to_stack();
    own[[0, 0]] = 10;
    own[[0, 1]] = 11;
    let filled = own.boundary([Fill(-1), Fill(-2)]);
    [own.boundary(Wrap)[[2, -1]], own.boundary([Clamp, Reflect])[[-1, 2]], filled[[1, 2]]]
}

#[test]
fn rules_apply_at_the_nearest_block_wherever_the_index_is() {
    assert_eq!(far_from_a_copy(&[1, 2, 3, 4]), [11, 10, -2]);
}
