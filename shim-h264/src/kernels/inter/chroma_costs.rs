//! Searches by luma and chroma, and the differences of a part's chroma from the predictions of vectors (8.4.2.2.2).

use shim::prelude::*;

use crate::kernels::Vector;
use crate::kernels::inter::costs::{quarters_of, satds_of};
use crate::kernels::inter::partitions::PartitionCosts;
use crate::kernels::inter::search::{Found, VectorRate, moved};
use crate::kernels::metrics::hadamard_of;
use crate::kernels::picture::{ReferenceView, SamplesView};

/// The differences of H by W samples and what is interpolated between those of `s` (8-270), a template.
#[shim::kernel]
fn differences<const H: usize, const W: usize>(
    cur: impl Tensor<u16, 2>,
    s: impl Tensor<u16, 2>,
    x_frac: u16,
    y_frac: u16,
    difference: impl Tensor<i16, 2>,
) {
    let (a, b) = ((8 - x_frac) * (8 - y_frac), x_frac * (8 - y_frac));
    let (c, d) = ((8 - x_frac) * y_frac, x_frac * y_frac);
    for x in 0..W {
        #[unroll]
        for y in 0..H {
            let pred =
                (a * s[[y, x]] + b * s[[y, x + 1]] + c * s[[y + 1, x]] + d * s[[y + 1, x + 1]] + 32) >> 6;
            difference[[y, x]] = cur[[y, x]] as i16 - pred as i16;
        }
    }
}

/// The SATD of a part's chroma, `H` rows of `W` samples of Cb and of Cr, and what a luma vector predicts; a template.
#[shim::kernel]
fn chroma_satd<const H: usize, const W: usize>(
    cb: impl Tensor<u16, 2>,
    cr: impl Tensor<u16, 2>,
    #[located] reference: &ReferenceView<'_>,
    part: Place<2>,
    mv: [i16; 2],
) -> u32 {
    #[staged]
    use crate::kernels::{inter::chroma::corners, transform::by_blocks};
    let (x_frac, y_frac) = ((mv[0] & 7) as u16, (mv[1] & 7) as u16);
    let d = Block::stack::<i16>([2 * H, W]).stored(by_blocks(2 * H, W));
    let own = Block::stack::<u32>([H * W / 8]);
    let (cb_there, cr_there) = corners::<H, W>(reference, part, mv);
    differences::<H, W>(cb, cb_there.cast::<u16>(), x_frac, y_frac, d[[0..H, ..]]);
    differences::<H, W>(cr, cr_there.cast::<u16>(), x_frac, y_frac, d[[H..2 * H, ..]]);
    hadamard_of::<{ H * W / 8 }>(d, own);
    #[unroll]
    let sum = own.indices().map(|[k]| own[[k]]).sum::<u32>();
    sum
}

