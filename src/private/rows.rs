//! Rows of a block over a slice of rows.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Only memory whose length cannot change between the test and the access.
mod sealed {
    pub trait Sealed {}
}

/// A row to read.
#[diagnostic::on_unimplemented(
    message = "`Block::rows` takes a slice of rows, and `{Self}` is not a row",
    note = "rows are slices, arrays, vectors, boxes of slices, or references to them; use `Block::external` for contiguous memory"
)]
pub trait Row: sealed::Sealed {
    /// Its elements' type.
    type Element;

    /// Its elements.
    fn row(&self) -> &[Self::Element];
}

/// A row to write.
pub trait RowMut: Row {
    /// Its elements.
    fn row_mut(&mut self) -> &mut [Self::Element];
}

macro_rules! row {
    ($([$($generics:tt)*] $row:ty;)*) => {$(
        impl<T $($generics)*> sealed::Sealed for $row {}

        impl<T $($generics)*> Row for $row {
            type Element = T;

            #[inline(always)]
            fn row(&self) -> &[T] {
                self
            }
        }

        impl<T $($generics)*> RowMut for $row {
            #[inline(always)]
            fn row_mut(&mut self) -> &mut [T] {
                self
            }
        }
    )*};
}
row! {
    [] [T];
    [, const N: usize] [T; N];
    [] Vec<T>;
    [] Box<[T]>;
}

impl<R: Row + ?Sized> sealed::Sealed for &R {}

impl<R: Row + ?Sized> Row for &R {
    type Element = R::Element;

    #[inline(always)]
    fn row(&self) -> &[R::Element] {
        R::row(self)
    }
}

impl<R: Row + ?Sized> sealed::Sealed for &mut R {}

impl<R: Row + ?Sized> Row for &mut R {
    type Element = R::Element;

    #[inline(always)]
    fn row(&self) -> &[R::Element] {
        R::row(self)
    }
}

impl<R: RowMut + ?Sized> RowMut for &mut R {
    #[inline(always)]
    fn row_mut(&mut self) -> &mut [R::Element] {
        R::row_mut(self)
    }
}
