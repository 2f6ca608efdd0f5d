//! Access: neighbors outside a view, walking up, boundary rules, places, and what is evaluated when.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

// --- walking up -----------------------------------------------------------------------------------------------

#[shim::kernel]
fn copy_of_a_block(t: &[i32], h: usize, w: usize, r: usize, c: usize, i: i32, j: i32) -> i32 {
    let t = Block::external(t, [h, w]);
    let part = t[[r..r + 2, c..c + 2]];
    let own = part.to_block();
    own[[0, 0]] = -1;
    own[[1, 1]] = -2;
    // Inside its extents it is the copy's element, zero where nothing was written; outside, t's.
    own[[i, j]]
}

#[shim::kernel]
fn copied_block(t: &[i32], h: usize, w: usize, r: usize, c: usize, i: i32, j: i32) -> (i32, i32) {
    let t = Block::external(t, [h, w]);
    let own = t[[r..r + 2, c..c + 2]].to_block().copied();
    let stack = t[[r..r + 2, c..c + 2]].to_stack().copied();
    (own[[i, j]], stack[[i, j]])
}

#[test]
fn reads_walk_up() {
    let (h, w) = (5, 6);
    let t: Vec<i32> = noise(h * w, 1000);
    for (r, c) in [(0, 0), (1, 2), (3, 4)] {
        for i in -3..6i32 {
            for j in -3..7i32 {
                let (y, x) = (r as i32 + i, c as i32 + j);
                let inside_t = y >= 0 && x >= 0 && y < h as i32 && x < w as i32;
                let own = (0..2).contains(&i) && (0..2).contains(&j);
                if !own && !inside_t {
                    panics_with(|| copy_of_a_block(&t, h, w, r, c, i, j), &["copy_of_a_block", "`own`"]);
                    panics_with(|| copied_block(&t, h, w, r, c, i, j), &["copied_block"]);
                    continue;
                }
                let below = if inside_t { t[(y * w as i32 + x) as usize] } else { 0 };
                let want = match (i, j) {
                    (0, 0) => -1,
                    (1, 1) => -2,
                    _ if own => 0,
                    _ => below,
                };
                assert_eq!(copy_of_a_block(&t, h, w, r, c, i, j), want);
                assert_eq!(copied_block(&t, h, w, r, c, i, j), (below, below));
            }
        }
    }
}

#[shim::kernel]
fn three_levels(t: &[i32; 64], i: i32, j: i32) -> i32 {
    let t = Block::external(t, [8, 8]);
    let middle = t[[2..6, 2..6]].to_stack();
    for [y, x] in middle.indices() {
        middle[[y, x]] = 100 + 10 * y + x;
    }
    let inner = middle[[1..3, 1..3]].permute([1, 0]).to_block();
    for [x, y] in inner.indices() {
        inner[[x, y]] = 200 + 10 * x + y;
    }
    inner[[i, j]]
}

#[test]
fn reads_walk_up_through_every_level() {
    let t: [i32; 64] = std::array::from_fn(|i| i as i32);
    for i in -3..=4 {
        for j in -3..=4 {
            // The innermost is turned round: [i, j] stands at column 3 + i and row 3 + j of t.
            let want = if (0..2).contains(&i) && (0..2).contains(&j) {
                200 + 10 * i + j
            } else if (-1..3).contains(&i) && (-1..3).contains(&j) {
                100 + 10 * (j + 1) + i + 1
            } else {
                (3 + j) * 8 + 3 + i
            };
            assert_eq!(three_levels(&t, i, j), want, "{i} {j}");
        }
    }
    panics_with(|| three_levels(&t, 5, 0), &["three_levels", "`inner`"]);
}

#[shim::kernel]
fn writes_stay(t: &mut [i32; 16], i: i32) -> i32 {
    let t = Block::external(t, [16]);
    let own = t[[4..8]].to_stack();
    own[[i]] = 7;
    t[[4 + i]] + own[[i]]
}

