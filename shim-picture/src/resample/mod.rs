//! Images made smaller.

mod kernels;

use std::f64::consts::PI;
use std::str::FromStr;

use crate::picture::Scaled;

/// The weights of samples in a smaller image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// The mean of the area that a pixel covers.
    Area,
    /// Lanczos, of three lobes: sharper.
    #[default]
    Lanczos,
}

impl FromStr for Filter {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "area" => Ok(Self::Area),
            "lanczos" => Ok(Self::Lanczos),
            _ => Err("expected area or lanczos"),
        }
    }
}

/// The size that an image may have: a larger one is made smaller, in its proportions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    /// The most pixels in a row.
    pub width: Option<usize>,
    /// The most rows.
    pub height: Option<usize>,
    /// How a larger image is made smaller.
    pub filter: Filter,
}

impl Fit {
    /// The size of an image, if it is another.
    #[expect(clippy::cast_precision_loss, reason = "sides are below 2^52")]
    pub fn size(&self, [width, height]: [usize; 2]) -> Option<[usize; 2]> {
        let across = self.width.map_or(1.0, |most| most as f64 / width as f64);
        let down = self.height.map_or(1.0, |most| most as f64 / height as f64);
        let scale = across.min(down);
        let side = |side: usize| ((side as f64 * scale).round() as usize).max(1);
        (scale < 1.0).then(|| [side(width), side(height)])
    }
}

/// The weighted sums along an axis: for each output sample, the first input sample and the weights from there on.
struct Taps {
    first: Vec<usize>,
    count: usize,
    weights: Vec<f32>,
}

impl Taps {
    /// Those of an axis of `from` samples that becomes one of `to`.
    #[expect(clippy::cast_precision_loss, reason = "sides are below 2^52")]
    fn new(filter: Filter, from: usize, to: usize) -> Self {
        let scale = from as f64 / to as f64;
        let reach = match filter {
            Filter::Area => 0.5 * scale,
            Filter::Lanczos => 3.0 * scale,
        };
        let ranges: Vec<_> = (0..to)
            .map(|x| {
                let center = (x as f64 + 0.5) * scale;
                let start = (center - reach).floor().max(0.0) as usize;
                let end = ((center + reach).ceil() as usize).min(from).max(start + 1);
                (center, start, end)
            })
            .collect();
        let count = ranges.iter().map(|(_, start, end)| end - start).max().unwrap_or(1);
        let (mut first, mut weights) = (Vec::with_capacity(to), Vec::with_capacity(to * count));
        for (center, start, end) in ranges {
            let weight = |sample: usize| match filter {
                Filter::Area => {
                    let (left, right) = (center - reach, center + reach);
                    ((sample + 1) as f64).min(right) - (sample as f64).max(left)
                }
                Filter::Lanczos => lanczos((sample as f64 + 0.5 - center) / scale),
            };
            let sum: f64 = (start..end).map(weight).sum();
            // All outputs have the same number of taps; those outside the range have weight 0.
            let begin = start.min(from - count);
            first.push(begin);
            weights.extend((begin..begin + count).map(|sample| {
                if (start..end).contains(&sample) { (weight(sample) / sum) as f32 } else { 0.0 }
            }));
        }
        Self { first, count, weights }
    }
}

/// Lanczos's window of three lobes.
fn lanczos(x: f64) -> f64 {
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    if x.abs() < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 }
}

/// The samples of an image of another size, `channels` a pixel.
pub(crate) fn resample(
    samples: &Scaled,
    channels: usize,
    [width, height]: [usize; 2],
    [to_width, to_height]: [usize; 2],
    filter: Filter,
) -> Scaled {
    let (across, down) = (Taps::new(filter, width, to_width), Taps::new(filter, height, to_height));
    let row = to_width * channels;
    let mut between = vec![0.0; height * row];
    match samples {
        Scaled::Bytes(from) => kernels::across_bytes(
            from,
            height,
            width,
            channels,
            &across.first,
            across.count,
            &across.weights,
            to_width,
            &mut between,
        ),
        Scaled::Words(from, _) => kernels::across_words(
            from,
            height,
            width,
            channels,
            &across.first,
            across.count,
            &across.weights,
            to_width,
            &mut between,
        ),
    }
    let mut sum = vec![0.0; row];
    let Taps { first, count, weights } = &down;
    match samples {
        Scaled::Bytes(_) => {
            let mut to = vec![0; to_height * row];
            kernels::down_bytes(&between, height, row, first, *count, weights, to_height, &mut sum, &mut to);
            Scaled::Bytes(to)
        }
        Scaled::Words(_, bits) => {
            let most = f32::from(((1_u32 << bits) - 1) as u16);
            let mut to = vec![0; to_height * row];
            kernels::down_words(
                &between, height, row, first, *count, weights, to_height, most, &mut sum, &mut to,
            );
            Scaled::Words(to, *bits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_fit_in_their_proportions() {
        let fit = |width, height| Fit { width, height, filter: Filter::Area };
        assert_eq!(fit(Some(50), None).size([100, 60]), Some([50, 30]));
        assert_eq!(fit(Some(50), Some(20)).size([100, 60]), Some([33, 20]));
        assert_eq!(fit(Some(100), Some(60)).size([100, 60]), None);
        assert_eq!(fit(None, None).size([100, 60]), None);
        assert_eq!(fit(Some(1), None).size([1000, 1]), Some([1, 1]));
    }

    #[test]
    fn areas_are_means() {
        let samples: Vec<u8> = (0..8 * 6 * 3).map(|i| (i * 37 % 256) as u8).collect();
        let Scaled::Bytes(made) = resample(&Scaled::Bytes(samples.clone()), 3, [8, 6], [4, 2], Filter::Area)
        else {
            panic!("bytes stay bytes")
        };
        for y in 0..2 {
            for x in 0..4 {
                for c in 0..3 {
                    let of = |v: usize, u: usize| u32::from(samples[((3 * y + v) * 8 + 2 * x + u) * 3 + c]);
                    let sum: u32 = (0..6).map(|i| of(i / 2, i % 2)).sum();
                    let mean = f64::from(sum) / 6.0;
                    assert!((f64::from(made[(y * 4 + x) * 3 + c]) - mean).abs() < 0.51);
                }
            }
        }
    }

    #[test]
    fn flat_images_stay_flat_at_any_size() {
        for filter in [Filter::Area, Filter::Lanczos] {
            for (size, to) in [([1, 1], [1, 1]), ([5, 3], [4, 1]), ([100, 1], [7, 1]), ([31, 57], [30, 9])] {
                let [count, wanted] = [size, to].map(|[w, h]: [usize; 2]| w * h * 4);
                for value in [0, 77, 255] {
                    let made = resample(&Scaled::Bytes(vec![value; count]), 4, size, to, filter);
                    assert!(matches!(made, Scaled::Bytes(made) if made == vec![value; wanted]));
                    let value = (257 * u16::from(value)) >> 4;
                    let made = resample(&Scaled::Words(vec![value; count], 12), 4, size, to, filter);
                    assert!(matches!(made, Scaled::Words(made, 12) if made == vec![value; wanted]));
                }
            }
        }
    }

    #[test]
    fn edges_do_not_ring_out_of_range() {
        let samples: Vec<u8> = (0..90 * 90).map(|i| if i % 90 / 7 % 2 == 0 { 255 } else { 0 }).collect();
        let made = resample(&Scaled::Bytes(samples), 1, [90, 90], [40, 40], Filter::Lanczos);
        let Scaled::Bytes(made) = made else { panic!("bytes stay bytes") };
        assert!(made.contains(&0) && made.contains(&255));
    }
}
