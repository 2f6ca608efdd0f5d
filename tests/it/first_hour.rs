//! Kernels that newcomers write first, each against the plain loop.

use shim::prelude::*;

fn noise(seed: u32, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

const SIZES: [(usize, usize); 6] = [(1, 1), (1, 7), (5, 1), (4, 8), (9, 6), (16, 33)];

/// The element at a clamped place.
fn clamped(a: &[u8], h: usize, w: usize, y: isize, x: isize) -> u8 {
    a[y.clamp(0, h as isize - 1) as usize * w + x.clamp(0, w as isize - 1) as usize]
}

fn places(h: usize, w: usize) -> impl Iterator<Item = (isize, isize)> {
    (0..h as isize).flat_map(move |y| (0..w as isize).map(move |x| (y, x)))
}

/// The median of 3x3 samples.
#[shim::kernel]
fn median(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] dst: &mut [u8]) {
    let src = src.boundary(Clamp);
    for [y, x] in dst.indices() {
        let mut window = [0; 9];
        #[unroll]
        for dy in 0..3 {
            #[unroll]
            for dx in 0..3 {
                window[3 * dy + dx] = src[[y + dy - 1, x + dx - 1]];
            }
        }
        window.sort_unstable();
        dst[[y, x]] = window[4];
    }
}

#[test]
fn median_of_nine() {
    for (h, w) in SIZES {
        let src = noise(1, h * w);
        let mut dst = vec![0; h * w];
        median(&src, h, w, &mut dst);
        for ((y, x), found) in places(h, w).zip(dst) {
            let mut window: Vec<u8> =
                (0..9).map(|i| clamped(&src, h, w, y + i / 3 - 1, x + i % 3 - 1)).collect();
            window.sort_unstable();
            assert_eq!(found, window[4], "{h}x{w} at {y}, {x}");
        }
    }
}

/// A separable filter, (1 4 6 4 1) / 16 along each axis, with the rows between in memory of its own.
#[shim::kernel]
fn gauss(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] dst: &mut [u8]) {
    const TAPS: [u32; 5] = [1, 4, 6, 4, 1];
    let across = Block::heap::<u32>([h, w]);
    let src = src.boundary(Reflect).cast::<u32>();
    for [y, x] in across.indices() {
        across[[y, x]] = (0..5).map(|tap| TAPS[tap] * src[[y, x + tap - 2]]).sum::<u32>();
    }
    let (rows, dst) = (across.boundary(Reflect), dst.cast::<u32>());
    for [y, x] in dst.indices() {
        let sum = (0..5).map(|tap| TAPS[tap] * rows[[y + tap - 2, x]]).sum::<u32>();
        dst[[y, x]] = (sum + 128) >> 8;
    }
}

#[test]
fn gauss_by_axes() {
    let reflected = |at: isize, n: usize| {
        let last = n as isize - 1;
        let mut at = at;
        while at < 0 || at > last {
            at = if last == 0 {
                0
            } else if at < 0 {
                -at
            } else {
                2 * last - at
            };
        }
        at as usize
    };
    let taps = [1_u32, 4, 6, 4, 1];
    for (h, w) in SIZES {
        let src = noise(2, h * w);
        let mut dst = vec![0; h * w];
        gauss(&src, h, w, &mut dst);
        for ((y, x), found) in places(h, w).zip(dst) {
            let mut sum = 128;
            for (i, j) in places(5, 5) {
                let at = reflected(y + i - 2, h) * w + reflected(x + j - 2, w);
                sum += taps[i as usize] * taps[j as usize] * u32::from(src[at]);
            }
            assert_eq!(found, (sum >> 8) as u8, "{h}x{w} at {y}, {x}");
        }
    }
}

/// Each element is the sum of all that are not below it or to its right.
#[shim::kernel]
fn integral(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] sums: &mut [u32]) {
    let before = sums.boundary(Fill(0));
    for [y, x] in src.indices() {
        sums[[y, x]] =
            u32::from(src[[y, x]]) + before[[y - 1, x]] + before[[y, x - 1]] - before[[y - 1, x - 1]];
    }
}

#[test]
fn integral_images() {
    for (h, w) in SIZES {
        let src = noise(3, h * w);
        let mut sums = vec![9; h * w];
        integral(&src, h, w, &mut sums);
        for ((y, x), found) in places(h, w).zip(sums) {
            let all = places(y as usize + 1, x as usize + 1);
            assert_eq!(found, all.map(|(y, x)| u32::from(src[y as usize * w + x as usize])).sum::<u32>());
        }
    }
}

