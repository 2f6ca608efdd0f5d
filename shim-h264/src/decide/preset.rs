//! Presets: trade-offs between speed and compression.

use core::fmt;
use core::str::FromStr;

use crate::error::Error;

/// Trade-off between speed and compression. Slower presets produce smaller streams at the same quality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Preset {
    /// `Intra_16x16` only; one motion vector per macroblock, of whole samples; no deblocking.
    Ultrafast,
    /// `Intra_4x4` in I pictures only, if `Intra_16x16` leaves a large residual; one motion vector per macroblock, with SAD
    /// as metric.
    Superfast,
    /// `Intra_4x4` only if `Intra_16x16` leaves a large residual; SATD as metric; vectors of partitions chosen among
    /// those searched for the whole macroblock.
    Veryfast,
    /// `Intra_4x4` if it is very likely cheaper; quarter-sample refinement of the vectors of partitions.
    Fast,
    /// `Intra_4x4` if it is likely cheaper; two rounds of quarter-sample refinement.
    #[default]
    Medium,
    /// Both Intra types if their costs are close; all partitions that may be cheaper; chroma in the cost of quarter-sample
    /// vectors; rate-distortion quantization.
    Slow,
    /// Hexagon search; two rounds of half-sample refinement; the choice in P pictures by rate and distortion.
    Slower,
    /// Both Intra types nearly everywhere; uneven multi-hexagon search in every reference picture; sub-macroblock
    /// partitions.
    Veryslow,
}

impl Preset {
    /// All presets, fastest first.
    pub const ALL: [Self; 8] = [
        Self::Ultrafast,
        Self::Superfast,
        Self::Veryfast,
        Self::Fast,
        Self::Medium,
        Self::Slow,
        Self::Slower,
        Self::Veryslow,
    ];

    /// Presets of x264 without one of their name here, and the next one that compresses better. [`FromStr`] takes them.
    pub const OTHER_NAMES: [(&str, Self); 2] = [("faster", Self::Fast), ("placebo", Self::Veryslow)];

    /// Name in lower case, as [`FromStr`] parses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ultrafast => "ultrafast",
            Self::Superfast => "superfast",
            Self::Veryfast => "veryfast",
            Self::Fast => "fast",
            Self::Medium => "medium",
            Self::Slow => "slow",
            Self::Slower => "slower",
            Self::Veryslow => "veryslow",
        }
    }

    /// Recommended number of reference frames, for [`Config::references`](field@crate::Config::references).
    #[must_use]
    pub const fn references(self) -> u8 {
        match self {
            Self::Ultrafast | Self::Superfast | Self::Veryfast | Self::Fast => 1,
            Self::Medium | Self::Slow | Self::Slower => 3,
            Self::Veryslow => 5,
        }
    }

    /// Number of frames to look ahead, for [`Config::lookahead`](field@crate::Config::lookahead).
    #[must_use]
    pub const fn lookahead(self) -> usize {
        if self.plans() { 20 } else { 0 }
    }

    /// Strength of adaptive quantization, for [`Config::aq_strength`](field@crate::Config::aq_strength).
    #[must_use]
    pub const fn aq_strength(self) -> f32 {
        if self.plans() { 1.0 } else { 0.0 }
    }

    /// Whether the deblocking filter processes edges, unless [`Deblocking::edges`](crate::Deblocking::edges) says which.
    #[must_use]
    pub const fn deblocks(self) -> bool {
        !matches!(self, Self::Ultrafast)
    }

    /// Whether scene cuts become keyframes, unless [`Config::scene_cut`](field@crate::Config::scene_cut) says so.
    #[must_use]
    pub const fn detects_scene_cuts(self) -> bool {
        !matches!(self, Self::Ultrafast)
    }

    /// Whether QP follows the content and the pictures to come.
    const fn plans(self) -> bool {
        !matches!(self, Self::Ultrafast | Self::Superfast)
    }

    /// Finest pyramid levels of the low-resolution motion search in the nearest reference picture, unless it gives costs, and
    /// in others: 0 is half resolution, 1 a quarter.
    pub(crate) const fn lowres_levels(self) -> [usize; 2] {
        match self {
            Self::Ultrafast | Self::Superfast => [1; 2],
            Self::Slower | Self::Veryslow => [0; 2],
            _ => [0, 1],
        }
    }

    /// Whether all vectors are of whole samples.
    pub(crate) const fn has_whole_vectors(self) -> bool {
        matches!(self.effort().between, Between::Never)
    }

    /// Parameters of mode decision.
    pub(super) const fn effort(self) -> Effort {
        let medium = Effort {
            intra4x4: [260; 2],
            intra_above: 64,
            skip_below: [24, 300],
            references_above: 64,
            references_above_alone: 300,
            farther_within: 4,
            pattern: Pattern::Diamond,
            between: Between::BySatd,
            halves: 1,
            quarters: 2,
            fine_above: 48,
            parts: Parts {
                above: Some(128),
                within: 0,
                all: false,
                all_pictures: false,
                divided: false,
                whole: 0,
                halves: 0,
                quarters: 1,
            },
            by_rate: true,
            all: false,
            rdo: 0,
            chroma_rounds: 0,
        };
        let fast = Effort { intra4x4: [340; 2], skip_below: [40, 300], quarters: 1, ..medium };
        let superfast = Effort {
            intra4x4: [500; 2],
            intra_above: 128,
            skip_below: [300; 2],
            between: Between::BySad,
            parts: Parts { above: None, ..fast.parts },
            by_rate: false,
            ..fast
        };
        let slow = Effort {
            intra4x4: [100, 400],
            references_above_alone: 64,
            farther_within: 8,
            chroma_rounds: 2,
            parts: Parts { above: Some(64), within: 1, all: true, halves: 1, ..medium.parts },
            rdo: 26,
            ..medium
        };
        let slower = Effort {
            intra4x4: [60, 400],
            pattern: Pattern::Hexagon,
            intra_above: 0,
            halves: 2,
            fine_above: 0,
            all: true,
            ..slow
        };
        match self {
            Self::Ultrafast => Effort { intra4x4: [u32::MAX; 2], between: Between::Never, ..superfast },
            Self::Superfast => superfast,
            Self::Veryfast => Effort {
                intra4x4: [500; 2],
                skip_below: [300; 2],
                parts: Parts { quarters: 0, ..fast.parts },
                ..fast
            },
            Self::Fast => fast,
            Self::Medium => medium,
            Self::Slow => slow,
            Self::Slower => slower,
            Self::Veryslow => Effort {
                intra4x4: [20, 4000],
                references_above: 0,
                references_above_alone: 0,
                pattern: Pattern::MultiHexagon(24),
                rdo: 22,
                parts: Parts {
                    above: Some(48),
                    within: 2,
                    all_pictures: true,
                    divided: true,
                    whole: 2,
                    halves: 2,
                    quarters: 2,
                    ..slower.parts
                },
                ..slower
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
        let other = Self::OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|&(_, preset)| preset);
        Self::ALL.into_iter().find(|preset| preset.name() == name).or(other).ok_or(Error::Preset)
    }
}

