//! The coded data of the one scan: from planes of samples to bytes (T.81 F.1.2 and A.2.3).

use crate::band::Band;
use crate::frame::{Frame, SEGMENT};
use crate::kernels::huffman::{
    BitPosition, MAX_BLOCK_BYTES, SLACK, ScanComponent, WORDS, encode_mcus, finish, stuff,
};
use crate::kernels::quantise::{Divisors, Reciprocals};
use crate::kernels::transform::{Coefficients, LANES, Part, transform, transform_fast};
use crate::quality::QuantisationTable;
use crate::tables::TYPICAL_CODES;

/// The state of the scan from one row of MCUs to the next.
pub(crate) struct Scan<'a> {
    frame: &'a Frame,
    /// For luminance and chrominance.
    transform: [Transform; 2],
    components: Vec<ScanComponent>,
    coefficients: Coefficients,
    /// Where the bits of the current MCU row end in `raw`.
    position: BitPosition,
    words: Vec<u32>,
    raw: Vec<u8>,
    stuffed: Vec<u8>,
}

/// A transform and its quantisation.
enum Transform {
    Exact(Box<Divisors>),
    Fast(Box<Reciprocals>),
}

impl<'a> Scan<'a> {
    /// A scan of all components of `frame`.
    pub(crate) fn new(frame: &'a Frame, quantisation: &[QuantisationTable; 2], exact: bool) -> Self {
        let transform = quantisation.each_ref().map(|table| match Reciprocals::new(table) {
            Some(reciprocals) if !exact => Transform::Fast(Box::new(reciprocals)),
            _ => Transform::Exact(Box::new(Divisors::new(table))),
        });
        let mut tiles = 0;
        let components = frame.components.iter().map(|component| {
            let codes = &TYPICAL_CODES[usize::from(component.table)];
            let (h, v) = (component.factor, component.factor);
            let part = Part { first: tiles, tiles: SEGMENT * h / LANES, ..Part::default() };
            tiles += v * part.tiles;
            ScanComponent { h, v, part, pred: 0, codes }
        });
        let components: Vec<_> = components.collect();
        let longest = frame.mcus_wide() * frame.blocks_per_mcu() * MAX_BLOCK_BYTES + SLACK;
        Self {
            frame,
            transform,
            components,
            coefficients: Coefficients::new(tiles),
            position: BitPosition::default(),
            words: vec![0; WORDS],
            raw: vec![0; longest],
            stuffed: vec![0; 2 * longest],
        }
    }

    /// Whether all components go through the fast transform.
    pub(crate) fn is_fast(&self) -> bool {
        self.transform.iter().all(|transform| matches!(transform, Transform::Fast(_)))
    }

    /// Codes MCU row `index`, whose samples are in `band`; the bytes it completes.
    pub(crate) fn row(&mut self, band: &Band, index: usize) -> &[u8] {
        for mcu in (0..self.frame.mcus_wide()).step_by(SEGMENT) {
            self.segment(band, index, mcu);
        }
        self.completed()
    }

    /// Codes the MCUs from `mcu` on that make a segment.
    fn segment(&mut self, band: &Band, index: usize, mcu: usize) {
        for ((own, component), plane) in
            self.components.iter_mut().zip(&self.frame.components).zip(band.planes())
        {
            let part = &mut own.part;
            part.left = mcu * own.h / LANES;
            part.blocks_high = own.v.min(component.blocks_high - index * own.v);
            part.blocks_wide = (SEGMENT * own.h).min(component.blocks_wide.saturating_sub(mcu * own.h));
            let (samples, rows, columns) = (&plane.samples, plane.rows, plane.columns);
            let out = &mut self.coefficients;
            match &self.transform[usize::from(component.table)] {
                Transform::Exact(divisors) => transform(samples, rows, columns, divisors, *part, out),
                Transform::Fast(reciprocals) => {
                    transform_fast(samples, rows, columns, reciprocals, *part, out);
                }
            }
        }
        let mcus = SEGMENT.min(self.frame.mcus_wide() - mcu);
        let (components, coefficients) = (&mut self.components, &self.coefficients);
        encode_mcus(components, coefficients, mcus, &mut self.raw, &mut self.position, &mut self.words);
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
