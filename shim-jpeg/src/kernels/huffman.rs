//! Huffman coding of MCUs (T.81 F.1.2): a code and the additional bits after it are a *word*, and words become bits two
//! at a time.

use shim::prelude::*;

use super::bits::{BitPosition, put_three, put_two};
pub use super::codes::{Codes, HuffmanCodes};
use super::mcu::{Mcus, Predictions, words_of_mcus};
pub use crate::kernels::tables::STANDARD_CODES;

/// The most bytes that one block takes in [`encode_mcus`], before stuffing: a DC difference of 9 + 11 bits and 63
/// coefficients of at most 16 + 10 bits.
pub const MAX_BLOCK_BYTES: usize = (9 + 11 + 63 * (16 + 10_usize)).div_ceil(8);

/// Codes MCUs by the codes of luminance and of chrominance. The bits go to `raw` at `position`, which moves on; what
/// `raw` holds up to [`SLACK`](super::bits::SLACK) bytes past them is lost.
///
/// # Panics
///
/// When `raw` has less than [`MAX_BLOCK_BYTES`] for each block and `SLACK` bytes left, and the blocks need them. A
/// difference beyond 11 bits or an AC coefficient beyond 10, which no 8-bit image has, gives a wrong stream.
#[shim::kernel(simd(v3))]
pub fn encode_mcus(
    mcus: &Mcus<'_>,
    predictions: &mut Predictions,
    codes: &[Codes; 2],
    raw: &mut [u8],
    position: &mut BitPosition,
) {
    let raw = Block::external(raw, [raw.len()]);
    let mut end = *position;
    let coding = [&codes[0], &codes[1]];
    words_of_mcus::<Codes, u8, BitPosition>(put_three, put_two, mcus, predictions, coding, raw, &mut end);
    end.pending &= (1 << end.count) - 1;
    *position = end;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::bits::{SLACK, finish};
    use crate::kernels::mcu::{Columns, McuBlock};
    use crate::kernels::tile::{Coefficients, LANES};
    use crate::kernels::transform::scan_masks_of;

    /// The coefficients of blocks of one component.
    fn coefficients(blocks: &[[i16; 64]]) -> Coefficients {
        let tiles = blocks.len().div_ceil(LANES);
        let mut coefficients = Coefficients::new([1, 0, 0, 0], [tiles, 0, 0, 0]);
        for (n, zz) in blocks.iter().enumerate() {
            for (k, &value) in zz.iter().enumerate() {
                coefficients.zz[(n / LANES * 64 + k) * LANES + n % LANES] = value;
            }
        }
        (0..tiles).for_each(|tile| scan_masks_of(tile, &mut coefficients));
        coefficients
    }

    /// Codes blocks, each an MCU.
    fn encode(
        blocks: &[[i16; 64]],
        pred: &mut i32,
        table: usize,
        raw: &mut [u8],
        position: &mut BitPosition,
    ) {
        let coefficients = &coefficients(blocks);
        let block = McuBlock { first: 0, step: 1, component: 0, table, inside: [true; 2] };
        let (range, columns) = (0..blocks.len(), Columns::default());
        let mcus = Mcus { blocks: &[block], coefficients, range, columns };
        let mut predictions = [*pred, 0, 0, 0];
        encode_mcus(&mcus, &mut predictions, &STANDARD_CODES, raw, position);
        *pred = predictions[0];
    }

    /// The bits of one block as text.
    fn bits(zz: &[i16; 64], pred: i32) -> String {
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition::default();
        encode(&[*zz], &mut { pred }, 0, &mut raw, &mut position);
        let pending = (0..position.count).rev().map(|i| position.pending >> i & 1 == 1);
        let whole =
            raw[..position.bytes].iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1));
        whole.chain(pending).map(|bit| if bit { '1' } else { '0' }).collect()
    }

    fn block(values: &[(usize, i16)]) -> [i16; 64] {
        let mut zz = [0; 64];
        for &(k, value) in values {
            zz[k] = value;
        }
        zz
    }

    #[test]
    fn a_flat_block_is_a_difference_and_eob() {
        assert_eq!(bits(&block(&[(0, 5)]), 5), "00 1010".replace(' ', ""));
        assert_eq!(bits(&block(&[(0, 5)]), 2), "011 11 1010".replace(' ', ""));
        assert_eq!(bits(&block(&[(0, 2)]), 5), "011 00 1010".replace(' ', ""));
        assert_eq!(bits(&block(&[(0, -1)]), 0), "010 0 1010".replace(' ', ""));
        assert_eq!(bits(&block(&[(0, 1023)]), -1024), "111111110 11111111111 1010".replace(' ', ""));
    }

    #[test]
    fn runs_sizes_and_zrl() {
        // Codes of Table K.5: 0/1 = 00, 1/2 = 11011, ZRL = 11111111001, 2/1 = 11100.
        assert_eq!(bits(&block(&[(1, 1)]), 0), "00 00 1 1010".replace(' ', ""));
        assert_eq!(bits(&block(&[(2, -3)]), 0), "00 11011 00 1010".replace(' ', ""));
        let zrl = "11111111001";
        assert_eq!(bits(&block(&[(19, 1)]), 0), format!("00 {zrl} 11100 1 1010").replace(' ', ""));
        assert_eq!(bits(&block(&[(17, 1)]), 0), format!("00 {zrl} 00 1 1010").replace(' ', ""));
        // Fifteen zeros are a run by themselves: 15/1 = 1111111111110101.
        assert_eq!(bits(&block(&[(16, 1)]), 0), "00 1111111111110101 1 1010".replace(' ', ""));
    }

    #[test]
    fn no_eob_after_the_last_coefficient() {
        let zrl = "11111111001";
        // 63 - 1 = 62 zeros: three ZRL and fourteen more, 14/1 = 1111111111101011.
        let wanted = format!("00 {zrl} {zrl} {zrl} 1111111111101011 0").replace(' ', "");
        assert_eq!(bits(&block(&[(63, -1)]), 0), wanted);
    }

    #[test]
    fn the_largest_block_fits() {
        let longest = block(&(1..64).map(|k| (k, 1023)).chain([(0, 1023)]).collect::<Vec<_>>());
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition { count: 7, pending: 0x7f, ..BitPosition::default() };
        let mut pred = -1024;
        encode(&[longest], &mut pred, 1, &mut raw, &mut position);
        assert_eq!(pred, 1023);
        assert!(position.bytes <= MAX_BLOCK_BYTES);
    }

    #[test]
    fn bits_of_consecutive_blocks_join_and_the_last_byte_is_filled_with_ones() {
        let (mut raw, mut position) = ([0; 600], BitPosition::default());
        encode(&[[0; 64]; 3], &mut 0, 0, &mut raw, &mut position);
        finish(&mut raw, &mut position);
        // 001010 three times, and six ones.
        assert_eq!(raw[..position.bytes], [0b0010_1000, 0b1010_0010, 0b1011_1111]);
        assert_eq!(position.count, 0);
        finish(&mut raw, &mut position);
        assert_eq!(position.bytes, 3, "a complete byte is left alone");
    }
}
