//! Extents: how far an axis extends.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::{Integer, LocationError, Table};

/// How far an axis extends, as a function of the indices on the axes before it.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent<I> {
    /// `constant + sum(coefficients[j] * index[j])`. Axes behind the last coefficient do not matter.
    Affine {
        /// The extent where all indices are zero.
        constant: I,
        /// How much it grows with each index.
        coefficients: Vec<i64>,
    },
    /// `factor * 2^index[axis]`: the levels of a tree.
    Power {
        /// The axis of the exponent.
        axis: usize,
        /// The extent at index zero.
        factor: I,
    },
    /// `extents[index[axis]]`: groups of different sizes.
    Listed {
        /// The axis of the groups, which has as many indices as there are entries.
        axis: usize,
        /// The extent of each group.
        extents: Table<I>,
    },
    /// `starts[index[axis] + 1] - starts[index[axis]]`: rows of any length, by a table of where each begins, which
    /// ends with where the last one ends.
    Ragged {
        /// The axis of the rows.
        axis: usize,
        /// The number of elements before each row. It begins with zero and never falls.
        starts: Table<I>,
    },
    /// One extent at indices below `at`, another from there on: the prologue of a band, and its body.
    Split {
        /// The axis of the index.
        axis: usize,
        /// The first index of the second extent.
        at: I,
        /// The extent before it.
        below: Box<Extent<I>>,
        /// The extent from there on.
        above: Box<Extent<I>>,
    },
    /// The sum of two: the end of a row of a band, less its start.
    Sum(Box<[Extent<I>; 2]>),
}

/// An axis of a shape in a part of it.
pub(super) enum PartAxis<I> {
    /// It has this one index.
    Fixed(I),
    /// Index `i` of an axis is `start + step * i`.
    Kept {
        /// The axis.
        axis: usize,
        /// The first index.
        start: I,
        /// How far the next one is.
        step: i64,
    },
}

impl<I: Integer> Extent<I> {
    /// An extent that is equal at all indices.
    pub fn constant(extent: I) -> Self {
        Self::Affine { constant: extent, coefficients: Vec::new() }
    }

    /// The extent at the indices `before` it.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when it does not fit, [`LocationError::NoGroup`] for an index that a list does not
    /// have, [`LocationError::Dynamic`] when it depends on an index that is not known.
    pub fn at(&self, before: &[I]) -> Result<I, LocationError> {
        match self {
            Self::Affine { constant, coefficients } => coefficients
                .iter()
                .zip(before)
                .try_fold(constant.clone(), |sum, (&coefficient, index)| sum.add(&index.scale(coefficient)?)),
            Self::Power { axis, factor } => factor.mul(&before[*axis].power_of_two()?),
            Self::Listed { axis, extents } => extents.at(&before[*axis]),
            Self::Ragged { axis, starts } => {
                let end = starts.at(&before[*axis].add(&I::constant(1))?)?;
                end.sub(&starts.at(&before[*axis])?)
            }
            Self::Split { axis, at, below, above } => match before[*axis].compare(at) {
                Some(Ordering::Less) => below.at(before),
                Some(Ordering::Equal | Ordering::Greater) => above.at(before),
                None => {
                    let with = |index: I| {
                        let mut before = before.to_vec();
                        before[*axis] = index;
                        before
                    };
                    let edge = with(at.clone());
                    let level = above.at(&edge)?;
                    if below.at(&edge)? == level {
                        // One of the two is at its value at the edge.
                        let below = below.at(&with(before[*axis].min(at)?))?;
                        return below.add(&above.at(&with(before[*axis].max(at)?))?)?.sub(&level);
                    }
                    // One from the edge on, zero before it.
                    let inside = before[*axis].sub(at)?.add(&I::constant(1))?.at_least_zero()?;
                    let below = below.at(before)?;
                    let step = above.at(before)?.sub(&below)?;
                    below.add(&inside.min(&I::constant(1))?.mul(&step)?)
                }
            },
            Self::Sum(parts) => parts[0].at(before)?.add(&parts[1].at(before)?),
        }
    }

