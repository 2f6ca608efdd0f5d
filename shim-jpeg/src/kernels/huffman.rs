//! Huffman coding of a block (T.81 F.1.2) and the bytes of the scan.
//!
//! [`encode_block`] appends the bits of one block to raw memory, [`finish`] completes the last byte, and [`stuff`]
//! turns raw bytes into those of the file, where a zero follows every 0xFF so that none looks like a marker.

pub use crate::tables::HuffmanCodes;

/// The most bytes that [`encode_block`] writes for one block, before stuffing: a DC difference of 9 + 11 bits and 63
/// coefficients of at most 16 + 10 bits.
pub const MAX_BLOCK_BYTES: usize = (9 + 11 + 63 * (16 + 10_usize)).div_ceil(8);

/// Bytes past the end of the bits that [`encode_block`] and [`finish`] may overwrite: bits are stored eight bytes
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

impl BitPosition {
    /// Appends the low `length` bits of `bits`, at most 32; the others must be 0.
    #[inline]
    fn put(&mut self, raw: &mut [u8], bits: u32, length: u32) {
        self.pending = (self.pending << length) | u64::from(bits);
        self.count += length;
        // The first bit to the top of the word. Shifted in two steps, since count may be 0.
        let word = (self.pending << 1) << (63 - self.count);
        raw[self.bytes..self.bytes + 8].copy_from_slice(&word.to_be_bytes());
        self.bytes += (self.count >> 3) as usize;
        self.count &= 7;
    }

    /// Appends the code of `symbol`, then the low `size` bits of `value`, or of `value - 1` when it is negative
    /// (T.81 F.1.2.1.1 and F.1.2.2.1: the additional bits).
    #[inline]
    fn put_coded(&mut self, raw: &mut [u8], codes: &HuffmanCodes, symbol: usize, value: i32, size: u32) {
        let additional = (value + (value >> 31)) as u32 & ((1 << size) - 1);
        let code = u32::from(codes.ehufco[symbol]);
        self.put(raw, code << size | additional, u32::from(codes.ehufsi[symbol]) + size);
    }
}

/// SSSS, the number of bits of a magnitude (T.81 Tables F.1 and F.2).
#[inline]
const fn category(value: i32) -> u32 {
    32 - value.unsigned_abs().leading_zeros()
}

/// Which coefficients are not zero: bit k for `zz[k]`.
#[inline]
fn nonzero(zz: &[i16; 64]) -> u64 {
    zz.iter().rev().fold(0, |mask, &z| mask << 1 | u64::from(z != 0))
}

/// Codes one block: the difference of DC `zz[0]` to the prediction `pred`, which is the DC of the component's block
/// before it (F.1.1.5.1 and F.1.2.1), then every AC coefficient that is not zero with the run of zeros before it
/// (F.1.2.2 and Figure F.2: RS = 16 RRRR + SSSS, ZRL = 0xF0 for sixteen zeros), and EOB unless `zz[63]` was one.
///
/// The bits go to `raw` at `position`, which moves on; what `raw` holds up to [`SLACK`] bytes past them is lost.
///
/// # Panics
///
/// When `raw` has less than [`MAX_BLOCK_BYTES`] + [`SLACK`] bytes left and the block needs them.
/// A difference beyond 11 bits or an AC coefficient beyond 10, which no 8-bit image has, gives a wrong stream.
pub fn encode_block(
    zz: &[i16; 64],
    pred: i16,
    dc: &HuffmanCodes,
    ac: &HuffmanCodes,
    raw: &mut [u8],
    position: &mut BitPosition,
) {
    let diff = i32::from(zz[0]) - i32::from(pred);
    let ssss = category(diff);
    position.put_coded(raw, dc, ssss as usize, diff, ssss);

    let mut left = nonzero(zz) & !1;
    let mut previous = 0;
    while left != 0 {
        let k = left.trailing_zeros();
        left &= left - 1;
        let mut rrrr = k - previous - 1;
        while rrrr > 15 {
            position.put_coded(raw, ac, 0xf0, 0, 0);
            rrrr -= 16;
        }
        let value = i32::from(zz[k as usize]);
        let ssss = category(value);
        position.put_coded(raw, ac, (rrrr << 4 | ssss) as usize, value, ssss);
        previous = k;
    }
    if previous != 63 {
        position.put_coded(raw, ac, 0x00, 0, 0);
    }
}

/// Completes the last byte with 1-bits (F.1.2.3), so that no bit is pending.
///
/// # Panics
///
/// When `raw` has less than [`SLACK`] bytes left.
pub fn finish(raw: &mut [u8], position: &mut BitPosition) {
    let missing = (8 - position.count) & 7;
    position.put(raw, (1 << missing) - 1, missing);
}

/// Copies `raw` to `stuffed` with a zero byte after every 0xFF (F.1.2.3 and B.1.1.5), and returns how many bytes
/// that made.
///
/// # Panics
///
/// When `stuffed` is shorter than twice `raw`.
pub fn stuff(raw: &[u8], stuffed: &mut [u8]) -> usize {
    assert!(2 * raw.len() <= stuffed.len());
    let mut length = 0;
    let (words, rest) = raw.as_chunks::<8>();
    for word in words {
        if word.contains(&0xff) {
            length = stuff_bytes(word, stuffed, length);
        } else {
            stuffed[length..length + 8].copy_from_slice(word);
            length += 8;
        }
    }
    stuff_bytes(rest, stuffed, length)
}

/// [`stuff`] byte by byte, from `length` on, where it returns the new length.
fn stuff_bytes(raw: &[u8], stuffed: &mut [u8], mut length: usize) -> usize {
    for &byte in raw {
        stuffed[length] = byte;
        length += 1;
        if byte == 0xff {
            stuffed[length] = 0;
            length += 1;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{CHROMINANCE_AC, CHROMINANCE_DC, LUMINANCE_AC, LUMINANCE_DC};

    fn codes() -> [HuffmanCodes; 4] {
        [LUMINANCE_DC, LUMINANCE_AC, CHROMINANCE_DC, CHROMINANCE_AC].map(|t| HuffmanCodes::new(&t))
    }

    /// The bits of one block as text.
    fn bits(zz: &[i16; 64], pred: i16) -> String {
        let [dc, ac, ..] = codes();
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition::default();
        encode_block(zz, pred, &dc, &ac, &mut raw, &mut position);
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
        let [dc, _, _, ac] = codes();
        let longest = block(&(1..64).map(|k| (k, 1023)).chain([(0, 1023)]).collect::<Vec<_>>());
        let mut raw = [0; MAX_BLOCK_BYTES + SLACK];
        let mut position = BitPosition { count: 7, pending: 0x7f, ..BitPosition::default() };
        encode_block(&longest, -1024, &dc, &ac, &mut raw, &mut position);
        assert!(position.bytes <= MAX_BLOCK_BYTES);
    }

    #[test]
    fn bits_of_consecutive_blocks_join_and_the_last_byte_is_filled_with_ones() {
        let [dc, ac, ..] = codes();
        let (mut raw, mut position) = ([0; 600], BitPosition::default());
        for _ in 0..3 {
            encode_block(&[0; 64], 0, &dc, &ac, &mut raw, &mut position);
        }
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
            let made = stuff(&raw, &mut stuffed);
            let wanted: Vec<u8> =
                raw.iter().flat_map(|&b| [b, 0].into_iter().take(1 + usize::from(b == 0xff))).collect();
            assert_eq!(stuffed[..made], wanted);
        }
    }
}
