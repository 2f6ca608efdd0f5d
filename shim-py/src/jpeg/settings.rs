//! Settings of JPEG files as keyword arguments.

use pyo3::prelude::*;
use shim_jpeg::{Density, Encoder, Error, Predictor, Process, Restart, ScanSpec, Subsampling};
use shim_picture::metadata::without_identifier;
use shim_picture::{Background, Embedding, Fit, Limits, Options, Part, Picture};

use crate::errors::{self, Class};
use crate::settings::Setting;

/// Settings of an encoder.
#[derive(Clone)]
pub(crate) struct Settings {
    /// Without the metadata that `embedding` adds.
    plain: Encoder,
    /// The metadata that was given, and that pictures keep.
    embedding: Embedding,
    /// The encoder of arrays.
    pub(crate) encoder: Encoder,
    /// Whether the chroma subsampling was set.
    pub(crate) subsampled: bool,
    /// The color behind transparent pixels. Arrays are without transparency unless it is set.
    pub(crate) background: Option<Background>,
    /// Bits of the file, to which samples are scaled.
    pub(crate) precision: Option<u8>,
    /// The size that pictures may have.
    fit: Fit,
    max_pixels: u64,
}

impl Settings {
    pub(crate) fn of(settings: &[Setting<'_>]) -> PyResult<Self> {
        let (mut encoder, mut subsampled, mut point_transform) = (Encoder::new(), false, 0);
        let (mut lossless, mut progressive, mut scans) = (None, false, None);
        let mut embedding = Embedding { keep: vec![Part::Icc, Part::Density], ..Embedding::default() };
        let mut fit = Fit::default();
        let (mut background, mut precision, mut max_pixels) = (None, None, Limits::default().max_pixels);
        for setting in settings {
            encoder = match &*setting.name {
                "quality" => match setting.get()? {
                    quality @ 1..=100 => encoder.quality(quality),
                    quality => return Err(errors::jpeg(Error::Quality(quality))),
                },
                "subsampling" => {
                    if setting.value.is_none() {
                        encoder
                    } else {
                        subsampled = true;
                        encoder.subsampling(subsampling(&setting.text()?)?)
                    }
                }
                "sampling_factors" => match setting.optional::<Vec<[u8; 2]>>()? {
                    Some(factors) => {
                        subsampled = true;
                        encoder.sampling_factors(&factors)
                    }
                    None => encoder,
                },
                "optimize" => match setting.optional()? {
                    Some(optimize) => encoder.optimized(optimize),
                    None => encoder,
                },
                "arithmetic" => encoder.arithmetic(setting.get()?),
                "libjpeg_compatible" => encoder.libjpeg_compatible(setting.get()?),
                "baseline" => encoder.baseline(setting.get()?),
                "trellis" => encoder.trellis(setting.get()?),
                "progressive" => {
                    progressive = setting.get()?;
                    encoder
                }
                "scans" => {
                    scans = setting.optional::<Vec<(Vec<u8>, u8, u8, u8, u8)>>()?;
                    encoder
                }
                "lossless" => {
                    lossless = setting.optional::<u8>()?;
                    encoder
                }
                "point_transform" => {
                    point_transform = setting.get()?;
                    encoder
                }
                "restart_mcus" => match setting.optional()? {
                    Some(mcus) => encoder.restart(Restart::Mcus(mcus)),
                    None => encoder,
                },
                "restart_rows" => match setting.optional()? {
                    Some(rows) => encoder.restart(Restart::Rows(rows)),
                    None => encoder,
                },
                "color_space" => {
                    if setting.value.is_none() {
                        encoder
                    } else {
                        encoder.color_space(setting.text()?.parse().map_err(errors::jpeg)?)
                    }
                }
                "quantization_tables" => match setting.optional::<[Vec<u16>; 2]>()? {
                    Some([luminance, chrominance]) => {
                        encoder.quantization_tables(table(luminance)?, table(chrominance)?)
                    }
                    None => encoder,
                },
                "density" => {
                    embedding.density = setting.optional()?.map(density).transpose()?;
                    encoder
                }
                "icc" => {
                    embedding.icc = setting.optional()?;
                    encoder
                }
                "exif" => {
                    embedding.exif = setting.optional()?.map(without_identifier);
                    encoder
                }
                "xmp" => {
                    embedding.xmp = setting.optional()?;
                    encoder
                }
                "comments" => {
                    embedding.comments = setting.get()?;
                    encoder
                }
                "copy_metadata" => {
                    embedding.keep = setting
                        .get::<Vec<String>>()?
                        .iter()
                        .map(|name| part(name))
                        .collect::<PyResult<_>>()?;
                    encoder
                }
                "background" => {
                    background = if setting.value.is_none() { None } else { Some(color(setting)?) };
                    encoder
                }
                "precision" => {
                    precision = setting.optional()?;
                    encoder
                }
                "max_width" => {
                    fit.width = setting.optional()?;
                    encoder
                }
                "max_height" => {
                    fit.height = setting.optional()?;
                    encoder
                }
                "resize_filter" => {
                    let filter = setting.text()?.parse();
                    fit.filter =
                        filter.map_err(|error| Class::Setting.error(format!("resize_filter: {error}")))?;
                    encoder
                }
                "max_pixels" => {
                    max_pixels = setting.get()?;
                    encoder
                }
                "app_segments" => {
                    let segments = setting.get::<Vec<(u8, Vec<u8>)>>()?;
                    segments.iter().fold(encoder, |encoder, (n, data)| encoder.app_segment(*n, data))
                }
                "threads" => encoder.threads(setting.get()?),
                _ => return Err(setting.unknown("JpegEncoder")),
            };
        }
        let process = match (lossless, progressive, scans) {
            (None, false, None) => Process::Sequential,
            (None, true, None) => Process::Progressive,
            (None, _, Some(scans)) => Process::Scans(
                scans
                    .iter()
                    .map(|(components, ss, se, ah, al)| ScanSpec::new(components, [*ss, *se], [*ah, *al]))
                    .collect(),
            ),
            (Some(predictor), false, None) => Process::Lossless {
                predictor: Predictor::try_from(predictor).map_err(errors::jpeg)?,
                point_transform,
            },
            (Some(_), ..) => {
                return Err(Class::Setting.error("lossless files are neither progressive nor have scans"));
            }
        };
        if fit.width == Some(0) || fit.height == Some(0) {
            return Err(Class::Setting.error("max_width and max_height are at least 1"));
        }
        let plain = encoder.process(process);
        let encoder = embedding.given(plain.clone());
        Ok(Self { plain, embedding, encoder, subsampled, background, precision, fit, max_pixels })
    }

    pub(crate) fn is_lossless(&self) -> bool {
        matches!(self.plain.get_process(), Process::Lossless { .. })
    }

    /// How a picture is read.
    pub(crate) fn options(&self) -> Options {
        Options {
            bits: self.precision.or(if self.is_lossless() { None } else { Some(8) }),
            background: self.background.unwrap_or_default(),
            fit: self.fit,
            limits: Limits { max_pixels: self.max_pixels, ..Limits::default() },
        }
    }

    /// The encoder of a picture, and warnings of what the file loses.
    pub(crate) fn of_picture(&self, picture: &Picture) -> PyResult<(Encoder, Vec<String>)> {
        let space = picture.color_space(self.plain.get_color_space(), self.is_lossless());
        let encoder = self.embedding.apply(self.plain.clone(), &picture.metadata, space);
        Ok((encoder.map_err(errors::picture)?, self.embedding.warnings(picture)))
    }
}

/// A subsampling by its name, `"4:2:0"` or `"420"`.
fn subsampling(name: &str) -> PyResult<Subsampling> {
    let plain = |known: &&Subsampling| known.to_string().replace(':', "") == name;
    match Subsampling::ALL.iter().find(plain) {
        Some(&known) => Ok(known),
        None => name.parse().map_err(errors::jpeg),
    }
}

fn table(elements: Vec<u16>) -> PyResult<[u16; 64]> {
    let count = elements.len();
    elements
        .try_into()
        .map_err(|_| Class::Setting.error(format!("a quantization table has 64 elements, got {count}")))
}

/// A part of metadata by the name that the command has for it.
fn part(name: &str) -> PyResult<Part> {
    Part::ALL.iter().copied().find(|part| part.to_string() == name).ok_or_else(|| {
        let known: Vec<_> = Part::ALL.iter().map(Part::to_string).collect();
        Class::Setting.error(format!("copy_metadata: unknown part '{name}': one of {}", known.join(" ")))
    })
}

/// A color by its name, or by red, green and blue.
fn color(setting: &Setting<'_>) -> PyResult<Background> {
    if let Ok(color) = setting.value.extract::<[u8; 3]>() {
        return Ok(Background(color));
    }
    setting.text()?.parse().map_err(|error| Class::Setting.error(format!("background: {error}")))
}

fn density((x, y, unit): (u16, u16, String)) -> PyResult<Density> {
    match &*unit {
        "aspect" => Ok(Density::Aspect(x, y)),
        "dpi" => Ok(Density::PerInch(x, y)),
        "dpcm" => Ok(Density::PerCentimeter(x, y)),
        _ => Err(Class::Setting.error(format!("unknown unit of density '{unit}': one of aspect dpi dpcm"))),
    }
}
