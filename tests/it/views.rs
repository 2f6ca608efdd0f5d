//! Views: every way to see a block from another place, against the arithmetic written out by hand.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

// --- permutations ---------------------------------------------------------------------------------------------

#[shim::kernel]
fn rotate_axes(t: &[i32], a: usize, b: usize, c: usize, out: &mut [i32]) {
    let t = Block::external(t, [a, b, c]);
    let v = t.permute([1, 2, 0]);
    let out = Block::external(out, [b, c, a]);
    let [i, j, k] = iters();
    out[[i, j, k]] = v[[i, j, k]];
}

#[shim::kernel]
fn rotate_axes_twice(t: &[i32], a: usize, b: usize, c: usize, out: &mut [i32]) {
    let t = Block::external(t, [a, b, c]);
    let v = t.permute([1, 2, 0]).permute([1, 2, 0]);
    let out = Block::external(out, [c, a, b]);
    for [i, j, k] in v.indices() {
        out[[i, j, k]] = v[[i, j, k]];
    }
}

#[shim::kernel]
fn rotate_axes_thrice(t: &[i32], a: usize, b: usize, c: usize, out: &mut [i32]) {
    let t = Block::external(t, [a, b, c]);
    let v = t.permute([1, 2, 0]);
    let v = v.permute([1, 2, 0]);
    let v = v.permute([1, 2, 0]);
    let out = Block::external(out, [a, b, c]);
    for [i, j, k] in out.indices() {
        out[[i, j, k]] = v[[i, j, k]];
    }
}

#[test]
fn permutations_compose() {
    for (a, b, c) in [(2, 3, 4), (1, 1, 1), (0, 2, 3), (5, 1, 2)] {
        let t: Vec<i32> = noise(a * b * c, 1000);
        let at = |i: usize, j: usize, k: usize| t[(i * b + j) * c + k];
        let (mut once, mut twice, mut thrice) = (t.clone(), t.clone(), vec![0; t.len()]);
        rotate_axes(&t, a, b, c, &mut once);
        rotate_axes_twice(&t, a, b, c, &mut twice);
        rotate_axes_thrice(&t, a, b, c, &mut thrice);
        for i in 0..a {
            for j in 0..b {
                for k in 0..c {
                    // Axis i of the view is axis p[i] of the tensor.
                    assert_eq!(once[(j * c + k) * a + i], at(i, j, k));
                    assert_eq!(twice[(k * a + i) * b + j], at(i, j, k));
                }
            }
        }
        assert_eq!(thrice, t);
    }
}

#[shim::kernel]
fn permuted_part(t: &[i32], h: usize, w: usize, r: usize, c: usize, out: &mut [i32; 6]) {
    let t = Block::external(t, [h, w]);
    // A partition of a permuted view keeps the permutation.
    let v = t.permute([1, 0])[[c..c + 3, r..r + 2]];
    let out = Block::external(out, [3, 2]);
    let [x, y] = iters();
    out[[x, y]] = v[[x, y]];
}

#[test]
fn a_partition_keeps_the_permutation() {
    let (h, w) = (5, 7);
    let t: Vec<i32> = noise(h * w, 1000);
    for r in 0..=h - 2 {
        for c in 0..=w - 3 {
            let mut out = [0; 6];
            permuted_part(&t, h, w, r, c, &mut out);
            for x in 0..3 {
                for y in 0..2 {
                    assert_eq!(out[x * 2 + y], t[(r + y) * w + c + x]);
                }
            }
        }
    }
    panics_with(|| permuted_part(&t, h, w, h - 1, 0, &mut [0; 6]), &["permuted_part", "`v`", "[5, 7]"]);
    panics_with(|| permuted_part(&t, h, w, 0, w - 2, &mut [0; 6]), &["permuted_part", "[5, 7]"]);
}

// --- slices and partitions ------------------------------------------------------------------------------------

#[shim::kernel]
fn planes(t: &[i32], a: usize, b: usize, c: usize, k: usize, out: &mut [i32]) {
    let t = Block::external(t, [a, b, c]);
    let plane = t.slice(1, k);
    let out = Block::external(out, [a, c]);
    let [i, j] = iters();
    out[[i, j]] = plane[[i, j]];
}

