//! Reading PNG files.

use std::cell::Cell;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::rc::Rc;

use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Reader, Transformations};

use crate::bitmap::{Bitmap, Channels, MAX_MEMORY, Samples};
use crate::error::Error;
use crate::limits::{Limits, check_size};
use crate::metadata::{
    EXIF, Metadata, chunk, chunks, png_colors, png_density, upright_xmp, without_identifier,
};
use crate::orientation::Orientation;
use crate::progress::Progress;

/// The name of the format in messages.
pub(crate) const FORMAT: &str = "PNG";

/// The eight bytes with which every file begins.
pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The last chunk of every file.
const IEND: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";

/// Damage of a file that has all of its image data.
const NO_IEND: &str = "the file ends without an IEND chunk";

/// Decodes a file, and hands over its metadata.
pub(crate) fn decode(
    file: &[u8],
    limits: Limits,
    progress: &mut dyn Progress,
) -> Result<(Bitmap, Metadata), Error> {
    progress.start(file.len());
    let decoded = decode_whole(file, limits, false, progress);
    let Err(Error::Truncated { .. }) = decoded else { return decoded };
    // If the end of the file is all that is missing, it can be added.
    let completed = [file, IEND].concat();
    if let Ok((bitmap, mut metadata)) = decode_whole(&completed, limits, false, progress) {
        metadata.damage.push(NO_IEND.to_owned());
        return Ok((bitmap, metadata));
    }
    if !limits.truncated {
        return decoded;
    }
    let (bitmap, mut metadata) = decode_whole(file, limits, true, progress)?;
    metadata.damage.push("truncated: what the file does not have is black or transparent".to_owned());
    Ok((bitmap, metadata))
}

/// Decodes a file, or with `truncated` what there is of it after its header.
fn decode_whole(
    file: &[u8],
    limits: Limits,
    truncated: bool,
    progress: &mut dyn Progress,
) -> Result<(Bitmap, Metadata), Error> {
    let mut reader = reader(Watched { inner: Cursor::new(file), progress })?;
    let (width, height) = reader.info().size();
    check_size(width, height, limits.max_pixels)?;
    let metadata = metadata(reader.info(), file);
    let (color, depth) = reader.output_color_type();
    let samples = match depth {
        BitDepth::Sixteen if truncated => {
            bytes(&mut reader, true).map(|bytes| Samples::Words(pairs(&bytes).collect()))
        }
        BitDepth::Sixteen => words(&mut reader).map(Samples::Words),
        _ => bytes(&mut reader, truncated).map(Samples::Bytes),
    };
    let samples = samples.map_err(reason)?;
    let bitmap = Bitmap::new(width as usize, height as usize, channels(color), samples)
        .ok_or_else(|| Error::too_few_samples(FORMAT))?;
    Ok((bitmap, metadata))
}

/// Reads what is before the image data.
fn reader<R: BufRead + Seek>(file: R) -> Result<Reader<R>, Error> {
    let limits = png::Limits { bytes: usize::try_from(MAX_MEMORY).unwrap_or(usize::MAX) };
    let mut decoder = Decoder::new_with_limits(file, limits);
    // Palettes and transparent colors become samples; samples of 1, 2 and 4 bits become bytes.
    decoder.set_transformations(Transformations::EXPAND);
    decoder.read_info().map_err(reason)
}

/// Width and height of an image, by the chunks before its image data, if the rows of the file are those of the image
/// from top to bottom: it is not interlaced, and its Exif data does not turn it.
pub(crate) fn size_of_rows(header: &[u8]) -> Option<[usize; 2]> {
    let &[a, b, c, d, e, f, g, h, .., interlace] = chunk(header, *b"IHDR")? else { return None };
    let exif = match chunk(header, *b"eXIf") {
        Some(exif) => Some(without_identifier(exif.to_vec())),
        // It may be compressed.
        None if has_raw_profile(header) => exif(reader(Cursor::new(header)).ok()?.info()),
        None => None,
    };
    let orientation = exif.and_then(|mut exif| Orientation::take(&mut exif));
    let plain = interlace == 0 && orientation.is_none_or(Orientation::is_upright);
    plain.then(|| [[a, b, c, d], [e, f, g, h]].map(|side| u32::from_be_bytes(side) as usize))
}

/// A file that is read row by row.
pub(crate) struct PngReader<R: BufRead> {
    reader: Reader<Forward<R>>,
    read: Rc<SoFar>,
}

/// The position in a file that is read.
#[derive(Default)]
struct SoFar {
    /// Bytes.
    count: Cell<usize>,
    /// The place of the next chunk.
    next_chunk: Cell<usize>,
    /// The length of the chunk whose header is read, so far.
    length: Cell<u32>,
}

