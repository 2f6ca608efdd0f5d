//! Huffman codes of a file that is read (T.81 Annex C and F.2.2.3).

/// A table, as DHT has it.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Of each length the first code that is greater than all of that length.
    ends: [u32; 16],
    /// Offset from a code of each length to the index of its symbol.
    offsets: [i64; 16],
    symbols: Vec<u8>,
    /// By the next [`SHORT`] bits the length of the code that they begin with and its symbol; zero if it is longer.
    short: Vec<(u8, u8)>,
}

/// The bits of the codes that are looked up.
const SHORT: usize = 9;

impl Table {
    /// Reads BITS and HUFFVAL; the table, and how many bytes they are.
    pub(crate) fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let bits: [u8; 16] = bytes.get(..16)?.try_into().ok()?;
        let all: usize = bits.iter().map(|&n| usize::from(n)).sum();
        let symbols = bytes.get(16..16 + all)?.to_vec();
        let (mut ends, mut offsets) = ([0; 16], [0; 16]);
        let (mut code, mut place) = (0, 0);
        let mut short = vec![(0, 0); 1 << SHORT];
        for (length, &n) in bits.iter().enumerate() {
            offsets[length] = place - i64::from(code);
            for (code, &symbol) in (code..).zip(&symbols[place as usize..place as usize + usize::from(n)]) {
                if let Some(free) = (SHORT - 1).checked_sub(length) {
                    let first = (code as usize) << free;
                    let codes = short.get_mut(first..first + (1 << free)).unwrap_or_default();
                    codes.fill((length as u8 + 1, symbol));
                }
            }
            code += u32::from(n);
            place += i64::from(n);
            ends[length] = code;
            code <<= 1;
        }
        Some((Self { ends, offsets, symbols, short }, 16 + all))
    }
}

/// Bits of bytes, the highest first.
#[derive(Debug)]
pub(crate) struct Bits<'a> {
    bytes: &'a [u8],
    at: u64,
}

impl<'a> Bits<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Number of bits read.
    pub(crate) fn read(&self) -> u64 {
        self.at
    }

    /// Passes over `bits` bits, if there are so many.
    #[inline]
    pub(crate) fn skip(&mut self, bits: u64) -> Option<()> {
        self.at += bits;
        (self.at <= 8 * self.bytes.len() as u64).then_some(())
    }

    /// Whether fewer than `bits` bits are left.
    pub(crate) fn is_at_end(&self, bits: u64) -> bool {
        self.at + bits > 8 * self.bytes.len() as u64
    }

    /// Reads a bit.
    pub(crate) fn bit(&mut self) -> Option<u8> {
        let byte = *self.bytes.get((self.at / 8) as usize)?;
        self.at += 1;
        Some(byte >> (7 - (self.at - 1) % 8) & 1)
    }

    /// The next bits, at least 57 of them, the first one highest; zeros behind the end.
    #[inline]
    fn ahead(&self) -> u64 {
        let first = (self.at / 8) as usize;
        let bytes = match self.bytes.get(first..first + 8) {
            Some(bytes) => bytes.try_into().expect("eight of them"),
            None => {
                let rest = self.bytes.get(first..).unwrap_or_default();
                std::array::from_fn(|at| rest.get(at).copied().unwrap_or(0))
            }
        };
        u64::from_be_bytes(bytes) << (self.at % 8)
    }

    /// Reads a code; `None` if the bits match no code in the table.
    #[inline]
    pub(crate) fn symbol(&mut self, table: &Table) -> Option<u8> {
        let ahead = self.ahead();
        let (length, symbol) = table.short[(ahead >> (64 - SHORT)) as usize];
        if length > 0 {
            return self.skip(length.into()).map(|()| symbol);
        }
        for length in 0..16 {
            let code = (ahead >> (63 - length)) as u32;
            if code < table.ends[length] {
                self.skip(length as u64 + 1)?;
                return table.symbols.get((i64::from(code) + table.offsets[length]) as usize).copied();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_a_small_table() {
        // 0 a, 10 b, 110 c, 111 is left.
        let bits = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let (table, length) = Table::read(&[&bits[..], b"abc and more"].concat()).unwrap();
        assert_eq!(length, 19);
        let mut bits = Bits::new(&[0b0101_1001, 0b1111_1111, 0xff]);
        let read: Vec<_> = std::iter::from_fn(|| bits.symbol(&table)).collect();
        assert_eq!(read, b"abca");
        assert!(Table::read(&[1; 20]).is_none());
    }

    #[test]
    fn no_bit_is_read_beyond_the_end() {
        let mut bits = Bits::new(&[0xaa]);
        assert_eq!(bits.skip(8), Some(()));
        assert_eq!(bits.skip(1), None);
    }
}
