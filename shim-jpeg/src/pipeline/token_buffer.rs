//! Token buffer: a scan whose tokens are found before the first is coded, so that its Huffman tables fit them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::Error;
use crate::entropy::bits::Sink;
use crate::entropy::tokens::{CHUNK, Counts, Tokens};
use crate::format::script::ScanSpec;
use crate::kernels::mcu::{Mcus, Predictions, ScanComponent};
use crate::kernels::progressive::{EndOfBand, ac_first, ac_refine, end_of_band};
use crate::kernels::tokens::{Assigned, dc_tokens_of_mcus, tokens_of_mcus};
use crate::pipeline::plan::Plan;
use crate::pipeline::scan::{Coded, Emitter, spectral_band};
use crate::pipeline::scan_header::{HuffmanTable, scan_header, tables};
use shim_codec::pool::Pool;

/// Tokens that are kept in memory that grows.
const PART: usize = 1 << 15;

/// Collects the tokens of a scan.
pub(crate) struct TokenBuffer {
    plan: Arc<Plan>,
    spec: ScanSpec,
    coded: Coded,
    eob: EndOfBand,
    /// The AC table of the scan's only component.
    table: u32,
    /// Tokens that are not packed yet, and memory for more.
    recent: Vec<u32>,
    /// Number of tokens in `recent`.
    end: usize,
    tokens: Tokens,
    /// Tokens before those, in memory of their size.
    parts: Vec<Tokens>,
    counts: Counts,
}

impl TokenBuffer {
    /// The number of times that each value occurs.
    pub(crate) fn counts(&mut self) -> &mut Counts {
        self.complete();
        &mut self.counts
    }

    /// Ends a run of ended blocks, and packs all tokens.
    fn complete(&mut self) {
        end_of_band(&mut self.eob, self.table, &mut self.recent);
        self.pack();
    }

    /// Packs the tokens before the one of a run of ended blocks that goes on, which is not known yet.
    fn pack(&mut self) {
        let known = if self.eob.run > 0 { self.eob.place } else { self.end };
        self.tokens.push(&self.recent[..known], &mut self.counts);
        if self.tokens.len() > PART {
            self.end_part();
        }
        self.recent.copy_within(known..self.end, 0);
        self.end -= known;
        self.eob.place = 0;
    }

    /// Moves the tokens to a part, and keeps their memory for more.
    fn end_part(&mut self) {
        self.parts.push(self.tokens.clone());
        self.tokens.clear();
    }
}

impl Emitter for TokenBuffer {
    type Part = (Vec<Tokens>, Counts);

    const BATCH: usize = usize::MAX;

    fn new(plan: &Arc<Plan>, spec: &ScanSpec, memory: Option<Self>) -> Self {
        let first = plan.frame.components[usize::from(spec.components[0])];
        let (recent, mut tokens) =
            memory.map(|Self { recent, tokens, .. }| (recent, tokens)).unwrap_or_default();
        tokens.clear();
        Self {
            plan: Arc::clone(plan),
            spec: spec.clone(),
            coded: Coded::by(spec),
            eob: EndOfBand::default(),
            table: 2 + u32::from(first.table),
            recent,
            end: 0,
            tokens,
            parts: Vec::new(),
            counts: Counts::default(),
        }
    }

    fn begin(&mut self, _sink: &mut Sink<'_>) -> Result<(), Error> {
        (self.eob, self.end) = (EndOfBand::default(), 0);
        self.tokens.clear();
        self.parts.clear();
        self.counts = Counts::default();
        Ok(())
    }

    fn add(&mut self, mcus: &Mcus<'_>, first: ScanComponent, predictions: &mut Predictions) {
        let Self { coded, spec, recent, end, table, eob, .. } = self;
        let (refines, band) = (spec.refines(), spectral_band(spec));
        *end = match coded {
            Coded::Blocks => tokens_of_mcus(mcus, predictions, recent, *end),
            Coded::Dc => dc_tokens_of_mcus(mcus, predictions, band.al, refines, recent, *end),
            Coded::Ac => {
                let (range, coefficients) = (mcus.range.clone(), mcus.coefficients);
                let tokens_of = if refines { ac_refine } else { ac_first };
                tokens_of(first.blocks, range, coefficients, band, *table, eob, recent, *end)
            }
        };
    }

    fn emit(&mut self, restart: Option<[u8; 2]>, _sink: Option<&mut Sink<'_>>) -> Result<(), Error> {
        if let Some(marker) = restart {
            self.complete();
            self.tokens.restart(marker);
        } else if self.end > CHUNK {
            self.pack();
        }
        Ok(())
    }

    fn take(&mut self) -> Self::Part {
        self.complete();
        self.end_part();
        (core::mem::take(&mut self.parts), core::mem::take(&mut self.counts))
    }

    fn append(&mut self, (tokens, mut counts): Self::Part, _sink: &mut Sink<'_>) -> Result<(), Error> {
        self.counts().append(&mut counts);
        self.end_part();
        self.parts.extend(tokens);
        Ok(())
    }

    fn end(&mut self, before: &[ScanSpec], pool: &Pool, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.complete();
        let times = self.plan.optimized.then(|| self.counts.times());
        let tables = tables(&self.plan, &self.spec, times);
        sink(&scan_header(&self.plan, &self.spec, before, &tables))?;
        let mut assigned = Assigned::default();
        for HuffmanTable { class, destination, specification } in &tables {
            let codes = specification.codes();
            assigned.assign(u32::from(2 * class + destination), &codes.ehufco, &codes.ehufsi);
        }
        let mut bits = Tokens::bits();
        if pool.threads() > 1 && self.parts.len() > 1 {
            let put = |tokens: &Tokens| {
                let mut bits = Tokens::bits();
                tokens.put(&assigned, &mut bits, None).map(|()| bits.take_parts())
            };
            for part in pool.map(&self.parts, put) {
                bits.append(&part?, sink)?;
            }
        } else {
            for tokens in &self.parts {
                tokens.put(&assigned, &mut bits, Some(&mut *sink))?;
            }
        }
        self.tokens.put(&assigned, &mut bits, Some(&mut *sink))?;
        bits.finish(sink)
    }
}
