//! JPEG files that zune-jpeg does not decode, or not rightly: lossless ones, sequential ones whose components are in
//! scans of their own, and those whose sampling factors are not the usual ones.
//!
//! The crate jpeg-decoder reads these. It is not the one for all files, since zune-jpeg is faster and stricter.

use jpeg_decoder::{ColorTransform, Decoder, PixelFormat};

use super::repair::Colors;
use super::segments::{FORMAT, SOF3, SOS, Segment};
use crate::bitmap::{Bitmap, Channels, MAX_MEMORY, Samples};
use crate::error::Error;

/// Whether a file of these segments is one that is read here.
pub(crate) fn is_rare(segments: &[Segment<'_>]) -> bool {
    let scans = segments.iter().filter(|segment| segment.marker == SOS).count();
    segments.iter().any(|segment| match segment.marker {
        0xc0 | 0xc1 => scans > 1 || !has_usual_factors(segment.parameters),
        0xc2 => !has_usual_factors(segment.parameters),
        SOF3 => true,
        _ => false,
    })
}

/// Whether zune-jpeg reads a frame of such sampling factors: it takes those of the first component for the greatest
/// ones.
fn has_usual_factors(frame: &[u8]) -> bool {
    let factors = |&[_, hv, _]: &[u8; 3]| (hv >> 4, hv & 15);
    let factors: Vec<_> = frame.get(6..).unwrap_or_default().as_chunks::<3>().0.iter().map(factors).collect();
    match factors[..] {
        [first, (1, 1), (1, 1)] => matches!(first, (1 | 2, 1 | 2) | (4, 1)),
        [(h, v), second, third, fourth] => {
            [second, third, fourth].iter().all(|&(own_h, own_v)| own_h <= h && own_v <= v)
        }
        [_, _, _] => false,
        _ => true,
    }
}

/// Decodes a file, gray or to RGB, of 8 or 16 bits, as its samples lie.
pub(crate) fn decode(file: &[u8], segments: &[Segment<'_>], colors: Colors) -> Result<Bitmap, Error> {
    let unsupported = |detail: &str| Error::Unsupported { format: FORMAT, detail: detail.to_owned() };
    if memory(segments) > MAX_MEMORY {
        return Err(Error::Memory);
    }
    let bits = match lossless(segments) {
        // The decoder does not convert colors of these.
        Some(_) if !matches!(colors, Colors::Gray | Colors::Rgb) => {
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
    match colors {
        Colors::YCbCr => decoder.set_color_transform(ColorTransform::YCbCr),
        Colors::Rgb => decoder.set_color_transform(ColorTransform::RGB),
        Colors::Gray | Colors::Cmyk | Colors::Ycck | Colors::Other => {}
    }
    let samples = decoder.decode().map_err(reason)?;
    let info = decoder.info().ok_or_else(|| unsupported("an image without a frame"))?;
    let channels = match info.pixel_format {
        PixelFormat::L8 | PixelFormat::L16 => Channels::Gray,
        PixelFormat::RGB24 => Channels::Rgb,
        PixelFormat::CMYK32 => {
            return Err(unsupported(
                "an image of four components in several scans, or of unusual sampling factors",
            ));
        }
    };
    let (width, height) = (info.width.into(), info.height.into());
    let bitmap = if bits == 8 {
        Bitmap::new(width, height, channels, samples)
    } else {
        // Samples of all other numbers of bits are words.
        let words = samples.as_chunks().0.iter().map(|&pair| u16::from_ne_bytes(pair));
        Bitmap::new(width, height, channels, Samples::of_bits(words.collect(), bits))
    };
    bitmap.ok_or_else(|| Error::too_few_samples(FORMAT))
}

/// Bytes that the decoding takes: about three words for each sample.
fn memory(segments: &[Segment<'_>]) -> u64 {
    let frames = segments.iter().filter(|segment| matches!(segment.marker, 0xc0..=SOF3));
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
    segments.iter().find(|segment| segment.marker == SOF3).map(|segment| segment.parameters)
}

fn has_restarts(segments: &[Segment<'_>]) -> bool {
    segments.iter().any(|segment| segment.marker == 0xdd && segment.parameters != [0, 0])
}

/// Whether Al, the last of a scan's parameters, says that bits were left out.
fn has_point_transform(segments: &[Segment<'_>]) -> bool {
    let mut scans = segments.iter().filter(|segment| segment.marker == SOS);
    scans.any(|scan| scan.parameters.last().is_some_and(|ah_al| ah_al & 15 != 0))
}

/// The decoder's error in our words.
fn reason(error: jpeg_decoder::Error) -> Error {
    match error {
        jpeg_decoder::Error::Unsupported(feature) => {
            Error::Unsupported { format: FORMAT, detail: format!("{feature:?}") }
        }
        jpeg_decoder::Error::Io(_) => Error::Truncated { format: FORMAT },
        jpeg_decoder::Error::Format(detail) => Error::Damaged { format: FORMAT, detail },
        jpeg_decoder::Error::Internal(error) => Error::Damaged { format: FORMAT, detail: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::super::segments::segments;
    use super::*;
    use shim_jpeg::{Encoder, Image, Predictor, Process};

    #[test]
    fn an_image_that_memory_does_not_hold() {
        let image = Image::gray(&[7; 64], 8, 8).unwrap();
        let mut file = Encoder::new().process(Process::lossless(Predictor::Left)).encode(&image).unwrap();
        assert!(decode(&file, &segments(&file), Colors::Gray).is_ok());
        let frame = file.windows(2).position(|pair| pair == [0xff, 0xc3]).unwrap();
        file[frame + 5..frame + 9].fill(0xff);
        assert!(matches!(decode(&file, &segments(&file), Colors::Gray), Err(Error::Memory)));
    }
}
