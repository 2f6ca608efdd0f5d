//! Ranges and the arithmetic of intervals.

/// Inclusive bounds of an integer; `None` is a bound that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Range {
    /// No value is below it.
    pub lo: Option<i64>,
    /// No value is above it.
    pub hi: Option<i64>,
}

impl Range {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { lo: None, hi: None };
    /// Zero or more.
    pub const NONNEGATIVE: Self = Self { lo: Some(0), hi: None };
    /// One or more.
    pub const POSITIVE: Self = Self { lo: Some(1), hi: None };

    /// Zero alone.
    pub const ZERO: Self = Self::exactly(0);

    /// From `lo` to `hi`, both included.
    #[must_use]
    pub const fn new(lo: i64, hi: i64) -> Self {
        Self { lo: Some(lo), hi: Some(hi) }
    }

    /// One value alone.
    #[must_use]
    pub const fn exactly(value: i64) -> Self {
        Self::new(value, value)
    }

    /// From `lo` upwards.
    #[must_use]
    pub const fn at_least(lo: i64) -> Self {
        Self { lo: Some(lo), hi: None }
    }

    /// Whether the range allows `value`.
    pub fn contains(self, value: i64) -> bool {
        self.lo.is_none_or(|lo| lo <= value) && self.hi.is_none_or(|hi| value <= hi)
    }

    /// Whether no value is negative.
    pub fn is_nonnegative(self) -> bool {
        self.lo.is_some_and(|lo| lo >= 0)
    }

    /// Whether zero is excluded.
    pub fn excludes_zero(self) -> bool {
        !self.contains(0)
    }

    /// From `-most` to `most`.
    #[must_use]
    pub const fn within(most: i64) -> Self {
        Self::new(-most, most)
    }

    /// The one value.
    pub fn as_exact(self) -> Option<i64> {
        self.lo.filter(|_| self.lo == self.hi)
    }

    /// Whether there is no value.
    pub fn is_empty(self) -> bool {
        matches!((self.lo, self.hi), (Some(lo), Some(hi)) if lo > hi)
    }

    /// The values in both ranges.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Interval::from(self).intersect(other.into()).to_range()
    }

    /// The sums of two values. An end that does not fit is not known.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Interval::from(self).add(other.into()).to_range()
    }

    /// The multiples of the values by `factor`.
    #[must_use]
    pub fn times(self, factor: i64) -> Self {
        Interval::from(self).scale(factor.into()).to_range()
    }

    /// The values with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        self.times(-1)
    }

    /// The integers whose multiples by `divisor` are among the values.
    #[must_use]
    pub fn divided(self, divisor: i64) -> Self {
        let range = if divisor < 0 { self.negated() } else { self };
        Interval::from(range).shrink(i128::from(divisor).abs()).to_range()
    }

    /// How many tiles of `extent` may be between two points that are so far apart.
    #[must_use]
    pub fn tiles(self, extent: i64) -> Self {
        let down = |range: Self| Interval::from(range).floor_div(extent).to_range();
        Self { lo: down(self).lo, hi: down(self.negated()).negated().hi }
    }
}

/// A range under arithmetic. Bounds past [`Interval::LIMIT`] become unknown, so that sums cannot overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) lo: Option<i128>,
    pub(crate) hi: Option<i128>,
}

/// A bound as the product of intervals sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Endpoint {
    Below,
    At(i128),
    Above,
}

impl Interval {
    const LIMIT: i128 = 1 << 120;
    pub(crate) const UNKNOWN: Self = Self { lo: None, hi: None };

    pub(crate) fn new(lo: Option<i128>, hi: Option<i128>) -> Self {
        let tame = |bound: Option<i128>| bound.filter(|b| (-Self::LIMIT..=Self::LIMIT).contains(b));
        Self { lo: tame(lo), hi: tame(hi) }
    }

    pub(crate) fn exactly(value: impl Into<i128>) -> Self {
        let value = value.into();
        Self::new(Some(value), Some(value))
    }

