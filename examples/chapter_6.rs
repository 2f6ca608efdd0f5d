//! The kernels by which the thesis shows its tensors (chapter 6, figures 6.1 to 6.9): the stages of a JPEG encoder, and
//! Intra prediction of 4x4 blocks with a flag for each macroblock. `main` compares them with plain loops.

use shim::prelude::*;

/// Zigzag order of an 8x8 block, as `8 v + u`.
#[rustfmt::skip]
const ZIGZAG: [usize; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// Figure 6.1: an image whose pixels lie interleaved is seen as planes, taken apart into 8x8 blocks, and each block
/// goes through all stages. Returns what entropy coding counts in each plane.
#[shim::kernel]
pub fn jpeg(#[shape(h, w, 3)] rgb: &[u8], h: usize, w: usize) -> [(i32, u32); 3] {
    let planar = rgb.permute([2, 0, 1]).cast::<f32>();
    let (mut dc, mut counted) = ([0; 3], [(0, 0); 3]);
    for r in 0..h / 8 {
        for c in 0..w / 8 {
            let view = planar[[.., 8 * r..8 * r + 8, 8 * c..8 * c + 8]];
            let ycbcr = Block::stack::<f32>([3, 8, 8]);
            color(view, ycbcr);
            for plane in 0..3 {
                dct(ycbcr.slice(0, plane));
                counted[plane] = huffman(ycbcr.slice(0, plane), dc[plane], counted[plane]);
                dc[plane] = quantized(ycbcr[[plane, 0, 0]]);
            }
        }
    }
    counted
}

/// Figure 6.2: elementwise reads and writes.
#[shim::kernel]
fn color(rgb: impl Tensor<f32, 3>, ycbcr: impl Tensor<f32, 3>) {
    for y in 0..8 {
        for x in 0..8 {
            let (r, g, b) = (rgb[[0, y, x]], rgb[[1, y, x]], rgb[[2, y, x]]);
            ycbcr[[0, y, x]] = 0.299 * r + 0.587 * g + 0.114 * b - 128.0;
            ycbcr[[1, y, x]] = -0.168_736 * r - 0.331_264 * g + 0.5 * b;
            ycbcr[[2, y, x]] = 0.5 * r - 0.418_688 * g - 0.081_312 * b;
        }
    }
}

/// Figure 6.3: a permutation makes rows of the columns, so that one transform of eight samples serves both.
#[shim::kernel]
fn dct(plane: impl Tensor<f32, 2>) {
    dct_rows(plane);
    dct_rows(plane.permute([1, 0]));
}

#[shim::kernel]
fn dct_rows(plane: impl Tensor<f32, 2>) {
    for y in 0..8 {
        let samples: [f32; 8] = core::array::from_fn(|x| plane[[y, x]]);
        for u in 0..8_u16 {
            let wave = |x: u16| (f32::from((2 * x + 1) * u) * core::f32::consts::PI / 16.0).cos();
            let sum: f32 = (0..8_u16).map(|x| samples[usize::from(x)] * wave(x)).sum();
            plane[[y, u]] = sum * if u == 0 { 0.125_f32.sqrt() } else { 0.5 };
        }
    }
}

/// A coefficient divided by a step of 16.
fn quantized(coefficient: f32) -> i32 {
    (coefficient / 16.0).round() as i32
}

/// Figure 6.4: reads in zigzag order among other control flow. Adds the difference of the DC level, and the number of
/// AC levels that are not zero.
#[shim::kernel]
fn huffman(plane: impl Tensor<f32, 2>, dc: i32, so_far: (i32, u32)) -> (i32, u32) {
    let (mut differences, mut levels) = so_far;
    differences += (quantized(plane[[0, 0]]) - dc).abs();
    for k in 1..64 {
        let (v, u) = (ZIGZAG[k] / 8, ZIGZAG[k] % 8);
        if quantized(plane[[v, u]]) != 0 {
            levels += 1;
        }
    }
    (differences, levels)
}

/// Figure 6.5: each 4x4 block of each macroblock is predicted by every mode whose neighbors may be used. `modes` gets
/// the best mode of each block, and `predicted` its samples.
#[shim::kernel]
pub fn intra(
    #[shape(h, w)] frame: &[u8],
    #[shape(h, w)] rframe: &[u8],
    #[shape(h / 16, w / 16)]
    #[coarsened(16, 16)]
    flags: &[bool],
    #[shape(h, w)] predicted: &mut [u8],
    #[shape(h / 4, w / 4)]
    #[coarsened(4, 4)]
    modes: &mut [u8],
    h: usize,
    w: usize,
) {
    // Figure 6.6: one flag for a macroblock, indexed by samples.
    let used_intra_pred = flags.refine([16, 16]);
    for r in 0..h / 16 {
        for c in 0..w / 16 {
            let mblk = frame[[16 * r..16 * r + 16, 16 * c..16 * c + 16]];
            for r2 in 0..4 {
                for c2 in 0..4 {
                    let smblk = mblk[[4 * r2..4 * r2 + 4, 4 * c2..4 * c2 + 4]];
                    let (pred, best_pred) = (smblk.to_stack(), smblk.to_stack());
                    let mut best = (u32::MAX, 2);
                    best = attempt(vertical, 0, pred, rframe, used_intra_pred, smblk, best_pred, best);
                    best = attempt(horizontal, 1, pred, rframe, used_intra_pred, smblk, best_pred, best);
                    best = attempt(dc, 2, pred, rframe, used_intra_pred, smblk, best_pred, best);
                    best = attempt(vertical_right, 5, pred, rframe, used_intra_pred, smblk, best_pred, best);
                    let to = predicted[smblk];
                    for [y, x] in to.indices() {
                        to[[y, x]] = best_pred[[y, x]];
                    }
                    modes.footprint(smblk)[[0, 0]] = best.1;
                }
            }
        }
    }
}

/// Tries a mode: predicts by it if its neighbors may be used, and keeps the prediction if it differs less than the best
/// one. Figure 6.8: the samples above and at the left are there, and those of macroblocks that are Intra predicted;
/// which of them the block needs is its mode's.
#[shim::kernel]
fn attempt(
    mode: impl Template,
    number: u8,
    pred: impl Tensor<u8, 2>,
    rframe: impl Tensor<u8, 2>,
    used_intra_pred: impl Tensor<bool, 2>,
    smblk: impl Tensor<u8, 2>,
    best_pred: impl Tensor<u8, 2>,
    best: (u32, u8),
) -> (u32, u8) {
    let flags = used_intra_pred[pred];
    let usable = flags.within(|p| flags[p]);
    let (left, above) = (usable.contains([0, -1]), usable.contains([-1, 0]));
    let needs_left = number == 1 || number == 5;
    let needs_above = number == 0 || number == 5;
    let mut found = best;
    if (left || !needs_left) && (above || !needs_above) && (usable.contains([-1, -1]) || number != 5) {
        mode(pred, rframe, left, above);
        let mut cost = 0;
        for [y, x] in pred.indices() {
            cost += u32::from(pred[[y, x]].abs_diff(smblk[[y, x]]));
        }
        if cost < best.0 {
            found = (cost, number);
            for [y, x] in pred.indices() {
                best_pred[[y, x]] = pred[[y, x]];
            }
        }
    }
    found
}

#[shim::kernel]
fn vertical(pred: impl Tensor<u8, 2>, rframe: impl Tensor<u8, 2>, _left: bool, _above: bool) {
    let p = rframe[pred];
    for [y, x] in pred.indices() {
        pred[[y, x]] = p[[-1, x]];
    }
}

#[shim::kernel]
fn horizontal(pred: impl Tensor<u8, 2>, rframe: impl Tensor<u8, 2>, _left: bool, _above: bool) {
    let p = rframe[pred];
    for [y, x] in pred.indices() {
        pred[[y, x]] = p[[y, -1]];
    }
}

#[shim::kernel]
fn dc(pred: impl Tensor<u8, 2>, rframe: impl Tensor<u8, 2>, left: bool, above: bool) {
    let p = rframe[pred].cast::<u32>();
    let (mut sum, mut count) = (0, 0);
    if above {
        for x in 0..4 {
            sum += p[[-1, x]];
        }
        count += 4;
    }
    if left {
        for y in 0..4 {
            sum += p[[y, -1]];
        }
        count += 4;
    }
    let mean = if count == 0 { 128 } else { (sum + count / 2) / count };
    for [y, x] in pred.indices() {
        pred[[y, x]] = mean as u8;
    }
}

/// Figure 6.9: `Intra_4x4_Vertical_Right` as the standard writes it (8.3.1.2.6), but for `p`, which has the row first.
#[shim::kernel]
fn vertical_right(pred: impl Tensor<u8, 2>, rframe: impl Tensor<u8, 2>, _left: bool, _above: bool) {
    let (p, pred) = (rframe[pred].cast::<i32>(), pred.cast::<i32>());
    #[unroll]
    for [y, x] in pred.indices() {
        pred[[y, x]] = match 2 * x - y {
            0 | 2 | 4 | 6 => (p[[-1, x - (y >> 1) - 1]] + p[[-1, x - (y >> 1)]] + 1) >> 1,
            1 | 3 | 5 => {
                (p[[-1, x - (y >> 1) - 2]] + 2 * p[[-1, x - (y >> 1) - 1]] + p[[-1, x - (y >> 1)]] + 2) >> 2
            }
            -1 => (p[[0, -1]] + 2 * p[[-1, -1]] + p[[-1, 0]] + 2) >> 2,
            _ => (p[[y - 1, -1]] + 2 * p[[y - 2, -1]] + p[[y - 3, -1]] + 2) >> 2,
        };
    }
}

/// Figure 6.7: a write to a coarse point is one of its first element, or of all elements that it covers.
#[shim::kernel]
pub fn coarse_writes(#[shape(4, 4)] first: &mut [u8], #[shape(4, 4)] all: &mut [u8], value: u8) {
    first.coarsen([2, 2])[[0, 1]] = value;
    let cell = all.footprint(all.coarsen([2, 2])[[0..1, 1..2]]);
    for [y, x] in cell.indices() {
        cell[[y, x]] = value;
    }
}

/// The DCT of eight samples that are `step` apart, by a plain loop.
fn plain_dct(plane: &mut [f32; 64], first: usize, step: usize) {
    let samples: [f32; 8] = std::array::from_fn(|x| plane[first + x * step]);
    for u in 0..8_u16 {
        let wave = |x: u16| (f32::from((2 * x + 1) * u) * std::f32::consts::PI / 16.0).cos();
        let sum: f32 = (0..8_u16).map(|x| samples[usize::from(x)] * wave(x)).sum();
        plane[first + usize::from(u) * step] = sum * if u == 0 { 0.125_f32.sqrt() } else { 0.5 };
    }
}

/// `jpeg` by plain loops.
fn plain_jpeg(rgb: &[u8], h: usize, w: usize) -> [(i32, u32); 3] {
    const COLOR: [[f32; 3]; 3] =
        [[0.299, 0.587, 0.114], [-0.168_736, -0.331_264, 0.5], [0.5, -0.418_688, -0.081_312]];
    let (mut dc, mut counted) = ([0; 3], [(0, 0); 3]);
    for block in 0..h / 8 * (w / 8) {
        let (r, c) = (block / (w / 8) * 8, block % (w / 8) * 8);
        for plane in 0..3 {
            let mut samples: [f32; 64] = std::array::from_fn(|i| {
                let pixel = 3 * ((r + i / 8) * w + c + i % 8);
                let [a, b, c] = std::array::from_fn(|k| COLOR[plane][k] * f32::from(rgb[pixel + k]));
                a + b + c - if plane == 0 { 128.0 } else { 0.0 }
            });
            (0..8).for_each(|y| plain_dct(&mut samples, 8 * y, 1));
            (0..8).for_each(|x| plain_dct(&mut samples, x, 8));
            let own = quantized(samples[0]);
            counted[plane].0 += (own - dc[plane]).abs();
            counted[plane].1 += ZIGZAG[1..].iter().filter(|&&at| quantized(samples[at]) != 0).count() as u32;
            dc[plane] = own;
        }
    }
    counted
}

/// The best mode of a 4x4 block, and its prediction, by plain loops.
fn plain_intra(frame: &[u8], flags: &[bool], w: usize, [r, c]: [usize; 2]) -> (u8, [u8; 16]) {
    let usable = |dy: usize, dx: usize| r >= dy && c >= dx && flags[(r - dy) / 16 * (w / 16) + (c - dx) / 16];
    let (left, above, corner) = (usable(0, 1), usable(1, 0), usable(1, 1));
    let p = |y: i32, x: i32| i32::from(frame[((r as i32 + y) * w as i32 + c as i32 + x) as usize]);
    let mut best = (u32::MAX, 2, [0; 16]);
    for (mode, allowed) in [(0, above), (1, left), (2, true), (5, left && above && corner)] {
        if !allowed {
            continue;
        }
        let pred: [u8; 16] = std::array::from_fn(|i| {
            let (y, x) = (i as i32 / 4, i as i32 % 4);
            let sum = |there: bool, of: &dyn Fn(i32) -> i32| if there { (0..4).map(of).sum() } else { 0 };
            let at = x - (y >> 1);
            (match mode {
                0 => p(-1, x),
                1 => p(y, -1),
                2 => match 4 * (i32::from(left) + i32::from(above)) {
                    0 => 128,
                    n => (sum(above, &|x| p(-1, x)) + sum(left, &|y| p(y, -1)) + n / 2) / n,
                },
                _ => match 2 * x - y {
                    0 | 2 | 4 | 6 => (p(-1, at - 1) + p(-1, at) + 1) >> 1,
                    1 | 3 | 5 => (p(-1, at - 2) + 2 * p(-1, at - 1) + p(-1, at) + 2) >> 2,
                    -1 => (p(0, -1) + 2 * p(-1, -1) + p(-1, 0) + 2) >> 2,
                    _ => (p(y - 1, -1) + 2 * p(y - 2, -1) + p(y - 3, -1) + 2) >> 2,
                },
            }) as u8
        });
        let differs = |i: usize| u32::from(pred[i].abs_diff(frame[(r + i / 4) * w + c + i % 4]));
        let cost = (0..16).map(differs).sum();
        if cost < best.0 {
            best = (cost, mode, pred);
        }
    }
    (best.1, best.2)
}

fn main() {
    let (h, w) = (32, 48);
    let number = |n: usize| f32::from(n as u16);
    let wave = |phase: f32| (128.0 + 90.0 * phase.sin()) as u8;
    let pixel = |y: usize, x: usize, k: usize| wave(0.21 * number(x) + 0.33 * number(k * y));
    let rgb: Vec<u8> = (0..h * w * 3).map(|i| pixel(i / 3 / w, i / 3 % w, i % 3)).collect();
    let counted = jpeg(&rgb, h, w);
    assert_eq!(counted, plain_jpeg(&rgb, h, w));
    println!("differences of DC, and AC levels, of Y, Cb and Cr: {counted:?}");

    let slanted = |i: usize| wave(0.5 * number(i % w) - 0.25 * number(i / w));
    let frame: Vec<u8> = (0..h * w).map(slanted).collect();
    // The second macroblock is predicted from another picture.
    let flags = [true, false, true, true, true, true];
    let (mut predicted, mut modes) = (vec![0; h * w], vec![0; h / 4 * (w / 4)]);
    intra(&frame, &frame, &flags, &mut predicted, &mut modes, h, w);
    for (block, &mode) in modes.iter().enumerate() {
        let [r, c] = [block / (w / 4) * 4, block % (w / 4) * 4];
        let found: [u8; 16] = std::array::from_fn(|i| predicted[(r + i / 4) * w + c + i % 4]);
        assert_eq!((mode, found), plain_intra(&frame, &flags, w, [r, c]), "the block at row {r}, column {c}");
    }
    println!("modes of 4x4 blocks:");
    for row in modes.chunks(w / 4) {
        println!("{row:?}");
    }

    let (mut first, mut all) = ([0; 16], [0; 16]);
    coarse_writes(&mut first, &mut all, 1);
    println!("a write to a coarse point: {:?} or {:?}", &first[..8], &all[..8]);
    assert_eq!(first, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(all, [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
}