    /// Whether the extent depends on the index on `axis`.
    pub fn depends_on(&self, axis: usize) -> bool {
        match self {
            Self::Affine { coefficients, .. } => {
                coefficients.get(axis).is_some_and(|coefficient| *coefficient != 0)
            }
            Self::Power { axis: own, .. }
            | Self::Listed { axis: own, .. }
            | Self::Ragged { axis: own, .. } => *own == axis,
            Self::Split { axis: own, below, above, .. } => {
                *own == axis || below.depends_on(axis) || above.depends_on(axis)
            }
            Self::Sum(parts) => parts.iter().any(|part| part.depends_on(axis)),
        }
    }

    /// Whether the indices on the first `known` axes are all that the extent depends on.
    pub fn is_known_at(&self, known: usize) -> bool {
        self.last_axis().is_none_or(|axis| axis < known)
    }

    /// The greatest axis that the extent depends on.
    pub(super) fn last_axis(&self) -> Option<usize> {
        match self {
            Self::Affine { coefficients, .. } => {
                coefficients.iter().rposition(|coefficient| *coefficient != 0)
            }
            Self::Power { axis, .. } | Self::Listed { axis, .. } | Self::Ragged { axis, .. } => Some(*axis),
            Self::Split { axis, below, above, .. } => {
                Some(*axis).max(below.last_axis()).max(above.last_axis())
            }
            Self::Sum(parts) => parts[0].last_axis().max(parts[1].last_axis()),
        }
    }

    /// Where the extent splits along an axis.
    pub(super) fn split_along(&self, axis: usize) -> Option<&I> {
        match self {
            Self::Split { axis: own, at, .. } if *own == axis => Some(at),
            Self::Split { below, above, .. } => below.split_along(axis).or_else(|| above.split_along(axis)),
            _ => None,
        }
    }

    /// The extent on one side of its splits along `axis` at `edge`.
    pub(super) fn on_side(&self, axis: usize, edge: &I, is_below: bool) -> Self {
        match self {
            Self::Split { axis: own, at, below, above } => {
                let [below, above] = [below, above].map(|side| side.on_side(axis, edge, is_below));
                if *own == axis && at == edge {
                    return if is_below { below } else { above };
                }
                Self::Split { axis: *own, at: at.clone(), below: Box::new(below), above: Box::new(above) }
            }
            other => other.clone(),
        }
    }

    /// The extent itself, if it is the same at all indices.
    pub fn as_fixed(&self) -> Option<&I> {
        match self {
            Self::Affine { constant, coefficients } if coefficients.iter().all(|own| *own == 0) => {
                Some(constant)
            }
            _ => None,
        }
    }

    /// The axis that an affine extent depends on, if it is one, and how much it grows with its index.
    fn as_growing(&self) -> Option<(usize, i64)> {
        let Self::Affine { coefficients, .. } = self else { return None };
        let mut own = coefficients.iter().copied().enumerate().filter(|(_, coefficient)| *coefficient != 0);
        own.next().filter(|_| own.next().is_none())
    }

    /// The index on an axis.
    pub fn index(axis: usize) -> Self {
        let mut coefficients = alloc::vec![0; axis + 1];
        coefficients[axis] = 1;
        Self::Affine { constant: I::constant(0), coefficients }
    }

    /// The sum of two extents.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when a coefficient does not fit.
    pub fn plus(&self, other: &Self) -> Result<Self, LocationError> {
        match (self, other) {
            (
                Self::Affine { constant, coefficients },
                Self::Affine { constant: more, coefficients: others },
            ) => {
                let of = |own: &[i64], axis: usize| own.get(axis).copied().unwrap_or(0);
                let sums = (0..coefficients.len().max(others.len()))
                    .map(|axis| of(coefficients, axis).checked_add(of(others, axis)));
                let coefficients = sums.collect::<Option<_>>().ok_or(LocationError::Overflow)?;
                Ok(Self::Affine { constant: constant.add(more)?, coefficients })
            }
            (other, zero) | (zero, other)
                if zero.as_fixed().is_some_and(|zero| zero.as_constant() == Some(0)) =>
            {
                Ok(other.clone())
            }
            _ => Ok(Self::Sum(Box::new([self.clone(), other.clone()]))),
        }
    }

