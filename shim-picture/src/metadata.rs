//! Metadata of a source.

use shim_jpeg::Density;

/// Identifier of Exif data in a JPEG file (CIPA DC-008 4.7.2). Some programs write it into other files too.
pub const EXIF: &[u8] = b"Exif\0\0";
/// Identifier of an XMP packet in a JPEG file (XMP part 3, 1.1.3).
pub const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// Exif data from its TIFF header on.
pub fn without_identifier(mut exif: Vec<u8>) -> Vec<u8> {
    if exif.starts_with(EXIF) {
        exif.drain(..EXIF.len());
    }
    exif
}

/// The metadata of a source whose orientation has been carried out, and no longer stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// An ICC profile.
    pub icc: Option<Vec<u8>>,
    /// Exif data from its TIFF header on.
    pub exif: Option<Vec<u8>>,
    /// An XMP packet.
    pub xmp: Option<Vec<u8>>,
    /// The contents of the segments that continue the XMP packet.
    pub extended_xmp: Vec<Vec<u8>>,
    /// Comments of a JPEG file.
    pub comments: Vec<Vec<u8>>,
    /// Pixel density or shape.
    pub density: Option<Density>,
    /// The color space, if it is given and is not sRGB.
    pub colors: Option<String>,
    /// Damage that was passed over, each kind in a few words.
    pub damage: Vec<String>,
    /// Parts of the file that nothing is made of.
    pub lost: Vec<String>,
}

/// The packet with its `tiff:Orientation`, which copies that of Exif, set to 1: upright.
pub fn upright_xmp(mut packet: Vec<u8>) -> Vec<u8> {
    const NAME: &[u8] = b"tiff:Orientation";
    let mut at = 0;
    while let Some(found) = packet[at..].windows(NAME.len()).position(|window| window == NAME) {
        at += found + NAME.len();
        // An attribute, `="6"`, or an element, `>6<`.
        if let [b'=', b'"' | b'\'', value @ b'1'..=b'8', ..] | [b'>', value @ b'1'..=b'8', b'<', ..] =
            &mut packet[at..]
        {
            *value = b'1';
        }
    }
    packet
}

/// The attribute with which an XMP packet says that the file has a gain map (Ultra HDR 1.1), up to its name.
const GAIN_MAP: &str = "hdrgm:";

/// The element that lists the images of a file.
const DIRECTORY: [&str; 2] = ["<Container:Directory", "</Container:Directory>"];

/// Whether an XMP packet says that the file has a gain map.
pub fn has_gain_map(packet: &[u8]) -> bool {
    let text = String::from_utf8_lossy(packet);
    text.contains("hdrgm:Version") || text.contains("Semantic=\"GainMap\"")
}

/// The packet without the attributes of a gain map, and without the directory of images if that names one.
pub fn without_gain_map(packet: &[u8]) -> Vec<u8> {
    let Ok(text) = str::from_utf8(packet) else { return packet.to_vec() };
    if !has_gain_map(packet) {
        return packet.to_vec();
    }
    let mut kept = String::new();
    let mut rest = text;
    // Attributes, but not the declaration of their namespace.
    while let Some(at) = rest.find(GAIN_MAP) {
        let attribute = &rest[at..];
        let quote = attribute.find(['"', '\'']).filter(|&quote| attribute[..quote].ends_with('='));
        let close = quote.and_then(|quote| {
            let mark = attribute[quote..].chars().next()?;
            Some(quote + 1 + attribute[quote + 1..].find(mark)? + 1)
        });
        let end = close.unwrap_or(GAIN_MAP.len());
        kept.push_str(&rest[..if close.is_some() { at } else { at + end }]);
        rest = &attribute[end..];
    }
    kept.push_str(rest);
    let [open, close] = DIRECTORY;
    if let (Some(start), Some(end)) = (kept.find(open), kept.find(close))
        && start < end
    {
        kept.replace_range(start..end + close.len(), "");
    }
    kept.into_bytes()
}

