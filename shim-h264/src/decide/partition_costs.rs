//! The partitions of a macroblock that cost least by what the search of the whole one has recorded.

use super::{MbPartition, Motion, SubMbPartition};
use crate::kernels::inter::Part;
use crate::kernels::inter::partitions::PartitionCosts;

impl PartitionCosts {
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
