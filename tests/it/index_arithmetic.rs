//! Index arithmetic and assertions: what an index means, when it panics, and what was written before it did.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

// --- values ---------------------------------------------------------------------------------------------------

#[shim::kernel]
fn row_above(t: &[i32], h: usize, w: usize, r: usize, c: usize) -> i32 {
    let t = Block::external(t, [h, w]);
    t[[r - 1, c]]
}

#[shim::kernel]
fn row_above_of_a_view(t: &[i32], h: usize, w: usize, r: usize, c: usize) -> i32 {
    let t = Block::external(t, [h, w]);
    // Row -1 of the view is there, and `usize` subtraction does not stand in its way.
    t[[1.., ..]][[r - 1, c]]
}

#[test]
fn operands_convert_before_they_are_subtracted() {
    let (h, w) = (4, 3);
    let t: Vec<i32> = noise(h * w, 1000);
    for c in 0..w {
        for r in 1..=h {
            assert_eq!(row_above(&t, h, w, r, c), t[(r - 1) * w + c]);
        }
        panics_with(|| row_above(&t, h, w, 0, c), &["row_above", "`t`", "-1", "[4, 3]"]);
        for r in 0..h {
            assert_eq!(row_above_of_a_view(&t, h, w, r, c), t[r * w + c]);
        }
    }
}

#[shim::kernel]
fn operators(t: &[i32; 201], a: i32, b: i32) -> [i32; 10] {
    let t = Block::external(t, [201]);
    let t = t[[100..101]];
    [
        t[[a / 3]],
        t[[a % 3]],
        t[[a << 1]],
        t[[a >> 1]],
        t[[a & 7]],
        t[[a | 1]],
        t[[a ^ 5]],
        t[[(a + b) * 2 - b / 2 + (b % 5)]],
        t[[-a / 3 + -(b % 3)]],
        t[[a * b % 50]],
    ]
}

#[shim::kernel]
fn operators_of_loop_variables(t: &[i32; 201], n: usize) -> Vec<[i32; 6]> {
    let t = Block::external(t, [201]);
    let t = t[[100..101]];
    let own = Block::heap::<u8>([n]);
    let mut out = Vec::new();
    for [i] in own.indices() {
        out.push([
            t[[(i - 4) / 3]],
            t[[(i - 4) % 3]],
            t[[(i - 4) >> 1]],
            t[[i & 3]],
            t[[(i << 2) - (i ^ 5)]],
            t[[5 * i / 7 - 3 * (i % 4)]],
        ]);
    }
    out
}

#[test]
fn operators_are_rusts() {
    let t: [i32; 201] = std::array::from_fn(|i| i as i32 - 100);
    for a in -20..20i32 {
        for b in -4..5i32 {
            let want = [
                a / 3,
                a % 3,
                a << 1,
                a >> 1,
                a & 7,
                a | 1,
                a ^ 5,
                (a + b) * 2 - b / 2 + (b % 5),
                -a / 3 + -(b % 3),
                a * b % 50,
            ];
            assert_eq!(operators(&t, a, b), want, "{a} {b}");
        }
    }
    let want: Vec<[i32; 6]> = (0..20i32)
        .map(|i| [(i - 4) / 3, (i - 4) % 3, (i - 4) >> 1, i & 3, (i << 2) - (i ^ 5), 5 * i / 7 - 3 * (i % 4)])
        .collect();
    assert_eq!(operators_of_loop_variables(&t, 20), want);
}

#[shim::kernel]
fn by_variables(t: &[i32; 64], a: i32, d: i32) -> [i32; 4] {
    let t = Block::external(t, [64]);
    let t = t[[32..33]];
    [t[[a / d]], t[[a % d]], t[[a << (d & 1)]], t[[a >> (d & 3)]]]
}

