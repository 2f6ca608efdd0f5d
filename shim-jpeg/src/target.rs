//! Search for the quality that meets a target file size or PSNR.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::kernels::spectra::{Inverses, Spectra, distortion};
use crate::kernels::transform::WideScratch;
use crate::pipeline::plan::Plan;
use crate::pipeline::process::Rows;
use crate::transform::sample::Sample;
use crate::transform::segment::Segment;
use crate::{Encoder, Error, Image, Process};

/// A file, and the quality found for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fitted {
    /// Quality, 1 to 100.
    pub quality: u8,
    /// Encoded file.
    pub file: Vec<u8>,
}

impl Encoder {
    /// Encodes an image with the highest quality whose file has at most `bytes` bytes. Encodes the image up to eight
    /// times.
    ///
    /// ```
    /// use shim_jpeg::{Encoder, Image};
    ///
    /// let pixels: Vec<u8> = (0..64 * 64 * 3).map(|i| (i % 251) as u8).collect();
    /// let fitted = Encoder::new().encode_within(&Image::rgb(&pixels, 64, 64)?, 2000)?;
    /// assert!(fitted.file.len() <= 2000);
    /// # Ok::<(), shim_jpeg::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::TargetSize`] when the file is larger even at quality 1, [`Error::NoQuality`] for lossless files and
    /// custom quantization tables, and those of [`encode`](Self::encode).
    pub fn encode_within(&self, image: &Image<'_>, bytes: usize) -> Result<Fitted, Error> {
        self.has_quality()?;
        let encode = |quality| self.clone().quality(quality).encode(image);
        let least = encode(1)?;
        if least.len() > bytes {
            return Err(Error::TargetSize { bytes, least: least.len() });
        }
        let mut best = Fitted { quality: 1, file: least };
        let mut above = 101;
        while above - best.quality > 1 {
            let quality = u8::midpoint(best.quality, above);
            let file = encode(quality)?;
            if file.len() <= bytes {
                best = Fitted { quality, file };
            } else {
                above = quality;
            }
        }
        Ok(best)
    }

    /// Encodes an image with the lowest quality whose PSNR is at least `decibels` dB. Quantizes the image up to eight
    /// times, and encodes it once.
    ///
    /// PSNR is that of the component samples (such as Y, Cb and Cr) at their own resolutions, over whole blocks, before
    /// a decoder rounds and converts them. It does not include the loss from chroma subsampling.
    ///
    /// # Errors
    ///
    /// [`Error::TargetPsnr`] when the target is not a positive number or exceeds the PSNR of quality 100,
    /// [`Error::NoQuality`] for lossless files and custom quantization tables, and those of [`encode`](Self::encode).
    pub fn encode_reaching(&self, image: &Image<'_>, decibels: f64) -> Result<Fitted, Error> {
        self.has_quality()?;
        let refused = |most| Err(Error::TargetPsnr { decibels, most });
        if !decibels.is_finite() || decibels <= 0.0 {
            return refused(f64::INFINITY);
        }
        let most = self.clone().quality(100).psnr(image)?;
        if most < decibels {
            return refused(most);
        }
        let (mut below, mut quality) = (0, 100);
        while quality - below > 1 {
            let middle = u8::midpoint(below, quality);
            if self.clone().quality(middle).psnr(image)? < decibels {
                below = middle;
            } else {
                quality = middle;
            }
        }
        Ok(Fitted { quality, file: self.clone().quality(quality).encode(image)? })
    }

    /// PSNR of the quantized components in dB, as [`encode_reaching`](Self::encode_reaching) defines it.
    fn psnr(&self, image: &Image<'_>) -> Result<f64, Error> {
        let plan = Plan::new(&self.settings, image.shape())?;
        let mean = if image.shape().bytes {
            mean_square::<u8>(&plan, image)
        } else {
            mean_square::<u16>(&plan, image)
        };
        let peak = f64::from((1_u32 << image.bits()) - 1);
        Ok(10.0 * libm::log10(peak * peak / mean))
    }

    /// Checks that the quality has an effect.
    fn has_quality(&self) -> Result<(), Error> {
        let lossless = matches!(self.settings.process, Process::Lossless { .. });
        if self.settings.tables.is_some() || lossless { Err(Error::NoQuality) } else { Ok(()) }
    }
}

