//! NAL units (7.3.1): a header of one byte, and a payload in which nothing looks like a start code.

use alloc::vec::Vec;

use crate::kernels::escape::{BEFORE, escape};
use crate::syntax::nal::NalUnitHeader;

/// Bytes before a unit where it goes into a packet: a start code, or its length.
pub const PREFIX: usize = 4;

/// Appends a NAL unit to others, behind [`PREFIX`] bytes that are free: its header, and its payload with
/// `emulation_prevention_three_byte`s. Returns how many bytes the unit has, without the prefix.
pub fn append(packet: &mut Vec<u8>, header: &NalUnitHeader, rbsp: &[u8]) -> usize {
    const { assert!(PREFIX + 1 >= BEFORE) };
    let start = packet.len();
    let at = start + PREFIX + 1;
    // Room for the worst; it is kept by packets that are used again.
    packet.resize(at + 2 * rbsp.len(), 0);
    packet[at - 1] = header.byte();
    let end = escape(rbsp, rbsp.len(), &mut packet[start..], PREFIX + 1);
    packet.truncate(start + end);
    end - PREFIX
}

/// The payload of a NAL unit, without its header and `emulation_prevention_three_byte`s.
#[must_use]
pub fn rbsp(nal: &[u8]) -> Vec<u8> {
    let mut payload = Vec::with_capacity(nal.len());
    let mut zeros = 0;
    for &byte in nal.get(1..).unwrap_or_default() {
        if zeros >= 2 && byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        payload.push(byte);
    }
    payload
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::nal::NalUnitType;

    proptest::proptest! {
        #[test]
        fn a_payload_comes_back(payload in proptest::collection::vec(0_u8..5, 0..100)) {
            let payload = [&payload[..], &[0x80]].concat();
            let header = NalUnitHeader::new(3, NalUnitType::Sps);
            let mut packet = vec![9, 9];
            let length = append(&mut packet, &header, &payload);
            assert_eq!(packet.len(), 2 + PREFIX + length);
            assert_eq!(packet[2 + PREFIX], 0x67);
            assert_eq!(rbsp(&packet[2 + PREFIX..]), payload);
            assert!(packet[2 + PREFIX..].windows(3).all(|three| three[..2] != [0, 0] || three[2] > 2));
        }
    }
}
