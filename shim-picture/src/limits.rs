//! Limits on what is read.

use shim_jpeg::MAX_DIMENSION;

use crate::error::Error;

/// Limits on an input.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Pixels of an image.
    pub max_pixels: u64,
    /// Scans of a JPEG file.
    pub max_scans: usize,
    /// Whether a JPEG or PNG file may end before its image does.
    pub truncated: bool,
}

/// Those of the front ends: 250 megapixels, 100 scans, and no truncated files.
impl Default for Limits {
    fn default() -> Self {
        Self { max_pixels: 250_000_000, max_scans: 100, truncated: false }
    }
}

impl Limits {
    /// No limits, for files whose source is known.
    pub const NONE: Self = Self { max_pixels: u64::MAX, max_scans: usize::MAX, truncated: false };
}

/// Refuses images that no JPEG file holds, and those that [`check_pixels`] refuses.
pub(crate) fn check_size(width: u32, height: u32, most: u64) -> Result<(), Error> {
    if width.max(height) as usize > MAX_DIMENSION {
        return Err(Error::TooLarge { width, height });
    }
    check_pixels(width, height, most)
}

/// Refuses images of so many pixels that decoding them may not be meant: a small file can hold them.
///
/// # Errors
///
/// [`Error::TooManyPixels`].
pub fn check_pixels(width: u32, height: u32, most: u64) -> Result<(), Error> {
    if u64::from(width) * u64::from(height) > most {
        return Err(Error::TooManyPixels { width, height, most });
    }
    Ok(())
}
