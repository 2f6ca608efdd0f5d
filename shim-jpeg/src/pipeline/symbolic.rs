//! Scans of which all symbols are found before the first is coded, so that tables can be made that fit them.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::Error;
use crate::entropy::bits::{Bits, Piece, Pieces, Sink};
use crate::entropy::optimal;
use crate::format::frame::{Frame, MAX_COMPONENTS};
use crate::format::marker;
use crate::format::restart::{Intervals, Restart};
use crate::format::script::ScanSpec;
use crate::kernels::progressive::{
    Band, EndOfBand, MAX_AC_SYMBOLS, ac_first, ac_refine, dc_first, dc_refine, end_of_band,
};
use crate::kernels::symbols::{
    Assigned, MAX_BLOCK_SYMBOLS, RAW, SYMBOL_SLACK, SymbolComponent, VALUES, additional_bits, count, pack,
    put_symbols, symbols_of_mcus,
};
use crate::kernels::tables::{
    CHROMINANCE_AC, CHROMINANCE_DC, HuffmanSpecification, LUMINANCE_AC, LUMINANCE_DC,
};
use crate::kernels::tile::Blocks;
use crate::pipeline::plan::Plan;
use crate::pool::Pool;
use crate::transform::segment::Segment;

/// Symbols that are packed or coded at a time.
const CHUNK: usize = 1 << 14;

/// The bytes that a symbol takes at most: a code of 16 bits, and 16 additional ones.
const SYMBOL_BYTES: usize = 4;

/// The symbols of a scan or of a part of it, and where restarts divide them.
#[derive(Clone, Debug)]
pub(crate) struct Symbols {
    /// The symbols as [`pack`] makes them, and their additional bits that are apart, with a half word after them.
    packed: Vec<u16>,
    apart: Vec<u16>,
    /// Number of symbols before each restart, and its marker.
    restarts: Vec<(usize, [u8; 2])>,
}

/// How often the values of each table occur, as [`count`] counts them.
#[derive(Clone, Debug)]
pub(crate) struct Counts(Box<[u32; 2 * VALUES]>);

impl Default for Symbols {
    fn default() -> Self {
        Self { packed: Vec::new(), apart: vec![0], restarts: Vec::new() }
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self(Box::new([0; 2 * VALUES]))
    }
}

impl Counts {
    /// How often each value of all tables occurs.
    pub(crate) fn times(&self) -> Vec<u64> {
        let (even, odd) = self.0.split_at(VALUES);
        even.iter().zip(odd).map(|(&even, &odd)| u64::from(even) + u64::from(odd)).collect()
    }

    /// The bytes of the symbols as a scan of one component with a table made for them, with its header, if each of them
    /// stands for so many.
    pub(crate) fn scan_bytes(&self, weight: u64) -> u64 {
        /// The bytes of a scan's header of one component, and of a table's but its values.
        const HEADERS: [u64; 2] = [10, 21];
        let (mut bits, mut bytes) = (0, HEADERS[0]);
        for (table, times) in (0..).zip(self.times().as_chunks::<256>().0) {
            bits += (0..).zip(times).map(|(v, n)| n * u64::from(additional_bits(table, v))).sum::<u64>();
            if table != RAW && times.iter().any(|&n| n > 0) {
                let table = optimal::table(times);
                let sizes = table.codes().ehufsi;
                bits += times.iter().zip(sizes).map(|(n, size)| n * u64::from(size)).sum::<u64>();
                bytes += HEADERS[1] + table.values.len() as u64;
            }
        }
        bytes + weight * bits / 8
    }
}

impl Symbols {
    /// Adds symbols.
    fn push(&mut self, symbols: &[u32], counts: &mut Counts) {
        for symbols in symbols.chunks(CHUNK) {
            count(symbols, &mut counts.0);
            let (start, last) = (self.packed.len(), self.apart.len() - 1);
            self.packed.resize(start + symbols.len(), 0);
            self.apart.resize(last + symbols.len() + 1, 0);
            let apart = pack(symbols, &mut self.packed[start..], &mut self.apart[last..]);
            self.apart.truncate(last + apart + 1);
        }
    }

    /// Forgets all symbols, but not their memory.
    fn clear(&mut self) {
        self.packed.clear();
        self.apart.truncate(1);
        self.restarts.clear();
    }

    /// Codes the symbols: some at a time are appended to `bits` and `flushed`, and before a restart it is given the
    /// marker.
    fn put(
        &self,
        assigned: &Assigned,
        bits: &mut Bits,
        mut flushed: impl FnMut(&mut Bits, Option<[u8; 2]>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut start, mut apart) = (0, 0);
        let ends = self.restarts.iter().map(|&(end, marker)| (end, Some(marker)));
        for (end, marker) in ends.chain([(self.packed.len(), None)]) {
            for chunk in self.packed[start..end].chunks(CHUNK) {
                let Bits { raw, position, .. } = &mut *bits;
                apart += put_symbols(chunk, &self.apart[apart..], assigned, raw, position);
                flushed(bits, None)?;
            }
            if marker.is_some() {
                flushed(bits, marker)?;
            }
            start = end;
        }
        Ok(())
    }

