//! Boundary rules as arithmetic: a coordinate outside an axis becomes one inside.

use core::ops::{Add, Div, Rem, Sub};

/// A rule that folds any coordinate into an axis `0..extent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fold {
    /// The nearest coordinate: -2 is 0.
    Clamp,
    /// The mirror image with the edge repeated: -1 is 0, -2 is 1. Applied as often as needed.
    Mirror,
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
        // Floor division by a positive divisor, from the truncated one.
        let truncated = at % extent;
        let negative = truncated < zero;
        let remainder = if negative { truncated + extent } else { truncated };
        let quotient = if negative { at / extent - one } else { at / extent };
        // Every other period of `Mirror` runs backwards.
        if matches!(self, Self::Mirror) && quotient % T::from(2) != zero {
            extent - one - remainder
        } else {
            remainder
        }
    }
}
