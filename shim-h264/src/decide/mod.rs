//! Which of the legal ways a macroblock is coded.

mod cost;
mod random;

pub use cost::ByCost;
pub use random::Random;

use crate::kernels::intra::{Available, chroma, luma_4x4, luma_16x16};

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
    /// The cheaper of the Intra kinds, by [`Decisions::intra16x16_cost`] and [`Decisions::intra4x4_cost`].
    Cheapest,
}

/// All that an encoder decides, one question at a time.
///
/// Whatever is answered, the stream is right, as long as each answer is one of those allowed.
pub trait Decisions {
    /// A macroblock begins. Says how it is coded, and its QP, 0 to 51, given that of the configuration.
    fn macroblock(&mut self, address: usize, qp: u8) -> (Kind, u8);

    /// `Intra16x16PredMode`, one of those [`allowed`](luma_16x16::allowed).
    fn intra16x16(&mut self, candidates: &luma_16x16::Candidates, available: Available) -> usize;

    /// What the macroblock costs by this mode.
    fn intra16x16_cost(&mut self, candidates: &luma_16x16::Candidates, mode: usize, qp: u8) -> u32;

    /// `Intra4x4PredMode` of a block, one of those [`allowed`](luma_4x4::allowed); `predicted` takes the fewest bits.
    fn intra4x4(
        &mut self,
        candidates: &luma_4x4::Candidates,
        available: Available,
        predicted: u8,
        qp: u8,
    ) -> usize;

    /// What a block costs by this mode.
    fn intra4x4_cost(&mut self, candidates: &luma_4x4::Candidates, mode: usize, predicted: u8, qp: u8)
    -> u32;

    /// What every macroblock of blocks predicted by themselves costs besides.
    fn intra4x4_overhead(&mut self, qp: u8) -> u32;

    /// `intra_chroma_pred_mode`, one of those [`allowed`](chroma::allowed), of Cb and Cr.
    fn intra_chroma(&mut self, candidates: &[chroma::Candidates; 2], available: Available) -> usize;

    /// Whether a slice ends behind a macroblock that is the last of the slice as configured, or is not.
    fn ends_slice(&mut self, address: usize, configured: bool) -> bool {
        let _ = address;
        configured
    }
}