/// A quarter of a sample to the left, right, up and down.
pub const AROUND: [Vector; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// Kernels that compare vectors by luma and chroma. Each compares four vectors at a time by the costs of luma.
macro_rules! searches_with_chroma {
    ($(
        $name:ident = $h:literal by $w:literal $(, $partitions:ident in picture $ref_idx:ident)?,
        |$cur:ident, $reference:ident, $part:ident, $mvs:ident, $rates:ident| { $($costs:tt)* };
    )*) => {$(
        #[doc = concat!("Moves the vector of a part of ", $h, " rows of ", $w, " to where luma and chroma cost least together.")]
        ///
        /// `found` has the cost of luma. There are at most so many `rounds` over vectors a quarter of a sample away, and none
        /// where chroma costs so much less than luma that it does not change which vector is best. Returns the vector with the
        /// cost of luma, and the cost of chroma.
        ///
        /// # Panics
        ///
        /// When the part is outside the source.
        #[shim::kernel(simd)]
        pub fn $name(
            #[located] source: &SamplesView<'_>,
            #[shape($h, $w)] $part: Place<2>,
            #[located] $reference: &ReferenceView<'_>,
            rate: &VectorRate,
            found: Found,
            rounds: usize,
            $($partitions: &mut PartitionCosts, $ref_idx: u8,)?
        ) -> (Found, u32) {
            let $cur = source.luma.footprint($part);
            let cb = source.chroma[0].footprint($part).cast::<u16>();
            let cr = source.chroma[1].footprint($part).cast::<u16>();
            let mut best = found;
            let mut chroma = chroma_satd::<{ $h / 2 }, { $w / 2 }>(cb, cr, $reference, $part, best.1);
            let most = if chroma < best.0 / 16 { 0 } else { rounds };
            for _ in 0..most {
                let center = best.1;
                let $mvs = AROUND.map(|step| moved(center, step));
                let $rates = $mvs.map(|mv| rate.of(mv));
                let costs: [u32; 4] = { $($costs)* };
                let mut own = [0; 4];
                let mut which = 0;
                for i in 0..4 {
                    own[i] = chroma_satd::<{ $h / 2 }, { $w / 2 }>(cb, cr, $reference, $part, $mvs[i]);
                    if costs[i].saturating_add(own[i]) < costs[which].saturating_add(own[which]) {
                        which = i;
                    }
                }
                if costs[which].saturating_add(own[which]) >= best.0.saturating_add(chroma) {
                    break;
                }
                best = (costs[which], $mvs[which]);
                chroma = own[which];
            }
            (best, chroma)
        }
    )*};
}

searches_with_chroma! {
    with_chroma_16x16 = 16 by 16, partitions in picture ref_idx, |cur, reference, part, mvs, rates| {
        let mut costs = rates;
        for i in 0..4 {
            let quarters = quarters_of(cur, reference, part, mvs[i]);
            costs[i] = partitions.record(ref_idx, mvs[i], rates[i], &quarters);
        }
        costs
    };
    with_chroma_16x8 = 8 by 16, |cur, reference, part, mvs, rates| {
        let mut costs = rates;
        for i in 0..2 {
            let satds = satds_of::<8, 16, 2, 8>(cur, reference, part, [mvs[2 * i], mvs[2 * i + 1]]);
            costs[2 * i] += satds[0];
            costs[2 * i + 1] += satds[1];
        }
        costs
    };
    with_chroma_8x16 = 16 by 8, |cur, reference, part, mvs, rates| {
        let mut costs = rates;
        for i in 0..2 {
            let satds = satds_of::<16, 8, 2, 8>(cur, reference, part, [mvs[2 * i], mvs[2 * i + 1]]);
            costs[2 * i] += satds[0];
            costs[2 * i + 1] += satds[1];
        }
        costs
    };
    with_chroma_8x8 = 8 by 8, |cur, reference, part, mvs, rates| {
        let satds = satds_of::<8, 8, 4, 4>(cur, reference, part, mvs);
        let mut costs = rates;
        for i in 0..4 {
            costs[i] += satds[i];
        }
        costs
    };
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::kernels::inter::Part;
    use crate::kernels::inter::chroma::predict_chroma;
    use crate::kernels::inter::luma::predict_luma;
    use crate::kernels::macroblock_at;
    use crate::kernels::testing::{Random, Window, noise, satd};

    type Kernel =
        fn(&SamplesView<'_>, Place<2>, &ReferenceView<'_>, &VectorRate, Found, usize) -> (Found, u32);

    /// Rows and columns of macroblocks.
    const MBS: [usize; 2] = [3, 4];

    fn whole(
        source: &SamplesView<'_>,
        macroblock: Place<2>,
        reference: &ReferenceView<'_>,
        rate: &VectorRate,
        found: Found,
        rounds: usize,
    ) -> (Found, u32) {
        let mut partitions = PartitionCosts::NONE;
        with_chroma_16x16(source, macroblock, reference, rate, found, rounds, &mut partitions, 0)
    }

    #[test]
    fn vectors_are_the_best_by_luma_and_chroma() {
        let cases: [(Kernel, [usize; 2]); 4] = [
            (whole, [16, 16]),
            (with_chroma_16x8, [8, 16]),
            (with_chroma_8x16, [16, 8]),
            (with_chroma_8x8, [8, 8]),
        ];
        let (mut random, mut moves) = (Random::new(9), 0);
        for round in 0..60 {
            let (source, reference) = noise(&mut random, MBS, round % 2 != 0);
            let (view, reference) = (source.view(), reference.rows());
            let there = reference.view();
            for (kernel, size) in cases {
                let at = MBS.map(|n| random.within(0, n as i32 - 1) as usize);
                let part = Part { at: [16 - size[0], 16 - size[1]], size };
                let place = part.place(macroblock_at(at));
                let [luma_at, chroma_at] =
                    [16, 8].map(|side| [0, 1].map(|i| side * at[i] + part.at[i] * side / 16));
                let reach = if round % 3 == 0 { 2000 } else { 100 };
                let mut vector = || [(); 2].map(|()| random.within(-reach, reach) as i16);
                let rate =
                    VectorRate { predicted: vector(), lambda: round as u32, ref_idx_bits: 1, max_vmv_r: 512 };
                let costs = |mv: Vector| {
                    let corner = part.corner(macroblock_at(at));
                    let (mut luma, mut chroma) = ([0; 256], [0; 128]);
                    predict_luma(&there, corner, mv, part, &mut luma);
                    predict_chroma(&there, corner, mv, part, &mut chroma);
                    let cur = Window { plane: &source.luma, size: source.luma_size(), at: luma_at };
                    let own = satd(cur, Window { plane: &luma, size: [16, 16], at: part.at }, size);
                    let of_chroma = (0..2).map(|component| {
                        let pred = &chroma[64 * component..][..64];
                        let pred = Window { plane: pred, size: [8, 8], at: part.at.map(|n| n / 2) };
                        let plane = &source.chroma[component];
                        let cur = Window { plane, size: source.chroma_size(), at: chroma_at };
                        satd(cur, pred, size.map(|n| n / 2))
                    });
                    (own + rate.of(mv), of_chroma.sum::<u32>())
                };
                let start = vector();
                // In some rounds luma is what costs.
                let of_luma = if round % 5 == 0 { 1 << 20 } else { costs(start).0 };
                let (mut best, mut chroma) = ((of_luma, start), costs(start).1);
                let rounds = if chroma < of_luma / 16 { 0 } else { round % 4 };
                for _ in 0..rounds {
                    let around: Vec<_> = AROUND.map(|step| moved(best.1, step)).into();
                    let found = around.into_iter().map(|mv| (costs(mv), mv));
                    let Some(((luma, own), mv)) = found.min_by_key(|((luma, own), _)| luma + own) else {
                        break;
                    };
                    if luma + own >= best.0 + chroma {
                        break;
                    }
                    ((best, chroma), moves) = (((luma, mv), own), moves + 1);
                }
                let got = kernel(&view, place, &there, &rate, (of_luma, start), round % 4);
                assert_eq!(got, (best, chroma), "{part:?}, {start:?}");
            }
        }
        assert!(moves > 50, "{moves}");
    }
}
