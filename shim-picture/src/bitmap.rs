//! Decoded images.

use std::fmt;
use std::str::FromStr;

use shim_jpeg::Pixels;

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
    Gray,
    /// Gray and opacity.
    GrayAlpha,
    /// Red, green and blue.
    Rgb,
    /// Red, green, blue and opacity.
    Rgba,
    /// Y, Cb and Cr of full range (T.871).
    YCbCr,
    /// Cyan, magenta, yellow and black; 0 is full ink ([`Pixels::Cmyk`]).
    Cmyk,
}

impl Channels {
    /// Number of samples.
    pub fn count(self) -> usize {
        self.pixels().samples()
    }

    /// The pixels of the encoder.
    pub fn pixels(self) -> Pixels {
        match self {
            Self::Gray => Pixels::Gray,
            Self::GrayAlpha => Pixels::GrayAlpha,
            Self::Rgb => Pixels::Rgb,
            Self::Rgba => Pixels::Rgba,
            Self::YCbCr => Pixels::YCbCr,
            Self::Cmyk => Pixels::Cmyk,
        }
    }

    /// Those of an image over a background.
    #[must_use]
    pub fn over(self, background: Background) -> Self {
        match self {
            Self::GrayAlpha if background.is_gray() => Self::Gray,
            Self::GrayAlpha | Self::Rgba => Self::Rgb,
            opaque => opaque,
        }
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

/// The color behind transparent pixels: red, green and blue. White by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Background(pub [u8; 3]);

impl Background {
    /// White.
    pub const WHITE: Self = Self([255; 3]);

    fn is_gray(self) -> bool {
        let Self([red, green, blue]) = self;
        red == green && green == blue
    }
}

impl Default for Background {
    fn default() -> Self {
        Self::WHITE
    }
}

impl fmt::Display for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [255, 255, 255] => f.write_str("white"),
            [0, 0, 0] => f.write_str("black"),
            [red, green, blue] => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
        }
    }
}

impl FromStr for Background {
    type Err = &'static str;

    /// A color as `white`, `black` or `#rrggbb`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "white" => return Ok(Self::WHITE),
            "black" => return Ok(Self([0; 3])),
            _ => {}
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match number.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(number) => Ok(Self([number >> 16, number >> 8, number].map(|byte| byte as u8))),
            None => Err("expected white, black or a color as #rrggbb"),
        }
    }
}

/// Samples of 8 or 16 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Samples {
    /// 8 bits each.
    Bytes(Vec<u8>),
    /// 16 bits each.
    Words(Vec<u16>),
}

impl Samples {
    /// Samples of 0 to 2^bits - 1, stretched to 16 bits.
    pub fn of_bits(mut words: Vec<u16>, bits: u8) -> Self {
        let most = (1_u32 << bits) - 1;
        if bits < 16 {
            for word in &mut words {
                *word = ((u32::from(*word) * 0xffff + most / 2) / most) as u16;
            }
        }
        Self::Words(words)
    }
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

    /// Samples of 8 bits over a background.
    pub(crate) fn into_bytes(self, background: Background) -> Vec<u8> {
        let samples = match self.samples {
            Samples::Bytes(samples) => samples,
            Samples::Words(samples) => samples.into_iter().map(|sample| scaled(sample, 8) as u8).collect(),
        };
        flattened(samples, self.channels, background)
    }