#[test]
fn divisors_may_be_variables() {
    let t: [i32; 64] = std::array::from_fn(|i| i as i32 - 32);
    for a in -10..10i32 {
        for d in (-4..5i32).filter(|&d| d != 0) {
            assert_eq!(by_variables(&t, a, d), [a / d, a % d, a << (d & 1), a >> (d & 3)]);
        }
        panics_with(|| by_variables(&t, a, 0), &[""]);
    }
}

#[shim::kernel]
fn every_integer(t: &[i32; 8], a: u8, b: i8, c: u16, d: i64, e: u64, f: u128, g: i128, h: isize) -> i32 {
    let t = Block::external(t, [8]);
    t[[a]] + t[[b]] + t[[c]] + t[[d]] + t[[e]] + t[[f]] + t[[g]] + t[[h]] + t[[a + b - c + d - e + f - g + h]]
}

#[shim::kernel]
fn wide_operands(t: &[i32; 8], e: u64, f: u128, g: i128, run: bool) -> i32 {
    let t = Block::external(t, [8]);
    // What does not fit panics, but only when the access runs.
    if run { t[[e]] + t[[f]] + t[[g]] } else { -1 }
}

#[shim::kernel]
fn wide_origin(t: &[i32; 8], e: u64) -> i32 {
    let t = Block::external(t, [8]);
    let part = t[[e..e + 2]];
    part[[1]]
}

#[test]
fn every_integer_type_is_an_operand() {
    let t: [i32; 8] = std::array::from_fn(|i| 1 << i);
    assert_eq!(every_integer(&t, 1, 2, 3, 4, 5, 6, 7, 2), 254 + 4 + 1);
}

#[test]
fn values_that_do_not_fit() {
    let t: [i32; 8] = std::array::from_fn(|i| 1 << i);
    assert_eq!(wide_operands(&t, 1, 2, 3, true), 14);
    assert_eq!(wide_operands(&t, u64::MAX, u128::MAX, i128::MIN, false), -1);
    panics_with(|| wide_operands(&t, u64::MAX, 2, 3, true), &["isize"]);
    panics_with(|| wide_operands(&t, 1, u128::MAX, 3, true), &["isize"]);
    panics_with(|| wide_operands(&t, 1, 1 << 64, 3, true), &["isize"]);
    panics_with(|| wide_operands(&t, 1, 2, i128::MIN, true), &["isize"]);
    panics_with(|| wide_operands(&t, 1, 2, -1, true), &["wide_operands", "-1", "[8]"]);
    assert_eq!(wide_origin(&t, 3), 16);
    panics_with(|| wide_origin(&t, u64::MAX - 5), &["isize"]);
    panics_with(|| wide_origin(&t, 7), &["wide_origin", "8", "[8]"]);
}

#[shim::kernel]
fn overflows(t: &[i32; 4], a: isize, b: isize) -> [i32; 1] {
    let t = Block::external(t, [4]);
    [t[[a + b]]]
}

#[shim::kernel]
fn overflows_in_a_product(t: &[i32; 4], a: isize, b: isize) -> i32 {
    let t = Block::external(t, [4]);
    t[[a * b]]
}

#[shim::kernel]
fn overflows_in_a_nest(t: &[i32], n: usize, a: isize) -> i32 {
    let t = Block::external(t, [n]);
    let mut sum = 0;
    for [i] in t.indices() {
        sum += t[[4 * i + a]];
    }
    sum
}

#[shim::kernel]
fn overflows_two_axes(t: &[i32], h: usize, w: usize, y: isize, x: isize) -> i32 {
    let t = Block::external(t, [h, w]);
    // The flat index would wrap back into the memory.
    t[[y, x]]
}

#[shim::kernel]
fn overflows_through_density(t: &[i32; 4], y: isize) -> i32 {
    let t = Block::external(t, [4]);
    t.coarsen([1 << 20]).coarsen([1 << 20])[[y]]
}

#[shim::kernel]
fn negates(t: &[i32; 4], y: isize) -> i32 {
    let t = Block::external(t, [4]);
    t[[-y]]
}

