//! Tensors as parameters: the runtime library's blocks and views, and `#[shape]`.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;
use shim::{Located, TensorOps};

fn block(h: usize, w: usize) -> Block<i32, 2> {
    Block::from_vec([h, w], noise(h * w, 1000)).expect("as many elements")
}

#[shim::kernel]
fn weigh_block(t: &Block<i32, 2>) -> i32 {
    t.indices().map(|[y, x]| (10 * y + x + 1) * t[[y, x]]).sum::<i32>()
}

#[shim::kernel]
fn weigh_view(t: View<'_, i32, 2>) -> i32 {
    t.indices().map(|[y, x]| (10 * y + x + 1) * t[[y, x]]).sum::<i32>()
}

/// What the kernels above compute, by the runtime library.
fn weight(t: &View<'_, i32, 2>) -> i32 {
    t.indices().map(|[y, x]| (10 * y as i32 + x as i32 + 1) * t.read([y, x]).expect("inside")).sum()
}

#[test]
fn blocks_and_views_are_read() {
    for &(h, w) in SHAPES {
        let t = block(h, w);
        assert_eq!(weigh_block(&t), weight(&t.view()));
        assert_eq!(weigh_view(t.view()), weight(&t.view()));
        let turned = t.view().permute([1, 0]).expect("a permutation");
        assert_eq!(weigh_view(turned.clone()), weight(&turned));
        for (a, b, c, d) in [(0, h, 0, w), (h / 3, h / 2 + 1, w / 4, w), (1, h, 1, w), (2, 1, 0, w)] {
            if b > h || c > w {
                continue;
            }
            let (a, b, c, d) = (a as isize, b as isize, c as isize, d as isize);
            let part: View<'_, i32, 2> =
                t.view().partition(&[(a..b).into(), (c..d).into()]).expect("in rank");
            assert_eq!(weigh_view(part.clone()), weight(&part), "{h}x{w}: {a}..{b}, {c}..{d}");
            let turned = part.permute([1, 0]).expect("a permutation");
            assert_eq!(weigh_view(turned.clone()), weight(&turned));
        }
    }
}

#[test]
fn slices_of_three_axes_are_views_with_strides() {
    let (a, b, c) = (3, 4, 5);
    let t = Block::from_vec([a, b, c], noise::<i32>(a * b * c, 1000)).expect("as many");
    for k in 0..b {
        let plane: View<'_, i32, 2> = t.view().slice(1, k as isize).expect("an axis");
        assert_eq!(weigh_view(plane.clone()), weight(&plane));
    }
    for k in 0..c {
        let plane: View<'_, i32, 2> = t.view().slice(2, k as isize).expect("an axis");
        assert_eq!(weigh_view(plane.clone()), weight(&plane));
    }
}

#[shim::kernel]
fn fill_block(t: &mut Block<i32, 2>, v: i32) {
    let [y, x] = iters();
    t[[y, x]] += 10 * y + x + v;
}

#[shim::kernel]
fn fill_view(t: ViewMut<'_, i32, 2>, v: i32) {
    let [y, x] = iters();
    t[[y, x]] += 10 * y + x + v;
}

#[test]
fn blocks_and_views_are_written() {
    for &(h, w) in SHAPES {
        let (mut t, mut want) = (block(h, w), block(h, w));
        fill_block(&mut t, 5);
        for [y, x] in want.view().indices() {
            *want.get_mut([y, x]).expect("inside") += 10 * y as i32 + x as i32 + 5;
        }
        assert_eq!(t.as_slice(), want.as_slice());
        let turned = t.view_mut().permute([1, 0]).expect("a permutation");
        fill_view(turned, 7);
        for [y, x] in want.view().indices() {
            *want.get_mut([y, x]).expect("inside") += 10 * x as i32 + y as i32 + 7;
        }
        assert_eq!(t.as_slice(), want.as_slice());
        if h > 1 && w > 1 {
            let part: ViewMut<'_, i32, 2> = t
                .view_mut()
                .partition(&[(1..h as isize).into(), (0..w as isize - 1).into()])
                .expect("in rank");
            fill_view(part, 9);
            for [y, x] in want.view().indices() {
                if y >= 1 && x < w as isize - 1 {
                    *want.get_mut([y, x]).expect("inside") += 10 * (y as i32 - 1) + x as i32 + 9;
                }
            }
            assert_eq!(t.as_slice(), want.as_slice());
        }
    }
}

#[shim::kernel]
fn neighbor(t: View<'_, i32, 2>, i: i32, j: i32) -> i32 {
    t[[i, j]]
}

