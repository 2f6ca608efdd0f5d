//! The header of a Y4M file, and what files are that have none.

use shim_picture::Error as FileError;

use crate::failure::Reason;

/// The name of the format in messages.
pub(super) const FORMAT: &str = "Y4M";

/// The first bytes of every file.
pub(super) const MAGIC: &[u8] = b"YUV4MPEG2";

/// The greatest side of a frame that is read; no level has room for a greater one.
pub(super) const MAX_SIDE: usize = 16_384;

/// The longest header that is read.
pub(super) const MAX_LENGTH: usize = 1024;

/// Parameters of the header besides the frame size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// `F`, unless it is 0:0.
    pub(super) frame_rate: Option<(u32, u32)>,
    /// `XCOLORRANGE`.
    pub(super) full_range: Option<bool>,
    /// `A`, in lowest terms.
    pub(super) sample_aspect_ratio: Option<(u16, u16)>,
    /// `I`, if frames are interlaced: the order of their fields.
    pub(super) interlaced: Option<&'static str>,
}

/// Reads the first line of a file, with its newline if there is one.
pub(super) fn parse(line: &[u8]) -> Result<Header, Reason> {
    if !line.starts_with(MAGIC) {
        return Err(if line.is_empty() {
            FileError::Empty.into()
        } else if MAGIC.starts_with(line) {
            FileError::Truncated { format: FORMAT }.into()
        } else {
            Reason::NotY4m(name_of(line))
        });
    }
    if !line.ends_with(b"\n") {
        return Err(if line.len() < MAX_LENGTH {
            FileError::Truncated { format: FORMAT }
        } else {
            FileError::Damaged {
                format: FORMAT,
                detail: format!("its header is longer than {MAX_LENGTH} bytes"),
            }
        }
        .into());
    }
    let mut header = Header::default();
    for (tag, side) in [(b'W', "width"), (b'H', "height")] {
        let digits = |parameter: &[u8]| matches!(parameter, [first, rest @ ..] if *first == tag && !rest.is_empty() && rest.iter().all(u8::is_ascii_digit));
        if !line.trim_ascii_end().split(|&byte| byte == b' ').any(digits) {
            let detail = format!("its header gives no frame {side}");
            return Err(FileError::Damaged { format: FORMAT, detail }.into());
        }
    }
    for parameter in line.split(|&byte| byte == b' ' || byte == b'\n').skip(1) {
        let Some((&tag, value)) = parameter.split_first() else { continue };
        let text = String::from_utf8_lossy(value);
        match tag {
            b'W' | b'H' if value.iter().all(u8::is_ascii_digit) && !is_side(&text) => {
                let detail = format!("frame width or height {text} exceeds {MAX_SIDE}");
                return Err(FileError::Unsupported { format: FORMAT, detail }.into());
            }
            b'C' if !matches!(&*text, "420" | "420jpeg" | "420mpeg2" | "420paldv") => {
                let detail =
                    format!("colorspace {text}; convert it to 4:2:0 with 8 bits (ffmpeg -pix_fmt yuv420p)");
                return Err(FileError::Unsupported { format: FORMAT, detail }.into());
            }
            b'I' => {
                header.interlaced = match &*text {
                    "t" => Some("top field first"),
                    "b" => Some("bottom field first"),
                    "m" => Some("mixed modes"),
                    _ => None,
                }
            }
            b'F' => {
                let (frames, seconds) =
                    pair(&text).ok_or_else(|| malformed("frame rate", parameter, "F25:1"))?;
                let whole = |number: u64| u32::try_from(number).ok().filter(|&number| number > 0);
                header.frame_rate = whole(frames).zip(whole(seconds));
            }
            b'A' => {
                let sides = pair(&text).ok_or_else(|| malformed("sample aspect ratio", parameter, "A1:1"))?;
                header.sample_aspect_ratio = ratio(sides);
            }
            b'X' => match &*text {
                "COLORRANGE=FULL" => header.full_range = Some(true),
                "COLORRANGE=LIMITED" => header.full_range = Some(false),
                _ => {}
            },
            _ => {}
        }
    }
    Ok(header)
}

