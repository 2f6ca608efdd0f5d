//! Damage in the coded data of a JPEG file. Decoders make the best of it, and show an image that is not the file's.
//!
//! All codes are read, without the values that they give: Annexes F and G of T.81. What a progressive scan refines
//! depends on which coefficients the scans before it made nonzero, so these are kept, a bit each.

use std::fmt;

use super::anatomy::{Frame, Parameters, Process, Tables, intervals, read_frame, read_scan, read_tables};
use super::huffman::{Bits, Table};
use super::segments::{SOS, segments};

/// Fault of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An invalid code, or codes for more coefficients than a block has.
    Code,
    /// Fewer codes than the scan has blocks.
    Premature,
    /// Bytes behind the codes, before a marker.
    Extraneous(u64),
    /// A restart marker, and the one that belongs there.
    Restart(u8, u8),
    /// Restart markers: so many, and as many as belong there.
    Restarts(usize, usize),
}

impl Fault {
    /// Whether coded data that is cut off has it.
    pub(crate) fn is_of_truncation(self) -> bool {
        match self {
            Self::Premature => true,
            Self::Restarts(found, wanted) => found < wanted,
            Self::Code | Self::Extraneous(_) | Self::Restart(..) => false,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Code => f.write_str("invalid Huffman code"),
            Self::Premature => f.write_str("coded data ends before its last block"),
            Self::Extraneous(1) => f.write_str("1 extraneous byte before a marker"),
            Self::Extraneous(bytes) => write!(f, "{bytes} extraneous bytes before a marker"),
            Self::Restart(found, wanted) => write!(f, "restart marker RST{found} where RST{wanted} belongs"),
            Self::Restarts(found, wanted) => write!(f, "{found} restart markers instead of {wanted}"),
        }
    }
}

/// The first fault in the coded data of a complete file, and the number of its scan, from 1. None is found in files of
/// processes that are not read here.
pub(crate) fn fault(file: &[u8]) -> Option<(usize, Fault)> {
    let (mut tables, mut interval) = (Tables::default(), 0);
    let mut frame: Option<(Frame, Vec<Vec<u64>>)> = None;
    let mut scans = 0;
    for segment in segments(file) {
        match segment.marker {
            0xc4 => read_tables(segment.parameters, &mut tables)?,
            0xdd => interval = usize::from(u16::from_be_bytes(segment.parameters.try_into().ok()?)),
            0xc0..=0xcf => {
                let (_, read) = read_frame(&segment)?;
                let nonzero = vec![Vec::new(); read.components.len()];
                frame = Some((read, nonzero));
            }
            SOS => {
                scans += 1;
                let (frame, nonzero) = frame.as_mut()?;
                let scan = read_scan(segment.parameters, frame, interval)?;
                if frame.process == Process::Lossless {
                    return None;
                }
                let scan = ScanCodes { tables: &tables, scan };
                if let Err(fault) = scan.read(segment.coded, nonzero) {
                    return Some((scans, fault));
                }
            }
            _ => {}
        }
    }
    None
}

/// A scan and the tables that it refers to.
struct ScanCodes<'a> {
    tables: &'a Tables,
    scan: Parameters<'a>,
}

