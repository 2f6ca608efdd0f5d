//! Reading JPEG files.
//!
//! zune-jpeg decodes strictly: a decoder that makes the best of a damaged file would have half a picture encoded without a word.
//! Whether a file is complete is found out beforehand, since a decoder that has all its rows does not look further.

use shim_jpeg::{Density, MAX_DIMENSION};
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::bitmap::{Bitmap, Channels};
use crate::failure::Reason;
use crate::integrity;
use crate::jpeg_rare;
use crate::jpeg_segments::{Segment, segments};
use crate::orientation::Orientation;
use crate::source_metadata::{Metadata, upright_xmp};

/// The name of the format in messages.
pub(crate) const FORMAT: &str = "JPEG";

/// SOI and the start of the next marker, with which every file begins.
pub(crate) const SIGNATURE: &[u8] = &[0xff, 0xd8, 0xff];

/// Decodes a file, gray or to RGB, carries out the orientation of its Exif data, and hands over its metadata.
pub(crate) fn decode(file: &[u8]) -> Result<(Bitmap, Metadata), Reason> {
    let (decoded, fault) = rayon::join(|| decoded(file), || integrity::fault(file));
    let (mut bitmap, mut metadata) = decoded?;
    if let Some(orientation) = metadata.exif.as_deref_mut().and_then(Orientation::take) {
        bitmap = bitmap.upright(orientation);
    }
    metadata.xmp = metadata.xmp.map(upright_xmp);
    let segments = segments(file);
    let with = |wanted: u8| segments.iter().filter(move |s| s.marker == wanted).map(|s| s.parameters);
    metadata.comments = with(0xfe).map(<[u8]>::to_vec).collect();
    metadata.density = with(0xe0).find_map(jfif_density);
    metadata.damage = fault.map(|(scan, fault)| format!("corrupt JPEG data in scan {scan}: {fault}"));
    Ok((bitmap, metadata))
}

/// Decodes a file, gray or to RGB, as its samples lie.
pub(crate) fn samples(file: &[u8]) -> Result<Bitmap, Reason> {
    decoded(file).map(|(bitmap, _)| bitmap)
}

/// The image as its samples lie, and its ICC profile, Exif and XMP data.
fn decoded(file: &[u8]) -> Result<(Bitmap, Metadata), Reason> {
    if !is_complete(file) {
        return Err(Reason::Truncated { format: FORMAT });
    }
    let segments = segments(file);
    if let Some(detail) = unsupported(&segments) {
        return Err(Reason::Unsupported { format: FORMAT, detail });
    }
    if jpeg_rare::is_rare(&segments) {
        return jpeg_rare::decode(file, &segments);
    }
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(MAX_DIMENSION)
        .set_max_height(MAX_DIMENSION);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(reason)?;
    let gray = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let space = if gray { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let samples = decoder.decode().map_err(reason)?;

    let (width, height) = decoder.dimensions().unwrap_or_default();
    let channels = if gray { Channels::Gray } else { Channels::Rgb };
    let bitmap =
        Bitmap::new(width, height, channels, samples).ok_or_else(|| Reason::too_few_samples(FORMAT))?;
    let metadata = Metadata {
        icc: decoder.icc_profile(),
        exif: decoder.exif().cloned(),
        xmp: decoder.xmp().cloned(),
        ..Metadata::default()
    };
    Ok((bitmap, metadata))
}

/// Width and height of a file, by its frame header.
pub(crate) fn dimensions(file: &[u8]) -> Option<[u32; 2]> {
    let segments = segments(file);
    let frame =
        segments.iter().find(|segment| matches!(segment.marker, 0xc0..=0xc3 | 0xc5..=0xcb | 0xcd..=0xcf))?;
    let &[_, y1, y0, x1, x0, ..] = frame.parameters else { return None };
    Some([[x1, x0], [y1, y0]].map(|side| u16::from_be_bytes(side).into()))
}

/// A feature of a file that no decoder here supports, by its frame header (T.81 B.2.2).
fn unsupported(segments: &[Segment<'_>]) -> Option<String> {
    let frame =
        segments.iter().find(|segment| matches!(segment.marker, 0xc0..=0xc3 | 0xc5..=0xcb | 0xcd..=0xcf))?;
    let n = frame.marker - 0xc0;
    match (n, frame.parameters.first()) {
        (5..=7, _) => Some(format!("hierarchical or differential coding (SOF{n})")),
        (9..=15, _) => Some(format!("arithmetic coding (SOF{n})")),
        (0..=2, Some(&bits)) if bits != 8 => Some(format!("{bits}-bit samples")),
        _ => None,
    }
}

/// The density in the contents of an APP0 segment, if it is one of JFIF.
fn jfif_density(parameters: &[u8]) -> Option<Density> {
    let [b'J', b'F', b'I', b'F', 0, _, _, unit, h1, h0, v1, v0, ..] = *parameters else { return None };
    let (h, v) = (u16::from_be_bytes([h1, h0]), u16::from_be_bytes([v1, v0]));
    match unit {
        _ if h == 0 || v == 0 => None,
        0 => Some(Density::Aspect(h, v)),
        1 => Some(Density::PerInch(h, v)),
        2 => Some(Density::PerCentimeter(h, v)),
        _ => None,
    }
}

/// Whether the file reaches EOI, with all the segments before it whole (T.81 Annex B).
fn is_complete(file: &[u8]) -> bool {
    let mut at = 2;
    loop {
        // Coded data holds no 0xFF but before a marker or a stuffed zero, so it can be skipped to the next one.
        let Some(next) = file.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == 0xff)) else {
            return false;
        };
        at += next + 1;
        match file.get(at) {
            None => return false,
            // EOI.
            Some(0xd9) => return true,
            // A fill byte; a stuffed zero, TEM, RST and SOI, which have no parameters.
            Some(0xff) => {}
            Some(0x00 | 0x01 | 0xd0..=0xd8) => at += 1,
            // A segment with its length, which counts its own two bytes.
            Some(_) => match file.get(at + 1..at + 3) {
                Some(&[high, low]) => at += 1 + usize::from(u16::from_be_bytes([high, low])),
                _ => return false,
            },
        }
    }
}

