//! Programs on pictures, as their authors would write them first.

use crate::common::noise;
use shim::prelude::*;

use super::{SIZES, at, bytes, floats};

/// Harris corners: products of gradients, summed over 3x3, and the measure of a corner.
#[shim::kernel]
fn harris(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [f32]) {
    let src = src.boundary(Clamp);
    #[compute_at(root)]
    let gx = stage(|[y, x]| src[[y, x + 1]] - src[[y, x - 1]]);
    #[compute_at(root)]
    let gy = stage(|[y, x]| src[[y + 1, x]] - src[[y - 1, x]]);
    for y in 0..h {
        for x in 0..w {
            let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let (a, b) = (gx[[y + dy, x + dx]], gy[[y + dy, x + dx]]);
                    xx += a * a;
                    yy += b * b;
                    xy += a * b;
                }
            }
            out[[y, x]] = xx * yy - xy * xy - 0.04 * (xx + yy) * (xx + yy);
        }
    }
}

fn harris_plain(src: &[f32], [h, w]: [usize; 2], out: &mut [f32]) {
    let near = |y: i32, x: i32| at(src, [h, w], y, x);
    let gx = |y: i32, x: i32| near(y, x + 1) - near(y, x - 1);
    let gy = |y: i32, x: i32| near(y + 1, x) - near(y - 1, x);
    for y in 0..h as i32 {
        for x in 0..w as i32 {
            let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let (a, b) = (gx(y + dy, x + dx), gy(y + dy, x + dx));
                    xx += a * a;
                    yy += b * b;
                    xy += a * b;
                }
            }
            out[y as usize * w + x as usize] = xx * yy - xy * xy - 0.04 * (xx + yy) * (xx + yy);
        }
    }
}

/// Canny up to the two thresholds: a smooth picture, its gradients, and their size where it is greatest across an edge.
#[shim::kernel]
fn canny(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], low: i16, high: i16, #[shape(h, w)] out: &mut [u8]) {
    let src = src.boundary(Clamp);
    let across = stage(|[y, x]| src[[y, x - 1]] as i16 + 2 * src[[y, x]] as i16 + src[[y, x + 1]] as i16);
    #[compute_at(root)]
    let smooth = stage(|[y, x]| (across[[y - 1, x]] + 2 * across[[y, x]] + across[[y + 1, x]] + 8) / 16);
    #[compute_at(root)]
    let gx = stage(|[y, x]| {
        let left = smooth[[y - 1, x - 1]] + 2 * smooth[[y, x - 1]] + smooth[[y + 1, x - 1]];
        let right = smooth[[y - 1, x + 1]] + 2 * smooth[[y, x + 1]] + smooth[[y + 1, x + 1]];
        right - left
    });
    #[compute_at(root)]
    let gy = stage(|[y, x]| {
        let above = smooth[[y - 1, x - 1]] + 2 * smooth[[y - 1, x]] + smooth[[y - 1, x + 1]];
        let below = smooth[[y + 1, x - 1]] + 2 * smooth[[y + 1, x]] + smooth[[y + 1, x + 1]];
        below - above
    });
    #[compute_at(root)]
    let size = stage(|[y, x]| gx[[y, x]].abs() + gy[[y, x]].abs());
    for y in 0..h {
        for x in 0..w {
            let (dx, dy, own) = (gx[[y, x]], gy[[y, x]], size[[y, x]]);
            let (before, behind) = if dy.abs() * 5 < dx.abs() * 2 {
                (size[[y, x - 1]], size[[y, x + 1]])
            } else if dx.abs() * 5 < dy.abs() * 2 {
                (size[[y - 1, x]], size[[y + 1, x]])
            } else if (dx < 0) == (dy < 0) {
                (size[[y - 1, x - 1]], size[[y + 1, x + 1]])
            } else {
                (size[[y - 1, x + 1]], size[[y + 1, x - 1]])
            };
            let is_edge = own >= before && own > behind;
            out[[y, x]] = if !is_edge || own < low {
                0
            } else if own < high {
                1
            } else {
                2
            };
        }
    }
}

