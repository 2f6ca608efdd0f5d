//! JPEG settings, with one setter for each setting of the encoder.

use std::ffi::{c_int, c_void};
use std::slice;

use shim_jpeg::{Density, Process, Restart, ScanSpec};

use crate::encoder::Encoder;
use crate::handle::call;
use crate::memory::{bytes, read};
use crate::status::{
    Failure, SHIM_ERROR_DENSITY, SHIM_ERROR_METADATA, SHIM_ERROR_QUALITY, SHIM_ERROR_SAMPLING,
    SHIM_ERROR_SCANS, SHIM_ERROR_VALUE, Status,
};

/// Chroma subsampling: one of `SHIM_JPEG_SUBSAMPLING_*`.
pub type Subsampling = u32;

/// 4:2:0: half the resolution in both directions. The usual choice for photographs.
pub const SHIM_JPEG_SUBSAMPLING_420: Subsampling = 0;
/// 4:4:4: no subsampling. For screenshots, drawings and text, with sharp colored edges.
pub const SHIM_JPEG_SUBSAMPLING_444: Subsampling = 1;
/// 4:2:2: half the horizontal resolution.
pub const SHIM_JPEG_SUBSAMPLING_422: Subsampling = 2;
/// 4:4:0: half the vertical resolution.
pub const SHIM_JPEG_SUBSAMPLING_440: Subsampling = 3;
/// 4:1:1: a quarter of the horizontal resolution.
pub const SHIM_JPEG_SUBSAMPLING_411: Subsampling = 4;

/// Color space of a file: one of `SHIM_JPEG_COLOR_SPACE_*`.
pub type ColorSpace = u32;

/// Y only.
pub const SHIM_JPEG_COLOR_SPACE_GRAY: ColorSpace = 0;
/// Y, Cb and Cr, as in nearly all files.
pub const SHIM_JPEG_COLOR_SPACE_YCBCR: ColorSpace = 1;
/// R, G and B, with an Adobe segment and the component identifiers `R`, `G` and `B`.
pub const SHIM_JPEG_COLOR_SPACE_RGB: ColorSpace = 2;
/// C, M, Y and K, with an Adobe segment.
pub const SHIM_JPEG_COLOR_SPACE_CMYK: ColorSpace = 3;
/// Y, Cb, Cr and K, with an Adobe segment.
pub const SHIM_JPEG_COLOR_SPACE_YCCK: ColorSpace = 4;

/// Unit of restart intervals: one of `SHIM_JPEG_RESTART_*`.
pub type RestartUnit = u32;

/// No restart markers. The interval is ignored.
pub const SHIM_JPEG_RESTART_NEVER: RestartUnit = 0;
/// MCUs.
pub const SHIM_JPEG_RESTART_MCUS: RestartUnit = 1;
/// MCU rows. An interval above 65535 MCUs is reduced to 65535 MCUs.
pub const SHIM_JPEG_RESTART_ROWS: RestartUnit = 2;

/// Unit of pixel densities: one of `SHIM_JPEG_DENSITY_*`.
pub type DensityUnit = u32;

/// Pixel aspect ratio without a unit: horizontal to vertical density.
pub const SHIM_JPEG_DENSITY_ASPECT: DensityUnit = 0;
/// Pixels per inch.
pub const SHIM_JPEG_DENSITY_PER_INCH: DensityUnit = 1;
/// Pixels per centimeter.
pub const SHIM_JPEG_DENSITY_PER_CENTIMETRE: DensityUnit = 2;

/// One scan of a scan script: components, spectral band and successive approximation. The standard fixes its
/// parameters, so this structure does not grow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    /// Components by index in the frame, in increasing order.
    pub components: [u8; 4],
    /// Number of components, 1 to 4.
    pub component_count: u8,
    /// Ss: first coefficient in zigzag order.
    pub ss: u8,
    /// Se: last coefficient in zigzag order.
    pub se: u8,
    /// Ah: Al of the previous scan of these coefficients; 0 if there is none.
    pub ah: u8,
    /// Al: number of low bits left to later scans.
    pub al: u8,
}

/// More than any metadata may be long. What is longer is not copied, as its length is probably none.
const METADATA: usize = 1 << 24;

