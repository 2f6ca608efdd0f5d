//! Inclusive ranges as loops that LLVM vectorizes.
//!
//! `RangeInclusive` remembers in a flag that its last value was given, and asks for that flag before each value and
//! sets it after some: LLVM finds no number of iterations. Here the flag says *before* a value is given whether there
//! is another one, so that a loop over it is left where the variable is equal to the end.

use core::net::{Ipv4Addr, Ipv6Addr};
use core::ops::RangeInclusive;

use super::Runtime;

/// The values of an inclusive range, or every so many of them.
#[derive(Debug, Clone)]
pub struct Inclusive<T> {
    /// The next value, if there is one.
    next: T,
    /// The last value.
    last: T,
    step: usize,
    more: bool,
}

/// A type whose inclusive ranges are iterators.
#[diagnostic::on_unimplemented(
    message = "a range of `{Self}` is not an iterator",
    label = "a loop runs over ranges of integers and of `char`"
)]
pub trait Endpoint: Copy + PartialOrd {
    /// The value so many steps ahead, or any other one where that is none.
    fn ahead(self, steps: usize) -> Self;
    /// The value so many steps behind, or any other one where that is none.
    fn behind(self, steps: usize) -> Self;
    /// How many values past the last of each `step` values from `self` to `last` there are, none of which is less than
    /// `self`.
    fn rest(self, last: Self, step: usize) -> usize;
}

macro_rules! endpoint {
    ($($int:ident $unsigned:ident)*) => {$(
        impl Endpoint for $int {
            #[inline(always)]
            fn ahead(self, steps: usize) -> $int {
                self.wrapping_add(steps as $int)
            }

            #[inline(always)]
            fn behind(self, steps: usize) -> $int {
                self.wrapping_sub(steps as $int)
            }

            #[inline(always)]
            fn rest(self, last: $int, step: usize) -> usize {
                let length = last.wrapping_sub(self) as $unsigned;
                match $unsigned::try_from(step) {
                    Ok(step) => (length % step) as usize,
                    Err(_) => length as usize,
                }
            }
        }
    )*};
}
endpoint! {
    i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize
    u8 u8 u16 u16 u32 u32 u64 u64 u128 u128 usize usize
}

/// Where surrogates are left out, a `char` is so many values above zero.
const SURROGATES: [u32; 2] = [0xd800, 0x800];

fn number(value: char) -> u32 {
    let value = u32::from(value);
    if value < SURROGATES[0] { value } else { value - SURROGATES[1] }
}

fn character(number: u32) -> char {
    let value = if number < SURROGATES[0] { number } else { number.wrapping_add(SURROGATES[1]) };
    char::from_u32(value).unwrap_or(char::MAX)
}

macro_rules! numbered {
    ($($type:ident $unsigned:ident |$value:ident| $number:expr, $from:expr;)*) => {$(
        impl Endpoint for $type {
            #[inline]
            fn ahead(self, steps: usize) -> $type {
                let $value = self;
                $from($unsigned::ahead($number, steps))
            }

            #[inline]
            fn behind(self, steps: usize) -> $type {
                let $value = self;
                $from($unsigned::behind($number, steps))
            }

            #[inline]
            fn rest(self, last: $type, step: usize) -> usize {
                let $value = self;
                let own = $number;
                let $value = last;
                own.rest($number, step)
            }
        }
    )*};
}
numbered! {
    char u32 |value| number(value), character;
    Ipv4Addr u32 |value| u32::from(value), Ipv4Addr::from;
    Ipv6Addr u128 |value| u128::from(value), Ipv6Addr::from;
}

impl<T: Endpoint> Inclusive<T> {
    /// All values from `first` to `last`.
    #[inline(always)]
    pub(super) fn new(first: T, last: T) -> Self {
        Inclusive { next: first, last, step: 1, more: first <= last }
    }

    /// No value.
    #[inline(always)]
    pub(super) fn none(&self) -> Self {
        Inclusive { more: false, ..self.clone() }
    }

    /// The first and the last value of all that there are.
    #[inline(always)]
    pub(super) fn ends(&self) -> Option<(T, T)> {
        self.more.then_some((self.next, self.last))
    }
}

impl<T: Endpoint> Iterator for Inclusive<T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        if !self.more {
            return None;
        }
        let value = self.next;
        self.more = value != self.last;
        self.next = value.ahead(self.step);
        Some(value)
    }
}

impl<T: Endpoint> DoubleEndedIterator for Inclusive<T> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<T> {
        if !self.more {
            return None;
        }
        let value = self.last;
        self.more = value != self.next;
        self.last = value.behind(self.step);
        Some(value)
    }
}

impl Runtime {
    /// The values of an inclusive range.
    #[inline(always)]
    pub fn inclusive<T: Endpoint>(self, range: RangeInclusive<T>) -> Inclusive<T> {
        let (first, last) = range.into_inner();
        Inclusive::new(first, last)
    }

    /// Every `step`-th value of an inclusive range, the first included.
    ///
    /// # Panics
    /// If `step` is zero.
    #[inline(always)]
    pub fn inclusive_by<T: Endpoint>(self, range: RangeInclusive<T>, step: usize) -> Inclusive<T> {
        assert!(step != 0, "a step is at least one");
        let mut values = self.inclusive(range);
        if values.more {
            values.last = values.last.behind(values.next.rest(values.last, step));
        }
        Inclusive { step, ..values }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::super::runtime::RUNTIME;
    use super::*;

    fn same<T: Endpoint + core::fmt::Debug>(range: RangeInclusive<T>)
    where
        RangeInclusive<T>: DoubleEndedIterator<Item = T> + Clone,
    {
        assert!(RUNTIME.inclusive(range.clone()).eq(range.clone()), "{range:?}");
        assert!(RUNTIME.inclusive(range.clone()).rev().eq(range.clone().rev()), "{range:?}");
        for step in [1, 2, 3, 7, 255, 256, 1000, usize::MAX] {
            let steps: Vec<T> = range.clone().step_by(step).collect();
            assert!(
                RUNTIME.inclusive_by(range.clone(), step).eq(steps.iter().copied()),
                "{range:?} by {step}"
            );
            assert!(
                RUNTIME.inclusive_by(range.clone(), step).rev().eq(steps.into_iter().rev()),
                "{range:?} by {step}"
            );
        }
    }

    #[test]
    fn inclusive_ranges_have_the_values_of_std() {
        for (first, last) in
            (0..=255_u8).flat_map(|first| [0, 1, 2, 100, 127, 128, 254, 255].map(|last| (first, last)))
        {
            same(first..=last);
            same(first.cast_signed()..=last.cast_signed());
        }
        for near in [-3_i32, i32::MIN, i32::MAX - 4, 0] {
            same(near..=near.saturating_add(4));
            same(near.saturating_add(4)..=near);
        }
        same(i128::MAX - 2..=i128::MAX);
        same(i64::MIN..=i64::MIN + 9);
        same(usize::MAX - 300..=usize::MAX);
        same('\u{d7fe}'..='\u{e002}');
        same('\u{10fffd}'..=char::MAX);
        same(Ipv4Addr::new(255, 255, 255, 250)..=Ipv4Addr::BROADCAST);
        same(Ipv6Addr::from(u128::MAX - 3)..=Ipv6Addr::from(u128::MAX));
    }
}
