//! Scans of which all symbols are found before the first is coded, so that tables can be made that fit them.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::Error;
use crate::entropy::bits::{Bits, Piece, Sink};
use crate::entropy::optimal;
use crate::format::frame::{Frame, MAX_COMPONENTS};
use crate::format::marker;
use crate::format::restart::{Intervals, Restart};
use crate::format::script::ScanSpec;
use crate::kernels::bits::LENGTH_BITS;
use crate::kernels::progressive::{
    Band, EndOfBand, MAX_AC_SYMBOLS, ac_first, ac_refine, dc_first, dc_refine, end_of_band,
};
use crate::kernels::symbols::{
    Assigned, MAX_BLOCK_SYMBOLS, SYMBOL_SLACK, SymbolComponent, VALUES, additional_bits, count, put_symbols,
    symbols_of_mcus,
};
use crate::kernels::tables::{
    CHROMINANCE_AC, CHROMINANCE_DC, HuffmanSpecification, LUMINANCE_AC, LUMINANCE_DC,
};
use crate::pipeline::plan::Plan;
use crate::pool::Pool;
use crate::transform::segment::Segment;

/// Symbols that are coded at a time.
const CHUNK: usize = 1 << 14;

/// The bytes that a symbol takes at most: a code of 16 bits, and 16 additional ones.
const SYMBOL_BYTES: usize = 4;

/// The symbols of a scan or of a part of it, and where restarts divide them.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// The symbols, and memory for more.
    words: Vec<u32>,
    end: usize,
    /// Number of symbols before each restart, and its marker.
    restarts: Vec<(usize, [u8; 2])>,
}

impl Symbols {
    /// Memory for so many symbols more; it grows by what it is, so that little of it is cleared twice.
    fn reserve(&mut self, symbols: usize) {
        let needed = self.end + symbols;
        if self.words.len() < needed {
            self.words.resize(needed.max(2 * self.words.len()), 0);
        }
    }

    /// The symbols without the memory.
    fn all(&self) -> &[u32] {
        &self.words[..self.end]
    }

    /// Counts the values of each table.
    fn counts(&self) -> Box<[u32; 2 * VALUES]> {
        let mut counts = Box::new([0; 2 * VALUES]);
        count(self.all(), &mut counts);
        counts
    }

    /// The bytes of the symbols as a scan of one component with a table made for them, with its header, if each of them stands
    /// for so many.
    pub(crate) fn scan_bytes(&self, weight: u64) -> u64 {
        /// The bytes of a scan's header of one component, and of a table's but its values.
        const HEADERS: [u64; 2] = [10, 21];
        let counts = self.counts();
        let (mut bits, mut bytes) = (additional_bits(self.all()), HEADERS[0]);
        // Symbols of RAW have no table.
        for (even, odd) in counts[..VALUES - 256].chunks(256).zip(counts[VALUES..].chunks(256)) {
            let times: [u64; 256] = core::array::from_fn(|v| u64::from(even[v]) + u64::from(odd[v]));
            if times.iter().any(|&n| n > 0) {
                let table = optimal::table(&times);
                let sizes = table.codes().ehufsi;
                bits += times.iter().zip(sizes).map(|(n, size)| n * u64::from(size)).sum::<u64>();
                bytes += HEADERS[1] + table.values.len() as u64;
            }
        }
        bytes + weight * bits / 8
    }

    /// The bits of the symbols by their codes.
    fn pieces(&self, assigned: &Assigned) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(self.restarts.len() + 1);
        let (mut start, mut marker) = (0, None);
        let ends = self.restarts.iter().map(|&(end, marker)| (end, Some(marker)));
        for (end, next) in ends.chain([(self.end, None)]) {
            let mut bits = Bits::new((end - start) * SYMBOL_BYTES);
            put_symbols(&self.words[start..end], assigned, &mut bits.raw, &mut bits.position);
            pieces.push(bits.take(marker, Vec::new()));
            (start, marker) = (end, next);
        }
        pieces
    }
}

