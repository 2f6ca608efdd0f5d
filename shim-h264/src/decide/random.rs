//! Modes at random, to reach what mode decision hardly does.

use super::{Choice, Decisions, Kind, Levels, MbContext, MbMode, MbPartition, Motion, SubMbPartition};
use crate::kernels::Vector;
use crate::kernels::quantize::MAX_QP;

/// Modes drawn from a seed.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Choices that all macroblocks of the stream share.
    style: u64,
    /// The last vector: neighbors with the same one predict each other.
    last: Vector,
}

impl Random {
    /// The modes of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Self { state: seed, style: 0, last: [0; 2] };
        random.style = random.next();
        random
    }

    /// The next number of `SplitMix64`.
    const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number less than this.
    const fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A prediction mode below `modes` that is allowed.
    fn prediction(&mut self, modes: u8, allowed: impl Fn(u8) -> bool) -> u8 {
        loop {
            let mode = self.below(modes.into()) as u8;
            if allowed(mode) {
                return mode;
            }
        }
    }

    const fn shape(&mut self) -> MbPartition {
        const SUBS: [SubMbPartition; 4] =
            [SubMbPartition::P8x8, SubMbPartition::P8x4, SubMbPartition::P4x8, SubMbPartition::P4x4];
        match self.below(5) {
            0 => MbPartition::P16x16,
            1 => MbPartition::P16x8,
            2 => MbPartition::P8x16,
            _ => {
                let drawn = self.next() as usize;
                MbPartition::P8x8([
                    SUBS[drawn % 4],
                    SUBS[drawn / 4 % 4],
                    SUBS[drawn / 16 % 4],
                    SUBS[drawn / 64 % 4],
                ])
            }
        }
    }

    /// A legal vector: the last one, near it, near none, or anywhere.
    fn vector(&mut self, context: &MbContext) -> Vector {
        loop {
            let [x, y] = self.last;
            let mut near = |range: u64| self.below(2 * range + 1) as i16 - range as i16;
            let mv = match near(4) {
                -4 | -3 => [x, y],
                -2..=0 => [x.saturating_add(near(9)), y.saturating_add(near(9))],
                1..=3 => [near(70), near(70)],
                _ => [near(8192), near(2048)],
            };
            if context.legal(mv) {
                self.last = mv;
                return mv;
            }
            self.last = [0; 2];
        }
    }

    fn inter(&mut self, context: &MbContext) -> MbMode {
        let mut motions = [Motion::default(); 16];
        for partition in motions.as_chunks_mut::<4>().0 {
            let ref_idx = self.below(context.references as u64) as u8;
            *partition = core::array::from_fn(|_| Motion { ref_idx, mv: self.vector(context) });
        }
        let levels = Levels {
            by_rate: (self.style / 256).is_multiple_of(2).then_some(self.style as u32 % 4096),
            decimate: (self.style / 64).is_multiple_of(4),
        };
        MbMode::Inter { shape: self.shape(), motions, levels }
    }
}

impl Decisions for Random {
    fn macroblock(&mut self, context: &MbContext) -> (Choice, u8) {
        let chroma = self.prediction(4, |mode| context.allows_chroma(mode));
        let mode = match self.below(16) {
            // Most macroblocks of P slices are predicted from other pictures.
            _ if context.references > 0 && self.below(4) > 0 => {
                let skipped = self.below(5) == 0;
                Some(if skipped { MbMode::Skip } else { self.inter(context) })
            }
            0 => Some(MbMode::Pcm),
            1 => Some(MbMode::Gray),
            2..=7 => {
                let luma = self.prediction(4, |mode| context.allows_16x16(mode));
                Some(MbMode::Intra16x16 { luma, chroma })
            }
            8..=13 => {
                let mut luma = [[0; 4]; 4];
                for (y, row) in luma.iter_mut().enumerate() {
                    for (x, mode) in row.iter_mut().enumerate() {
                        *mode = self.prediction(9, |mode| context.allows_4x4([y, x], mode));
                    }
                }
                Some(MbMode::Intra4x4 { luma, chroma })
            }
            _ => None,
        };
        let qp = match self.style % 4 {
            // As configured, near it, or anything.
            0 => context.qp,
            1 => (context.qp + self.below(5) as u8).saturating_sub(2).min(MAX_QP),
            _ => self.below(u64::from(MAX_QP) + 1) as u8,
        };
        (mode.map_or(Choice::Cheapest(Kind::Any), Choice::Mode), qp)
    }

    fn for_slice(&mut self) -> Option<Self> {
        // Slices as configured, each by itself.
        (self.style / 4 % 4 == 3).then(|| Self { state: self.next(), ..*self })
    }

    fn ends_slice(&mut self, _address: usize, _configured: bool) -> bool {
        // Many slices, few, or one.
        match self.style / 4 % 4 {
            0 => self.below(4) == 0,
            1 => self.below(40) == 0,
            _ => false,
        }
    }
}
