//! Frames in the caller's memory, and in the encoder's.

use std::ptr::null;

use shim_h264::Frame;

use crate::memory::{bytes, sized};
use crate::status::{Failure, SHIM_ERROR_STRIDE};

/// What the samples of a frame are: one of `SHIM_H264_PIXELS_*`.
pub type H264Pixels = u32;

/// Three planes: Y, and Cb and Cr with half as many samples in each direction.
pub const SHIM_H264_PIXELS_I420: H264Pixels = 0;
/// R, G, B, in the first plane.
pub const SHIM_H264_PIXELS_RGB: H264Pixels = 1;
/// B, G, R, in the first plane.
pub const SHIM_H264_PIXELS_BGR: H264Pixels = 2;
/// R, G, B, and a fourth sample that is not looked at, in the first plane.
pub const SHIM_H264_PIXELS_RGBA: H264Pixels = 3;
/// B, G, R, and a fourth sample that is not looked at, in the first plane.
pub const SHIM_H264_PIXELS_BGRA: H264Pixels = 4;

/// Two planes: Y, and pairs of Cb and Cr with half as many in each direction.
pub const SHIM_H264_PIXELS_NV12: H264Pixels = 5;

/// A frame in memory, of bytes. Begin with one of zeros (`shim_h264_frame frame = {0};`), so that fields of later versions are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct H264Frame {
    /// `sizeof(shim_h264_frame)`: says which version of the structure it is.
    pub struct_size: usize,
    /// Pixels in a row, as the encoder was told.
    pub width: u32,
    /// Rows, as the encoder was told.
    pub height: u32,
    /// What the samples are.
    pub pixels: H264Pixels,
    /// The first sample of each plane. Planes that pixels do not have are not looked at.
    pub planes: [*const u8; 3],
    /// How many bytes after the beginning of a row of each plane the next one begins; 0 if there are no gaps.
    pub strides: [usize; 3],
    /// The bytes of each plane. No sample is read beyond them.
    pub plane_sizes: [usize; 3],
    /// Presentation timestamp, in any unit. The packet of the frame has it, too; the encoder does not interpret it.
    pub pts: i64,
    /// A value of the caller's, which the packet of the frame has, too.
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
    /// Where a plane that its pixels have is not null, as many bytes lie there as the frame says, and nobody writes to them for `'a`.
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
            _ => return Err(Failure::unknown("pixels", self.pixels)),
        };
        Ok(Description::Pixels(pixels, plane(0, width * pixels.bytes() as u64)?))
    }
}
