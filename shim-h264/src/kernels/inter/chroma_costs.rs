//! Differences of a partition's chroma from the predictions of vectors (8.4.2.2.2).

use shim::prelude::*;

use crate::kernels::Vector;
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

macro_rules! chroma_satds {
    ($($name:ident = $h:literal by $w:literal;)*) => {$(
        #[doc = concat!("The SATD of ", $h, " rows of ", $w, " samples of Cb and of Cr, together, and what each of up to four luma vectors predicts.")]
        ///
        /// # Panics
        ///
        /// When the part is outside the source.
        #[shim::kernel(simd(v3))]
        pub fn $name(
            #[located] source: &SamplesView<'_>,
            #[shape(2 * $h, 2 * $w)] part: Place<2>,
            #[located] reference: &ReferenceView<'_>,
            mvs: &[Vector],
        ) -> [u32; 4] {
            #[staged]
            use crate::kernels::{inter::chroma::corners, transform::by_blocks};
            let cb = source.chroma[0].footprint(part).cast::<u16>();
            let cr = source.chroma[1].footprint(part).cast::<u16>();
            let mut costs = [0; 4];
            for i in 0..mvs.len().min(4) {
                let mv = mvs[i];
                let (x_frac, y_frac) = ((mv[0] & 7) as u16, (mv[1] & 7) as u16);
                let d = Block::stack::<i16>([2 * $h, $w]).stored(by_blocks(2 * $h, $w));
                let own = Block::stack::<u32>([$h * $w / 8]);
                let (cb_there, cr_there) = corners::<$h, $w>(reference, part, mv);
                differences::<$h, $w>(cb, cb_there.cast::<u16>(), x_frac, y_frac, d[[0..$h, ..]]);
                differences::<$h, $w>(cr, cr_there.cast::<u16>(), x_frac, y_frac, d[[$h..2 * $h, ..]]);
                hadamard_of::<{ $h * $w / 8 }>(d, own);
                #[unroll]
                let sum = own.indices().map(|[k]| own[[k]]).sum::<u32>();
                costs[i] = sum;
            }
            costs
        }
    )*};
}

chroma_satds! {
    chroma_satds_8x8 = 8 by 8;
    chroma_satds_8x4 = 4 by 8;
    chroma_satds_4x8 = 8 by 4;
    chroma_satds_4x4 = 4 by 4;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::inter::Part;
    use crate::kernels::inter::chroma::predict_chroma;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::Samples;
    use crate::kernels::testing::{Planes, Random, Window, satd};

    #[test]
    fn are_those_of_predictions() {
        type Case = (fn(&SamplesView<'_>, Place<2>, &ReferenceView<'_>, &[Vector]) -> [u32; 4], [usize; 2]);
        let cases: [Case; 4] = [
            (chroma_satds_8x8, [16, 16]),
            (chroma_satds_8x4, [8, 16]),
            (chroma_satds_4x8, [16, 8]),
            (chroma_satds_4x4, [8, 8]),
        ];
        let (mut random, mbs, size) = (Random::new(9), [3, 4], [24, 32]);
        for round in 0..60 {
            let mut samples =
                || {
                    let mut samples = Samples::new(mbs);
                    for plane in &mut samples.chroma {
                        plane.fill_with(|| {
                            if round % 2 == 0 { random.byte() } else { (random.byte() >> 7) * 255 }
                        });
                    }
                    samples
                };
            let (source, before) = (samples(), samples());
            let reference = Planes::of(&before);
            let (view, reference) = (source.view(), reference.rows());
            let there = reference.view();
            for (kernel, part) in cases {
                let at = [random.within(0, 2) as usize, random.within(0, 3) as usize];
                let part = Part { at: [16 - part[0], 16 - part[1]], size: part };
                let reach = if round % 3 == 0 { 2000 } else { 100 };
                let mvs = [(); 4].map(|()| [(); 2].map(|()| random.within(-reach, reach) as i16));
                let own = [8 * at[0] + part.at[0] / 2, 8 * at[1] + part.at[1] / 2];
                let half = part.size.map(|n| n / 2);
                let got = kernel(&view, Place::new(own.map(|n| 2 * n as isize), part.size), &there, &mvs);
                let expected = mvs.map(|mv| {
                    let mut pred = [0; 128];
                    predict_chroma(&there, part.corner(macroblock_at(at)), mv, part, &mut pred);
                    (0..2)
                        .map(|component| {
                            let place = part.at.map(|n| n / 2);
                            let pred =
                                Window { plane: &pred[64 * component..][..64], size: [8, 8], at: place };
                            satd(Window { plane: &source.chroma[component], size, at: own }, pred, half)
                        })
                        .sum()
                });
                assert_eq!(got, expected, "{part:?}, {mvs:?}");
            }
        }
    }
}
