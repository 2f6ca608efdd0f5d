//! Runtime tensors as parameters, with their locations: the runtime library is the oracle.

use crate::common::{noise, panics_with};
use shim::prelude::*;
use shim::{Located, Place, Space, TensorOps};

type Root = Space<i64>;

fn block(root: &Root, h: usize, w: usize) -> Block<i32, 2> {
    Block::from_vec([h, w], noise(h * w, 1000)).expect("as many elements").in_space(root).expect("of rank 2")
}

/// A kernel reads `a` from where `b` is.
#[shim::kernel]
fn colocated(a: &Block<i32, 2>, b: View<'_, i32, 2>, y: isize, x: isize) -> i32 {
    a[b].boundary(Fill(-1))[[y, x]]
}

#[shim::kernel]
fn found(a: &Block<i32, 2>, b: View<'_, i32, 2>) -> ([isize; 2], [isize; 2], [usize; 2], Place<2>) {
    let print = a.footprint(b);
    let inside = [print.origin_in(a, 0), print.origin_in(a, 1)];
    (inside, [b.origin(0), b.origin(1)], [print.extent(0), print.extent(1)], b.place())
}

#[test]
fn views_keep_their_origin() {
    let root = Space::root(2);
    let a = block(&root, 9, 11).at([3, -2]);
    let b = block(&root, 8, 8).at([1, 1]);
    for (from, to) in
        [([0, 0], [8, 8]), ([2, 3], [5, 4]), ([7, 7], [8, 8]), ([4, 4], [4, 9]), ([1, 0], [3, 0])]
    {
        if to.iter().any(|&end| end > 8) {
            continue;
        }
        let part: View<'_, i32, 2> =
            b.partition(&[(from[0]..to[0]).into(), (from[1]..to[1]).into()]).expect("in rank");
        let seen = a.colocate(&part).expect("one root").boundary(shim::Boundary::Fill(-1));
        for y in -9..9 {
            for x in -9..9 {
                assert_eq!(colocated(&a, part.clone(), y, x), seen[[y, x]], "{from:?}..{to:?}, {y}, {x}");
            }
        }
        let print = a.footprint(&part).expect("one root");
        let wanted = (
            [0, 1].map(|axis| print.origin_in(&a, axis).expect("one root")),
            [0, 1].map(|axis| part.origin(axis).expect("small")),
            print.extents(),
            part.place().expect("on both axes"),
        );
        assert_eq!(found(&a, part.clone()), wanted);
    }
}

/// Luma and chroma of one point, where both planes are runtime tensors.
#[shim::kernel]
fn chroma_at(luma: View<'_, i32, 2>, #[coarsened(2, 2)] chroma: &Block<i32, 2>, y: usize, x: usize) -> i32 {
    chroma[luma].boundary(Clamp)[[y, x]]
}

#[shim::kernel]
fn luma_of(
    #[coarsened(2, 2)] chroma: View<'_, i32, 2>,
    luma: &Block<i32, 2>,
    y: usize,
    x: usize,
) -> [usize; 2] {
    let covered = luma.coverage([y, x], chroma);
    [covered.extent(0), covered.extent(1)]
}

#[shim::kernel]
fn refined(#[refined(4, 4)] fine: &Block<i32, 2>, whole: View<'_, i32, 2>, y: isize, x: isize) -> i32 {
    fine[whole].boundary(Clamp)[[y, x]]
}

