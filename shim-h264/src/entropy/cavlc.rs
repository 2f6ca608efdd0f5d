//! Context-adaptive variable-length codes (9.2), and `mb_skip_run`.

use super::{EntropyCoder, MAX_BITS, TooManyBits};
use crate::bitstream::bits::{self, BitWriter};
use crate::syntax::BitCounter;
use crate::syntax::macroblock::{Macroblock, MbType, SliceContext};
use crate::syntax::residual::Neighbors;

/// The coder of streams with `entropy_coding_mode_flag` equal to 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cavlc {
    bits: BitWriter,
    counter: BitCounter,
    /// `mb_skip_run`: macroblocks that were skipped since the last one that was not.
    skip_run: u32,
}

/// An end of the bits, and `mb_skip_run` there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    bits: bits::Checkpoint,
    skip_run: u32,
}

impl EntropyCoder for Cavlc {
    type Checkpoint = Checkpoint;

    fn begin(&mut self) -> &mut BitWriter {
        self.bits.clear();
        self.skip_run = 0;
        &mut self.bits
    }

    fn skip(&mut self) {
        self.skip_run += 1;
    }

    fn macroblock(
        &mut self,
        macroblock: &mut Macroblock,
        slice: SliceContext,
        mut neighbors: Neighbors<'_>,
    ) -> Result<(), TooManyBits> {
        let pcm = MbType::of(macroblock.mb_type, slice.slice_type) == MbType::IPcm;
        let mark = self.bits.mark();
        if !slice.is_i() {
            self.bits.ue(self.skip_run);
        }
        let Ok(()) = macroblock.walk(&mut self.bits, slice, &mut neighbors);
        if !pcm && self.bits.bits_since(mark) > MAX_BITS {
            self.bits.rewind(mark);
            return Err(TooManyBits);
        }
        self.skip_run = 0;
        Ok(())
    }

    fn bits(
        &mut self,
        macroblock: &mut Macroblock,
        slice: SliceContext,
        mut neighbors: Neighbors<'_>,
    ) -> u32 {
        self.counter.clear();
        let Ok(()) = macroblock.walk(&mut self.counter, slice, &mut neighbors);
        self.counter.bits()
    }

    fn checkpoint(&mut self) -> Checkpoint {
        Checkpoint { bits: self.bits.checkpoint(), skip_run: self.skip_run }
    }

    fn rewind(&mut self, checkpoint: Checkpoint) {
        self.bits.restore(checkpoint.bits);
        self.skip_run = checkpoint.skip_run;
    }

    fn settled(&self) -> &[u8] {
        self.bits.complete_bytes()
    }

    fn finish(&mut self) -> &[u8] {
        if self.skip_run > 0 {
            self.bits.ue(self.skip_run);
        }
        self.bits.trailing_bits();
        self.bits.bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::kernels::picture::Picture;
    use crate::syntax::residual::NeighborTables;
    use crate::syntax::slice::slice_type;

    const SLICE: SliceContext = SliceContext { slice_type: slice_type::P, num_ref_idx_l0_active_minus1: 0 };

    /// `I_PCM`, or Intra 4x4 without levels.
    fn macroblock(pcm: bool) -> Macroblock {
        let kind = if pcm { MbType::IPcm } else { MbType::INxN };
        Macroblock {
            mb_type: kind.code(SLICE.slice_type),
            pcm_sample: vec![77; 384],
            ..Macroblock::default()
        }
    }

    /// Codes the macroblocks of a picture of one row, which are skipped where there is none; with `detours`, after
    /// others were appended and taken back.
    fn slice(macroblocks: &mut [Option<Macroblock>], detours: bool) -> Vec<u8> {
        let mbs_wide = macroblocks.len();
        let mut picture = Picture::new([1, mbs_wide]);
        let rows = picture.rows(0..1);
        let mut coder = Cavlc::default();
        coder.begin().u(5, 3);
        for (address, own) in macroblocks.iter_mut().enumerate() {
            let append = |coder: &mut Cavlc, macroblock: &mut Option<Macroblock>| {
                let tables = NeighborTables::Read(rows.tables());
                let neighbors = Neighbors { tables, mbs_wide, number: 1, address };
                match macroblock {
                    Some(own) => coder.macroblock(own, SLICE, neighbors).expect("few bits"),
                    None => coder.skip(),
                }
            };
            if detours {
                let here = coder.checkpoint();
                append(&mut coder, &mut Some(macroblock(address % 2 == 0)));
                append(&mut coder, &mut None);
                coder.finish();
                coder.rewind(here);
                assert_eq!(coder.settled(), &coder.clone().finish()[..coder.settled().len()]);
            }
            append(&mut coder, own);
        }
        coder.finish().to_vec()
    }

    #[test]
    fn what_is_taken_back_leaves_nothing() {
        for pattern in 0..64_u32 {
            let mut macroblocks: Vec<_> =
                (0..6).map(|i| (pattern >> i & 1 == 1).then(|| macroblock(i % 3 == 0))).collect();
            assert_eq!(slice(&mut macroblocks, false), slice(&mut macroblocks, true), "{pattern:b}");
        }
    }

    #[test]
    fn the_bits_of_a_macroblock_are_those_appended_behind_the_run() {
        let mut picture = Picture::new([1, 1]);
        let rows = picture.rows(0..1);
        let neighbors =
            || Neighbors { tables: NeighborTables::Read(rows.tables()), mbs_wide: 1, number: 1, address: 0 };
        for run in 0..20 {
            let mut coder = Cavlc::default();
            coder.begin();
            (0..run).for_each(|_| coder.skip());
            let counted = coder.bits(&mut macroblock(false), SLICE, neighbors());
            coder.macroblock(&mut macroblock(false), SLICE, neighbors()).expect("few bits");
            let run = crate::bitstream::exp_golomb::length(run);
            assert_eq!(coder.bits.bits(), (run + counted) as usize);
        }
    }

    #[test]
    fn a_macroblock_of_too_many_bits_is_not_appended() {
        let mut picture = Picture::new([1, 1]);
        let rows = picture.rows(0..1);
        let tables = || NeighborTables::Read(rows.tables());
        let mut large = macroblock(false);
        large.coded_block_pattern = 47;
        large.residual.luma.fill(2000);
        large.residual.luma_nonzero = [u16::MAX; 16];
        let mut coder = Cavlc::default();
        coder.begin();
        coder.skip();
        let neighbors = |tables| Neighbors { tables, mbs_wide: 1, number: 1, address: 0 };
        assert_eq!(coder.macroblock(&mut large, SLICE, neighbors(tables())), Err(TooManyBits));
        let mut small = Cavlc::default();
        small.begin();
        small.skip();
        for coder in [&mut coder, &mut small] {
            coder.macroblock(&mut macroblock(true), SLICE, neighbors(tables())).expect("I_PCM");
        }
        assert_eq!(coder.finish(), small.finish());
    }
}
