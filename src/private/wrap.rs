//! Arithmetic of stages whose elements are computed also where nothing reads them: it wraps.

use super::Runtime;

/// An integer.
pub trait Wraps: Copy {
    #[doc(hidden)]
    fn wrapping(self, op: Operator, other: Self) -> Self;
}

/// An operator that may overflow.
#[derive(Clone, Copy)]
pub enum Operator {
    Add,
    Sub,
    Mul,
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Wraps for $ty {
            #[inline(always)]
            fn wrapping(self, op: Operator, other: Self) -> Self {
                match op {
                    Operator::Add => self.wrapping_add(other),
                    Operator::Sub => self.wrapping_sub(other),
                    Operator::Mul => self.wrapping_mul(other),
                }
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Runtime {
    /// `a + b`, wrapping.
    #[inline(always)]
    pub fn wrapping_add<T: Wraps>(self, a: T, b: T) -> T {
        a.wrapping(Operator::Add, b)
    }

    /// `a - b`, wrapping.
    #[inline(always)]
    pub fn wrapping_sub<T: Wraps>(self, a: T, b: T) -> T {
        a.wrapping(Operator::Sub, b)
    }

    /// `a * b`, wrapping.
    #[inline(always)]
    pub fn wrapping_mul<T: Wraps>(self, a: T, b: T) -> T {
        a.wrapping(Operator::Mul, b)
    }

    /// `-a`, wrapping.
    #[inline(always)]
    pub fn wrapping_neg<T: Wraps + core::ops::Sub<Output = T>>(self, a: T) -> T {
        T::wrapping(a, Operator::Sub, a).wrapping(Operator::Sub, a)
    }
}
