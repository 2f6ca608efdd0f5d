//! Shapes: extents that depend on the indices before them.
//!
//! The arrays of Lift's third paper (position-dependent arrays) extend along an axis as far as a function of the indices
//! before it says: triangles, bands, groups, trees. Their elements are stored without padding, and the offset of an
//! element is a closed form.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::space::check_length;
use crate::{Integer, LocationError};

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
    /// `entries[index[axis]]`: groups of different sizes.
    Listed {
        /// The axis of the groups, which has as many indices as there are entries.
        axis: usize,
        /// The extent of each group.
        entries: Vec<I>,
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
}

impl<I: Integer> Extent<I> {
    /// The same extent at all indices.
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
            Self::Listed { axis, entries } => match before[*axis].as_constant() {
                Some(index) => {
                    let entry = usize::try_from(index).ok().and_then(|index| entries.get(index));
                    entry.cloned().ok_or(LocationError::NoGroup { index, groups: entries.len() })
                }
                None => before[*axis].entry(&constants(entries)?),
            },
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
                    if below.at(&edge)? != level {
                        return Err(LocationError::Dynamic);
                    }
                    // Where both are the same at the edge, one of the two is at its value there.
                    let below = below.at(&with(before[*axis].min(at)?))?;
                    below.add(&above.at(&with(before[*axis].max(at)?))?)?.sub(&level)
                }
            },
        }
    }

    /// Whether the extent depends on the index on `axis`.
    pub fn depends_on(&self, axis: usize) -> bool {
        match self {
            Self::Affine { coefficients, .. } => {
                coefficients.get(axis).is_some_and(|coefficient| *coefficient != 0)
            }
            Self::Power { axis: own, .. } | Self::Listed { axis: own, .. } => *own == axis,
            Self::Split { axis: own, below, above, .. } => {
                *own == axis || below.depends_on(axis) || above.depends_on(axis)
            }
        }
    }

    /// Whether the indices on the first `known` axes are all that the extent depends on.
    pub fn is_known_at(&self, known: usize) -> bool {
        self.last_axis().is_none_or(|axis| axis < known)
    }

    /// The greatest axis that the extent depends on.
    fn last_axis(&self) -> Option<usize> {
        match self {
            Self::Affine { coefficients, .. } => {
                coefficients.iter().rposition(|coefficient| *coefficient != 0)
            }
            Self::Power { axis, .. } | Self::Listed { axis, .. } => Some(*axis),
            Self::Split { axis, below, above, .. } => {
                Some(*axis).max(below.last_axis()).max(above.last_axis())
            }
        }
    }

    /// Where the extent splits along an axis.
    fn split_along(&self, axis: usize) -> Option<&I> {
        match self {
            Self::Split { axis: own, at, .. } if *own == axis => Some(at),
            Self::Split { below, above, .. } => below.split_along(axis).or_else(|| above.split_along(axis)),
            _ => None,
        }
    }

    /// The extent on one side of its splits along `axis` at `edge`.
    fn on_side(&self, axis: usize, edge: &I, is_below: bool) -> Self {
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

    /// This extent over another integer.
    #[must_use]
    pub fn map<J>(&self, to: &impl Fn(&I) -> J) -> Extent<J> {
        match self {
            Self::Affine { constant, coefficients } => {
                Extent::Affine { constant: to(constant), coefficients: coefficients.clone() }
            }
            Self::Power { axis, factor } => Extent::Power { axis: *axis, factor: to(factor) },
            Self::Listed { axis, entries } => {
                Extent::Listed { axis: *axis, entries: entries.iter().map(to).collect() }
            }
            Self::Split { axis, at, below, above } => Extent::Split {
                axis: *axis,
                at: to(at),
                below: Box::new(below.map(to)),
                above: Box::new(above.map(to)),
            },
        }
    }
}

