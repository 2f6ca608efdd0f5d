//! Marker segments (T.81 Annex B, the JFIF APP0 segment of T.871, and the Adobe APP14 segment).

use alloc::vec;
use alloc::vec::Vec;

use crate::format::frame::Frame;
use crate::format::metadata::Metadata;
use crate::format::quality::QuantizationTable;
use crate::format::script::ScanSpec;
use crate::input::color::ColorSpace;
use crate::kernels::tables::HuffmanSpecification;
use crate::kernels::zigzag::zigzag_table;
use crate::{Density, Error};

/// Start of image.
const SOI: u8 = 0xd8;
/// JFIF application segment.
const APP0: u8 = 0xe0;
/// Adobe application segment.
const APP14: u8 = 0xee;
/// Define quantization tables.
const DQT: u8 = 0xdb;
/// Define Huffman tables.
const DHT: u8 = 0xc4;
/// Define arithmetic coding conditioning.
const DAC: u8 = 0xcc;
/// Define a restart interval.
const DRI: u8 = 0xdd;
/// Start of scan.
const SOS: u8 = 0xda;
/// End of image.
pub(crate) const END_OF_IMAGE: [u8; 2] = [0xff, 0xd9];

/// Frame type: the last byte of its marker `SOFn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// SOF0.
    Baseline = 0xc0,
    /// SOF1, with Huffman coding.
    Extended = 0xc1,
    /// SOF2, with Huffman coding.
    Progressive = 0xc2,
    /// SOF3, with Huffman coding.
    Lossless = 0xc3,
    /// SOF9: sequential, with arithmetic coding.
    ExtendedArithmetic = 0xc9,
    /// SOF10.
    ProgressiveArithmetic = 0xca,
}

/// Everything before the first scan: SOI, application segments and comments, DQT (but of the lossless process, which
/// has no `tables`) and `SOFn`.
///
/// # Errors
///
/// Those of metadata that does not fit.
pub(crate) fn headers(
    frame: &Frame,
    kind: FrameKind,
    tables: &[QuantizationTable],
    metadata: &Metadata,
) -> Result<Vec<u8>, Error> {
    let mut out = vec![0xff, SOI];
    match frame.space {
        ColorSpace::Gray | ColorSpace::YCbCr => jfif(&mut out, metadata.density),
        ColorSpace::Rgb | ColorSpace::Cmyk => adobe(&mut out, 0),
        ColorSpace::Ycck => adobe(&mut out, 2),
    }
    for (marker, contents) in metadata.segments()? {
        segment(&mut out, marker, &contents);
    }
    // A table for luminance, and one for chrominance if the frame has it.
    let destinations = if frame.components.iter().any(|c| c.table == 1) { 2 } else { 1 };
    for (tq, table) in (0..).zip(tables.iter().take(destinations)) {
        quantization(&mut out, tq, table);
    }
    start_of_frame(&mut out, frame, kind);
    Ok(out)
}

/// A marker, the length of its segment with the length's own two bytes, and its parameters.
fn segment(out: &mut Vec<u8>, marker: u8, parameters: &[u8]) {
    let length = (parameters.len() + 2) as u16;
    out.extend([0xff, marker]);
    out.extend(length.to_be_bytes());
    out.extend(parameters);
}

/// JFIF 1.01: the density, and no thumbnail.
fn jfif(out: &mut Vec<u8>, density: Density) {
    let (unit, h, v) = density.fields();
    let mut parameters = b"JFIF\0\x01\x01".to_vec();
    parameters.push(unit);
    parameters.extend(h.to_be_bytes());
    parameters.extend(v.to_be_bytes());
    parameters.extend([0, 0]);
    segment(out, APP0, &parameters);
}

/// Adobe segment, version 100 (Adobe Technical Note 5116): no flags, and the color transform: 0 for RGB or CMYK, 2 for
/// YCCK.
fn adobe(out: &mut Vec<u8>, transform: u8) {
    segment(out, APP14, &[b'A', b'd', b'o', b'b', b'e', 0, 100, 0, 0, 0, 0, transform]);
}

