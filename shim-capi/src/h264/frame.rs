//! Frames in the caller's memory, and in the encoder's.

use std::ptr::null;

use shim_h264::Frame;

use crate::memory::{bytes, sized};
use crate::status::{Failure, SHIM_ERROR_STRIDE};

/// Pixel format of a frame: one of `SHIM_H264_PIXELS_*`.
pub type H264Pixels = u32;

/// Three planes: Y, and Cb and Cr at half the resolution in both directions.
pub const SHIM_H264_PIXELS_I420: H264Pixels = 0;
/// R, G, B, in the first plane.
pub const SHIM_H264_PIXELS_RGB: H264Pixels = 1;
/// B, G, R, in the first plane.
pub const SHIM_H264_PIXELS_BGR: H264Pixels = 2;
/// R, G, B and a fourth sample that is ignored, in the first plane.
pub const SHIM_H264_PIXELS_RGBA: H264Pixels = 3;
/// B, G, R and a fourth sample that is ignored, in the first plane.
pub const SHIM_H264_PIXELS_BGRA: H264Pixels = 4;

/// Two planes: Y, and interleaved Cb and Cr at half the resolution in both directions.
pub const SHIM_H264_PIXELS_NV12: H264Pixels = 5;

/// One sample, from black (0) to white (255), in the first plane.
pub const SHIM_H264_PIXELS_GRAY: H264Pixels = 6;

/// A frame of 8-bit samples in memory. Initialize it to zeros (`shim_h264_frame frame = {0};`), so that fields of later
/// versions are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct H264Frame {
    /// `sizeof(shim_h264_frame)`, which identifies the version of the structure.
    pub struct_size: usize,
    /// Width in pixels, as configured.
    pub width: u32,
    /// Height in pixels, as configured.
    pub height: u32,
    /// Pixel format.
    pub pixels: H264Pixels,
    /// First sample of each plane. Unused planes are ignored.
    pub planes: [*const u8; 3],
    /// Distance between rows of each plane in bytes; 0 if rows are contiguous.
    pub strides: [usize; 3],
    /// Size of each plane in bytes. No sample beyond it is read.
    pub plane_sizes: [usize; 3],
    /// Presentation timestamp in any unit, copied to the packet of the frame and not interpreted.
    pub pts: i64,
    /// User data, copied to the packet of the frame.
    pub user_data: u64,
}

/// A plane whose memory was looked up, and the distance between its rows.
type Plane<'a> = (&'a [u8], usize);

/// A frame whose memory was looked up.
pub(crate) enum Description<'a> {
    I420([Plane<'a>; 3]),
    Nv12([Plane<'a>; 2]),
    Pixels(shim_h264::Pixels, Plane<'a>),
}

impl H264Frame {
    pub(super) const EMPTY: Self = Self {
        struct_size: size_of::<Self>(),
        width: 0,
        height: 0,
        pixels: SHIM_H264_PIXELS_I420,
        planes: [null(); 3],
        strides: [0; 3],
        plane_sizes: [0; 3],
        pts: 0,
        user_data: 0,
    };

    /// Reads the description at `frame`.
    ///
    /// # Safety
    ///
    /// If `frame` is not null, a structure of the size lies there that its first field says.
    pub(crate) unsafe fn read(frame: *const Self) -> Result<Self, Failure> {
        // SAFETY: the caller's promise; the size is the first field.
        unsafe { sized(frame, &[], "frame") }
    }

    /// A frame of the encoder with what comes back with the packet.
    pub(super) const fn tagged<'a>(&self, frame: Frame<'a>) -> Frame<'a> {
        frame.with_pts(self.pts).with_user_data(self.user_data)
    }

    /// Looks up its memory.
    ///
    /// # Safety
    ///
    /// Where a plane that its pixels have is not null, as many bytes lie there as the frame says, and nobody writes to
    /// them for `'a`.
    pub(crate) unsafe fn description<'a>(&self) -> Result<Description<'a>, Failure> {
        let plane = |i: usize, row: u64| {
            // Rows are no longer than a side of 32 bits and four samples.
            let row = usize::try_from(row).unwrap_or(usize::MAX);
            let stride = if self.strides[i] == 0 { row } else { self.strides[i] };
            if stride < row {
                let message =
                    format!("the stride of plane {i} is {stride}, less than the {row} bytes of a row");
                return Err(Failure::new(SHIM_ERROR_STRIDE, message));
            }
            if self.planes[i].is_null() {
                return Err(Failure::null("planes"));
            }
            // SAFETY: the caller's promise.
            let samples = unsafe { bytes(self.planes[i].cast(), self.plane_sizes[i], "planes") }?;
            Ok((samples, stride))
        };
        let width = u64::from(self.width);
        let pixels = match self.pixels {
            SHIM_H264_PIXELS_I420 => {
                return Ok(Description::I420([
                    plane(0, width)?,
                    plane(1, width.div_ceil(2))?,
                    plane(2, width.div_ceil(2))?,
                ]));
            }
            SHIM_H264_PIXELS_NV12 => {
                return Ok(Description::Nv12([plane(0, width)?, plane(1, 2 * width.div_ceil(2))?]));
            }
            SHIM_H264_PIXELS_RGB => shim_h264::Pixels::Rgb,
            SHIM_H264_PIXELS_BGR => shim_h264::Pixels::Bgr,
            SHIM_H264_PIXELS_RGBA => shim_h264::Pixels::Rgba,
            SHIM_H264_PIXELS_BGRA => shim_h264::Pixels::Bgra,
            SHIM_H264_PIXELS_GRAY => shim_h264::Pixels::Gray,
            _ => return Err(Failure::unknown("pixels", self.pixels)),
        };
        Ok(Description::Pixels(pixels, plane(0, width * pixels.bytes() as u64)?))
    }
}
