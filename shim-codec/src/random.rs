//! Reproducible random numbers for tests.

/// Knuth's MMIX generator, of which the upper half is used.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of numbers.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 32 bits.
    pub const fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// The next byte.
    pub const fn byte(&mut self) -> u8 {
        self.bits() as u8
    }

    /// The next number from `least` to `greatest`, both included.
    pub const fn within(&mut self, least: i32, greatest: i32) -> i32 {
        least + (self.bits() % (greatest - least + 1) as u32) as i32
    }
}
