//! How much work decisions are worth.

use core::fmt;
use core::str::FromStr;

use crate::error::Error;

/// A name for how much time is spent on making a stream small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Preset {
    /// `Intra_16x16` alone, and vectors of whole macroblocks, found by SAD.
    Ultrafast,
    /// `Intra_4x4` only where `Intra_16x16` leaves much.
    Veryfast,
    /// `Intra_4x4` where it is very likely to be cheaper.
    Fast,
    /// `Intra_4x4` where it is likely to be cheaper.
    #[default]
    Medium,
    /// `Intra_4x4` and `Intra_16x16` both where it is not plain which is cheaper, and whatever else makes a stream smaller.
    Slow,
}

impl Preset {
    /// All of them, the fastest first.
    pub const ALL: [Self; 5] = [Self::Ultrafast, Self::Veryfast, Self::Fast, Self::Medium, Self::Slow];

    /// Its name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ultrafast => "ultrafast",
            Self::Veryfast => "veryfast",
            Self::Fast => "fast",
            Self::Medium => "medium",
            Self::Slow => "slow",
        }
    }

    /// What is tried.
    pub(super) const fn effort(self) -> Effort {
        Effort {
            intra4x4: match self {
                Self::Ultrafast => [u32::MAX; 2],
                Self::Veryfast => [500; 2],
                Self::Fast => [300; 2],
                Self::Medium => [140; 2],
                Self::Slow => [60, 400],
            },
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Preset {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|preset| preset.name() == name).ok_or(Error::Preset)
    }
}

/// What is tried to find out how a macroblock is coded best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Up to how many bits of SATD a macroblock is `Intra_16x16`, and from how many on `Intra_4x4`; in between both are tried.
    pub(super) intra4x4: [u32; 2],
}
