//! Reading JPEG files.
//!
//! zune-jpeg decodes strictly: a decoder that makes the best of a damaged file would have half a picture encoded
//! without a word. Faults that libjpeg reads past are repaired beforehand and reported.

use shim_jpeg::MAX_DIMENSION;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

mod anatomy;
mod huffman;
mod integrity;
mod metadata;
mod rare;
mod repair;
mod segments;

use crate::bitmap::{Bitmap, Channels};
use crate::error::Error;
use crate::limits::Limits;
use crate::metadata::Metadata;
pub use anatomy::{Anatomy, ComponentBits, Scan, dissect};
use repair::Repaired;
pub(crate) use segments::FORMAT;
use segments::{SOF2, SOF3, SOF55, SOS, Segment, is_frame, parse, segments};

/// SOI and the start of the next marker, with which every file begins.
pub(crate) const SIGNATURE: &[u8] = &[0xff, 0xd8, 0xff];

/// Whether a file begins as JPEG files do.
#[must_use]
pub fn is_jpeg(file: &[u8]) -> bool {
    file.starts_with(SIGNATURE)
}

/// Decodes a file, gray or to RGB, and hands over its metadata.
pub(crate) fn decode(file: &[u8], limits: Limits) -> Result<(Bitmap, Metadata), Error> {
    if segments(file).iter().any(|segment| segment.marker == SOF55) {
        let detail = "JPEG-LS (SOF55); convert it first (magick IN OUT.png)".to_owned();
        return Err(Error::Unsupported { format: FORMAT, detail });
    }
    let repaired = repair::repaired(file, limits.truncated)?;
    let segments = segments(&repaired.file);
    let scans = segments.iter().filter(|segment| segment.marker == SOS).count();
    if scans > limits.max_scans {
        return Err(Error::TooManyScans { scans, most: limits.max_scans });
    }
    let fault = || integrity::fault(&repaired.file);
    let mut truncated = false;
    // Whether the end is missing of the data or of the file is known first.
    let (decoded, fault) = if repaired.lacks_end {
        let fault = fault();
        let cut = fault.is_some_and(|(scan, fault)| scan == scans && fault.is_of_truncation());
        truncated = cut || lacks_data(&repaired.file, &segments);
        if truncated && !limits.truncated {
            return Err(Error::Truncated { format: FORMAT });
        }
        (decoded(&repaired, &segments, !truncated, limits), fault)
    } else {
        both(|| decoded(&repaired, &segments, true, limits), fault)
    };
    let bitmap = match decoded {
        // The file does not end before its last marker.
        Err(Error::Truncated { format }) if !repaired.lacks_end => {
            let detail = "its coded data ends before the image does".to_owned();
            return Err(Error::Damaged { format, detail });
        }
        decoded => decoded?,
    };
    let mut metadata = metadata::metadata(&segments);
    let repairs = repaired.damage.iter().map(|wrong| format!("corrupt JPEG data: {wrong}"));
    let fault = fault.map(|(scan, fault)| format!("corrupt JPEG data in scan {scan}: {fault}"));
    metadata.damage = repairs.chain(fault).chain(metadata.damage).collect();
    if truncated {
        metadata.damage.push("truncated: what the file does not have is gray or coarse".to_owned());
    } else if repaired.lacks_end {
        metadata.damage.push("the file ends without an EOI marker".to_owned());
    }
    Ok((bitmap, metadata))
}

/// Decodes a file that shim-jpeg has written, gray or to RGB.
///
/// # Errors
///
/// The reason why the file is not read.
pub fn samples(file: &[u8]) -> Result<Bitmap, Error> {
    let repaired = repair::repaired(file, false)?;
    decoded(&repaired, &segments(&repaired.file), true, Limits::NONE)
}

/// Calls both functions, at the same time if the caller runs in a pool.
///
/// Outside of one nothing is started, since a process that forks would wait for threads that its child does not have.
fn both<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    if rayon::current_thread_index().is_some() { rayon::join(one, other) } else { (one(), other()) }
}

