//! Orders of elements, and the layouts that they give blocks.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::layout::positions::Positions;
use crate::layout::term::{Digit, Map, Term};
use crate::space::check_length;
use crate::{Curve, Integer, Layout, LocationError};

/// The order in which a box's elements follow one another: a term of LEGO.
///
/// An order has no extents of its own. [`layout`](Self::layout) gives that of a box of given extents.
///
/// ```
/// use shim_core::Order;
///
/// // Tiles of 3x3 in column-major order, and the antidiagonals within each.
/// let order = Order::Tile {
///     extents: vec![3, 3],
///     outer: Box::new(Order::ColumnMajor),
///     inner: Box::new(Order::Curve(shim_core::Curve::Antidiagonal)),
/// };
/// assert_eq!(order.layout(&[6_i64, 6])?.offset(&[4, 2])?, 15);
/// # Ok::<(), shim_core::LocationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The last axis is contiguous (LEGO's `Row`).
    RowMajor,
    /// The first axis is contiguous (LEGO's `Col`).
    ColumnMajor,
    /// The axes from the outermost one to the contiguous one (LEGO's `RegP`).
    Axes(Vec<usize>),
    /// Tiles of these extents one after another (LEGO's `OrderBy`). Where an extent is not a multiple of the tile's,
    /// the last tiles are padded: each tile takes the same memory.
    Tile {
        /// The extents of a tile, one per axis.
        extents: Vec<i64>,
        /// The order of the tiles.
        outer: Box<Order>,
        /// The order of the elements of a tile.
        inner: Box<Order>,
    },
    /// So many indices of the first axis next to one another, for each index of the others: tiles of that extent along
    /// the first axis and of one along the others.
    Lanes(i64),
    /// The bits of the coordinates taken in turn, that of the last axis least significant. Extents are padded to powers
    /// of two.
    Morton,
    /// A curve through two axes.
    Curve(Curve),
    /// Rows one after another, in each of which the index along the last axis has the bits changed that the index of
    /// the row modulo this power of two has: elements above one another lie in different places of their rows. The rows
    /// are padded to a multiple of it.
    Swizzle(i64),
    /// Any other order of a box of these extents, see [`Order::from_fn`] (LEGO's `GenP`).
    Table {
        /// The extents.
        extents: Vec<i64>,
        /// The position of each element, these in row-major order.
        positions: Vec<i64>,
    },
    /// Any other order of boxes of known extents, by a function that gives each element its position.
    By(Positions),
    /// Another order backwards.
    Reversed(Box<Order>),
    /// The positions that one order gives, taken for indices of a box in row-major order, whose elements another order
    /// arranges (LEGO's `GroupBy` of a chain of `OrderBy`s, the nearest one first).
    Then {
        /// The order that is applied first.
        first: Box<Order>,
        /// The extents of the box.
        extents: Vec<i64>,
        /// The order of its elements.
        second: Box<Order>,
    },
}

/// A digit and the number of values that it takes.
#[derive(Clone)]
struct Component<I> {
    digit: Digit,
    count: I,
}

/// The layout of some components: the terms of an offset, and the number of elements.
struct Arranged<I> {
    terms: Vec<Term<I>>,
    size: I,
}

impl<I: Integer> Arranged<I> {
    /// One term, of `size` positions. That of a single element is zero.
    fn one(map: Map<I>, stride: &I, size: I) -> Self {
        let moves = size.as_constant() != Some(1);
        Self { terms: moves.then(|| Term { map, stride: stride.clone() }).into_iter().collect(), size }
    }
}

impl Order {
    /// Tiles in row-major order, with the elements of each in row-major order.
    #[must_use]
    pub fn tile(extents: &[i64]) -> Self {
        Order::Tile {
            extents: extents.to_vec(),
            outer: Box::new(Order::RowMajor),
            inner: Box::new(Order::RowMajor),
        }
    }

