//! Source frames, completed to whole macroblocks.

use shim::prelude::*;

/// Copies a plane of `h` rows of `w` samples, which begin `stride` samples apart, into one of `whole_h` by `whole_w`,
/// which is not smaller: the samples at the edges are repeated.
///
/// # Panics
///
/// When a plane does not have the memory.
#[shim::kernel(simd, checks = "hoisted")]
pub fn complete(
    #[shape(h, w)]
    #[strided(stride, 1)]
    from: &[u8],
    h: usize,
    w: usize,
    stride: usize,
    #[shape(whole_h, whole_w)] to: &mut [u8],
    whole_h: usize,
    whole_w: usize,
) {
    let from = from.boundary(Clamp);
    let [y, x] = iters();
    to[[y, x]] = from[[y, x]];
}

/// As [`complete`], of samples that are two bytes apart.
///
/// # Panics
///
/// When a plane does not have the memory.
#[shim::kernel(simd, checks = "hoisted")]
pub fn complete_interleaved(
    #[shape(h, w)]
    #[strided(stride, 2)]
    from: &[u8],
    h: usize,
    w: usize,
    stride: usize,
    #[shape(whole_h, whole_w)] to: &mut [u8],
    whole_h: usize,
    whole_w: usize,
) {
    let from = from.boundary(Clamp);
    let [y, x] = iters();
    to[[y, x]] = from[[y, x]];
}

/// As [`complete`], of pixels of some bytes each.
///
/// # Panics
///
/// When a side does not have the memory.
#[shim::kernel]
#[allow(clippy::too_many_arguments, reason = "two images and their extents")]
pub fn complete_pixels(
    #[shape(h, w, bytes)]
    #[strided(stride, bytes, 1)]
    from: &[u8],
    h: usize,
    w: usize,
    stride: usize,
    bytes: usize,
    #[shape(whole_h, whole_w, bytes)] to: &mut [u8],
    whole_h: usize,
    whole_w: usize,
) {
    let from = from.boundary(Clamp);
    let [y, x, c] = iters();
    to[[y, x, c]] = from[[y, x, c]];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_repeated() {
        // Two rows of three samples, and a gap of one.
        let from = [1, 2, 3, 99, 4, 5, 6];
        let mut to = [0; 20];
        complete(&from, 2, 3, 4, &mut to, 4, 5);
        assert_eq!(to, [1, 2, 3, 3, 3, 4, 5, 6, 6, 6, 4, 5, 6, 6, 6, 4, 5, 6, 6, 6]);
        // Every second of them: two rows of two.
        complete_interleaved(&from, 2, 2, 4, &mut to[..12], 4, 3);
        assert_eq!(to[..12], [1, 3, 3, 4, 6, 6, 4, 6, 6, 4, 6, 6]);
        // Two rows of one pixel of three bytes.
        complete_pixels(&from, 2, 1, 4, 3, &mut to[..18], 3, 2);
        assert_eq!(to[..18], [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6, 4, 5, 6]);
    }
}
