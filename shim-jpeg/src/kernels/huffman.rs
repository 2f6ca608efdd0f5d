//! Huffman coding of a row of MCUs (T.81 F.1.2) and the bytes of the scan.
//!
//! [`encode_mcus`] appends the bits of MCUs of a row to raw memory, [`finish`] completes the last byte, and
//! [`stuff`] turns raw bytes into those of the file, where a zero follows every 0xFF so that none looks like a marker.

use std::ops::Range;

use shim::prelude::*;

use super::transform::{Coefficients, Part};
pub use crate::tables::HuffmanCodes;

/// The most bytes that one block takes in [`encode_mcus`], before stuffing: a DC difference of 9 + 11 bits and 63
/// coefficients of at most 16 + 10 bits.
pub const MAX_BLOCK_BYTES: usize = (9 + 11 + 63 * (16 + 10_usize)).div_ceil(8);

/// Bytes past the end of the bits that [`encode_mcus`] and [`finish`] may overwrite: bits are stored eight bytes
/// at a time.
pub const SLACK: usize = 8;

/// The words that [`encode_mcus`] has under way: those of the most blocks in an MCU (B.2.3), 65 each at most, for eight MCUs;
/// and what is written past them.
pub const WORDS: usize = 8 * 10 * 65 + 8;

/// The end of a sequence of bits in raw memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BitPosition {
    /// Whole bytes written.
    pub bytes: usize,
    /// The bits after them, in the low `count` bits.
    pub pending: u64,
    /// How many bits are pending, 0 to 7.
    pub count: u32,
}

/// One component of the scan.
#[derive(Clone, Debug)]
pub struct ScanComponent {
    /// H: blocks of an MCU beside one another.
    pub h: usize,
    /// V: rows of blocks in an MCU.
    pub v: usize,
    /// Its blocks in the MCUs that are coded.
    pub part: Part,
    /// PRED: the DC of the component's last block (F.1.1.5.1).
    pub pred: i32,
    /// Its codes.
    pub codes: &'static Codes,
}

/// The low six bits of a word say how many bits the code above them has, additional bits included.
pub(crate) const LENGTH_BITS: u32 = 6;

/// The codes of a component, with additional bits and as words.
#[derive(Clone, Debug)]
pub struct Codes {
    /// EHUFCO and EHUFSI of DC differences.
    differences: HuffmanCodes,
    /// EHUFCO and EHUFSI of AC coefficients.
    symbols: HuffmanCodes,
    /// The word of EOB.
    end_of_block: u32,
    /// `[16, 256]`: the word of a run of RRRR zeros and a value of -127 to 127 after it, by both, the value without its sign
    /// extension.
    usual: [u32; 4096],
}

impl Codes {
    /// The codes of a table for DC differences, and of one for AC coefficients.
    pub const fn new(differences: HuffmanCodes, symbols: HuffmanCodes) -> Self {
        let mut usual = [0; 4096];
        let mut place = 0;
        while place < 4096 {
            let (rrrr, value) = (place as u32 >> 8, place as u8 as i8);
            if value != 0 && value != i8::MIN {
                usual[place] = symbols.word(rrrr, value as i32);
            }
            place += 1;
        }
        Self { differences, end_of_block: symbols.word(0, 0), symbols, usual }
    }
}

impl HuffmanCodes {
    /// The code for RRRR zeros and `value` after them, with the additional bits: the low SSSS bits of the value, or of
    /// `value - 1` when it is negative (F.1.2.1.1 and F.1.2.2.1).
    #[inline]
    pub(crate) const fn word(&self, rrrr: u32, value: i32) -> u32 {
        let ssss = category(value);
        let symbol = (rrrr << 4 | ssss) as usize & 0xff;
        let additional = (value + (value >> 31)) as u32 & ((1 << ssss) - 1);
        let code = (self.ehufco[symbol] as u32) << ssss | additional;
        code << LENGTH_BITS | (self.ehufsi[symbol] as u32 + ssss)
    }
}

/// SSSS, the number of bits of a magnitude (T.81 Tables F.1 and F.2).
#[inline]
pub(crate) const fn category(value: i32) -> u32 {
    32 - value.unsigned_abs().leading_zeros()
}

