//! Huffman coding by the standard tables (T.81 K.3): a scan is written while the image is read.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::Error;
use crate::entropy::bits::{Bits, CHUNK, PartialSegment, Sink};
use crate::format::script::ScanSpec;
use crate::kernels::huffman::{MAX_BLOCK_BYTES, STANDARD_CODES, encode_mcus};
use crate::kernels::mcu::{Mcus, Predictions, ScanComponent};
use crate::pipeline::plan::Plan;
use crate::pipeline::scan::Emitter;
use crate::pipeline::scan_header::{scan_header, tables};
use shim_codec::pool::Pool;

/// Writes the bits of a scan of all components.
pub(crate) struct Huffman {
    header: Vec<u8>,
    bits: Bits,
}

impl Emitter for Huffman {
    type Part = Vec<PartialSegment>;

    const BATCH: usize = 16;

    fn new(plan: &Arc<Plan>, spec: &ScanSpec, _memory: Option<Self>) -> Self {
        let frame = &plan.frame;
        let mcus = Self::BATCH.min(frame.mcus_wide() * frame.mcus_high());
        Self {
            header: scan_header(plan, spec, &[], &tables(plan, spec, None)),
            bits: Bits::new(CHUNK + mcus * frame.blocks_per_mcu() * MAX_BLOCK_BYTES),
        }
    }

    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.clear();
        sink(&self.header)
    }

    fn add(&mut self, mcus: &Mcus<'_>, _first: ScanComponent, predictions: &mut Predictions) {
        let Bits { raw, position, .. } = &mut self.bits;
        encode_mcus(mcus, predictions, &STANDARD_CODES, raw, position);
    }

    fn emit(&mut self, restart: Option<[u8; 2]>, sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        self.bits.emit(restart, sink)
    }

    fn take(&mut self) -> Vec<PartialSegment> {
        self.bits.take_parts()
    }

    fn append(&mut self, parts: Vec<PartialSegment>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.append(&parts, sink)
    }

    fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.flush(sink)
    }

    fn end(&mut self, _before: &[ScanSpec], _pool: &Pool, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.finish(sink)
    }
}