/// Sets the quality, 1 (smallest file) to 100 (best). 90 by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_quality(encoder: *mut Encoder, quality: u32) -> Status {
    let action = |encoder: &Encoder| match u8::try_from(quality) {
        Ok(known @ 1..=100) => encoder.change(|settings| settings.quality(known)),
        _ => Err(Failure::new(SHIM_ERROR_QUALITY, format!("quality {quality} is out of range 1 to 100"))),
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the chroma subsampling. 4:2:0 by default. Files without chrominance are not subsampled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_subsampling(
    encoder: *mut Encoder,
    subsampling: Subsampling,
) -> Status {
    let action = |encoder: &Encoder| {
        let known = match subsampling {
            SHIM_JPEG_SUBSAMPLING_420 => shim_jpeg::Subsampling::S420,
            SHIM_JPEG_SUBSAMPLING_444 => shim_jpeg::Subsampling::S444,
            SHIM_JPEG_SUBSAMPLING_422 => shim_jpeg::Subsampling::S422,
            SHIM_JPEG_SUBSAMPLING_440 => shim_jpeg::Subsampling::S440,
            SHIM_JPEG_SUBSAMPLING_411 => shim_jpeg::Subsampling::S411,
            _ => return Err(Failure::unknown("subsampling", subsampling)),
        };
        encoder.change(|settings| settings.subsampling(known))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the sampling factors H and V of each component, for ratios without a constant: `component_count` pairs of
/// bytes. Factors are 1 to 4 and divide the largest of all components.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_sampling_factors(
    encoder: *mut Encoder,
    factors: *const u8,
    component_count: usize,
) -> Status {
    let action = |encoder: &Encoder| {
        if !(1..=4).contains(&component_count) {
            return Err(Failure::new(SHIM_ERROR_SAMPLING, "an image has 1 to 4 components"));
        }
        // SAFETY: two bytes for each component, or null, by the rules of the library.
        let factors = unsafe { bytes(factors.cast(), 2 * component_count, "factors") }?;
        encoder.change(|settings| settings.sampling_factors(factors.as_chunks().0))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the color space of the file. By default gray, CMYK and YCCK pixels are not converted, and others are converted
/// to YCbCr.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_color_space(
    encoder: *mut Encoder,
    space: ColorSpace,
) -> Status {
    let action = |encoder: &Encoder| {
        let known = match space {
            SHIM_JPEG_COLOR_SPACE_GRAY => shim_jpeg::ColorSpace::Gray,
            SHIM_JPEG_COLOR_SPACE_YCBCR => shim_jpeg::ColorSpace::YCbCr,
            SHIM_JPEG_COLOR_SPACE_RGB => shim_jpeg::ColorSpace::Rgb,
            SHIM_JPEG_COLOR_SPACE_CMYK => shim_jpeg::ColorSpace::Cmyk,
            SHIM_JPEG_COLOR_SPACE_YCCK => shim_jpeg::ColorSpace::Ycck,
            _ => return Err(Failure::unknown("space", space)),
        };
        encoder.change(|settings| settings.color_space(known))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Whether (not 0) to produce files bit-exact with libjpeg-turbo's `cjpeg`, for the same pixels and settings, with the
/// accurate integer DCT. Off by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_libjpeg_compatible(
    encoder: *mut Encoder,
    libjpeg_compatible: c_int,
) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe {
        call(encoder, |encoder| {
            encoder.change(|settings| settings.libjpeg_compatible(libjpeg_compatible != 0))
        })
    }
}

/// Whether (not 0) to limit the quantization tables of libjpeg-compatible files to 255, as `cjpeg -baseline` does. Off
/// by default: qualities up to 23 then need 16-bit tables, and the file is extended (SOF1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_baseline(encoder: *mut Encoder, baseline: c_int) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|settings| settings.baseline(baseline != 0))) }
}

/// Whether (not 0) to optimize the Huffman tables for the image, which makes files 2 to 10 % smaller and buffers the
/// image.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_optimized(encoder: *mut Encoder, optimized: c_int) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|settings| settings.optimized(optimized != 0))) }
}

/// Whether (not 0) to code sequential and progressive files arithmetically instead of by Huffman tables, which makes
/// photographs 5 to 13 % smaller. libjpeg reads such files, most other decoders do not. Lossless files cannot be coded
/// so. Off by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_arithmetic(
    encoder: *mut Encoder,
    arithmetic: c_int,
) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|settings| settings.arithmetic(arithmetic != 0))) }
}

/// Whether (not 0) to write a progressive file with the default scan script; 0 writes a sequential file and discards
/// any scans that were set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_progressive(
    encoder: *mut Encoder,
    progressive: c_int,
) -> Status {
    let change = |settings: shim_jpeg::Encoder| match (progressive, settings.get_process()) {
        // Another process than this one stays.
        (0, Process::Lossless { .. }) => settings,
        (0, _) => settings.process(Process::Sequential),
        _ => settings.process(Process::Progressive),
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(change)) }
}

