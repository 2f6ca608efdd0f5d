//! Huffman coding of a row of MCUs (T.81 F.1.2) and the bytes of the scan.
//!
//! [`encode_mcus`] appends the bits of one row of MCUs to raw memory, [`finish`] completes the last byte, and
//! [`stuff`] turns raw bytes into those of the file, where a zero follows every 0xFF so that none looks like a marker.

use shim::prelude::*;

pub use crate::tables::HuffmanCodes;

/// The most bytes that one block takes in [`encode_mcus`], before stuffing: a DC difference of 9 + 11 bits and 63
/// coefficients of at most 16 + 10 bits.
pub const MAX_BLOCK_BYTES: usize = (9 + 11 + 63 * (16 + 10_usize)).div_ceil(8);

/// Bytes past the end of the bits that [`encode_mcus`] and [`finish`] may overwrite: bits are stored eight bytes
/// at a time.
pub const SLACK: usize = 8;

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

/// One component of the scan, with its blocks of one row of MCUs.
#[derive(Clone, Debug)]
pub struct ScanComponent {
    /// H and V, which are the same: blocks along a side of the MCU.
    pub factor: usize,
    /// The quantised coefficients in zigzag order, `[blocks_high, blocks_wide, 64]`.
    pub coefficients: Vec<i16>,
    /// Rows of blocks, at most `factor`.
    pub blocks_high: usize,
    /// Blocks in a row.
    pub blocks_wide: usize,
    /// PRED: the DC of the component's last block (F.1.1.5.1).
    pub pred: i32,
    /// The codes of DC differences.
    pub dc: HuffmanCodes,
    /// The codes of AC coefficients.
    pub ac: HuffmanCodes,
}

/// The bit writer, a template: appends the low `length` bits of `bits`, at most 32, of which the others must be 0.
#[shim::kernel]
fn put(raw: impl Tensor<u8, 1>, position: &mut BitPosition, bits: u32, length: u32) {
    position.pending = (position.pending << length) | u64::from(bits);
    position.count += length;
    // The first bit to the top of the word. Shifted in two steps, since count may be 0.
    let word = (position.pending << 1) << (63 - position.count);
    let n = position.bytes;
    #[unroll]
    for i in 0..8 {
        raw[[n + i]] = (word >> (56 - 8 * i)) as u8;
    }
    position.bytes = n + (position.count >> 3) as usize;
    position.count &= 7;
}

/// Appends the code of `symbol`, then the low `ssss` bits of `value`, or of `value - 1` when it is negative (F.1.2.1.1
/// and F.1.2.2.1: the additional bits); a template.
#[shim::kernel]
fn put_coded(
    raw: impl Tensor<u8, 1>,
    position: &mut BitPosition,
    codes: &HuffmanCodes,
    symbol: u8,
    value: i32,
    ssss: u32,
) {
    let ehufco = Block::external(&codes.ehufco, [256]).cast::<u32>();
    let ehufsi = Block::external(&codes.ehufsi, [256]).cast::<u32>();
    let additional = (value + (value >> 31)) as u32 & ((1 << ssss) - 1);
    put(raw, position, ehufco[[symbol]] << ssss | additional, ehufsi[[symbol]] + ssss);
}

/// SSSS, the number of bits of a magnitude (T.81 Tables F.1 and F.2).
#[inline]
const fn category(value: i32) -> u32 {
    32 - value.unsigned_abs().leading_zeros()
}

/// Codes one block, a template: the difference of DC `zz[0]` to the prediction (F.1.1.5.1 and F.1.2.1), then every AC
/// coefficient that is not zero with the run of zeros before it (F.1.2.2 and Figure F.2: RS = 16 RRRR + SSSS, ZRL =
/// 0xF0 for sixteen zeros), and EOB unless `zz[63]` was one.
#[shim::kernel]
fn encode_block(
    zz: impl Tensor<i32, 1>,
    pred: i32,
    dc: &HuffmanCodes,
    ac: &HuffmanCodes,
    raw: impl Tensor<u8, 1>,
    position: &mut BitPosition,
) {
    let diff = zz[[0]] - pred;
    let ssss = category(diff);
    put_coded(raw, position, dc, ssss as u8, diff, ssss);

    // Bit k for zz[k].
    let nonzero = zz.indices().map(|[k]| u64::from(zz[[k]] != 0) << k).sum::<u64>();
    let mut left = nonzero & !1;
    let mut previous = 0;
    while left != 0 {
        let k = left.trailing_zeros();
        left &= left - 1;
        let mut rrrr = k - previous - 1;
        while rrrr > 15 {
            put_coded(raw, position, ac, 0xf0, 0, 0);
            rrrr -= 16;
        }
        let value = zz[[k]];
        let ssss = category(value);
        put_coded(raw, position, ac, (rrrr << 4 | ssss) as u8, value, ssss);
        previous = k;
    }
    if previous != 63 {
        put_coded(raw, position, ac, 0x00, 0, 0);
    }
}

