//! The bits of a scan and the bytes of the file (T.81 F.1.2.3 and B.1.1.5).

use shim_core::{Block, Located, LocationError, TensorOps};

/// The most bytes that a block takes: a DC difference of 9 + 11 bits and 63 coefficients of at most 16 + 10 bits.
const MAX_BLOCK_BYTES: usize = (9 + 11 + 63 * (16 + 10_usize)).div_ceil(8);

/// A file, and the bits that are under way to it.
#[derive(Debug)]
pub struct Bits {
    file: Vec<u8>,
    raw: Block<u8, 1>,
    /// Whole bytes in `raw`.
    end: isize,
    /// The bits after them, in the low `count` bits.
    pending: u64,
    count: u32,
}

impl Bits {
    /// Bits to go to the end of `file`, those of so many blocks between one [`flush`](Self::flush) and the next.
    pub fn new(file: Vec<u8>, blocks: usize) -> Self {
        Self { file, raw: Block::new([blocks * MAX_BLOCK_BYTES + 1]), end: 0, pending: 0, count: 0 }
    }

    /// Appends the low `length` bits of a code, at most 32.
    pub fn put(&mut self, code: u32, length: u32) {
        self.pending = self.pending << length | u64::from(code);
        self.count += length;
        while self.count >= 8 {
            self.count -= 8;
            self.raw[[self.end]] = (self.pending >> self.count) as u8;
            self.end += 1;
        }
    }

    /// Gives whole bytes to the file, with a zero after every 0xFF.
    ///
    /// # Errors
    ///
    /// None, as long as there is room for them.
    pub fn flush(&mut self) -> Result<(), LocationError> {
        let bytes = self.raw.partition::<1>(&[(0..self.end).into()])?;
        for index in bytes.indices() {
            self.file.push(bytes[index]);
            if bytes[index] == 0xff {
                self.file.push(0);
            }
        }
        self.end = 0;
        Ok(())
    }

    /// Completes the last byte with 1-bits, and gives it to the file.
    ///
    /// # Errors
    ///
    /// As for [`flush`](Self::flush).
    pub fn finish(&mut self) -> Result<(), LocationError> {
        let missing = (8 - self.count) & 7;
        self.put((1 << missing) - 1, missing);
        self.flush()
    }

    /// The file.
    #[must_use]
    pub fn into_file(self) -> Vec<u8> {
        self.file
    }
}
