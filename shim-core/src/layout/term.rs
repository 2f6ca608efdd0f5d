//! The terms that an offset is the sum of.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::{Curve, Fold, Integer, Layout, LocationError, Shape};

/// `stride * position`: a part of an offset.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term<I> {
    pub(super) map: Map<I>,
    pub(super) stride: I,
}

/// The position that a term multiplies with its stride.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Map<I> {
    /// A digit of a coordinate.
    Digit(Digit),
    /// The position of two digits on a curve through a box of the given extents.
    Curve(Curve, [Digit; 2], [I; 2]),
    /// The first digit, with the bits changed that the second one has.
    Xor([Digit; 2]),
    /// The entry of a table, for the digits as a row-major index with these counts.
    Table(Vec<(Digit, i64)>, Vec<i64>),
    /// `last - offset`, for the offset in another layout.
    Reversed(Box<Layout<I>>, I),
    /// The offset in the second layout, of rank 1, of the offset in the first one.
    Then(Box<Layout<I>>, Box<Layout<I>>),
    /// The offset in the second layout, of a box with these extents, of the element that the first one gives a number
    /// in row-major order.
    Numbered(Box<Layout<I>>, Vec<i64>, Box<Layout<I>>),
    /// The entry of a table of integers at the coordinate along an axis.
    Listed(crate::Table<I>, usize),
    /// The offset in another layout, modulo a number of elements.
    Wrapped(Box<Layout<I>>, I),
    /// The number of tiles before that of this point, in a shape of tiles of the given extents.
    Shape(Shape<I>, Vec<i64>),
}

/// `at[axis] / divisor % modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digit {
    pub(super) axis: usize,
    pub(super) divisor: i64,
    /// `None` for the most significant digit of an axis.
    pub(super) modulus: Option<i64>,
}

impl Digit {
    /// The coordinate itself.
    pub(super) fn whole(axis: usize) -> Self {
        Self { axis, divisor: 1, modulus: None }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.divisor == 1 && self.modulus.is_none()
    }

    /// The digits of this one in a smaller base: its remainder and its quotient. `None` if the base does not divide the
    /// number of values that the digit takes.
    pub(super) fn split(&self, base: i64) -> Option<[Self; 2]> {
        if self.modulus.is_some_and(|modulus| modulus % base != 0) {
            return None;
        }
        let low = Self { modulus: Some(base), ..*self };
        let modulus = self.modulus.map(|modulus| modulus / base);
        Some([low, Self { divisor: self.divisor.checked_mul(base)?, modulus, ..*self }])
    }

    fn position<I: Integer>(&self, at: &[I]) -> Result<I, LocationError> {
        let quotient = at[self.axis].floor_div(self.divisor)?;
        self.modulus.map_or(Ok(quotient.clone()), |modulus| quotient.modulo(modulus))
    }

    fn place<I: Integer>(&self, position: &I, at: &mut [I]) -> Result<(), LocationError> {
        at[self.axis] = at[self.axis].add(&position.scale(self.divisor)?)?;
        Ok(())
    }
}

impl<I: Integer> Map<I> {
    pub(super) fn position(&self, at: &[I]) -> Result<I, LocationError> {
        match self {
            Map::Digit(digit) => digit.position(at),
            Map::Curve(curve, digits, extents) => {
                let point = [digits[0].position(at)?, digits[1].position(at)?];
                let known = [&point[0], &point[1], &extents[0], &extents[1]].map(Integer::as_constant);
                if let [Some(y), Some(x), Some(h), Some(w)] = known
                    && curve.position([y, x], [h, w]).is_none()
                {
                    return Err(LocationError::OffCurve);
                }
                curve.offset(point, extents)
            }
            Map::Xor([column, row]) => column.position(at)?.bit_xor(&row.position(at)?),
            Map::Table(digits, positions) => {
                let mut index = I::constant(0);
                for (digit, count) in digits {
                    let digit = digit.position(at)?;
                    if digit.as_constant().is_some_and(|digit| !(0..*count).contains(&digit)) {
                        return Err(LocationError::OffCurve);
                    }
                    index = index.scale(*count)?.add(&digit)?;
                }
                index.entry(positions)
            }
            Map::Reversed(layout, last) => last.sub(&layout.offset(at)?),
            Map::Then(first, second) => second.offset(&[first.offset(at)?]),
            Map::Numbered(number, extents, layout) => {
                let mut rest = number.offset(at)?;
                let mut coordinates = Vec::with_capacity(extents.len());
                for extent in extents.iter().rev() {
                    // A box without elements is never asked about.
                    let extent = (*extent).max(1);
                    coordinates.push(rest.modulo(extent)?);
                    rest = rest.floor_div(extent)?;
                }
                coordinates.reverse();
                layout.offset(&coordinates)
            }
            Map::Listed(table, axis) => table.at(&at[*axis]),
            Map::Wrapped(layout, count) => layout.offset(at)?.fold(Fold::Wrap, count),
            Map::Shape(shape, tile) => {
                let own = at.iter().zip(tile).map(|(at, tile)| at.floor_div(*tile));
                shape.offset(&own.collect::<Result<Vec<_>, _>>()?)
            }
        }
    }

