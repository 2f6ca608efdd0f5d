//! A motion search: the partition, its candidates, and the costs of vectors.

use core::ops::Range;

use shim::prelude::Place;

use crate::kernels::Vector;
use crate::kernels::inter::Part;
use crate::kernels::inter::chroma_costs::{
    with_chroma_8x8, with_chroma_8x16, with_chroma_16x8, with_chroma_16x16,
};
use crate::kernels::inter::partitions::PartitionCosts;
use crate::kernels::inter::search::{
    Found, Pass, VectorRate, lowest, search_4x4, search_4x8, search_8x4, search_8x8, search_8x16,
    search_16x8, search_16x16, search_fine_16x16, search_satd_4x4, search_satd_4x8, search_satd_8x4,
    search_satd_8x8, search_satd_8x16, search_satd_16x8, search_satd_16x16,
};
use crate::kernels::picture::SamplesView;
use crate::lookahead::Guide;
use crate::picture::Referred;

/// A part of a macroblock that wants a vector.
#[derive(Clone, Debug)]
pub(crate) struct Search<'p> {
    pub(crate) source: SamplesView<'p>,
    /// The samples of the part.
    pub(crate) place: Place<2>,
    /// The pictures that it can be predicted from, the nearest first.
    pub(crate) references: &'p [Referred<'p>],
    /// The pictures to search.
    pub(crate) asked: Range<u8>,
    /// The partition.
    pub(crate) part: Part,
    /// `mvpLX`, by `ref_idx`.
    pub(crate) predicted: [Vector; 16],
    /// Vectors of neighbors.
    pub(crate) near: [Vector; 3],
    /// Vectors of the previous picture there.
    pub(crate) collocated: [Vector; 3],
    /// Whether a neighbor, or a macroblock around there in the picture before, has a farther picture than the nearest.
    pub(crate) farther: bool,
    pub(crate) guide: &'p Guide,
    /// Row and column of the macroblock in the picture.
    pub(crate) macroblock: [usize; 2],
    pub(crate) qp: u8,
    /// `MaxVmvR`.
    pub(crate) max_vmv_r: i16,
}

impl Search<'_> {
    /// The partition of the macroblock.
    pub(super) const fn part(&self) -> Part {
        self.part
    }

    /// QP of the macroblock.
    pub(super) const fn qp(&self) -> u8 {
        self.qp
    }

    /// Number of reference pictures.
    pub(super) const fn references(&self) -> usize {
        self.references.len()
    }

    /// The reference pictures to search; the parts of an 8x8 block share one.
    pub(super) const fn asked(&self) -> Range<u8> {
        self.asked.start..self.asked.end
    }

    /// `mvpLX`: what the vector is predicted to be (8.4.1.3).
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    pub(super) const fn predicted(&self, ref_idx: u8) -> Vector {
        self.predicted[ref_idx as usize]
    }

    /// Vectors that are likely near the one that is looked for: of the neighbors at the left, above, and above at the
    /// right.
    pub(super) const fn near(&self) -> [Vector; 3] {
        self.near
    }

    /// The vectors that the picture before has for the macroblock, and for those at its right and below.
    pub(super) const fn collocated(&self) -> [Vector; 3] {
        self.collocated
    }

    /// Whether a neighbor is predicted from a farther picture than the nearest, or the macroblock, the one at its right
    /// or the one below was in the picture before.
    pub(super) const fn farther(&self) -> bool {
        self.farther
    }

    /// The vector that the look-ahead found for the macroblock, at low resolution.
    pub(super) fn lowres(&self, ref_idx: u8) -> Vector {
        self.guide.vector(usize::from(ref_idx), self.macroblock)
    }

    /// A reference picture.
    fn reference(&self, ref_idx: u8) -> &Referred<'_> {
        &self.references[usize::from(ref_idx)]
    }

    /// Moves a vector to where luma and chroma cost least together, if they do within so many rounds around it. Returns it
    /// with the cost of luma, as `found` has it, and the cost of chroma, which is 0 for parts smaller than 8x8.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    pub(super) fn with_chroma(
        &self,
        ref_idx: u8,
        rate: &VectorRate,
        found: Found,
        rounds: usize,
        partitions: &mut PartitionCosts,
    ) -> (Found, u32) {
        let (source, place) = (&self.source, self.place);
        if self.part.size.contains(&4) {
            return (found, 0);
        }
        let lowest = || i32::from(found.1[1]) + rounds as i32;
        self.reference(ref_idx).predict(place, lowest, |reference| match self.part.size {
            [16, 16] => with_chroma_16x16(source, place, reference, rate, found, rounds, partitions, ref_idx),
            [8, 16] => with_chroma_16x8(source, place, reference, rate, found, rounds),
            [16, 8] => with_chroma_8x16(source, place, reference, rate, found, rounds),
            _ => with_chroma_8x8(source, place, reference, rate, found, rounds),
        })
    }

    /// The best vector of whole samples by SAD.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    pub(super) fn whole_samples(&self, ref_idx: u8, rate: &VectorRate, passes: &[Pass<'_>]) -> Found {
        let kernel = match self.part.size {
            [16, 16] => search_16x16,
            [8, 16] => search_16x8,
            [16, 8] => search_8x16,
            [8, 8] => search_8x8,
            [4, 8] => search_8x4,
            [8, 4] => search_4x8,
            _ => search_4x4,
        };
        let nothing = (u32::MAX, [0; 2]);
        self.reference(ref_idx).predict(
            self.place,
            || lowest(passes, nothing.1),
            |reference| kernel(&self.source, self.place, reference, rate, passes, nothing),
        )
    }

    /// The best vector of a macroblock by SAD, better than the one that was found.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    pub(super) fn between_samples(
        &self,
        ref_idx: u8,
        rate: &VectorRate,
        passes: &[Pass<'_>],
        found: Found,
    ) -> Found {
        self.reference(ref_idx).predict(
            self.place,
            || lowest(passes, found.1),
            |reference| search_fine_16x16(&self.source, self.place, reference, rate, passes, found),
        )
    }

    /// The best vector of a macroblock by SATD.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    pub(super) fn by_satd(
        &self,
        ref_idx: u8,
        rate: &VectorRate,
        passes: &[Pass<'_>],
        partitions: &mut PartitionCosts,
    ) -> Found {
        let nothing = (u32::MAX, [0; 2]);
        let (source, place) = (&self.source, self.place);
        self.reference(ref_idx).predict(
            self.place,
            || lowest(passes, nothing.1),
            |reference| {
                search_satd_16x16(source, place, reference, rate, passes, nothing, partitions, ref_idx)
            },
        )
    }

    /// The best vector of a part of a macroblock by SATD; `otherwise` if it can be compared with none.
    ///
    /// # Panics
    ///
    /// When there is no such picture.
    pub(super) fn part_by_satd(
        &self,
        ref_idx: u8,
        rate: &VectorRate,
        passes: &[Pass<'_>],
        otherwise: Vector,
    ) -> Found {
        let kernel = match self.part.size {
            [8, 16] => search_satd_16x8,
            [16, 8] => search_satd_8x16,
            [8, 8] => search_satd_8x8,
            [4, 8] => search_satd_8x4,
            [8, 4] => search_satd_4x8,
            _ => search_satd_4x4,
        };
        self.reference(ref_idx).predict(
            self.place,
            || lowest(passes, otherwise),
            |reference| kernel(&self.source, self.place, reference, rate, passes, (u32::MAX, otherwise)),
        )
    }
}
