//! The words of a block's coefficients (T.81 F.1.2), whatever a word is.

use shim::prelude::*;

/// The words of a component: codes with their additional bits, or tokens that have no codes yet.
pub(super) trait Coding {
    /// The word of a difference of DC (F.1.2.1).
    fn difference(&self, difference: i32) -> u32;

    /// The word of RRRR zeros and an AC coefficient after them (F.1.2.2); of 15 zeros and another one it is ZRL.
    fn coefficient(&self, rrrr: u32, value: i32) -> u32;

    /// `[16, 256]`: the words of RRRR zeros and a coefficient of -127 to 127 after them, by both, the coefficient
    /// without its sign extension; all without the bits of [`Coding::mark`].
    fn short_words(&self) -> &[u32; 4096];

    /// Bits that every word of an AC coefficient has.
    fn mark(&self) -> u32;

    /// The word of EOB.
    fn end_of_block(&self) -> u32;

    /// The word of a bit that follows no code.
    fn bit(&self, bit: u32) -> u32;
}

/// Appends the words of a block: the difference of DC `zz[0]` to the prediction (F.1.1.5.1 and F.1.2.1), then every AC
/// coefficient that is not zero with the run of zeros before it (F.1.2.2 and Figure F.2: RS = 16 RRRR + SSSS, ZRL =
/// 0xF0 for sixteen zeros), and EOB unless `zz[63]` was one; a template.
///
/// `coded` and `needs_escape` are those of [`Coefficients`](super::tile::Coefficients).
#[shim::kernel]
pub(super) fn words_of_block<C: Coding>(
    zz: impl Tensor<i16, 1>,
    coded: u64,
    needs_escape: u64,
    pred: i32,
    coding: &C,
    words: impl Tensor<u32, 1>,
) {
    words.push(Coding::difference(coding, i32::from(zz[[0]]) - pred));
    let mut left = coded & !1;
    let mut previous = 0_isize;
    if needs_escape == 0 {
        let short_words = Block::external(Coding::short_words(coding), [16, 256]);
        let mark = Coding::mark(coding);
        let end = words.len() + left.count_ones() as usize;
        // Four at a time, of which those behind the last one are dropped.
        while words.len() < end {
            words.extend((0..4).map(|_| {
                let k = left.trailing_zeros() as isize;
                left &= left.wrapping_sub(1);
                let word = short_words[[(k - previous - 1) & 15, zz[[k & 63]] & 0xff]];
                previous = k;
                mark | word
            }));
        }
        words.truncate(end);
    } else {
        while left != 0 {
            let k = left.trailing_zeros() as isize;
            left &= left - 1;
            let mut rrrr = (k - previous - 1) as u32;
            while rrrr > 15 {
                words.push(Coding::coefficient(coding, 15, 0));
                rrrr -= 16;
            }
            words.push(Coding::coefficient(coding, rrrr, i32::from(zz[[k & 63]])));
            previous = k;
        }
    }
    words.push_if(coded & 1 != 0, Coding::end_of_block(coding));
}