#[test]
fn overflow_panics() {
    let t = [1, 2, 3, 4];
    assert_eq!(overflows(&t, isize::MAX, isize::MIN + 3), [3]);
    for (a, b) in [(isize::MAX, 1), (isize::MAX, isize::MAX), (isize::MIN, -1), (isize::MIN, isize::MIN)] {
        panics_with(|| overflows(&t, a, b), &[""]);
    }
    for (a, b) in [(1 << 32, 1 << 32), (isize::MAX, 2), (isize::MIN, -1), (1 << 62, 4), (3, 1 << 62)] {
        panics_with(|| overflows_in_a_product(&t, a, b), &[""]);
    }
    assert_eq!(overflows_in_a_product(&t, 1, 3), 4);
    for a in [isize::MAX, isize::MAX - 3, isize::MIN, isize::MIN + 1, -1, 1, 4] {
        panics_with(|| overflows_in_a_nest(&t, 4, a), &[""]);
        assert_eq!(overflows_in_a_nest(&[], 0, a), 0, "an empty nest asserts nothing");
    }
    assert_eq!(overflows_in_a_nest(&[9], 1, 0), 9);
    for (y, x) in [(1isize << 62, 0), (isize::MIN, 1), (1 << 61, -4), (-1, 4), (2, -4), (0, 4)] {
        panics_with(|| overflows_two_axes(&t, 1, 4, y, x), &["[1, 4]"]);
        panics_with(|| overflows_two_axes(&t, 4, 1, y, x + 1), &["[4, 1]"]);
    }
    for y in [1, -1, 1 << 23, 1 << 24, 1 << 40, isize::MAX, isize::MIN] {
        panics_with(|| overflows_through_density(&t, y), &[""]);
    }
    assert_eq!(overflows_through_density(&t, 0), 1);
    panics_with(|| negates(&t, isize::MIN), &[""]);
    panics_with(|| negates(&t, 1), &["negates", "-1", "[4]"]);
    assert_eq!(negates(&t, -2), 3);
}

// --- guards ---------------------------------------------------------------------------------------------------

#[shim::kernel]
fn guarded(t: &[i32], n: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut s = 0;
    for [i] in t.indices() {
        if i > 0 {
            s += t[[i - 1]];
        }
        if i + 1 < n {
            s += 10 * t[[i + 1]];
        }
        if i != 0 && t[[i - 1]] > 3 {
            s += 100;
        }
        s += if i >= 2 { t[[i - 2]] } else { 7 };
        if i == 0 || t[[i - 1]] == 2 {
            s += 1;
        }
        if t.contains([i - 3]) {
            s += 1000 * t[[i - 3]];
        }
    }
    s
}

#[shim::kernel]
fn guarded_by_values(t: &[i32], n: usize, r: usize, at: i64) -> i32 {
    let t = Block::external(t, [n]);
    let mut s = 0;
    if r > 0 {
        s += t[[r - 1]];
    }
    if r < n {
        s += t[[r]];
    }
    if at >= 0 && at < n as i64 {
        s += t[[at]];
    }
    let ok = (0..n as i64).contains(&at);
    if ok {
        s += t[[at]];
    }
    for i in 0..r {
        if i < n {
            s += t[[i]];
        }
    }
    s
}

#[test]
fn guards_never_panic() {
    for n in 0..9 {
        let t: Vec<i32> = noise(n, 6);
        let at = |i: i32| t[i as usize];
        let mut want = 0;
        for i in 0..n as i32 {
            if i > 0 {
                want += at(i - 1);
            }
            if i + 1 < n as i32 {
                want += 10 * at(i + 1);
            }
            if i != 0 && at(i - 1) > 3 {
                want += 100;
            }
            want += if i >= 2 { at(i - 2) } else { 7 };
            if i == 0 || at(i - 1) == 2 {
                want += 1;
            }
            if i >= 3 {
                want += 1000 * at(i - 3);
            }
        }
        assert_eq!(guarded(&t, n), want);
        for r in 0..=n {
            for at in -2..n as i64 + 2 {
                let mut want = 0;
                if r > 0 {
                    want += t[r - 1];
                }
                if r < n {
                    want += t[r];
                }
                if let Some(v) = usize::try_from(at).ok().and_then(|at| t.get(at)) {
                    want += 2 * v;
                }
                want += t[..r].iter().sum::<i32>();
                assert_eq!(guarded_by_values(&t, n, r, at), want);
            }
        }
    }
}

