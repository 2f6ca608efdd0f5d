//! Bits that were coded by themselves, put one after the other, and where coding by itself begins.

use alloc::vec::Vec;

use shim::prelude::*;

use super::bits::{BitPosition, SLACK};
use super::tile::Coefficients;

/// Appends the bits of `piece` up to `end` to `raw` at `position`, which moves on, and leaves [`SLACK`] behind them.
///
/// # Panics
///
/// When `piece` has fewer bytes.
#[shim::kernel(simd, checks = "hoisted")]
pub fn append(piece: &[u8], end: BitPosition, raw: &mut Vec<u8>, position: &mut BitPosition) {
    let BitPosition { bytes: length, pending: rest, count } = end;
    let BitPosition { bytes: at, pending, count: shift } = *position;
    let from = Block::external(piece, [piece.len()])[[..length]].cast::<u16>();
    let raw = Block::grown(raw, [at + length + SLACK]);
    // The bits that the last byte leaves over, with those that `piece` has after its bytes.
    let mut pending = pending;
    if length > 0 {
        raw[[at]] = (pending << (8 - shift)) as u8 | (from[[0]] >> shift) as u8;
        let to = raw[[at..at + length]].cast::<u16>();
        for i in 1..length {
            to[[i]] = (from[[i - 1]] << 8 | from[[i]]) >> shift & 0xff;
        }
        pending = u64::from(from[[length - 1]]) & ((1 << shift) - 1);
    }
    let bits = pending << count | rest;
    let held = shift + count;
    raw[[at + length]] = (bits << (16 - held) >> 8) as u8;
    let whole = held / 8;
    let left = held - 8 * whole;
    *position =
        BitPosition { bytes: at + length + whole as usize, pending: bits & ((1 << left) - 1), count: left };
}

/// DC of block `[c, row, place]`: component, row of blocks, and place in it.
///
/// # Panics
///
/// When there is no such block.
#[shim::kernel]
pub fn dc_of_block(#[located] coefficients: &Coefficients, [c, row, place]: [usize; 3]) -> i32 {
    i32::from(coefficients.zz[[c, row, place, 0]])
}

/// Copies the blocks of the first MCU of `coefficients` to `to`: the first four of each row, since H is at most 4.
///
/// # Panics
///
/// When `to` has no such row, or no tile.
#[shim::kernel]
pub fn copy_first_mcu(#[located] coefficients: &Coefficients, #[located] to: &mut Coefficients) {
    for [c, v, l] in to.coded.indices() {
        if l < 4 {
            for k in 0..64 {
                to.zz[[c, v, l, k]] = coefficients.zz[[c, v, l, k]];
            }
            to.coded[[c, v, l]] = coefficients.coded[[c, v, l]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits as bytes and those that are pending.
    fn piece(bits: &[bool]) -> (Vec<u8>, BitPosition) {
        let number = |bits: &[bool]| bits.iter().fold(0, |n, &bit| n << 1 | u64::from(bit));
        let (bytes, rest) = bits.as_chunks::<8>();
        let position = BitPosition { bytes: bytes.len(), pending: number(rest), count: rest.len() as u32 };
        (bytes.iter().map(|byte| number(byte) as u8).collect(), position)
    }

    #[test]
    fn pieces_of_any_lengths_join() {
        let bits: Vec<bool> = (0..700_u32).map(|i| i * i % 7 < 3).collect();
        for first in (0..20).chain([63, 64, 65, 400]) {
            for second in (0..20).chain([100, 255]) {
                let mut raw = vec![0xaa; 120];
                let mut position = BitPosition::default();
                for part in [&bits[..first], &bits[first..first + second], &bits[first + second..]] {
                    let (bytes, end) = piece(part);
                    append(&bytes, end, &mut raw, &mut position);
                }
                let (wanted, end) = piece(&bits);
                assert_eq!((&raw[..position.bytes], position), (&wanted[..], end), "{first} {second}");
            }
        }
    }
}