#[shim::kernel]
fn updates_stay(t: &mut [i32; 16], i: i32) {
    let t = Block::external(t, [16]);
    t[[0]] = 1;
    let own = t[[4..8]].to_stack();
    own[[i]] += 7;
}

#[test]
fn writes_reach_the_nearest_block_alone() {
    let mut t = [1; 16];
    for i in 0..4 {
        assert_eq!(writes_stay(&mut t, i), 8);
        assert_eq!(t, [1; 16]);
    }
    panics_with(|| writes_stay(&mut t, -1), &["writes_stay", "`own`", "-1", "[4]"]);
    panics_with(|| writes_stay(&mut t, 4), &["writes_stay", "[4]"]);
    panics_with(|| updates_stay(&mut t, -1), &["updates_stay"]);
}

#[shim::kernel]
fn coarse_copy(t: &[i32], n: usize, i: i32) -> i32 {
    let t = Block::external(t, [n]);
    let sums = t.coarsen([4]).to_block();
    for [k] in sums.indices() {
        sums[[k]] = 1000 + k;
    }
    // A view of the copy at the density of t: outside it reads t, at the same location.
    let fine = sums.refine([4]);
    fine[[i]]
}

#[test]
fn copies_keep_their_density() {
    let t: Vec<i32> = noise(10, 1000);
    for i in 0..12 {
        assert_eq!(coarse_copy(&t, 10, i), 1000 + i / 4);
    }
    panics_with(|| coarse_copy(&t, 10, 12), &["coarse_copy", "`fine`"]);
    panics_with(|| coarse_copy(&t, 10, -1), &["coarse_copy"]);
}

// --- boundary rules -------------------------------------------------------------------------------------------

#[shim::kernel]
fn with_rules(t: &[i32], h: usize, w: usize, i: i32, j: i32) -> [i32; 4] {
    let t = Block::external(t, [h, w]);
    let clamped = t.boundary(Clamp);
    let mirrored = t.boundary(Mirror);
    let wrapped = t.boundary(Wrap);
    let filled = t.boundary(Fill(-5));
    [clamped[[i, j]], mirrored[[i, j]], wrapped[[i, j]], filled[[i, j]]]
}

#[shim::kernel]
fn filled_alone(t: &[i32], n: usize, i: i32, v: i32) -> i32 {
    let t = Block::external(t, [n]).boundary(Fill(v + 1));
    t[[i]]
}

#[shim::kernel]
fn on_an_empty_axis(t: &[i32], i: i32, rule: u8) -> i32 {
    let t = Block::external(t, [0]);
    match rule {
        0 => t.boundary(Clamp)[[i]],
        1 => t.boundary(Mirror)[[i]],
        2 => t.boundary(Wrap)[[i]],
        _ => t.boundary(Fill(3))[[i]],
    }
}

fn mirror(i: i32, n: i32) -> i32 {
    let folded = i.rem_euclid(2 * n);
    if folded < n { folded } else { 2 * n - 1 - folded }
}

#[test]
fn rules_at_the_edge() {
    for &(h, w) in SHAPES {
        if h * w == 0 || h * w > 40 {
            continue;
        }
        let t: Vec<i32> = noise(h * w, 1000);
        let (eh, ew) = (h as i32, w as i32);
        for i in -3 * eh - 1..4 * eh {
            for j in -3 * ew - 1..4 * ew {
                let at = |y: i32, x: i32| t[(y * ew + x) as usize];
                let inside = (0..eh).contains(&i) && (0..ew).contains(&j);
                let want = [
                    at(i.clamp(0, eh - 1), j.clamp(0, ew - 1)),
                    at(mirror(i, eh), mirror(j, ew)),
                    at(i.rem_euclid(eh), j.rem_euclid(ew)),
                    if inside { at(i, j) } else { -5 },
                ];
                assert_eq!(with_rules(&t, h, w, i, j), want, "{h}x{w} at {i} {j}");
            }
        }
    }
    assert_eq!(
        [filled_alone(&[7], 1, 0, 4), filled_alone(&[7], 1, -1, 4), filled_alone(&[], 0, 0, 4)],
        [7, 5, 5]
    );
    for rule in 0..3 {
        panics_with(|| on_an_empty_axis(&[], 0, rule), &["on_an_empty_axis"]);
        panics_with(|| on_an_empty_axis(&[1], -1, rule), &["on_an_empty_axis"]);
    }
    assert_eq!(on_an_empty_axis(&[], 5, 3), 3);
}

