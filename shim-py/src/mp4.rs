//! `Mp4Writer`: a file that is complete or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use shim_files::{Output, Target};
use shim_mp4::{Fragments, Mp4, Video};

use crate::errors::Class;
use crate::h264::{H264Encoder, PyPacket};

/// The destination of the file.
enum Sink {
    Path(Target),
    /// An object with a method `write`.
    Object(Py<PyAny>),
}

/// A file in progress.
enum Layout {
    /// In a file beside it, which takes its name when it is complete.
    Whole(Mp4, BufWriter<Output>),
    /// In a file without a name, which the object gets when it is complete.
    Copied(Mp4, BufWriter<File>),
    /// Where it will be: it plays as far as it goes.
    Fragmented(Fragments, Box<dyn Write + Send + Sync>),
}

/// How far a writer is.
enum Stage {
    /// It begins with the first packet, when the encoder knows the color of its frames.
    Waiting,
    Writing(Box<Layout>),
    Closed,
}

/// An MP4 file of the packets of an encoder with ``format="avcc"``.
///
/// As a context manager it completes the file, or discards it after an exception. A file at ``path`` is replaced when
/// the new one is complete; a fragmented one is written in place, and plays as far as it goes. ``path`` may be an object
/// with a method ``write``, such as an open file or ``io.BytesIO``.
///
/// >>> import io
/// >>> import numpy as np
/// >>> from shim_codecs import H264Encoder, Mp4Writer
/// >>> encoder, file = H264Encoder(64, 48, fps=25, format="avcc"), io.BytesIO()
/// >>> with Mp4Writer(file, encoder) as writer:
/// ...     for k in range(3):
/// ...         for packet in encoder.encode(np.full((48, 64, 3), 40 * k, np.uint8)):
/// ...             writer.write(packet)
/// >>> file.getvalue()[4:8]
/// b'ftyp'
#[pyclass(module = "shim_codecs", name = "Mp4Writer")]
pub(crate) struct Mp4Writer {
    encoder: Py<H264Encoder>,
    sink: Sink,
    fragmented: bool,
    quicktime: bool,
    stage: Stage,
    timescale: u32,
}

/// Writes to an object of Python.
struct Object(Py<PyAny>);

impl Write for Object {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            // Some write less than they are given.
            let written = self.0.bind(py).call_method1("write", (PyBytes::new(py, bytes),))?;
            Ok(written.extract().unwrap_or(bytes.len()).min(bytes.len()))
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Mp4Writer {
    fn begin(&self, py: Python<'_>, video: Video) -> io::Result<Layout> {
        Ok(match (&self.sink, self.fragmented) {
            (Sink::Path(target), true) => {
                let mut file: Box<dyn Write + Send + Sync> =
                    Box::new(BufWriter::new(File::create(&target.path)?));
                Layout::Fragmented(Fragments::new(video, &mut file)?, file)
            }
            (Sink::Object(object), true) => {
                let mut file: Box<dyn Write + Send + Sync> = Box::new(Object(object.clone_ref(py)));
                Layout::Fragmented(Fragments::new(video, &mut file)?, file)
            }
            (Sink::Path(target), false) => {
                let mut file = BufWriter::new(target.open()?);
                Layout::Whole(Mp4::new(video, &mut file)?, file)
            }
            (Sink::Object(_), false) => {
                let mut file = BufWriter::new(tempfile::tempfile()?);
                Layout::Copied(Mp4::new(video, &mut file)?, file)
            }
        })
    }

    fn frame(layout: &mut Layout, bytes: &[u8], keyframe: bool, time: Option<u64>) -> io::Result<()> {
        match (layout, time) {
            (Layout::Whole(mp4, file), None) => mp4.frame(bytes, keyframe, file),
            (Layout::Whole(mp4, file), Some(time)) => mp4.frame_at(bytes, keyframe, time, file),
            (Layout::Copied(mp4, file), None) => mp4.frame(bytes, keyframe, file),
            (Layout::Copied(mp4, file), Some(time)) => mp4.frame_at(bytes, keyframe, time, file),
            (Layout::Fragmented(mp4, file), None) => mp4.frame(bytes, keyframe, file),
            (Layout::Fragmented(mp4, file), Some(time)) => mp4.frame_at(bytes, keyframe, time, file),
        }
    }

    fn finish(layout: Layout, sink: &Sink) -> io::Result<()> {
        match (layout, sink) {
            (Layout::Whole(mp4, file), Sink::Path(target)) => {
                let mut output = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                match output.regular_file() {
                    Some(file) => mp4.finish(file)?,
                    None => mp4.finish_unread(&mut output)?,
                }
                output.finish(target)
            }
            (Layout::Copied(mp4, file), Sink::Object(object)) => {
                let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                mp4.finish(&mut file)?;
                file.seek(SeekFrom::Start(0))?;
                let mut object = Python::attach(|py| Object(object.clone_ref(py)));
                io::copy(&mut file, &mut object).map(drop)
            }
            (Layout::Fragmented(mut mp4, mut file), _) => {
                mp4.flush(&mut file)?;
                file.flush()
            }
            (Layout::Whole(..), Sink::Object(_)) | (Layout::Copied(..), Sink::Path(_)) => {
                unreachable!("the layout follows from the sink")
            }
        }
    }
}

/// The exception of a failed write. Refused packets are invalid arguments, not failures of the system.
fn failed(error: io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::InvalidInput => Class::Setting.error(error),
        _ => error.into(),
    }
}

