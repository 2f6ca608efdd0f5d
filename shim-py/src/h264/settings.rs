//! Settings of H.264 streams as keyword arguments.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString, PyTuple};
use shim_h264::{Color, Config, Deblocking, Edges, Format, Matrix, RateControl, Vbv};

use crate::errors::{self, Class};
use crate::settings::Setting;

/// A configuration by its settings.
pub(super) fn config(width: usize, height: usize, settings: &[Setting<'_>]) -> PyResult<Config> {
    let mut config = Config::new(width, height);
    let (mut rates, mut full_range) = (0, None);
    // The tune comes first: other settings take precedence.
    if let Some(tune) = settings.iter().find(|setting| setting.name == "tune")
        && let Some(name) = tune.optional::<String>()?
    {
        config.tune(name.parse().map_err(errors::h264)?);
    }
    for setting in settings {
        match &*setting.name {
            "tune" => {}
            "fps" => config.frame_rate = frame_rate(&setting.value)?,
            "variable_frame_rate" => config.variable_frame_rate = setting.get()?,
            "preset" => config.preset = setting.text()?.parse().map_err(errors::h264)?,
            "crf" | "bitrate" | "qp" => {
                if let Some(rate) = rate_control(setting)? {
                    (config.rate, rates) = (rate, rates + 1);
                }
            }
            "expected_frames" => config.expected_frames = setting.optional()?,
            "first_pass" => {
                config.first_pass = setting
                    .optional::<String>()?
                    .map(|text| text.parse())
                    .transpose()
                    .map_err(errors::h264)?;
            }
            "mb_tree" => config.mb_tree = setting.get()?,
            "aq_strength" => config.aq_strength = setting.optional()?,
            "lookahead" => config.lookahead = setting.optional()?,
            "vbv" => config.vbv = setting.optional::<(u64, u64, f32)>()?.map(buffer),
            "chroma_qp_offset" => config.chroma_qp_index_offset = setting.get()?,
            "keyint" => config.keyint = setting.get()?,
            "min_keyint" => config.min_keyint = setting.optional()?,
            "scene_cut" => config.scene_cut = Some(setting.get()?),
            "references" => config.references = setting.optional()?,
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

/// Frames a second: an integer, a float, a fraction, a pair or a text such as `"30000/1001"`.
pub(super) fn frame_rate(value: &Bound<'_, PyAny>) -> PyResult<(u32, u32)> {
    let out_of_range = || Class::Setting.error(format!("fps {value} is out of range"));
    if value.is_instance_of::<PyTuple>() {
        return value.extract().map_err(|_| out_of_range());
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract().map(|frames| (frames, 1)).map_err(|_| out_of_range());
    }
    if value.is_instance_of::<PyFloat>() {
        return shim_mp4::frame_rate::of(value.extract()?).ok_or_else(out_of_range);
    }
    if let Ok(text) = value.cast::<PyString>() {
        let wrong =
            || Class::Setting.error(format!("fps '{text}' is no rate such as 25, 29.97 or 30000/1001"));
        return shim_mp4::frame_rate::parse(text.to_str()?).ok_or_else(wrong);
    }
    if value.hasattr("numerator")? && value.hasattr("denominator")? {
        let part = |name| value.getattr(name)?.extract::<u32>();
        return match (part("numerator"), part("denominator")) {
            (Ok(frames), Ok(seconds)) => Ok((frames, seconds)),
            _ => Err(out_of_range()),
        };
    }
    Err(PyTypeError::new_err("fps: a number, a fraction, a pair of integers, or a text"))
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
    Ok(Deblocking { edges: Some(edges), alpha, beta })
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
