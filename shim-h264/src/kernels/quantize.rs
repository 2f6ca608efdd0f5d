//! Quantization, and the scaling that undoes it (8.5.9 to 8.5.12).

use shim::prelude::*;

/// The greatest magnitude of a level that CAVLC codes whatever stands before it, without the longer prefixes of the
/// High profiles (9.2.2.1). Beyond it is only the DC of the finest quantizers.
pub const MAX_LEVEL: i32 = 2063;

/// The greatest QP.
pub const MAX_QP: u8 = 51;

/// `normAdjust4x4` (8-315), by QP % 6: where both indices are even, where both are odd, and elsewhere.
const NORM_ADJUST: [[i16; 3]; 6] =
    [[10, 16, 13], [11, 18, 14], [13, 20, 16], [14, 23, 18], [16, 25, 20], [18, 29, 23]];

/// The class of a coefficient among the three of (8-315), by row and column.
#[shim::constant]
pub(crate) const CLASS: [[usize; 4]; 4] = [[0, 2, 0, 2], [2, 1, 2, 1], [0, 2, 0, 2], [2, 1, 2, 1]];

/// What a coefficient is multiplied by for its level, by QP % 6, over `2^15`: with `normAdjust4x4` and what the forward
/// and the inverse transform make of a coefficient together (16, 25, 20) it gives `2^15 64`.
const MF: [[u16; 3]; 6] = [
    [13_107, 5243, 8066],
    [11_916, 4660, 7490],
    [10_082, 4194, 6554],
    [9362, 3647, 5825],
    [8192, 3355, 5243],
    [7282, 2893, 4559],
];

/// The chroma quantization parameter QPC of a luma QP (8.5.8, Table 8-15).
pub fn chroma_qp(qp: u8, chroma_qp_index_offset: i8) -> u8 {
    const QPC: [u8; 22] =
        [29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39];
    let qpi = (qp as i8 + chroma_qp_index_offset).clamp(0, MAX_QP as i8) as u8;
    if qpi < 30 { qpi } else { QPC[usize::from(qpi) - 30] }
}

/// Quantization by one QP.
///
/// A level is `(|c| MF + f) >> qbits` with the sign of the coefficient c. For coefficients in lanes of 16 bits that is
/// the upper half of a product, `((|c| << shift) + bias) mf`: `mf` is MF with 16 fractional bits in the place of
/// `qbits`, and `bias` what is to be added, divided by it.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Quantizer {
    /// The factors over `2^16`, and what is added to a magnitude: `[3, 32]`, by [`CLASS`], and all lanes the same. A
    /// product by a number that all lanes share would be computed in 32 bits.
    pub(crate) mf: [u16; 96],
    pub(crate) bias: [u16; 96],
    /// The QP.
    pub qp: u8,
    /// Fractional bits of a product, `15 + QP / 6`.
    pub(crate) qbits: u32,
    /// Rounding offset.
    pub(crate) f: u32,
    /// MF of the coefficients with both indices even, to which DC belongs.
    pub(crate) mf_dc: u32,
    /// Bits more of a magnitude where MF is large, so that the bias can be a fraction.
    pub(crate) shift: u32,
    /// `normAdjust4x4 << (QP / 6)`, `[4, 4]`: `LevelScale4x4` of flat matrices, with the shift of (8-336), (8-337).
    /// Since flat matrices are 16 all over, nothing is cut off by the right shift of the latter.
    pub(crate) scale: [i16; 16],
}

impl Quantizer {
    /// The quantizer for `qp`, which rounds a level up if what is above an integer is at least `1 - 1 / divisor`:
    /// usually 3 for Intra and 6 for Inter prediction.
    ///
    /// # Panics
    ///
    /// When the QP is above [`MAX_QP`], or the divisor below 2.
    pub fn new(qp: u8, divisor: u32) -> Self {
        assert!(qp <= MAX_QP && divisor >= 2, "QP is {qp}, and what is added 1/{divisor}");
        let (period, rest) = (qp / 6, usize::from(qp % 6));
        let qbits = 15 + u32::from(period);
        let shift = if period < 3 { 2 } else { 0 };
        // Rounded: with as many fractional bits as `qbits` and the shift leave of sixteen.
        let less = u32::from(period) + shift;
        let mf = |class: usize| ((u32::from(MF[rest][class]) << 1) + (1 << (less - 1))) >> less;
        Self {
            qp,
            qbits,
            f: (1 << qbits) / divisor,
            mf_dc: u32::from(MF[rest][0]),
            shift,
            mf: core::array::from_fn(|i| mf(i / 32) as u16),
            bias: core::array::from_fn(|i| (((1 << 16) / divisor + mf(i / 32) / 2) / mf(i / 32)) as u16),
            scale: core::array::from_fn(|place| NORM_ADJUST[rest][CLASS[place / 4][place % 4]] << period),
        }
    }
}

