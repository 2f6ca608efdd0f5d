//! Rust around tensors: loops, jumps, conditions, closures, and what is static in them.

#![allow(clippy::needless_range_loop, reason = "the plain loops are spelled as the kernels are")]

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

// --- loops ----------------------------------------------------------------------------------------------------

#[shim::kernel]
fn ranges(t: &mut [i32; 10], a: usize, b: usize) -> i32 {
    let t = Block::external(t, [10]);
    let mut order = 0;
    for i in a..b {
        t[[i]] += 1;
    }
    for i in a..=b {
        t[[i]] += 10;
    }
    for i in (a..b).rev() {
        t[[i]] += 100;
        order = order * 10 + i as i32;
    }
    for i in (a..b).step_by(3) {
        t[[i]] += 1000;
    }
    for i in (a..=b).rev().step_by(2) {
        t[[i]] += 10_000;
    }
    for i in (a..b).step_by(2).rev() {
        t[[i]] += 100_000;
    }
    for _ in a..b {
        t[[0]] += 1_000_000;
    }
    order
}

fn plain_ranges(t: &mut [i32; 10], a: usize, b: usize) -> i32 {
    let mut order = 0;
    for i in a..b {
        t[i] += 1;
    }
    for i in a..=b {
        t[i] += 10;
    }
    for i in (a..b).rev() {
        t[i] += 100;
        order = order * 10 + i as i32;
    }
    for i in (a..b).step_by(3) {
        t[i] += 1000;
    }
    for i in (a..=b).rev().step_by(2) {
        t[i] += 10_000;
    }
    for i in (a..b).step_by(2).rev() {
        t[i] += 100_000;
    }
    for _ in a..b {
        t[0] += 1_000_000;
    }
    order
}

#[test]
fn ranges_are_rusts() {
    for a in 0..10 {
        for b in 0..10 {
            let (mut t, mut want) = ([0; 10], [0; 10]);
            assert_eq!(ranges(&mut t, a, b), plain_ranges(&mut want, a, b));
            assert_eq!(t, want, "{a} {b}");
        }
    }
    panics_with(|| ranges(&mut [0; 10], 3, 10), &["ranges", "`t`", "10", "[10]"]);
}

#[shim::kernel]
fn signed_ranges(t: &[i32; 10], a: i32, b: i8) -> i64 {
    let t = Block::external(t, [10]);
    let mut sum = 0i64;
    for i in a..5 {
        sum += i64::from(t[[i + 2]]) * i64::from(i);
    }
    for i in -2..b {
        sum += i64::from(t[[i + 2]]) * i64::from(i);
    }
    for i in -2i64..3 {
        let j = i.abs();
        sum += i64::from(t[[j]]);
    }
    sum
}

#[test]
fn ranges_keep_their_type() {
    let t: [i32; 10] = std::array::from_fn(|i| (i * i) as i32);
    for a in -2..6 {
        for b in -3..8 {
            let mut want = 0;
            for i in a..5 {
                want += i64::from(t[(i + 2) as usize]) * i64::from(i);
            }
            for i in -2..b {
                want += i64::from(t[(i + 2) as usize]) * i64::from(i);
            }
            for i in -2i64..3 {
                want += i64::from(t[i.unsigned_abs() as usize]);
            }
            assert_eq!(signed_ranges(&t, a, b), want);
        }
    }
    panics_with(|| signed_ranges(&t, -3, 0), &["signed_ranges", "-1"]);
}

#[shim::kernel]
fn triangular(t: &[i32], n: usize) -> (i32, i32) {
    let t = Block::external(t, [n, n]);
    let (mut upper, mut lower) = (0, 0);
    for y in 0..n {
        for x in y..n {
            upper += t[[y, x]];
        }
        for x in 0..y {
            lower += t[[y, x]] * t[[y - 1, x]];
        }
    }
    (upper, lower)
}

