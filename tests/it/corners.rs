//! Corners where one rule of the language meets another.

#![allow(clippy::non_minimal_cfg, reason = "what is configured away, and what is not, is the test")]

use crate::common::{noise, panics_with};
use shim::prelude::*;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Cell {
    value: i32,
}

impl Cell {
    fn add(&mut self, by: i32) -> i32 {
        self.value += by;
        self.value
    }
    fn get(self) -> i32 {
        self.value
    }
}

#[shim::kernel]
fn methods_that_write(t: &mut [Cell], n: usize) -> i32 {
    // Nothing else writes this memory.
    let t = Block::external(t, [n]);
    t[[0]].add(3) + t[[n - 1]].add(4)
}

#[shim::kernel]
fn methods_on_own_memory() -> i32 {
    let heap = Block::heap::<Cell>([2]);
    let stack = Block::stack::<Cell>([2, 2]);
    heap[[1]].add(3);
    stack[[1, 0]].add(heap[[1]].get());
    stack[[1, 0]].add(1)
}

#[shim::kernel]
fn methods_of_a_view(t: ViewMut<'_, Cell, 1>, u: &mut Block<Cell, 1>) -> i32 {
    t[[1]].add(2) + u[[0]].add(5)
}

#[shim::kernel]
fn methods_while_walking_up(t: &[Cell; 4]) -> i32 {
    let t = Block::external(t, [4]);
    let own = t[[1..2]].to_stack();
    own[[0]].value = 100;
    own[[-1]].get() + own[[0]].get() + own[[1]].value
}

#[test]
fn methods_may_write_their_receiver() {
    let mut t = [Cell { value: 1 }, Cell { value: 2 }];
    assert_eq!(methods_that_write(&mut t, 2), 4 + 6);
    assert_eq!(t.map(Cell::get), [4, 6]);
    assert_eq!(methods_on_own_memory(), 4);
    let mut u = Block::from_vec([2], t.to_vec()).expect("two");
    let mut v = u.clone();
    assert_eq!(methods_of_a_view(u.view_mut(), &mut v), 8 + 9);
    assert_eq!((u[[1]].value, v[[0]].value), (8, 9));
    let t: [Cell; 4] = std::array::from_fn(|i| Cell { value: i as i32 + 1 });
    assert_eq!(methods_while_walking_up(&t), 1 + 100 + 3);
}

#[shim::kernel]
fn swaps(t: &mut [i32; 4], u: &mut [i32; 4]) -> i32 {
    let t = Block::external(t, [4]);
    let u = Block::external(u, [4]);
    std::mem::swap(&mut t[[0]], &mut u[[3]]);
    let old = std::mem::replace(&mut t[[1]], 50);
    let slot = &mut u[[1]];
    *slot += 1;
    let seen: &i32 = &t[[2]];
    old + *seen
}

#[test]
fn elements_are_borrowed() {
    let (mut t, mut u) = ([1, 2, 3, 4], [10, 20, 30, 40]);
    assert_eq!(swaps(&mut t, &mut u), 5);
    assert_eq!((t, u), ([40, 50, 3, 4], [10, 21, 30, 1]));
}

#[shim::kernel]
fn elementwise_everywhere(t: &mut [i32; 6], mode: u8) -> i32 {
    let t = Block::external(t, [2, 3]);
    let [y, x] = iters();
    match mode {
        0 => t[[y, x]] += 1,
        1 => {
            t[[y, x]] = x;
            t[[y, x]] *= 2;
        }
        2 if t[[0, 0]] == 0 => t[[1, x]] = t[[0, x]] + x,
        3 => {
            let mut fill = |by: i32| t[[y, x]] = by * y + x;
            fill(10);
        }
        _ => {
            if mode > 4 {
                t[[y, 0]] -= y
            } else {
                t[[y, 2]] = t[[y, 1]]
            }
        }
    }
    let [k] = iters();
    t[[1, k]] = -t[[1, k]];
    t[[1, 0]]
}

