//! Color spaces and chroma subsampling.

use crate::input::pixels::Pixels;

/// Chroma subsampling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subsampling {
    /// 4:2:0: half the resolution in both directions. The usual choice for photographs.
    #[default]
    S420,
    /// 4:4:4: no subsampling. For screenshots, drawings and text, with sharp colored edges.
    S444,
    /// 4:2:2: half the horizontal resolution.
    S422,
    /// 4:4:0: half the vertical resolution.
    S440,
    /// 4:1:1: a quarter of the horizontal resolution.
    S411,
}

impl Subsampling {
    /// Sampling factors H and V of luminance (and K), with chrominance factors of 1 and 1.
    pub const fn luminance(self) -> [u8; 2] {
        match self {
            Self::S420 => [2, 2],
            Self::S444 => [1, 1],
            Self::S422 => [2, 1],
            Self::S440 => [1, 2],
            Self::S411 => [4, 1],
        }
    }
}

/// Color space of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColorSpace {
    /// Y only.
    Gray,
    /// Y, Cb and Cr (T.871), as in nearly all files.
    YCbCr,
    /// R, G and B, with an Adobe segment and the component identifiers `R`, `G` and `B`.
    Rgb,
    /// C, M, Y and K (0 is full ink), with an Adobe segment.
    Cmyk,
    /// Y, Cb, Cr and K, with an Adobe segment.
    Ycck,
}

impl ColorSpace {
    /// Default color space of a file with such pixels.
    pub const fn of(pixels: Pixels) -> Self {
        match pixels {
            Pixels::Gray | Pixels::GrayAlpha => Self::Gray,
            Pixels::Cmyk => Self::Cmyk,
            Pixels::Ycck => Self::Ycck,
            _ => Self::YCbCr,
        }
    }

    /// Component identifiers C (B.2.2).
    pub(crate) const fn identifiers(self) -> &'static [u8] {
        match self {
            Self::Gray => &[1],
            Self::YCbCr => &[1, 2, 3],
            Self::Rgb => b"RGB",
            Self::Cmyk => b"CMYK",
            Self::Ycck => &[1, 2, 3, 4],
        }
    }

    /// Whether some components are chrominance.
    pub(crate) const fn has_chrominance(self) -> bool {
        matches!(self, Self::YCbCr | Self::Ycck)
    }

    /// Whether component `c` is chrominance.
    pub(crate) const fn is_chrominance(self, c: usize) -> bool {
        self.has_chrominance() && (c == 1 || c == 2)
    }
}
