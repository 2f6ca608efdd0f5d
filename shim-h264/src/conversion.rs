//! Conversion from RGB.

use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::color::Color;
use crate::frame::{Frame, positive};
pub use crate::kernels::color::Pixels;
use crate::kernels::color::{Weights, planes_of_pixels};
use crate::kernels::frame::complete_pixels;

/// A converter from RGB pixels to 4:2:0 frames, with a buffer for one frame.
///
/// ```
/// use shim_h264::{Config, Conversion, Encoder, Pixels};
///
/// let config = Config::new(32, 16);
/// let mut conversion = Conversion::new(32, 16, Pixels::Rgb, config.rgb_color())?;
/// let mut encoder = Encoder::new(config)?;
/// let pixels = [200; 3 * 32 * 16];
/// let packet = encoder.encode(&conversion.frame(&pixels, 3 * 32)?)?;
/// # Ok::<(), shim_h264::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversion {
    width: usize,
    height: usize,
    pixels: Pixels,
    color: Color,
    weights: Weights,
    /// Y, Cb and Cr, with even dimensions.
    planes: [Vec<u8>; 3],
    /// Pixels padded to even dimensions, if the width or height is odd.
    padded: Vec<u8>,
}

impl Conversion {
    /// A conversion of `width` by `height` pixels to luma and chroma as `color` describes, which is
    /// [`Config::rgb_color`](crate::Config::rgb_color) of the stream. An encoder refuses frames of another color than the
    /// stream states.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`] when the width or height is 0, or a frame does not fit the address space.
    pub fn new(width: usize, height: usize, pixels: Pixels, color: Color) -> Result<Self, Error> {
        positive(width, height)?;
        let [wide, high] = [width, height].map(|side| side.checked_next_multiple_of(2));
        let samples = wide.zip(high).and_then(|(wide, high)| wide.checked_mul(high));
        let samples = samples.filter(|&samples| samples <= isize::MAX as usize / 4);
        let samples = samples.ok_or(Error::Dimensions { width, height })?;
        let planes = [samples, samples / 4, samples / 4].map(|samples| vec![0; samples]);
        let odd = !width.is_multiple_of(2) || !height.is_multiple_of(2);
        let padded = vec![0; if odd { samples * pixels.bytes() } else { 0 }];
        Ok(Self { width, height, pixels, color, weights: color.weights(), planes, padded })
    }

    /// Converts pixels whose rows are `stride` bytes apart.
    ///
    /// # Errors
    ///
    /// [`Error::Plane`] when the stride is shorter than a row, or there are too few bytes.
    pub fn frame(&mut self, pixels: &[u8], stride: usize) -> Result<Frame<'_>, Error> {
        let Self { width, height, .. } = *self;
        let row = width * self.pixels.bytes();
        let needed = stride.checked_mul(height - 1).and_then(|rows| rows.checked_add(row));
        if stride < row || needed.is_none_or(|needed| pixels.len() < needed) {
            return Err(Error::Plane { samples: pixels.len(), stride, width: row, height });
        }
        let [high, wide] = [height, width].map(|side| side.next_multiple_of(2));
        let (pixels, stride) = if self.padded.is_empty() {
            (pixels, stride)
        } else {
            let bytes = self.pixels.bytes();
            complete_pixels(pixels, height, width, stride, bytes, &mut self.padded, high, wide);
            (&self.padded[..], wide * bytes)
        };
        let [y, cb, cr] = &mut self.planes;
        planes_of_pixels(pixels, stride, high, wide, self.pixels, self.weights, y, cb, cr);
        let [y, cb, cr] = &self.planes;
        let frame = Frame::new(width, height, (y, wide), (cb, wide / 2), (cr, wide / 2))?;
        Ok(frame.with_color(self.color))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Matrix;
    use crate::kernels::testing::Random;

    const COLORS: [Color; 7] = [
        Color { matrix: Matrix::Bt601, full_range: false },
        Color { matrix: Matrix::Bt601, full_range: true },
        Color::HD,
        Color { matrix: Matrix::Bt709, full_range: true },
        Color { matrix: Matrix::Smpte240m, full_range: false },
        Color { matrix: Matrix::Bt2020, full_range: false },
        Color { matrix: Matrix::Bt2020, full_range: true },
    ];

    /// Y, Cb and Cr before they are rounded, of a color from 0 to 255.
    fn plainly(color: Color, [r, g, b]: [f64; 3]) -> [f64; 3] {
        let (kr, kb) = color.matrix.red_and_blue();
        let y = kr * r + (1.0 - kr - kb) * g + kb * b;
        let (cb, cr) = ((b - y) / (2.0 * (1.0 - kb)), (r - y) / (2.0 * (1.0 - kr)));
        if color.full_range {
            [y, 128.0 + cb, 128.0 + cr]
        } else {
            [16.0 + y * 219.0 / 255.0, 128.0 + cb * 224.0 / 255.0, 128.0 + cr * 224.0 / 255.0]
        }
    }

    /// Rounded, but for what the weights have too few bits for.
    fn near(found: u8, wanted: f64) -> bool {
        (f64::from(found) - wanted.clamp(0.0, 255.0)).abs() < 0.52
    }

