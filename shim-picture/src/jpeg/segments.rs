//! The segments of a JPEG file (T.81 Annex B).

use crate::error::Error;

/// The name of the format in messages.
pub(crate) const FORMAT: &str = "JPEG";

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

/// Define Huffman tables.
pub(crate) const DHT: u8 = 0xc4;
/// Start of a progressive frame.
pub(crate) const SOF2: u8 = 0xc2;
/// Start of a lossless frame.
pub(crate) const SOF3: u8 = 0xc3;
/// Start of scan.
pub(crate) const SOS: u8 = 0xda;
/// The segment of JFIF.
pub(crate) const APP0: u8 = 0xe0;
/// The segment of Adobe.
pub(crate) const APP14: u8 = 0xee;

/// The frame header of JPEG-LS (T.87 C.2.2).
pub(crate) const SOF55: u8 = 0xf7;

/// Whether a marker is that of a frame header.
pub(crate) fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf)
}

/// A file that may be damaged.
#[derive(Debug)]
pub(crate) struct Parsed<'a> {
    pub(crate) segments: Vec<Segment<'a>>,
    /// Bytes that belong to no segment, and the marker after them.
    pub(crate) skipped: Vec<(usize, u8)>,
    pub(crate) end: End,
}

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With EOI.
    Eoi,
    /// After a segment and its coded data.
    Missing,
    /// Within the parameters of a segment.
    Cut,
}

/// The segments from SOI to EOI or the end of the file. As libjpeg does, it goes on at the next marker after bytes that
/// belong to no segment.
///
/// # Errors
///
/// A second SOI, and lengths that no segment has.
pub(crate) fn parse(file: &[u8]) -> Result<Parsed<'_>, Error> {
    let damaged = |detail: String| Error::Damaged { format: FORMAT, detail };
    let mut parsed = Parsed { segments: Vec::new(), skipped: Vec::new(), end: End::Missing };
    let mut at = 2;
    while let Some((skipped, marker, after)) = next_marker(file, at) {
        if skipped > 0 {
            parsed.skipped.push((skipped, marker));
        }
        at = after;
        match marker {
            0xd9 => {
                parsed.end = End::Eoi;
                break;
            }
            0xd8 => return Err(damaged("a second SOI marker".to_owned())),
            // TEM and RST, which have no parameters and no meaning here.
            0x01 | 0xd0..=0xd7 => continue,
            _ => {}
        }
        let Some(&[high, low]) = file.get(at..at + 2) else {
            parsed.end = End::Cut;
            break;
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        if length < 2 {
            return Err(damaged(format!("a segment of length {length} at marker 0x{marker:02x}")));
        }
        let Some(parameters) = file.get(at + 2..at + length) else {
            parsed.end = End::Cut;
            break;
        };
        at += length;
        let coded = if marker == SOS { coded_length(&file[at..]) } else { 0 };
        parsed.segments.push(Segment { marker, parameters, coded: &file[at..at + coded] });
        at += coded;
    }
    Ok(parsed)
}

/// The next marker, the number of bytes before it except fill bytes, and the place after it.
fn next_marker(file: &[u8], mut at: usize) -> Option<(usize, u8, usize)> {
    let mut skipped = 0;
    loop {
        let other = file.get(at..)?.iter().position(|&byte| byte == 0xff)?;
        at += other;
        let fill = file[at..].iter().position(|&byte| byte != 0xff)?;
        at += fill;
        skipped += other;
        match file[at] {
            // A stuffed zero.
            0 => skipped += 2,
            marker => return Some((skipped, marker, at + 1)),
        }
        at += 1;
    }
}

/// The segments between SOI and EOI of a file that is whole. What does not look like a segment ends them.
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
