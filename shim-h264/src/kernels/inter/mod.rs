//! Inter prediction of samples (8.4.2.2).
//!
//! [`luma`] wants the [`planes`] of a reference picture: a margin around the picture stands in for clamping samples to
//! it, and all that lies half way between samples is computed once for a whole picture; what is left to do for a block
//! is to copy, or to average two. A motion search looks at each sample many times.

pub mod chroma;
pub mod chroma_costs;
pub mod costs;
pub mod luma;
pub mod motion;
pub mod partitions;
pub mod planes;
pub mod search;

#[cfg(test)]
mod tests;

use shim::prelude::Place;

/// A part of a macroblock that has a motion vector of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Row and column of its first luma sample in the macroblock.
    pub at: [usize; 2],
    /// Its rows and columns, each 16, 8 or 4.
    pub size: [usize; 2],
}

impl Part {
    /// Its luma samples in the picture.
    pub(crate) const fn place(self, macroblock: Place<2>) -> Place<2> {
        let [y, x] = macroblock.origin();
        Place::new([y + self.at[0] as isize, x + self.at[1] as isize], self.size)
    }

    /// 16x16 luma samples in the picture that begin where it does.
    #[must_use]
    pub const fn corner(self, macroblock: Place<2>) -> Place<2> {
        Place::new(self.place(macroblock).origin(), [16, 16])
    }

    /// The whole macroblock.
    pub const WHOLE: Self = Self { at: [0, 0], size: [16, 16] };

    /// The part of a number among those of this size that it divides into, row by row.
    pub(crate) const fn divided(self, size: [usize; 2], number: usize) -> Self {
        let wide = self.size[1] / size[1];
        let [y, x] = [number / wide * size[0], number % wide * size[1]];
        Self { at: [self.at[0] + y, self.at[1] + x], size }
    }
}

/// The two samples whose average is a sample at a quarter (8.4.2.2.1, Table 8-12), for `[yFrac][xFrac]`: plane (0 G, 1
/// b, 2 h, 3 j), rows below and columns to the right. A sample at a half or at none is the average with itself.
pub(crate) const QUARTERS: [[[[usize; 3]; 2]; 4]; 4] = {
    const G: [usize; 3] = [0, 0, 0];
    const H: [usize; 3] = [0, 0, 1];
    const M: [usize; 3] = [0, 1, 0];
    const B: [usize; 3] = [1, 0, 0];
    const S: [usize; 3] = [1, 1, 0];
    const LOWER_H: [usize; 3] = [2, 0, 0];
    const LOWER_M: [usize; 3] = [2, 0, 1];
    const J: [usize; 3] = [3, 0, 0];
    [
        [[G, G], [G, B], [B, B], [B, H]],
        [[G, LOWER_H], [B, LOWER_H], [B, J], [B, LOWER_M]],
        [[LOWER_H, LOWER_H], [LOWER_H, J], [J, J], [J, LOWER_M]],
        [[LOWER_H, M], [LOWER_H, S], [J, S], [LOWER_M, S]],
    ]
};
