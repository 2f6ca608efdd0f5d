//! NAL units (7.3.1): a header byte, and a payload with emulation prevention.

use alloc::vec::Vec;

use crate::kernels::escape::{BEFORE, escape};
use crate::syntax::nal::NalUnitHeader;

/// Bytes before a NAL unit in a packet: a start code or a length.
pub const PREFIX: usize = 4;

/// Appends a NAL unit to a packet after [`PREFIX`] reserved bytes: the header, and the payload with
/// `emulation_prevention_three_byte`s. Returns the size of the unit in bytes, without the prefix.
pub fn append(packet: &mut Vec<u8>, header: &NalUnitHeader, rbsp: &[u8]) -> usize {
    const { assert!(PREFIX + 1 >= BEFORE) };
    let start = packet.len();
    let at = start + PREFIX + 1;
    // The worst case; a reused packet keeps the memory.
    packet.resize(at + 2 * rbsp.len(), 0);
    packet[at - 1] = header.byte();
    let end = escape(rbsp, rbsp.len(), &mut packet[start..], PREFIX + 1);
    packet.truncate(start + end);
    end - PREFIX
}

/// Size of a NAL unit with a growing payload, including the header and each `emulation_prevention_three_byte`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnitSize {
    /// Payload bytes counted so far.
    counted: usize,
    /// Zero bytes before the next byte.
    zeros: u32,
    emulation_prevention_bytes: usize,
}

impl UnitSize {
    /// Counts a payload whose counted part has not changed, and returns the size of the unit.
    pub(crate) fn count(&mut self, payload: &[u8]) -> usize {
        for &byte in &payload[self.counted..] {
            if self.zeros == 2 && byte <= 3 {
                (self.emulation_prevention_bytes, self.zeros) = (self.emulation_prevention_bytes + 1, 0);
            }
            self.zeros = if byte == 0 { self.zeros + 1 } else { 0 };
        }
        self.counted = payload.len();
        1 + payload.len() + self.emulation_prevention_bytes
    }
}

/// The payload (RBSP) of a NAL unit, without header and `emulation_prevention_three_byte`s.
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
            // Counted at once, or as it grows.
            assert_eq!(UnitSize::default().count(&payload), length);
            let mut size = UnitSize::default();
            assert_eq!((1..=payload.len()).map(|end| size.count(&payload[..end])).last(), Some(length));
            assert!(packet[2 + PREFIX..].windows(3).all(|three| three[..2] != [0, 0] || three[2] > 2));
        }
    }
}