#[shim::kernel]
fn neighbor_clamped(t: View<'_, i32, 2>, i: i32, j: i32) -> i32 {
    t.boundary(Clamp)[[i, j]]
}

#[test]
fn views_end_at_their_extents() {
    // A view's memory may go on beyond it; the kernel got only the view.
    let t = block(5, 6);
    let part: View<'_, i32, 2> = t.view().partition(&[(1..4).into(), (2..5).into()]).expect("in rank");
    for i in -2..6 {
        for j in -2..6 {
            if (0..3).contains(&i) && (0..3).contains(&j) {
                assert_eq!(neighbor(part.clone(), i, j), t[[1 + i as isize, 2 + j as isize]]);
            } else {
                panics_with(|| neighbor(part.clone(), i, j), &["neighbor", "`t`", "[3, 3]"]);
            }
            let (y, x) = (i.clamp(0, 2), j.clamp(0, 2));
            assert_eq!(neighbor_clamped(part.clone(), i, j), t[[1 + y as isize, 2 + x as isize]]);
        }
    }
}

#[shim::kernel]
fn two_parameters(a: &Block<i32, 2>, b: View<'_, i32, 2>, out: &mut Block<i32, 2>) -> usize {
    let [y, x] = iters();
    out[[y, x]] = a[[y, x]] - b[[x, y]];
    a.extent(0) * out.extent(1)
}

#[test]
fn parameters_stand_at_the_kernels_origin() {
    let (a, b) = (block(3, 4), block(4, 3));
    let mut out = block(3, 4);
    // Wherever they stand outside.
    let b = b.at([100, -7]);
    assert_eq!(two_parameters(&a, b.view(), &mut out), 12);
    for [y, x] in a.view().indices() {
        assert_eq!(out[[y, x]], a[[y, x]] - b[[x, y]]);
    }
    let small = block(2, 4);
    panics_with(|| two_parameters(&small, b.view(), &mut out), &["two_parameters", "`a`", "[2, 4]"]);
    panics_with(|| two_parameters(&a, block(3, 3).view(), &mut out), &["two_parameters", "`b`", "[3, 3]"]);
}

#[test]
fn factors_panic_at_the_entry() {
    let t = block(4, 4);
    let coarse = t.view().coarsen([2, 2]).expect("factors");
    panics_with(|| weigh_view(coarse.clone()), &["weigh_view", "`t`", "axis", "coarsened"]);
    let fine = t.view().refine([1, 3]).expect("factors");
    panics_with(|| weigh_view(fine.clone()), &["weigh_view", "`t`", "axis", "coarsened"]);
    let outside: View<'_, i32, 2> = t.view().partition(&[(2..6).into(), (0..4).into()]).expect("in rank");
    panics_with(|| weigh_view(outside.clone()), &["weigh_view", "`t`"]);
}

// --- shapes ---------------------------------------------------------------------------------------------------

#[shim::kernel]
fn shaped_slice(#[shape(h, w, 3)] rgb: &[u8], h: usize, w: usize, #[shape(h, w)] gray: &mut [u8]) {
    let rgb = rgb.cast::<u32>();
    let [y, x] = iters();
    gray[[y, x]] = ((rgb[[y, x, 0]] + rgb[[y, x, 1]] + rgb[[y, x, 2]]) / 3) as u8;
}

#[shim::kernel]
fn shaped_by_expressions(#[shape(2 * n, n + 1)] t: &[i32], n: usize) -> (usize, usize) {
    (t.extent(0), t.extent(1))
}

#[shim::kernel]
fn named_extents(
    #[shape(h, w)] t: View<'_, i32, 2>,
    #[shape(w, h)] u: View<'_, i32, 2>,
) -> (usize, usize, i32) {
    // The first shape names its extents, the second must agree with them.
    let mut sum = 0;
    for y in 0..h {
        for x in 0..w {
            sum += t[[y, x]] * u[[x, y]];
        }
    }
    (h, w, sum)
}

#[shim::kernel]
fn fixed_extents(#[shape(2, 2)] t: &Block<i32, 2>) -> i32 {
    let own = t.to_stack().copied();
    own[[0, 0]] * own[[1, 1]] - own[[0, 1]] * own[[1, 0]]
}

#[shim::kernel]
fn extents_of_parameters(h: usize, #[shape(h, 4)] t: &Block<i32, 2>) -> i32 {
    let mut sum = 0;
    for y in 0..h {
        #[unroll]
        for x in 0..4 {
            sum += t[[y, x]];
        }
    }
    sum
}

