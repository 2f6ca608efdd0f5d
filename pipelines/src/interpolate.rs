//! Interpolation of samples with gaps by a pyramid: where a pixel is transparent, coarser levels fill it in.

use shim::prelude::*;

/// Red, green and blue multiplied by the opacity, and the opacity.
type Pixel = [f32; 4];

/// Half an image by the weights 1, 2, 1 along both axes; a template.
#[shim::kernel]
fn halved(t: impl Tensor<[f32; 4], 2>, h: usize, w: usize) -> impl Tensor<[f32; 4], 2> {
    let t = t.boundary(Clamp);
    let half = stage::<Pixel>([h, w], |[y, x]| {
        let mut sums = [0.0_f32; 4];
        for c in 0..4 {
            let above: f32 =
                t[[2 * y - 1, 2 * x - 1]][c] + 2.0 * t[[2 * y - 1, 2 * x]][c] + t[[2 * y - 1, 2 * x + 1]][c];
            let own: f32 = t[[2 * y, 2 * x - 1]][c] + 2.0 * t[[2 * y, 2 * x]][c] + t[[2 * y, 2 * x + 1]][c];
            let below: f32 =
                t[[2 * y + 1, 2 * x - 1]][c] + 2.0 * t[[2 * y + 1, 2 * x]][c] + t[[2 * y + 1, 2 * x + 1]][c];
            sums[c] = (above + 2.0 * own + below) * 0.0625;
        }
        sums
    });
    half
}

/// A level over what the coarser one has at its places; a template.
#[shim::kernel]
fn filled(own: impl Tensor<[f32; 4], 2>, coarse: impl Tensor<[f32; 4], 2>, y: i32, x: i32) -> [f32; 4] {
    let coarse = coarse.boundary(Clamp);
    let mut pixel = [0.0_f32; 4];
    let gap: f32 = 1.0 - own[[y, x]][3];
    for c in 0..4 {
        let near: f32 = coarse[[y / 2, x / 2]][c] + coarse[[y / 2, (x + 1) / 2]][c];
        let far: f32 = coarse[[(y + 1) / 2, x / 2]][c] + coarse[[(y + 1) / 2, (x + 1) / 2]][c];
        pixel[c] = own[[y, x]][c] + gap * 0.25 * (near + far);
    }
    pixel
}

/// The image without gaps.
#[shim::kernel(simd)]
pub fn interpolate(#[shape(h, w)] src: &[Pixel], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [Pixel]) {
    let (h1, w1) = (h.div_ceil(2), w.div_ceil(2));
    let (h2, w2) = (h1.div_ceil(2), w1.div_ceil(2));
    let (h3, w3) = (h2.div_ceil(2), w2.div_ceil(2));
    let (h4, w4) = (h3.div_ceil(2), w3.div_ceil(2));
    let down1 = halved(src, h1, w1);
    let down2 = halved(down1, h2, w2);
    let down3 = halved(down2, h3, w3);
    let down4 = halved(down3, h4, w4);
    let up3 = stage::<Pixel>([h3, w3], |[y, x]| filled(down3, down4, y, x));
    let up2 = stage::<Pixel>([h2, w2], |[y, x]| filled(down2, up3, y, x));
    let up1 = stage::<Pixel>([h1, w1], |[y, x]| filled(down1, up2, y, x));
    for [y, x] in dst.indices() {
        let pixel: [f32; 4] = filled(src, up1, y, x);
        let opacity: f32 = pixel[3].max(1e-6);
        dst[[y, x]] = [pixel[0] / opacity, pixel[1] / opacity, pixel[2] / opacity, 1.0];
    }
}

/// An image of a pyramid.
struct Level {
    pixels: Vec<Pixel>,
    h: usize,
    w: usize,
}

impl Level {
    fn clamped(&self, y: isize, x: isize) -> Pixel {
        let y = y.clamp(0, self.h as isize - 1) as usize;
        let x = x.clamp(0, self.w as isize - 1) as usize;
        self.pixels[y * self.w + x]
    }

    fn map(h: usize, w: usize, pixel: impl Fn(isize, isize) -> Pixel) -> Self {
        let places = (0..h as isize).flat_map(|y| (0..w as isize).map(move |x| (y, x)));
        Level { pixels: places.map(|(y, x)| pixel(y, x)).collect(), h, w }
    }

    fn halved(&self) -> Self {
        Level::map(self.h.div_ceil(2), self.w.div_ceil(2), |y, x| {
            let row = |y: isize, c: usize| {
                self.clamped(y, 2 * x - 1)[c]
                    + 2.0 * self.clamped(y, 2 * x)[c]
                    + self.clamped(y, 2 * x + 1)[c]
            };
            core::array::from_fn(|c| (row(2 * y - 1, c) + 2.0 * row(2 * y, c) + row(2 * y + 1, c)) * 0.0625)
        })
    }

    fn filled(&self, coarse: &Level) -> Self {
        Level::map(self.h, self.w, |y, x| {
            let own = self.clamped(y, x);
            core::array::from_fn(|c| {
                let near = coarse.clamped(y / 2, x / 2)[c] + coarse.clamped(y / 2, (x + 1) / 2)[c];
                let far = coarse.clamped((y + 1) / 2, x / 2)[c] + coarse.clamped((y + 1) / 2, (x + 1) / 2)[c];
                own[c] + (1.0 - own[3]) * 0.25 * (near + far)
            })
        })
    }
}

/// The image without gaps as it is written without a library, one level after the other.
///
/// # Panics
/// When the memory is not that of an image of this size.
pub fn plain(src: &[Pixel], [h, w]: [usize; 2], dst: &mut [Pixel]) {
    let mut down = vec![Level { pixels: src.to_vec(), h, w }];
    for level in 0..4 {
        down.push(down[level].halved());
    }
    let mut up = down.pop().expect("there are five levels");
    for level in down.iter().rev() {
        up = level.filled(&up);
    }
    for (dst, pixel) in dst.iter_mut().zip(up.pixels) {
        let opacity = pixel[3].max(1e-6);
        *dst = [pixel[0] / opacity, pixel[1] / opacity, pixel[2] / opacity, 1.0];
    }
}
