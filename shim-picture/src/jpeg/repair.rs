//! Repairs JPEG files that violate Annex B of T.81 in ways that libjpeg reads past, so that the decoders used here see
//! the same image, and reports the faults.

use std::borrow::Cow;

use shim_jpeg::{Encoder, Image};

use super::segments::{APP0, APP14, DHT, End, FORMAT, Parsed, SOF3, SOS, Segment, is_frame, parse, segments};
use crate::error::Error;

/// A file that the decoders here read as libjpeg reads the original.
#[derive(Debug)]
pub(crate) struct Repaired<'a> {
    pub(crate) file: Cow<'a, [u8]>,
    /// The meaning of its components.
    pub(crate) colors: Colors,
    /// Faults of the original.
    pub(crate) damage: Vec<String>,
    /// Whether the original has no EOI.
    pub(crate) lacks_end: bool,
}

/// The meaning of the components of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    Gray,
    YCbCr,
    Rgb,
    Cmyk,
    Ycck,
    /// A number of components without a usual meaning.
    Other,
}

/// A segment whose parameters may have been changed.
struct Part<'a> {
    marker: u8,
    parameters: Cow<'a, [u8]>,
    coded: &'a [u8],
}

/// The identifier of the segment that tells the colors (T.872 6.5.3).
const ADOBE: &[u8] = b"Adobe";

/// Reads past what is wrong with a file.
///
/// # Errors
///
/// [`Error::Truncated`] for a file that ends before its coded data, or within another segment unless
/// `allow_truncated`, and [`Error::Damaged`] for an invalid segment.
pub(crate) fn repaired(file: &[u8], allow_truncated: bool) -> Result<Repaired<'_>, Error> {
    let Parsed { segments, skipped, end } = parse(file)?;
    let lacks_end = end != End::Eoi;
    let has_scan = segments.iter().any(|segment| segment.marker == SOS && !segment.coded.is_empty());
    let ends_in_scan = segments.last().is_some_and(|segment| segment.marker == SOS);
    if lacks_end && !(has_scan && (ends_in_scan && end == End::Missing || allow_truncated)) {
        return Err(Error::Truncated { format: FORMAT });
    }
    let mut damage = Vec::new();
    for &(bytes, marker) in &skipped {
        let bytes =
            if bytes == 1 { "1 extraneous byte".to_owned() } else { format!("{bytes} extraneous bytes") };
        damage.push(format!("{bytes} before marker 0x{marker:02x}"));
    }
    let colors = colors(&segments, &mut damage);
    let missing = missing_tables(&segments);
    let declared = is_declared(&segments, colors);
    if !lacks_end && skipped.is_empty() && missing.is_empty() && declared {
        return Ok(Repaired { file: Cow::Borrowed(file), colors, damage, lacks_end });
    }
    let mut parts: Vec<Part<'_>> = segments
        .into_iter()
        .map(|Segment { marker, parameters, coded }| Part { marker, parameters: parameters.into(), coded })
        .collect();
    if !missing.is_empty() {
        let tables = Part { marker: DHT, parameters: missing.into(), coded: &[] };
        let scan = parts.iter().position(|part| part.marker == SOS).unwrap_or(parts.len());
        parts.insert(scan, tables);
    }
    if !declared {
        declare(&mut parts, colors);
    }
    Ok(Repaired { file: Cow::Owned(written(&parts)), colors, damage, lacks_end })
}

/// A file of these segments.
fn written(parts: &[Part<'_>]) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    for Part { marker, parameters, coded } in parts {
        file.extend([0xff, *marker]);
        // They are not longer than what was read, or a table.
        file.extend((parameters.len() as u16 + 2).to_be_bytes());
        file.extend(&parameters[..]);
        file.extend(*coded);
    }
    file.extend([0xff, 0xd9]);
    file
}

