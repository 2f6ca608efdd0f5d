//! The segments of a JPEG file (T.81 Annex B).

/// A marker segment, and the coded data that follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment<'a> {
    /// The second byte of its marker.
    pub(crate) marker: u8,
    /// Its contents, without marker and length.
    pub(crate) parameters: &'a [u8],
    /// The entropy-coded data after an SOS segment, up to the next marker other than RST; empty after other segments.
    pub(crate) coded: &'a [u8],
}

/// Start of scan.
pub(crate) const SOS: u8 = 0xda;

/// All segments between SOI and EOI, of a file that is known to be complete; what does not look like one ends them.
pub(crate) fn segments(file: &[u8]) -> Vec<Segment<'_>> {
    let mut found = Vec::new();
    let mut at = 2;
    while let Some(&[0xff, marker]) = file.get(at..at + 2) {
        // A fill byte.
        if marker == 0xff {
            at += 1;
            continue;
        }
        let Some(&[high, low]) = file.get(at + 2..at + 4) else { break };
        let end = at + 2 + usize::from(u16::from_be_bytes([high, low]));
        let Some(parameters) = file.get(at + 4..end) else { break };
        let length = if marker == SOS { coded_length(&file[end..]) } else { 0 };
        found.push(Segment { marker, parameters, coded: &file[end..end + length] });
        at = end + length;
    }
    found
}

/// The bytes up to a marker that is no RST.
fn coded_length(data: &[u8]) -> usize {
    let marker =
        data.windows(2).position(|pair| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7 | 0xff));
    marker.unwrap_or(data.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_and_coded_data() {
        let file = b"\xff\xd8\xff\xe0\0\x03a\xff\xda\0\x02\x01\xff\0\x02\xff\xd0\x03\xff\xfe\0\x04hi\xff\xd9";
        let found: Vec<_> = segments(file).iter().map(|s| (s.marker, s.parameters, s.coded)).collect();
        let none = &b""[..];
        assert_eq!(
            found,
            [
                (0xe0, &b"a"[..], none),
                (SOS, none, &b"\x01\xff\0\x02\xff\xd0\x03"[..]),
                (0xfe, &b"hi"[..], none)
            ]
        );
    }

    #[test]
    fn what_is_damaged_ends_them() {
        assert!(segments(b"").is_empty());
        assert!(segments(b"\xff\xd8").is_empty());
        assert!(segments(b"\xff\xd8\xff\xe0\0").is_empty());
        assert!(segments(b"\xff\xd8\xff\xe0\0\x09a").is_empty());
        assert!(segments(b"\xff\xd8\xff\xe0\0\0").is_empty());
    }
}