#[shim::kernel]
fn casts_and_fills(t: &[u8], n: usize, i: i32) -> [i32; 3] {
    let t = Block::external(t, [n]);
    // Before the cast the value is of the element's type, after it of the cast's.
    let before = t.boundary(Fill(200)).cast::<i32>();
    let after = t.cast::<i32>().boundary(Fill(-1000));
    let clamped = t.boundary(Clamp).cast::<i32>();
    [before[[i]], after[[i]], if n > 0 { clamped[[i]] } else { 0 }]
}

#[shim::kernel]
fn rule_stays_with_its_tensor(a: &[i32], b: &[i32], i: i32) -> [i32; 2] {
    let a = Block::external(a, [4]).boundary(Clamp);
    let b = Block::external(b, [6]).boundary(Fill(-1));
    // `t[u]`: u gives its index space alone.
    let a_at_b = a[b];
    let b_at_a = b[a];
    [a_at_b[[i]], b_at_a[[i]]]
}

#[shim::kernel]
fn rule_at_the_blocks_extents(t: &[i32], n: usize, a: usize, i: i32) -> i32 {
    let t = Block::external(t, [n]);
    // The rule holds at the block's extents, not at the view's.
    t[[a..a + 1]].boundary(Clamp)[[i]]
}

#[shim::kernel]
fn rule_below_a_parent(t: &[i32; 9], i: i32) -> i32 {
    let t = Block::external(t, [9]);
    let own = t[[3..6]].to_stack().boundary(Mirror);
    own[[0]] = 10;
    own[[1]] = 11;
    own[[2]] = 12;
    // Walking up comes first; the rule is for what no block holds, at the nearest block's extents.
    own[[i]]
}

#[test]
fn rules_casts_and_parents() {
    for i in -3..6 {
        let want = if (0..3).contains(&i) { [10 + i; 3] } else { [200, -1000, if i < 0 { 10 } else { 12 }] };
        assert_eq!(casts_and_fills(&[10, 11, 12], 3, i), want);
    }
    assert_eq!(casts_and_fills(&[], 0, 0), [200, -1000, 0]);
    let (a, b) = ([1, 2, 3, 4], [10, 20, 30, 40, 50, 60]);
    for i in -2..9i32 {
        let want = [a[i.clamp(0, 3) as usize], if (0..6).contains(&i) { b[i as usize] } else { -1 }];
        assert_eq!(rule_stays_with_its_tensor(&a, &b, i), want);
    }
    let t: Vec<i32> = noise(7, 100);
    for a in 0..7 {
        for i in -9..9 {
            assert_eq!(rule_at_the_blocks_extents(&t, 7, a, i), t[(a as i32 + i).clamp(0, 6) as usize]);
        }
    }
    let t: [i32; 9] = std::array::from_fn(|i| i as i32);
    for i in -6..9i32 {
        let want = match i {
            0..3 => 10 + i,
            -3..6 => 3 + i,
            _ => 10 + mirror(i, 3),
        };
        assert_eq!(rule_below_a_parent(&t, i), want, "{i}");
    }
}

