//! From the command line to an encoder.

use shim_jpeg::{ColorSpace, Encoder, Error, Image, Process};
use shim_picture::metadata::{self, without_identifier};
use shim_picture::{Embedding, Fit, Limits, Options, Picture};

use crate::args::{Coding, Lossless, MetadataArgs, Sampling, sampling_name};
use crate::failure::{Failure, Reason};
use crate::{scan_script, standard, table_file};

/// The settings of encoding: the options, and the contents of the files that they name.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Settings that all images share.
    encoder: Encoder,
    coding: Coding,
    pub(crate) embedding: Embedding,
}

/// Validates metadata.
type Check = fn(&[u8]) -> Result<(), &'static str>;

impl Settings {
    /// Reads what the options name.
    pub(crate) fn new(coding: &Coding, metadata: &MetadataArgs, threads: usize) -> Result<Self, Failure> {
        if let Some(level) = coding.simd {
            shim_jpeg::limit_simd(level);
        }
        let read = |path: &Option<_>| path.as_deref().map(standard::read).transpose();
        let embedding = Embedding {
            keep: metadata.kept(),
            icc: read(&metadata.icc)?,
            exif: read(&metadata.exif)?.map(without_identifier),
            xmp: read(&metadata.xmp)?,
            comments: metadata.comment.iter().map(|comment| comment.clone().into_bytes()).collect(),
            density: metadata.density,
        };
        let checks: [(_, _, _, Check); 3] = [
            (&metadata.icc, &embedding.icc, "an ICC profile", metadata::check_icc),
            (&metadata.exif, &embedding.exif, "Exif data", metadata::check_exif),
            (&metadata.xmp, &embedding.xmp, "an XMP packet", metadata::check_xmp),
        ];
        for (path, data, kind, check) in checks {
            if let (Some(path), Some(data)) = (path, data) {
                check(data).map_err(|detail| Failure::input(path, Reason::Metadata { kind, detail }))?;
            }
        }
        Ok(Self { encoder: encoder(coding)?.threads(threads), coding: coding.clone(), embedding })
    }

    /// How an image is read.
    pub(crate) fn options(&self, limits: Limits) -> Options {
        let Coding { background, max_width, max_height, resize_filter, .. } = self.coding;
        let fit = Fit { width: max_width, height: max_height, filter: resize_filter };
        Options { bits: self.coding.depth(), background, fit, limits }
    }

    /// Whether the quality is to be found, by encoding an image several times.
    pub(crate) fn finds_quality(&self) -> bool {
        self.coding.size.is_some() || self.coding.psnr.is_some()
    }

    /// The encoder for an image, with its metadata.
    pub(crate) fn encoder(&self, picture: &Picture) -> Result<Encoder, Reason> {
        Ok(self.embedding.apply(self.encoder.clone(), &picture.metadata, self.space(picture))?)
    }

    /// The color space of an image's file.
    pub(crate) fn space(&self, picture: &Picture) -> ColorSpace {
        let Coding { grayscale, rgb, lossless, .. } = &self.coding;
        let asked = grayscale.then_some(ColorSpace::Gray).or(rgb.then_some(ColorSpace::Rgb));
        picture.color_space(asked, lossless.is_some())
    }

    /// Encodes an image, and finds the quality first if a size or a PSNR was asked for: the file, and that quality.
    ///
    /// # Errors
    ///
    /// The errors of the encoder.
    pub(crate) fn encode(
        &self,
        encoder: &Encoder,
        image: &Image<'_>,
        mut progress: impl FnMut(usize),
    ) -> Result<(Vec<u8>, Option<u8>), Error> {
        let fitted = match (self.coding.size, self.coding.psnr) {
            (Some(bytes), _) => encoder.encode_within(image, bytes)?,
            (None, Some(decibels)) => encoder.encode_reaching(image, decibels)?,
            (None, None) => {
                let mut file = Vec::new();
                encoder.encode_with_progress(image, &mut file, |done, _| progress(done))?;
                return Ok((file, None));
            }
        };
        progress(image.height());
        Ok((fitted.file, Some(fitted.quality)))
    }

