//! The coded data of the one scan: from planes of samples to bytes (T.81 F.1.2 and A.2.3).

use crate::band::{Band, Plane};
use crate::frame::{BLOCK, Component, Frame};
use crate::kernels::dct::fdct;
use crate::kernels::huffman::{
    BitPosition, HuffmanCodes, MAX_BLOCK_BYTES, SLACK, encode_block, finish, stuff,
};
use crate::kernels::quantise::{Divisors, quantise};
use crate::kernels::zigzag::zigzag;
use crate::quality::QuantisationTable;
use crate::tables::{CHROMINANCE_AC, CHROMINANCE_DC, LUMINANCE_AC, LUMINANCE_DC};

/// The tables of luminance or of chrominance.
struct Tables {
    divisors: Divisors,
    dc: HuffmanCodes,
    ac: HuffmanCodes,
}

/// The state of the scan from one row of MCUs to the next.
pub(crate) struct Scan<'a> {
    frame: &'a Frame,
    tables: [Tables; 2],
    /// PRED: the DC of each component's last block (F.1.1.5.1).
    pred: [i16; 3],
    /// Where the bits of the current MCU row end in `raw`.
    position: BitPosition,
    raw: Vec<u8>,
    stuffed: Vec<u8>,
}

impl<'a> Scan<'a> {
    /// A scan of all components of `frame`.
    pub(crate) fn new(frame: &'a Frame, quantisation: &[QuantisationTable; 2]) -> Self {
        let [luminance, chrominance] = quantisation.each_ref().map(Divisors::new);
        let tables =
            |divisors, dc, ac| Tables { divisors, dc: HuffmanCodes::new(dc), ac: HuffmanCodes::new(ac) };
        let longest = frame.mcus_wide() * frame.blocks_per_mcu() * MAX_BLOCK_BYTES + SLACK;
        Self {
            frame,
            tables: [
                tables(luminance, &LUMINANCE_DC, &LUMINANCE_AC),
                tables(chrominance, &CHROMINANCE_DC, &CHROMINANCE_AC),
            ],
            pred: [0; 3],
            position: BitPosition::default(),
            raw: vec![0; longest],
            stuffed: vec![0; 2 * longest],
        }
    }

    /// Codes MCU row `index`, whose samples are in `band`; the bytes it completes.
    ///
    /// Blocks of an MCU follow one another row by row, component after component (A.2.3).
    pub(crate) fn row(&mut self, band: &Band, index: usize) -> &[u8] {
        for mcu in 0..self.frame.mcus_wide() {
            for (c, component) in self.frame.components.iter().enumerate() {
                for v in 0..component.factor {
                    for h in 0..component.factor {
                        let block = Place { row: v, column: mcu * component.factor + h };
                        let inside = index * component.factor + v < component.blocks_high
                            && block.column < component.blocks_wide;
                        let zz = if inside {
                            self.transformed(&band.planes()[c], component, block)
                        } else {
                            self.outside(c)
                        };
                        self.code(c, component, &zz);
                    }
                }
            }
        }
        self.completed()
    }

    /// Ends the scan: the bytes that were still missing.
    pub(crate) fn end(&mut self) -> &[u8] {
        finish(&mut self.raw, &mut self.position);
        self.completed()
    }

    /// The quantised coefficients of a block of samples, in zigzag order.
    fn transformed(&self, plane: &Plane, component: &Component, block: Place) -> [i16; 64] {
        let (mut coefficients, mut quantised, mut zz) = ([0; 64], [0; 64], [0; 64]);
        let divisors = &self.tables[usize::from(component.table)].divisors;
        fdct(&plane.samples, plane.stride, BLOCK * block.row, BLOCK * block.column, &mut coefficients);
        quantise(&coefficients, divisors, &mut quantised);
        zigzag(&quantised, &mut zz);
        zz
    }

    /// A block that completes an MCU beyond the image: flat, and as bright as the one before it, which costs the
    /// fewest bits (A.2.4 leaves its contents to the encoder).
    fn outside(&self, component: usize) -> [i16; 64] {
        let mut zz = [0; 64];
        zz[0] = self.pred[component];
        zz
    }

    fn code(&mut self, c: usize, component: &Component, zz: &[i16; 64]) {
        let Tables { dc, ac, .. } = &self.tables[usize::from(component.table)];
        encode_block(zz, self.pred[c], dc, ac, &mut self.raw, &mut self.position);
        self.pred[c] = zz[0];
    }

    /// Takes the complete bytes out of `raw`; pending bits stay in the position.
    fn completed(&mut self) -> &[u8] {
        let length = stuff(&self.raw[..self.position.bytes], &mut self.stuffed);
        self.position.bytes = 0;
        &self.stuffed[..length]
    }
}

/// A block in the plane of an MCU row, counted in blocks.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    column: usize,
}
