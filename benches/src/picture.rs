//! Pictures to encode.

use std::path::Path;

/// Red, green and blue, pixel after pixel.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The samples.
    pub pixels: Vec<u8>,
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Picture {
    /// The picture of a PNG or JPEG file.
    ///
    /// # Errors
    ///
    /// When there is no such file, or it is another.
    pub fn open(file: &Path) -> image::ImageResult<Self> {
        let picture = image::open(file)?.to_rgb8();
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        Ok(Self { pixels: picture.into_raw(), width, height })
    }

    /// Millions of pixels.
    pub fn megapixels(&self) -> f64 {
        (self.width * self.height) as f64 / 1e6
    }

    /// The picture cut to a size, and mirrored at its edges where it is smaller.
    #[must_use]
    pub fn repeated(&self, width: usize, height: usize) -> Self {
        let mirrored = |at: usize, side: usize| {
            if (at / side).is_multiple_of(2) { at % side } else { side - 1 - at % side }
        };
        let mut pixels = Vec::with_capacity(3 * width * height);
        for y in 0..height {
            let row = &self.pixels[3 * self.width * mirrored(y, self.height)..][..3 * self.width];
            for x in 0..width {
                pixels.extend_from_slice(&row[3 * mirrored(x, self.width)..][..3]);
            }
        }
        Self { pixels, width, height }
    }
}