    /// A few words on how a file of an image is coded, by a quality that was found or by that of the settings.
    pub(crate) fn describe(&self, picture: &Picture, found: Option<u8>) -> String {
        let coding = &self.coding;
        let mut words = vec![match (&coding.lossless, &coding.qtables, coding.quality) {
            (Some(lossless), ..) => lossless_name(*lossless),
            (None, Some(_), None) => "custom quantization tables".to_owned(),
            (None, Some(_), Some(quality)) => format!("custom quantization tables at quality {quality}"),
            (None, None, _) => format!("quality {}", found.unwrap_or(coding.quality())),
        }];
        words.push(match (self.space(picture), &coding.subsampling) {
            (ColorSpace::Gray, _) => "grayscale".to_owned(),
            (ColorSpace::Rgb, Sampling::Usual(_)) => "RGB".to_owned(),
            (_, sampling) => sampling_name(sampling),
        });
        if picture.bits() != 8 {
            words.push(format!("{} bits", picture.bits()));
        }
        if coding.scans.is_some() {
            words.push("custom scan script".to_owned());
        } else if coding.progressive {
            words.push("progressive".to_owned());
        } else if coding.optimize {
            words.push("optimized".to_owned());
        }
        if coding.arithmetic {
            words.push("arithmetic".to_owned());
        }
        if coding.trellis {
            words.push("trellis".to_owned());
        }
        words.join(", ")
    }
}

/// The name of the lossless process.
fn lossless_name(Lossless { predictor, point_transform }: Lossless) -> String {
    match point_transform {
        0 => format!("lossless, predictor {}", predictor as u8),
        bits => format!("lossless, point transform {bits}, predictor {}", predictor as u8),
    }
}

/// The encoder for all images.
fn encoder(coding: &Coding) -> Result<Encoder, Failure> {
    let mut encoder = Encoder::new()
        .quality(coding.quality())
        .libjpeg_compatible(coding.libjpeg_compatible)
        .baseline(coding.baseline);
    if coding.trellis {
        encoder = encoder.trellis(true);
    }
    encoder = encoder.arithmetic(coding.arithmetic);
    // Each process has its own habit.
    if coding.optimize {
        encoder = encoder.optimized(true);
    }
    encoder = match &coding.subsampling {
        Sampling::Usual(subsampling) => encoder.subsampling(*subsampling),
        Sampling::Factors(factors) => encoder.sampling_factors(factors),
    };
    encoder = encoder.process(if let Some(Lossless { predictor, point_transform }) = coding.lossless {
        Process::Lossless { predictor, point_transform }
    } else if let Some(path) = &coding.scans {
        let scans = scan_script::parse(&standard::read_text(path)?);
        Process::Scans(scans.map_err(|reason| Failure::input(path, reason))?)
    } else if coding.progressive {
        Process::Progressive
    } else {
        Process::Sequential
    });
    if let Some(restart) = coding.restart {
        encoder = encoder.restart(restart);
    }
    if let Some(path) = &coding.qtables {
        let tables = table_file::parse(&standard::read_text(path)?);
        let (mut luminance, chrominance) = tables.map_err(|reason| Failure::input(path, reason))?;
        let most = match (coding.depth() == Some(8), coding.libjpeg_compatible) {
            _ if coding.baseline => 255,
            (true, false) => 255,
            (true, true) => 32_767,
            (false, _) => u16::MAX,
        };
        // As in cjpeg, a quality scales the tables, and a single one leaves chrominance the standard's.
        let usual = || (table_file::CHROMINANCE, coding.quality.or(Some(table_file::CJPEG_QUALITY)));
        let (mut chrominance, of_chrominance) = chrominance.map_or_else(usual, |own| (own, coding.quality));
        for (table, quality) in [(&mut luminance, coding.quality), (&mut chrominance, of_chrominance)] {
            if let Some(quality) = quality {
                *table = table_file::scaled(*table, quality, most);
            } else if coding.baseline {
                *table = table.map(|q| q.min(most));
            }
        }
        encoder = encoder.quantization_tables(luminance, chrominance);
    }
    Ok(encoder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    #[test]
    fn defaults_are_those_of_the_encoder() {
        let Args { command } = Args::parse_from(["shim", "jpeg", "a", "b"]);
        let Command::Jpeg(jpeg) = command else { unreachable!("it was asked for") };
        assert_eq!(encoder(&jpeg.coding).unwrap(), Encoder::new());
    }
}
