//! Frames that are given, and reconstructed ones.

use crate::Error;

/// A frame of samples of eight bits, chroma at half the density (4:2:0).
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    width: usize,
    height: usize,
    planes: [Plane<'a>; 3],
    pts: i64,
    user_data: u64,
}

/// One component of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    samples: &'a [u8],
    stride: usize,
    width: usize,
}

impl<'a> Plane<'a> {
    fn new(samples: &'a [u8], stride: usize, width: usize, height: usize) -> Result<Self, Error> {
        // The last row needs no gap behind it.
        let needed = stride.checked_mul(height - 1).and_then(|rows| rows.checked_add(width));
        if stride < width || needed.is_none_or(|needed| samples.len() < needed) {
            return Err(Error::Plane { samples: samples.len(), stride, width, height });
        }
        Ok(Self { samples: &samples[..needed.unwrap_or_default()], stride, width })
    }

    /// All samples, rows one stride apart.
    #[must_use]
    pub const fn samples(&self) -> &'a [u8] {
        self.samples
    }

    /// The distance between rows.
    #[must_use]
    pub const fn stride(&self) -> usize {
        self.stride
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &'a [u8]> {
        let width = self.width;
        self.samples.chunks(self.stride).map(move |row| &row[..width])
    }
}

impl<'a> Frame<'a> {
    /// A frame of three planes, each with the distance between its rows.
    ///
    /// # Errors
    ///
    /// When a side is odd or 0, or a plane has no room for its rows.
    pub fn new(
        width: usize,
        height: usize,
        luma: (&'a [u8], usize),
        cb: (&'a [u8], usize),
        cr: (&'a [u8], usize),
    ) -> Result<Self, Error> {
        even(width, height)?;
        let chroma = |(samples, stride)| Plane::new(samples, stride, width / 2, height / 2);
        let planes = [Plane::new(luma.0, luma.1, width, height)?, chroma(cb)?, chroma(cr)?];
        Ok(Self { width, height, planes, pts: 0, user_data: 0 })
    }

    /// A frame whose planes follow one another without gaps, as in files of raw video (I420).
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn i420(width: usize, height: usize, samples: &'a [u8]) -> Result<Self, Error> {
        even(width, height)?;
        let (luma, rest) = samples.split_at(samples.len().min(width.saturating_mul(height)));
        let (cb, cr) = rest.split_at(rest.len().min(luma.len() / 4));
        Self::new(width, height, (luma, width), (cb, width / 2), (cr, width / 2))
    }

    /// Sets the presentation timestamp, in any unit: the packet of the frame has it, too, and the encoder does not interpret it. Rate
    /// control goes by [`Config::frame_rate`](crate::Config::frame_rate). 0 if not set.
    #[must_use]
    pub const fn with_pts(self, pts: i64) -> Self {
        Self { pts, ..self }
    }

    /// Sets a value of the caller's, which the packet of the frame has, too. 0 if not set.
    #[must_use]
    pub const fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// Presentation timestamp.
    #[must_use]
    pub const fn pts(&self) -> i64 {
        self.pts
    }

    /// Value of the caller's.
    #[must_use]
    pub const fn user_data(&self) -> u64 {
        self.user_data
    }

    /// Samples of a row of luma.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Rows of luma.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Luma, Cb and Cr.
    #[must_use]
    pub const fn planes(&self) -> &[Plane<'a>; 3] {
        &self.planes
    }
}

/// That both sides are even, and there is something between them.
pub(crate) const fn even(width: usize, height: usize) -> Result<(), Error> {
    if width == 0 || height == 0 || !width.is_multiple_of(2) || !height.is_multiple_of(2) {
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
        assert!(matches!(Frame::i420(3, 4, &samples), Err(Error::Dimensions { .. })));
        assert!(matches!(Frame::i420(0, 0, &samples), Err(Error::Dimensions { .. })));
        assert!(Frame::i420(usize::MAX - 1, 2, &samples).is_err());
        // Rows eight apart, of which the last has no gap behind it.
        let frame = Frame::new(4, 2, (&samples[..12], 8), (&samples[..2], 2), (&samples[..2], 2)).unwrap();
        assert_eq!(frame.planes()[0].rows().map(<[u8]>::len).collect::<Vec<_>>(), [4, 4]);
        assert!(Frame::new(4, 2, (&samples[..11], 8), (&samples[..2], 2), (&samples[..2], 2)).is_err());
        assert!(Frame::new(4, 2, (&samples, 3), (&samples, 2), (&samples, 2)).is_err());
    }
}
