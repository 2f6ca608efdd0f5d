//! Color conversion with chrominance of squares of two by two pixels (4:2:0), by the equations of [`color`](super::color).

use shim::prelude::*;

use super::color::{CB_G, CB_R, CENTER, CR_B, CR_G, HALF, Y_B, Y_G, Y_R, convert_pixels, whole, ycbcr};
use super::planes::Plane;
use crate::Pixels;
use crate::input::raster::Raster;

/// Y of R, G and B as [`ycbcr`] has it, a template; and a copy of them, `[3, w]`.
#[shim::kernel]
fn luma(
    r: impl Tensor<u8, 1>,
    g: impl Tensor<u8, 1>,
    b: impl Tensor<u8, 1>,
    y: impl Tensor<u8, 1>,
    rgb: impl Tensor<u8, 2>,
) {
    use shim_codec::squares::take_apart;
    take_apart(r, g, b, rgb);
    let (y, p) = (y.cast::<u16>(), rgb.cast::<u16>());
    for [x] in y.indices() {
        let [r, g, b] = [p[[0, x]], p[[1, x]], p[[2, x]]];
        let carry = (Y_R.1 * r + Y_G.1 * g + Y_B.1 * b) >> 8;
        y[[x]] = (Y_R.0 * r + Y_G.0 * g + Y_B.0 * b + HALF + carry) >> 8;
    }
}

/// Cb and Cr of squares of two by two pixels from the sums of their R, G and B, `[3, w]`, a template: rounded once,
/// with a half down.
#[shim::kernel]
fn chroma_of_sums(sums: impl Tensor<u16, 2>, cb: impl Tensor<u8, 1>, cr: impl Tensor<u8, 1>) {
    let (cb, cr) = (cb.cast::<u16>(), cr.cast::<u16>());
    for [x] in cb.indices() {
        let [r, g, b] = [sums[[0, x]] << 6, sums[[1, x]] << 6, sums[[2, x]] << 6];
        cb[[x]] = (CENTER + (b >> 1) - high(r, whole(CB_R) as u16) - high(g, whole(CB_G) as u16)) >> 8;
        cr[[x]] = (CENTER + (r >> 1) - high(g, whole(CR_G) as u16) - high(b, whole(CR_B) as u16)) >> 8;
    }
}

/// The upper half of a product.
#[inline]
const fn high(a: u16, b: u16) -> u16 {
    ((a as u32 * b as u32) >> 16) as u16
}

/// One or two rows of pixels as two rows of Y, `[2, 128 n]` for any n, and one of Cb and Cr, `[64 n]`, which average
/// squares of two by two pixels as libjpeg does, a template: halves go down and up in turn. What is left to the right
/// is left out.
///
/// The average of rounded chrominance is further from that of the pixels than one that is rounded once, and takes more
/// time: see [`ycbcr_of_squares`].
#[shim::kernel]
fn ycbcr_2x2(
    r: impl Tensor<u8, 2>,
    g: impl Tensor<u8, 2>,
    b: impl Tensor<u8, 2>,
    bits: u32,
    y: impl Tensor<u8, 2>,
    cb: impl Tensor<u8, 1>,
    cr: impl Tensor<u8, 1>,
) {
    let full = Block::stack::<u8>([2, 2, 128]);
    let last = r.extent(0) - 1;
    for t in 0..(r.extent(1).min(y.extent(1)) >> 7) {
        let x = 128 * t;
        #[unroll]
        for i in 0..2 {
            let row = i * last;
            ycbcr::<0>(
                r[[row..row + 1, x..x + 128]],
                g[[row..row + 1, x..x + 128]],
                b[[row..row + 1, x..x + 128]],
                bits,
                y[[i..i + 1, x..x + 128]],
                full[[i..i + 1, 0, ..]],
                full[[i..i + 1, 1, ..]],
            );
        }
        let p = full.cast::<u16>();
        let (cb, cr) = (cb[[x / 2..x / 2 + 64]].cast::<u16>(), cr[[x / 2..x / 2 + 64]].cast::<u16>());
        for x in 0..64 {
            let bias = 1 + (x as u16 & 1);
            let square =
                |c: usize| p[[0, c, 2 * x]] + p[[0, c, 2 * x + 1]] + p[[1, c, 2 * x]] + p[[1, c, 2 * x + 1]];
            cb[[x]] = (square(0) + bias) >> 2;
            cr[[x]] = (square(1) + bias) >> 2;
        }
    }
}

