//! Distortion of a decoded image: PSNR, and SSIM after Wang, Bovik, Sheikh and Simoncelli, *Image Quality
//! Assessment: From Error Visibility to Structural Similarity* (2004).
//!
//! SSIM is written here since the crates that have it compute another: `image-compare` 0.5 takes the mean of separate
//! squares of 8x8 samples, where the paper has a Gaussian window around each sample.

use rayon::prelude::*;

/// PSNR and SSIM. What cannot differ has a PSNR of infinity, which is `null` in JSON.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Metrics {
    /// Over R, G and B, or over gray samples, in decibels.
    pub psnr: f64,
    /// Of Y, Cb and Cr at the density of the image, or of Y alone.
    pub component_psnr: Vec<f64>,
    /// The mean SSIM of Y, of images of at least 11x11 pixels.
    pub ssim: Option<f64>,
}

/// Samples of an image, interleaved.
#[derive(Clone, Copy, Debug)]
pub struct Raster<'a> {
    /// Gray, or red, green and blue.
    pub samples: &'a [u8],
    /// Pixels in a row.
    pub width: usize,
    /// Whether a pixel has one sample.
    pub gray: bool,
}

/// The greatest sample.
const PEAK: f64 = 255.0;

/// Compares images of the same size. If one of them is gray, luminance is compared alone.
pub fn compare(source: Raster<'_>, decoded: Raster<'_>) -> Metrics {
    let gray = source.gray || decoded.gray;
    let component_psnr = if gray {
        squares(source.luminance(), decoded.luminance())
    } else {
        squares(source.components(), decoded.components())
    };
    let psnr = if gray { component_psnr[0] } else { squares(source.bytes(), decoded.bytes())[0] };
    let [one, other]: [Vec<f32>; 2] =
        [source, decoded].map(|raster| raster.luminance().map(|[y]| y as f32).collect());
    Metrics { psnr, component_psnr, ssim: ssim(&one, &other, source.width) }
}

impl<'a> Raster<'a> {
    /// The samples by themselves.
    fn bytes(self) -> impl Iterator<Item = [f64; 1]> + 'a {
        self.samples.iter().map(|&sample| [sample.into()])
    }

    /// Y, Cb and Cr of each pixel (T.871), of an image that is not gray.
    fn components(self) -> impl Iterator<Item = [f64; 3]> + 'a {
        const EQUATIONS: [[f64; 3]; 3] =
            [[0.299, 0.587, 0.114], [-0.168_736, -0.331_264, 0.5], [0.5, -0.418_688, -0.081_312]];
        let sum =
            |[r, g, b]: [f64; 3], p: [u8; 3]| r * f64::from(p[0]) + g * f64::from(p[1]) + b * f64::from(p[2]);
        self.samples.as_chunks().0.iter().map(move |&pixel| EQUATIONS.map(|row| sum(row, pixel)))
    }

    /// Y of each pixel.
    fn luminance(self) -> Box<dyn Iterator<Item = [f64; 1]> + 'a> {
        if self.gray { Box::new(self.bytes()) } else { Box::new(self.components().map(|[y, ..]| [y])) }
    }
}

/// PSNR of each component.
#[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^52 samples")]
fn squares<const N: usize>(
    one: impl Iterator<Item = [f64; N]>,
    other: impl Iterator<Item = [f64; N]>,
) -> Vec<f64> {
    let (mut sums, mut samples) = ([0.0; N], 0_usize);
    for (a, b) in one.zip(other) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += (a - b) * (a - b);
        }
        samples += 1;
    }
    sums.map(|sum| psnr(sum / samples as f64)).to_vec()
}

/// The sum of the squares of the differences of samples.
pub fn sum_of_squares(one: &[u8], other: &[u8]) -> u64 {
    one.iter().zip(other).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum()
}

/// PSNR for a mean square of the differences.
pub fn psnr(mean_square: f64) -> f64 {
    10.0 * (PEAK * PEAK / mean_square).log10()
}

/// Samples along a side of the window.
const WINDOW: usize = 11;

/// The mean SSIM of two planes of samples; none if they are smaller than the window.
pub fn ssim_of_planes(one: &[u8], other: &[u8], width: usize) -> Option<f64> {
    let [one, other] =
        [one, other].map(|plane| plane.iter().map(|&sample| f32::from(sample)).collect::<Vec<_>>());
    ssim(&one, &other, width)
}

/// The mean SSIM over all windows that lie in the planes; none if there are none.
#[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^52 samples")]
fn ssim(a: &[f32], b: &[f32], width: usize) -> Option<f64> {
    let height = a.len() / width;
    if width < WINDOW || height < WINDOW {
        return None;
    }
    let weights = window();
    // The sum of a row does not depend on who computes it, nor then the sum of the sums.
    let rows: Vec<f64> = (0..=height - WINDOW)
        .into_par_iter()
        .map(|top| {
            let rows = top * width..(top + WINDOW) * width;
            ssim_of_row(&a[rows.clone()], &b[rows], width, &weights)
        })
        .collect();
    let windows = rows.len() * (width - WINDOW + 1);
    Some(rows.iter().sum::<f64>() / windows as f64)
}

/// A Gaussian with a standard deviation of 1.5 samples, whose sum is 1; the window is its product with itself.
fn window() -> [f64; WINDOW] {
    let gauss: [f64; WINDOW] =
        std::array::from_fn(|i| (-(f64::from(i as u8) - 5.0).powi(2) / (2.0 * 1.5 * 1.5)).exp());
    let sum: f64 = gauss.iter().sum();
    gauss.map(|g| g / sum)
}

