//! Reading whole PNM files: PBM, PGM and PPM, plain and binary, and PAM.

use crate::bitmap::{Bitmap, Channels, Samples};
use crate::error::Error;
use crate::limits::check_size;
use crate::progress::Progress;

/// The name of the format in messages.
pub(crate) const FORMAT: &str = "PNM";

/// Decodes a file that begins with `P1` to `P7`. Samples are scaled to 8 bits, or to 16 if there are values above 255.
pub(crate) fn decode(file: &[u8], max_pixels: u64, progress: &mut dyn Progress) -> Result<Bitmap, Error> {
    progress.start(file.len());
    let mut input = Input { rest: file };
    let Header { width, height, channels, most, raster } = input.header()?;
    check_size(width, height, max_pixels)?;
    let (width, height) = (width as usize, height as usize);
    let row = width * channels.count();
    // Samples have two bytes at most.
    (2 * row).checked_mul(height).ok_or(Error::Memory)?;
    let reach = |rest: &[u8]| progress.reach(file.len() - rest.len());
    let samples = match raster {
        Raster::PlainBits => Samples::Bytes(input.plain_bits(row, height, reach)?),
        Raster::PackedBits => Samples::Bytes(input.packed_bits(row, height)?),
        Raster::Plain if most > 255 => Samples::Words(stretched(input.plain(row, height, reach)?, most)),
        Raster::Plain => Samples::Bytes(stretched(input.plain(row, height, reach)?, most)),
        Raster::Binary if most > 255 => {
            let pairs = input.take(2 * row * height)?.as_chunks().0;
            Samples::Words(stretched(pairs.iter().map(|&pair| u16::from_be_bytes(pair)).collect(), most))
        }
        Raster::Binary => Samples::Bytes(stretched(input.take(row * height)?.to_vec(), most)),
        Raster::BytesOfBits => {
            let bits = input.take(row * height)?;
            if let Some(bit) = bits.iter().find(|&&bit| bit > 1) {
                return Err(damaged(format!("a bit of value {bit}")));
            }
            Samples::Bytes(stretched(bits.to_vec(), 1))
        }
    };
    Bitmap::new(width, height, channels, samples).ok_or_else(|| Error::too_few_samples(FORMAT))
}

/// The format of the samples of a file.
struct Header {
    width: u32,
    height: u32,
    channels: Channels,
    /// The value of white.
    most: u16,
    raster: Raster,
}

/// The coding of samples.
#[derive(Clone, Copy)]
enum Raster {
    /// Digits 0 for white and 1 for black.
    PlainBits,
    /// Eight pixels in a byte, the first in its highest bit, 1 for black. Rows begin with a byte.
    PackedBits,
    /// Decimal numbers.
    Plain,
    /// Bytes, or big-endian pairs of them.
    Binary,
    /// Bytes of 0 for black and 1 for white.
    BytesOfBits,
}

/// A sample of as many bits as its type.
trait Sample: Copy + Into<u16> {
    const MOST: u16;

    /// The sample of a value up to `MOST`.
    fn of(value: u16) -> Self;
}

impl Sample for u8 {
    const MOST: u16 = 0xff;

    fn of(value: u16) -> Self {
        value as Self
    }
}

impl Sample for u16 {
    const MOST: u16 = 0xffff;

    fn of(value: u16) -> Self {
        value
    }
}

/// Scales samples of 0 to `most` to all of their bits, rounding to the nearest. Values above `most` are white.
fn stretched<T: Sample>(mut samples: Vec<T>, most: u16) -> Vec<T> {
    if most != T::MOST {
        let white = u32::from(most);
        for sample in &mut samples {
            let value = u32::from((*sample).into()).min(white);
            *sample = T::of(((value * u32::from(T::MOST) + white / 2) / white) as u16);
        }
    }
    samples
}

