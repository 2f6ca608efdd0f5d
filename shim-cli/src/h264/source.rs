//! Frames of a file or a pipe, one after the other.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use shim_h264::{Color, Config, Conversion, Frame};
use shim_picture::Error as FileError;

use super::y4m_header::{self, FORMAT, Header, MAGIC, MAX_LENGTH, MAX_SIDE};
use crate::args::{Crop, H264, PixFmt};
use crate::failure::{Failure, Reason};
use crate::signals::Input;
use crate::standard::is_standard;

/// The first bytes of a frame of a Y4M file.
const FRAME: &[u8] = b"FRAME";

/// The position in an input.
#[derive(Default)]
struct SoFar {
    /// Bytes.
    count: Cell<u64>,
    /// The first bytes of the current frame.
    start: RefCell<Vec<u8>>,
}

/// Bytes of a file or a pipe.
struct Counted {
    bytes: Chain<Cursor<Vec<u8>>, BufReader<Input>>,
    so_far: Rc<SoFar>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        let SoFar { count, start } = &*self.so_far;
        count.set(count.get() + length as u64);
        let mut start = start.borrow_mut();
        let missing = MAGIC.len() - start.len();
        start.extend(buffer[..length].iter().take(missing));
        Ok(length)
    }
}

/// Frames that come one after the other.
pub(super) struct Source {
    frames: Frames,
    so_far: Rc<SoFar>,
    /// Width and height of the frames that are read.
    size: [usize; 2],
    /// Column and row of the part that is encoded.
    at: [usize; 2],
    /// Samples of a row of it.
    pub(super) width: usize,
    /// Its rows.
    pub(super) height: usize,
    /// Parameters of the header besides the frame size.
    pub(super) header: Header,
    /// Frames that are left out at the beginning.
    seek: u64,
    /// The bytes of the whole, where it is a file.
    length: Option<u64>,
}

enum Frames {
    Y4m(Box<y4m::Decoder<Counted>>),
    Raw {
        bytes: Counted,
        /// Memory for one.
        frame: Vec<u8>,
        /// Of red, green and blue.
        conversion: Option<Box<Conversion>>,
        /// Whether Cb and Cr are interleaved.
        nv12: bool,
    },
}

/// The next item of a source.
pub(super) enum Next<R> {
    Frame(R),
    End,
    /// The end of the frames, but not of the input.
    Broken(Broken),
}

/// Why the frames end before the input does.
pub(super) enum Broken {
    /// It ends within a frame.
    Truncated,
    /// Other bytes than a frame follow.
    Trailing,
    /// Another stream follows.
    Concatenated,
    /// It cannot be read any further.
    Failed(io::Error),
}