/// Whether a number is not beyond all levels.
fn is_side(text: &str) -> bool {
    text.parse().is_ok_and(|side: usize| side <= MAX_SIDE)
}

/// Two numbers.
fn pair(text: &str) -> Option<(u64, u64)> {
    let (first, second) = text.split_once(':')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// The error of a parameter, with one that is right.
fn malformed(what: &str, parameter: &[u8], right: &str) -> Reason {
    let shown = parameter.escape_ascii();
    FileError::Damaged {
        format: FORMAT,
        detail: format!("the {what} in its header is {shown}, not like {right}"),
    }
    .into()
}

/// A ratio, which 0:0 is not, in lowest terms.
fn ratio((width, height): (u64, u64)) -> Option<(u16, u16)> {
    let (mut a, mut b) = (width, height);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let field = |side: u64| u16::try_from(side / a.max(1)).ok().filter(|&side| side > 0);
    Some((field(width)?, field(height)?))
}

/// The format of a file, by its first bytes.
fn name_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some("an MP4 or QuickTime file"),
        [0x1a, 0x45, 0xdf, 0xa3, ..] => Some("a Matroska or WebM file"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'A', b'V', b'I', ..] => Some("an AVI file"),
        [0, 0, 1, 0xba, ..] => Some("an MPEG program stream"),
        [0, 0, 0, 1, ..] | [0, 0, 1, ..] => Some("a coded video stream"),
        [b'F', b'L', b'V', ..] => Some("an FLV file"),
        [0x47, ..] if bytes.get(188).is_none_or(|&sync| sync == 0x47) => Some("an MPEG transport stream"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parameters: &str) -> Header {
        parse(format!("YUV4MPEG2 W16 H16 {parameters}\n").as_bytes()).unwrap()
    }

    #[test]
    fn parameters() {
        assert_eq!(of("F30000:1001"), Header { frame_rate: Some((30_000, 1001)), ..Header::default() });
        assert_eq!(of("F0:0 Ip A0:0 C420jpeg XYSCSS=420JPEG"), Header::default());
        assert_eq!(of("XCOLORRANGE=FULL").full_range, Some(true));
        assert_eq!(of("XYSCSS=420 XCOLORRANGE=LIMITED").full_range, Some(false));
        assert_eq!(of("A4:3").sample_aspect_ratio, Some((4, 3)));
        assert_eq!(of("A131072:131072").sample_aspect_ratio, Some((1, 1)));
        for none in ["A0:0", "A1:0", "A0:1", "A131071:1"] {
            assert_eq!(of(none).sample_aspect_ratio, None, "{none}");
        }
        assert_eq!(of("It").interlaced, Some("top field first"));
        assert_eq!(of("I?").interlaced, None);
    }

    #[test]
    fn what_is_not_read() {
        let refused = |line: &[u8]| parse(line).unwrap_err().to_string();
        let colorspace = "unsupported Y4M file: colorspace 411; ";
        assert!(refused(b"YUV4MPEG2 W16 H16 C411\n").starts_with(colorspace));
        assert!(refused(b"\0\0\0\x20ftypisom").contains("an MP4 or QuickTime file"));
        assert!(refused(b"\x89PNG\r\n").starts_with("unsupported file: not Y4M"));
        assert!(refused(b"YUV4M").starts_with("truncated"));
        assert_eq!(refused(b"YUV4MPEG2 H16 F25:1\n"), "damaged Y4M file: its header gives no frame width");
        assert_eq!(refused(b"YUV4MPEG2 W16 H F25:1\n"), "damaged Y4M file: its header gives no frame height");
        for (parameter, what, right) in [
            ("F25", "frame rate", "F25:1"),
            ("F", "frame rate", "F25:1"),
            ("F25:x", "frame rate", "F25:1"),
            ("A", "sample aspect ratio", "A1:1"),
            ("Ax:y", "sample aspect ratio", "A1:1"),
        ] {
            let line = format!("YUV4MPEG2 W16 H16 {parameter}\n");
            let wanted =
                format!("damaged Y4M file: the {what} in its header is {parameter}, not like {right}");
            assert_eq!(refused(line.as_bytes()), wanted);
        }
    }
}