/// The effort of mode decision. Limits in bits are multiplied by lambda and compared with costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// SATD of `Intra_16x16`, in bits, up to which `Intra_4x4` is not tried, and above which `Intra_16x16` is not. Where P
    /// pictures compare modes by SAD, they have no `Intra_4x4`.
    pub(super) intra4x4: [u32; 2],
    /// Inter cost, in bits, from which Intra modes are tried.
    pub(super) intra_above: u32,
    /// SATD or SAD limits of `P_Skip`, in bits: before the search, and after it if it has found the vector of `P_Skip`.
    pub(super) skip_below: [u32; 2],
    /// Cost of the best vector, in bits, from which the next reference picture is searched.
    pub(super) references_above: u32,
    /// The limit in the place of `references_above` where no neighbor has a farther picture, except in one macroblock
    /// of three.
    pub(super) references_above_alone: u32,
    /// Slack of the SAD of a farther picture over the best so far, in 64ths.
    pub(super) farther_within: u32,
    /// Search pattern of whole samples.
    pub(super) pattern: Pattern,
    /// Comparison of vectors between the samples.
    pub(super) between: Between,
    /// Rounds over half samples, for the whole macroblock.
    pub(super) halves: usize,
    /// Rounds over quarters.
    pub(super) quarters: usize,
    /// Effort for partitions.
    pub(super) parts: Parts,
    /// Cost of the best vector, in bits, up to which sub-sample vectors are not searched.
    pub(super) fine_above: u32,
    /// Whether `P_Skip` is compared with the best mode by coding both.
    pub(super) by_rate: bool,
    /// Worth of a bit in rate-distortion quantization, in sixteenths of that in Intra pictures; 0 disables it.
    pub(super) rdo: u32,
    /// Whether every mode that was searched is coded to find the best; if not, the one that costs least by SATD, and
    /// the skipped one.
    pub(super) all: bool,
    /// Rounds over vectors around the best by luma that compare chroma as well; with 0 it helps to choose the picture of the
    /// whole macroblock.
    pub(super) chroma_rounds: usize,
}

/// The effort for partitions of a macroblock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Cost of the whole macroblock, in bits, from which partitions are searched; never if `None`.
    pub(super) above: Option<u32>,
    /// Slack of their estimated cost over the whole macroblock, in 16ths.
    pub(super) within: u32,
    /// Whether all shapes are searched; if not, the one whose estimate is least.
    pub(super) all: bool,
    /// Whether partitions search all reference pictures; if not, the nearest, and that of the best vector recorded for
    /// them.
    pub(super) all_pictures: bool,
    /// Whether 8x8 blocks are divided.
    pub(super) divided: bool,
    /// Rounds over whole samples, over halves and over quarters.
    pub(super) whole: usize,
    pub(super) halves: usize,
    pub(super) quarters: usize,
}

/// The comparison of vectors between the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    /// None: all vectors are of whole samples.
    Never,
    /// By SAD.
    BySad,
    /// By SATD, which gives the costs of partitions as well.
    BySatd,
}

/// The search pattern of whole samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Four around the best, again and again.
    Diamond,
    /// Six that are two samples away, then four.
    Hexagon,
    /// A cross and rings of 16 within so many samples, or fewer where the vectors that the search starts from agree;
    /// then a hexagon.
    MultiHexagon(i16),
}
