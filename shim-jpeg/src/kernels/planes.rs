//! Planes of samples, a component each (T.81 A.1.1), and images whose samples are those of the file.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::*;

use super::element::Element;

/// The samples of a component in an MCU row, or in several side by side.
#[shim::located]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plane<T> {
    /// Rows that hold samples; there may be memory for more.
    pub rows: usize,
    /// Samples in a row.
    pub columns: usize,
    /// The samples.
    #[shape(rows, columns)]
    pub samples: Vec<T>,
}

impl<T: Element> Plane<T> {
    /// A plane with memory for so many rows.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self { rows, columns, samples: vec![T::default(); rows * columns] }
    }
}

/// Copies a component of pixels to a plane, with the first pixel at `[0, left]`. `from` is `[rows, columns]`, with its
/// rows `stride` and its columns `step` samples apart.
///
/// # Panics
///
/// When `from` has less memory, the plane does not contain the pixels, or `step` is not 1 to 4.
#[shim::kernel(simd, checks = "hoisted")]
pub fn separate<T: Element>(
    from: &[T],
    #[specialize(1 | 2 | 3 | 4)] step: usize,
    stride: usize,
    [rows, columns]: [usize; 2],
    left: usize,
    #[located] plane: &mut Plane<T>,
) {
    let from = Block::external(from, [rows, columns]).strided([stride, step]).at([0, left as isize]);
    let own = plane.samples.footprint(from);
    let [y, x] = iters();
    own[[y, x]] = from[[y, x]];
}

/// Repeats the sample before column `end` of each row up to column `pad_to`. The part of the row that ends there begins
/// at column `start`.
///
/// # Panics
///
/// When the columns are not in this order, or the plane has fewer.
#[shim::kernel(simd, checks = "hoisted")]
pub fn repeat_last<T: Element>(#[located] plane: &mut Plane<T>, [start, end, pad_to]: [usize; 3]) {
    let part = plane.samples[[.., start..pad_to]];
    let last = end - start - 1;
    for y in 0..plane.rows {
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
                let mut plane = Plane::<u8>::new(2, 3);
                separate(image.raster().rows(1, 2).component(c), n, 3 * n, [2, 3], 0, &mut plane);
                assert_eq!(plane.samples[..], std::array::from_fn::<_, 6, _>(|i| ((3 + i) * n + c) as u8));
            }
        }
        let planes = [&samples[..], &samples[10..], &samples[20..], &samples[30..]];
        let image = Image::planar(&planes, Pixels::Ycck, 3, 2, 5).unwrap();
        for c in 0..4 {
            let mut plane = Plane::<u8>::new(3, 5);
            plane.rows = 2;
            separate(image.raster().component(c), 1, 5, [2, 3], 1, &mut plane);
            let part = |y: usize| &plane.samples[5 * y..][1..4];
            assert_eq!([part(0), part(1)].concat(), [0, 1, 2, 5, 6, 7].map(|i| i + 10 * c as u8));
        }
    }
}
