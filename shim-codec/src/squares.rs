//! Pixels taken apart, and the sums of squares of two by two of them: the beginning of a conversion to luma, and to
//! chroma at half its density (4:2:0).

use shim::prelude::*;

/// Copies R, G and B of a row of pixels to `apart`, `[3, w]`; a template.
#[shim::kernel]
pub fn take_apart(
    r: impl Tensor<u8, 1>,
    g: impl Tensor<u8, 1>,
    b: impl Tensor<u8, 1>,
    apart: impl Tensor<u8, 2>,
) {
    for [x] in r.indices() {
        apart[[0, x]] = r[[x]];
        apart[[1, x]] = g[[x]];
        apart[[2, x]] = b[[x]];
    }
}

/// The sums of the samples of each component in squares of two by two pixels, `[3, n]`, of two rows that are taken
/// apart, `[2, 3, 2 n]`; a template. `words`, `[2, 3, n]`, is memory for it.
///
/// Two neighbors are one word, of which a mask and a shift make two samples: no vector is shuffled.
#[shim::kernel]
pub fn sum_squares(apart: impl Tensor<u8, 3>, words: impl Tensor<u16, 3>, sums: impl Tensor<u16, 2>) {
    let p = apart.cast::<u16>();
    for [i, c, x] in words.indices() {
        words[[i, c, x]] = p[[i, c, 2 * x]] | p[[i, c, 2 * x + 1]] << 8;
    }
    for [c, x] in sums.indices() {
        let [above, below] = [words[[0, c, x]], words[[1, c, x]]];
        sums[[c, x]] = (above & 255) + (above >> 8) + (below & 255) + (below >> 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[shim::kernel]
    fn squares(#[shape(2, 10, 3)] pixels: &[u8; 60], #[shape(3, 5)] sums: &mut [u16; 15]) {
        let apart = Block::stack::<u8>([2, 3, 10]);
        for y in 0..2 {
            let row = pixels.slice(0, y);
            take_apart(row.slice(1, 0), row.slice(1, 1), row.slice(1, 2), apart.slice(0, y));
        }
        let words = Block::stack::<u16>([2, 3, 5]);
        sum_squares(apart, words, sums);
    }

    #[test]
    fn sums_are_those_of_the_pixels() {
        let mut random = Random::new(7);
        let pixels: [u8; 60] = core::array::from_fn(|_| random.byte());
        let mut sums = [0; 15];
        squares(&pixels, &mut sums);
        let at = |y: usize, x: usize, c: usize| u16::from(pixels[(10 * y + x) * 3 + c]);
        for (i, sum) in sums.into_iter().enumerate() {
            let (c, x) = (i / 5, 2 * (i % 5));
            assert_eq!(sum, at(0, x, c) + at(0, x + 1, c) + at(1, x, c) + at(1, x + 1, c));
        }
        squares(&[255; 60], &mut sums);
        assert_eq!(sums, [1020; 15]);
    }
}
