//! TIFF files, by `tiff`: their first image.

use std::io::Cursor;

use shim_jpeg::Density;
use tiff::ColorType;
use tiff::decoder::ifd::Value;
use tiff::decoder::{Decoder, DecodingResult};
use tiff::tags::Tag;

use super::{Decoded, Other, bitmap, check, reason, unsupported};
use crate::bitmap::{Channels, MAX_MEMORY, Samples};
use crate::error::Error;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::orientation::Orientation;

/// Decodes a file.
pub(super) fn decode(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
    let reason = |error| reason(Other::Tiff, &error);
    let mut decoder = Decoder::new(Cursor::new(file)).map_err(reason)?;
    let (width, height) = decoder.dimensions().map_err(reason)?;
    let (width, height) = (width as usize, height as usize);
    check(width, height, limits)?;
    let mut most = tiff::decoder::Limits::default();
    most.decoding_buffer_size = usize::try_from(MAX_MEMORY).unwrap_or(usize::MAX);
    most.intermediate_buffer_size = most.decoding_buffer_size;
    decoder = decoder.with_limits(most);
    let color = decoder.colortype().map_err(reason)?;
    let channels = match color {
        ColorType::Gray(8 | 16) => Channels::Gray,
        ColorType::GrayA(8 | 16) => Channels::GrayAlpha,
        ColorType::RGB(8 | 16) => Channels::Rgb,
        ColorType::RGBA(8 | 16) => Channels::Rgba,
        other => return Err(unsupported(Other::Tiff, format!("samples of type {other:?}"))),
    };
    let orientation = decoder.find_tag_unsigned::<u8>(Tag::Orientation).ok().flatten();
    let density = density(&mut decoder);
    let icc = decoder.find_tag(Tag::IccProfile).ok().flatten().and_then(|value| value.into_u8_vec().ok());
    let samples = match decoder.read_image().map_err(reason)? {
        DecodingResult::U8(samples) => Samples::Bytes(samples),
        DecodingResult::U16(samples) => Samples::Words(samples),
        _ => return Err(unsupported(Other::Tiff, format!("samples of type {color:?}"))),
    };
    let (bitmap, metadata, _) = bitmap(Other::Tiff, [width, height], channels, samples)?;
    Ok((bitmap, Metadata { icc, density, ..metadata }, orientation.and_then(Orientation::new)))
}

/// The density of a TIFF file (TIFF 6.0, section 8: `XResolution`, `YResolution` and `ResolutionUnit`).
fn density(decoder: &mut Decoder<Cursor<&[u8]>>) -> Option<Density> {
    let mut along = |tag| {
        let value = match decoder.find_tag(tag).ok().flatten()? {
            Value::Rational(number, of) => f64::from(number) / f64::from(of),
            value => value.into_f64().ok()?,
        };
        (0.5..65_535.5).contains(&value).then_some(value.round() as u16)
    };
    let (x, y) = (along(Tag::XResolution)?, along(Tag::YResolution)?);
    match decoder.find_tag_unsigned::<u16>(Tag::ResolutionUnit).ok().flatten() {
        Some(1) => Some(Density::Aspect(x, y)),
        None | Some(2) => Some(Density::PerInch(x, y)),
        Some(3) => Some(Density::PerCentimeter(x, y)),
        Some(_) => None,
    }
}
