//! The forward discrete cosine transform (T.81 A.3.3), with the level shift before it (A.3.1).
//!
//! ```text
//! S[v, u] = 1/4 C[u] C[v] sum over y, x of (s[y, x] - 128) cos((2x + 1) u pi / 16) cos((2y + 1) v pi / 16)
//! ```
//!
//! with `C[0] = 1 / sqrt 2` and `C[k] = 1` otherwise. The sum separates into eight transforms of the rows and eight
//! of the columns, one template for both. The one-dimensional transform is the factorisation of C. Loeffler,
//! A. Ligtenberg and G. S. Moschytz, "Practical fast 1-D DCT algorithms with 11 multiplications", ICASSP 1989:
//! butterflies and rotations, here each rotation with three multiplications, in 13-bit fixed point. A pass by it is
//! `2 sqrt 2` times the orthonormal transform, so both together give 8 S.

use shim::prelude::*;

/// Transforms the blocks of a tile, rows first, a template: `row` makes the spectrum of a row of a block of its
/// samples, and `column` the results of a column of their spectra. Of the rows' results, `kept` fractional bits are
/// kept for the columns.
///
/// `samples` is `[n, 8, 32]`, where `samples[[.., y, l]]` holds row y of block l; `divisors`, `[n, 8, 8, 32]`, has what
/// column u of it is divided by at `[[.., .., u, l]]`. `spectra`, `[8, 8, 32]`, is memory for the rows' spectra:
/// `spectra[[y, u, l]]` is coefficient u of row y. Coefficient (v, u) of block l becomes `out[[v, u, l]]`.
#[shim::kernel]
pub(crate) fn separable<T, S, D, O>(
    row: impl Template,
    column: impl Template,
    samples: impl Tensor<S, 3>,
    divisors: impl Tensor<D, 4>,
    kept: u32,
    spectra: impl Tensor<T, 3>,
    out: impl Tensor<O, 3>,
) {
    for y in 0..8 {
        for l in 0..32 {
            let s = Block::stack::<T>([8]);
            row(samples[[.., y, l]], kept, s);
            #[unroll]
            for u in 0..8 {
                spectra[[y, u, l]] = s[[u]];
            }
        }
    }
    for u in 0..8 {
        for l in 0..32 {
            let s = Block::stack::<T>([8]);
            #[unroll]
            for y in 0..8 {
                s[[y]] = spectra[[y, u, l]];
            }
            column(s, kept, divisors[[.., .., u, l]], out[[.., u, l]]);
        }
    }
}