    pub(crate) fn to_range(self) -> Range {
        Range {
            lo: self.lo.and_then(|lo| i64::try_from(lo).ok()),
            hi: self.hi.and_then(|hi| i64::try_from(hi).ok()),
        }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        Self::new(self.lo.zip(other.lo).map(|(a, b)| a + b), self.hi.zip(other.hi).map(|(a, b)| a + b))
    }

    pub(crate) fn neg(self) -> Self {
        Self { lo: self.hi.map(|hi| -hi), hi: self.lo.map(|lo| -lo) }
    }

    pub(crate) fn scale(self, factor: i128) -> Self {
        if factor == 0 {
            return Self::exactly(0);
        }
        let times = |bound: Option<i128>| bound.and_then(|b| b.checked_mul(factor));
        if factor > 0 {
            Self::new(times(self.lo), times(self.hi))
        } else {
            Self::new(times(self.hi), times(self.lo))
        }
    }

    fn bounds(self) -> [Endpoint; 2] {
        [self.lo.map_or(Endpoint::Below, Endpoint::At), self.hi.map_or(Endpoint::Above, Endpoint::At)]
    }

    pub(crate) fn mul(self, other: Self) -> Self {
        let mut least = Endpoint::Above;
        let mut most = Endpoint::Below;
        for a in self.bounds() {
            for b in other.bounds() {
                let Some(product) = a.times(b) else {
                    return Self::UNKNOWN;
                };
                least = least.min(product);
                most = most.max(product);
            }
        }
        Self::new(least.finite(), most.finite())
    }

    pub(crate) fn power(self, exponent: usize) -> Self {
        let mut result = Self::exactly(1);
        for _ in 0..exponent {
            result = result.mul(self);
        }
        if exponent.is_multiple_of(2) {
            result.lo = Some(result.lo.map_or(0, |lo| lo.max(0)));
        }
        result
    }

    pub(crate) fn floor_div(self, divisor: i64) -> Self {
        let divisor = i128::from(divisor);
        Self { lo: self.lo.map(|lo| lo.div_euclid(divisor)), hi: self.hi.map(|hi| hi.div_euclid(divisor)) }
    }

    /// The integers whose multiples by `divisor` lie in the interval.
    pub(crate) fn shrink(self, divisor: i128) -> Self {
        Self {
            lo: self.lo.map(|lo| -(-lo).div_euclid(divisor)),
            hi: self.hi.map(|hi| hi.div_euclid(divisor)),
        }
    }

    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)),
            hi: [self.hi, other.hi].into_iter().flatten().min(),
        }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        self.neg().min(other.neg()).neg()
    }

    pub(crate) fn intersect(self, other: Self) -> Self {
        Self {
            lo: [self.lo, other.lo].into_iter().flatten().max(),
            hi: [self.hi, other.hi].into_iter().flatten().min(),
        }
    }

    /// Whether all of it lies in another interval.
    pub(crate) fn is_within(self, outer: Self) -> bool {
        self.intersect(outer) == self
    }

    pub(crate) fn is_nonnegative(self) -> bool {
        self.lo.is_some_and(|lo| lo >= 0)
    }

    /// The largest magnitude in the interval.
    pub(crate) fn magnitude(self) -> Option<i128> {
        self.lo.zip(self.hi).map(|(lo, hi)| lo.abs().max(hi.abs()))
    }
}

impl From<Range> for Interval {
    fn from(range: Range) -> Self {
        Self { lo: range.lo.map(i128::from), hi: range.hi.map(i128::from) }
    }
}

impl Endpoint {
    /// The product of two bounds; `None` when it overflows.
    fn times(self, other: Self) -> Option<Self> {
        let sign = |bound: Self| match bound {
            Self::Below => -1,
            Self::At(value) => value.signum(),
            Self::Above => 1,
        };
        if let (Self::At(a), Self::At(b)) = (self, other) {
            return a.checked_mul(b).map(Self::At);
        }
        Some(match sign(self) * sign(other) {
            0 => Self::At(0),
            1 => Self::Above,
            _ => Self::Below,
        })
    }

    fn finite(self) -> Option<i128> {
        match self {
            Self::At(value) => Some(value),
            Self::Below | Self::Above => None,
        }
    }
}
