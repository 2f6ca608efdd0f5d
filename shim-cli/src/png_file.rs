//! Reading PNG files.

use std::cell::Cell;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::rc::Rc;

use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Reader, Transformations};

use crate::bitmap::{Bitmap, Channels, MAX_MEMORY, Samples};
use crate::failure::Reason;
use crate::limits::check_size;
use crate::orientation::Orientation;
use crate::progress::Progress;
use crate::source_metadata::{Metadata, chunk, png_colors, png_density, upright_xmp};

/// The name of the format in messages.
pub(crate) const FORMAT: &str = "PNG";

/// The eight bytes with which every file begins.
pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Decodes a file, carries out the orientation of its Exif data, and hands over its metadata.
pub(crate) fn decode(
    file: &[u8],
    max_pixels: u64,
    progress: &mut Progress,
) -> Result<(Bitmap, Metadata), Reason> {
    progress.start("decoding", file.len());
    let mut reader = reader(Watched { inner: Cursor::new(file), progress })?;
    let (width, height) = reader.info().size();
    check_size(width, height, max_pixels)?;
    let mut metadata = metadata(reader.info(), file);
    let (color, depth) = reader.output_color_type();
    let samples = match depth {
        BitDepth::Sixteen => words(&mut reader).map(Samples::Words),
        _ => bytes(&mut reader).map(Samples::Bytes),
    };
    let samples = samples.map_err(reason)?;
    let mut bitmap = Bitmap::new(width as usize, height as usize, channels(color), samples)
        .ok_or_else(|| Reason::too_few_samples(FORMAT))?;
    if let Some(orientation) = metadata.exif.as_deref_mut().and_then(Orientation::take) {
        bitmap = bitmap.upright(orientation);
    }
    Ok((bitmap, metadata))
}

/// Reads what is before the image data.
fn reader<R: BufRead + Seek>(file: R) -> Result<Reader<R>, Reason> {
    let limits = Limits { bytes: usize::try_from(MAX_MEMORY).unwrap_or(usize::MAX) };
    let mut decoder = Decoder::new_with_limits(file, limits);
    // Palettes and transparent colors become samples; samples of 1, 2 and 4 bits become bytes.
    decoder.set_transformations(Transformations::EXPAND);
    decoder.read_info().map_err(reason)
}

/// Width and height of an image, by the chunks before its image data, if the rows of the file are those of the image from top to
/// bottom: it is not interlaced, and its Exif data does not turn it.
pub(crate) fn size_of_rows(header: &[u8]) -> Option<[usize; 2]> {
    let &[a, b, c, d, e, f, g, h, .., interlace] = chunk(header, *b"IHDR")? else { return None };
    let orientation = chunk(header, *b"eXIf").and_then(|exif| Orientation::take(&mut exif.to_vec()));
    let plain = interlace == 0 && orientation.is_none_or(Orientation::is_upright);
    plain.then(|| [[a, b, c, d], [e, f, g, h]].map(|side| u32::from_be_bytes(side) as usize))
}

/// A file that is read row by row.
pub(crate) struct PngReader<R: BufRead> {
    reader: Reader<Forward<R>>,
    /// The bytes that were read.
    read: Rc<Cell<usize>>,
}

impl<R: BufRead> PngReader<R> {
    /// Begins to read `file`, whose bytes before the image data are `header`, and hands over its metadata.
    pub(crate) fn new(header: &[u8], file: R) -> Result<(Self, Metadata), Reason> {
        let read = Rc::new(Cell::new(0));
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
    pub(crate) fn read(&mut self, row: &mut [u8]) -> Result<(), Reason> {
        match self.reader.read_row(row).map_err(reason)? {
            Some(_) => Ok(()),
            None => Err(Reason::too_few_samples(FORMAT)),
        }
    }

    /// Checks that the image data ends with the last row, and returns the size of the file.
    pub(crate) fn end(mut self) -> Result<usize, Reason> {
        self.reader.next_row().map_err(reason)?;
        // Chunks after the image data count towards the size and nothing else.
        let _ = self.reader.finish();
        Ok(self.read.get())
    }
}

/// The metadata before the image data. Those that cannot be read are none.
fn metadata(info: &Info<'_>, file: &[u8]) -> Metadata {
    Metadata {
        icc: info.icc_profile.as_deref().map(<[u8]>::to_vec),
        exif: info.exif_metadata.as_deref().map(<[u8]>::to_vec),
        xmp: xmp(info).map(upright_xmp),
        density: png_density(file),
        colors: png_colors(file),
        damage: None,
        comments: Vec::new(),
    }
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

/// All bytes of the image.
fn bytes(reader: &mut Reader<impl BufRead + Seek>) -> Result<Vec<u8>, DecodingError> {
    let mut bytes = vec![0; reader.output_buffer_size().ok_or(DecodingError::LimitsExceeded)?];
    reader.next_frame(&mut bytes)?;
    Ok(bytes)
}

/// All samples of an image of 16 bits, which is in memory only once unless it is interlaced.
fn words(reader: &mut Reader<impl BufRead + Seek>) -> Result<Vec<u16>, DecodingError> {
    let word = |&pair: &[u8; 2]| u16::from_be_bytes(pair);
    if reader.info().interlaced {
        return Ok(bytes(reader)?.as_chunks().0.iter().map(word).collect());
    }
    let size = reader.output_buffer_size().ok_or(DecodingError::LimitsExceeded)?;
    let mut words = Vec::with_capacity(size / 2);
    while let Some(row) = reader.next_row()? {
        words.extend(row.data().as_chunks().0.iter().map(word));
    }
    Ok(words)
}

/// The decoder's error in this command's words.
fn reason(error: DecodingError) -> Reason {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Reason::Truncated { format: FORMAT }
        }
        DecodingError::IoError(error) => Reason::Read(error),
        DecodingError::LimitsExceeded => Reason::Memory,
        error => Reason::Damaged { format: FORMAT, detail: readable(&error.to_string()) },
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
    progress: &'a mut Progress,
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
    read: Rc<Cell<usize>>,
}

impl<R: BufRead> Read for Forward<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read.update(|all| all + read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Forward<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.read.update(|all| all + amount);
    }
}

impl<R> Seek for Forward<R> {
    fn seek(&mut self, _position: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn chunks_have_their_names() {
        let said = "ChunkType { type: IDAT, critical: true, private: false } chunk appeared before ChunkType { type: IHDR } chunk";
        assert_eq!(readable(said), "IDAT chunk appeared before IHDR chunk");
        assert_eq!(readable("CRC error"), "CRC error");
        assert_eq!(readable("ChunkType {"), "");
    }
}
