//! Syntax elements, and the coders that process them.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

pub use crate::kernels::codes::Codeword;

/// The descriptor of an element (7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// u(n), and f(n), b(8): so many bits, at most 32.
    U(u32),
    /// i(n): so many bits in two's complement.
    I(u32),
    /// ue(v): an unsigned Exp-Golomb code (9.1).
    Ue,
    /// se(v): a signed one (9.1.1).
    Se,
    /// te(v): a truncated one, of an element that is at most this (9.1).
    Te(u32),
    /// me(v): a mapped one (9.1.2), for `coded_block_pattern`; `true` where the prediction mode is `Intra_4x4` or
    /// `Intra_8x8`.
    Me(bool),
    /// ce(v) and other tables of codes, by value.
    Ce(&'static [Codeword]),
    /// `level_prefix` (9.2.2.1): zeros, as many as the value, and a one.
    Prefix,
}

impl Descriptor {
    /// The values that have bits.
    #[inline]
    #[must_use]
    pub const fn range(self) -> RangeInclusive<i64> {
        match self {
            Self::U(bits) => 0..=(1 << bits) - 1,
            Self::I(bits) => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            Self::Ue => 0..=u32::MAX as i64 - 1,
            Self::Se => -(i32::MAX as i64)..=i32::MAX as i64,
            Self::Te(most) => 0..=most as i64,
            Self::Me(_) => 0..=47,
            Self::Ce(table) => 0..=table.len() as i64 - 1,
            Self::Prefix => 0..=31,
        }
    }
}

/// A range of any integer.
#[inline]
pub fn wide<T: Into<i64> + Copy>(range: RangeInclusive<T>) -> RangeInclusive<i64> {
    (*range.start()).into()..=(*range.end()).into()
}

/// An element, as the description has it.
#[derive(Clone, Debug)]
pub struct Element {
    /// The name that the standard gives it.
    pub name: &'static str,
    /// Its index, where it stands in a loop.
    pub index: Option<usize>,
    /// Its descriptor.
    pub descriptor: Descriptor,
    /// The values that it may have.
    pub range: RangeInclusive<i64>,
}

/// The type of a field that holds an element.
pub trait Value: Clone {
    /// The value as the descriptor codes it.
    fn get(&self) -> i64;
    /// The field of a value; one that does not fit it is cut off.
    fn of(value: i64) -> Self;
}

macro_rules! values {
    ($($type:ty),*) => { $(
        impl Value for $type {
            #[inline]
            fn get(&self) -> i64 {
                i64::from(*self)
            }
            #[inline]
            fn of(value: i64) -> Self {
                value as Self
            }
        }
    )* };
}

values!(u8, u16, u32, i8, i16, i32);

impl Value for bool {
    #[inline]
    fn get(&self) -> i64 {
        i64::from(*self)
    }
    #[inline]
    fn of(value: i64) -> Self {
        value != 0
    }
}

/// Memory for elements in a loop: as many as there are, or an array with room for the most.
pub trait List {
    /// The type of an item.
    type Item: Default + PartialEq;
    /// All that there is.
    fn items(&mut self) -> &mut [Self::Item];
    /// Has this many items. Those of an array past them become the default.
    fn resize(&mut self, length: usize);
    /// Whether there are so many items, and those past them, in an array, are the default.
    fn has(&self, length: usize) -> bool;
}

impl<T: Default + PartialEq> List for Vec<T> {
    type Item = T;
    #[inline]
    fn items(&mut self) -> &mut [T] {
        self
    }
    fn resize(&mut self, length: usize) {
        self.resize_with(length, T::default);
    }
    fn has(&self, length: usize) -> bool {
        self.len() == length
    }
}

impl<T: Default + PartialEq, const N: usize> List for [T; N] {
    type Item = T;
    #[inline]
    fn items(&mut self) -> &mut [T] {
        self
    }
    fn resize(&mut self, length: usize) {
        for item in self.iter_mut().skip(length) {
            *item = T::default();
        }
    }
    fn has(&self, length: usize) -> bool {
        length <= N && self[length..].iter().all(|item| *item == T::default())
    }
}

/// Processes the elements of a structure in the order of the syntax.
///
/// The walks are derived from the descriptions of this folder; a coder is told of each element in the order of the
/// syntax. One that reads stores the values, others leave them alone.
pub trait Coder: Sized {
    /// The error of an element.
    type Error;

