//! Elements appended to bits.

use core::convert::Infallible;

use super::coder::{Coder, Descriptor, Element, Value};
use crate::bitstream::{BitWriter, exp_golomb};
use crate::kernels::pcm::byte_words;

/// Values are appended as they are: a [`Checker`](super::Checker) says whether they are legal.
impl Coder for BitWriter {
    type Error = Infallible;

    // What an element is, a constant in each walk, is decided when that is compiled: streams of little pictures are
    // written in a tenth less of the time.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the descriptor is a constant where it is used")]
    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), Infallible> {
        let value = value.get();
        match element.descriptor {
            Descriptor::U(bits) => self.u(value as u32, bits),
            Descriptor::I(bits) => self.u((value & ((1 << bits) - 1)) as u32, bits),
            Descriptor::Se => self.ue(exp_golomb::of_signed(value as i32)),
            Descriptor::Te(1) => self.put(u32::from(value == 0), 1),
            Descriptor::Ue | Descriptor::Te(_) => self.ue(value as u32),
            Descriptor::Me(intra) => self.ue(exp_golomb::of_pattern(value as u8, intra).unwrap_or_default()),
            Descriptor::Ce(table) => {
                let word = table[value as usize];
                self.put(u32::from(word.bits), u32::from(word.length));
            }
            Descriptor::Prefix => self.put(1, value as u32 + 1),
        }
        Ok(())
    }

    fn byte_aligned(&mut self) -> bool {
        self.bits().is_multiple_of(8)
    }

    fn bytes(&mut self, _name: &'static str, bytes: &mut [u8]) -> Result<(), Infallible> {
        for some in bytes.chunks(384) {
            self.codewords(some.len(), |words, end| byte_words(some, words, end));
        }
        Ok(())
    }

    #[inline]
    fn codewords(&mut self, most: usize, kernel: impl FnOnce(&mut [u32], usize) -> usize) -> bool {
        let (words, end) = self.room(most);
        let end = kernel(words, end);
        self.wrote(end);
        true
    }
}
