//! The same in plain Rust over rows of slices. The attribute gives these functions the versions for instruction sets
//! that the kernels have, and nothing else: there is no tensor in them.

#[shim::kernel(simd)]
pub(super) fn product(a: &[f32], b: &[f32], c: &mut [f32], [h, n, w]: [usize; 3]) {
    for i in 0..h {
        let row = &mut c[i * w..][..w];
        for k in 0..n {
            let factor = a[i * n + k];
            for (to, from) in row.iter_mut().zip(&b[k * w..][..w]) {
                *to += factor * from;
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn integer_product(a: &[i8], b: &[i8], c: &mut [i32], [h, n, w]: [usize; 3]) {
    for i in 0..h {
        let row = &mut c[i * w..][..w];
        for k in 0..n {
            let factor = i32::from(a[i * n + k]);
            for (to, from) in row.iter_mut().zip(&b[k * w..][..w]) {
                *to += factor * i32::from(*from);
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn triangular_product(a: &[f32], b: &[f32], c: &mut [f32], [n, w]: [usize; 2]) {
    for i in 0..n {
        let row = &mut c[i * w..][..w];
        for k in 0..i + 1 {
            let factor = a[i * n + k];
            for (to, from) in row.iter_mut().zip(&b[k * w..][..w]) {
                *to += factor * from;
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn factorize(a: &mut [f32], n: usize) {
    for k in 0..n {
        let root = a[k * n + k].sqrt();
        a[k * n + k] = root;
        for i in k + 1..n {
            a[i * n + k] /= root;
        }
        for j in k + 1..n {
            let factor = a[j * n + k];
            for i in k + 1..j + 1 {
                a[j * n + i] -= factor * a[i * n + k];
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn blur(from: &[u8], to: &mut [u8], [h, w]: [usize; 2]) {
    for y in 0..h {
        let rows = [y.saturating_sub(1), y, (y + 1).min(h - 1)].map(|y| &from[y * w..][..w]);
        let to = &mut to[y * w..][..w];
        let row = |row: &[u8], left: usize, x: usize, right: usize| {
            u16::from(row[left]) + 2 * u16::from(row[x]) + u16::from(row[right])
        };
        let at = |left: usize, x: usize, right: usize| {
            let [above, own, below] = rows.map(|own| row(own, left, x, right));
            ((above + 2 * own + below + 8) >> 4) as u8
        };
        to[0] = at(0, 0, 1.min(w - 1));
        for x in 1..w.max(1) - 1 {
            to[x] = at(x - 1, x, x + 1);
        }
        to[w - 1] = at(w.max(2) - 2, w - 1, w - 1);
    }
}

#[shim::kernel(simd)]
pub(super) fn separable_blur(from: &[f32], rows: &mut [f32], to: &mut [f32], [h, w]: [usize; 2]) {
    for y in 0..h {
        let (from, to) = (&from[y * w..][..w], &mut rows[y * w..][..w]);
        let at = |left: usize, x: usize, right: usize| 0.25 * from[left] + 0.5 * from[x] + 0.25 * from[right];
        to[0] = at(0, 0, 1.min(w - 1));
        for x in 1..w.max(1) - 1 {
            to[x] = at(x - 1, x, x + 1);
        }
        to[w - 1] = at(w.max(2) - 2, w - 1, w - 1);
    }
    for y in 0..h {
        let [above, own, below] = [y.saturating_sub(1), y, (y + 1).min(h - 1)].map(|y| &rows[y * w..][..w]);
        let to = &mut to[y * w..][..w];
        for x in 0..w {
            to[x] = 0.25 * above[x] + 0.5 * own[x] + 0.25 * below[x];
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn sobel(from: &[u8], to: &mut [u8], [h, w]: [usize; 2]) {
    for y in 1..h - 1 {
        let [above, own, below] = [y - 1, y, y + 1].map(|y| &from[y * w..][..w]);
        let to = &mut to[y * w..][..w];
        for x in 1..w - 1 {
            let at = |row: &[u8], x: usize| i16::from(row[x]);
            let across = at(above, x + 1) + 2 * at(own, x + 1) + at(below, x + 1)
                - at(above, x - 1)
                - 2 * at(own, x - 1)
                - at(below, x - 1);
            let down = at(below, x - 1) + 2 * at(below, x) + at(below, x + 1)
                - at(above, x - 1)
                - 2 * at(above, x)
                - at(above, x + 1);
            to[x] = (across.abs() + down.abs()).min(255) as u8;
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn bilateral(from: &[f32], to: &mut [f32], [h, w]: [usize; 2]) {
    for y in 0..h {
        for x in 0..w {
            let center = from[y * w + x];
            let (mut sum, mut weights) = (0.0, 0.0);
            for dy in -2..3_i32 {
                let row = (y as i32 + dy).clamp(0, h as i32 - 1) as usize;
                for dx in -2..3_i32 {
                    let column = (x as i32 + dx).clamp(0, w as i32 - 1) as usize;
                    let value = from[row * w + column];
                    let distance = value - center;
                    let weight = 1.0 / (1.0 + 16.0 * distance * distance + 0.1 * (dy * dy + dx * dx) as f32);
                    sum += weight * value;
                    weights += weight;
                }
            }
            to[y * w + x] = sum / weights;
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn equalize(from: &[u8], to: &mut [u8], n: usize) {
    let mut counts = [0_u32; 256];
    for value in from {
        counts[usize::from(*value)] += 1;
    }
    let mut levels = [0_u8; 256];
    let mut below = 0;
    for (level, count) in levels.iter_mut().zip(&counts) {
        below += count;
        *level = (u64::from(below) * 255 / n as u64) as u8;
    }
    for (to, value) in to.iter_mut().zip(from) {
        *to = levels[usize::from(*value)];
    }
}

#[shim::kernel(simd)]
pub(super) fn integral(from: &[u8], to: &mut [u32], [h, w]: [usize; 2]) {
    for y in 0..h {
        let (before, own) = to.split_at_mut(y * w);
        let mut row = 0;
        if y == 0 {
            for x in 0..w {
                row += u32::from(from[x]);
                own[x] = row;
            }
        } else {
            let (above, own, from) = (&before[(y - 1) * w..][..w], &mut own[..w], &from[y * w..][..w]);
            for x in 0..w {
                row += u32::from(from[x]);
                own[x] = row + above[x];
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn resize(
    from: &[u8],
    to: &mut [u8],
    [h, w]: [usize; 2],
    ys: &[u32],
    xs: &[u32],
    [rows, columns]: [usize; 2],
) {
    for y in 0..rows {
        let (top, down) = ((ys[y] >> 8) as usize, ys[y] & 255);
        let [above, below] = [top.min(h - 1), (top + 1).min(h - 1)].map(|y| &from[y * w..][..w]);
        let to = &mut to[y * columns..][..columns];
        for x in 0..columns {
            let (left, right) = ((xs[x] >> 8) as usize, xs[x] & 255);
            let (first, second) = (left.min(w - 1), (left + 1).min(w - 1));
            let upper = u32::from(above[first]) * (256 - right) + u32::from(above[second]) * right;
            let lower = u32::from(below[first]) * (256 - right) + u32::from(below[second]) * right;
            to[x] = ((upper * (256 - down) + lower * down + (1 << 15)) >> 16) as u8;
        }
    }
}

#[shim::kernel(simd)]
#[allow(clippy::too_many_arguments)]
pub(super) fn to_rgb(
    luma: &[u8],
    blue: &[u8],
    red: &[u8],
    r: &mut [u8],
    g: &mut [u8],
    b: &mut [u8],
    [h, w]: [usize; 2],
) {
    for y in 0..h {
        let luma = &luma[y * w..][..w];
        let [blue, red] = [blue, red].map(|plane| &plane[y / 2 * (w / 2)..][..w / 2]);
        let [r, g, b] = [&mut *r, &mut *g, &mut *b].map(|plane| &mut plane[y * w..][..w]);
        for x in 0..w {
            let (cb, cr) = (i32::from(blue[x / 2]) - 128, i32::from(red[x / 2]) - 128);
            let luma = i32::from(luma[x]);
            r[x] = (luma + ((91881 * cr + 32768) >> 16)).clamp(0, 255) as u8;
            g[x] = (luma - ((22554 * cb + 46802 * cr + 32768) >> 16)).clamp(0, 255) as u8;
            b[x] = (luma + ((116130 * cb + 32768) >> 16)).clamp(0, 255) as u8;
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn align(one: &[u8], other: &[u8], scores: &mut [i32], [n, m]: [usize; 2]) {
    let w = m + 1;
    for i in 0..n + 1 {
        scores[i * w] = -(i as i32);
    }
    for j in 0..w {
        scores[j] = -(j as i32);
    }
    for i in 1..n + 1 {
        let (before, own) = scores.split_at_mut(i * w);
        let (above, own, other) = (&before[(i - 1) * w..][..w], &mut own[..w], &other[..m]);
        for j in 1..w {
            let same = if one[i - 1] == other[j - 1] { 1 } else { -1 };
            own[j] = (above[j - 1] + same).max(above[j] - 1).max(own[j - 1] - 1);
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn shortest(d: &mut [u32], n: usize) {
    for k in 0..n {
        let from = d[k * n..][..n].to_vec();
        for i in 0..n {
            let row = &mut d[i * n..][..n];
            let via = row[k];
            for (to, from) in row.iter_mut().zip(&from) {
                *to = (*to).min(via + from);
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn diffuse(from: &[f32], to: &mut [f32], [d, h, w]: [usize; 3]) {
    let row = |z: usize, y: usize| &from[(z * h + y) * w..][..w];
    for z in 1..d - 1 {
        for y in 1..h - 1 {
            let (own, before, behind) = (row(z, y), row(z - 1, y), row(z + 1, y));
            let (above, below) = (row(z, y - 1), row(z, y + 1));
            let to = &mut to[(z * h + y) * w..][..w];
            for x in 1..w - 1 {
                let around = before[x] + behind[x] + above[x] + below[x] + own[x - 1] + own[x + 1];
                to[x] = own[x] + 0.1 * (around - 6.0 * own[x]);
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn dilate(from: &[u8], to: &mut [u8], [h, w]: [usize; 2]) {
    for y in 0..h {
        let rows = y.saturating_sub(1)..(y + 2).min(h);
        for x in 0..w {
            let mut most = 0;
            for y in rows.clone() {
                for x in x.saturating_sub(1)..(x + 2).min(w) {
                    most = most.max(from[y * w + x]);
                }
            }
            to[y * w + x] = most;
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn label(set: &[bool], labels: &mut [u32], [h, w]: [usize; 2]) -> u32 {
    for (i, label) in labels.iter_mut().enumerate() {
        *label = if set[i] { i as u32 } else { u32::MAX };
    }
    let mut passes = 0;
    loop {
        let mut changed = false;
        for y in 0..h {
            for x in 0..w {
                if set[y * w + x] {
                    let at = y * w + x;
                    let mut least = u32::MAX;
                    if y > 0 {
                        least = least.min(labels[at - w]);
                    }
                    if x > 0 {
                        least = least.min(labels[at - 1]);
                    }
                    if x + 1 < w {
                        least = least.min(labels[at + 1]);
                    }
                    if y + 1 < h {
                        least = least.min(labels[at + w]);
                    }
                    if least < labels[at] {
                        labels[at] = least;
                        changed = true;
                    }
                }
            }
        }
        passes += 1;
        if !changed {
            return passes;
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn search(block: &[u8], window: &[u8], [h, w]: [usize; 2]) -> (u32, [usize; 2]) {
    let mut best = (u32::MAX, [0, 0]);
    for dy in 0..h - 7 {
        for dx in 0..w - 7 {
            let mut sad = 0;
            for y in 0..8 {
                let (one, other) = (&block[y * 8..][..8], &window[(dy + y) * w + dx..][..8]);
                for x in 0..8 {
                    sad += u32::from(one[x].abs_diff(other[x]));
                }
            }
            if sad < best.0 {
                best = (sad, [dy, dx]);
            }
        }
    }
    best
}
