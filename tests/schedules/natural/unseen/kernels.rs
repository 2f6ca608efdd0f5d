//! The programs as kernels.

use shim::prelude::*;

/// The least of 3 by 3 neighbors.
#[shim::kernel]
pub(crate) fn erode(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [u8]) {
    let src = src.boundary(Clamp);
    for y in 0..h {
        for x in 0..w {
            let mut least = 255;
            for dy in -1..=1 {
                for dx in -1..=1 {
                    least = least.min(src[[y + dy, x + dx]]);
                }
            }
            out[[y, x]] = least;
        }
    }
}

/// Packed 4:2:2 samples to RGB.
#[shim::kernel]
pub(crate) fn unpack(#[shape(n, 4)] packed: &[u8], #[shape(2 * n, 3)] rgb: &mut [u8], n: usize) {
    for i in 0..2 * n {
        let luma = packed[[i / 2, 2 * (i % 2)]] as i32;
        let blue = packed[[i / 2, 1]] as i32 - 128;
        let red = packed[[i / 2, 3]] as i32 - 128;
        rgb[[i, 0]] = (luma + (359 * red >> 8)).clamp(0, 255) as u8;
        rgb[[i, 1]] = (luma - (88 * blue + 183 * red >> 8)).clamp(0, 255) as u8;
        rgb[[i, 2]] = (luma + (454 * blue >> 8)).clamp(0, 255) as u8;
    }
}

/// The product of a transposed matrix and a vector.
#[shim::kernel]
pub(crate) fn transposed_product(
    #[shape(h, w)] a: &[f32],
    #[shape(h)] x: &[f32],
    #[shape(w)] y: &mut [f32],
    [h, w]: [usize; 2],
) {
    for j in 0..w {
        let mut sum = 0.0;
        for i in 0..h {
            sum += a[[i, j]] * x[[i]];
        }
        y[[j]] = sum;
    }
}

/// The edit distance of two words, row by row.
#[shim::kernel]
pub(crate) fn edits(
    #[shape(h)] a: &[u8],
    #[shape(w)] b: &[u8],
    [h, w]: [usize; 2],
    #[shape(h + 1, w + 1)] d: &mut [u32],
) {
    for j in 0..w + 1 {
        d[[0, j]] = j as u32;
    }
    for i in 1..h + 1 {
        d[[i, 0]] = i as u32;
        for j in 1..w + 1 {
            let changed = if a[[i - 1]] == b[[j - 1]] { 0 } else { 1 };
            d[[i, j]] = (d[[i - 1, j - 1]] + changed).min(d[[i - 1, j]] + 1).min(d[[i, j - 1]] + 1);
        }
    }
}

/// The levels of a picture by a table.
#[shim::kernel]
pub(crate) fn curve(
    #[shape(n)] src: &[u8],
    #[shape(256)] levels: &[u8],
    n: usize,
    #[shape(n)] out: &mut [u8],
) {
    for i in 0..n {
        out[[i]] = levels[[src[[i]] as usize]];
    }
}

/// Whether a pixel is darker than the mean of the square around it, by a table of sums.
#[shim::kernel]
pub(crate) fn threshold(
    #[shape(h, w)] src: &[u8],
    [h, w]: [usize; 2],
    r: usize,
    #[shape(h + 1, w + 1)] sums: &mut [u32],
    #[shape(h, w)] out: &mut [u8],
) {
    for x in 0..w + 1 {
        sums[[0, x]] = 0;
    }
    for y in 0..h {
        let mut row = 0;
        sums[[y + 1, 0]] = 0;
        for x in 0..w {
            row += src[[y, x]] as u32;
            sums[[y + 1, x + 1]] = sums[[y, x + 1]] + row;
        }
    }
    for y in 0..h {
        let (top, bottom) = (y.saturating_sub(r), (y + r + 1).min(h));
        for x in 0..w {
            let (left, right) = (x.saturating_sub(r), (x + r + 1).min(w));
            let count = ((bottom - top) * (right - left)) as u32;
            let sum = sums[[bottom, right]] + sums[[top, left]] - sums[[top, right]] - sums[[bottom, left]];
            out[[y, x]] = if src[[y, x]] as u32 * count < sum { 255 } else { 0 };
        }
    }
}

/// A sweep of Gauss and Seidel.
#[shim::kernel]
pub(crate) fn sweep(#[shape(h, w)] u: &mut [f32], #[shape(h, w)] f: &[f32], [h, w]: [usize; 2]) {
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            u[[y, x]] = 0.25 * (u[[y - 1, x]] + u[[y + 1, x]] + u[[y, x - 1]] + u[[y, x + 1]] - f[[y, x]]);
        }
    }
}

/// Every third sample of a signal, filtered.
#[shim::kernel]
pub(crate) fn decimate(
    #[shape(n)] signal: &[f32],
    #[shape(taps)] filter: &[f32],
    [n, taps, m]: [usize; 3],
    #[shape(m)] out: &mut [f32],
) {
    let signal = signal.boundary(Fill(0.0));
    for i in 0..m {
        let mut sum = 0.0;
        for k in 0..taps {
            sum += filter[[k]] * signal[[3 * i + k]];
        }
        out[[i]] = sum;
    }
}

/// The softmax of each row.
#[shim::kernel]
pub(crate) fn normalize(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [f32]) {
    for y in 0..h {
        let mut most = f32::MIN;
        for x in 0..w {
            most = most.max(src[[y, x]]);
        }
        let mut sum = 0.0;
        for x in 0..w {
            let d = (src[[y, x]] - most).max(-8.0) / 8.0 + 1.0;
            out[[y, x]] = d * d * d * d;
            sum += out[[y, x]];
        }
        for x in 0..w {
            out[[y, x]] /= sum;
        }
    }
}

/// A picture turned by a quarter to the right.
#[shim::kernel]
pub(crate) fn turn(#[shape(h, w)] src: &[u32], [h, w]: [usize; 2], #[shape(w, h)] out: &mut [u32]) {
    for y in 0..w {
        for x in 0..h {
            out[[y, x]] = src[[h - 1 - x, y]];
        }
    }
}