#[shim::kernel]
fn pixel(t: &[i32], h: usize, w: usize, y: usize, x: usize) -> i32 {
    let t = Block::external(t, [h, w]);
    let row = t.slice(0, y);
    let column = t.slice(1, x);
    let also_row = t[[y, ..]];
    let also_column = t[[.., x]];
    assert_eq!(row[[x]], column[[y]]);
    assert_eq!(also_row[[x]], also_column[[y]]);
    assert_eq!(also_row[[x]], row[[x]]);
    row[[x]]
}

#[test]
fn slices_lack_their_axis() {
    let (a, b, c) = (3, 4, 5);
    let t: Vec<i32> = noise(a * b * c, 1000);
    for k in 0..b {
        let mut out = vec![0; a * c];
        planes(&t, a, b, c, k, &mut out);
        for i in 0..a {
            for j in 0..c {
                assert_eq!(out[i * c + j], t[(i * b + k) * c + j]);
            }
        }
    }
    panics_with(|| planes(&t, a, b, c, b, &mut vec![0; a * c]), &["planes", "`plane`", "[3, 4, 5]"]);
    // An empty plane touches nothing, so it panics for no index.
    planes(&[], 0, b, c, 99, &mut []);
    let t: Vec<i32> = noise(6 * 7, 1000);
    for y in 0..6 {
        for x in 0..7 {
            assert_eq!(pixel(&t, 6, 7, y, x), t[y * 7 + x]);
        }
    }
}

#[shim::kernel]
fn integer_entries_drop_axes(t: &[i32], e: [usize; 4], i: usize, k: usize, out: &mut [i32]) {
    let (e0, e1, e2, e3) = (e[0], e[1], e[2], e[3]);
    let t = Block::external(t, [e0, e1, e2, e3]);
    let v = t[[i, .., k, ..]];
    let out = Block::external(out, [e1, e3]);
    let [a, b] = iters();
    out[[a, b]] = v[[a, b]];
}

#[test]
fn integer_entries_drop_their_axes() {
    let e = [2, 3, 4, 5];
    let t: Vec<i32> = noise(e.iter().product(), 1000);
    for i in 0..e[0] {
        for k in 0..e[2] {
            let mut out = vec![0; e[1] * e[3]];
            integer_entries_drop_axes(&t, e, i, k, &mut out);
            for a in 0..e[1] {
                for b in 0..e[3] {
                    assert_eq!(out[a * e[3] + b], t[((i * e[1] + a) * e[2] + k) * e[3] + b]);
                }
            }
        }
    }
}

#[shim::kernel]
fn strided_of_strided(t: &[i32], n: usize, out: &mut [i32]) -> usize {
    let t = Block::external(t, [n]);
    let every_second = t[[(1..n).step_by(2)]];
    let m = every_second.extent(0);
    // The new stride multiplies the old one; the new start counts in points of the view.
    let every_sixth = every_second[[(1..m).step_by(3)]];
    let out = Block::external(out, [every_sixth.extent(0)]);
    let [i] = iters();
    out[[i]] = every_sixth[[i]];
    every_sixth.extent(0)
}

#[test]
fn strides_multiply() {
    for n in 0..40 {
        let t: Vec<i32> = noise(n, 1000);
        let want: Vec<i32> = t.iter().skip(1).step_by(2).skip(1).step_by(3).copied().collect();
        let mut out = vec![0; n];
        let count = strided_of_strided(&t, n, &mut out);
        assert_eq!(out[..count], want, "n = {n}");
    }
}

#[shim::kernel]
fn extents_of_parts(n: usize, a: usize, b: usize) -> [usize; 6] {
    let t = Block::heap::<u8>([n]);
    [
        t[[a..b]].extent(0),
        t[[(a..b).step_by(3)]].extent(0),
        t[[a..]].extent(0),
        t[[..b]].extent(0),
        t[[a..=b]].extent(0),
        t[[(..b).step_by(2)]].extent(0),
    ]
}

#[test]
fn extents_of_parts_are_those_of_ranges() {
    for n in 0..6 {
        for a in 0..9 {
            for b in 0..9 {
                let want = [
                    (a..b).len(),
                    (a..b).step_by(3).len(),
                    (a..n).len(),
                    (0..b).len(),
                    (a..=b).count(),
                    (0..b).step_by(2).len(),
                ];
                assert_eq!(extents_of_parts(n, a, b), want, "{n} {a} {b}");
            }
        }
    }
}