    /// The bits of the symbols by their codes.
    fn pieces(&self, assigned: &Assigned) -> Vec<Piece> {
        let mut bits = Bits::new(CHUNK.min(self.packed.len()) * SYMBOL_BYTES);
        let mut pieces = Pieces::default();
        let result = self.put(assigned, &mut bits, |bits, restart| {
            pieces.add(bits, restart);
            Ok(())
        });
        debug_assert!(result.is_ok(), "taking bits does not fail");
        pieces.take(&mut bits)
    }
}

/// Collects the symbols of a scan.
pub(crate) struct SymbolicScan {
    spec: ScanSpec,
    components: Vec<SymbolComponent>,
    intervals: Intervals,
    eob: EndOfBand,
    /// Symbols that are not packed yet, and memory for more.
    recent: Vec<u32>,
    /// How many they are.
    end: usize,
    symbols: Symbols,
    counts: Counts,
}

impl SymbolicScan {
    pub(crate) fn new(frame: &Frame, spec: &ScanSpec, restart: Restart) -> Self {
        // With one component, an MCU is one block whatever H and V say (A.2.2).
        let single = spec.components.len() == 1;
        let components = spec.components.iter().map(|&c| {
            let component = frame.components[usize::from(c)];
            let (h, v) = if single { (1, 1) } else { (component.h, component.v) };
            SymbolComponent { h, v, table: component.table.into(), ..SymbolComponent::default() }
        });
        Self {
            components: components.collect(),
            spec: spec.clone(),
            intervals: Intervals::new(interval(frame, spec, restart)),
            eob: EndOfBand::default(),
            recent: Vec::new(),
            end: 0,
            symbols: Symbols::default(),
            counts: Counts::default(),
        }
    }

    /// Takes the memory of a scan whose symbols are no longer wanted.
    pub(crate) fn with_memory(mut self, other: Option<Self>) -> Self {
        if let Some(Self { recent, mut symbols, .. }) = other {
            symbols.clear();
            (self.recent, self.symbols) = (recent, symbols);
        }
        self
    }

    /// Goes to an MCU of an interleaved scan, before which the components' DC was `predictions`.
    pub(crate) fn seek(&mut self, mcu: usize, predictions: &[i32]) {
        self.intervals.seek(mcu);
        for (component, &pred) in self.components.iter_mut().zip(predictions) {
            component.pred = pred;
        }
    }

    /// Ends the scan, and shows all symbols and how often each occurs.
    pub(crate) fn end(&mut self) -> (&Symbols, &Counts) {
        self.end_of_band();
        self.pack();
        (&self.symbols, &self.counts)
    }

    /// The symbols that were found since they were last taken. The memory for more stays here.
    pub(crate) fn take(&mut self) -> (Symbols, Counts) {
        self.end();
        let symbols = self.symbols.clone();
        self.symbols.clear();
        (symbols, core::mem::take(&mut self.counts))
    }

    /// Adds the symbols of a row of MCUs, segment after segment.
    pub(crate) fn row(&mut self, segments: &[Segment]) {
        let [c] = self.spec.components[..] else {
            for segment in segments {
                self.segment(segment, 0..segment.mcus);
            }
            return;
        };
        // Not interleaved: row after row of blocks, without those that only complete MCUs.
        let c = usize::from(c);
        let rows = segments.first().map_or(0, |segment| segment.blocks[c].high);
        for row in 0..rows {
            for segment in segments {
                let blocks = Blocks { row, high: 1, ..segment.blocks[c] };
                self.components[0].blocks = blocks;
                self.mcus(segment, 0..blocks.wide);
            }
        }
    }

    /// Adds the symbols of MCUs of a segment, interleaved.
    pub(crate) fn segment(&mut self, segment: &Segment, mcus: Range<usize>) {
        for (component, &c) in self.components.iter_mut().zip(&self.spec.components) {
            component.blocks = segment.blocks[usize::from(c)];
        }
        self.mcus(segment, mcus);
    }

    /// Adds the symbols of MCUs of the components' blocks.
    fn mcus(&mut self, segment: &Segment, mcus: Range<usize>) {
        let mut coded = mcus.start;
        while coded < mcus.end {
            let (count, marker) = self.intervals.take(mcus.end - coded);
            if let Some(marker) = marker {
                self.end();
                self.symbols.restarts.push((self.symbols.packed.len(), marker));
                for component in &mut self.components {
                    component.pred = 0;
                }
            }
            self.add(segment, coded..coded + count);
            coded += count;
        }
    }

