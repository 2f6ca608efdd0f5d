//! The predictors against the standard's clauses in other words.

use super::luma_16x16::{intra_16x16_by_sad, intra_16x16_candidates};
use super::{Available, available_to_blocks, chroma, luma_4x4, luma_16x16};
use crate::kernels::blocks::Intra4x4Buffer;
use crate::kernels::macroblock_at;
use crate::kernels::testing::{Random, Window, predict_4x4, sad, satd, with_chroma, with_luma};

/// Rows and columns of the planes.
const SIZE: [usize; 2] = [48, 64];

fn every_availability() -> impl Iterator<Item = Available> {
    (0..16).map(|bits: u8| Available {
        a: bits & 1 != 0,
        b: bits & 2 != 0,
        c: bits & 4 != 0,
        d: bits & 8 != 0,
    })
}

/// Planes of noise, of extremes, and smooth ones.
fn planes() -> Vec<Vec<u8>> {
    let mut random = Random::new(3);
    let len = SIZE[0] * SIZE[1];
    vec![
        (0..len).map(|_| random.byte()).collect(),
        (0..len).map(|_| if random.bits() & 1 == 0 { 0 } else { 255 }).collect(),
        (0..len).map(|i| (3 * (i / SIZE[1]) + 2 * (i % SIZE[1])) as u8).collect(),
        vec![255; len],
    ]
}

/// Whether the neighbors that are said to be available lie in the plane.
fn possible([r, c]: [usize; 2], block: usize, available: Available) -> bool {
    (!available.a || c > 0)
        && (!available.b || r > 0)
        && (!available.c || r > 0 && c + 2 * block <= SIZE[1])
        && (!available.d || r > 0 && c > 0)
}

/// The sample y rows and x columns away from a place.
fn sample(plane: &[u8], [r, c]: [usize; 2], y: isize, x: isize) -> i32 {
    i32::from(plane[r.wrapping_add_signed(y) * SIZE[1] + c.wrapping_add_signed(x)])
}

fn mean(samples: &[i32]) -> i32 {
    let n = samples.len() as i32;
    (samples.iter().sum::<i32>() + n / 2) / n
}

/// The nine modes in terms of the samples around the block in a row, from the lowest one on the left (-4) by way of the
/// corner (0) to the last above (8).
fn expected_4x4(plane: &[u8], at: [usize; 2], mode: usize, available: Available) -> [u8; 16] {
    let q = |i: isize| match i {
        ..0 => sample(plane, at, -1 - i, -1),
        0 => sample(plane, at, -1, -1),
        1..5 => sample(plane, at, -1, i - 1),
        // The edge goes on as its last sample.
        _ => sample(plane, at, -1, if available.c { (i - 1).min(7) } else { 3 }),
    };
    let two = |i: isize| (q(i) + q(i + 1) + 1) / 2;
    let three = |i: isize| (q(i - 1) + 2 * q(i) + q(i + 1) + 2) / 4;
    // Down the left side, which goes on as its last sample.
    let left = |i: isize| q(-1 - i.min(3));
    std::array::from_fn(|k| {
        let (y, x) = ((k / 4) as isize, (k % 4) as isize);
        let value = match mode {
            0 => q(1 + x),
            1 => q(-1 - y),
            2 => {
                let mut around = Vec::new();
                if available.a {
                    around.extend((-4..0).map(q));
                }
                if available.b {
                    around.extend((1..5).map(q));
                }
                if around.is_empty() { 128 } else { mean(&around) }
            }
            3 => three(x + y + 2),
            4 => three(x - y),
            5 if 2 * x - y < -1 => three(-y + 1 + 2 * x),
            5 if y % 2 == 0 => two(x - y / 2),
            5 => three(x - y / 2),
            6 if 2 * y - x < -1 => three(x - 1 - 2 * y),
            6 if x % 2 == 0 => two(-(y - x / 2) - 1),
            6 => three(-(y - x / 2)),
            7 if y % 2 == 0 => two(x + y / 2 + 1),
            7 => three(x + y / 2 + 2),
            _ if x % 2 == 0 => (left(y + x / 2) + left(y + x / 2 + 1) + 1) / 2,
            _ => (left(y + x / 2) + 2 * left(y + x / 2 + 1) + left(y + x / 2 + 2) + 2) / 4,
        };
        u8::try_from(value).unwrap()
    })
}