#[shim::kernel]
fn fill_part(t: &mut [i32], h: usize, w: usize, r: [usize; 4]) {
    let (r0, r1, c0, c1) = (r[0], r[1], r[2], r[3]);
    let t = Block::external(t, [h, w]);
    let part = t[[r0..r1, c0..c1]];
    for [y, x] in part.indices() {
        part[[y, x]] = 10 * y + x;
    }
}

#[test]
fn reversed_and_empty_parts_touch_nothing() {
    let (h, w) = (4, 5);
    for r0 in 0..=h {
        for r1 in 0..=h {
            for c0 in 0..=w {
                for c1 in 0..=w {
                    let mut t = vec![-1; h * w];
                    fill_part(&mut t, h, w, [r0, r1, c0, c1]);
                    for y in 0..h {
                        for x in 0..w {
                            let inside = (r0..r1).contains(&y) && (c0..c1).contains(&x);
                            let want = if inside { (10 * (y - r0) + (x - c0)) as i32 } else { -1 };
                            assert_eq!(t[y * w + x], want);
                        }
                    }
                }
            }
        }
    }
    // Outside, but empty.
    fill_part(&mut [0; 20], h, w, [100, 3, 200, 300]);
    panics_with(|| fill_part(&mut [0; 20], h, w, [3, 5, 0, 1]), &["fill_part", "[4, 5]"]);
    panics_with(|| fill_part(&mut [0; 20], h, w, [3, 4, 4, 6]), &["fill_part", "`part`", "[4, 5]"]);
}

#[shim::kernel]
fn left_padding(t: &[i32], h: usize, w: usize, x: usize) -> (i32, i32, usize) {
    let t = Block::external(t, [3, h, w]);
    // Fewer indices than axes: zeros on the left, for elements and parts alike.
    let first_row = t[[x..w]];
    (t[[x]], t[[1, x]], first_row.extent(0))
}

#[test]
fn missing_indices_are_zeros_on_the_left() {
    let (h, w) = (4, 5);
    let t: Vec<i32> = noise(3 * h * w, 1000);
    for x in 0..w {
        assert_eq!(left_padding(&t, h, w, x), (t[x], t[w + x], w - x));
    }
    panics_with(|| left_padding(&t, h, w, w), &["left_padding", "[3, 4, 5]"]);
}

// --- density --------------------------------------------------------------------------------------------------

#[shim::kernel]
fn upsample(t: &[i32], h: usize, w: usize, out: &mut [i32]) {
    let t = Block::external(t, [h, w]);
    let fine = t.refine([2, 3]);
    let out = Block::external(out, [fine.extent(0), fine.extent(1)]);
    let [y, x] = iters();
    out[[y, x]] = fine[[y, x]];
}

#[shim::kernel]
fn downsample(t: &[i32], h: usize, w: usize, out: &mut [i32]) -> (usize, usize) {
    let t = Block::external(t, [h, w]);
    let coarse = t.coarsen([2, 3]);
    let out = Block::external(out, [coarse.extent(0), coarse.extent(1)]);
    let [y, x] = iters();
    out[[y, x]] = coarse[[y, x]];
    (coarse.extent(0), coarse.extent(1))
}

#[shim::kernel]
fn coarsen_twice(t: &[i32], n: usize, out: &mut [i32]) -> usize {
    let t = Block::external(t, [n]);
    let coarse = t.coarsen([3]).coarsen([2]);
    let out = Block::external(out, [coarse.extent(0)]);
    let [i] = iters();
    out[[i]] = coarse[[i]];
    coarse.extent(0)
}

#[test]
fn densities() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 1000);
        let mut out = vec![0; 6 * h * w];
        upsample(&t, h, w, &mut out);
        for y in 0..2 * h {
            for x in 0..3 * w {
                assert_eq!(out[y * 3 * w + x], t[y / 2 * w + x / 3]);
            }
        }
        let mut out = vec![0; h * w];
        let (ch, cw) = downsample(&t, h, w, &mut out);
        assert_eq!((ch, cw), (h.div_ceil(2), w.div_ceil(3)));
        for y in 0..ch {
            for x in 0..cw {
                // The base point is the one accessed.
                assert_eq!(out[y * cw + x], t[2 * y * w + 3 * x]);
            }
        }
    }
    for n in 0..20 {
        let t: Vec<i32> = noise(n, 1000);
        let mut out = vec![0; n];
        let count = coarsen_twice(&t, n, &mut out);
        // coarsen(2) of coarsen(3) is 6, not 9 and not 5.
        assert_eq!(out[..count], t.iter().step_by(6).copied().collect::<Vec<_>>());
    }
}

