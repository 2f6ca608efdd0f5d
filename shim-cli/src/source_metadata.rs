//! What a source says beside its image.

use shim_jpeg::Density;

/// The metadata of a source whose orientation has been carried out, and no longer stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) icc: Option<Vec<u8>>,
    /// From its TIFF header on.
    pub(crate) exif: Option<Vec<u8>>,
    pub(crate) xmp: Option<Vec<u8>>,
    pub(crate) comments: Vec<Vec<u8>>,
    pub(crate) density: Option<Density>,
}

/// The packet with its `tiff:Orientation`, which copies that of Exif, set to 1: upright.
pub(crate) fn upright_xmp(mut packet: Vec<u8>) -> Vec<u8> {
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

/// The density in the pHYs chunk of a PNG file, which comes before its image data.
pub(crate) fn png_density(file: &[u8]) -> Option<Density> {
    let mut rest = file.get(8..)?;
    loop {
        let [l3, l2, l1, l0, kind @ ..] = rest else { return None };
        let length = u32::from_be_bytes([*l3, *l2, *l1, *l0]) as usize;
        match (kind.get(..4)?, kind.get(4..)?) {
            (b"pHYs", [h3, h2, h1, h0, v3, v2, v1, v0, unit, ..]) => {
                let per_unit = [[*h3, *h2, *h1, *h0], [*v3, *v2, *v1, *v0]].map(u32::from_be_bytes);
                return density(per_unit, *unit == 1);
            }
            (b"IDAT", _) => return None,
            _ => rest = rest.get(length.checked_add(12)?..)?,
        }
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

/// What the colours of an ICC profile are, by the signature in its header (ICC.1 7.2.6).
pub(crate) fn profile_space(profile: &[u8]) -> Option<[u8; 4]> {
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
