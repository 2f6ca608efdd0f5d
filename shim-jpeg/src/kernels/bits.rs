//! The bits of a scan and its bytes (T.81 F.1.2 and B.1.1.5).
//!
//! [`put_words`] appends bits to raw memory, [`finish`] completes the last byte, and [`stuff`] turns raw bytes into
//! those of the file, where a zero follows every 0xFF so that none looks like a marker.

use alloc::vec::Vec;

use shim::prelude::*;
pub use shim_codec::bits::{
    BitPosition, GROUP, LENGTH_BITS, MAX_LENGTH, SLACK, put_bits, put_three, put_two, put_words,
};

/// Completes the last byte with 1-bits (F.1.2.3), so that no bit is pending.
///
/// # Panics
///
/// When `raw` has less than [`SLACK`] bytes left.
pub fn finish(raw: &mut [u8], position: &mut BitPosition) {
    let mut words = [0; GROUP];
    let missing = (8 - position.count) & 7;
    words[0] = ((1 << missing) - 1) << LENGTH_BITS | missing;
    put_words(&mut words, 1, raw, position);
}

/// Appends bytes with a zero after every 0xFF; a template.
#[shim::kernel]
fn stuff_bytes(bytes: impl Tensor<u8, 1>, stuffed: impl Tensor<u8, 1>) {
    for [i] in bytes.indices() {
        stuffed.push(bytes[[i]]);
        stuffed.push_if(bytes[[i]] == 0xff, 0);
    }
}

/// Copies the first `length` bytes of `raw` to `stuffed` with a zero byte after every 0xFF (F.1.2.3 and B.1.1.5), and
/// returns how many bytes that made. `stuffed` has room for all of `raw` then, and grows once however many bytes each
/// call has.
///
/// # Panics
///
/// When `raw` is shorter.
#[shim::kernel(simd(v2, v3))]
pub fn stuff(raw: &[u8], length: usize, stuffed: &mut Vec<u8>) -> usize {
    let stuffed = Block::grown(stuffed, [2 * raw.len()]).list();
    let raw = Block::external(raw, [length]);
    // Most words hold no 0xFF.
    let words = length / 16;
    for word in 0..words {
        let word = raw[[16 * word..16 * word + 16]];
        if word.indices().map(|[i]| word[[i]]).max() == Some(0xff) {
            stuff_bytes(word, stuffed);
        } else {
            stuffed.extend((0..16).map(|i| word[[i]]));
        }
    }
    stuff_bytes(raw[[16 * words..]], stuffed);
    stuffed.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_follows_every_ff() {
        for length in 0..40 {
            let raw: Vec<u8> = (0..length).map(|i| if i % 3 == 1 || i > 30 { 0xff } else { i }).collect();
            let mut stuffed = Vec::new();
            let made = stuff(&raw, raw.len(), &mut stuffed);
            let wanted: Vec<u8> =
                raw.iter().flat_map(|&b| [b, 0].into_iter().take(1 + usize::from(b == 0xff))).collect();
            assert_eq!(stuffed[..made], wanted);
        }
    }
}
