//! Trellis quantization: which integers the coefficients of a block become, chosen for the least of bits and error
//! together.
//!
//! T.81 A.3.4 rounds each quotient `S / Q` to the nearest integer, but says nothing against another. Most quotients
//! near 0.5 cost more bits as a 1 than the picture gains by it. For each block, and each choice of quantized values,
//! let
//!
//! ```text
//! J = bits of its AC symbols (F.1.2.2) + sum over k of weight[k] (S[k] / Q[k] - value[k])^2
//! ```
//!
//! with the weight of an error in bits. The least J is found by dynamic programming along the zigzag sequence: the
//! cheapest way to end at a coefficient k that is not zero is the cheapest way to some j before it, and a symbol of k -
//! j - 1 zeros and k's size. That is the thresholding of K. Ramchandran and M. Vetterli, "Rate-distortion optimal fast
//! thresholding with complete JPEG/MPEG decoder compatibility", IEEE Transactions on Image Processing 3, 1994, with the
//! choice of values of M. Crouse and K. Ramchandran, "Joint thresholding and quantizer selection for transform image
//! coding", ibid. 6, 1997.
//!
//! A coefficient may become what is nearest to it, the greatest value of one bit less, or zero. All j are tried by the
//! same instructions: costs lie side by side in the order of j, as do the bits of the runs, so that their sums need no
//! index, and a cost has its j in its low bits, so that the least of them says where it came from.

use alloc::boxed::Box;

use shim::prelude::*;

use super::spectra::Spectra;
use super::tile::{Blocks, Coefficients, LANES, first_tile};
use super::transform::scan_masks_of;

/// A bit as a cost, which has ten fractional bits.
const BIT: f32 = 1024.0;

/// The low bits of a cost, which say for which coefficient it is.
const PLACE: u32 = 6;

/// The most that an error counts more than another, in bits. What a coefficient costs, with the longest codes for
/// itself and for the runs on either side, is less: nothing above this is ever chosen, however far.
const MOST: f32 = 160.0 * BIT;

/// The cost of a block of zeros. It is at least what may be subtracted from it: 63 errors of [`MOST`].
const ORIGIN: u32 = (63 * 160 * 1024) << PLACE;

/// A cost that is no way's, and one that makes any way's greater than all others.
const NEVER: u32 = 1 << 30;

/// The costs of codes and of errors.
#[derive(Clone, Debug)]
pub struct Costs {
    /// `[16, 128]`: for a size SSSS and 63 less a run of zeros, the bits of ZRL, of the symbol and of its additional
    /// bits.
    bits: Box<[u32; 2048]>,
    /// The bits of EOB.
    eob: u32,
    /// Weight of an error of Q, for the k-th coefficient.
    weight: [f32; 64],
    /// The greatest value.
    most: f32,
}

impl Costs {
    /// Costs by the bits of each value V of an AC table, its additional bits not among them, with errors of Q that
    /// count as `weight` bits, for the k-th coefficient, and values of at most `most`.
    pub fn new(lengths: &[f32; 256], weight: &[f32; 64], most: i16) -> Self {
        let fixed = |bits: f32| ((bits * BIT).round() as u32) << PLACE;
        let mut bits = Box::new([NEVER; 2048]);
        for size in 1..16_u8 {
            for run in 0..63_usize {
                let symbol = lengths[(run & 15) << 4 | usize::from(size)];
                let zrl = f32::from(run as u8 >> 4) * lengths[0xf0];
                bits[128 * usize::from(size) + 63 - run] = fixed(symbol + zrl + f32::from(size));
            }
        }
        Self { bits, eob: fixed(lengths[0]), weight: weight.map(|w| w * BIT), most: most.into() }
    }
}

/// Rounds quotients of a tile to the nearest integers, a template.
#[shim::kernel]
fn nearest(quotients: impl Tensor<f32, 2>, most: f32, zz: impl Tensor<i16, 2>) {
    for k in 0..64 {
        for l in 0..32 {
            let quotient = quotients[[k, l]];
            // DC of the darkest block is one further from zero than any AC.
            let most = if k == 0 { most + 1.0 } else { most };
            let magnitude = (quotient.abs() + 0.5).min(most) as i32;
            zz[[k, l]] = (if quotient < 0.0 { -magnitude } else { magnitude }) as i16;
        }
    }
}

