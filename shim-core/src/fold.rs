//! Boundary rules as arithmetic: a coordinate outside an axis becomes one inside.

use core::ops::{Add, Div, Rem, Sub};

/// A rule that folds any coordinate into an axis `0..extent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fold {
    /// The nearest coordinate: -2 is 0.
    Clamp,
    /// The mirror image with the edge repeated: -1 is 0, -2 is 1. Applied as often as needed.
    Mirror,
    /// The mirror image without the edge: -1 is 1, -2 is 2. Applied as often as needed.
    Reflect,
    /// The other end: -1 is the last.
    Wrap,
}

/// A machine integer whose division truncates, as Rust's primitive types do.
pub trait Machine:
    Copy + Ord + From<i8> + Add<Output = Self> + Sub<Output = Self> + Div<Output = Self> + Rem<Output = Self>
{
}

impl Machine for isize {}
impl Machine for i64 {}
impl Machine for i128 {}

impl Fold {
    /// The rule's name, as a verb.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clamp => "clamp",
            Self::Mirror => "mirror",
            Self::Reflect => "reflect",
            Self::Wrap => "wrap",
        }
    }

    /// The coordinate in `0..extent` that the rule takes `at` to; zero on an empty axis, where there is none.
    ///
    /// No intermediate value leaves the type, whatever the coordinate and the extent.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "kernels fold coordinates in their inner loops")]
    pub fn apply<T: Machine>(self, at: T, extent: T) -> T {
        let (zero, one) = (T::from(0), T::from(1));
        if matches!(self, Self::Clamp) {
            return (if at >= extent { extent - one } else { at }).max(zero);
        }
        if at >= zero && at < extent {
            return at;
        }
        let extent = extent.max(one);
        let period = if matches!(self, Self::Reflect) { (extent - one).max(one) } else { extent };
        // Floor division by a positive divisor, from the truncated one.
        let truncated = at % period;
        let negative = truncated < zero;
        let remainder = if negative { truncated + period } else { truncated };
        let quotient = if negative { at / period - one } else { at / period };
        // Every other period of a mirror runs backwards.
        if matches!(self, Self::Mirror | Self::Reflect) && quotient % T::from(2) != zero {
            extent - one - remainder
        } else {
            remainder
        }
    }
}