fn canny_plain(src: &[u8], [h, w]: [usize; 2], low: i16, high: i16, out: &mut [u8]) {
    let near = |y: i32, x: i32| i16::from(at(src, [h, w], y, x));
    let across = |y: i32, x: i32| near(y, x - 1) + 2 * near(y, x) + near(y, x + 1);
    let smooth = |y: i32, x: i32| (across(y - 1, x) + 2 * across(y, x) + across(y + 1, x) + 8) / 16;
    let gx = |y: i32, x: i32| {
        let column = |x: i32| smooth(y - 1, x) + 2 * smooth(y, x) + smooth(y + 1, x);
        column(x + 1) - column(x - 1)
    };
    let gy = |y: i32, x: i32| {
        let row = |y: i32| smooth(y, x - 1) + 2 * smooth(y, x) + smooth(y, x + 1);
        row(y + 1) - row(y - 1)
    };
    let size = |y: i32, x: i32| gx(y, x).abs() + gy(y, x).abs();
    for y in 0..h as i32 {
        for x in 0..w as i32 {
            let (dx, dy, own) = (gx(y, x), gy(y, x), size(y, x));
            let [sy, sx] = if dy.abs() * 5 < dx.abs() * 2 {
                [0, 1]
            } else if dx.abs() * 5 < dy.abs() * 2 {
                [1, 0]
            } else if (dx < 0) == (dy < 0) {
                [1, 1]
            } else {
                [1, -1]
            };
            let is_edge = own >= size(y - sy, x - sx) && own > size(y + sy, x + sx);
            out[y as usize * w + x as usize] =
                if !is_edge || own < low { 0 } else { 1 + u8::from(own >= high) };
        }
    }
}

/// A level of a pyramid, and what is left when it is expanded again.
#[shim::kernel]
fn pyramid(
    #[shape(h, w)] src: &[u8],
    [h, w]: [usize; 2],
    #[shape(h / 2, w / 2)] half: &mut [u8],
    #[shape(h, w)] rest: &mut [i16],
) {
    let near = src.boundary(Mirror);
    for y in 0..h / 2 {
        for x in 0..w / 2 {
            let weights = [1, 4, 6, 4, 1];
            let mut sum: u32 = 128;
            for i in 0..5 {
                for j in 0..5 {
                    sum += weights[i] * weights[j] * near[[2 * y + i - 2, 2 * x + j - 2]] as u32;
                }
            }
            half[[y, x]] = (sum / 256) as u8;
        }
    }
    let small = half.boundary(Clamp);
    #[compute_at('row)]
    let wide = stage(|[y, x]| {
        if x % 2 == 0 {
            (small[[y, x / 2 - 1]] as u16 + 6 * small[[y, x / 2]] as u16 + small[[y, x / 2 + 1]] as u16) / 8
        } else {
            (small[[y, x / 2]] as u16 + small[[y, x / 2 + 1]] as u16) / 2
        }
    });
    if h > 1 && w > 1 {
        'row: for y in 0..h {
            for x in 0..w {
                let expanded = if y % 2 == 0 {
                    (wide[[y / 2 - 1, x]] + 6 * wide[[y / 2, x]] + wide[[y / 2 + 1, x]]) / 8
                } else {
                    (wide[[y / 2, x]] + wide[[y / 2 + 1, x]]) / 2
                };
                rest[[y, x]] = src[[y, x]] as i16 - expanded as i16;
            }
        }
    }
}

fn pyramid_plain(src: &[u8], [h, w]: [usize; 2], half: &mut [u8], rest: &mut [i16]) {
    let mirror = |at: i32, extent: usize| {
        let extent = extent as i32;
        let folded = at.rem_euclid((2 * extent).max(1));
        folded.min(2 * extent - 1 - folded) as usize
    };
    let (hh, hw) = (h / 2, w / 2);
    for y in 0..hh {
        for x in 0..hw {
            let weights = [1, 4, 6, 4, 1];
            let mut sum: u32 = 128;
            for i in 0..5 {
                for j in 0..5 {
                    let (sy, sx) = (2 * y as i32 + i as i32 - 2, 2 * x as i32 + j as i32 - 2);
                    sum += weights[i] * weights[j] * u32::from(src[mirror(sy, h) * w + mirror(sx, w)]);
                }
            }
            half[y * hw + x] = (sum / 256) as u8;
        }
    }
    if h < 2 || w < 2 {
        return;
    }
    let small = |y: i32, x: i32| u16::from(at(half, [hh, hw], y, x));
    let wide = |y: i32, x: i32| {
        let own = x / 2;
        if x % 2 == 0 {
            (small(y, own - 1) + 6 * small(y, own) + small(y, own + 1)) / 8
        } else {
            (small(y, own) + small(y, own + 1)) / 2
        }
    };
    for y in 0..h as i32 {
        for x in 0..w as i32 {
            let own = y / 2;
            let expanded = if y % 2 == 0 {
                (wide(own - 1, x) + 6 * wide(own, x) + wide(own + 1, x)) / 8
            } else {
                (wide(own, x) + wide(own + 1, x)) / 2
            };
            let place = y as usize * w + x as usize;
            rest[place] = i16::from(src[place]) - expanded as i16;
        }
    }
}

