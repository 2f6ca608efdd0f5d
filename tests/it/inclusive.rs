//! Inclusive ranges: the values, types and order of std's, up to the ends of the types.

use shim::prelude::*;

/// Loops and chains over `first..=last` of one type, with as many values as memory has elements at most.
macro_rules! forms {
    ($($int:ident $unsigned:ident)*) => {$(
        mod $int {
            use shim::prelude::*;

            #[shim::kernel]
            fn values(first: $int, last: $int, found: &mut [$int]) -> usize {
                let seen = Block::external(found, [found.len()]).list();
                for k in first..=last {
                    seen.push(k);
                }
                for k in (first..=last).rev() {
                    seen.push(k);
                }
                for k in (first..=last).step_by(3) {
                    seen.push(k);
                }
                for k in (first..=last).rev().step_by(2) {
                    seen.push(k);
                }
                seen.len()
            }

            #[shim::kernel]
            fn chains(first: $int, last: $int, t: &[i32]) -> (i32, usize, bool, Option<i32>, Option<$int>) {
                let t = Block::external(t, [t.len()]);
                let sum = (first..=last).map(|k| t[[k.wrapping_sub(first) as $unsigned]]).sum::<i32>();
                let count = (first..=last).filter(|&k| t[[k.wrapping_sub(first) as $unsigned]] > 20).count();
                let any = (first..=last).any(|k| t[[k.wrapping_sub(first) as $unsigned]] == 7);
                let most = (first..=last).map(|k| t[[k.wrapping_sub(first) as $unsigned]]).max();
                let late = (first..=last).rev().filter(|&k| t[[k.wrapping_sub(first) as $unsigned]] > 20).max();
                (sum, count, any, most, late)
            }

            #[shim::kernel]
            fn words(first: $int, last: $int, t: &mut [i32]) {
                let t = Block::external(t, [t.len()]);
                #[unroll(4)]
                for k in first..=last {
                    t[[k - first]] += 1;
                }
                #[tile([8], peel)]
                #[lanes(4)]
                for k in first..=last {
                    t[[k - first]] *= 3;
                }
            }

            /// A loop that leaves in the middle, with labels.
            #[shim::kernel]
            fn jumps(first: $int, last: $int, t: &[i32]) -> i32 {
                let t = Block::external(t, [t.len()]);
                let mut sum = 0;
                'outer: for k in first..=last {
                    for l in first..=k {
                        let value = t[[l.wrapping_sub(first) as $unsigned]];
                        if value == 7 {
                            break 'outer;
                        }
                        if value % 5 == 0 {
                            continue;
                        }
                        if value % 11 == 0 {
                            continue 'outer;
                        }
                        sum += value;
                    }
                }
                sum
            }

            #[test]
            fn as_std() {
                let t: Vec<i32> = (0..20).map(|i| (i * 13 + 4) % 37).collect();
                let near = [<$int>::MIN, <$int>::MIN + 1, 0, 5, <$int>::MAX / 2, <$int>::MAX - 8, <$int>::MAX];
                for first in near {
                    for length in 0..12 {
                        let last = first.saturating_add(length);
                        let all = [(first, last), (last, first)];
                        for (first, last) in all {
                            let range = first..=last;
                            let mut found = [0; 60];
                            let count = values(first, last, &mut found);
                            let expected: Vec<$int> = range
                                .clone()
                                .chain(range.clone().rev())
                                .chain(range.clone().step_by(3))
                                .chain(range.clone().rev().step_by(2))
                                .collect();
                            assert_eq!(found[..count], expected, "{range:?}");

                            let at = |k: $int| t[k.wrapping_sub(first) as usize];
                            let expected = (
                                range.clone().map(at).sum::<i32>(),
                                range.clone().filter(|&k| at(k) > 20).count(),
                                range.clone().any(|k| at(k) == 7),
                                range.clone().map(at).max(),
                                range.clone().filter(|&k| at(k) > 20).max(),
                            );
                            assert_eq!(chains(first, last, &t), expected, "{range:?}");

                            // Words count in `isize`.
                            if i64::try_from(first.max(last)).is_ok() {
                            let mut changed = t.clone();
                            words(first, last, &mut changed);
                            for k in range.clone() {
                                assert_eq!(changed[k.wrapping_sub(first) as usize], 3 * (at(k) + 1), "{range:?}");
                            }
                            let rest = range.clone().count();
                            assert_eq!(changed[rest..], t[rest..], "{range:?}");

                            }
                            let mut sum = 0;
                            'outer: for k in range.clone() {
                                for l in first..=k {
                                    let value = at(l);
                                    if value == 7 {
                                        break 'outer;
                                    }
                                    if value % 5 == 0 {
                                        continue;
                                    }
                                    if value % 11 == 0 {
                                        continue 'outer;
                                    }
                                    sum += value;
                                }
                            }
                            assert_eq!(jumps(first, last, &t), sum, "{range:?}");
                        }
                    }
                }
            }
        }
    )*};
}