#[shim::kernel]
fn wrapping_guards(t: &[i32; 4], a: u8, b: i32) -> i32 {
    let t = Block::external(t, [4]);
    let mut s = 0;
    // Arithmetic in a type of the user's may wrap, and then proves nothing.
    if a.wrapping_sub(1) < 4 {
        s += t[[a.wrapping_sub(1)]];
    }
    if b.wrapping_add(1) > 0 && b.wrapping_add(1) < 4 {
        s += t[[b + 1]];
    }
    if (b as u8) < 4 {
        s += t[[b]];
    }
    s
}

#[test]
fn guards_that_prove_nothing() {
    let t = [1, 2, 3, 4];
    assert_eq!(wrapping_guards(&t, 1, 2), 1 + 4 + 3);
    assert_eq!(wrapping_guards(&t, 0, 9), 0);
    panics_with(|| wrapping_guards(&t, 0, 256), &["wrapping_guards", "256", "[4]"]);
}

#[shim::kernel]
fn compares(n: usize, r: usize, s: i8) -> Vec<[bool; 7]> {
    let t = Block::heap::<u8>([n, 2]);
    let mut out = Vec::new();
    for [y, _] in t.indices() {
        out.push([y < r, y >= r, y + 1 == r, y - 1 < s, r > y - 2, y == 3, -y != s]);
    }
    out
}

#[test]
fn loop_variables_compare_with_any_integer() {
    for r in 0..5usize {
        for s in -3..5i8 {
            let want: Vec<[bool; 7]> = (0..8i64)
                .map(|i| {
                    let (y, r, s) = (i / 2, r as i64, i64::from(s));
                    [y < r, y >= r, y + 1 == r, y - 1 < s, r > y - 2, y == 3, -y != s]
                })
                .collect();
            assert_eq!(compares(4, r, s), want);
        }
    }
}

#[shim::kernel]
fn plain_slices(table: &[i32], lookup: &[usize], n: usize, out: &mut [i32]) {
    let t = Block::external(out, [n, n]);
    for [y, x] in t.indices() {
        // Loop variables index plain slices too.
        t[[y, x]] = table[y] * table[x + 1] + table[lookup[y]];
    }
}

#[test]
fn loop_variables_index_slices() {
    let table: Vec<i32> = noise(7, 100);
    let lookup = [3, 0, 6, 2, 1, 4];
    let mut out = vec![0; 36];
    plain_slices(&table, &lookup, 6, &mut out);
    for y in 0..6 {
        for x in 0..6 {
            assert_eq!(out[y * 6 + x], table[y] * table[x + 1] + table[lookup[y]]);
        }
    }
}

// --- assertions -----------------------------------------------------------------------------------------------

#[shim::kernel]
fn shifted_copy(from: &[i32], to: &mut [i32], n: usize, by: isize) {
    let from = Block::external(from, [n]);
    let to = Block::external(to, [n]);
    for [i] in to.indices() {
        to[[i]] = from[[i + by]];
    }
}

#[shim::kernel]
fn writes_beyond(t: &mut [i32], n: usize, to: usize) {
    let t = Block::external(t, [n]);
    for i in 0..to {
        t[[i]] = 1;
    }
}

#[shim::kernel]
fn nothing_of_the_nest(a: &mut [i32], b: &[i32], h: usize, w: usize, k: usize) {
    let a = Block::external(a, [h, w]);
    let b = Block::external(b, [k]);
    for [y, x] in a.indices() {
        a[[y, x]] = 5;
        a[[y, x]] += b[[x + y]];
    }
}