impl SoFar {
    fn add(&self, bytes: &[u8]) {
        let start = self.count.get();
        let end = start + bytes.len();
        self.count.set(end);
        // The lengths of the chunks that begin in these bytes, or began before them.
        while self.next_chunk.get() < end {
            let chunk = self.next_chunk.get();
            let length_end = chunk + 4;
            for &byte in &bytes[chunk.max(start) - start..length_end.min(end) - start] {
                self.length.set(self.length.get() << 8 | u32::from(byte));
            }
            if end < length_end {
                return;
            }
            // Length, type and CRC.
            self.next_chunk.set(chunk + 12 + self.length.take() as usize);
        }
    }

    /// Whether the last byte was that of a chunk.
    fn is_between_chunks(&self) -> bool {
        self.count.get() == self.next_chunk.get()
    }
}

impl<R: BufRead> PngReader<R> {
    /// Begins to read `file`, whose bytes before the image data are `header`, and hands over its metadata.
    pub(crate) fn new(header: &[u8], file: R) -> Result<(Self, Metadata), Error> {
        let read = Rc::new(SoFar { next_chunk: Cell::new(SIGNATURE.len()), ..SoFar::default() });
        let reader = reader(Forward { inner: file, read: Rc::clone(&read) })?;
        let mut metadata = metadata(reader.info(), header);
        // It is upright, but may have been called so by another value.
        metadata.exif.as_deref_mut().and_then(Orientation::take);
        Ok((Self { reader, read }, metadata))
    }

    pub(crate) fn channels(&self) -> Channels {
        channels(self.reader.output_color_type().0)
    }

    /// Whether samples have 16 bits, and not 8.
    pub(crate) fn is_wide(&self) -> bool {
        self.reader.output_color_type().1 == BitDepth::Sixteen
    }

    /// Reads the next row, which is as long as `row`.
    pub(crate) fn read(&mut self, row: &mut [u8]) -> Result<(), Error> {
        match self.reader.read_row(row).map_err(reason)? {
            Some(_) => Ok(()),
            None => Err(Error::too_few_samples(FORMAT)),
        }
    }

    /// Checks that the image data ends with the last row, and returns the size of the file, and damage behind its
    /// image.
    pub(crate) fn end(mut self) -> Result<(usize, Option<&'static str>), Error> {
        let ended = self.reader.next_row().map(drop).map_err(reason);
        // Chunks after the image data count towards the size and nothing else.
        let finished = ended.and_then(|()| self.reader.finish().map_err(reason));
        match finished {
            Err(Error::Truncated { .. }) if self.read.is_between_chunks() => {
                Ok((self.read.count.get(), Some(NO_IEND)))
            }
            Err(error @ (Error::Truncated { .. } | Error::Read(_))) => Err(error),
            _ => Ok((self.read.count.get(), None)),
        }
    }
}

/// The metadata before the image data. Those that cannot be read are none.
fn metadata(info: &Info<'_>, file: &[u8]) -> Metadata {
    Metadata {
        icc: info.icc_profile.as_deref().map(<[u8]>::to_vec),
        exif: exif(info),
        xmp: xmp(info).map(upright_xmp),
        density: png_density(file),
        colors: png_colors(file),
        ..Metadata::default()
    }
}

/// The Exif data of the eXIf chunk, or of the text in which programs kept it before there was one.
fn exif(info: &Info<'_>) -> Option<Vec<u8>> {
    if let Some(exif) = &info.exif_metadata {
        return Some(without_identifier(exif.to_vec()));
    }
    let compressed =
        info.compressed_latin1_text.iter().filter(|chunk| is_raw_profile(chunk.keyword.as_bytes()));
    let plain = info.uncompressed_latin1_text.iter().filter(|chunk| is_raw_profile(chunk.keyword.as_bytes()));
    let texts =
        compressed.filter_map(|chunk| chunk.get_text().ok()).chain(plain.map(|chunk| chunk.text.clone()));
    let mut exif = texts.filter_map(|text| raw_profile(&text)).filter(|profile| profile.starts_with(EXIF));
    exif.next().map(without_identifier)
}

/// Whether a text chunk with this keyword has Exif data in hexadecimal digits, as `ImageMagick` writes it.
fn is_raw_profile(keyword: &[u8]) -> bool {
    keyword == b"Raw profile type exif" || keyword == b"Raw profile type APP1"
}

fn has_raw_profile(header: &[u8]) -> bool {
    let keyword = |data: &[u8]| data.split(|&byte| byte == 0).next().is_some_and(is_raw_profile);
    chunks(header).any(|(kind, data)| matches!(kind, b"zTXt" | b"tEXt") && keyword(data))
}

/// The bytes of a profile in text: lines of its name, its length, and hexadecimal digits.
fn raw_profile(text: &str) -> Option<Vec<u8>> {
    let mut lines = text.trim_start().lines().map(str::trim);
    let (_name, length) = (lines.next()?, lines.next()?.parse::<usize>().ok()?);
    let digits: Vec<u8> = lines.flat_map(str::bytes).filter(|byte| !byte.is_ascii_whitespace()).collect();
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    pairs.iter().map(byte).collect::<Option<Vec<u8>>>().filter(|bytes| bytes.len() == length)
}