/// The Huffman tables that a sequential file refers to and does not have, as the parameters of a DHT segment. They are
/// those of K.3.3 of T.81, which frames of Motion JPEG leave out.
fn missing_tables(segments: &[Segment<'_>]) -> Vec<u8> {
    if !segments.iter().any(|segment| matches!(segment.marker, 0xc0 | 0xc1)) {
        return Vec::new();
    }
    let Some(scan) = segments.iter().position(|segment| segment.marker == SOS) else { return Vec::new() };
    let has = |class_and_number: u8| {
        let tables = segments[..scan].iter().filter(|segment| segment.marker == DHT);
        tables.flat_map(|segment| tables_of(segment.parameters)).any(|table| table[0] == class_and_number)
    };
    let selectors = segments[scan].parameters.get(1..).unwrap_or_default().as_chunks::<2>().0;
    let count = segments[scan].parameters.first().copied().unwrap_or_default();
    let mut missing = Vec::new();
    for table in standard_tables().iter().flat_map(|tables| tables_of(tables)) {
        let (class, number) = (table[0] >> 4, table[0] & 15);
        let named = |&[_, td_ta]: &[u8; 2]| if class == 0 { td_ta >> 4 } else { td_ta & 15 } == number;
        if selectors.iter().take(count.into()).any(named) && !has(table[0]) {
            missing.extend(table);
        }
    }
    missing
}

/// The tables in the parameters of a DHT segment: class and number, 16 counts, and as many symbols.
fn tables_of(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let symbols: usize = rest.get(1..17)?.iter().map(|&count| usize::from(count)).sum();
        let (table, behind) = rest.split_at_checked(17 + symbols)?;
        rest = behind;
        Some(table)
    })
}

/// The tables of K.3.3, as the parameters of DHT segments: those with which this encoder writes a file.
fn standard_tables() -> Vec<Vec<u8>> {
    let image = Image::rgb(&[0; 3], 1, 1);
    let file = image.and_then(|image| Encoder::new().encode(&image)).unwrap_or_default();
    let tables = segments(&file).into_iter().filter(|segment| segment.marker == DHT);
    tables.map(|segment| segment.parameters.to_vec()).collect()
}

/// The meaning of the components by the rules of libjpeg: a JFIF marker goes before an Adobe marker, which goes before
/// identifiers.
fn colors(segments: &[Segment<'_>], damage: &mut Vec<String>) -> Colors {
    let components = components(segments);
    let jfif = segments
        .iter()
        .any(|s| s.marker == APP0 && s.parameters.len() >= 14 && s.parameters.starts_with(b"JFIF\0"));
    let mut transform = None;
    for parameters in adobe(segments) {
        match parameters.get(11) {
            Some(&value) => transform = Some(value),
            None => damage.push("an Adobe marker that is too short".to_owned()),
        }
    }
    let mut unknown = |otherwise: Colors| {
        damage.push(format!("an Adobe marker of unknown transform {}", transform.unwrap_or_default()));
        otherwise
    };
    match (components.len(), transform) {
        (1, _) => Colors::Gray,
        (3, _) if jfif => Colors::YCbCr,
        (3, Some(0)) => Colors::Rgb,
        (3, None) if components == *b"RGB" => Colors::Rgb,
        (3, None | Some(1)) => Colors::YCbCr,
        (3, Some(_)) => unknown(Colors::YCbCr),
        (4, None | Some(0)) => Colors::Cmyk,
        (4, Some(2)) => Colors::Ycck,
        (4, Some(_)) => unknown(Colors::Ycck),
        _ => Colors::Other,
    }
}

/// The parameters of all Adobe markers.
fn adobe<'a>(segments: &[Segment<'a>]) -> impl Iterator<Item = &'a [u8]> {
    let parameters =
        segments.iter().filter(|segment| segment.marker == APP14).map(|segment| segment.parameters);
    parameters.filter(|parameters| parameters.starts_with(ADOBE))
}

