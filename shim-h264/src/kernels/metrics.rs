//! Differences of two blocks: the sum of absolute differences (SAD), of squared ones (SSD), and of the magnitudes of
//! their Hadamard transform (SATD, halved).

use shim::prelude::*;

use crate::kernels::picture::{PictureRows, ReferenceView, SamplesView};
use crate::kernels::transform::{block_of, blocks, hadamard_4x4};

/// The SAD of two blocks of constant extents, a template.
#[shim::kernel]
pub(crate) fn sad_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let (a, b) = (a.cast::<i32>(), b.cast::<i32>());
    let mut sum: i32 = 0;
    // A row at a time, each row would be added up by itself.
    #[reorder(x, y)]
    #[unroll(y)]
    for [y, x] in a.indices() {
        sum += (a[[y, x]] - b[[y, x]]).abs();
    }
    sum as u32
}

/// The SSD of two blocks, a template.
#[shim::kernel]
pub(crate) fn ssd_of(a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let (a, b) = (a.cast::<i16>(), b.cast::<i16>());
    let square = |d: i16| i32::from(d) * i32::from(d);
    a.indices().map(|[y, x]| square(a[[y, x]] - b[[y, x]])).sum::<i32>() as u32
}

/// Half the sum of the magnitudes of the Hadamard transform of each of `COUNT` [`blocks`] of differences of at most 255:
/// `sum(abs(H D H)) / 2`, a template. It is at most 8160.
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

/// The SATD of the luma of a macroblock and its prediction, `[16, 16]`.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd)]
pub fn satd_16x16(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 256],
) -> u32 {
    satd_of(source.luma.footprint(macroblock), Block::external(pred, [16, 16]))
}

/// The SSD of the luma of a macroblock and its reconstruction.
///
/// # Panics
///
/// When the macroblock is outside the source or the picture.
#[shim::kernel(simd)]
pub fn luma_ssd(
    #[located] source: &SamplesView<'_>,
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
) -> u32 {
    ssd_of(source.luma.footprint(macroblock), picture.samples.luma.footprint(macroblock))
}

/// The SSD of a macroblock and its reconstruction.
///
/// # Panics
///
/// When the macroblock is outside the source or the picture.
#[shim::kernel(simd)]
pub fn ssd(
    #[located] source: &SamplesView<'_>,
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
) -> u32 {
    ssd_of(source.luma.footprint(macroblock), picture.samples.luma.footprint(macroblock))
        + ssd_of(source.chroma[0].footprint(macroblock), picture.samples.chroma[0].footprint(macroblock))
        + ssd_of(source.chroma[1].footprint(macroblock), picture.samples.chroma[1].footprint(macroblock))
}

