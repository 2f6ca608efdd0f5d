//! `H264Encoder` and its packets.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyString, PyTuple};
use shim_h264::{
    Color, Config, Conversion, Deblocking, Edges, Encoder, Error, Format, Frame, Matrix, Packet, PictureKind,
    Pixels, RateControl, Vbv,
};
use shim_mp4::Video;

use crate::array::{Array, Rows};
use crate::errors::{self, Class};
use crate::settings::{Reduced, Setting};

/// A configuration by its settings.
fn config(width: usize, height: usize, settings: &[Setting<'_>]) -> PyResult<Config> {
    let mut config = Config::new(width, height);
    let (mut rates, mut full_range) = (0, None);
    for setting in settings {
        match &*setting.name {
            "fps" => config.frame_rate = frame_rate(&setting.value)?,
            "variable_frame_rate" => config.variable_frame_rate = setting.get()?,
            "preset" => config.preset = setting.text()?.parse().map_err(errors::h264)?,
            "crf" | "bitrate" | "qp" => {
                if let Some(rate) = rate_control(setting)? {
                    (config.rate, rates) = (rate, rates + 1);
                }
            }
            "expected_frames" => config.expected_frames = setting.optional()?,
            "vbv" => config.vbv = setting.optional::<(u64, u64, f32)>()?.map(buffer),
            "chroma_qp_offset" => config.chroma_qp_index_offset = setting.get()?,
            "keyint" => config.keyint = setting.get()?,
            "min_keyint" => config.min_keyint = setting.optional()?,
            "scene_cut" => config.scene_cut = setting.get()?,
            "references" => config.references = setting.get()?,
            "constrained_intra" => config.constrained_intra_pred = setting.get()?,
            "slices" => config.slices = setting.get()?,
            "max_slice_size" => config.max_slice_size = setting.optional()?,
            "threads" => config.threads = setting.get()?,
            "deblocking" => config.deblocking = deblocking(setting.get()?)?,
            "level" => config.level = setting.optional()?,
            "matrix" => config.color = color(setting)?,
            "full_range" => full_range = setting.optional()?,
            "primaries" => config.primaries = setting.get()?,
            "transfer" => config.transfer = setting.get()?,
            "sample_aspect_ratio" => config.sample_aspect_ratio = setting.optional()?,
            "format" => config.format = format(&setting.text()?)?,
            "access_unit_delimiters" => config.access_unit_delimiters = setting.get()?,
            "first_idr_pic_id" => config.first_idr_pic_id = setting.get()?,
            _ => return Err(setting.unknown("H264Encoder")),
        }
    }
    if rates > 1 {
        return Err(Class::Setting.error("more than one of crf, bitrate and qp is set"));
    }
    match (&mut config.color, full_range) {
        (Some(color), Some(full)) => color.full_range = full,
        (None, full) => config.full_range = full,
        (Some(_), None) => {}
    }
    Ok(config)
}

/// A rate control by the name of its setting.
fn rate_control(setting: &Setting<'_>) -> PyResult<Option<RateControl>> {
    Ok(match &*setting.name {
        "crf" => setting.optional()?.map(RateControl::ConstantQuality),
        "bitrate" => setting.optional()?.map(RateControl::AverageBitRate),
        _ => setting.optional()?.map(RateControl::ConstantQp),
    })
}

/// Frames a second: an integer, a float, a fraction or a pair.
fn frame_rate(value: &Bound<'_, PyAny>) -> PyResult<(u32, u32)> {
    let out_of_range = || Class::Setting.error(format!("fps {value} is out of range"));
    if value.is_instance_of::<PyTuple>() {
        return value.extract().map_err(|_| out_of_range());
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract().map(|frames| (frames, 1)).map_err(|_| out_of_range());
    }
    // 29.97 is 30000/1001.
    let fraction = if value.is_instance_of::<PyFloat>() {
        let fraction = value.py().import("fractions")?.getattr("Fraction")?;
        fraction.call1((value,)).map_err(|_| out_of_range())?.call_method1("limit_denominator", (1001,))?
    } else if value.hasattr("numerator")? && value.hasattr("denominator")? {
        value.clone()
    } else {
        return Err(PyTypeError::new_err("fps: a number, a fraction, or a pair of integers"));
    };
    let part = |name| fraction.getattr(name)?.extract::<u32>();
    match (part("numerator"), part("denominator")) {
        (Ok(frames), Ok(seconds)) => Ok((frames, seconds)),
        _ => Err(out_of_range()),
    }
}

fn buffer((most, bits, fullness): (u64, u64, f32)) -> Vbv {
    let mut vbv = Vbv::new(most, bits);
    vbv.initial_fullness = fullness;
    vbv
}

fn deblocking((edges, alpha, beta): (String, i8, i8)) -> PyResult<Deblocking> {
    let edges = match &*edges {
        "all" => Edges::All,
        "within-slices" => Edges::WithinSlices,
        "none" => Edges::None,
        _ => {
            return Err(
                Class::Setting.error(format!("unknown edges '{edges}': one of all within-slices none"))
            );
        }
    };
    Ok(Deblocking { edges, alpha, beta })
}

fn format(name: &str) -> PyResult<Format> {
    match name {
        "annexb" => Ok(Format::AnnexB),
        "avcc" => Ok(Format::Avcc),
        _ => Err(Class::Setting.error(format!("unknown format '{name}': one of annexb avcc"))),
    }
}

fn color(setting: &Setting<'_>) -> PyResult<Option<Color>> {
    if setting.value.is_none() {
        return Ok(None);
    }
    let name = setting.text()?;
    let matrix = match &*name {
        "bt601" => Matrix::Bt601,
        "bt470bg" => Matrix::Bt470bg,
        "bt709" => Matrix::Bt709,
        "smpte240m" => Matrix::Smpte240m,
        "bt2020" => Matrix::Bt2020,
        _ => {
            let known = "one of bt601 bt470bg bt709 smpte240m bt2020";
            return Err(Class::Setting.error(format!("unknown matrix '{name}': {known}")));
        }
    };
    Ok(Some(Color { matrix, full_range: false }))
}

/// A coded frame.
#[pyclass(frozen, get_all, module = "shim_codecs", name = "Packet")]
pub(crate) struct PyPacket {
    data: Py<PyBytes>,
    keyframe: bool,
    number: u64,
    pts: i64,
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
    fn new(py: Python<'_>, packet: &Packet) -> Self {
        let Packet { keyframe, number, pts, statistics, .. } = *packet;
        Self {
            data: PyBytes::new(py, &packet.bytes).unbind(),
            keyframe,
            number,
            pts,
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

/// An encoder for frames of ``width`` by ``height`` luma samples. Pickles by its settings, without its state.
///
/// >>> import numpy as np
/// >>> from shim_codecs import H264Encoder
/// >>> encoder = H264Encoder(64, 48, fps=25, crf=20)
/// >>> frames = [np.full((48, 64, 3), 40 * k, np.uint8) for k in range(3)]
/// >>> packets = [packet for frame in frames for packet in encoder.encode(frame)] + encoder.flush()
/// >>> [packet.keyframe for packet in packets]
/// [True, False, False]
#[pyclass(module = "shim_codecs", name = "H264Encoder")]
pub(crate) struct H264Encoder {
    encoder: Encoder,
    given: Py<PyDict>,
    conversion: Option<(Pixels, Conversion)>,
}

impl H264Encoder {
    /// The format of the video in an MP4 file.
    pub(crate) fn video(&mut self) -> PyResult<Video> {
        if self.encoder.config().format != Format::Avcc {
            return Err(Class::Setting.error("MP4 files need an encoder with format=\"avcc\""));
        }
        Ok(Video::of(&mut self.encoder))
    }
}

/// The samples of a frame.
enum Source {
    Pixels(Array, Pixels),
    I420(Array),
    Nv12(Array),
    Planes(Vec<Array>),
}

impl Source {
    fn of(object: &Bound<'_, PyAny>, pixels: Option<&str>, [wide, high]: [usize; 2]) -> PyResult<Self> {
        let bytes = |array: Array| match array.bytes {
            1 => Ok(array),
            _ => Err(Class::ArrayType.error("frames have samples of uint8")),
        };
        if let Ok(planes) = object.cast::<PyTuple>() {
            if !matches!(planes.len(), 2 | 3) {
                let count = planes.len();
                return Err(
                    Class::Array.error(format!("a tuple is (Y, CbCr) or (Y, Cb, Cr), got {count} planes"))
                );
            }
            return planes
                .iter()
                .map(|plane| bytes(Array::of(&plane)?))
                .collect::<PyResult<_>>()
                .map(Self::Planes);
        }
        let array = bytes(Array::of(object)?)?;
        let shape = array.shape().to_vec();
        let refused = || {
            let message = format!(
                "an array of shape {shape:?} is no frame of {wide}x{high}: it has to be [{high}, {wide}, 3], [{high}, {wide}, 4], \
                 or 4:2:0 of [{}, {wide}]",
                high + high.div_ceil(2)
            );
            Err(Class::Array.error(message))
        };
        let known = match pixels {
            None => None,
            Some("rgb") => Some((Pixels::Rgb, 3)),
            Some("bgr") => Some((Pixels::Bgr, 3)),
            Some("rgba") => Some((Pixels::Rgba, 4)),
            Some("bgra") => Some((Pixels::Bgra, 4)),
            Some("i420" | "nv12") => {
                let planar =
                    high.is_multiple_of(2) && wide.is_multiple_of(2) && shape == [high + high / 2, wide];
                return match pixels {
                    _ if !planar => refused(),
                    Some("nv12") => Ok(Self::Nv12(array)),
                    _ => Ok(Self::I420(array)),
                };
            }
            Some(name) => {
                let known = "one of rgb bgr rgba bgra i420 nv12";
                return Err(Class::Setting.error(format!("unknown pixels '{name}': {known}")));
            }
        };
        match (&shape[..], known) {
            (&[rows, columns, samples], known) if [rows, columns] == [high, wide] => match (samples, known) {
                (count, Some((pixels, of))) if count == of => Ok(Self::Pixels(array, pixels)),
                (3, None) => Ok(Self::Pixels(array, Pixels::Rgb)),
                (4, None) => Ok(Self::Pixels(array, Pixels::Rgba)),
                _ => refused(),
            },
            (&[rows, columns], None)
                if high.is_multiple_of(2)
                    && wide.is_multiple_of(2)
                    && [rows, columns] == [high + high / 2, wide] =>
            {
                Ok(Self::I420(array))
            }
            _ => refused(),
        }
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
        Ok(Self { encoder, given: given.unbind(), conversion: None })
    }

    /// Encode a frame, and return the packets that are ready.
    ///
    /// ``frame`` is ``uint8``: ``[height, width, 3]`` of RGB, ``[height, width, 4]``, 4:2:0 as ``[height * 3 / 2,
    /// width]`` (I420, or with ``pixels="nv12"``), or a tuple of planes, ``(Y, Cb, Cr)`` or ``(Y, CbCr)``. The GIL is
    /// released.
    #[pyo3(signature = (frame, *, pixels = None, pts = 0))]
    fn encode<'py>(
        &mut self,
        py: Python<'py>,
        frame: &Bound<'py, PyAny>,
        pixels: Option<&str>,
        pts: i64,
    ) -> PyResult<Vec<PyPacket>> {
        let (width, height) = (self.encoder.config().width, self.encoder.config().height);
        let source = Source::of(frame, pixels, [width, height])?;
        if let Source::Pixels(_, pixels) = source
            && self.conversion.as_ref().is_none_or(|(known, _)| *known != pixels)
        {
            let color = self.encoder.config().color.unwrap_or(Color::HD);
            let conversion = Conversion::new(width, height, pixels, color).map_err(errors::h264)?;
            self.conversion = Some((pixels, conversion));
        }
        let Self { encoder, conversion, .. } = self;
        let packet = py.detach(|| match &source {
            Source::Pixels(array, _) => {
                let Rows { samples, stride } = array.view::<u8>().rows();
                let (_, conversion) = conversion.as_mut().expect("made above");
                let frame = conversion.frame(&samples, stride)?;
                encoder.encode(&frame.with_pts(pts))
            }
            Source::I420(array) => {
                let rows = array.view::<u8>().rows().packed(width);
                encoder.encode(&Frame::i420(width, height, &rows.samples)?.with_pts(pts))
            }
            Source::Nv12(array) => {
                let Rows { samples, stride } = array.view::<u8>().rows();
                let (luma, chroma) = samples.split_at(stride * height);
                encoder.encode(&Frame::nv12(width, height, (luma, stride), (chroma, stride))?.with_pts(pts))
            }
            Source::Planes(planes) => {
                check_planes(planes, [width, height])?;
                let rows: Vec<_> = planes.iter().map(|plane| plane.view::<u8>().rows()).collect();
                let plane = |number: usize| (&*rows[number].samples, rows[number].stride);
                let frame = match rows.len() {
                    2 => Frame::nv12(width, height, plane(0), plane(1))?,
                    _ => Frame::new(width, height, plane(0), plane(1), plane(2))?,
                };
                encoder.encode(&frame.with_pts(pts))
            }
        });
        let packet = packet.map_err(errors::h264)?;
        Ok(packet.iter().map(|packet| PyPacket::new(py, packet)).collect())
    }

    /// Return the packets that are left after the last frame.
    fn flush(&mut self, py: Python<'_>) -> PyResult<Vec<PyPacket>> {
        let mut packets = Vec::new();
        while let Some(packet) = py.detach(|| self.encoder.flush()).map_err(errors::h264)? {
            packets.push(PyPacket::new(py, &packet));
        }
        Ok(packets)
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
        self.encoder.set_frame_rate(frame_rate(fps)?).map_err(errors::h264)
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

/// Planes of the extents that they have in 4:2:0.
fn check_planes(planes: &[Array], [wide, high]: [usize; 2]) -> Result<(), Error> {
    let [half_wide, half_high] = [wide, high].map(|side| side.div_ceil(2));
    for (number, plane) in planes.iter().enumerate() {
        let shape = plane.shape();
        let fits = match (number, planes.len()) {
            (0, _) => shape == [high, wide],
            (_, 2) => shape == [half_high, half_wide, 2] || shape == [half_high, 2 * half_wide],
            _ => shape == [half_high, half_wide],
        };
        if !fits {
            let given = (shape.get(1).copied().unwrap_or(0), shape.first().copied().unwrap_or(0));
            return Err(Error::FrameSize {
                given,
                wanted: if number == 0 { (wide, high) } else { (half_wide, half_high) },
            });
        }
    }
    Ok(())
}
