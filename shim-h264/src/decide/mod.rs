//! Mode decision: the mode of each macroblock, among those that are legal.

mod analysis;
mod mode;
mod partition_costs;
mod pattern;
mod preset;
mod random;
mod search;

pub(crate) use analysis::{
    Analysis, EarlySkip, IntraKinds, intra_chroma, intra4x4_lambda, intra4x4_overhead, intra16x16,
    intra16x16_coded,
};
pub use mode::{Levels, MbContext, MbMode, MbPartition, Motion, Motions, SubMbPartition};
pub use preset::Preset;
pub use random::Random;
pub(crate) use search::Search;

/// The choice for a macroblock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// This mode.
    Mode(MbMode),
    /// The mode of this kind that costs least, as the preset estimates it.
    Cheapest(Kind),
}

/// A kind of macroblocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `Intra_16x16`.
    Intra16x16,
    /// `Intra_4x4`.
    Intra4x4,
    /// Inter prediction of the undivided macroblock, in P slices; Intra prediction in others.
    Whole,
    /// Every kind that the slice allows.
    Any,
}

/// The choice of macroblock modes and of the ends of slices.
///
/// Whatever is chosen among what is legal, the stream conforms to the standard and decoders reconstruct what the
/// encoder did.
pub trait Decisions: Send {
    /// Chooses the mode of the next macroblock and its QP, 0 to 51.
    ///
    /// The encoder panics at a [`Choice::Mode`] if [`chooses_modes`](Self::chooses_modes) returns false.
    fn macroblock(&mut self, context: &MbContext) -> (Choice, u8) {
        (Choice::Cheapest(Kind::Any), context.qp)
    }

    /// Whether [`macroblock`](Self::macroblock) may choose a [`Choice::Mode`]. If not, presets whose vectors are of whole
    /// samples save the interpolation of reference pictures.
    fn chooses_modes(&self) -> bool {
        true
    }

    /// Decisions for one slice of a picture, which may be coded at the same time as the others; called for each slice,
    /// in order, before any is coded. None if a decision depends on the slices before, or if
    /// [`ends_slice`](Self::ends_slice) ends slices elsewhere than configured: the picture is then coded in one go.
    fn for_slice(&mut self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Whether a slice ends behind a macroblock, given whether it is the last of a slice as configured.
    fn ends_slice(&mut self, address: usize, configured: bool) -> bool {
        let _ = address;
        configured
    }
}

/// The cheapest mode for every macroblock, as [`Config::preset`](crate::Config::preset) estimates it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByCost;

impl Decisions for ByCost {
    fn chooses_modes(&self) -> bool {
        false
    }

    fn for_slice(&mut self) -> Option<Self> {
        Some(*self)
    }
}