#[shim::kernel]
fn bounds_are_evaluated_once(t: &mut [i32; 8], log: &mut Vec<u8>) {
    let t = Block::external(t, [8]);
    let mut start = || {
        log.push(b's');
        2
    };
    let mut end = 5;
    for i in start()..end {
        end = 100;
        t[[i]] = end;
    }
    let mut stop = || {
        log.push(b'e');
        3
    };
    for i in 0..stop() {
        t[[i + 5]] = i;
    }
}

#[test]
fn bounds() {
    for n in 0..7 {
        let t: Vec<i32> = noise(n * n, 100);
        let (mut upper, mut lower) = (0, 0);
        for y in 0..n {
            upper += t[y * n + y..(y + 1) * n].iter().sum::<i32>();
            lower += (0..y).map(|x| t[y * n + x] * t[(y - 1) * n + x]).sum::<i32>();
        }
        assert_eq!(triangular(&t, n), (upper, lower));
    }
    let (mut t, mut log) = ([0; 8], Vec::new());
    bounds_are_evaluated_once(&mut t, &mut log);
    assert_eq!((t, log), ([0, 0, 100, 100, 100, 0, 1, 2], b"se".to_vec()));
}

#[shim::kernel]
fn jumps(t: &[i32], h: usize, w: usize, stop: i32) -> (i32, i32, usize) {
    let t = Block::external(t, [h, w]);
    let mut sum = 0;
    let mut last = -1;
    // `break` leaves the whole loop over the indices, not one of its rows.
    for [y, x] in t.indices() {
        if t[[y, x]] % 3 == 0 {
            continue;
        }
        if t[[y, x]] == stop {
            last = 100 * y + x;
            break;
        }
        sum += t[[y, x]];
    }
    let mut rows = 0;
    'rows: for y in 0..h {
        for [_, x] in t[[y..y + 1, ..]].indices() {
            if t[[y, x]] == stop {
                break 'rows;
            }
            if t[[y, x]] > 900 {
                continue 'rows;
            }
        }
        rows += 1;
    }
    (sum, last, rows)
}

fn plain_jumps(t: &[i32], h: usize, w: usize, stop: i32) -> (i32, i32, usize) {
    let (mut sum, mut last, mut rows) = (0, -1, 0);
    for i in 0..h * w {
        if t[i] % 3 == 0 {
            continue;
        }
        if t[i] == stop {
            last = (100 * (i / w) + i % w) as i32;
            break;
        }
        sum += t[i];
    }
    'rows: for y in 0..h {
        for x in 0..w {
            if t[y * w + x] == stop {
                break 'rows;
            }
            if t[y * w + x] > 900 {
                continue 'rows;
            }
        }
        rows += 1;
    }
    (sum, last, rows)
}

#[shim::kernel]
fn labeled_nests(t: &[i32], h: usize, w: usize) -> (i32, i32) {
    let t = Block::external(t, [h, w]);
    let row = Block::external([1, 2, 3], [3]);
    let (mut sum, mut skipped) = (0, 0);
    'all: for [y, x] in t.indices() {
        for [k] in row.indices() {
            if t[[y, x]] % 7 == row[[k]] {
                skipped += 1;
                continue 'all;
            }
            if t[[y, x]] % 31 == row[[k]] {
                break 'all;
            }
        }
        'one: for [k] in row.indices() {
            #[unroll]
            for j in 0..3 {
                if k == j {
                    continue 'one;
                }
                if y == j {
                    break 'one;
                }
                if x == j {
                    break;
                }
                sum += t[[y, x]] * k + j;
            }
            sum += 1;
        }
    }
    (sum, skipped)
}

fn plain_labeled_nests(t: &[i32], h: usize, w: usize) -> (i32, i32) {
    let (mut sum, mut skipped) = (0, 0);
    'all: for i in 0..h * w {
        let (y, x, v) = ((i / w) as i32, (i % w) as i32, t[i]);
        for k in 0..3 {
            if v % 7 == k + 1 {
                skipped += 1;
                continue 'all;
            }
            if v % 31 == k + 1 {
                break 'all;
            }
        }
        'one: for k in 0..3 {
            for j in 0..3 {
                if k == j {
                    continue 'one;
                }
                if y == j {
                    break 'one;
                }
                if x == j {
                    break;
                }
                sum += v * k + j;
            }
            sum += 1;
        }
    }
    (sum, skipped)
}

