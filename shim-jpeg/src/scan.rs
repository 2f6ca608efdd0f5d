//! The coded data of the one scan: from planes of samples to bytes (T.81 F.1.2 and A.2.3).

use crate::band::Band;
use crate::frame::Frame;
use crate::kernels::huffman::{
    BitPosition, HuffmanCodes, MAX_BLOCK_BYTES, SLACK, ScanComponent, encode_mcus, finish, stuff,
};
use crate::kernels::quantise::Divisors;
use crate::kernels::transform::transform;
use crate::quality::QuantisationTable;
use crate::tables::{CHROMINANCE_AC, CHROMINANCE_DC, LUMINANCE_AC, LUMINANCE_DC};

/// The state of the scan from one row of MCUs to the next.
pub(crate) struct Scan<'a> {
    frame: &'a Frame,
    /// For luminance and chrominance.
    divisors: [Divisors; 2],
    components: Vec<ScanComponent>,
    /// Where the bits of the current MCU row end in `raw`.
    position: BitPosition,
    raw: Vec<u8>,
    stuffed: Vec<u8>,
}

impl<'a> Scan<'a> {
    /// A scan of all components of `frame`.
    pub(crate) fn new(frame: &'a Frame, quantisation: &[QuantisationTable; 2]) -> Self {
        let huffman = [[LUMINANCE_DC, LUMINANCE_AC], [CHROMINANCE_DC, CHROMINANCE_AC]];
        let components = frame.components.iter().map(|component| {
            let [dc, ac] = huffman[usize::from(component.table)].each_ref().map(HuffmanCodes::new);
            let (factor, blocks_wide) = (component.factor, component.blocks_wide);
            let coefficients = vec![0; factor * blocks_wide * 64];
            ScanComponent { factor, coefficients, blocks_high: 0, blocks_wide, pred: 0, dc, ac }
        });
        let longest = frame.mcus_wide() * frame.blocks_per_mcu() * MAX_BLOCK_BYTES + SLACK;
        Self {
            frame,
            divisors: quantisation.each_ref().map(Divisors::new),
            components: components.collect(),
            position: BitPosition::default(),
            raw: vec![0; longest],
            stuffed: vec![0; 2 * longest],
        }
    }

    /// Codes MCU row `index`, whose samples are in `band`; the bytes it completes.
    pub(crate) fn row(&mut self, band: &Band, index: usize) -> &[u8] {
        for ((part, component), plane) in
            self.components.iter_mut().zip(&self.frame.components).zip(band.planes())
        {
            part.blocks_high = part.factor.min(component.blocks_high - index * part.factor);
            transform(
                &plane.samples,
                plane.rows,
                plane.columns,
                &self.divisors[usize::from(component.table)],
                &mut part.coefficients,
                part.blocks_high,
                part.blocks_wide,
            );
        }
        encode_mcus(&mut self.components, self.frame.mcus_wide(), &mut self.raw, &mut self.position);
        self.completed()
    }

    /// Ends the scan: the bytes that were still missing.
    pub(crate) fn end(&mut self) -> &[u8] {
        finish(&mut self.raw, &mut self.position);
        self.completed()
    }

    /// Takes the complete bytes out of `raw`; pending bits stay in the position.
    fn completed(&mut self) -> &[u8] {
        let length = stuff(&self.raw, self.position.bytes, &mut self.stuffed);
        self.position.bytes = 0;
        &self.stuffed[..length]
    }
}
