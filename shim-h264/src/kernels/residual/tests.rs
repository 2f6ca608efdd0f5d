//! The residual's way there and back, against matrices and clause 8.5 step by step.

use super::Residual;
use super::candidates::{ModeResults, Modes, choose, code_candidates};
use super::chroma::{code_chroma, reconstruct_chroma};
use super::luma::{code_luma, code_luma_16x16, reconstruct_luma, reconstruct_luma_16x16};
use super::rate::rate_16x16;
use crate::kernels::blocks::Intra4x4Buffer;
use crate::kernels::intra::luma_4x4::allowed_modes;
use crate::kernels::intra::{Available, available_to_blocks};
use crate::kernels::macroblock_at;
use crate::kernels::quantize::{Quantizer, chroma_qp};
use crate::kernels::testing::{Random, predict_4x4, with_chroma, with_luma};

const SIZE: [usize; 2] = [32, 48];

type Matrix = [[i32; 4]; 4];

const FORWARD: Matrix = [[1, 1, 1, 1], [2, 1, -1, -2], [1, -1, -1, 1], [1, -2, 2, -1]];
const HADAMARD: Matrix = [[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, -1, 1], [1, -1, 1, -1]];
/// The zig-zag scan, (column, row) for each index (Table 8-13).
const ZIGZAG: [(usize, usize); 16] = [
    (0, 0),
    (1, 0),
    (0, 1),
    (0, 2),
    (1, 1),
    (2, 0),
    (3, 0),
    (2, 1),
    (1, 2),
    (0, 3),
    (1, 3),
    (2, 2),
    (3, 1),
    (3, 2),
    (2, 3),
    (3, 3),
];