/// The SSD of a macroblock and its prediction: `luma`, `[16, 16]`, and `chroma`, `[2, 8, 8]`.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd)]
pub fn prediction_ssd(
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

macro_rules! sads {
    ($($name:ident = $h:literal by $w:literal;)*) => {$(
        #[doc = concat!("The SAD of a part of ", stringify!($h), " rows of ", stringify!($w), " and up to four blocks of plane G.")]
        ///
        /// The first `count` blocks, at these rows and columns of the planes, count; the SAD of others is 0.
        ///
        /// # Panics
        ///
        /// When the part is outside the source, or a block outside the planes.
        #[shim::kernel(simd)]
        pub fn $name(
            #[located] source: &SamplesView<'_>,
            #[shape($h, $w)] part: Place<2>,
            #[located] reference: &ReferenceView<'_>,
            at: &[[usize; 2]; 4],
            count: usize,
        ) -> [u32; 4] {
            let cur = source.luma.footprint(part);
            let mut sads = [0; 4];
            for i in 0..count.min(4) {
                let [r, c] = at[i];
                sads[i] = sad_of(cur, reference.luma[[r..r + $h, c..c + $w]]);
            }
            sads
        }
    )*};
}

sads! {
    sads_16x16 = 16 by 16;
    sads_16x8 = 8 by 16;
    sads_8x16 = 16 by 8;
    sads_8x8 = 8 by 8;
    sads_8x4 = 4 by 8;
    sads_4x8 = 8 by 4;
    sads_4x4 = 4 by 4;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::{Picture, Reference, Samples};
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
            let mut picture = Picture::new(mbs);
            picture.samples = samples(&mut random, mbs, round, 255);
            let at = mbs.map(|n| random.within(0, n as i32 - 1) as usize);
            let (place, other) = (macroblock_at(at), picture.samples.clone());
            let rows = picture.rows(at[0]..mbs[0]);
            let luma = |plane| Window { plane, size: source.luma_size(), at: at.map(|n| 16 * n) };
            let chroma = |plane| Window { plane, size: source.chroma_size(), at: at.map(|n| 8 * n) };
            let of_luma = ssd_by_definition(luma(&source.luma), luma(&other.luma), [16, 16]);
            let of_chroma = [0, 1]
                .map(|c| ssd_by_definition(chroma(&source.chroma[c]), chroma(&other.chroma[c]), [8, 8]));
            assert_eq!(luma_ssd(&source.view(), &rows, place), of_luma);
            assert_eq!(ssd(&source.view(), &rows, place), of_luma + of_chroma[0] + of_chroma[1]);
            let (mut own, mut own_chroma) = ([0; 256], [0; 128]);
            own.fill_with(|| random.byte());
            own_chroma.fill_with(|| random.byte());
            let pred = |plane| Window { plane, size: [16, 16], at: [0, 0] };
            let part = |plane| Window { plane, size: [8, 8], at: [0, 0] };
            assert_eq!(
                satd_16x16(&source.view(), place, &own),
                satd(luma(&source.luma), pred(&own), [16, 16])
            );
            let wanted = ssd_by_definition(luma(&source.luma), pred(&own), [16, 16])
                + ssd_by_definition(chroma(&source.chroma[0]), part(&own_chroma[..64]), [8, 8])
                + ssd_by_definition(chroma(&source.chroma[1]), part(&own_chroma[64..]), [8, 8]);
            assert_eq!(prediction_ssd(&source.view(), place, &own, &own_chroma), wanted);
        }
    }

    #[test]
    fn several_at_once_are_as_each_alone() {
        /// The kernel, and the rows and columns.
        type Case = (
            fn(&SamplesView<'_>, Place<2>, &ReferenceView<'_>, &[[usize; 2]; 4], usize) -> [u32; 4],
            [usize; 2],
        );
        let mut random = Random::new(2);
        let cases: [Case; 7] = [
            (sads_16x16, [16, 16]),
            (sads_16x8, [8, 16]),
            (sads_8x16, [16, 8]),
            (sads_8x8, [8, 8]),
            (sads_8x4, [4, 8]),
            (sads_4x8, [8, 4]),
            (sads_4x4, [4, 4]),
        ];
        for round in 0..50 {
            let source = samples(&mut random, [2, 3], round, 0);
            let mut reference = Reference::new([2, 3]);
            reference.luma.fill_with(|| if round % 4 == 0 { 255 } else { random.byte() });
            for (several, [h, w]) in cases {
                let mut place = |size: [usize; 2]| {
                    [size[0] - h, size[1] - w].map(|most| random.within(0, most as i32) as usize)
                };
                let (own, at) = (place([32, 48]), [(); 4].map(|()| place([96, 112])));
                let part = Place::new(own.map(|n| n as isize), [h, w]);
                let cur = Window { plane: &source.luma, size: [32, 48], at: own };
                let count = round % 5;
                let expected = std::array::from_fn(|i| {
                    let there = Window { plane: &reference.luma, size: [96, 112], at: at[i] };
                    if i < count { sad(cur, there, [h, w]) } else { 0 }
                });
                assert_eq!(several(&source.view(), part, &reference.view(), &at, count), expected);
            }
        }
    }

    #[test]
    fn a_block_outside_panics() {
        let (source, reference) = (Samples::new([1, 1]), Reference::new([1, 1]));
        let sads = |part: [isize; 2], at: [usize; 2]| {
            std::panic::catch_unwind(|| {
                sads_16x16(&source.view(), Place::new(part, [16, 16]), &reference.view(), &[at; 4], 1)
            })
        };
        assert!(sads([0, 0], [64, 64]).is_ok());
        for (part, at) in [
            ([1, 0], [0, 0]),
            ([0, -1], [0, 0]),
            ([0, 0], [usize::MAX, 0]),
            ([0, 0], [0, 65]),
            ([0, 0], [305, 0]),
        ] {
            assert!(sads(part, at).is_err(), "{part:?} {at:?}");
        }
    }
}