/// One one-dimensional transform in place, the template for rows and columns: from samples v to coefficients v,
/// times `2 sqrt 2`. `descale` fractional bits are rounded away.
///
/// The results fit 32 bits. With samples of 12 bits, parts of them that cancel out do not always: they may wrap.
#[shim::kernel]
pub(crate) fn fdct_1d(v: impl Tensor<i32, 1>, descale: u32) {
    const fn sum(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
    const fn product(a: i32, b: i32) -> i32 {
        a.wrapping_mul(b)
    }

    // Sums and differences of what lies symmetrically: sums give the even coefficients, differences the odd ones.
    let [a0, a1, a2, a3] = [v[[0]] + v[[7]], v[[1]] + v[[6]], v[[2]] + v[[5]], v[[3]] + v[[4]]];
    let [b0, b1, b2, b3] = [v[[0]] - v[[7]], v[[1]] - v[[6]], v[[2]] - v[[5]], v[[3]] - v[[4]]];

    let [e0, e1, e2, e3] = [a0 + a3, a1 + a2, a1 - a2, a0 - a3];
    let s0 = (e0 + e1) << BITS;
    let s4 = (e0 - e1) << BITS;
    let turn = product(e2 + e3, even(0, 1));
    let s2 = sum(turn, product(e3, even(1, -1)));
    let s6 = sum(turn, product(-e2, even(1, 1)));

    let z1 = product(-(b3 + b0), odd(0, 1, 0, -1));
    let z2 = product(-(b2 + b1), odd(1, 1, 0, 0));
    let z5 = product(b0 + b1 + b2 + b3, odd(0, 1, 0, 0));
    let z3 = sum(z5, product(-(b3 + b1), odd(0, 1, 1, 0)));
    let z4 = sum(z5, product(-(b2 + b0), odd(0, 1, -1, 0)));
    let s7 = sum(sum(product(b3, odd(-1, 1, 1, -1)), z1), z3);
    let s5 = sum(sum(product(b2, odd(1, 1, -1, 1)), z2), z4);
    let s3 = sum(sum(product(b1, odd(1, 1, 1, -1)), z2), z3);
    let s1 = sum(sum(product(b0, odd(1, 1, -1, -1)), z1), z4);

    let s = [s0, s1, s2, s3, s4, s5, s6, s7];
    #[unroll]
    for k in 0..8 {
        v[[k]] = (s[k] + (1 << (descale - 1))) >> descale;
    }
}

/// The upper half of a product.
#[inline]
pub(crate) const fn high(a: i16, b: i16) -> i16 {
    ((a as i32 * b as i32) >> 16) as i16
}

/// One one-dimensional transform in place by the factorisation of Y. Arai, T. Agui and M. Nakajima, "A fast DCT-SQ
/// scheme for images", Transactions of the IEICE E71, 1988: five multiplications, and coefficient k comes out
/// multiplied by
/// [`SCALE`]`[k]`, which quantization takes back.
///
/// A multiplication by a constant keeps the upper half of the product: constants have 16 fractional bits and lie in
/// -1/2 and 1/2, so that above that the operand itself is added.
#[shim::kernel]
pub(crate) fn fdct_1d_fast(v: impl Tensor<i16, 1>) {
    /// `cos(4 pi / 16) - 1`.
    const C4: i16 = -19_195;
    /// `cos(6 pi / 16)`.
    const C6: i16 = 25_080;
    /// `cos(2 pi / 16) - cos(6 pi / 16) - 1`.
    const C2_MINUS_C6: i16 = -30_068;
    /// `cos(2 pi / 16) + cos(6 pi / 16) - 1`.
    const C2_PLUS_C6: i16 = 20_091;
    const fn sum(a: i16, b: i16) -> i16 {
        a.wrapping_add(b)
    }
    const fn difference(a: i16, b: i16) -> i16 {
        a.wrapping_sub(b)
    }
    let [a0, a1, a2, a3] =
        [sum(v[[0]], v[[7]]), sum(v[[1]], v[[6]]), sum(v[[2]], v[[5]]), sum(v[[3]], v[[4]])];
    let [b0, b1, b2, b3] = [
        difference(v[[0]], v[[7]]),
        difference(v[[1]], v[[6]]),
        difference(v[[2]], v[[5]]),
        difference(v[[3]], v[[4]]),
    ];
    let [e0, e1, e2, e3] = [sum(a0, a3), sum(a1, a2), difference(a1, a2), difference(a0, a3)];
    let turn = sum(e2, e3);
    let z1 = sum(turn, high(turn, C4));
    let [o0, o1, o2] = [sum(b3, b2), sum(b2, b1), sum(b1, b0)];
    let z5 = high(difference(o0, o2), C6);
    let z2 = sum(sum(o0, high(o0, C2_MINUS_C6)), z5);
    let z4 = sum(sum(o2, high(o2, C2_PLUS_C6)), z5);
    let z3 = sum(o1, high(o1, C4));
    let (z11, z13) = (sum(b0, z3), difference(b0, z3));
    v[[0]] = sum(e0, e1);
    v[[1]] = sum(z11, z4);
    v[[2]] = sum(e3, z1);
    v[[3]] = difference(z13, z2);
    v[[4]] = difference(e0, e1);
    v[[5]] = sum(z13, z2);
    v[[6]] = difference(e3, z1);
    v[[7]] = difference(z11, z4);
}

/// What [`fdct_1d_fast`] multiplies the orthonormal coefficients by, over `2 sqrt 2`: 1, and for k above 0 `sqrt 2
/// cos(k pi / 16)`.
pub(crate) const SCALE: [f64; 8] = {
    let mut scale = COS;
    let mut k = 1;
    while k < 8 {
        scale[k] *= core::f64::consts::SQRT_2;
        k += 1;
    }
    scale
};

/// Fractional bits of the constants.
pub(crate) const BITS: u32 = 13;

/// `cos(k pi / 16)`.
const COS: [f64; 8] = [
    1.0,
    0.980_785_280_403_230_4,
    0.923_879_532_511_286_7,
    0.831_469_612_302_545_2,
    core::f64::consts::FRAC_1_SQRT_2,
    0.555_570_233_019_602_2,
    0.382_683_432_365_089_8,
    0.195_090_322_016_128_3,
];

/// `sqrt 2 (c1 cos(pi/16) + c3 cos(3 pi/16) + c5 cos(5 pi/16) + c7 cos(7 pi/16))` in fixed point.
pub(crate) const fn odd(c1: i32, c3: i32, c5: i32, c7: i32) -> i32 {
    fix(c1 as f64 * COS[1] + c3 as f64 * COS[3] + c5 as f64 * COS[5] + c7 as f64 * COS[7])
}

/// `sqrt 2 (c2 cos(2 pi/16) + c6 cos(6 pi/16))` in fixed point.
pub(crate) const fn even(c2: i32, c6: i32) -> i32 {
    fix(c2 as f64 * COS[2] + c6 as f64 * COS[6])
}

/// `sqrt 2 x` with [`BITS`] fractional bits, for x above 0.
const fn fix(x: f64) -> i32 {
    (x * core::f64::consts::SQRT_2 * (1 << BITS) as f64 + 0.5) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use shim_codec::random::Random;

    /// The basis function u at sample x.
    fn cosine(x: usize, u: usize) -> f64 {
        let sixteenths = u8::try_from((2 * x + 1) * u).unwrap();
        (f64::from(sixteenths) * std::f64::consts::PI / 16.0).cos()
    }

    /// Equation A.3.3 as it is printed, times 8.
    fn by_the_equation(samples: &[u8; 64]) -> [f64; 64] {
        let c = |k: usize| if k == 0 { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        std::array::from_fn(|place| {
            let (v, u) = (place / 8, place % 8);
            let sum = (0..64)
                .map(|i| (f64::from(samples[i]) - 128.0) * cosine(i % 8, u) * cosine(i / 8, v))
                .sum::<f64>();
            2.0 * c(u) * c(v) * sum
        })
    }

    /// The transform of one 8x8 block, a template: `coefficients[[v, u]]` is 8 S\[v, u\], rounded to an integer, which
    /// lies within -8192 and 8184. `s[[y, x]]` are the samples; they may be at the edge of a plane with a boundary
    /// rule.
    #[shim::kernel]
    fn fdct(s: impl Tensor<i32, 2>, coefficients: impl Tensor<i32, 2>) {
        /// Fractional bits of the constants.
        const BITS: u32 = 13;
        /// Fractional bits that the rows' results keep for the columns.
        const KEPT: u32 = 2;
        let [y, x] = iters();
        coefficients[[y, x]] = s[[y, x]] - 128;
        for y in 0..8 {
            fdct_1d(coefficients.slice(0, y), BITS - KEPT);
        }
        for x in 0..8 {
            fdct_1d(coefficients.slice(1, x), BITS + KEPT);
        }
    }

    #[shim::kernel]
    fn fdct_of(samples: &[u8; 64], coefficients: &mut [i16; 64]) {
        let block = Block::stack::<i32>([8, 8]);
        fdct(Block::external(samples, [8, 8]).cast::<i32>(), block);
        let s = Block::external(coefficients, [8, 8]).cast::<i32>();
        let [v, u] = iters();
        s[[v, u]] = block[[v, u]];
    }

    fn transform(samples: &[u8; 64]) -> [i16; 64] {
        let mut coefficients = [0; 64];
        fdct_of(samples, &mut coefficients);
        coefficients
    }

    /// Samples 0 and 255 with the signs of the basis function at `place`: the largest coefficient there is.
    fn extreme(place: usize, inverted: bool) -> [u8; 64] {
        let sign = |x: usize, u: usize| cosine(x, u) > 0.0;
        std::array::from_fn(|i| {
            let positive = sign(i % 8, place % 8) == sign(i / 8, place / 8);
            if positive == inverted { 0 } else { 255 }
        })
    }

    #[test]
    fn the_constants_of_the_paper() {
        assert_eq!([even(0, 1), even(1, -1), even(1, 1)], [4433, 6270, 15_137]);
        assert_eq!(
            [odd(-1, 1, 1, -1), odd(1, 1, -1, 1), odd(1, 1, 1, -1), odd(1, 1, -1, -1)],
            [2446, 16_819, 25_172, 12_299]
        );
        assert_eq!([odd(0, 1, 0, -1), odd(1, 1, 0, 0), odd(0, 1, 0, 0)], [7373, 20_995, 9633]);
        assert_eq!([odd(0, 1, 1, 0), odd(0, 1, -1, 0)], [16_069, 3196]);
    }

    #[test]
    fn a_flat_block_has_only_dc() {
        for v in 0..=255 {
            let mut wanted = [0; 64];
            wanted[0] = 64 * (i16::from(v) - 128);
            assert_eq!(transform(&[v; 64]), wanted);
        }
    }

    #[test]
    fn agrees_with_the_equation() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let samples = std::array::from_fn(|_| random.byte());
            for (got, exact) in transform(&samples).into_iter().zip(by_the_equation(&samples)) {
                assert!((f64::from(got) - exact).abs() < 1.5, "{got} for {exact}");
            }
        }
    }

    #[test]
    fn extreme_blocks_stay_within_the_sizes_of_baseline() {
        for place in 0..64 {
            for inverted in [false, true] {
                let samples = extreme(place, inverted);
                let exact = by_the_equation(&samples);
                for (k, (got, exact)) in transform(&samples).into_iter().zip(exact).enumerate() {
                    assert!((f64::from(got) - exact).abs() < 1.5, "{got} for {exact}");
                    // At Q = 1, an AC coefficient has at most 10 bits (T.81 Table F.2).
                    assert!(if k == 0 { (-8192..=8184).contains(&got) } else { got.abs() < 8 * 1024 - 4 });
                }
            }
        }
    }
}
