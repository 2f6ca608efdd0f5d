//! The samples of an image as planes, where the file holds what the image does (T.81 A.1.1: a component each), and
//! conversion of samples of more than 8 bits.

use shim::prelude::*;

use super::element::Element;
use crate::input::image::{Layout, Raw};
use crate::{Image, Pixels};

/// Sample `c` of the pixels of rows `first` to `first + rows`, as a plane `[rows, w]`.
///
/// # Panics
///
/// When the image has fewer rows, its pixels no such sample, or the plane less memory.
#[shim::kernel(simd)]
pub fn separate<T: Element + Raw>(image: &Image<'_>, first: usize, rows: usize, c: usize, plane: &mut [T]) {
    let w = image.width();
    let plane = Block::external(plane, [rows, w]);
    for v in 0..rows {
        match (image.row::<T>(first + v), image.pixels().samples()) {
            (Layout::Interleaved(pixels), 1) => {
                copy_row::<T>(Block::external(pixels, [w, 1]).slice(1, c), plane.slice(0, v));
            }
            (Layout::Interleaved(pixels), 2) => {
                copy_row::<T>(Block::external(pixels, [w, 2]).slice(1, c), plane.slice(0, v));
            }
            (Layout::Interleaved(pixels), 3) => {
                copy_row::<T>(Block::external(pixels, [w, 3]).slice(1, c), plane.slice(0, v));
            }
            (Layout::Interleaved(pixels), _) => {
                copy_row::<T>(Block::external(pixels, [w, 4]).slice(1, c), plane.slice(0, v));
            }
            (Layout::Planar(planes), _) => copy_row::<T>(Block::external(planes[c], [w]), plane.slice(0, v)),
        }
    }
}

/// One sample of each pixel of a row, a template.
#[shim::kernel]
fn copy_row<T>(from: impl Tensor<T, 1>, to: impl Tensor<T, 1>) {
    for [x] in to.indices() {
        to[[x]] = from[[x]];
    }
}

/// The equations of [`color`](super::color) for one row of samples of P bits, in 32 bits, a template. The middle of the
/// range is `2^(P - 1)`, and `inverted` is 0, or `2^P - 1` if the samples are complements of red, green and blue.
#[shim::kernel]
fn ycbcr16<const R: usize, const G: usize, const B: usize>(
    rgb: impl Tensor<u32, 2>,
    bits: u32,
    inverted: u32,
    luminance: impl Tensor<u32, 1>,
    blue: impl Tensor<u32, 1>,
    red: impl Tensor<u32, 1>,
) {
    use crate::kernels::color::{CB_G, CB_R, CR_B, CR_G, Y_B, Y_G, Y_R};
    use crate::kernels::planes::whole;
    let center = (1 << (bits + 15)) + (1 << 15) - 1;
    for [x] in luminance.indices() {
        let [r, g, b] = [inverted ^ rgb[[R, x]], inverted ^ rgb[[G, x]], inverted ^ rgb[[B, x]]];
        luminance[[x]] = (whole(Y_R) * r + whole(Y_G) * g + whole(Y_B) * b + (1 << 15)) >> 16;
        blue[[x]] = (center + (b << 15) - whole(CB_R) * r - whole(CB_G) * g) >> 16;
        red[[x]] = (center + (r << 15) - whole(CR_G) * g - whole(CR_B) * b) >> 16;
    }
}

/// A constant of the equations of [`color`](super::color), of its parts.
#[inline]
const fn whole((high, low): (u16, u16)) -> u32 {
    (high as u32) << 8 | low as u32
}

