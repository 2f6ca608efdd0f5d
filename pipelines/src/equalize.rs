//! Histogram equalization: values are spread so that each is as frequent as the others.

use shim::prelude::*;

/// Rows that are counted together.
const BAND: usize = 64;

/// The equalized image.
#[shim::kernel(simd, schedules(in_tasks))]
pub fn equalize(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [u8]) {
    let bands = h.div_ceil(BAND);
    #[schedule(in_tasks, parallel)]
    let counts = stage::<[u32; 256]>([bands], |[b]| {
        let mut bins = [0; 256];
        for y in BAND as i32 * b..(BAND as i32 * (b + 1)).min(h as i32) {
            for x in 0..w {
                bins[src[[y, x]] as usize] += 1;
            }
        }
        bins
    });
    // How many samples have a value or a smaller one.
    let sums = stage::<u64>([256], |s, [v]| {
        let s = s.boundary(Fill(0));
        let mut own: u64 = s[[v - 1]];
        for b in 0..bands {
            own += u64::from(counts[[b]][v as usize]);
        }
        own
    });
    let curve = stage::<u8>([256], |[v]| (255 * sums[[v]] / sums[[255]].max(1)) as u8);
    #[schedule(in_tasks, tile([64, _]), parallel)]
    for [y, x] in dst.indices() {
        dst[[y, x]] = curve[[src[[y, x]]]];
    }
}

/// The equalized image as it is written without a library.
pub fn plain(src: &[u8], [h, w]: [usize; 2], dst: &mut [u8]) {
    let mut sums = [0_u64; 256];
    for value in src {
        sums[usize::from(*value)] += 1;
    }
    for v in 1..256 {
        sums[v] += sums[v - 1];
    }
    for (dst, src) in dst.iter_mut().zip(src) {
        *dst = (255 * sums[usize::from(*src)] / ((h * w) as u64)) as u8;
    }
}
