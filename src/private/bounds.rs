//! Range tests: assertions before a nest, tests at an access, and the panics of both.
//!
//! The functions that panic take arrays by value: a reference would keep the coordinates in memory on the way that does
//! not panic as well, where stores of single coordinates and loads of pairs cost a small kernel half its time.

use super::Runtime;
use core::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeToInclusive};

use super::inclusive::{Endpoint, Inclusive};
use super::index::FromIndex;

impl Runtime {
    /// Whether a coordinate is inside on every axis.
    #[inline(always)]
    pub fn inside<const N: usize>(self, at: [isize; N], extents: [isize; N]) -> bool {
        let mut inside = true;
        let mut axis = 0;
        while axis < N {
            inside &= at[axis] >= 0 && at[axis] < extents[axis];
            axis += 1;
        }
        inside
    }

    /// The coordinate itself, once it is known to be inside.
    ///
    /// # Panics
    /// If it is outside.
    #[track_caller]
    #[inline(always)]
    pub fn inside_of<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        at: [isize; N],
        extents: [isize; N],
    ) -> [isize; N] {
        if !self.inside(at, extents) {
            outside_at(kernel, tensor, apart(at), apart(extents));
        }
        at
    }
}

/// The coordinates that a nest reaches on an axis, as far as they need a test: `least..=greatest` or a part of it.
pub trait Axis: Sized {
    /// Whether they are inside of the extent.
    fn within(&self, extent: isize) -> bool;
    /// The least and the greatest; zero and -1, which are never outside, where that needs no test.
    fn ends(self) -> (isize, isize);
}

impl Axis for RangeFull {
    #[inline(always)]
    fn within(&self, _: isize) -> bool {
        true
    }

    #[inline(always)]
    fn ends(self) -> (isize, isize) {
        (0, -1)
    }
}

impl Axis for RangeFrom<isize> {
    #[inline(always)]
    fn within(&self, _: isize) -> bool {
        self.start >= 0
    }

    #[inline(always)]
    fn ends(self) -> (isize, isize) {
        (self.start, -1)
    }
}

impl Axis for RangeToInclusive<isize> {
    #[inline(always)]
    fn within(&self, extent: isize) -> bool {
        self.end < extent
    }

    #[inline(always)]
    fn ends(self) -> (isize, isize) {
        (0, self.end)
    }
}

impl Axis for RangeInclusive<isize> {
    #[inline(always)]
    fn within(&self, extent: isize) -> bool {
        (*self.start() >= 0) & (*self.end() < extent)
    }

    #[inline(always)]
    fn ends(self) -> (isize, isize) {
        self.into_inner()
    }
}

/// Up to so many coordinates after another one, whose sum need not fit.
#[derive(Clone, Copy)]
pub struct Ahead {
    start: isize,
    more: isize,
}

impl Axis for Ahead {
    #[inline(always)]
    fn within(&self, extent: isize) -> bool {
        // Saturating, since the difference of a negative extent could wrap to one that has the coordinate.
        self.start < extent.saturating_sub(self.more)
    }

    #[inline(always)]
    fn ends(self) -> (isize, isize) {
        (0, self.start.saturating_add(self.more))
    }
}

impl Runtime {
    /// The coordinates up to `start + more`, where `more` is positive.
    #[inline(always)]
    pub fn ahead(self, start: isize, more: isize) -> Ahead {
        Ahead { start, more }
    }
}

/// What a nest reaches, axis by axis: a tuple of ranges.
pub trait Reach<const N: usize> {
    /// Whether it is inside on every axis.
    fn within(&self, extents: [isize; N]) -> bool;
    /// The least and the greatest on each axis.
    fn ends(self) -> [(isize, isize); N];
}

macro_rules! reach {
    ($($rank:literal: $($axis:ident $at:tt)*;)*) => {$(
        impl<$($axis: Axis),*> Reach<$rank> for ($($axis,)*) {
            #[inline(always)]
            fn within(&self, extents: [isize; $rank]) -> bool {
                true $(& self.$at.within(extents[$at]))*
            }

            #[inline(always)]
            fn ends(self) -> [(isize, isize); $rank] {
                [$(self.$at.ends()),*]
            }
        }
    )*};
}