#[test]
fn jumps_go_where_rust_goes() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 1000);
        for stop in t.iter().copied().chain([-5]) {
            assert_eq!(jumps(&t, h, w, stop), plain_jumps(&t, h, w, stop), "{h}x{w} {stop}");
        }
        assert_eq!(labeled_nests(&t, h, w), plain_labeled_nests(&t, h, w));
    }
}

#[shim::kernel]
fn labels_over_one_axis(t: &[i32], n: usize) -> (i32, i32) {
    // A boundary rule peels the loop: its labels must go on meaning one loop.
    let t = Block::external(t, [n]).boundary(Clamp);
    let (mut sum, mut skipped) = (0, 0);
    'outer: for [x] in t.indices() {
        for k in 0..3 {
            if t[[x + k]] % 5 == 0 {
                skipped += 1;
                continue 'outer;
            }
        }
        sum += t[[x - 1]] + t[[x + 1]];
    }
    'outer: for x in 0..n {
        for k in 0..3 {
            if t[[x + k]] % 5 == 0 {
                skipped += 1;
                continue 'outer;
            }
            if t[[x + k]] % 97 == 0 {
                break 'outer;
            }
        }
        sum += t[[x - 1]] + t[[x + 1]];
    }
    for [x] in t.indices() {
        if t[[x + 1]] % 3 == 0 {
            continue;
        }
        sum += t[[x]];
    }
    (sum, skipped)
}

#[test]
fn labels_survive_peeling() {
    for n in 0..60 {
        let t: Vec<i32> = noise(n, 1000);
        let at = |x: usize| t[x.min(n - 1)];
        let (mut sum, mut skipped) = (0, 0);
        'outer: for x in 0..n {
            for k in 0..3 {
                if at(x + k) % 5 == 0 {
                    skipped += 1;
                    continue 'outer;
                }
            }
            sum += at(x.saturating_sub(1)) + at(x + 1);
        }
        'outer: for x in 0..n {
            for k in 0..3 {
                if at(x + k) % 5 == 0 {
                    skipped += 1;
                    continue 'outer;
                }
                if at(x + k) % 97 == 0 {
                    break 'outer;
                }
            }
            sum += at(x.saturating_sub(1)) + at(x + 1);
        }
        for x in 0..n {
            if at(x + 1) % 3 != 0 {
                sum += at(x);
            }
        }
        assert_eq!(labels_over_one_axis(&t, n), (sum, skipped), "{n}");
    }
}

#[shim::kernel]
fn whiles(t: &mut [i32], n: usize) -> (usize, i32) {
    let t = Block::external(t, [n]);
    let mut i = 0;
    while i < n && t[[i]] != 7 {
        t[[i]] = -1;
        i += 1;
    }
    let mut j = n;
    let found = loop {
        if j == 0 {
            break -1;
        }
        j -= 1;
        if t[[j]] > 5 {
            break t[[j]];
        }
    };
    let mut rest = n;
    while let Some(next) = rest.checked_sub(2) {
        t[[next]] += 1;
        rest = next;
    }
    (i, found)
}

#[test]
fn while_and_loop() {
    for n in 0..9 {
        for seven in 0..=n {
            let mut t: Vec<i32> = (0..n).map(|i| if i == seven { 7 } else { i as i32 % 4 + 3 }).collect();
            let mut want = t.clone();
            let end = seven.min(n);
            want[..end].fill(-1);
            let found = want.iter().rev().find(|&&v| v > 5).copied().unwrap_or(-1);
            let mut rest = n;
            while rest >= 2 {
                rest -= 2;
                want[rest] += 1;
            }
            assert_eq!(whiles(&mut t, n), (end, found));
            assert_eq!(t, want);
        }
    }
}

