//! Arithmetic coding of a scan (T.81 Annex D).

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::Error;
use crate::entropy::bits::{Bits, CHUNK, PartialSegment, Sink};
use crate::format::script::ScanSpec;
use crate::kernels::arithmetic::{Registers, Statistics, code_decisions, flush_registers};
use crate::kernels::decisions::{
    DcContexts, ScanComponent, ac_decisions, dc_decisions_of_mcus, decisions_of_mcus,
};
use crate::kernels::prefetch::Prefetch;
use crate::pipeline::plan::Plan;
use crate::pipeline::scan::{Emitter, spectral_band};
use crate::pipeline::scan_header::scan_header;
use crate::transform::mcu_run::McuRun;
use shim_codec::pool::Pool;

/// Writes the bytes of a scan. A coder takes all MCUs of the scan: what it makes of some depends on those before them.
pub(crate) struct Arithmetic {
    plan: Arc<Plan>,
    spec: ScanSpec,
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

    fn add(
        &mut self,
        components: &mut [ScanComponent],
        run: &McuRun,
        mcus: Range<usize>,
        _prefetch: &Prefetch<'_>,
    ) {
        let Self {
            statistics, contexts, registers, decisions: out, bits: Bits { raw, position, .. }, ..
        } = self;
        let (coefficients, columns, refines) = (&run.coefficients, run.columns, self.spec.refines());
        let band = spectral_band(&self.spec);
        let count = match (band.ss, band.se, components) {
            (0, 63, components) => decisions_of_mcus(components, contexts, coefficients, mcus, columns, out),
            (0, _, components) => {
                dc_decisions_of_mcus(components, contexts, coefficients, mcus, columns, band.al, refines, out)
            }
            (.., [ScanComponent { blocks, table, .. }, ..]) => {
                ac_decisions(*blocks, mcus, coefficients, band, refines, *table, out)
            }
            (.., []) => 0,
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
