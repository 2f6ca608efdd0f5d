//! Pixel formats.

/// Pixel format: the samples of a pixel in memory order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pixels {
    /// R, G, B.
    #[default]
    Rgb,
    /// B, G, R.
    Bgr,
    /// R, G, B and a fourth sample that is ignored: JPEG has no transparency.
    Rgba,
    /// B, G, R and a fourth sample that is ignored.
    Bgra,
    /// One luminance sample.
    Gray,
    /// Luminance and a second sample that is ignored.
    GrayAlpha,
    /// Y, Cb, Cr as in JFIF (T.871): full range, with Cb and Cr centered on the middle value.
    YCbCr,
    /// C, M, Y, K as JPEG files have them: 0 is full ink and the greatest sample none. Files have an Adobe segment, by
    /// which readers know that. Samples whose greatest value is full ink, as in Pillow, have to be inverted.
    Cmyk,
    /// Y, Cb, Cr of `1 - C`, `1 - M`, `1 - Y`; and K.
    Ycck,
}

impl Pixels {
    /// Samples per pixel; with 8-bit samples, bytes per pixel.
    #[must_use]
    pub const fn samples(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb | Self::Bgr | Self::YCbCr => 3,
            Self::Rgba | Self::Bgra | Self::Cmyk | Self::Ycck => 4,
        }
    }
}