/// DQT (B.2.4.1): Pq, 1 if elements need 16 bits, and the elements in zigzag order.
fn quantization(out: &mut Vec<u8>, tq: u8, table: &QuantizationTable) {
    let mut zz = [0; 64];
    zigzag_table(table, &mut zz);
    let parameters = if zz.iter().all(|&q| q <= 255) {
        [tq].into_iter().chain(zz.iter().map(|&q| q as u8)).collect::<Vec<_>>()
    } else {
        [1 << 4 | tq].into_iter().chain(zz.iter().flat_map(|q| q.to_be_bytes())).collect()
    };
    segment(out, DQT, &parameters);
}

/// `SOFn` (B.2.2): P, Y, X, Nf, and for each component C, H, V and Tq.
fn start_of_frame(out: &mut Vec<u8>, frame: &Frame, kind: FrameKind) {
    let mut parameters = vec![frame.bits];
    parameters.extend((frame.height as u16).to_be_bytes());
    parameters.extend((frame.width as u16).to_be_bytes());
    parameters.push(frame.components.len() as u8);
    for component in &frame.components {
        let tq = if kind == FrameKind::Lossless { 0 } else { component.table };
        parameters.extend([component.id, (component.h << 4 | component.v) as u8, tq]);
    }
    segment(out, kind as u8, &parameters);
}

/// DHT (B.2.4.2): class Tc, destination Th, BITS and HUFFVAL.
pub(crate) fn huffman_table(out: &mut Vec<u8>, tc: u8, th: u8, table: &HuffmanSpecification) {
    let mut parameters = vec![tc << 4 | th];
    parameters.extend(table.bits);
    parameters.extend(table.values.iter());
    segment(out, DHT, &parameters);
}

/// DAC (B.2.4.3): class Tc and destination Tb of tables, with the default conditioning: L = 0 and U = 1 for DC, Kx = 5
/// for AC. Without tables there is no segment.
pub(crate) fn arithmetic_conditioning(out: &mut Vec<u8>, tables: &[(u8, u8)]) {
    let parameters = tables.iter().flat_map(|&(tc, tb)| [tc << 4 | tb, if tc == 0 { 0x10 } else { 5 }]);
    if !tables.is_empty() {
        segment(out, DAC, &parameters.collect::<Vec<_>>());
    }
}

/// DRI (B.2.4.4): Ri.
pub(crate) fn restart_interval(out: &mut Vec<u8>, ri: u16) {
    segment(out, DRI, &ri.to_be_bytes());
}

/// SOS (B.2.3): Ns, for each component Cs, Td and Ta, and Ss, Se, Ah and Al. A table that the scan does not use is 0.
pub(crate) fn start_of_scan(out: &mut Vec<u8>, frame: &Frame, scan: &ScanSpec) {
    let mut parameters = vec![scan.components.len() as u8];
    for &c in &scan.components {
        let component = &frame.components[usize::from(c)];
        let td = if scan.ss == 0 && !scan.refines() { component.table } else { 0 };
        let ta = if scan.se > 0 { component.table } else { 0 };
        parameters.extend([component.id, td << 4 | ta]);
    }
    parameters.extend([scan.ss, scan.se, scan.ah << 4 | scan.al]);
    segment(out, SOS, &parameters);
}