/// The identifiers of the components.
fn components(segments: &[Segment<'_>]) -> Vec<u8> {
    let frame = segments.iter().find(|segment| is_frame(segment.marker));
    let components = frame.and_then(|frame| frame.parameters.get(6..)).unwrap_or_default();
    components.as_chunks::<3>().0.iter().map(|&[identifier, ..]| identifier).collect()
}

/// Whether a decoder that looks at the Adobe marker, and else at the identifiers, finds these colors.
fn is_declared(segments: &[Segment<'_>], colors: Colors) -> bool {
    let mut markers = adobe(segments).map(|parameters| parameters.get(11).copied());
    let (marker, another) = (markers.next(), markers.next());
    if another.is_some() || marker == Some(None) {
        return false;
    }
    match (colors, marker.flatten()) {
        (Colors::Gray | Colors::Other, None | Some(0..=2))
        | (Colors::Cmyk, None | Some(0))
        | (Colors::Rgb, Some(0))
        | (Colors::Ycck, Some(2)) => true,
        (Colors::YCbCr, None | Some(1)) => components(segments) != *b"RGB",
        // A lossless file has no other mark.
        (Colors::Rgb, None) => segments.iter().any(|segment| segment.marker == SOF3),
        _ => false,
    }
}

/// Says what the components are with an Adobe marker alone.
fn declare(parts: &mut Vec<Part<'_>>, colors: Colors) {
    parts.retain(|part| part.marker != APP14 || !part.parameters.starts_with(ADOBE));
    let transform = match colors {
        Colors::Gray | Colors::Other => return,
        Colors::Rgb | Colors::Cmyk => 0,
        Colors::YCbCr => 1,
        Colors::Ycck => 2,
    };
    let marker = [ADOBE, &[0, 100, 0, 0, 0, 0, transform]].concat();
    parts.insert(0, Part { marker: APP14, parameters: marker.into(), coded: &[] });
    if colors != Colors::YCbCr {
        return;
    }
    // Components that are called R, G and B get other names, in the frame and in the scans.
    let other = |name: u8| b"RGB".iter().position(|&own| own == name).map_or(name, |place| place as u8 + 1);
    for part in parts {
        let (first, count, each) = match part.marker {
            marker if is_frame(marker) => (6, part.parameters.get(5).copied().unwrap_or_default(), 3),
            SOS => (1, part.parameters.first().copied().unwrap_or_default(), 2),
            _ => continue,
        };
        let names = part.parameters.to_mut().get_mut(first..).unwrap_or_default();
        for name in names.iter_mut().step_by(each).take(count.into()) {
            *name = other(*name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shim_jpeg::ColorSpace;

    fn file(space: ColorSpace) -> Vec<u8> {
        let samples: Vec<u8> = (0..24 * 16 * 3_u32).map(|i| (i * i % 251) as u8).collect();
        Encoder::new().color_space(space).encode(&Image::rgb(&samples, 24, 16).unwrap()).unwrap()
    }

    /// The file with the segments that `change` makes of its own, as marker and parameters.
    fn changed(file: &[u8], change: impl FnOnce(&mut Vec<(u8, Vec<u8>)>)) -> Vec<u8> {
        let all = segments(file);
        let coded = all.last().unwrap().coded;
        let mut own = all.iter().map(|segment| (segment.marker, segment.parameters.to_vec())).collect();
        change(&mut own);
        let parts: Vec<Part<'_>> = own
            .into_iter()
            .map(|(marker, parameters)| Part {
                marker,
                parameters: parameters.into(),
                coded: if marker == SOS { coded } else { &[] },
            })
            .collect();
        written(&parts)
    }

    #[test]
    fn whole_files_stay_as_they_are() {
        for space in [ColorSpace::Gray, ColorSpace::YCbCr, ColorSpace::Rgb] {
            let file = file(space);
            let repaired = repaired(&file, false).unwrap();
            assert!(matches!(repaired.file, Cow::Borrowed(_)) && !repaired.lacks_end);
            assert!(repaired.damage.is_empty());
        }
    }

    #[test]
    fn tables_that_are_left_out_are_the_standards() {
        let whole = file(ColorSpace::YCbCr);
        let without = changed(&whole, |own| own.retain(|(marker, _)| *marker != DHT));
        let repaired = repaired(&without, false).unwrap();
        let tables = |file: &[u8]| {
            let tables = segments(file).into_iter().filter(|segment| segment.marker == DHT);
            let mut tables: Vec<_> = tables
                .flat_map(|s| tables_of(s.parameters).map(<[u8]>::to_vec).collect::<Vec<_>>())
                .collect();
            tables.sort();
            tables
        };
        assert_eq!(tables(&repaired.file), tables(&whole));
        assert!(repaired.damage.is_empty());
    }

    #[test]
    fn the_end_may_be_missing_and_not_more() {
        let whole = file(ColorSpace::YCbCr);
        let end = whole.len() - 2;
        let repaired_ = repaired(&whole[..end], false).unwrap();
        assert!(repaired_.lacks_end && *repaired_.file == *whole);
        let scan = segments(&whole).last().unwrap().coded.as_ptr() as usize - whole.as_ptr() as usize;
        for length in 0..=scan {
            assert!(repaired(&whole[..length], true).is_err(), "{length}");
        }
    }

    #[test]
    fn bytes_between_segments_are_told() {
        let whole = file(ColorSpace::YCbCr);
        let mut longer = whole.clone();
        longer.splice(2..2, *b"abc\xff\0");
        let repaired = repaired(&longer, false).unwrap();
        assert_eq!(repaired.damage, ["5 extraneous bytes before marker 0xe0"]);
        assert!(*repaired.file == *whole);
    }

    #[test]
    fn colors_are_those_of_libjpeg() {
        let adobe = |transform: u8| (APP14, [ADOBE, &[0, 100, 0, 0, 0, 0, transform]].concat());
        let of = |file: &[u8]| {
            let repaired = repaired(file, false).unwrap();
            let again = super::repaired(&repaired.file, false).unwrap();
            assert_eq!(again.colors, repaired.colors);
            assert!(matches!(again.file, Cow::Borrowed(_)));
            (repaired.colors, repaired.damage.len())
        };
        let usual = file(ColorSpace::YCbCr);
        let without_jfif = changed(&usual, |own| own.retain(|(marker, _)| *marker != APP0));
        let named = |file: &[u8]| {
            changed(file, |own| {
                for (marker, parameters) in own {
                    let (first, each) = if is_frame(*marker) { (6, 3) } else { (1, 2) };
                    if is_frame(*marker) || *marker == SOS {
                        for (name, at) in b"RGB".iter().zip((first..).step_by(each)) {
                            parameters[at] = *name;
                        }
                    }
                }
            })
        };
        let with = |file: &[u8], transform: u8| changed(file, |own| own.insert(0, adobe(transform)));
        assert_eq!(of(&usual), (Colors::YCbCr, 0));
        assert_eq!(of(&with(&usual, 0)), (Colors::YCbCr, 0));
        assert_eq!(of(&named(&usual)), (Colors::YCbCr, 0));
        assert_eq!(of(&without_jfif), (Colors::YCbCr, 0));
        assert_eq!(of(&named(&without_jfif)), (Colors::Rgb, 0));
        assert_eq!(of(&with(&without_jfif, 0)), (Colors::Rgb, 0));
        assert_eq!(of(&with(&named(&without_jfif), 1)), (Colors::YCbCr, 0));
        assert_eq!(of(&with(&without_jfif, 5)), (Colors::YCbCr, 1));
        let short = changed(&usual, |own| own.insert(0, (APP14, ADOBE.to_vec())));
        assert_eq!(of(&short), (Colors::YCbCr, 1));
    }
}
