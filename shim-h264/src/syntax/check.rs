//! A validator of syntax elements.

use alloc::vec::Vec;

use super::coder::{Coder, Element, List, Value};
use crate::bitstream::EndOfBits;

/// An invalid syntax element, with its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// Value out of range.
    #[error("{name}{} is {value}, out of range {least} to {greatest}", Index(*index))]
    Range {
        /// Element name.
        name: &'static str,
        /// Index of the element in a loop.
        index: Option<usize>,
        /// Value of the element.
        value: i64,
        /// Lower bound.
        least: i64,
        /// Upper bound.
        greatest: i64,
    },

    /// Value of an absent element that differs from the inferred one.
    #[error("{name} is absent, but does not have its inferred value")]
    Absent {
        /// Element name.
        name: &'static str,
    },

    /// Loop with a wrong number of items.
    #[error("{name} must have {length} items")]
    Length {
        /// Element name.
        name: &'static str,
        /// Required number of items.
        length: usize,
    },

    /// Loop without its terminating item, or with items after it.
    #[error("{name} does not end at its terminating item")]
    End {
        /// Element name.
        name: &'static str,
    },

    /// Violated condition between elements.
    #[error("{name}: {why}")]
    Required {
        /// Element name.
        name: &'static str,
        /// Condition.
        why: &'static str,
    },

    /// End of the data, or bits that are not a code of the element.
    #[error("{name}: {at}")]
    Bits {
        /// Element name.
        name: &'static str,
        /// Error of the reader.
        at: EndOfBits,
    },
}

/// Index after a name, in brackets.
struct Index(Option<usize>);

impl core::fmt::Display for Index {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// Checks that a value is in the range of its element.
pub(super) fn within(element: &Element, value: i64) -> Result<(), SyntaxError> {
    let (least, greatest) = element.range.clone().into_inner();
    if element.range.contains(&value) && element.descriptor.range().contains(&value) {
        return Ok(());
    }
    Err(SyntaxError::Range { name: element.name, index: element.index, value, least, greatest })
}

/// A [`Coder`] that checks the range of each element, and the conditions for its presence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checker;

impl Coder for Checker {
    type Error = SyntaxError;

    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), SyntaxError> {
        within(element, value.get())
    }

    /// Always true: there are no bits, and alignment elements have no fields.
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
