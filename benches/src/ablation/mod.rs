//! The baseline encoder through the runtime library, without staging: what an array abstraction costs where each view
//! is made and each index mapped while the program runs. It writes, byte for byte, the files of `shim-jpeg`'s encoder
//! in its exact mode, gray, 4:4:4 and 4:2:0; `cargo bench -p shim-benches --bench ablation` measures the two side by
//! side.
//!
//! It is written as the kernels are, in the library's own operations, and for the same reason slow: J. Ray measured the
//! same for `CoLa` without its passes (Tables 8.4 and 8.8 of his thesis).
//!
//! | module | clause of T.81 |
//! |---|---|
//! | [`color`] | T.871, conversion from RGB to YCbCr |
//! | [`downsample`] | A.1.1, components at half the density |
//! | [`transform`] | A.3.1 level shift and A.3.3 FDCT |
//! | [`quantize`] | A.3.4 |
//! | [`zigzag`] | A.3.6 and Figure A.6 |
//! | [`huffman`] | F.1.2, with Annex C |
//! | [`bits`] | F.1.2.3 and B.1.1.5, padding and byte stuffing |
//! | [`headers`] | Annex B: the tables of a file whose headers are given |

use shim_core::{Block, Boundary, Located, LocationError, Part, Space, TensorOps, View};

use bits::Bits;
use headers::Headers;

pub mod bits;
pub mod color;
pub mod downsample;
pub mod headers;
pub mod huffman;
pub mod quantize;
pub mod transform;
pub mod zigzag;

/// The end of a file (EOI).
const END_OF_IMAGE: [u8; 2] = [0xff, 0xd9];

/// Encodes a picture, `[height, width, 3]` of red, green and blue or `[height, width, 1]` of gray, as the headers say:
/// the whole file, headers included.
///
/// # Errors
///
/// When the headers are those of a picture of other extents.
pub fn encode(headers: &Headers, picture: &Block<u8, 3>) -> Result<Vec<u8>, LocationError> {
    let root = Space::root(2);
    let planes = planes(headers, picture, &root)?;
    // A.2.4: what completes a block repeats the edges.
    let planes: Vec<_> = planes.iter().map(|plane| plane.boundary(Boundary::Clamp)).collect();
    // One point for each MCU.
    let mcus = planes[0].coarsen(headers.mcu_extents())?;

    let mut preds = vec![0; planes.len()];
    let mut blocks = Blocks::default();
    let mut bits = Bits::new(headers.bytes().to_vec(), mcus.extent(1) * headers.blocks_per_mcu());
    for row in 0..mcus.extent(0) as isize {
        for column in 0..mcus.extent(1) as isize {
            let mcu = mcus.partition::<2>(&[one(row), one(column)])?;
            for ((plane, component), pred) in planes.iter().zip(&headers.components).zip(&mut preds) {
                // A.2.3: the blocks of the MCU, row by row, at the component's own density.
                let samples = plane.footprint(&mcu)?;
                for v in 0..component.v {
                    for u in 0..component.h {
                        let block = samples.partition::<2>(&[eight(v), eight(u)])?;
                        let codes = &headers.codes[component.table];
                        // A block that has no sample of the component only completes the MCU.
                        if block.contains([0, 0]) {
                            blocks.transform(&block, &headers.quantization[component.table])?;
                            *pred = codes.put_block(&blocks.zz, *pred, &mut bits);
                        } else {
                            codes.put_flat(&mut bits);
                        }
                    }
                }
            }
        }
        bits.flush()?;
    }
    bits.finish()?;
    let mut file = bits.into_file();
    file.extend(END_OF_IMAGE);
    Ok(file)
}

/// The components, each at its own density.
fn planes(
    headers: &Headers,
    picture: &Block<u8, 3>,
    root: &Space<i64>,
) -> Result<Vec<Block<u8, 2>>, LocationError> {
    if headers.components.len() == 1 {
        return Ok(vec![color::gray(picture, root)?]);
    }
    let [luminance, blue, red] = color::ycbcr(picture, root)?;
    if !headers.is_halved() {
        return Ok(vec![luminance, blue, red]);
    }
    let [_, width] = luminance.extents();
    // A row of averages fills the last block: they are not all equal where samples are repeated.
    let columns = 8 * width.div_ceil(16);
    let halved = |fine: &Block<u8, 2>| downsample::halved(fine, columns, root);
    let (blue, red) = (halved(&blue)?, halved(&red)?);
    Ok(vec![luminance, blue, red])
}

/// The point at an index, with its dimension.
fn one(index: isize) -> Part<i64> {
    (index..index + 1).into()
}

/// The samples of the block at an index of an MCU, along one dimension.
fn eight(index: isize) -> Part<i64> {
    (8 * index..8 * index + 8).into()
}

/// What a block of samples becomes.
#[derive(Debug)]
struct Blocks {
    /// Coefficients 8 S, and then S quantized.
    coefficients: Block<i32, 2>,
    /// They in the zigzag sequence.
    zz: Block<i32, 1>,
}

impl Default for Blocks {
    fn default() -> Self {
        Self { coefficients: Block::new([8, 8]), zz: Block::new([64]) }
    }
}

impl Blocks {
    fn transform(&mut self, samples: &View<'_, u8, 2>, table: &Block<i32, 2>) -> Result<(), LocationError> {
        transform::fdct(samples, &mut self.coefficients)?;
        quantize::quantize(&mut self.coefficients, table);
        zigzag::zigzag(&self.coefficients, &mut self.zz);
        Ok(())
    }
}