#[shim::kernel]
fn iterators_of_rust(t: &mut [i32; 6], places: &[usize], weights: &[(usize, i32)]) -> i32 {
    let t = Block::external(t, [6]);
    for &place in places {
        t[[place]] += 1;
    }
    for (i, (place, weight)) in weights.iter().enumerate() {
        t[[*place]] += weight * i as i32;
    }
    for (y, &p) in places.iter().enumerate().filter(|(i, _)| i % 2 == 0) {
        t[[y]] += p as i32;
    }
    places.iter().map(|&place| t[[place]]).sum()
}

#[test]
fn loops_over_anything() {
    let mut t = [0; 6];
    let sum = iterators_of_rust(&mut t, &[1, 1, 5], &[(0, 5), (2, 7), (3, 9)]);
    assert_eq!(t, [1, 2, 12, 18, 0, 1]);
    assert_eq!(sum, 2 + 2 + 1);
    panics_with(|| iterators_of_rust(&mut t, &[6], &[]), &["iterators_of_rust", "[6]"]);
}

// --- what is static -------------------------------------------------------------------------------------------

#[shim::kernel]
fn runtime_condition(t: &[i32; 4], runtime: bool) -> i32 {
    let t = Block::external(t, [4]);
    // No constant, though both arms are.
    let k = if runtime { 1 } else { 0 };
    let j = match runtime {
        true => 3,
        false => 2,
    };
    10 * t[[k]] + t[[j]]
}

#[shim::kernel]
fn shadowed_constants(t: &[i32; 8], n: usize) -> Vec<i32> {
    let t = Block::external(t, [8]);
    let k = 1;
    let mut out = vec![t[[k]]];
    let k = n;
    out.push(t[[k]]);
    {
        let k = 3;
        out.push(t[[k]]);
    }
    out.push(t[[k]]);
    let k = k + 1;
    out.push(t[[k]]);
    for k in 5..7usize {
        out.push(t[[k]]);
    }
    out.push(t[[k]]);
    if let Some(k) = Some(n).filter(|&k| k < 5) {
        out.push(t[[k + 1]]);
    }
    let f = |k: usize| t[[k]];
    out.push(f(7));
    match n {
        k @ 0..3 => out.push(t[[k]]),
        k => out.push(t[[k - 3]]),
    }
    out
}

#[shim::kernel]
fn mutable_values(t: &mut [i32; 16], n: usize) -> i32 {
    let t = Block::external(t, [16]);
    // `mut` is never static, whatever it starts with.
    let mut k = 0;
    for _ in 0..n {
        t[[k]] = 1;
        k += 2;
    }
    let mut stale = 5;
    #[unroll]
    for i in 0..3 {
        t[[stale]] += 10 + i;
        stale += i;
    }
    let mut twice = 1;
    while twice < 8 {
        t[[twice]] += 100;
        twice *= 2;
    }
    let late;
    if n > 3 {
        late = 14;
    } else {
        late = 15;
    }
    t[[late]] = 7;
    let mut changed = 2usize;
    let change = &mut changed;
    *change += 1;
    t[[changed]] += 1000;
    k as i32 + stale
}

#[test]
fn constants_and_variables() {
    let t = [10, 11, 12, 13];
    assert_eq!([runtime_condition(&t, true), runtime_condition(&t, false)], [123, 112]);
    let t: [i32; 8] = std::array::from_fn(|i| i as i32);
    assert_eq!(shadowed_constants(&t, 2), [1, 2, 3, 2, 3, 5, 6, 3, 3, 7, 2]);
    assert_eq!(shadowed_constants(&t, 5), [1, 5, 3, 5, 6, 5, 6, 6, 7, 2]);
    for n in 0..=4 {
        let mut t = [0; 16];
        let mut want = [0; 16];
        for i in 0..n {
            want[2 * i] = 1;
        }
        want[5] += 10 + 11;
        want[6] += 12;
        for i in [1, 2, 4] {
            want[i] += 100;
        }
        want[if n > 3 { 14 } else { 15 }] = 7;
        want[3] += 1000;
        assert_eq!(mutable_values(&mut t, n), 2 * n as i32 + 8);
        assert_eq!(t, want);
    }
    panics_with(|| mutable_values(&mut [0; 16], 9), &["mutable_values", "[16]"]);
}

