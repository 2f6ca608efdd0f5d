//! Decisions at random, to reach what real ones hardly do.

use super::{Decisions, IntraKinds, Kind, Motion, Search, Shape, SubShape, TriesSkip, Ways};
use crate::kernels::intra::{Available, chroma, luma_4x4, luma_16x16};
use crate::kernels::quantize::MAX_QP;

/// Every decision is drawn from a seed.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// How the macroblocks of this stream differ.
    style: u64,
}

impl Random {
    /// The decisions of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Self { state: seed, style: 0 };
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

    /// A kind of P slices.
    const fn inter(&mut self) -> Kind {
        const SUBS: [SubShape; 4] = [SubShape::Whole, SubShape::Rows, SubShape::Columns, SubShape::Quarters];
        Kind::Inter(match self.below(6) {
            0 => return Kind::Skip,
            1 => Shape::Whole,
            2 => Shape::Rows,
            3 => Shape::Columns,
            _ => {
                let drawn = self.next() as usize;
                Shape::Quarters([
                    SUBS[drawn % 4],
                    SUBS[drawn / 4 % 4],
                    SUBS[drawn / 16 % 4],
                    SUBS[drawn / 64 % 4],
                ])
            }
        })
    }

    /// One of the modes that are allowed.
    fn mode(&mut self, modes: usize, allowed: impl Fn(usize) -> bool) -> usize {
        loop {
            let mode = self.below(modes as u64) as usize;
            if allowed(mode) {
                return mode;
            }
        }
    }
}

impl Decisions for Random {
    fn macroblock(&mut self, _address: usize, qp: u8, references: usize) -> (Kind, u8) {
        let kind = match self.below(16) {
            // Most macroblocks of P slices are predicted from other pictures.
            _ if references > 0 && self.below(4) > 0 => self.inter(),
            0 => Kind::Pcm,
            1..=7 => Kind::Intra16x16,
            8..=13 => Kind::Intra4x4,
            _ => Kind::Cheapest,
        };
        let qp = match self.style % 4 {
            // As configured, near it, or anything.
            0 => qp,
            1 => (qp + self.below(5) as u8).saturating_sub(2).min(MAX_QP),
            _ => self.below(u64::from(MAX_QP) + 1) as u8,
        };
        (kind, qp)
    }

    fn motion(&mut self, search: &Search<'_>) -> Motion {
        let asked = search.asked();
        let ref_idx = asked.start + self.below(asked.len() as u64) as u8;
        let cost = self.below(32) as u32;
        let [x, y] = search.predicted(ref_idx);
        loop {
            // As predicted, near it, near none, or anywhere.
            let mut near = |range: u64| self.below(2 * range + 1) as i16 - range as i16;
            let mv = match near(4) {
                -4 | -3 => [x, y],
                -2..=0 => [x.saturating_add(near(9)), y.saturating_add(near(9))],
                1..=3 => [near(70), near(70)],
                _ => [near(8192), near(2048)],
            };
            if search.legal(mv) {
                return Motion { ref_idx, mv, cost };
            }
            // A predicted vector may be none that is legal.
            if self.below(4) == 0 {
                return Motion { ref_idx, mv: [0; 2], cost };
            }
        }
    }

    fn tries_skip(&mut self, _satd: u32, _qp: u8) -> TriesSkip {
        [TriesSkip::AtOnce, TriesSkip::Found, TriesSkip::Never, TriesSkip::Never][self.below(4) as usize]
    }

    fn shape_cost(&mut self, _shape: Shape, _whole: u32, _qp: u8) -> Option<u32> {
        (self.below(2) == 0).then(|| self.below(32) as u32)
    }

    fn sub_shape_cost(&mut self, _shape: SubShape, _undivided: u32, _qp: u8) -> Option<u32> {
        (self.below(2) == 0).then(|| self.below(32) as u32)
    }

    fn tries_intra(&mut self, _inter: u32, _qp: u8) -> bool {
        self.below(2) == 0
    }

    fn by_rate(&self, _qp: u8) -> Option<u32> {
        (self.style / 16).is_multiple_of(4).then_some(self.style as u32 % 64)
    }

    fn tries_all(&self) -> bool {
        (self.style / 64).is_multiple_of(2)
    }

    fn quantizes_by_rate(&self, _qp: u8) -> Option<u32> {
        (self.style / 256).is_multiple_of(2).then_some(self.style as u32 % 4096)
    }

    fn drops_few_levels(&self) -> bool {
        (self.style / 64).is_multiple_of(4)
    }

    fn skips_the_same(&mut self) -> bool {
        self.below(2) == 0
    }

    fn intra16x16(&mut self, _candidates: &luma_16x16::Candidates, available: Available) -> usize {
        self.mode(luma_16x16::MODES, |mode| luma_16x16::allowed(mode, available))
    }

    fn intra16x16_cost(&mut self, _candidates: &luma_16x16::Candidates, _mode: usize, _qp: u8) -> u32 {
        self.below(32) as u32
    }

    fn intra_kinds(&mut self, _cost: u32, _qp: u8) -> IntraKinds {
        [IntraKinds::Intra16x16, IntraKinds::Intra4x4, IntraKinds::Both][self.below(3) as usize]
    }

    fn intra16x16_coded_cost(&mut self, _ssd: u32, _rate: u32, _qp: u8) -> u32 {
        self.below(32) as u32
    }

    fn intra4x4_lambda(&mut self, _qp: u8) -> u32 {
        1
    }

    fn intra4x4(&mut self, ways: &Ways<'_>) -> (usize, u32) {
        (self.mode(luma_4x4::MODES, |mode| ways.allowed(mode)), self.below(3) as u32)
    }

    fn intra4x4_overhead(&mut self, _qp: u8) -> u32 {
        0
    }

    fn intra_chroma(&mut self, _candidates: &chroma::Candidates, available: Available) -> usize {
        self.mode(chroma::MODES, |mode| chroma::allowed(mode, available))
    }

    fn for_slice(&mut self) -> Option<Self> {
        // Slices as configured, each by itself.
        (self.style / 4 % 4 == 3).then(|| Self { state: self.next(), style: self.style })
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