reach! {
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

impl Runtime {
    /// That a nest stays inside on every axis: `(1..=7, ..)` reaches from 1 to 7 on the first, and what it reaches on
    /// the second needs no test.
    ///
    /// # Panics
    /// If a least coordinate is negative, or a greatest one not below the extent.
    #[track_caller]
    #[inline(always)]
    pub fn assert_within<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        reached: impl Reach<N>,
        extents: [isize; N],
    ) {
        if !reached.within(extents) {
            not_within(kernel, tensor, reached.ends(), apart(extents));
        }
    }
}

/// The same coordinates, put into memory where this stands.
#[inline(always)]
fn apart<const N: usize>(coordinates: [isize; N]) -> [isize; N] {
    core::array::from_fn(|axis| coordinates[axis])
}

/// The greatest of a start and others.
#[inline(always)]
fn greatest<const N: usize>(start: isize, others: [isize; N]) -> isize {
    others.into_iter().fold(start, |from, least| if least > from { least } else { from })
}

/// A range that can be run in parts.
pub trait Divide: Sized {
    /// What is before the interior, the interior, and what is after it. The interior starts at the greatest of
    /// `starts`, ends before the least of `ends`, and is empty unless it `exists`.
    fn divide<const S: usize, const E: usize>(
        self,
        rt: Runtime,
        starts: [isize; S],
        ends: [isize; E],
        exists: bool,
    ) -> [Self; 3];
}

impl<T: FromIndex> Divide for Range<T> {
    #[inline(always)]
    fn divide<const S: usize, const E: usize>(
        self,
        rt: Runtime,
        starts: [isize; S],
        ends: [isize; E],
        exists: bool,
    ) -> [Self; 3] {
        let (start, end) = match (self.start.to_index(), self.end.to_index()) {
            (Some(start), Some(end)) => (start, end),
            // An empty range may end where it likes.
            _ if self.start >= self.end => (0, 0),
            _ => (rt.index(self.start), rt.index(self.end)),
        };
        let mut from = greatest(start, starts);
        let mut to = end;
        for stop in ends {
            to = if stop < to { stop } else { to };
        }
        if !exists || from >= to {
            (from, to) = (end, end);
        }
        // All of them lie between the bounds of the range, or the range is empty.
        [
            T::from_index(start)..T::from_index(from),
            T::from_index(from)..T::from_index(to),
            T::from_index(to)..T::from_index(end),
        ]
    }
}

impl<T: FromIndex + Endpoint> Divide for Inclusive<T> {
    #[inline(always)]
    fn divide<const S: usize, const E: usize>(
        self,
        rt: Runtime,
        starts: [isize; S],
        ends: [isize; E],
        mut exists: bool,
    ) -> [Self; 3] {
        let none = || self.none();
        let Some((first, last)) = self.ends() else { return [none(), none(), none()] };
        let (start, end) = (rt.index(first), rt.index(last));
        let from = greatest(start, starts);
        let mut to = end;
        for stop in ends {
            exists &= stop > isize::MIN;
            to = if stop <= to { stop.wrapping_sub(1) } else { to };
        }
        if !exists || from > to {
            return [self.clone(), none(), none()];
        }
        // The parts lie between the ends of the range.
        let part = |exists: bool, from: isize, to: isize| {
            if exists { Inclusive::new(T::from_index(from), T::from_index(to)) } else { none() }
        };
        [
            part(from > start, start, from.wrapping_sub(1)),
            part(true, from, to),
            part(to < end, to.wrapping_add(1), end),
        ]
    }
}

impl Runtime {
    /// A loop in three parts, and whether each is its interior.
    #[inline(always)]
    pub fn split_range<R: Divide, const S: usize, const E: usize>(
        self,
        range: R,
        starts: [isize; S],
        ends: [isize; E],
        exists: bool,
    ) -> [(R, bool); 3] {
        let [before, interior, after] = range.divide(self, starts, ends, exists);
        [(before, false), (interior, true), (after, false)]
    }

    /// A loop in two parts: before the value `at`, and from it on.
    #[inline(always)]
    pub fn halves<R: Divide>(self, range: R, at: isize) -> [R; 2] {
        let [front, back, _] = range.divide(self, [at], [], true);
        [front, back]
    }

    /// A loop in three parts: before the value `at`, with it alone, and behind it.
    ///
    /// The bounds are opaque to LLVM. Otherwise it tests for overlap once before the loop around, for all rows
    /// together, and that test fails.
    #[inline(always)]
    pub fn cut_range<R: Divide>(self, range: R, at: isize) -> [R; 3] {
        core::hint::black_box(range).divide(self, [at], [at.saturating_add(1)], true)
    }