/// SOS of the lossless process (Table B.3): Ss is the predictor, Se and Ah are 0, and Al is Pt.
pub(crate) fn start_of_lossless_scan(out: &mut Vec<u8>, frame: &Frame, predictor: u8, pt: u8) {
    let mut parameters = vec![frame.components.len() as u8];
    for component in &frame.components {
        parameters.extend([component.id, component.table << 4]);
    }
    parameters.extend([predictor, 0, pt]);
    segment(out, SOS, &parameters);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::quality::Quality;

    /// The markers of `headers`, with the parameters of each.
    fn segments(mut bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
        let mut found = Vec::new();
        assert_eq!(bytes[..2], [0xff, SOI]);
        bytes = &bytes[2..];
        while let [0xff, marker, high, low, ..] = *bytes {
            let length = usize::from(u16::from_be_bytes([high, low]));
            found.push((marker, bytes[4..2 + length].to_vec()));
            bytes = &bytes[2 + length..];
        }
        assert!(bytes.is_empty());
        found
    }

    fn of(space: ColorSpace, factors: &[[u8; 2]]) -> Vec<(u8, Vec<u8>)> {
        let frame = Frame::new([300, 5], 8, space, factors).unwrap();
        let tables = Quality::new(75).unwrap().tables(crate::format::quality::BASELINE);
        segments(&headers(&frame, FrameKind::Baseline, &tables, &Metadata::default()).unwrap())
    }

    fn order(found: &[(u8, Vec<u8>)]) -> Vec<u8> {
        found.iter().map(|(marker, _)| *marker).collect()
    }

    #[test]
    fn a_color_file_has_two_tables() {
        let found = of(ColorSpace::YCbCr, &[[2, 1], [1, 1], [1, 1]]);
        assert_eq!(order(&found), [APP0, DQT, DQT, 0xc0]);
        assert_eq!(found[3].1, [8, 0, 5, 1, 44, 3, 1, 0x21, 0, 2, 0x11, 1, 3, 0x11, 1]);
    }

    #[test]
    fn a_gray_file_has_one_table() {
        let found = of(ColorSpace::Gray, &[[2, 2]]);
        assert_eq!(order(&found), [APP0, DQT, 0xc0]);
        assert_eq!(found[2].1, [8, 0, 5, 1, 44, 1, 1, 0x11, 0]);
    }

    #[test]
    fn what_is_not_jfif_says_so() {
        let found = of(ColorSpace::Ycck, &[[1, 1]; 4]);
        assert_eq!(order(&found), [APP14, DQT, DQT, 0xc0]);
        assert_eq!(found[0].1, *b"Adobe\0\x64\0\0\0\0\x02");
        let found = of(ColorSpace::Rgb, &[[1, 1]; 3]);
        assert_eq!(order(&found), [APP14, DQT, 0xc0]);
        assert_eq!(found[2].1[6..], [b'R', 0x11, 0, b'G', 0x11, 0, b'B', 0x11, 0]);
    }

    #[test]
    fn quantization_elements_are_in_zigzag_order() {
        let mut out = Vec::new();
        quantization(&mut out, 1, &std::array::from_fn(|i| i as u16));
        assert_eq!(out[..11], [0xff, DQT, 0, 67, 1, 0, 1, 8, 16, 9, 2]);
        let mut out = Vec::new();
        quantization(&mut out, 1, &std::array::from_fn(|i| 255 + i as u16));
        assert_eq!(out[..9], [0xff, DQT, 0, 131, 0x11, 0, 255, 1, 0]);
    }

    #[test]
    fn a_scan_names_only_tables_that_it_uses() {
        let frame = Frame::new([300, 5], 8, ColorSpace::YCbCr, &[[2, 2], [1, 1], [1, 1]]).unwrap();
        let of = |scan: ScanSpec| {
            let mut out = Vec::new();
            start_of_scan(&mut out, &frame, &scan);
            out[4..].to_vec()
        };
        assert_eq!(of(ScanSpec::whole(vec![0, 1, 2])), [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
        assert_eq!(of(ScanSpec::new(&[0, 1], [0, 0], [0, 1])), [2, 1, 0x00, 2, 0x10, 0, 0, 0x01]);
        assert_eq!(of(ScanSpec::new(&[1], [1, 63], [2, 1])), [1, 2, 0x01, 1, 63, 0x21]);
        assert_eq!(of(ScanSpec::new(&[0, 2], [0, 0], [1, 0])), [2, 1, 0x00, 3, 0x00, 0, 0, 0x10]);
    }
}
