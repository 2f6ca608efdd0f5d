//! A box filter of any radius by an integral image (Crow): four sums for each sample.

use shim::prelude::*;

/// The means of boxes of `2 * r + 1` by `2 * r + 1` samples, of which those outside the image do not count.
#[shim::kernel(simd)]
pub fn boxes(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], r: i32, #[shape(h, w)] dst: &mut [u8]) {
    // Sums wrap. That of a box is exact, as it is below 2^32. The first row and column are zeros.
    let src = src.boundary(Fill(0));
    let sums = stage::<u32>([h + 1, w + 1], |s, [y, x]| {
        let s = s.boundary(Fill(0));
        let above: u32 = s[[y - 1, x]].wrapping_sub(s[[y - 1, x - 1]]);
        s[[y, x - 1]].wrapping_add(above.wrapping_add(u32::from(src[[y - 1, x - 1]])))
    });
    let sums = sums.boundary(Clamp);
    for [y, x] in dst.indices() {
        let upper: u32 = sums[[y - r, x + r + 1]].wrapping_sub(sums[[y - r, x - r]]);
        let lower: u32 = sums[[y + r + 1, x + r + 1]].wrapping_sub(sums[[y + r + 1, x - r]]);
        let down = (y + r + 1).min(h as i32) - (y - r).max(0);
        let across = (x + r + 1).min(w as i32) - (x - r).max(0);
        dst[[y, x]] = (lower.wrapping_sub(upper) / (down * across) as u32) as u8;
    }
}

/// The filter as it is written without a library.
pub fn plain(src: &[u8], [h, w]: [usize; 2], r: i32, dst: &mut [u8]) {
    let r = r as usize;
    let mut sums = vec![0_u32; (h + 1) * (w + 1)];
    for y in 0..h {
        let mut row = 0_u32;
        for x in 0..w {
            row += u32::from(src[y * w + x]);
            sums[(y + 1) * (w + 1) + x + 1] = sums[y * (w + 1) + x + 1].wrapping_add(row);
        }
    }
    for y in 0..h {
        for x in 0..w {
            let (top, bottom) = (y.saturating_sub(r), (y + r + 1).min(h));
            let (left, right) = (x.saturating_sub(r), (x + r + 1).min(w));
            let upper = sums[top * (w + 1) + right].wrapping_sub(sums[top * (w + 1) + left]);
            let lower = sums[bottom * (w + 1) + right].wrapping_sub(sums[bottom * (w + 1) + left]);
            let count = ((bottom - top) * (right - left)) as u32;
            dst[y * w + x] = (lower.wrapping_sub(upper) / count) as u8;
        }
    }
}
