//! From a coded macroblock to its entries of the tables and its syntax elements (7.3.5).

use shim::prelude::*;

use super::coded::CodedMb;
use super::coder::{Current, MacroblockCoder, Slice};
use super::modes::{WITHOUT, describe, modes_around};
use super::motion::MotionField;
use crate::decide::{MbMode, MbPartition, Motion, Motions};
use crate::entropy::{EntropyCoder, TooManyBits};
use crate::kernels::cavlc::store_totals;
use crate::kernels::inter::Part;
use crate::kernels::mb_samples::store_samples;
use crate::kernels::picture::PictureRows;
use crate::kernels::total_coeff::store_total_coeff;
use crate::syntax::macroblock::{Macroblock, MbType, Mvd};

impl<E: EntropyCoder> MacroblockCoder<E> {
    /// Derives the syntax elements of the coded macroblock, but for levels and the samples of `I_PCM`, and stores its
    /// entries of the tables. Its QPY becomes `QPY,PRED`.
    pub(super) fn commit(&mut self, slice: &mut Slice<'_>, current: &Current) {
        if !matches!(self.coded.mode, MbMode::Skip) {
            slice.qp = self.describe(slice, current);
        }
        self.store(slice, current);
    }

    /// Writes the macroblock, which is committed.
    ///
    /// # Errors
    ///
    /// When it has more bits than it may have.
    pub(super) fn write(&mut self, slice: &Slice<'_>, address: usize) -> Result<(), TooManyBits> {
        if matches!(self.coded.mode, MbMode::Skip) {
            self.entropy.skip();
            return Ok(());
        }
        self.entropy.macroblock(&mut self.coded.macroblock, slice.context, slice.neighbors(address))
    }

    /// The number of bits of `macroblock_layer`; 0 of a macroblock that is skipped.
    pub(super) fn bits(&mut self, slice: &Slice<'_>, current: &Current) -> u32 {
        if matches!(self.coded.mode, MbMode::Skip) {
            return 0;
        }
        self.describe(slice, current);
        self.entropy.bits(&mut self.coded.macroblock, slice.context, slice.neighbors(current.address))
    }

    /// Derives all syntax elements but levels and the samples of `I_PCM`, given those of the neighbors, and returns
    /// QPY.
    fn describe(&mut self, slice: &Slice<'_>, current: &Current) -> u8 {
        let (luma, chroma) = (self.coded.luma_pattern(), self.coded.chroma_pattern());
        let CodedMb { mode, qp, macroblock, .. } = &mut self.coded;
        macroblock.coded_block_pattern = luma | chroma << 4;
        let mut codes_qp = macroblock.coded_block_pattern != 0;
        let mb_type = match *mode {
            MbMode::Skip => unreachable!("a skipped macroblock has no syntax elements"),
            MbMode::Pcm => MbType::IPcm,
            MbMode::Gray => {
                macroblock.coded_block_pattern = 0;
                macroblock.mb_qp_delta = 0;
                macroblock.mb_pred.intra_chroma_pred_mode = MbMode::DC_CHROMA;
                MbType::I16x16 { pred_mode: MbMode::DC_16X16, luma: false, chroma: 0 }
            }
            MbMode::Intra16x16 { luma: pred_mode, chroma: intra_chroma_pred_mode } => {
                macroblock.coded_block_pattern = 0;
                codes_qp = true;
                macroblock.mb_pred.intra_chroma_pred_mode = intra_chroma_pred_mode;
                MbType::I16x16 { pred_mode, luma: luma != 0, chroma }
            }
            MbMode::Intra4x4 { luma, chroma: intra_chroma_pred_mode } => {
                let mut around = modes_around(&slice.picture, current.place, current.intra);
                describe(&mut around, &luma, &mut macroblock.mb_pred.intra4x4);
                macroblock.mb_pred.intra_chroma_pred_mode = intra_chroma_pred_mode;
                MbType::INxN
            }
            MbMode::Inter { shape, motions, .. } => {
                self.motion = describe_motion(slice, current, shape, &motions, macroblock);
                match shape {
                    MbPartition::P16x16 => MbType::P16x16,
                    MbPartition::P16x8 => MbType::P16x8,
                    MbPartition::P8x16 => MbType::P8x16,
                    MbPartition::P8x8(_) => MbType::P8x8,
                }
            }
        };
        macroblock.mb_type = mb_type.code(slice.context.slice_type);
        // Without levels QP is not coded, and stays that of the macroblock before.
        if codes_qp && !matches!(mode, MbMode::Gray | MbMode::Pcm) {
            // (7-37): modulo 52, to the side where the difference is -26 to 25.
            macroblock.mb_qp_delta = (*qp as i8 - slice.qp as i8 + 26).rem_euclid(52) - 26;
            return *qp;
        }
        slice.qp
    }