impl ScanCodes<'_> {
    fn read(&self, coded: &[u8], nonzero: &mut [Vec<u64>]) -> Result<(), Fault> {
        let scan = &self.scan;
        if scan.ss > scan.se || scan.se > 63 {
            return Err(Fault::Code);
        }
        let mcus = scan.mcus();
        let wanted = if scan.interval == 0 { 1 } else { mcus.div_ceil(scan.interval).max(1) };
        let found = intervals(coded);
        for (number, interval) in found.iter().enumerate().skip(1) {
            let next = ((number - 1) % 8) as u8;
            if let Some(marker) = interval.restart.filter(|&marker| marker != next) {
                return Err(Fault::Restart(marker, next));
            }
        }
        let (mut first, mut blocks) = (0, 0);
        for interval in &found {
            let mut bits = Bits::new(&interval.bytes);
            let last = if scan.interval == 0 { mcus } else { mcus.min(first + scan.interval) };
            let mut run = 0;
            for _ in first..last {
                for &(place, td, ta) in &scan.components {
                    for _ in 0..scan.units(place) {
                        let own = &mut nonzero[place];
                        match scan.frame.process {
                            Process::Progressive if scan.ss > 0 => {
                                if own.len() <= blocks {
                                    own.resize(blocks + 1, 0);
                                }
                                self.band(&mut bits, ta, &mut own[blocks], &mut run)?;
                                blocks += 1;
                            }
                            Process::Progressive if scan.ah > 0 => skip(&mut bits, 1)?,
                            Process::Progressive => self.difference(&mut bits, td)?,
                            _ => {
                                self.difference(&mut bits, td)?;
                                self.block(&mut bits, ta)?;
                            }
                        }
                    }
                }
            }
            first = last;
            let rest = (8 * interval.bytes.len() as u64).saturating_sub(bits.read()) / 8;
            if rest > 0 {
                return Err(Fault::Extraneous(rest));
            }
        }
        if found.len() == wanted { Ok(()) } else { Err(Fault::Restarts(found.len() - 1, wanted - 1)) }
    }

    fn table(&self, class: usize, table: usize) -> Result<&Table, Fault> {
        self.tables[class].get(table).and_then(Option::as_ref).ok_or(Fault::Code)
    }

    /// A DC difference: its category, and so many bits.
    fn difference(&self, bits: &mut Bits<'_>, table: usize) -> Result<(), Fault> {
        let category = symbol(bits, self.table(0, table)?)?;
        skip(bits, category.into())
    }

    /// The AC coefficients of a block of a sequential scan.
    fn block(&self, bits: &mut Bits<'_>, table: usize) -> Result<(), Fault> {
        let table = self.table(1, table)?;
        let mut k = 1;
        while k < 64 {
            let symbol = symbol(bits, table)?;
            match (symbol >> 4, symbol & 15) {
                (15, 0) => k += 16,
                (_, 0) => return Ok(()),
                (run, category) => {
                    k += u32::from(run) + 1;
                    skip(bits, category.into())?;
                }
            }
        }
        if k > 64 { Err(Fault::Code) } else { Ok(()) }
    }

    /// The coefficients of a band of a block. `run` are the blocks that an end of bands still covers.
    fn band(&self, bits: &mut Bits<'_>, table: usize, nonzero: &mut u64, run: &mut u64) -> Result<(), Fault> {
        let (mut k, se) = (u32::from(self.scan.ss), u32::from(self.scan.se));
        let refining = self.scan.ah > 0;
        let table = self.table(1, table)?;
        while *run == 0 && k <= se {
            let symbol = symbol(bits, table)?;
            let (zeros, category) = (symbol >> 4, symbol & 15);
            if category == 0 && zeros < 15 {
                *run = (1 << zeros) + value(bits, zeros)?;
                break;
            }
            skip(bits, category.into())?;
            k = pass(bits, k, se, zeros, if refining { *nonzero } else { 0 })?;
            if category > 0 {
                *nonzero |= 1_u64.checked_shl(k).filter(|_| k <= se).ok_or(Fault::Code)?;
            }
            k += 1;
        }
        if *run > 0 {
            *run -= 1;
            if refining {
                pass(bits, k, se, u8::MAX, *nonzero)?;
            }
        }
        Ok(())
    }
}

fn symbol(bits: &mut Bits<'_>, table: &Table) -> Result<u8, Fault> {
    bits.symbol(table).ok_or_else(|| if bits.is_at_end(16) { Fault::Premature } else { Fault::Code })
}

/// Passes over so many zeros and reads the bits of the nonzero coefficients among them; the place behind.
fn pass(bits: &mut Bits<'_>, mut k: u32, se: u32, mut zeros: u8, nonzero: u64) -> Result<u32, Fault> {
    while k <= se {
        if nonzero >> k & 1 == 1 {
            skip(bits, 1)?;
        } else if zeros == 0 {
            break;
        } else {
            zeros -= 1;
        }
        k += 1;
    }
    Ok(k)
}

fn skip(bits: &mut Bits<'_>, count: u64) -> Result<(), Fault> {
    bits.skip(count).ok_or(Fault::Premature)
}