fn product<const N: usize>(a: &[[i32; N]; N], b: &[[i32; N]; N]) -> [[i32; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transposed(a: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

fn class(i: usize, j: usize) -> usize {
    match (i % 2, j % 2) {
        (0, 0) => 0,
        (1, 1) => 1,
        _ => 2,
    }
}

/// `LevelScale4x4(m, i, j)` with flat matrices (8-313).
fn level_scale(m: u8, i: usize, j: usize) -> i32 {
    let v = [[10, 16, 13], [11, 18, 14], [13, 20, 16], [14, 23, 18], [16, 25, 20], [18, 29, 23]];
    16 * v[usize::from(m)][class(i, j)]
}

fn factor(qp: u8, i: usize, j: usize) -> i32 {
    let mf = [
        [13_107, 5243, 8066],
        [11_916, 4660, 7490],
        [10_082, 4194, 6554],
        [9362, 3647, 5825],
        [8192, 3355, 5243],
        [7282, 2893, 4559],
    ];
    mf[usize::from(qp % 6)][class(i, j)]
}

/// The level of a DC coefficient that the Hadamard transform has made twice as large.
fn dc_level(c: i32, mf: i32, qp: u8, divisor: i64) -> i32 {
    let qbits = 15 + u32::from(qp / 6);
    let f = (1_i64 << qbits) / divisor;
    let magnitude = (i64::from(c.abs()) * i64::from(mf) + (f << 1)) >> (qbits + 1);
    // What CAVLC can code in all profiles.
    c.signum() * magnitude.min(2063) as i32
}

/// Whether a level is that of a coefficient: the factors of 16 bits are rounded, which matters next to where a level
/// changes.
fn is_level(level: i16, c: i32, mf: i32, qp: u8, divisor: u32) -> bool {
    let exact =
        f64::from(c.abs()) * f64::from(mf) / f64::from(1_u32 << (15 + qp / 6)) + 1.0 / f64::from(divisor);
    let off = 0.06 + 0.006 * exact;
    let magnitude = f64::from(level.abs());
    (exact - off).floor() <= magnitude && magnitude <= (exact + off).floor() && i32::from(level) * c >= 0
}

/// The scaling and transformation of residual 4x4 blocks (8.5.12), `c` with its DC already scaled if it says so.
fn inverse(c: &Matrix, qp: u8, dc_is_scaled: bool) -> Matrix {
    let (period, m) = (u32::from(qp / 6), qp % 6);
    let mut d: Matrix = std::array::from_fn(|i| {
        std::array::from_fn(|j| match (i, j) {
            (0, 0) if dc_is_scaled => c[0][0],
            _ if qp >= 24 => (c[i][j] * level_scale(m, i, j)) << (period - 4),
            _ => (c[i][j] * level_scale(m, i, j) + (1 << (3 - period))) >> (4 - period),
        })
    });
    let line = |d: [i32; 4]| {
        let e = [d[0] + d[2], d[0] - d[2], (d[1] >> 1) - d[3], d[1] + (d[3] >> 1)];
        [e[0] + e[3], e[1] + e[2], e[1] - e[2], e[0] - e[3]]
    };
    d = d.map(line);
    d = transposed(&transposed(&d).map(line));
    d.map(|row| row.map(|h| (h + 32) >> 6))
}

/// The DC coefficients of an `Intra_16x16` macroblock (8.5.10).
fn inverse_luma_dc(c: &Matrix, qp: u8) -> Matrix {
    let f = product(&product(&HADAMARD, c), &HADAMARD);
    let (period, scale) = (u32::from(qp / 6), level_scale(qp % 6, 0, 0));
    f.map(|row| {
        row.map(|f| {
            if qp >= 36 {
                (f * scale) << (period - 6)
            } else {
                (f * scale + (1 << (5 - period))) >> (6 - period)
            }
        })
    })
}

fn from_zigzag(levels: impl Fn(usize) -> i16) -> Matrix {
    let mut c = [[0; 4]; 4];
    for (k, &(x, y)) in ZIGZAG.iter().enumerate() {
        c[y][x] = i32::from(levels(k));
    }
    c
}

/// A plane and a prediction that differ as they like, a little, and as much as they can.
fn contents(random: &mut Random, round: i32) -> (Vec<u8>, [u8; 256]) {
    let plane: Vec<u8> = (0..SIZE[0] * SIZE[1])
        .map(|_| if round % 3 == 2 { 255 * (random.bits() & 1) as u8 } else { random.byte() })
        .collect();
    let pred = std::array::from_fn(|i| {
        let here = plane[(16 + i / 16) * SIZE[1] + 16 + i % 16];
        match round % 3 {
            0 => random.byte(),
            1 => (i32::from(here) + random.within(-9, 9)).clamp(0, 255) as u8,
            _ => 255 - here,
        }
    });
    (plane, pred)
}

fn nonzero(levels: impl Fn(usize) -> i16, from: usize) -> u16 {
    (from..16).map(|k| u16::from(levels(k) != 0) << k).sum()
}

/// The residual of the block at (r, c) of a plane and a prediction w wide.
fn difference(plane: &[u8], at: [usize; 2], pred: &[u8], w: usize, [r, c]: [usize; 2]) -> Matrix {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            i32::from(plane[(at[0] + r + i) * SIZE[1] + at[1] + c + j]) - i32::from(pred[(r + i) * w + c + j])
        })
    })
}

fn forward(d: &Matrix) -> Matrix {
    product(&product(&FORWARD, d), &transposed(&FORWARD))
}

fn clip(v: i32) -> u8 {
    v.clamp(0, 255) as u8
}