/// Chroma of 4:2:0 at the size of luma.
#[shim::kernel]
fn upsample(
    #[shape((h + 1) / 2, (w + 1) / 2)] small: &[u8],
    [h, w]: [usize; 2],
    #[shape(h, w)] out: &mut [u8],
) {
    let small = small.boundary(Clamp);
    for y in 0..h {
        for x in 0..w {
            let (down, right) = (2 * (y % 2) as i32 - 1, 2 * (x % 2) as i32 - 1);
            let near = small[[y / 2, x / 2]] as u16;
            let beside = small[[y / 2, x as i32 / 2 + right]] as u16;
            let under = small[[y as i32 / 2 + down, x / 2]] as u16;
            let across = small[[y as i32 / 2 + down, x as i32 / 2 + right]] as u16;
            out[[y, x]] = ((9 * near + 3 * beside + 3 * under + across + 8) / 16) as u8;
        }
    }
}

fn upsample_plain(small: &[u8], [h, w]: [usize; 2], out: &mut [u8]) {
    let near = |y: i32, x: i32| u16::from(at(small, [h.div_ceil(2), w.div_ceil(2)], y, x));
    for y in 0..h as i32 {
        for x in 0..w as i32 {
            let (sy, sx) = (y / 2 + 2 * (y % 2) - 1, x / 2 + 2 * (x % 2) - 1);
            let sum = 9 * near(y / 2, x / 2) + 3 * near(y / 2, sx) + 3 * near(sy, x / 2) + near(sy, sx);
            out[y as usize * w + x as usize] = ((sum + 8) / 16) as u8;
        }
    }
}

/// The colors of a sensor with a Bayer pattern, by the mean of the nearest.
#[shim::kernel]
fn demosaic(#[shape(h, w)] raw: &[u16], [h, w]: [usize; 2], #[shape(h, w, 3)] out: &mut [u16]) {
    let raw = raw.boundary(Clamp).cast::<u32>();
    for y in 0..h {
        for x in 0..w {
            let own = raw[[y, x]];
            let sides = (raw[[y, x - 1]] + raw[[y, x + 1]]) / 2;
            let ends = (raw[[y - 1, x]] + raw[[y + 1, x]]) / 2;
            let cross = (raw[[y, x - 1]] + raw[[y, x + 1]] + raw[[y - 1, x]] + raw[[y + 1, x]]) / 4;
            let corners =
                (raw[[y - 1, x - 1]] + raw[[y - 1, x + 1]] + raw[[y + 1, x - 1]] + raw[[y + 1, x + 1]]) / 4;
            let (r, g, b) = match (y % 2, x % 2) {
                (0, 0) => (own, cross, corners),
                (0, _) => (sides, own, ends),
                (_, 0) => (ends, own, sides),
                _ => (corners, cross, own),
            };
            out[[y, x, 0]] = r as u16;
            out[[y, x, 1]] = g as u16;
            out[[y, x, 2]] = b as u16;
        }
    }
}

fn demosaic_plain(raw: &[u16], [h, w]: [usize; 2], out: &mut [u16]) {
    for y in 0..h as i32 {
        for x in 0..w as i32 {
            let near = |dy: i32, dx: i32| u32::from(at(raw, [h, w], y + dy, x + dx));
            let own = near(0, 0);
            let (sides, ends) = ((near(0, -1) + near(0, 1)) / 2, (near(-1, 0) + near(1, 0)) / 2);
            let cross = (near(0, -1) + near(0, 1) + near(-1, 0) + near(1, 0)) / 4;
            let corners = (near(-1, -1) + near(-1, 1) + near(1, -1) + near(1, 1)) / 4;
            let colors = match (y % 2, x % 2) {
                (0, 0) => [own, cross, corners],
                (0, _) => [sides, own, ends],
                (_, 0) => [ends, own, sides],
                _ => [corners, cross, own],
            };
            for (channel, color) in colors.into_iter().enumerate() {
                out[(y as usize * w + x as usize) * 3 + channel] = color as u16;
            }
        }
    }
}