#[shim::kernel]
fn refine_after_coarsen(t: &[i32], n: usize, i: i32) -> i32 {
    let t = Block::external(t, [n]);
    let v = t.coarsen([3]).refine([2]);
    // Not the identity, nor a factor of 3/2: floor(i / 2) * 3.
    v[[i]]
}

#[shim::kernel]
fn coarsen_after_refine(t: &[i32], n: usize, i: i32) -> i32 {
    let t = Block::external(t, [n]);
    t.refine([2]).coarsen([3])[[i]]
}

#[shim::kernel]
fn around(t: &[i32], n: usize, at: usize, i: i32) -> (i32, i32) {
    let t = Block::external(t, [n]);
    let part = t[[at..at + 1]];
    (part.refine([4])[[i]], part.coarsen([2])[[i]])
}

#[test]
fn negative_coordinates_are_floored() {
    let n = 24;
    let t: Vec<i32> = noise(n, 1000);
    for i in 0..16 {
        assert_eq!(refine_after_coarsen(&t, n, i), t[i as usize / 2 * 3]);
        assert_eq!(coarsen_after_refine(&t, n, i), t[3 * i as usize / 2]);
    }
    for i in -5..=5 {
        let (fine, coarse) = around(&t, n, 12, i);
        assert_eq!(fine, t[(12 + i.div_euclid(4)) as usize], "floor, never truncation, at {i}");
        assert_eq!(coarse, t[(12 + 2 * i) as usize]);
    }
    panics_with(|| refine_after_coarsen(&t, n, -1), &["refine_after_coarsen", "-3", "24"]);
    panics_with(|| coarsen_after_refine(&t, n, -1), &["coarsen_after_refine", "-2", "24"]);
}

#[shim::kernel]
fn write_through_density(t: &mut [i32], n: usize, i: i32, v: i32, fine: bool) {
    let t = Block::external(t, [n]);
    let coarse = t.coarsen([4]);
    let refined = t.refine([4]);
    if fine {
        refined[[i]] = v;
    } else {
        coarse[[i]] = v;
    }
}

#[test]
fn writes_touch_one_element() {
    for i in 0..3 {
        let mut t = vec![0; 12];
        write_through_density(&mut t, 12, i, 7, false);
        let hit: Vec<usize> = (0..12).filter(|&k| t[k] != 0).collect();
        assert_eq!(hit, [4 * i as usize]);
        let mut t = vec![0; 12];
        write_through_density(&mut t, 12, i + 5, 7, true);
        let hit: Vec<usize> = (0..12).filter(|&k| t[k] != 0).collect();
        assert_eq!(hit, [(i as usize + 5) / 4]);
    }
}

// --- places ---------------------------------------------------------------------------------------------------

#[shim::kernel]
fn colocated(frame: &[u8], h: usize, w: usize, r: isize, c: isize, out: &mut [u8; 16]) {
    let frame = Block::external(frame, [h, w]);
    let out = Block::external(out, [4, 4]).at([r, c]);
    let same_place = frame[out];
    let [y, x] = iters();
    out[[y, x]] = same_place[[y, x]];
}

#[test]
fn colocation_is_the_same_place() {
    let (h, w) = (9, 11);
    let frame: Vec<u8> = noise(h * w, 256);
    for r in -2..8isize {
        for c in -2..10isize {
            let mut out = [0; 16];
            let inside = r >= 0 && c >= 0 && r + 4 <= h as isize && c + 4 <= w as isize;
            if !inside {
                panics_with(
                    || colocated(&frame, h, w, r, c, &mut out),
                    &["colocated", "`same_place`", "[9, 11]"],
                );
                assert_eq!(out, [0; 16], "nothing is written before the panic");
                continue;
            }
            colocated(&frame, h, w, r, c, &mut out);
            for y in 0..4 {
                for x in 0..4 {
                    assert_eq!(out[y * 4 + x], frame[(r as usize + y) * w + c as usize + x]);
                }
            }
        }
    }
}

