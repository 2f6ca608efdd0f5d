//! Samples that are coded as they are (7.3.5: `pcm_sample_luma` and `pcm_sample_chroma`).

use shim::prelude::*;

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

/// The samples of a macroblock in the order of I_PCM: 256 of luma, 64 of Cb and 64 of Cr.
///
/// # Panics
///
/// When the macroblock is outside of the planes, which are of whole macroblocks.
#[shim::kernel]
pub fn pcm_samples(
    #[shape(16 * mbs_high, 16 * mbs_wide)] luma: &[u8],
    cb: &[u8],
    cr: &[u8],
    mbs_high: usize,
    mbs_wide: usize,
    row: usize,
    column: usize,
    samples: &mut [u8; 384],
) {
    let mb = luma[[16 * row..16 * row + 16, 16 * column..16 * column + 16]];
    let (own, chroma) = samples.split_at_mut(256);
    let own = Block::external(own, [16, 16]);
    let [y, x] = iters();
    own[[y, x]] = mb[[y, x]];
    let (own_cb, own_cr) = chroma.split_at_mut(64);
    let cb = Block::external(cb, [8 * mbs_high, 8 * mbs_wide]).coarsened([2, 2]).footprint(mb);
    let own_cb = Block::external(own_cb, [8, 8]);
    let [y, x] = iters();
    own_cb[[y, x]] = cb[[y, x]];
    let cr = Block::external(cr, [8 * mbs_high, 8 * mbs_wide]).coarsened([2, 2]).footprint(mb);
    let own_cr = Block::external(own_cr, [8, 8]);
    let [y, x] = iters();
    own_cr[[y, x]] = cr[[y, x]];
}
