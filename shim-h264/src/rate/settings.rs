//! Settings of rate control.

/// How QP is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControl {
    /// One QP, 0 to 51, for all pictures.
    ConstantQp(u8),
    /// About the same quality to the eye, on the scale of QP, 0 to 51: pictures of which much changes have a higher QP, still ones
    /// a lower one.
    ConstantQuality(f32),
    /// So many bits a second, in the mean over the stream; fewer or more where QP 0 or 51 takes that. A buffer beside it keeps to
    /// its own rate in any case.
    AverageBitRate(u64),
}

/// The buffer that a decoder has, which is never to run out of bits (Annex C).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Vbv {
    /// The rate at which bits come while there is room for them.
    pub max_bits_per_second: u64,
    /// Bits that there is room for.
    pub buffer_bits: u64,
    /// The part of the buffer that is full when the first picture is removed: above 0, at most 1.
    pub initial_fullness: f32,
}

impl Vbv {
    /// A buffer that is nine tenths full in the beginning.
    #[must_use]
    pub const fn new(max_bits_per_second: u64, buffer_bits: u64) -> Self {
        Self { max_bits_per_second, buffer_bits, initial_fullness: 0.9 }
    }
}