    /// Adds the symbols of MCUs that no restart divides.
    fn add(&mut self, segment: &Segment, mcus: Range<usize>) {
        let blocks = mcus.len() * self.components.iter().map(|c| c.h * c.v).sum::<usize>();
        let needed = self.end + blocks * MAX_BLOCK_SYMBOLS.max(MAX_AC_SYMBOLS) + SYMBOL_SLACK;
        if self.recent.len() < needed {
            self.recent.resize(needed, 0);
        }
        let coefficients = &segment.coefficients;
        let ScanSpec { ss, se, al, .. } = self.spec;
        let band = Band { ss: ss.into(), se: se.into(), al: al.into() };
        let SymbolComponent { blocks, table, .. } = self.components[0];
        let (components, table) = (&mut self.components, 2 + table);
        let (all, end) = (&mut self.recent, self.end);
        self.end = match (ss, self.spec.refines()) {
            (0, false) if se == 63 => end + symbols_of_mcus(components, coefficients, mcus, &mut all[end..]),
            (0, false) => end + dc_first(components, coefficients, mcus, band.al, &mut all[end..]),
            (0, true) => end + dc_refine(components, coefficients, mcus, band.al, &mut all[end..]),
            (_, false) => ac_first(blocks, mcus, coefficients, band, table, &mut self.eob, all, end),
            (_, true) => ac_refine(blocks, mcus, coefficients, band, table, &mut self.eob, all, end),
        };
        if self.end > CHUNK {
            self.pack();
        }
    }

    fn end_of_band(&mut self) {
        let table = 2 + self.components[0].table;
        end_of_band(&mut self.eob, table, &mut self.recent);
    }

    /// Packs the symbols before those of a run of ended blocks that goes on, whose own is not known yet.
    fn pack(&mut self) {
        let known = if self.eob.run > 0 { self.eob.place } else { self.end };
        self.symbols.push(&self.recent[..known], &mut self.counts);
        self.recent.copy_within(known..self.end, 0);
        self.end -= known;
        self.eob.place = 0;
    }
}

/// Ri of a scan.
pub(crate) fn interval(frame: &Frame, spec: &ScanSpec, restart: Restart) -> u16 {
    restart.interval(match spec.components[..] {
        [c] => frame.components[usize::from(c)].blocks_wide,
        _ => frame.mcus_wide(),
    })
}

/// Writes a scan whose symbols are those of `parts`, one after the other, and occur as often as `times` says: the
/// tables that it uses, made for it or the typical ones unless one of the scans `before` it has used them, its header,
/// and its bits.
pub(crate) fn write(
    plan: &Plan,
    spec: &ScanSpec,
    before: &[ScanSpec],
    parts: &[&Symbols],
    times: &[u64],
    pool: &Pool,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let mut header = Vec::new();
    let mut assigned = Assigned::default();
    for (class, destination, table) in tables(plan, spec, times) {
        let there = |scan: &ScanSpec| used(plan, scan).any(|used| used == (class, destination));
        if plan.optimized || !before.iter().any(there) {
            marker::huffman_table(&mut header, class, destination, &table);
        }
        let codes = table.codes();
        assigned.assign(u32::from(2 * class + destination), &codes.ehufco, &codes.ehufsi);
    }
    let interval = interval(&plan.frame, spec, plan.restart);
    if interval != before.last().map_or(0, |scan| self::interval(&plan.frame, scan, plan.restart)) {
        marker::restart_interval(&mut header, interval);
    }
    marker::start_of_scan(&mut header, &plan.frame, spec);
    sink(&header)?;

    let mut bits = Bits::new(CHUNK * SYMBOL_BYTES);
    if pool.threads() > 1 && parts.len() > 1 {
        for pieces in pool.map(parts, |symbols| symbols.pieces(&assigned)) {
            for piece in &pieces {
                bits.add(piece, sink)?;
            }
        }
        return bits.finish(sink);
    }
    for symbols in parts {
        symbols.put(&assigned, &mut bits, |bits, restart| match restart {
            Some(marker) => bits.restart(marker, sink),
            None => bits.flush(sink),
        })?;
    }
    bits.finish(sink)
}

/// Class Tc and destination Th of the tables that a scan uses, in the order of the components; some more than once.
fn used(plan: &Plan, spec: &ScanSpec) -> impl Iterator<Item = (u8, u8)> {
    let classes = [spec.ss == 0 && !spec.refines(), spec.se > 0];
    spec.components.iter().flat_map(move |&c| {
        let destination = plan.frame.components[usize::from(c)].table;
        (0..).zip(classes).filter(|&(_, used)| used).map(move |(class, _)| (class, destination))
    })
}

/// The tables that a scan uses, with their class and destination.
fn tables(plan: &Plan, spec: &ScanSpec, times: &[u64]) -> Vec<(u8, u8, HuffmanSpecification)> {
    let mut tables = Vec::with_capacity(MAX_COMPONENTS);
    for (class, destination) in used(plan, spec) {
        if tables.iter().any(|&(c, d, _)| (c, d) == (class, destination)) {
            continue;
        }
        let typical = [[&LUMINANCE_DC, &CHROMINANCE_DC], [&LUMINANCE_AC, &CHROMINANCE_AC]];
        let table = if plan.optimized {
            optimal::table(&times.as_chunks().0[usize::from(2 * class + destination)])
        } else {
            typical[usize::from(class)][usize::from(destination)].clone()
        };
        tables.push((class, destination, table));
    }
    tables
}