    /// Stores the macroblock's samples, and its entries of the tables.
    fn store(&mut self, slice: &mut Slice<'_>, current: &Current) {
        let intra = !matches!(self.coded.mode, MbMode::Skip | MbMode::Inter { .. });
        let qp = if matches!(self.coded.mode, MbMode::Pcm) { 0 } else { slice.qp };
        let modes = if let MbMode::Intra4x4 { luma, .. } = &self.coded.mode { luma } else { &WITHOUT };
        store_samples(&self.coded.samples, &mut slice.picture, current.place);
        store(&mut slice.picture, current.place, intra, qp, modes);
        let (tables, macroblock) = (&mut slice.picture.tables_mut(), &self.coded.macroblock);
        match self.coded.mode {
            MbMode::Skip => store_total_coeff(tables, current.place, 0),
            MbMode::Pcm => store_total_coeff(tables, current.place, 16),
            _ => {
                let kind = MbType::of(macroblock.mb_type, slice.context.slice_type);
                let shape = kind.shape(macroblock.coded_block_pattern);
                store_totals(&macroblock.residual, shape, tables, current.place);
            }
        }
        // In an IDR picture there is no motion from the beginning.
        if !slice.references.is_empty() {
            if matches!(self.coded.mode, MbMode::Skip) {
                self.motion.set(Part::WHOLE, 0, self.coded.skip_mv);
            } else if intra {
                self.motion.set(Part::WHOLE, -1, [0; 2]);
            }
            self.motion.store(&mut slice.picture);
        }
    }
}

/// Stores a macroblock's kind, QPY and `Intra4x4PredMode`.
#[shim::kernel]
fn store(
    #[located] picture: &mut PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    is_intra: bool,
    qp_y: u8,
    luma: &[[u8; 4]; 4],
) {
    let (intra, qp) = (picture.tables.intra.footprint(macroblock), picture.tables.qp.footprint(macroblock));
    intra[[0, 0]] = is_intra;
    qp[[0, 0]] = qp_y;
    let modes = picture.tables.intra4x4.footprint(macroblock);
    for y in 0..4 {
        for x in 0..4 {
            modes[[y, x]] = luma[y][x];
        }
    }
}

/// Derives the syntax elements of motion, and returns it.
fn describe_motion(
    slice: &Slice<'_>,
    current: &Current,
    shape: MbPartition,
    motions: &Motions,
    macroblock: &mut Macroblock,
) -> MotionField {
    let mut field = current.motion(slice);
    let (size, count) = shape.parts();
    for number in 0..count {
        let (outer, sub) = (Part::WHOLE.divided(size, number), shape.sub(number));
        for k in 0..sub.count() {
            let part = outer.divided(sub.size(size), k);
            let Motion { ref_idx, mv } = motions[4 * number + k];
            let prediction = current.predict(slice, &field, part, ref_idx..ref_idx + 1);
            let mvp = prediction.mvp[usize::from(ref_idx)];
            field.set(part, ref_idx as i8, mv);
            let mvd = Mvd { x: mv[0].wrapping_sub(mvp[0]), y: mv[1].wrapping_sub(mvp[1]) };
            if let MbPartition::P8x8(_) = shape {
                macroblock.sub_mb_pred.sub_mb_type[number] = sub as u8;
                macroblock.sub_mb_pred.ref_idx_l0[number] = ref_idx;
                macroblock.sub_mb_pred.mvd_l0[number].parts[k] = mvd;
            } else {
                macroblock.mb_pred.ref_idx_l0[number] = ref_idx;
                macroblock.mb_pred.mvd_l0[number] = mvd;
            }
        }
    }
    field
}