    /// The order in which the element at an index of a box has the position that a function gives. The inverse follows
    /// from it.
    ///
    /// ```
    /// use shim_core::Order;
    ///
    /// // Every other element first.
    /// let order = Order::from_fn(&[6], |at| at[0] / 2 + 3 * (at[0] % 2))?;
    /// assert_eq!(order.layout(&[6_i64])?.coordinates(&4)?, [3]);
    /// # Ok::<(), shim_core::LocationError>(())
    /// ```
    ///
    /// # Errors
    /// [`LocationError::NotABijection`] when a position lies beyond the box or is given twice,
    /// [`LocationError::Overflow`] when the box is too large.
    pub fn from_fn(extents: &[i64], mut position: impl FnMut(&[i64]) -> i64) -> Result<Self, LocationError> {
        let mut count = 1_i64;
        for extent in extents {
            count = count.checked_mul((*extent).max(0)).ok_or(LocationError::Overflow)?;
        }
        let mut taken = vec![false; usize::try_from(count).map_err(|_| LocationError::Overflow)?];
        let mut positions = Vec::with_capacity(taken.len());
        let mut at = vec![0; extents.len()];
        for _ in 0..count {
            let own = position(&at);
            match usize::try_from(own).ok().and_then(|own| taken.get_mut(own)) {
                Some(free) if !*free => *free = true,
                _ => return Err(LocationError::NotABijection { at, position: own }),
            }
            positions.push(own);
            for (at, extent) in at.iter_mut().zip(extents).rev() {
                *at += 1;
                if *at < *extent {
                    break;
                }
                *at = 0;
            }
        }
        Ok(Order::Table { extents: extents.to_vec(), positions })
    }

    /// The most digits of coordinates in an offset. Each `then` takes the digits of what comes before it apart again,
    /// so that chains of them grow like a power.
    pub const MAX_DIGITS: u64 = 1 << 14;

    /// Whether this is an order of the boxes of some rank, whatever their extents are: each of its terms then maps
    /// their elements one to one.
    ///
    /// ```
    /// use shim_core::{LocationError, Order};
    ///
    /// let twice = Order::Axes(vec![0, 0]);
    /// assert_eq!(twice.validate(2), Err(LocationError::RepeatedAxis { axis: 0 }));
    /// ```
    ///
    /// # Errors
    /// As [`layout`](Self::layout), but for what depends on the extents.
    pub fn validate(&self, rank: usize) -> Result<(), LocationError> {
        match self {
            Order::RowMajor | Order::ColumnMajor | Order::Morton | Order::Curve(_) | Order::By(_) => {}
            Order::Axes(order) => {
                permuted(order, &vec![(); rank])?;
            }
            Order::Tile { extents, outer, inner } => {
                check_length(rank, extents.len())?;
                extents.iter().try_for_each(|extent| positive(*extent))?;
                outer.validate(rank)?;
                inner.validate(rank)?;
            }
            Order::Lanes(lanes) => positive(*lanes)?,
            Order::Swizzle(modulus) => power_of_two(*modulus)?,
            Order::Table { extents, .. } => check_length(rank, extents.len())?,
            Order::Reversed(order) => order.validate(rank)?,
            Order::Then { first, extents, second } => {
                extents.iter().try_for_each(|extent| positive(*extent))?;
                first.validate(rank)?;
                second.validate(extents.len())?;
            }
        }
        match self.digits(rank) {
            digits if digits > Self::MAX_DIGITS => {
                Err(LocationError::Costly { digits, most: Self::MAX_DIGITS })
            }
            _ => Ok(()),
        }
    }

    /// How many digits of coordinates an offset has at most, an index of `morton` taken to have sixteen bits.
    fn digits(&self, rank: usize) -> u64 {
        let axes = rank as u64;
        match self {
            Order::RowMajor
            | Order::ColumnMajor
            | Order::Axes(_)
            | Order::Curve(_)
            | Order::Table { .. }
            | Order::By(_) => axes,
            Order::Tile { outer, inner, .. } => outer.digits(rank).saturating_add(inner.digits(rank)),
            Order::Lanes(_) => 2 * axes,
            Order::Morton => 16 * axes,
            Order::Swizzle(_) => axes + 1,
            Order::Reversed(order) => order.digits(rank),
            Order::Then { first, extents, second } => {
                first.digits(rank).saturating_mul(second.digits(extents.len()))
            }
        }
    }