#[shim::kernel]
fn colocated_with_lower_rank(rgb: &[u8], h: usize, w: usize, r: usize, out: &mut [u8]) {
    let rgb = Block::external(rgb, [h, w, 3]);
    // A row of the green plane stands in the root at row r and channel 1.
    let row = rgb[[r, .., 1]];
    let out = Block::external(out, [w]);
    let again = rgb[row];
    let [x] = iters();
    out[[x]] = again[[x]];
}

#[test]
fn colocation_with_a_tensor_of_lower_rank() {
    let (h, w) = (3, 4);
    let rgb: Vec<u8> = noise(h * w * 3, 256);
    for r in 0..h {
        let mut out = vec![0; w];
        colocated_with_lower_rank(&rgb, h, w, r, &mut out);
        for x in 0..w {
            assert_eq!(out[x], rgb[(r * w + x) * 3 + 1]);
        }
    }
}

#[shim::kernel]
fn chroma_beside_luma(
    luma: &[u8],
    chroma: &[u8],
    h: usize,
    w: usize,
    r: usize,
    c: usize,
    out: &mut [u8; 256],
    extents: &mut [usize; 2],
) {
    let luma = Block::external(luma, [h, w]);
    let chroma = Block::external(chroma, [h / 2, w / 2]).coarsened([2, 2]);
    let block = luma[[r..r + 16, c..c + 16]];
    // Chroma in luma's index space: each sample stands for two by two.
    let out = Block::external(out, [16, 16]);
    for [y, x] in block.indices() {
        out[[y, x]] = chroma[block][[y, x]];
    }
    let own = chroma.footprint(block);
    extents[0] = own.extent(0);
    extents[1] = own.extent(1);
    for [y, x] in own.indices() {
        assert_eq!(own[[y, x]], out[[2 * y, 2 * x]]);
    }
}

#[test]
fn chroma_stands_at_half_the_density() {
    let (h, w) = (48, 40);
    let luma: Vec<u8> = noise(h * w, 256);
    let chroma: Vec<u8> = noise(h / 2 * w / 2, 251);
    for (r, c) in [(0, 0), (16, 16), (32, 24), (2, 4)] {
        let (mut out, mut extents) = ([0; 256], [0; 2]);
        chroma_beside_luma(&luma, &chroma, h, w, r, c, &mut out, &mut extents);
        assert_eq!(extents, [8, 8]);
        let half = w / 2;
        for (i, &sample) in out.iter().enumerate() {
            let [y, x] = [r + i / 16, c + i % 16].map(|at| at / 2);
            assert_eq!(sample, chroma[y * half + x]);
        }
    }
}

#[shim::kernel]
fn footprints(n: usize, a: usize, b: usize) -> (usize, isize, usize, isize) {
    let fine = Block::heap::<u8>([n]);
    let table = Block::heap::<u8>([n]).coarsened([4]);
    let part = fine[[a..b]];
    let down = table.footprint(part);
    let entries = table[[a..b]];
    let up = fine.footprint(entries);
    (down.extent(0), down.origin_in(table, 0), up.extent(0), up.origin(0))
}

#[test]
fn footprints_aligned_and_not() {
    for a in 0..12 {
        for b in a..14 {
            let (extent, origin, wide, start) = footprints(64, a, b);
            // ceil(e / c), and the floor as the origin, also when unaligned.
            assert_eq!((extent, origin), ((b - a).div_ceil(4), a as isize / 4), "{a}..{b}");
            assert_eq!((wide, start), (4 * (b - a), 4 * a as isize), "{a}..{b}");
        }
    }
}

#[shim::kernel]
fn covered(frame: &[i32], h: usize, w: usize, y: usize, x: usize) -> (i32, usize) {
    let frame = Block::external(frame, [h, w]);
    let table = Block::heap::<u8>([h.div_ceil(2), w.div_ceil(4)]).coarsened([2, 4]);
    // All pixels of the table's cell in which [y, x] lies.
    let cell = frame.coverage([y, x], table);
    let sum = cell.indices().map(|[i, j]| cell[[i, j]]).sum::<i32>();
    (sum, cell.extent(0) * cell.extent(1))
}