#[shim::kernel]
fn constants_in_the_body(t: &[i32; 12]) -> [i32; 5] {
    let t = Block::external(t, [H, W]);
    let early = t[[H - 1, W - 1]];
    const H: usize = 3;
    const W: usize = H + 1;
    const TAPS: [i32; 3] = [1, -5, 20];
    const NAME: &str = "name";
    let mut folded = 0;
    #[unroll]
    for k in 0..3 {
        if TAPS[k] > 0 {
            folded += TAPS[k] * t[[0, k]];
        }
    }
    let mut looped = 0;
    for k in 0..TAPS.len() {
        looped += TAPS[k] * t[[1, k]];
    }
    fn helper(v: i32) -> i32 {
        v * OUTSIDE as i32
    }
    [early, folded, looped, helper(t[[2, 0]]), t[[0, OUTSIDE]] + NAME.len() as i32]
}

const OUTSIDE: usize = 2;

#[test]
fn items_are_in_scope_in_the_whole_block() {
    let t: [i32; 12] = std::array::from_fn(|i| i as i32 + 1);
    assert_eq!(constants_in_the_body(&t), [12, 1 + 60, 5 - 30 + 140, 18, 3 + 4]);
}

#[shim::kernel]
fn static_matches(t: &[i32; 25], out: &mut [i32; 25]) {
    let t = Block::external(t, [5, 5]);
    let out = Block::external(out, [5, 5]);
    #[unroll]
    for [y, x] in out.indices() {
        let z = 2 * x - y;
        let kind = match z {
            -4..0 => 0,
            0 | 2 | 4 => 1,
            1 | 3 if y > 1 => 2,
            _ => 3,
        };
        // Only the arm that is taken is staged: others may reach outside.
        out[[y, x]] = match kind {
            0 => t[[y, x]],
            1 => t[[4 - y, x]],
            2 => -t[[y - 2, x]],
            _ => {
                if x + 1 < 5 {
                    t[[y, x + 1]]
                } else {
                    -1
                }
            }
        };
        if y == 0 && x > 0 {
            out[[y, x]] += t[[y, x - 1]];
        } else if x == 0 {
            out[[y, x]] -= -z;
        } else if y == 4 || x == 4 {
            out[[y, x]] *= 2;
        }
    }
}

#[test]
fn static_conditions_are_decided() {
    let t: [i32; 25] = std::array::from_fn(|i| (i * i) as i32);
    let mut out = [0; 25];
    static_matches(&t, &mut out);
    for y in 0..5i32 {
        for x in 0..5i32 {
            let at = |y: i32, x: i32| t[(5 * y + x) as usize];
            let z = 2 * x - y;
            let mut want = match z {
                -4..0 => at(y, x),
                0 | 2 | 4 => at(4 - y, x),
                1 | 3 if y > 1 => -at(y - 2, x),
                _ if x < 4 => at(y, x + 1),
                _ => -1,
            };
            if y == 0 && x > 0 {
                want += at(y, x - 1);
            } else if x == 0 {
                want += z;
            } else if y == 4 || x == 4 {
                want *= 2;
            }
            assert_eq!(out[(5 * y + x) as usize], want, "{y} {x}");
        }
    }
}