/// The chunks of a PNG file before its image data: what they are called and what is in them.
pub fn chunks(file: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = file.get(8..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, chunk) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        let (kind, data) = (chunk.get(..4)?, chunk.get(4..length.checked_add(4)?)?);
        rest = rest.get(length.checked_add(12)?..).unwrap_or_default();
        Some((kind, data))
    })
    .take_while(|(kind, _)| *kind != b"IDAT")
}

/// The data of the first chunk of a name before the image data of a PNG file.
pub fn chunk(file: &[u8], name: [u8; 4]) -> Option<&[u8]> {
    chunks(file).find(|(kind, _)| *kind == name).map(|(_, data)| data)
}

/// The big-endian numbers of a chunk.
fn numbers<const N: usize>(data: &[u8]) -> Option<[u32; N]> {
    let (numbers, []) = data.as_chunks::<4>() else { return None };
    Some(<[_; N]>::try_from(numbers).ok()?.map(u32::from_be_bytes))
}

/// The density in the pHYs chunk of a PNG file.
pub fn png_density(file: &[u8]) -> Option<Density> {
    let (unit, per_unit) = chunk(file, *b"pHYs")?.split_last()?;
    density(numbers(per_unit)?, *unit == 1)
}

/// The color space of a PNG file if it is not sRGB, from the chunk that takes precedence.
pub fn png_colors(file: &[u8]) -> Option<String> {
    /// Primaries and white point of sRGB, in units of 1/100000.
    const SRGB: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
    /// Tolerance within which a chunk counts as these numbers.
    const NEAR: u32 = 500;
    if let Some(data) = chunk(file, *b"cICP") {
        let &[primaries, transfer, matrix, full] = data else { return None };
        // BT.709 and sRGB have the same primaries, and transfers that are taken for one another.
        let usual = primaries == 1 && matches!(transfer, 1 | 6 | 13 | 14 | 15) && full == 1;
        let name =
            || format!("cICP: primaries {primaries}, transfer {transfer}, matrix {matrix}, range {full}");
        return (!usual).then(name);
    }
    if chunk(file, *b"sRGB").is_some() {
        return None;
    }
    let gamma = chunk(file, *b"gAMA").and_then(numbers::<1>).map(|[gamma]| gamma);
    if let Some(gamma) = gamma.filter(|&gamma| gamma > 0 && gamma.abs_diff(45_455) > NEAR) {
        return Some(format!("the gamma of 1/{:.2} of the gAMA chunk", 1e5 / f64::from(gamma)));
    }
    let chromaticities = chunk(file, *b"cHRM").and_then(numbers::<8>)?;
    let far = chromaticities.iter().zip(SRGB).any(|(one, other)| one.abs_diff(other) > NEAR);
    far.then(|| "the set of primaries, other than sRGB's, of the cHRM chunk".to_owned())
}

/// Checks that data is an ICC profile, by its header (ICC.1 7.2).
///
/// # Errors
///
/// The part that is missing or wrong.
pub fn check_icc(profile: &[u8]) -> Result<(), &'static str> {
    let Some(header) = profile.first_chunk::<128>() else { return Err("shorter than a header") };
    if header[36..40] != *b"acsp" {
        return Err("no signature 'acsp'");
    }
    let size = header.first_chunk().map(|size| u32::from_be_bytes(*size) as usize);
    if size == Some(profile.len()) { Ok(()) } else { Err("its header gives another size") }
}

/// Checks that data is Exif data, from its TIFF header on.
///
/// # Errors
///
/// The part that is missing or wrong.
pub fn check_exif(data: &[u8]) -> Result<(), &'static str> {
    let offset = match data {
        [b'M', b'M', 0, 42, a, b, c, d, ..] => u32::from_be_bytes([*a, *b, *c, *d]),
        [b'I', b'I', 42, 0, a, b, c, d, ..] => u32::from_le_bytes([*a, *b, *c, *d]),
        _ => return Err("no TIFF header"),
    };
    if (8..data.len() as u64 - 1).contains(&offset.into()) {
        Ok(())
    } else {
        Err("its first IFD lies beyond its end")
    }
}

