//! The orders of samples in a pixel.

/// The samples of a pixel, in the order in which they lie in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pixels {
    /// R, G, B.
    #[default]
    Rgb,
    /// B, G, R.
    Bgr,
    /// R, G, B, and a fourth sample that is not looked at: JPEG has no transparency.
    Rgba,
    /// B, G, R, and a fourth sample that is not looked at.
    Bgra,
    /// One sample, the brightness.
    Gray,
    /// The brightness, and a second sample that is not looked at.
    GrayAlpha,
    /// Y, Cb, Cr as JFIF (T.871) has them: the full range, Cb and Cr around the middle of it.
    YCbCr,
    /// C, M, Y, K, which are written as they are. Files of Adobe's programs hold them inverted, 0 for the most ink, and many
    /// readers expect that.
    Cmyk,
    /// Y, Cb, Cr of `1 - C`, `1 - M`, `1 - Y`; and K.
    Ycck,
}

impl Pixels {
    /// Samples of a pixel: bytes, if they have 8 bits.
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
