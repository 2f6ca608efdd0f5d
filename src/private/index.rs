//! Index arithmetic where it decides whether an access is safe: whatever does not fit `isize` panics, in release
//! builds too.

use super::Runtime;

/// Only the integers of the language: what an index is worth must be the same however often it is asked.
mod sealed {
    pub trait Sealed {}
}

/// An integer that can stand in an index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index of a tensor",
    label = "this is no integer",
    note = "an index is of any integer type; convert it with `as` or `try_into`"
)]
pub trait ToIndex: sealed::Sealed {
    /// Its value, if it fits.
    fn to_index(self) -> Option<isize>;
}

macro_rules! to_index {
    ($($int:ty, $from:ident;)*) => {$(
        impl sealed::Sealed for $int {}

        impl ToIndex for $int {
            #[inline(always)]
            fn to_index(self) -> Option<isize> {
                isize::try_from(self).ok()
            }
        }

        impl FromIndex for $int {
            #[inline(always)]
            fn from_index(value: isize) -> $int {
                value as $int
            }

            #[inline(always)]
            fn as_isize(self) -> isize {
                self as isize
            }
        }

        impl Runtime {
            /// An operand of index arithmetic whose type the kernel shows.
            ///
            /// # Panics
            /// If it does not fit `isize`.
            #[track_caller]
            #[inline(always)]
            pub fn $from(self, value: $int) -> isize {
                self.index(value)
            }
        }
    )*};
}
to_index! {
    i8, from_i8; i16, from_i16; i32, from_i32; i64, from_i64; i128, from_i128; isize, from_isize;
    u8, from_u8; u16, from_u16; u32, from_u32; u64, from_u64; u128, from_u128; usize, from_usize;
}

/// An integer that a loop can count in.
pub trait FromIndex: ToIndex + Copy + PartialOrd {
    /// `value`, which lies between two values of this type.
    fn from_index(value: isize) -> Self;
    /// This value, which fits.
    fn as_isize(self) -> isize;
}

impl<T: sealed::Sealed> sealed::Sealed for &T {}

impl<T: ToIndex + Copy> ToIndex for &T {
    #[inline(always)]
    fn to_index(self) -> Option<isize> {
        (*self).to_index()
    }
}

impl Runtime {
    /// An operand of index arithmetic.
    ///
    /// # Panics
    /// If it does not fit `isize`.
    #[track_caller]
    #[inline(always)]
    pub fn index(self, value: impl ToIndex) -> isize {
        match value.to_index() {
            Some(value) => value,
            None => too_large(),
        }
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn too_large() -> ! {
    panic!("shim: an index does not fit `isize`")
}

#[cold]
#[track_caller]
#[inline(never)]
fn overflow() -> ! {
    panic!("shim: index arithmetic overflows `isize`")
}

macro_rules! checked {
    ($($(#[$doc:meta])* $name:ident $checked:ident;)*) => {$(
        impl Runtime {
            $(#[$doc])*
            ///
            /// # Panics
            /// If the result does not fit `isize`.
            #[track_caller]
            #[inline(always)]
            pub fn $name(self, a: isize, b: isize) -> isize {
                match a.$checked(b) {
                    Some(value) => value,
                    None => overflow(),
                }
            }
        }
    )*};
}
checked! {
    /// `a + b`.
    add checked_add;
    /// `a - b`.
    sub checked_sub;
    /// `a * b`.
    mul checked_mul;
    /// `a / b`, truncating as Rust does.
    div checked_div;
    /// `a % b`.
    rem checked_rem;
}

impl Runtime {
    /// `-a`.
    ///
    /// # Panics
    /// If the result does not fit `isize`.
    #[track_caller]
    #[inline(always)]
    pub fn neg(self, a: isize) -> isize {
        self.sub(0, a)
    }

    /// `a << b`, where no bit may be lost.
    ///
    /// # Panics
    /// If the result does not fit `isize`, or `b` is no number of bits.
    #[track_caller]
    #[inline(always)]
    pub fn shl(self, a: isize, b: isize) -> isize {
        let shifted =
            u32::try_from(b).ok().and_then(|bits| a.checked_shl(bits).filter(|value| value >> bits == a));
        match shifted {
            Some(value) => value,
            None => overflow(),
        }
    }

    /// `a >> b`.
    ///
    /// # Panics
    /// If `b` is no number of bits.
    #[track_caller]
    #[inline(always)]
    pub fn shr(self, a: isize, b: isize) -> isize {
        match u32::try_from(b).ok().and_then(|bits| a.checked_shr(bits)) {
            Some(value) => value,
            None => overflow(),
        }
    }
}
