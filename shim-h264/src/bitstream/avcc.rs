//! Length-prefixed NAL units, as in MP4 files (ISO/IEC 14496-15).

use alloc::vec::Vec;

use super::nal::PREFIX;

/// The prefix of a NAL unit of `length` bytes.
///
/// # Panics
///
/// When the length does not fit in four bytes.
#[must_use]
pub fn length_prefix(length: usize) -> [u8; PREFIX] {
    u32::try_from(length).expect("a NAL unit has less than 2^32 bytes").to_be_bytes()
}

/// The `AVCDecoderConfigurationRecord` (ISO/IEC 14496-15, 5.3.3.1) for four-byte length prefixes and profiles without
/// chroma format and bit depth fields (Baseline, Main, Extended).
///
/// # Panics
///
/// When `sps` is empty or has more than 31 sets, `pps` has more than 255, the first SPS has fewer than four bytes, or a
/// set has more than 65535.
#[must_use]
pub fn configuration_record(sps: &[&[u8]], pps: &[&[u8]]) -> Vec<u8> {
    assert!(!sps.is_empty() && sps.len() < 32 && pps.len() < 256, "too many parameter sets");
    // configurationVersion; AVCProfileIndication, profile_compatibility and AVCLevelIndication as in the set; six ones
    // and lengthSizeMinusOne.
    let mut record = Vec::from([1, sps[0][1], sps[0][2], sps[0][3], 0b1111_1100 | (PREFIX as u8 - 1)]);
    for (ones, sets) in [(0b1110_0000, sps), (0, pps)] {
        record.push(ones | sets.len() as u8);
        for set in sets {
            let length = u16::try_from(set.len()).expect("a parameter set has less than 65536 bytes");
            record.extend(length.to_be_bytes());
            record.extend_from_slice(set);
        }
    }
    record
}

/// The NAL units of a length-prefixed stream. The last is truncated if the bytes end early.
pub fn units(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    core::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk::<PREFIX>()?;
        let (unit, rest) = rest.split_at(rest.len().min(u32::from_be_bytes(*length) as usize));
        bytes = rest;
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record() {
        let record = configuration_record(&[&[0x67, 66, 0xc0, 30, 5]], &[&[0x68, 7, 8, 9]]);
        let wanted = [1, 66, 0xc0, 30, 0xff, 0xe1, 0, 5, 0x67, 66, 0xc0, 30, 5, 1, 0, 4, 0x68, 7, 8, 9];
        assert_eq!(record, wanted);
    }

    #[test]
    fn units_stand_behind_lengths() {
        let mut stream = Vec::new();
        for unit in [&[1_u8, 2, 3][..], &[], &[4]] {
            stream.extend(length_prefix(unit.len()));
            stream.extend_from_slice(unit);
        }
        assert_eq!(units(&stream).collect::<Vec<_>>(), [&[1_u8, 2, 3][..], &[], &[4]]);
    }
}