/// The median of 3x3: the middle of the largest minimum, the middle median and the smallest maximum of the columns.
#[shim::kernel]
fn median(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [u8]) {
    let src = src.boundary(Clamp);
    let least = stage(|[y, x]| src[[y - 1, x]].min(src[[y, x]]).min(src[[y + 1, x]]));
    let most = stage(|[y, x]| src[[y - 1, x]].max(src[[y, x]]).max(src[[y + 1, x]]));
    let middle = stage(|[y, x]| {
        let (a, b, c) = (src[[y - 1, x]], src[[y, x]], src[[y + 1, x]]);
        a.min(b).max(a.max(b).min(c))
    });
    for [y, x] in out.indices() {
        let a = least[[y, x - 1]].max(least[[y, x]]).max(least[[y, x + 1]]);
        let (p, q, r) = (middle[[y, x - 1]], middle[[y, x]], middle[[y, x + 1]]);
        let b = p.min(q).max(p.max(q).min(r));
        let c = most[[y, x - 1]].min(most[[y, x]]).min(most[[y, x + 1]]);
        out[[y, x]] = a.min(b).max(a.max(b).min(c));
    }
}

fn median_plain(src: &[u8], [h, w]: [usize; 2], out: &mut [u8]) {
    for y in 0..h as i32 {
        for x in 0..w as i32 {
            let mut all: Vec<u8> = (0..9).map(|k| at(src, [h, w], y + k / 3 - 1, x + k % 3 - 1)).collect();
            all.sort_unstable();
            out[y as usize * w + x as usize] = all[4];
        }
    }
}

/// The guided filter of He, Sun and Tang over windows of 9x9, guided by the picture itself.
#[shim::kernel]
fn guided(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], smooth: f32, #[shape(h, w)] out: &mut [f32]) {
    let src = src.boundary(Clamp);
    let sums = stage(|[y, x]| {
        let (mut sum, mut squares) = (0.0, 0.0);
        for k in -4..=4 {
            let value = src[[y, x + k]];
            sum += value;
            squares += value * value;
        }
        (sum, squares)
    });
    #[compute_at(root)]
    let line = stage(|[y, x]| {
        let (mut sum, mut squares) = (0.0, 0.0);
        for k in -4..=4 {
            let (own, square) = sums[[y + k, x]];
            sum += own;
            squares += square;
        }
        let mean = sum / 81.0;
        let variance = squares / 81.0 - mean * mean;
        let slope = variance / (variance + smooth);
        (slope, mean - slope * mean)
    });
    #[compute_at(root)]
    let across = stage(|[y, x]| {
        let slope = (-4..=4).map(|k| line[[y, x + k]].0).sum::<f32>();
        let offset = (-4..=4).map(|k| line[[y, x + k]].1).sum::<f32>();
        (slope, offset)
    });
    for y in 0..h {
        for x in 0..w {
            let slope = (-4..=4).map(|k| across[[y + k, x]].0).sum::<f32>();
            let offset = (-4..=4).map(|k| across[[y + k, x]].1).sum::<f32>();
            out[[y, x]] = (slope * src[[y, x]] + offset) / 81.0;
        }
    }
}

