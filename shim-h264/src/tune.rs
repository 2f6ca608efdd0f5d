//! Settings for kinds of content and uses.

use core::fmt;
use core::str::FromStr;

use crate::error::Error;

/// A kind of content or a use, for [`Config::tune`](crate::Config::tune).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tune {
    /// PSNR: no adaptive quantization.
    Psnr,
    /// SSIM: adaptive quantization of strength 1.3.
    Ssim,
    /// Film: deblocking -1:-1.
    Film,
    /// Animation: deblocking 1:1, adaptive quantization of strength 0.6.
    Animation,
    /// Film grain: deblocking -2:-2, adaptive quantization of strength 0.5.
    Grain,
    /// Slideshow: deblocking -3:-3, adaptive quantization of strength 1.2.
    Stillimage,
    /// Fast decoding: no deblocking.
    Fastdecode,
    /// Low latency: no look-ahead.
    Zerolatency,
}

impl Tune {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Psnr,
        Self::Ssim,
        Self::Film,
        Self::Animation,
        Self::Grain,
        Self::Stillimage,
        Self::Fastdecode,
        Self::Zerolatency,
    ];

    /// Name in lower case, as [`FromStr`] parses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Psnr => "psnr",
            Self::Ssim => "ssim",
            Self::Film => "film",
            Self::Animation => "animation",
            Self::Grain => "grain",
            Self::Stillimage => "stillimage",
            Self::Fastdecode => "fastdecode",
            Self::Zerolatency => "zerolatency",
        }
    }

    /// The settings that it sets, in a few words.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Psnr => "PSNR: no adaptive quantization",
            Self::Ssim => "SSIM: adaptive quantization of strength 1.3",
            Self::Film => "film: deblocking -1:-1",
            Self::Animation => "animation: deblocking 1:1, adaptive quantization of strength 0.6",
            Self::Grain => "film grain: deblocking -2:-2, adaptive quantization of strength 0.5",
            Self::Stillimage => "slideshow: deblocking -3:-3, adaptive quantization of strength 1.2",
            Self::Fastdecode => "fast decoding: no deblocking",
            Self::Zerolatency => "low latency: no look-ahead",
        }
    }
}

impl fmt::Display for Tune {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tune {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|tune| tune.name() == name).ok_or(Error::Tune)
    }
}