#[test]
fn coverage_gives_the_whole_cell() {
    let (h, w) = (6, 8);
    let frame: Vec<i32> = noise(h * w, 1000);
    for y in 0..h {
        for x in 0..w {
            let (r, c) = (y / 2 * 2, x / 4 * 4);
            let want: i32 =
                (r..r + 2).flat_map(|i| (c..c + 4).map(move |j| (i, j))).map(|(i, j)| frame[i * w + j]).sum();
            assert_eq!(covered(&frame, h, w, y, x), (want, 8));
        }
    }
}

#[shim::kernel]
fn coded_macroblocks(coded: &[bool], h: usize, w: usize, out: &mut [u8]) {
    // One flag for each macroblock, read per pixel.
    let coded = Block::external(coded, [h.div_ceil(16), w.div_ceil(16)]).coarsened([16, 16]);
    let out = Block::external(out, [h, w]);
    let flags = coded[out];
    for [y, x] in out.indices() {
        out[[y, x]] = if flags[[y, x]] { 255 } else { 0 };
    }
}

#[shim::kernel]
fn mark_macroblocks(marks: &[(usize, usize)], h: usize, w: usize, coded: &mut [u8]) {
    let coded = Block::external(coded, [h.div_ceil(16), w.div_ceil(16)]).coarsened([16, 16]);
    let picture = coded.refine([16, 16]);
    for &(y, x) in marks {
        // A write through a refined view touches the single element.
        picture[[y, x]] += 1;
    }
}

#[test]
fn flags_of_macroblocks() {
    let (h, w) = (37, 50);
    let flags: Vec<bool> = noise::<u8>(12, 2).iter().map(|&f| f == 1).collect();
    let mut out = vec![0; h * w];
    coded_macroblocks(&flags, h, w, &mut out);
    for y in 0..h {
        for x in 0..w {
            assert_eq!(out[y * w + x] == 255, flags[y / 16 * 4 + x / 16]);
        }
    }
    let mut counts = vec![0; 12];
    mark_macroblocks(&[(0, 0), (15, 15), (16, 15), (36, 49), (40, 60)], h, w, &mut counts);
    assert_eq!(counts, [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2]);
    panics_with(|| mark_macroblocks(&[(48, 0)], h, w, &mut [0; 12]), &["mark_macroblocks", "[3, 4]"]);
}

#[shim::kernel]
fn plane_beside_interleaved(rgb: &[u8], h: usize, w: usize, luma: &mut [u8]) {
    let rgb = Block::external(rgb, [h, w, 3]);
    // The plane has the axes 0 and 1 of the interleaved picture, and no channel.
    let luma = Block::external(luma, [h, w]).on_axes([0, 1]);
    let green = rgb[[.., .., 1]];
    for [y, x] in luma.indices() {
        luma[[y, x]] = green[[y, x]];
    }
    for [y, x] in green.indices() {
        assert_eq!(luma[green][[y, x]], rgb[[y, x, 1]]);
    }
}

#[shim::kernel]
fn planar_from_interleaved(rgb: &[u8], h: usize, w: usize, planar: &mut [u8]) {
    let rgb = Block::external(rgb, [h, w, 3]);
    // Stored as three planes, but standing where the interleaved picture stands.
    let planar = Block::external(planar, [3, h, w]).on_axes([2, 0, 1]);
    let [k, y, x] = iters();
    planar[[k, y, x]] = rgb[planar][[k, y, x]];
}

#[shim::kernel]
fn permuted_block(t: &[u8], h: usize, w: usize, out: &mut [u8]) {
    let t = Block::external(t, [h, w]);
    let out = Block::external(out, [w, h]).permuted([1, 0]);
    let [x, y] = iters();
    out[[x, y]] = t[out][[x, y]];
}

#[test]
fn blocks_stand_on_axes() {
    for &(h, w) in SHAPES {
        let rgb: Vec<u8> = noise(h * w * 3, 256);
        let mut luma = vec![0; h * w];
        plane_beside_interleaved(&rgb, h, w, &mut luma);
        let mut planar = vec![0; 3 * h * w];
        planar_from_interleaved(&rgb, h, w, &mut planar);
        let mut turned = vec![0; h * w];
        permuted_block(&luma, h, w, &mut turned);
        for y in 0..h {
            for x in 0..w {
                assert_eq!(luma[y * w + x], rgb[(y * w + x) * 3 + 1]);
                assert_eq!(turned[x * h + y], luma[y * w + x]);
                for k in 0..3 {
                    assert_eq!(planar[(k * h + y) * w + x], rgb[(y * w + x) * 3 + k]);
                }
            }
        }
    }
}

