//! Differences of a partition's chroma from the predictions of vectors (8.4.2.2.2).

use shim::prelude::*;

use crate::kernels::inter::planes::CHROMA_MARGIN;
use crate::kernels::metrics::hadamard_of;

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
        #[doc = concat!("The SATD of ", $h, " rows of ", $w, " samples of Cb and of Cr, together, and what up to four luma vectors predict.")]
        ///
        /// `cur` are planes of `size` samples, in which the part is at `at`; `planes` those of a reference picture of
        /// `reference_size` samples with their margin. Prediction begins at the sample `from`, in the margin or the picture, from its
        /// top left corner, and at `fractions` of eighths. The first `count` vectors count, the cost of others is 0.
        ///
        /// # Panics
        ///
        /// When a block does not lie in its plane.
        #[shim::kernel(simd)]
        #[allow(clippy::too_many_arguments, reason = "two places and their planes")]
        pub fn $name(
            cur: [&[u8]; 2],
            size: [usize; 2],
            at: [usize; 2],
            planes: [&[u8]; 2],
            reference_size: [usize; 2],
            from: &[[usize; 2]; 4],
            fractions: &[[u16; 2]; 4],
            count: usize,
        ) -> [u32; 4] {
            #[staged]
            use crate::kernels::transform::by_blocks;
            let ([cb, cr], [r, c]) = (cur, at);
            let cb = Block::external(cb, [size[0], size[1]])[[r..r + $h, c..c + $w]].cast::<u16>();
            let cr = Block::external(cr, [size[0], size[1]])[[r..r + $h, c..c + $w]].cast::<u16>();
            let [from_cb, from_cr] = planes;
            let (rows, columns) = (reference_size[0] + 2 * CHROMA_MARGIN, reference_size[1] + 2 * CHROMA_MARGIN);
            let from_cb = Block::external(from_cb, [rows, columns]).cast::<u16>();
            let from_cr = Block::external(from_cr, [rows, columns]).cast::<u16>();
            let mut costs = [0; 4];
            for i in 0..count.min(4) {
                let ([y, x], [x_frac, y_frac]) = (from[i], fractions[i]);
                let d = Block::stack::<i16>([2 * $h, $w]).stored(by_blocks(2 * $h, $w));
                let own = Block::stack::<u32>([$h * $w / 8]);
                let (cb_there, cr_there) =
                    (from_cb[[y..y + $h + 1, x..x + $w + 1]], from_cr[[y..y + $h + 1, x..x + $w + 1]]);
                differences::<$h, $w>(cb, cb_there, x_frac, y_frac, d[[0..$h, ..]]);
                differences::<$h, $w>(cr, cr_there, x_frac, y_frac, d[[$h..2 * $h, ..]]);
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
    use std::vec::Vec;

    use super::*;
    use crate::kernels::inter::Part;
    use crate::kernels::inter::chroma::chroma_place;
    use crate::kernels::inter::chroma::predict_chroma;
    use crate::kernels::inter::planes::{chroma_len, extend_chroma};
    use crate::kernels::metrics::Place;
    use crate::kernels::testing::{Random, satd};

    #[test]
    fn are_those_of_predictions() {
        type Case = (
            fn(
                [&[u8]; 2],
                [usize; 2],
                [usize; 2],
                [&[u8]; 2],
                [usize; 2],
                &[[usize; 2]; 4],
                &[[u16; 2]; 4],
                usize,
            ) -> [u32; 4],
            [usize; 2],
        );
        let cases: [Case; 4] = [
            (chroma_satds_8x8, [16, 16]),
            (chroma_satds_8x4, [8, 16]),
            (chroma_satds_4x8, [16, 8]),
            (chroma_satds_4x4, [8, 8]),
        ];
        let (mut random, size) = (Random::new(9), [24, 32]);
        for round in 0..60 {
            let mut samples = || -> Vec<u8> {
                (0..size[0] * size[1])
                    .map(|_| if round % 2 == 0 { random.byte() } else { (random.byte() >> 7) * 255 })
                    .collect()
            };
            let (cur, reference) = ([samples(), samples()], [samples(), samples()]);
            let planes = reference.each_ref().map(|plane| {
                let mut out = std::vec![0; chroma_len(size)];
                extend_chroma(plane, size, &mut out);
                out
            });
            for (kernel, part) in cases {
                let at = [8 * random.within(0, 2) as usize, 8 * random.within(0, 3) as usize];
                let part = Part { at: [16 - part[0], 16 - part[1]], size: part };
                let reach = if round % 3 == 0 { 2000 } else { 100 };
                let mvs = [(); 4].map(|()| [(); 2].map(|()| random.within(-reach, reach) as i16));
                let own = [at[0] + part.at[0] / 2, at[1] + part.at[1] / 2];
                let half = part.size.map(|n| n / 2);
                let places = mvs.map(|mv| chroma_place(size, own, mv, half));
                let got = kernel(
                    cur.each_ref().map(|plane| &plane[..]),
                    size,
                    own,
                    planes.each_ref().map(|plane| &plane[..]),
                    size,
                    &places.map(|place| place.0),
                    &places.map(|place| place.1),
                    4,
                );
                let expected = mvs.map(|mv| {
                    let mut pred = [0; 128];
                    predict_chroma(&planes[0], &planes[1], size, at, mv, part, &mut pred);
                    (0..2)
                        .map(|component| {
                            let place = part.at.map(|n| n / 2);
                            let pred =
                                Place { plane: &pred[64 * component..][..64], size: [8, 8], at: place };
                            satd(Place { plane: &cur[component], size, at: own }, pred, half)
                        })
                        .sum()
                });
                assert_eq!(got, expected, "{part:?}, {mvs:?}");
            }
        }
    }
}
