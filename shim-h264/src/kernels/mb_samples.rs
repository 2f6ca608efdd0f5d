//! The samples of one macroblock, apart from those of the picture.

use shim::prelude::*;

use super::picture::{PictureRows, SamplesView};

/// The samples of a macroblock that is not in the picture yet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct MbSamples {
    /// `[16, 16]`.
    pub luma: [u8; 256],
    /// Cb and Cr, `[2, 8, 8]`.
    pub chroma: [u8; 128],
}

impl Default for MbSamples {
    fn default() -> Self {
        Self { luma: [0; 256], chroma: [0; 128] }
    }
}

/// Takes the samples of a macroblock of the source.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd, checks = "hoisted")]
pub fn take_samples(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    samples: &mut MbSamples,
) {
    let luma = Block::external(&mut samples.luma, [16, 16]);
    let from = source.luma.footprint(macroblock);
    let [y, x] = iters();
    luma[[y, x]] = from[[y, x]];
    let chroma = Block::external(&mut samples.chroma, [2, 8, 8]);
    let (cb, cr) = (source.chroma[0].footprint(macroblock), source.chroma[1].footprint(macroblock));
    for y in 0..8 {
        for x in 0..8 {
            chroma[[0, y, x]] = cb[[y, x]];
        }
    }
    for y in 0..8 {
        for x in 0..8 {
            chroma[[1, y, x]] = cr[[y, x]];
        }
    }
}

/// Stores the samples of a macroblock in the picture.
///
/// # Panics
///
/// When the macroblock is outside the picture.
#[shim::kernel(simd, checks = "hoisted")]
pub fn store_samples(
    samples: &MbSamples,
    #[located] picture: &mut PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
) {
    let luma = Block::external(&samples.luma, [16, 16]);
    let to = picture.samples.luma.footprint(macroblock);
    let [y, x] = iters();
    to[[y, x]] = luma[[y, x]];
    let chroma = Block::external(&samples.chroma, [2, 8, 8]);
    let cb = picture.samples.chroma[0].footprint(macroblock);
    let [y, x] = iters();
    cb[[y, x]] = chroma[[0, y, x]];
    let cr = picture.samples.chroma[1].footprint(macroblock);
    let [y, x] = iters();
    cr[[y, x]] = chroma[[1, y, x]];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::Picture;
    use crate::kernels::testing::Random;

    #[test]
    fn what_is_stored_is_taken() {
        let (mut random, mbs) = (Random::new(71), [2, 3]);
        let mut picture = Picture::new(mbs);
        let [cb, cr] = &mut picture.samples.chroma;
        for plane in [&mut picture.samples.luma, cb, cr] {
            plane.fill_with(|| random.byte());
        }
        let (whole, at) = (picture.samples.clone(), macroblock_at([1, 2]));
        let mut samples = MbSamples::default();
        take_samples(&whole.view(), at, &mut samples);
        for (i, &sample) in samples.luma.iter().enumerate() {
            assert_eq!(sample, whole.luma[(16 + i / 16) * 48 + 32 + i % 16]);
        }
        for (i, &sample) in samples.chroma.iter().enumerate() {
            assert_eq!(sample, whole.chroma[i / 64][(8 + i / 8 % 8) * 24 + 16 + i % 8]);
        }
        store_samples(&MbSamples::default(), &mut picture.rows(0..2), at);
        assert_ne!(picture.samples, whole);
        store_samples(&samples, &mut picture.rows(0..2), at);
        assert_eq!(picture.samples, whole);
    }
}
