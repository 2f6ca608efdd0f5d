//! Color spaces and subsampling of the components of a file.

use crate::input::pixels::Pixels;

/// How the density of chrominance compares with that of luminance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subsampling {
    /// 4:2:0, half the density on both axes: the usual choice for photographs.
    #[default]
    S420,
    /// 4:4:4, full density: for screenshots, drawings and text, where colored edges are sharp.
    S444,
    /// 4:2:2, half the density in a row.
    S422,
    /// 4:4:0, half the density in a column.
    S440,
    /// 4:1:1, a quarter of the density in a row.
    S411,
}

impl Subsampling {
    /// H and V of luminance (and of K), where chrominance has 1 and 1.
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

/// The components of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColorSpace {
    /// Y alone.
    Gray,
    /// Y, Cb and Cr (T.871): what nearly all files hold.
    YCbCr,
    /// R, G and B. The file says so in a segment of Adobe's, and by the components' names.
    Rgb,
    /// C, M, Y and K, with a segment of Adobe's.
    Cmyk,
    /// Y, Cb, Cr and K, with a segment of Adobe's.
    Ycck,
}

impl ColorSpace {
    /// The default color space of a file of such pixels.
    pub const fn of(pixels: Pixels) -> Self {
        match pixels {
            Pixels::Gray | Pixels::GrayAlpha => Self::Gray,
            Pixels::Cmyk => Self::Cmyk,
            Pixels::Ycck => Self::Ycck,
            _ => Self::YCbCr,
        }
    }

    /// The components' identifiers C (B.2.2).
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

    /// Whether component `c` is.
    pub(crate) const fn is_chrominance(self, c: usize) -> bool {
        self.has_chrominance() && (c == 1 || c == 2)
    }
}
