//! Exact files beside those of libjpeg-turbo 3.1, for what the `cjpeg` of older versions does not know: samples of 12
//! bits, four components, and other orders of pixels.
#![allow(unsafe_code, reason = "the safe interface to libjpeg-turbo has bytes alone")]

use std::ffi::CStr;

use shim_jpeg::{ColorSpace, Encoder, Image, Pixels, Process, Restart, Subsampling};
use turbojpeg::raw;

/// The other encoder's settings.
struct Turbo(raw::tjhandle);

impl Turbo {
    fn new(parameters: &[(raw::TJPARAM, i32)]) -> Self {
        // SAFETY: any kind of handle may be asked for.
        let turbo = Self(unsafe { raw::tj3Init(raw::TJINIT_TJINIT_COMPRESS as i32) });
        for &(parameter, value) in parameters {
            // SAFETY: the handle is valid; parameters and values are checked there.
            let failed = unsafe { raw::tj3Set(turbo.0, parameter as i32, value) };
            turbo.succeeded(failed);
        }
        turbo
    }

    fn succeeded(&self, failed: i32) {
        // SAFETY: the text is valid until the next call.
        assert!(failed == 0, "{:?}", unsafe { CStr::from_ptr(raw::tj3GetErrorStr(self.0)) });
    }

    /// The file that `compress` writes to memory of the library's.
    fn file(&self, compress: impl Fn(*mut *mut u8, *mut u64) -> i32) -> Vec<u8> {
        let (mut memory, mut length) = (std::ptr::null_mut(), 0);
        self.succeeded(compress(&raw mut memory, &raw mut length));
        // SAFETY: on success so many bytes were written there.
        let file = unsafe { std::slice::from_raw_parts(memory, length as usize) }.to_vec();
        // SAFETY: the memory is the library's.
        unsafe { raw::tj3Free(memory.cast()) };
        file
    }
}

impl Drop for Turbo {
    fn drop(&mut self) {
        // SAFETY: the handle is valid, and not used again.
        unsafe { raw::tj3Destroy(self.0) };
    }
}

const QUALITY: raw::TJPARAM = raw::TJPARAM_TJPARAM_QUALITY;
const SUBSAMPLING: raw::TJPARAM = raw::TJPARAM_TJPARAM_SUBSAMP;
const PROGRESSIVE: raw::TJPARAM = raw::TJPARAM_TJPARAM_PROGRESSIVE;
const RESTART_ROWS: raw::TJPARAM = raw::TJPARAM_TJPARAM_RESTARTROWS;

/// Subsamplings of both.
const SUBSAMPLINGS: [(Subsampling, i32); 5] = [
    (Subsampling::S444, raw::TJSAMP_TJSAMP_444),
    (Subsampling::S422, raw::TJSAMP_TJSAMP_422),
    (Subsampling::S420, raw::TJSAMP_TJSAMP_420),
    (Subsampling::S440, raw::TJSAMP_TJSAMP_440),
    (Subsampling::S411, raw::TJSAMP_TJSAMP_411),
];

/// Something like a photograph: slopes, edges and noise.
fn sample(i: usize, most: usize) -> usize {
    let (slope, noise) = (i * 37 % 4096, i.wrapping_mul(2_654_435_761) >> 13 & 255);
    let edge = if (i / 300).is_multiple_of(3) { most / 2 } else { 0 };
    (slope * most / 8192 + noise * most / 4096 + edge).min(most)
}