/// Mean square error of all samples, computed from the coefficients: the transform is orthonormal.
#[expect(clippy::cast_precision_loss, reason = "images have far fewer samples than 2^52")]
fn mean_square<T: Sample>(plan: &Plan, image: &Image<'_>) -> f64 {
    let frame = &plan.frame;
    let inverses = plan.tables.each_ref().map(Inverses::new);
    let mut rows = Rows::<T>::new(plan);
    let mut segments = Segment::row(frame);
    let mut spectra = segments.first().map(|first| Spectra::of(&first.coefficients)).unwrap_or_default();
    let mut scratch = Box::<WideScratch>::default();
    let (mut sum, mut samples) = (0.0, 0);
    for index in 0..frame.mcus_high() {
        rows.transform(image, 0, index, &mut segments);
        for segment in &segments {
            let all = frame.components.iter().zip(rows.planes()).zip(&segment.blocks);
            for ((component, plane), &blocks) in all {
                let table = usize::from(component.table);
                T::spectra(&inverses[table], plane, blocks, &mut scratch, &mut spectra);
                sum += distortion(&spectra, &segment.coefficients, &plan.tables[table], blocks);
                samples += 64 * blocks.wide * blocks.high;
            }
        }
    }
    sum / samples as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Predictor, Subsampling};

    fn pixels() -> Vec<u8> {
        (0..90 * 70 * 3_u32).map(|i| ((i / 3 % 90) * 2 + i / 270 + (i * i % 23)) as u8).collect()
    }

    #[test]
    fn the_next_quality_would_be_too_large() {
        let pixels = pixels();
        let image = Image::rgb(&pixels, 90, 70).unwrap();
        for encoder in [Encoder::new(), Encoder::new().process(Process::Progressive)] {
            for bytes in [1500, 2500, 4000, 1_000_000] {
                let Fitted { quality, file } = encoder.encode_within(&image, bytes).unwrap();
                assert!(file.len() <= bytes);
                assert_eq!(file, encoder.clone().quality(quality).encode(&image).unwrap());
                if quality < 100 {
                    assert!(encoder.clone().quality(quality + 1).encode(&image).unwrap().len() > bytes);
                }
            }
            assert!(matches!(encoder.encode_within(&image, 100), Err(Error::TargetSize { bytes: 100, .. })));
        }
    }

    #[test]
    fn the_quality_before_would_be_too_far() {
        let pixels = pixels();
        let image = Image::rgb(&pixels, 90, 70).unwrap();
        let words: Vec<u16> = pixels.iter().map(|&p| 16 * u16::from(p)).collect();
        let wide = Image::interleaved16(&words, 12, crate::Pixels::Rgb, 90, 70, 270).unwrap();
        for encoder in [Encoder::new(), Encoder::new().exact(true).subsampling(Subsampling::S444)] {
            for image in [&image, &wide] {
                for decibels in [28.0, 36.5, 44.0] {
                    let Fitted { quality, file } = encoder.encode_reaching(image, decibels).unwrap();
                    assert_eq!(file, encoder.clone().quality(quality).encode(image).unwrap());
                    assert!(encoder.clone().quality(quality).psnr(image).unwrap() >= decibels);
                    assert!(
                        quality == 1 || encoder.clone().quality(quality - 1).psnr(image).unwrap() < decibels
                    );
                }
            }
            for refused in [f64::NAN, f64::INFINITY, 0.0, -3.0, 200.0] {
                let error = encoder.encode_reaching(&image, refused);
                assert!(matches!(error, Err(Error::TargetPsnr { .. })), "{refused}");
            }
        }
    }

    #[test]
    fn psnr_is_that_of_the_decoded_samples() {
        // Gray, so that no conversion stands between the components and what a decoder gives.
        let samples: Vec<u8> = pixels().into_iter().take(80 * 64).collect();
        let image = Image::gray(&samples, 80, 64).unwrap();
        for quality in [30, 75, 95] {
            let encoder = Encoder::new().quality(quality);
            let decoded = jpeg_decoder::Decoder::new(&encoder.encode(&image).unwrap()[..]).decode().unwrap();
            let squares: u32 =
                decoded.iter().zip(&samples).map(|(&a, &b)| u32::from(a.abs_diff(b)).pow(2)).sum();
            let theirs = 10.0 * (255.0 * 255.0 * f64::from(80 * 64_u16) / f64::from(squares)).log10();
            let ours = encoder.psnr(&image).unwrap();
            assert!((ours - theirs).abs() < 0.3, "{ours} for {theirs}");
        }
    }

    #[test]
    fn what_has_no_quality_cannot_be_fitted() {
        let image = Image::gray(&[0; 64], 8, 8).unwrap();
        for encoder in [
            Encoder::new().process(Process::lossless(Predictor::Left)),
            Encoder::new().quantization_tables([1; 64], [1; 64]),
        ] {
            assert!(matches!(encoder.encode_within(&image, 1000), Err(Error::NoQuality)));
            assert!(matches!(encoder.encode_reaching(&image, 40.0), Err(Error::NoQuality)));
        }
    }
}
