//! `Mp4Writer`: a file that is complete or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use shim_mp4::{Fragments, Mp4, Video};
use tempfile::{Builder, NamedTempFile};

use crate::h264::H264Encoder;

/// A file in progress.
enum Layout {
    /// In a file beside it, which takes its place when it is complete.
    Whole(Mp4, BufWriter<NamedTempFile>),
    /// Where it will be: it plays as far as it goes.
    Fragmented(Fragments, BufWriter<File>),
}

/// An MP4 file of the packets of an encoder with ``format="avcc"``.
///
/// As a context manager it completes the file, or discards it after an exception. A file at ``path`` is replaced when
/// the new one is complete; a fragmented one is written in place, and plays as far as it goes.
#[pyclass(module = "shim_codecs", name = "Mp4Writer")]
pub(crate) struct Mp4Writer {
    path: PathBuf,
    layout: Option<Layout>,
}

impl Mp4Writer {
    fn begin(path: PathBuf, video: Video, fragmented: bool) -> io::Result<Self> {
        let layout = if fragmented {
            let mut file = BufWriter::new(File::create(&path)?);
            Layout::Fragmented(Fragments::new(video, &mut file)?, file)
        } else {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let mut builder = Builder::new();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                builder.permissions(fs::Permissions::from_mode(0o666));
            }
            let file = builder
                .prefix(".shim-")
                .suffix(".mp4")
                .tempfile_in(folder.unwrap_or_else(|| ".".as_ref()))?;
            let mut file = BufWriter::new(file);
            Layout::Whole(Mp4::new(video, &mut file)?, file)
        };
        Ok(Self { path, layout: Some(layout) })
    }

    fn write_frame(&mut self, bytes: &[u8], keyframe: bool) -> PyResult<()> {
        match self.layout.as_mut() {
            Some(Layout::Whole(mp4, file)) => Ok(mp4.frame(bytes, keyframe, file)?),
            Some(Layout::Fragmented(mp4, file)) => Ok(mp4.frame(bytes, keyframe, file)?),
            None => Err(PyValueError::new_err("the file is closed")),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self.layout.take() {
            Some(Layout::Whole(mp4, file)) => {
                let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                mp4.finish(file.as_file_mut())?;
                file.persist(&self.path).map_err(|error| error.error)?;
                Ok(())
            }
            Some(Layout::Fragmented(mut mp4, mut file)) => {
                mp4.flush(&mut file)?;
                file.flush()
            }
            None => Ok(()),
        }
    }
}

#[pymethods]
impl Mp4Writer {
    #[new]
    #[pyo3(signature = (path, encoder, *, fragmented = false, quicktime = false))]
    fn new(
        path: PathBuf,
        encoder: &Bound<'_, H264Encoder>,
        fragmented: bool,
        quicktime: bool,
    ) -> PyResult<Self> {
        let video = Video { quicktime, ..encoder.try_borrow_mut()?.video()? };
        Ok(Self::begin(path, video, fragmented)?)
    }

    /// Append a packet.
    fn write(&mut self, py: Python<'_>, data: &Bound<'_, PyBytes>, keyframe: bool) -> PyResult<()> {
        let bytes = data.as_bytes();
        py.detach(|| self.write_frame(bytes, keyframe))
    }

    /// Complete the file.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        Ok(py.detach(|| self.finish())?)
    }

    /// Remove what was written.
    fn discard(&mut self) -> PyResult<()> {
        match self.layout.take() {
            Some(Layout::Fragmented(_, file)) => {
                drop(file);
                Ok(fs::remove_file(&self.path)?)
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
        if kind.is_none() {
            self.close(py)?;
        } else {
            self.discard()?;
        }
        Ok(false)
    }
}