/// The points whose index on each axis is from zero up to an [`Extent`], in row-major order without padding.
///
/// Like a [`Layout`](crate::Layout) it is a value of the algebra over any [`Integer`]: offsets of symbolic indices are
/// the closed forms. A shape does not check extents: whether a point is inside is decided before its offset is formed.
///
/// ```
/// use shim_core::{Extent, Shape};
///
/// # fn main() -> Result<(), shim_core::LocationError> {
/// // The lower triangle of a 4x4 matrix: row i has i + 1 elements.
/// let row = Extent::Affine { constant: 1, coefficients: vec![1] };
/// let triangle = Shape::new(vec![Extent::constant(4), row])?;
/// assert_eq!(triangle.size()?, 10);
/// assert_eq!(triangle.offset(&[3, 2])?, 3 * 4 / 2 + 2);
/// assert_eq!(triangle.coordinates(8)?, [3, 2]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape<I> {
    extents: Vec<Extent<I>>,
}

impl<I: Integer> Shape<I> {
    /// The shape with an extent for each axis.
    ///
    /// # Errors
    /// [`LocationError::Axis`] when an extent depends on its own axis or on one behind it,
    /// [`LocationError::NegativeExtent`] when one is known to be negative at some indices, [`LocationError::NoGroup`] when
    /// the axis of a list is known to have more indices than the list has entries, [`LocationError::Overflow`] when its
    /// least value does not fit.
    pub fn new(extents: Vec<Extent<I>>) -> Result<Self, LocationError> {
        for (rank, extent) in extents.iter().enumerate() {
            if let Some(axis) = extent.last_axis().filter(|axis| *axis >= rank) {
                return Err(LocationError::Axis { axis, rank });
            }
        }
        let shape = Self { extents };
        for extent in &shape.extents {
            let least = shape.least(extent)?;
            if let Extent::Listed { axis, entries } = extent
                && let Extent::Affine { constant, coefficients } = &shape.extents[*axis]
                && coefficients.iter().all(|coefficient| *coefficient == 0)
                && constant.as_constant().is_some_and(|count| count > entries.len() as i64)
            {
                return Err(LocationError::NoGroup { index: entries.len() as i64, groups: entries.len() });
            }
            if let Some(extent) = least.and_then(|least| least.as_constant()).filter(|least| *least < 0) {
                return Err(LocationError::NegativeExtent { extent });
            }
        }
        Ok(shape)
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.extents.len()
    }

    /// The extents, one for each axis.
    pub fn extents(&self) -> &[Extent<I>] {
        &self.extents
    }

    /// The number of points.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when it does not fit, [`LocationError::NoClosedForm`] when it is not a sum that this
    /// algebra writes without a loop.
    pub fn size(&self) -> Result<I, LocationError> {
        self.size_from(0, &[])
    }

    /// The number of points before `at` in row-major order.
    ///
    /// # Errors
    /// [`LocationError::Length`] when `at` is of another rank, and the errors of [`size`](Self::size).
    pub fn offset(&self, at: &[I]) -> Result<I, LocationError> {
        check_length(self.rank(), at.len())?;
        let before = |axis: usize| self.before(axis, &at[..axis], &at[axis]);
        (0..self.rank()).try_fold(I::constant(0), |sum, axis| sum.add(&before(axis)?))
    }

    /// This shape over another integer.
    #[must_use]
    pub fn map<J>(&self, to: &impl Fn(&I) -> J) -> Shape<J> {
        Shape { extents: self.extents.iter().map(|extent| extent.map(to)).collect() }
    }

    /// The number of points on the axes from `axis` on, at the indices before it.
    fn size_from(&self, axis: usize, before: &[I]) -> Result<I, LocationError> {
        match self.extents.get(axis) {
            Some(extent) => self.before(axis, before, &extent.at(before)?),
            None => Ok(I::constant(1)),
        }
    }

