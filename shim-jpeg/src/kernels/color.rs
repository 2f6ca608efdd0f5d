//! Color conversion (T.871 / JFIF 1.02, "Conversion to and from RGB").
//!
//! ```text
//! Y  =  0.299   R + 0.587   G + 0.114   B
//! Cb = -0.16874 R - 0.33126 G + 0.5     B + 128
//! Cr =  0.5     R - 0.41869 G - 0.08131 B + 128
//! ```
//!
//! in 16-bit fixed point, rounded to the nearest integer. The constants of each line add up to exactly 1, 0 and
//! 0, so that gray stays gray. With a half rounded up, the largest blue or red would give 255.5 and so 256:
//! Cb and Cr round a half down instead.
//!
//! A constant of 16 fractional bits is `256 high + low`. The sums of all high parts and of all low parts times their
//! samples fit 16 bits each, and
//!
//! ```text
//! (256 a + b) >> 16 = (a + (b >> 8)) >> 8      (256 a + 255 - b) >> 16 = (a - (b >> 8)) >> 8
//! ```
//!
//! so that no product needs more than 16 bits, and nothing is lost. Samples of more than 8 bits take 32.

use shim::prelude::*;

use crate::Pixels;
use crate::input::raster::{Layout, Raster};
use crate::kernels::planes::Plane;

/// The high and the low part of a constant of the equations, which is rounded to 16 fractional bits.
const fn parts(x: f64) -> (u16, u16) {
    let fixed = (x * 65536.0 + 0.5) as u32;
    ((fixed >> 8) as u16, (fixed & 0xff) as u16)
}

pub(crate) const Y_R: (u16, u16) = parts(0.299);
pub(crate) const Y_G: (u16, u16) = parts(0.587);
pub(crate) const Y_B: (u16, u16) = parts(0.114);
pub(crate) const CB_R: (u16, u16) = parts(0.16874);
pub(crate) const CB_G: (u16, u16) = parts(0.33126);
pub(crate) const CR_G: (u16, u16) = parts(0.41869);
pub(crate) const CR_B: (u16, u16) = parts(0.08131);

/// One half, which rounds a shift right by eight bits to the nearest integer.
const HALF: u16 = 128;

/// The zero of Cb and Cr, with one half less the least bit: a half is rounded down.
const CENTER: u16 = (128 << 8) + HALF - 1;

/// A constant of the equations, of its parts.
#[inline]
const fn whole((high, low): (u16, u16)) -> u32 {
    (high as u32) << 8 | low as u32
}

/// The equations for samples of 8 bits, a template: R, G and B, or with an `INVERTED` of 255 their complements, to Y,
/// Cb and Cr.
#[shim::kernel]
fn ycbcr<const INVERTED: u16>(
    r: impl Tensor<u8, 2>,
    g: impl Tensor<u8, 2>,
    b: impl Tensor<u8, 2>,
    _bits: u32,
    y: impl Tensor<u8, 2>,
    cb: impl Tensor<u8, 2>,
    cr: impl Tensor<u8, 2>,
) {
    let (r, g, b) = (r.cast::<u16>(), g.cast::<u16>(), b.cast::<u16>());
    let (y, cb, cr) = (y.cast::<u16>(), cb.cast::<u16>(), cr.cast::<u16>());
    for p in y.indices() {
        let [r, g, b] = [INVERTED ^ r[p], INVERTED ^ g[p], INVERTED ^ b[p]];
        let carry = (Y_R.1 * r + Y_G.1 * g + Y_B.1 * b) >> 8;
        y[p] = (Y_R.0 * r + Y_G.0 * g + Y_B.0 * b + HALF + carry) >> 8;
        // One half has no low part.
        let borrow = (CB_R.1 * r + CB_G.1 * g) >> 8;
        cb[p] = (128 * b + CENTER - CB_R.0 * r - CB_G.0 * g - borrow) >> 8;
        let borrow = (CR_G.1 * g + CR_B.1 * b) >> 8;
        cr[p] = (128 * r + CENTER - CR_G.0 * g - CR_B.0 * b - borrow) >> 8;
    }
}

/// As [`ycbcr`], where the pixels are in the planes; a template.
#[shim::kernel]
fn ycbcr_at<const INVERTED: u16>(
    r: impl Tensor<u8, 2>,
    g: impl Tensor<u8, 2>,
    b: impl Tensor<u8, 2>,
    bits: u32,
    y: impl Tensor<u8, 2>,
    cb: impl Tensor<u8, 2>,
    cr: impl Tensor<u8, 2>,
) {
    ycbcr::<INVERTED>(r, g, b, bits, y.footprint(r), cb.footprint(r), cr.footprint(r));
}

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