/// The XMP packet in an iTXt chunk.
fn xmp(info: &Info<'_>) -> Option<Vec<u8>> {
    const KEYWORD: &str = "XML:com.adobe.xmp";
    let mut chunk = info.utf8_text.iter().find(|chunk| chunk.keyword.contains(KEYWORD))?.clone();
    chunk.decompress_text().ok()?;
    chunk.get_text().ok().map(String::into_bytes)
}

fn channels(color: ColorType) -> Channels {
    match color {
        ColorType::Grayscale => Channels::Gray,
        ColorType::GrayscaleAlpha => Channels::GrayAlpha,
        ColorType::Rgb => Channels::Rgb,
        ColorType::Rgba => Channels::Rgba,
        ColorType::Indexed => unreachable!("palettes are expanded"),
    }
}

/// All bytes of the image, or with `truncated` those that there are, and zeros.
fn bytes(reader: &mut Reader<impl BufRead + Seek>, truncated: bool) -> Result<Vec<u8>, DecodingError> {
    let mut bytes = vec![0; reader.output_buffer_size().ok_or(DecodingError::LimitsExceeded)?];
    match reader.next_frame(&mut bytes) {
        Err(error) if !truncated => Err(error),
        _ => Ok(bytes),
    }
}

/// Samples of 16 bits.
fn pairs(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair))
}

/// All samples of an image of 16 bits, which is in memory only once unless it is interlaced.
fn words(reader: &mut Reader<impl BufRead + Seek>) -> Result<Vec<u16>, DecodingError> {
    if reader.info().interlaced {
        return Ok(pairs(&bytes(reader, false)?).collect());
    }
    let size = reader.output_buffer_size().ok_or(DecodingError::LimitsExceeded)?;
    let mut words = Vec::with_capacity(size / 2);
    while let Some(row) = reader.next_row()? {
        words.extend(pairs(row.data()));
    }
    Ok(words)
}

/// The decoder's error in this command's words.
fn reason(error: DecodingError) -> Error {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Error::Truncated { format: FORMAT }
        }
        DecodingError::IoError(error) => Error::Read(error),
        DecodingError::LimitsExceeded => Error::Memory,
        error => Error::Damaged { format: FORMAT, detail: readable(&error.to_string()) },
    }
}

/// A message of the decoder with the names of chunks as the format has them: it shows `ChunkType { type: IDAT, .. }`.
fn readable(message: &str) -> String {
    let mut text = String::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once("ChunkType {") {
        let (inside, after) = after.split_once('}').unwrap_or((after, ""));
        let name = inside.trim_start().strip_prefix("type:").unwrap_or(inside);
        let name = name.split(',').next().unwrap_or_default().trim();
        text.push_str(before);
        text.push_str(name);
        rest = after;
    }
    text + rest
}

/// A file in memory that reports how far it has been read.
struct Watched<'a> {
    inner: Cursor<&'a [u8]>,
    progress: &'a mut dyn Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.progress.reach(self.inner.position() as usize);
        Ok(read)
    }
}

impl BufRead for Watched<'_> {
    // In pieces, so that a decoder that takes all it is given comes back often enough.
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.progress.reach(self.inner.position() as usize);
        let rest = self.inner.fill_buf()?;
        Ok(&rest[..rest.len().min(1 << 16)])
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.inner.seek(position)
    }
}

/// A file that is read once from its beginning to its end. The decoder asks for more and does not use it.
struct Forward<R> {
    inner: R,
    read: Rc<SoFar>,
}

impl<R: BufRead> Read for Forward<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read.add(&buffer[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Forward<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is consumed is in the buffer, so that nothing is read here.
        if amount > 0
            && let Ok(bytes) = self.inner.fill_buf()
        {
            self.read.add(&bytes[..amount.min(bytes.len())]);
        }
        self.inner.consume(amount);
    }
}

impl<R> Seek for Forward<R> {
    fn seek(&mut self, _position: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::{raw_profile, readable};

    #[test]
    fn a_profile_in_text() {
        let text = "\nexif\n       8\n457869660000\n4d4d\n";
        assert_eq!(raw_profile(text).unwrap(), b"Exif\0\0MM");
        for other in ["", "exif", "exif\n1", "exif\n2\n45", "exif\n1\n4", "exif\nx\n45", "exif\n1\n4g"] {
            assert_eq!(raw_profile(other), None, "{other:?}");
        }
    }

    #[test]
    fn chunks_have_their_names() {
        let said = "ChunkType { type: IDAT, critical: true, private: false } chunk appeared before ChunkType { type: IHDR } chunk";
        assert_eq!(readable(said), "IDAT chunk appeared before IHDR chunk");
        assert_eq!(readable("CRC error"), "CRC error");
        assert_eq!(readable("ChunkType {"), "");
    }
}
