//! Layouts: where in memory a block keeps the element of each coordinate.

mod curve;
mod order;
mod positions;
mod term;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use crate::space::check_length;
use crate::{Integer, LocationError, Shape, Table};

pub use curve::Curve;
pub use order::Order;
pub use positions::Positions;
use term::{Digit, Map, Term};

/// The map from coordinates of a block to offsets in memory, counted in elements.
///
/// The offset is `base + sum(stride * position)`. The positions are the coordinates themselves in a
/// [strided](Self::strided) layout. In the layout of an [`Order`] they are digits of coordinates (`at[axis] / divisor %
/// modulus`), which put tiles one after another, or positions on a [`Curve`].
///
/// A layout is a value of the algebra like a [`TensorSpace`](crate::TensorSpace), over the same integer: the runtime
/// library computes offsets with it, and the compiler emits the expressions that it gives over symbolic integers. A
/// layout does not check extents: whether a coordinate is inside a block is decided before its offset is formed.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout<I> {
    rank: usize,
    base: I,
    terms: Vec<Term<I>>,
    /// The number of elements that the layout of an order takes, including the padding of partial tiles.
    size: Option<I>,
}

impl<I: Integer> Layout<I> {
    /// The layout in which the last axis is contiguous and each axis steps over all that follow it.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when a stride does not fit.
    pub fn row_major(extents: &[I]) -> Result<Self, LocationError> {
        let mut strides = vec![I::constant(1); extents.len()];
        for axis in (1..extents.len()).rev() {
            strides[axis - 1] = strides[axis].mul(&extents[axis])?;
        }
        Ok(Self::strided(strides))
    }

    /// The layout in which neighbors along axis `j` are `strides[j]` elements apart.
    #[must_use]
    pub fn strided(strides: Vec<I>) -> Self {
        let rank = strides.len();
        let terms = strides.into_iter().enumerate();
        let terms =
            terms.map(|(axis, stride)| Term { map: Map::Digit(Digit::whole(axis)), stride }).collect();
        Self { rank, base: I::constant(0), terms, size: None }
    }

    /// The layout without padding of a shape whose extents depend on indices.
    ///
    /// # Errors
    /// [`LocationError::NoClosedForm`] when its offsets are not sums that the algebra writes without a loop,
    /// [`LocationError::Overflow`] when its size does not fit.
    pub fn shaped(shape: Shape<I>) -> Result<Self, LocationError> {
        let tile = vec![1; shape.rank()];
        Self::shaped_tiles(shape, tile, &Order::RowMajor)
    }

    /// The layout of a shape of tiles, see [`Shape::tiled`], with the elements of each in an order.
    ///
    /// # Errors
    /// As [`shaped`](Self::shaped), and those of [`Order::layout`].
    pub fn shaped_tiles(tiles: Shape<I>, tile: Vec<i64>, inner: &Order) -> Result<Self, LocationError> {
        check_length(tiles.rank(), tile.len())?;
        inner.validate(tile.len())?;
        let Self { rank, base, mut terms, size } = inner.layout_of_tile(&tile)?;
        let stride = size.unwrap_or_else(|| I::constant(1));
        let size = Some(tiles.size()?.mul(&stride)?);
        terms.push(Term { map: Map::Shape(tiles, tile), stride });
        Ok(Self { rank, base, terms, size })
    }

