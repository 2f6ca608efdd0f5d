//! Huffman coding of a row of MCUs (T.81 F.1.2).
//!
//! A code and the additional bits after it are a *word*. [`encode_mcus`] finds the words of eight MCUs, and
//! [`put_words`] makes bits of them.

use core::ops::Range;

use shim::prelude::*;

use super::bits::{BitPosition, GROUP, put_words};
pub use super::codes::{Codes, HuffmanCodes};
use super::mcu::words_of_mcu;
pub use super::mcu::{Columns, ScanComponent};
use super::prefetch::Prefetch;
use super::tile::Coefficients;
pub use crate::kernels::tables::STANDARD_CODES;

/// The most bytes that one block takes in [`encode_mcus`], before stuffing: a DC difference of 9 + 11 bits and 63
/// coefficients of at most 16 + 10 bits.
pub const MAX_BLOCK_BYTES: usize = (9 + 11 + 63 * (16 + 10_usize)).div_ceil(8);

/// The words that [`encode_mcus`] has under way: those of the most blocks in an MCU (B.2.3), 65 each at most, for eight
/// MCUs; and what is written past them.
pub const WORDS: usize = (8 * 10 * 65 + 8_usize).next_multiple_of(GROUP);

/// Codes MCUs by the codes of luminance and of chrominance. The bits go to `raw` at `position`, which moves on; what
/// `raw` holds up to [`SLACK`](super::bits::SLACK) bytes past them is lost. Meanwhile the CPU fetches the pixels of
/// `prefetch`.
///
/// # Panics
///
/// When there are more than ten blocks in an MCU, `words` has less than [`WORDS`], or `raw` less than
/// [`MAX_BLOCK_BYTES`] for each block and `SLACK` bytes left, and the blocks need them. A difference beyond 11
/// bits or an AC coefficient beyond 10, which no 8-bit image has, gives a wrong stream.
#[shim::kernel(simd(v3))]
pub fn encode_mcus(
    components: &mut [ScanComponent],
    #[located] coefficients: &Coefficients,
    mcus: Range<usize>,
    columns: Columns,
    codes: &[Codes; 2],
    raw: &mut [u8],
    position: &mut BitPosition,
    words: &mut [u32],
    prefetch: &Prefetch<'_>,
) {
    let soon = Block::rows(&prefetch.rows, [prefetch.count, prefetch.rows[0].len()]);
    let (zz, coded, needs_escape) = (coefficients.zz, coefficients.coded, coefficients.needs_escape);
    let coding = [&codes[0], &codes[1]];
    let Range { start, end: stop } = mcus;
    for eight in (start..stop).step_by(8) {
        let own = Block::external(&mut *words, [WORDS]).list();
        for mcu in eight..stop.min(eight + 8) {
            // In each of the eight, an eighth of the rows.
            for y in (mcu - eight..soon.extent(0)).step_by(8) {
                for x in (0..8 * prefetch.step).step_by(64) {
                    soon.prefetch([y, prefetch.from + eight * prefetch.step + x]);
                }
            }
            let column = (columns.before + mcu) % columns.wide;
            words_of_mcu::<Codes>(components, zz, coded, needs_escape, mcu, column, coding, own);
        }
        put_words(words, own.len(), raw, position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::bits::{SLACK, finish};
    use crate::kernels::tile::{Blocks, LANES};
    use crate::kernels::transform::scan_masks_of;

    /// One row of MCUs of one component with one block each, and how it is coded.
    fn component(blocks: &[[i16; 64]], pred: i32) -> (ScanComponent, Coefficients) {
        let tiles = blocks.len().div_ceil(LANES);
        let mut coefficients = Coefficients::new([1, 0, 0, 0], [tiles, 0, 0, 0]);
        for (n, zz) in blocks.iter().enumerate() {
            for (k, &value) in zz.iter().enumerate() {
                coefficients.zz[(n / LANES * 64 + k) * LANES + n % LANES] = value;
            }
        }
        (0..tiles).for_each(|tile| scan_masks_of([0, 0, tile], &mut coefficients));
        let own = Blocks { high: 1, wide: blocks.len(), ..Blocks::default() };
        (ScanComponent { h: 1, v: 1, blocks: own, blocks_wide: own.wide, pred, table: 0 }, coefficients)
    }

    /// The bits of one block as text.
    fn bits(zz: &[i16; 64], pred: i32) -> String {
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition::default();
        let (component, coefficients) = component(&[*zz], pred);
        encode_mcus(
            &mut [component],
            &coefficients,
            0..1,
            Columns::default(),
            &STANDARD_CODES,
            &mut raw,
            &mut position,
            &mut vec![0; WORDS],
            &Prefetch::default(),
        );
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
        let (mut component, coefficients) = component(&[longest], -1024);
        component.table = 1;
        let components = &mut [component];
        encode_mcus(
            components,
            &coefficients,
            0..1,
            Columns::default(),
            &STANDARD_CODES,
            &mut raw,
            &mut position,
            &mut vec![0; WORDS],
            &Prefetch::default(),
        );
        assert_eq!(components[0].pred, 1023);
        assert!(position.bytes <= MAX_BLOCK_BYTES);
    }

    #[test]
    fn bits_of_consecutive_blocks_join_and_the_last_byte_is_filled_with_ones() {
        let (mut raw, mut position) = ([0; 600], BitPosition::default());
        let (component, coefficients) = component(&[[0; 64]; 3], 0);
        encode_mcus(
            &mut [component],
            &coefficients,
            0..3,
            Columns::default(),
            &STANDARD_CODES,
            &mut raw,
            &mut position,
            &mut vec![0; WORDS],
            &Prefetch::default(),
        );
        finish(&mut raw, &mut position);
        // 001010 three times, and six ones.
        assert_eq!(raw[..position.bytes], [0b0010_1000, 0b1010_0010, 0b1011_1111]);
        assert_eq!(position.count, 0);
        finish(&mut raw, &mut position);
        assert_eq!(position.bytes, 3, "a complete byte is left alone");
    }
}
