//! What there is to find a motion vector.

use crate::kernels::inter::Part;
use crate::kernels::metrics::{Place, satd_16x16};
use crate::picture::Reference;

/// A part of a macroblock that wants a vector.
#[derive(Clone, Copy, Debug)]
pub struct Search<'p> {
    /// The macroblock in the source.
    pub(crate) cur: Place<'p>,
    /// The pictures that it can be predicted from, the nearest first.
    pub(crate) references: &'p [Reference],
    /// Which part of it.
    pub(crate) part: Part,
    /// What its vector is predicted to be, by `ref_idx`.
    pub(crate) predicted: [[i16; 2]; 16],
    pub(crate) qp: u8,
    /// `MaxVmvR`.
    pub(crate) max_vmv_r: i16,
}

impl Search<'_> {
    /// Which part of the macroblock it is.
    #[must_use]
    pub const fn part(&self) -> Part {
        self.part
    }

    /// QP of the macroblock.
    #[must_use]
    pub const fn qp(&self) -> u8 {
        self.qp
    }

    /// How many pictures there are to be predicted from.
    #[must_use]
    pub const fn references(&self) -> usize {
        self.references.len()
    }

    /// `mvpLX`: what the vector is predicted to be (8.4.1.3).
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    #[must_use]
    pub const fn predicted(&self, ref_idx: u8) -> [i16; 2] {
        self.predicted[ref_idx as usize]
    }

    /// Whether the level allows a vector (A.3.1): -2048 to 2047.75 samples, and vertically what Table A-1 says.
    #[must_use]
    pub const fn legal(&self, [x, y]: [i16; 2]) -> bool {
        let most = 4 * self.max_vmv_r;
        x >= -8192 && x < 8192 && y >= -most && y < most
    }

    /// How much the whole macroblock differs, in SATD, from what a vector predicts.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    #[must_use]
    pub fn satd_16x16(&self, ref_idx: u8, mv: [i16; 2]) -> u32 {
        let mut pred = [0; 256];
        let at = self.cur.at.map(|n| n / 16);
        self.references[usize::from(ref_idx)].luma(at, mv, Part::WHOLE, &mut pred);
        satd_16x16(self.cur, Place { plane: &pred, size: [16, 16], at: [0, 0] })
    }
}
