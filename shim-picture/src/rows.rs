//! Image files row by row, so that memory does not grow with their height.
//!
//! These are binary PGM and PPM files whose samples have all their bits (8 or 16), and PNG files that are neither
//! interlaced nor turned by their Exif data. Other files are read whole by [`Picture`](crate::Picture), and so
//! are files with a fault in their header, which it describes.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::mem;

use shim_jpeg::MAX_DIMENSION;

use crate::bitmap::{Bitmap, Channels, Samples};
use crate::error::Error;
use crate::metadata::Metadata;
use crate::picture::{Options, Scaled};
use crate::png::{self, PngReader};
use crate::pnm;

/// The longest header of a PNM file, with its comments, that is read row by row.
const MAX_PNM_HEADER: usize = 1 << 12;

/// The most bytes before the image data of a PNG file that is read row by row.
const MAX_PNG_HEADER: usize = 1 << 24;

/// About how many bytes of rows are encoded at a time.
const STRIP: usize = 1 << 20;

/// The rows that a strip consists of multiples of: those of the highest MCU.
const MCU_ROWS: usize = 32;

/// A file or stdin.
type Unread = BufReader<Box<dyn Read + Send>>;

/// The bytes of a file or of stdin, the first of which have been looked at.
pub type Bytes = Chain<Cursor<Vec<u8>>, Unread>;

/// An image file that has been opened.
pub enum Opened {
    /// One that can.
    Rows(Header),
    /// One that cannot.
    Other(Bytes),
}

/// A file that can be read row by row.
pub struct Header {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    format: Format,
    /// The bytes before the image data.
    before: Vec<u8>,
    /// The bytes after them.
    bytes: Unread,
}

enum Format {
    Pnm { channels: Channels, wide: bool },
    Png,
}

/// Finds out whether a file can be read row by row.
///
/// # Errors
///
/// Those of the reader.
pub fn open(file: Box<dyn Read + Send>) -> io::Result<Opened> {
    let mut bytes = BufReader::with_capacity(1 << 16, file);
    let mut header = Vec::new();
    let parsed = match bytes.fill_buf()?.first() {
        Some(b'P') => pnm_header(&mut bytes, &mut header)?,
        Some(&first) if png::SIGNATURE[0] == first => png_header(&mut bytes, &mut header)?,
        _ => None,
    };
    Ok(match parsed {
        Some(([width, height], format)) => {
            Opened::Rows(Header { width, height, format, before: header, bytes })
        }
        None => Opened::Other(Cursor::new(header).chain(bytes)),
    })
}

