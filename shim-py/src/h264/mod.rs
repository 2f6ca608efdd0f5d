//! `H264Encoder` and its packets.

mod frame;
mod settings;

use std::collections::VecDeque;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use shim_h264::{Conversion, Encoder, FirstPass, Format, Packet, PictureKind, Pixels, RateControl};
use shim_mp4::{Clock, Video};

use crate::errors::{self, Class};
use crate::settings::{Reduced, Setting};
use frame::Source;
use settings::{config, frame_rate};

/// A coded frame.
#[pyclass(frozen, get_all, module = "shim_codecs", name = "Packet")]
pub(crate) struct PyPacket {
    pub(crate) data: Py<PyBytes>,
    pub(crate) keyframe: bool,
    number: u64,
    pts: i64,
    /// Seconds.
    pub(crate) time: f64,
    kind: &'static str,
    qp: u8,
    attempts: u32,
    dropped: bool,
    slices: u32,
}

#[pymethods]
impl PyPacket {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.data.bind(py).as_bytes().len()
    }

    fn __bytes__(&self, py: Python<'_>) -> Py<PyBytes> {
        self.data.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let Self { number, kind, qp, .. } = self;
        format!("<Packet {number}: {kind}, {} bytes, QP {qp}>", self.__len__(py))
    }
}

impl PyPacket {
    fn new(py: Python<'_>, packet: &Packet, time: f64) -> Self {
        let Packet { keyframe, number, pts, statistics, .. } = *packet;
        Self {
            data: PyBytes::new(py, &packet.bytes).unbind(),
            keyframe,
            number,
            pts,
            time,
            kind: match statistics.kind {
                PictureKind::Idr => "idr",
                PictureKind::SceneCut => "scene-cut",
                PictureKind::Forced => "forced",
                PictureKind::P => "p",
                _ => "other",
            },
            qp: statistics.qp,
            attempts: statistics.attempts,
            dropped: statistics.dropped,
            slices: statistics.slices,
        }
    }
}

/// Ticks in seconds. An `f64` resolves every tick of videos of days.
#[expect(clippy::cast_precision_loss, reason = "times of videos are below 2^52 ticks")]
fn seconds(ticks: u64, timescale: u32) -> f64 {
    ticks as f64 / f64::from(timescale)
}

/// An encoder for frames of ``width`` by ``height`` luma samples. Pickles by its settings, without its state.
///
/// >>> import numpy as np
/// >>> from shim_codecs import H264Encoder
/// >>> encoder = H264Encoder(64, 48, fps=25, crf=20)
/// >>> frames = [np.full((48, 64, 3), 40 * k, np.uint8) for k in range(3)]
/// >>> packets = [packet for frame in frames for packet in encoder.encode(frame)] + encoder.flush()
/// >>> [packet.keyframe for packet in packets]
/// [True, False, False]
///
#[doc = include_str!("settings.txt")]
#[pyclass(module = "shim_codecs", name = "H264Encoder")]
pub(crate) struct H264Encoder {
    encoder: Encoder,
    given: Py<PyDict>,
    conversion: Option<(Pixels, Conversion)>,
    /// Frames so far.
    number: i64,
    /// The frame rate at the beginning.
    rate: (u32, u32),
    clock: Clock,
    /// The times of frames whose packets are to come.
    times: VecDeque<u64>,
    /// Sizes of the pictures so far.
    first_pass: FirstPass,
}

impl H264Encoder {
    /// The format of the video in an MP4 file.
    pub(crate) fn video(&mut self) -> PyResult<Video> {
        self.check_format()?;
        Ok(Video { timescale: self.clock.timescale(), ..Video::of(&mut self.encoder) })
    }

    pub(crate) fn check_format(&self) -> PyResult<()> {
        match self.encoder.config().format {
            Format::Avcc => Ok(()),
            Format::AnnexB => Err(Class::Setting.error("MP4 files need an encoder with format=\"avcc\"")),
        }
    }

    /// The ticks of a time in frames at the rate that the encoder began with.
    fn ticks(&self, pts: i64) -> PyResult<u64> {
        let (frames, seconds) = self.rate;
        let ticks = i128::from(pts) * i128::from(self.clock.timescale()) * i128::from(seconds);
        let ticks = (ticks + i128::from(frames) / 2).div_euclid(frames.into());
        u64::try_from(ticks).map_err(|_| Class::Setting.error(format!("pts {pts} is out of range")))
    }

    fn packet(&mut self, py: Python<'_>, packet: &Packet) -> PyPacket {
        let ticks = self.times.pop_front().unwrap_or_default();
        self.first_pass.extend([packet.statistics]);
        PyPacket::new(py, packet, seconds(ticks, self.clock.timescale()))
    }
}

#[pymethods]
impl H264Encoder {
    #[new]
    #[pyo3(signature = (width, height, fps = None, **settings))]
    fn new(
        py: Python<'_>,
        width: usize,
        height: usize,
        fps: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let given = settings.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        if let Some(fps) = fps {
            given.set_item("fps", fps)?;
        }
        let config = config(width, height, &Setting::all(Some(&given))?)?;
        let encoder = py.detach(|| Encoder::new(config)).map_err(errors::h264)?;
        given.set_item("width", width)?;
        given.set_item("height", height)?;
        let rate = encoder.config().frame_rate;
        let variable = encoder.config().variable_frame_rate;
        let clock = if variable { Clock::variable(rate) } else { Clock::constant(rate) };
        Ok(Self {
            encoder,
            given: given.unbind(),
            conversion: None,
            number: 0,
            rate,
            clock,
            times: VecDeque::new(),
            first_pass: FirstPass::default(),
        })
    }