#[test]
fn elementwise_assignments_stand_anywhere() {
    for mode in 0..7 {
        let start = [0, 2, 3, 4, 5, 6];
        let mut want: [i32; 6] = match mode {
            0 => start.map(|v| v + 1),
            1 => [0, 2, 4, 0, 2, 4],
            2 => [0, 2, 3, 0, 3, 5],
            3 => [0, 1, 2, 10, 11, 12],
            4 => [0, 2, 2, 4, 5, 5],
            _ => [0, 2, 3, 3, 5, 6],
        };
        for v in &mut want[3..] {
            *v = -*v;
        }
        let mut t = start;
        assert_eq!(elementwise_everywhere(&mut t, mode), want[3]);
        assert_eq!(t, want, "{mode}");
    }
}

#[shim::kernel]
fn iterators_with_rows(t: &mut [i32], h: usize, w: usize, r: usize) {
    let t = Block::external(t, [h, w]);
    let first = t.slice(0, 0).to_block().copied();
    let [y, x] = iters();
    // One index fixed, the iterators in another order, an operand with an effect, and a view on the left.
    t[[r, x]] = x + 100;
    t[[y, 0]] = y - 100;
    t.permute([1, 0])[[y, x]] += first[[y]] * 1000;
    let mut count = 0;
    let mut next = || {
        count += 1;
        count
    };
    t[[.., 1..]][[y, x]] = next() + x;
}

#[test]
fn iterators_run_over_the_axis_they_stand_on() {
    let (h, w) = (3, 4);
    let start: Vec<i32> = noise(h * w, 9);
    for r in 0..h {
        let mut want = start.clone();
        for x in 0..w {
            want[r * w + x] = x as i32 + 100;
        }
        for y in 0..h {
            want[y * w] = y as i32 - 100;
        }
        let mut count = 0;
        for y in 0..h {
            want[y * w] += start[0] * 1000;
            for x in 1..w {
                count += 1;
                want[y * w + x] = count + x as i32 - 1;
            }
        }
        let mut t = start.clone();
        iterators_with_rows(&mut t, h, w, r);
        assert_eq!(t, want);
    }
}

#[shim::kernel]
fn nested_blocks(t: &[i32; 9], flag: bool) -> i32 {
    let t = Block::external(t, [3, 3]);
    let corner = {
        let t = t[[1.., 1..]];
        let inner = t.permute([1, 0]);
        inner[[1, 0]]
    };
    let labeled = 'found: {
        for [y, x] in t.indices() {
            if t[[y, x]] > 5 {
                break 'found 10 * y + x;
            }
        }
        -1
    };
    let chosen = if flag { t[[0, 0]] } else { t[[2, 2]] };
    let (a, b) = (t[[0, 1]], t[[1, 0]]);
    let [c, d] = [a + 1, b + 1];
    let view;
    {
        view = t[[0, 2]];
    }
    let (p, q) = (t.slice(0, 0), t.slice(1, 0));
    corner * 1000 + labeled * 100 + chosen + c * d + view + p[[2]] * q[[2]]
}

#[test]
fn blocks_and_scopes() {
    let t: [i32; 9] = std::array::from_fn(|i| i as i32);
    // Rows and columns are counted as in Rust.
    let want = |chosen: i32| 5 * 1000 + 20 * 100 + chosen + 2 * 4 + 2 + 2 * 6;
    assert_eq!(nested_blocks(&t, true), want(0));
    assert_eq!(nested_blocks(&t, false), want(8));
}

#[shim::kernel]
fn shadowed_tensors(a: &mut [i32; 4], b: &[i32; 4]) -> i32 {
    let t = Block::external(a, [4]);
    let t = t[[1..]];
    let sum = t[[0]];
    let t = Block::external(b, [2, 2]);
    let u = t.permute([1, 0]);
    let t = u[[0, 1]];
    let a = sum + t;
    let b = a * 2;
    b + u[[1, 1]]
}