fn guided_plain(src: &[f32], [h, w]: [usize; 2], smooth: f32, out: &mut [f32]) {
    let sums = |y: i32, x: i32| {
        let (mut sum, mut squares) = (0.0, 0.0);
        for k in -4..=4 {
            let value = at(src, [h, w], y, x + k);
            sum += value;
            squares += value * value;
        }
        (sum, squares)
    };
    let line = |y: i32, x: i32| {
        let (mut sum, mut squares) = (0.0, 0.0);
        for k in -4..=4 {
            let (own, square) = sums(y + k, x);
            sum += own;
            squares += square;
        }
        let mean: f32 = sum / 81.0;
        let variance = squares / 81.0 - mean * mean;
        let slope = variance / (variance + smooth);
        (slope, mean - slope * mean)
    };
    // All windows around the picture, as the sums of its lines are asked for again and again.
    let rows = if h == 0 { 0 } else { h as i32 + 8 };
    let across: Vec<(f32, f32)> = (0..rows * w as i32)
        .map(|place| {
            let (y, x) = (place / w as i32 - 4, place % w as i32);
            let lines: Vec<(f32, f32)> = (-4..=4).map(|k| line(y, x + k)).collect();
            (lines.iter().map(|own| own.0).sum(), lines.iter().map(|own| own.1).sum())
        })
        .collect();
    for y in 0..h {
        for x in 0..w {
            let column = || (0..9).map(|k| across[(y + k) * w + x]);
            let (slope, offset): (f32, f32) =
                (column().map(|own| own.0).sum(), column().map(|own| own.1).sum());
            out[y * w + x] = (slope * src[y * w + x] + offset) / 81.0;
        }
    }
}

/// A generation of life, 32 cells in a word.
#[shim::kernel]
fn life(#[shape(h, w)] cells: &[u32], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [u32]) {
    let cells = cells.boundary(Fill(0));
    for y in 0..h {
        for x in 0..w {
            let mut ones = 0;
            let mut twos = 0;
            let mut fours = 0;
            for dy in -1..=1 {
                let (before, own, behind) =
                    (cells[[y + dy, x - 1]], cells[[y + dy, x]], cells[[y + dy, x + 1]]);
                let left = own << 1 | before >> 31;
                let right = own >> 1 | behind << 31;
                for cell in [left, if dy == 0 { 0 } else { own }, right] {
                    let carry = ones & cell;
                    ones ^= cell;
                    fours |= twos & carry;
                    twos ^= carry;
                }
            }
            out[[y, x]] = twos & !fours & (ones | cells[[y, x]]);
        }
    }
}

fn life_plain(cells: &[u32], [h, w]: [usize; 2], out: &mut [u32]) {
    let lives = |y: i32, x: i32| {
        let is_inside = (0..h as i32).contains(&y) && (0..32 * w as i32).contains(&x);
        is_inside && cells[y as usize * w + x as usize / 32] >> (x % 32) & 1 == 1
    };
    out.fill(0);
    for y in 0..h as i32 {
        for x in 0..32 * w as i32 {
            let around = (0..9).filter(|k| *k != 4 && lives(y + k / 3 - 1, x + k % 3 - 1)).count();
            if around == 3 || around == 2 && lives(y, x) {
                out[y as usize * w + x as usize / 32] |= 1 << (x % 32);
            }
        }
    }
}

/// A level of the Haar transform in both directions.
#[shim::kernel]
fn haar(#[shape(h, w)] src: &[i32], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [i32]) {
    for y in 0..h / 2 {
        for x in 0..w / 2 {
            let (a, b) = (src[[2 * y, 2 * x]], src[[2 * y, 2 * x + 1]]);
            let (c, d) = (src[[2 * y + 1, 2 * x]], src[[2 * y + 1, 2 * x + 1]]);
            out[[y, x]] = (a + b + c + d) / 2;
            out[[y, w / 2 + x]] = (a - b + c - d) / 2;
            out[[h / 2 + y, x]] = (a + b - c - d) / 2;
            out[[h / 2 + y, w / 2 + x]] = (a - b - c + d) / 2;
        }
    }
}

fn haar_plain(src: &[i32], [h, w]: [usize; 2], out: &mut [i32]) {
    for y in 0..h / 2 {
        for x in 0..w / 2 {
            let own = |dy: usize, dx: usize| src[(2 * y + dy) * w + 2 * x + dx];
            let (a, b, c, d) = (own(0, 0), own(0, 1), own(1, 0), own(1, 1));
            out[y * w + x] = (a + b + c + d) / 2;
            out[y * w + w / 2 + x] = (a - b + c - d) / 2;
            out[(h / 2 + y) * w + x] = (a + b - c - d) / 2;
            out[(h / 2 + y) * w + w / 2 + x] = (a - b - c + d) / 2;
        }
    }
}