/// Writes a progressive file with these scans. They are validated when an image is encoded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_scans(
    encoder: *mut Encoder,
    scans: *const Scan,
    scan_count: usize,
) -> Status {
    let action = |encoder: &Encoder| {
        // Only for its checks: the structure consists of bytes, and so do the scans.
        let size = scan_count.saturating_mul(size_of::<Scan>());
        // SAFETY: so many scans, or null, by the rules of the library.
        let bytes = unsafe { bytes(scans.cast(), size, "scans") }?;
        // SAFETY: `bytes` are `scan_count` scans, whose fields are bytes: they are aligned anywhere and valid whatever
        // they are. An empty slice has a pointer too.
        let scans = unsafe { slice::from_raw_parts(bytes.as_ptr().cast::<Scan>(), scan_count) };
        let specs = scans.iter().enumerate().map(|(index, scan)| {
            let Some(components) = scan.components.get(..scan.component_count.into()) else {
                let message = format!("scan {index}: it has {} components of 4", scan.component_count);
                return Err(Failure::new(SHIM_ERROR_SCANS, message));
            };
            Ok(ScanSpec::new(components, [scan.ss, scan.se], [scan.ah, scan.al]))
        });
        let specs: Vec<ScanSpec> = specs.collect::<Result<_, _>>()?;
        encoder.change(|settings| settings.process(Process::Scans(specs)))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Whether (not 0) to spend more time on smaller files: trellis quantization, flatter quantization tables, and for
/// progressive files a scan script optimized for the image. Off by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_trellis(encoder: *mut Encoder, trellis: c_int) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|settings| settings.trellis(trellis != 0))) }
}

/// Writes a lossless file of samples of 2 to 16 bits, without the `point_transform` lowest bits, which decode as 0.
/// `predictor` is 1 (left), 2 (above), 3 (above left), 4 to 6 (planes through these), or 7 (the average of left and
/// above). The last call of this function and the progressive ones takes effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_lossless(
    encoder: *mut Encoder,
    predictor: u32,
    point_transform: u32,
) -> Status {
    let action = |encoder: &Encoder| {
        let known =
            u8::try_from(predictor).ok().and_then(|number| shim_jpeg::Predictor::try_from(number).ok());
        let (Some(known), Ok(bits @ 0..16)) = (known, u8::try_from(point_transform)) else {
            let message =
                format!("there is no predictor {predictor} with a point transform of {point_transform}");
            return Err(Failure::new(SHIM_ERROR_VALUE, message));
        };
        encoder.change(|settings| {
            settings.process(Process::Lossless { predictor: known, point_transform: bits })
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the number of threads per image; 0 is one per core. 1 by default. The file does not depend on it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_threads(encoder: *mut Encoder, threads: u32) -> Status {
    let action = |encoder: &Encoder| {
        let Ok(threads @ 0..=1024) = usize::try_from(threads) else {
            return Err(Failure::new(SHIM_ERROR_VALUE, format!("{threads} threads are more than 1024")));
        };
        encoder.change(|settings| settings.threads(threads))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the restart interval, 0 to 65535 MCUs or MCU rows. 0 is no restart markers, the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_restart(
    encoder: *mut Encoder,
    unit: RestartUnit,
    interval: u32,
) -> Status {
    let action = |encoder: &Encoder| {
        let most = || {
            let message = format!("a restart interval of {interval} is above 65535");
            u16::try_from(interval).map_err(|_| Failure::new(SHIM_ERROR_VALUE, message))
        };
        let restart = match unit {
            SHIM_JPEG_RESTART_NEVER => Restart::Never,
            SHIM_JPEG_RESTART_MCUS => Restart::Mcus(most()?),
            SHIM_JPEG_RESTART_ROWS => Restart::Rows(most()?),
            _ => return Err(Failure::unknown("unit", unit)),
        };
        encoder.change(|settings| settings.restart(restart))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the horizontal and vertical pixel density, 1 to 65535. Written only in JFIF files, which are gray or YCbCr.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_density(
    encoder: *mut Encoder,
    unit: DensityUnit,
    across: u32,
    down: u32,
) -> Status {
    let action = |encoder: &Encoder| {
        let (Ok(x @ 1..), Ok(y @ 1..)) = (u16::try_from(across), u16::try_from(down)) else {
            let message = format!("a density of {across} to {down} is not of 1 to 65535");
            return Err(Failure::new(SHIM_ERROR_DENSITY, message));
        };
        let density = match unit {
            SHIM_JPEG_DENSITY_ASPECT => Density::Aspect(x, y),
            SHIM_JPEG_DENSITY_PER_INCH => Density::PerInch(x, y),
            SHIM_JPEG_DENSITY_PER_CENTIMETRE => Density::PerCentimeter(x, y),
            _ => return Err(Failure::unknown("unit", unit)),
        };
        encoder.change(|settings| settings.density(density))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets custom quantization tables in place of those of the quality: one for luminance (and all components of RGB and
/// CMYK files), one for chrominance, each of 64 elements in row-major order. Elements are 1 to 255, and up to 65535 for
/// 12-bit samples.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_quantization_tables(
    encoder: *mut Encoder,
    luminance: *const u16,
    chrominance: *const u16,
) -> Status {
    let action = |encoder: &Encoder| {
        // SAFETY: 64 elements each, or null, by the rules of the library.
        let tables = unsafe {
            (read(luminance.cast::<[u16; 64]>(), "luminance"), read(chrominance.cast(), "chrominance"))
        };
        let (luminance, chrominance) = (tables.0?, tables.1?);
        encoder.change(|settings| settings.quantization_tables(luminance, chrominance))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the ICC profile, split into as many segments as needed, up to 16 MB. The library copies it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_icc_profile(
    encoder: *mut Encoder,
    profile: *const c_void,
    size: usize,
) -> Status {
    // SAFETY: what the function asks for holds by the rules of the library.
    unsafe { metadata(encoder, profile, size, "profile", shim_jpeg::Encoder::icc_profile) }
}

/// Sets Exif data, starting at its TIFF header, up to 65527 bytes. The library copies it and does not interpret it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_exif(
    encoder: *mut Encoder,
    exif: *const c_void,
    size: usize,
) -> Status {
    // SAFETY: what the function asks for holds by the rules of the library.
    unsafe { metadata(encoder, exif, size, "exif", shim_jpeg::Encoder::exif) }
}

/// Sets an XMP packet, up to 65504 bytes. The library copies it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_set_xmp(
    encoder: *mut Encoder,
    packet: *const c_void,
    size: usize,
) -> Status {
    // SAFETY: what the function asks for holds by the rules of the library.
    unsafe { metadata(encoder, packet, size, "packet", shim_jpeg::Encoder::xmp) }
}

/// Adds a comment segment, up to 65533 bytes. Each call adds one. The library copies it. It needs no terminating null,
/// which would become part of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_add_comment(
    encoder: *mut Encoder,
    comment: *const c_void,
    size: usize,
) -> Status {
    // SAFETY: what the function asks for holds by the rules of the library.
    unsafe { metadata(encoder, comment, size, "comment", shim_jpeg::Encoder::comment) }
}

/// Adds an application segment `APPn`, with `n` from 0 to 15 and up to 65533 bytes that begin with an identifier. Each
/// call adds one, after the segments that the encoder writes itself (JFIF, Exif, XMP, ICC and Adobe). The library
/// copies it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_add_app_segment(
    encoder: *mut Encoder,
    n: u32,
    data: *const c_void,
    size: usize,
) -> Status {
    let number = u8::try_from(n).ok().filter(|n| *n < 16);
    let Some(number) = number else {
        let message = format!("there is no APP{n}: application segments are APP0 to APP15");
        // SAFETY: an encoder that was not freed, or null, by the rules of the library.
        return unsafe { call(encoder, |_: &Encoder| Err(Failure::new(SHIM_ERROR_VALUE, message))) };
    };
    // SAFETY: what the function asks for holds by the rules of the library.
    unsafe { metadata(encoder, data, size, "data", |settings, bytes| settings.app_segment(number, bytes)) }
}

/// Sets one kind of metadata.
///
/// # Safety
///
/// The encoder was not freed, or is null; `size` bytes lie at `data`, or it is null.
unsafe fn metadata(
    encoder: *mut Encoder,
    data: *const c_void,
    size: usize,
    name: &str,
    set: impl FnOnce(shim_jpeg::Encoder, &[u8]) -> shim_jpeg::Encoder,
) -> Status {
    let action = |encoder: &Encoder| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { bytes(data, size, name) }?;
        if size > METADATA {
            let message = format!("`{name}` of {size} bytes does not fit a JPEG file");
            return Err(Failure::new(SHIM_ERROR_METADATA, message));
        }
        encoder.change(|settings| set(settings, bytes))
    };
    // SAFETY: the caller's promise.
    unsafe { call(encoder, action) }
}

#[cfg(test)]
mod tests;