    /// The layout of a box whose elements are in this order.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the order names another number of axes, [`LocationError::Axis`] and
    /// [`LocationError::RepeatedAxis`] when its axes are not those of the box, [`LocationError::Factor`] when a tile
    /// has an extent below one, [`LocationError::Undefined`] when a curve does not run through such a box,
    /// [`LocationError::Dynamic`] when the order needs an extent that is not known, [`LocationError::Costly`] when it
    /// has too many terms, [`LocationError::Overflow`] when the number of elements does not fit.
    pub fn layout<I: Integer>(&self, extents: &[I]) -> Result<Layout<I>, LocationError> {
        let rank = extents.len();
        self.validate(rank)?;
        let whole = extents.iter().enumerate();
        let whole =
            whole.map(|(axis, extent)| Component { digit: Digit::whole(axis), count: extent.clone() });
        let Arranged { terms, size } = self.arrange(rank, &whole.collect::<Vec<_>>(), &I::constant(1))?;
        let empty = extents.iter().any(|extent| extent.as_constant() == Some(0));
        let size = if empty { I::constant(0) } else { size };
        Ok(Layout { rank, base: I::constant(0), terms, size: Some(size) })
    }

    /// The extents of the outermost tiles of a box of some rank, if these follow one another in row-major order, and the
    /// order of the elements of one: what a [shape](crate::Shape) can be stored by.
    pub fn into_tiles(self, rank: usize) -> Option<(Vec<i64>, Self)> {
        match self {
            Order::RowMajor => Some((vec![1; rank], Order::RowMajor)),
            Order::Tile { extents, outer, inner } if *outer == Order::RowMajor => Some((extents, *inner)),
            Order::Lanes(lanes) if rank > 0 => {
                let mut extents = vec![1; rank];
                extents[0] = lanes;
                Some((extents, Order::RowMajor))
            }
            _ => None,
        }
    }

    /// The layout of a box whose digits along the axes of a tile are in this order.
    pub(super) fn layout_of_tile<I: Integer>(&self, tile: &[i64]) -> Result<Layout<I>, LocationError> {
        let low = |(axis, &count): (usize, &i64)| Component {
            digit: Digit { axis, divisor: 1, modulus: Some(count) },
            count: I::constant(count),
        };
        let components: Vec<_> = tile.iter().enumerate().map(low).collect();
        let Arranged { terms, size } = self.arrange(tile.len(), &components, &I::constant(1))?;
        Ok(Layout { rank: tile.len(), base: I::constant(0), terms, size: Some(size) })
    }

    fn arrange<I: Integer>(
        &self,
        rank: usize,
        axes: &[Component<I>],
        stride: &I,
    ) -> Result<Arranged<I>, LocationError> {
        match self {
            Order::RowMajor => digits(axes, stride),
            Order::ColumnMajor => digits(&axes.iter().rev().cloned().collect::<Vec<_>>(), stride),
            Order::Axes(order) => digits(&permuted(order, axes)?, stride),
            Order::Tile { extents, outer, inner } => {
                let (tiles, elements) = split(extents, axes)?;
                let mut elements = inner.arrange(rank, &elements, stride)?;
                let tiles = outer.arrange(rank, &tiles, &elements.size.mul(stride)?)?;
                elements.terms.extend(tiles.terms);
                Ok(Arranged { size: elements.size.mul(&tiles.size)?, ..elements })
            }
            Order::Lanes(lanes) => {
                let mut extents = vec![1; axes.len()];
                if let Some(first) = extents.first_mut() {
                    *first = *lanes;
                }
                Order::tile(&extents).arrange(rank, axes, stride)
            }
            Order::Morton => digits(&bits(axes)?, stride),
            Order::Curve(curve) => on_curve(*curve, axes, stride),
            Order::Swizzle(modulus) => swizzled(*modulus, axes, stride),
            Order::Table { extents, positions } => {
                let fits = |(own, extent): (&Component<I>, &i64)| own.count.as_constant() == Some(*extent);
                if axes.len() != extents.len() || !axes.iter().zip(extents).all(fits) {
                    let known = axes.iter().all(|own| own.count.as_constant().is_some());
                    return Err(if known { undefined("table", axes) } else { LocationError::Dynamic });
                }
                let digits = axes.iter().map(|own| own.digit).zip(extents.iter().copied()).collect();
                let size = I::constant(positions.len() as i64);
                Ok(Arranged::one(Map::Table(digits, positions.clone()), stride, size))
            }
            Order::By(positions) => {
                let extents: Option<Vec<i64>> = axes.iter().map(|own| own.count.as_constant()).collect();
                let extents = extents.ok_or(LocationError::Dynamic)?;
                Order::from_fn(&extents, |at| positions.of(at))?.arrange(rank, axes, stride)
            }
            Order::Reversed(order) => {
                let Arranged { terms, size } = order.arrange(rank, axes, &I::constant(1))?;
                let layout = Layout { rank, base: I::constant(0), terms, size: None };
                let map = Map::Reversed(Box::new(layout), size.sub(&I::constant(1))?);
                Ok(Arranged::one(map, stride, size))
            }
            Order::Then { first, extents, second } => {
                let first = first.arrange(rank, axes, &I::constant(1))?;
                let second = second.arrange(1, &indices_of(&first.size, extents)?, &I::constant(1))?;
                let layout = |rank, terms| Box::new(Layout { rank, base: I::constant(0), terms, size: None });
                let map = Map::Then(layout(rank, first.terms), layout(1, second.terms));
                Ok(Arranged::one(map, stride, second.size))
            }
        }
    }
}

