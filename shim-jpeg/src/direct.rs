//! A scan that is coded while the image is read: all components interleaved, by the typical tables.

use crate::Error;
use crate::frame::Frame;
use crate::kernels::huffman::{
    BitPosition, MAX_BLOCK_BYTES, SLACK, ScanComponent, WORDS, encode_mcus, finish, stuff,
};
use crate::kernels::transform::Part;
use crate::restart::Intervals;
use crate::segment::Segment;
use crate::tables::TYPICAL_CODES;

/// Where the bytes of a file go.
pub(crate) type Sink<'s> = dyn FnMut(&[u8]) -> Result<(), Error> + 's;

/// Raw bits, until their bytes are complete.
#[derive(Debug)]
pub(crate) struct Bits {
    pub(crate) raw: Vec<u8>,
    pub(crate) position: BitPosition,
    stuffed: Vec<u8>,
}

impl Bits {
    /// Memory for so many bytes between one [`flush`](Self::flush) and the next.
    pub(crate) fn new(longest: usize) -> Self {
        let longest = longest + SLACK;
        Self { raw: vec![0; longest], position: BitPosition::default(), stuffed: vec![0; 2 * longest] }
    }

    /// Gives complete bytes away; pending bits stay.
    pub(crate) fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        let length = stuff(&self.raw, self.position.bytes, &mut self.stuffed);
        self.position.bytes = 0;
        sink(&self.stuffed[..length])
    }

    /// Completes the last byte, and gives all away.
    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        finish(&mut self.raw, &mut self.position);
        self.flush(sink)
    }
}

/// The state of the scan from one segment to the next.
pub(crate) struct DirectScan {
    components: Vec<ScanComponent>,
    intervals: Intervals,
    words: Vec<u32>,
    bits: Bits,
}

impl DirectScan {
    /// A scan of all components of `frame`.
    pub(crate) fn new(frame: &Frame, interval: u16) -> Self {
        let components = frame.components.iter().map(|component| {
            let codes = &TYPICAL_CODES[usize::from(component.table)];
            ScanComponent { h: component.h, v: component.v, part: Part::default(), pred: 0, codes }
        });
        Self {
            components: components.collect(),
            intervals: Intervals::new(interval),
            words: vec![0; WORDS],
            bits: Bits::new(frame.mcus_wide() * frame.blocks_per_mcu() * MAX_BLOCK_BYTES),
        }
    }

    /// Codes a segment.
    pub(crate) fn code(&mut self, segment: &Segment, sink: &mut Sink<'_>) -> Result<(), Error> {
        for (component, part) in self.components.iter_mut().zip(segment.parts) {
            component.part = part;
        }
        let mut coded = 0;
        while coded < segment.mcus {
            let (count, marker) = self.intervals.take(segment.mcus - coded);
            if let Some(marker) = marker {
                self.bits.finish(sink)?;
                sink(&marker)?;
                for component in &mut self.components {
                    component.pred = 0;
                }
            }
            let Bits { raw, position, .. } = &mut self.bits;
            let mcus = coded..coded + count;
            encode_mcus(&mut self.components, &segment.coefficients, mcus, raw, position, &mut self.words);
            coded += count;
        }
        Ok(())
    }

    /// Gives away what a row of MCUs completed.
    pub(crate) fn end_row(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.flush(sink)
    }

    /// Ends the scan.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.finish(sink)
    }
}