type Metric = fn(Window<'_>, Window<'_>, [usize; 2]) -> u32;

fn difference(metric: Metric, cur: &[u8], at: [usize; 2], pred: &[u8], n: usize) -> u32 {
    let pred = Window { plane: pred, size: [n, n], at: [0, 0] };
    metric(Window { plane: cur, size: SIZE, at }, pred, [n, n])
}

#[test]
fn every_mode_of_4x4() {
    let mut pred = [0; 512];
    for recon in &planes() {
        for available in every_availability() {
            for r in (0..SIZE[0]).step_by(4) {
                for c in (0..SIZE[1]).step_by(4) {
                    let at = [r, c];
                    if !possible(at, 4, available) {
                        continue;
                    }
                    let luma = Intra4x4Buffer::within(recon, recon, SIZE, [r / 16 * 16, c / 16 * 16]);
                    // As the first of two blocks, and as the second.
                    let (b, block) = ((r + c) / 4 % 2, [r / 4 % 4, c / 4 % 4]);
                    predict_4x4(&luma, [block; 2], [available; 2], &mut pred);
                    for mode in 0..16 {
                        let allowed = match mode {
                            0 | 3 | 7 => available.b,
                            1 | 8 => available.a,
                            4..=6 => available.a && available.b && available.d,
                            mode => mode == 2,
                        };
                        assert_eq!(luma_4x4::allowed(mode, available), allowed);
                        if !allowed {
                            continue;
                        }
                        let expected = expected_4x4(recon, at, mode, available);
                        let of_lane = std::array::from_fn(|k| pred[32 * k + 16 * b + mode]);
                        assert_eq!(expected, of_lane, "mode {mode} at {at:?} beside {available:?}");
                    }
                }
            }
        }
    }
}

/// `Intra_16x16` for an `n` of 16 and chroma for one of 8, in the order vertical, horizontal, DC, plane.
fn expected_block(plane: &[u8], at: [usize; 2], mode: usize, available: Available, n: usize) -> Vec<u8> {
    let m = n as isize;
    let above = |x: isize| sample(plane, at, -1, x);
    let left = |y: isize| sample(plane, at, y, -1);
    let dc = |y: isize, x: isize| {
        let (ys, xs) = if n == 16 { (0..16, 0..16) } else { (y & 4..(y & 4) + 4, x & 4..(x & 4) + 4) };
        let mut around = Vec::new();
        // Of chroma the two blocks off the diagonal have one side, if they can.
        let corner = n == 16 || (y < 4) == (x < 4);
        if available.b && (corner || y < 4 || !available.a) {
            around.extend(xs.map(above));
        }
        if available.a && (corner || x < 4 || !available.b) {
            around.extend(ys.map(left));
        }
        if around.is_empty() { 128 } else { mean(&around) }
    };
    let slope = |side: &dyn Fn(isize) -> i32| {
        let sum: i32 = (1..=m / 2).map(|i| i as i32 * (side(m / 2 - 1 + i) - side(m / 2 - 1 - i))).sum();
        if n == 16 { (5 * sum + 32) >> 6 } else { (34 * sum + 32) >> 6 }
    };
    (0..m * m)
        .map(|k| {
            let (y, x) = (k / m, k % m);
            let value = match mode {
                0 => above(x),
                1 => left(y),
                2 => dc(y, x),
                _ => {
                    let (b, c) = (slope(&above), slope(&left));
                    let from = |i: isize| (i - (m / 2 - 1)) as i32;
                    let a = 16 * (left(m - 1) + above(m - 1));
                    ((a + b * from(x) + c * from(y) + 16) >> 5).clamp(0, 255)
                }
            };
            u8::try_from(value).unwrap()
        })
        .collect()
}

