//! Costs of the partitions of a macroblock, collected while the whole one is searched.

use super::{Motion, Shape, SubShape};
use crate::kernels::Vector;
use crate::kernels::inter::Part;

/// The best motion of each part that a macroblock can have, down to 8x8, of those that were looked at for the whole: the halves of
/// 16x8, those of 8x16, and the quarters. What is kept of each is a choice for all eight at once, without a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    costs: [u32; 8],
    refs: [u32; 8],
    /// Both numbers of a vector, the first one in the lower half.
    mvs: [u32; 8],
}

impl Seen {
    /// Before the first look.
    pub(super) const NOTHING: Self = Self { costs: [u32::MAX; 8], refs: [0; 8], mvs: [0; 8] };

    /// A look: what the whole macroblock costs, given how much each quarter differs, and what the vector costs.
    #[inline]
    pub(super) fn look(&mut self, ref_idx: u8, [x, y]: Vector, rate: u32, &[a, b, c, d]: &[u32; 4]) -> u32 {
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

    /// The best of a part.
    pub(super) fn of(&self, part: Part) -> Option<Motion> {
        let [below, right] = part.at.map(|at| usize::from(at >= 8));
        let number = match part.size {
            [8, 16] => below,
            [16, 8] => 2 + right,
            _ => 4 + 2 * below + right,
        };
        let (cost, ref_idx, mv) = (self.costs[number], self.refs[number] as u8, self.mvs[number]);
        (cost < u32::MAX).then_some(Motion { ref_idx, mv: [mv as i16, (mv >> 16) as i16] })
    }

    /// The cost of all parts of a shape.
    pub(super) fn cost(&self, shape: Shape) -> u32 {
        let parts = match shape {
            Shape::Whole => &[],
            Shape::Rows => &self.costs[..2],
            Shape::Columns => &self.costs[2..4],
            Shape::Quarters(_) => &self.costs[4..],
        };
        parts.iter().fold(0, |sum, cost| cost.saturating_add(sum))
    }

    /// The shape, other than the whole, whose parts cost least, where a bit costs so much.
    pub(super) fn best(&self, lambda: u32) -> Shape {
        let quarters = Shape::Quarters([SubShape::Whole; 4]);
        let (rows, columns) = (self.cost(Shape::Rows), self.cost(Shape::Columns));
        if self.cost(quarters).saturating_add(6 * lambda) < rows.min(columns) {
            quarters
        } else if rows < columns {
            Shape::Rows
        } else {
            Shape::Columns
        }
    }
}