/// The unread bytes of a file.
struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    fn next(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(TRUNCATED)?;
        self.rest = rest;
        Ok(taken)
    }

    fn header(&mut self) -> Result<Header, Error> {
        let (channels, raster) = match self.take(2)? {
            b"P1" => (Channels::Gray, Raster::PlainBits),
            b"P2" => (Channels::Gray, Raster::Plain),
            b"P3" => (Channels::Rgb, Raster::Plain),
            b"P4" => (Channels::Gray, Raster::PackedBits),
            b"P5" => (Channels::Gray, Raster::Binary),
            b"P6" => (Channels::Rgb, Raster::Binary),
            b"P7" => return self.pam_header(),
            _ => return Err(Error::UnknownFormat(None)),
        };
        let (width, height) = (self.header_number()?, self.header_number()?);
        let most = match raster {
            Raster::PlainBits | Raster::PackedBits => 1,
            _ => checked_most(self.header_number()?)?,
        };
        Ok(Header { width, height, channels, most, raster })
    }

    /// Reads the next number of a header other than PAM's, and the one whitespace byte after it.
    ///
    /// A comment may start anywhere, even within a number, and runs to the end of its line. It does not separate
    /// numbers.
    fn header_number(&mut self) -> Result<u32, Error> {
        let (mut number, mut comment) = (None, false);
        while let Some(byte) = self.next() {
            match byte {
                _ if comment => comment = !matches!(byte, b'\n' | b'\r'),
                b'#' => comment = true,
                b'0'..=b'9' => {
                    let longer = number.unwrap_or(0_u32).checked_mul(10);
                    let longer = longer.and_then(|number| number.checked_add(u32::from(byte - b'0')));
                    number = Some(longer.ok_or_else(|| damaged("a number in the header is too large"))?);
                }
                _ if !is_space(byte) => {
                    let shown = byte.escape_ascii();
                    return Err(damaged(format!("'{shown}' instead of a number in the header")));
                }
                _ if number.is_some() => break,
                _ => {}
            }
        }
        number.ok_or(TRUNCATED)
    }

    /// The header of a PAM file, after its first two bytes.
    fn pam_header(&mut self) -> Result<Header, Error> {
        const NUMBERS: [&str; 4] = ["WIDTH", "HEIGHT", "DEPTH", "MAXVAL"];
        if !matches!(self.line()?, "" | "\r") {
            return Err(damaged("no line break after P7"));
        }
        let (mut numbers, mut tuple_type) = ([None; 4], None::<String>);
        loop {
            let line = self.line()?;
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let line = line.trim_start();
            let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let value = value.trim_start();
            match (name, &mut tuple_type) {
                ("ENDHDR", _) => break,
                ("TUPLTYPE", Some(beginning)) => *beginning = format!("{beginning} {value}"),
                ("TUPLTYPE", none) => *none = Some(value.to_owned()),
                _ => {
                    let index = NUMBERS.iter().position(|&number| number == name);
                    let index = index.ok_or_else(|| damaged(format!("a line {line:?} in the header")))?;
                    let number = value.parse::<u32>();
                    let number = number.map_err(|_| damaged(format!("a {name} of {value:?}")))?;
                    if numbers[index].replace(number).is_some() {
                        return Err(damaged(format!("a second {name}")));
                    }
                }
            }
        }
        let [Some(width), Some(height), Some(depth), Some(most)] = numbers else {
            return Err(damaged("a header without one of WIDTH, HEIGHT, DEPTH and MAXVAL"));
        };
        let most = checked_most(most)?;
        let (channels, raster) = pam_tuple(tuple_type.as_deref(), depth, most)?;
        Ok(Header { width, height, channels, most, raster })
    }

    /// The next line, without its end.
    fn line(&mut self) -> Result<&'a str, Error> {
        let length = self.rest.iter().position(|&byte| byte == b'\n').ok_or(TRUNCATED)?;
        let line = self.take(length)?;
        self.next();
        str::from_utf8(line).map_err(|_| damaged("a header that is not text"))
    }

    /// Rows of digits, with or without white space between them.
    fn plain_bits(
        &mut self,
        row: usize,
        rows: usize,
        mut reach: impl FnMut(&[u8]),
    ) -> Result<Vec<u8>, Error> {
        let mut samples = Vec::with_capacity((row * rows).min(self.rest.len()));
        for _ in 0..rows {
            for _ in 0..row {
                self.skip_space();
                samples.push(match self.next().ok_or(TRUNCATED)? {
                    b'0' => 255,
                    b'1' => 0,
                    other => return Err(damaged(format!("'{}' instead of a bit", other.escape_ascii()))),
                });
            }
            reach(self.rest);
        }
        Ok(samples)
    }

    /// Rows of packed bits.
    fn packed_bits(&mut self, row: usize, rows: usize) -> Result<Vec<u8>, Error> {
        let bytes = row.div_ceil(8);
        let packed = self.take(bytes * rows)?;
        let mut samples = Vec::with_capacity(row * rows);
        for packed in packed.chunks_exact(bytes.max(1)) {
            samples.extend((0..row).map(|x| if packed[x / 8] << (x % 8) & 0x80 == 0 { 255 } else { 0 }));
        }
        Ok(samples)
    }

    /// Rows of decimal numbers.
    fn plain<T: Sample>(
        &mut self,
        row: usize,
        rows: usize,
        mut reach: impl FnMut(&[u8]),
    ) -> Result<Vec<T>, Error> {
        let mut samples = Vec::with_capacity((row * rows).min(self.rest.len()));
        for _ in 0..rows {
            for _ in 0..row {
                samples.push(T::of(self.plain_number(T::MOST)?));
            }
            reach(self.rest);
        }
        Ok(samples)
    }

    /// The next decimal number, up to `most`.
    fn plain_number(&mut self, most: u16) -> Result<u16, Error> {
        self.skip_space();
        let ends = |&byte: &u8| is_space(byte) || byte == b'#';
        let length = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let digits = self.take(length)?;
        if digits.is_empty() {
            return Err(TRUNCATED);
        }
        let mut number = 0_u32;
        for &byte in digits {
            if !byte.is_ascii_digit() {
                return Err(damaged(format!("'{}' within a sample", byte.escape_ascii())));
            }
            number = 10 * number + u32::from(byte - b'0');
            if number > most.into() {
                return Err(damaged(format!("a sample above {most}")));
            }
        }
        Ok(number as u16)
    }

    /// Goes to the next sample of a plain file. Comments run to the ends of their lines, as in the header.
    fn skip_space(&mut self) {
        let mut comment = false;
        let mut separates = |byte: u8| {
            comment = if comment { !matches!(byte, b'\n' | b'\r') } else { byte == b'#' };
            comment || is_space(byte)
        };
        let length = self.rest.iter().take_while(|&&byte| separates(byte)).count();
        self.rest = &self.rest[length..];
    }
}

