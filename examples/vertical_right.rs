//! Intra 4x4 prediction, mode vertical-right, beside a plain loop over the same formula.

use shim::prelude::*;

/// Intra_4x4_Vertical_Right (H.264 8.3.1.2.6): recon is the reconstructed frame, (r, c) the block's place in it.
#[shim::kernel]
pub fn vertical_right(recon: &[u8], stride: usize, r: usize, c: usize, out: &mut [u8; 16]) {
    let frame = Block::external(recon, [recon.len() / stride, stride]);
    let pred = Block::external(out, [4, 4]).at([r, c]).cast::<i32>(); // same place, its own memory
    let p = frame[pred].permute([1, 0]).cast::<i32>(); // colocation; the standard writes p[x, y]
    #[unroll]
    for [y, x] in pred.indices() {
        let z = 2 * x - y;
        pred[[y, x]] = match z {
            0 | 2 | 4 | 6 => (p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 1) >> 1,
            1 | 3 | 5 => {
                (p[[x - (y >> 1) - 2, -1]] + 2 * p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 2) >> 2
            }
            -1 => (p[[-1, 0]] + 2 * p[[-1, -1]] + p[[0, -1]] + 2) >> 2,
            _ => (p[[-1, y - 1]] + 2 * p[[-1, y - 2]] + p[[-1, y - 3]] + 2) >> 2,
        };
    }
}

/// The same by hand, for the block whose first sample is `frame[at]`.
fn by_hand(frame: &[u8], stride: usize, at: usize, out: &mut [u8; 16]) {
    let p = |x: i32, y: i32| i32::from(frame[(at as i32 + y * stride as i32 + x) as usize]);
    for (i, out) in (0..).zip(out) {
        let (y, x) = (i / 4, i % 4);
        let left = x - (y >> 1);
        *out = (match 2 * x - y {
            0 | 2 | 4 | 6 => (p(left - 1, -1) + p(left, -1) + 1) >> 1,
            1 | 3 | 5 => (p(left - 2, -1) + 2 * p(left - 1, -1) + p(left, -1) + 2) >> 2,
            -1 => (p(-1, 0) + 2 * p(-1, -1) + p(0, -1) + 2) >> 2,
            _ => (p(-1, y - 1) + 2 * p(-1, y - 2) + p(-1, y - 3) + 2) >> 2,
        }) as u8;
    }
}

fn main() {
    let stride = 16;
    let frame: Vec<u8> = (0..16 * stride).map(|i| (i * 7 % 251) as u8).collect();
    let mut out = [0; 16];
    vertical_right(&frame, stride, 4, 8, &mut out);
    for row in out.chunks(4) {
        println!("{row:?}");
    }

    let mut wanted = [0; 16];
    by_hand(&frame, stride, 4 * stride + 8, &mut wanted);
    assert_eq!(out, wanted);
}
