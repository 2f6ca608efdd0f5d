//! Boxes of ISO/IEC 14496-12: a length, a type, and numbers or other boxes.

use std::io;

/// Boxes, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Boxes(Vec<u8>);

impl Boxes {
    /// A box with what `content` writes.
    pub(super) fn within(&mut self, kind: [u8; 4], content: impl FnOnce(&mut Self)) {
        let start = self.0.len();
        self.u32(0);
        self.bytes(&kind);
        content(self);
        // That of all boxes together is checked in the end, and this one is no longer.
        let length = (self.0.len() - start) as u32;
        self.0[start..start + 4].copy_from_slice(&length.to_be_bytes());
    }

    /// A box with a version and flags.
    pub(super) fn full(&mut self, kind: [u8; 4], version: u8, flags: u32, content: impl FnOnce(&mut Self)) {
        self.within(kind, |full| {
            full.u32(u32::from(version) << 24 | flags);
            content(full);
        });
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn zeros(&mut self, count: usize) {
        self.0.resize(self.0.len() + count, 0);
    }

    pub(super) fn u16(&mut self, number: u16) {
        self.bytes(&number.to_be_bytes());
    }

    pub(super) fn u32(&mut self, number: u32) {
        self.bytes(&number.to_be_bytes());
    }

    pub(super) fn u32s(&mut self, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            self.u32(number);
        }
    }

    pub(super) fn u64(&mut self, number: u64) {
        self.bytes(&number.to_be_bytes());
    }

    /// A number of 64 bits if it is `wide`, as the version of a box says, and of 32 otherwise.
    pub(super) fn sized(&mut self, wide: bool, number: u64) {
        if wide {
            self.u64(number);
        } else {
            self.u32(number as u32);
        }
    }

    /// A number with 16 bits behind the point.
    pub(super) fn fixed(&mut self, number: u16) {
        self.u32(u32::from(number) << 16);
    }

    /// The matrix that leaves video as it is.
    pub(super) fn identity(&mut self) {
        self.u32s([1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]);
    }

    /// The bytes, unless their length is none that a box has.
    pub(super) fn into_bytes(self) -> io::Result<Vec<u8>> {
        u32::try_from(self.0.len()).map_err(io::Error::other)?;
        Ok(self.0)
    }
}