#[test]
fn every_mode_of_16x16() {
    let planes = planes();
    let cur = &planes[0];
    let mut candidates = luma_16x16::Candidates::default();
    let source = with_luma(SIZE, cur).samples;
    let source = &source.view();
    for recon in &planes {
        let mut picture = with_luma(SIZE, recon);
        let picture = &picture.rows(0..SIZE[0] / 16);
        for available in every_availability() {
            for r in (0..SIZE[0]).step_by(16) {
                for c in (0..SIZE[1]).step_by(16) {
                    let at = [r, c];
                    if !possible(at, 16, available) {
                        continue;
                    }
                    let place = macroblock_at(at.map(|n| n / 16));
                    for by_sad in [false, true] {
                        let kernel = if by_sad { intra_16x16_by_sad } else { intra_16x16_candidates };
                        kernel(source, picture, place, available, &mut candidates);
                        for mode in 0..4 {
                            if !luma_16x16::allowed(mode, available) {
                                assert_eq!(candidates.cost[mode], u32::MAX);
                                continue;
                            }
                            let expected = expected_block(recon, at, mode, available, 16);
                            let pred = &candidates.pred[256 * mode..][..256];
                            assert_eq!(pred, expected, "mode {mode} at {at:?} beside {available:?}");
                            let metric = if by_sad { sad } else { satd };
                            assert_eq!(candidates.cost[mode], difference(metric, cur, at, &expected, 16));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_mode_of_chroma() {
    let planes = planes();
    let cur = &planes[0];
    let mut candidates = chroma::Candidates::default();
    let source = with_chroma(SIZE, [cur, &planes[1]]).samples;
    let source = &source.view();
    for recon in &planes {
        let both = [&recon[..], &planes[2]];
        let mut picture = with_chroma(SIZE, both);
        let picture = &picture.rows(0..SIZE[0] / 8);
        for available in every_availability() {
            for r in (0..SIZE[0]).step_by(8) {
                for c in (0..SIZE[1]).step_by(8) {
                    let at = [r, c];
                    if !possible(at, 8, available) {
                        continue;
                    }
                    let place = macroblock_at(at.map(|n| n / 8));
                    chroma::intra_chroma_candidates(source, picture, place, available, &mut candidates);
                    for mode in 0..4 {
                        if !chroma::allowed(mode, available) {
                            assert_eq!(candidates.satd[mode], u32::MAX);
                            continue;
                        }
                        let mut cost = 0;
                        for (component, (cur, recon)) in [cur, &planes[1]].into_iter().zip(both).enumerate() {
                            let expected = expected_block(recon, at, [2, 1, 0, 3][mode], available, 8);
                            let pred = &candidates.pred[128 * mode + 64 * component..][..64];
                            assert_eq!(pred, expected, "mode {mode} at {at:?} beside {available:?}");
                            cost += difference(satd, cur, at, &expected, 8);
                        }
                        assert_eq!(candidates.satd[mode], cost);
                    }
                }
            }
        }
    }
}

#[test]
fn blocks_are_available_once_they_are_decoded() {
    // luma4x4BlkIdx of the block at (x, y) in samples (6.4.3).
    let index = |x: isize, y: isize| {
        let [x, y] = [x as usize / 4, y as usize / 4];
        8 * (y / 2) + 4 * (x / 2) + 2 * (y % 2) + x % 2
    };
    for macroblock in every_availability() {
        for y in 0..4 {
            for x in 0..4 {
                let (left, top) = (4 * x as isize, 4 * y as isize);
                // Table 6-3 for the location of the neighbor.
                let available = |xn: isize, yn: isize| match (xn, yn) {
                    (..0, ..0) => macroblock.d,
                    (..0, _) => macroblock.a,
                    (0..16, ..0) => macroblock.b,
                    (_, ..0) => macroblock.c,
                    (0..16, _) => index(xn, yn) < index(left, top),
                    _ => false,
                };
                let expected = Available {
                    a: available(left - 1, top),
                    b: available(left, top - 1),
                    c: available(left + 4, top - 1),
                    d: available(left - 1, top - 1),
                };
                assert_eq!(available_to_blocks(macroblock)[y][x], expected, "({y}, {x}) in {macroblock:?}");
            }
        }
    }
}