/// The format of a PAM file's pixels.
fn pam_tuple(name: Option<&str>, depth: u32, most: u16) -> Result<(Channels, Raster), Error> {
    let unsupported = |detail: String| Error::Unsupported { format: FORMAT, detail };
    let (channels, raster) = match (name, depth) {
        (Some("BLACKANDWHITE"), _) => (Channels::Gray, Raster::BytesOfBits),
        (Some("BLACKANDWHITE_ALPHA"), _) => (Channels::GrayAlpha, Raster::BytesOfBits),
        (Some("GRAYSCALE"), _) | (None, 1) => (Channels::Gray, Raster::Binary),
        (Some("GRAYSCALE_ALPHA"), _) | (None, 2) => (Channels::GrayAlpha, Raster::Binary),
        (Some("RGB"), _) | (None, 3) => (Channels::Rgb, Raster::Binary),
        (Some("RGB_ALPHA"), _) | (None, 4) => (Channels::Rgba, Raster::Binary),
        (Some(name), _) => return Err(unsupported(format!("tuple type {name:?}"))),
        (None, _) => return Err(unsupported(format!("{depth} channels without a tuple type"))),
    };
    let name = name.unwrap_or_default();
    if depth as usize != channels.count() {
        return Err(damaged(format!("{name} with a DEPTH of {depth}")));
    }
    if matches!(raster, Raster::BytesOfBits) && most != 1 {
        return Err(damaged(format!("{name} with a MAXVAL of {most}")));
    }
    Ok((channels, raster))
}

/// A value of white, if it is one.
fn checked_most(most: u32) -> Result<u16, Error> {
    let known = u16::try_from(most).ok().filter(|&most| most > 0);
    known.ok_or_else(|| damaged(format!("a maximum value of {most}, not of 1 to 65535")))
}

/// Whether a byte separates numbers.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | b' ')
}

const TRUNCATED: Error = Error::Truncated { format: FORMAT };

