//! Input and reconstructed frames.

use crate::Error;
use crate::color::Color;

/// A frame of 8-bit 4:2:0 samples, borrowed from the caller.
///
/// To encode a region of a larger picture, pass slices that begin at the first samples of the region, with the strides
/// of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    width: usize,
    height: usize,
    planes: [Plane<'a>; 3],
    pts: i64,
    user_data: u64,
    /// The color by which its samples were converted, if they were.
    color: Option<Color>,
}

/// One component of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    samples: &'a [u8],
    stride: usize,
    step: usize,
    /// Distance from the first sample of a row to the last, plus 1, in bytes.
    row: usize,
}

impl<'a> Plane<'a> {
    fn new(samples: &'a [u8], stride: usize, width: usize, height: usize) -> Result<Self, Error> {
        // The last row needs no padding.
        let needed = stride.checked_mul(height - 1).and_then(|rows| rows.checked_add(width));
        if stride < width || needed.is_none_or(|needed| samples.len() < needed) {
            return Err(Error::Plane { samples: samples.len(), stride, width, height });
        }
        Ok(Self { samples: &samples[..needed.unwrap_or_default()], stride, step: 1, row: width })
    }

    /// Splits a plane of interleaved pairs of samples into two planes.
    fn interleaved(
        samples: &'a [u8],
        stride: usize,
        width: usize,
        height: usize,
    ) -> Result<[Self; 2], Error> {
        let pairs = Self::new(samples, stride, 2 * width, height)?;
        let plane =
            |first: usize| Self { samples: &pairs.samples[first..], step: 2, row: 2 * width - 1, ..pairs };
        Ok([plane(0), plane(1)])
    }

    /// The bytes from the first sample of the plane to the last.
    #[must_use]
    pub const fn samples(&self) -> &'a [u8] {
        self.samples
    }

    /// Distance between rows, in bytes.
    #[must_use]
    pub const fn stride(&self) -> usize {
        self.stride
    }

    /// Distance between samples of a row, in bytes: 1 for planar, 2 for interleaved Cb and Cr.
    #[must_use]
    pub const fn step(&self) -> usize {
        self.step
    }

    /// The rows, each from its first sample to its last, with samples one [`step`](Self::step) apart.
    pub fn rows(&self) -> impl Iterator<Item = &'a [u8]> {
        let length = self.row;
        self.samples.chunks(self.stride).map(move |row| &row[..length])
    }
}

