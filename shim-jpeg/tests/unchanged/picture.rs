//! The images of the corpus.

use std::io::Cursor;

use shim_jpeg::{Image, Pixels, Subsampling};

/// How the samples of an image lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Interleaved,
    Planar,
    /// Planes of Y, Cb and Cr, the latter at their own density.
    Subsampled(Subsampling),
}

/// The contents of an image of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) pixels: Pixels,
    pub(crate) memory: Memory,
    /// Bits of samples in words; none of bytes.
    pub(crate) bits: Option<u8>,
    /// Samples between one row and the next.
    pub(crate) gap: usize,
}

impl Format {
    pub(crate) const RGB: Self = Self::interleaved(Pixels::Rgb);

    pub(crate) const fn interleaved(pixels: Pixels) -> Self {
        Self { pixels, memory: Memory::Interleaved, bits: None, gap: 0 }
    }

    pub(crate) const fn words(self, bits: u8) -> Self {
        Self { bits: Some(bits), ..self }
    }
}

/// An image that owns its samples.
pub(crate) struct Picture {
    width: usize,
    height: usize,
    format: Format,
    /// The planes, or all samples in the first.
    bytes: Vec<Vec<u8>>,
    words: Vec<Vec<u16>>,
}

impl Picture {
    pub(crate) fn new([width, height]: [usize; 2], format: Format) -> Self {
        let samples = format.pixels.samples();
        let at = |x: usize, y: usize, c: usize| word(x, y, c) >> (16 - format.bits.unwrap_or(8));
        let planes: Vec<Vec<u16>> = match format.memory {
            Memory::Interleaved => {
                let row = width * samples + format.gap;
                vec![(0..row * height).map(|i| at(i % row / samples, i / row, i % row % samples)).collect()]
            }
            Memory::Planar => {
                let row = width + format.gap;
                (0..samples).map(|c| (0..row * height).map(|i| at(i % row, i / row, c)).collect()).collect()
            }
            Memory::Subsampled(subsampling) => {
                let plane = |c| {
                    let [h, v] = if c == 0 { [1, 1] } else { factors(subsampling) };
                    let row = width.div_ceil(h) + format.gap;
                    (0..row * height.div_ceil(v)).map(|i| at(h * (i % row), v * (i / row), c)).collect()
                };
                (0..3).map(plane).collect()
            }
        };
        let bytes = || planes.iter().map(|plane| plane.iter().map(|&s| s as u8).collect()).collect();
        let (bytes, words) = if format.bits.is_none() { (bytes(), Vec::new()) } else { (Vec::new(), planes) };
        Self { width, height, format, bytes, words }
    }

    /// A part of the photograph of the repository: the cat's eyes and nose.
    pub(crate) fn photograph() -> Self {
        const FILE: &[u8] = include_bytes!("../../../media/chelsea_227x149.png");
        let mut reader = png::Decoder::new(Cursor::new(FILE)).read_info().unwrap();
        let mut samples = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut samples).unwrap();
        let (left, top, width, height) = (60, 30, 115, 75);
        let rows = samples.chunks(3 * info.width as usize).skip(top).take(height);
        let samples: Vec<u8> = rows.flat_map(|row| &row[3 * left..][..3 * width]).copied().collect();
        assert_eq!(samples.len(), width * height * 3);
        Self { width, height, format: Format::RGB, bytes: vec![samples], words: Vec::new() }
    }

    pub(crate) fn image(&self) -> Image<'_> {
        self.rows(0, self.height)
    }

    /// The image of some rows. Planes of less density come whole.
    pub(crate) fn rows(&self, first: usize, rows: usize) -> Image<'_> {
        let Self { width, format: Format { pixels, memory, bits, gap }, .. } = *self;
        let stride = width * if memory == Memory::Interleaved { pixels.samples() } else { 1 } + gap;
        let [bytes, words] = [self.bytes.len(), self.words.len()];
        let mut bytes = (0..bytes).map(|c| &self.bytes[c][first * stride..]);
        let mut words = (0..words).map(|c| &self.words[c][first * stride..]);
        match (memory, bits) {
            (Memory::Interleaved, None) => {
                Image::interleaved(bytes.next().unwrap(), pixels, width, rows, stride)
            }
            (Memory::Interleaved, Some(bits)) => {
                Image::interleaved16(words.next().unwrap(), bits, pixels, width, rows, stride)
            }
            (Memory::Planar, None) => Image::planar(&bytes.collect::<Vec<_>>(), pixels, width, rows, stride),
            (Memory::Planar, Some(bits)) => {
                Image::planar16(&words.collect::<Vec<_>>(), bits, pixels, width, rows, stride)
            }
            (Memory::Subsampled(subsampling), _) => {
                let strides = [stride, width.div_ceil(factors(subsampling)[0]) + gap];
                let planes = [0, 1, 2].map(|c| &self.bytes[c][..]);
                Image::ycbcr_planes(planes, subsampling, width, self.height, strides)
            }
        }
        .unwrap()
    }
}

/// Samples of an image to one of a plane of chrominance, in a row and in a column.
fn factors(subsampling: Subsampling) -> [usize; 2] {
    match subsampling {
        Subsampling::S420 => [2, 2],
        Subsampling::S422 => [2, 1],
        Subsampling::S440 => [1, 2],
        Subsampling::S411 => [4, 1],
        _ => [1, 1],
    }
}

/// Samples of gradients, edges and noise, in turn by region.
fn sample(x: usize, y: usize, c: usize) -> u8 {
    let noise = ((x * 7919 + y * 104_729 + c * 1299 + 12345).wrapping_mul(2_654_435_761) >> 13) as u8;
    match (x / 40 + y / 24) % 4 {
        0 => (3 * x + 2 * y + 50 * c) as u8,
        1 => noise,
        2 => (128 + 20 * c + (x + y) / 9) as u8 ^ (noise & 3),
        _ => {
            if (x / 5 + y / 3 + c).is_multiple_of(2) {
                20
            } else {
                250
            }
        }
    }
}

/// A sample of 16 bits: one of 8 bits above eight bits of noise.
fn word(x: usize, y: usize, c: usize) -> u16 {
    let noise = (x * 31 + y * 17 + c * 7 + 1).wrapping_mul(2_654_435_761) >> 11;
    u16::from_be_bytes([sample(x, y, c), noise as u8])
}