forms! { i8 u8 u8 u8 i16 u16 u16 u16 i32 u32 u32 u32 i64 u64 u64 u64 isize usize usize usize }

/// All values of a byte.
#[shim::kernel]
fn histogram(bytes: &[u8]) -> [u32; 256] {
    let bytes = Block::external(bytes, [bytes.len()]);
    let counts = Block::stack::<u32>([256]);
    for [i] in bytes.indices() {
        counts[[bytes[[i]]]] += 1;
    }
    let mut all = [0; 256];
    let mut seen = 0;
    for value in 0..=u8::MAX {
        all[value as usize] = counts[[value]];
        seen += 1;
    }
    assert_eq!(seen, 256);
    all
}

/// Letters are no numbers, and std's ranges have them.
#[shim::kernel]
fn letters(first: char, last: char, t: &mut [u32; 4]) {
    let t = Block::external(t, [4]);
    let mut at = 0;
    for letter in first..=last {
        t[[at]] = u32::from(letter);
        at += 1;
    }
}

/// A border is clamped in the loops over an image, by the last index as by the extent.
#[shim::kernel]
fn blurred(from: &[i32], to: &mut [i32], h: usize, w: usize) {
    let from = Block::external(from, [h, w]).boundary(Clamp);
    let to = Block::external(to, [h, w]);
    for y in 0..=h - 1 {
        for x in 0..=w - 1 {
            to[[y, x]] = from[[y - 1, x]] + from[[y, x - 1]] + from[[y, x + 1]] + from[[y + 1, x]];
        }
    }
}

/// A triangle by its natural bounds.
#[shim::kernel]
fn triangles(t: &mut [i32], n: usize, band: usize) {
    let t = Block::external(t, [n, n]);
    for i in 0..n {
        for j in 0..=i {
            t[[i, j]] += 1;
        }
        for j in i + 1..n {
            t[[i, j]] += 10;
        }
        for j in (i..=n - 1).rev() {
            t[[i, j]] += 100;
        }
        for j in i.saturating_sub(band)..(i + 3).min(n) {
            t[[i, j]] += 1000;
        }
        for j in 0..n - i {
            t[[i, j]] += 10000;
        }
    }
}

#[test]
fn every_value_of_a_byte() {
    let bytes: Vec<u8> = (0..1000_u32).map(|i| (i * i % 251) as u8).chain([255, 255, 0]).collect();
    let mut expected = [0; 256];
    for byte in &bytes {
        expected[usize::from(*byte)] += 1;
    }
    assert_eq!(histogram(&bytes), expected);
}

#[test]
fn letters_in_their_order() {
    let mut t = [0; 4];
    letters('\u{d7fe}', '\u{e001}', &mut t);
    assert_eq!(t, [0xd7fe, 0xd7ff, 0xe000, 0xe001]);
}

#[test]
fn borders_and_triangles() {
    for (h, w) in [(1, 1), (1, 7), (5, 1), (3, 40), (33, 70)] {
        let from: Vec<i32> = (0..h * w).map(|i| (i * 7 % 101) as i32).collect();
        let mut to = vec![0; h * w];
        blurred(&from, &mut to, h, w);
        for y in 0..h {
            for x in 0..w {
                let at = |y: usize, x: usize| from[y.min(h - 1) * w + x.min(w - 1)];
                let expected =
                    at(y.saturating_sub(1), x) + at(y, x.saturating_sub(1)) + at(y, x + 1) + at(y + 1, x);
                assert_eq!(to[y * w + x], expected, "{h} x {w}: {y}, {x}");
            }
        }
    }
    for n in [0, 1, 2, 9] {
        for band in [0, 2, 20] {
            let mut t = vec![0; n * n];
            triangles(&mut t, n, band);
            for i in 0..n {
                for j in 0..n {
                    let mut expected = if j <= i { 1 } else { 10 };
                    expected += if j >= i { 100 } else { 0 };
                    expected += if j + band >= i && j < i + 3 { 1000 } else { 0 };
                    expected += if j < n - i { 10000 } else { 0 };
                    assert_eq!(t[i * n + j], expected, "{n}: {i}, {j}");
                }
            }
        }
    }
}

/// A loop in steps of one is split like one without steps.
#[shim::kernel]
fn steps_of_one(#[shape(n)] from: &[i32], #[shape(n)] to: &mut [i32], n: usize) {
    let near = from.boundary(Clamp);
    for x in (0..n).step_by(1) {
        to[[x]] = near[[x - 1]];
    }
    for x in (0..=n - 1).step_by(1) {
        to[[x]] += 3 * near[[x + 1]];
    }
}

#[test]
fn loops_in_steps_of_one() {
    let from: Vec<i32> = (0..70).map(|i| i * i).collect();
    let mut to = vec![0; 70];
    steps_of_one(&from, &mut to, 70);
    for x in 0..70_usize {
        assert_eq!(to[x], from[x.saturating_sub(1)] + 3 * from[(x + 1).min(69)]);
    }
}