/// The magnitude of a coefficient's level, by what a [`Quantizer`] has for its class.
#[inline]
pub(crate) const fn magnitude(c: i16, shift: u32, bias: u16, mf: u16) -> u16 {
    let magnitude = c.unsigned_abs() << shift;
    ((magnitude.wrapping_add(bias) as u32 * mf as u32) >> 16) as u16
}

/// The level of a magnitude, with the sign of its coefficient.
#[inline]
pub(crate) const fn signed(magnitude: u16, c: i16) -> i16 {
    // Without a condition, of which LLVM would compute both cases.
    let sign = c >> 15;
    (magnitude as i16 ^ sign).wrapping_sub(sign)
}

/// The level of a coefficient.
#[inline]
pub(crate) const fn level(c: i16, shift: u32, bias: u16, mf: u16) -> i16 {
    signed(magnitude(c, shift, bias, mf), c)
}

/// Levels in zigzag order (8.5.6) of the coefficients of `LANES` blocks, `coefficients[[4 i + j, l]]`, a template;
/// those from `FIRST` on. Says which are not zero.
#[shim::kernel]
pub(crate) fn quantize_lanes<const FIRST: usize, const LANES: usize>(
    coefficients: impl Tensor<i16, 2>,
    quantizer: &Quantizer,
    levels: impl Tensor<i16, 2>,
    nonzero: impl Tensor<u16, 1>,
) {
    #[staged]
    use self::CLASS;
    let coefficients = coefficients.reshape([4, 4, LANES]);
    let sequence = coefficients.slice(2, 0);
    let mf = Block::external(&quantizer.mf, [3, 32]);
    let bias = Block::external(&quantizer.bias, [3, 32]);
    let shift = quantizer.shift;
    for l in 0..LANES {
        #[unroll]
        for (k, [i, j]) in sequence.scan(zigzag).enumerate() {
            if k >= FIRST {
                let class = CLASS[i][j];
                levels[[k, l]] = level(coefficients[[i, j, l]], shift, bias[[class, l]], mf[[class, l]]);
            }
        }
        #[unroll]
        nonzero[[l]] = (FIRST..16).mask::<u16>(|k| levels[[k, l]] != 0);
    }
}

/// The levels of the transformed DC coefficients c, a template: two more bits in the transform of 4x4 for each half of
/// it that is not taken back, and hence one more to be cut off.
#[shim::kernel]
pub(crate) fn quantize_dc(c: impl Tensor<i32, 2>, mf: u32, f: u32, qbits: u32) {
    #[unroll]
    for [i, j] in c.indices() {
        let magnitude = (((c[[i, j]].unsigned_abs() * mf + 2 * f) >> (qbits + 1)) as i32).min(MAX_LEVEL);
        c[[i, j]] = if c[[i, j]] < 0 { -magnitude } else { magnitude };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factors_are_the_inverse_of_the_scale() {
        for (mf, norm) in MF.iter().zip(&NORM_ADJUST) {
            // What the forward and the inverse transform make of a coefficient together, in 64ths.
            for ((&mf, &norm), gain) in mf.iter().zip(norm).zip([16.0, 25.0, 20.0]) {
                let exact = 32_768.0 * 64.0 / (f64::from(norm) * gain);
                assert!((f64::from(mf) / exact - 1.0).abs() < 0.005, "{mf} for {exact}");
            }
        }
    }

    #[test]
    fn chroma_follows_the_table() {
        assert_eq!([0, 29, 30, 35, 36, 43, 51].map(|qp| chroma_qp(qp, 0)), [0, 29, 29, 33, 34, 37, 39]);
        assert_eq!(chroma_qp(51, 12), 39);
        assert_eq!(chroma_qp(51, -12), 35);
        assert_eq!(chroma_qp(0, -12), 0);
        assert_eq!(chroma_qp(20, 12), 31);
    }
}
