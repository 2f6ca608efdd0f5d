//! Samples that are coded as they are (7.3.5: `pcm_sample_luma` and `pcm_sample_chroma`).

use shim::prelude::*;

use super::picture::{PictureRows, SamplesView};

/// The words of bytes, from `end` of `words` on; returns where they end.
///
/// # Panics
///
/// When there is no room for as many words.
#[shim::kernel(simd)]
pub fn byte_words(bytes: &[u8], words: &mut [u32], end: usize) -> usize {
    let bytes = Block::external(bytes, [bytes.len()]).cast::<u32>();
    let words = Block::external(words, [words.len()]);
    for [i] in bytes.indices() {
        words[[end + i]] = bytes[[i]] << 6 | 8;
    }
    end + bytes.extent(0)
}

/// The samples of a macroblock in the order of `I_PCM`: 256 of luma, 64 of Cb and 64 of Cr; a template.
#[shim::kernel]
fn samples_at(
    luma: impl Tensor<u8, 2>,
    cb: impl Tensor<u8, 2>,
    cr: impl Tensor<u8, 2>,
    samples: &mut [u8; 384],
) {
    let (own, chroma) = samples.split_at_mut(256);
    let own = Block::external(own, [16, 16]);
    let [y, x] = iters();
    own[[y, x]] = luma[[y, x]];
    let chroma = Block::external(chroma, [2, 8, 8]);
    let [y, x] = iters();
    chroma[[0, y, x]] = cb[[y, x]];
    let [y, x] = iters();
    chroma[[1, y, x]] = cr[[y, x]];
}

/// The samples of a macroblock of the source in the order of `I_PCM`: 256 of luma, 64 of Cb and 64 of Cr.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel]
pub fn pcm_samples(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    samples: &mut [u8; 384],
) {
    let luma = source.luma.footprint(macroblock);
    let (cb, cr) = (source.chroma[0].footprint(macroblock), source.chroma[1].footprint(macroblock));
    samples_at(luma, cb, cr, samples);
}

/// As [`pcm_samples`], of the picture.
///
/// # Panics
///
/// When the macroblock is outside the picture.
#[shim::kernel]
pub fn reconstructed_samples(
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    samples: &mut [u8; 384],
) {
    let luma = picture.samples.luma.footprint(macroblock);
    let (cb, cr) =
        (picture.samples.chroma[0].footprint(macroblock), picture.samples.chroma[1].footprint(macroblock));
    samples_at(luma, cb, cr, samples);
}
