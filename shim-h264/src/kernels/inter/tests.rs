//! Prediction against clause 8.4.2.2, one sample at a time.

use super::Part;
use super::chroma::predict_chroma;
use super::luma::predict_luma;
use super::planes::LUMA_MARGIN;
use crate::kernels::macroblock_at;
use crate::kernels::picture::Samples;
use crate::kernels::testing::{Planes, Random};

/// A picture, seen without end.
struct Picture<'a> {
    plane: &'a [u8],
    size: [usize; 2],
}

impl Picture<'_> {
    /// (8-239, 8-240)
    fn sample(&self, y: isize, x: isize) -> i32 {
        let [y, x] = [(y, self.size[0]), (x, self.size[1])].map(|(v, n)| v.clamp(0, n as isize - 1) as usize);
        i32::from(self.plane[y * self.size[1] + x])
    }

    fn b1(&self, y: isize, x: isize) -> i32 {
        taps(|i| self.sample(y, x + i))
    }

    fn h1(&self, y: isize, x: isize) -> i32 {
        taps(|i| self.sample(y + i, x))
    }

    fn j(&self, y: isize, x: isize) -> i32 {
        let j1 = taps(|i| self.b1(y + i, x));
        assert_eq!(j1, taps(|i| self.h1(y, x + i)));
        clip((j1 + 512) >> 10)
    }

    /// The luma sample interpolation process (8.4.2.2.1) at a position in quarters.
    fn luma(&self, y: isize, x: isize) -> u8 {
        let (x_frac, y_frac, y, x) = (x & 3, y & 3, y >> 2, x >> 2);
        let whole = |dy: isize, dx: isize| self.sample(y + dy, x + dx);
        let (g, right, below) = (whole(0, 0), whole(0, 1), whole(1, 0));
        let b = |dy: isize| clip((self.b1(y + dy, x) + 16) >> 5);
        let h = |dx: isize| clip((self.h1(y, x + dx) + 16) >> 5);
        let (b, s, h, m) = (b(0), b(1), h(0), h(1));
        let j = || self.j(y, x);
        let between = |a: i32, b: i32| (a + b + 1) >> 1;
        let value = match (x_frac, y_frac) {
            (0, 0) => g,
            (0, 1) => between(g, h),
            (0, 2) => h,
            (0, 3) => between(below, h),
            (1, 0) => between(g, b),
            (1, 1) => between(b, h),
            (1, 2) => between(h, j()),
            (1, 3) => between(h, s),
            (2, 0) => b,
            (2, 1) => between(b, j()),
            (2, 2) => j(),
            (2, 3) => between(j(), s),
            (3, 0) => between(right, b),
            (3, 1) => between(b, m),
            (3, 2) => between(j(), m),
            _ => between(s, m),
        };
        u8::try_from(value).unwrap()
    }

    /// The chroma sample interpolation process (8.4.2.2.2) at a position in eighths.
    fn chroma(&self, y: isize, x: isize) -> u8 {
        let (xf, yf, y, x) = ((x & 7) as i32, (y & 7) as i32, y >> 3, x >> 3);
        let [a, b] = [self.sample(y, x), self.sample(y, x + 1)];
        let [c, d] = [self.sample(y + 1, x), self.sample(y + 1, x + 1)];
        let sum = (8 - xf) * (8 - yf) * a + xf * (8 - yf) * b + (8 - xf) * yf * c + xf * yf * d;
        u8::try_from((sum + 32) >> 6).unwrap()
    }
}

fn taps(s: impl Fn(isize) -> i32) -> i32 {
    s(-2) - 5 * s(-1) + 20 * s(0) + 20 * s(1) - 5 * s(2) + s(3)
}

fn clip(v: i32) -> i32 {
    v.clamp(0, 255)
}

/// All parts that a macroblock is cut into.
fn parts() -> Vec<Part> {
    let sizes = [[16, 16], [16, 8], [8, 16], [8, 8], [8, 4], [4, 8], [4, 4]];
    let mut parts = Vec::new();
    for size in sizes {
        for y in (0..16).step_by(size[0]) {
            parts.extend((0..16).step_by(size[1]).map(|x| Part { at: [y, x], size }));
        }
    }
    parts
}

fn picture(random: &mut Random, size: [usize; 2], extreme: bool) -> Vec<u8> {
    (0..size[0] * size[1])
        .map(|_| if extreme { 255 * (random.bits() & 1) as u8 } else { random.byte() })
        .collect()
}