impl<'a> Frame<'a> {
    /// A frame of three planes, each with its stride in bytes: `width` by `height` luma samples, and half as many Cb
    /// and Cr samples in each direction, rounded up.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`] when the width or height is 0, and [`Error::Plane`] when a stride is shorter than a row or
    /// a plane has too few samples.
    pub fn new(
        width: usize,
        height: usize,
        luma: (&'a [u8], usize),
        cb: (&'a [u8], usize),
        cr: (&'a [u8], usize),
    ) -> Result<Self, Error> {
        positive(width, height)?;
        let chroma = |(samples, stride)| Plane::new(samples, stride, width.div_ceil(2), height.div_ceil(2));
        let planes = [Plane::new(luma.0, luma.1, width, height)?, chroma(cb)?, chroma(cr)?];
        Ok(Self { width, height, planes, pts: 0, user_data: 0, color: None })
    }

    /// A frame whose planes are contiguous in memory, without padding, as in raw video files (I420).
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn i420(width: usize, height: usize, samples: &'a [u8]) -> Result<Self, Error> {
        positive(width, height)?;
        let (luma, rest) = samples.split_at(samples.len().min(width.saturating_mul(height)));
        let chroma = width.div_ceil(2);
        let (cb, cr) = rest.split_at(rest.len().min(chroma.saturating_mul(height.div_ceil(2))));
        Self::new(width, height, (luma, width), (cb, chroma), (cr, chroma))
    }

    /// A frame of a luma plane and a plane of interleaved Cb and Cr, each with its stride in bytes, as cameras and
    /// hardware decoders produce (NV12).
    ///
    /// ```
    /// use shim_h264::{Config, Encoder, Frame};
    ///
    /// let (luma, chroma) = ([90; 48 * 16], [128; 48 * 8]);
    /// // Rows of 32 samples with a stride of 48 bytes.
    /// let frame = Frame::nv12(32, 16, (&luma, 48), (&chroma, 48))?;
    /// let packet = Encoder::new(Config::new(32, 16))?.encode(&frame)?;
    /// # Ok::<(), shim_h264::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn nv12(
        width: usize,
        height: usize,
        luma: (&'a [u8], usize),
        chroma: (&'a [u8], usize),
    ) -> Result<Self, Error> {
        positive(width, height)?;
        let [cb, cr] = Plane::interleaved(chroma.0, chroma.1, width.div_ceil(2), height.div_ceil(2))?;
        let planes = [Plane::new(luma.0, luma.1, width, height)?, cb, cr];
        Ok(Self { width, height, planes, pts: 0, user_data: 0, color: None })
    }

    /// Sets the presentation timestamp, in any unit. 0 by default.
    ///
    /// The encoder copies it to the packet of the frame and does not interpret it; rate control uses
    /// [`Config::frame_rate`](crate::Config::frame_rate).
    #[must_use]
    pub const fn with_pts(self, pts: i64) -> Self {
        Self { pts, ..self }
    }

    /// Sets a value that the encoder copies to the packet of the frame. 0 by default.
    #[must_use]
    pub const fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    pub(crate) const fn with_color(self, color: Color) -> Self {
        Self { color: Some(color), ..self }
    }

    pub(crate) const fn color(&self) -> Option<Color> {
        self.color
    }

    /// Presentation timestamp.
    #[must_use]
    pub const fn pts(&self) -> i64 {
        self.pts
    }

    /// User data.
    #[must_use]
    pub const fn user_data(&self) -> u64 {
        self.user_data
    }

    /// Width in luma samples.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Height in luma samples.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The luma, Cb and Cr planes.
    #[must_use]
    pub const fn planes(&self) -> &[Plane<'a>; 3] {
        &self.planes
    }
}

/// Checks that neither dimension is 0.
pub(crate) const fn positive(width: usize, height: usize) -> Result<(), Error> {
    if width == 0 || height == 0 {
        return Err(Error::Dimensions { width, height });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_have_room() {
        let samples = [0; 24];
        assert!(Frame::i420(4, 4, &samples).is_ok());
        assert!(matches!(Frame::i420(4, 4, &samples[..23]), Err(Error::Plane { samples: 3, .. })));
        assert!(matches!(Frame::i420(4, 4, &[]), Err(Error::Plane { samples: 0, .. })));
        assert!(matches!(Frame::i420(0, 4, &samples), Err(Error::Dimensions { .. })));
        // Chroma of odd sides is rounded up: 9 samples, and twice 4.
        assert!(Frame::i420(3, 3, &samples[..17]).is_ok());
        assert!(matches!(Frame::i420(3, 3, &samples[..16]), Err(Error::Plane { samples: 3, .. })));
        // Pairs of chroma: two rows of four bytes, six apart.
        let nv12 =
            |luma: &[u8], chroma: &[u8], stride| Frame::nv12(3, 3, (luma, 3), (chroma, stride)).is_ok();
        assert!(nv12(&samples[..9], &samples[..10], 6) && !nv12(&samples[..9], &samples[..9], 6));
        assert!(!nv12(&samples[..8], &samples, 6) && !nv12(&samples, &samples, 3));
        assert!(matches!(Frame::i420(0, 0, &samples), Err(Error::Dimensions { .. })));
        assert!(Frame::i420(usize::MAX - 1, 2, &samples).is_err());
        // Rows eight apart, of which the last has no gap behind it.
        let frame = Frame::new(4, 2, (&samples[..12], 8), (&samples[..2], 2), (&samples[..2], 2)).unwrap();
        assert_eq!(frame.planes()[0].rows().map(<[u8]>::len).collect::<Vec<_>>(), [4, 4]);
        assert!(Frame::new(4, 2, (&samples[..11], 8), (&samples[..2], 2), (&samples[..2], 2)).is_err());
        assert!(Frame::new(4, 2, (&samples, 3), (&samples, 2), (&samples, 2)).is_err());
    }
}