#[test]
fn factors_are_declared() {
    let root = Space::root(2);
    let luma = block(&root, 8, 12).at([2, 4]);
    let chroma = block(&root, 9, 9).coarsened([2, 2]).expect("a factor");
    let fine = block(&root, 40, 50).at([1, 3]).refined([4, 4]).expect("a factor");
    let part: View<'_, i32, 2> = luma.partition(&[(3..8).into(), (1..12).into()]).expect("in rank");
    let seen = chroma.colocate(&part).expect("one root").boundary(shim::Boundary::Clamp);
    let close = fine.colocate(&part).expect("one root").boundary(shim::Boundary::Clamp);
    for [y, x] in part.indices() {
        assert_eq!(chroma_at(part.clone(), &chroma, y as usize, x as usize), seen[[y, x]]);
        assert_eq!(refined(&fine, part.clone(), y, x), close[[y, x]]);
    }
    // A view of a coarsened block, declared as the block is.
    let some: View<'_, i32, 2> = chroma.partition(&[(2..7).into(), (1..8).into()]).expect("in rank");
    assert_eq!(luma_of(some.clone(), &luma, 1, 2), [2, 2]);
    let undeclared = || colocated(&chroma, part.clone(), 0, 0);
    panics_with(undeclared, &["`colocated` cannot locate `a`", "axis 0", "1:2", "1:1", "#[coarsened(..)]"]);
    let declared = || luma_of(part.clone(), &luma, 0, 0);
    panics_with(declared, &["`luma_of` cannot locate `chroma`", "1:1", "1:2"]);
}

/// A row against the plane it belongs to.
#[shim::kernel]
fn row_in(plane: &Block<i32, 2>, #[on_axes(1)] row: View<'_, i32, 1>, x: isize) -> i32 {
    plane[row].boundary(Fill(-1))[[x]]
}

#[shim::kernel]
fn turned(plane: &Block<i32, 2>, #[permuted(1, 0)] turned: View<'_, i32, 2>, y: isize, x: isize) -> i32 {
    plane[turned].boundary(Fill(-1))[[y, x]]
}

#[test]
fn axes_are_declared() {
    let root = Space::root(2);
    let plane = block(&root, 6, 7);
    let line = Block::from_vec([4], noise(4, 9)).expect("as many").in_space(&root).expect("of rank 2");
    let line = line.on_axes([1]).expect("an axis").at([3]);
    let seen: View<'_, i32, 1> = plane.colocate(&line).expect("one root");
    let seen = seen.boundary(shim::Boundary::Fill(-1));
    for x in -4..8 {
        assert_eq!(row_in(&plane, line.view(), x), seen[[x]]);
    }
    let part: View<'_, i32, 2> = plane.partition(&[(2..6).into(), (1..4).into()]).expect("in rank");
    let flipped = part.permute([1, 0]).expect("a permutation");
    let seen = plane.colocate(&flipped).expect("one root").boundary(shim::Boundary::Fill(-1));
    for y in -3..5 {
        for x in -3..5 {
            assert_eq!(turned(&plane, flipped.clone(), y, x), seen[[y, x]]);
        }
    }
    panics_with(|| colocated(&plane, flipped.clone(), 0, 0), &["`b`", "axis 0", "#[on_axes(..)]"]);
    // A slice has one coordinate on the axis that it lacks.
    let deep = Block::from_vec([2, 3, 4], noise(24, 9))
        .expect("as many")
        .in_space(&Space::root(3))
        .expect("of rank 3");
    let slice: View<'_, i32, 2> = deep.slice(2, 1).expect("an axis");
    panics_with(|| found(&plane, slice.clone()), &["`found` cannot locate", "different root spaces"]);
    panics_with(|| place_of(slice.clone()), &["`place_of` cannot locate `t`", "a slice along axis 2"]);
}

#[shim::kernel]
fn place_of(t: View<'_, i32, 2>) -> Place<2> {
    t.place()
}