#[test]
fn assertions_come_before_the_nest() {
    let from = [1, 2, 3, 4, 5];
    let mut to = [0; 5];
    shifted_copy(&from, &mut to, 5, 0);
    assert_eq!(to, from);
    for by in [-1, 1, 5, -5, isize::MAX, isize::MIN] {
        let mut to = [0; 5];
        panics_with(|| shifted_copy(&from, &mut to, 5, by), &[""]);
        assert_eq!(to, [0; 5]);
    }
    panics_with(|| shifted_copy(&from, &mut to, 5, -1), &["shifted_copy", "`from`", "-1", "[5]"]);
    panics_with(|| shifted_copy(&from, &mut to, 5, 1), &["shifted_copy", "`from`", "5", "[5]"]);
    shifted_copy(&[], &mut [], 0, 7);
    let mut t = [0; 4];
    panics_with(|| writes_beyond(&mut t, 4, 5), &["writes_beyond", "`t`", "4", "[4]"]);
    assert_eq!(t, [0; 4]);
    for &(h, w) in SHAPES {
        for k in 0..12 {
            let (mut a, b) = (vec![0; h * w], vec![1; k]);
            if h * w == 0 || h + w - 1 <= k {
                nothing_of_the_nest(&mut a, &b, h, w, k);
                assert!(a.iter().all(|&v| v == 6));
            } else {
                panics_with(|| nothing_of_the_nest(&mut a, &b, h, w, k), &["nothing_of_the_nest", "`b`"]);
                assert!(a.iter().all(|&v| v == 0));
            }
        }
    }
}

#[shim::kernel]
fn empty_inner_loops(t: &[i32], n: usize, m: usize, far: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut s = 0;
    for y in 0..n {
        for x in 0..m {
            s += t[[y + x + far]];
        }
    }
    for y in 0..m {
        for x in 3..y {
            s += t[[far + x]];
        }
    }
    s
}

#[test]
fn accesses_that_do_not_run_are_not_asserted() {
    assert_eq!(empty_inner_loops(&[1, 2], 2, 0, 100), 0);
    assert_eq!(empty_inner_loops(&[], 0, 4, 100), 0);
    assert_eq!(empty_inner_loops(&[1, 2], 2, 1, 0), 3);
    panics_with(|| empty_inner_loops(&[1, 2], 2, 1, 1), &["empty_inner_loops", "2", "[2]"]);
}

fn opaque(log: &mut Vec<usize>, v: usize) {
    log.push(v);
}

#[shim::kernel]
fn calls_before(t: &[i32], n: usize, upto: usize, log: &mut Vec<usize>) -> i32 {
    let t = Block::external(t, [n]);
    let mut s = 0;
    for i in 0..upto {
        opaque(log, i);
        s += t[[i]];
    }
    s
}

#[shim::kernel]
fn breaks_before(t: &[i32], n: usize, upto: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut s = 0;
    for i in 0..upto {
        if s > 5 {
            break;
        }
        s += t[[i]];
    }
    s
}

#[shim::kernel]
fn breaks_after(t: &[i32], n: usize, upto: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut s = 0;
    for i in 0..upto {
        s += t[[i]];
        if s > 5 {
            break;
        }
    }
    s
}

#[shim::kernel]
fn returns_before(t: &mut [i32], n: usize, upto: usize) -> i32 {
    let t = Block::external(t, [n]);
    for i in 0..upto {
        t[[i]] += 1;
        if t[[i]] == 4 {
            return -1;
        }
    }
    0
}

#[shim::kernel]
fn questions_before(t: &mut [i32], n: usize, items: &[Option<i32>]) -> Option<()> {
    let t = Block::external(t, [n]);
    for i in 0..items.len() {
        t[[i]] = items[i]?;
    }
    Some(())
}

