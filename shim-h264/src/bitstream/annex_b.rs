//! The byte stream format of Annex B: a start code before each NAL unit.

use super::nal::PREFIX;

/// `zero_byte` and `start_code_prefix_one_3bytes` (B.1.1). The zero byte is required before parameter sets and the
/// first NAL unit of an access unit, and allowed before all.
pub const START_CODE: [u8; PREFIX] = [0, 0, 0, 1];

/// The NAL units of a byte stream, without start codes and surrounding zero bytes.
pub fn units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = after_start_code(stream);
    core::iter::from_fn(move || {
        let unit = rest?;
        let end = unit.windows(3).position(|three| three == [0, 0, 1]);
        rest = end.map(|end| &unit[end + 3..]);
        let unit = &unit[..end.unwrap_or(unit.len())];
        let end = unit.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        Some(&unit[..end])
    })
}

/// The bytes after the first start code.
fn after_start_code(stream: &[u8]) -> Option<&[u8]> {
    stream.windows(3).position(|three| three == [0, 0, 1]).map(|start| &stream[start + 3..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_between_start_codes() {
        let stream = [0, 0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x68, 3, 0, 0, 1, 0x65];
        let found: Vec<&[u8]> = units(&stream).collect();
        assert_eq!(found, [&[0x67, 1, 2][..], &[0x68, 3], &[0x65]]);
        assert_eq!(units(&[1, 2, 3]).count(), 0);
    }
}
