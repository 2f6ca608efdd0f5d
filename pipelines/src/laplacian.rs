//! A local Laplacian filter (Paris, Hasinoff and Kautz; fast: Aubry and others) of four levels: each detail of the result
//! comes from the pyramid of a remapped image whose center is near the local mean.

use shim::prelude::*;

/// Remapped images.
const CENTERS: usize = 8;

/// A sample in all remapped images.
type Samples = [f32; CENTERS];

/// A sample remapped around each center: details are amplified, edges stay.
fn remapped(value: f32) -> Samples {
    core::array::from_fn(|k| {
        let center = k as f32 / 7.0;
        let apart = value - center;
        // Near enough to a Gaussian, and one division.
        center + apart + apart / (1.0 + 64.0 * apart * apart)
    })
}

/// Half an image by the weights 1, 3, 3, 1 along both axes; a template.
#[shim::kernel]
fn halved(t: impl Tensor<f32, 2>, h: usize, w: usize) -> impl Tensor<f32, 2> {
    let t = t.boundary(Clamp);
    let half = stage::<f32>([h, w], |[y, x]| {
        let mut sum: f32 = 0.0;
        #[unroll]
        for j in 0..4 {
            let weight: f32 = if j == 1 || j == 2 { 0.375 } else { 0.125 };
            let row: f32 = t[[2 * y + j - 1, 2 * x - 1]]
                + 3.0 * (t[[2 * y + j - 1, 2 * x]] + t[[2 * y + j - 1, 2 * x + 1]])
                + t[[2 * y + j - 1, 2 * x + 2]];
            sum += weight * 0.125 * row;
        }
        sum
    });
    half
}

/// [`halved`] for all remapped images; a template.
#[shim::kernel]
fn all_halved(t: impl Tensor<[f32; 8], 2>, h: usize, w: usize) -> impl Tensor<[f32; 8], 2> {
    #[tile([2, _], 'strip)]
    let half = stage::<[f32; 8]>([h, w], |[y, x]| {
        let mut sums = [0.0_f32; 8];
        #[unroll]
        for j in 0..4 {
            let weight: f32 = if j == 1 || j == 2 { 0.375 } else { 0.125 };
            for k in 0..8 {
                let row: f32 = t[[2 * y + j - 1, 2 * x - 1]][k]
                    + 3.0 * (t[[2 * y + j - 1, 2 * x]][k] + t[[2 * y + j - 1, 2 * x + 1]][k])
                    + t[[2 * y + j - 1, 2 * x + 2]][k];
                sums[k] += weight * 0.125 * row;
            }
        }
        sums
    });
    half
}

/// A sample of an image of twice the size; a template.
#[shim::kernel]
fn doubled(t: impl Tensor<f32, 2>, y: i32, x: i32) -> f32 {
    let t = t.boundary(Clamp);
    let (near, far): (f32, f32) = (
        0.75 * t[[y / 2, x / 2]] + 0.25 * t[[y / 2, x / 2 - 1 + 2 * (x % 2)]],
        0.75 * t[[y / 2 - 1 + 2 * (y % 2), x / 2]]
            + 0.25 * t[[y / 2 - 1 + 2 * (y % 2), x / 2 - 1 + 2 * (x % 2)]],
    );
    0.75 * near + 0.25 * far
}

/// The detail at a sample: from the two remapped images whose centers are around the mean; a template.
#[shim::kernel]
fn detail(
    own: impl Tensor<[f32; 8], 2>,
    half: impl Tensor<[f32; 8], 2>,
    mean: impl Tensor<f32, 2>,
    y: i32,
    x: i32,
) -> f32 {
    let half = half.boundary(Clamp);
    let level: f32 = mean[[y, x]].clamp(0.0, 1.0) * 7.0;
    let k = (level as usize).min(6);
    let mut details = [0.0_f32; 2];
    #[unroll]
    for n in 0..2 {
        let near: f32 =
            0.75 * half[[y / 2, x / 2]][k + n] + 0.25 * half[[y / 2, x / 2 - 1 + 2 * (x % 2)]][k + n];
        let far: f32 = 0.75 * half[[y / 2 - 1 + 2 * (y % 2), x / 2]][k + n]
            + 0.25 * half[[y / 2 - 1 + 2 * (y % 2), x / 2 - 1 + 2 * (x % 2)]][k + n];
        details[n] = own[[y, x]][k + n] - (0.75 * near + 0.25 * far);
    }
    let f: f32 = level - k as f32;
    details[0] + f * (details[1] - details[0])
}