/// The layout in which each component steps over all that follow it.
fn digits<I: Integer>(outermost_first: &[Component<I>], stride: &I) -> Result<Arranged<I>, LocationError> {
    let (mut terms, mut size) = (Vec::new(), I::constant(1));
    for Component { digit, count } in outermost_first.iter().rev() {
        // The digit of a single value is zero.
        if count.as_constant() != Some(1) {
            terms.push(Term { map: Map::Digit(*digit), stride: size.mul(stride)? });
        }
        size = size.mul(count)?;
    }
    Ok(Arranged { terms, size })
}

fn permuted<T: Clone>(order: &[usize], axes: &[T]) -> Result<Vec<T>, LocationError> {
    check_length(axes.len(), order.len())?;
    let mut seen = vec![false; axes.len()];
    for &axis in order {
        match seen.get_mut(axis) {
            None => return Err(LocationError::Axis { axis, rank: axes.len() }),
            Some(true) => return Err(LocationError::RepeatedAxis { axis }),
            Some(seen) => *seen = true,
        }
    }
    Ok(order.iter().map(|&axis| axes[axis].clone()).collect())
}

fn positive(factor: i64) -> Result<(), LocationError> {
    if factor < 1 { Err(LocationError::Factor { factor }) } else { Ok(()) }
}

fn power_of_two(factor: i64) -> Result<(), LocationError> {
    if factor < 1 || factor.count_ones() != 1 { Err(LocationError::Factor { factor }) } else { Ok(()) }
}

/// The components of the tiles, and those of the elements of one.
#[allow(clippy::type_complexity)]
fn split<I: Integer>(
    extents: &[i64],
    axes: &[Component<I>],
) -> Result<(Vec<Component<I>>, Vec<Component<I>>), LocationError> {
    check_length(axes.len(), extents.len())?;
    let (mut tiles, mut elements) = (Vec::new(), Vec::new());
    for (&extent, Component { digit, count }) in extents.iter().zip(axes) {
        positive(extent)?;
        if count.as_constant().is_some_and(|count| count <= extent) {
            // One tile: its digit is the coordinate itself.
            let none = Digit { modulus: Some(1), ..*digit };
            tiles.push(Component { digit: none, count: count.ceil_div(extent)? });
            elements.push(Component { digit: *digit, count: I::constant(extent) });
            continue;
        }
        let [low, high] = digit.split(extent).ok_or_else(|| undefined("tile", axes))?;
        elements.push(Component { digit: low, count: I::constant(extent) });
        tiles.push(Component { digit: high, count: count.ceil_div(extent)? });
    }
    Ok((tiles, elements))
}

