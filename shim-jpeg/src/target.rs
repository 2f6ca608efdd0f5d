//! Search for the quality that meets a target file size or PSNR.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::encoder::append_to;
use crate::format::frame::RUN;
use crate::kernels::spectra::{Inverses, Spectra, distortion};
use crate::kernels::transform::WideScratch;
use crate::pipeline::mcu_rows::McuRows;
use crate::pipeline::plan::Plan;
use crate::transform::sample::Sample;
use crate::{Encoder, Error, Image};

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
        self.encode_within_while(image, bytes, || true)
    }

    /// As [`encode_within`](Self::encode_within), for as long as `proceed` returns true: it is called after every few MCU
    /// rows.
    ///
    /// # Errors
    ///
    /// Those of `encode_within`, and [`Error::Stopped`].
    pub fn encode_within_while(
        &self,
        image: &Image<'_>,
        bytes: usize,
        mut proceed: impl FnMut() -> bool,
    ) -> Result<Fitted, Error> {
        let least = self.at(1, image, &mut proceed)?;
        if least.file.len() > bytes {
            return Err(Error::TargetSize { bytes, least: least.file.len() });
        }
        let (mut best, mut above) = (least, 101);
        while above - best.quality > 1 {
            let found = self.at(u8::midpoint(best.quality, above), image, &mut proceed)?;
            if found.file.len() <= bytes { best = found } else { above = found.quality }
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
        self.encode_reaching_while(image, decibels, || true)
    }

    /// As [`encode_reaching`](Self::encode_reaching), for as long as `proceed` returns true: it is called after every MCU
    /// row or few.
    ///
    /// # Errors
    ///
    /// Those of `encode_reaching`, and [`Error::Stopped`].
    pub fn encode_reaching_while(
        &self,
        image: &Image<'_>,
        decibels: f64,
        mut proceed: impl FnMut() -> bool,
    ) -> Result<Fitted, Error> {
        let refused = |most| Err(Error::TargetPsnr { decibels, most });
        if !decibels.is_finite() || decibels <= 0.0 {
            return self.settings.has_quality().and(refused(f64::INFINITY));
        }
        let most = self.psnr(100, image)?;
        if most < decibels {
            return refused(most);
        }
        let (mut below, mut quality) = (0, 100);
        while quality - below > 1 && proceed() {
            let middle = u8::midpoint(below, quality);
            *(if self.psnr(middle, image)? < decibels { &mut below } else { &mut quality }) = middle;
        }
        self.at(quality, image, &mut proceed)
    }

    /// The file of a quality.
    fn at(&self, quality: u8, image: &Image<'_>, proceed: &mut dyn FnMut() -> bool) -> Result<Fitted, Error> {
        self.settings.has_quality()?;
        let mut file = Vec::new();
        let mut progress = |_, _| if proceed() { Ok(()) } else { Err(Error::Stopped) };
        self.clone().quality(quality).encode_by(image, &mut append_to(&mut file), &mut progress)?;
        Ok(Fitted { quality, file })
    }

    /// PSNR in dB of the components that a quality quantizes, as [`encode_reaching`](Self::encode_reaching) defines it.
    fn psnr(&self, quality: u8, image: &Image<'_>) -> Result<f64, Error> {
        self.settings.has_quality()?;
        let plan = Arc::new(Plan::new(&self.clone().quality(quality).settings, image.shape())?);
        let bytes = image.shape().bytes;
        let mean = if bytes { mean_square::<u8>(&plan, image) } else { mean_square::<u16>(&plan, image) };
        let peak = f64::from((1_u32 << image.bits()) - 1);
        Ok(10.0 * libm::log10(peak * peak / mean))
    }
}

/// Mean square error of all samples, computed from the coefficients: the transform is orthonormal.
#[expect(clippy::cast_precision_loss, reason = "images have far fewer samples than 2^52")]
fn mean_square<T: Sample>(plan: &Arc<Plan>, image: &Image<'_>) -> f64 {
    let frame = &plan.frame;
    let inverses = plan.tables.each_ref().map(Inverses::new);
    let mut rows = McuRows::<T>::new(plan);
    let mut spectra = Spectra::default();
    let mut scratch = Box::<WideScratch>::default();
    let (mut sum, mut samples) = (0.0, 0);
    for index in 0..frame.mcus_high() {
        rows.fill(image, 0, index..index + 1);
        for mcu in (0..frame.mcus_wide()).step_by(RUN) {
            let (run, row) = rows.run(index, mcu);
            spectra.lay_out_as(&run.coefficients);
            for ((component, plane), &blocks) in frame.components.iter().zip(row.planes()).zip(&run.blocks) {
                let table = usize::from(component.table);
                T::spectra(&inverses[table], plane, blocks, &mut scratch, &mut spectra);
                sum += distortion(&spectra, &run.coefficients, &plan.tables[table], blocks);
                samples += 64 * blocks.wide * blocks.high;
            }
        }
    }
    sum / samples as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_stop_where_the_caller_wants() {
        let samples: Vec<u8> = (0..200 * 160 * 3_u32).map(|i| (i.wrapping_mul(i) % 251) as u8).collect();
        let (image, encoder) = (Image::rgb(&samples, 200, 160).unwrap(), Encoder::new());
        let within = encoder.encode_within(&image, 30_000).unwrap();
        let reaching = encoder.encode_reaching(&image, 30.0).unwrap();
        for patience in [0, 1, 5, 1_000_000] {
            let search = |which: u8| {
                let mut left = patience;
                let proceed = || {
                    left -= i32::from(left > 0);
                    left > 0
                };
                match which {
                    0 => encoder.encode_within_while(&image, 30_000, proceed),
                    _ => encoder.encode_reaching_while(&image, 30.0, proceed),
                }
            };
            let [wanted, other] = [&within, &reaching].map(|fitted| match patience {
                1_000_000 => Ok(fitted.clone()),
                _ => Err(Error::Stopped),
            });
            assert_eq!((search(0), search(1)), (wanted, other), "{patience}");
        }
    }
}