#[shim::kernel]
fn stencil(src: &[f32], h: usize, w: usize, rule: u8, dst: &mut [f32]) {
    let src = Block::external(src, [h, w]);
    let (clamped, mirrored, wrapped, zeros) =
        (src.boundary(Clamp), src.boundary(Mirror), src.boundary(Wrap), src.boundary(Fill(0.0)));
    let dst = Block::external(dst, [h, w]);
    let [y, x] = iters();
    match rule {
        0 => dst[[y, x]] = clamped[[y - 2, x]] + 2.0 * clamped[[y, x]] + clamped[[y + 1, x + 3]],
        1 => dst[[y, x]] = mirrored[[y - 2, x]] + 2.0 * mirrored[[y, x]] + mirrored[[y + 1, x + 3]],
        2 => dst[[y, x]] = wrapped[[y - 2, x]] + 2.0 * wrapped[[y, x]] + wrapped[[y + 1, x + 3]],
        _ => dst[[y, x]] = zeros[[y - 2, x]] + 2.0 * zeros[[y, x]] + zeros[[y + 1, x + 3]],
    }
}

#[test]
fn stencils_with_every_rule() {
    for &(h, w) in SHAPES {
        let src: Vec<f32> = noise::<u16>(h * w, 1000).iter().map(|&v| f32::from(v)).collect();
        let (eh, ew) = (h as i32, w as i32);
        for rule in 0..4 {
            let mut dst = vec![0.0; h * w];
            stencil(&src, h, w, rule, &mut dst);
            for y in 0..eh {
                for x in 0..ew {
                    let at = |y: i32, x: i32| {
                        let inside = (0..eh).contains(&y) && (0..ew).contains(&x);
                        let (y, x) = match rule {
                            0 => (y.clamp(0, eh - 1), x.clamp(0, ew - 1)),
                            1 => (mirror(y, eh), mirror(x, ew)),
                            2 => (y.rem_euclid(eh), x.rem_euclid(ew)),
                            _ if !inside => return 0.0,
                            _ => (y, x),
                        };
                        src[(y * ew + x) as usize]
                    };
                    let want = at(y - 2, x) + 2.0 * at(y, x) + at(y + 1, x + 3);
                    assert_eq!(
                        dst[(y * ew + x) as usize].to_bits(),
                        want.to_bits(),
                        "{h}x{w} rule {rule} {y} {x}"
                    );
                }
            }
        }
    }
}

// --- offset ---------------------------------------------------------------------------------------------------

/// Of views, of shapes, of orders of elements, of new memory.
#[shim::kernel]
fn offsets(t: &[i32; 48], widths: &[usize; 3], y: usize, x: isize, out: &mut [usize; 9]) {
    let plain = Block::external(t, [6, 8]);
    let tiled = Block::external(t, [6, 8]).stored(tile([2, 4]));
    let ragged = Block::external(t, [3, |r| widths[r]]);
    let strided = Block::external(t, [2, 4]).strided([20, 3]);
    let stack = plain[[1..3, ..]].to_stack();
    *out = [
        plain.offset([y, x]),
        tiled.offset([y, x]),
        ragged.offset([y, x]),
        strided.offset([y, x]),
        plain[[1.., 2..]].offset([y, x]),
        plain.permute([1, 0]).cast::<i64>().offset([x, y]),
        plain.rev(0).offset([y, x]),
        stack.offset([y, x]),
        tiled[[4.., 4..]].offset([0, 0]),
    ];
}

/// Nothing is read: the loop adds to what it finds.
#[shim::kernel]
fn spread(places: &[usize], counts: &mut [u32]) {
    let counts = Block::external(counts, [counts.len() / 4, 4]).stored(column_major);
    let mut last = 0;
    for i in 0..places.len() {
        last = counts.offset([places[i], i & 3]);
        counts[[places[i], i & 3]] += last as u32;
    }
    counts[[0, 0]] += last as u32;
}

