//! Operations on a clip, a tensor of rank 3 of frames, rows and columns.

use shim::prelude::*;

/// The frames from the last one to the first.
#[shim::kernel(simd)]
pub fn reverse(#[shape(n, h, w)] src: &[u8], [n, h, w]: [usize; 3], #[shape(n, h, w)] dst: &mut [u8]) {
    let backwards = src.rev(0);
    for p in dst.indices() {
        dst[p] = backwards[p];
    }
}

/// Each frame mirrored.
#[shim::kernel(simd)]
pub fn mirror(#[shape(n, h, w)] src: &[u8], [n, h, w]: [usize; 3], #[shape(n, h, w)] dst: &mut [u8]) {
    let mirrored = src.rev(2);
    for p in dst.indices() {
        dst[p] = mirrored[p];
    }
}

/// How far each sample is from that of the frame before; from the first frame, nothing.
#[shim::kernel(simd)]
pub fn subtract(#[shape(n, h, w)] src: &[u8], [n, h, w]: [usize; 3], #[shape(n, h, w)] dst: &mut [u8]) {
    let before = src.take([1]).cat(0, src.drop([-1]));
    for p in dst.indices() {
        dst[p] = src[p].abs_diff(before[p]);
    }
}

/// White where a sample moves by more than `threshold` from one frame to the next, else black.
#[shim::kernel(simd)]
pub fn motion(
    #[shape(n, h, w)] src: &[u8],
    [n, h, w]: [usize; 3],
    threshold: u8,
    #[shape(n, h, w)] dst: &mut [u8],
) {
    let before = src.take([1]).cat(0, src.drop([-1]));
    for p in dst.indices() {
        dst[p] = if src[p].abs_diff(before[p]) > threshold { 255 } else { 0 };
    }
}