#[test]
fn what_no_link_describes_is_refused() {
    let root = Space::root(2);
    let a = block(&root, 8, 8);
    let half = a.coarsen([2, 2]).expect("factors");
    let both = half.refine([2, 2]).expect("factors");
    panics_with(|| place_of(both.clone()), &["along axis 0", "both refined and coarsened"]);
    panics_with(|| sum(both.clone()), &["axis 0 of the tensor is refined or coarsened"]);
    let fine = block(&root, 8, 8).refined([2, 2]).expect("a factor");
    let odd: View<'_, i32, 2> = fine.partition(&[(1..8).into(), (0..8).into()]).expect("in rank");
    panics_with(|| fine_place(odd.clone()), &["along axis 0", "between two points"]);
    let even: View<'_, i32, 2> = fine.partition(&[(2..8).into(), (0..7).into()]).expect("in rank");
    assert_eq!(fine_place(even.clone()), even.place().expect("on both axes"));
    // Coarse space within a fine one: the density is that of the root, and cells of the two differ.
    let inner = root.refine(&[2, 2]).expect("factors").translate(&[1, 0]).expect("of rank 2");
    let mixed = block(&inner, 3, 3).coarsened([2, 2]).expect("a factor");
    panics_with(|| place_of(mixed.view()), &["along axis 0", "both refined and coarsened"]);
}

#[shim::kernel]
fn sum(t: View<'_, i32, 2>) -> i32 {
    t.indices().map(|[y, x]| t[[y, x]]).sum::<i32>()
}

#[shim::kernel]
fn fine_place(#[refined(2, 2)] t: View<'_, i32, 2>) -> Place<2> {
    t.place()
}

/// Nothing here asks where a tensor is.
#[shim::kernel]
fn unlocated(a: View<'_, i32, 2>, b: View<'_, i32, 2>) -> i32 {
    a.indices().map(|[y, x]| a[[y, x]] * b[[x, y]]).sum::<i32>()
}

#[test]
fn a_location_that_is_not_asked_for_may_be_any() {
    let (a, b) = (block(&Space::root(2), 3, 4), block(&Space::root(2), 3, 4));
    let turned = b.permute([1, 0]).expect("a permutation");
    let wanted: i32 = a.indices().map(|i| a[i] * b[i]).sum();
    assert_eq!(unlocated(a.view(), turned), wanted);
    panics_with(|| colocated(&a, b.view(), 0, 0), &["`a` and `b`", "different root spaces", "in_space"]);
}

#[shim::kernel]
fn add_below(sum: ViewMut<'_, i32, 2>, term: &Block<i32, 2>) {
    let here = term[sum].boundary(Fill(0));
    let [y, x] = iters();
    sum[[y, x]] += here[[y, x]];
}

#[test]
fn tensors_are_written_where_they_are() {
    let root = Space::root(2);
    let term = block(&root, 5, 5).at([1, 2]);
    let mut sum = block(&root, 6, 7);
    let mut wanted = sum.clone();
    for [y, x] in wanted.view().indices() {
        if y >= 1 && x >= 1 {
            let seen = term.boundary(shim::Boundary::Fill(0)).read([y - 1, x - 2]).expect("inside");
            wanted.set([y, x], wanted[[y, x]] + seen).expect("inside");
        }
    }
    let part: ViewMut<'_, i32, 2> =
        sum.view_mut().partition(&[(1..6).into(), (1..7).into()]).expect("in rank");
    add_below(part, &term);
    assert_eq!(sum.as_slice(), wanted.as_slice());
}

#[shim::kernel]
fn far(a: &Block<i32, 2>, b: View<'_, i32, 2>) -> isize {
    a.origin(0).wrapping_sub(b.origin(0))
}

#[test]
fn origins_at_the_ends_of_isize() {
    let root = Space::root(2);
    let (a, b) = (block(&root, 2, 2).at([isize::MAX, 0]), block(&root, 2, 2).at([isize::MIN, 0]));
    assert_eq!(far(&a, b.view()), isize::MAX.wrapping_sub(isize::MIN));
    panics_with(|| colocated(&a, b.view(), 0, 0), &["overflows"]);
    panics_with(|| colocated(&b, a.view(), isize::MAX, 0), &["overflows"]);
    let empty: View<'_, i32, 2> = a.partition(&[(0..0).into(), (0..2).into()]).expect("in rank");
    assert_eq!(place_of(empty.clone()), empty.place().expect("on both axes"));
}