impl Source {
    /// The frames of a Y4M file, or raw ones.
    pub(super) fn open(arguments: &H264) -> Result<Self, Failure> {
        let path = &*arguments.input;
        let failure = |reason| Failure::input(path, reason);
        let bytes = Input::open(path).map_err(|error| failure(Reason::Read(error)))?;
        let length = fs::metadata(path).ok().filter(|about| about.is_file() && !is_standard(path));
        let length = length.map(|about| about.len());
        let so_far = Rc::new(SoFar::default());
        let mut bytes = BufReader::with_capacity(1 << 16, bytes);
        let mut start = Vec::new();
        (&mut bytes)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut start)
            .map_err(|error| failure(Reason::Read(error)))?;
        let is_y4m = start == MAGIC;
        let counted = Counted { bytes: Cursor::new(start).chain(bytes), so_far: Rc::clone(&so_far) };
        if let Some(size) = arguments.size {
            if is_y4m {
                return Err(failure(Reason::Y4mAsRaw));
            }
            let ([width, height], at) = part(size, arguments.crop).map_err(failure)?;
            let pixels = arguments.pix_fmt.pixels();
            let color = rgb_color(arguments, height);
            let conversion = pixels.map(|pixels| Conversion::new(width, height, pixels, color)).transpose();
            let conversion = conversion.map_err(|error| failure(Reason::Video(error)))?;
            let length_of_frame = pixels.map_or(samples(size), |pixels| size[0] * size[1] * pixels.bytes());
            let frames = Frames::Raw {
                bytes: counted,
                frame: vec![0; length_of_frame],
                conversion: conversion.map(Box::new),
                nv12: arguments.pix_fmt == PixFmt::Nv12,
            };
            let header = Header::default();
            return Ok(Self {
                frames,
                so_far,
                size,
                at,
                width,
                height,
                header,
                seek: arguments.seek,
                length,
            });
        }
        let (header, counted) = header(counted).map_err(failure)?;
        if let Some(order) = header.interlaced.filter(|_| !arguments.no_interlaced) {
            return Err(failure(Reason::Interlaced(order)));
        }
        let limits = y4m::Limits { bytes: 3 * MAX_SIDE * MAX_SIDE };
        let decoder =
            y4m::Decoder::new_with_limits(counted, limits).map_err(|error| failure(in_header(error)))?;
        let size = [decoder.get_width(), decoder.get_height()];
        let ([width, height], at) = part(size, arguments.crop).map_err(failure)?;
        let (frames, seek) = (Frames::Y4m(Box::new(decoder)), arguments.seek);
        Ok(Self { frames, so_far, size, at, width, height, header, seek, length })
    }

    /// Maximum number of frames, if the number of bytes is known.
    pub(super) fn expected(&self) -> Option<u64> {
        let frame = match &self.frames {
            Frames::Y4m(_) => "FRAME\n".len() + samples(self.size),
            Frames::Raw { frame, .. } => frame.len(),
        };
        Some((self.length? / frame.max(1) as u64).saturating_sub(self.seek))
    }

    /// Goes past the frames that are left out; there may be fewer.
    fn skip(&mut self) -> Result<(), y4m::Error> {
        for _ in 0..std::mem::take(&mut self.seek) {
            match &mut self.frames {
                Frames::Y4m(decoder) => drop(decoder.read_frame()?),
                Frames::Raw { bytes, frame, .. } => bytes.read_exact(frame)?,
            }
        }
        Ok(())
    }

    /// Hands the next frame over.
    pub(super) fn next<R>(
        &mut self,
        path: &Path,
        with: impl FnOnce(&Frame<'_>) -> Result<R, shim_h264::Error>,
    ) -> Result<Next<R>, Failure> {
        let failure = |reason| Failure::input(path, reason);
        match self.skip() {
            Ok(()) => {}
            Err(y4m::Error::IoError(error)) => return Ok(Next::Broken(Broken::Failed(error))),
            // There are fewer frames.
            Err(_) => return Ok(Next::End),
        }
        let before = self.so_far.count.get();
        self.so_far.start.borrow_mut().clear();
        let part = Part { stride: self.size[0], at: self.at, width: self.width, height: self.height };
        let encoded = match &mut self.frames {
            Frames::Y4m(decoder) => match decoder.read_frame() {
                Ok(frame) => part
                    .planes([frame.get_y_plane(), frame.get_u_plane(), frame.get_v_plane()])
                    .and_then(|frame| with(&frame)),
                Err(y4m::Error::EOF) if self.so_far.count.get() == before => return Ok(Next::End),
                Err(error) => return Ok(Next::Broken(Broken::new(error, &self.so_far.start.borrow()))),
            },
            Frames::Raw { bytes, frame, conversion, nv12 } => {
                if let Err(error) = bytes.read_exact(frame) {
                    return match error.kind() {
                        io::ErrorKind::UnexpectedEof if self.so_far.count.get() == before => Ok(Next::End),
                        io::ErrorKind::UnexpectedEof => Ok(Next::Broken(Broken::Truncated)),
                        _ => Ok(Next::Broken(Broken::Failed(error))),
                    };
                }
                let [width, height] = self.size;
                let frame = match conversion {
                    Some(conversion) => {
                        let stride = frame.len() / height;
                        let first = self.at[1] * stride + self.at[0] * (stride / width);
                        conversion.frame(&frame[first..], stride)
                    }
                    None => {
                        let (luma, chroma) = frame.split_at(width * height);
                        if *nv12 {
                            part.nv12([luma, chroma])
                        } else {
                            let (cb, cr) = chroma.split_at(chroma.len() / 2);
                            part.planes([luma, cb, cr])
                        }
                    }
                };
                frame.and_then(|frame| with(&frame))
            }
        };
        encoded.map(Next::Frame).map_err(|error| failure(Reason::Video(error)))
    }
}

impl Broken {
    /// By the error of the decoder, and the first bytes where a frame was to begin.
    fn new(error: y4m::Error, start: &[u8]) -> Self {
        match error {
            y4m::Error::IoError(error) => Self::Failed(error),
            y4m::Error::EOF if start.starts_with(FRAME) || FRAME.starts_with(start) => Self::Truncated,
            _ if start == MAGIC => Self::Concatenated,
            _ => Self::Trailing,
        }
    }