#[shim::kernel]
fn square(#[shape(n, n)] t: &mut Block<i32, 2>) -> usize {
    for [y, x] in t.indices() {
        if y < x {
            let upper = t[[y, x]];
            t[[y, x]] = t[[x, y]];
            t[[x, y]] = upper;
        }
    }
    n
}

#[test]
fn shapes_name_and_fix_extents() {
    for &(h, w) in SHAPES {
        let rgb: Vec<u8> = noise(3 * h * w, 256);
        let mut gray = vec![0; h * w];
        shaped_slice(&rgb, h, w, &mut gray);
        for i in 0..h * w {
            let sum: u32 = rgb[3 * i..3 * i + 3].iter().map(|&v| u32::from(v)).sum();
            assert_eq!(u32::from(gray[i]), sum / 3);
        }
        let (t, u) = (block(h, w), block(w, h));
        let want: i32 = t.view().indices().map(|[y, x]| t[[y, x]] * u[[x, y]]).sum();
        assert_eq!(named_extents(t.view(), u.view()), (h, w, want));
        if (h, w) != (w, h) {
            panics_with(|| named_extents(t.view(), t.view()), &["named_extents", "`u`"]);
        }
    }
    panics_with(|| shaped_slice(&[0; 11], 2, 2, &mut [0; 4]), &["shaped_slice", "`rgb`", "[2, 2, 3]", "11"]);
    panics_with(|| shaped_slice(&[0; 12], 2, 2, &mut [0; 3]), &["shaped_slice", "`gray`", "[2, 2]"]);
    assert_eq!(shaped_by_expressions(&[0; 24], 3), (6, 4));
    panics_with(|| shaped_by_expressions(&[0; 23], 3), &["shaped_by_expressions", "[6, 4]"]);
    let t = Block::from_vec([2, 2], vec![1, 2, 3, 4]).expect("four");
    assert_eq!(fixed_extents(&t), -2);
    panics_with(|| fixed_extents(&block(2, 3)), &["fixed_extents", "`t`", "3", "2"]);
    assert_eq!(extents_of_parameters(2, &block(2, 4)), block(2, 4).as_slice().iter().sum());
    let mut t = block(3, 3);
    assert_eq!(square(&mut t), 3);
    assert!(t.view().indices().all(|[y, x]| t[[y, x]] == block(3, 3)[[x, y]]));
    panics_with(|| square(&mut block(3, 4)), &["square", "`t`", "4", "3"]);
    panics_with(|| extents_of_parameters(3, &block(2, 4)), &["extents_of_parameters"]);
    panics_with(|| extents_of_parameters(2, &block(2, 5)), &["extents_of_parameters"]);
}

// --- what a kernel does with them ---------------------------------------------------------------------------

#[shim::kernel]
fn in_place_transpose(t: &mut Block<i32, 2>) {
    let turned = t.permute([1, 0]).to_block().copied();
    for [y, x] in t.indices() {
        t[[y, x]] = turned[[y, x]];
    }
}

#[shim::kernel]
fn rows_of_a_view(t: ViewMut<'_, i32, 2>, k: usize) -> i32 {
    let row = t.slice(0, k);
    for [x] in row.indices() {
        row[[x]] = -row[[x]];
    }
    let coarse = t.coarsen([2, 2]);
    coarse.indices().map(|[y, x]| coarse[[y, x]]).sum::<i32>()
}

#[shim::kernel]
fn of_structs(t: &mut Block<(i32, [u8; 2]), 1>) -> i32 {
    for [i] in t.indices() {
        t[[i]].0 += i;
        t[[i]].1[1] = 9;
    }
    t.indices().map(|[i]| t[[i]].0 + i32::from(t[[i]].1[1])).sum::<i32>()
}

#[test]
fn kernels_use_them_as_any_tensor() {
    for n in 0..5 {
        let mut t = block(n, n);
        let want = block(n, n);
        in_place_transpose(&mut t);
        assert!(t.view().indices().all(|[y, x]| t[[y, x]] == want[[x, y]]));
        for k in 0..n {
            let mut t = block(n, n);
            let sum = rows_of_a_view(t.view_mut(), k);
            let at = |y: usize, x: usize| {
                let v = want[[y as isize, x as isize]];
                if y == k { -v } else { v }
            };
            let coarse: i32 = (0..n)
                .step_by(2)
                .flat_map(|y| (0..n).step_by(2).map(move |x| (y, x)))
                .map(|(y, x)| at(y, x))
                .sum();
            assert_eq!(sum, coarse);
        }
    }
    let mut t = Block::from_vec([3], vec![(5, [1, 2]); 3]).expect("three");
    assert_eq!(of_structs(&mut t), 5 + 6 + 7 + 27);
    assert_eq!(t.as_slice()[2], (7, [1, 9]));
}