/// A picture of RGBA over one of BGRA.
#[shim::kernel]
fn blend(#[shape(n, 4)] over: &[u8], #[shape(n, 4)] under: &mut [u8], n: usize) {
    for i in 0..n {
        let alpha = over[[i, 3]] as u32;
        let mix =
            |own: u8, other: u8| ((own as u32 * alpha + other as u32 * (255 - alpha) + 127) / 255) as u8;
        let (r, g, b) = (over[[i, 0]], over[[i, 1]], over[[i, 2]]);
        under[[i, 0]] = mix(b, under[[i, 0]]);
        under[[i, 1]] = mix(g, under[[i, 1]]);
        under[[i, 2]] = mix(r, under[[i, 2]]);
        under[[i, 3]] = mix(255, under[[i, 3]]);
    }
}

fn blend_plain(over: &[u8], under: &mut [u8]) {
    for (over, under) in over.chunks(4).zip(under.chunks_mut(4)) {
        let alpha = u32::from(over[3]);
        for (own, place) in [over[2], over[1], over[0], 255].into_iter().zip(under) {
            *place = ((u32::from(own) * alpha + u32::from(*place) * (255 - alpha) + 127) / 255) as u8;
        }
    }
}

/// Planes of a batch of pictures to interleaved channels.
#[shim::kernel]
fn interleave(
    #[shape(n, c, h, w)] src: &[f32],
    [n, c, h, w]: [usize; 4],
    #[shape(n, h, w, c)] out: &mut [f32],
) {
    for i in 0..n {
        for y in 0..h {
            for x in 0..w {
                for k in 0..c {
                    out[[i, y, x, k]] = src[[i, k, y, x]];
                }
            }
        }
    }
}

/// The 3x3 windows of a picture as columns of a matrix.
#[shim::kernel]
fn windows(#[shape(c, h, w)] src: &[f32], [c, h, w]: [usize; 3], #[shape(c * 9, h * w)] out: &mut [f32]) {
    let src = src.boundary(Fill(0.0));
    for k in 0..c {
        for dy in 0..3 {
            for dx in 0..3 {
                for y in 0..h {
                    for x in 0..w {
                        out[[(k * 3 + dy) * 3 + dx, y * w + x]] = src[[k, y + dy - 1, x + dx - 1]];
                    }
                }
            }
        }
    }
}

/// A convolution by 3x3 over all channels, with zeros around the picture.
#[shim::kernel]
fn convolve(
    #[shape(ci, h, w)] src: &[f32],
    #[shape(co, ci, 3, 3)] weights: &[f32],
    [co, ci, h, w]: [usize; 4],
    #[shape(co, h, w)] out: &mut [f32],
) {
    let src = src.boundary(Fill(0.0));
    for o in 0..co {
        for y in 0..h {
            for x in 0..w {
                let mut sum = 0.0;
                for i in 0..ci {
                    for dy in 0..3 {
                        for dx in 0..3 {
                            sum += src[[i, y + dy - 1, x + dx - 1]] * weights[[o, i, dy, dx]];
                        }
                    }
                }
                out[[o, y, x]] = sum;
            }
        }
    }
}

fn convolve_plain(src: &[f32], weights: &[f32], [co, ci, h, w]: [usize; 4], out: &mut [f32]) {
    for o in 0..co {
        for y in 0..h {
            for x in 0..w {
                let mut sum = 0.0;
                for tap in 0..ci * 9 {
                    let (i, dy, dx) = (tap / 9, tap / 3 % 3, tap % 3);
                    let (sy, sx) = ((y + dy).wrapping_sub(1), (x + dx).wrapping_sub(1));
                    let own = if sy < h && sx < w { src[(i * h + sy) * w + sx] } else { 0.0 };
                    sum += own * weights[o * ci * 9 + tap];
                }
                out[(o * h + y) * w + x] = sum;
            }
        }
    }
}

