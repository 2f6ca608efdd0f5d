//! Evidence that operators have no effect.
//!
//! Iterations of a loop may run in another order only if what they do besides accessing elements can be told apart in
//! no order. The attribute macro sees no types: where an operand may be of a user's type, whose operators are
//! functions, the expansion passes it through
//! [`Runtime::known`], and rustc rejects any type but std's own.

use core::ops::{Range, RangeInclusive};

use super::Runtime;

mod sealed {
    pub trait Sealed {}
    pub trait Memory {}
}

/// A type whose operators, indices and fields are the language's or std's.
#[diagnostic::on_unimplemented(
    message = "cannot reorder: an operator, an index or a field of `{Self}` may have side effects",
    label = "this may run user code",
    note = "numbers, `bool`, `char`, and arrays, slices, tuples and `Option`s of them have none",
    note = "write the type of a struct whose fields are used, as in `let p: Point = ..`, evaluate it before the loop, or name the method that \
            only computes, as in `#[pure(add)]`"
)]
pub trait Known: sealed::Sealed {}

/// Memory whose elements std finds.
#[diagnostic::on_unimplemented(
    message = "cannot reorder: an index of `{Self}` may have side effects",
    label = "this may run user code",
    note = "slices, arrays and `Vec`s have none; assert it of other types by `#[pure(index)]`"
)]
pub trait Sequence: sealed::Memory {}

macro_rules! sequence {
    ($([$($generics:tt)*] $ty:ty,)*) => {$(
        impl<$($generics)*> sealed::Memory for $ty {}
        impl<$($generics)*> Sequence for $ty {}
    )*};
}

sequence! {
    [T] [T],
    [T, const N: usize] [T; N],
    [T] alloc::vec::Vec<T>,
    [S: Sequence + ?Sized] &S,
    [S: Sequence + ?Sized] &mut S,
    [S: Sequence + ?Sized] alloc::boxed::Box<S>,
}

macro_rules! known {
    ($([$($generics:tt)*] $ty:ty,)*) => {$(
        impl<$($generics)*> sealed::Sealed for $ty {}
        impl<$($generics)*> Known for $ty {}
    )*};
}

known! {
    [] bool,
    [] char,
    [] f32,
    [] f64,
    [] i8,
    [] i16,
    [] i32,
    [] i64,
    [] i128,
    [] isize,
    [] u8,
    [] u16,
    [] u32,
    [] u64,
    [] u128,
    [] usize,
    [] str,
    [] (),
    [A: Known] (A,),
    [A: Known, B: Known] (A, B),
    [A: Known, B: Known, C: Known] (A, B, C),
    [A: Known, B: Known, C: Known, D: Known] (A, B, C, D),
    [T: Known + ?Sized] &T,
    [T: Known + ?Sized] &mut T,
    [T: Known] [T],
    [T: Known, const N: usize] [T; N],
    [T: Known] Option<T>,
    [T: Known] Range<T>,
    [T: Known] RangeInclusive<T>,
    [T: Known] alloc::vec::Vec<T>,
    [T: Known + ?Sized] alloc::boxed::Box<T>,
}

impl Runtime {
    /// A value whose operators are known.
    #[inline(always)]
    pub fn known<T: Known>(self, value: T) -> T {
        value
    }

    /// Memory whose elements std finds.
    #[inline(always)]
    pub fn sequence<S: Sequence + ?Sized>(self, memory: &S) -> &S {
        memory
    }

    /// A value without `Drop`.
    #[inline(always)]
    pub fn copied<T: Copy>(self, value: T) -> T {
        value
    }

    /// That the elements of a tensor have no `Drop`.
    #[inline(always)]
    pub fn copied_elements<T: Copy>(self, _: &[T]) {}

    /// That the operators of a tensor's elements are known.
    #[inline(always)]
    pub fn known_elements<T: Known>(self, _: &[T]) {}
}

/// Brings a method of every name that [`Runtime::method`] is asked about into scope, so that one of a user's trait is
/// ambiguous. Methods of a type itself go before those of traits.
#[allow(missing_docs, reason = "no method here is ever called")]
pub trait Ambiguous: Sized {
    fn ceil(self) {}
    fn floor(self) {}
    fn fract(self) {}
    fn mul_add(self) {}
    fn powi(self) {}
    fn recip(self) {}
    fn round(self) {}
    fn round_ties_even(self) {}
    fn sqrt(self) {}
    fn trunc(self) {}
}

impl<T> Ambiguous for T {}
