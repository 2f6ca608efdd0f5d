//! Costs of the partitions of a macroblock, collected while the whole one is searched.

use super::{MbPartition, Motion, SubMbPartition};
use crate::kernels::Vector;
use crate::kernels::inter::Part;

/// The best motion of each partition down to 8x8 among the vectors that were compared for the whole macroblock: the two
/// of 16x8, the two of 8x16, and the four of 8x8. All eight are updated at once, without a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartitionCosts {
    costs: [u32; 8],
    refs: [u32; 8],
    /// Both numbers of a vector, the first one in the lower half.
    mvs: [u32; 8],
}

impl PartitionCosts {
    /// No vectors yet.
    pub(super) const NONE: Self = Self { costs: [u32::MAX; 8], refs: [0; 8], mvs: [0; 8] };

    /// Records a vector, given the difference of each quarter and the cost of the vector, and returns the cost of the
    /// whole macroblock.
    #[inline]
    pub(super) fn record(&mut self, ref_idx: u8, [x, y]: Vector, rate: u32, &[a, b, c, d]: &[u32; 4]) -> u32 {
        let parts = [a + b, c + d, a + c, b + d, a, b, c, d];
        let (of, mv) =
            (u32::from(ref_idx), u32::from(x.cast_unsigned()) | u32::from(y.cast_unsigned()) << 16);
        for (i, differs) in parts.into_iter().enumerate() {
            let better = differs + rate < self.costs[i];
            self.costs[i] = if better { differs + rate } else { self.costs[i] };
            self.refs[i] = if better { of } else { self.refs[i] };
            self.mvs[i] = if better { mv } else { self.mvs[i] };
        }
        a + b + c + d + rate
    }

    /// The best motion of a partition.
    pub(super) fn best_of(&self, part: Part) -> Option<Motion> {
        let [below, right] = part.at.map(|at| usize::from(at >= 8));
        let number = match part.size {
            [8, 16] => below,
            [16, 8] => 2 + right,
            _ => 4 + 2 * below + right,
        };
        let (cost, ref_idx, mv) = (self.costs[number], self.refs[number] as u8, self.mvs[number]);
        (cost < u32::MAX).then_some(Motion { ref_idx, mv: [mv as i16, (mv >> 16) as i16] })
    }

    /// The cost of all partitions of a kind.
    pub(super) fn cost(&self, shape: MbPartition) -> u32 {
        let parts = match shape {
            MbPartition::P16x16 => &[],
            MbPartition::P16x8 => &self.costs[..2],
            MbPartition::P8x16 => &self.costs[2..4],
            MbPartition::P8x8(_) => &self.costs[4..],
        };
        parts.iter().fold(0, |sum, cost| cost.saturating_add(sum))
    }

    /// The shape, other than the whole, whose parts cost least, where a bit costs so much.
    pub(super) fn best(&self, lambda: u32) -> MbPartition {
        let quarters = MbPartition::P8x8([SubMbPartition::P8x8; 4]);
        let (rows, columns) = (self.cost(MbPartition::P16x8), self.cost(MbPartition::P8x16));
        if self.cost(quarters).saturating_add(6 * lambda) < rows.min(columns) {
            quarters
        } else if rows < columns {
            MbPartition::P16x8
        } else {
            MbPartition::P8x16
        }
    }
}
