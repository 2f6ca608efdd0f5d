//! Names of the formats that are not read.

/// The name of a format by the first bytes of a file.
pub(crate) fn name_of(file: &[u8]) -> Option<&'static str> {
    Some(match file {
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', ..] => "an AVIF image",
        [_, _, _, _, b'f', b't', b'y', b'p', b'h', b'e', ..]
        | [_, _, _, _, b'f', b't', b'y', b'p', b'm', b'i' | b's', ..] => "an HEIF image",
        [_, _, _, _, b'f', b't', b'y', b'p', b'c', b'r', b'x', ..] => "a camera's raw image",
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => "an MP4 or QuickTime video",
        [0, 0, 0, 12, b'J', b'X', b'L', b' ', ..] | [0xff, 0x0a, ..] => "a JPEG XL image",
        [0, 0, 0, 12, b'j', b'P', b' ', b' ', ..] | [0xff, 0x4f, 0xff, 0x51, ..] => "a JPEG 2000 image",
        [b'I' | b'M', b'I' | b'M', 0xbc, 1, ..] => "a JPEG XR image",
        [b'%', b'P', b'D', b'F', ..] => "a PDF document",
        [b'8', b'B', b'P', b'S', ..] => "a Photoshop document",
        [0x76, 0x2f, 0x31, 1, ..] => "an OpenEXR image",
        [b'#', b'?', b'R', b'A' | b'G', ..] => "a Radiance HDR image",
        [b'q', b'o', b'i', b'f', ..] => "a QOI image",
        [0, 0, 1, 0, ..] => "an icon",
        [b'D', b'D', b'S', b' ', ..] => "a DDS texture",
        [b'f', b'a', b'r', b'b', b'f', b'e', b'l', b'd', ..] => "a farbfeld image",
        [b'P', b'F' | b'f', b'\n', ..] => "a PFM image",
        [0x1a, 0x45, 0xdf, 0xa3, ..] => "a Matroska or WebM video",
        [b'<', b's', b'v', b'g', ..] => "an SVG drawing",
        [b'<', b'?', b'x', b'm', b'l', ..] => "an XML document",
        [b'g', b'i', b'm', b'p', b' ', ..] => "a GIMP image",
        _ => return None,
    })
}