    /// Adds what a position tells of the coordinates.
    pub(super) fn place(&self, position: &I, at: &mut [I]) -> Result<(), LocationError> {
        match self {
            Map::Digit(digit) => digit.place(position, at),
            Map::Curve(curve, digits, extents) => {
                let known = [position, &extents[0], &extents[1]].map(Integer::as_constant);
                let [Some(position), Some(h), Some(w)] = known else { return Err(LocationError::Dynamic) };
                let point = curve.point(position, [h, w]).ok_or(LocationError::OffCurve)?;
                for (digit, coordinate) in digits.iter().zip(point) {
                    digit.place(&I::constant(coordinate), at)?;
                }
                Ok(())
            }
            Map::Xor([column, row]) => {
                // The row has a larger stride, and is there already.
                let position = position.bit_xor(&row.position(at)?)?;
                column.place(&position, at)
            }
            Map::Table(digits, positions) => {
                let position = position.as_constant().ok_or(LocationError::Dynamic)?;
                let index =
                    positions.iter().position(|own| *own == position).ok_or(LocationError::OffCurve)?;
                let mut rest = index as i64;
                for (digit, count) in digits.iter().rev() {
                    digit.place(&I::constant(rest % count), at)?;
                    rest /= count;
                }
                Ok(())
            }
            Map::Reversed(layout, last) => add_all(at, &layout.coordinates(&last.sub(position)?)?),
            Map::Then(first, second) => {
                let [flat] = &second.coordinates(position)?[..] else { return Err(LocationError::NoInverse) };
                add_all(at, &first.coordinates(flat)?)
            }
            Map::Numbered(number, extents, layout) => {
                let mut own = I::constant(0);
                for (coordinate, extent) in layout.coordinates(position)?.iter().zip(extents) {
                    own = own.scale(*extent)?.add(coordinate)?;
                }
                add_all(at, &number.coordinates(&own)?)
            }
            // The inverse is a search, for which the numbers have to be known: see `Shape::coordinates`. An entry of a
            // list and a number modulo another may be those of several coordinates.
            Map::Shape(..) | Map::Listed(..) | Map::Wrapped(..) => Err(LocationError::NoInverse),
        }
    }

    pub(super) fn map<J>(&self, to: &impl Fn(&I) -> J) -> Map<J> {
        match self {
            Map::Digit(digit) => Map::Digit(*digit),
            Map::Curve(curve, digits, [h, w]) => Map::Curve(*curve, *digits, [to(h), to(w)]),
            Map::Xor(digits) => Map::Xor(*digits),
            Map::Table(digits, positions) => Map::Table(digits.clone(), positions.clone()),
            Map::Reversed(layout, last) => Map::Reversed(Box::new(layout.map(to)), to(last)),
            Map::Then(first, second) => Map::Then(Box::new(first.map(to)), Box::new(second.map(to))),
            Map::Numbered(number, extents, layout) => {
                Map::Numbered(Box::new(number.map(to)), extents.clone(), Box::new(layout.map(to)))
            }
            Map::Listed(table, axis) => Map::Listed(table.map(to), *axis),
            Map::Wrapped(layout, count) => Map::Wrapped(Box::new(layout.map(to)), to(count)),
            Map::Shape(shape, tile) => Map::Shape(shape.map(to), tile.clone()),
        }
    }
}

fn add_all<I: Integer>(at: &mut [I], more: &[I]) -> Result<(), LocationError> {
    for (at, more) in at.iter_mut().zip(more) {
        *at = at.add(more)?;
    }
    Ok(())
}
