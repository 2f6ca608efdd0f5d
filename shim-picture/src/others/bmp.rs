//! BMP files, by `zune-bmp`.

use zune_bmp::zune_core::bytestream::ZCursor;
use zune_bmp::zune_core::colorspace::ColorSpace;
use zune_bmp::zune_core::options::DecoderOptions;
use zune_bmp::{BmpDecoder, BmpDecoderErrors};

use super::{Decoded, Other, bitmap, check, unsupported};
use crate::bitmap::Channels;
use crate::error::Error;
use crate::limits::Limits;

/// Decodes a file.
pub(super) fn decode(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
    let reason = |error| match error {
        BmpDecoderErrors::IoErrors(_) => Error::Truncated { format: Other::Bmp.name() },
        error => Error::Damaged { format: Other::Bmp.name(), detail: format!("{error:?}").trim().to_owned() },
    };
    let options =
        DecoderOptions::default().set_strict_mode(true).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = BmpDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(reason)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    check(width, height, limits)?;
    let channels = match decoder.colorspace() {
        Some(ColorSpace::Luma) => Channels::Gray,
        Some(ColorSpace::RGBA) => Channels::Rgba,
        Some(ColorSpace::RGB) => Channels::Rgb,
        other => return Err(unsupported(Other::Bmp, format!("colors of {other:?}"))),
    };
    let samples = decoder.decode().map_err(reason)?;
    bitmap(Other::Bmp, [width, height], channels, samples.into())
}
