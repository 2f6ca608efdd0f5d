//! The 16x16 plane predictor of H.264, typed in from the standard.

use shim::prelude::*;

/// Intra_16x16_Plane (H.264 8.3.3.4): `recon` is the reconstructed frame, (r, c) the macroblock's place in it.
#[shim::kernel]
pub fn plane16(recon: &[u8], stride: usize, r: usize, c: usize, out: &mut [u8; 256]) {
    let frame = Block::external(recon, [recon.len() / stride, stride]);
    let pred = Block::external(out, [16, 16]).at([r, c]);
    let p = frame[pred].permute([1, 0]).cast::<i32>(); // the standard writes p[x, y]
    let (mut h, mut v) = (0, 0);
    for i in 0..8 {
        h += (i + 1) * (p[[8 + i, -1]] - p[[6 - i, -1]]);
        v += (i + 1) * (p[[-1, 8 + i]] - p[[-1, 6 - i]]);
    }
    let (a, b, c) = (16 * (p[[-1, 15]] + p[[15, -1]]), (5 * h + 32) >> 6, (5 * v + 32) >> 6);
    for [y, x] in pred.indices() {
        pred[[y, x]] = ((a + b * (x - 7) + c * (y - 7) + 16) >> 5).clamp(0, 255) as u8;
    }
}

fn main() {
    // A slope that goes on below and to the right of what is known of the frame, which is predicted exactly.
    let (stride, r, c) = (48, 16, 24);
    let slope = |y: usize, x: usize| (20 + 3 * y + 2 * x) as u8;
    let frame: Vec<u8> = (0..40 * stride)
        .map(|i| (i / stride, i % stride))
        .map(|(y, x)| if y < r || x < c { slope(y, x) } else { 0 })
        .collect();
    let mut out = [0; 256];
    plane16(&frame, stride, r, c, &mut out);
    for row in out.chunks(16) {
        for v in row {
            print!("{v:4}");
        }
        println!();
    }
    for (i, &found) in out.iter().enumerate() {
        assert_eq!(found, slope(r + i / 16, c + i % 16), "at {i}");
    }
}
