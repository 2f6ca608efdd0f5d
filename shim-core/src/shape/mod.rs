//! Shapes: extents that depend on the indices before them.
//!
//! The arrays of Lift's third paper (position-dependent arrays) extend along an axis as far as a function of the indices
//! before it says: triangles, bands, groups, trees. Their elements are stored without padding, and the offset of an
//! element is a closed form.

mod extent;
mod points;
mod table;

use alloc::vec;
use alloc::vec::Vec;

use crate::space::check_length;
use crate::{Integer, LocationError, Part};

pub use extent::Extent;
use extent::PartAxis;
pub use table::Table;

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
    /// For an axis of groups, the number of points before each of its indices, if there is a table of it.
    sums: Vec<Option<Table<I>>>,
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
        let shape = Self::of(extents);
        for extent in &shape.extents {
            if let Extent::Listed { axis, extents: table } = extent
                && let Some(entries) = table.all()
                && let Some(count) = shape.extents[*axis].as_fixed().and_then(Integer::as_constant)
                && count > entries.len() as i64
            {
                return Err(LocationError::NoGroup { index: entries.len() as i64, groups: entries.len() });
            }
            // One side of a split may have no indices.
            if matches!(extent, Extent::Split { .. } | Extent::Sum(_)) {
                continue;
            }
            let least = shape.least(extent)?.into_iter().flatten().filter_map(|least| least.as_constant());
            if let Some(extent) = least.min().filter(|least| *least < 0) {
                return Err(LocationError::NegativeExtent { extent });
            }
        }
        Ok(shape)
    }

    fn of(extents: Vec<Extent<I>>) -> Self {
        let sums = extents.iter().map(|_| None).collect();
        Self { extents, sums }
    }

    /// The number of points before each index of an axis of groups, and in all of them, without the extents of the last
    /// axes that are known; `None` for another axis, and where the numbers depend on indices before it.
    ///
    /// # Errors
    /// Those of [`size`](Self::size).
    pub fn sums(&self, axis: usize) -> Result<Option<Vec<I>>, LocationError> {
        let behind = &self.extents[axis + 1..];
        let depends = |extent: &Extent<I>| (0..axis).any(|earlier| extent.depends_on(earlier));
        let (Some(groups), false) = (self.groups(axis), behind.iter().any(depends)) else { return Ok(None) };
        let mut front = self.clone();
        for extent in front.extents.iter_mut().rev().take(self.known_tail(axis).len()) {
            *extent = Extent::constant(I::constant(1));
        }
        front.sums_at(axis, &vec![I::constant(0); axis], groups).map(Some)
    }

    /// The extents of the last axes, behind `axis`, that are known.
    fn known_tail(&self, axis: usize) -> Vec<i64> {
        let known = |extent: &Extent<I>| extent.as_fixed().and_then(Integer::as_constant);
        self.extents[axis + 1..].iter().rev().map_while(known).collect()
    }

    /// This shape with a table of the [`sums`](Self::sums) of an axis: the offset of an index that is not known is then
    /// loaded.
    #[must_use]
    pub fn with_sums(mut self, axis: usize, sums: Table<I>) -> Self {
        self.sums[axis] = Some(sums);
        self
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

    /// The shape of a part, as [`TensorSpace::partition`](crate::TensorSpace::partition) takes it: rows, whole axes and
    /// ranges of those that extend equally far everywhere. Indices behind the extents may be part of it.
    ///
    /// # Errors
    /// [`LocationError::Length`] unless there is an entry for each axis, [`LocationError::NoClosedForm`] of a range or
    /// an index on an axis whose extent depends on an index that the part leaves open, and where a table would be asked
    /// at indices other than its own.
    pub fn part(&self, parts: &[Part<I>]) -> Result<Self, LocationError> {
        check_length(self.rank(), parts.len())?;
        let mut axes: Vec<PartAxis<I>> = Vec::new();
        let mut extents: Vec<Extent<I>> = Vec::new();
        for (extent, part) in self.extents.iter().zip(parts) {
            let own = extent.part(&axes)?;
            let kept = extents.len();
            if own.as_fixed().is_none() && !matches!(part, Part::Full) {
                return Err(LocationError::NoClosedForm);
            }
            axes.push(match part {
                Part::Index(index) => PartAxis::Fixed(index.clone()),
                Part::Full => {
                    extents.push(own);
                    PartAxis::Kept { axis: kept, start: I::constant(0), step: 1 }
                }
                Part::Range { start, end, step } => {
                    let count = end.sub(start)?.at_least_zero()?.ceil_div(*step)?;
                    extents.push(Extent::constant(count));
                    PartAxis::Kept { axis: kept, start: start.clone(), step: *step }
                }
            });
        }
        Ok(Self::of(extents))
    }

    /// The shape of the tiles of these extents, of which the last ones along an axis are padded.
    ///
    /// # Errors
    /// [`LocationError::Length`] unless there is an extent for each axis, [`LocationError::Factor`] for one below one,
    /// [`LocationError::NoClosedForm`] where an extent depends on an axis that is cut, or where cutting it leaves no
    /// closed form.
    pub fn tiled(&self, tile: &[i64]) -> Result<Self, LocationError> {
        check_length(self.rank(), tile.len())?;
        let mut extents = Vec::new();
        for (extent, &own) in self.extents.iter().zip(tile) {
            if own < 1 {
                return Err(LocationError::Factor { factor: own });
            }
            if tile.iter().enumerate().any(|(axis, cut)| *cut > 1 && extent.depends_on(axis)) {
                return Err(LocationError::NoClosedForm);
            }
            extents.push(extent.tiled(own)?);
        }
        Ok(Self::of(extents))
    }

    /// Whether all axes extend equally far everywhere.
    pub fn is_box(&self) -> bool {
        self.extents.iter().all(|extent| extent.as_fixed().is_some())
    }

    /// This shape over another integer.
    #[must_use]
    pub fn map<J>(&self, to: &impl Fn(&I) -> J) -> Shape<J> {
        Shape {
            extents: self.extents.iter().map(|extent| extent.map(to)).collect(),
            sums: self.sums.iter().map(|sums| Some(sums.as_ref()?.map(to))).collect(),
        }
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
        let sum = (axis + 1..).zip(behind).find_map(|(own, extent)| match extent {
            Extent::Sum(parts) if extent.depends_on(axis) => Some((own, parts)),
            _ => None,
        });
        if let Some((own, parts)) = sum {
            // The points of a sum are those of its parts, each with what is behind it, if that is the same everywhere.
            if self.extents[own + 1..].iter().any(|extent| extent.depends_on(own)) {
                return Err(LocationError::NoClosedForm);
            }
            let with = |part: &Extent<I>| {
                let mut single = Self::of(self.extents.clone());
                single.extents[own] = part.clone();
                single.before(axis, before, upto)
            };
            return with(&parts[0])?.add(&with(&parts[1])?);
        }
        if let Some(edge) = behind.iter().find_map(|extent| extent.split_along(axis)) {
            let side = |is_below| {
                let extents = self.extents.iter().map(|extent| extent.on_side(axis, edge, is_below));
                Self::of(extents.collect())
            };
            let (below, above, start) = (side(true), side(false), edge.at_least_zero()?);
            let prologue = below.before(axis, before, &upto.min(&start)?)?;
            if above.dependent(axis).is_empty() {
                let body = upto.sub(&upto.min(&start)?)?;
                return prologue.add(&above.before(axis, before, &body)?);
            }
            let whole = above.before(axis, before, &upto.max(&start)?)?;
            return prologue.add(&whole)?.sub(&above.before(axis, before, &start)?);
        }
        if let Some(sums) = &self.sums[axis] {
            return self.known_tail(axis).into_iter().try_fold(sums.at(upto)?, |sum, tail| sum.scale(tail));
        }
        if let Some(groups) = self.groups(axis) {
            let known = upto.as_constant();
            if let Some(index) = known.filter(|upto| !(0..=groups as i64).contains(upto)) {
                return Err(LocationError::NoGroup { index, groups });
            }
            let counted = known.map_or(groups, |upto| upto as usize);
            let mut sums = self.sums_at(axis, before, counted)?;
            return match known {
                Some(_) => Ok(sums.swap_remove(counted)),
                None => upto.entry(&table::constants(&sums)?),
            };
        }
        let dependent = self.dependent(axis);
        let ragged = (axis + 1..).zip(behind).find_map(|(own, extent)| match extent {
            Extent::Ragged { axis: rows, starts } if *rows == axis => Some((own, starts)),
            _ => None,
        });
        if let Some((own, starts)) = ragged {
            if dependent != [own] {
                return Err(LocationError::NoClosedForm);
            }
            // As many points for each element of the rows as if there were one.
            let mut single = Self::of(self.extents.clone());
            single.extents[own] = Extent::constant(I::constant(1));
            let points = single.size_from(axis + 1, &[before, &[I::constant(0)]].concat())?;
            return starts.at(upto)?.mul(&points);
        }
        let grows = |extent: &Extent<I>| matches!(extent, Extent::Power { axis: own, .. } if *own == axis);
        let powers = behind.iter().filter(|extent| grows(extent)).count();
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
            Extent::Power { axis, .. }
            | Extent::Listed { axis, .. }
            | Extent::Ragged { axis, .. }
            | Extent::Split { axis, .. } => dependent.contains(axis),
            Extent::Sum(_) => dependent.iter().any(|axis| extent.depends_on(*axis)),
        };
        if behind.iter().any(is_rough) {
            return Err(LocationError::NoClosedForm);
        }
        sum_of_polynomial(dependent.len(), upto, inner)
    }

    /// The number of groups along an axis, if extents behind it are listed by its index.
    fn groups(&self, axis: usize) -> Option<usize> {
        let listed = |extent: &Extent<I>| match extent {
            Extent::Listed { axis: own, extents } if *own == axis => Some(extents.entries().len()),
            _ => None,
        };
        self.extents.iter().filter_map(listed).min()
    }

    /// The number of points before each of so many indices of an axis, at the indices before it, and in all of them.
    fn sums_at(&self, axis: usize, before: &[I], groups: usize) -> Result<Vec<I>, LocationError> {
        let mut sums = vec![I::constant(0)];
        for k in 0..groups {
            let at = [before, &[I::constant(k as i64)]].concat();
            sums.push(sums[k].add(&self.size_from(axis + 1, &at)?)?);
        }
        Ok(sums)
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

    /// Values of which one is at most the least value of an extent over the shape; `None` where there is no such closed
    /// form. An extent whose values here are all at least zero is negative nowhere.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when one does not fit.
    pub fn least(&self, extent: &Extent<I>) -> Result<Option<Vec<I>>, LocationError> {
        self.least_from(&extent.with_splits_outermost()?, &mut vec![I::constant(0); self.rank()])
    }

    /// The same where the index on each axis is at least the one of `first`.
    fn least_from(&self, extent: &Extent<I>, first: &mut [I]) -> Result<Option<Vec<I>>, LocationError> {
        let (mut constant, mut coefficients) = match extent {
            Extent::Affine { constant, coefficients } => (constant.clone(), coefficients.clone()),
            Extent::Power { factor, .. } => return Ok(Some(vec![factor.clone()])),
            Extent::Listed { extents, .. } => return Ok(Some(extents.entries().to_vec())),
            // A table of starts never falls.
            Extent::Ragged { .. } => return Ok(Some(Vec::new())),
            Extent::Sum(_) => return Ok(None),
            Extent::Split { axis, at, below, above } => {
                let below = self.least_from(below, first)?;
                let edge = first[*axis].max(at)?;
                let outer = core::mem::replace(&mut first[*axis], edge);
                let above = self.least_from(above, first)?;
                first[*axis] = outer;
                return Ok(below.zip(above).map(|(below, above)| [below, above].concat()));
            }
        };
        while let Some(coefficient) = coefficients.pop() {
            let axis = coefficients.len();
            if coefficient >= 0 {
                constant = constant.add(&first[axis].scale(coefficient)?)?;
                continue;
            }
            let Extent::Affine { constant: own, coefficients: others } = &self.extents[axis] else {
                return Ok(None);
            };
            // It is least at the last index, which is the extent of that axis less one.
            constant = constant.add(&own.sub(&I::constant(1))?.scale(coefficient)?)?;
            for (sum, other) in coefficients.iter_mut().zip(others) {
                let more = other.checked_mul(coefficient).and_then(|more| sum.checked_add(more));
                *sum = more.ok_or(LocationError::Overflow)?;
            }
        }
        Ok(Some(vec![constant]))
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