/// The words of one block from `end` of `words` on, a template: the difference of DC `zz[0]` to the prediction (F.1.1.5.1
/// and F.1.2.1), then every AC coefficient that is not zero with the run of zeros before it (F.1.2.2 and Figure F.2:
/// RS = 16 RRRR + SSSS, ZRL = 0xF0 for sixteen zeros), and EOB unless `zz[63]` was one. Returns where they end.
#[shim::kernel]
fn words_of_block(
    zz: impl Tensor<i16, 1>,
    coded: u64,
    unusual: u64,
    pred: i32,
    codes: &Codes,
    words: impl Tensor<u32, 1>,
    end: usize,
) -> usize {
    let mut end = end;
    words[[end]] = codes.differences.word(0, i32::from(zz[[0]]) - pred);
    end += 1;
    let mut left = coded & !1;
    let mut previous = 0_isize;
    if unusual == 0 {
        let usual = Block::external(&codes.usual, [16, 256]);
        let stop = end + left.count_ones() as usize;
        // Four at a time: what is past the last of them is written over.
        while end < stop {
            let at = end;
            #[unroll]
            for i in 0..4 {
                let k = left.trailing_zeros() as isize;
                left &= left.wrapping_sub(1);
                words[[at + i]] = usual[[(k - previous - 1) & 15, zz[[k & 63]] & 0xff]];
                previous = k;
            }
            end += 4;
        }
        end = stop;
    } else {
        while left != 0 {
            let k = left.trailing_zeros() as isize;
            left &= left - 1;
            let mut rrrr = (k - previous - 1) as u32;
            while rrrr > 15 {
                words[[end]] = codes.symbols.word(15, 0);
                end += 1;
                rrrr -= 16;
            }
            words[[end]] = codes.symbols.word(rrrr, i32::from(zz[[k & 63]]));
            end += 1;
            previous = k;
        }
    }
    words[[end]] = codes.end_of_block;
    end + (coded & 1) as usize
}

/// The bit writer, a template: appends the codes of `count` words to `raw`, two at a time.
#[shim::kernel]
fn put_words(words: impl Tensor<u32, 1>, count: usize, raw: impl Tensor<u8, 1>, position: &mut BitPosition) {
    let BitPosition { bytes, pending, count: held } = *position;
    let (mut bytes, mut pending, mut held) = (bytes, pending, u64::from(held));
    // After an odd number of words, one of no bits.
    words[[count]] = 0;
    for pair in 0..count.div_ceil(2) {
        let (first, second) = (u64::from(words[[2 * pair]]), u64::from(words[[2 * pair + 1]]));
        pending = pending << (first & 63) | first >> 6;
        pending = pending << (second & 63) | second >> 6;
        held += (first & 63) + (second & 63);
        // The first bit to the top of the word.
        let word = (pending << ((64 - held) & 63)).to_be_bytes();
        let at = bytes;
        #[unroll]
        for i in 0..8 {
            raw[[at + i]] = word[i];
        }
        bytes += (held >> 3) as usize;
        held &= 7;
    }
    *position = BitPosition { bytes, pending: pending & ((1 << held) - 1), count: held as u32 };
}

/// Codes MCUs of a row. The blocks of an MCU follow one another row by row, component after component (A.2.3).
///
/// A block that completes an MCU beyond the component's blocks is flat, and as bright as the one before it, which costs
/// the fewest bits (A.2.4 leaves its contents to the encoder).
///
/// The bits go to `raw` at `position`, which moves on; what `raw` holds up to [`SLACK`] bytes past them is lost.
///
/// # Panics
///
/// When `words` has less than [`WORDS`], or `raw` less than [`MAX_BLOCK_BYTES`] for each block and [`SLACK`] bytes left,
/// and the blocks need them.
/// A difference beyond 11 bits or an AC coefficient beyond 10, which no 8-bit image has, gives a wrong stream.
#[shim::kernel(simd)]
pub fn encode_mcus(
    components: &mut [ScanComponent],
    coefficients: &Coefficients,
    mcus: Range<usize>,
    raw: &mut [u8],
    position: &mut BitPosition,
    words: &mut [u32],
) {
    let raw = Block::external(raw, [raw.len()]);
    let words = Block::external(words, [WORDS]);
    let zz = Block::external(&coefficients.zz, [coefficients.tiles, 64, 16]);
    let coded = Block::external(&coefficients.coded, [coefficients.tiles, 16]);
    let unusual = Block::external(&coefficients.unusual, [coefficients.tiles, 16]);
    let Range { start, end: stop } = mcus;
    for eight in 0..(stop - start).div_ceil(8) {
        let mut end = 0;
        for mcu in start + 8 * eight..stop.min(start + 8 * eight + 8) {
            for ScanComponent { h, v, part, pred, codes } in components.iter_mut() {
                for row in 0..*v {
                    for column in mcu * *h..(mcu + 1) * *h {
                        if row < part.blocks_high && column < part.blocks_wide {
                            let tile = part.first + row * part.tiles + column / 16;
                            let lane = column % 16;
                            let block = zz[[tile, .., lane]];
                            let (coded, unusual) = (coded[[tile, lane]], unusual[[tile, lane]]);
                            end = words_of_block(block, coded, unusual, *pred, codes, words, end);
                            *pred = i32::from(block[[0]]);
                        } else {
                            words[[end]] = codes.differences.word(0, 0);
                            words[[end + 1]] = codes.end_of_block;
                            end += 2;
                        }
                    }
                }
            }
        }
        put_words(words, end, raw, position);
    }
}