#[pymethods]
impl Mp4Writer {
    #[new]
    #[pyo3(signature = (path, encoder, *, fragmented = false, quicktime = false))]
    fn new(
        path: &Bound<'_, PyAny>,
        encoder: &Bound<'_, H264Encoder>,
        fragmented: bool,
        quicktime: bool,
    ) -> PyResult<Self> {
        encoder.try_borrow()?.check_format()?;
        let sink = if path.hasattr("write")? {
            Sink::Object(path.clone().unbind())
        } else {
            Sink::Path(Target::replacing(path.extract::<PathBuf>()?))
        };
        if let Sink::Path(target) = &sink {
            target.check()?;
        }
        let encoder = encoder.clone().unbind();
        Ok(Self { encoder, sink, fragmented, quicktime, stage: Stage::Waiting, timescale: 1 })
    }

    /// Append a packet at its time, or at ``time`` in seconds. A packet given as bytes needs ``keyframe``: whether decoding
    /// can start there; its time follows from the frame rate.
    #[pyo3(signature = (packet, keyframe = None, *, time = None))]
    fn write(
        &mut self,
        py: Python<'_>,
        packet: &Bound<'_, PyAny>,
        keyframe: Option<bool>,
        time: Option<f64>,
    ) -> PyResult<()> {
        let (data, keyframe, time) = match packet.cast::<PyPacket>() {
            Ok(packet) => {
                let packet = packet.get();
                (
                    packet.data.bind(py).clone(),
                    keyframe.unwrap_or(packet.keyframe),
                    time.or(Some(packet.time)),
                )
            }
            Err(_) => {
                let data = packet.cast::<PyBytes>().map_err(|_| {
                    PyTypeError::new_err("a packet of H264Encoder, or its bytes with keyframe=")
                })?;
                let keyframe = keyframe.ok_or_else(|| {
                    PyTypeError::new_err(
                        "a packet of bytes needs keyframe=, whether decoding can start there",
                    )
                })?;
                (data.clone(), keyframe, time)
            }
        };
        let bytes = data.as_bytes();
        shim_mp4::checked_size(bytes).map_err(failed)?;
        if matches!(self.stage, Stage::Waiting) {
            let video =
                Video { quicktime: self.quicktime, ..self.encoder.bind(py).try_borrow_mut()?.video()? };
            self.timescale = video.timescale;
            self.stage = Stage::Writing(Box::new(self.begin(py, video)?));
        }
        let Stage::Writing(layout) = &mut self.stage else {
            return Err(PyValueError::new_err("the file is closed"));
        };
        let time = match time.map(|time| (time * f64::from(self.timescale)).round()) {
            None => None,
            Some(ticks) if (0.0..1e18).contains(&ticks) => Some(ticks as u64),
            Some(_) => return Err(Class::Setting.error("time is out of range")),
        };
        py.detach(|| Self::frame(layout, bytes, keyframe, time)).map_err(failed)
    }

    /// Write the packets that the encoder still holds, and complete the file. One without a frame is an error, and is not
    /// made.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        if !matches!(self.stage, Stage::Closed) {
            let packets = self.encoder.bind(py).try_borrow_mut()?.flush(py)?;
            for packet in packets {
                self.write(py, Bound::new(py, packet)?.as_any(), None, None)?;
            }
        }
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Waiting => Err(PyValueError::new_err("a video has at least one frame")),
            Stage::Writing(layout) => py.detach(|| Self::finish(*layout, &self.sink)).map_err(failed),
            Stage::Closed => Ok(()),
        }
    }

    /// Remove what was written.
    fn discard(&mut self) -> PyResult<()> {
        match (std::mem::replace(&mut self.stage, Stage::Closed), &self.sink) {
            (Stage::Writing(layout), Sink::Path(target)) if self.fragmented => {
                drop(layout);
                Ok(fs::remove_file(&target.path)?)
            }
            // The file beside it is removed as it is dropped.
            _ => Ok(()),
        }
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (kind, _error, _traceback))]
    fn __exit__(
        &mut self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let closed = if kind.is_none() { self.close(py) } else { Ok(()) };
        if !kind.is_none() || closed.is_err() {
            self.discard()?;
        }
        closed.map(|()| false)
    }
}