/// The cheapest way to a value of `size` bits at coefficient k from one before it, with that one in its low bits; a
/// template.
#[shim::kernel]
fn cheapest(ways: impl Tensor<u32, 1>, bits: impl Tensor<u32, 2>, size: usize, k: usize) -> u32 {
    let mut least = u32::MAX;
    if k < 16 {
        for j in 0..16 {
            least = least.min(ways[[j]] + bits[[size, 64 - k + j]]);
        }
    } else {
        for j in 0..64 {
            least = least.min(ways[[j]] + bits[[size, 64 - k + j]]);
        }
    }
    least
}

/// Chooses the values of some blocks, which come to `out`: AC by the least of bits and errors, DC to the
/// nearest.
///
/// # Panics
///
/// When there is no memory for the tiles.
#[shim::kernel(simd(v2, v3))]
pub fn trellis(spectra: &Spectra, costs: &Costs, blocks: Blocks, out: &mut Coefficients) {
    let bits = Block::external(&costs.bits, [16, 128]);
    let weight = Block::external(&costs.weight, [64]);
    let quotients = Block::external(&spectra.quotients, [spectra.quotients.len() / 2048, 64, 32]);
    // The cheapest way to each coefficient, which it comes from, and with which magnitude.
    let ways = Block::stack::<u32>([64]);
    let before = Block::stack::<u32>([64]);
    let magnitudes = Block::stack::<i16>([64]);
    for v in 0..blocks.high {
        let first = first_tile(out, [blocks.component, blocks.row + v]);
        for tile in first..first + blocks.wide.div_ceil(LANES) {
            let quotients = quotients[[tile, .., ..]];
            let zz = Block::external(&mut out.zz, [out.zz.len() / 2048, 64, 32]);
            nearest(quotients, costs.most, zz[[tile, .., ..]]);
            scan_masks_of(tile, out);
            let zz = Block::external(&mut out.zz, [out.zz.len() / 2048, 64, 32])[[tile, .., ..]];
            let coded = Block::external(&out.coded, [out.coded.len() / 32, 32])[[tile, ..]];
            for lane in 0..LANES {
                let nonzero = coded[[lane]] & !1;
                for j in 0..64 {
                    ways[[j]] = NEVER;
                }
                ways[[0]] = ORIGIN;
                let mut best = ORIGIN + costs.eob;
                let mut left = nonzero;
                while left != 0 {
                    let k = left.trailing_zeros() as usize & 63;
                    left &= left - 1;
                    let (quotient, weight) = (quotients[[k, lane]].abs(), weight[[k]]);
                    let magnitude = u32::from(zz[[k, lane]].unsigned_abs());
                    let size = (32 - magnitude.leading_zeros()) as usize & 15;
                    // How much more the error of another value counts than that of the nearest.
                    let error = |value: u32| {
                        let [nearest, other] = [magnitude as f32, value as f32];
                        (weight * (nearest - other) * (2.0 * quotient - nearest - other)).min(MOST) as u32
                    };
                    let mut way = cheapest(ways, bits, size, k);
                    let mut value = magnitude;
                    if size > 1 {
                        let less = (1 << (size - 1)) - 1;
                        let other = cheapest(ways, bits, size - 1, k) + (error(less) << PLACE);
                        if other < way {
                            way = other;
                            value = less;
                        }
                    }
                    before[[k]] = way & 63;
                    magnitudes[[k]] = value as i16;
                    let way = (way & !63 | k as u32) - (error(0) << PLACE);
                    for j in 0..64 {
                        ways[[j]] = if j == k as i32 { way } else { ways[[j]] };
                    }
                    let end = way + if k < 63 { costs.eob } else { 0 };
                    best = best.min(end);
                }
                // Back along the way, and zeros beside it.
                let mut on = (best & 63) as usize;
                let mut left = nonzero;
                while left != 0 {
                    let k = 63 - left.leading_zeros() as usize & 63;
                    left &= !(1 << k);
                    let mut value = 0;
                    if k == on {
                        value = magnitudes[[k]];
                        on = before[[k]] as usize;
                    }
                    zz[[k, lane]] = if zz[[k, lane]] < 0 { -value } else { value };
                }
            }
            scan_masks_of(tile, out);
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "numbers are random, and integers are small"
)]
mod tests {
    use super::*;
    use crate::kernels::tables::LUMINANCE_AC;
    use shim_codec::random::Random;

    fn lengths() -> [f32; 256] {
        LUMINANCE_AC.codes().ehufsi.map(|size| if size == 0 { 18.0 } else { f32::from(size) })
    }

    /// Memory for a tile, and its blocks.
    fn tile() -> (Coefficients, Blocks) {
        let one = [1, 0, 0, 0];
        (Coefficients::new(one, one), Blocks { high: 1, wide: LANES, ..Blocks::default() })
    }

    /// J of a block as the module has it.
    fn cost(values: &[i16; 64], quotients: &[f32; 64], weight: &[f32; 64], lengths: &[f32; 256]) -> f64 {
        let mut cost = 0.0;
        let mut last = 0;
        for k in 1..64 {
            cost += f64::from(weight[k]) * f64::from(quotients[k] - f32::from(values[k])).powi(2);
            if values[k] != 0 {
                let (run, size) = (k - last - 1, 16 - values[k].unsigned_abs().leading_zeros());
                cost += f64::from(lengths[0xf0]) * f64::from(run as u32 / 16);
                cost += f64::from(lengths[(run % 16) << 4 | size as usize]) + f64::from(size);
                last = k;
            }
        }
        cost + if last < 63 { f64::from(lengths[0]) } else { 0.0 }
    }

    /// The least J of all blocks whose values are the nearest, the greatest of one bit less, or zero.
    fn least(quotients: &[f32; 64], weight: &[f32; 64], lengths: &[f32; 256]) -> f64 {
        let nearest = quotients.map(|q| (q.abs() + 0.5) as i16);
        let places = (1..64).filter(|&k| nearest[k] != 0).collect::<Vec<_>>();
        let mut least = f64::INFINITY;
        for choice in 0..3_usize.pow(places.len() as u32) {
            let mut values = [0; 64];
            for (i, &k) in places.iter().enumerate() {
                let less = (1 << (15 - nearest[k].leading_zeros())) - 1;
                let magnitude = [0, less, nearest[k]][choice / 3_usize.pow(i as u32) % 3];
                values[k] = if quotients[k] < 0.0 { -magnitude } else { magnitude };
            }
            least = least.min(cost(&values, quotients, weight, lengths));
        }
        least
    }

    #[test]
    fn the_least_of_all_choices_is_found() {
        let mut random = Random::new(1);
        let mut next = || random.bits();
        let lengths = lengths();
        for round in 0..60_u16 {
            // From almost free errors to such that nothing but the nearest will do.
            let base = f32::from(round + 1) * 0.7;
            let weight: [f32; 64] = core::array::from_fn(|k| base * (1.0 + k as f32 / 64.0));
            let (mut out, own) = tile();
            let mut spectra = Spectra::of(&out);
            let mut blocks = [[0.0; 64]; LANES];
            for (lane, block) in blocks.iter_mut().enumerate() {
                // Some are all at the end, some have runs of more than fifteen zeros.
                for _ in 0..next() % 7 {
                    let k = if lane % 4 == 0 { 58 + next() % 6 } else { next() % 64 };
                    let scale = [1.0, 4.0, 40.0][next() as usize % 3];
                    block[k as usize] = scale * (next() as f32 / 2_f32.powi(31) - 1.0);
                }
                for (k, &quotient) in block.iter().enumerate() {
                    spectra.quotients[LANES * k + lane] = quotient;
                }
            }
            trellis(&spectra, &Costs::new(&lengths, &weight, 1023), own, &mut out);
            for (lane, block) in blocks.iter().enumerate() {
                let values: [i16; 64] = core::array::from_fn(|k| out.zz[LANES * k + lane]);
                let (found, least) =
                    (cost(&values, block, &weight, &lengths), least(block, &weight, &lengths));
                // Each symbol's cost is rounded to 2^-10 bits.
                assert!(found < least + 0.02, "{found} for {least}: {block:?}");
                assert_eq!(f32::from(values[0]), (block[0].abs() + 0.5).floor() * block[0].signum());
            }
        }
    }

    #[test]
    fn great_errors_do_not_overflow() {
        let mut random = Random::new(2);
        let mut next = || random.bits();
        let mut spectra = Spectra::of(&tile().0);
        for quotient in &mut spectra.quotients {
            *quotient = 2000.0 * (next() as f32 / 2_f32.powi(31) - 1.0);
        }
        for weight in [0.0, 10.0, 1e9] {
            let (mut out, own) = tile();
            trellis(&spectra, &Costs::new(&lengths(), &[weight; 64], 1023), own, &mut out);
            for (&value, quotient) in out.zz[LANES..].iter().zip(&spectra.quotients[LANES..]) {
                let nearest = (quotient.abs() + 0.5).min(1023.0) as i16;
                if weight == 0.0 {
                    assert_eq!(value, 0);
                } else if weight > 10.0 {
                    assert!(
                        value.abs() == nearest || (quotient.abs() + 0.5).fract() < 1e-3,
                        "{value} for {quotient}"
                    );
                } else if nearest > 200 {
                    assert_eq!(value.abs(), nearest, "{quotient}");
                }
            }
        }
    }
}