/// Completes the last byte with 1-bits (F.1.2.3), so that no bit is pending.
///
/// # Panics
///
/// When `raw` has less than [`SLACK`] bytes left.
#[shim::kernel]
pub fn finish(raw: &mut [u8], position: &mut BitPosition) {
    let raw = Block::external(raw, [raw.len()]);
    let words = Block::stack::<u32>([2]);
    let missing = (8 - position.count) & 7;
    words[[0]] = ((1 << missing) - 1) << LENGTH_BITS | missing;
    put_words(words, 1, raw, position);
}

/// Copies bytes to `stuffed`, from `at` on, with a zero after every 0xFF, and returns where they end; a template.
#[shim::kernel]
fn stuff_bytes(bytes: impl Tensor<u8, 1>, stuffed: impl Tensor<u8, 1>, at: usize) -> usize {
    let mut end = at;
    for [i] in bytes.indices() {
        let n = end;
        stuffed[[n]] = bytes[[i]];
        stuffed[[n + 1]] = 0;
        end += 1 + usize::from(bytes[[i]] == 0xff);
    }
    end
}

/// Copies the first `length` bytes of `raw` to `stuffed` with a zero byte after every 0xFF (F.1.2.3 and B.1.1.5), and
/// returns how many bytes that made.
///
/// # Panics
///
/// When `raw` is shorter, or `stuffed` shorter than twice that.
#[shim::kernel(simd)]
pub fn stuff(raw: &[u8], length: usize, stuffed: &mut [u8]) -> usize {
    let raw = Block::external(raw, [length]);
    let stuffed = Block::external(stuffed, [2 * length]);
    // Most words hold no 0xFF.
    let words = length / 16;
    let mut end = 0;
    for word in 0..words {
        let word = raw[[16 * word..16 * word + 16]];
        let n = end;
        if word.indices().map(|[i]| word[[i]]).max() == Some(0xff) {
            end = stuff_bytes(word, stuffed, n);
        } else {
            for [i] in word.indices() {
                stuffed[[n + i]] = word[[i]];
            }
            end += 16;
        }
    }
    stuff_bytes(raw[[16 * words..]], stuffed, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::transform::{LANES, survey_tiles};
    use crate::tables::TYPICAL_CODES;

    /// One row of MCUs of one component with one block each, and how it is coded.
    fn component(blocks: &[[i16; 64]], pred: i32) -> (ScanComponent, Coefficients) {
        let tiles = blocks.len().div_ceil(LANES);
        let mut coefficients = Coefficients::new(tiles);
        for (n, zz) in blocks.iter().enumerate() {
            for (k, &value) in zz.iter().enumerate() {
                coefficients.zz[(n / LANES * 64 + k) * LANES + n % LANES] = value;
            }
        }
        survey_tiles(&mut coefficients);
        let part = Part { tiles, blocks_high: 1, blocks_wide: blocks.len(), ..Part::default() };
        (ScanComponent { h: 1, v: 1, part, pred, codes: &TYPICAL_CODES[0] }, coefficients)
    }

    /// The bits of one block as text.
    fn bits(zz: &[i16; 64], pred: i32) -> String {
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition::default();
        let (component, coefficients) = component(&[*zz], pred);
        encode_mcus(&mut [component], &coefficients, 0..1, &mut raw, &mut position, &mut vec![0; WORDS]);
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
        component.codes = &TYPICAL_CODES[1];
        let components = &mut [component];
        encode_mcus(components, &coefficients, 0..1, &mut raw, &mut position, &mut vec![0; WORDS]);
        assert_eq!(components[0].pred, 1023);
        assert!(position.bytes <= MAX_BLOCK_BYTES);
    }

    #[test]
    fn bits_of_consecutive_blocks_join_and_the_last_byte_is_filled_with_ones() {
        let (mut raw, mut position) = ([0; 600], BitPosition::default());
        let (component, coefficients) = component(&[[0; 64]; 3], 0);
        encode_mcus(&mut [component], &coefficients, 0..3, &mut raw, &mut position, &mut vec![0; WORDS]);
        finish(&mut raw, &mut position);
        // 001010 three times, and six ones.
        assert_eq!(raw[..position.bytes], [0b0010_1000, 0b1010_0010, 0b1011_1111]);
        assert_eq!(position.count, 0);
        finish(&mut raw, &mut position);
        assert_eq!(position.bytes, 3, "a complete byte is left alone");
    }

    #[test]
    fn a_zero_follows_every_ff() {
        for length in 0..40 {
            let raw: Vec<u8> = (0..length).map(|i| if i % 3 == 1 || i > 30 { 0xff } else { i }).collect();
            let mut stuffed = vec![0xaa; 2 * raw.len()];
            let made = stuff(&raw, raw.len(), &mut stuffed);
            let wanted: Vec<u8> =
                raw.iter().flat_map(|&b| [b, 0].into_iter().take(1 + usize::from(b == 0xff))).collect();
            assert_eq!(stuffed[..made], wanted);
        }
    }
}
