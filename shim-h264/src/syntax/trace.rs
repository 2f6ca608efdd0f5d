//! A printer of syntax elements.

use alloc::string::String;
use core::convert::Infallible;
use core::fmt::Write;

use super::coder::{Coder, Element, Value};
use crate::bitstream::BitWriter;

/// A [`Coder`] that prints one line per element: bit position, name, bits and value.
///
/// ```text
/// PicParameterSet
/// @0      pic_parameter_set_id                                                                 1 (0)
/// ```
///
/// Combine it with a [`Reader`](super::Reader) in [`Both`](super::Both) to print a stream.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    text: String,
    position: usize,
    /// Writer for the bits of one element.
    bits: BitWriter,
}

impl Trace {
    /// Takes the text printed so far.
    pub fn take(&mut self) -> String {
        core::mem::take(&mut self.text)
    }

    /// Resets the bit position to 0.
    pub(super) const fn restart(&mut self) {
        self.position = 0;
    }

    /// Position of the next bit, from 0.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }
}

impl Coder for Trace {
    type Error = Infallible;

    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), Infallible> {
        self.bits.clear();
        self.bits.element(element, value)?;
        let length = self.bits.bits();
        self.bits.trailing_bits();
        let bytes = self.bits.bytes();
        let bits: String =
            (0..length).map(|i| if bytes[i / 8] >> (7 - i % 8) & 1 == 1 { '1' } else { '0' }).collect();
        let mut name = String::from(element.name);
        // Writing to a string does not fail.
        let _ = element.index.map_or(Ok(()), |index| write!(name, "[{index}]"));
        let _ = writeln!(self.text, "@{:<8}{name:<44} {bits:>32} ({})", self.position, value.get());
        self.position += length;
        Ok(())
    }

    fn byte_aligned(&mut self) -> bool {
        self.position.is_multiple_of(8)
    }

    fn structure(&mut self, name: &'static str) {
        let _ = writeln!(self.text, "{name}");
    }
}
