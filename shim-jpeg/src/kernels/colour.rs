//! Colour conversion (T.871 / JFIF 1.02, "Conversion to and from RGB").
//!
//! ```text
//! Y  =  0.299   R + 0.587   G + 0.114   B
//! Cb = -0.16874 R - 0.33126 G + 0.5     B + 128
//! Cr =  0.5     R - 0.41869 G - 0.08131 B + 128
//! ```
//!
//! in 16-bit fixed point, rounded to the nearest integer. The constants of each line add up to exactly 1, 0 and
//! 0, so that grey stays grey. With a half rounded up, the largest blue or red would give 255.5 and so 256:
//! Cb and Cr round a half down instead.

use shim::prelude::*;

use crate::{Image, Row};

/// The equations for one row, a template: `rgb[[c, x]]` is component c of pixel x, however the pixels lie in memory.
#[shim::kernel]
fn ycbcr(
    rgb: impl Tensor<i32, 2>,
    luminance: impl Tensor<i32, 1>,
    blue: impl Tensor<i32, 1>,
    red: impl Tensor<i32, 1>,
) {
    /// Fractional bits of the constants.
    const BITS: u32 = 16;
    /// One half, which rounds a shift right by `BITS` to the nearest integer.
    const HALF: i32 = 1 << (BITS - 1);
    /// The zero of Cb and Cr, with one half less the least bit: a half is rounded down.
    const CENTRE: i32 = (128 << BITS) + HALF - 1;
    /// A constant of the equations, rounded to `BITS` fractional bits.
    const fn fix(x: f64) -> i32 {
        (x * (1 << BITS) as f64 + 0.5) as i32
    }
    for [x] in luminance.indices() {
        let [r, g, b] = [rgb[[0, x]], rgb[[1, x]], rgb[[2, x]]];
        luminance[[x]] = (fix(0.299) * r + fix(0.587) * g + fix(0.114) * b + HALF) >> BITS;
        blue[[x]] = (-fix(0.16874) * r - fix(0.33126) * g + fix(0.5) * b + CENTRE) >> BITS;
        red[[x]] = (fix(0.5) * r - fix(0.41869) * g - fix(0.08131) * b + CENTRE) >> BITS;
    }
}

/// Rows `first` to `first + rows` of an image, as planes `[rows, w]` of Y, Cb and Cr.
///
/// Interleaved pixels `[w, 3]` are planes `[3, w]` by a permutation. A grey image is its own Y, and leaves Cb and Cr as
/// they are.
///
/// # Panics
///
/// When the image has fewer rows, or a plane less memory.
#[shim::kernel(simd)]
pub fn to_ycbcr(image: &Image<'_>, first: usize, rows: usize, y: &mut [u8], cb: &mut [u8], cr: &mut [u8]) {
    let w = image.width();
    let luminance = Block::external(y, [rows, w]).cast::<i32>();
    let blue = Block::external(cb, [rows, w]).cast::<i32>();
    let red = Block::external(cr, [rows, w]).cast::<i32>();
    for v in 0..rows {
        match image.row(first + v) {
            Row::Interleaved(pixels) => {
                let rgb = Block::external(pixels, [w, 3]).permute([1, 0]).cast::<i32>();
                ycbcr(rgb, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            Row::Planar(planes) => {
                let rgb = Block::rows(&planes, [3, w]).cast::<i32>();
                ycbcr(rgb, luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
            }
            Row::Grey(samples) => {
                let grey = Block::external(samples, [w]).cast::<i32>();
                for [x] in grey.indices() {
                    luminance[[v, x]] = grey[[x]];
                }
            }
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
    fn grey_stays_grey() {
        for v in 0..=255 {
            assert_eq!(convert([v; 3]), [v, 128, 128]);
        }
        let samples: Vec<u8> = (0..60).collect();
        let image = Image::grey_with_stride(&samples, 7, 5, 12).unwrap();
        let mut y = [0; 14];
        to_ycbcr(&image, 2, 2, &mut y, &mut [0; 14], &mut [0; 14]);
        assert_eq!(y, [24, 25, 26, 27, 28, 29, 30, 36, 37, 38, 39, 40, 41, 42]);
    }

    #[test]
    fn primaries() {
        assert_eq!(convert([255, 0, 0]), [76, 85, 255]);
        assert_eq!(convert([0, 255, 0]), [150, 44, 21]);
        assert_eq!(convert([0, 0, 255]), [29, 255, 107]);
    }

    #[test]
    fn every_colour_is_within_one_rounding_of_the_equations() {
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
