//! The description of an image in the caller's memory.

use std::ffi::c_void;
use std::mem::offset_of;
use std::slice;

use shim_jpeg::Subsampling;

use crate::memory::{bytes, sized};
use crate::status::{
    Failure, SHIM_ERROR_ALIGNMENT, SHIM_ERROR_BITS, SHIM_ERROR_PLANES, SHIM_ERROR_STRIDE, SHIM_ERROR_VALUE,
};

/// Pixel format: one of `SHIM_JPEG_PIXELS_*`, which name the samples of a pixel in memory order.
pub type Pixels = u32;

/// R, G, B.
pub const SHIM_JPEG_PIXELS_RGB: Pixels = 0;
/// B, G, R.
pub const SHIM_JPEG_PIXELS_BGR: Pixels = 1;
/// R, G, B and a fourth sample that is ignored: JPEG has no transparency.
pub const SHIM_JPEG_PIXELS_RGBA: Pixels = 2;
/// B, G, R and a fourth sample that is ignored.
pub const SHIM_JPEG_PIXELS_BGRA: Pixels = 3;
/// One luminance sample.
pub const SHIM_JPEG_PIXELS_GRAY: Pixels = 4;
/// Y, Cb, Cr as in JFIF: full range, with Cb and Cr centered on the middle value.
pub const SHIM_JPEG_PIXELS_YCBCR: Pixels = 5;
/// C, M, Y, K as JPEG files have them: 0 is full ink and the greatest sample none. Files have an Adobe segment, by which
/// readers know that.
pub const SHIM_JPEG_PIXELS_CMYK: Pixels = 6;
/// Y, Cb, Cr of inverted C, M and Y; and K.
pub const SHIM_JPEG_PIXELS_YCCK: Pixels = 7;
/// Luminance and a second sample that is ignored.
pub const SHIM_JPEG_PIXELS_GRAY_ALPHA: Pixels = 8;
/// Three 8-bit planes: Y, and Cb and Cr at half the resolution in both directions, rounded up, as from decoders and
/// cameras. Encoded without resampling: the encoder must have the same subsampling, or returns `SHIM_ERROR_SAMPLING`.
/// Not supported in strips.
pub const SHIM_JPEG_PIXELS_YCBCR_420: Pixels = 9;
/// As `SHIM_JPEG_PIXELS_YCBCR_420`, with Cb and Cr at half the horizontal resolution.
pub const SHIM_JPEG_PIXELS_YCBCR_422: Pixels = 10;
/// As `SHIM_JPEG_PIXELS_YCBCR_420`, with Cb and Cr at half the vertical resolution.
pub const SHIM_JPEG_PIXELS_YCBCR_440: Pixels = 11;
/// As `SHIM_JPEG_PIXELS_YCBCR_420`, with Cb and Cr at a quarter of the horizontal resolution.
pub const SHIM_JPEG_PIXELS_YCBCR_411: Pixels = 12;

/// An image in memory. Initialize it to zeros (`shim_jpeg_image image = {0};`), so that fields of later versions are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// `sizeof(shim_jpeg_image)`, which identifies the version of the structure.
    pub struct_size: usize,
    /// Width in pixels, 1 to 65535.
    pub width: u32,
    /// Height in pixels, 1 to 65535.
    pub height: u32,
    /// Pixel format.
    pub pixels: Pixels,
    /// Size of a sample: 1 for `uint8_t`, 2 for `uint16_t`.
    pub sample_bytes: u32,
    /// Sample precision in bits: 8 for `uint8_t`, 2 to 16 for `uint16_t`, with the higher bits 0. Files have 8 or 12,
    /// or 2 to 16 if lossless.
    pub bits: u32,
    /// 1 for interleaved pixels; the number of samples per pixel for planar and subsampled ones.
    pub plane_count: u32,
    /// Distance between rows in bytes, in all planes; 0 if rows are contiguous.
    pub stride: usize,
    /// First sample of each plane. The plane of an ignored fourth sample may be null.
    pub planes: [*const c_void; 4],
    /// Size of each plane in bytes. No sample beyond it is read.
    pub plane_sizes: [usize; 4],
    /// Distance between rows of subsampled Cb and Cr planes, as `stride`. Ignored for other images.
    pub chroma_stride: usize,
}

