//! Programs on pictures, as their authors would write them first.

use shim::prelude::*;

/// Harris corners: products of gradients, summed over 3x3, and the measure of a corner.
#[shim::kernel]
pub(crate) fn harris(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [f32]) {
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

/// Canny up to the two thresholds: a smooth picture, its gradients, and their size where it is greatest across an edge.
#[shim::kernel]
pub(crate) fn canny(
    #[shape(h, w)] src: &[u8],
    [h, w]: [usize; 2],
    low: i16,
    high: i16,
    #[shape(h, w)] out: &mut [u8],
) {
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

/// A level of a pyramid, and what is left when it is expanded again.
#[shim::kernel]
pub(crate) fn pyramid(
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

/// Chroma of 4:2:0 at the size of luma.
#[shim::kernel]
pub(crate) fn upsample(
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

/// The colors of a sensor with a Bayer pattern, by the mean of the nearest.
#[shim::kernel]
pub(crate) fn demosaic(#[shape(h, w)] raw: &[u16], [h, w]: [usize; 2], #[shape(h, w, 3)] out: &mut [u16]) {
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

/// The median of 3x3: the middle of the largest minimum, the middle median and the smallest maximum of the columns.
#[shim::kernel]
pub(crate) fn median(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [u8]) {
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

/// The guided filter of He, Sun and Tang over windows of 9x9, guided by the picture itself.
#[shim::kernel]
pub(crate) fn guided(
    #[shape(h, w)] src: &[f32],
    [h, w]: [usize; 2],
    smooth: f32,
    #[shape(h, w)] out: &mut [f32],
) {
    let src = src.boundary(Clamp);
    #[compute_at(root)]
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

/// A generation of life, 32 cells in a word.
#[shim::kernel]
pub(crate) fn life(#[shape(h, w)] cells: &[u32], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [u32]) {
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

/// A level of the Haar transform in both directions.
#[shim::kernel]
pub(crate) fn haar(#[shape(h, w)] src: &[i32], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [i32]) {
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

/// A picture of RGBA over one of BGRA.
#[shim::kernel]
pub(crate) fn blend(#[shape(n, 4)] over: &[u8], #[shape(n, 4)] under: &mut [u8], n: usize) {
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

/// Planes of a batch of pictures to interleaved channels.
#[shim::kernel]
pub(crate) fn interleave(
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
pub(crate) fn windows(
    #[shape(c, h, w)] src: &[f32],
    [c, h, w]: [usize; 3],
    #[shape(c * 9, h * w)] out: &mut [f32],
) {
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
pub(crate) fn convolve(
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