/// Samples between the columns, by six taps (H.264, 8.4.2.2.1).
#[shim::kernel]
fn half_pel(
    #[shape(h, w)] reference: &[u8],
    [h, w]: [usize; 2],
    [r, c]: [isize; 2],
    #[shape(4, 4)] pred: &mut [u8; 16],
) {
    let p = reference[[r..r + 4, c..c + 4]].boundary(Clamp).cast::<i32>();
    let pred = pred.cast::<i32>();
    for [y, x] in pred.indices() {
        let b1 = p[[y, x - 2]] - 5 * p[[y, x - 1]] + 20 * p[[y, x]] + 20 * p[[y, x + 1]] - 5 * p[[y, x + 2]]
            + p[[y, x + 3]];
        pred[[y, x]] = ((b1 + 16) >> 5).clamp(0, 255);
    }
}

#[test]
fn half_samples_wherever_the_block_is() {
    let (h, w) = (9, 12);
    let reference = noise(4, h * w);
    for (r, c) in places(20, 24).map(|(y, x)| (y - 6, x - 6)) {
        let mut pred = [0; 16];
        half_pel(&reference, [h, w], [r, c], &mut pred);
        for ((y, x), found) in places(4, 4).zip(pred) {
            let taps = [1, -5, 20, 20, -5, 1].into_iter().zip(-2..);
            let sum: i32 =
                taps.map(|(tap, at)| tap * i32::from(clamped(&reference, h, w, r + y, c + x + at))).sum();
            assert_eq!(i32::from(found), ((sum + 16) >> 5).clamp(0, 255), "{r}, {c}: {y}, {x}");
        }
    }
}

/// Runs of zeros before each level of a 4x4 block, in the order of the zigzag scan (8.5.6).
#[shim::kernel]
fn runs(#[shape(4, 4)] levels: &[i16; 16]) -> Vec<(usize, i16)> {
    let mut scan = [0; 16];
    let scanned = Block::external(&mut scan, [4, 4]).stored(zigzag);
    for [y, x] in levels.indices() {
        scanned[[y, x]] = levels[[y, x]];
    }
    let mut found = Vec::new();
    let mut run = 0;
    for level in scan {
        if level == 0 {
            run += 1;
        } else {
            found.push((run, level));
            run = 0;
        }
    }
    found
}

#[test]
fn runs_along_the_zigzag() {
    let mut levels = [0; 16];
    (levels[0], levels[4], levels[2], levels[15]) = (7, -1, 3, 2);
    assert_eq!(runs(&levels), [(0, 7), (1, -1), (2, 3), (9, 2)]);
}

/// The greatest of 2x2 elements; the last row and column may be single.
#[shim::kernel]
fn pool(
    #[shape(h, w)] a: &[i32],
    h: usize,
    w: usize,
    #[shape(h.div_ceil(2), w.div_ceil(2))] out: &mut [i32],
) {
    let a = a.boundary(Clamp);
    for [y, x] in out.indices() {
        let rows = (0..2).map(|i| a[[2 * y + i, 2 * x]].max(a[[2 * y + i, 2 * x + 1]])).max();
        out[[y, x]] = rows.unwrap_or(0);
    }
}

#[test]
fn pooling_of_odd_sides() {
    for (h, w) in SIZES {
        let a = noise(5, h * w).into_iter().map(i32::from).collect::<Vec<_>>();
        let mut out = vec![0; h.div_ceil(2) * w.div_ceil(2)];
        pool(&a, h, w, &mut out);
        for ((y, x), found) in places(h.div_ceil(2), w.div_ceil(2)).zip(out) {
            let all = places(2, 2).map(|(i, j)| ((2 * y + i) as usize, (2 * x + j) as usize));
            let wanted = all.filter(|(y, x)| *y < h && *x < w).map(|(y, x)| a[y * w + x]).max();
            assert_eq!(Some(found), wanted, "{h}x{w} at {y}, {x}");
        }
    }
}

/// A generation of Conway's life on a torus.
#[shim::kernel]
fn life(#[shape(h, w)] now: &[bool], h: usize, w: usize, #[shape(h, w)] next: &mut [bool]) {
    let now = now.boundary(Wrap);
    for [y, x] in next.indices() {
        let around =
            (-1..=1).map(|dy| (-1..=1).map(|dx| u8::from(now[[y + dy, x + dx]])).sum::<u8>()).sum::<u8>();
        next[[y, x]] = around == 3 || around == 4 && now[[y, x]];
    }
}

#[test]
fn life_on_a_torus() {
    for (h, w) in [(1, 1), (2, 3), (5, 7), (12, 9)] {
        let now: Vec<bool> = noise(6, h * w).into_iter().map(|v| v % 3 == 0).collect();
        let mut next = vec![false; h * w];
        life(&now, h, w, &mut next);
        for ((y, x), found) in places(h, w).zip(next) {
            let at = |y: isize, x: isize| {
                now[y.rem_euclid(h as isize) as usize * w + x.rem_euclid(w as isize) as usize]
            };
            let all = places(3, 3).filter(|place| *place != (1, 1));
            let neighbors = all.filter(|(i, j)| at(y + i - 1, x + j - 1)).count();
            assert_eq!(found, neighbors == 3 || neighbors == 2 && at(y, x), "{h}x{w} at {y}, {x}");
        }
    }
}

