//! Rate control settings.

/// Rate control method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControl {
    /// Constant QP (CQP): the same QP, 0 to 51, for all pictures.
    ConstantQp(u8),
    /// Constant quality (CRF) on the scale of QP, 0 to 51, lower is better: about the same perceived quality
    /// throughout. QP rises with the complexity of the pictures, since losses are less visible where much changes.
    ConstantQuality(f32),
    /// Average bit rate (ABR) over the stream, in bit/s. Missed only where QP 0 or QP 51 does not reach it, or where a
    /// VBV limits the rate.
    AverageBitRate(u64),
}

/// Video buffering verifier: the coded picture buffer (CPB) of the decoder, which must not underflow (Annex C).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Vbv {
    /// Maximum rate at which the buffer fills, in bit/s. Rounded down to a multiple of 64 with at most sixteen binary
    /// digits.
    pub max_bits_per_second: u64,
    /// Buffer size, in bits. Rounded down to a multiple of 16 with at most sixteen binary digits.
    pub buffer_bits: u64,
    /// Initial occupancy when the first picture is removed, as a fraction of the buffer size: above 0, at most 1. 0.9
    /// by default.
    pub initial_fullness: f32,
}

impl Vbv {
    /// A buffer of this rate and size, with an initial occupancy of 0.9.
    #[must_use]
    pub const fn new(max_bits_per_second: u64, buffer_bits: u64) -> Self {
        Self { max_bits_per_second, buffer_bits, initial_fullness: 0.9 }
    }
}
