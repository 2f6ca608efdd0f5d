//! Where the bits of a JPEG file go, found by reading its codes (T.81 Annexes F, G and H) without their values.

use super::huffman::{Bits, Table};
use super::segments::{SOS, Segment, segments};

/// The bits of a file by what they are for. Together they are the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Anatomy {
    /// baseline, extended, progressive or lossless.
    pub process: &'static str,
    /// Markers, frame and scan headers, and restart intervals.
    pub headers: u64,
    /// Application segments and comments.
    pub metadata: u64,
    /// Quantization tables.
    pub quantization_tables: u64,
    /// Huffman tables.
    pub huffman_tables: u64,
    /// Coded coefficients.
    pub components: Vec<ComponentBits>,
    /// Stuffed bytes, restart markers and the bits before these and at the ends of scans. The bits at the end of a
    /// progressive AC scan are counted as its component's.
    pub padding: u64,
    /// Data behind the image.
    pub trailing: u64,
    /// Each scan by itself.
    pub scans: Vec<Scan>,
}

/// The bits of one component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ComponentBits {
    /// Y, Cb, Cr, R, G, B, or a number.
    pub name: String,
    /// DC coefficients; of lossless files the differences, which are all.
    pub dc: u64,
    /// AC coefficients.
    pub ac: u64,
}

/// One scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Scan {
    /// The places of its components in the frame.
    pub components: Vec<usize>,
    /// Ss and Se.
    pub band: [u8; 2],
    /// Ah and Al.
    pub bits: [u8; 2],
    /// Coded data, without the header.
    pub bytes: usize,
}

/// The Huffman tables for DC and AC.
pub(crate) type Tables = [[Option<Table>; 4]; 2];

/// The parameters of a frame header.
pub(crate) struct Frame {
    pub(crate) process: Process,
    width: usize,
    height: usize,
    /// C, H and V of each component.
    pub(crate) components: Vec<[usize; 3]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Process {
    Sequential,
    Progressive,
    Lossless,
}

/// The parameters of a scan.
pub(crate) struct Parameters<'a> {
    pub(crate) frame: &'a Frame,
    /// Of each component its place in the frame and its tables for DC and AC.
    pub(crate) components: Vec<(usize, usize, usize)>,
    pub(crate) ss: u8,
    pub(crate) se: u8,
    pub(crate) ah: u8,
    pub(crate) interval: usize,
}

/// The anatomy of a whole file; none of one that this knows no process for, or whose codes are wrong.
pub fn dissect(file: &[u8]) -> Option<Anatomy> {
    let segments = segments(file);
    let mut anatomy = Anatomy { headers: 32, ..Anatomy::default() };
    let mut tables = Tables::default();
    let mut interval = 0;
    let mut frame = None;
    let adobe =
        segments.iter().any(|s| s.marker == 0xee && s.parameters.starts_with(b"Adobe\0\x64\0\0\0\0\0"));
    for segment in &segments {
        let bits = 8 * (segment.parameters.len() as u64 + 4);
        match segment.marker {
            0xdb => anatomy.quantization_tables += bits,
            0xc4 => {
                anatomy.huffman_tables += bits;
                read_tables(segment.parameters, &mut tables)?;
            }
            0xe0..=0xef | 0xfe => anatomy.metadata += bits,
            0xdd => {
                anatomy.headers += bits;
                interval = usize::from(u16::from_be_bytes(segment.parameters.try_into().ok()?));
            }
            0xc0..=0xcf => {
                anatomy.headers += bits;
                let (name, read) = read_frame(segment)?;
                anatomy.process = name;
                anatomy.components = names(read.components.len(), adobe);
                frame = Some(read);
            }
            SOS => {
                anatomy.headers += bits;
                let parameters = read_scan(segment.parameters, frame.as_ref()?, interval)?;
                anatomy.scans.push(Scan {
                    components: parameters.components.iter().map(|&(c, ..)| c).collect(),
                    band: [parameters.ss, parameters.se],
                    bits: [parameters.ah, segment.parameters.last()? & 15],
                    bytes: segment.coded.len(),
                });
                count(&parameters, segment.coded, &tables, &mut anatomy)?;
            }
            _ => anatomy.headers += bits,
        }
    }
    if anatomy.scans.is_empty() {
        return None;
    }
    let counted = anatomy.total();
    anatomy.trailing = (8 * file.len() as u64).checked_sub(counted)?;
    Some(anatomy)
}