#[shim::kernel]
fn mutated_index(t: &mut [i32], n: usize, steps: usize) -> usize {
    let t = Block::external(t, [n]);
    let mut at = 0;
    for _ in 0..steps {
        t[[at]] += 1;
        at += 2;
    }
    at
}

#[shim::kernel]
fn effect_between(t: &mut [i32], n: usize, far: usize) {
    let t = Block::external(t, [n]);
    t[[0]] = 1;
    std::hint::black_box(());
    t[[far]] = 2;
}

#[shim::kernel]
fn panics_between(t: &mut [i32], n: usize, v: Option<i32>, far: usize) {
    let t = Block::external(t, [n]);
    t[[0]] = v.unwrap();
    t[[far]] = 2;
}

#[test]
fn accesses_that_may_not_run_are_checked_in_place() {
    let mut log = Vec::new();
    panics_with(|| calls_before(&[1, 2], 2, 5, &mut log), &["calls_before", "`t`", "2", "[2]"]);
    assert_eq!(log, [0, 1, 2], "what ran before stays");
    assert_eq!(breaks_before(&[1, 2, 3], 3, 100), 6);
    assert_eq!(breaks_after(&[1, 2, 3], 3, 100), 6);
    panics_with(|| breaks_before(&[1, 2], 2, 100), &["breaks_before", "[2]"]);
    panics_with(|| breaks_after(&[1, 2], 2, 3), &["breaks_after", "[2]"]);
    let mut t = [1, 2, 3];
    assert_eq!(returns_before(&mut t, 3, 100), -1);
    assert_eq!(t, [2, 3, 4]);
    let mut t = [7, 8];
    panics_with(|| returns_before(&mut t, 2, 100), &["returns_before", "[2]"]);
    assert_eq!(t, [8, 9]);
    let mut t = [0; 2];
    assert_eq!(questions_before(&mut t, 2, &[Some(1), None, Some(3), Some(4)]), None);
    assert_eq!(t, [1, 0]);
    panics_with(|| questions_before(&mut t, 2, &[Some(5), Some(6), Some(7)]), &["questions_before", "[2]"]);
    assert_eq!(t, [5, 6]);
    let mut t = [0; 5];
    assert_eq!(mutated_index(&mut t, 5, 3), 6);
    panics_with(|| mutated_index(&mut t, 5, 4), &["mutated_index", "6", "[5]"]);
    assert_eq!(t, [2, 0, 2, 0, 2]);
    let mut t = [0; 2];
    panics_with(|| effect_between(&mut t, 2, 9), &["effect_between", "9", "[2]"]);
    assert_eq!(t, [1, 0]);
    panics_with(|| panics_between(&mut t, 2, None, 9), &["unwrap"]);
    panics_with(|| panics_between(&mut t, 2, Some(5), 9), &["panics_between", "9", "[2]"]);
    assert_eq!(t, [5, 0]);
}

#[shim::kernel]
fn arguments_in_order(t: &mut [i32], n: usize, far: usize, log: &mut Vec<usize>) -> i32 {
    let t = Block::external(t, [n]);
    let mut f = |a: i32, b: i32| {
        log.push(7);
        a + b
    };
    let inner = f(1, 2);
    f(t[[0]], inner) + t[[far]]
}

#[shim::kernel]
fn lazily(t: &[i32], n: usize, far: usize, go: bool) -> Option<i32> {
    let t = Block::external(t, [n]);
    let hit = go && t[[far]] > 0;
    let other = !go || t[[far]] > 0;
    go.then(|| t[[far]] + i32::from(hit) + i32::from(other))
}

#[test]
fn lazy_operands_are_not_asserted() {
    let mut log = Vec::new();
    panics_with(|| arguments_in_order(&mut [1], 1, 5, &mut log), &["arguments_in_order", "5", "[1]"]);
    assert_eq!(log, [7, 7]);
    assert_eq!(arguments_in_order(&mut [1], 1, 0, &mut log), 5);
    assert_eq!(lazily(&[4], 1, 9, false), None);
    assert_eq!(lazily(&[4], 1, 0, true), Some(6));
    panics_with(|| lazily(&[4], 1, 9, true), &["lazily", "9", "[1]"]);
}