/// As [`ycbcr_2x2`], with chrominance of the sums of the pixels, which is rounded once; a template.
#[shim::kernel]
fn ycbcr_of_squares(
    r: impl Tensor<u8, 2>,
    g: impl Tensor<u8, 2>,
    b: impl Tensor<u8, 2>,
    _bits: u32,
    y: impl Tensor<u8, 2>,
    cb: impl Tensor<u8, 1>,
    cr: impl Tensor<u8, 1>,
) {
    use shim_codec::squares::sum_squares;
    let rgb = Block::stack::<u8>([2, 3, 128]);
    let words = Block::stack::<u16>([2, 3, 64]);
    let sums = Block::stack::<u16>([3, 64]);
    let last = r.extent(0) - 1;
    for t in 0..(r.extent(1).min(y.extent(1)) >> 7) {
        let x = 128 * t;
        #[unroll]
        for i in 0..2 {
            let row = i * last;
            luma(
                r[[row, x..x + 128]],
                g[[row, x..x + 128]],
                b[[row, x..x + 128]],
                y[[i, x..x + 128]],
                rgb[[i, .., ..]],
            );
        }
        sum_squares(rgb, words, sums);
        chroma_of_sums(sums, cb[[x / 2..x / 2 + 64]], cr[[x / 2..x / 2 + 64]]);
    }
}

/// Copies one or two rows of pixels to two rows of planes of R, G and B, a template. The last pixels are repeated to the right and below.
#[shim::kernel]
fn fetch(
    r: impl Tensor<u8, 2>,
    g: impl Tensor<u8, 2>,
    b: impl Tensor<u8, 2>,
    _bits: u32,
    to_r: impl Tensor<u8, 2>,
    to_g: impl Tensor<u8, 2>,
    to_b: impl Tensor<u8, 2>,
) {
    let (last, w) = (r.extent(0) - 1, r.extent(1).min(to_r.extent(1)));
    #[unroll]
    for i in 0..2 {
        let row = i * last;
        for x in 0..w {
            to_r[[i, x]] = r[[row, x]];
            to_g[[i, x]] = g[[row, x]];
            to_b[[i, x]] = b[[row, x]];
        }
        for x in w..to_r.extent(1) {
            to_r[[i, x]] = r[[row, w - 1]];
            to_g[[i, x]] = g[[row, w - 1]];
            to_b[[i, x]] = b[[row, w - 1]];
        }
    }
}

