//! What the tests of several kernels want.

/// Reproducible numbers (Knuth's MMIX generator, of which the upper half is used).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.bits() as u8
    }

    /// A number from `least` to `greatest`, both included.
    pub(crate) fn within(&mut self, least: i32, greatest: i32) -> i32 {
        least + (self.bits() % (greatest - least + 1) as u32) as i32
    }
}

/// The Hadamard transform of a 4x4 block, by its definition: signs that change with the number of bits in common.
pub(crate) fn hadamard_4x4(d: [i32; 16]) -> [i32; 16] {
    std::array::from_fn(|u| {
        (0..16_usize).map(|k| if (u & k).count_ones() % 2 == 0 { d[k] } else { -d[k] }).sum()
    })
}