/// The bits of all components, outermost first.
fn bits<I: Integer>(axes: &[Component<I>]) -> Result<Vec<Component<I>>, LocationError> {
    // For each axis its bits, least significant first.
    let mut by_axis = Vec::new();
    for Component { digit, count } in axes {
        let count = count.as_constant().ok_or(LocationError::Dynamic)?;
        let (mut bits, mut rest, mut reach) = (Vec::new(), *digit, 1_i64);
        while reach < count {
            reach = reach.checked_mul(2).ok_or(LocationError::Overflow)?;
            let last = reach >= count;
            let [low, high] = rest.split(2).ok_or_else(|| undefined("morton", axes))?;
            bits.push(Component { digit: if last { rest } else { low }, count: I::constant(2) });
            rest = high;
        }
        by_axis.push(bits);
    }
    let longest = by_axis.iter().map(Vec::len).max().unwrap_or(0);
    let least_first = (0..longest).flat_map(|bit| by_axis.iter().rev().filter_map(move |bits| bits.get(bit)));
    let mut all: Vec<Component<I>> = least_first.cloned().collect();
    all.reverse();
    Ok(all)
}

/// The longest side of a rectangle with a curve: the square of the sum of two sides, which its formulas contain, fits
/// 64 bits.
const LONGEST_SIDE: i64 = 1 << 30;

fn on_curve<I: Integer>(
    curve: Curve,
    axes: &[Component<I>],
    stride: &I,
) -> Result<Arranged<I>, LocationError> {
    let [rows, columns] = axes else { return Err(undefined(curve.name(), axes)) };
    let extents = [&rows.count, &columns.count];
    let known = extents.map(Integer::as_constant);
    if known.iter().flatten().any(|extent| *extent > LONGEST_SIDE) {
        return Err(undefined(curve.name(), axes));
    }
    match known {
        [Some(h), Some(w)] if !curve.is_defined([h, w]) => return Err(undefined(curve.name(), axes)),
        [Some(_), Some(_)] => {}
        _ if curve == Curve::Hilbert => return Err(LocationError::Dynamic),
        _ => {}
    }
    let size = extents[0].mul(extents[1])?;
    let extents = extents.map(Clone::clone);
    let map = Map::Curve(curve, [rows.digit, columns.digit], extents);
    Ok(Arranged::one(map, stride, size))
}

/// The components of a position below `size`, taken for a row-major index of a box.
fn indices_of<I: Integer>(size: &I, extents: &[i64]) -> Result<Vec<Component<I>>, LocationError> {
    let points = extents.iter().try_fold(1_i64, |points, &extent| points.checked_mul(extent));
    let points = points.ok_or(LocationError::Overflow)?;
    if size.as_constant().ok_or(LocationError::Dynamic)? > points {
        return Err(LocationError::Undefined { order: "then", extents: extents.to_vec() });
    }
    let mut components = Vec::new();
    let mut divisor = 1;
    for (axis, &extent) in extents.iter().enumerate().rev() {
        let modulus = (axis > 0).then_some(extent);
        components.push(Component { digit: Digit { axis: 0, divisor, modulus }, count: I::constant(extent) });
        divisor *= extent;
    }
    components.reverse();
    Ok(components)
}

/// The layout of [`Order::Swizzle`].
fn swizzled<I: Integer>(
    modulus: i64,
    axes: &[Component<I>],
    stride: &I,
) -> Result<Arranged<I>, LocationError> {
    let [.., row, column] = axes else { return Err(undefined("swizzle", axes)) };
    power_of_two(modulus)?;
    let [low, _] = match &row.count.as_constant() {
        Some(count) if *count <= modulus => [row.digit; 2],
        _ => row.digit.split(modulus).ok_or_else(|| undefined("swizzle", axes))?,
    };
    let wide = column.count.ceil_div(modulus)?.scale(modulus)?;
    let mut rows = digits(&axes[..axes.len() - 1], &wide.mul(stride)?)?;
    if wide.as_constant() != Some(1) {
        rows.terms.push(Term { map: Map::Xor([column.digit, low]), stride: stride.clone() });
    }
    Ok(Arranged { size: rows.size.mul(&wide)?, ..rows })
}

fn undefined<I: Integer>(order: &'static str, axes: &[Component<I>]) -> LocationError {
    let extents = axes.iter().map(|axis| axis.count.as_constant().unwrap_or(0)).collect();
    LocationError::Undefined { order, extents }
}