    /// Why an input without any frame before this fails.
    pub(super) fn reason(self) -> Reason {
        match self {
            Self::Truncated => FileError::Truncated { format: "video" }.into(),
            Self::Trailing | Self::Concatenated => FileError::Damaged {
                format: FORMAT,
                detail: "its header is not followed by a frame".to_owned(),
            }
            .into(),
            Self::Failed(error) => Reason::Read(error),
        }
    }

    /// Whether frames that were wanted are missing, which a part of one is not.
    pub(super) fn loses_frames(&self) -> bool {
        matches!(self, Self::Concatenated | Self::Failed(_))
    }

    /// The message of an input that had so many frames before this.
    pub(super) fn message(&self, frames: u64) -> String {
        match self {
            Self::Truncated => {
                format!("truncated within frame {}; the frames before it were encoded", frames + 1)
            }
            Self::Trailing => format!("ignored the data after frame {frames}, which is not a frame"),
            Self::Concatenated => format!(
                "another Y4M stream follows frame {frames}, of which nothing was encoded: encode it by itself"
            ),
            Self::Failed(error) => {
                format!("cannot be read after frame {frames}: {error}; the frames before it were encoded")
            }
        }
    }
}

/// The part of each frame that is encoded.
struct Part {
    /// Samples of luma in a row of the whole.
    stride: usize,
    at: [usize; 2],
    width: usize,
    height: usize,
}

impl Part {
    /// The part of a frame of three planes.
    fn planes<'a>(&self, [luma, cb, cr]: [&'a [u8]; 3]) -> Result<Frame<'a>, shim_h264::Error> {
        let ([x, y], stride) = (self.at, self.stride.div_ceil(2));
        let chroma = |plane: &'a [u8]| (&plane[y / 2 * stride + x / 2..], stride);
        Frame::new(self.width, self.height, self.luma(luma), chroma(cb), chroma(cr))
    }

    /// The part of a frame with pairs of chroma.
    fn nv12<'a>(&self, [luma, chroma]: [&'a [u8]; 2]) -> Result<Frame<'a>, shim_h264::Error> {
        let ([x, y], stride) = (self.at, self.stride.next_multiple_of(2));
        Frame::nv12(self.width, self.height, self.luma(luma), (&chroma[y / 2 * stride + x..], stride))
    }

    fn luma<'a>(&self, plane: &'a [u8]) -> (&'a [u8], usize) {
        (&plane[self.at[1] * self.stride + self.at[0]..], self.stride)
    }
}

/// The color by which frames of so many rows are converted, if they are.
fn rgb_color(arguments: &H264, height: usize) -> Color {
    let mut config = Config::new(1, height);
    (config.color, config.full_range) = (arguments.color(), arguments.full_range());
    config.rgb_color()
}

/// Size and place of the part of a frame of this size that is encoded.
fn part(size: [usize; 2], crop: Option<Crop>) -> Result<([usize; 2], [usize; 2]), Reason> {
    let Some(crop) = crop else { return Ok((size, [0, 0])) };
    let within = (0..2).all(|axis| crop.size[axis] <= size[axis].saturating_sub(crop.at[axis]));
    if within { Ok((crop.size, crop.at)) } else { Err(Reason::Crop { crop, size }) }
}

/// The samples of a frame of luma and chroma.
fn samples([width, height]: [usize; 2]) -> usize {
    width * height + 2 * (width.div_ceil(2) * height.div_ceil(2))
}

/// The header, and the same bytes.
fn header(counted: Counted) -> Result<(Header, Counted), Reason> {
    let Counted { bytes, so_far } = counted;
    let (start, mut rest) = bytes.into_inner();
    let mut line = start.into_inner();
    (&mut rest).take((MAX_LENGTH - line.len()) as u64).read_until(b'\n', &mut line).map_err(Reason::Read)?;
    let header = y4m_header::parse(&line)?;
    Ok((header, Counted { bytes: Cursor::new(line).chain(rest), so_far }))
}

/// The error of a header.
fn in_header(error: y4m::Error) -> Reason {
    match error {
        y4m::Error::EOF => FileError::Truncated { format: FORMAT }.into(),
        error => damaged(error),
    }
}

/// The error of a Y4M file.
fn damaged(error: y4m::Error) -> Reason {
    match error {
        y4m::Error::IoError(error) => Reason::Read(error),
        error => FileError::Damaged { format: FORMAT, detail: error.to_string() }.into(),
    }
}