    /// Keeps the loop around it from being vectorized: it compiles to an empty assembly statement, which LLVM does not
    /// widen.
    #[inline(always)]
    pub fn scalar(self) {
        core::hint::black_box(());
    }

    /// An element that no memory holds.
    ///
    /// # Panics
    /// Always.
    #[cold]
    #[track_caller]
    pub fn outside(self, kernel: &str, tensor: &str, at: &[isize], extents: &[isize]) -> ! {
        panic_outside(kernel, tensor, at, extents)
    }

    /// Panics for an element that is outside of its block, or that the predicate of its view excludes.
    ///
    /// # Panics
    /// Always.
    #[cold]
    #[track_caller]
    pub fn excluded(self, kernel: &str, tensor: &str, at: &[isize], extents: &[isize]) -> ! {
        let inside = at.iter().zip(extents).all(|(at, extent)| (0..*extent).contains(at));
        assert!(
            !inside,
            "shim: `{kernel}` reads an element of `{tensor}` that `within` excludes: index {at:?}"
        );
        panic_outside(kernel, tensor, at, extents)
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn panic_outside(kernel: &str, tensor: &str, at: &[isize], extents: &[isize]) -> ! {
    panic!("shim: `{kernel}` reaches outside of `{tensor}`: index {at:?}, extents {extents:?}")
}

#[cold]
#[track_caller]
#[inline(never)]
fn outside_at<const N: usize>(kernel: &str, tensor: &str, at: [isize; N], extents: [isize; N]) -> ! {
    panic_outside(kernel, tensor, &at, &extents)
}

#[cold]
#[track_caller]
#[inline(never)]
fn not_within<const N: usize>(
    kernel: &str,
    tensor: &str,
    reached: [(isize, isize); N],
    extents: [isize; N],
) -> ! {
    for axis in 0..N {
        let (least, greatest) = reached[axis];
        if least < 0 {
            outside_on_axis(kernel, tensor, axis, least, &extents);
        }
        if greatest >= extents[axis] {
            outside_on_axis(kernel, tensor, axis, greatest, &extents);
        }
    }
    panic_outside(kernel, tensor, &reached.map(|(least, _)| least), &extents)
}

#[track_caller]
fn outside_on_axis(kernel: &str, tensor: &str, axis: usize, at: isize, extents: &[isize]) -> ! {
    panic!("shim: `{kernel}` reaches outside of `{tensor}`: index {at} on axis {axis}, extents {extents:?}")
}

impl Runtime {
    /// The number of elements of a block.
    ///
    /// # Panics
    /// If an extent is negative or the product does not fit `isize`.
    #[track_caller]
    #[inline(always)]
    pub fn product<const N: usize>(self, kernel: &str, tensor: &str, extents: [isize; N]) -> usize {
        match checked_product(extents) {
            Some(count) => count,
            None => no_block(kernel, tensor, apart(extents)),
        }
    }
}

#[inline(always)]
fn checked_product<const N: usize>(extents: [isize; N]) -> Option<usize> {
    let mut count: isize = 1;
    let mut fits = true;
    let mut axis = 0;
    while axis < N {
        let extent = extents[axis];
        let (next, over) = count.overflowing_mul(extent);
        fits &= extent >= 0 && !over;
        count = next;
        axis += 1;
    }
    // A zero hides an overflow before it, and then nothing is accessed.
    if fits { Some(count as usize) } else { None }
}

impl Runtime {
    /// That a block fits its memory.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    #[inline(always)]
    pub fn assert_fits<const N: usize>(self, kernel: &str, tensor: &str, extents: [isize; N], length: usize) {
        match checked_product(extents) {
            Some(count) if count <= length => {}
            _ => does_not_fit(kernel, tensor, apart(extents), length),
        }
    }
}

impl Runtime {
    /// Asserts that a tensor of the first extents has as many elements as one of the second.
    ///
    /// # Panics
    /// If it does not, or if an extent is negative.
    #[track_caller]
    #[inline(always)]
    pub fn assert_reshapes<const N: usize, const M: usize>(
        self,
        kernel: &str,
        tensor: &str,
        from: [isize; N],
        to: [isize; M],
    ) {
        match (checked_product(from), checked_product(to)) {
            (Some(elements), Some(wanted)) if elements == wanted => {}
            _ => does_not_reshape(kernel, tensor, apart(from), apart(to)),
        }
    }
}

/// The number of elements from the first of a block to its last, with gaps and without the one behind the last row.
#[inline(always)]
fn checked_span<const N: usize>(extents: [isize; N], strides: [isize; N]) -> Option<usize> {
    let mut last: isize = 0;
    let mut fits = true;
    let mut empty = false;
    let mut axis = 0;
    while axis < N {
        empty |= extents[axis] == 0;
        let (reach, over) = (extents[axis].wrapping_sub(1)).overflowing_mul(strides[axis]);
        let (next, beyond) = last.overflowing_add(reach);
        fits &= strides[axis] >= 0 && !over && !beyond;
        last = next;
        axis += 1;
    }
    let mut possible = true;
    let mut axis = 0;
    while axis < N {
        possible &= extents[axis] >= 0;
        axis += 1;
    }
    match (possible, empty, fits) {
        (true, true, _) => Some(0),
        // The last offset is at least zero, so that one more fits `usize`.
        (true, false, true) => Some(last as usize + 1),
        _ => None,
    }
}

impl Runtime {
    /// That a block with strides of its own fits its memory.
    ///
    /// # Panics
    /// If it does not, or if an extent or a stride is negative.
    #[track_caller]
    #[inline(always)]
    pub fn assert_strided_fits<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        extents: [isize; N],
        strides: [isize; N],
        length: usize,
    ) {
        match checked_span(extents, strides) {
            Some(count) if count <= length => {}
            _ => does_not_span(kernel, tensor, apart(extents), apart(strides), Some(length)),
        }
    }

    /// The number of elements that a block with strides of its own spans.
    ///
    /// # Panics
    /// If it does not fit `isize`, or if an extent or a stride is negative.
    #[track_caller]
    #[inline(always)]
    pub fn strided_len<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        extents: [isize; N],
        strides: [isize; N],
    ) -> usize {
        match checked_span(extents, strides) {
            Some(count) if isize::try_from(count).is_ok() => count,
            _ => does_not_span(kernel, tensor, apart(extents), apart(strides), None),
        }
    }
}