#[test]
fn luma_of_macroblocks() {
    let mut random = Random::new(4);
    for round in 0..6 * 52 {
        let (qp, divisor) = ((round / 6) as u8, if round % 2 == 0 { 3 } else { 6 });
        let (plane, pred) = contents(&mut random, round);
        let quantizer = Quantizer::new(qp, divisor);
        let (source, at) = (with_luma(SIZE, &plane).samples, macroblock_at([1, 1]));
        for intra_16x16 in [false, true] {
            let mut residual = Residual::default();
            let mut recon = [0; 256];
            if intra_16x16 {
                code_luma_16x16(&source.view(), at, &pred, &quantizer, &mut residual);
                reconstruct_luma_16x16(&pred, &quantizer, &residual, &mut recon);
            } else {
                code_luma(&source.view(), at, &pred, &quantizer, &mut residual);
                reconstruct_luma(&pred, &quantizer, &residual, &mut recon);
            }
            let place = |b: usize| [b / 4 * 4, b % 4 * 4];
            let coefficients: Vec<Matrix> =
                (0..16).map(|b| forward(&difference(&plane, [16, 16], &pred, 16, place(b)))).collect();
            let mut dc = [[0; 4]; 4];
            if intra_16x16 {
                let c = std::array::from_fn(|i| std::array::from_fn(|j| coefficients[4 * i + j][0][0]));
                let c = product(&product(&HADAMARD, &c), &HADAMARD).map(|row| row.map(|c| (c + 1) >> 1));
                for (k, &(x, y)) in ZIGZAG.iter().enumerate() {
                    let expected = dc_level(c[y][x], factor(qp, 0, 0), qp, divisor.into());
                    assert_eq!(i32::from(residual.luma_dc[k]), expected);
                }
                assert_eq!(residual.luma_dc_nonzero, nonzero(|k| residual.luma_dc[k], 0));
                dc = inverse_luma_dc(&from_zigzag(|k| residual.luma_dc[k]), qp);
            }
            for (b, coefficients) in coefficients.iter().enumerate() {
                let first = usize::from(intra_16x16);
                let levels = |k: usize| residual.luma[16 * k + b];
                for (k, &(x, y)) in ZIGZAG.iter().enumerate().skip(first) {
                    let (c, mf) = (coefficients[y][x], factor(qp, y, x));
                    assert!(is_level(levels(k), c, mf, qp, divisor), "level {k} of block {b} at QP {qp}");
                }
                assert_eq!(residual.luma_nonzero[b], nonzero(levels, first));
                let mut c = from_zigzag(levels);
                if intra_16x16 {
                    c[0][0] = dc[b / 4][b % 4];
                }
                let r = inverse(&c, qp, intra_16x16);
                let [y, x] = place(b);
                for k in 0..16 {
                    let (i, j) = (k / 4, k % 4);
                    let expected = clip(i32::from(pred[16 * (y + i) + x + j]) + r[i][j]);
                    assert_eq!(recon[16 * (y + i) + x + j], expected, "QP {qp}");
                }
            }
        }
    }
}