impl Anatomy {
    /// The bits of the file.
    pub fn total(&self) -> u64 {
        let coded: u64 = self.components.iter().map(|c| c.dc + c.ac).sum();
        let tables = self.quantization_tables + self.huffman_tables;
        self.headers + self.metadata + tables + coded + self.padding + self.trailing
    }
}

/// The components of a frame of so many.
fn names(components: usize, adobe: bool) -> Vec<ComponentBits> {
    let known: &[&str] = match (components, adobe) {
        (1, _) => &["Y"],
        (3, false) => &["Y", "Cb", "Cr"],
        (3, true) => &["R", "G", "B"],
        _ => &[],
    };
    let name = |c: usize| known.get(c).map_or_else(|| c.to_string(), |&name| name.to_owned());
    (0..components).map(|c| ComponentBits { name: name(c), ..ComponentBits::default() }).collect()
}

pub(crate) fn read_tables(mut rest: &[u8], tables: &mut Tables) -> Option<()> {
    while let [tc_th, after @ ..] = rest {
        let (table, length) = Table::read(after)?;
        *tables.get_mut(usize::from(tc_th >> 4))?.get_mut(usize::from(tc_th & 15))? = Some(table);
        rest = &after[length..];
    }
    Some(())
}

pub(crate) fn read_frame(segment: &Segment<'_>) -> Option<(&'static str, Frame)> {
    let (name, process) = match segment.marker {
        0xc0 => ("baseline", Process::Sequential),
        0xc1 => ("extended", Process::Sequential),
        0xc2 => ("progressive", Process::Progressive),
        0xc3 => ("lossless", Process::Lossless),
        _ => return None,
    };
    let [_, y1, y0, x1, x0, _, components @ ..] = segment.parameters else { return None };
    let components = components.as_chunks::<3>().0.iter();
    let components: Vec<_> = components.map(|&[c, hv, _]| [c, hv >> 4, hv & 15].map(usize::from)).collect();
    if components.is_empty() || components.iter().any(|&[_, h, v]| h == 0 || v == 0) {
        return None;
    }
    let (width, height) = (u16::from_be_bytes([*x1, *x0]), u16::from_be_bytes([*y1, *y0]));
    Some((name, Frame { process, width: width.into(), height: height.into(), components }))
}

pub(crate) fn read_scan<'a>(parameters: &[u8], frame: &'a Frame, interval: usize) -> Option<Parameters<'a>> {
    let (&ns, rest) = parameters.split_first()?;
    let (selectors, rest) = rest.split_at_checked(2 * usize::from(ns))?;
    let &[ss, se, ah_al] = rest else { return None };
    let component = |&[cs, td_ta]: &[u8; 2]| {
        let place = frame.components.iter().position(|&[c, ..]| c == usize::from(cs))?;
        Some((place, usize::from(td_ta >> 4), usize::from(td_ta & 15)))
    };
    let components: Option<Vec<_>> = selectors.as_chunks().0.iter().map(component).collect();
    let components = components.filter(|components| !components.is_empty())?;
    Some(Parameters { frame, components, ss, se, ah: ah_al >> 4, interval })
}

impl Parameters<'_> {
    /// The MCUs of the scan.
    pub(crate) fn mcus(&self) -> usize {
        let Frame { process, width, height, ref components } = *self.frame;
        let unit = if process == Process::Lossless { 1 } else { 8 };
        let most = |axis: usize| components.iter().map(|c| c[axis]).max().unwrap_or(1);
        let (h_max, v_max) = (most(1), most(2));
        if let [(place, ..)] = self.components[..] {
            let [_, h, v] = components[place];
            (width * h).div_ceil(h_max).div_ceil(unit) * (height * v).div_ceil(v_max).div_ceil(unit)
        } else {
            width.div_ceil(unit * h_max) * height.div_ceil(unit * v_max)
        }
    }

    /// The data units of component `place` in an MCU.
    pub(crate) fn units(&self, place: usize) -> usize {
        let [_, h, v] = self.frame.components[place];
        if self.components.len() == 1 { 1 } else { h * v }
    }
}

