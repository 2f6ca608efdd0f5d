//! The headers of a file, and the tables in them (T.81 Annex B). They are taken from a file of another encoder: writing
//! them is no work on arrays.

use shim_core::Block;

use crate::ablation::huffman::{Codes, Table};
use crate::ablation::zigzag;

/// Everything up to the coded data, and what it says of them.
#[derive(Clone, Debug)]
pub struct Headers {
    bytes: Vec<u8>,
    /// The components, one or three.
    pub components: Vec<Component>,
    /// Q of luminance and of chrominance, `[8, 8]`.
    pub quantization: Vec<Block<i32, 2>>,
    /// Their codes.
    pub codes: Vec<Codes>,
}

/// A component of the frame.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// H: blocks of an MCU beside one another.
    pub h: isize,
    /// V: rows of blocks in an MCU.
    pub v: isize,
    /// The number of its tables.
    pub table: usize,
}

impl Headers {
    /// The headers of a baseline file of one scan, gray, 4:4:4 or 4:2:0; none if the file is another.
    pub fn of(file: &[u8]) -> Option<Self> {
        let (mut components, mut quantization) = (Vec::new(), Vec::new());
        let (mut differences, mut symbols) = (Vec::new(), Vec::new());
        let mut at = 2;
        loop {
            let [0xff, marker, high, low] = *file.get(at..)?.first_chunk()? else { return None };
            let end = at + 2 + usize::from(u16::from_be_bytes([high, low]));
            let parameters = file.get(at + 4..end)?;
            match marker {
                // DQT: Pq and Tq, and the elements in zigzag order.
                0xdb => {
                    let mut table = Block::new([8, 8]);
                    let elements = parameters.get(1..65)?.iter().map(|&q| i32::from(q)).collect();
                    zigzag::block(&Block::from_vec([64], elements).ok()?, &mut table);
                    quantization.push(table);
                }
                // DHT: Tc and Th, BITS and HUFFVAL.
                0xc4 => {
                    let (&class, table) = parameters.split_first()?;
                    let (bits, values) = table.split_first_chunk()?;
                    let tables = if class >> 4 == 0 { &mut differences } else { &mut symbols };
                    tables.push(Table::new(bits, values));
                }
                // SOF0: P, Y, X and Nf, and C, H and V, and Tq of each component.
                0xc0 => {
                    let (specifications, _) = parameters.get(6..)?.as_chunks::<3>();
                    components.extend(specifications.iter().map(|&[_, factors, table]| Component {
                        h: (factors >> 4).into(),
                        v: (factors & 15).into(),
                        table: table.into(),
                    }));
                }
                // SOS.
                0xda => {
                    // A scan of one component is not interleaved: its MCU is one block (A.2.2).
                    if let [gray] = &mut components[..] {
                        (gray.h, gray.v) = (1, 1);
                    }
                    let factors: Vec<_> = components.iter().map(|c| [c.h, c.v]).collect();
                    let known = [&[[1, 1]][..], &[[1, 1]; 3], &[[2, 2], [1, 1], [1, 1]]];
                    let codes = differences.into_iter().zip(symbols);
                    let codes = codes.map(|(differences, symbols)| Codes { differences, symbols }).collect();
                    return known.contains(&&factors[..]).then(|| Self {
                        bytes: file[..end].to_vec(),
                        components,
                        quantization,
                        codes,
                    });
                }
                _ => {}
            }
            at = end;
        }
    }

    /// The bytes of the headers.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether chrominance has half the density.
    pub fn is_halved(&self) -> bool {
        self.components[0].h == 2
    }

    /// The pixels of an MCU.
    pub fn mcu_extents(&self) -> [usize; 2] {
        if self.is_halved() { [16, 16] } else { [8, 8] }
    }

    /// The blocks of an MCU.
    pub fn blocks_per_mcu(&self) -> usize {
        self.components.iter().map(|c| c.h.unsigned_abs() * c.v.unsigned_abs()).sum()
    }
}