/// The filter, of samples from 0 to 1.
#[shim::kernel(simd)]
pub fn laplacian(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [f32]) {
    let (h1, w1) = (h.div_ceil(2), w.div_ceil(2));
    let (h2, w2) = (h1.div_ceil(2), w1.div_ceil(2));
    let (h3, w3) = (h2.div_ceil(2), w2.div_ceil(2));
    let around = src.boundary(Clamp);
    // The remapped images of a strip are in the cache when they are halved.
    #[pure(remapped)]
    #[compute_at('strip)]
    let g0 = stage::<[f32; 8]>(|[y, x]| remapped(around[[y, x]]));
    let g1 = all_halved(g0, h1, w1);
    let g2 = all_halved(g1.boundary(Clamp), h2, w2);
    let g3 = all_halved(g2.boundary(Clamp), h3, w3);
    let mean1 = halved(src, h1, w1);
    let mean2 = halved(mean1, h2, w2);
    let mean3 = halved(mean2, h3, w3);
    // The coarsest level is that of the remapped images themselves.
    let out3 = stage::<f32>([h3, w3], |[y, x]| {
        let level: f32 = mean3[[y, x]].clamp(0.0, 1.0) * 7.0;
        let k = (level as usize).min(6);
        let f: f32 = level - k as f32;
        g3[[y, x]][k] + f * (g3[[y, x]][k + 1] - g3[[y, x]][k])
    });
    let out2 = stage::<f32>([h2, w2], |[y, x]| doubled(out3, y, x) + detail(g2, g3, mean2, y, x));
    let out1 = stage::<f32>([h1, w1], |[y, x]| doubled(out2, y, x) + detail(g1, g2, mean1, y, x));
    let images = stage::<[f32; 8]>(|[y, x]| remapped(src[[y, x]]));
    for [y, x] in dst.indices() {
        dst[[y, x]] = doubled(out1, y, x) + detail(images, g1, src, y, x);
    }
}

/// An image of a pyramid.
struct Level<T> {
    samples: Vec<T>,
    h: usize,
    w: usize,
}

impl<T: Copy> Level<T> {
    fn clamped(&self, y: isize, x: isize) -> T {
        let y = y.clamp(0, self.h as isize - 1) as usize;
        let x = x.clamp(0, self.w as isize - 1) as usize;
        self.samples[y * self.w + x]
    }

    fn halved(&self, add: impl Fn(T, f32, T) -> T, zero: T) -> Self {
        let (h, w) = (self.h.div_ceil(2), self.w.div_ceil(2));
        let weights = [0.125, 0.375, 0.375, 0.125];
        let mut samples = Vec::with_capacity(h * w);
        for y in 0..h as isize {
            for x in 0..w as isize {
                let mut sum = zero;
                for j in 0..4 {
                    for i in 0..4 {
                        let sample = self.clamped(2 * y + j - 1, 2 * x + i - 1);
                        sum = add(sum, weights[j as usize] * weights[i as usize], sample);
                    }
                }
                samples.push(sum);
            }
        }
        Level { samples, h, w }
    }

    fn doubled(&self, y: usize, x: usize, of: impl Fn(T) -> f32) -> f32 {
        let (v, u) = (y as isize / 2, x as isize / 2);
        let (b, a) = (v - 1 + 2 * (y as isize % 2), u - 1 + 2 * (x as isize % 2));
        let at = |y, x| of(self.clamped(y, x));
        0.75 * (0.75 * at(v, u) + 0.25 * at(v, a)) + 0.25 * (0.75 * at(b, u) + 0.25 * at(b, a))
    }
}

/// The filter as it is written without a library, one level after the other.
///
/// # Panics
/// When the memory is not that of an image of this size.
pub fn plain(src: &[f32], [h, w]: [usize; 2], dst: &mut [f32]) {
    let mut images = vec![Level { samples: src.iter().map(|value| remapped(*value)).collect(), h, w }];
    let mut means = vec![Level { samples: src.to_vec(), h, w }];
    for level in 0..3 {
        let add = |sum: Samples, weight: f32, sample: Samples| {
            core::array::from_fn(|k| sum[k] + weight * sample[k])
        };
        images.push(images[level].halved(add, [0.0; CENTERS]));
        means.push(means[level].halved(|sum, weight, sample| sum + weight * sample, 0.0));
    }
    let mut out: Option<Level<f32>> = None;
    for level in (0..4).rev() {
        let (own, mean) = (&images[level], &means[level]);
        let mut samples = Vec::with_capacity(own.samples.len());
        for y in 0..own.h {
            for x in 0..own.w {
                let place = mean.samples[y * own.w + x].clamp(0.0, 1.0) * 7.0;
                let k = (place as usize).min(6);
                let details = [k, k + 1].map(|k| {
                    let sample = own.samples[y * own.w + x][k];
                    images.get(level + 1).map_or(sample, |half| sample - half.doubled(y, x, |own| own[k]))
                });
                let detail = details[0] + (place - k as f32) * (details[1] - details[0]);
                samples.push(out.as_ref().map_or(0.0, |out| out.doubled(y, x, |own| own)) + detail);
            }
        }
        out = Some(Level { samples, h: own.h, w: own.w });
    }
    dst.copy_from_slice(&out.expect("there are four levels").samples);
}