    /// This layout with the element at the origin moved to offset `base`.
    #[must_use]
    pub fn based(self, base: I) -> Self {
        Self { base, ..self }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The offset of the element at the origin.
    pub fn base(&self) -> &I {
        &self.base
    }

    /// The number of elements of an [`Order`]'s layout, with the padding of its partial tiles, or of a
    /// [shape](Self::shaped); `None` for other layouts.
    pub fn size(&self) -> Option<&I> {
        self.size.as_ref()
    }

    /// Whether elements follow a [`Curve`] whose formulas contain the square of the sum of two extents, as those along
    /// antidiagonals do.
    pub fn has_curve(&self) -> bool {
        self.terms.iter().any(|Term { map, .. }| match map {
            Map::Digit(_)
            | Map::Xor(_)
            | Map::Table(..)
            | Map::Listed(..)
            | Map::Shape(..)
            | Map::Curve(Curve::Hilbert, ..) => false,
            Map::Curve(..) => true,
            Map::Reversed(layout, _) | Map::Wrapped(layout, _) => layout.has_curve(),
            Map::Then(first, second) | Map::Numbered(first, _, second) => {
                first.has_curve() || second.has_curve()
            }
        })
    }

    /// The distance of neighbors along each axis; `None` unless it is the same everywhere, as in a
    /// [strided](Self::strided) layout.
    pub fn strides(&self) -> Option<Vec<I>> {
        let mut strides = vec![I::constant(0); self.rank];
        for Term { map, stride } in &self.terms {
            match map {
                Map::Digit(digit) if digit.is_whole() => strides[digit.axis] = stride.clone(),
                _ => return None,
            }
        }
        Some(strides)
    }

    /// Whether the offset is linear in the coordinate along an axis, whatever the other coordinates are.
    pub fn is_linear(&self, axis: usize) -> bool {
        self.terms.iter().all(|Term { map, .. }| match map {
            Map::Digit(digit) => digit.is_whole() || digit.axis != axis,
            Map::Curve(_, digits, _) | Map::Xor(digits) => digits.iter().all(|digit| digit.axis != axis),
            Map::Table(digits, _) => digits.iter().all(|(digit, _)| digit.axis != axis),
            // Rows are contiguous.
            Map::Shape(shape, tile) => axis + 1 == shape.rank() && tile[axis] == 1,
            Map::Listed(_, own) => *own != axis,
            Map::Reversed(..) | Map::Then(..) | Map::Numbered(..) | Map::Wrapped(..) => false,
        })
    }

    /// The offset of the element at a coordinate.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the coordinate is of another rank, [`LocationError::Overflow`] when the offset
    /// does not fit, [`LocationError::Dynamic`] when a coordinate on a curve is not known.
    pub fn offset(&self, at: &[I]) -> Result<I, LocationError> {
        check_length(self.rank(), at.len())?;
        self.terms
            .iter()
            .try_fold(self.base.clone(), |sum, Term { map, stride }| sum.add(&map.position(at)?.mul(stride)?))
    }

    /// The coordinate of the element at an offset: the inverse of [`offset`](Self::offset).
    ///
    /// The terms take as many steps as fit, the one with the largest stride first. That inverts every layout whose
    /// strides are at least the span of all terms with smaller ones, such as that of an [`Order`], or row-major with
    /// gaps and with the axes in any order. Of axes with one stride only the first may have more than one element.
    ///
    /// # Errors
    /// [`LocationError::NoInverse`] when a stride is not positive or not known, or when no coordinate has that offset;
    /// [`LocationError::Overflow`] when a coordinate does not fit; [`LocationError::Dynamic`] when a position on a
    /// curve is not known.
    pub fn coordinates(&self, offset: &I) -> Result<Vec<I>, LocationError> {
        let stride = |term: &Term<I>| term.stride.as_constant().filter(|&stride| stride > 0);
        let strides: Vec<i64> =
            self.terms.iter().map(stride).collect::<Option<_>>().ok_or(LocationError::NoInverse)?;
        let mut largest_first: Vec<usize> = (0..strides.len()).collect();
        largest_first.sort_by_key(|&term| Reverse(strides[term]));
        let mut at = vec![I::constant(0); self.rank];
        let mut rest = offset.sub(&self.base)?;
        for term in largest_first {
            let position = rest.floor_div(strides[term])?;
            self.terms[term].map.place(&position, &mut at)?;
            rest = rest.modulo(strides[term])?;
        }
        match rest.compare(&I::constant(0)) {
            Some(Ordering::Equal) => Ok(at),
            _ => Err(LocationError::NoInverse),
        }
    }

    /// The number of elements of memory that a block of the given extents takes, or zero if it is empty: one more than
    /// its greatest offset, or, for the layout of an [`Order`], the elements and the padding of its partial tiles.
    /// Strides must not be negative.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there are not as many extents as axes, [`LocationError::Overflow`] when the span
    /// does not fit.
    pub fn span(&self, extents: &[I]) -> Result<I, LocationError> {
        check_length(self.rank(), extents.len())?;
        if extents.iter().any(|extent| extent.as_constant() == Some(0)) {
            return Ok(I::constant(0));
        }
        if let Some(size) = &self.size {
            return self.base.add(size);
        }
        let one = I::constant(1);
        let last = extents.iter().map(|extent| extent.sub(&one)).collect::<Result<Vec<_>, _>>()?;
        self.offset(&last)?.add(&one)
    }

    /// The layout of a box whose elements, numbered in row-major order, are those of a box in this layout. Boxes
    /// without elements have any layout.
    ///
    /// ```
    /// use shim_core::{Layout, Order};
    ///
    /// // Four quadrants, as a list of their elements in the order of rows.
    /// let layout = Order::tile(&[2, 2]).layout(&[4_i64, 4])?.reshaped(&[4, 4], &[16])?;
    /// assert_eq!([layout.offset(&[1])?, layout.offset(&[2])?, layout.offset(&[4])?], [1, 4, 2]);
    /// # Ok::<(), shim_core::LocationError>(())
    /// ```
    ///
    /// # Errors
    /// [`LocationError::Length`] when there are not as many extents as axes, [`LocationError::Dynamic`] when an extent
    /// is not known and the elements are not at constant distances in the new box, [`LocationError::Overflow`] when an
    /// offset does not fit.
    pub fn reshaped(&self, from: &[I], to: &[I]) -> Result<Self, LocationError> {
        check_length(self.rank(), from.len())?;
        let number = Self::row_major(to)?;
        if let Some(strides) = self.strides() {
            let contiguous = Self::row_major(from)?.strides().unwrap_or_default();
            let mut steps = strides.iter().zip(&contiguous).zip(from);
            if steps.all(|((own, step), extent)| own == step || extent.as_constant() == Some(1)) {
                return Ok(number.based(self.base.clone()));
            }
            if let Some(strides) = regrouped(&strides, from, to)? {
                return Ok(Self::strided(strides).based(self.base.clone()));
            }
        }
        let known = |extents: &[I]| extents.iter().map(Integer::as_constant).collect::<Option<Vec<i64>>>();
        let (Some(from), Some(to)) = (known(from), known(to)) else { return Err(LocationError::Dynamic) };
        let zero = self.clone().based(I::constant(0));
        let map = Map::Numbered(Box::new(number), from, Box::new(zero));
        let terms = vec![Term { map, stride: I::constant(1) }];
        let layout = Self { rank: to.len(), base: I::constant(0), terms, size: self.size.clone() };
        let Self { base, .. } = self;
        let layout = layout.as_strided(&to)?.unwrap_or(layout);
        let base = layout.base.add(base)?;
        Ok(layout.based(base))
    }

    /// The layout of a box whose elements, numbered in row-major order, are those of a box in this layout again and
    /// again.
    ///
    /// # Errors
    /// As [`reshaped`](Self::reshaped) to one axis.
    pub fn cycled(&self, from: &[I], to: &[I]) -> Result<Self, LocationError> {
        check_length(self.rank(), from.len())?;
        if let (Some(own), Some(behind)) = (self.strides(), to.len().checked_sub(from.len()))
            && to[behind..] == *from
        {
            let mut strides = vec![I::constant(0); behind];
            strides.extend(own);
            return Ok(Self::strided(strides).based(self.base.clone()));
        }
        let count = from.iter().try_fold(I::constant(1), |count, extent| count.mul(extent))?;
        let list = self.reshaped(from, core::slice::from_ref(&count))?;
        let term = |map| vec![Term { map, stride: I::constant(1) }];
        let layout = |terms| Self { rank: to.len(), base: I::constant(0), terms, size: None };
        let number = layout(term(Map::Wrapped(Box::new(Self::row_major(to)?), count)));
        Ok(layout(term(Map::Then(Box::new(number), Box::new(list)))))
    }

    /// This layout where the coordinate along an axis is the entry of a table at an index.
    ///
    /// # Errors
    /// [`LocationError::NoClosedForm`] unless neighbors along the axis are a constant distance apart,
    /// [`LocationError::Axis`] when there is no such axis.
    pub fn listed(&self, axis: usize, table: Table<I>) -> Result<Self, LocationError> {
        if axis >= self.rank {
            return Err(LocationError::Axis { axis, rank: self.rank });
        }
        let own = |term: &Term<I>| matches!(&term.map, Map::Digit(digit) if *digit == Digit::whole(axis));
        let mut layout = Self { size: None, ..self.clone() };
        match layout.terms.iter_mut().find(|term| own(term)) {
            Some(term) if self.is_linear(axis) => term.map = Map::Listed(table, axis),
            _ => return Err(LocationError::NoClosedForm),
        }
        Ok(layout)
    }

    /// The same layout by strides, where a box is small and its offsets are known and linear.
    fn as_strided(&self, extents: &[i64]) -> Result<Option<Self>, LocationError> {
        /// The most elements that are looked at.
        const ELEMENTS: i64 = 4096;
        let count = extents.iter().fold(1_i64, |count, extent| count.saturating_mul((*extent).max(0)));
        if !(1..=ELEMENTS).contains(&count) {
            return Ok(None);
        }
        let offset = |at: &[i64]| -> Result<Option<i64>, LocationError> {
            let at: Vec<I> = at.iter().copied().map(I::constant).collect();
            Ok(self.offset(&at)?.as_constant())
        };
        let mut at = vec![0; extents.len()];
        let Some(base) = offset(&at)? else { return Ok(None) };
        let mut strides = Vec::with_capacity(extents.len());
        for (axis, extent) in extents.iter().enumerate() {
            let mut next = at.clone();
            next[axis] = 1;
            let step = if *extent > 1 { offset(&next)?.map(|next| next - base) } else { Some(0) };
            match step {
                Some(step) => strides.push(step),
                None => return Ok(None),
            }
        }
        for _ in 0..count {
            let linear = at.iter().zip(&strides).fold(base, |sum, (at, stride)| sum + at * stride);
            if offset(&at)? != Some(linear) {
                return Ok(None);
            }
            for (at, extent) in at.iter_mut().zip(extents).rev() {
                *at = (*at + 1) % extent;
                if *at > 0 {
                    break;
                }
            }
        }
        let strides = strides.into_iter().map(I::constant).collect();
        Ok(Some(Self { size: self.size.clone(), ..Self::strided(strides).based(I::constant(base)) }))
    }

    /// The row-major order of a box whose coordinates repeat on the axes with a count: so many of them are in memory at
    /// a time.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when the number of elements does not fit.
    pub fn ring(extents: &[I], counts: &[Option<i64>]) -> Result<Self, LocationError> {
        check_length(extents.len(), counts.len())?;
        let mut stride = I::constant(1);
        let mut terms = Vec::with_capacity(extents.len());
        for (axis, (extent, count)) in extents.iter().zip(counts).enumerate().rev() {
            let digit = Digit { modulus: *count, ..Digit::whole(axis) };
            terms.push(Term { map: Map::Digit(digit), stride: stride.clone() });
            stride = match count {
                Some(count) => stride.scale(*count)?,
                None => stride.mul(extent)?,
            };
        }
        terms.reverse();
        Ok(Self { rank: extents.len(), base: I::constant(0), terms, size: Some(stride) })
    }

    /// This layout over another integer.
    pub fn map<J>(&self, to: &impl Fn(&I) -> J) -> Layout<J> {
        let terms =
            self.terms.iter().map(|Term { map, stride }| Term { map: map.map(to), stride: to(stride) });
        Layout {
            rank: self.rank,
            base: to(&self.base),
            terms: terms.collect(),
            size: self.size.as_ref().map(to),
        }
    }
}

/// The strides of a box whose elements are, in row-major order, those of a box with strides: where each group of axes
/// that becomes another one has its elements at one distance. `None` where elements of the box would not be at constant
/// distances, or where that is not known.
fn regrouped<I: Integer>(strides: &[I], from: &[I], to: &[I]) -> Result<Option<Vec<I>>, LocationError> {
    let is_one = |extent: &I| extent.as_constant() == Some(1);
    let axes: Vec<(&I, &I)> = from.iter().zip(strides).filter(|(extent, _)| !is_one(extent)).collect();
    let mut made = Vec::with_capacity(to.len());
    let mut next = 0;
    while made.len() < to.len() {
        if next == axes.len() && to[made.len()..].iter().all(is_one) {
            made.resize(to.len(), I::constant(1));
            break;
        }
        let Some((taken, given)) = smallest_group(&axes[next..], &to[made.len()..])? else { return Ok(None) };
        let group = &axes[next..next + taken];
        for pair in group.windows(2) {
            let ((_, outer), (extent, inner)) = (pair[0], pair[1]);
            if *outer != inner.mul(extent)? {
                return Ok(None);
            }
        }
        let mut stride = group[taken - 1].1.clone();
        let first = made.len();
        for extent in to[first..first + given].iter().rev() {
            made.insert(first, stride.clone());
            stride = stride.mul(extent)?;
        }
        next += taken;
    }
    Ok((next == axes.len()).then_some(made))
}

/// The fewest leading axes of two boxes, at least one of each, that have the same number of elements.
fn smallest_group<I: Integer>(from: &[(&I, &I)], to: &[I]) -> Result<Option<(usize, usize)>, LocationError> {
    let mut own = I::constant(1);
    for (taken, (extent, _)) in from.iter().enumerate() {
        own = own.mul(extent)?;
        let mut other = I::constant(1);
        for (given, extent) in to.iter().enumerate() {
            other = other.mul(extent)?;
            if own == other {
                return Ok(Some((taken + 1, given + 1)));
            }
        }
    }
    Ok(None)
}
