//! Decoded images.

use crate::orientation::Orientation;

/// Bytes that the decoding of one image may take.
pub const MAX_MEMORY: u64 = 4 << 30;

/// A decoded image: rows of pixels without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitmap {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The samples of a pixel.
    pub channels: Channels,
    samples: Samples,
}

/// The samples of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// Gray.
    Gray = 1,
    /// Gray and opacity.
    GrayAlpha,
    /// Red, green and blue.
    Rgb,
    /// Red, green, blue and opacity.
    Rgba,
}

impl Channels {
    /// Number of samples.
    pub fn count(self) -> usize {
        self as usize
    }

    /// Whether there is one sample besides the opacity.
    pub fn is_gray(self) -> bool {
        matches!(self, Self::Gray | Self::GrayAlpha)
    }

    /// Whether the last sample of a pixel is its opacity.
    pub fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha | Self::Rgba)
    }
}

/// Samples of 8 or 16 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Samples {
    /// Of 8 bits.
    Bytes(Vec<u8>),
    /// Of 16 bits.
    Words(Vec<u16>),
}

impl From<Vec<u8>> for Samples {
    fn from(samples: Vec<u8>) -> Self {
        Self::Bytes(samples)
    }
}

impl From<Vec<u16>> for Samples {
    fn from(samples: Vec<u16>) -> Self {
        Self::Words(samples)
    }
}

impl Bitmap {
    /// An image of these samples; none if they are too few.
    pub fn new(width: usize, height: usize, channels: Channels, samples: impl Into<Samples>) -> Option<Self> {
        let samples = samples.into();
        let wanted = width.checked_mul(height)?.checked_mul(channels.count())?;
        let given = match &samples {
            Samples::Bytes(samples) => samples.len(),
            Samples::Words(samples) => samples.len(),
        };
        (given >= wanted).then_some(Self { width, height, channels, samples })
    }

    /// Bits of a sample: 8 or 16.
    pub fn bits(&self) -> u8 {
        match self.samples {
            Samples::Bytes(_) => 8,
            Samples::Words(_) => 16,
        }
    }

    /// The samples, if they are bytes.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.samples {
            Samples::Bytes(samples) => Some(samples),
            Samples::Words(_) => None,
        }
    }

    /// Samples of 8 bits over white.
    pub fn into_bytes(self) -> Vec<u8> {
        let samples = match self.samples {
            Samples::Bytes(samples) => samples,
            Samples::Words(samples) => samples.into_iter().map(|sample| scaled(sample, 8) as u8).collect(),
        };
        flattened(samples, self.channels)
    }

    /// Samples of 16 bits over white.
    pub fn into_words(self) -> Vec<u16> {
        let samples = match self.samples {
            Samples::Bytes(samples) => samples.into_iter().map(|sample| 257 * u16::from(sample)).collect(),
            Samples::Words(samples) => samples,
        };
        flattened(samples, self.channels)
    }

    /// The image as its orientation shows it.
    #[must_use]
    pub fn upright(self, orientation: Orientation) -> Self {
        if orientation.is_upright() {
            return self;
        }
        let Self { width, height, channels, samples } = self;
        let size = [width, height];
        let samples = match samples {
            Samples::Bytes(samples) => Samples::Bytes(turned(&samples, channels, size, orientation)),
            Samples::Words(samples) => Samples::Words(turned(&samples, channels, size, orientation)),
        };
        let [width, height] = if orientation.transposes() { [height, width] } else { size };
        Self { width, height, channels, samples }
    }
}

/// A sample of 16 bits as one of fewer, rounded.
pub(crate) fn scaled(sample: u16, bits: u8) -> u16 {
    let most = (1_u32 << bits) - 1;
    ((u32::from(sample) * most + 0x7fff) / 0xffff) as u16
}

/// The samples of an image of this width and height as its orientation shows it.
fn turned<T: Copy>(samples: &[T], channels: Channels, size: [usize; 2], orientation: Orientation) -> Vec<T> {
    match channels {
        Channels::Gray => turned_pixels::<T, 1>(samples, size, orientation),
        Channels::GrayAlpha => turned_pixels::<T, 2>(samples, size, orientation),
        Channels::Rgb => turned_pixels::<T, 3>(samples, size, orientation),
        Channels::Rgba => turned_pixels::<T, 4>(samples, size, orientation),
    }
}

