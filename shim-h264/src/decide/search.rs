//! What there is to find a motion vector.

use crate::kernels::inter::Part;
use crate::kernels::metrics::{
    Place, sad_4x4, sad_4x8, sad_8x4, sads_8x8, sads_8x16, sads_16x8, sads_16x16, satd_4x4, satd_4x8,
    satd_8x4, satd_8x8, satd_8x16, satd_16x8, satd_16x16,
};
use crate::picture::Reference;

/// A part of a macroblock that wants a vector.
#[derive(Clone, Copy, Debug)]
pub struct Search<'p> {
    /// The macroblock in the source.
    pub(crate) cur: Place<'p>,
    /// Its row and column in macroblocks of the picture.
    pub(crate) place: [usize; 2],
    /// The pictures that it can be predicted from, the nearest first.
    pub(crate) references: &'p [Reference],
    /// Which part of it.
    pub(crate) part: Part,
    /// What its vector is predicted to be, by `ref_idx`.
    pub(crate) predicted: [[i16; 2]; 16],
    /// Vectors to begin with.
    pub(crate) near: [[i16; 2]; 2],
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

    /// Vectors that are likely near the one that is looked for: of neighbours, or of the macroblock as a whole.
    #[must_use]
    pub const fn near(&self) -> [[i16; 2]; 2] {
        self.near
    }

    /// The part in the source.
    const fn cur(&self) -> Place<'_> {
        let (at, part) = (self.cur.at, self.part.at);
        Place { at: [at[0] + part[0], at[1] + part[1]], ..self.cur }
    }

    /// How much the part differs, in SATD, from what a vector predicts.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    #[must_use]
    pub fn satd(&self, ref_idx: u8, mv: [i16; 2]) -> u32 {
        let reference = &self.references[usize::from(ref_idx)];
        let (cur, at) = (self.cur(), self.place);
        // What stands in a plane is compared there.
        if let Some(there) = reference.place(at, mv, self.part) {
            return satd(cur, there, self.part.size);
        }
        let mut pred = [0; 256];
        reference.luma(at, mv, self.part, &mut pred);
        satd(cur, Place { plane: &pred, size: [16, 16], at: self.part.at }, self.part.size)
    }

    /// How much it differs, in SAD, from what four vectors of whole samples predict; what they have of quarters is left out.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    #[must_use]
    pub fn sads(&self, ref_idx: u8, mvs: [[i16; 2]; 4]) -> [u32; 4] {
        let reference = &self.references[usize::from(ref_idx)];
        let (cur, at) = (self.cur(), self.place);
        let there = mvs.map(|mv| {
            reference.place(at, mv.map(|v| v & !3), self.part).expect("whole samples stand in a plane")
        });
        let ([Place { plane, size, .. }, ..], at) = (there, there.map(|there| there.at));
        match self.part.size {
            [16, 16] => sads_16x16(cur, plane, size, at),
            [8, 16] => sads_16x8(cur, plane, size, at),
            [16, 8] => sads_8x16(cur, plane, size, at),
            [8, 8] => sads_8x8(cur, plane, size, at),
            [4, 8] => there.map(|there| sad_8x4(cur, there)),
            [8, 4] => there.map(|there| sad_4x8(cur, there)),
            _ => there.map(|there| sad_4x4(cur, there)),
        }
    }
}

/// The SATD of two blocks of a size.
fn satd(cur: Place<'_>, other: Place<'_>, size: [usize; 2]) -> u32 {
    let satd = match size {
        [16, 16] => satd_16x16,
        [8, 16] => satd_16x8,
        [16, 8] => satd_8x16,
        [8, 8] => satd_8x8,
        [4, 8] => satd_8x4,
        [8, 4] => satd_4x8,
        _ => satd_4x4,
    };
    satd(cur, other)
}