/// Parameters that are taken apart where they stand, and a `let` that is.
#[shim::kernel]
fn taken_apart([h, w]: [usize; 2], (a, mut b): (&[u8], u8), out: &mut [u8]) {
    let a = Block::external(a, [h, w]);
    let out = Block::external(out, [h, w]);
    for [y, x] in out.indices() {
        out[[y, x]] = a[[y, x]] + b;
        b += 1;
    }
    let (row, [column, ..]): (usize, [usize; 2]) = (h - 1, [w - 1, 7]);
    out[[row, column]] = 99;
}

#[test]
fn names_of_a_pattern_are_one_value_each() {
    let mut out = [0; 6];
    taken_apart([2, 3], (&[10, 20, 30, 40, 50, 60], 1), &mut out);
    assert_eq!(out, [11, 22, 33, 44, 55, 99]);
}

/// A luma sample and the chroma sample that covers it: the planes say how dense they are.
#[shim::kernel]
fn chroma_at(
    #[shape(h, w)] luma: &[u8],
    #[shape(h.div_ceil(2), w.div_ceil(2))]
    #[coarsened(2, 2)]
    chroma: &[u8],
    h: usize,
    w: usize,
    y: usize,
    x: usize,
) -> (u8, u8) {
    (luma[[y, x]], chroma[luma][[y, x]])
}

#[test]
fn placements_stand_before_parameters() {
    for &(h, w) in SHAPES {
        let (ch, cw) = (h.div_ceil(2), w.div_ceil(2));
        let (luma, chroma) = (noise::<u8>(h * w, 250), noise::<u8>(ch * cw, 250));
        for y in 0..h {
            for x in 0..w {
                let wanted = (luma[y * w + x], chroma[y / 2 * cw + x / 2]);
                assert_eq!(chroma_at(&luma, &chroma, h, w, y, x), wanted, "{h}x{w}: {y}, {x}");
            }
        }
    }
}

/// A window of a table, permuted and at a point that parameters name; rows of a slice of rows.
#[shim::kernel]
fn placed(
    #[shape(4, 3)]
    #[permuted(1, 0)]
    #[at(row, col)]
    part: &mut [i32],
    #[shape(h, w)] whole: &[Vec<i32>],
    h: usize,
    w: usize,
    row: usize,
    col: usize,
) {
    let [i, j] = iters();
    part[[i, j]] = whole[part][[i, j]];
}

/// Samples of one row of a plane that is stored with gaps, between the points of another.
#[shim::kernel]
fn between(
    #[shape(8)]
    #[refined(4)]
    #[strided(2)]
    fine: &[i16],
    #[shape(2)] coarse: &[i16],
) -> [i16; 8] {
    core::array::from_fn(|i| 100 * coarse[fine][[i]] + fine[[i]])
}

#[test]
fn placements_are_those_of_blocks() {
    let (h, w) = (9, 11);
    let whole: Vec<Vec<i32>> = noise::<i32>(h * w, 1000).chunks(w).map(<[i32]>::to_vec).collect();
    for (row, col) in [(0, 0), (2, 3), (6, 7)] {
        let mut part = [0; 12];
        placed(&mut part, &whole, h, w, row, col);
        for (k, found) in part.iter().enumerate() {
            assert_eq!(*found, whole[row + k % 3][col + k / 3]);
        }
    }
    let fine: Vec<i16> = (0..15).collect();
    assert_eq!(between(&fine, &[1, 2]), [100, 102, 104, 106, 208, 210, 212, 214]);
}

#[shim::kernel]
fn first_of_view(view: View<'_, u8, 1>) -> u8 {
    view[[0]]
}

#[shim::kernel]
fn clear_first(mut view: ViewMut<'_, u8, 1>) {
    view[[0]] = 0;
}

/// Kernels take memory: what a view finds elsewhere is not dropped in silence.
#[test]
fn views_with_rules_or_parents_do_not_enter() {
    let mut block = Block::from_fn([3], |[x]| x as u8 + 5);
    assert_eq!(first_of_view(block.view()), 5);
    panics_with(|| first_of_view(block.boundary(Clamp)), &["`first_of_view`", "`view`", "boundary rule"]);
    let copy = block.view().to_block();
    let parent = block.view();
    let copy = copy.view().with_parent(&parent).unwrap();
    panics_with(|| first_of_view(copy), &["`view`", "go on to another tensor"]);
    panics_with(|| clear_first(block.view_mut().boundary(Fill(1))), &["`clear_first`", "boundary rule"]);
    clear_first(block.view_mut());
    assert_eq!(first_of_view(block.view()), 0);
}