/// The longest side of a block whose elements follow a curve: the square of the sum of two sides fits `isize`.
const LONGEST_SIDE: isize = if isize::BITS > 32 { 1 << 30 } else { 1 << 14 };

impl Runtime {
    /// That the formulas of a curve through a block do not overflow.
    ///
    /// # Panics
    /// If an extent is too large.
    #[track_caller]
    #[inline(always)]
    pub fn assert_curve_fits<const N: usize>(self, kernel: &str, tensor: &str, extents: [isize; N]) {
        if extents.iter().any(|extent| *extent > LONGEST_SIDE) {
            no_block(kernel, tensor, apart(extents));
        }
    }

    /// That the terms of the offsets of a shape fit, whose sum is `bound` at most: its arithmetic was checked.
    ///
    /// # Panics
    /// If an extent or the bound is negative.
    #[track_caller]
    #[inline(always)]
    pub fn assert_shape_fits<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        extents: [isize; N],
        bound: isize,
    ) {
        if !extents.iter().all(|extent| *extent >= 0) || bound < 0 {
            no_block(kernel, tensor, apart(extents));
        }
    }

    /// That a block of `count` elements fits its memory.
    ///
    /// # Panics
    /// If it does not, or if an extent is negative.
    #[track_caller]
    #[inline(always)]
    pub fn assert_stored_fits<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        extents: [isize; N],
        count: isize,
        length: usize,
    ) {
        if !extents.iter().all(|extent| *extent >= 0) || count as usize > length {
            does_not_fit(kernel, tensor, apart(extents), length);
        }
    }

    /// The number of elements of a block, `count`.
    ///
    /// # Panics
    /// If an extent is negative.
    #[track_caller]
    #[inline(always)]
    pub fn stored_len<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        extents: [isize; N],
        count: isize,
    ) -> usize {
        if !extents.iter().all(|extent| *extent >= 0) {
            no_block(kernel, tensor, apart(extents));
        }
        count as usize
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn does_not_span<const N: usize>(
    kernel: &str,
    tensor: &str,
    extents: [isize; N],
    strides: [isize; N],
    length: Option<usize>,
) -> ! {
    match length {
        Some(length) => panic!(
            "shim: `{kernel}`: `{tensor}` with extents {extents:?} and strides {strides:?} does not fit memory of \
             length {length}"
        ),
        None => {
            panic!("shim: `{kernel}`: `{tensor}` cannot have extents {extents:?} and strides {strides:?}")
        }
    }
}

impl Runtime {
    /// That a block of rows fits its memory, every row.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    #[inline(always)]
    pub fn assert_rows_fit(
        self,
        kernel: &str,
        tensor: &str,
        extents: [isize; 2],
        rows: usize,
        length: impl Fn(usize) -> usize,
    ) {
        if extents[0] < 0 || extents[1] < 0 || extents[0] as usize > rows {
            does_not_fit(kernel, tensor, extents, rows);
        }
        for row in 0..extents[0] as usize {
            if length(row) < extents[1] as usize {
                row_too_short(kernel, tensor, row, length(row), extents);
            }
        }
    }

    /// That the variable of a loop over an extent fits `i32`.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    #[inline(always)]
    pub fn assert_i32_extent(self, kernel: &str, extent: isize) {
        if extent as i64 > i64::from(i32::MAX) {
            uncountable(kernel, extent);
        }
    }

    /// That the indices of a stage, or of a loop in tiles, fit `i32`.
    ///
    /// # Panics
    /// If one does not.
    #[track_caller]
    #[inline(always)]
    pub fn assert_i32_index(self, kernel: &str, name: &str, reached: impl Axis) {
        let (least, greatest) = reached.ends();
        for index in [least, greatest] {
            self.i32_index(kernel, name, index);
        }
    }

    /// An index of a stage, or of a loop in tiles, as an `i32`.
    ///
    /// # Panics
    /// If it does not fit.
    #[track_caller]
    #[inline(always)]
    pub fn i32_index(self, kernel: &str, name: &str, index: isize) -> i32 {
        match i32::try_from(index) {
            Ok(index) => index,
            Err(_) => unlike_i32(kernel, name, index),
        }
    }

    /// That an extent is what a `#[shape]` says.
    ///
    /// # Panics
    /// If it is not.
    #[track_caller]
    #[inline(always)]
    pub fn expect_extent(self, kernel: &str, tensor: &str, found: isize, wanted: isize) {
        if found != wanted {
            wrong_extent(kernel, tensor, found, wanted);
        }
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn unlike_i32(kernel: &str, name: &str, index: isize) -> ! {
    panic!("shim: `{kernel}`: index {index} of `{name}` does not fit `i32`")
}

#[cold]
#[track_caller]
#[inline(never)]
fn no_block<const N: usize>(kernel: &str, tensor: &str, extents: [isize; N]) -> ! {
    panic!("shim: `{kernel}`: `{tensor}` cannot have extents {extents:?}")
}

#[cold]
#[track_caller]
#[inline(never)]
fn does_not_fit<const N: usize>(kernel: &str, tensor: &str, extents: [isize; N], length: usize) -> ! {
    panic!("shim: `{kernel}`: `{tensor}` with extents {extents:?} does not fit memory of length {length}")
}

#[cold]
#[track_caller]
#[inline(never)]
fn does_not_reshape<const N: usize, const M: usize>(
    kernel: &str,
    tensor: &str,
    from: [isize; N],
    to: [isize; M],
) -> ! {
    panic!(
        "shim: `{kernel}`: a tensor with extents {from:?} does not have as many elements as `{tensor}` with {to:?}"
    )
}

#[cold]
#[track_caller]
#[inline(never)]
fn row_too_short(kernel: &str, tensor: &str, row: usize, length: usize, extents: [isize; 2]) -> ! {
    panic!("shim: `{kernel}`: row {row} of `{tensor}` has length {length}, the extents are {extents:?}")
}

#[cold]
#[track_caller]
#[inline(never)]
fn uncountable(kernel: &str, extent: isize) -> ! {
    panic!("shim: `{kernel}` loops over an extent of {extent}, which does not fit `i32`")
}

#[cold]
#[track_caller]
#[inline(never)]
fn wrong_extent(kernel: &str, tensor: &str, found: isize, wanted: isize) -> ! {
    panic!("shim: `{kernel}`: an extent of `{tensor}` is {found}, its shape says {wanted}")
}