#[test]
fn offsets_are_those_of_the_elements() {
    let t: [i32; 48] = std::array::from_fn(|i| i as i32);
    let mut out = [0; 9];
    offsets(&t, &[3, 5, 4], 1, 2, &mut out);
    assert_eq!(out, [10, 8 + 2 - 4, 5, 26, 20, 10, 34, 10, 40]);
    panics_with(|| offsets(&t, &[3, 5, 4], 1, 8, &mut [0; 9]), &["`offsets`", "on axis 1"]);
    panics_with(|| offsets(&t, &[3, 5, 4], 0, 3, &mut [0; 9]), &["`ragged`"]);
    let mut counts = [0; 8];
    spread(&[0, 1, 1, 0, 1], &mut counts);
    assert_eq!(counts, [1, 1, 0, 3, 0, 5, 6, 0]);
}

// --- prefetch -------------------------------------------------------------------------------------------------

/// Of every kind of memory, at any place, written or not.
#[shim::kernel]
fn prefetched(
    t: &mut [i32],
    ragged: &[Vec<i32>],
    view: View<'_, i32, 2>,
    h: usize,
    w: usize,
    i: i32,
    j: isize,
) -> i32 {
    let t = Block::external(t, [h, w]);
    let gaps = Block::external(&t_gaps(), [2, 2]).strided([5, 2]);
    let ragged = Block::rows(ragged, [h, w]);
    let stack = Block::stack::<u8>([4, 4]);
    let heap = Block::heap::<u16>([h, w]);
    let copy = t[[1..2, 1..2]].boundary(Clamp).to_block().copied();
    t.prefetch([i, j]);
    t[[1..2, 1..2]].permute([1, 0]).cast::<i64>().prefetch([i, j + 1]);
    t.prefetch([i * 1000]);
    gaps.prefetch([i, j]);
    ragged.prefetch([i, j]);
    view.prefetch([j, i]);
    stack.prefetch([j, i]);
    heap.prefetch([i, j]);
    copy.prefetch([i, j]);
    for y in 0..h {
        for x in (0..w).step_by(2) {
            t.prefetch([y + 1, x]);
        }
    }
    t[[0, 0]] += 1;
    t[[0, 0]] + ragged[[0, 0]] + view[[0, 0]] + gaps[[1, 1]] + copy[[0, 0]]
}

fn t_gaps() -> [i32; 8] {
    [0, 0, 0, 0, 0, 0, 0, 1000]
}

#[test]
fn a_prefetch_is_of_any_place_and_changes_nothing() {
    let block = Block::from_fn([3, 4], |_| 100);
    for i in [i32::MIN, -5, 0, 2, 7, i32::MAX] {
        for j in [isize::MIN, -1, 0, 3, isize::MAX - 1] {
            let mut t: Vec<i32> = (0..12).collect();
            assert_eq!(prefetched(&mut t, &vec![vec![10; 4]; 3], block.view(), 3, 4, i, j), 1116);
            assert_eq!(t[1..], (1..12).collect::<Vec<_>>());
        }
    }
}

// --- contains -------------------------------------------------------------------------------------------------

#[shim::kernel]
fn contains(t: &[i32], h: usize, w: usize, i: i32, j: isize) -> [bool; 4] {
    let t = Block::external(t, [h, w]);
    let part = t[[1..2, 1..2]];
    let own = part.to_stack();
    own[[0, 0]] = 1;
    let far = t[[h..h + 1, 0..1]].to_stack();
    far[[0, 0]] = 1;
    [t.contains([i, j]), t.boundary(Clamp).contains([i, j]), own.contains([i, j]), far.contains([i, j])]
}

#[test]
fn contains_is_true_where_a_read_would_find_memory() {
    let (h, w) = (3, 4);
    let t = vec![0; h * w];
    for i in -4..8i32 {
        for j in -4..8isize {
            let within = |y: i32, x: isize| (0..3).contains(&y) && (0..4).contains(&x);
            let own = within(i + 1, j + 1) || (i, j) == (0, 0);
            let far = within(i + 3, j) || (i, j) == (0, 0);
            assert_eq!(contains(&t, h, w, i, j), [within(i, j), within(i, j), own, far], "{i} {j}");
        }
    }
}