    /// `factor` times the extent.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when a product does not fit, [`LocationError::NoClosedForm`] of tables.
    pub fn scale(&self, factor: i64) -> Result<Self, LocationError> {
        Ok(match self {
            Self::Affine { constant, coefficients } => {
                let scaled = coefficients.iter().map(|own| own.checked_mul(factor));
                let coefficients = scaled.collect::<Option<_>>().ok_or(LocationError::Overflow)?;
                Self::Affine { constant: constant.scale(factor)?, coefficients }
            }
            Self::Power { axis, factor: own } => Self::Power { axis: *axis, factor: own.scale(factor)? },
            Self::Split { axis, at, below, above } => {
                let [below, above] = [below.scale(factor)?, above.scale(factor)?].map(Box::new);
                Self::Split { axis: *axis, at: at.clone(), below, above }
            }
            Self::Sum(parts) => Self::Sum(Box::new([parts[0].scale(factor)?, parts[1].scale(factor)?])),
            Self::Listed { .. } | Self::Ragged { .. } => return Err(LocationError::NoClosedForm),
        })
    }

    /// The smaller of two extents: a split at the index where they cross.
    ///
    /// # Errors
    /// [`LocationError::NoClosedForm`] unless they are sums whose difference grows with one index alone,
    /// [`LocationError::Overflow`] when a coefficient does not fit.
    pub fn min(&self, other: &Self) -> Result<Self, LocationError> {
        let difference = self.plus(&other.scale(-1)?)?;
        match (difference.as_growing(), self, other) {
            (Some((_, 1 | -1)), ..) => {
                // At the index where both are the same, it is either.
                if difference.as_growing().is_some_and(|(_, coefficient)| coefficient > 0) {
                    difference.choose(self, other)
                } else {
                    difference.scale(-1)?.choose(other, self)
                }
            }
            (Some(_), ..) => difference.choose(self, other),
            (None, Self::Affine { constant, coefficients }, Self::Affine { constant: second, .. })
                if difference.as_fixed().is_some() =>
            {
                Ok(Self::Affine { constant: constant.min(second)?, coefficients: coefficients.clone() })
            }
            _ => Err(LocationError::NoClosedForm),
        }
    }

    /// The extent `then` where this sum is negative, and `or` elsewhere.
    ///
    /// # Errors
    /// [`LocationError::NoClosedForm`] unless this grows with one index alone, [`LocationError::Overflow`] when a
    /// coefficient does not fit.
    pub fn choose(&self, then: &Self, or: &Self) -> Result<Self, LocationError> {
        let (Some((axis, coefficient)), Self::Affine { constant, .. }) = (self.as_growing(), self) else {
            return Err(LocationError::NoClosedForm);
        };
        // c i + k is negative where i < -k / c, or, for a negative c, where i > k / -c.
        let (at, below, above) = if coefficient > 0 {
            (constant.scale(-1)?.ceil_div(coefficient)?, then, or)
        } else {
            let slope = coefficient.checked_neg().ok_or(LocationError::Overflow)?;
            (constant.floor_div(slope)?.add(&I::constant(1))?, or, then)
        };
        Ok(Self::Split { axis, at, below: Box::new(below.clone()), above: Box::new(above.clone()) })
    }

