//! Programs of an image or a numerics library, written as their authors would: formulas, inclusive ranges, `let`s and
//! chains.

use shim::prelude::*;

#[shim::kernel(simd)]
pub(super) fn product(
    #[shape(h, n)] a: &[f32],
    #[shape(n, w)] b: &[f32],
    #[shape(h, w)] c: &mut [f32],
    [h, n, w]: [usize; 3],
) {
    for i in 0..h {
        for k in 0..n {
            let factor = a[[i, k]];
            for j in 0..w {
                c[[i, j]] += factor * b[[k, j]];
            }
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn integer_product(
    #[shape(h, n)] a: &[i8],
    #[shape(n, w)] b: &[i8],
    #[shape(h, w)] c: &mut [i32],
    [h, n, w]: [usize; 3],
) {
    for i in 0..h {
        for k in 0..n {
            let factor = a[[i, k]] as i32;
            for j in 0..w {
                c[[i, j]] += factor * b[[k, j]] as i32;
            }
        }
    }
}

/// The product of a lower triangular matrix and a matrix.
#[shim::kernel(simd)]
pub(super) fn triangular_product(
    #[shape(n, n)] a: &[f32],
    #[shape(n, w)] b: &[f32],
    #[shape(n, w)] c: &mut [f32],
    [n, w]: [usize; 2],
) {
    for i in 0..n {
        for k in 0..=i {
            let factor = a[[i, k]];
            for j in 0..=w - 1 {
                c[[i, j]] += factor * b[[k, j]];
            }
        }
    }
}

/// Cholesky's factorization, in place.
#[shim::kernel(simd)]
pub(super) fn factorize(#[shape(n, n)] a: &mut [f32], n: usize) {
    for k in 0..n {
        let root = a[[k, k]].sqrt();
        a[[k, k]] = root;
        for i in k + 1..n {
            a[[i, k]] /= root;
        }
        for j in k + 1..n {
            let factor = a[[j, k]];
            for i in k + 1..=j {
                a[[j, i]] -= factor * a[[i, k]];
            }
        }
    }
}

/// A blur by 1 2 1 in both directions.
#[shim::kernel(simd)]
pub(super) fn blur(#[shape(h, w)] from: &[u8], #[shape(h, w)] to: &mut [u8], [h, w]: [usize; 2]) {
    let from = from.boundary(Clamp);
    for [y, x] in to.indices() {
        let row = |y: i32| from[[y, x - 1]] as u16 + 2 * from[[y, x]] as u16 + from[[y, x + 1]] as u16;
        to[[y, x]] = ((row(y - 1) + 2 * row(y) + row(y + 1) + 8) >> 4) as u8;
    }
}

/// The same in two passes, over rows and then over columns.
#[shim::kernel(simd)]
pub(super) fn separable_blur(
    #[shape(h, w)] from: &[f32],
    #[shape(h, w)] rows: &mut [f32],
    #[shape(h, w)] to: &mut [f32],
    [h, w]: [usize; 2],
) {
    let near = from.boundary(Clamp);
    for y in 0..=h - 1 {
        for x in 0..=w - 1 {
            rows[[y, x]] = 0.25 * near[[y, x - 1]] + 0.5 * near[[y, x]] + 0.25 * near[[y, x + 1]];
        }
    }
    let near = rows.boundary(Clamp);
    for y in 0..=h - 1 {
        for x in 0..=w - 1 {
            to[[y, x]] = 0.25 * near[[y - 1, x]] + 0.5 * near[[y, x]] + 0.25 * near[[y + 1, x]];
        }
    }
}

/// The absolute gradients of Sobel, summed; the border stays.
#[shim::kernel(simd)]
pub(super) fn sobel(#[shape(h, w)] from: &[u8], #[shape(h, w)] to: &mut [u8], [h, w]: [usize; 2]) {
    for y in 1..=h - 2 {
        for x in 1..=w - 2 {
            let (nw, n, ne) =
                (from[[y - 1, x - 1]] as i16, from[[y - 1, x]] as i16, from[[y - 1, x + 1]] as i16);
            let (w, e) = (from[[y, x - 1]] as i16, from[[y, x + 1]] as i16);
            let (sw, s, se) =
                (from[[y + 1, x - 1]] as i16, from[[y + 1, x]] as i16, from[[y + 1, x + 1]] as i16);
            let across = ne + 2 * e + se - nw - 2 * w - sw;
            let down = sw + 2 * s + se - nw - 2 * n - ne;
            to[[y, x]] = (across.abs() + down.abs()).min(255) as u8;
        }
    }
}

#[shim::kernel(simd)]
pub(super) fn bilateral(#[shape(h, w)] from: &[f32], #[shape(h, w)] to: &mut [f32], [h, w]: [usize; 2]) {
    let near = from.boundary(Clamp);
    for [y, x] in to.indices() {
        let center = from[[y, x]];
        let mut sum = 0.0;
        let mut weights = 0.0;
        for dy in -2..=2 {
            for dx in -2..=2 {
                let value = near[[y + dy, x + dx]];
                let distance = value - center;
                let weight = 1.0 / (1.0 + 16.0 * distance * distance + 0.1 * (dy * dy + dx * dx) as f32);
                sum += weight * value;
                weights += weight;
            }
        }
        to[[y, x]] = sum / weights;
    }
}

/// The equalization of a histogram.
#[shim::kernel(simd)]
pub(super) fn equalize(#[shape(n)] from: &[u8], #[shape(n)] to: &mut [u8], n: usize) {
    let counts = Block::stack::<u32>([256]);
    for i in 0..n {
        counts[[from[[i]]]] += 1;
    }
    let levels = Block::stack::<u8>([256]);
    let mut below = 0u32;
    for level in 0..=255 {
        below += counts[[level]];
        levels[[level]] = (u64::from(below) * 255 / n as u64) as u8;
    }
    for i in 0..n {
        to[[i]] = levels[[from[[i]]]];
    }
}

/// The sum of all elements above and to the left of each.
#[shim::kernel(simd)]
pub(super) fn integral(#[shape(h, w)] from: &[u8], #[shape(h, w)] to: &mut [u32], [h, w]: [usize; 2]) {
    let before = to.boundary(Fill(0));
    for y in 0..h {
        let mut row = 0;
        for x in 0..w {
            row += from[[y, x]] as u32;
            to[[y, x]] = row + before[[y as isize - 1, x as isize]];
        }
    }
}

/// Bilinear interpolation at positions that tables give, in 256ths.
#[shim::kernel(simd)]
pub(super) fn resize(
    #[shape(h, w)] from: &[u8],
    #[shape(rows, columns)] to: &mut [u8],
    [h, w]: [usize; 2],
    #[shape(rows)] ys: &[u32],
    #[shape(columns)] xs: &[u32],
    [rows, columns]: [usize; 2],
) {
    let near = from.boundary(Clamp);
    for y in 0..rows {
        let (top, down) = (ys[[y]] >> 8, ys[[y]] & 255);
        for x in 0..columns {
            let (left, right) = (xs[[x]] >> 8, xs[[x]] & 255);
            let upper = near[[top, left]] as u32 * (256 - right) + near[[top, left + 1]] as u32 * right;
            let lower =
                near[[top + 1, left]] as u32 * (256 - right) + near[[top + 1, left + 1]] as u32 * right;
            to[[y, x]] = ((upper * (256 - down) + lower * down + (1 << 15)) >> 16) as u8;
        }
    }
}

/// BT.601, 4:2:0.
#[shim::kernel(simd)]
#[allow(clippy::too_many_arguments)]
pub(super) fn to_rgb(
    #[shape(h, w)] luma: &[u8],
    #[shape(h / 2, w / 2)] blue: &[u8],
    #[shape(h / 2, w / 2)] red: &[u8],
    #[shape(h, w)] r: &mut [u8],
    #[shape(h, w)] g: &mut [u8],
    #[shape(h, w)] b: &mut [u8],
    [h, w]: [usize; 2],
) {
    for y in 0..h {
        for x in 0..w {
            let (cb, cr) = (blue[[y / 2, x / 2]] as i32 - 128, red[[y / 2, x / 2]] as i32 - 128);
            let luma = luma[[y, x]] as i32;
            r[[y, x]] = (luma + ((91881 * cr + 32768) >> 16)).clamp(0, 255) as u8;
            g[[y, x]] = (luma - ((22554 * cb + 46802 * cr + 32768) >> 16)).clamp(0, 255) as u8;
            b[[y, x]] = (luma + ((116130 * cb + 32768) >> 16)).clamp(0, 255) as u8;
        }
    }
}

/// The scores of Needleman and Wunsch.
#[shim::kernel(simd)]
pub(super) fn align(
    #[shape(n)] one: &[u8],
    #[shape(m)] other: &[u8],
    #[shape(n + 1, m + 1)] scores: &mut [i32],
    [n, m]: [usize; 2],
) {
    for i in 0..=n {
        scores[[i, 0]] = -(i as i32);
    }
    for j in 0..=m {
        scores[[0, j]] = -(j as i32);
    }
    for i in 1..=n {
        for j in 1..=m {
            let same = if one[[i - 1]] == other[[j - 1]] { 1 } else { -1 };
            let diagonal = scores[[i - 1, j - 1]] + same;
            scores[[i, j]] = diagonal.max(scores[[i - 1, j]] - 1).max(scores[[i, j - 1]] - 1);
        }
    }
}

/// All shortest paths, by Floyd and Warshall.
#[shim::kernel(simd)]
pub(super) fn shortest(#[shape(n, n)] d: &mut [u32], n: usize) {
    for k in 0..n {
        let from = d[[k, ..]].to_block().copied();
        for i in 0..n {
            let via = d[[i, k]];
            for j in 0..n {
                d[[i, j]] = d[[i, j]].min(via + from[[j]]);
            }
        }
    }
}

/// A step of diffusion in three dimensions.
#[shim::kernel(simd)]
pub(super) fn diffuse(
    #[shape(d, h, w)] from: &[f32],
    #[shape(d, h, w)] to: &mut [f32],
    [d, h, w]: [usize; 3],
) {
    for z in 1..=d - 2 {
        for y in 1..=h - 2 {
            for x in 1..=w - 2 {
                let own = from[[z, y, x]];
                let around = from[[z - 1, y, x]]
                    + from[[z + 1, y, x]]
                    + from[[z, y - 1, x]]
                    + from[[z, y + 1, x]]
                    + from[[z, y, x - 1]]
                    + from[[z, y, x + 1]];
                to[[z, y, x]] = own + 0.1 * (around - 6.0 * own);
            }
        }
    }
}

/// A dilation by a square of three.
#[shim::kernel(simd)]
pub(super) fn dilate(#[shape(h, w)] from: &[u8], #[shape(h, w)] to: &mut [u8], [h, w]: [usize; 2]) {
    let near = from.boundary(Fill(0));
    for [y, x] in to.indices() {
        let most = (-1..=1).map(|dy| (-1..=1).map(|dx| near[[y + dy, x + dx]]).max().unwrap_or(0)).max();
        to[[y, x]] = most.unwrap_or(0);
    }
}

/// Labels of connected regions of set pixels: the least number of a pixel in each. Gives the number of passes.
#[shim::kernel(simd)]
pub(super) fn label(
    #[shape(h, w)] set: &[bool],
    #[shape(h, w)] labels: &mut [u32],
    [h, w]: [usize; 2],
) -> u32 {
    for y in 0..h {
        for x in 0..w {
            labels[[y, x]] = if set[[y, x]] { (y * w + x) as u32 } else { u32::MAX };
        }
    }
    let near = labels.boundary(Fill(u32::MAX));
    let mut passes = 0;
    loop {
        let mut changed = false;
        for [y, x] in labels.indices() {
            if set[[y, x]] {
                let least =
                    near[[y - 1, x]].min(near[[y, x - 1]]).min(near[[y, x + 1]]).min(near[[y + 1, x]]);
                if least < labels[[y, x]] {
                    labels[[y, x]] = least;
                    changed = true;
                }
            }
        }
        passes += 1;
        if !changed {
            return passes;
        }
    }
}

/// The offset in a window at which a block of 8 x 8 is most alike, and the sum of absolute differences there.
#[shim::kernel(simd)]
pub(super) fn search(
    #[shape(8, 8)] block: &[u8],
    #[shape(h, w)] window: &[u8],
    [h, w]: [usize; 2],
) -> (u32, [usize; 2]) {
    let mut best = (u32::MAX, [0, 0]);
    for dy in 0..=h - 8 {
        for dx in 0..=w - 8 {
            let sad = block
                .indices()
                .map(|[y, x]| block[[y, x]].abs_diff(window[[dy + y, dx + x]]) as u32)
                .sum::<u32>();
            if sad < best.0 {
                best = (sad, [dy, dx]);
            }
        }
    }
    best
}