/// Converts pixels of red, green and blue to Y, and to Cb and Cr that average squares of two by two pixels: their
/// planes lie where that of Y does, at half its density. A row is completed to tiles of 128 columns, and the rows to an
/// even number. To the right and below, the last pixels are repeated.
///
/// The chrominance is that which libjpeg computes if it is to be `as_libjpeg`, else that of the average pixel.
///
/// Pixels of four samples are brought to planes first, some tiles at a time: LLVM would convert the last vector of each
/// tile sample by sample, since nothing asks for the fourth sample of its last pixel.
///
/// # Panics
///
/// When a plane does not contain the pixels and what completes them.
#[shim::kernel(simd)]
pub fn to_ycbcr_420(
    pixels: Raster<'_, u8>,
    #[specialize(false | true)] as_libjpeg: bool,
    #[located] y: &mut Plane<u8>,
    cb: &mut Plane<u8>,
    cr: &mut Plane<u8>,
) {
    let (half, tiles) = (pixels.height.div_ceil(2), pixels.width.div_ceil(128));
    let cb = Block::external(&mut cb.samples, [cb.rows, cb.columns]).coarsened([2, 2]);
    let cr = Block::external(&mut cr.samples, [cr.rows, cr.columns]).coarsened([2, 2]);
    let planes = Block::stack::<u8>([3, 2, 512]);
    let four = matches!(pixels.pixels, Pixels::Rgba | Pixels::Bgra);
    let whole = if four { 0 } else { tiles.min(pixels.width >> 7) };
    for v in 0..half {
        let rows = pixels.rows(2 * v, 2.min(pixels.height - 2 * v));
        let pair = y.samples[[2 * v..2 * v + 2, pixels.left..pixels.left + 128 * tiles]];
        let (cb, cr) = (cb.footprint(pair).slice(0, 0), cr.footprint(pair).slice(0, 0));
        let own = pair[[.., ..128 * whole]];
        if as_libjpeg {
            convert_pixels::<u8, _, _, _, false, false>(ycbcr_2x2, rows, own, cb, cr);
        } else {
            convert_pixels::<u8, _, _, _, false, false>(ycbcr_of_squares, rows, own, cb, cr);
        }
        for first in (whole..tiles).step_by(4) {
            let n = (tiles - first).min(4);
            let copy = planes[[.., .., ..128 * n]];
            let (r, g, b) = (copy.slice(0, 0), copy.slice(0, 1), copy.slice(0, 2));
            convert_pixels::<u8, _, _, _, true, false>(fetch, rows.columns(128 * first), r, g, b);
            let x = 128 * first;
            let own = pair[[.., x..x + 128 * n]];
            let (cb, cr) = (cb[[x / 2..x / 2 + 64 * n]], cr[[x / 2..x / 2 + 64 * n]]);
            if as_libjpeg {
                ycbcr_2x2(r, g, b, 8, own, cb, cr);
            } else {
                ycbcr_of_squares(r, g, b, 8, own, cb, cr);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Image;
    use crate::kernels::color::tests::planes;

    #[test]
    fn chrominance_of_squares_in_every_layout() {
        for (w, h) in [(1, 1), (127, 3), (128, 2), (129, 5), (512, 1), (700, 4)] {
            let sample = |i: usize, c: usize| [i * 73, i * i / 7, i * 31, 9][c] as u8;
            let order = |order: &[usize]| -> Vec<u8> {
                (0..w * h).flat_map(|i| order.iter().map(move |&c| sample(i, c))).collect()
            };
            let planes_of = [0, 1, 2].map(|c| order(&[c]));
            let planar = Image::rgb_planes(planes_of.each_ref().map(Vec::as_slice), w, h).unwrap();
            let full = planes(&planar);
            let at = |c: usize, y: usize, x: usize| u16::from(full[c][y.min(h - 1) * w + x.min(w - 1)]);
            let (tiles, half) = (w.div_ceil(128), h.div_ceil(2));
            let check = |image: Image<'_>| {
                let squares = |as_libjpeg: bool| {
                    let mut y = Plane::new(2 * half, 128 * tiles);
                    let [mut cb, mut cr] = [(); 2].map(|()| Plane::new(half, 64 * tiles));
                    to_ycbcr_420(image.raster(), as_libjpeg, &mut y, &mut cb, &mut cr);
                    [y, cb, cr].map(|plane| plane.samples)
                };
                let [y, cb, cr] = squares(true);
                for (i, &got) in y.iter().enumerate() {
                    assert_eq!(u16::from(got), at(0, i / (128 * tiles), i % (128 * tiles)), "{image:?}");
                }
                for (i, got) in cb.into_iter().zip(cr).enumerate() {
                    let (v, u) = (2 * (i / (64 * tiles)), 2 * (i % (64 * tiles)));
                    let sum = |c| at(c, v, u) + at(c, v, u + 1) + at(c, v + 1, u) + at(c, v + 1, u + 1);
                    let wanted = [1, 2].map(|c| (sum(c) + 1 + ((u as u16 / 2) & 1)) >> 2);
                    assert_eq!([got.0, got.1].map(u16::from), wanted, "{image:?}");
                }
                let [same_y, cb, cr] = squares(false);
                assert_eq!(same_y, y);
                for (i, got) in cb.into_iter().zip(cr).enumerate() {
                    let (v, u) = (2 * (i / (64 * tiles)), 2 * (i % (64 * tiles)));
                    let mean = |c: usize| {
                        let at = |y: usize, x: usize| f64::from(sample(y.min(h - 1) * w + x.min(w - 1), c));
                        (at(v, u) + at(v, u + 1) + at(v + 1, u) + at(v + 1, u + 1)) / 4.0
                    };
                    let [r, g, b] = [0, 1, 2].map(mean);
                    let exact = [
                        -0.168_736 * r - 0.331_264 * g + 0.5 * b + 128.0,
                        0.5 * r - 0.418_688 * g - 0.081_312 * b + 128.0,
                    ];
                    for (got, exact) in [got.0, got.1].into_iter().zip(exact) {
                        assert!((f64::from(got) - exact).abs() < 0.51, "{got} for {exact}: {image:?}");
                    }
                }
            };
            check(planar);
            for (pixels, places) in [
                (Pixels::Rgb, &[0, 1, 2][..]),
                (Pixels::Bgr, &[2, 1, 0]),
                (Pixels::Rgba, &[0, 1, 2, 3]),
                (Pixels::Bgra, &[2, 1, 0, 3]),
            ] {
                check(Image::interleaved(&order(places), pixels, w, h, places.len() * w).unwrap());
            }
        }
    }
}