/// The decoder's error in this command's words.
fn reason(error: DecodeErrors) -> Reason {
    let detail = |text: String| Reason::Damaged { format: FORMAT, detail: text.trim().to_owned() };
    match error {
        DecodeErrors::Unsupported(scheme) => Reason::Unsupported {
            format: FORMAT,
            detail: format!("{scheme:?}").trim().trim_matches('"').to_owned(),
        },
        DecodeErrors::ExhaustedData | DecodeErrors::IoErrors(_) => Reason::Truncated { format: FORMAT },
        DecodeErrors::FormatStatic(text) => detail(text.to_owned()),
        DecodeErrors::Format(text)
        | DecodeErrors::HuffmanDecode(text)
        | DecodeErrors::DqtError(text)
        | DecodeErrors::SosError(text)
        | DecodeErrors::SofError(text)
        | DecodeErrors::MCUError(text) => detail(text),
        other => detail(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shim_jpeg::{Encoder, Image};

    fn file() -> Vec<u8> {
        let samples: Vec<u8> = (0..40 * 30 * 3_u32).map(|i| (i * i % 251) as u8).collect();
        Encoder::new().encode(&Image::rgb(&samples, 40, 30).unwrap()).unwrap()
    }

    #[test]
    fn a_whole_file_is_complete_and_no_beginning_of_it() {
        let file = file();
        assert!(is_complete(&file));
        for length in 0..file.len() {
            assert!(!is_complete(&file[..length]), "{length} of {}", file.len());
        }
    }

    #[test]
    fn what_follows_the_image_does_not_matter() {
        let mut file = file();
        file.extend(b"and more");
        assert!(is_complete(&file));
        assert!(decode(&file).is_ok());
    }

    #[test]
    fn the_end_of_a_thumbnail_is_not_the_end_of_the_image() {
        let (thumbnail, file) = (file(), file());
        let mut segment = vec![0xff, 0xd8, 0xff, 0xe1];
        segment.extend((thumbnail.len() as u16 + 2).to_be_bytes());
        segment.extend(&thumbnail);
        segment.extend(&file[2..]);
        assert!(is_complete(&segment));
        assert!(!is_complete(&segment[..segment.len() - 2]));
    }
}
