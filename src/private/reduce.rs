//! The steps of staged reductions: each does to an accumulator what std's consumer of that name does.

use super::Runtime;
use core::cmp::Ordering;
use core::iter::{Product, Sum};

impl Runtime {
    /// What a sum starts from.
    #[inline(always)]
    pub fn sum_identity<T: Summed>(self) -> T {
        core::iter::empty::<T>().sum()
    }

    /// What a product starts from.
    #[inline(always)]
    pub fn product_identity<T: Summed>(self) -> T {
        core::iter::empty::<T>().product()
    }

    /// The mask without bits, which a `mask` starts from.
    #[inline(always)]
    pub fn empty_mask<M: Mask>(self) -> M {
        M::EMPTY
    }

    /// A mask whose bit `number` is set, too, if the condition holds.
    #[inline(always)]
    pub fn with_bit<M: Mask, N: TryInto<u32>>(self, mask: M, condition: bool, number: N) -> M {
        match number.try_into() {
            Ok(number) if number < M::BITS => mask | M::bit(condition, number),
            _ => no_such_bit(M::BITS),
        }
    }

    /// What a search starts from.
    #[inline(always)]
    pub fn none<T>(self) -> Option<T> {
        None
    }

    /// What a search by key has found.
    #[inline(always)]
    pub fn item<K, T>(self, best: Option<(K, T)>) -> Option<T> {
        best.map(|(_, item)| item)
    }

    /// The smaller; the first of equals.
    #[inline(always)]
    pub fn min<T: Ord>(self, best: Option<T>, item: T) -> Option<T> {
        match best {
            Some(best) if best.cmp(&item) != Ordering::Greater => Some(best),
            _ => Some(item),
        }
    }

    /// The larger; the last of equals.
    #[inline(always)]
    pub fn max<T: Ord>(self, best: Option<T>, item: T) -> Option<T> {
        match best {
            Some(best) if best.cmp(&item) == Ordering::Greater => Some(best),
            _ => Some(item),
        }
    }

    /// The item with the smaller key; the first of equals.
    #[inline(always)]
    pub fn min_by_key<K: Ord, T>(self, best: Option<(K, T)>, key: K, item: T) -> Option<(K, T)> {
        match best {
            Some(best) if best.0.cmp(&key) != Ordering::Greater => Some(best),
            _ => Some((key, item)),
        }
    }

    /// The item with the larger key; the last of equals.
    #[inline(always)]
    pub fn max_by_key<K: Ord, T>(self, best: Option<(K, T)>, key: K, item: T) -> Option<(K, T)> {
        match best {
            Some(best) if best.0.cmp(&key) == Ordering::Greater => Some(best),
            _ => Some((key, item)),
        }
    }
}

/// A type whose bits are the conditions of a `mask`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mask",
    label = "this is not an unsigned integer",
    note = "write its type, as in `.mask::<u16>(|k| t[[k]] != 0)`"
)]
pub trait Mask: core::ops::BitOr<Output = Self> + Sized + sealed::Sealed {
    const EMPTY: Self;
    const BITS: u32;
    fn bit(condition: bool, number: u32) -> Self;
}

macro_rules! mask {
    ($($ty:ty),*) => { $(
        impl Mask for $ty {
            const EMPTY: Self = 0;
            const BITS: u32 = <$ty>::BITS;

            // A selection: of a shifted condition LLVM makes lanes of 32 bits.
            #[inline(always)]
            fn bit(condition: bool, number: u32) -> Self {
                if condition { 1 << number } else { 0 }
            }
        }
    )* };
}
mask!(u8, u16, u32, u64, u128, usize);

#[cold]
#[inline(never)]
#[track_caller]
fn no_such_bit(bits: u32) -> ! {
    panic!("the number of a bit is out of range for a mask of {bits} bits")
}

/// A type whose sum and product are repeated `+=` and `*=`.
#[diagnostic::on_unimplemented(
    message = "the sum or product of `{Self}` is not staged",
    label = "this is neither an integer nor a float",
    note = "fold over the elements instead, as in `.fold(zero, |sum, x| sum + x)`"
)]
pub trait Summed: Sum<Self> + Product<Self> + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! summed {
    ($($ty:ty),*) => { $(
        impl sealed::Sealed for $ty {}
        impl Summed for $ty {}
        impl sealed::Sealed for core::num::Wrapping<$ty> {}
        impl Summed for core::num::Wrapping<$ty> {}
    )* };
}
summed!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl sealed::Sealed for f32 {}
impl Summed for f32 {}
impl sealed::Sealed for f64 {}
impl Summed for f64 {}