#[shim::kernel]
fn tensors_in_loops(t: &mut [i32; 16], n: usize) -> i32 {
    let t = Block::external(t, [4, 4]);
    let mut total = 0;
    for r in 0..n {
        let block = t[[r..r + 2, r..r + 2]];
        let own = block.to_stack().copied();
        for [y, x] in own.indices() {
            own[[y, x]] += t[[r, r]];
            total += own[[y, x]] * own[[0, 0]];
        }
        let heap = Block::heap::<i32>([r]);
        for [k] in heap.indices() {
            heap[[k]] += 1;
            total += heap[[k]];
        }
        t[[r, r]] = own[[1, 1]];
    }
    total
}

#[test]
fn tensors_are_bound_anew() {
    assert_eq!(shadowed_tensors(&mut [1, 2, 3, 4], &[5, 6, 7, 8]), (2 + 7) * 2 + 8);
    for n in 0..4 {
        let mut t: [i32; 16] = std::array::from_fn(|i| i as i32);
        let mut want = t;
        let mut sum = 0;
        for r in 0..n {
            let at = |y: usize, x: usize| want[(r + y) * 4 + r + x];
            let own = [at(0, 0), at(0, 1), at(1, 0), at(1, 1)].map(|v| v + at(0, 0));
            sum += own.iter().map(|v| v * own[0]).sum::<i32>() + r as i32;
            want[r * 5] = own[3];
        }
        assert_eq!(tensors_in_loops(&mut t, n), sum);
        assert_eq!(t, want);
    }
    panics_with(|| tensors_in_loops(&mut [0; 16], 4), &["tensors_in_loops", "[4, 4]"]);
}

#[shim::kernel]
fn unrolled(t: &mut [i32; 16], r: usize) -> Vec<usize> {
    let t = Block::external(t, [4, 4]);
    let mut seen = Vec::new();
    #[unroll]
    for [y, x] in t[[0..2, 1..3]].indices() {
        if (y + x) % 2 == 0 {
            continue;
        }
        t[[y, x]] = 10 * y + x;
    }
    #[unroll]
    for k in (0..4usize).rev() {
        seen.push(k);
        if k == 1 && r > 1 {
            break;
        }
        t[[k, r]] = -1;
    }
    #[unroll]
    for k in (1..9u8).step_by(3) {
        seen.push(usize::from(k));
        let k = k / 3;
        t[[k, 0]] += i32::from(k);
    }
    for k in 0..2 {
        const DOUBLE: usize = 2;
        t[[k * DOUBLE, 3]] = 77 + k;
        seen.push(k as usize);
    }
    #[unroll]
    for _ in 0..3 {
        t[[3, 3]] += 1;
    }
    #[unroll]
    for _ in 3..3 {
        t[[99, 99]] += 1;
    }
    seen
}

#[test]
fn unrolled_loops() {
    for r in 0..4 {
        let mut want = [0; 16];
        want[1] = 1;
        want[4] = 10;
        let mut seen = Vec::new();
        for k in (0..4).rev() {
            seen.push(k);
            if k == 1 && r > 1 {
                break;
            }
            want[k * 4 + r] = -1;
        }
        for k in [1usize, 4, 7] {
            seen.push(k);
            want[k / 3 * 4] += (k / 3) as i32;
        }
        seen.extend([0, 1]);
        want[3] = 77;
        want[11] = 78;
        want[15] += 3;
        let mut t = [0; 16];
        assert_eq!(unrolled(&mut t, r), seen);
        assert_eq!(t, want, "{r}");
    }
}

#[shim::kernel]
fn rank_one_to_four(a: &[u8; 24], k: usize) -> [i32; 4] {
    let t = Block::external(a, [1, 2, 3, 4]);
    let v = t.permute([3, 1, 0, 2]);
    let u = v[[.., k, .., ..]];
    let w = u.slice(1, 0)[[1..3, (..).step_by(2)]];
    let weigh = |v: u8, at: i32| i32::from(v) * (at + 1);
    [
        t.indices().map(|[a, b, c, d]| weigh(t[[a, b, c, d]], 8 * a + 4 * b + 2 * c + d)).sum(),
        v.indices().map(|[a, b, c, d]| weigh(v[[a, b, c, d]], 8 * a + 4 * b + 2 * c + d)).sum(),
        u.indices().map(|[a, b, c]| weigh(u[[a, b, c]], 4 * a + 2 * b + c)).sum(),
        w.indices().map(|[a, b]| weigh(w[[a, b]], 2 * a + b)).sum(),
    ]
}