#[test]
fn chroma_of_macroblocks() {
    let mut random = Random::new(5);
    for round in 0..6 * 52 {
        let (qp, divisor) = (chroma_qp((round / 6) as u8, 2), if round % 2 == 0 { 3 } else { 6 });
        let ((cb, some), (cr, more)) = (contents(&mut random, round), contents(&mut random, round));
        let at = [16, 16];
        let sample =
            |k: usize| if k < 64 { some[k / 8 * 16 + k % 8] } else { more[(k - 64) / 8 * 16 + k % 8] };
        let pred: [u8; 128] = std::array::from_fn(sample);
        let quantizer = Quantizer::new(qp, divisor);
        let mut residual = Residual::default();
        let (source, place) = (with_chroma(SIZE, [&cb, &cr]).samples, macroblock_at([2, 2]));
        let mut both = [0; 128];
        code_chroma(&source.view(), place, &pred, &quantizer, &mut residual);
        reconstruct_chroma(&pred, &quantizer, &residual, &mut both);
        for (component, (plane, recon)) in [&cb, &cr].into_iter().zip(both.chunks(64)).enumerate() {
            let pred = &pred[64 * component..][..64];
            let place = |b: usize| [b / 2 * 4, b % 2 * 4];
            let coefficients: Vec<Matrix> =
                (0..4).map(|b| forward(&difference(plane, at, pred, 8, place(b)))).collect();
            let h = [[1, 1], [1, -1]];
            let c = std::array::from_fn(|i| std::array::from_fn(|j| coefficients[2 * i + j][0][0]));
            let c = product(&product(&h, &c), &h);
            let dc_levels = &residual.chroma_dc[4 * component..][..4];
            for k in 0..4 {
                let expected = dc_level(c[k / 2][k % 2], factor(qp, 0, 0), qp, divisor.into());
                assert_eq!(i32::from(dc_levels[k]), expected);
                assert_eq!(residual.chroma_dc_nonzero[component] >> k & 1, u16::from(expected != 0));
            }
            let f = std::array::from_fn(|i| std::array::from_fn(|j| i32::from(dc_levels[2 * i + j])));
            // (8-330)
            let dc = product(&product(&h, &f), &h)
                .map(|row| row.map(|f| ((f * level_scale(qp % 6, 0, 0)) << (qp / 6)) >> 5));
            for (b, coefficients) in coefficients.iter().enumerate() {
                let levels = |k: usize| residual.chroma[8 * k + 4 * component + b];
                for (k, &(x, y)) in ZIGZAG.iter().enumerate().skip(1) {
                    let (c, mf) = (coefficients[y][x], factor(qp, y, x));
                    assert!(is_level(levels(k), c, mf, qp, divisor), "level {k} of block {b} at QP {qp}");
                }
                assert_eq!(residual.chroma_nonzero[4 * component + b], nonzero(levels, 1));
                let mut c = from_zigzag(levels);
                c[0][0] = dc[b / 2][b % 2];
                let r = inverse(&c, qp, true);
                let [y, x] = place(b);
                for k in 0..16 {
                    let (i, j) = (k / 4, k % 4);
                    let expected = clip(i32::from(pred[8 * (y + i) + x + j]) + r[i][j]);
                    assert_eq!(recon[8 * (y + i) + x + j], expected, "QP {qp}");
                }
            }
        }
    }
}

/// About how many bits levels take.
fn rate(levels: &[i16]) -> u32 {
    levels.iter().map(|level| u32::from(level.unsigned_abs()) + 3 * u32::from(*level != 0)).sum()
}