#[shim::kernel]
fn dynamic_conditions(t: &[i32], n: usize, mode: Option<u8>) -> Result<i32, String> {
    let t = Block::external(t, [n]);
    let mut sum = 0;
    for [i] in t.indices() {
        let v = t[[i]];
        sum += match (v, i) {
            (0, _) => 1000,
            (v, 0) if v > 50 => v,
            (v, 1) => -v,
            (1..=9, i) => i + t[[i - 1]],
            _ => t[[i]] / 2,
        };
        if let Some(mode @ 1..=3) = mode {
            sum += t[[i]] * i32::from(mode);
        } else if i > 0 && t[[i - 1]] > v {
            sum -= 1;
        }
    }
    let Some(mode) = mode else {
        return Ok(sum);
    };
    let Some(last) = n.checked_sub(1) else { return Err("empty".to_owned()) };
    let checked = t[[last]].checked_add(i32::from(mode)).ok_or("overflow")?;
    Ok(sum + checked)
}

fn plain_dynamic_conditions(t: &[i32], mode: Option<u8>) -> Result<i32, String> {
    let mut sum = 0;
    for (i, &v) in t.iter().enumerate() {
        sum += match (v, i) {
            (0, _) => 1000,
            (v, 0) if v > 50 => v,
            (v, 1) => -v,
            (1..=9, i) => i as i32 + t[i - 1],
            _ => v / 2,
        };
        if let Some(mode @ 1..=3) = mode {
            sum += v * i32::from(mode);
        } else if i > 0 && t[i - 1] > v {
            sum -= 1;
        }
    }
    let Some(mode) = mode else { return Ok(sum) };
    let Some(last) = t.last() else { return Err("empty".to_owned()) };
    Ok(sum + last.checked_add(i32::from(mode)).ok_or("overflow")?)
}

#[test]
fn dynamic_conditions_stay() {
    for n in 0..12 {
        let mut t: Vec<i32> = noise(n, 60);
        if let Some(first) = t.first_mut() {
            *first += 10;
        }
        for mode in [None, Some(0), Some(1), Some(3), Some(9)] {
            assert_eq!(dynamic_conditions(&t, n, mode), plain_dynamic_conditions(&t, mode));
        }
    }
    assert_eq!(dynamic_conditions(&[i32::MAX], 1, Some(9)), Err("overflow".to_owned()));
}

// --- closures -------------------------------------------------------------------------------------------------

#[shim::kernel]
fn closures(t: &mut [i32; 8], n: usize) -> i32 {
    let t = Block::external(t, [8]);
    let read = |i: usize| t[[i]] + 1;
    let first = read(0) + read(n);
    let mut write = |i: usize, v: i32| {
        t[[i]] = v;
        t[[i]] * 2
    };
    let second = write(3, 30) + write(n, 40);
    let mut count = 0;
    let mut visit = |i: i32| {
        count += 1;
        if i < 0 {
            return -1;
        }
        t[[i]]
    };
    let third = visit(-4) + visit(3);
    (0..3).for_each(|i: usize| t[[i]] += 5);
    first + second + third + count
}

#[shim::kernel]
fn closures_with_loops(t: &[i32; 12]) -> i32 {
    let t = Block::external(t, [3, 4]);
    let row_sum = |y: usize| {
        let row = t.slice(0, y);
        let mut sum = 0;
        for [x] in row.indices() {
            if row[[x]] == 0 {
                continue;
            }
            sum += row[[x]];
        }
        sum
    };
    let both = |y: usize| -> i32 {
        row_sum(y) + t.indices().filter(|&[_, x]| x == 0).map(|[y, x]| t[[y, x]]).sum::<i32>()
    };
    both(0) * 1000 + both(2)
}