#[test]
fn every_part_and_vector() {
    let mut random = Random::new(8);
    let parts = parts();
    assert_eq!(parts.len(), 1 + 2 + 2 + 4 + 8 + 8 + 16);
    for round in 0..12 {
        let size = [16 * random.within(1, 4) as usize, 16 * random.within(1, 6) as usize];
        let half = size.map(|n| n / 2);
        let luma = picture(&mut random, size, round % 3 == 0);
        let [cb, cr] = [(); 2].map(|()| picture(&mut random, half, round % 3 == 0));
        let samples = Samples { luma, chroma: [cb, cr], ..Samples::new(size.map(|n| n / 16)) };
        let reference = Planes::of(&samples);
        let (reference, Samples { luma, chroma: [cb, cr], .. }) = (reference.rows(), &samples);
        for call in 0..16 * 41 {
            let part = parts[call % parts.len()];
            let at = size.map(|n| 16 * random.within(0, n as i32 / 16 - 1) as usize);
            // Near, at the edges of the picture, and far away from it.
            let reach = [12, 200, 8000][round % 3];
            let fraction = (call / parts.len()) as i16;
            let mv = [fraction & 3, fraction >> 2].map(|f| 4 * (random.within(-reach, reach) / 4) as i16 + f);
            let (mut pred, mut both) = ([1; 256], [1; 128]);
            let place = macroblock_at(at.map(|n| n / 16));
            predict_luma(&reference.view(), part.corner(place), mv, part, &mut pred);
            let half_at = at.map(|n| n / 2);
            predict_chroma(&reference.view(), part.corner(place), mv, part, &mut both);
            let position = |n: usize, y: usize, v: usize| (n * (at[v] + y)) as isize + isize::from(mv[1 - v]);
            let inside = |y: usize, x: usize| {
                (part.at[0]..part.at[0] + part.size[0]).contains(&y)
                    && (part.at[1]..part.at[1] + part.size[1]).contains(&x)
            };
            let source = Picture { plane: luma, size };
            for (i, &got) in pred.iter().enumerate() {
                let (y, x) = (i / 16, i % 16);
                let expected =
                    if inside(y, x) { source.luma(position(4, y, 0), position(4, x, 1)) } else { 1 };
                assert_eq!(got, expected, "{mv:?} of {part:?} at {at:?} of {size:?}");
            }
            for (i, &got) in both.iter().enumerate() {
                let (y, x) = (i % 64 / 8, i % 8);
                let source = Picture { plane: if i < 64 { cb } else { cr }, size: half };
                let position = |y: usize, v: usize| (8 * (half_at[v] + y)) as isize + isize::from(mv[1 - v]);
                let expected =
                    if inside(2 * y, 2 * x) { source.chroma(position(y, 0), position(x, 1)) } else { 1 };
                assert_eq!(got, expected, "{mv:?} of {part:?} at {at:?} of {half:?}");
            }
        }
    }
}

/// Rows whose b1 is as large or as small as it can be, in every order: the sums of j go as far as they can.
#[test]
fn the_largest_sums_are_clipped() {
    let size = [16, 16];
    for bits in 0..64_u32 {
        let plane: Vec<u8> = (0..256)
            .map(|i| {
                let high = [1, 0, 1, 1, 0, 1][i % 16 % 6];
                255 * (high ^ (bits >> (i / 16 % 6) & 1)) as u8
            })
            .collect();
        let samples = Samples { luma: plane, ..Samples::new([1, 1]) };
        let (planes, plane) = (Planes::of(&samples), &samples.luma);
        let planes = planes.rows().luma;
        let columns = size[1] + 2 * LUMA_MARGIN;
        let source = Picture { plane, size };
        for y in -20..36 {
            for x in -20..36 {
                let at = |k: usize| {
                    let [row, column] = [y, x].map(|n| LUMA_MARGIN.wrapping_add_signed(n));
                    planes[k][row * columns + column]
                };
                assert_eq!(at(0), source.luma(4 * y, 4 * x));
                assert_eq!(at(1), source.luma(4 * y, 4 * x + 2));
                assert_eq!(at(2), source.luma(4 * y + 2, 4 * x));
                assert_eq!(at(3), source.luma(4 * y + 2, 4 * x + 2));
            }
        }
    }
}