/// Adds the bits of a scan.
fn count(scan: &Parameters<'_>, coded: &[u8], tables: &Tables, anatomy: &mut Anatomy) -> Option<()> {
    let table = |class: usize, destination: usize| tables[class].get(destination)?.as_ref();
    let mut left = scan.mcus();
    for interval in intervals(coded) {
        // The marker before it.
        anatomy.padding += 8 * interval.overhead;
        let mut bits = Bits::new(&interval.bytes);
        let mcus = if scan.interval == 0 { left } else { left.min(scan.interval) };
        left -= mcus;
        if scan.frame.process == Process::Progressive && scan.ss > 0 {
            let [(place, ..)] = scan.components[..] else { return None };
            anatomy.components[place].ac += 8 * interval.bytes.len() as u64;
            continue;
        }
        for _ in 0..mcus {
            for &(place, td, ta) in &scan.components {
                for _ in 0..scan.units(place) {
                    let component = &mut anatomy.components[place];
                    let before = bits.read();
                    match scan.frame.process {
                        Process::Progressive if scan.ah > 0 => bits.skip(1)?,
                        _ => dc(&mut bits, table(0, td)?)?,
                    }
                    let between = bits.read();
                    component.dc += between - before;
                    if scan.frame.process == Process::Sequential {
                        ac(&mut bits, table(1, ta)?)?;
                        component.ac += bits.read() - between;
                    }
                }
            }
        }
        anatomy.padding += 8 * interval.bytes.len() as u64 - bits.read();
    }
    (left == 0).then_some(())
}

/// Passes over a DC difference: its category, and so many bits, none for the category 16 of lossless files.
fn dc(bits: &mut Bits<'_>, table: &Table) -> Option<()> {
    match bits.symbol(table)? {
        16 => Some(()),
        category => bits.skip(category.into()),
    }
}

/// Passes over the AC coefficients of a block: runs of zeros and categories, up to EOB or the last coefficient.
fn ac(bits: &mut Bits<'_>, table: &Table) -> Option<()> {
    let mut k = 1;
    while k < 64 {
        let symbol = bits.symbol(table)?;
        match (symbol >> 4, symbol & 15) {
            (15, 0) => k += 16,
            (_, 0) => break,
            (run, category) => {
                k += run + 1;
                bits.skip(category.into())?;
            }
        }
    }
    Some(())
}

/// The coded data of a restart interval.
pub(crate) struct Interval {
    /// The number of the restart marker before it, if there is one.
    pub(crate) restart: Option<u8>,
    /// Without stuffed zeros.
    pub(crate) bytes: Vec<u8>,
    /// Bytes of the marker before it, and stuffed zeros.
    overhead: u64,
}

