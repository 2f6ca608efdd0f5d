//! What looks at a whole macroblock say of its parts.

use super::{Motion, Shape, SubShape};
use crate::kernels::inter::Part;

/// The best motion of each part that a macroblock can have, down to 8x8, of those that were looked at for the whole: the halves of
/// 16x8, those of 8x16, and the quarters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    best: [Motion; 8],
}

impl Seen {
    /// Before the first look.
    pub(super) const NOTHING: Self = Self { best: [Motion { ref_idx: 0, mv: [0; 2], cost: u32::MAX }; 8] };

    /// A look: what the whole macroblock costs, given how much each quarter differs, and what the vector costs.
    #[inline]
    pub(super) fn look(&mut self, ref_idx: u8, mv: [i16; 2], rate: u32, &[a, b, c, d]: &[u32; 4]) -> u32 {
        let parts = [a + b, c + d, a + c, b + d, a, b, c, d];
        for (best, differs) in self.best.iter_mut().zip(parts) {
            if differs + rate < best.cost {
                *best = Motion { ref_idx, mv, cost: differs + rate };
            }
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
        Some(self.best[number]).filter(|best| best.cost < u32::MAX)
    }

    /// What the parts of a shape cost together.
    pub(super) fn cost(&self, shape: Shape) -> u32 {
        let parts = match shape {
            Shape::Whole => &[],
            Shape::Rows => &self.best[..2],
            Shape::Columns => &self.best[2..4],
            Shape::Quarters(_) => &self.best[4..],
        };
        parts.iter().fold(0, |sum, part| part.cost.saturating_add(sum))
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