#[shim::kernel]
fn origins(h: usize, w: usize, r: usize, c: usize) -> [isize; 8] {
    let t = Block::heap::<u8>([h, w]).at([10, 20]);
    let part = t[[r..r + 2, c..c + 3]];
    let turned = part.permute([1, 0]);
    let coarse = t.coarsen([2, 2]);
    [
        part.origin(0),
        part.origin(1),
        part.origin_in(t, 0),
        part.origin_in(t, 1),
        turned.origin(0),
        turned.origin(1),
        t.origin_in(part, 0),
        part.origin_in(coarse, 1),
    ]
}

#[test]
fn origins_in_the_root_and_elsewhere() {
    for r in 0..5isize {
        for c in 0..5isize {
            let want = [10 + r, 20 + c, r, c, 20 + c, 10 + r, -r, c.div_euclid(2)];
            assert_eq!(origins(9, 9, r as usize, c as usize), want);
        }
    }
}

#[shim::kernel]
fn refined_block(fine: &[i32], n: usize, out: &mut [i32]) {
    // Half-sample positions: the finest grid at the root, the pictures coarsened.
    let half = Block::external(fine, [2 * n]);
    let out = Block::external(out, [n]).coarsened([2]);
    let [x] = iters();
    out[[x]] = half[out][[x]];
}

#[shim::kernel]
fn block_of_refined(t: &[i32], n: usize, table: &[i32]) -> i32 {
    let t = Block::external(t, [n]);
    let table = Block::external(table, [2 * n]).refined([2]);
    // Two entries of the table stand at each point of t.
    table.indices().map(|[i]| table[[i]] * t[table][[i]]).sum::<i32>()
}

#[test]
fn finer_blocks() {
    for n in 0..9 {
        let t: Vec<i32> = noise(n, 100);
        let table: Vec<i32> = noise(2 * n, 77);
        let mut out = vec![0; n];
        refined_block(&table, n, &mut out);
        assert_eq!(out, table.iter().step_by(2).copied().collect::<Vec<_>>());
        let want: i32 = (0..2 * n).map(|i| table[i] * t[i / 2]).sum();
        assert_eq!(block_of_refined(&t, n, &table), want);
    }
}

#[shim::kernel]
fn long_chain(t: &[i32], h: usize, w: usize, r: usize, c: usize, out: &mut [i32]) -> (usize, usize) {
    let t = Block::external(t, [h, w]).at([3, 5]);
    let v = t[[r.., c..]].permute([1, 0]).coarsen([2, 1])[[.., 1..]].refine([1, 3]).permute([1, 0]);
    let v = v[[(..).step_by(2), ..]];
    let out = Block::external(out, [v.extent(0), v.extent(1)]);
    let [y, x] = iters();
    out[[y, x]] = v[[y, x]];
    (v.extent(0), v.extent(1))
}

#[test]
fn long_chains_compose() {
    let (h, w) = (7, 10);
    let t: Vec<i32> = noise(h * w, 1000);
    for r in 0..h {
        for c in 0..w {
            let mut out = vec![0; 6 * h * w];
            let (eh, ew) = long_chain(&t, h, w, r, c, &mut out);
            assert_eq!((eh, ew), ((3 * (h - r - 1)).div_ceil(2), (w - c).div_ceil(2)));
            for y in 0..eh {
                for x in 0..ew {
                    assert_eq!(out[y * ew + x], t[(r + 1 + 2 * y / 3) * w + c + 2 * x], "{r} {c} {y} {x}");
                }
            }
        }
    }
}

#[shim::kernel]
fn view_of_nothing(h: usize, w: usize) -> i32 {
    let t = Block::heap::<i32>([h, w]);
    let outside = t[[h..h + 2, w..w + 2]];
    // A view may stand outside of its memory; only an access cannot.
    let mut count = 0;
    for [_, _] in outside.indices() {
        count += 1;
    }
    count
}