/// The sum over the windows in as many rows as a window has.
fn ssim_of_row(a: &[f32], b: &[f32], width: usize, weights: &[f64; WINDOW]) -> f64 {
    const C1: f64 = (0.01 * PEAK) * (0.01 * PEAK);
    const C2: f64 = (0.03 * PEAK) * (0.03 * PEAK);
    // Weighted sums of each column, of a, b, a^2, b^2 and ab.
    let mut columns = vec![[0.0; 5]; width];
    for (row, weight) in weights.iter().enumerate() {
        let row = row * width..(row + 1) * width;
        for ((sums, &a), &b) in columns.iter_mut().zip(&a[row.clone()]).zip(&b[row]) {
            let (a, b) = (f64::from(a), f64::from(b));
            for (sum, product) in sums.iter_mut().zip([a, b, a * a, b * b, a * b]) {
                *sum += weight * product;
            }
        }
    }
    let of = |columns: &[[f64; 5]]| {
        let sum = |i: usize| columns.iter().zip(weights).map(|(sums, weight)| weight * sums[i]).sum::<f64>();
        let [mean_a, mean_b] = [sum(0), sum(1)];
        let (var_a, var_b) = (sum(2) - mean_a * mean_a, sum(3) - mean_b * mean_b);
        let covariance = sum(4) - mean_a * mean_b;
        (2.0 * mean_a * mean_b + C1) * (2.0 * covariance + C2)
            / ((mean_a * mean_a + mean_b * mean_b + C1) * (var_a + var_b + C2))
    };
    columns.windows(WINDOW).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 37;
    const HEIGHT: usize = 23;

    fn image(f: impl Fn(usize, usize) -> usize) -> Vec<u8> {
        (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).map(|(x, y)| f(x, y) as u8).collect()
    }

    fn gray(samples: &[u8]) -> Raster<'_> {
        Raster { samples, width: WIDTH, gray: true }
    }

    /// `structural_similarity` with `gaussian_weights`, `sigma=1.5`, `use_sample_covariance=False` and
    /// `peak_signal_noise_ratio` of scikit-image 0.26 give these.
    #[test]
    fn as_another_implementation() {
        let a = image(|x, y| (x * x * 3 + y * 7 + x * y) % 256);
        let b = image(|x, y| (x * x * 3 + y * 7 + x * y) % 256 * 7 / 8 + (x * 5 + y * 11) % 32);
        let c = image(|x, y| (x * 6 + y * 2) % 256);
        let d = image(|x, y| (x * 6 + y * 2) % 256 / 16 * 16 + 8);
        for (one, other, ssim, psnr) in [
            (a, b, 0.982_973_959_582_454_7, 25.763_667_087_330_543),
            (c, d, 0.918_878_571_040_078_5, 34.709_825_597_160_32),
        ] {
            let found = compare(gray(&one), gray(&other));
            assert!((found.ssim.unwrap() - ssim).abs() < 1e-9, "{found:?}");
            assert!((found.psnr - psnr).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn flat_images_have_the_ssim_of_their_brightness() {
        let (one, other) = (image(|_, _| 100), image(|_, _| 140));
        let wanted = (2.0 * 100.0 * 140.0 + 6.5025) / (100.0_f64.powi(2) + 140.0_f64.powi(2) + 6.5025);
        let found = compare(gray(&one), gray(&other));
        assert!((found.ssim.unwrap() - wanted).abs() < 1e-9);
        assert!((found.psnr - 20.0 * (255.0_f64 / 40.0).log10()).abs() < 1e-9);
    }

    #[test]
    fn an_image_is_like_itself() {
        let one = image(|x, y| (x * 31 + y * 17) % 256);
        let found = compare(gray(&one), gray(&one));
        assert_eq!((found.psnr, found.component_psnr), (f64::INFINITY, vec![f64::INFINITY]));
        assert!((found.ssim.unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn components_are_compared_each_by_itself() {
        let source: Vec<u8> = (0..WIDTH * HEIGHT).flat_map(|i| [i as u8, 100, 50]).collect();
        // One more of each is one more of Y and none of Cb and Cr.
        let brighter: Vec<u8> = source.iter().map(|s| s.saturating_add(1)).collect();
        let rgb = |samples| Raster { samples, width: WIDTH, gray: false };
        let found = compare(rgb(&source), rgb(&brighter));
        assert!(found.component_psnr[0] < 48.2 && found.component_psnr[0] > 48.1, "{found:?}");
        assert!(found.component_psnr[1..].iter().all(|&psnr| psnr > 60.0), "{found:?}");
        // Gray beside colors is compared with their luminance.
        let luminance: Vec<u8> = rgb(&source).luminance().map(|[y]| y.round() as u8).collect();
        let found = compare(rgb(&source), gray(&luminance));
        assert_eq!(found.component_psnr.len(), 1);
        assert!(found.psnr > 55.0);
    }

    #[test]
    fn small_images_have_no_window() {
        let samples = [7; 10 * 30];
        assert_eq!(
            compare(
                Raster { samples: &samples, width: 10, gray: true },
                Raster { samples: &samples, width: 10, gray: true }
            )
            .ssim,
            None
        );
    }
}
