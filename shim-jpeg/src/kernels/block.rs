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

    /// Stands for no word.
    fn none(&self) -> u32;

    /// The word of EOB.
    fn end_of_block(&self) -> u32;

    /// The word of a bit that follows no code.
    fn bit(&self, bit: u32) -> u32;
}

/// Puts the words of a block: the difference of DC `zz[0]` to the prediction (F.1.1.5.1 and F.1.2.1), then every AC
/// coefficient that is not zero with the run of zeros before it (F.1.2.2 and Figure F.2: RS = 16 RRRR + SSSS, ZRL =
/// 0xF0 for sixteen zeros), and EOB unless `zz[63]` was one; a template.
///
/// `put` appends three words to `out`, any of which may be none, and `put_two` two: coefficients are put two at a time,
/// so that a block has one branch for two of them. The last one, if their number is odd, and EOB wait as `pending` for
/// the next block's DC. `coded` is that of [`Coefficients`](super::tile::Coefficients).
#[shim::kernel]
pub(super) fn words_of_block<C: Coding, E, S>(
    put: impl Template,
    put_two: impl Template,
    zz: impl Tensor<i16, 1>,
    coded: u64,
    pred: i32,
    coding: &C,
    pending: &mut [u32; 2],
    out: impl Tensor<E, 1>,
    state: &mut S,
) {
    let none = Coding::none(coding);
    put(pending[0], pending[1], Coding::difference(coding, i32::from(zz[[0]]) - pred), out, state);
    let end_of_block = if coded >> 63 == 0 { Coding::end_of_block(coding) } else { none };
    let mut previous = 0_isize;
    if coded & 1 == 0 {
        let short_words = Block::external(Coding::short_words(coding), [16, 256]);
        let mark = Coding::mark(coding);
        let mut left = coded;
        let mut rest = left & left.wrapping_sub(1);
        while rest != 0 {
            let k = left.trailing_zeros() as isize;
            let first = mark | short_words[[(k - previous - 1) & 15, zz[[k & 63]] & 0xff]];
            previous = rest.trailing_zeros() as isize;
            let second = mark | short_words[[(previous - k - 1) & 15, zz[[previous & 63]] & 0xff]];
            put_two(first, second, out, state);
            left = rest & (rest - 1);
            rest = left & left.wrapping_sub(1);
        }
        let k = (left | 1 << 63).trailing_zeros() as isize;
        let last = mark | short_words[[(k - previous - 1) & 15, zz[[k & 63]] & 0xff]];
        // Half of all blocks have one: no branch would be predicted.
        *pending = [core::hint::select_unpredictable(left != 0, last, none), end_of_block];
    } else {
        let mut left = coded & !1;
        while left != 0 {
            let k = left.trailing_zeros() as isize;
            left &= left - 1;
            let mut rrrr = (k - previous - 1) as u32;
            while rrrr > 15 {
                put(none, none, Coding::coefficient(coding, 15, 0), out, state);
                rrrr -= 16;
            }
            put(none, none, Coding::coefficient(coding, rrrr, i32::from(zz[[k & 63]])), out, state);
            previous = k;
        }
        *pending = [none, end_of_block];
    }
}