#[shim::kernel]
fn neighbors_outside_the_view(t: &[i32], h: usize, w: usize, r: usize, c: usize) -> [i32; 4] {
    let t = Block::external(t, [h, w]);
    let cell = t[[r..r + 1, c..c + 1]];
    // Outside the view, inside the block.
    [cell[[-1, 0]], cell[[1, 0]], cell[[0, -1]], cell[[0, 1]]]
}

#[test]
fn views_reach_beyond_themselves() {
    assert_eq!(view_of_nothing(3, 4), 4);
    let (h, w) = (5, 6);
    let t: Vec<i32> = noise(h * w, 1000);
    for r in 0..h {
        for c in 0..w {
            if r == 0 || c == 0 || r + 1 == h || c + 1 == w {
                // In particular, column -1 is not the last element of the row above.
                panics_with(
                    || neighbors_outside_the_view(&t, h, w, r, c),
                    &["neighbors_outside_the_view", "[5, 6]"],
                );
            } else {
                let at = |y: usize, x: usize| t[y * w + x];
                let want = [at(r - 1, c), at(r + 1, c), at(r, c - 1), at(r, c + 1)];
                assert_eq!(neighbors_outside_the_view(&t, h, w, r, c), want);
            }
        }
    }
}

/// A slice keeps its index where the tensor that it is indexed by has no place on the axis.
#[shim::kernel]
fn chroma_at_luma(chroma: &[u8; 32], luma: &[u8; 64], plane: usize) -> [u8; 4] {
    let chroma = Block::external(chroma, [4, 4, 2]).coarsened([2, 2, 1]);
    let luma = Block::external(luma, [8, 8]);
    let block = luma[[2..6, 4..8]];
    let own = chroma.slice(2, plane)[block];
    // The same place by way of the footprint, which has the density of chroma.
    let by_footprint = chroma.slice(2, plane).footprint(block);
    [own[[0, 0]], own[[3, 2]], by_footprint[[0, 0]], by_footprint[[1, 1]]]
}

#[shim::kernel]
fn rows_at_a_row(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(w)]
    #[on_axes(1)]
    row: &[u32],
) -> u32 {
    let mut sum = 0;
    for y in 0..h {
        let here = src.slice(0, y)[row];
        for [x] in row.indices() {
            sum += here[[x]] * row[[x]];
        }
    }
    sum
}

/// What is sliced along twice, an index that has a place on the axis, and a neighbor beyond the end.
#[shim::kernel]
fn slices_of_three_axes(a: &[u8; 24], u: &[u8; 2], v: &[u8; 4]) -> [u8; 4] {
    let a = Block::external(a, [2, 3, 4]);
    let u = Block::external(u, [2]);
    let v = Block::external(v, [4]).on_axes([2]);
    let plane = a.slice(1, 2);
    [
        plane.slice(1, 3)[u][[1]],
        a.slice(0, 1).slice(0, 2)[v][[3]],
        plane[[1, ..]][v][[2]],
        plane[[1, ..]][v][[-1 + 1]],
    ]
}

#[test]
fn a_slice_keeps_its_index_under_colocation() {
    let chroma: [u8; 32] = std::array::from_fn(|i| i as u8);
    let at = |y: usize, x: usize, plane: usize| (8 * y + 2 * x + plane) as u8;
    for plane in 0..2 {
        let wanted = [at(1, 2, plane), at(2, 3, plane), at(1, 2, plane), at(2, 3, plane)];
        assert_eq!(chroma_at_luma(&chroma, &[0; 64], plane), wanted, "{plane}");
    }
    let src: Vec<u32> = (0..12).collect();
    let row = [1, 10, 100, 1000];
    let wanted: u32 = (0..12).map(|i| src[i] * row[i % 4]).sum();
    assert_eq!(rows_at_a_row(&src, 3, 4, &row), wanted);
    let a: [u8; 24] = std::array::from_fn(|i| i as u8);
    let at = |i: usize, j: usize, k: usize| (12 * i + 4 * j + k) as u8;
    let wanted = [at(1, 2, 3), at(1, 2, 3), at(1, 2, 2), at(1, 2, 0)];
    assert_eq!(slices_of_three_axes(&a, &[0; 2], &[0; 4]), wanted);
}
