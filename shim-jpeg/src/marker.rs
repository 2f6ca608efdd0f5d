//! Marker segments (T.81 Annex B, and the JFIF APP0 segment of T.871).

use crate::frame::Frame;
use crate::kernels::zigzag::zigzag_table;
use crate::quality::QuantisationTable;
use crate::tables::{CHROMINANCE_AC, CHROMINANCE_DC, HuffmanSpecification, LUMINANCE_AC, LUMINANCE_DC};

/// Start of image.
const SOI: u8 = 0xd8;
/// The application segment of JFIF.
const APP0: u8 = 0xe0;
/// Define quantisation tables.
const DQT: u8 = 0xdb;
/// Start of a baseline frame.
const SOF0: u8 = 0xc0;
/// Define Huffman tables.
const DHT: u8 = 0xc4;
/// Start of scan.
const SOS: u8 = 0xda;
/// End of image.
const EOI: u8 = 0xd9;

/// Everything before the coded data: SOI, APP0, DQT, SOF0, DHT and SOS.
pub(crate) fn headers(frame: &Frame, tables: &[QuantisationTable; 2]) -> Vec<u8> {
    // One pair of tables for luminance, and one for chrominance if the frame has it.
    let destinations = if frame.components.len() == 1 { 1 } else { 2 };
    let mut out = vec![0xff, SOI];
    application(&mut out);
    for (tq, table) in (0..).zip(&tables[..destinations]) {
        quantisation(&mut out, tq, table);
    }
    start_of_frame(&mut out, frame);
    let huffman = [[LUMINANCE_DC, LUMINANCE_AC], [CHROMINANCE_DC, CHROMINANCE_AC]];
    for (th, classes) in (0..).zip(&huffman[..destinations]) {
        for (tc, table) in (0..).zip(classes) {
            huffman_table(&mut out, tc, th, table);
        }
    }
    start_of_scan(&mut out, frame);
    out
}

/// What ends the file.
pub(crate) fn end_of_image() -> [u8; 2] {
    [0xff, EOI]
}

/// A marker, the length of its segment with the length's own two bytes, and its parameters.
fn segment(out: &mut Vec<u8>, marker: u8, parameters: &[u8]) {
    let length = (parameters.len() + 2) as u16;
    out.extend([0xff, marker]);
    out.extend(length.to_be_bytes());
    out.extend(parameters);
}

/// JFIF 1.01: no unit of density, square pixels, no thumbnail.
fn application(out: &mut Vec<u8>) {
    segment(out, APP0, b"JFIF\0\x01\x01\x00\x00\x01\x00\x01\x00\x00");
}

/// DQT (B.2.4.1): Pq = 0 for 8-bit elements, and the elements in zigzag order.
fn quantisation(out: &mut Vec<u8>, tq: u8, table: &QuantisationTable) {
    let mut zz = [0; 64];
    zigzag_table(table, &mut zz);
    let mut parameters = vec![tq];
    parameters.extend(zz);
    segment(out, DQT, &parameters);
}

/// SOF0 (B.2.2): P = 8, Y, X, Nf, and for each component C, H, V and Tq.
fn start_of_frame(out: &mut Vec<u8>, frame: &Frame) {
    let mut parameters = vec![8];
    parameters.extend((frame.height as u16).to_be_bytes());
    parameters.extend((frame.width as u16).to_be_bytes());
    parameters.push(frame.components.len() as u8);
    for component in &frame.components {
        let factor = component.factor as u8;
        parameters.extend([component.id, factor << 4 | factor, component.table]);
    }
    segment(out, SOF0, &parameters);
}

/// DHT (B.2.4.2): class Tc, destination Th, BITS and HUFFVAL.
fn huffman_table(out: &mut Vec<u8>, tc: u8, th: u8, table: &HuffmanSpecification) {
    let mut parameters = vec![tc << 4 | th];
    parameters.extend(table.bits);
    parameters.extend(table.values);
    segment(out, DHT, &parameters);
}

/// SOS (B.2.3): Ns, for each component Cs, Td and Ta, and the whole spectrum Ss = 0, Se = 63, Ah = Al = 0.
fn start_of_scan(out: &mut Vec<u8>, frame: &Frame) {
    let mut parameters = vec![frame.components.len() as u8];
    for component in &frame.components {
        parameters.extend([component.id, component.table << 4 | component.table]);
    }
    parameters.extend([0, 63, 0]);
    segment(out, SOS, &parameters);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Subsampling;
    use crate::quality::Quality;

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

    fn of(grey: bool) -> Vec<(u8, Vec<u8>)> {
        let frame = Frame::new(300, 5, grey, Subsampling::S420);
        segments(&headers(&frame, &Quality::new(75).unwrap().tables()))
    }

    #[test]
    fn a_colour_file_has_two_pairs_of_tables() {
        let found = of(false);
        let order = found.iter().map(|(marker, _)| *marker).collect::<Vec<_>>();
        assert_eq!(order, [APP0, DQT, DQT, SOF0, DHT, DHT, DHT, DHT, SOS]);
        assert_eq!(found[3].1, [8, 0, 5, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
        assert_eq!(found[8].1, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
        let destinations = found[4..8].iter().map(|(_, p)| p[0]).collect::<Vec<_>>();
        assert_eq!(destinations, [0x00, 0x10, 0x01, 0x11]);
    }

    #[test]
    fn a_grey_file_has_one_pair_of_tables() {
        let found = of(true);
        let order = found.iter().map(|(marker, _)| *marker).collect::<Vec<_>>();
        assert_eq!(order, [APP0, DQT, SOF0, DHT, DHT, SOS]);
        assert_eq!(found[2].1, [8, 0, 5, 1, 44, 1, 1, 0x11, 0]);
        assert_eq!(found[5].1, [1, 1, 0x00, 0, 63, 0]);
    }

    #[test]
    fn quantisation_elements_are_in_zigzag_order() {
        let mut out = Vec::new();
        quantisation(&mut out, 1, &std::array::from_fn(|i| i as u8));
        assert_eq!(out[..11], [0xff, DQT, 0, 67, 1, 0, 1, 8, 16, 9, 2]);
    }
}