// --- places ---------------------------------------------------------------------------------------------------

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Pixel {
    r: u8,
    g: u8,
    history: [i16; 2],
}

impl Pixel {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "what a method call borrows is what is tested")]
    fn sum(&self) -> i32 {
        i32::from(self.r) + i32::from(self.g)
    }
    fn bump(&mut self, by: u8) -> u8 {
        self.r += by;
        self.r
    }
}

fn swap(pixel: &mut Pixel) {
    std::mem::swap(&mut pixel.r, &mut pixel.g);
}

#[shim::kernel]
fn struct_elements(t: &mut [Pixel], n: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut total = 0;
    for [i] in t.indices() {
        t[[i]].r = i as u8;
        t[[i]].g += 10;
        t[[i]].history[1] = 5;
        t[[i]].history[0] += t[[i]].history[1] + 1;
        total += t[[i]].sum();
    }
    if n > 2 {
        total += i32::from(t[[1]].bump(100));
        swap(&mut t[[2]]);
        let first = &mut t[[0]];
        first.r = 77;
        first.g = 78;
        let seen = &t[[0]];
        total += i32::from(seen.r);
    }
    total
}

#[test]
fn elements_are_places() {
    for n in 0..5 {
        let mut t = vec![Pixel { r: 1, g: 2, history: [3, 4] }; n];
        let total = struct_elements(&mut t, n);
        let mut want: Vec<Pixel> = (0..n).map(|i| Pixel { r: i as u8, g: 12, history: [9, 5] }).collect();
        let mut sum: i32 = want.iter().map(Pixel::sum).sum();
        if n > 2 {
            sum += 101 + 77;
            want[1].r = 101;
            (want[2].r, want[2].g) = (12, 2);
            (want[0].r, want[0].g) = (77, 78);
        }
        assert_eq!((t, total), (want, sum));
    }
}

#[shim::kernel]
fn every_operator(t: &mut [i32; 12], v: i32) {
    let t = Block::external(t, [12]);
    t[[0]] += v;
    t[[1]] -= v;
    t[[2]] *= v;
    t[[3]] /= v;
    t[[4]] %= v;
    t[[5]] &= v;
    t[[6]] |= v;
    t[[7]] ^= v;
    t[[8]] <<= 2;
    t[[9]] >>= 1;
    t[[10]] = -t[[10]];
    t[[11]] = !t[[11]] - -v;
}

#[shim::kernel]
fn every_operator_cast(t: &mut [u8; 12], v: i32) {
    let t = Block::external(t, [12]).cast::<i32>();
    t[[0]] += v;
    t[[1]] -= v;
    t[[2]] *= v;
    t[[3]] /= v;
    t[[4]] %= v;
    t[[5]] &= v;
    t[[6]] |= v;
    t[[7]] ^= v;
    t[[8]] <<= 2;
    t[[9]] >>= 1;
    t[[10]] = -t[[10]];
    t[[11]] = !t[[11]] - -v;
}

#[test]
fn operators_and_casts() {
    let start: [i32; 12] = std::array::from_fn(|i| 100 + 7 * i as i32);
    for v in [3, 7, -5] {
        let mut want = start;
        want[0] += v;
        want[1] -= v;
        want[2] *= v;
        want[3] /= v;
        want[4] %= v;
        want[5] &= v;
        want[6] |= v;
        want[7] ^= v;
        want[8] <<= 2;
        want[9] >>= 1;
        want[10] = -want[10];
        want[11] = !want[11] + v;
        let mut t = start;
        every_operator(&mut t, v);
        assert_eq!(t, want);
        // Reads widen, writes narrow, wrapping as `as` does.
        let mut bytes = start.map(|value| value as u8);
        every_operator_cast(&mut bytes, v);
        assert_eq!(bytes, want.map(|value| value as u8));
    }
}