/// Checks that data is an XMP packet, as in JPEG files.
///
/// # Errors
///
/// The part that is missing or wrong.
pub fn check_xmp(packet: &[u8]) -> Result<(), &'static str> {
    let text = std::str::from_utf8(packet).map_err(|_| "not text in UTF-8")?;
    if text.contains("<x:xmpmeta") || text.contains("<rdf:RDF") {
        Ok(())
    } else {
        Err("no x:xmpmeta or rdf:RDF element")
    }
}

/// Pixels to a metre as those to an inch, or the shape of a pixel; none if the fields of JFIF cannot hold it.
fn density(per_unit: [u32; 2], metre: bool) -> Option<Density> {
    // An inch is 0.0254 metres.
    let inch = |per_metre: u32| (u64::from(per_metre) * 254 + 5000) / 10_000;
    let field = |value: u64| u16::try_from(value).ok().filter(|&value| value > 0);
    let [h, v] = per_unit;
    if metre {
        Some(Density::PerInch(field(inch(h))?, field(inch(v))?))
    } else {
        Some(Density::Aspect(field(h.into())?, field(v.into())?))
    }
}

/// The color space of an ICC profile, from the signature in its header (ICC.1 7.2.6).
pub fn profile_space(profile: &[u8]) -> Option<[u8; 4]> {
    profile.get(16..20).and_then(|signature| signature.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orientation_in_xmp_is_set_upright() {
        let upright = |text: &str| String::from_utf8(upright_xmp(text.into())).unwrap();
        assert_eq!(upright("<a tiff:Orientation=\"6\" b>"), "<a tiff:Orientation=\"1\" b>");
        assert_eq!(
            upright("<tiff:Orientation>8</tiff:Orientation>"),
            "<tiff:Orientation>1</tiff:Orientation>"
        );
        for other in ["", "tiff:Orientation", "tiff:Orientation=\"horizontal\"", "exif:Orientation=\"6\""] {
            assert_eq!(upright(other), other);
        }
    }

    #[test]
    fn a_packet_promises_no_gain_map() {
        let text = concat!(
            r#"<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" dc:title="é">"#,
            r#"<Container:Directory><rdf:Seq><rdf:li Item:Semantic="GainMap"/></rdf:Seq></Container:Directory></rdf:Description>"#
        );
        assert!(has_gain_map(text.as_bytes()));
        let kept = without_gain_map(text.as_bytes());
        let wanted = concat!(
            r#"<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"  dc:title="é">"#,
            "</rdf:Description>"
        );
        assert_eq!(str::from_utf8(&kept).unwrap(), wanted);
        assert!(!has_gain_map(&kept));
        for other in ["", "hdrgm:", "hdrgm:Version", "hdrgm:Version=\"1", "<Container:Directory>", "\u{e9}"] {
            let _ = without_gain_map(other.as_bytes());
        }
        assert_eq!(without_gain_map(b"<a b='c'/>"), b"<a b='c'/>");
    }

    #[test]
    fn a_density_to_the_metre_is_one_to_the_inch() {
        assert_eq!(density([11_811, 11_811], true), Some(Density::PerInch(300, 300)));
        assert_eq!(density([2835, 3780], true), Some(Density::PerInch(72, 96)));
        assert_eq!(density([4, 3], false), Some(Density::Aspect(4, 3)));
        assert_eq!(density([0, 1], true), None);
        assert_eq!(density([u32::MAX, 1], true), None);
    }

    #[test]
    fn no_beginning_of_a_png_file_is_read_beyond_its_end() {
        let file = b"\x89PNG\r\n\x1a\n\0\0\0\x01abcd\0\0\0\0\0\0\0\0\x09pHYs\0\0\x2e\x23\0\0\x2e\x23\x01";
        assert_eq!(png_density(file), Some(Density::PerInch(300, 300)));
        for length in 0..file.len() {
            assert_eq!(png_density(&file[..length]), None);
        }
    }
}