#[test]
fn many_axes() {
    let t: [u8; 24] = std::array::from_fn(|i| (i * 7 % 31) as u8);
    let at = |b: usize, c: usize, d: usize| i32::from(t[(b * 3 + c) * 4 + d]);
    for k in 0..2 {
        let mut want = [0; 4];
        for b in 0..2 {
            for c in 0..3 {
                for d in 0..4 {
                    want[0] += at(b, c, d) * (4 * b + 2 * c + d + 1) as i32;
                    want[1] += at(b, c, d) * (8 * d + 4 * b + c + 1) as i32;
                    if b == k {
                        want[2] += at(b, c, d) * (4 * d + c + 1) as i32;
                        if (1..3).contains(&d) && c % 2 == 0 {
                            want[3] += at(b, c, d) * (2 * (d - 1) + c / 2 + 1) as i32;
                        }
                    }
                }
            }
        }
        assert_eq!(rank_one_to_four(&t, k), want);
    }
}

#[shim::kernel]
fn same_memory_twice(t: &mut [i32; 6]) -> i32 {
    // Two tensors over one memory that is only read through the first.
    let a = Block::external(&*t, [2, 3]);
    let b = Block::external(&*t, [3, 2]);
    let sum = a[[1, 2]] + b[[1, 0]];
    let c = Block::external(t, [6]);
    c[[0]] = sum;
    c[[0]]
}

#[shim::kernel]
fn reallocated(list: &mut Vec<i32>) -> i32 {
    let first = {
        let t = Block::external(&*list, [list.len()]);
        t[[0]]
    };
    list.push(first);
    let t = Block::external(list, [list.len()]);
    t[[t.extent(0) - 1]] += 1;
    t[[t.extent(0) - 1]]
}

#[test]
fn borrows_end_where_rusts_do() {
    assert_eq!(same_memory_twice(&mut [1, 2, 3, 4, 5, 6]), 9);
    assert_eq!(reallocated(&mut vec![5]), 6);
}

#[shim::kernel]
fn queries_as_values(t: &[u8], h: usize, w: usize, y: i32) -> (usize, isize, usize, bool, String) {
    let t = Block::external(t, [h, w]).at([2, 3]);
    let part = t[[1.., 2..]];
    let e = part.extent(0) * 2 + part.extent(1);
    let o = part.origin(0) - part.origin(1) * 10;
    let mut count = 0;
    for k in 0..part.extent(1) {
        if k < part.extent(0) && part.contains([k as i32 + y, 0]) {
            count += 1;
        }
    }
    let square = part.extent(0) == part.extent(1) || part.origin(1) < 0;
    (e, o, count, square, format!("{}x{}", part.extent(0), part.extent(1)))
}

#[test]
fn queries_are_numbers() {
    for (h, w) in [(4usize, 5usize), (5, 4), (1, 2), (2, 2)] {
        for y in -3..4 {
            let (eh, ew) = (h - 1, w - 2);
            let count =
                (0..ew.min(eh) as i32).filter(|k| (-1..eh as i32).contains(&(k + y)) && w > 2).count();
            let want = (eh * 2 + ew, 3 - 50, count, eh == ew, format!("{eh}x{ew}"));
            assert_eq!(queries_as_values(&vec![0; h * w], h, w, y), want, "{h}x{w} {y}");
        }
    }
}

#[shim::kernel]
fn typed_constants(t: &[i32; 256]) -> [i32; 6] {
    const A: u8 = 200;
    const B: u8 = 50;
    const WIDE: i64 = 1 << 40;
    const BACK: i64 = (WIDE >> 38) - 1;
    const YES: bool = A > B && !false;
    const TABLE: [u8; 4] = [9, 8, 7, 6];
    let t = Block::external(t, [256]);
    let k = 3u8;
    let negative = -7;
    [
        t[[A + B]],
        t[[A.wrapping_add(100)]],
        t[[BACK]],
        if YES { t[[TABLE[k as usize]]] } else { 0 },
        t[[negative / 2 + 10]] + t[[(negative % 4) + 10]] + t[[(negative >> 1) + 10]],
        t[[(k as i32 - 5).abs()]] + t[[k.pow(2)]] + t[[i32::from(k).max(4)]],
    ]
}