#[shim::kernel]
fn casts(t: &[i32; 4], f: &mut [u8; 4]) {
    let t = Block::external(t, [4]);
    let f = Block::external(f, [4]);
    let narrow = t.cast::<i8>();
    let from_float = f.cast::<f32>();
    for [i] in t.indices() {
        from_float[[i]] = f32::from(narrow[[i]]) * 1.5;
    }
}

#[shim::kernel]
fn casts_of_casts(t: &mut [i32; 4], i: i32) -> (i64, i64, i32) {
    let t = Block::external(t, [4]);
    // Each cast is one of what the tensor before it gives.
    let bytes = t.cast::<u8>();
    let twice = bytes.boundary(Fill(250)).cast::<i64>();
    let later = bytes.cast::<i64>().boundary(Fill(-9));
    let copy = bytes.cast::<i32>().to_stack();
    copy[[1]] = 7777;
    let found = (twice[[i]], later[[i]], copy[[i.clamp(-4, 1) / 4 + 1]]);
    twice[[3]] = 1000;
    twice[[2]] += 1;
    found
}

#[test]
fn casts_are_as() {
    let t = [300, -3, 100, 5];
    let mut f = [0; 4];
    casts(&t, &mut f);
    assert_eq!(f, t.map(|v| (f32::from(v as i8) * 1.5) as u8));
    for i in -2..6i32 {
        let mut t = [300, -3, 511, 5];
        let (twice, later, copy) = casts_of_casts(&mut t, i);
        assert_eq!(t, [300, -3, 0, 232], "written through the casts, too");
        let inside =
            usize::try_from(i).ok().filter(|&i| i < 4).map(|i| i64::from([300, -3, 511, 5][i] as u8));
        assert_eq!((twice, later, copy), (inside.unwrap_or(250), inside.unwrap_or(-9), 7777));
    }
}

// --- evaluation -----------------------------------------------------------------------------------------------

#[shim::kernel]
fn order_of_evaluation(t: &mut [i32; 4], log: &mut Vec<&'static str>) {
    let t = Block::external(t, [4]);
    let mut note = |what: &'static str, value: usize| {
        log.push(what);
        value
    };
    t[[note("left", 1)]] = {
        note("right", 0);
        5
    };
    t[[note("place", 2)]] += {
        note("operand", 0);
        6
    };
    let sum = t[[note("first", 1)]] + t[[note("second", 2)]];
    t[[3]] = sum;
}

fn rust_order(t: &mut [i32; 4], log: &mut Vec<&'static str>) {
    let mut note = |what: &'static str, value: usize| {
        log.push(what);
        value
    };
    t[note("left", 1)] = {
        note("right", 0);
        5
    };
    t[note("place", 2)] += {
        note("operand", 0);
        6
    };
    let sum = t[note("first", 1)] + t[note("second", 2)];
    t[3] = sum;
}

#[shim::kernel]
fn side_effects_once(t: &mut [i32; 8]) -> (usize, i32) {
    let t = Block::external(t, [8]);
    let mut k = 0usize;
    let mut next = || {
        k += 1;
        k
    };
    t[[next()]] = 10;
    t[[next() + next()]] += 20;
    let clamped = t.boundary(Clamp);
    let v = clamped[[next() * 100]];
    let own = t[[0..2]].to_stack();
    own[[0]] = 3;
    let w = own[[next() - 5]];
    assert!(!t.contains([next() + 100]));
    (k, 100 * v + w)
}

#[test]
fn operands_are_evaluated_once_and_in_order() {
    let (mut t, mut u) = ([0; 4], [0; 4]);
    let (mut log, mut want) = (Vec::new(), Vec::new());
    order_of_evaluation(&mut t, &mut log);
    rust_order(&mut u, &mut want);
    assert_eq!((log, t), (want, u));
    let mut t = [0, 0, 0, 0, 0, 0, 0, 9];
    assert_eq!(side_effects_once(&mut t), (6, 903));
    assert_eq!(t, [0, 10, 0, 0, 0, 20, 0, 9]);
}