/// The equations for samples of P bits, a template: R, G and B, or if they are `INVERTED` their complements, to Y, Cb
/// and Cr where the pixels are in the planes. The middle of the range is `2^(P - 1)`.
#[shim::kernel]
fn ycbcr16<const INVERTED: bool>(
    r: impl Tensor<u16, 2>,
    g: impl Tensor<u16, 2>,
    b: impl Tensor<u16, 2>,
    bits: u32,
    y: impl Tensor<u16, 2>,
    cb: impl Tensor<u16, 2>,
    cr: impl Tensor<u16, 2>,
) {
    let inverted = if INVERTED { (1 << bits) - 1 } else { 0 };
    let center = (1 << (bits + 15)) + (1 << 15) - 1;
    let (y, cb, cr) = (y.footprint(r), cb.footprint(r), cr.footprint(r));
    let (r, g, b) = (r.cast::<u32>(), g.cast::<u32>(), b.cast::<u32>());
    let (y, cb, cr) = (y.cast::<u32>(), cb.cast::<u32>(), cr.cast::<u32>());
    for p in y.indices() {
        let [r, g, b] = [inverted ^ r[p], inverted ^ g[p], inverted ^ b[p]];
        y[p] = (whole(Y_R) * r + whole(Y_G) * g + whole(Y_B) * b + (1 << 15)) >> 16;
        cb[p] = (center + (b << 15) - whole(CB_R) * r - whole(CB_G) * g) >> 16;
        cr[p] = (center + (r << 15) - whole(CR_G) * g - whole(CR_B) * b) >> 16;
    }
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

/// Copies one or two rows of pixels to two rows of planes of R, G and B, a template. The last pixels are repeated to
/// the right and below.
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

/// Samples `A`, 1 and `C` of pixels, a template.
#[shim::kernel]
fn samples<T, const A: usize, const C: usize>(
    pixels: impl Tensor<T, 3>,
) -> (impl Tensor<T, 2>, impl Tensor<T, 2>, impl Tensor<T, 2>) {
    (pixels.slice(2, A), pixels.slice(2, 1), pixels.slice(2, C))
}

/// Converts pixels of three samples by `convert`, which is given planes of their R, G and B, a template. Other pixels
/// leave `a`, `b` and `c` as they are.
#[shim::kernel]
fn convert_three<T, E, const N: usize, const M: usize>(
    convert: impl Template,
    raster: Raster<'_, T>,
    a: impl Tensor<E, N>,
    b: impl Tensor<E, M>,
    c: impl Tensor<E, M>,
) {
    let Raster { layout, pixels, bits, width: w, height: h, stride, left } = raster;
    let left = left as isize;
    let (red, green, blue) = match (layout, pixels) {
        (Layout::Interleaved(s), Pixels::Rgb) => {
            samples::<T, 0, 2>(Block::external(s, [h, w, 3]).strided([stride, 3, 1]).at([0, left, 0]))
        }
        (Layout::Interleaved(s), Pixels::Bgr) => {
            samples::<T, 2, 0>(Block::external(s, [h, w, 3]).strided([stride, 3, 1]).at([0, left, 0]))
        }
        (Layout::Planar(p), Pixels::Rgb) => (
            Block::external(p[0], [h, w]).strided([stride, 1]).at([0, left]),
            Block::external(p[1], [h, w]).strided([stride, 1]).at([0, left]),
            Block::external(p[2], [h, w]).strided([stride, 1]).at([0, left]),
        ),
        _ => return,
    };
    convert(red, green, blue, bits, a, b, c);
}

/// As [`convert_three`], and of pixels of four samples.
#[shim::kernel]
fn convert_rgb<T, E, const N: usize, const M: usize>(
    convert: impl Template,
    raster: Raster<'_, T>,
    a: impl Tensor<E, N>,
    b: impl Tensor<E, M>,
    c: impl Tensor<E, M>,
) {
    let Raster { layout, pixels, bits, width: w, height: h, stride, left } = raster;
    let left = left as isize;
    let (red, green, blue) = match (layout, pixels) {
        (Layout::Interleaved(s), Pixels::Rgba) => {
            samples::<T, 0, 2>(Block::external(s, [h, w, 4]).strided([stride, 4, 1]).at([0, left, 0]))
        }
        (Layout::Interleaved(s), Pixels::Bgra) => {
            samples::<T, 2, 0>(Block::external(s, [h, w, 4]).strided([stride, 4, 1]).at([0, left, 0]))
        }
        _ => return convert_three::<T, _, _, _>(convert, raster, a, b, c),
    };
    convert(red, green, blue, bits, a, b, c);
}

/// As [`convert_rgb`], and CMYK by `complement`, which is given planes of C, M and Y.
#[shim::kernel]
fn convert_pixels<T, E>(
    convert: impl Template,
    complement: impl Template,
    raster: Raster<'_, T>,
    a: impl Tensor<E, 2>,
    b: impl Tensor<E, 2>,
    c: impl Tensor<E, 2>,
) {
    let Raster { layout, pixels, bits, width: w, height: h, stride, left } = raster;
    let left = left as isize;
    if pixels == Pixels::Cmyk {
        let (cyan, magenta, yellow) = match layout {
            Layout::Interleaved(s) => {
                samples::<T, 0, 2>(Block::external(s, [h, w, 4]).strided([stride, 4, 1]).at([0, left, 0]))
            }
            Layout::Planar(p) => (
                Block::external(p[0], [h, w]).strided([stride, 1]).at([0, left]),
                Block::external(p[1], [h, w]).strided([stride, 1]).at([0, left]),
                Block::external(p[2], [h, w]).strided([stride, 1]).at([0, left]),
            ),
        };
        complement(cyan, magenta, yellow, bits, a, b, c);
    } else {
        convert_rgb::<T, _, _, _>(convert, raster, a, b, c);
    }
}

/// Converts pixels to Y, Cb and Cr where they are in the planes. The R, G and B of CMYK are the complements of C, M and
/// Y. Other pixels leave the planes as they are.
///
/// # Panics
///
/// When a plane does not contain the pixels.
#[shim::kernel(simd)]
pub fn to_ycbcr(
    pixels: Raster<'_, u8>,
    #[located] y: &mut Plane<u8>,
    #[located] cb: &mut Plane<u8>,
    #[located] cr: &mut Plane<u8>,
) {
    convert_pixels::<u8, _>(ycbcr_at::<0>, ycbcr_at::<255>, pixels, y.samples, cb.samples, cr.samples);
}

/// As [`to_ycbcr`], of samples of 2 to 16 bits.
///
/// # Panics
///
/// When a plane does not contain the pixels.
#[shim::kernel(simd)]
pub fn to_ycbcr16(
    pixels: Raster<'_, u16>,
    #[located] y: &mut Plane<u16>,
    #[located] cb: &mut Plane<u16>,
    #[located] cr: &mut Plane<u16>,
) {
    convert_pixels::<u16, _>(ycbcr16::<false>, ycbcr16::<true>, pixels, y.samples, cb.samples, cr.samples);
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
            convert_three::<u8, _, _, _>(ycbcr_2x2, rows, own, cb, cr);
        } else {
            convert_three::<u8, _, _, _>(ycbcr_of_squares, rows, own, cb, cr);
        }
        for first in (whole..tiles).step_by(4) {
            let n = (tiles - first).min(4);
            let copy = planes[[.., .., ..128 * n]];
            let (r, g, b) = (copy.slice(0, 0), copy.slice(0, 1), copy.slice(0, 2));
            convert_rgb::<u8, _, _, _>(fetch, rows.columns(128 * first), r, g, b);
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

    /// The planes of a whole image.
    fn planes(image: &Image<'_>) -> [Vec<u8>; 3] {
        let [mut y, mut cb, mut cr] = [(); 3].map(|()| Plane::new(image.height(), image.width()));
        to_ycbcr(image.raster(), &mut y, &mut cb, &mut cr);
        [y, cb, cr].map(|plane| plane.samples)
    }

    fn convert(rgb: [u8; 3]) -> [u8; 3] {
        planes(&Image::rgb(&rgb, 1, 1).unwrap()).map(|plane| plane[0])
    }

    #[test]
    fn gray_stays_gray() {
        for v in 0..=255 {
            assert_eq!(convert([v; 3]), [v, 128, 128]);
        }
    }

    #[test]
    fn primaries() {
        assert_eq!(convert([255, 0, 0]), [76, 85, 255]);
        assert_eq!(convert([0, 255, 0]), [150, 44, 21]);
        assert_eq!(convert([0, 0, 255]), [29, 255, 107]);
    }

    #[test]
    fn every_color_is_within_one_rounding_of_the_equations() {
        for r in (0..=255).step_by(5) {
            for g in (0..=255).step_by(3) {
                let row: Vec<u8> = (0..=255).step_by(5).flat_map(|b| [r, g, b]).collect();
                let [y, cb, cr] = planes(&Image::rgb(&row, row.len() / 3, 1).unwrap());
                for (x, b) in (0..=255).step_by(5).enumerate() {
                    let [fr, fg, fb] = [r, g, b].map(f64::from);
                    let exact = [
                        0.299 * fr + 0.587 * fg + 0.114 * fb,
                        -0.168_736 * fr - 0.331_264 * fg + 0.5 * fb + 128.0,
                        0.5 * fr - 0.418_688 * fg - 0.081_312 * fb + 128.0,
                    ];
                    for (got, exact) in [y[x], cb[x], cr[x]].into_iter().zip(exact) {
                        assert!((f64::from(got) - exact).abs() < 0.502, "{r} {g} {b}: {got} for {exact}");
                    }
                }
            }
        }
    }

    #[test]
    fn planes_convert_as_interleaved_pixels_do() {
        let rgb: Vec<u8> = (0..3 * 50_u32).map(|i| (i * 73 % 256) as u8).collect();
        let plane = |c: usize| rgb[c..].iter().step_by(3).copied().collect::<Vec<_>>();
        let [r, g, b] = [plane(0), plane(1), plane(2)];
        let interleaved = Image::rgb(&rgb, 10, 5).unwrap();
        let planar = Image::rgb_planes([&r, &g, &b], 10, 5).unwrap();
        assert_eq!(planes(&interleaved), planes(&planar));
    }

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

    #[test]
    fn rows_in_the_middle_of_an_image() {
        let rgb: Vec<u8> = (0..3 * 50_u32).map(|i| (i * 73 % 256) as u8).collect();
        let image = Image::rgb(&rgb, 10, 5).unwrap();
        let [y, cb, cr] = planes(&image);
        let part = |first: usize, rows: usize, left: usize| {
            let [mut y, mut cb, mut cr] = [(); 3].map(|()| Plane::new(rows, left + 10));
            to_ycbcr(image.raster().rows(first, rows).at(left), &mut y, &mut cb, &mut cr);
            [y, cb, cr].map(|plane| plane.samples)
        };
        assert_eq!(part(2, 2, 0), [&y[20..40], &cb[20..40], &cr[20..40]].map(<[u8]>::to_vec));
        assert_eq!(part(2, 1, 3), [&y, &cb, &cr].map(|all| [&[0; 3], &all[20..30]].concat()));
        assert_eq!(part(5, 0, 0), [(); 3].map(|()| Vec::new()));
    }

    #[test]
    #[should_panic(expected = "to_ycbcr")]
    fn a_plane_must_hold_the_rows() {
        let image = Image::rgb(&[0; 30], 5, 2).unwrap();
        let [mut y, mut cb, mut cr] = [2, 1, 2].map(|rows| Plane::new(rows, 5));
        to_ycbcr(image.raster(), &mut y, &mut cb, &mut cr);
    }

    #[test]
    fn words_convert_as_bytes_do() {
        let bytes: Vec<u8> = (0..4 * 50_u32).map(|i| (i * 73 % 256) as u8).collect();
        let words: Vec<u16> = bytes.iter().copied().map(u16::from).collect();
        for pixels in [Pixels::Rgb, Pixels::Bgr, Pixels::Rgba, Pixels::Bgra, Pixels::Cmyk] {
            let n = pixels.samples();
            let narrow = Image::interleaved(&bytes, pixels, 10, 5, 10 * n).unwrap();
            let wide = Image::interleaved16(&words, 8, pixels, 10, 5, 10 * n).unwrap();
            let [mut y, mut cb, mut cr] = [(); 3].map(|()| Plane::new(5, 10));
            to_ycbcr16(wide.raster(), &mut y, &mut cb, &mut cr);
            let words = planes(&narrow).map(|plane| plane.into_iter().map(u16::from).collect::<Vec<_>>());
            assert_eq!([y, cb, cr].map(|plane| plane.samples), words, "{pixels:?}");
        }
    }
}