    /// The number of points at the indices `0..upto` of an axis and all of those behind it, at the indices before it:
    /// `sum(size_from(axis + 1, [before, k]) for k in 0..upto)`.
    fn before(&self, axis: usize, before: &[I], upto: &I) -> Result<I, LocationError> {
        if axis + 1 == self.rank() {
            return Ok(upto.clone());
        }
        let behind = &self.extents[axis + 1..];
        let inner = |k: i64| self.size_from(axis + 1, &[before, &[I::constant(k)]].concat());
        if let Some(edge) = behind.iter().find_map(|extent| extent.split_along(axis)) {
            let side = |is_below| {
                let extents = self.extents.iter().map(|extent| extent.on_side(axis, edge, is_below));
                Self { extents: extents.collect() }
            };
            let (below, above, start) = (side(true), side(false), edge.at_least_zero()?);
            let prologue = below.before(axis, before, &upto.min(&start)?)?;
            let whole = above.before(axis, before, &upto.max(&start)?)?;
            return prologue.add(&whole)?.sub(&above.before(axis, before, &start)?);
        }
        let groups = behind.iter().filter_map(|extent| match extent {
            Extent::Listed { axis: own, entries } if *own == axis => Some(entries.len()),
            _ => None,
        });
        if let Some(groups) = groups.min() {
            let known = upto.as_constant();
            if let Some(index) = known.filter(|upto| !(0..=groups as i64).contains(upto)) {
                return Err(LocationError::NoGroup { index, groups });
            }
            let mut sums = vec![I::constant(0)];
            for k in 0..known.unwrap_or(groups as i64) {
                sums.push(sums[k as usize].add(&inner(k)?)?);
            }
            return match known {
                Some(_) => Ok(sums.swap_remove(sums.len() - 1)),
                None => upto.entry(&constants(&sums)?),
            };
        }
        let grows = |extent: &Extent<I>| matches!(extent, Extent::Power { axis: own, .. } if *own == axis);
        let powers = behind.iter().filter(|extent| grows(extent)).count();
        let dependent = self.dependent(axis);
        if powers > 0 {
            if (powers, dependent.len()) != (1, 1) {
                return Err(LocationError::NoClosedForm);
            }
            // The sum of 2^k for k in 0..n is 2^n - 1.
            return upto.power_of_two()?.sub(&I::constant(1))?.mul(&inner(0)?);
        }
        // Sums along an axis that depends on this one are polynomials only without edges, groups and powers.
        let is_rough = |extent: &Extent<I>| match extent {
            Extent::Affine { .. } => false,
            Extent::Power { axis, .. } | Extent::Listed { axis, .. } | Extent::Split { axis, .. } => {
                dependent.contains(axis)
            }
        };
        if behind.iter().any(is_rough) {
            return Err(LocationError::NoClosedForm);
        }
        sum_of_polynomial(dependent.len(), upto, inner)
    }

    /// The axes behind `axis` whose extents change with its index, be it by other indices.
    fn dependent(&self, axis: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for (own, extent) in self.extents.iter().enumerate().skip(axis + 1) {
            if extent.depends_on(axis) || found.iter().any(|other| extent.depends_on(*other)) {
                found.push(own);
            }
        }
        found
    }

    /// The least value of an extent over the shape, or a value below it; `None` where it is not an affine function of
    /// indices whose extents are affine.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when it does not fit.
    pub fn least(&self, extent: &Extent<I>) -> Result<Option<I>, LocationError> {
        let (mut constant, mut coefficients) = match extent {
            Extent::Affine { constant, coefficients } => (constant.clone(), coefficients.clone()),
            Extent::Power { factor, .. } => return Ok(Some(factor.clone())),
            Extent::Listed { entries, .. } => {
                let negative = |entry: &&I| entry.as_constant().is_some_and(|entry| entry < 0);
                return Ok(entries.iter().find(negative).cloned());
            }
            Extent::Split { .. } => return Ok(None),
        };
        while let Some(coefficient) = coefficients.pop() {
            if coefficient >= 0 {
                // It is least at index zero.
                continue;
            }
            let Extent::Affine { constant: own, coefficients: others } = &self.extents[coefficients.len()]
            else {
                return Ok(None);
            };
            // At the last index, which is the extent of that axis less one.
            constant = constant.add(&own.sub(&I::constant(1))?.scale(coefficient)?)?;
            for (sum, other) in coefficients.iter_mut().zip(others) {
                let more = other.checked_mul(coefficient).and_then(|more| sum.checked_add(more));
                *sum = more.ok_or(LocationError::Overflow)?;
            }
        }
        Ok(Some(constant))
    }
}

