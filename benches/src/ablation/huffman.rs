//! Huffman coding of a block (T.81 F.1.2).

use shim_core::Block;

use crate::ablation::bits::Bits;

/// The codes of a table: EHUFCO and EHUFSI (Annex C), by value.
#[derive(Clone, Debug)]
pub struct Table {
    ehufco: Block<u16, 1>,
    ehufsi: Block<u8, 1>,
}

impl Table {
    /// The codes for BITS and HUFFVAL of a DHT segment: codes of one length count upwards, and a zero is appended where
    /// the length grows.
    pub fn new(bits: &[u8; 16], values: &[u8]) -> Self {
        let (mut ehufco, mut ehufsi) = (Block::new([256]), Block::new([256]));
        let (mut code, mut values) = (0, values.iter());
        for (size, &count) in (1..).zip(bits) {
            for &value in values.by_ref().take(count.into()) {
                ehufco[[value.into()]] = code;
                ehufsi[[value.into()]] = size;
                code += 1;
            }
            code <<= 1;
        }
        Self { ehufco, ehufsi }
    }

    /// The code of a value and its length.
    pub fn code(&self, value: u32) -> (u32, u32) {
        let value = value as isize;
        (self.ehufco[[value]].into(), self.ehufsi[[value]].into())
    }

    /// Puts the code of a value.
    fn put(&self, value: u32, bits: &mut Bits) {
        let (code, length) = self.code(value);
        bits.put(code, length);
    }

    /// Puts the code for RRRR zeros and `value` after them, and the additional bits: the low SSSS bits of the value, or
    /// of `value - 1` when it is negative.
    fn put_value(&self, rrrr: u32, value: i32, bits: &mut Bits) {
        let ssss = 32 - value.unsigned_abs().leading_zeros();
        self.put(rrrr << 4 | ssss, bits);
        bits.put((value + (value >> 31)) as u32 & ((1 << ssss) - 1), ssss);
    }
}

/// The codes of a component.
#[derive(Clone, Debug)]
pub struct Codes {
    /// For differences of DC.
    pub differences: Table,
    /// For AC coefficients.
    pub symbols: Table,
}

impl Codes {
    /// Puts the codes of a block, and returns its DC, which predicts that of the component's next block.
    pub fn put_block(&self, zz: &Block<i32, 1>, pred: i32, bits: &mut Bits) -> i32 {
        let dc = zz[[0]];
        self.differences.put_value(0, dc - pred, bits);
        let mut rrrr = 0;
        for k in 1..64 {
            let value = zz[[k]];
            if value == 0 {
                rrrr += 1;
                continue;
            }
            while rrrr > 15 {
                self.symbols.put(0xf0, bits);
                rrrr -= 16;
            }
            self.symbols.put_value(rrrr, value, bits);
            rrrr = 0;
        }
        if rrrr > 0 {
            self.symbols.put(0, bits);
        }
        dc
    }

    /// Puts the codes of a block that is flat and as bright as the one before it.
    pub fn put_flat(&self, bits: &mut Bits) {
        self.differences.put(0, bits);
        self.symbols.put(0, bits);
    }
}
