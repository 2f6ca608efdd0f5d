//! Which of the legal ways a macroblock is coded.

mod cost;
mod pattern;
mod preset;
mod random;
mod search;
mod seen;
mod ways;

pub use cost::ByCost;
pub use preset::Preset;
pub use random::Random;
pub use search::{Motion, Search};
pub use ways::Ways;

use crate::kernels::intra::{Available, chroma, luma_16x16};

/// How a macroblock is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// As samples.
    Pcm,
    /// Predicted as a whole.
    Intra16x16,
    /// Each 4x4 block predicted by itself.
    Intra4x4,
    /// In P slices: as it is predicted from its neighbors, and no more.
    Skip,
    /// In P slices: predicted from other pictures.
    Inter(Shape),
    /// The cheaper of the Intra kinds, and in P slices of these, `Skip` and `Inter`, by the costs that [`Decisions`] gives them.
    Cheapest,
}

/// Which kinds of Intra prediction a macroblock is coded by, to see which is the cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntraKinds {
    /// `Intra_16x16` alone.
    Intra16x16,
    /// `Intra_4x4` alone.
    Intra4x4,
    /// Both.
    Both,
}

/// When a macroblock may be skipped because its prediction leaves nothing (early `P_Skip`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriesSkip {
    /// Not before all else was tried.
    Never,
    /// If the motion search finds no other vector than that of `P_Skip`, but for a quarter of a sample.
    Found,
    /// Before any search.
    AtOnce,
}

/// How a macroblock is divided into parts that have a vector each (Table 7-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 16x16.
    Whole,
    /// Two of 16x8.
    Rows,
    /// Two of 8x16.
    Columns,
    /// Four of 8x8, each divided in its own way.
    Quarters([SubShape; 4]),
}

/// How an 8x8 block is divided (Table 7-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SubShape {
    /// 8x8.
    Whole = 0,
    /// Two of 8x4.
    Rows = 1,
    /// Two of 4x8.
    Columns = 2,
    /// Four of 4x4.
    Quarters = 3,
}

/// All that an encoder decides, one question at a time.
///
/// Whatever is answered, the stream is right, as long as each answer is one of those allowed.
pub trait Decisions: Send {
    /// A macroblock begins, of a P slice if there are `references`. Says how it is coded, and its QP, 0 to 51, given that of
    /// the configuration.
    fn macroblock(&mut self, address: usize, qp: u8, references: usize) -> (Kind, u8);

    /// How a part is predicted, and what that costs: from one of the pictures [`asked`](Search::asked) for, by a vector that is
    /// [`legal`](Search::legal).
    fn motion(&mut self, search: &Search<'_>) -> Motion;

    /// When it is worth to see if anything is left where the macroblock is predicted as if it were skipped, which differs so much in
    /// SATD; if nothing is, it is skipped, and no other way is looked for.
    fn tries_skip(&mut self, satd: u32, qp: u8) -> TriesSkip {
        let _ = (satd, qp);
        TriesSkip::Never
    }

    /// What a macroblock divided so costs beside its parts, if it is to be tried. The whole one, which is asked for first, has this
    /// cost.
    fn shape_cost(&mut self, shape: Shape, whole: u32, qp: u8) -> Option<u32> {
        let _ = (shape, whole, qp);
        None
    }

    /// What an 8x8 block divided so costs beside its parts, if it is to be tried. Undivided it has this cost.
    fn sub_shape_cost(&mut self, shape: SubShape, undivided: u32, qp: u8) -> Option<u32> {
        let _ = (shape, undivided, qp);
        None
    }

    /// Whether Intra prediction is looked at where Inter prediction has this cost.
    fn tries_intra(&mut self, inter: u32, qp: u8) -> bool {
        let _ = (inter, qp);
        true
    }

    /// What a bit is worth in SSD, if the kinds of a macroblock of a P slice are to be compared by what comes of coding each.
    fn by_rate(&self, qp: u8) -> Option<u32> {
        let _ = qp;
        None
    }

    /// Whether every shape that was tried is among these, and Intra prediction; if not, only the cheapest is, beside being skipped.
    fn tries_all(&self) -> bool {
        false
    }

    /// What a bit is worth in SSD, if levels of Inter macroblocks are to be chosen by that (rate-distortion quantization).
    fn quantizes_by_rate(&self, qp: u8) -> Option<u32> {
        let _ = qp;
        None
    }

    /// Whether levels of an Inter macroblock that are few and small are dropped.
    fn drops_few_levels(&self) -> bool {
        false
    }

    /// Whether a macroblock that is to be coded and is as if it were skipped is skipped.
    fn skips_the_same(&mut self) -> bool {
        true
    }

    /// `Intra16x16PredMode`, one of those [`allowed`](luma_16x16::allowed).
    fn intra16x16(&mut self, candidates: &luma_16x16::Candidates, available: Available) -> usize;

    /// What the macroblock costs by this mode.
    fn intra16x16_cost(&mut self, candidates: &luma_16x16::Candidates, mode: usize, qp: u8) -> u32;

    /// What [`Kind::Cheapest`] tries where `Intra_16x16` [costs](Self::intra16x16_cost) so much.
    fn intra_kinds(&mut self, cost: u32, qp: u8) -> IntraKinds;

    /// What an `Intra_16x16` macroblock costs, given the SSD of its luma and its reconstruction, and about how many bits its levels take.
    fn intra16x16_coded_cost(&mut self, ssd: u32, rate: u32, qp: u8) -> u32;

    /// What a bit is worth in SSD where the modes of 4x4 blocks are compared.
    fn intra4x4_lambda(&mut self, qp: u8) -> u32;

    /// `Intra4x4PredMode` of a block, one of those [`allowed`](Ways::allowed), and what the block costs by it.
    fn intra4x4(&mut self, ways: &Ways<'_>) -> (usize, u32);

    /// What every macroblock of blocks predicted by themselves costs besides.
    fn intra4x4_overhead(&mut self, qp: u8) -> u32;

    /// `intra_chroma_pred_mode`, one of those [`allowed`](chroma::allowed), of Cb and Cr together.
    fn intra_chroma(&mut self, candidates: &chroma::Candidates, available: Available) -> usize;

    /// Decisions for one slice of a picture, which may be coded at the same time as the others; asked for each before any is coded, in
    /// their order. None if what is decided depends on the slices before, or if it is decided where slices end: with
    /// decisions of their own they end as configured.
    fn for_slice(&mut self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Whether a slice ends behind a macroblock that is the last of the slice as configured, or is not.
    fn ends_slice(&mut self, address: usize, configured: bool) -> bool {
        let _ = address;
        configured
    }
}