#[shim::kernel]
fn two_nests(t: &mut [i32], n: usize, far: usize) {
    let t = Block::external(t, [n]);
    for [i] in t.indices() {
        t[[i]] += 1;
    }
    for i in 0..far {
        t[[i]] += 10;
    }
}

#[test]
fn earlier_nests_stay_or_not_but_never_half() {
    // An assertion may stand before an earlier nest: nothing opaque lies between. Either all of it ran or none.
    let mut t = [0; 3];
    panics_with(|| two_nests(&mut t, 3, 4), &["two_nests", "[3]"]);
    assert!(t == [0; 3] || t == [1; 3], "{t:?}");
    two_nests(&mut t, 3, 2);
}

#[shim::kernel]
fn too_many_to_count(t: &[()], n: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut last = 0;
    for [i] in t.indices() {
        last = i;
        if i == 3 {
            break;
        }
    }
    last
}

#[test]
fn extents_above_i32_cannot_be_looped_over() {
    assert_eq!(too_many_to_count(&[(); 9], 9), 3);
    panics_with(
        || too_many_to_count(&[(); 1 << 40], 1 << 40),
        &["too_many_to_count", "1099511627776", "i32"],
    );
    assert_eq!(too_many_to_count(&[(); (1 << 31) - 1], (1 << 31) - 1), 3);
}

#[shim::kernel]
fn sharp_names(r#type: &[i32; 4], at: usize, value: usize, row: usize, place: usize) -> i32 {
    // Names that the compiler's own locals might have, and a raw one.
    let r#match = Block::external(r#type, [2, 2]);
    let own = r#match.to_block();
    own[[row, at]] = r#match[[place, value]];
    own[[row, at]] += value as i32 + r#match[[row, at]];
    own[[row, at]] + r#match.boundary(Clamp)[[value + 5, at]]
}

#[test]
fn names_do_not_meet() {
    assert_eq!(sharp_names(&[1, 2, 3, 4], 0, 1, 1, 0), 2 + 1 + 3 + 3);
}

#[shim::kernel]
fn bounds_that_wrap(t: &[u8], u: &[u8]) -> u32 {
    let t = Block::external(t, [t.len()]);
    let u = Block::external(u, [u.len()]);
    let mut sum = 0;
    for [x] in t.indices() {
        let n = (5 - x) * 65536;
        for k in 0..n {
            sum += u32::from(u[[k]]);
        }
    }
    sum
}

#[shim::kernel]
fn bounds_that_fit(t: &[u8], w: usize) -> u32 {
    let t = Block::external(t, [w, w]);
    let mut sum = 0;
    for [x] in t[[0, ..]].indices() {
        for k in 0..x + 1 {
            sum += u32::from(t[[x, k]]);
        }
    }
    sum
}

#[test]
fn a_bound_is_what_rust_says() {
    // At 40000 the product leaves `i32`, and what is left of it in a release build is above zero.
    let wrong = || bounds_that_wrap(&vec![0; 40001], &vec![1; 5 << 16]);
    if cfg!(debug_assertions) {
        panics_with(wrong, &["overflow"]);
    } else {
        panics_with(wrong, &["bounds_that_wrap", "`u`"]);
    }
    let t: Vec<u8> = (0..25).map(|v| v * 7 % 50).collect();
    let expected: u32 =
        (0..5).flat_map(|x| (0..=x).map(move |k| (x, k))).map(|(x, k)| u32::from(t[x * 5 + k])).sum();
    assert_eq!(bounds_that_fit(&t, 5), expected);
}

