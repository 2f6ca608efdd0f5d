//! PGM and PPM files row by row, so that memory does not grow with their height.
//!
//! Only the binary ones whose samples have all their bits (8 or 16) are read here; the whole of others goes to
//! [`Picture`](crate::picture::Picture), and so do files that are not quite right, for it to say what is wrong.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;

use shim_jpeg::{Image, MAX_DIMENSION, Pixels};

use crate::bitmap::scaled;
use crate::failure::Reason;
use crate::pnm_file;
use crate::standard::is_standard;

/// The longest header, with its comments, of a file that is read row by row.
const MAX_HEADER: usize = 1 << 12;

/// About how many bytes of rows are encoded at a time.
const STRIP: usize = 1 << 20;

/// The rows that a strip consists of multiples of: those of the highest MCU.
const MCU_ROWS: usize = 32;

/// The bytes of a file or of stdin, the first of which have been looked at.
pub(crate) type Bytes = Chain<Cursor<Vec<u8>>, BufReader<Box<dyn Read>>>;

/// An image file that has been opened.
pub(crate) enum Opened {
    Rows(PnmRows),
    Other(Bytes),
}

/// Opens a file, and finds out whether it can be read row by row.
pub(crate) fn open(path: &Path) -> io::Result<Opened> {
    let file: Box<dyn Read> =
        if is_standard(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut bytes = BufReader::with_capacity(1 << 16, file);
    let mut header = Vec::new();
    let parsed = header_of(&mut bytes, &mut header)?;
    let read = header.len();
    Ok(match parsed {
        Some(Header { pixels, width, height, wide }) => {
            Opened::Rows(PnmRows { bytes, header, pixels, width, height, wide, read, left: height })
        }
        None => Opened::Other(Cursor::new(header).chain(bytes)),
    })
}

struct Header {
    pixels: Pixels,
    width: usize,
    height: usize,
    wide: bool,
}

/// Reads a header, byte by byte and whatever it is into `read`.
fn header_of(bytes: &mut impl BufRead, read: &mut Vec<u8>) -> io::Result<Option<Header>> {
    let mut next = || -> io::Result<Option<u8>> {
        let Some(&byte) = bytes.fill_buf()?.first() else { return Ok(None) };
        bytes.consume(1);
        read.push(byte);
        Ok(Some(byte).filter(|_| read.len() < MAX_HEADER))
    };
    let pixels = match (next()?, next()?) {
        (Some(b'P'), Some(b'5')) => Pixels::Gray,
        (Some(b'P'), Some(b'6')) => Pixels::Rgb,
        _ => return Ok(None),
    };
    let mut numbers = [0_usize; 3];
    for number in &mut numbers {
        let (mut digits, mut comment) = (0, false);
        loop {
            match next()? {
                Some(byte) if comment => comment = byte != b'\n',
                Some(b'#') if digits == 0 => comment = true,
                Some(byte @ b'0'..=b'9') if digits < 8 => {
                    *number = 10 * *number + usize::from(byte - b'0');
                    digits += 1;
                }
                // One space behind the last number, and then samples.
                Some(byte) if byte.is_ascii_whitespace() && digits > 0 => break,
                Some(byte) if byte.is_ascii_whitespace() => {}
                _ => return Ok(None),
            }
        }
    }
    let [width, height, most] = numbers;
    let side = 1..=MAX_DIMENSION;
    let known = side.contains(&width) && side.contains(&height) && matches!(most, 255 | 65_535);
    Ok(known.then_some(Header { pixels, width, height, wide: most > 255 }))
}

/// A file that is read row by row.
pub(crate) struct PnmRows {
    bytes: BufReader<Box<dyn Read>>,
    header: Vec<u8>,
    pub(crate) pixels: Pixels,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Whether samples have 16 bits, and not 8.
    pub(crate) wide: bool,
    /// The bytes that were read.
    pub(crate) read: usize,
    /// Rows that are still to come.
    left: usize,
}

impl PnmRows {
    /// The bytes of the file, before a row is read.
    pub(crate) fn into_bytes(self) -> Bytes {
        Cursor::new(self.header).chain(self.bytes)
    }

    /// Samples of a row.
    fn row(&self) -> usize {
        self.width * self.pixels.samples()
    }

    /// Hands the image over in strips, of samples of so many bits.
    pub(crate) fn each_strip(
        mut self,
        bits: u8,
        mut with: impl FnMut(&Image<'_>) -> Result<(), Reason>,
    ) -> Result<usize, Reason> {
        let row = self.row();
        let bytes = row * if self.wide { 2 } else { 1 };
        let rows = (STRIP / bytes / MCU_ROWS).max(1) * MCU_ROWS;
        let mut strip = vec![0; bytes * rows.min(self.height)];
        let (mut narrow, mut words) = (Vec::new(), Vec::new());
        while self.left > 0 {
            let rows = rows.min(self.left);
            let strip = &mut strip[..bytes * rows];
            self.bytes.read_exact(strip).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => Reason::Truncated { format: pnm_file::FORMAT },
                _ => Reason::Read(error),
            })?;
            (self.left, self.read) = (self.left - rows, self.read + strip.len());
            let pairs = || strip.as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair));
            let image = match (self.wide, bits) {
                (false, 8) => Image::interleaved(strip, self.pixels, self.width, rows, row),
                (true, 8) => {
                    narrow.clear();
                    narrow.extend(pairs().map(|word| scaled(word, 8) as u8));
                    Image::interleaved(&narrow, self.pixels, self.width, rows, row)
                }
                _ => {
                    words.clear();
                    let scaled = |word: u16| scaled(word, bits);
                    if self.wide {
                        words.extend(pairs().map(scaled));
                    } else {
                        words.extend(strip.iter().map(|&byte| scaled(257 * u16::from(byte))));
                    }
                    Image::interleaved16(&words, bits, self.pixels, self.width, rows, row)
                }
            };
            with(&image?)?;
        }
        Ok(self.read)
    }
}
