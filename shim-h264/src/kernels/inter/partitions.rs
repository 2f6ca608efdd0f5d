//! Costs of the partitions of a macroblock, collected while the whole one is searched.

use crate::kernels::Vector;

/// The best motion of each partition down to 8x8 among the vectors that were compared for the whole macroblock: the two
/// of 16x8, the two of 8x16, and the four of 8x8. All eight are updated at once, without a branch.
#[derive(Clone, Copy, Debug)]
pub struct PartitionCosts {
    pub(crate) costs: [u32; 8],
    pub(crate) refs: [u32; 8],
    /// Both numbers of a vector, the first one in the lower half.
    pub(crate) mvs: [u32; 8],
}

impl PartitionCosts {
    /// No vectors yet.
    pub const NONE: Self = Self { costs: [u32::MAX; 8], refs: [0; 8], mvs: [0; 8] };

    /// Records a vector, given the difference of each quarter and the cost of the vector, and returns the cost of the
    /// whole macroblock.
    #[inline]
    pub fn record(&mut self, ref_idx: u8, [x, y]: Vector, rate: u32, &[a, b, c, d]: &[u32; 4]) -> u32 {
        let (of, mv) =
            (u32::from(ref_idx), u32::from(x.cast_unsigned()) | u32::from(y.cast_unsigned()) << 16);
        for (i, differs) in [a + b, c + d, a + c, b + d, a, b, c, d].into_iter().enumerate() {
            let better = differs + rate < self.costs[i];
            self.costs[i] = if better { differs + rate } else { self.costs[i] };
            self.refs[i] = if better { of } else { self.refs[i] };
            self.mvs[i] = if better { mv } else { self.mvs[i] };
        }
        a + b + c + d + rate
    }
}
