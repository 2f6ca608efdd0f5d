//! A separable Gauss filter of nine binomial taps.

use shim::prelude::*;

/// The taps from the middle on, in units of 1/256.
const TAPS: [u16; 5] = [70, 56, 28, 8, 1];

/// The filtered image.
#[shim::kernel(simd, schedules(root, rows, sliding, chunks, in_tasks))]
pub fn gauss(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [u8]) {
    const T: [u16; 5] = TAPS;
    let src = src.boundary(Clamp).cast::<u16>();
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(sliding, store_at(root), compute_at('row))]
    #[schedule(chunks, store_at(root), compute_at('chunk))]
    #[schedule(in_tasks, store_at('strip), compute_at('row))]
    let across = stage::<u16>(|[y, x]| {
        let mut sum: u16 = T[0] * src[[y, x]];
        #[unroll]
        for i in 1..5 {
            sum += T[i] * (src[[y, x - i]] + src[[y, x + i]]);
        }
        sum
    });
    #[schedule(rows, tile([1, _], 'row))]
    #[schedule(sliding, tile([1, _], 'row))]
    #[schedule(chunks, tile([1, _], 'row), tile([_, 1024], 'chunk))]
    #[schedule(in_tasks, parallel, tile([256, _], 'strip), tile([1, _], 'row))]
    for [y, x] in dst.indices() {
        let mut sum: u32 = u32::from(T[0]) * u32::from(across[[y, x]]);
        #[unroll]
        for i in 1..5 {
            sum += u32::from(T[i]) * (u32::from(across[[y - i, x]]) + u32::from(across[[y + i, x]]));
        }
        dst[[y, x]] = ((sum + 32768) >> 16) as u8;
    }
}

/// The filter as it is written without a library, one pass after the other.
pub fn plain(src: &[u8], [h, w]: [usize; 2], dst: &mut [u8]) {
    let clamped = |at: usize, by: isize, extent: usize| at.saturating_add_signed(by).min(extent - 1);
    let mut across = vec![0_u16; h * w];
    for y in 0..h {
        for x in 0..w {
            across[y * w + x] = (-4..=4_isize)
                .map(|i| TAPS[i.unsigned_abs()] * u16::from(src[y * w + clamped(x, i, w)]))
                .sum();
        }
    }
    for y in 0..h {
        for x in 0..w {
            let sum: u32 = (-4..=4_isize)
                .map(|i| u32::from(TAPS[i.unsigned_abs()]) * u32::from(across[clamped(y, i, h) * w + x]))
                .sum();
            dst[y * w + x] = ((sum + 32768) >> 16) as u8;
        }
    }
}
