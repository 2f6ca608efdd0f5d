//! Differences of two blocks: the sum of absolute differences (SAD), of squared ones (SSD), and of the magnitudes of
//! their Hadamard transform (SATD, halved).

use shim::prelude::*;

use crate::kernels::picture::SamplesView;
use crate::kernels::transform::{block_of, blocks, hadamard_4x4};

/// The SAD of two blocks of constant extents, a template.
#[shim::kernel]
pub(crate) fn sad_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    a.indices().map(|[y, x]| u32::from(a[[y, x]].abs_diff(b[[y, x]]))).sum::<u32>()
}

/// The SSD of two blocks, a template.
#[shim::kernel]
pub(crate) fn ssd_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let (a, b) = (a.cast::<i16>(), b.cast::<i16>());
    let square = |d: i16| i32::from(d) * i32::from(d);
    a.indices().map(|[y, x]| square(a[[y, x]] - b[[y, x]])).sum::<i32>() as u32
}

/// Half the sum of the magnitudes of the Hadamard transform of each of `COUNT` [`blocks`] of differences of at most
/// 255: `sum(abs(H D H)) / 2`, a template. It is at most 8160.
#[shim::kernel]
pub(crate) fn hadamard_of<const COUNT: usize>(d: impl Tensor<i16, 2>, own: impl Tensor<u32, 1>) {
    for l in 0..COUNT {
        let block = block_of(d, l);
        let c = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in c.indices() {
            c[[i, j]] = block[[i, j]];
        }
        hadamard_4x4::<i16>(c);
        #[unroll]
        let sum = c.indices().map(|[i, j]| c[[i, j]].unsigned_abs()).sum::<u16>();
        own[[l]] = u32::from(sum >> 1);
    }
}

/// The SATD of two blocks of constant extents, multiples of 4: a template.
#[shim::kernel]
pub(crate) fn satd_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let count = a.extent(0) * a.extent(1) / 16;
    let d = blocks(a);
    let own = Block::stack::<u32>([count]);
    let (a, b) = (a.cast::<i16>(), b.cast::<i16>());
    #[lanes(8)]
    for [y, x] in a.indices() {
        d[[y, x]] = a[[y, x]] - b[[y, x]];
    }
    hadamard_of::<count>(d, own);
    own.indices().map(|[l]| own[[l]]).sum::<u32>()
}

/// The SAD of the luma of a macroblock and its prediction, `[16, 16]`.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub fn sad_16x16(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 256],
) -> u32 {
    sad_of(source.luma.footprint(macroblock), Block::external(pred, [16, 16]))
}

/// The SATD of the luma of a macroblock and its prediction, `[16, 16]`.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd, checks = "hoisted")]
pub fn satd_16x16(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 256],
) -> u32 {
    satd_of(source.luma.footprint(macroblock), Block::external(pred, [16, 16]))
}

/// The SSD of the luma of a macroblock.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd, checks = "hoisted")]
pub fn luma_ssd(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    luma: &[u8; 256],
) -> u32 {
    ssd_of(source.luma.footprint(macroblock), Block::external(luma, [16, 16]))
}

/// The SSD of a macroblock: of `luma`, `[16, 16]`, and `chroma`, `[2, 8, 8]`.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub fn ssd(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    luma: &[u8; 256],
    chroma: &[u8; 128],
) -> u32 {
    let chroma = Block::external(chroma, [2, 8, 8]);
    ssd_of(source.luma.footprint(macroblock), Block::external(luma, [16, 16]))
        + ssd_of(source.chroma[0].footprint(macroblock), chroma.slice(0, 0))
        + ssd_of(source.chroma[1].footprint(macroblock), chroma.slice(0, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::Samples;
    use crate::kernels::testing::{Random, Window, sad, satd, ssd as ssd_by_definition};

    /// Samples of noise, of extremes, or of one sample.
    fn samples(random: &mut Random, mbs: [usize; 2], round: usize, extreme: u8) -> Samples {
        let mut samples = Samples::new(mbs);
        let [cb, cr] = &mut samples.chroma;
        for plane in [&mut samples.luma, cb, cr] {
            plane.fill_with(|| match round % 4 {
                0 => extreme,
                1 if random.bits() & 1 == 0 => extreme,
                1 => 255 - extreme,
                _ => random.byte(),
            });
        }
        samples
    }

    #[test]
    fn those_of_macroblocks_agree_with_their_definitions() {
        let mut random = Random::new(1);
        for round in 0..100 {
            let mbs = [random.within(1, 3) as usize, random.within(1, 3) as usize];
            let source = samples(&mut random, mbs, round, 0);
            let at = mbs.map(|n| random.within(0, n as i32 - 1) as usize);
            let place = macroblock_at(at);
            let luma = |plane| Window { plane, size: source.luma_size(), at: at.map(|n| 16 * n) };
            let chroma = |plane| Window { plane, size: source.chroma_size(), at: at.map(|n| 8 * n) };
            let other = samples(&mut random, [1, 1], round, 255);
            let own: [u8; 256] = other.luma.try_into().expect("a macroblock");
            let own_chroma: [u8; 128] = other.chroma.concat().try_into().expect("a macroblock");
            let pred = |plane| Window { plane, size: [16, 16], at: [0, 0] };
            let part = |plane| Window { plane, size: [8, 8], at: [0, 0] };
            assert_eq!(sad_16x16(&source.view(), place, &own), sad(luma(&source.luma), pred(&own), [16, 16]));
            assert_eq!(
                satd_16x16(&source.view(), place, &own),
                satd(luma(&source.luma), pred(&own), [16, 16])
            );
            let of_luma = ssd_by_definition(luma(&source.luma), pred(&own), [16, 16]);
            assert_eq!(luma_ssd(&source.view(), place, &own), of_luma);
            let wanted = of_luma
                + ssd_by_definition(chroma(&source.chroma[0]), part(&own_chroma[..64]), [8, 8])
                + ssd_by_definition(chroma(&source.chroma[1]), part(&own_chroma[64..]), [8, 8]);
            assert_eq!(ssd(&source.view(), place, &own, &own_chroma), wanted);
        }
    }
}
