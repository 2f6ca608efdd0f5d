//! The residual of a macroblock in 4:2:0 (H.264 8.5): what is left of a picture when its prediction is taken away,
//! in luma and, at the same place and half the density, in both chroma planes.

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Located, LocationError, Space, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::{holds, within};

/// Samples or residuals of one macroblock.
#[derive(Clone, Debug, PartialEq)]
pub struct Macroblock<T> {
    /// Luma, 16x16.
    pub luma: [T; 256],
    /// The blue difference, 8x8.
    pub cb: [T; 64],
    /// The red difference, 8x8.
    pub cr: [T; 64],
}

/// One plane: the picture is read where the residual stands.
#[shim::kernel]
fn subtract(picture: impl Tensor<i16, 2>, prediction: impl Tensor<i16, 2>, residual: impl Tensor<i16, 2>) {
    let [y, x] = iters();
    residual[[y, x]] = picture[residual][[y, x]] - prediction[[y, x]];
}

/// The staged kernel: `(r, c)` is the macroblock's place in a picture of `h` by `w` luma samples.
#[shim::kernel]
#[inline(never)]
pub fn staged(
    [luma, cb, cr]: [&[u8]; 3],
    [h, w]: [usize; 2],
    [r, c]: [usize; 2],
    prediction: &Macroblock<u8>,
    residual: &mut Macroblock<i16>,
) {
    let luma = Block::external(luma, [h, w]).cast::<i16>();
    let cb = Block::external(cb, [h / 2, w / 2]).coarsened([2, 2]).cast::<i16>();
    let cr = Block::external(cr, [h / 2, w / 2]).coarsened([2, 2]).cast::<i16>();
    let predicted_luma = Block::external(prediction.luma, [16, 16]).at([r, c]).cast::<i16>();
    let predicted_cb = Block::external(prediction.cb, [8, 8]).at([r, c]).coarsened([2, 2]).cast::<i16>();
    let predicted_cr = Block::external(prediction.cr, [8, 8]).at([r, c]).coarsened([2, 2]).cast::<i16>();
    let residual_luma = Block::external(residual.luma, [16, 16]).at([r, c]);
    let residual_cb = Block::external(residual.cb, [8, 8]).at([r, c]).coarsened([2, 2]);
    let residual_cr = Block::external(residual.cr, [8, 8]).at([r, c]).coarsened([2, 2]);
    subtract(luma, predicted_luma, residual_luma);
    subtract(cb, predicted_cb, residual_cb);
    subtract(cr, predicted_cr, residual_cr);
}

/// The hand-written version.
///
/// # Panics
/// When the macroblock does not lie in the picture.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(
    [luma, cb, cr]: [&[u8]; 3],
    [h, w]: [usize; 2],
    [r, c]: [usize; 2],
    prediction: &Macroblock<u8>,
    residual: &mut Macroblock<i16>,
) {
    assert!(
        holds(luma.len(), h, w)
            && holds(cb.len(), h / 2, w / 2)
            && holds(cr.len(), h / 2, w / 2)
            && within(r, 16, h)
            && within(c, 16, w)
            && within(r / 2, 8, h / 2)
            && within(c / 2, 8, w / 2)
    );
    let corner = r * w + c;
    for y in 0..16 {
        for x in 0..16 {
            // SAFETY: 16 rows from r and 16 columns from c lie in the luma plane.
            let sample = unsafe { *luma.get_unchecked(corner + y * w + x) };
            residual.luma[16 * y + x] = i16::from(sample) - i16::from(prediction.luma[16 * y + x]);
        }
    }
    let corner = r / 2 * (w / 2) + c / 2;
    let chroma = [(cb, &prediction.cb, &mut residual.cb), (cr, &prediction.cr, &mut residual.cr)];
    for (plane, prediction, residual) in chroma {
        for y in 0..8 {
            for x in 0..8 {
                // SAFETY: 8 rows from r / 2 and 8 columns from c / 2 lie in both chroma planes.
                let sample = unsafe { *plane.get_unchecked(corner + y * (w / 2) + x) };
                residual[8 * y + x] = i16::from(sample) - i16::from(prediction[8 * y + x]);
            }
        }
    }
}

