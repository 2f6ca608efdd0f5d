//! Elements taken from bits: for tests, and to trace streams.

use alloc::vec::Vec;

use super::check::{Checker, SyntaxError, within};
use super::coder::{Coder, Descriptor, Element, List, Value};
use crate::bitstream::{BitReader, EndOfBits, exp_golomb};

/// Parses an RBSP, and stores what it finds. Values are checked as by a [`Checker`].
#[derive(Clone, Debug)]
pub struct Reader<'b>(pub BitReader<'b>);

/// The greatest number of items that a loop of the descriptions can have, but for bytes: a wrong stream must not ask
/// for all memory.
const MOST_ITEMS: usize = 1 << 16;

impl<'b> Reader<'b> {
    /// Reads an RBSP.
    #[must_use]
    pub const fn new(rbsp: &'b [u8]) -> Self {
        Self(BitReader::new(rbsp))
    }

    fn value(&mut self, descriptor: Descriptor) -> Result<i64, EndOfBits> {
        let bits = &mut self.0;
        let start = bits.position();
        Ok(match descriptor {
            Descriptor::U(length) => bits.u(length)?.into(),
            Descriptor::I(length) => {
                let value = i64::from(bits.u(length)?);
                value - (value >> (length - 1) << length)
            }
            Descriptor::Se => bits.se()?.into(),
            Descriptor::Te(1) => i64::from(bits.bit()? == 0),
            Descriptor::Ue | Descriptor::Te(_) => bits.ue()?.into(),
            Descriptor::Me(intra) => {
                exp_golomb::to_pattern(bits.ue()?, intra).ok_or(EndOfBits(start))?.into()
            }
            Descriptor::Ce(table) => {
                let (mut code, mut length) = (0, 0);
                loop {
                    (code, length) = (code << 1 | bits.bit()? as u16, length + 1);
                    let found = table.iter().position(|word| word.length == length && word.bits == code);
                    match found {
                        Some(value) => break value as i64,
                        None if length == 16 => return Err(EndOfBits(start)),
                        None => {}
                    }
                }
            }
            Descriptor::Prefix => bits.prefix()?.into(),
        })
    }
}

impl Coder for Reader<'_> {
    type Error = SyntaxError;

    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), SyntaxError> {
        let name = element.name;
        let found = self.value(element.descriptor).map_err(|at| SyntaxError::Bits { name, at })?;
        within(element, found)?;
        *value = V::of(found);
        Ok(())
    }

    fn byte_aligned(&mut self) -> bool {
        self.0.position().is_multiple_of(8)
    }

    fn absent<T: PartialEq>(
        &mut self,
        _name: &'static str,
        value: &mut T,
        inferred: impl FnOnce() -> T,
    ) -> Result<(), SyntaxError> {
        *value = inferred();
        Ok(())
    }

    fn length(&mut self, name: &'static str, list: &mut impl List, length: usize) -> Result<(), SyntaxError> {
        if length > MOST_ITEMS {
            return Err(SyntaxError::Length { name, length: MOST_ITEMS });
        }
        list.resize(length);
        Checker.length(name, list, length)
    }

    fn another<T: Default + PartialEq>(
        &mut self,
        name: &'static str,
        list: &mut Vec<T>,
        index: usize,
        ended: bool,
    ) -> Result<bool, SyntaxError> {
        if index == MOST_ITEMS {
            return Err(SyntaxError::End { name });
        }
        list.truncate(index);
        if !ended {
            list.push(T::default());
        }
        Ok(!ended)
    }

    fn more_rbsp_data(&mut self, _has: bool) -> Result<bool, SyntaxError> {
        Ok(self.0.more_rbsp_data())
    }

    fn require(&mut self, name: &'static str, holds: bool, why: &'static str) -> Result<(), SyntaxError> {
        Checker.require(name, holds, why)
    }
}