#[test]
fn blocks_coded_by_all_modes_are_as_those_of_a_macroblock() {
    let mut random = Random::new(6);
    let (mut predictions, mut coded) = ([0; 512], ModeResults::default());
    let whole = Available { a: true, b: true, c: true, d: true };
    for round in 0..3 * 52 {
        let (plane, near) = contents(&mut random, round);
        let (mut recon, _) = contents(&mut random, 0);
        for (i, line) in near.chunks(16).enumerate() {
            recon[(16 + i) * SIZE[1] + 16..][..16].copy_from_slice(line);
        }
        let source = with_luma(SIZE, &plane).samples;
        let quantizer = Quantizer::new((round / 3) as u8, 3);
        let lambda = random.within(1, 3600) as u32;
        for block in 0..8 {
            let blocks = [block, 15 - block].map(|block| [block / 4, block % 4]);
            let modes = blocks.map(|[y, x]| {
                let mut available = available_to_blocks(whole)[y][x];
                available.b &= random.within(0, 3) > 0;
                Modes { available, predicted: random.within(0, 8) as u8 }
            });
            let mut luma = Intra4x4Buffer::within(&plane, &recon, SIZE, [16, 16]);
            let mut first = ModeResults::default();
            code_candidates(&luma, blocks, false, modes, lambda, &quantizer, &mut first);
            code_candidates(&luma, blocks, true, modes, lambda, &quantizer, &mut coded);
            predict_4x4(&luma, blocks, modes.map(|modes| modes.available), &mut predictions);
            assert_eq!(first.ssd[..16], coded.ssd[..16]);
            assert_eq!(first.rate[..16], coded.rate[..16]);
            assert_eq!(first.least[0], coded.least[0]);
            for (b, [y, x]) in blocks.into_iter().enumerate() {
                let mut least = (u32::MAX, 0);
                let allowed = allowed_modes(modes[b].available);
                for mode in (0..9).filter(|mode| allowed >> mode & 1 != 0) {
                    let lane = 16 * b + mode;
                    // The same by the kernels of whole macroblocks.
                    let mut pred = [0; 256];
                    for k in 0..16 {
                        pred[16 * (4 * y + k / 4) + 4 * x + k % 4] = predictions[32 * k + lane];
                    }
                    let (mut expected, mut wanted) = (Residual::default(), [0; 256]);
                    let macroblock = macroblock_at([1, 1]);
                    code_luma(&source.view(), macroblock, &pred, &quantizer, &mut expected);
                    reconstruct_luma(&pred, &quantizer, &expected, &mut wanted);
                    let mut residual = Residual::default();
                    choose(&coded, lane, [y, x], &mut residual, &mut luma);
                    let of = |all: &Residual| -> [i16; 16] {
                        std::array::from_fn(|k| all.luma[16 * k + 4 * y + x])
                    };
                    assert_eq!(of(&residual), of(&expected));
                    assert_eq!(residual.luma_nonzero[4 * y + x], expected.luma_nonzero[4 * y + x]);
                    let mut ssd = 0;
                    for k in 0..16 {
                        let at = (16 + 4 * y + k / 4) * SIZE[1] + 16 + 4 * x + k % 4;
                        let sample = luma.recon[32 * (4 * y + k / 4 + 1) + 4 * x + k % 4 + 1];
                        assert_eq!(sample, wanted[16 * (4 * y + k / 4) + 4 * x + k % 4]);
                        ssd += u32::from(plane[at].abs_diff(sample)).pow(2) >> coded.ssd_shift;
                    }
                    let ssd = ssd.min(65_535);
                    assert_eq!(u32::from(coded.ssd[lane]), ssd);
                    let rate = 1 + rate(&of(&residual));
                    assert_eq!(u32::from(coded.rate[lane]), rate);
                    let bits = if mode == usize::from(modes[b].predicted) { 1 } else { 4 };
                    least = least.min(((ssd << coded.ssd_shift) + lambda * (rate + bits), mode as u32));
                }
                assert_eq!((coded.least[b] >> 4, coded.least[b] & 15), least);
            }
        }
    }
}

#[test]
fn the_rate_of_a_macroblock_counts_all_lists() {
    let mut random = Random::new(11);
    for round in 0..64 {
        let mut residual = Residual::default();
        let mut expected = 1;
        if round % 2 == 0 {
            residual.luma_dc = std::array::from_fn(|_| random.within(-3, 3) as i16);
        }
        if round % 4 > 1 {
            residual.luma = std::array::from_fn(|_| random.within(-2, 2) as i16);
            residual.luma_nonzero = [0xfffe; 16];
            expected += 16;
        }
        // Level 0 of an AC list is not part of it.
        expected += rate(&residual.luma_dc) + rate(&residual.luma[16..]);
        assert_eq!(rate_16x16(&residual), expected);
    }
}

#[test]
fn lists_without_levels_do_not_matter() {
    let pred = std::array::from_fn(|i| i as u8);
    let quantizer = Quantizer::new(20, 3);
    let residual = Residual {
        luma: [99; 256],
        luma_dc: [99; 16],
        chroma: [99; 128],
        chroma_dc: [99; 8],
        ..Residual::default()
    };
    for kernel in [reconstruct_luma, reconstruct_luma_16x16] {
        let mut recon = [7; 256];
        kernel(&pred, &quantizer, &residual, &mut recon);
        assert_eq!(recon, pred);
    }
    let pred: [u8; 128] = std::array::from_fn(|i| i as u8);
    let mut recon = [7; 128];
    reconstruct_chroma(&pred, &quantizer, &residual, &mut recon);
    assert_eq!(recon, pred);
}
