//! GIF files, by `gif`: their first frame.

use std::io::Cursor;

use gif::{ColorOutput, DecodeOptions, MemoryLimit};

use super::{Decoded, Other, bitmap, check, reason};
use crate::bitmap::{Channels, MAX_MEMORY};
use crate::error::Error;
use crate::limits::Limits;

/// Decodes a file.
pub(super) fn decode(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
    let reason = |error| reason(Other::Gif, &error);
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    options
        .set_memory_limit(MemoryLimit::Bytes(MAX_MEMORY.try_into().unwrap_or(std::num::NonZero::<u64>::MAX)));
    let mut decoder = options.read_info(Cursor::new(file)).map_err(reason)?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    check(width, height, limits)?;
    let frame = decoder.read_next_frame().map_err(reason)?;
    let frame = frame.ok_or(Error::Truncated { format: Other::Gif.name() })?;
    // The frame is a part of the screen, which is clear around it.
    let mut screen = vec![[0; 4]; width * height];
    let (left, wide) = (usize::from(frame.left).min(width), usize::from(frame.width));
    let rows = frame.buffer.as_chunks::<4>().0.chunks(wide.max(1));
    for (row, pixels) in screen.chunks_mut(width).skip(frame.top.into()).zip(rows) {
        let row = &mut row[left..];
        let shown = row.len().min(pixels.len());
        row[..shown].copy_from_slice(&pixels[..shown]);
    }
    // Without clear pixels it is opaque.
    if screen.iter().all(|pixel| pixel[3] == 255) {
        let samples: Vec<u8> = screen.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        return bitmap(Other::Gif, [width, height], Channels::Rgb, samples.into());
    }
    bitmap(Other::Gif, [width, height], Channels::Rgba, screen.into_flattened().into())
}
