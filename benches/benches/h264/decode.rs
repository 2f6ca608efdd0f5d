//! Streams decoded by `OpenH264`, whoever wrote them.

use openh264::decoder::{DecodeOptions, DecodedYUV, Decoder, Flush};
use openh264::formats::YUVSource;

/// The frames of a byte stream, I420.
pub(crate) fn decode(stream: &[u8]) -> Result<Vec<Vec<u8>>, openh264::Error> {
    let mut decoder = Decoder::new()?;
    let mut frames = Vec::new();
    let options = DecodeOptions::new().flush_after_decode(Flush::NoFlush);
    for unit in openh264::nal_units(stream) {
        if let Some(yuv) = decoder.decode_with_options(unit, options.clone())? {
            frames.push(i420(&yuv));
        }
    }
    frames.extend(decoder.flush_remaining()?.iter().map(i420));
    Ok(frames)
}

fn i420(yuv: &DecodedYUV<'_>) -> Vec<u8> {
    let ((width, height), strides) = (yuv.dimensions(), yuv.strides());
    let mut frame = Vec::with_capacity(width * height * 3 / 2);
    for (plane, stride, width, height) in [
        (yuv.y(), strides.0, width, height),
        (yuv.u(), strides.1, width / 2, height / 2),
        (yuv.v(), strides.2, width / 2, height / 2),
    ] {
        frame.extend(plane.chunks(stride).take(height).flat_map(|row| &row[..width]));
    }
    frame
}
