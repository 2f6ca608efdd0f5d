//! Samples that are coded as they are (7.3.5: `pcm_sample_luma` and `pcm_sample_chroma`).

use shim::prelude::*;

/// The words of bytes, from `end` of `words` on; returns where they end.
///
/// # Panics
///
/// When there is no room for as many words.
#[shim::kernel(simd, checks = "hoisted")]
pub fn byte_words(bytes: &[u8], words: &mut [u32], end: usize) -> usize {
    let bytes = Block::external(bytes, [bytes.len()]).cast::<u32>();
    let words = Block::external(words, [words.len()]);
    for [i] in bytes.indices() {
        words[[end + i]] = bytes[[i]] << 6 | 8;
    }
    end + bytes.extent(0)
}