/// Codes a row of `mcus` MCUs. The blocks of an MCU follow one another row by row, component after component (A.2.3).
///
/// A block that completes an MCU beyond the component's blocks is flat, and as bright as the one before it, which costs
/// the fewest bits (A.2.4 leaves its contents to the encoder).
///
/// The bits go to `raw` at `position`, which moves on; what `raw` holds up to [`SLACK`] bytes past them is lost.
///
/// # Panics
///
/// When `raw` has less than [`MAX_BLOCK_BYTES`] for each block and [`SLACK`] bytes left, and the blocks need them.
/// A difference beyond 11 bits or an AC coefficient beyond 10, which no 8-bit image has, gives a wrong stream.
#[shim::kernel(simd)]
pub fn encode_mcus(
    components: &mut [ScanComponent],
    mcus: usize,
    raw: &mut [u8],
    position: &mut BitPosition,
) {
    let raw = Block::external(raw, [raw.len()]);
    for mcu in 0..mcus {
        for ScanComponent { factor, coefficients, blocks_high, blocks_wide, pred, dc, ac } in
            components.iter_mut()
        {
            let factor = *factor;
            let blocks = Block::external(coefficients, [*blocks_high, *blocks_wide, 64]).cast::<i32>();
            for v in 0..factor {
                for h in mcu * factor..(mcu + 1) * factor {
                    let zz = Block::stack::<i32>([64]);
                    if blocks.contains([v, h, 0]) {
                        for [k] in zz.indices() {
                            zz[[k]] = blocks[[v, h, k]];
                        }
                    } else {
                        zz[[0]] = *pred;
                    }
                    encode_block(zz, *pred, dc, ac, raw, position);
                    *pred = zz[[0]];
                }
            }
        }
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
    let missing = (8 - position.count) & 7;
    put(raw, position, (1 << missing) - 1, missing);
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
    use crate::tables::{CHROMINANCE_AC, CHROMINANCE_DC, LUMINANCE_AC, LUMINANCE_DC};

    fn codes() -> [HuffmanCodes; 4] {
        [LUMINANCE_DC, LUMINANCE_AC, CHROMINANCE_DC, CHROMINANCE_AC].map(|t| HuffmanCodes::new(&t))
    }

    /// One row of MCUs of one component with one block each.
    fn component(blocks: &[[i16; 64]], pred: i32) -> ScanComponent {
        let [dc, ac, ..] = codes();
        let (coefficients, blocks_wide) = (blocks.concat(), blocks.len());
        ScanComponent { factor: 1, coefficients, blocks_high: 1, blocks_wide, pred, dc, ac }
    }

    /// The bits of one block as text.
    fn bits(zz: &[i16; 64], pred: i32) -> String {
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition::default();
        encode_mcus(&mut [component(&[*zz], pred)], 1, &mut raw, &mut position);
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
        let [_, _, _, ac] = codes();
        let longest = block(&(1..64).map(|k| (k, 1023)).chain([(0, 1023)]).collect::<Vec<_>>());
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition { count: 7, pending: 0x7f, ..BitPosition::default() };
        let mut components = [ScanComponent { ac, ..component(&[longest], -1024) }];
        encode_mcus(&mut components, 1, &mut raw, &mut position);
        assert_eq!(components[0].pred, 1023);
        assert!(position.bytes <= MAX_BLOCK_BYTES);
    }

    #[test]
    fn bits_of_consecutive_blocks_join_and_the_last_byte_is_filled_with_ones() {
        let (mut raw, mut position) = ([0; 600], BitPosition::default());
        encode_mcus(&mut [component(&[[0; 64]; 3], 0)], 3, &mut raw, &mut position);
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