#[test]
fn samples_of_twelve_bits() {
    for (width, height) in [(123, 45), (64, 64), (1, 1), (17, 3)] {
        let samples: Vec<i16> = (0..width * height * 4).map(|i| sample(i, 4095) as i16).collect();
        let words: Vec<u16> = samples.iter().map(|&s| s as u16).collect();
        for (pixels, format) in [
            (Pixels::Rgb, raw::TJPF_TJPF_RGB),
            (Pixels::Bgra, raw::TJPF_TJPF_BGRA),
            (Pixels::Gray, raw::TJPF_TJPF_GRAY),
        ] {
            for (subsampling, theirs) in SUBSAMPLINGS {
                for (quality, progressive, rows) in [(75, 0, 0), (95, 1, 0), (100, 0, 1), (10, 1, 2)] {
                    let subsamp = if pixels == Pixels::Gray { raw::TJSAMP_TJSAMP_GRAY } else { theirs };
                    let turbo = Turbo::new(&[
                        (QUALITY, quality),
                        (SUBSAMPLING, subsamp),
                        (PROGRESSIVE, progressive),
                        (RESTART_ROWS, rows),
                    ]);
                    let stride = width * pixels.samples();
                    // SAFETY: the samples are those of an image of the size.
                    let theirs = turbo.file(|memory, length| unsafe {
                        let (w, h, pitch) = (width as i32, height as i32, stride as i32);
                        raw::tj3Compress12(
                            turbo.0,
                            samples.as_ptr(),
                            w,
                            pitch,
                            h,
                            format,
                            memory,
                            length.cast(),
                        )
                    });
                    let image = Image::interleaved16(&words, 12, pixels, width, height, stride).unwrap();
                    let encoder = Encoder::new()
                        .libjpeg_compatible(true)
                        .baseline(true)
                        .quality(quality as u8)
                        .subsampling(subsampling)
                        .process(if progressive == 1 { Process::Progressive } else { Process::Sequential })
                        .restart(Restart::Rows(rows as u16));
                    let ours = encoder.encode(&image).unwrap();
                    assert!(
                        ours == theirs,
                        "{width}x{height} {pixels:?} {subsampling:?} {quality} {progressive} {rows}: {} bytes for {}",
                        ours.len(),
                        theirs.len()
                    );
                }
            }
        }
    }
}

/// Samples 0 and 4095 by the signs of basis functions: the largest coefficients of twelve bits.
#[test]
fn extremes_of_twelve_bits() {
    for frequency in 0..64 {
        let positive = |x: usize, u: usize| !(9..24).contains(&((2 * (x % 8) + 1) * u % 32));
        let (u, v) = (frequency % 8, frequency / 8);
        for inverted in [false, true] {
            let at = |i: usize| (positive(i % 32, u) == positive(i / 32, v)) != inverted;
            let words: Vec<u16> = (0..32 * 16).map(|i| if at(i) { 4095 } else { 0 }).collect();
            let samples: Vec<i16> = words.iter().map(|&word| word as i16).collect();
            let gray = raw::TJSAMP_TJSAMP_GRAY;
            let turbo = Turbo::new(&[(QUALITY, 100), (SUBSAMPLING, gray)]);
            // SAFETY: the samples are those of an image of the size.
            let theirs = turbo.file(|memory, length| unsafe {
                let format = raw::TJPF_TJPF_GRAY;
                raw::tj3Compress12(turbo.0, samples.as_ptr(), 32, 32, 16, format, memory, length.cast())
            });
            let image = Image::interleaved16(&words, 12, Pixels::Gray, 32, 16, 32).unwrap();
            let encoder = Encoder::new().libjpeg_compatible(true).quality(100);
            assert!(encoder.encode(&image).unwrap() == theirs, "{u} {v}");
            encoder.trellis(true).process(Process::Progressive).encode(&image).unwrap();
        }
    }
}

#[test]
fn orders_of_pixels_and_four_components() {
    let (width, height) = (123, 45);
    let samples: Vec<u8> = (0..width * height * 4).map(|i| sample(i, 255) as u8).collect();
    for (pixels, format) in [
        (Pixels::Bgr, raw::TJPF_TJPF_BGR),
        (Pixels::Rgba, raw::TJPF_TJPF_RGBA),
        (Pixels::Bgra, raw::TJPF_TJPF_BGRA),
        (Pixels::Cmyk, raw::TJPF_TJPF_CMYK),
    ] {
        for (subsampling, theirs) in SUBSAMPLINGS {
            for progressive in [0, 1] {
                let turbo = Turbo::new(&[(QUALITY, 85), (SUBSAMPLING, theirs), (PROGRESSIVE, progressive)]);
                let stride = width * pixels.samples();
                // SAFETY: the samples are those of an image of the size.
                let theirs = turbo.file(|memory, length| unsafe {
                    let (w, h, pitch) = (width as i32, height as i32, stride as i32);
                    raw::tj3Compress8(turbo.0, samples.as_ptr(), w, pitch, h, format, memory, length.cast())
                });
                let image = Image::interleaved(&samples, pixels, width, height, stride).unwrap();
                let mut encoder = Encoder::new()
                    .libjpeg_compatible(true)
                    .quality(85)
                    .subsampling(subsampling)
                    .process(if progressive == 1 { Process::Progressive } else { Process::Sequential });
                if pixels == Pixels::Cmyk {
                    encoder = encoder.color_space(ColorSpace::Ycck);
                }
                let ours = encoder.encode(&image).unwrap();
                assert!(
                    ours == theirs,
                    "{pixels:?} {subsampling:?}: {} bytes for {}",
                    ours.len(),
                    theirs.len()
                );
            }
        }
    }
}
