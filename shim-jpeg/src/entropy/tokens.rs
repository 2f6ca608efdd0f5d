//! The tokens of a scan, kept until there are Huffman tables for them.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::entropy::bits::{self, Bits, Sink};
use crate::entropy::optimal;
use crate::kernels::tokens::{Assigned, RAW, VALUES, additional_bits, count, pack, put_tokens};

/// Tokens that are packed or coded at a time.
pub(crate) const CHUNK: usize = 1 << 14;

/// The most bytes of a token: a code of 16 bits, and 16 additional ones.
const TOKEN_BYTES: usize = 4;

/// Tokens of a scan or of a part of it, and the restarts that divide them.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    /// The tokens as [`pack`] makes them, and their additional bits that are apart, with a half word after them.
    packed: Vec<u16>,
    apart: Vec<u16>,
    /// Number of tokens before each restart, and its marker.
    restarts: Vec<(usize, [u8; 2])>,
}

/// The number of times that each value of the tables occurs.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    times: Box<[u64; VALUES]>,
    /// Those of recent tokens, as [`count`] makes them, and the number of these.
    recent: Box<[u32; 2 * VALUES]>,
    tokens: u32,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { packed: Vec::new(), apart: vec![0], restarts: Vec::new() }
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self { times: Box::new([0; VALUES]), recent: Box::new([0; 2 * VALUES]), tokens: 0 }
    }
}

impl Counts {
    /// Counts tokens.
    fn add(&mut self, tokens: &[u32]) {
        // A count of 32 bits holds as many tokens.
        if self.tokens.checked_add(tokens.len() as u32).is_none() {
            self.sum();
        }
        self.tokens += tokens.len() as u32;
        count(tokens, &mut self.recent);
    }

    /// Adds other counts.
    pub(crate) fn append(&mut self, other: &mut Self) {
        let others = other.times();
        self.times.iter_mut().zip(others).for_each(|(sum, times)| *sum += times);
    }

    /// The number of times that each value of all tables occurs.
    pub(crate) fn times(&mut self) -> &[u64; VALUES] {
        self.sum();
        &self.times
    }

    fn sum(&mut self) {
        let (even, odd) = self.recent.split_at(VALUES);
        for (sum, (&even, &odd)) in self.times.iter_mut().zip(even.iter().zip(odd)) {
            *sum += u64::from(even) + u64::from(odd);
        }
        self.recent.fill(0);
        self.tokens = 0;
    }

    /// The bytes of the tokens as a scan of one component with a table made for them, with its header, if there were
    /// `weight` times as many.
    pub(crate) fn scan_bytes(&mut self, weight: u64) -> u64 {
        /// The bytes of a scan header of one component, and of a table without its values.
        const HEADERS: [u64; 2] = [10, 21];
        let (mut bits, mut bytes) = (0, HEADERS[0]);
        for (table, times) in (0..).zip(self.times().as_chunks::<256>().0) {
            bits += (0..).zip(times).map(|(v, n)| n * u64::from(additional_bits(table, v))).sum::<u64>();
            if table != RAW && times.iter().any(|&n| n > 0) {
                let table = optimal::table(times);
                let sizes = table.codes().ehufsi;
                bits += times.iter().zip(sizes).map(|(n, size)| n * u64::from(size)).sum::<u64>();
                bytes += HEADERS[1] + table.values.len() as u64;
            }
        }
        bytes + weight * bits / 8
    }
}

impl Tokens {
    /// Appends tokens, and counts them.
    pub(crate) fn push(&mut self, tokens: &[u32], counts: &mut Counts) {
        for tokens in tokens.chunks(CHUNK) {
            counts.add(tokens);
            let end = pack(tokens, &mut self.packed, &mut self.apart);
            self.apart.truncate(end + 1);
        }
    }

    /// Adds a restart.
    pub(crate) fn restart(&mut self, marker: [u8; 2]) {
        self.restarts.push((self.packed.len(), marker));
    }

    /// Removes all tokens, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.packed.clear();
        self.apart.truncate(1);
        self.restarts.clear();
    }

    /// Number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.packed.len()
    }

    /// Memory for the bits of tokens.
    pub(crate) fn bits() -> Bits {
        Bits::new(bits::CHUNK + CHUNK * TOKEN_BYTES)
    }

    /// Appends the codes of the tokens to `bits`, which hands them on to `sink` if there is one.
    pub(crate) fn put(
        &self,
        assigned: &Assigned,
        bits: &mut Bits,
        mut sink: Option<&mut Sink<'_>>,
    ) -> Result<(), Error> {
        let (mut start, mut apart) = (0, 0);
        let ends = self.restarts.iter().map(|&(end, marker)| (end, Some(marker)));
        for (end, marker) in ends.chain([(self.packed.len(), None)]) {
            for chunk in self.packed[start..end].chunks(CHUNK) {
                let Bits { raw, position, .. } = &mut *bits;
                apart += put_tokens(chunk, &self.apart[apart..], assigned, raw, position);
                bits.emit(None, sink.as_deref_mut())?;
            }
            if marker.is_some() {
                bits.emit(marker, sink.as_deref_mut())?;
            }
            start = end;
        }
        Ok(())
    }
}