fn damaged(detail: impl Into<String>) -> Error {
    Error::Damaged { format: FORMAT, detail: detail.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Result<Bitmap, String> {
        decode(file, u64::MAX, &mut ()).map_err(|reason| reason.to_string())
    }

    fn assert_reads(file: &[u8], size: [usize; 2], channels: Channels, samples: impl Into<Samples>) {
        let wanted = Bitmap::new(size[0], size[1], channels, samples).unwrap();
        assert_eq!(read(file).unwrap(), wanted, "{}", file.escape_ascii());
    }

    fn pam(header: &str, samples: &[u8]) -> Vec<u8> {
        [b"P7\n# a comment\nWIDTH 2\nHEIGHT 1\n", header.as_bytes(), b"\nENDHDR\n", samples].concat()
    }

    #[test]
    fn rows_of_packed_bits_begin_with_a_byte() {
        let white = |white: bool| if white { 255_u8 } else { 0 };
        let samples: Vec<u8> = (0..20).map(|x| white(!matches!(x, 0 | 9 | 10 | 18))).collect();
        assert_reads(b"P4\n10 2\n\x80\x40\x80\xbf", [10, 2], Channels::Gray, samples);
    }

    #[test]
    fn plain_files() {
        let bits: Vec<u8> = vec![255, 0, 0, 255, 255, 0];
        assert_reads(b"P1 3 2 011\n0 01", [3, 2], Channels::Gray, bits);
        assert_reads(b"P2 2 1 7 0\x0b\r\n7", [2, 1], Channels::Gray, vec![0_u8, 255]);
        assert_reads(b"P2 2 1 256 0 256 9", [2, 1], Channels::Gray, vec![0_u16, 0xffff]);
        assert_reads(b"P3 1 1 65535 1 02 65535\n", [1, 1], Channels::Rgb, vec![1_u16, 2, 0xffff]);
        // 16355 / 32767 is 32710.499 / 65535.
        assert_reads(b"P2 1 1 32767 16355", [1, 1], Channels::Gray, vec![32_710_u16]);
        // Samples above the maximum are clamped to white.
        assert_reads(b"P2 2 1 100 101 255", [2, 1], Channels::Gray, vec![255_u8; 2]);
    }

    #[test]
    fn comments_are_anywhere_in_a_header() {
        let file = b"P5 #a\r#b 9\n2#c\n#d\n 1 2#e\r55 #3";
        assert_reads(file, [2, 1], Channels::Gray, vec![b'#', b'3']);
    }

    #[test]
    fn comments_are_anywhere_in_a_plain_raster() {
        assert_reads(b"P3\n1 1\n255\n# a color\n1 2#b\r3 #", [1, 1], Channels::Rgb, vec![1_u8, 2, 3]);
        assert_reads(b"P2 2 1 7 0#\n7", [2, 1], Channels::Gray, vec![0_u8, 255]);
        assert_reads(b"P1 2 1 0# 1\n1", [2, 1], Channels::Gray, vec![255_u8, 0]);
        assert!(read(b"P2 2 1 7 0 # 7").unwrap_err().starts_with("truncated"));
    }

    #[test]
    fn a_pam_header_has_blank_lines_and_any_line_breaks() {
        let file = b"P7\r\n\r\nWIDTH 2\r\nHEIGHT 1\n\nDEPTH 1\r\nMAXVAL 255\n \nENDHDR\r\n\x0a\x0d";
        assert_reads(file, [2, 1], Channels::Gray, vec![10_u8, 13]);
    }

    #[test]
    fn every_tuple_type_of_pam() {
        for (channels, names) in [
            (Channels::Gray, ["BLACKANDWHITE", "GRAYSCALE"]),
            (Channels::GrayAlpha, ["BLACKANDWHITE_ALPHA", "GRAYSCALE_ALPHA"]),
            (Channels::Rgb, ["", "RGB"]),
            (Channels::Rgba, ["", "RGB_ALPHA"]),
        ] {
            let depth = channels.count();
            let header = |most: u16, name: &str| {
                let name = if name.is_empty() { String::new() } else { format!("\nTUPLTYPE {name}") };
                format!("MAXVAL {most}\nDEPTH\t{depth} {name}")
            };
            let bytes: Vec<u8> = (0..2 * depth as u8).map(|n| 40 + n).collect();
            for name in [names[1], ""] {
                assert_reads(&pam(&header(255, name), &bytes), [2, 1], channels, bytes.clone());
                let twice = [&bytes[..], &bytes].concat();
                let words: Vec<_> =
                    twice.as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair)).collect();
                assert_reads(&pam(&header(65_535, name), &twice), [2, 1], channels, words);
            }
            let bits: Vec<u8> = (0..2 * depth as u8).map(|n| u8::from(n % 3 == 1)).collect();
            let stretched: Vec<u8> = bits.iter().map(|bit| 255 * bit).collect();
            assert_reads(&pam(&header(1, names[0]), &bits), [2, 1], channels, stretched);
        }
    }

    #[test]
    fn damaged_files() {
        for (file, detail) in [
            (&b"P5 wide high 255\n"[..], "'w' instead of a number in the header"),
            (b"P5 -1 1 255\n", "'-' instead of a number in the header"),
            (b"P5 1 1\xff 255\n", "'\\xff' instead of a number in the header"),
            (b"P5 4294967296 1 255\n", "a number in the header is too large"),
            (b"P5 1 1 0\n", "a maximum value of 0, not of 1 to 65535"),
            (b"P5 1 1 65536\n", "a maximum value of 65536, not of 1 to 65535"),
            (b"P1 1 1 2", "'2' instead of a bit"),
            (b"P2 1 1 255 1a", "'a' within a sample"),
            (b"P2 1 1 255 256", "a sample above 255"),
            (b"P2 1 1 256 99999999999", "a sample above 65535"),
            (b"P7 \n", "no line break after P7"),
            (b"P7\nLENGTH 1\n", "a line \"LENGTH 1\" in the header"),
            (b"P7\nWIDTH 1\nWIDTH 1\n", "a second WIDTH"),
            (b"P7\nWIDTH one\n", "a WIDTH of \"one\""),
            (b"P7\n\xff\n", "a header that is not text"),
            (b"P7\nWIDTH 1\nENDHDR\n", "a header without one of WIDTH, HEIGHT, DEPTH and MAXVAL"),
            (&pam("DEPTH 3\nMAXVAL 9\nTUPLTYPE GRAYSCALE", b""), "GRAYSCALE with a DEPTH of 3"),
            (&pam("DEPTH 1\nMAXVAL 9\nTUPLTYPE BLACKANDWHITE", b""), "BLACKANDWHITE with a MAXVAL of 9"),
            (&pam("DEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE", b"\x01\x02"), "a bit of value 2"),
        ] {
            assert_eq!(read(file).unwrap_err(), format!("damaged PNM file: {detail}"));
        }
    }

    #[test]
    fn unsupported_files() {
        for (header, detail) in [
            ("DEPTH 4\nMAXVAL 255\nTUPLTYPE CM\nTUPLTYPE YK", "tuple type \"CM YK\""),
            ("DEPTH 5\nMAXVAL 255", "5 channels without a tuple type"),
        ] {
            assert_eq!(read(&pam(header, b"")).unwrap_err(), format!("unsupported PNM file: {detail}"));
        }
        let wide = b"P5 4294967295 4294967295 65535\n";
        assert!(read(wide).unwrap_err().contains("4294967295x4294967295 pixels is too large"));
    }

    #[test]
    fn every_beginning_is_truncated() {
        let pam = pam("DEPTH 1\nMAXVAL 65535\nTUPLTYPE GRAYSCALE", b"1234");
        for file in [&b"P1 1 1 1"[..], b"P2 2 1 9 8 7", b"P3 1 1 300 256 0 9", b"P4 9 1\n12", &pam] {
            assert!(read(file).is_ok());
            for length in 2..file.len() {
                let truncated = read(&file[..length]);
                let message = "truncated PNM file: it ends before the image data does";
                assert_eq!(truncated.unwrap_err(), message, "{length} of {}", file.escape_ascii());
            }
        }
        // Nothing is allocated for samples that are not there.
        for (kind, most) in [(1, ""), (2, "255"), (3, "65535"), (4, ""), (5, "65535"), (6, "255")] {
            let file = format!("P{kind} 65535 65535 {most}\n");
            assert!(read(file.as_bytes()).unwrap_err().contains("truncated"), "{file}");
        }
    }
}
