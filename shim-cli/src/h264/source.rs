//! Frames of a file or a pipe, one after the other.

use std::cell::Cell;
use std::fs;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use shim_h264::{Color, Conversion, Frame};

use super::y4m_header::{self, FORMAT, Header, MAX_SIDE};
use crate::args::{H264, PixFmt};
use crate::failure::{Failure, Reason};
use crate::signals::Input;
use crate::standard::is_standard;

/// The longest header of a Y4M file that is read.
const MAX_HEADER: u64 = 4096;

/// Bytes of a file or a pipe, and how many there were.
struct Counted {
    bytes: Chain<Cursor<Vec<u8>>, BufReader<Input>>,
    count: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.count.set(self.count.get() + length as u64);
        Ok(length)
    }
}

/// Frames that come one after the other.
pub(super) struct Source {
    frames: Frames,
    count: Rc<Cell<u64>>,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Frames a second, if the file says so.
    pub(super) frame_rate: Option<(u32, u32)>,
    /// What else it says.
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

/// What comes next.
pub(super) enum Next<R> {
    Frame(R),
    End,
    /// The end, within a frame.
    Truncated,
}

impl Source {
    /// The frames of a Y4M file, or raw ones.
    pub(super) fn open(arguments: &H264) -> Result<Self, Failure> {
        let path = &*arguments.input;
        let failure = |reason| Failure::input(path, reason);
        let bytes = Input::open(path).map_err(|error| failure(Reason::Read(error)))?;
        let length = fs::metadata(path).ok().filter(|about| about.is_file() && !is_standard(path));
        let length = length.map(|about| about.len());
        let count = Rc::new(Cell::new(0));
        let bytes = Cursor::new(Vec::new()).chain(BufReader::with_capacity(1 << 16, bytes));
        let counted = Counted { bytes, count: Rc::clone(&count) };
        if let Some([width, height]) = arguments.size {
            let pixels = arguments.pix_fmt.pixels();
            let color = arguments.color().unwrap_or(Color::HD);
            let conversion = pixels.map(|pixels| Conversion::new(width, height, pixels, color)).transpose();
            let conversion = conversion.map_err(|error| failure(Reason::Video(error)))?;
            let length_of_frame =
                pixels.map_or(samples(width, height), |pixels| width * height * pixels.bytes());
            let frames = Frames::Raw {
                bytes: counted,
                frame: vec![0; length_of_frame],
                conversion: conversion.map(Box::new),
                nv12: arguments.pix_fmt == PixFmt::Nv12,
            };
            let header = Header::default();
            return Ok(Self {
                frames,
                count,
                width,
                height,
                frame_rate: None,
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
        let rate = decoder.get_framerate();
        // A rate of 0/0 is one that is not known.
        let frame_rate = match (u32::try_from(rate.num), u32::try_from(rate.den)) {
            (Ok(num @ 1..), Ok(den @ 1..)) => Some((num, den)),
            _ => None,
        };
        let (width, height) = (decoder.get_width(), decoder.get_height());
        let (frames, seek) = (Frames::Y4m(Box::new(decoder)), arguments.seek);
        Ok(Self { frames, count, width, height, frame_rate, header, seek, length })
    }

    /// How many frames there may be, where it is known how many bytes there are.
    pub(super) fn expected(&self) -> Option<u64> {
        let frame = match &self.frames {
            Frames::Y4m(_) => "FRAME\n".len() + samples(self.width, self.height),
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
            Err(y4m::Error::EOF) => return Ok(Next::End),
            Err(y4m::Error::IoError(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Ok(Next::End);
            }
            Err(error) => return Err(failure(damaged(error))),
        }
        let before = self.count.get();
        let [width, height] = [self.width, self.height];
        let encoded = match &mut self.frames {
            Frames::Y4m(decoder) => match decoder.read_frame() {
                Ok(frame) => Frame::new(
                    width,
                    height,
                    (frame.get_y_plane(), width),
                    (frame.get_u_plane(), width.div_ceil(2)),
                    (frame.get_v_plane(), width.div_ceil(2)),
                )
                .and_then(|frame| with(&frame)),
                Err(y4m::Error::EOF) if self.count.get() == before => return Ok(Next::End),
                Err(y4m::Error::EOF) => return Ok(Next::Truncated),
                Err(error) => return Err(failure(damaged(error))),
            },
            Frames::Raw { bytes, frame, conversion, nv12 } => {
                if let Err(error) = bytes.read_exact(frame) {
                    return match error.kind() {
                        io::ErrorKind::UnexpectedEof if self.count.get() == before => Ok(Next::End),
                        io::ErrorKind::UnexpectedEof => Ok(Next::Truncated),
                        _ => Err(failure(Reason::Read(error))),
                    };
                }
                let frame = match conversion {
                    Some(conversion) => conversion.frame(frame, frame.len() / height),
                    None if *nv12 => {
                        let (luma, chroma) = frame.split_at(width * height);
                        Frame::nv12(width, height, (luma, width), (chroma, width.next_multiple_of(2)))
                    }
                    None => Frame::i420(width, height, frame),
                };
                frame.and_then(|frame| with(&frame))
            }
        };
        encoded.map(Next::Frame).map_err(|error| failure(Reason::Video(error)))
    }
}

/// The samples of a frame of luma and chroma.
fn samples(width: usize, height: usize) -> usize {
    width * height + 2 * (width.div_ceil(2) * height.div_ceil(2))
}

/// The header, and the same bytes.
fn header(counted: Counted) -> Result<(Header, Counted), Reason> {
    let Counted { bytes, count } = counted;
    let (_, mut rest) = bytes.into_inner();
    let mut line = Vec::new();
    (&mut rest).take(MAX_HEADER).read_until(b'\n', &mut line).map_err(Reason::Read)?;
    let header = y4m_header::parse(&line)?;
    Ok((header, Counted { bytes: Cursor::new(line).chain(rest), count }))
}

/// What is wrong with a header.
fn in_header(error: y4m::Error) -> Reason {
    match error {
        y4m::Error::EOF => Reason::Truncated { format: FORMAT },
        error => damaged(error),
    }
}

/// What is wrong with a Y4M file.
fn damaged(error: y4m::Error) -> Reason {
    match error {
        y4m::Error::IoError(error) => Reason::Read(error),
        error => Reason::Damaged { format: FORMAT, detail: error.to_string() },
    }
}
