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
    /// `Intra_4x4` by SATD, where it is likely to pay.
    Veryfast,
    /// `Intra_4x4` by SATD.
    Fast,
    /// `Intra_4x4` by rate and distortion.
    #[default]
    Medium,
    /// As [`Medium`](Self::Medium), and whatever else makes a stream smaller.
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
                Self::Ultrafast => Intra4x4::Never,
                Self::Veryfast | Self::Fast => Intra4x4::BySatd,
                Self::Medium | Self::Slow => Intra4x4::ByRate,
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
    /// How `Intra_4x4` is looked at.
    pub(super) intra4x4: Intra4x4,
}

/// How `Intra_4x4` is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intra4x4 {
    /// It is not.
    Never,
    /// Modes by SATD and what they take to say.
    BySatd,
    /// Modes by what comes of coding each.
    ByRate,
}
