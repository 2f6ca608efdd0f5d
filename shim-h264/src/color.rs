//! Color description.

use core::fmt;

use crate::kernels::color::Weights;

/// Matrix coefficients and range of luma and chroma (E.2.1), as written to the VUI.
///
/// Color primaries and transfer characteristics are separate: [`Config::primaries`](crate::Config::primaries) and
/// [`Config::transfer`](crate::Config::transfer), unspecified by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// `matrix_coefficients`.
    pub matrix: Matrix,
    /// `video_full_range_flag`: full range (0 to 255), or limited range (16 to 235 for luma, 16 to 240 for chroma).
    pub full_range: bool,
}

/// Matrix coefficients (Table E-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// ITU-R BT.601, 525 lines (SMPTE 170M): standard definition, and JPEG in full range.
    #[doc(alias = "smpte170m")]
    Bt601,
    /// ITU-R BT.601, 625 lines (BT.470 B/G): the same coefficients as [`Bt601`](Self::Bt601).
    Bt470bg,
    /// ITU-R BT.709: high definition.
    Bt709,
    /// SMPTE 240M: early high definition.
    Smpte240m,
    /// ITU-R BT.2020, non-constant luminance: ultra-high definition.
    #[doc(alias = "bt2020nc")]
    Bt2020,
}

impl Matrix {
    /// `matrix_coefficients`.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Bt709 => 1,
            Self::Bt470bg => 5,
            Self::Bt601 => 6,
            Self::Smpte240m => 7,
            Self::Bt2020 => 9,
        }
    }

    /// KR and KB.
    pub(crate) const fn red_and_blue(self) -> (f64, f64) {
        match self {
            Self::Bt601 | Self::Bt470bg => (0.299, 0.114),
            Self::Bt709 => (0.2126, 0.0722),
            Self::Smpte240m => (0.212, 0.087),
            Self::Bt2020 => (0.2627, 0.0593),
        }
    }
}

impl Color {
    /// BT.709 in limited range, as in most video.
    pub const HD: Self = Self { matrix: Matrix::Bt709, full_range: false };

    /// BT.601 in limited range, as in video of standard definition.
    pub const SD: Self = Self { matrix: Matrix::Bt601, full_range: false };

    /// The color that players assume of video of so many rows that states none: [`HD`](Self::HD) from 720 rows on, and
    /// else [`SD`](Self::SD).
    #[must_use]
    pub const fn usual(height: usize) -> Self {
        if height >= 720 { Self::HD } else { Self::SD }
    }

    /// Equations E-16 to E-27 in fixed point.
    pub(crate) fn weights(self) -> Weights {
        let (kr, kb) = self.matrix.red_and_blue();
        let (luma, chroma, black) = if self.full_range { (255.0, 255.0, 0) } else { (219.0, 224.0, 16) };
        let fixed = |x: f64| (x / 255.0 * 65536.0 + 0.5) as i32;
        let [red, blue] = [kr, kb].map(|k| fixed(luma * k));
        let half = fixed(chroma / 2.0);
        // E'PB is (B - Y) / 2 (1 - KB), in which B has one half, and what R has is G's to complete.
        let red_of_blue = fixed(chroma / 2.0 * kr / (1.0 - kb));
        let blue_of_red = fixed(chroma / 2.0 * kb / (1.0 - kr));
        Weights {
            of: [
                [red, fixed(luma) - red - blue, blue],
                [-red_of_blue, red_of_blue - half, half],
                [half, blue_of_red - half, -blue_of_red],
            ],
            black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matrix = match self.matrix {
            Matrix::Bt601 => "BT.601",
            Matrix::Bt470bg => "BT.470 B/G",
            Matrix::Bt709 => "BT.709",
            Matrix::Smpte240m => "SMPTE 240M",
            Matrix::Bt2020 => "BT.2020",
        };
        write!(f, "{matrix} in {} range", if self.full_range { "full" } else { "limited" })
    }
}
