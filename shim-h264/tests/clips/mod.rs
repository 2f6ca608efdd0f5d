//! Small clips that move in one way each.

use crate::common::Rng;

/// How the pictures of a clip follow from one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clip {
    /// A texture that moves by quarters of a sample.
    Pan,
    /// Noise.
    Noise,
    /// A texture that grows darker.
    Fade,
    /// A texture that jumps about by many samples.
    Shake,
    /// A pan of another texture after each five pictures.
    Cut,
    /// Textures that come back after three pictures, with a little noise.
    Flicker,
    /// A window of what was filmed.
    Bunny,
}

impl Clip {
    pub(crate) const ALL: [Self; 7] =
        [Self::Pan, Self::Noise, Self::Fade, Self::Shake, Self::Cut, Self::Flicker, Self::Bunny];

    /// Its first pictures, I420.
    pub(crate) fn frames(self, width: usize, height: usize, frames: usize) -> Vec<Vec<u8>> {
        match self {
            Self::Bunny => bunny(width, height, frames),
            _ => (0..frames).map(|number| self.picture(width, height, number)).collect(),
        }
    }

    fn picture(self, width: usize, height: usize, number: usize) -> Vec<u8> {
        let mut rng = Rng(1000 + number as u64);
        let (texture, at, noise) = match self {
            Self::Pan => (1, [3 * number, 7 * number], 0),
            Self::Noise => (2, [0, 0], 256),
            Self::Fade => (3, [0, 0], 0),
            Self::Shake => (4, [rng.below(100), rng.below(160)], 2),
            Self::Cut => (5 + number / 5, [12 * (number % 5), 5 * (number % 5)], 0),
            Self::Flicker | Self::Bunny => (20 + number % 3, [0, 0], 4),
        };
        let brightness = if self == Self::Fade { 16 - number.min(16) } else { 16 };
        let texture = Texture::new(texture as u64);
        let chroma = [height.div_ceil(2), width.div_ceil(2)];
        let mut samples = Vec::new();
        for (plane, [h, w]) in [[height, width], chroma, chroma].into_iter().enumerate() {
            let [row, column] = if plane == 0 { at.map(|n| 2 * n) } else { at };
            for y in 0..h {
                for x in 0..w {
                    let value = texture.at(plane, 8 * y + row, 8 * x + column) * brightness / 16;
                    let noise = if noise > 0 { rng.below(noise) as i32 - noise as i32 / 2 } else { 0 };
                    samples.push((value as i32 + noise).clamp(0, 255) as u8);
                }
            }
        }
        samples
    }
}

/// Random samples, each over four of a picture, and those in between.
struct Texture(Vec<u8>);

impl Texture {
    const SIDE: usize = 64;

    fn new(seed: u64) -> Self {
        let mut rng = Rng(seed);
        Self((0..3 * Self::SIDE * Self::SIDE).map(|_| rng.next() as u8).collect())
    }

    /// The sample at a place in eighths.
    fn at(&self, plane: usize, row: usize, column: usize) -> usize {
        let of = |row: usize, column: usize| {
            let side = Self::SIDE;
            usize::from(self.0[(plane * side + row % side) * side + column % side])
        };
        let ([row, y], [column, x]) = ([row / 32, row % 32], [column / 32, column % 32]);
        let above = of(row, column) * (32 - x) + of(row, column + 1) * x;
        let below = of(row + 1, column) * (32 - x) + of(row + 1, column + 1) * x;
        (above * (32 - y) + below * y) / 1024
    }
}

/// The filmed clip there and back again, from a place inside on.
fn bunny(width: usize, height: usize, frames: usize) -> Vec<Vec<u8>> {
    let mut y4m = y4m::decode(&include_bytes!("../media/bunny_320x176.y4m")[..]).expect("a clip");
    let mut clip = Vec::new();
    while let Ok(frame) = y4m.read_frame() {
        let chroma = [height.div_ceil(2), width.div_ceil(2)];
        let mut samples = Vec::new();
        for (plane, wide, [h, w], [row, column]) in [
            (frame.get_y_plane(), 320, [height, width], [40, 120]),
            (frame.get_u_plane(), 160, chroma, [20, 60]),
            (frame.get_v_plane(), 160, chroma, [20, 60]),
        ] {
            let rows = plane.chunks(wide).skip(row).take(h);
            samples.extend(rows.flat_map(|samples| &samples[column..column + w]));
        }
        clip.push(samples);
    }
    let order = [0, 1, 2, 1];
    (0..frames).map(|number| clip[order[number % order.len()]].clone()).collect()
}
