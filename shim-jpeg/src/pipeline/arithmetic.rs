//! Arithmetic coding of a scan (T.81 Annex D).

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::Error;
use crate::entropy::bits::{Bits, CHUNK, PartialSegment, Sink};
use crate::format::script::ScanSpec;
use crate::kernels::arithmetic::{Registers, Statistics, code_decisions, flush_registers};
use crate::kernels::decisions::{DcContexts, ac_decisions, dc_decisions_of_mcus, decisions_of_mcus};
use crate::kernels::mcu::{Mcus, Predictions, ScanComponent};
use crate::kernels::progressive::SpectralBand;
use crate::pipeline::plan::Plan;
use crate::pipeline::scan::{Coded, Emitter, spectral_band};
use crate::pipeline::scan_header::scan_header;
use shim_codec::pool::Pool;

/// Writes the bytes of a scan. A coder takes all MCUs of the scan: what it makes of some depends on those before them.
pub(crate) struct Arithmetic {
    plan: Arc<Plan>,
    spec: ScanSpec,
    coded: Coded,
    statistics: Box<Statistics>,
    contexts: DcContexts,
    registers: Registers,
    /// Memory for the decisions of MCUs.
    decisions: Vec<u16>,
    bits: Bits,
    /// Whether the header is written.
    begun: bool,
}

impl Arithmetic {
    /// Ends a restart interval or the scan (D.1.8): the next one knows nothing of it.
    fn end_interval(&mut self) {
        let Bits { raw, position, .. } = &mut self.bits;
        position.bytes = flush_registers(&mut self.registers, raw, position.bytes);
        *self.statistics = Statistics::default();
        self.contexts = DcContexts::default();
    }
}

impl Emitter for Arithmetic {
    type Part = Vec<PartialSegment>;

    const BATCH: usize = 4;

    fn new(plan: &Arc<Plan>, spec: &ScanSpec, _memory: Option<Self>) -> Self {
        Self {
            plan: Arc::clone(plan),
            spec: spec.clone(),
            coded: Coded::by(spec),
            statistics: Box::default(),
            contexts: DcContexts::default(),
            registers: Registers::default(),
            decisions: Vec::new(),
            bits: Bits::new(CHUNK),
            begun: false,
        }
    }

    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.clear();
        self.begun = true;
        sink(&scan_header(&self.plan, &self.spec, &[], &[]))
    }

    fn add(&mut self, mcus: &Mcus<'_>, first: ScanComponent, predictions: &mut Predictions) {
        let Self { coded, spec, statistics, contexts, registers, decisions: out, bits, .. } = self;
        let (Bits { raw, position, .. }, refines) = (bits, spec.refines());
        let band @ SpectralBand { al, .. } = spectral_band(spec);
        let count = match coded {
            Coded::Blocks => decisions_of_mcus(mcus, predictions, contexts, out),
            Coded::Dc => dc_decisions_of_mcus(mcus, predictions, contexts, al, refines, out),
            Coded::Ac => ac_decisions(
                first.blocks,
                mcus.range.clone(),
                mcus.coefficients,
                band,
                refines,
                first.table,
                out,
            ),
        };
        position.bytes = code_decisions(out, count, statistics, registers, raw, position.bytes);
    }

    fn emit(&mut self, restart: Option<[u8; 2]>, sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        if restart.is_some() {
            self.end_interval();
        }
        self.bits.emit(restart, sink)
    }

    fn take(&mut self) -> Vec<PartialSegment> {
        self.bits.take_parts()
    }

    fn append(&mut self, parts: Vec<PartialSegment>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.bits.append(&parts, sink)
    }

    fn end(&mut self, before: &[ScanSpec], _pool: &Pool, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.end_interval();
        if !core::mem::take(&mut self.begun) {
            sink(&scan_header(&self.plan, &self.spec, before, &[]))?;
            let parts = self.bits.take_parts();
            self.bits.append(&parts, sink)?;
        }
        self.bits.finish(sink)
    }
}
