//! The blur of the first paper: means of three along rows, then along columns, of 16-bit samples with clamped edges.

use shim::prelude::*;

/// The blur in the schedules of the paper.
#[shim::kernel(
    simd,
    schedules(root, rows, sliding, tiled, tiled_in_tasks, strips, strips_in_tasks, sliding_in_tasks, chunks)
)]
pub fn blur(#[shape(h, w)] src: &[u16], h: usize, w: usize, #[shape(h, w)] dst: &mut [u16]) {
    let src = src.boundary(Clamp);
    #[schedule(chunks, store_at(root), compute_at('chunk))]
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(sliding, store_at(root), compute_at('row))]
    #[schedule(tiled, compute_at('tile))]
    #[schedule(tiled_in_tasks, compute_at('tile))]
    #[schedule(strips, compute_at('strip))]
    #[schedule(strips_in_tasks, compute_at('strip))]
    #[schedule(sliding_in_tasks, store_at('strip), compute_at('row))]
    let across = stage::<u16>(|[y, x]| (src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3);
    #[schedule(chunks, tile([1, _], 'row), tile([_, 512], 'chunk))]
    #[schedule(rows, tile([1, _], 'row))]
    #[schedule(sliding, tile([1, _], 'row))]
    #[schedule(tiled, tile([32, 256], 'tile))]
    #[schedule(tiled_in_tasks, parallel, tile([32, 256], 'tile))]
    #[schedule(strips, tile([8, _], 'strip))]
    #[schedule(strips_in_tasks, parallel, tile([8, _], 'strip))]
    #[schedule(sliding_in_tasks, parallel, tile([256, _], 'strip), tile([1, _], 'row))]
    for [y, x] in dst.indices() {
        dst[[y, x]] = (across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3;
    }
}

/// The blur as it is written without a library, one pass after the other.
pub fn plain(src: &[u16], h: usize, w: usize, dst: &mut [u16]) {
    let mut across = vec![0_u16; h * w];
    for y in 0..h {
        for x in 0..w {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
            across[y * w + x] = (src[y * w + left] + src[y * w + x] + src[y * w + right]) / 3;
        }
    }
    for y in 0..h {
        for x in 0..w {
            let (up, down) = (y.saturating_sub(1), (y + 1).min(h - 1));
            dst[y * w + x] = (across[up * w + x] + across[y * w + x] + across[down * w + x]) / 3;
        }
    }
}