#[test]
fn closures_use_tensors() {
    let mut t = [1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(closures(&mut t, 6), (2 + 8) + (60 + 80) + (30 - 1) + 2);
    assert_eq!(t, [6, 7, 8, 30, 5, 6, 40, 8]);
    panics_with(|| closures(&mut [0; 8], 8), &["closures", "[8]"]);
    let t: [i32; 12] = std::array::from_fn(|i| i as i32);
    assert_eq!(closures_with_loops(&t), (6 + 12) * 1000 + 38 + 12);
}

// --- leaving early --------------------------------------------------------------------------------------------

#[shim::kernel]
fn early_return(t: &mut [i32], n: usize, stop: i32) -> Option<usize> {
    let t = Block::external(t, [n]);
    for i in 0..n {
        if t[[i]] == stop {
            return Some(i);
        }
        t[[i]] = 0;
    }
    None
}

#[shim::kernel]
fn question_mark(t: &mut [i32; 4], texts: &[&str]) -> Result<i32, std::num::ParseIntError> {
    let t = Block::external(t, [4]);
    for (i, text) in texts.iter().enumerate() {
        t[[i]] = text.trim().parse()?;
    }
    Ok(t.indices().map(|[i]| t[[i]]).sum::<i32>())
}

#[test]
fn leaving_early_keeps_what_was_done() {
    let mut t = [1, 2, 3, 4];
    assert_eq!(early_return(&mut t, 4, 3), Some(2));
    assert_eq!(t, [0, 0, 3, 4]);
    assert_eq!(early_return(&mut t, 4, 9), None);
    // The block is as long as it says; what is returned before is no error.
    let mut t = [0; 4];
    assert!(question_mark(&mut t, &["1", " 2", "x", "4", "5"]).is_err());
    assert_eq!(t, [1, 2, 0, 0]);
    assert_eq!(question_mark(&mut t, &["1", "2", "3", "4"]), Ok(10));
    panics_with(|| question_mark(&mut t, &["7"; 5]), &["question_mark", "[4]"]);
    assert_eq!(t, [7; 4]);
}

// --- values ---------------------------------------------------------------------------------------------------

#[shim::kernel]
fn after_a_loop(t: &mut [i32; 9], n: usize) -> (i32, usize, i32) {
    let t = Block::external(t, [3, 3]);
    let mut last = 0;
    let mut at = 0;
    for [y, x] in t.indices() {
        last = t[[y, x]];
        at += (y * x) as usize;
    }
    // Names of a loop end with it; these are the kernel's own again.
    let y = 1;
    let x = n;
    let corner = t[[y, x]];
    for y in 0..2 {
        t[[y, x]] = -1;
    }
    t[[y, x]] = -corner;
    (last, at, corner)
}

#[shim::kernel]
fn unary_minus(t: &[i32; 5], a: i32) -> Vec<i32> {
    let t = Block::external(t, [5]);
    let middle = t[[2..3]];
    let mut out = Vec::new();
    for i in -2..=2 {
        out.push(-middle[[-i]]);
    }
    out.push(middle[[-a]]);
    out.push(middle[[-(a - 1)]]);
    out.push(-a + -t[[-(-a)]]);
    const K: i32 = -1;
    out.push(middle[[-K]]);
    out
}

#[shim::kernel]
fn loop_variables_as_values(n: usize) -> (Vec<i32>, Vec<f32>, Vec<u8>, i64) {
    let t = Block::heap::<u8>([n, n]);
    let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
    let mut long = 0i64;
    let table = [1u8; 64];
    for [y, x] in t.indices() {
        a.push(y * 10 - x);
        b.push(y as f32 * 0.5 + x as f32);
        c.push(table[(y * n as i32 + x) as usize] + y as u8);
        long += i64::from(x) << 33;
        let moved = y + 1;
        a.push(moved.pow(2).min(moved + x));
    }
    (a, b, c, long)
}

#[test]
fn variables_are_what_rust_says() {
    let mut t = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    assert_eq!(after_a_loop(&mut t, 2), (9, 9, 6));
    assert_eq!(t, [1, 2, -1, 4, 5, -6, 7, 8, 9]);
    assert_eq!(unary_minus(&[10, 11, 12, 13, 14], 2), [-14, -13, -12, -11, -10, 10, 11, -2 - 12, 13]);
    for n in 0..5 {
        let (mut a, mut b, mut c, mut long) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for y in 0..n as i32 {
            for x in 0..n as i32 {
                a.extend([y * 10 - x, (y + 1).pow(2).min(y + 1 + x)]);
                b.push(f32::from(y as i16) * 0.5 + f32::from(x as i16));
                c.push(1 + y as u8);
                long += i64::from(x) << 33;
            }
        }
        assert_eq!(loop_variables_as_values(n), (a, b, c, long));
    }
}

#[shim::kernel]
fn macros(t: &[i32; 4], n: usize) -> (String, Vec<i32>, bool) {
    let t = Block::external(t, [2, 2]);
    assert!(t[[0, 0]] > 0, "first is {}", t[[0, 0]]);
    assert_eq!(t[[0, 1]], 2, "second at {n}");
    debug_assert_ne!(t[[1, 1]], 0);
    let mut text = String::new();
    for [y, x] in t.indices() {
        text += &format!("{y}{x}={} ", t[[y, x]]);
    }
    #[unroll]
    for k in 0..2 {
        text += &format!("{k:>2}{0:03} {w}", t[[k, k]], w = t[[0, k]] + k);
    }
    let list = vec![t[[0, 0]]; n];
    let hit = matches!(t[[1, 0]], 3 | 4 if n > 1);
    (text, list, hit)
}

#[test]
fn macros_of_std_take_elements() {
    let want = "00=1 01=2 10=3 11=4  0001 1 1004 3".to_owned();
    assert_eq!(macros(&[1, 2, 3, 4], 2), (want, vec![1, 1], true));
    panics_with(|| macros(&[0, 2, 3, 4], 2), &["first is 0"]);
    panics_with(|| macros(&[1, 3, 3, 4], 2), &["second at 2"]);
}

#[shim::kernel]
fn to_the_last(t: &[i32; 300]) -> [i32; 6] {
    let t = Block::external(t, [300]);
    let mut sums = [0; 6];
    for i in 3..=8 {
        sums[0] += t[[i]];
    }
    for i in (-8..=8isize).rev().step_by(3) {
        sums[1] = sums[1] * 2 + t[[i + 8]];
    }
    for i in 250..=255u8 {
        sums[2] += t[[i]] + i32::from(i);
    }
    for i in 125..=127i8 {
        sums[3] += t[[i]] + i32::from(i);
    }
    for i in (1..=9).step_by(4) {
        sums[4] += t[[i]];
    }
    for i in 4..=3usize {
        sums[5] += t[[i]];
    }
    sums
}

#[test]
fn inclusive_ranges_end_where_they_say() {
    let t: [i32; 300] = std::array::from_fn(|i| i as i32);
    let backwards = (-8..=8).rev().step_by(3).fold(0, |sum, i| sum * 2 + i + 8);
    let bytes = 2 * (250..=255).sum::<i32>();
    assert_eq!(
        to_the_last(&t),
        [3 + 4 + 5 + 6 + 7 + 8, backwards, bytes, 2 * (125 + 126 + 127), 1 + 5 + 9, 0]
    );
}

#[shim::kernel]
fn chosen_by_match(a: &[i32; 6], b: &[i32; 6]) -> [i32; 8] {
    let a = Block::external(a, [2, 3]);
    let b = Block::external(b, [2, 3]);
    let mut out = [0; 8];
    #[unroll]
    for k in 0..8 {
        let t = match k {
            0 => a,
            1 | 2 => b.permute([1, 0]),
            n @ 3..=4 => a[[.., n - 3..]],
            n if n % 2 == 1 => {
                if n == 5 {
                    b.slice(0, 1)
                } else {
                    b.slice(0, 0)
                }
            }
            _ => a.slice(0, 1),
        };
        out[k] = t[[1]];
    }
    out
}

#[test]
fn a_static_match_chooses_a_tensor() {
    let (a, b) = ([1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]);
    assert_eq!(chosen_by_match(&a, &b), [2, 40, 40, 2, 3, 50, 5, 20]);
}
