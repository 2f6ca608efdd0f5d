//! JPEG files that zune-jpeg does not decode: lossless ones, and sequential ones whose components are in scans of their own.
//!
//! The crate jpeg-decoder reads these. It is not the one for all files, since zune-jpeg is faster and stricter.

use jpeg_decoder::{Decoder, Error, PixelFormat};

use crate::bitmap::{Bitmap, Channels, MAX_MEMORY};
use crate::failure::Reason;
use crate::jpeg_segments::{SOS, Segment};
use crate::source_metadata::Metadata;

/// The name of the format in messages.
const FORMAT: &str = "JPEG";

/// Whether a file of these segments is one that is read here.
pub(crate) fn is_rare(segments: &[Segment<'_>]) -> bool {
    let scans = segments.iter().filter(|segment| segment.marker == SOS).count();
    segments.iter().any(|segment| match segment.marker {
        0xc0 | 0xc1 => scans > 1,
        0xc3 => true,
        _ => false,
    })
}

/// Decodes a file, gray or to RGB, of 8 or 16 bits, as its samples lie; and its ICC profile, Exif and XMP data.
pub(crate) fn decode(file: &[u8], segments: &[Segment<'_>]) -> Result<(Bitmap, Metadata), Reason> {
    let unsupported = |detail: &str| Reason::Unsupported { format: FORMAT, detail: detail.to_owned() };
    if memory(segments) > MAX_MEMORY {
        return Err(Reason::Memory);
    }
    let bits = match lossless(segments) {
        // The decoder does not convert colors of these.
        Some(frame) if frame.len() > 9 && !is_rgb(frame) => {
            return Err(unsupported("a lossless image of other colors than gray and RGB"));
        }
        // It gets both wrong without a word.
        Some(_) if has_restarts(segments) || has_point_transform(segments) => {
            return Err(unsupported("a lossless image with restarts or a point transform"));
        }
        Some(frame) => frame.first().copied().filter(|bits| (2..=16).contains(bits)).unwrap_or(8),
        None => 8,
    };
    let mut decoder = Decoder::new(file);
    let samples = decoder.decode().map_err(reason)?;
    let info = decoder.info().ok_or_else(|| unsupported("an image without a frame"))?;
    let channels = match info.pixel_format {
        PixelFormat::L8 | PixelFormat::L16 => Channels::Gray,
        PixelFormat::RGB24 => Channels::Rgb,
        PixelFormat::CMYK32 => return Err(unsupported("an image of four components in several scans")),
    };
    let (width, height) = (info.width.into(), info.height.into());
    let bitmap = if bits == 8 {
        Bitmap::new(width, height, channels, samples)
    } else {
        // Samples of all other numbers of bits are words.
        let most = (1_u32 << bits) - 1;
        let words = samples.as_chunks().0.iter().map(|&pair| u32::from(u16::from_ne_bytes(pair)));
        let words = words.map(|sample| ((sample * 0xffff + most / 2) / most) as u16);
        Bitmap::new(width, height, channels, words.collect::<Vec<_>>())
    };
    let metadata = Metadata {
        icc: decoder.icc_profile(),
        exif: decoder.exif_data().map(<[u8]>::to_vec),
        xmp: decoder.xmp_data().map(<[u8]>::to_vec),
        ..Metadata::default()
    };
    Ok((bitmap.ok_or_else(|| Reason::too_few_samples(FORMAT))?, metadata))
}

/// Bytes that the decoding takes: about three words for each sample.
fn memory(segments: &[Segment<'_>]) -> u64 {
    let frames = segments.iter().filter(|segment| matches!(segment.marker, 0xc0 | 0xc1 | 0xc3));
    let bytes = frames.map(|frame| match *frame.parameters {
        [_, y1, y0, x1, x0, components, ..] => {
            let [width, height] = [[x1, x0], [y1, y0]].map(|side| u64::from(u16::from_be_bytes(side)));
            6 * width * height * u64::from(components)
        }
        _ => 0,
    });
    bytes.max().unwrap_or(0)
}

/// The frame header of a lossless file.
fn lossless<'a>(segments: &[Segment<'a>]) -> Option<&'a [u8]> {
    segments.iter().find(|segment| segment.marker == 0xc3).map(|segment| segment.parameters)
}

fn has_restarts(segments: &[Segment<'_>]) -> bool {
    segments.iter().any(|segment| segment.marker == 0xdd && segment.parameters != [0, 0])
}

/// Whether Al, the last of a scan's parameters, says that bits were left out.
fn has_point_transform(segments: &[Segment<'_>]) -> bool {
    let mut scans = segments.iter().filter(|segment| segment.marker == SOS);
    scans.any(|scan| scan.parameters.last().is_some_and(|ah_al| ah_al & 15 != 0))
}

/// Whether the components of a frame are called R, G and B.
fn is_rgb(frame: &[u8]) -> bool {
    frame[6..].as_chunks::<3>().0.iter().map(|component| component[0]).eq(*b"RGB")
}

/// The decoder's error in this command's words.
fn reason(error: Error) -> Reason {
    match error {
        Error::Unsupported(feature) => Reason::Unsupported { format: FORMAT, detail: format!("{feature:?}") },
        Error::Io(_) => Reason::Truncated { format: FORMAT },
        Error::Format(detail) => Reason::Damaged { format: FORMAT, detail },
        Error::Internal(error) => Reason::Damaged { format: FORMAT, detail: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jpeg_segments::segments;
    use shim_jpeg::{Encoder, Image, Predictor, Process};

    #[test]
    fn an_image_that_memory_does_not_hold() {
        let image = Image::gray(&[7; 64], 8, 8).unwrap();
        let mut file = Encoder::new().process(Process::lossless(Predictor::Left)).encode(&image).unwrap();
        assert!(decode(&file, &segments(&file)).is_ok());
        let frame = file.windows(2).position(|pair| pair == [0xff, 0xc3]).unwrap();
        file[frame + 5..frame + 9].fill(0xff);
        assert!(matches!(decode(&file, &segments(&file)), Err(Reason::Memory)));
    }
}
