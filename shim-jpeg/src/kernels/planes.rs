//! The samples of an image as planes, where the file holds what the image does (T.81 A.1.1: a component each).

use shim::prelude::*;

use super::element::Element;

/// Copies a component of pixels, `[rows, columns]`, to the columns from `left` on of a plane with `pitch` columns:
/// `from` has its rows `stride` and its columns `step` samples apart.
///
/// # Panics
///
/// When `from` or the plane has less memory, or `step` is not 1 to 4.
#[shim::kernel(simd)]
pub fn separate<T: Element>(
    from: &[T],
    #[specialize(1 | 2 | 3 | 4)] step: usize,
    stride: usize,
    [rows, columns]: [usize; 2],
    pitch: usize,
    left: usize,
    plane: &mut [T],
) {
    let from = Block::external(from, [rows, columns]).strided([stride, step]);
    let plane = Block::external(plane, [rows, pitch])[[.., left..left + columns]];
    let [y, x] = iters();
    plane[[y, x]] = from[[y, x]];
}

/// Repeats the sample before column `end` of each row of a plane, `[rows, columns]`, up to column `pad_to`. The part of
/// the row that ends there begins at column `start`.
///
/// # Panics
///
/// When the plane has less memory, or the columns are not in this order.
#[shim::kernel(simd)]
pub fn repeat_last<T: Element>(
    plane: &mut [T],
    [rows, columns]: [usize; 2],
    [start, end, pad_to]: [usize; 3],
) {
    let part = Block::external(plane, [rows, columns])[[.., start..pad_to]];
    let last = end - start - 1;
    for y in 0..rows {
        for x in last + 1..pad_to - start {
            part[[y, x]] = part[[y, last]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Image, Pixels};

    #[test]
    fn each_sample_of_every_layout_finds_its_plane() {
        let samples: Vec<u8> = (0..60).collect();
        for (pixels, n) in [(Pixels::Gray, 1), (Pixels::GrayAlpha, 2), (Pixels::YCbCr, 3), (Pixels::Cmyk, 4)]
        {
            let image = Image::interleaved(&samples, pixels, 3, 4, 3 * n).unwrap();
            for c in 0..n {
                let mut plane = [0_u8; 6];
                separate(image.raster().rows(1, 2).component(c), n, 3 * n, [2, 3], 3, 0, &mut plane);
                assert_eq!(plane, std::array::from_fn(|i| ((3 + i) * n + c) as u8));
            }
        }
        let planes = [&samples[..], &samples[10..], &samples[20..], &samples[30..]];
        let image = Image::planar(&planes, Pixels::Ycck, 3, 2, 5).unwrap();
        for c in 0..4 {
            let mut plane = [0_u8; 6];
            separate(image.raster().component(c), 1, 5, [2, 3], 3, 0, &mut plane);
            assert_eq!(plane, [0, 1, 2, 5, 6, 7].map(|i| i + 10 * c as u8));
        }
    }
}