#[test]
fn filters() {
    for [h, w] in SIZES {
        let (picture, light) = (bytes(h * w), floats(h * w));
        let both = |kernel: fn(&[f32], [usize; 2], &mut [f32]), plain: fn(&[f32], [usize; 2], &mut [f32])| {
            let [mut one, mut other] = [vec![1.0; h * w], vec![1.0; h * w]];
            kernel(&light, [h, w], &mut one);
            plain(&light, [h, w], &mut other);
            assert_eq!(one, other, "{h}x{w}");
        };
        both(harris, harris_plain);
        both(
            |src, size, out| guided(src, size, 0.01, out),
            |src, size, out| guided_plain(src, size, 0.01, out),
        );
        let both = |kernel: fn(&[u8], [usize; 2], &mut [u8]), plain: fn(&[u8], [usize; 2], &mut [u8])| {
            let [mut one, mut other] = [vec![7; h * w], vec![7; h * w]];
            kernel(&picture, [h, w], &mut one);
            plain(&picture, [h, w], &mut other);
            assert_eq!(one, other, "{h}x{w}");
        };
        both(
            |src, size, out| canny(src, size, 40, 90, out),
            |src, size, out| canny_plain(src, size, 40, 90, out),
        );
        both(median, median_plain);
        let small = bytes(h.div_ceil(2) * w.div_ceil(2));
        let [mut one, mut other] = [vec![7; h * w], vec![7; h * w]];
        upsample(&small, [h, w], &mut one);
        upsample_plain(&small, [h, w], &mut other);
        assert_eq!(one, other, "{h}x{w}");
        let [mut one, mut other] = [(); 2].map(|()| (vec![0; h / 2 * (w / 2)], vec![0; h * w]));
        pyramid(&picture, [h, w], &mut one.0, &mut one.1);
        pyramid_plain(&picture, [h, w], &mut other.0, &mut other.1);
        assert_eq!(one, other, "{h}x{w}");
        let raw: Vec<u16> = noise(h * w, 4096);
        let [mut one, mut other] = [vec![7; 3 * h * w], vec![7; 3 * h * w]];
        demosaic(&raw, [h, w], &mut one);
        demosaic_plain(&raw, [h, w], &mut other);
        assert_eq!(one, other, "{h}x{w}");
    }
}

#[test]
fn cells_and_samples() {
    for [h, w] in SIZES {
        let cells: Vec<u32> = noise::<u64>(h * w, 1 << 40).into_iter().map(|own| (own >> 5) as u32).collect();
        let [mut one, mut other] = [vec![7; h * w], vec![7; h * w]];
        life(&cells, [h, w], &mut one);
        life_plain(&cells, [h, w], &mut other);
        assert_eq!(one, other, "{h}x{w}");
        let samples: Vec<i32> = bytes(h * w).into_iter().map(i32::from).collect();
        let [mut one, mut other] = [vec![7; h * w], vec![7; h * w]];
        haar(&samples, [h, w], &mut one);
        haar_plain(&samples, [h, w], &mut other);
        assert_eq!(one, other, "{h}x{w}");
        let [over, mut one] = [bytes(4 * h * w), bytes(4 * h * w + 5)[5..].to_vec()];
        let mut other = one.clone();
        blend(&over, &mut one, h * w);
        blend_plain(&over, &mut other);
        assert_eq!(one, other, "{h}x{w}");
    }
}

#[test]
fn channels() {
    for [h, w] in SIZES {
        let [n, c] = [2, 3];
        let planes = floats(n * c * h * w);
        let mut out = vec![0.0; planes.len()];
        interleave(&planes, [n, c, h, w], &mut out);
        for (place, value) in out.iter().enumerate() {
            let (i, y, x, k) = (place / (h * w * c), place / (w * c) % h, place / c % w, place % c);
            assert!(*value == planes[((i * c + k) * h + y) * w + x]);
        }
        let src = floats(c * h * w);
        let mut out = vec![0.0; c * 9 * h * w];
        windows(&src, [c, h, w], &mut out);
        for (place, value) in out.iter().enumerate() {
            let (row, y, x) = (place / (h * w), place / w % h, place % w);
            let (sy, sx) = ((y + row / 3 % 3).wrapping_sub(1), (x + row % 3).wrapping_sub(1));
            let own = if sy < h && sx < w { src[(row / 9 * h + sy) * w + sx] } else { 0.0 };
            assert!(*value == own);
        }
        let weights = floats(2 * c * 9);
        let [mut one, mut other] = [vec![7.0; 2 * h * w], vec![7.0; 2 * h * w]];
        convolve(&src, &weights, [2, c, h, w], &mut one);
        convolve_plain(&src, &weights, [2, c, h, w], &mut other);
        assert_eq!(one, other, "{h}x{w}");
    }
}
