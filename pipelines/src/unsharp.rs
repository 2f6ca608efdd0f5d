//! An unsharp mask: what a Gaussian takes from an image is added to it.

use shim::prelude::*;

/// The weights of a Gaussian of seven taps.
const WEIGHTS: [f32; 4] = [0.265_962, 0.212_965, 0.109_340, 0.035_994];

/// The mask, over a separable Gaussian.
#[shim::kernel(simd, schedules(root, rows, strips))]
pub fn unsharp(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], amount: f32, #[shape(h, w)] dst: &mut [f32]) {
    const W: [f32; 4] = WEIGHTS;
    let src = src.boundary(Clamp);
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(strips, compute_at('row))]
    let down = stage::<f32>(|[y, x]| {
        let near: f32 = W[0] * src[[y, x]] + W[1] * (src[[y - 1, x]] + src[[y + 1, x]]);
        near + W[2] * (src[[y - 2, x]] + src[[y + 2, x]]) + W[3] * (src[[y - 3, x]] + src[[y + 3, x]])
    });
    #[schedule(rows, tile([1, _], 'row))]
    #[schedule(strips, tile([8, _], 'row))]
    for [y, x] in dst.indices() {
        let near: f32 = W[0] * down[[y, x]] + W[1] * (down[[y, x - 1]] + down[[y, x + 1]]);
        let smooth: f32 = near
            + W[2] * (down[[y, x - 2]] + down[[y, x + 2]])
            + W[3] * (down[[y, x - 3]] + down[[y, x + 3]]);
        dst[[y, x]] = src[[y, x]] + amount * (src[[y, x]] - smooth);
    }
}

/// The mask as it is written without a library, one pass after the other.
pub fn plain(src: &[f32], [h, w]: [usize; 2], amount: f32, dst: &mut [f32]) {
    const W: [f32; 4] = WEIGHTS;
    let clamped = |at: usize, by: isize, extent: usize| at.saturating_add_signed(by).min(extent - 1);
    let mut down = vec![0.0; h * w];
    for y in 0..h {
        for x in 0..w {
            let at = |by: isize| src[clamped(y, by, h) * w + x];
            down[y * w + x] =
                W[0] * at(0) + W[1] * (at(-1) + at(1)) + W[2] * (at(-2) + at(2)) + W[3] * (at(-3) + at(3));
        }
    }
    for y in 0..h {
        for x in 0..w {
            let at = |by: isize| down[y * w + clamped(x, by, w)];
            let smooth =
                W[0] * at(0) + W[1] * (at(-1) + at(1)) + W[2] * (at(-2) + at(2)) + W[3] * (at(-3) + at(3));
            dst[y * w + x] = src[y * w + x] + amount * (src[y * w + x] - smooth);
        }
    }
}
