//! Rate-distortion quantization: levels of Inter macroblocks by what they mend and the bits that CAVLC takes for them.
//!
//! The error of a level is that of its coefficient in units of the quantization step, which the factors of quantization
//! make the same for every frequency: squared it is the squared error of the samples over the squared step.

use shim::prelude::*;

use super::Residual;
use crate::kernels::cavlc::{TOKENS, ZEROS, ZEROS_CHROMA_DC, block_bits};
use crate::kernels::codes::TokenTable;
use crate::kernels::picture::SamplesView;
use crate::kernels::quantize::{MAX_LEVEL, Quantizer};
use crate::kernels::total_coeff::Near;
use crate::kernels::transform::{blocks, chroma_differences, differences, forward_lanes, hadamard_2x2};

/// A squared error of one level.
const ONE: i64 = 1 << 16;

/// Where levels are rounded up before any is lowered, in 256ths of a level.
const ROUNDING: u32 = 112;

/// The worth of a bit in squared errors of a level ([`ONE`]), from its worth in SSD.
pub(crate) fn bit_cost(lambda: u32, quantizer: &Quantizer) -> i64 {
    // The quantization step is a sixteenth of the scale of the coefficients of index 0.
    let scale = quantizer.scale[0] as u64;
    ((u64::from(lambda) << 24) / (scale * scale)).clamp(1, 1 << 20) as i64
}

/// A block as it came out.
#[derive(Clone, Copy, Debug, Default)]
struct RdoBlock {
    /// Mask of the levels that are not zero.
    mask: u32,
    /// Cost with these levels less that without any, bits included.
    gain: i64,
}

/// Chooses the levels of a block whose coefficients are so many 256ths of a level, with signs; those before `first` are
/// none of it. Each level from the highest frequency down is lowered by 1 where that saves more bits than it is worth.
#[shim::kernel]
fn choose(
    #[shape(16)] scaled: &[i32; 16],
    first: usize,
    tokens: &[u32; 68],
    zeros: &[[u32; 16]],
    bit: i64,
    levels: &mut [i16; 16],
) -> RdoBlock {
    let (mut mask, mut error) = (0_u32, 0_i64);
    for k in first..16 {
        let magnitude = scaled[[k]].unsigned_abs();
        let level = ((magnitude + ROUNDING) >> 8).min(MAX_LEVEL as u32) as i32;
        levels[k] = if scaled[[k]] < 0 { -level } else { level } as i16;
        if level != 0 {
            mask |= 1 << k;
            let (before, after) = (i64::from(magnitude), i64::from(magnitude) - 256 * i64::from(level));
            error += after * after - before * before;
        }
    }
    if mask == 0 {
        return RdoBlock::default();
    }
    let mut own = i64::from(block_bits(levels, first, mask >> first, tokens, zeros));
    let mut left = mask;
    while left != 0 {
        let k = left.ilog2() as usize;
        left ^= 1 << k;
        let (magnitude, level) = (i64::from(scaled[[k]]).abs(), levels[k]);
        // (a - (q - 1))^2 - (a - q)^2, which no bits are worth where it is large.
        let more = 512 * (magnitude - 256 * i64::from(level.abs())) + ONE;
        if more > 12 * bit {
            continue;
        }
        levels[k] -= level.signum();
        let lowered = if levels[k] == 0 { mask ^ 1 << k } else { mask };
        let other = i64::from(block_bits(levels, first, lowered >> first, tokens, zeros));
        if more < bit * (own - other) {
            (own, mask, error) = (other, lowered, error + more);
        } else {
            levels[k] = level;
        }
    }
    let none = i64::from(tokens[0] & 63);
    let gain = error + bit * (own - none);
    if mask == 0 || gain >= 0 {
        *levels = [0; 16];
        return RdoBlock::default();
    }
    RdoBlock { mask, gain }
}

