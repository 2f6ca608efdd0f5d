//! The arithmetic coder (T.81 Annex D): binary decisions, each with the statistics of its context, become bytes.

use alloc::vec::Vec;

use shim::prelude::*;

use super::bits::SLACK;
use super::decisions::{BINS, FIXED};

/// Bytes that [`code_decisions`] makes of a decision, at most: it shifts by 15 bits.
const DECISION_BYTES: usize = 2;

/// Bytes that [`flush_registers`] adds, at most, beside those that are stacked.
const FLUSH_BYTES: usize = 4;

/// Table D.3: Qe, the next index after an LPS and after an MPS, and whether an LPS switches the sense of the MPS.
#[rustfmt::skip]
const ESTIMATION: [(u16, u8, u8, u8); 113] = [
    (0x5a1d,   1,   1, 1), (0x2586,  14,   2, 0), (0x1114,  16,   3, 0), (0x080b,  18,   4, 0),
    (0x03d8,  20,   5, 0), (0x01da,  23,   6, 0), (0x00e5,  25,   7, 0), (0x006f,  28,   8, 0),
    (0x0036,  30,   9, 0), (0x001a,  33,  10, 0), (0x000d,  35,  11, 0), (0x0006,   9,  12, 0),
    (0x0003,  10,  13, 0), (0x0001,  12,  13, 0), (0x5a7f,  15,  15, 1), (0x3f25,  36,  16, 0),
    (0x2cf2,  38,  17, 0), (0x207c,  39,  18, 0), (0x17b9,  40,  19, 0), (0x1182,  42,  20, 0),
    (0x0cef,  43,  21, 0), (0x09a1,  45,  22, 0), (0x072f,  46,  23, 0), (0x055c,  48,  24, 0),
    (0x0406,  49,  25, 0), (0x0303,  51,  26, 0), (0x0240,  52,  27, 0), (0x01b1,  54,  28, 0),
    (0x0144,  56,  29, 0), (0x00f5,  57,  30, 0), (0x00b7,  59,  31, 0), (0x008a,  60,  32, 0),
    (0x0068,  62,  33, 0), (0x004e,  63,  34, 0), (0x003b,  32,  35, 0), (0x002c,  33,   9, 0),
    (0x5ae1,  37,  37, 1), (0x484c,  64,  38, 0), (0x3a0d,  65,  39, 0), (0x2ef1,  67,  40, 0),
    (0x261f,  68,  41, 0), (0x1f33,  69,  42, 0), (0x19a8,  70,  43, 0), (0x1518,  72,  44, 0),
    (0x1177,  73,  45, 0), (0x0e74,  74,  46, 0), (0x0bfb,  75,  47, 0), (0x09f8,  77,  48, 0),
    (0x0861,  78,  49, 0), (0x0706,  79,  50, 0), (0x05cd,  48,  51, 0), (0x04de,  50,  52, 0),
    (0x040f,  50,  53, 0), (0x0363,  51,  54, 0), (0x02d4,  52,  55, 0), (0x025c,  53,  56, 0),
    (0x01f8,  54,  57, 0), (0x01a4,  55,  58, 0), (0x0160,  56,  59, 0), (0x0125,  57,  60, 0),
    (0x00f6,  58,  61, 0), (0x00cb,  59,  62, 0), (0x00ab,  61,  63, 0), (0x008f,  61,  32, 0),
    (0x5b12,  65,  65, 1), (0x4d04,  80,  66, 0), (0x412c,  81,  67, 0), (0x37d8,  82,  68, 0),
    (0x2fe8,  83,  69, 0), (0x293c,  84,  70, 0), (0x2379,  86,  71, 0), (0x1edf,  87,  72, 0),
    (0x1aa9,  87,  73, 0), (0x174e,  72,  74, 0), (0x1424,  72,  75, 0), (0x119c,  74,  76, 0),
    (0x0f6b,  74,  77, 0), (0x0d51,  75,  78, 0), (0x0bb6,  77,  79, 0), (0x0a40,  77,  48, 0),
    (0x5832,  80,  81, 1), (0x4d1c,  88,  82, 0), (0x438e,  89,  83, 0), (0x3bdd,  90,  84, 0),
    (0x34ee,  91,  85, 0), (0x2eae,  92,  86, 0), (0x299a,  93,  87, 0), (0x2516,  86,  71, 0),
    (0x5570,  88,  89, 1), (0x4ca9,  95,  90, 0), (0x44d9,  96,  91, 0), (0x3e22,  97,  92, 0),
    (0x3824,  99,  93, 0), (0x32b4,  99,  94, 0), (0x2e17,  93,  86, 0), (0x56a8,  95,  96, 1),
    (0x4f46, 101,  97, 0), (0x47e5, 102,  98, 0), (0x41cf, 103,  99, 0), (0x3c3d, 104, 100, 0),
    (0x375e,  99,  93, 0), (0x5231, 105, 102, 0), (0x4c0f, 106, 103, 0), (0x4639, 107, 104, 0),
    (0x415e, 103,  99, 0), (0x5627, 105, 106, 1), (0x50e7, 108, 107, 0), (0x4b85, 109, 103, 0),
    (0x5597, 110, 109, 0), (0x504f, 111, 107, 0), (0x5a10, 110, 111, 1), (0x5522, 112, 109, 0),
    (0x59eb, 112, 111, 1),
];

/// The index of a context whose decisions are equally probable at all times, behind those of [`ESTIMATION`].
const EQUAL: u8 = 113;