/// An [`Image`] whose memory was looked up. Planes that were not given are empty.
pub(crate) struct Description<'a> {
    image: Image,
    pixels: shim_jpeg::Pixels,
    subsampling: Option<Subsampling>,
    planes: [&'a [u8]; 4],
}

/// How samples lie in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sample {
    Byte,
    /// Two bytes, of which so many bits are in use.
    Word(u8),
}

impl Image {
    /// The size of the structure before it had `chroma_stride`.
    const FIRST_SIZE: usize = offset_of!(Self, chroma_stride);

    /// Reads the description at `image`, and says what its pixels are, and how they are subsampled.
    ///
    /// # Safety
    ///
    /// If `image` is not null, a structure of the size lies there that its first field says.
    pub(crate) unsafe fn read(
        image: *const Self,
    ) -> Result<(Self, shim_jpeg::Pixels, Option<Subsampling>), Failure> {
        // SAFETY: the caller's promise; an image may be of zeros.
        let image = unsafe { sized(image, &[Self::FIRST_SIZE], "image") }?;
        let (pixels, subsampling) = pixels(image.pixels)?;
        Ok((image, pixels, subsampling))
    }

    /// What the samples are.
    pub(crate) fn sample(&self) -> Result<Sample, Failure> {
        match (self.sample_bytes, u8::try_from(self.bits)) {
            (1, Ok(8)) => Ok(Sample::Byte),
            (1, _) => {
                let message = format!("samples of one byte have 8 bits, not {}", self.bits);
                Err(Failure::new(SHIM_ERROR_BITS, message))
            }
            (2, bits) => Ok(Sample::Word(bits.unwrap_or(u8::MAX))),
            (other, _) => {
                let message = format!("`sample_bytes` is {other}, where a sample has 1 or 2 bytes");
                Err(Failure::new(SHIM_ERROR_VALUE, message))
            }
        }
    }
}

impl Description<'_> {
    /// Reads the description at `image`, with its planes.
    ///
    /// # Safety
    ///
    /// If `image` is not null, a structure of the size lies there that its first field says, whose planes are null or
    /// of the sizes given, for as long as the description lives, in which nobody writes to them.
    pub(crate) unsafe fn read(image: *const Image) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        let (image, pixels, subsampling) = unsafe { Image::read(image) }?;
        let count = image.plane_count as usize;
        if !(1..=4).contains(&count) {
            return Err(Failure::new(SHIM_ERROR_PLANES, format!("an image has 1 to 4 planes, not {count}")));
        }
        let mut planes: [&[u8]; 4] = [&[]; 4];
        for (i, plane) in planes[..count].iter_mut().enumerate() {
            let (start, size) = (image.planes[i], image.plane_sizes[i]);
            let ignored = i == 3 && matches!(pixels, shim_jpeg::Pixels::Rgba | shim_jpeg::Pixels::Bgra);
            if start.is_null() && !ignored {
                return Err(Failure::null(&format!("planes[{i}]")));
            }
            if !ignored {
                // SAFETY: the caller's promise.
                *plane = unsafe { bytes(start, size, &format!("planes[{i}]")) }?;
            }
        }
        Ok(Self { image, pixels, subsampling, planes })
    }

    /// Hands the image to `action`, as the encoder wants it.
    pub(crate) fn with<T>(
        &self,
        action: impl FnOnce(&shim_jpeg::Image<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Self { image, pixels, planes, .. } = self;
        if let Some(subsampling) = self.subsampling {
            return action(&self.subsampled(subsampling)?);
        }
        let (pixels, count) = (*pixels, image.plane_count as usize);
        let [width, height] = [image.width, image.height].map(|side| side as usize);
        let in_a_row = if count == 1 { width.saturating_mul(pixels.samples()) } else { width };
        match image.sample()? {
            Sample::Byte => {
                let stride = if image.stride == 0 { in_a_row } else { image.stride };
                let image = match &planes[..count] {
                    [samples] => shim_jpeg::Image::interleaved(samples, pixels, width, height, stride)?,
                    planes => shim_jpeg::Image::planar(planes, pixels, width, height, stride)?,
                };
                action(&image)
            }
            Sample::Word(bits) => {
                if image.stride % 2 != 0 {
                    let message = format!("a stride of {} bytes is not one of 16-bit samples", image.stride);
                    return Err(Failure::new(SHIM_ERROR_STRIDE, message));
                }
                let stride = if image.stride == 0 { in_a_row } else { image.stride / 2 };
                let mut words: [&[u16]; 4] = [&[]; 4];
                for (words, plane) in words.iter_mut().zip(&planes[..count]) {
                    *words = as_words(plane)?;
                }
                let image = match &words[..count] {
                    [samples] => {
                        shim_jpeg::Image::interleaved16(samples, bits, pixels, width, height, stride)?
                    }
                    planes => shim_jpeg::Image::planar16(planes, bits, pixels, width, height, stride)?,
                };
                action(&image)
            }
        }
    }
}