impl Shape<i64> {
    /// Whether a point is inside.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the point is of another rank, [`LocationError::Overflow`] when an extent does not
    /// fit.
    pub fn contains(&self, at: &[i64]) -> Result<bool, LocationError> {
        check_length(self.rank(), at.len())?;
        for (axis, extent) in self.extents.iter().enumerate() {
            // An extent is known where the indices before it are inside.
            if !(0..extent.at(&at[..axis])?).contains(&at[axis]) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The point at an offset: the inverse of [`offset`](Self::offset), by bisection along each axis.
    ///
    /// # Errors
    /// [`LocationError::NoInverse`] when the shape has no such offset, and the errors of [`size`](Self::size).
    pub fn coordinates(&self, offset: i64) -> Result<Vec<i64>, LocationError> {
        let mut at: Vec<i64> = Vec::with_capacity(self.rank());
        let mut rest = offset;
        for axis in 0..self.rank() {
            let (mut low, mut high) = (0, self.extents[axis].at(&at)?);
            if high < 1 {
                return Err(LocationError::NoInverse);
            }
            // The last index with no more than `rest` points before it.
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                let is_before = self.before(axis, &at, &middle)? <= rest;
                (low, high) = if is_before { (middle, high) } else { (low, middle) };
            }
            rest -= self.before(axis, &at, &low)?;
            at.push(low);
        }
        if rest == 0 && self.contains(&at)? { Ok(at) } else { Err(LocationError::NoInverse) }
    }
}

/// `sum(f(k) for k in 0..n)` of a polynomial `f` of at most the given degree, by Newton's series: with the forward
/// differences `d[j]` of `f` at zero it is the sum of `d[j] * C(n, j + 1)`, written over one denominator.
fn sum_of_polynomial<I: Integer>(
    degree: usize,
    n: &I,
    f: impl Fn(i64) -> Result<I, LocationError>,
) -> Result<I, LocationError> {
    let mut row: Vec<I> = (0..).take(degree + 1).map(f).collect::<Result<_, _>>()?;
    let mut differences = Vec::with_capacity(degree + 1);
    while let Some(first) = row.first() {
        differences.push(first.clone());
        row = row.windows(2).map(|pair| pair[1].sub(&pair[0])).collect::<Result<_, _>>()?;
    }
    while differences.last().is_some_and(|last| last.as_constant() == Some(0)) {
        differences.pop();
    }
    // (j + 1)! for the highest j.
    let factorial = |upto: usize| (1..=upto as i64).product::<i64>();
    let denominator = factorial(differences.len());
    let mut numerator = I::constant(0);
    let mut falling = n.clone();
    for (j, difference) in (1..).zip(&differences) {
        let term = difference.mul(&falling)?.scale(denominator / factorial(j))?;
        numerator = numerator.add(&term)?;
        falling = falling.mul(&n.sub(&I::constant(j as i64))?)?;
    }
    if denominator == 1 { Ok(numerator) } else { numerator.floor_div(denominator) }
}

/// The values of integers that are all known.
fn constants<I: Integer>(entries: &[I]) -> Result<Vec<i64>, LocationError> {
    entries.iter().map(|entry| entry.as_constant().ok_or(LocationError::Dynamic)).collect()
}