/// The 8x8 DCT by its definition, of any samples.
#[shim::kernel]
fn dct<T: Copy + Default + Into<f64>>(#[shape(8, 8)] samples: &[T; 64], #[shape(8, 8)] out: &mut [f64; 64]) {
    let tau = core::f64::consts::TAU;
    for [v, u] in out.indices() {
        let scale = |k: i32| if k == 0 { core::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        let sum = samples
            .indices()
            .map(|[y, x]| {
                let angle = |at: i32, k: i32| (tau * f64::from((2 * at + 1) * k) / 32.0).cos();
                let sample: f64 = samples[[y, x]].into();
                sample * angle(y, v) * angle(x, u)
            })
            .sum::<f64>();
        out[[v, u]] = sum * scale(v) * scale(u) / 4.0;
    }
}

#[test]
fn a_generic_transform() {
    let mut out = [9.0; 64];
    dct(&[3_u8; 64], &mut out);
    assert!((out[0] - 24.0).abs() < 1e-9 && out[1..].iter().all(|c| c.abs() < 1e-9));
    let ramp: [f32; 64] = std::array::from_fn(|i| f32::from(i as u8 % 8));
    dct(&ramp, &mut out);
    assert!((out[0] - 28.0).abs() < 1e-9 && out[1] < -18.0 && out[8..].iter().all(|c| c.abs() < 1e-9));
}

/// The difference across an edge, as a loop filter of VP9 limits it: rows of eight samples, four on each side.
#[shim::kernel]
fn edge(#[shape(h, w)] frame: &mut [u8], h: usize, w: usize, column: usize, limit: i32) {
    let p = frame[[.., column - 4..column + 4]].cast::<i32>();
    for y in 0..h {
        let step = p[[y, 4]] - p[[y, 3]];
        if step.abs() <= limit {
            let filter = (3 * step + (p[[y, 2]] - p[[y, 5]]).clamp(-128, 127)).clamp(-128, 127);
            let (f1, f2) = (((filter + 4).min(127)) >> 3, ((filter + 3).min(127)) >> 3);
            p[[y, 4]] = (p[[y, 4]] - f1).clamp(0, 255);
            p[[y, 3]] = (p[[y, 3]] + f2).clamp(0, 255);
        }
    }
}

#[test]
fn an_edge_is_filtered_up_to_its_limit() {
    let mut frame = [[100; 4].as_slice(), &[110; 4], &[50; 4], &[200; 4]].concat();
    edge(&mut frame, 2, 8, 4, 20);
    assert_eq!(frame, [100, 100, 100, 102, 107, 110, 110, 110, 50, 50, 50, 50, 200, 200, 200, 200]);
}

/// Intra 16x16 prediction of the mean (8.3.3.3), with the neighbors at negative indices.
#[shim::kernel]
fn dc_16x16(#[shape(h, w)] frame: &mut [u8], h: usize, w: usize, r: usize, c: usize) {
    let p = frame[[r..r + 16, c..c + 16]].cast::<u32>();
    let above = p.contains([-1, 0]).then(|| (0..16).map(|x| p[[-1, x]]).sum::<u32>());
    let left = p.contains([0, -1]).then(|| (0..16).map(|y| p[[y, -1]]).sum::<u32>());
    let mean = match (above, left) {
        (Some(above), Some(left)) => (above + left + 16) >> 5,
        (Some(sum), None) | (None, Some(sum)) => (sum + 8) >> 4,
        (None, None) => 128,
    };
    for [y, x] in p.indices() {
        p[[y, x]] = mean;
    }
}

#[test]
fn means_of_what_is_there() {
    let (h, w) = (32, 32);
    for (r, c) in [(0, 0), (0, 16), (16, 0), (16, 16)] {
        let mut frame = noise(7, h * w);
        let above: Option<u32> =
            (r > 0).then(|| (c..c + 16).map(|x| u32::from(frame[(r - 1) * w + x])).sum());
        let left: Option<u32> = (c > 0).then(|| (r..r + 16).map(|y| u32::from(frame[y * w + c - 1])).sum());
        let wanted = match above.into_iter().chain(left).collect::<Vec<u32>>()[..] {
            [above, left] => (above + left + 16) >> 5,
            [sum] => (sum + 8) >> 4,
            _ => 128,
        };
        dc_16x16(&mut frame, h, w, r, c);
        assert!((r..r + 16).all(|y| (c..c + 16).all(|x| u32::from(frame[y * w + x]) == wanted)), "{r}, {c}");
    }
}
