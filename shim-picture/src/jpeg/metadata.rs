//! Metadata in the application segments of a JPEG file.

use shim_jpeg::Density;

use super::segments::{APP0, Segment};
use crate::metadata::{EXIF, Metadata, XMP, has_gain_map, upright_xmp, without_gain_map};

const APP1: u8 = 0xe1;
const APP2: u8 = 0xe2;
const COM: u8 = 0xfe;

/// Identifier of a part of an extended XMP packet (1.1.3.1): the digest of the whole, its length and an offset follow.
const EXTENDED_XMP: &[u8] = b"http://ns.adobe.com/xmp/extension/\0";
/// Identifier of a part of an ICC profile (ICC.1 B.4): its number, from 1, and the number of parts follow.
const ICC: &[u8] = b"ICC_PROFILE\0";
/// Identifier of a gain map (ISO/TS 21496-1).
const GAIN_MAP: &[u8] = b"urn:iso:std:iso:ts:21496:-1\0";

/// The metadata of a file, with what is wrong with it.
pub(crate) fn metadata(segments: &[Segment<'_>]) -> Metadata {
    let mut metadata = Metadata::default();
    let with = |marker: u8, identifier: &'static [u8]| {
        let own = segments.iter().filter(move |segment| segment.marker == marker);
        own.filter_map(move |segment| segment.parameters.strip_prefix(identifier))
    };
    metadata.icc = profile(with(APP2, ICC), &mut metadata.damage);
    metadata.exif = with(APP1, EXIF).next().map(<[u8]>::to_vec);
    let xmp = with(APP1, XMP).next();
    if with(APP2, GAIN_MAP).next().is_some() || xmp.is_some_and(has_gain_map) {
        metadata
            .lost
            .push("gain map dropped: the image is the one for displays of standard dynamic range".to_owned());
    }
    metadata.xmp = xmp.map(|packet| upright_xmp(without_gain_map(packet)));
    metadata.extended_xmp = with(APP1, EXTENDED_XMP).map(|part| [EXTENDED_XMP, part].concat()).collect();
    metadata.comments = with(COM, b"").map(<[u8]>::to_vec).collect();
    metadata.density = with(APP0, b"JFIF\0").find_map(density);
    metadata
}

/// The profile of these parts.
fn profile<'a>(parts: impl Iterator<Item = &'a [u8]>, damage: &mut Vec<String>) -> Option<Vec<u8>> {
    let mut profile: Vec<Option<&[u8]>> = Vec::new();
    let mut differs = false;
    for part in parts {
        let &[number, count, ref data @ ..] = part else { continue };
        if profile.is_empty() {
            profile = vec![None; count.into()];
        }
        match usize::from(number).checked_sub(1).and_then(|at| profile.get_mut(at)) {
            Some(place @ None) => *place = Some(data),
            Some(Some(before)) => differs |= *before != data,
            None => differs = true,
        }
    }
    if profile.is_empty() {
        return None;
    }
    let missing: Vec<String> = (1..)
        .zip(&profile)
        .filter(|(_, part)| part.is_none())
        .map(|(number, _)| u8::to_string(&number))
        .collect();
    if !missing.is_empty() {
        let (s, all) = (if missing.len() == 1 { "" } else { "s" }, profile.len());
        damage.push(format!("ICC profile dropped: part{s} {} of {all} missing", missing.join(", ")));
        return None;
    }
    if differs {
        damage.push("several ICC profiles, of which the first is used".to_owned());
    }
    Some(profile.into_iter().flatten().collect::<Vec<_>>().concat())
}

/// The density in the parameters of JFIF after its identifier.
fn density(parameters: &[u8]) -> Option<Density> {
    let [_, _, unit, h1, h0, v1, v0, ..] = *parameters else { return None };
    let (h, v) = (u16::from_be_bytes([h1, h0]), u16::from_be_bytes([v1, v0]));
    match unit {
        _ if h == 0 || v == 0 => None,
        0 => Some(Density::Aspect(h, v)),
        1 => Some(Density::PerInch(h, v)),
        2 => Some(Density::PerCentimeter(h, v)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parts: &[&[u8]]) -> (Option<Vec<u8>>, Vec<String>) {
        let mut damage = Vec::new();
        (profile(parts.iter().copied(), &mut damage), damage)
    }

    #[test]
    fn profiles_of_several_parts() {
        assert_eq!(read(&[]), (None, vec![]));
        assert_eq!(read(&[b"\x02\x02cd", b"\x01\x02ab"]), (Some(b"abcd".to_vec()), vec![]));
        assert_eq!(read(&[b"\x01\x01ab", b"\x01\x01ab"]), (Some(b"ab".to_vec()), vec![]));
        let several = "several ICC profiles, of which the first is used".to_owned();
        assert_eq!(read(&[b"\x01\x01ab", b"\x01\x01cd"]), (Some(b"ab".to_vec()), vec![several]));
        let missing = "ICC profile dropped: parts 1, 3 of 3 missing".to_owned();
        assert_eq!(read(&[b"\x02\x03ab"]), (None, vec![missing]));
    }
}