/// The image as its samples lie.
fn decoded(
    repaired: &Repaired<'_>,
    segments: &[Segment<'_>],
    strict: bool,
    limits: Limits,
) -> Result<Bitmap, Error> {
    if let Some(detail) = unsupported(segments) {
        return Err(Error::Unsupported { format: FORMAT, detail });
    }
    if rare::is_rare(segments) {
        return rare::decode(&repaired.file, segments, repaired.colors);
    }
    let options = DecoderOptions::default()
        .set_strict_mode(strict)
        .jpeg_set_max_scans(limits.max_scans)
        .set_max_width(MAX_DIMENSION)
        .set_max_height(MAX_DIMENSION);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&repaired.file[..]), options);
    decoder.decode_headers().map_err(reason)?;
    let gray = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let space = if gray { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let samples = decoder.decode().map_err(reason)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    let channels = if gray { Channels::Gray } else { Channels::Rgb };
    Bitmap::new(width, height, channels, samples).ok_or_else(|| Error::too_few_samples(FORMAT))
}

/// Whether a file whose scans have no fault lacks some of them, or of the one that a lossless file has.
fn lacks_data(file: &[u8], segments: &[Segment<'_>]) -> bool {
    let Some(frame) = segments.iter().find(|segment| is_frame(segment.marker)) else { return true };
    match frame.marker {
        SOF3 => anatomy::dissect(file).is_none(),
        SOF2 => lacks_scans(frame.parameters, segments),
        _ => {
            // Each component is in one scan.
            let scans = segments.iter().filter(|segment| segment.marker == SOS);
            let coded: usize =
                scans.filter_map(|scan| scan.parameters.first()).map(|&count| usize::from(count)).sum();
            frame.parameters.get(5).is_none_or(|&count| coded < count.into())
        }
    }
}

/// Whether a progressive file lacks bits of a coefficient (T.81 G.1.1.1).
fn lacks_scans(frame: &[u8], segments: &[Segment<'_>]) -> bool {
    let components = frame.get(6..).unwrap_or_default().as_chunks::<3>().0;
    // The bits of each coefficient that are still to come.
    let mut missing = vec![[u8::MAX; 64]; components.len()];
    for scan in segments.iter().filter(|segment| segment.marker == SOS) {
        let &[count, ref selectors @ .., ss, se, ah_al] = scan.parameters else { return true };
        let named = selectors.as_chunks::<2>().0.iter().take(count.into());
        for &[selector, _] in named {
            let place = components.iter().position(|component| component[0] == selector);
            let Some(place) = place else { return true };
            for coefficient in missing[place].iter_mut().take(usize::from(se) + 1).skip(ss.into()) {
                *coefficient = ah_al & 15;
            }
        }
    }
    missing.iter().flatten().any(|&bits| bits > 0)
}

/// Width and height of a file, by its frame header.
pub(crate) fn dimensions(file: &[u8]) -> Option<[u32; 2]> {
    let segments = parse(file).ok()?.segments;
    let frame = segments.iter().find(|segment| is_frame(segment.marker))?;
    let &[_, y1, y0, x1, x0, ..] = frame.parameters else { return None };
    Some([[x1, x0], [y1, y0]].map(|side| u16::from_be_bytes(side).into()))
}

/// A feature of a file that no decoder here supports, by its frame header (T.81 B.2.2).
fn unsupported(segments: &[Segment<'_>]) -> Option<String> {
    let frame = segments.iter().find(|segment| is_frame(segment.marker))?;
    let n = frame.marker - 0xc0;
    match (n, frame.parameters.first()) {
        (5..=7, _) => Some(format!("hierarchical or differential coding (SOF{n})")),
        (9..=15, _) => Some(format!("arithmetic coding (SOF{n})")),
        (0..=2, Some(&bits)) if bits != 8 => Some(format!("{bits}-bit samples")),
        _ => None,
    }
}

/// The decoder's error in this command's words.
fn reason(error: DecodeErrors) -> Error {
    let detail = |text: String| Error::Damaged { format: FORMAT, detail: text.trim().to_owned() };
    match error {
        DecodeErrors::Unsupported(scheme) => Error::Unsupported {
            format: FORMAT,
            detail: format!("{scheme:?}").trim().trim_matches('"').to_owned(),
        },
        DecodeErrors::ExhaustedData | DecodeErrors::IoErrors(_) => Error::Truncated { format: FORMAT },
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

    const STRICT: Limits = Limits { max_pixels: u64::MAX, max_scans: 100, truncated: false };

    #[test]
    fn no_beginning_of_a_file_is_taken_for_the_whole() {
        let file = file();
        assert!(decode(&file, STRICT).unwrap().1.damage.is_empty());
        for length in 0..file.len() - 3 {
            let refused = decode(&file[..length], STRICT);
            assert!(matches!(refused, Err(Error::Truncated { .. })), "{length} of {}", file.len());
        }
        // All data is there.
        let (_, metadata) = decode(&file[..file.len() - 2], STRICT).unwrap();
        assert_eq!(metadata.damage, ["the file ends without an EOI marker"]);
    }

    #[test]
    fn the_end_may_be_missing_only_behind_all_data() {
        let samples: Vec<u8> = (0..40 * 30 * 3_u32).map(|i| (i * i % 251) as u8).collect();
        let image = Image::rgb(&samples, 40, 30).unwrap();
        let lossless = shim_jpeg::Process::lossless(shim_jpeg::Predictor::Plane);
        for process in [shim_jpeg::Process::Progressive, lossless] {
            let file = Encoder::new().process(process).encode(&image).unwrap();
            let end = file.len() - 2;
            assert!(decode(&file[..end], STRICT).is_ok());
            for length in 0..end {
                assert!(decode(&file[..length], STRICT).is_err(), "{length} of {end}");
            }
        }
    }

    #[test]
    fn a_truncated_file_may_be_accepted() {
        let file = file();
        let tolerant = Limits { truncated: true, ..STRICT };
        let whole = decode(&file, tolerant).unwrap().0;
        let (half, metadata) = decode(&file[..file.len() / 2 + 300], tolerant).unwrap();
        assert_eq!((half.width, half.height), (whole.width, whole.height));
        assert_eq!(metadata.damage.len(), 2, "{:?}", metadata.damage);
    }

    #[test]
    fn what_follows_the_image_does_not_matter() {
        let mut file = file();
        file.extend(b"and more");
        assert!(decode(&file, STRICT).unwrap().1.damage.is_empty());
    }

    #[test]
    fn the_end_of_a_thumbnail_is_not_the_end_of_the_image() {
        let (thumbnail, file) = (file(), file());
        let mut segment = vec![0xff, 0xd8, 0xff, 0xe1];
        segment.extend((thumbnail.len() as u16 + 2).to_be_bytes());
        segment.extend(&thumbnail);
        segment.extend(&file[2..]);
        assert!(decode(&segment, STRICT).is_ok());
        assert!(decode(&segment[..segment.len() - 4], STRICT).is_err());
    }

    #[test]
    fn a_file_has_as_many_scans_as_are_allowed() {
        let samples = [7; 64 * 3];
        let image = Image::rgb(&samples, 8, 8).unwrap();
        let file = Encoder::new().process(shim_jpeg::Process::Progressive).encode(&image).unwrap();
        assert!(decode(&file, Limits { max_scans: 10, ..STRICT }).is_ok());
        let refused = decode(&file, Limits { max_scans: 9, ..STRICT });
        assert!(matches!(refused, Err(Error::TooManyScans { scans: 10, most: 9 })));
    }
}