    #[test]
    fn pixels_are_what_the_equations_say() {
        let mut random = Random::new(3);
        for (i, (width, height)) in
            [(2, 2), (6, 4), (128, 2), (130, 6), (254, 4), (300, 8)].into_iter().enumerate()
        {
            let all = [Pixels::Rgb, Pixels::Bgr, Pixels::Rgba, Pixels::Bgra, Pixels::Gray];
            for (j, pixels) in all.into_iter().enumerate() {
                let color = COLORS[(i + j) % COLORS.len()];
                let bytes = pixels.bytes();
                let stride = bytes * width + 5 * (i % 2);
                let samples: Vec<u8> = (0..stride * (height - 1) + bytes * width)
                    .map(|_| if j % 2 == 0 { random.byte() } else { 255 * (random.bits() & 1) as u8 })
                    .collect();
                let at = |y: usize, x: usize| -> [f64; 3] {
                    let sample = |c: usize| f64::from(samples[y * stride + bytes * x + c.min(bytes - 1)]);
                    let [a, g, b] = [0, 1, 2].map(sample);
                    if matches!(pixels, Pixels::Rgb | Pixels::Rgba | Pixels::Gray) {
                        [a, g, b]
                    } else {
                        [b, g, a]
                    }
                };
                let mut conversion = Conversion::new(width, height, pixels, color).unwrap();
                let frame = conversion.frame(&samples, stride).unwrap();
                let [luma, cb, cr] = frame.planes().map(|plane| plane.samples());
                for y in 0..height {
                    for x in 0..width {
                        let wanted = plainly(color, at(y, x))[0];
                        assert!(near(luma[y * width + x], wanted), "{color:?} {wanted}");
                    }
                }
                for y in 0..height / 2 {
                    for x in 0..width / 2 {
                        let four = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(v, u)| at(2 * y + v, 2 * x + u));
                        let mean = [0, 1, 2].map(|c| four.iter().map(|pixel| pixel[c]).sum::<f64>() / 4.0);
                        let wanted = plainly(color, mean);
                        let place = y * (width / 2) + x;
                        assert!(
                            near(cb[place], wanted[1]) && near(cr[place], wanted[2]),
                            "{color:?} {wanted:?}"
                        );
                    }
                }
            }
        }
    }

    /// The last row and column count twice where a side is odd.
    #[test]
    fn odd_sides_are_padded() {
        let mut random = Random::new(8);
        for (width, height) in [(1, 1), (3, 2), (2, 5), (7, 3)] {
            let stride = 3 * width + 2;
            let samples: Vec<u8> = (0..stride * height).map(|_| random.byte()).collect();
            let [wide, high] = [width + width % 2, height + height % 2];
            let mut padded = Vec::new();
            for y in 0..high {
                for x in 0..wide {
                    let at = y.min(height - 1) * stride + 3 * x.min(width - 1);
                    padded.extend_from_slice(&samples[at..at + 3]);
                }
            }
            let mut own = Conversion::new(width, height, Pixels::Bgr, Color::HD).unwrap();
            let mut even = Conversion::new(wide, high, Pixels::Bgr, Color::HD).unwrap();
            let frame = own.frame(&samples[..samples.len() - 2], stride).unwrap();
            let wanted = even.frame(&padded, 3 * wide).unwrap();
            assert_eq!((frame.width(), frame.height()), (width, height));
            let rows = |frame: &Frame<'_>, plane: usize, [h, w]: [usize; 2]| -> Vec<Vec<u8>> {
                frame.planes()[plane].rows().take(h).map(|row| row[..w].to_vec()).collect()
            };
            for (plane, size) in [(0, [height, width]), (1, [high / 2, wide / 2]), (2, [high / 2, wide / 2])]
            {
                assert_eq!(rows(&frame, plane, size), rows(&wanted, plane, size), "{width}x{height}");
            }
        }
    }

    #[test]
    fn gray_stays_gray_and_extremes_are_in_range() {
        for color in COLORS {
            let of = |pixel: [u8; 3]| {
                let mut conversion = Conversion::new(2, 2, Pixels::Rgb, color).unwrap();
                let frame = conversion.frame(&[pixel; 4].concat(), 6).unwrap();
                frame.planes().map(|plane| plane.samples()[0])
            };
            let (black, white) = if color.full_range { (0, 255) } else { (16, 235) };
            assert_eq!(of([0; 3]), [black, 128, 128]);
            assert_eq!(of([255; 3]), [white, 128, 128]);
            for gray in 0..=255 {
                assert_eq!(of([gray; 3])[1..], [128, 128]);
            }
            let most = if color.full_range { 255 } else { 240 };
            assert_eq!((of([0, 0, 255])[1], of([255, 0, 0])[2]), (most, most));
        }
    }

    #[test]
    fn what_has_no_room_is_refused() {
        let conversion = |width, height| Conversion::new(width, height, Pixels::Rgba, Color::HD);
        for (width, height) in [(0, 2), (2, 0), (usize::MAX, 1), (usize::MAX - 1, 2), (1 << 62, 2)] {
            assert!(matches!(conversion(width, height), Err(Error::Dimensions { .. })), "{width}x{height}");
        }
        let mut conversion = conversion(4, 2).unwrap();
        let samples = [0; 40];
        assert!(conversion.frame(&samples[..32], 16).is_ok() && conversion.frame(&samples, 24).is_ok());
        for (samples, stride) in
            [(&samples[..31], 16), (&samples, 15), (&samples, 25), (&samples, usize::MAX)]
        {
            assert!(matches!(conversion.frame(samples, stride), Err(Error::Plane { .. })), "{stride}");
        }
    }
}