/// Coefficients in 256ths of a level, `scaled[[l, k]]` for index k of the zigzag sequence of block l; a template, of
/// the coefficients `[[4 i + j, l]]`. Says which blocks may have levels.
#[shim::kernel]
fn scale_lanes<const LANES: usize>(
    coefficients: impl Tensor<i16, 2>,
    quantizer: &Quantizer,
    scaled: impl Tensor<i32, 2>,
) -> u32 {
    #[staged]
    use crate::kernels::quantize::CLASS;
    let coefficients = coefficients.reshape([4, 4, LANES]);
    let sequence = coefficients.slice(2, 0);
    let mf = Block::external(&quantizer.mf, [3, 32]);
    let shift = quantizer.shift;
    let greatest = Block::stack::<i32>([LANES]);
    for l in 0..LANES {
        #[unroll]
        for (k, [i, j]) in sequence.scan(zigzag).enumerate() {
            let c = coefficients[[i, j, l]];
            let magnitude =
                ((u32::from(c.unsigned_abs() << shift) * u32::from(mf[[CLASS[i][j], l]])) >> 8) as i32;
            greatest[[l]] = greatest[[l]].max(magnitude);
            scaled[[k, l]] = if c < 0 { -magnitude } else { magnitude };
        }
    }
    greatest.indices().mask::<u32>(|[l]| greatest[[l]] >= 144)
}

/// The scaled coefficients of a macroblock's luma, `[16, 16]` by index and block.
#[shim::kernel(simd, checks = "hoisted")]
fn scale_luma(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 256],
    quantizer: &Quantizer,
    scaled: &mut [i32; 256],
) -> u32 {
    let cur = source.luma.footprint(macroblock);
    let d = blocks(cur);
    differences(cur, Block::external(pred, [16, 16]), d);
    let coefficients = Block::stack::<i16>([16, 16]);
    forward_lanes::<16>(d, coefficients);
    scale_lanes::<16>(coefficients, quantizer, Block::external(scaled, [16, 16]))
}

/// The scaled coefficients of a macroblock's chroma, `[16, 8]` by index and block `4 iCbCr + 2 y + x`, and those of the
/// DC transform, `[2, 4]`.
#[shim::kernel(simd, checks = "hoisted")]
fn scale_chroma(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 128],
    quantizer: &Quantizer,
    scaled: &mut [i32; 128],
    dc: &mut [i32; 8],
) -> u32 {
    let pred = Block::external(pred, [16, 8]);
    let d = blocks(pred);
    let (cb, cr) = (source.chroma[0].footprint(macroblock), source.chroma[1].footprint(macroblock));
    chroma_differences(cb, cr, pred, d);
    let coefficients = Block::stack::<i16>([16, 8]);
    forward_lanes::<8>(d, coefficients);
    let (mf, qbits) = (quantizer.mf_dc, quantizer.qbits);
    let dc = Block::external(dc, [2, 4]);
    #[unroll]
    for component in 0..2 {
        let f = Block::stack::<i32>([2, 2]);
        #[unroll]
        for [y, x] in f.indices() {
            f[[y, x]] = i32::from(coefficients[[0, 4 * component + 2 * y + x]]);
        }
        hadamard_2x2(f);
        #[unroll]
        for [y, x] in f.indices() {
            let magnitude = (u64::from(f[[y, x]].unsigned_abs()) * u64::from(mf) >> (qbits - 7)) as i32;
            dc[[component, 2 * y + x]] = if f[[y, x]] < 0 { -magnitude } else { magnitude };
        }
    }
    for l in 0..8 {
        coefficients[[0, l]] = 0;
    }
    scale_lanes::<8>(coefficients, quantizer, Block::external(scaled, [16, 8]))
}