/// For an index and the sense of the MPS in the lowest bit: Qe, and above it what an MPS and an LPS make of both.
static TRANSITIONS: [u32; 256] = {
    let mut transitions = [0; 256];
    let mut bin = 0;
    while bin < 2 * EQUAL as usize {
        let (qe, lps, mps, switch) = ESTIMATION[bin / 2];
        let sense = bin as u32 & 1;
        let [mps, lps] = [(mps as u32) << 1 | sense, (lps as u32) << 1 | (sense ^ switch as u32)];
        transitions[bin] = qe as u32 | mps << 16 | lps << 24;
        bin += 1;
    }
    transitions[bin] = ESTIMATION[0].0 as u32 | (2 * EQUAL as u32) << 16 | (2 * EQUAL as u32) << 24;
    transitions
};

/// The statistics of all contexts: for each the index in Table D.3, and the sense of the MPS in the lowest bit.
#[derive(Clone, Debug)]
pub struct Statistics {
    bins: [u8; BINS],
}

impl Default for Statistics {
    /// Those at the beginning of a scan and of a restart interval.
    fn default() -> Self {
        let mut bins = [0; BINS];
        bins[FIXED] = 2 * EQUAL;
        Self { bins }
    }
}

/// The registers of the coder (D.1.2 to D.1.6).
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// C: the base of the interval.
    c: u32,
    /// A: its size.
    a: u32,
    /// CT: shifts until a byte is complete.
    ct: u32,
    /// ST: bytes of 0xFF after `b` that a carry would change.
    st: u32,
    /// B: the last byte, which a carry may change; none at the beginning.
    b: Option<u8>,
}

impl Default for Registers {
    /// Initenc (D.1.7).
    fn default() -> Self {
        Self { c: 0, a: 0x10000, ct: 11, st: 0, b: None }
    }
}

impl Registers {
    /// Number of bytes that wait for a carry.
    fn waiting(&self) -> usize {
        1 + self.st as usize
    }
}

/// `Byte_out` (D.1.6), without the zero after a byte of 0xFF, which [`stuff`](super::bits::stuff) adds; a template.
#[shim::kernel]
fn byte_out(registers: &mut Registers, raw: impl Tensor<u8, 1>) {
    let t = registers.c >> 19;
    registers.c &= 0x7_ffff;
    if t == 0xff {
        registers.st += 1;
    } else {
        let carry = (t >> 8) as u8;
        if let Some(b) = registers.b {
            raw.push(b + carry);
        }
        for _ in 0..registers.st {
            raw.push(0xff_u8.wrapping_add(carry));
        }
        registers.st = 0;
        registers.b = Some(t as u8);
    }
}

/// Codes the first `count` decisions (D.1.4 and D.1.5), each a context above its bit, and appends complete bytes to
/// `raw` from `end` on; returns where they end.
///
/// # Panics
///
/// When a context is beyond [`BINS`].
#[shim::kernel]
pub fn code_decisions(
    decisions: &[u16],
    count: usize,
    statistics: &mut Statistics,
    registers: &mut Registers,
    raw: &mut Vec<u8>,
    end: usize,
) -> usize {
    let decisions = Block::external(decisions, [count]);
    let bins = Block::external(&mut statistics.bins, [BINS]);
    let transitions = Block::external(&TRANSITIONS, [256]);
    let most = count * DECISION_BYTES + registers.waiting() + SLACK;
    let raw = Block::grown(raw, [end + most]).list_from(end);
    for [i] in decisions.indices() {
        let decision = decisions[[i]];
        let context = usize::from(decision >> 1);
        let bin = bins[[context]];
        let transition = transitions[[bin]];
        let qe = transition & 0xffff;
        registers.a -= qe;
        let is_lps = (u16::from(bin) ^ decision) & 1 != 0;
        // The smaller part is that of the LPS, or the other way round (conditional exchange).
        if is_lps || registers.a < 0x8000 {
            if is_lps == (registers.a >= qe) {
                registers.c += registers.a;
                registers.a = qe;
            }
            bins[[context]] = (if is_lps { transition >> 24 } else { transition >> 16 }) as u8;
            // Renorm_e.
            let mut shifts = (registers.a as u16).leading_zeros();
            while shifts > 0 {
                let n = shifts.min(registers.ct);
                registers.a <<= n;
                registers.c <<= n;
                registers.ct -= n;
                shifts -= n;
                if registers.ct == 0 {
                    byte_out(registers, raw);
                    registers.ct = 8;
                }
            }
        }
    }
    raw.len()
}

/// Flush (D.1.8): appends the last bytes to `raw` from `end` on, and returns where the bytes end. Zeros at the end are
/// left out: a decoder reads zeros behind the end.
#[shim::kernel]
pub fn flush_registers(registers: &mut Registers, raw: &mut Vec<u8>, end: usize) -> usize {
    let raw = Block::grown(raw, [end + registers.waiting() + FLUSH_BYTES + SLACK]).list_from(end);
    // Clear_final_bits: of the interval, the number with the most zeros at its end.
    let t = (registers.c + registers.a - 1) & 0xffff_0000;
    registers.c = if t < registers.c { t + 0x8000 } else { t };
    registers.c <<= registers.ct;
    byte_out(registers, raw);
    registers.c <<= 8;
    byte_out(registers, raw);
    if let Some(b) = registers.b {
        raw.push(b);
    }
    for _ in 0..registers.st {
        raw.push(0xff);
    }
    *registers = Registers::default();
    let mut end = raw.len();
    while end > 0 && raw[[end - 1]] == 0 {
        end -= 1;
    }
    end
}
