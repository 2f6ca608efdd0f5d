//! Scans of which all symbols are found before the first is coded, so that tables can be made that fit them.

use crate::Error;
use crate::direct::{Bits, Sink};
use crate::frame::{Frame, MAX_COMPONENTS};
use crate::kernels::huffman::LENGTH_BITS;
use crate::kernels::progressive::{
    Band, EndOfBand, MAX_AC_SYMBOLS, ac_first, ac_refine, dc_first, dc_refine, end_of_band,
};
use crate::kernels::symbols::{
    Assigned, MAX_BLOCK_SYMBOLS, SYMBOL_SLACK, SymbolComponent, VALUES, count, put_symbols, symbols_of_mcus,
};
use crate::marker;
use crate::optimal;
use crate::restart::{Intervals, Restart};
use crate::script::ScanSpec;
use crate::segment::Segment;
use crate::tables::{CHROMINANCE_AC, CHROMINANCE_DC, HuffmanSpecification, LUMINANCE_AC, LUMINANCE_DC};

/// Symbols that are coded at a time.
const CHUNK: usize = 1 << 14;

/// The bytes that a symbol takes at most: a code of 16 bits, and 16 additional ones.
const SYMBOL_BYTES: usize = 4;

/// The symbols of a scan as they are found.
pub(crate) struct SymbolicScan<'f> {
    frame: &'f Frame,
    spec: ScanSpec,
    components: Vec<SymbolComponent>,
    interval: u16,
    intervals: Intervals,
    eob: EndOfBand,
    /// The symbols, and memory for more.
    symbols: Vec<u32>,
    end: usize,
    /// How many symbols stand before each restart, and its marker.
    restarts: Vec<(usize, [u8; 2])>,
}

impl<'f> SymbolicScan<'f> {
    pub(crate) fn new(frame: &'f Frame, spec: &ScanSpec, restart: Restart) -> Self {
        // With one component, an MCU is one block whatever H and V say (A.2.2).
        let single = spec.components.len() == 1;
        let components = spec.components.iter().map(|&c| {
            let component = frame.components[usize::from(c)];
            let (h, v) = if single { (1, 1) } else { (component.h, component.v) };
            SymbolComponent { h, v, table: component.table.into(), ..SymbolComponent::default() }
        });
        let mcus_wide = match spec.components[..] {
            [c] => frame.components[usize::from(c)].blocks_wide,
            _ => frame.mcus_wide(),
        };
        let interval = restart.interval(mcus_wide);
        Self {
            frame,
            components: components.collect(),
            spec: spec.clone(),
            interval,
            intervals: Intervals::new(interval),
            eob: EndOfBand::default(),
            symbols: Vec::new(),
            end: 0,
            restarts: Vec::new(),
        }
    }

    /// Adds the symbols of a row of MCUs, segment after segment.
    pub(crate) fn row(&mut self, segments: &[Segment]) {
        let [c] = self.spec.components[..] else {
            for segment in segments {
                for (component, &c) in self.components.iter_mut().zip(&self.spec.components) {
                    component.part = segment.parts[usize::from(c)];
                }
                self.mcus(segment, segment.mcus);
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
                self.mcus(segment, part.blocks_wide);
            }
        }
    }

    /// Adds the symbols of MCUs of the components' parts.
    fn mcus(&mut self, segment: &Segment, mcus: usize) {
        let mut coded = 0;
        while coded < mcus {
            let (count, marker) = self.intervals.take(mcus - coded);
            if let Some(marker) = marker {
                self.end_of_band();
                self.restarts.push((self.end, marker));
                for component in &mut self.components {
                    component.pred = 0;
                }
            }
            self.add(segment, coded..coded + count);
            coded += count;
        }
    }

