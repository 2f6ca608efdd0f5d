//! Numbers and samples, without any decoder.

use shim_h264::Frame;

/// Numbers from a seed (`SplitMix64`).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// The samples of a frame without gaps.
pub(crate) fn i420(frame: &Frame<'_>) -> Vec<u8> {
    frame.planes().iter().flat_map(|plane| plane.rows().flatten()).copied().collect()
}