/// Reads the header of a PNM file, byte by byte and whatever it is into `read`.
fn pnm_header(bytes: &mut impl BufRead, read: &mut Vec<u8>) -> io::Result<Option<([usize; 2], Format)>> {
    let mut next = || -> io::Result<Option<u8>> {
        let Some(&byte) = bytes.fill_buf()?.first() else { return Ok(None) };
        bytes.consume(1);
        read.push(byte);
        Ok(Some(byte).filter(|_| read.len() < MAX_PNM_HEADER))
    };
    let channels = match (next()?, next()?) {
        (Some(b'P'), Some(b'5')) => Channels::Gray,
        (Some(b'P'), Some(b'6')) => Channels::Rgb,
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
    let known = is_size([width, height]) && matches!(most, 255 | 65_535);
    Ok(known.then_some(([width, height], Format::Pnm { channels, wide: most > 255 })))
}

/// Reads the chunks of a PNG file up to the name of the first with image data into `read`.
fn png_header(bytes: &mut impl BufRead, read: &mut Vec<u8>) -> io::Result<Option<([usize; 2], Format)>> {
    let mut more = |read: &mut Vec<u8>, count: u64| -> io::Result<bool> {
        let end = read.len() as u64 + count;
        bytes.by_ref().take(count).read_to_end(read)?;
        Ok(read.len() as u64 == end)
    };
    if !more(read, png::SIGNATURE.len() as u64)? || read != png::SIGNATURE {
        return Ok(None);
    }
    loop {
        if !more(read, 8)? {
            return Ok(None);
        }
        let [.., a, b, c, d, _, _, _, _] = read[..] else { return Ok(None) };
        if read.ends_with(b"IDAT") {
            break;
        }
        // Its data and CRC.
        let rest = u64::from(u32::from_be_bytes([a, b, c, d])) + 4;
        if read.len() as u64 + rest > MAX_PNG_HEADER as u64 || !more(read, rest)? {
            return Ok(None);
        }
    }
    let size = png::size_of_rows(read);
    Ok(size.filter(|&size| is_size(size)).map(|size| (size, Format::Png)))
}

fn is_size(size: [usize; 2]) -> bool {
    size.iter().all(|side| (1..=MAX_DIMENSION).contains(side))
}

impl Header {
    /// The bytes of the whole file.
    pub fn into_bytes(self) -> Bytes {
        Cursor::new(self.before).chain(self.bytes)
    }

    /// Goes to the first row.
    ///
    /// # Errors
    ///
    /// The reason why the file is not read.
    pub fn rows(self) -> Result<Rows, Error> {
        let Self { width, height, format, before, bytes } = self;
        let (channels, wide, metadata, source) = match format {
            Format::Pnm { channels, wide } => {
                let read = before.len();
                (channels, wide, Metadata::default(), Source::Pnm { bytes, read })
            }
            Format::Png => {
                let (reader, metadata) = PngReader::new(&before, Cursor::new(before.clone()).chain(bytes))?;
                (reader.channels(), reader.is_wide(), metadata, Source::Png(Box::new(reader)))
            }
        };
        Ok(Rows { width, height, channels, wide, metadata, source })
    }
}

/// A file whose rows are read.
pub struct Rows {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The samples of a pixel.
    pub channels: Channels,
    /// Whether samples have 16 bits, and not 8.
    pub wide: bool,
    /// That of the file.
    pub metadata: Metadata,
    source: Source,
}

enum Source {
    Pnm { bytes: Unread, read: usize },
    Png(Box<PngReader<Bytes>>),
}

impl Rows {
    /// Hands the image over in strips, of samples as a picture without samples has them. Returns the size of the file, and damage behind its
    /// image.
    ///
    /// # Errors
    ///
    /// The reason why the file is not read, and what `with` returns.
    #[expect(clippy::missing_panics_doc, reason = "a strip has as many samples")]
    pub fn each_strip<E: From<Error>>(
        mut self,
        options: Options,
        mut with: impl FnMut(&Scaled, usize) -> Result<(), E>,
    ) -> Result<(usize, Option<&'static str>), E> {
        let row = self.width * self.channels.count() * if self.wide { 2 } else { 1 };
        let rows = (STRIP / row / MCU_ROWS).max(1) * MCU_ROWS;
        let mut strip = Vec::new();
        let mut left = self.height;
        while left > 0 {
            let rows = rows.min(left);
            left -= rows;
            strip.resize(row * rows, 0);
            self.source.read(&mut strip, row)?;
            let samples = if self.wide {
                let pairs = strip.as_chunks().0.iter();
                Samples::Words(pairs.map(|&pair| u16::from_be_bytes(pair)).collect())
            } else {
                Samples::Bytes(mem::take(&mut strip))
            };
            let bitmap = Bitmap::new(self.width, rows, self.channels, samples);
            let scaled = Scaled::of(bitmap.expect("there are as many samples"), options);
            with(&scaled, rows)?;
            if let Scaled::Bytes(samples) = scaled {
                strip = samples;
            }
        }
        Ok(self.source.end()?)
    }
}

impl Source {
    /// Reads rows of so many bytes each.
    fn read(&mut self, strip: &mut [u8], row: usize) -> Result<(), Error> {
        match self {
            Self::Pnm { bytes, read } => {
                *read += strip.len();
                bytes.read_exact(strip).map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => Error::Truncated { format: pnm::FORMAT },
                    _ => Error::Read(error),
                })
            }
            Self::Png(reader) => strip.chunks_exact_mut(row).try_for_each(|row| reader.read(row)),
        }
    }

    /// Checks what follows the last row, and returns the size of the file up to there, and damage.
    fn end(self) -> Result<(usize, Option<&'static str>), Error> {
        match self {
            Self::Pnm { read, .. } => Ok((read, None)),
            Self::Png(reader) => reader.end(),
        }
    }
}
