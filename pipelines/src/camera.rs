//! A camera pipeline: raw samples of a Bayer sensor (GRBG) to colors. Hot pixels are suppressed, the mosaic is filled in
//! along the smaller difference, colors are corrected by a matrix, and a curve maps them to bytes.

use shim::prelude::*;

/// The matrix of the correction, in units of 1/256.
const MATRIX: [[i32; 3]; 3] = [[420, -100, -64], [-60, 370, -54], [-10, -130, 396]];

/// The curve of ten bits to bytes.
pub fn curve() -> Vec<u8> {
    (0..1024).map(|i| (255.0 * (f64::from(i) / 1023.0).powf(1.0 / 2.2)).round() as u8).collect()
}

/// The mean of two samples.
#[shim::kernel]
fn mean(t: impl Tensor<u16, 2>, y: i32, x: i32, dy: i32, dx: i32) -> i32 {
    (i32::from(t[[y - dy, x - dx]]) + i32::from(t[[y + dy, x + dx]])) >> 1
}

/// The pipeline; an image of `2 * h` by `2 * w` samples.
#[shim::kernel(simd, schedules(root, rows, strips))]
pub fn camera(
    #[shape(2 * h, 2 * w)] raw: &[u16],
    [h, w]: [usize; 2],
    #[shape(1024)] curve: &[u8],
    #[shape(2 * h, 2 * w, 3)] rgb: &mut [u8],
) {
    const M: [[i32; 3]; 3] = MATRIX;
    let raw = raw.boundary(Mirror);
    // No sample is above the greatest of its neighbors of the same color.
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(strips, compute_at('row))]
    let calm = stage::<u16>(|[y, x]| {
        let around: u16 = raw[[y, x - 2]].max(raw[[y, x + 2]]).max(raw[[y - 2, x]]).max(raw[[y + 2, x]]);
        raw[[y, x]].min(around)
    });
    // The greens of each pair of rows and columns: two of the sensor, one at red, one at blue.
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(strips, compute_at('row))]
    let green = stage::<[i32; 4]>(|[y, x]| {
        let (v, u) = (2 * y, 2 * x);
        let (across, down) = (mean(calm, v, u + 1, 0, 1), mean(calm, v, u + 1, 1, 0));
        let apart_across: u16 = calm[[v, u]].abs_diff(calm[[v, u + 2]]);
        let apart_down: u16 = calm[[v - 1, u + 1]].abs_diff(calm[[v + 1, u + 1]]);
        let at_red: i32 = if apart_across < apart_down { across } else { down };
        let (across_b, down_b) = (mean(calm, v + 1, u, 0, 1), mean(calm, v + 1, u, 1, 0));
        let apart_across_b: u16 = calm[[v + 1, u - 1]].abs_diff(calm[[v + 1, u + 1]]);
        let apart_down_b: u16 = calm[[v, u]].abs_diff(calm[[v + 2, u]]);
        let at_blue: i32 = if apart_across_b < apart_down_b { across_b } else { down_b };
        [i32::from(calm[[v, u]]), at_red, at_blue, i32::from(calm[[v + 1, u + 1]])]
    });
    #[schedule(rows, tile([1, _], 'row))]
    #[schedule(strips, tile([8, 64], 'row))]
    for [y, x] in rgb.slice(2, 0).coarsen([2, 2]).indices() {
        let (v, u) = (2 * y, 2 * x);
        let g = green[[y, x]];
        let (left, right) = (green[[y, x - 1]], green[[y, x + 1]]);
        let (up, down) = (green[[y - 1, x]], green[[y + 1, x]]);
        let (red, blue) = (i32::from(calm[[v, u + 1]]), i32::from(calm[[v + 1, u]]));
        // Red and blue follow green.
        let r: [i32; 4] = [
            ((red + i32::from(calm[[v, u - 1]]) - g[1] - left[1]) >> 1) + g[0],
            red,
            ((red
                + i32::from(calm[[v, u - 1]])
                + i32::from(calm[[v + 2, u + 1]])
                + i32::from(calm[[v + 2, u - 1]])
                - g[1]
                - left[1]
                - down[1]
                - green[[y + 1, x - 1]][1])
                >> 2)
                + g[2],
            ((red + i32::from(calm[[v + 2, u + 1]]) - g[1] - down[1]) >> 1) + g[3],
        ];
        let b: [i32; 4] = [
            ((blue + i32::from(calm[[v - 1, u]]) - g[2] - up[2]) >> 1) + g[0],
            ((blue
                + i32::from(calm[[v - 1, u]])
                + i32::from(calm[[v + 1, u + 2]])
                + i32::from(calm[[v - 1, u + 2]])
                - g[2]
                - up[2]
                - right[2]
                - green[[y - 1, x + 1]][2])
                >> 2)
                + g[1],
            blue,
            ((blue + i32::from(calm[[v + 1, u + 2]]) - g[2] - right[2]) >> 1) + g[3],
        ];
        #[unroll]
        for k in 0..4 {
            #[unroll]
            for c in 0..3 {
                let sum: i32 = (M[c][0] * r[k] + M[c][1] * g[k] + M[c][2] * b[k] + 128) >> 8;
                rgb[[v + k as i32 / 2, u + k as i32 % 2, c]] = curve[[sum.clamp(0, 1023)]];
            }
        }
    }
}

/// The pipeline as it is written without a library, one pass after the other.
pub fn plain(raw: &[u16], [h, w]: [usize; 2], curve: &[u8], rgb: &mut [u8]) {
    let [rows, columns] = [2 * h as isize, 2 * w as isize];
    let mirrored = |at: isize, extent: isize| {
        let at = at.rem_euclid(2 * extent);
        at.min(2 * extent - 1 - at) as usize
    };
    let sample =
        |y: isize, x: isize| i32::from(raw[mirrored(y, rows) * columns as usize + mirrored(x, columns)]);
    // With a margin of six samples, which the greens around the image read.
    let margin = 6;
    let pitch = columns + 2 * margin;
    let mut calm = vec![0; ((rows + 2 * margin) * pitch) as usize];
    for y in -4..rows + 4 {
        for x in -4..columns + 4 {
            let around = sample(y, x - 2).max(sample(y, x + 2)).max(sample(y - 2, x)).max(sample(y + 2, x));
            calm[((y + margin) * pitch + x + margin) as usize] = sample(y, x).min(around);
        }
    }
    let calm = |y: isize, x: isize| calm[((y + margin) * pitch + x + margin) as usize];
    let mean = |y: isize, x: isize, dy: isize, dx: isize| (calm(y - dy, x - dx) + calm(y + dy, x + dx)) >> 1;
    let [h, w] = [h as isize, w as isize];
    let mut greens = vec![[0; 4]; ((h + 2) * (w + 2)) as usize];
    for y in -1..=h {
        for x in -1..=w {
            let (v, u) = (2 * y, 2 * x);
            let across =
                calm(v, u).abs_diff(calm(v, u + 2)) < calm(v - 1, u + 1).abs_diff(calm(v + 1, u + 1));
            let at_red = if across { mean(v, u + 1, 0, 1) } else { mean(v, u + 1, 1, 0) };
            let across =
                calm(v + 1, u - 1).abs_diff(calm(v + 1, u + 1)) < calm(v, u).abs_diff(calm(v + 2, u));
            let at_blue = if across { mean(v + 1, u, 0, 1) } else { mean(v + 1, u, 1, 0) };
            greens[((y + 1) * (w + 2) + x + 1) as usize] = [calm(v, u), at_red, at_blue, calm(v + 1, u + 1)];
        }
    }
    let green = |y: isize, x: isize| greens[((y + 1) * (w + 2) + x + 1) as usize];
    for y in 0..h {
        for x in 0..w {
            let (v, u) = (2 * y, 2 * x);
            let g = green(y, x);
            let (left, right, up, down) =
                (green(y, x - 1), green(y, x + 1), green(y - 1, x), green(y + 1, x));
            let (red, blue) = (calm(v, u + 1), calm(v + 1, u));
            let reds = red + calm(v, u - 1) + calm(v + 2, u + 1) + calm(v + 2, u - 1);
            let blues = blue + calm(v - 1, u) + calm(v + 1, u + 2) + calm(v - 1, u + 2);
            let r = [
                ((red + calm(v, u - 1) - g[1] - left[1]) >> 1) + g[0],
                red,
                ((reds - g[1] - left[1] - down[1] - green(y + 1, x - 1)[1]) >> 2) + g[2],
                ((red + calm(v + 2, u + 1) - g[1] - down[1]) >> 1) + g[3],
            ];
            let b = [
                ((blue + calm(v - 1, u) - g[2] - up[2]) >> 1) + g[0],
                ((blues - g[2] - up[2] - right[2] - green(y - 1, x + 1)[2]) >> 2) + g[1],
                blue,
                ((blue + calm(v + 1, u + 2) - g[2] - right[2]) >> 1) + g[3],
            ];
            for k in 0..4 {
                for (c, row) in MATRIX.iter().enumerate() {
                    let sum = (row[0] * r[k] + row[1] * g[k] + row[2] * b[k] + 128) >> 8;
                    let at = (v + k as isize / 2) * columns + u + k as isize % 2;
                    rgb[at as usize * 3 + c] = curve[sum.clamp(0, 1023) as usize];
                }
            }
        }
    }
}
