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

pub(super) use crate::Pixels;
pub(super) use crate::input::raster::{Layout, Raster};
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
pub(super) const HALF: u16 = 128;

/// The zero of Cb and Cr, with one half less the least bit: a half is rounded down.
pub(super) const CENTER: u16 = (128 << 8) + HALF - 1;

/// A constant of the equations, of its parts.
#[inline]
pub(super) const fn whole((high, low): (u16, u16)) -> u32 {
    (high as u32) << 8 | low as u32
}

/// The equations for samples of 8 bits, a template: R, G and B, or with an `INVERTED` of 255 their complements, to Y,
/// Cb and Cr.
#[shim::kernel]
pub(super) fn ycbcr<const INVERTED: u16>(
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

/// Samples `A`, 1 and `C` of pixels, a template.
#[shim::kernel]
fn samples<T, const A: usize, const C: usize>(
    pixels: impl Tensor<T, 3>,
) -> (impl Tensor<T, 2>, impl Tensor<T, 2>, impl Tensor<T, 2>) {
    (pixels.slice(2, A), pixels.slice(2, 1), pixels.slice(2, C))
}

/// Converts pixels by `convert`, which is given planes of their R, G and B, or with `INK` of C, M and Y; a template.
/// Other pixels leave `a`, `b` and `c` as they are, and without `FOUR` those of four samples do.
#[shim::kernel]
pub(super) fn convert_pixels<T, E, const N: usize, const M: usize, const FOUR: bool, const INK: bool>(
    convert: impl Template,
    raster: Raster<'_, T>,
    a: impl Tensor<E, N>,
    b: impl Tensor<E, M>,
    c: impl Tensor<E, M>,
) {
    let Raster { layout, pixels, bits, width: w, height: h, stride, left } = raster;
    let left = left as isize;
    let (red, green, blue) = match (layout, pixels) {
        (Layout::Interleaved(s), Pixels::Rgb) if !INK => {
            samples::<T, 0, 2>(Block::external(s, [h, w, 3]).strided([stride, 3, 1]).at([0, left, 0]))
        }
        (Layout::Interleaved(s), Pixels::Bgr) if !INK => {
            samples::<T, 2, 0>(Block::external(s, [h, w, 3]).strided([stride, 3, 1]).at([0, left, 0]))
        }
        (Layout::Interleaved(s), Pixels::Rgba | Pixels::Cmyk) if FOUR => {
            samples::<T, 0, 2>(Block::external(s, [h, w, 4]).strided([stride, 4, 1]).at([0, left, 0]))
        }
        (Layout::Interleaved(s), Pixels::Bgra) if FOUR && !INK => {
            samples::<T, 2, 0>(Block::external(s, [h, w, 4]).strided([stride, 4, 1]).at([0, left, 0]))
        }
        (Layout::Planar(p), Pixels::Rgb | Pixels::Cmyk) => (
            Block::external(p[0], [h, w]).strided([stride, 1]).at([0, left]),
            Block::external(p[1], [h, w]).strided([stride, 1]).at([0, left]),
            Block::external(p[2], [h, w]).strided([stride, 1]).at([0, left]),
        ),
        _ => return,
    };
    convert(red, green, blue, bits, a, b, c);
}

/// Converts pixels to Y, Cb and Cr where they are in the planes. The R, G and B of CMYK are the complements of C, M and
/// Y. Other pixels leave the planes as they are.
///
/// # Panics
///
/// When a plane does not contain the pixels.
#[shim::kernel(simd, checks = "hoisted")]
pub fn to_ycbcr(
    pixels: Raster<'_, u8>,
    #[located] y: &mut Plane<u8>,
    #[located] cb: &mut Plane<u8>,
    #[located] cr: &mut Plane<u8>,
) {
    if pixels.pixels == Pixels::Cmyk {
        convert_pixels::<u8, _, _, _, true, true>(ycbcr_at::<255>, pixels, y.samples, cb.samples, cr.samples);
    } else {
        convert_pixels::<u8, _, _, _, true, false>(ycbcr_at::<0>, pixels, y.samples, cb.samples, cr.samples);
    }
}

/// As [`to_ycbcr`], of samples of 2 to 16 bits.
///
/// # Panics
///
/// When a plane does not contain the pixels.
#[shim::kernel(simd, checks = "hoisted")]
pub fn to_ycbcr16(
    pixels: Raster<'_, u16>,
    #[located] y: &mut Plane<u16>,
    #[located] cb: &mut Plane<u16>,
    #[located] cr: &mut Plane<u16>,
) {
    if pixels.pixels == Pixels::Cmyk {
        convert_pixels::<u16, _, _, _, true, true>(
            ycbcr16::<true>,
            pixels,
            y.samples,
            cb.samples,
            cr.samples,
        );
    } else {
        convert_pixels::<u16, _, _, _, true, false>(
            ycbcr16::<false>,
            pixels,
            y.samples,
            cb.samples,
            cr.samples,
        );
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Image;

    /// The planes of a whole image.
    pub(in crate::kernels) fn planes(image: &Image<'_>) -> [Vec<u8>; 3] {
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