#[shim::kernel]
fn captured_by_value(t: &[i32; 16]) -> [i32; 6] {
    let t = Block::external(t, [16]);
    let mut r = 2usize;
    let moved = t[[r..r + 2]];
    r = 9;
    let later = t[[r..r + 2]];
    let fixed = 4usize;
    let shadowed = t[[fixed..fixed + 2]];
    let fixed = 12usize;
    let after = t[[fixed..fixed + 2]];
    {
        let fixed = 1usize;
        assert_eq!(t[[fixed]], 1);
    }
    [moved[[0]], later[[0]], shadowed[[0]], after[[0]], t[[r]], t[[fixed]]]
}

#[shim::kernel]
fn captured_in_blocks(n: usize) -> (usize, i32) {
    let mut size = n;
    let t = Block::heap::<i32>([size, size]);
    size += 100;
    let mut k = 0;
    let at = t[[k..k + 1, ..]];
    while k < n {
        // The view stays; the index moves.
        at[[k as i32, 1]] = k as i32;
        k += 1;
    }
    (size, t.indices().map(|[y, x]| t[[y, x]]).sum::<i32>())
}

#[shim::kernel]
fn captured_extent(t: &[i32], n: usize) -> (usize, usize) {
    let t = Block::external(t, [n]);
    let n = n + 7;
    (n, t.extent(0))
}

#[shim::kernel]
fn captured_fields(t: &[i32; 16], mut at: (usize, usize)) -> (i32, i32) {
    let t = Block::external(t, [16]);
    let v = t[[at.0..at.1]];
    let first = v[[0]];
    at.0 = 15;
    (first + v[[0]], t[[at.0]])
}

struct Cursor {
    row: usize,
}

impl Cursor {
    #[shim::kernel]
    fn step(&mut self, t: &[i32; 16]) -> (i32, i32) {
        let t = Block::external(t, [16]);
        let here = t[[self.row..self.row + 1]];
        let before = t[[self.row]];
        self.row += 3;
        (before + here[[0]], t[[self.row]])
    }
}

#[test]
fn locations_are_captured_by_value() {
    let t: [i32; 16] = std::array::from_fn(|i| i as i32);
    assert_eq!(captured_by_value(&t), [2, 9, 4, 12, 9, 12]);
    assert_eq!(captured_in_blocks(4), (104, 6));
    assert_eq!(captured_extent(&t, 5), (12, 5));
    assert_eq!(captured_fields(&t, (3, 9)), (6, 15));
    let mut cursor = Cursor { row: 4 };
    assert_eq!(cursor.step(&t), (8, 7));
    assert_eq!(cursor.row, 7);
}

#[shim::kernel]
fn names(frame: &[u8], h: usize, w: usize, r: usize, c: usize, guess: usize) -> u8 {
    let frame = Block::external(frame, [h, w]);
    let part = frame[[r.., c..]];
    if guess > 0 { part[[guess - 2, 0]] } else { part[[0, -1]] + frame[[h, 0]] }
}

#[test]
fn a_panic_says_whose_index_it_shows() {
    let through = "`names` reaches outside of `frame` through `part`: index";
    // In a branch, where it is tested by itself.
    panics_with(|| names(&[0; 12], 3, 4, 0, 1, 1), &[through, "-1", "[3, 4]"]);
    // Asserted together, it is the block's.
    let itself = "`names` reaches outside of `frame`: index";
    panics_with(|| names(&[0; 12], 3, 4, 1, 0, 0), &[itself, "-1", "[3, 4]"]);
    panics_with(|| names(&[0; 12], 3, 4, 0, 1, 0), &[itself, "3", "[3, 4]"]);
    assert_eq!(names(&[7; 12], 3, 4, 1, 1, 2), 7);
}
