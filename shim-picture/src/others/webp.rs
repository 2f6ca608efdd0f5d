//! WebP files, by `image-webp`: of animations, the first frame.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::{Decoded, Other, bitmap, check, reason};
use crate::bitmap::{Channels, MAX_MEMORY};
use crate::error::Error;
use crate::limits::Limits;
use crate::metadata::{Metadata, upright_xmp, without_identifier};

/// Decodes a file.
pub(super) fn decode(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
    let reason = |error| reason(Other::WebP, &error);
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(reason)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    check(width, height, limits)?;
    decoder.set_memory_limit(usize::try_from(MAX_MEMORY).unwrap_or(usize::MAX));
    let mut samples = vec![0; decoder.output_buffer_size().ok_or(Error::Memory)?];
    decoder.read_image(&mut samples).map_err(reason)?;
    let channels = if decoder.has_alpha() { Channels::Rgba } else { Channels::Rgb };
    // Damaged metadata is no reason to refuse the image.
    let metadata = Metadata {
        icc: decoder.icc_profile().ok().flatten(),
        exif: decoder.exif_metadata().ok().flatten().map(without_identifier),
        xmp: decoder.xmp_metadata().ok().flatten().map(upright_xmp),
        ..Metadata::default()
    };
    let (bitmap, ..) = bitmap(Other::WebP, [width, height], channels, samples.into())?;
    Ok((bitmap, metadata, None))
}