/// The version on the runtime library, for one plane.
///
/// # Errors
/// When they do not stand in one space.
#[inline(never)]
pub fn library(
    picture: &Block<u8, 2>,
    prediction: &Block<u8, 2>,
    residual: &mut Block<i16, 2>,
) -> Result<(), LocationError> {
    let picture = picture.colocate(residual)?;
    for [y, x] in residual.indices() {
        residual[[y, x]] = i16::from(picture[[y, x]]) - i16::from(prediction[[y, x]]);
    }
    Ok(())
}

/// A picture, a macroblock in it, and the blocks of the library's version.
#[derive(Debug)]
pub struct Residual {
    extents: [usize; 2],
    place: [usize; 2],
    picture: [Block<u8, 2>; 3],
    prediction: Macroblock<u8>,
    residual: Macroblock<i16>,
    predicted: [Block<u8, 2>; 3],
    left: [Block<i16, 2>; 3],
}

impl Residual {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let place @ [r, c] = [2 * random.within(0, h / 2 - 8), 2 * random.within(0, w / 2 - 8)];
        let root = Space::root(2);
        let factors = [1, 2, 2].map(|factor| [factor, factor]);
        let prediction = Macroblock {
            luma: std::array::from_fn(|_| random.bits() as u8),
            cb: std::array::from_fn(|_| random.bits() as u8),
            cr: std::array::from_fn(|_| random.bits() as u8),
        };
        let samples = [&prediction.luma[..], &prediction.cb[..], &prediction.cr[..]];
        Self {
            extents: [h, w],
            place,
            picture: factors.map(|factors| {
                let plane = Block::from_fn([h / factors[0], w / factors[1]], |_| random.bits() as u8);
                put(plane, &root, [0, 0], factors)
            }),
            predicted: std::array::from_fn(|i| {
                let extents = [16 / factors[i][0], 16 / factors[i][1]];
                let block =
                    Block::from_vec(extents, samples[i].to_vec()).expect("as many as the extents say");
                put(block, &root, [r as isize, c as isize], factors[i])
            }),
            left: factors.map(|factors| {
                let block = Block::new([16 / factors[0], 16 / factors[1]]);
                put(block, &root, [r as isize, c as isize], factors)
            }),
            prediction,
            residual: Macroblock { luma: [0; 256], cb: [0; 64], cr: [0; 64] },
        }
    }
}

/// The samples of a picture.
fn planes(picture: &[Block<u8, 2>; 3]) -> [&[u8]; 3] {
    picture.each_ref().map(Block::as_slice)
}

/// A block at a place of the picture, at the density of its plane.
fn put<T>(block: Block<T, 2>, root: &Space<i64>, at: [isize; 2], factors: [usize; 2]) -> Block<T, 2> {
    block.in_space(root).expect("rank 2").at(at).coarsened(factors).expect("factors above zero")
}

impl Case for Residual {
    const NAME: &'static str = "residual of a macroblock, 4:2:0";
    type Output = Macroblock<i16>;

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 48, 64)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (2 * random.within(8, 12), 2 * random.within(8, 12));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let (planes, extents, place) = black_box((planes(&self.picture), self.extents, self.place));
        staged(planes, extents, place, black_box(&self.prediction), black_box(&mut self.residual));
    }

    fn hand(&mut self) {
        let (planes, extents, place) = black_box((planes(&self.picture), self.extents, self.place));
        hand(planes, extents, place, black_box(&self.prediction), black_box(&mut self.residual));
    }

    fn library(&mut self) {
        for (i, residual) in self.left.iter_mut().enumerate() {
            library(black_box(&self.picture[i]), &self.predicted[i], residual).expect("one space");
        }
        self.residual.luma.copy_from_slice(self.left[0].as_slice());
        self.residual.cb.copy_from_slice(self.left[1].as_slice());
        self.residual.cr.copy_from_slice(self.left[2].as_slice());
    }

    fn take(&mut self) -> Macroblock<i16> {
        std::mem::replace(&mut self.residual, Macroblock { luma: [0; 256], cb: [0; 64], cr: [0; 64] })
    }
}