#[test]
fn static_values_fold_as_rustc_folds() {
    let t: [i32; 256] = std::array::from_fn(|i| i as i32);
    assert_eq!(typed_constants(&t), [250, 44, 3, 6, 7 + 7 + 6, 2 + 9 + 4]);
}

#[shim::kernel]
fn attributes_and_items(t: &mut [i32; 4]) -> i32 {
    use std::cmp::Reverse;
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum Kind {
        Low,
        High,
    }
    static OFFSET: i32 = 5;
    type Number = i32;
    let t = Block::external(t, [4]);
    #[allow(unused_variables)]
    let unused = t[[0]];
    #[cfg(any())]
    {
        t[[100]] = 1;
    }
    #[rustfmt::skip]
    let best = t.indices().min_by_key(|&[i]| (Reverse(t[[i]] % 3), i)).map_or(-1, |[i]| i);
    let kind = if t[[1]] > OFFSET { Kind::High } else { Kind::Low };
    let value: Number = match kind {
        Kind::High => t[[2]],
        Kind::Low => -t[[2]],
    };
    value * 10 + best
}

#[shim::kernel]
fn configured(t: &mut [i32; 4]) -> i32 {
    let t = Block::external(t, [4]);
    const N: usize = M - 1;
    #[cfg(any())]
    const M: usize = 100;
    #[cfg(all())]
    const M: usize = 3;
    let k = 1;
    #[cfg(any())]
    let k = t[[50]] as usize;
    #[cfg(all())]
    t[[k]] += 5;
    #[cfg(any())]
    t[[k + 60]] += 5;
    #[cfg(any())]
    for [i] in t.indices() {
        t[[i - 1]] = 0;
    }
    #[cfg(any())]
    return t[[9]];
    #[cfg(any())]
    {
        let [i] = iters();
        t[[i]] = t[[i + 9]];
    }
    #[cfg(any())]
    assert_eq!(t[[8]], 0);
    let picked = match k {
        #[cfg(any())]
        1 => t[[99]],
        1 => t[[1]],
        _ => 0,
    };
    picked * 100 + t[[N]] * 10 + if cfg!(any()) { t[[77]] } else { 3 }
}

#[test]
fn what_is_configured_away_does_nothing() {
    assert_eq!(configured(&mut [1, 2, 3, 4]), 733);
}

#[test]
fn items_and_attributes_pass_through() {
    assert_eq!(attributes_and_items(&mut [1, 9, 5, 2]), 52);
    assert_eq!(attributes_and_items(&mut [2, 3, 5, 2]), -50);
}

/// A block of six axes whose strides have more terms, multiplied out, than the compiler's integers hold together.
#[shim::kernel]
fn long_strides(v: &[u32], n: [usize; 12], at: fn(usize) -> usize) -> u32 {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = n;
    let t = Block::external(v, [a + b + 1, c + d + 1, e + f + 1, g + h + 1, i + j + 1, k + l + 1]);
    t.prefetch([at(0), at(1), at(2), at(3), at(4), at(5)]);
    t[[at(0), at(1), at(2), at(3), at(4), at(5)]]
}

#[test]
fn strides_of_many_terms_are_not_multiplied_out() {
    let n = [0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 2, 0];
    let extents: Vec<usize> = n.chunks(2).map(|pair| pair[0] + pair[1] + 1).collect();
    let count = extents.iter().product::<usize>() as u32;
    let v: Vec<u32> = (0..count).collect();
    assert_eq!(long_strides(&v, n, |axis| [1, 2, 0, 1, 2, 1][axis]), ((((2 + 3) * 2 + 1) * 3) + 2) * 3 + 1);
    assert_eq!(long_strides(&v, n, |axis| [1, 2, 0, 1, 2, 2][axis]), count - 1);
    panics_with(|| long_strides(&v, n, |_| 1), &["long_strides", "`t`"]);
}
