//! The number of bits of elements.

use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

use super::coder::{Coder, Descriptor, Element, Value};
use crate::bitstream::exp_golomb;
use shim_codec::bits::lengths;

/// Counts the bits that a [`BitWriter`](crate::bitstream::BitWriter) would append, where bytes begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitCounter {
    bits: u32,
    /// Memory for the codewords of kernels.
    words: Vec<u32>,
}

impl BitCounter {
    /// Begins at zero.
    pub(crate) const fn clear(&mut self) {
        self.bits = 0;
    }

    pub(crate) const fn bits(&self) -> u32 {
        self.bits
    }
}

impl Coder for BitCounter {
    type Error = Infallible;

    // As for the writer: the descriptor is a constant in each walk.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the descriptor is a constant where it is used")]
    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), Infallible> {
        let value = value.get();
        self.bits += match element.descriptor {
            Descriptor::U(bits) | Descriptor::I(bits) => bits,
            Descriptor::Se => exp_golomb::signed_length(value as i32),
            Descriptor::Te(1) => 1,
            Descriptor::Ue | Descriptor::Te(_) => exp_golomb::length(value as u32),
            Descriptor::Me(intra) => {
                exp_golomb::length(exp_golomb::of_pattern(value as u8, intra).unwrap_or_default())
            }
            Descriptor::Ce(table) => table[value as usize].length.into(),
            Descriptor::Prefix => value as u32 + 1,
        };
        Ok(())
    }

    fn byte_aligned(&mut self) -> bool {
        true
    }

    #[inline]
    fn codewords(&mut self, most: usize, kernel: impl FnOnce(&mut [u32], usize) -> usize) -> bool {
        if self.words.len() < most {
            self.words = vec![0; most];
        }
        let end = kernel(&mut self.words, 0);
        self.bits += lengths(&self.words, 0, end);
        true
    }
}