impl<'a> Description<'a> {
    /// The image of three planes, of which Cb and Cr are subsampled.
    fn subsampled(&self, subsampling: Subsampling) -> Result<shim_jpeg::Image<'a>, Failure> {
        let Self { image, planes: [y, cb, cr, _], .. } = *self;
        if image.plane_count != 3 {
            let message = format!("subsampled pixels have 3 planes, not {}", image.plane_count);
            return Err(Failure::new(SHIM_ERROR_PLANES, message));
        }
        if !matches!(image.sample()?, Sample::Byte) {
            return Err(Failure::new(SHIM_ERROR_BITS, "samples of subsampled planes have 8 bits"));
        }
        let [width, height] = [image.width, image.height].map(|side| side as usize);
        let chroma_width = width.div_ceil(match subsampling {
            Subsampling::S411 => 4,
            Subsampling::S420 | Subsampling::S422 => 2,
            _ => 1,
        });
        let stride = |stride, width| if stride == 0 { width } else { stride };
        let strides = [stride(image.stride, width), stride(image.chroma_stride, chroma_width)];
        Ok(shim_jpeg::Image::ycbcr_planes([y, cb, cr], subsampling, width, height, strides)?)
    }
}

/// The pixels of a constant, and how their planes are subsampled.
fn pixels(pixels: Pixels) -> Result<(shim_jpeg::Pixels, Option<Subsampling>), Failure> {
    let subsampled = |subsampling| Ok((shim_jpeg::Pixels::YCbCr, Some(subsampling)));
    let whole = match pixels {
        SHIM_JPEG_PIXELS_YCBCR_420 => return subsampled(Subsampling::S420),
        SHIM_JPEG_PIXELS_YCBCR_422 => return subsampled(Subsampling::S422),
        SHIM_JPEG_PIXELS_YCBCR_440 => return subsampled(Subsampling::S440),
        SHIM_JPEG_PIXELS_YCBCR_411 => return subsampled(Subsampling::S411),
        SHIM_JPEG_PIXELS_RGB => shim_jpeg::Pixels::Rgb,
        SHIM_JPEG_PIXELS_BGR => shim_jpeg::Pixels::Bgr,
        SHIM_JPEG_PIXELS_RGBA => shim_jpeg::Pixels::Rgba,
        SHIM_JPEG_PIXELS_BGRA => shim_jpeg::Pixels::Bgra,
        SHIM_JPEG_PIXELS_GRAY => shim_jpeg::Pixels::Gray,
        SHIM_JPEG_PIXELS_YCBCR => shim_jpeg::Pixels::YCbCr,
        SHIM_JPEG_PIXELS_CMYK => shim_jpeg::Pixels::Cmyk,
        SHIM_JPEG_PIXELS_YCCK => shim_jpeg::Pixels::Ycck,
        SHIM_JPEG_PIXELS_GRAY_ALPHA => shim_jpeg::Pixels::GrayAlpha,
        _ => return Err(Failure::unknown("pixels", pixels)),
    };
    Ok((whole, None))
}

/// Bytes as samples of two, without a byte that is left.
#[allow(clippy::cast_ptr_alignment, reason = "it is looked at before the pointer is used")]
fn as_words(bytes: &[u8]) -> Result<&[u16], Failure> {
    let start = bytes.as_ptr().cast::<u16>();
    // Empty planes may be anywhere.
    if bytes.is_empty() {
        return Ok(&[]);
    }
    if !start.is_aligned() {
        return Err(Failure::new(SHIM_ERROR_ALIGNMENT, "samples of 16 bits are at an odd address"));
    }
    // SAFETY: `start` is aligned, the bytes are borrowed for as long, and any two of them are a number.
    Ok(unsafe { slice::from_raw_parts(start, bytes.len() / 2) })
}

#[cfg(test)]
pub(crate) mod tests;