    /// Samples of 16 bits over a background.
    pub(crate) fn into_words(self, background: Background) -> Vec<u16> {
        let samples = match self.samples {
            Samples::Bytes(samples) => samples.into_iter().map(|sample| 257 * u16::from(sample)).collect(),
            Samples::Words(samples) => samples,
        };
        flattened(samples, self.channels, background)
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
        Channels::Rgb | Channels::YCbCr => turned_pixels::<T, 3>(samples, size, orientation),
        Channels::Rgba | Channels::Cmyk => turned_pixels::<T, 4>(samples, size, orientation),
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

/// Lays pixels that have an opacity over a background.
fn flattened<T: Opacity>(samples: Vec<T>, channels: Channels, background: Background) -> Vec<T> {
    let color = background.0.map(T::of);
    match channels {
        Channels::GrayAlpha if background.is_gray() => {
            over(samples.as_chunks().0, |[v, a]| ([v], a), [color[0]])
        }
        Channels::GrayAlpha => over(samples.as_chunks().0, |[v, a]| ([v; 3], a), color),
        Channels::Rgba => over(samples.as_chunks().0, |[r, g, b, a]| ([r, g, b], a), color),
        Channels::Gray | Channels::Rgb | Channels::YCbCr | Channels::Cmyk => samples,
    }
}

/// Lays pixels, taken apart into their colors and their opacity, over a background.
fn over<T: Opacity, const N: usize, const C: usize>(
    pixels: &[[T; N]],
    apart: impl Fn([T; N]) -> ([T; C], T),
    background: [T; C],
) -> Vec<T> {
    let lay = |&pixel: &[T; N]| {
        let (color, opacity) = apart(pixel);
        std::array::from_fn::<T, C, _>(|c| color[c].over(opacity, background[c]))
    };
    pixels.iter().flat_map(lay).collect()
}

/// A sample that may be an opacity.
trait Opacity: Copy {
    /// A sample of 8 bits.
    fn of(sample: u8) -> Self;

    /// This sample with an opacity over another, rounded to the nearest.
    fn over(self, opacity: Self, below: Self) -> Self;
}

impl Opacity for u8 {
    fn of(sample: u8) -> Self {
        sample
    }

    fn over(self, opacity: Self, below: Self) -> Self {
        let [sample, opacity, below] = [self, opacity, below].map(u16::from);
        ((sample * opacity + below * (255 - opacity) + 127) / 255) as Self
    }
}

impl Opacity for u16 {
    fn of(sample: u8) -> Self {
        257 * Self::from(sample)
    }

    fn over(self, opacity: Self, below: Self) -> Self {
        let [sample, opacity, below] = [self, opacity, below].map(u64::from);
        ((sample * opacity + below * (0xffff - opacity) + 0x7fff) / 0xffff) as Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orientation::tests::all;

    #[test]
    fn transparency_shows_the_background() {
        let white = Background::WHITE;
        let laid = |samples: &[u8], channels, background| flattened(samples.to_vec(), channels, background);
        let color = [0, 10, 20, 255, 0, 10, 20, 0];
        assert_eq!(laid(&color, Channels::Rgba, white), [0, 10, 20, 255, 255, 255]);
        assert_eq!(laid(&color, Channels::Rgba, Background([1, 2, 3])), [0, 10, 20, 1, 2, 3]);
        let gray = [0, 128, 255, 3, 100, 51];
        assert_eq!(laid(&gray, Channels::GrayAlpha, white), [127, 255, 224]);
        let red = Background([255, 0, 0]);
        assert_eq!(laid(&gray[..2], Channels::GrayAlpha, red), [127, 0, 0]);
        assert_eq!(flattened(vec![0_u16, 0x8000, 7, 0xffff], Channels::GrayAlpha, white), [0x7fff, 7]);
    }

    #[test]
    fn backgrounds_have_names() {
        for (text, color) in [("white", [255; 3]), ("black", [0; 3]), ("#0a0B0c", [10, 11, 12])] {
            assert_eq!(text.parse(), Ok(Background(color)));
            assert_eq!(Background(color).to_string(), text.to_lowercase());
        }
        for text in ["", "red", "#12345", "#1234567", "#12345g", "#+12345", "123456"] {
            assert!(text.parse::<Background>().is_err(), "{text}");
        }
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
            for channels in
                [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba, Channels::Cmyk]
            {
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
        assert_eq!(bytes.clone().into_words(Background::WHITE), [0, 0x8080, 0xffff]);
        assert_eq!(words.into_bytes(Background::WHITE), bytes.into_bytes(Background::WHITE));
    }
}