/// The levels of the luma of an Inter macroblock, predicted by `pred`, where a bit is worth `lambda` in SSD. Blocks of
/// 8x8 whose levels are not worth their bits have none. `counts` are those around the macroblock, without its own.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel]
pub fn code_luma_rdo(
    source: &SamplesView<'_>,
    macroblock: Place<2>,
    pred: &[u8; 256],
    quantizer: &Quantizer,
    lambda: u32,
    mut counts: Near<5>,
    residual: &mut Residual,
) {
    let mut scaled = [0; 256];
    (residual.luma, residual.luma_nonzero) = ([0; 256], [0; 16]);
    let any = scale_luma(source, macroblock, pred, quantizer, &mut scaled);
    if any == 0 {
        return;
    }
    let bit = bit_cost(lambda, quantizer);
    let mut all = 0;
    let scaled = Block::external(&scaled, [16, 4, 4]);
    let luma = Block::external(&mut residual.luma, [16, 4, 4]);
    let nonzero = Block::external(&mut residual.luma_nonzero, [4, 4]);
    for quarter in nonzero.tiles([2, 2]) {
        let (top, left) = (quarter.origin_in(nonzero, 0) as usize, quarter.origin_in(nonzero, 1) as usize);
        let mut sum = 0;
        for [v, u] in quarter.indices() {
            let (y, x) = (top + v as usize, left + u as usize);
            if any >> (4 * y + x) & 1 == 0 {
                continue;
            }
            let (mut own, mut levels) = ([0; 16], [0; 16]);
            for k in 0..16 {
                own[k] = scaled[[k, y, x]];
            }
            let coded = choose(&own, 0, &TOKENS[counts.token_table(y, x)], &ZEROS, bit, &mut levels);
            for k in 0..16 {
                luma[[k, y, x]] = levels[k];
            }
            nonzero[[y, x]] = coded.mask as u16;
            counts.set(y, x, coded.mask.count_ones() as u8);
            sum += coded.gain;
        }
        // Four blocks without levels have bits that say so, unless the pattern does.
        let none = quarter
            .indices()
            .map(|[v, u]| counts.token_table(top + v as usize, left + u as usize))
            .map(|table| i64::from(TOKENS[table][0] & 63))
            .sum::<i64>();
        if sum + bit * none >= 0 {
            for [v, u] in quarter.indices() {
                quarter[[v, u]] = 0;
                counts.set(top + v as usize, left + u as usize, 0);
            }
        } else {
            all += sum + bit * none;
        }
    }
    // What the pattern and the difference of QP take more.
    if all + 3 * bit >= 0 {
        let [y, x] = iters();
        nonzero[[y, x]] = 0;
    }
}