    /// An element that is there.
    ///
    /// # Errors
    ///
    /// When a value is not one of the element's, or there are no more bits.
    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), Self::Error>;

    /// Whether a number of bits that is a multiple of eight came before.
    fn byte_aligned(&mut self) -> bool;

    /// Samples of eight bits each, where bytes begin: `pcm_sample_luma`, `user_data_payload_byte` and such.
    ///
    /// # Errors
    ///
    /// As [`element`](Self::element).
    fn bytes(&mut self, name: &'static str, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for (i, byte) in bytes.iter_mut().enumerate() {
            let element = Element { name, index: Some(i), descriptor: Descriptor::U(8), range: 0..=255 };
            self.element(&element, byte)?;
        }
        Ok(())
    }

    /// Something that is not there, and what is inferred for it.
    ///
    /// # Errors
    ///
    /// When it has another value.
    #[inline]
    fn absent<T: PartialEq>(
        &mut self,
        name: &'static str,
        value: &mut T,
        inferred: impl FnOnce() -> T,
    ) -> Result<(), Self::Error> {
        let _ = (name, value, inferred);
        Ok(())
    }

    /// Items in a loop, so many.
    ///
    /// # Errors
    ///
    /// When there are not as many.
    #[inline]
    fn length(&mut self, name: &'static str, list: &mut impl List, length: usize) -> Result<(), Self::Error> {
        let _ = (name, list, length);
        Ok(())
    }

    /// Whether item `index` of a loop that ends at a value is there; `ended` is whether the one before it had that
    /// value.
    ///
    /// # Errors
    ///
    /// When the loop does not end where the list does.
    #[inline]
    fn another<T: Default + PartialEq>(
        &mut self,
        name: &'static str,
        list: &mut Vec<T>,
        index: usize,
        ended: bool,
    ) -> Result<bool, Self::Error> {
        let _ = (name, ended);
        Ok(index < list.len())
    }

    /// Whether there is more before the trailing bits: `more_rbsp_data()`. What writes says what it `has`.
    ///
    /// # Errors
    ///
    /// When there is no trailing bit.
    #[inline]
    fn more_rbsp_data(&mut self, has: bool) -> Result<bool, Self::Error> {
        Ok(has)
    }

    /// A condition between elements that 7.4 makes.
    ///
    /// # Errors
    ///
    /// When it does not hold.
    #[inline]
    fn require(&mut self, name: &'static str, holds: bool, why: &'static str) -> Result<(), Self::Error> {
        let _ = (name, holds, why);
        Ok(())
    }

    /// A structure begins.
    #[inline]
    fn structure(&mut self, name: &'static str) {
        let _ = name;
    }

    /// Elements of which a kernel makes all codewords at once, at most so many: it is given memory for them, and how
    /// far that is in use, and returns how far it came. Says whether the coder takes codewords; one that does not is
    /// told of the elements.
    #[inline]
    fn codewords(&mut self, most: usize, kernel: impl FnOnce(&mut [u32], usize) -> usize) -> bool {
        let _ = (most, kernel);
        false
    }
}

/// Both coders for each element: what the first reads, the second is told.
#[derive(Debug)]
pub struct Both<A, B>(pub A, pub B);

impl<A: Coder, B: Coder<Error = core::convert::Infallible>> Coder for Both<A, B> {
    type Error = A::Error;

    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), Self::Error> {
        self.0.element(element, value)?;
        let Ok(()) = self.1.element(element, value);
        Ok(())
    }

    fn byte_aligned(&mut self) -> bool {
        self.0.byte_aligned()
    }

    fn absent<T: PartialEq>(
        &mut self,
        name: &'static str,
        value: &mut T,
        inferred: impl FnOnce() -> T,
    ) -> Result<(), Self::Error> {
        self.0.absent(name, value, inferred)
    }

    fn length(&mut self, name: &'static str, list: &mut impl List, length: usize) -> Result<(), Self::Error> {
        self.0.length(name, list, length)
    }

    fn another<T: Default + PartialEq>(
        &mut self,
        name: &'static str,
        list: &mut Vec<T>,
        index: usize,
        ended: bool,
    ) -> Result<bool, Self::Error> {
        self.0.another(name, list, index, ended)
    }

    fn more_rbsp_data(&mut self, has: bool) -> Result<bool, Self::Error> {
        self.0.more_rbsp_data(has)
    }

    fn require(&mut self, name: &'static str, holds: bool, why: &'static str) -> Result<(), Self::Error> {
        self.0.require(name, holds, why)
    }

    fn structure(&mut self, name: &'static str) {
        self.0.structure(name);
        self.1.structure(name);
    }
}
