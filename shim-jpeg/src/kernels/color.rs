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
//! so that no product needs more than 16 bits, and nothing is lost.

use shim::prelude::*;

use crate::input::image::Layout;
use crate::{Image, Pixels};

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

/// The equations for one row, a template: `rgb[[c, x]]` is sample c of pixel x, however the pixels lie in memory, and R, G
/// and B are the samples that `R`, `G` and `B` say, or with an `INVERTED` of 255 their complements.
#[shim::kernel]
fn ycbcr<const R: usize, const G: usize, const B: usize, const INVERTED: u16>(
    rgb: impl Tensor<u16, 2>,
    luminance: impl Tensor<u16, 1>,
    blue: impl Tensor<u16, 1>,
    red: impl Tensor<u16, 1>,
) {
    use crate::kernels::color::{CB_G, CB_R, CR_B, CR_G, HALF, Y_B, Y_G, Y_R};
    /// The zero of Cb and Cr, with one half less the least bit: a half is rounded down.
    const CENTER: u16 = (128 << 8) + HALF - 1;
    for [x] in luminance.indices() {
        let [r, g, b] = [INVERTED ^ rgb[[R, x]], INVERTED ^ rgb[[G, x]], INVERTED ^ rgb[[B, x]]];
        let carry = (Y_R.1 * r + Y_G.1 * g + Y_B.1 * b) >> 8;
        luminance[[x]] = (Y_R.0 * r + Y_G.0 * g + Y_B.0 * b + HALF + carry) >> 8;
        // One half has no low part.
        let borrow = (CB_R.1 * r + CB_G.1 * g) >> 8;
        blue[[x]] = (128 * b + CENTER - CB_R.0 * r - CB_G.0 * g - borrow) >> 8;
        let borrow = (CR_G.1 * g + CR_B.1 * b) >> 8;
        red[[x]] = (128 * r + CENTER - CR_G.0 * g - CR_B.0 * b - borrow) >> 8;
    }
}

/// Two rows of 128 pixels as two rows of Y and one of Cb and Cr, which average squares of two by two pixels as libjpeg does, a
/// template: halves go down and up in turn. `planes`, `[2, 2, 128]`, is memory for Cb and Cr of each pixel.
///
/// The average of rounded chrominance is further from that of the pixels than one that is rounded once. But where the pixels
/// come from a file whose chrominance was of half the density, it is what the file held.
#[shim::kernel]
fn ycbcr_2x2<const R: usize, const G: usize, const B: usize>(
    top: impl Tensor<u16, 2>,
    bottom: impl Tensor<u16, 2>,
    planes: impl Tensor<u16, 3>,
    upper: impl Tensor<u16, 1>,
    lower: impl Tensor<u16, 1>,
    blue: impl Tensor<u16, 1>,
    red: impl Tensor<u16, 1>,
) {
    let p = planes;
    ycbcr::<R, G, B, 0>(top, upper, p.slice(0, 0).slice(0, 0), p.slice(0, 0).slice(0, 1));
    ycbcr::<R, G, B, 0>(bottom, lower, p.slice(0, 1).slice(0, 0), p.slice(0, 1).slice(0, 1));
    for x in 0..64 {
        let bias = 1 + (x as u16 & 1);
        let square =
            |c: usize| p[[0, c, 2 * x]] + p[[0, c, 2 * x + 1]] + p[[1, c, 2 * x]] + p[[1, c, 2 * x + 1]];
        blue[[x]] = (square(0) + bias) >> 2;
        red[[x]] = (square(1) + bias) >> 2;
    }
}