/// As [`to_ycbcr`](super::color::to_ycbcr), of samples of 2 to 16 bits.
///
/// # Panics
///
/// When the image has fewer rows, or a plane less memory.
#[shim::kernel(simd)]
pub fn to_ycbcr16(
    image: &Image<'_>,
    first: usize,
    rows: usize,
    y: &mut [u16],
    cb: &mut [u16],
    cr: &mut [u16],
) {
    let w = image.width();
    let bits = u32::from(image.bits());
    let luminance = Block::external(y, [rows, w]).cast::<u32>();
    let blue = Block::external(cb, [rows, w]).cast::<u32>();
    let red = Block::external(cr, [rows, w]).cast::<u32>();
    for v in 0..rows {
        let (y, cb, cr) = (luminance.slice(0, v), blue.slice(0, v), red.slice(0, v));
        match (image.row::<u16>(first + v), image.pixels()) {
            (Layout::Interleaved(pixels), Pixels::Rgb) => {
                let rgb = Block::external(pixels, [w, 3]).permute([1, 0]).cast::<u32>();
                ycbcr16::<0, 1, 2>(rgb, bits, 0, y, cb, cr);
            }
            (Layout::Interleaved(pixels), Pixels::Bgr) => {
                let rgb = Block::external(pixels, [w, 3]).permute([1, 0]).cast::<u32>();
                ycbcr16::<2, 1, 0>(rgb, bits, 0, y, cb, cr);
            }
            (Layout::Interleaved(pixels), Pixels::Rgba) => {
                let rgb = Block::external(pixels, [w, 4]).permute([1, 0]).cast::<u32>();
                ycbcr16::<0, 1, 2>(rgb, bits, 0, y, cb, cr);
            }
            (Layout::Interleaved(pixels), Pixels::Bgra) => {
                let rgb = Block::external(pixels, [w, 4]).permute([1, 0]).cast::<u32>();
                ycbcr16::<2, 1, 0>(rgb, bits, 0, y, cb, cr);
            }
            (Layout::Interleaved(pixels), Pixels::Cmyk) => {
                let cmyk = Block::external(pixels, [w, 4]).permute([1, 0]).cast::<u32>();
                ycbcr16::<0, 1, 2>(cmyk, bits, (1 << bits) - 1, y, cb, cr);
            }
            (Layout::Planar(planes), Pixels::Rgb) => {
                let rgb = Block::rows(&planes, [3, w]).cast::<u32>();
                ycbcr16::<0, 1, 2>(rgb, bits, 0, y, cb, cr);
            }
            (Layout::Planar(planes), Pixels::Cmyk) => {
                let cmyk = Block::rows(&planes, [3, w]).cast::<u32>();
                ycbcr16::<0, 1, 2>(cmyk, bits, (1 << bits) - 1, y, cb, cr);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sample_of_every_layout_finds_its_plane() {
        let samples: Vec<u8> = (0..60).collect();
        for (pixels, n) in [(Pixels::Gray, 1), (Pixels::GrayAlpha, 2), (Pixels::YCbCr, 3), (Pixels::Cmyk, 4)]
        {
            let image = Image::interleaved(&samples, pixels, 3, 4, 3 * n).unwrap();
            for c in 0..n {
                let mut plane = [0_u8; 6];
                separate(&image, 1, 2, c, &mut plane);
                assert_eq!(plane, std::array::from_fn(|i| ((3 + i) * n + c) as u8));
            }
        }
        let planes = [&samples[..], &samples[10..], &samples[20..], &samples[30..]];
        let image = Image::planar(&planes, Pixels::Ycck, 3, 2, 5).unwrap();
        for c in 0..4 {
            let mut plane = [0_u8; 6];
            separate(&image, 0, 2, c, &mut plane);
            assert_eq!(plane, [0, 1, 2, 5, 6, 7].map(|i| i + 10 * c as u8));
        }
    }

    #[test]
    fn words_convert_as_bytes_do() {
        let bytes: Vec<u8> = (0..4 * 50_u32).map(|i| (i * 73 % 256) as u8).collect();
        let words: Vec<u16> = bytes.iter().copied().map(u16::from).collect();
        for pixels in [Pixels::Rgb, Pixels::Bgr, Pixels::Rgba, Pixels::Bgra, Pixels::Cmyk] {
            let n = pixels.samples();
            let narrow = Image::interleaved(&bytes, pixels, 10, 5, 10 * n).unwrap();
            let wide = Image::interleaved16(&words, 8, pixels, 10, 5, 10 * n).unwrap();
            let (mut a, mut b) = ([[0_u8; 50]; 3], [[0_u16; 50]; 3]);
            let [y, cb, cr] = &mut a;
            crate::kernels::color::to_ycbcr(&narrow, 0, 5, y, cb, cr);
            let [y, cb, cr] = &mut b;
            to_ycbcr16(&wide, 0, 5, y, cb, cr);
            assert_eq!(a.map(|plane| plane.map(u16::from)), b, "{pixels:?}");
        }
    }
}