/// Coded data, cut at its restart markers.
pub(crate) fn intervals(coded: &[u8]) -> Vec<Interval> {
    let mut found = vec![Interval { restart: None, bytes: Vec::new(), overhead: 0 }];
    let mut rest = coded;
    loop {
        let current = found.last_mut().expect("there is one from the beginning");
        match rest {
            [] => return found,
            [0xff, 0, after @ ..] => {
                current.bytes.push(0xff);
                current.overhead += 1;
                rest = after;
            }
            [0xff, marker @ 0xd0..=0xd7, after @ ..] => {
                found.push(Interval { restart: Some(marker - 0xd0), bytes: Vec::new(), overhead: 2 });
                rest = after;
            }
            // A fill byte before a marker.
            [0xff, after @ ..] => {
                current.overhead += 1;
                rest = after;
            }
            _ => {
                let plain = rest.iter().position(|&byte| byte == 0xff).unwrap_or(rest.len());
                current.bytes.extend(&rest[..plain]);
                rest = &rest[plain..];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shim_jpeg::{ColorSpace, Encoder, Image, Predictor, Process, Restart, Subsampling};

    fn of(encoder: &Encoder) -> (Anatomy, usize) {
        let samples: Vec<u8> = (0..83 * 61 * 3_u32).map(|i| (i * i % 251) as u8).collect();
        let file = encoder.encode(&Image::rgb(&samples, 83, 61).unwrap()).unwrap();
        (dissect(&file).unwrap(), file.len())
    }

    #[test]
    fn every_bit_is_counted_once() {
        let usual = Encoder::new;
        for encoder in [
            usual(),
            usual().subsampling(Subsampling::S444),
            usual().subsampling(Subsampling::S411).restart(Restart::Mcus(3)),
            usual().sampling_factors(&[[4, 4], [2, 1], [1, 2]]),
            usual().optimized(true).color_space(ColorSpace::Gray),
            usual().process(Process::Progressive).restart(Restart::Rows(1)),
            usual().process(Process::Progressive).subsampling(Subsampling::S422),
            usual()
                .process(Process::Progressive)
                .color_space(ColorSpace::Rgb)
                .comment(b"hi")
                .icc_profile(&vec![7; 70_000]),
        ] {
            let (anatomy, bytes) = of(&encoder);
            assert_eq!((anatomy.total(), anatomy.trailing), (8 * bytes as u64, 0), "{encoder:?}");
            assert!(anatomy.components.iter().all(|c| c.dc > 0 && c.ac > 0));
            // Less than a byte for each interval, one for each 0xFF, and the markers of the restarts.
            assert!(anatomy.padding < 8 * bytes as u64 / 16, "{anatomy:?}");
        }
    }

    #[test]
    fn every_bit_of_a_lossless_file_is_counted_once() {
        for encoder in [
            Encoder::new().process(Process::lossless(Predictor::Plane)),
            Encoder::new()
                .process(Process::Lossless { predictor: Predictor::Left, point_transform: 1 })
                .restart(Restart::Rows(2)),
        ] {
            let (anatomy, bytes) = of(&encoder);
            assert_eq!(
                (anatomy.process, anatomy.total(), anatomy.trailing),
                ("lossless", 8 * bytes as u64, 0)
            );
            assert!(anatomy.components.iter().all(|c| c.dc > 0 && c.ac == 0));
            assert!(anatomy.padding < 8 * bytes as u64 / 16, "{anatomy:?}");
        }
    }

    #[test]
    fn processes_and_components_have_their_names() {
        let named = |encoder: &Encoder| {
            let (anatomy, _) = of(encoder);
            let names: Vec<_> = anatomy.components.into_iter().map(|c| c.name).collect();
            (anatomy.process, names.join(" "), anatomy.scans.len())
        };
        assert_eq!(named(&Encoder::new()), ("baseline", "Y Cb Cr".to_owned(), 1));
        assert_eq!(
            named(&Encoder::new().process(Process::Progressive)),
            ("progressive", "Y Cb Cr".to_owned(), 10)
        );
        assert_eq!(named(&Encoder::new().color_space(ColorSpace::Rgb)).1, "R G B");
        assert_eq!(named(&Encoder::new().color_space(ColorSpace::Gray)).1, "Y");
    }

    #[test]
    fn a_flat_image_is_a_code_for_each_coefficient_of_dc_and_an_eob() {
        let file = Encoder::new().encode(&Image::gray(&[128; 64 * 8], 64, 8).unwrap()).unwrap();
        let anatomy = dissect(&file).unwrap();
        // Category 0 of luminance's DC is 00, EOB of AC 1010 (Tables K.3 and K.5): 48 bits, no padding.
        assert_eq!(anatomy.components, [ComponentBits { name: "Y".to_owned(), dc: 16, ac: 32 }]);
        assert_eq!((anatomy.padding, anatomy.scans[0].bytes), (0, 6));
    }

    #[test]
    fn what_follows_the_image_is_not_the_images() {
        let mut file = Encoder::new().encode(&Image::gray(&[128; 64], 8, 8).unwrap()).unwrap();
        file.extend(b"and more");
        assert_eq!(dissect(&file).unwrap().trailing, 64);
    }

    #[test]
    fn damaged_files_have_no_anatomy() {
        let file = Encoder::new().encode(&Image::gray(&[7; 64 * 64], 64, 64).unwrap()).unwrap();
        for length in 0..file.len() - 2 {
            assert_eq!(dissect(&file[..length]), None, "{length}");
        }
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                let _ = dissect(&damaged);
            }
        }
    }
}