    /// The extent over the axes that a part keeps, given those before it.
    pub(super) fn part(&self, axes: &[PartAxis<I>]) -> Result<Self, LocationError> {
        let kept = |axis: usize| match &axes[axis] {
            PartAxis::Fixed(_) => None,
            PartAxis::Kept { axis, start, step } => Some((*axis, start, *step)),
        };
        // A table is asked at its own indices.
        let unmoved = |axis: usize| match kept(axis) {
            Some((axis, start, 1)) if start.as_constant() == Some(0) => Ok(axis),
            _ => Err(LocationError::NoClosedForm),
        };
        let fixed = |own: usize| match &axes[own] {
            PartAxis::Fixed(index) => Some(index.clone()),
            PartAxis::Kept { .. } => None,
        };
        if (0..axes.len()).filter(|axis| self.depends_on(*axis)).all(|axis| fixed(axis).is_some()) {
            let at: Vec<I> =
                (0..axes.len()).map(|axis| fixed(axis).unwrap_or_else(|| I::constant(0))).collect();
            return Ok(Self::constant(self.at(&at)?));
        }
        match self {
            Self::Affine { constant, coefficients } => {
                let mut sum = Self::constant(constant.clone());
                for (own, &coefficient) in coefficients.iter().enumerate().filter(|(_, own)| **own != 0) {
                    let term = match &axes[own] {
                        PartAxis::Fixed(index) => Self::constant(index.scale(coefficient)?),
                        PartAxis::Kept { axis, start, step } => Self::index(*axis)
                            .scale(*step)?
                            .plus(&Self::constant(start.clone()))?
                            .scale(coefficient)?,
                    };
                    sum = sum.plus(&term)?;
                }
                Ok(sum)
            }
            Self::Power { axis, factor } => match kept(*axis) {
                Some((axis, start, 1)) => {
                    Ok(Self::Power { axis, factor: factor.mul(&start.power_of_two()?)? })
                }
                _ => Err(LocationError::NoClosedForm),
            },
            Self::Listed { axis, extents } => {
                Ok(Self::Listed { axis: unmoved(*axis)?, extents: extents.clone() })
            }
            Self::Ragged { axis, starts } => {
                Ok(Self::Ragged { axis: unmoved(*axis)?, starts: starts.clone() })
            }
            Self::Split { axis, at, below, above } => {
                let Some((axis, start, step)) = kept(*axis) else { return Err(LocationError::NoClosedForm) };
                let [below, above] = [below.part(axes)?, above.part(axes)?].map(Box::new);
                Ok(Self::Split { axis, at: at.sub(start)?.ceil_div(step)?, below, above })
            }
            Self::Sum(parts) => parts[0].part(axes)?.plus(&parts[1].part(axes)?),
        }
    }

    /// The number of tiles of so many indices, the last one padded.
    pub(super) fn tiled(&self, tile: i64) -> Result<Self, LocationError> {
        match self {
            _ if tile == 1 => Ok(self.clone()),
            Self::Affine { constant, coefficients } => {
                // The quotient of a sum is the sum of quotients where all but one are exact.
                if coefficients.iter().any(|own| own % tile != 0) {
                    return Err(LocationError::NoClosedForm);
                }
                let coefficients = coefficients.iter().map(|own| own / tile).collect();
                Ok(Self::Affine { constant: constant.ceil_div(tile)?, coefficients })
            }
            Self::Listed { axis, extents } => Ok(Self::Listed { axis: *axis, extents: extents.tiled(tile)? }),
            Self::Split { axis, at, below, above } => {
                let [below, above] = [below.tiled(tile)?, above.tiled(tile)?].map(Box::new);
                Ok(Self::Split { axis: *axis, at: at.clone(), below, above })
            }
            Self::Power { .. } | Self::Ragged { .. } | Self::Sum(_) => Err(LocationError::NoClosedForm),
        }
    }

    /// The same extent with its splits outermost: sums of both sides.
    pub(super) fn with_splits_outermost(&self) -> Result<Self, LocationError> {
        let Self::Sum(parts) = self else { return Ok(self.clone()) };
        let [a, b] = [parts[0].with_splits_outermost()?, parts[1].with_splits_outermost()?];
        match (&a, &b) {
            (Self::Split { axis, at, below, above }, other)
            | (other, Self::Split { axis, at, below, above }) => {
                let side = |side: &Self| side.plus(other)?.with_splits_outermost();
                let [below, above] = [side(below)?, side(above)?].map(Box::new);
                Ok(Self::Split { axis: *axis, at: at.clone(), below, above })
            }
            _ => a.plus(&b),
        }
    }

    /// This extent over another integer.
    #[must_use]
    pub fn map<J>(&self, to: &impl Fn(&I) -> J) -> Extent<J> {
        match self {
            Self::Affine { constant, coefficients } => {
                Extent::Affine { constant: to(constant), coefficients: coefficients.clone() }
            }
            Self::Power { axis, factor } => Extent::Power { axis: *axis, factor: to(factor) },
            Self::Listed { axis, extents } => Extent::Listed { axis: *axis, extents: extents.map(to) },
            Self::Ragged { axis, starts } => Extent::Ragged { axis: *axis, starts: starts.map(to) },
            Self::Split { axis, at, below, above } => Extent::Split {
                axis: *axis,
                at: to(at),
                below: Box::new(below.map(to)),
                above: Box::new(above.map(to)),
            },
            Self::Sum(parts) => Extent::Sum(Box::new([parts[0].map(to), parts[1].map(to)])),
        }
    }
}