/// The value of so many bits.
fn value(bits: &mut Bits<'_>, count: u8) -> Result<u64, Fault> {
    (0..count).try_fold(0, |value, _| Ok(value << 1 | u64::from(bits.bit().ok_or(Fault::Premature)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shim_jpeg::{ColorSpace, Encoder, Image, Predictor, Process, Restart, Subsampling};

    fn of(encoder: &Encoder) -> Vec<u8> {
        let samples: Vec<u8> = (0..83 * 61 * 3_u32).map(|i| (i * i % 251) as u8).collect();
        encoder.encode(&Image::rgb(&samples, 83, 61).unwrap()).unwrap()
    }

    /// Where the coded data of each scan begins.
    fn scans(file: &[u8]) -> Vec<usize> {
        let coded = segments(file).into_iter().filter(|segment| segment.marker == SOS);
        coded.map(|segment| segment.coded.as_ptr() as usize - file.as_ptr() as usize).collect()
    }

    #[test]
    fn whole_files_have_no_fault() {
        let progressive = || Encoder::new().process(Process::Progressive);
        for encoder in [
            Encoder::new(),
            Encoder::new().subsampling(Subsampling::S444).optimized(true),
            Encoder::new().subsampling(Subsampling::S411).restart(Restart::Mcus(3)),
            Encoder::new().color_space(ColorSpace::Gray).restart(Restart::Rows(1)),
            progressive(),
            progressive().quality(98).subsampling(Subsampling::S422),
            progressive().restart(Restart::Mcus(5)).subsampling(Subsampling::S440),
            progressive().color_space(ColorSpace::Rgb).restart(Restart::Rows(1)),
            Encoder::new().process(Process::lossless(Predictor::Plane)),
        ] {
            assert_eq!(fault(&of(&encoder)), None, "{encoder:?}");
        }
    }

    #[test]
    fn bytes_that_are_missing_or_too_many() {
        for encoder in [Encoder::new(), Encoder::new().process(Process::Progressive)] {
            let file = of(&encoder);
            let (starts, mut found) = (scans(&file), 0);
            for (number, &start) in starts.iter().enumerate() {
                let mut shorter = file.clone();
                shorter.drain(start..start + 2);
                // A scan may happen to have codes for all of its blocks.
                found += usize::from(fault(&shorter).is_some_and(|(scan, _)| scan > number));
                let end =
                    start + file[start..].windows(2).position(|two| two[0] == 0xff && two[1] != 0).unwrap();
                let mut longer = file.clone();
                longer.splice(end..end, [7; 3]);
                assert_eq!(fault(&longer), Some((number + 1, Fault::Extraneous(3))));
            }
            assert!(2 * found > starts.len(), "{found} of {}", starts.len());
        }
    }

    #[test]
    fn restart_markers_out_of_order() {
        let file = of(&Encoder::new().restart(Restart::Mcus(3)));
        let at = file.windows(2).position(|two| two == [0xff, 0xd1]).unwrap();
        let mut other = file.clone();
        other[at + 1] = 0xd4;
        assert_eq!(fault(&other), Some((1, Fault::Restart(4, 1))));
        let mut fewer = file;
        fewer.drain(at..at + 2);
        assert!(fault(&fewer).is_some());
        assert_eq!(
            [Fault::Restart(4, 1), Fault::Extraneous(1), Fault::Restarts(3, 4)]
                .map(|fault| fault.to_string()),
            [
                "restart marker RST4 where RST1 belongs",
                "1 extraneous byte before a marker",
                "3 restart markers instead of 4"
            ]
        );
    }

    /// Anything can be read.
    #[test]
    fn damaged_files() {
        for encoder in
            [Encoder::new(), Encoder::new().process(Process::Progressive).restart(Restart::Mcus(9))]
        {
            let file = of(&encoder);
            let mut found = 0;
            for at in (0..file.len()).step_by(7) {
                let mut damaged = file.clone();
                damaged[at] ^= 0x5a;
                found += usize::from(fault(&damaged).is_some());
                let _ = fault(&damaged[..at]);
            }
            assert!(found > file.len() / 7 / 3, "{found}");
        }
    }
}
