//! A single luma block, as `Intra_4x4` wants it: each block is predicted from the one before, reconstructed.

use shim::prelude::*;

use super::Residual;
use crate::kernels::metrics::Place;
use crate::kernels::quantise::{Quantiser, level};
use crate::kernels::transform::{forward_1d, inverse_1d};

/// Codes and reconstructs a 4x4 block of the macroblock: its levels go to row y and column x of `residual`, the samples to
/// the same place of `recon`, which has the extents of `cur`'s plane. `at` is the place of `cur`.
///
/// `pred[[i, j]]` is `pred[16 (4 i + j) + mode]`, as all the candidates of a block are laid out; `[y, x]` is `block`.
///
/// # Panics
///
/// When the block does not lie in the planes, or the mode is above 15.
#[shim::kernel(simd)]
pub fn code_block(
    cur: Place<'_>,
    pred: &[u8; 256],
    mode: usize,
    quantiser: &Quantiser,
    block: [usize; 2],
    residual: &mut Residual,
    recon: &mut [u8],
) {
    /// The place of each coefficient of the sequence in its block (Figure 8-8).
    const PLACE: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
    let ([h, w], [r, c], [y, x]) = (cur.size, cur.at, block);
    let recon = Block::external(recon, [h, w])[[r..r + 4, c..c + 4]].cast::<i16>();
    let cur = Block::external(cur.plane, [h, w])[[r..r + 4, c..c + 4]].cast::<i16>();
    let pred = Block::external(pred, [4, 4, 16]).slice(2, mode).cast::<i16>();
    let levels = Block::external(&mut residual.luma, [16, 4, 4]).slice(1, y).slice(1, x);
    let nonzero = Block::external(&mut residual.luma_nonzero, [4, 4]);
    let mf = Block::external(&quantiser.mf, [4, 4]);
    let scale = Block::external(&quantiser.scale, [4, 4]);
    let (f, qbits) = (quantiser.f, quantiser.qbits);
    let p = Block::stack::<i16>([4, 4]);
    let d = Block::stack::<i16>([4, 4]);
    for [i, j] in d.indices() {
        p[[i, j]] = pred[[i, j]];
        d[[i, j]] = cur[[i, j]] - p[[i, j]];
    }
    for i in 0..4 {
        forward_1d(d.slice(0, i));
    }
    for j in 0..4 {
        forward_1d(d.slice(1, j));
    }
    for [i, j] in d.indices() {
        d[[i, j]] = level(d[[i, j]], mf[[i, j]], f, qbits);
    }
    let mut bits = 0_u16;
    #[unroll]
    for k in 0..16 {
        let one = d[[PLACE[k] / 4, PLACE[k] % 4]];
        levels[[k]] = one;
        bits |= u16::from(one != 0) << k;
    }
    nonzero[[y, x]] = bits;
    if bits == 0 {
        for [i, j] in d.indices() {
            recon[[i, j]] = p[[i, j]];
        }
        return;
    }
    for [i, j] in d.indices() {
        d[[i, j]] = d[[i, j]].wrapping_mul(scale[[i, j]]);
    }
    for i in 0..4 {
        inverse_1d(d.slice(0, i));
    }
    for j in 0..4 {
        inverse_1d(d.slice(1, j));
    }
    for [i, j] in d.indices() {
        recon[[i, j]] = (p[[i, j]] + (d[[i, j]].wrapping_add(32) >> 6)).clamp(0, 255);
    }
}