fn turned_pixels<T: Copy, const N: usize>(
    samples: &[T],
    [width, height]: [usize; 2],
    orientation: Orientation,
) -> Vec<T> {
    let pixels = &samples.as_chunks::<N>().0[..width * height];
    let mut turned = Vec::with_capacity(pixels.len());
    // Column and row of the file.
    let pixel = |u: usize, v: usize| {
        let u = if orientation.mirrors_rows() { width - 1 - u } else { u };
        let v = if orientation.mirrors_columns() { height - 1 - v } else { v };
        pixels[v * width + u]
    };
    if orientation.transposes() {
        for y in 0..width {
            turned.extend((0..height).map(|x| pixel(y, x)));
        }
    } else {
        for y in 0..height {
            turned.extend((0..width).map(|x| pixel(x, y)));
        }
    }
    turned.into_flattened()
}

/// Lays pixels that have an opacity over white.
fn flattened<T: Opacity>(samples: Vec<T>, channels: Channels) -> Vec<T> {
    match channels {
        Channels::Gray | Channels::Rgb => samples,
        Channels::GrayAlpha => over_white(samples.as_chunks::<2>().0),
        Channels::Rgba => over_white(samples.as_chunks::<4>().0),
    }
}

/// Lays pixels whose last sample is their opacity over white, rounding to the nearest.
fn over_white<T: Opacity, const N: usize>(pixels: &[[T; N]]) -> Vec<T> {
    let lay = |pixel: &[T; N], c: usize| pixel[c].over_white(pixel[N - 1]);
    pixels.iter().flat_map(|pixel| (0..N - 1).map(move |c| lay(pixel, c))).collect()
}

/// A sample that may be an opacity.
trait Opacity: Copy {
    /// This sample with an opacity over white.
    fn over_white(self, opacity: Self) -> Self;
}

impl Opacity for u8 {
    fn over_white(self, opacity: Self) -> Self {
        let (sample, opacity) = (u16::from(self), u16::from(opacity));
        ((sample * opacity + 255 * (255 - opacity) + 127) / 255) as Self
    }
}

impl Opacity for u16 {
    fn over_white(self, opacity: Self) -> Self {
        let (sample, opacity) = (u64::from(self), u64::from(opacity));
        ((sample * opacity + 0xffff * (0xffff - opacity) + 0x7fff) / 0xffff) as Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orientation::tests::all;

    #[test]
    fn transparency_shows_white() {
        assert_eq!(over_white(&[[0_u8, 10, 20, 255], [0, 10, 20, 0]]), [0, 10, 20, 255, 255, 255]);
        assert_eq!(over_white(&[[0_u8, 128], [255, 3], [100, 51]]), [127, 255, 224]);
        assert_eq!(over_white(&[[0_u16, 0x8000], [7, 0xffff]]), [0x7fff, 7]);
    }

    #[test]
    fn every_orientation() {
        let shown: [[usize; 3]; 8] = [
            [2, 3, 123_456],
            [2, 3, 214_365],
            [2, 3, 654_321],
            [2, 3, 563_412],
            [3, 2, 135_246],
            [3, 2, 531_642],
            [3, 2, 642_531],
            [3, 2, 246_135],
        ];
        for (orientation, [width, height, digits]) in all().zip(shown) {
            let digits: Vec<u8> = digits.to_string().bytes().map(|digit| digit - b'0').collect();
            for channels in [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba] {
                let bitmap = |width: usize, height: usize, digits: &[u8]| {
                    let pixel = |&digit: &u8| (0..channels.count() as u8).map(move |c| 10 * digit + c);
                    let bytes: Vec<u8> = digits.iter().flat_map(pixel).collect();
                    let words: Vec<u16> = bytes.iter().map(|&byte| 300 * u16::from(byte)).collect();
                    [
                        Bitmap::new(width, height, channels, bytes).unwrap(),
                        Bitmap::new(width, height, channels, words).unwrap(),
                    ]
                };
                let upright = bitmap(2, 3, &[1, 2, 3, 4, 5, 6]).map(|bitmap| bitmap.upright(orientation));
                assert_eq!(upright, bitmap(width, height, &digits), "{orientation:?} {channels:?}");
            }
        }
    }

    #[test]
    fn too_few_samples_are_no_image() {
        assert!(Bitmap::new(2, 3, Channels::Rgb, vec![0_u8; 18]).is_some());
        assert!(Bitmap::new(2, 3, Channels::Rgb, vec![0_u16; 17]).is_none());
        assert!(Bitmap::new(usize::MAX, 2, Channels::Gray, vec![0_u8; 17]).is_none());
    }

    #[test]
    fn depths() {
        let of = |samples: Samples| Bitmap::new(3, 1, Channels::Gray, samples).unwrap();
        let (bytes, words) = (of(vec![0_u8, 128, 255].into()), of(vec![0_u16, 0x8080, 0xffff].into()));
        assert_eq!((bytes.bits(), words.bits()), (8, 16));
        assert_eq!(bytes.clone().into_words(), [0, 0x8080, 0xffff]);
        assert_eq!(words.into_bytes(), bytes.into_bytes());
    }
}
