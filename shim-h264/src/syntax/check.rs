//! Whether the elements of a structure are what the standard allows.

use alloc::vec::Vec;

use super::coder::{Coder, Element, List, Value};
use crate::bitstream::EndOfBits;

/// What is wrong with an element.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// Its value is not one that it may have.
    #[error("{name}{} is {value}, which is not one of {least} to {greatest}", Index(*index))]
    Range {
        /// The element.
        name: &'static str,
        /// Its index, in a loop.
        index: Option<usize>,
        /// Its value.
        value: i64,
        /// The least that it may have.
        least: i64,
        /// The greatest.
        greatest: i64,
    },

    /// It is not there under the conditions that other elements make, and yet has another value than is inferred for it.
    #[error("{name} has a value, but is absent")]
    Absent {
        /// The element.
        name: &'static str,
    },

    /// A loop has another number of items.
    #[error("{name} has not {length} items")]
    Length {
        /// The element.
        name: &'static str,
        /// How many there have to be.
        length: usize,
    },

    /// A loop does not end with the item that ends it, or goes on behind it.
    #[error("{name} does not end with its last item")]
    End {
        /// The element.
        name: &'static str,
    },

    /// A condition between elements does not hold.
    #[error("{name}: {why}")]
    Required {
        /// The element.
        name: &'static str,
        /// The condition.
        why: &'static str,
    },

    /// The bits that are read end, or are none of the element's codes.
    #[error("{name}: {at}")]
    Bits {
        /// The element.
        name: &'static str,
        /// Where.
        at: EndOfBits,
    },
}

/// An index behind a name.
struct Index(Option<usize>);

impl core::fmt::Display for Index {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// That a value is one of the element's.
pub(super) fn within(element: &Element, value: i64) -> Result<(), SyntaxError> {
    let (least, greatest) = element.range.clone().into_inner();
    if element.range.contains(&value) && element.descriptor.range().contains(&value) {
        return Ok(());
    }
    Err(SyntaxError::Range { name: element.name, index: element.index, value, least, greatest })
}

/// Compares values with their ranges, and with the conditions for their presence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checker;

impl Coder for Checker {
    type Error = SyntaxError;

    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), SyntaxError> {
        within(element, value.get())
    }

    /// There are no bits: elements that fill a byte have no fields.
    fn byte_aligned(&mut self) -> bool {
        true
    }

    fn absent<T: PartialEq>(
        &mut self,
        name: &'static str,
        value: &mut T,
        inferred: impl FnOnce() -> T,
    ) -> Result<(), SyntaxError> {
        if *value == inferred() { Ok(()) } else { Err(SyntaxError::Absent { name }) }
    }

    fn length(&mut self, name: &'static str, list: &mut impl List, length: usize) -> Result<(), SyntaxError> {
        if list.has(length) { Ok(()) } else { Err(SyntaxError::Length { name, length }) }
    }

    fn another<T: Default + PartialEq>(
        &mut self,
        name: &'static str,
        list: &mut Vec<T>,
        index: usize,
        ended: bool,
    ) -> Result<bool, SyntaxError> {
        let there = index < list.len();
        if there == ended { Err(SyntaxError::End { name }) } else { Ok(there) }
    }

    fn require(&mut self, name: &'static str, holds: bool, why: &'static str) -> Result<(), SyntaxError> {
        if holds { Ok(()) } else { Err(SyntaxError::Required { name, why }) }
    }
}