/// Two rows of an image, `[3, w]` or `[4, w]`, as rows of tiles, `[tiles, 128]` of Y and `[tiles, 64]` of Cb and Cr, a
/// template. What is left to the right of the whole tiles comes to `rest`, `[2, 3, 128]`, as red, green and blue, whose last pixels
/// are repeated: it is converted by the same code for pixels of all kinds.
#[shim::kernel]
fn whole_tiles<const R: usize, const G: usize, const B: usize>(
    top: impl Tensor<u16, 2>,
    bottom: impl Tensor<u16, 2>,
    planes: impl Tensor<u16, 3>,
    upper: impl Tensor<u16, 2>,
    lower: impl Tensor<u16, 2>,
    blue: impl Tensor<u16, 2>,
    red: impl Tensor<u16, 2>,
    rest: impl Tensor<u16, 3>,
) {
    let w = top.extent(1);
    let whole = upper.extent(0).min(w >> 7);
    for t in 0..whole {
        let x = 128 * t;
        let (top, bottom) = (top[[.., x..x + 128]], bottom[[.., x..x + 128]]);
        let (upper, lower) = (upper.slice(0, t), lower.slice(0, t));
        ycbcr_2x2::<R, G, B>(top, bottom, planes, upper, lower, blue.slice(0, t), red.slice(0, t));
    }
    if whole < upper.extent(0) {
        let x = 128 * whole;
        for i in 0..w - x {
            #[unroll]
            for c in 0..3 {
                rest[[0, c, i]] = top[[[R, G, B][c], x + i]];
                rest[[1, c, i]] = bottom[[[R, G, B][c], x + i]];
            }
        }
        for i in w - x..128 {
            #[unroll]
            for c in 0..3 {
                rest[[0, c, i]] = top[[[R, G, B][c], w - 1]];
                rest[[1, c, i]] = bottom[[[R, G, B][c], w - 1]];
            }
        }
    }
}