    /// Encode a frame, and return the packets that are ready: with a look-ahead, those of frames before it.
    ///
    /// ``frame`` is ``uint8``: ``[height, width]`` of gray, ``[height, width, 3]`` of RGB, ``[height, width, 4]``, 4:2:0 as
    /// ``[height * 3 / 2, width]`` (I420, or with ``pixels="nv12"``), a tuple of planes, ``(Y, Cb, Cr)`` or ``(Y, CbCr)``,
    /// or an image of Pillow. ``pts`` is its time in frames at the rate of the encoder; by default it follows the frame
    /// before it. The GIL is released.
    #[pyo3(signature = (frame, *, pixels = None, pts = None))]
    fn encode(
        &mut self,
        py: Python<'_>,
        frame: &Bound<'_, PyAny>,
        pixels: Option<&str>,
        pts: Option<i64>,
    ) -> PyResult<Vec<PyPacket>> {
        let size = [self.encoder.config().width, self.encoder.config().height];
        let source = Source::of(frame, pixels, size)?;
        if let Some(pixels) = source.pixels()
            && self.conversion.as_ref().is_none_or(|(known, _)| *known != pixels)
        {
            let color = self.encoder.config().rgb_color();
            let conversion = Conversion::new(size[0], size[1], pixels, color).map_err(errors::h264)?;
            self.conversion = Some((pixels, conversion));
        }
        let time = pts.map(|pts| self.ticks(pts)).transpose()?;
        let number = self.number;
        let Self { encoder, conversion, .. } = self;
        let pts = pts.unwrap_or(number);
        let packet = py.detach(|| match conversion {
            Some((_, conversion)) if source.pixels().is_some() => source
                .with_pixels(|samples, stride| {
                    let frame = conversion.frame(samples, stride)?;
                    encoder.encode(&frame.with_pts(pts))
                })
                .expect("it has pixels"),
            _ => source.with_frame(size, |frame| encoder.encode(&frame.with_pts(pts))),
        });
        let packet = packet.map_err(errors::h264)?;
        self.number += 1;
        self.times.push_back(self.clock.frame(time));
        Ok(packet.iter().map(|packet| self.packet(py, packet)).collect())
    }

    /// Return the packets that are left after the last frame.
    pub(crate) fn flush(&mut self, py: Python<'_>) -> PyResult<Vec<PyPacket>> {
        let mut packets = Vec::new();
        while let Some(packet) = py.detach(|| self.encoder.flush()).map_err(errors::h264)? {
            packets.push(self.packet(py, &packet));
        }
        Ok(packets)
    }

    /// Return the sizes of the pictures so far, for ``first_pass`` of a second encoder with the same frames and settings.
    fn statistics(&self) -> String {
        self.first_pass.to_string()
    }

    /// Make the next frame a keyframe.
    fn force_keyframe(&mut self) {
        self.encoder.force_keyframe();
    }

    /// Change the rate control from the next frame on.
    #[pyo3(signature = (*, crf = None, bitrate = None, qp = None))]
    fn set_rate(&mut self, crf: Option<f32>, bitrate: Option<u64>, qp: Option<u8>) -> PyResult<()> {
        let rate = match (crf, bitrate, qp) {
            (Some(crf), None, None) => RateControl::ConstantQuality(crf),
            (None, Some(bitrate), None) => RateControl::AverageBitRate(bitrate),
            (None, None, Some(qp)) => RateControl::ConstantQp(qp),
            _ => return Err(PyTypeError::new_err("set_rate takes one of crf, bitrate and qp")),
        };
        self.encoder.set_rate_control(rate).map_err(errors::h264)
    }

    /// Change the frame rate; needs ``variable_frame_rate``.
    fn set_fps(&mut self, fps: &Bound<'_, PyAny>) -> PyResult<()> {
        let rate = frame_rate(fps)?;
        self.encoder.set_frame_rate(rate).map_err(errors::h264)?;
        self.clock.set_frame_rate(rate);
        Ok(())
    }

    /// Add to the QP of the frames that follow, -51 to 51.
    fn set_qp_offset(&mut self, offset: f32) -> PyResult<()> {
        self.encoder.set_qp_offset(offset).map_err(errors::h264)
    }

    /// SPS and PPS, without start codes.
    fn parameter_sets<'py>(&mut self, py: Python<'py>) -> [Bound<'py, PyBytes>; 2] {
        self.encoder.parameter_sets().map(|unit| PyBytes::new(py, &unit))
    }

    /// The ``avcC`` record of MP4 files.
    fn configuration_record<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.encoder.configuration_record())
    }

    /// The settings as they were given.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.given.bind(py).copy()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let rebuild = slf.py().import("shim_codecs._pickling")?.getattr("rebuild")?;
        Ok((rebuild, (slf.get_type().into_any(), slf.borrow().settings(slf.py())?)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut settings = Vec::new();
        for (name, value) in self.given.bind(py).iter() {
            settings.push(format!("{}={}", name.cast::<PyString>()?, value.repr()?));
        }
        Ok(format!("H264Encoder({})", settings.join(", ")))
    }
}