    /// Adds the symbols of MCUs that no restart divides.
    fn add(&mut self, segment: &Segment, mcus: std::ops::Range<usize>) {
        let blocks = mcus.len() * self.components.iter().map(|c| c.h * c.v).sum::<usize>();
        self.reserve(blocks * MAX_BLOCK_SYMBOLS.max(MAX_AC_SYMBOLS) + SYMBOL_SLACK);
        let coefficients = &segment.coefficients;
        let ScanSpec { ss, se, al, .. } = self.spec;
        let band = Band { ss: ss.into(), se: se.into(), al: al.into() };
        let SymbolComponent { part, table, .. } = self.components[0];
        let (components, table) = (&mut self.components, 2 + table);
        let (all, end) = (&mut self.symbols, self.end);
        self.end = match (ss, self.spec.refines()) {
            (0, false) if se == 63 => end + symbols_of_mcus(components, coefficients, mcus, &mut all[end..]),
            (0, false) => end + dc_first(components, coefficients, mcus, band.al, &mut all[end..]),
            (0, true) => end + dc_refine(components, coefficients, mcus, band.al, &mut all[end..]),
            (_, false) => ac_first(part, mcus, coefficients, band, table, &mut self.eob, all, end),
            (_, true) => ac_refine(part, mcus, coefficients, band, table, &mut self.eob, all, end),
        };
    }

    /// Memory for so many symbols more; it grows by what it is, so that little of it is cleared twice.
    fn reserve(&mut self, symbols: usize) {
        let needed = self.end + symbols;
        if self.symbols.len() < needed {
            self.symbols.resize(needed.max(2 * self.symbols.len()), 0);
        }
    }

    fn end_of_band(&mut self) {
        let table = 2 + self.components[0].table;
        end_of_band(&mut self.eob, table, &mut self.symbols);
    }

    /// Writes the scan: the tables that it uses, made for it or the typical ones, its header, and its bits. `interval` is that
    /// of the scan before.
    pub(crate) fn write(
        mut self,
        optimised: bool,
        interval: &mut u16,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        self.end_of_band();
        let symbols = &self.symbols[..self.end];
        let mut header = Vec::new();
        let mut assigned = Assigned { codes: Box::new([0; VALUES]) };
        for (class, destination, table) in self.tables(optimised, symbols) {
            marker::huffman_table(&mut header, class, destination, &table);
            assigned.assign(2 * class + destination, &table);
        }
        if *interval != self.interval {
            *interval = self.interval;
            marker::restart_interval(&mut header, self.interval);
        }
        marker::start_of_scan(&mut header, self.frame, &self.spec);
        sink(&header)?;

        let mut bits = Bits::new(CHUNK * SYMBOL_BYTES);
        let mut start = 0;
        let ends = self.restarts.iter().map(|&(end, marker)| (end, Some(marker)));
        for (end, marker) in ends.chain([(symbols.len(), None)]) {
            for chunk in symbols[start..end].chunks(CHUNK) {
                put_symbols(chunk, &assigned, &mut bits.raw, &mut bits.position);
                bits.flush(sink)?;
            }
            bits.finish(sink)?;
            sink(marker.as_ref().map_or(&[], |marker| &marker[..]))?;
            start = end;
        }
        Ok(())
    }

    /// The tables that the scan uses, with their class Tc and destination Th, in the order of the components.
    fn tables(&self, optimised: bool, symbols: &[u32]) -> Vec<(u8, u8, HuffmanSpecification)> {
        let mut counts = [0; 2 * VALUES];
        if optimised {
            count(symbols, &mut counts);
        }
        let mut tables = Vec::with_capacity(MAX_COMPONENTS);
        for component in &self.components {
            for class in 0..2 {
                let used =
                    if class == 0 { self.spec.ss == 0 && !self.spec.refines() } else { self.spec.se > 0 };
                let destination = component.table as u8;
                if !used || tables.iter().any(|&(c, d, _)| (c, d) == (class, destination)) {
                    continue;
                }
                let typical = [[&LUMINANCE_DC, &CHROMINANCE_DC], [&LUMINANCE_AC, &CHROMINANCE_AC]];
                let table = if optimised {
                    let first = 256 * usize::from(2 * class + destination);
                    let value =
                        |v: usize| u64::from(counts[first + v]) + u64::from(counts[VALUES + first + v]);
                    optimal::table(&std::array::from_fn(value))
                } else {
                    typical[usize::from(class)][usize::from(destination)].clone()
                };
                tables.push((class, destination, table));
            }
        }
        tables
    }
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