/// Collects the symbols of a scan.
pub(crate) struct SymbolicScan {
    spec: ScanSpec,
    components: Vec<SymbolComponent>,
    intervals: Intervals,
    eob: EndOfBand,
    symbols: Symbols,
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
            symbols: Symbols::default(),
        }
    }

    /// Takes memory of symbols that are no longer wanted.
    pub(crate) fn with_memory(mut self, symbols: Symbols) -> Self {
        self.symbols = Symbols { end: 0, restarts: Vec::new(), ..symbols };
        self
    }

    /// Goes to an MCU of an interleaved scan, before which the components' DC was `predictions`.
    pub(crate) fn seek(&mut self, mcu: usize, predictions: &[i32]) {
        self.intervals.seek(mcu);
        for (component, &pred) in self.components.iter_mut().zip(predictions) {
            component.pred = pred;
        }
    }

    /// The symbols that were found.
    pub(crate) fn end(mut self) -> Symbols {
        self.end_of_band();
        self.symbols
    }

    /// The symbols that were found since they were last taken. The memory for more stays here.
    pub(crate) fn take(&mut self) -> Symbols {
        self.end_of_band();
        let words = self.symbols.all().to_vec();
        let end = core::mem::take(&mut self.symbols.end);
        Symbols { words, end, restarts: core::mem::take(&mut self.symbols.restarts) }
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
        let rows = segments.first().map_or(0, |segment| segment.parts[c].blocks_high);
        for row in 0..rows {
            for segment in segments {
                let mut part = segment.parts[c];
                part.first += row * part.tiles;
                part.blocks_high = 1;
                self.components[0].part = part;
                self.mcus(segment, 0..part.blocks_wide);
            }
        }
    }

    /// Adds the symbols of MCUs of a segment, interleaved.
    pub(crate) fn segment(&mut self, segment: &Segment, mcus: Range<usize>) {
        for (component, &c) in self.components.iter_mut().zip(&self.spec.components) {
            component.part = segment.parts[usize::from(c)];
        }
        self.mcus(segment, mcus);
    }

    /// Adds the symbols of MCUs of the components' parts.
    fn mcus(&mut self, segment: &Segment, mcus: Range<usize>) {
        let mut coded = mcus.start;
        while coded < mcus.end {
            let (count, marker) = self.intervals.take(mcus.end - coded);
            if let Some(marker) = marker {
                self.end_of_band();
                self.symbols.restarts.push((self.symbols.end, marker));
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
        self.symbols.reserve(blocks * MAX_BLOCK_SYMBOLS.max(MAX_AC_SYMBOLS) + SYMBOL_SLACK);
        let coefficients = &segment.coefficients;
        let ScanSpec { ss, se, al, .. } = self.spec;
        let band = Band { ss: ss.into(), se: se.into(), al: al.into() };
        let SymbolComponent { part, table, .. } = self.components[0];
        let (components, table) = (&mut self.components, 2 + table);
        let (all, end) = (&mut self.symbols.words, self.symbols.end);
        self.symbols.end = match (ss, self.spec.refines()) {
            (0, false) if se == 63 => end + symbols_of_mcus(components, coefficients, mcus, &mut all[end..]),
            (0, false) => end + dc_first(components, coefficients, mcus, band.al, &mut all[end..]),
            (0, true) => end + dc_refine(components, coefficients, mcus, band.al, &mut all[end..]),
            (_, false) => ac_first(part, mcus, coefficients, band, table, &mut self.eob, all, end),
            (_, true) => ac_refine(part, mcus, coefficients, band, table, &mut self.eob, all, end),
        };
    }

    fn end_of_band(&mut self) {
        let table = 2 + self.components[0].table;
        end_of_band(&mut self.eob, table, &mut self.symbols.words);
    }
}

/// Ri of a scan.
pub(crate) fn interval(frame: &Frame, spec: &ScanSpec, restart: Restart) -> u16 {
    restart.interval(match spec.components[..] {
        [c] => frame.components[usize::from(c)].blocks_wide,
        _ => frame.mcus_wide(),
    })
}

/// Writes a scan whose symbols are those of `parts`, one after the other: the tables that it uses, made for it or the typical
/// ones unless one of the scans `before` it has used them, its header, and its bits.
pub(crate) fn write(
    plan: &Plan,
    spec: &ScanSpec,
    before: &[ScanSpec],
    parts: &[Symbols],
    pool: &Pool,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let mut header = Vec::new();
    let mut assigned = Assigned::new([0; VALUES]);
    for (class, destination, table) in tables(plan, spec, parts, pool) {
        let there = |scan: &ScanSpec| used(plan, scan).any(|used| used == (class, destination));
        if plan.optimized || !before.iter().any(there) {
            marker::huffman_table(&mut header, class, destination, &table);
        }
        assigned.assign(2 * class + destination, &table);
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
        let mut start = 0;
        let ends = symbols.restarts.iter().map(|&(end, marker)| (end, Some(marker)));
        for (end, marker) in ends.chain([(symbols.end, None)]) {
            for chunk in symbols.words[start..end].chunks(CHUNK) {
                put_symbols(chunk, &assigned, &mut bits.raw, &mut bits.position);
                bits.flush(sink)?;
            }
            if let Some(marker) = marker {
                bits.restart(marker, sink)?;
            }
            start = end;
        }
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
fn tables(
    plan: &Plan,
    spec: &ScanSpec,
    parts: &[Symbols],
    pool: &Pool,
) -> Vec<(u8, u8, HuffmanSpecification)> {
    let counts = if plan.optimized { pool.map(parts, Symbols::counts) } else { Vec::new() };
    let mut tables = Vec::with_capacity(MAX_COMPONENTS);
    for (class, destination) in used(plan, spec) {
        if tables.iter().any(|&(c, d, _)| (c, d) == (class, destination)) {
            continue;
        }
        let typical = [[&LUMINANCE_DC, &CHROMINANCE_DC], [&LUMINANCE_AC, &CHROMINANCE_AC]];
        let table = if plan.optimized {
            let first = 256 * usize::from(2 * class + destination);
            let halves = |value: usize| [first + value, VALUES + first + value];
            let sum =
                |value| counts.iter().flat_map(|c| halves(value).map(|place| u64::from(c[place]))).sum();
            optimal::table(&core::array::from_fn(sum))
        } else {
            typical[usize::from(class)][usize::from(destination)].clone()
        };
        tables.push((class, destination, table));
    }
    tables
}

impl Assigned {
    /// Takes the codes of a table, by its number.
    fn assign(&mut self, table: u8, specification: &HuffmanSpecification) {
        let codes = specification.codes();
        let own = &mut self.codes[256 * usize::from(table)..][..256];
        for ((own, &code), &length) in own.iter_mut().zip(&codes.ehufco).zip(&codes.ehufsi) {
            *own = u32::from(code) << LENGTH_BITS | u32::from(length);
        }
    }
}