#[shim::kernel]
fn given_away(t: &[isize], h: usize, w: usize) -> isize {
    let t = Block::external(t, [h, w]);
    let mut sum = 0;
    for [y, x] in t.indices() {
        let below = t[[y.., ..]];
        let z = 2 * y + x - y;
        let y = t[[y, x]];
        // Neither has moved with the name.
        sum += y * below[[0, x]] + t.boundary(Clamp)[[z, x]];
        for x in 0..2isize {
            let right = t[[.., x..]];
            let x = 1000 * x;
            let x = x + 1;
            sum += x * right[[0, 0]] + format!("{x}{y}").len() as isize;
        }
    }
    sum
}

#[test]
fn a_view_stays_where_the_name_of_a_loop_was_given_away() {
    for &(h, w) in SHAPES {
        if w < 2 && h > 0 {
            continue;
        }
        let t: Vec<isize> = (0..h * w).map(|v| (v * 37 % 90) as isize).collect();
        let mut expected = 0;
        for y in 0..h {
            for x in 0..w {
                let here = t[y * w + x];
                expected += here * here + t[(y + x).min(h - 1) * w + x];
                for (k, factor) in [1, 1001].into_iter().enumerate() {
                    expected += factor * t[k] + format!("{factor}{here}").len() as isize;
                }
            }
        }
        assert_eq!(given_away(&t, h, w), expected, "{h} by {w}");
    }
}

// --- divisors of the run time
// -----------------------------------------------------------------------------------------

/// A flat index, taken apart and put together again.
#[shim::kernel]
fn rows_and_columns(
    #[shape(h, w)] t: &[i32],
    h: usize,
    w: usize,
    #[shape(h * w)] flat: &mut [i32],
    #[shape(w, h)] turned: &mut [i32],
) {
    for [k] in flat.indices() {
        flat[[k]] = t[[k / w, k % w]];
    }
    for [i, j] in t.indices() {
        turned[[(w * i + j) % w, (i * w + j) / w]] = flat[[i * w + j]];
    }
}

#[shim::kernel]
fn divided(#[shape(h, w)] t: &[i32], h: usize, w: usize, k: usize, n: usize) -> i32 {
    t[[k / n, k % n]]
}

#[test]
fn quotients_by_extents() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 1000);
        let (mut flat, mut turned) = (vec![0; h * w], vec![0; h * w]);
        rows_and_columns(&t, h, w, &mut flat, &mut turned);
        assert_eq!(flat, t);
        for (k, v) in t.iter().enumerate() {
            assert_eq!(turned[k % w * h + k / w], *v);
            assert_eq!(divided(&t, h, w, k, w), *v);
        }
    }
    let t = [1, 2, 3, 4, 5, 6];
    assert_eq!(divided(&t, 2, 3, 5, 3), 6);
    panics_with(|| divided(&t, 2, 3, 6, 3), &["`divided`", "`t`", "index 2 on axis 0"]);
    panics_with(|| divided(&t, 2, 3, 1, 0), &["index arithmetic"]);
    panics_with(|| divided(&[], 0, 0, 0, 0), &["index arithmetic"]);
}

#[shim::kernel]
fn eight_bytes(t: &mut [u8], at: usize, word: u64) {
    let t = Block::external(t, [t.len()]);
    #[unroll]
    for i in 0..8 {
        t[[at + i]] = word.to_be_bytes()[i];
    }
}

#[test]
fn the_last_of_several_elements_may_not_fit() {
    let mut t = [0; 11];
    eight_bytes(&mut t, 3, 0x0102_0304_0506_0708);
    assert_eq!(t, [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for at in [4, 11, isize::MAX as usize - 7, isize::MAX as usize, usize::MAX] {
        panics_with(|| eight_bytes(&mut t, at, 0), &[""]);
    }
    for length in 0..8 {
        panics_with(|| eight_bytes(&mut t[..length], 0, 0), &["`eight_bytes`", "`t`"]);
    }
    assert_eq!(t, [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], "nothing is written before the test");
}