/// Chooses the levels of the chroma of an Inter macroblock; `quantizer` is that of QPC.
///
/// # Panics
///
/// As [`code_luma_rdo`].
#[shim::kernel]
pub fn code_chroma_rdo(
    source: &SamplesView<'_>,
    macroblock: Place<2>,
    pred: &[u8; 128],
    quantizer: &Quantizer,
    lambda: u32,
    mut counts: [Near<3>; 2],
    residual: &mut Residual,
) {
    let (mut scaled, mut dc) = ([0; 128], [0; 8]);
    (residual.chroma, residual.chroma_nonzero) = ([0; 128], [0; 8]);
    residual.chroma_dc_nonzero = [0; 2];
    let any = scale_chroma(source, macroblock, pred, quantizer, &mut scaled, &mut dc);
    let bit = bit_cost(lambda, quantizer);
    let dc = Block::external(&dc, [2, 4]);
    let chroma_dc = Block::external(&mut residual.chroma_dc, [2, 4]);
    let dc_nonzero = Block::external(&mut residual.chroma_dc_nonzero, [2]);
    for c in 0..2 {
        let (mut own, mut levels) = ([0; 16], [0; 16]);
        for k in 0..4 {
            own[k] = dc[[c, k]];
        }
        let tokens = &TOKENS[TokenTable::ChromaDc as usize];
        let coded = choose(&own, 0, tokens, &ZEROS_CHROMA_DC, bit, &mut levels);
        for k in 0..4 {
            chroma_dc[[c, k]] = levels[k];
        }
        dc_nonzero[[c]] = coded.mask as u16;
    }
    let scaled = Block::external(&scaled, [16, 2, 2, 2]);
    let chroma = Block::external(&mut residual.chroma, [16, 2, 2, 2]);
    let nonzero = Block::external(&mut residual.chroma_nonzero, [2, 2, 2]);
    let mut all = 0;
    for [c, y, x] in nonzero.indices() {
        if any >> (4 * c + 2 * y + x) & 1 == 0 {
            continue;
        }
        let (mut own, mut levels) = ([0; 16], [0; 16]);
        for k in 0..16 {
            own[k] = scaled[[k, c, y, x]];
        }
        let counts = &mut counts[c as usize];
        let (y, x) = (y as usize, x as usize);
        let coded = choose(&own, 1, &TOKENS[counts.token_table(y, x)], &ZEROS[..15], bit, &mut levels);
        for k in 1..16 {
            chroma[[k, c, y, x]] = levels[k];
        }
        nonzero[[c, y, x]] = coded.mask as u16;
        counts.set(y, x, coded.mask.count_ones() as u8);
        all += coded.gain;
    }
    // Each of the eight blocks takes a bit or more, if it has no levels.
    if all + 9 * bit >= 0 {
        let [c, y, x] = iters();
        nonzero[[c, y, x]] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    /// The error that levels leave, and the bits that they take, together.
    fn cost(scaled: &[i32; 16], levels: &[i16; 16], tokens: &[u32; 68], bit: i64) -> i64 {
        let mask = (0..16).map(|k| u32::from(levels[k] != 0) << k).sum::<u32>();
        let error = scaled.iter().zip(levels).map(|(&a, &q)| (i64::from(a) - 256 * i64::from(q)).pow(2));
        error.sum::<i64>() + bit * i64::from(block_bits(levels, 0, mask, tokens, &ZEROS))
    }

    #[test]
    fn levels_cost_less_than_rounded_ones_and_none() {
        let mut random = Random::new(9);
        for round in 0..5000 {
            let most = [200, 500, 3000][round % 3];
            let scaled: [i32; 16] = std::array::from_fn(|k| random.within(-most, most) / (1 + k as i32 / 2));
            let (tokens, bit) = (&TOKENS[random.within(0, 3) as usize], i64::from(random.within(1, 20_000)));
            let mut levels = [0; 16];
            let coded = choose(&scaled, 0, tokens, &ZEROS, bit, &mut levels);
            let rounded = scaled.map(|a| ((a.abs() + 112) / 256 * a.signum()) as i16);
            let own = cost(&scaled, &levels, tokens, bit);
            let none = cost(&scaled, &[0; 16], tokens, bit);
            assert!(own <= cost(&scaled, &rounded, tokens, bit) && own <= none, "{scaled:?}: {levels:?}");
            assert_eq!(coded.gain, own - none);
            assert!((0..16).all(|k| (coded.mask >> k & 1 != 0) == (levels[k] != 0)));
        }
    }

    #[test]
    fn a_bit_that_is_worth_nothing_changes_nothing() {
        let scaled = [700, -300, 0, 150, 100, -144, 143, 0, 0, 0, 0, 0, 0, 0, 0, -256];
        let mut levels = [0; 16];
        choose(&scaled, 0, &TOKENS[0], &ZEROS, 1, &mut levels);
        assert_eq!(levels, [3, -1, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1]);
    }

    /// What a bit costs does not depend on the QP, where its worth follows the quantization step.
    #[test]
    fn the_cost_of_a_bit_follows_the_step() {
        for qp in 12..=45 {
            let lambda = (0.85 * f64::from(i32::from(qp) - 12).mul_add(1.0 / 3.0, 6.0).exp2()) as u32;
            let cost = bit_cost(lambda, &Quantizer::new(qp, 6));
            assert!((520_000..620_000).contains(&cost), "{cost} at QP {qp}");
        }
    }
}
