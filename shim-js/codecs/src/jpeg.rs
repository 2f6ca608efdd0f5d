//! JPEG files.

use shim_jpeg::{Encoder, Image, Pixels, Process, Restart};

use crate::memory::answered;
use crate::request::{Request, number};

/// Encodes an image; see `src/jpeg.ts` for the settings.
#[unsafe(no_mangle)]
pub extern "C" fn encode(length: usize) -> u32 {
    answered(length, encoded)
}

fn encoded(text: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let shown = |error: shim_jpeg::Error| error.to_string();
    let mut encoder = Encoder::new();
    let (mut width, mut height, mut pixels, mut samples) = (0, 0, Pixels::Rgba, &[][..]);
    let mut request = Request::new(text, bytes);
    while let Some((name, value)) = request.next() {
        match name {
            "width" => width = number(value)?,
            "height" => height = number(value)?,
            "format" => pixels = value.parse().map_err(shown)?,
            "quality" => encoder = encoder.quality(number(value)?),
            "subsampling" => encoder = encoder.subsampling(value.parse().map_err(shown)?),
            "progressive" => encoder = encoder.process(Process::Progressive),
            "optimized" => encoder = encoder.optimized(value == "true"),
            "arithmetic" => encoder = encoder.arithmetic(true),
            "trellis" => encoder = encoder.trellis(true),
            "restartRows" => encoder = encoder.restart(Restart::Rows(number(value)?)),
            "comment" => encoder = encoder.comment(value.as_bytes()),
            "ICC" => encoder = encoder.icc_profile(request.bytes(value)?),
            "EXIF" => encoder = encoder.exif(request.bytes(value)?),
            "XMP" => encoder = encoder.xmp(request.bytes(value)?),
            "DATA" => samples = request.bytes(value)?,
            other => return Err(format!("`{other}` is not a setting")),
        }
    }
    let image =
        Image::interleaved(samples, pixels, width, height, width * pixels.samples()).map_err(shown)?;
    encoder.encode(&image).map_err(shown)
}
