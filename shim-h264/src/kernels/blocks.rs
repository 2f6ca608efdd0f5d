//! The source and reconstruction of a macroblock while its 4x4 blocks are coded, each predicted from those before it.

use shim::prelude::*;

use super::intra::Available;
use super::picture::{PictureRows, SamplesView};

/// Source and reconstruction of a macroblock while its 4x4 blocks are coded.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Intra4x4Buffer {
    /// The source, `[16, 16]`.
    pub(crate) source: [u8; 256],
    /// The reconstruction, `[17, 32]`: sample (x, y) is in row y + 1 and column x + 1, so that the row above the
    /// macroblock, five samples longer than it, and the column at its left are there as well.
    pub(crate) recon: [u8; 544],
}

impl Default for Intra4x4Buffer {
    fn default() -> Self {
        Self { source: [0; 256], recon: [0; 544] }
    }
}

/// Takes the source of a macroblock, and what is available around it of the picture.
///
/// # Panics
///
/// When the macroblock, or a neighbor that is available, is outside the picture.
#[shim::kernel(simd, checks = "hoisted")]
pub fn take_macroblock(
    #[located] source: &SamplesView<'_>,
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    available: Available,
    luma: &mut Intra4x4Buffer,
) {
    let cur = source.luma.footprint(macroblock);
    let recon = picture.samples.luma.footprint(macroblock);
    let own_source = Block::external(&mut luma.source, [16, 16]);
    for y in 0..16 {
        for x in 0..16 {
            own_source[[y, x]] = cur[[y, x]];
        }
    }
    let own = Block::external(&mut luma.recon, [17, 32])[[1..17, 1..17]];
    if available.a {
        for y in 0..16 {
            own[[y, -1]] = recon[[y, -1]];
        }
    }
    if available.b {
        for x in 0..16 {
            own[[-1, x]] = recon[[-1, x]];
        }
    }
    if available.c {
        for x in 16..20 {
            own[[-1, x]] = recon[[-1, x]];
        }
    }
    if available.d {
        own[[-1, -1]] = recon[[-1, -1]];
    }
}

/// The reconstruction of a macroblock, `[16, 16]`.
#[shim::kernel(simd, checks = "hoisted")]
pub fn reconstruction(luma: &Intra4x4Buffer, recon: &mut [u8; 256]) {
    let recon = Block::external(recon, [16, 16]);
    let own = Block::external(&luma.recon, [17, 32])[[1..17, 1..17]];
    for y in 0..16 {
        for x in 0..16 {
            recon[[y, x]] = own[[y, x]];
        }
    }
}

#[cfg(test)]
impl Intra4x4Buffer {
    /// The macroblock at a place of a source and of a picture whose blocks are all there already, as far as it goes.
    pub(crate) fn within(cur: &[u8], recon: &[u8], [h, w]: [usize; 2], [r, c]: [usize; 2]) -> Self {
        let mut luma = Self::default();
        for (y, line) in luma.recon.chunks_mut(32).enumerate() {
            for (x, sample) in line.iter_mut().enumerate() {
                if (1..=h).contains(&(r + y)) && (1..=w).contains(&(c + x)) {
                    *sample = recon[(r + y - 1) * w + c + x - 1];
                }
            }
        }
        luma.source = std::array::from_fn(|i| cur[(r + i / 16) * w + c + i % 16]);
        luma
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::macroblock_at;
    use crate::kernels::testing::{Random, with_luma};

    #[test]
    fn a_macroblock_is_taken_with_what_is_around_it() {
        let (size, mut random) = ([48, 64], Random::new(12));
        let planes = [0; 2].map(|_| (0..48 * 64).map(|_| random.byte()).collect::<Vec<u8>>());
        let [cur, recon] = &planes;
        for at in (0..48).step_by(16).flat_map(|r| (0..64).step_by(16).map(move |c| [r, c])) {
            let [r, c] = at;
            let (a, b) = (c > 0, r > 0);
            let available = Available { a, b, c: b && c + 16 < 64, d: a && b };
            let mut luma = Intra4x4Buffer::default();
            let (source, mut picture) = (with_luma(size, cur).samples, with_luma(size, recon));
            let place = macroblock_at(at.map(|n| n / 16));
            take_macroblock(&source.view(), &picture.rows(0..3), place, available, &mut luma);
            let whole = Intra4x4Buffer::within(cur, recon, size, at);
            assert_eq!(luma.source, whole.source);
            for (i, (&taken, &there)) in luma.recon.iter().zip(&whole.recon).enumerate() {
                let own = i >= 32 && (1..17).contains(&(i % 32));
                let beyond = i % 32 > 20 || i >= 32 && i % 32 > 16;
                assert_eq!(taken, if own || beyond { 0 } else { there }, "sample {i} of {at:?}");
            }
            let mut samples = [99; 256];
            reconstruction(&luma, &mut samples);
            assert_eq!(samples, [0; 256]);
            reconstruction(&whole, &mut samples);
            for (i, &sample) in samples.iter().enumerate() {
                assert_eq!(sample, recon[(r + i / 16) * 64 + c + i % 16]);
            }
        }
    }
}