/// Rows `first` to `first + rows` of an image, as planes `[rows, w]` of Y, Cb and Cr.
///
/// Interleaved pixels `[w, 3]` or `[w, 4]` are planes `[3, w]` or `[4, w]` by a permutation. Of CMYK, the complements
/// of C, M and Y are R, G and B. Other pixels leave the planes as they are.
///
/// # Panics
///
/// When the image has fewer rows, or a plane less memory.
#[shim::kernel(simd)]
pub fn to_ycbcr(image: &Image<'_>, first: usize, rows: usize, y: &mut [u8], cb: &mut [u8], cr: &mut [u8]) {
    let w = image.width();
    let luminance = Block::external(y, [rows, w]).cast::<u16>();
    let blue = Block::external(cb, [rows, w]).cast::<u16>();
    let red = Block::external(cr, [rows, w]).cast::<u16>();
    for v in 0..rows {
        match (image.row::<u8>(first + v), image.pixels()) {
            (Layout::Interleaved(pixels), Pixels::Rgb) => {
                let rgb = Block::external(pixels, [w, 3]).permute([1, 0]).cast::<u16>();
                ycbcr::<0, 1, 2, 0>(rgb, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            (Layout::Interleaved(pixels), Pixels::Bgr) => {
                let rgb = Block::external(pixels, [w, 3]).permute([1, 0]).cast::<u16>();
                ycbcr::<2, 1, 0, 0>(rgb, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            (Layout::Interleaved(pixels), Pixels::Rgba) => {
                let rgb = Block::external(pixels, [w, 4]).permute([1, 0]).cast::<u16>();
                ycbcr::<0, 1, 2, 0>(rgb, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            (Layout::Interleaved(pixels), Pixels::Bgra) => {
                let rgb = Block::external(pixels, [w, 4]).permute([1, 0]).cast::<u16>();
                ycbcr::<2, 1, 0, 0>(rgb, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            (Layout::Planar(planes), Pixels::Rgb) => {
                let rgb = Block::rows(&planes, [3, w]).cast::<u16>();
                ycbcr::<0, 1, 2, 0>(rgb, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            (Layout::Interleaved(pixels), Pixels::Cmyk) => {
                let cmyk = Block::external(pixels, [w, 4]).permute([1, 0]).cast::<u16>();
                ycbcr::<0, 1, 2, 255>(cmyk, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            (Layout::Planar(planes), Pixels::Cmyk) => {
                let cmyk = Block::rows(&planes, [3, w]).cast::<u16>();
                ycbcr::<0, 1, 2, 255>(cmyk, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            _ => {}
        }
    }
}

/// The first 128 `tiles` columns of rows `first` to `first + rows` of an image, as a plane `[rows + rows mod 2, 128 tiles]` of Y and planes
/// `[ceil(rows / 2), 64 tiles]` of Cb and Cr, which average squares of two by two pixels. To the right and below the image
/// its last pixels are repeated. Pixels that are not red, green and blue leave the planes as they are.
///
/// # Panics
///
/// When the image has fewer rows, or a plane less memory.
#[shim::kernel(simd)]
pub fn to_ycbcr_420(
    image: &Image<'_>,
    first: usize,
    rows: usize,
    tiles: usize,
    y: &mut [u8],
    cb: &mut [u8],
    cr: &mut [u8],
) {
    let w = image.width();
    let half = rows.div_ceil(2);
    let luminance = Block::external(y, [half, 2, tiles, 128]).cast::<u16>();
    let blue = Block::external(cb, [half, tiles, 64]).cast::<u16>();
    let red = Block::external(cr, [half, tiles, 64]).cast::<u16>();
    let planes = Block::stack::<u8>([2, 2, 128]).cast::<u16>();
    let rest = Block::stack::<u8>([2, 128, 3]).permute([0, 2, 1]).cast::<u16>();
    let whole = tiles.min(w >> 7);
    for v in 0..half {
        let mut converted = true;
        let next = rows.min(2 * v + 2) - 1;
        let (upper, lower) = (luminance[[v, 0, .., ..]], luminance[[v, 1, .., ..]]);
        let (blue, red) = (blue.slice(0, v), red.slice(0, v));
        match (image.row::<u8>(first + 2 * v), image.row::<u8>(first + next), image.pixels()) {
            (Layout::Interleaved(top), Layout::Interleaved(bottom), Pixels::Rgb) => {
                let top = Block::external(top, [w, 3]).permute([1, 0]).cast::<u16>();
                let bottom = Block::external(bottom, [w, 3]).permute([1, 0]).cast::<u16>();
                whole_tiles::<0, 1, 2>(top, bottom, planes, upper, lower, blue, red, rest);
            }
            (Layout::Interleaved(top), Layout::Interleaved(bottom), Pixels::Bgr) => {
                let top = Block::external(top, [w, 3]).permute([1, 0]).cast::<u16>();
                let bottom = Block::external(bottom, [w, 3]).permute([1, 0]).cast::<u16>();
                whole_tiles::<2, 1, 0>(top, bottom, planes, upper, lower, blue, red, rest);
            }
            (Layout::Interleaved(top), Layout::Interleaved(bottom), Pixels::Rgba) => {
                let top = Block::external(top, [w, 4]).permute([1, 0]).cast::<u16>();
                let bottom = Block::external(bottom, [w, 4]).permute([1, 0]).cast::<u16>();
                whole_tiles::<0, 1, 2>(top, bottom, planes, upper, lower, blue, red, rest);
            }
            (Layout::Interleaved(top), Layout::Interleaved(bottom), Pixels::Bgra) => {
                let top = Block::external(top, [w, 4]).permute([1, 0]).cast::<u16>();
                let bottom = Block::external(bottom, [w, 4]).permute([1, 0]).cast::<u16>();
                whole_tiles::<2, 1, 0>(top, bottom, planes, upper, lower, blue, red, rest);
            }
            (Layout::Planar(top), Layout::Planar(bottom), Pixels::Rgb) => {
                let top = Block::rows(&top, [3, w]).cast::<u16>();
                let bottom = Block::rows(&bottom, [3, w]).cast::<u16>();
                whole_tiles::<0, 1, 2>(top, bottom, planes, upper, lower, blue, red, rest);
            }
            _ => converted = false,
        }
        if converted && whole < tiles {
            let (upper, lower) = (upper.slice(0, whole), lower.slice(0, whole));
            let (blue, red) = (blue.slice(0, whole), red.slice(0, whole));
            ycbcr_2x2::<0, 1, 2>(rest.slice(0, 0), rest.slice(0, 1), planes, upper, lower, blue, red);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The planes of a whole image.
    fn planes(image: &Image<'_>) -> [Vec<u8>; 3] {
        let mut planes = [(); 3].map(|()| vec![0; image.width() * image.height()]);
        let [y, cb, cr] = &mut planes;
        to_ycbcr(image, 0, image.height(), y, cb, cr);
        planes
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
        let mut part = [[0; 20]; 3];
        let [part_y, part_cb, part_cr] = &mut part;
        to_ycbcr(&image, 2, 2, part_y, part_cb, part_cr);
        assert_eq!([&part[0][..], &part[1], &part[2]], [&y[20..40], &cb[20..40], &cr[20..40]]);
        to_ycbcr(&image, 5, 0, &mut [], &mut [], &mut []);
    }

    #[test]
    #[should_panic(expected = "to_ycbcr")]
    fn a_plane_must_hold_the_rows() {
        let image = Image::rgb(&[0; 30], 5, 2).unwrap();
        to_ycbcr(&image, 0, 2, &mut [0; 10], &mut [0; 9], &mut [0; 10]);
    }
}
