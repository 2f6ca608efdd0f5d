//! Macroblock flags through coarsen and refine: the strength of the deblocking filter at the left edge of every 4x4
//! block of a picture (H.264 8.7.2.1, without the rules about motion).
//!
//! ```text
//! 4  at the edge of a macroblock, when either side is intra
//! 3  inside an intra macroblock
//! 2  when either block has coefficients
//! 0  otherwise
//! ```
//!
//! or, since flags are 0 and 1 and the first rule that holds gives the greatest strength, the largest of products.
//! Nothing lies left of the picture, which counts as neither.

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{Boundary, Located, LocationError, Space, TensorOps};

use crate::case::{Case, Random};
use crate::kernels::holds;

/// The staged kernel: `intra` has one flag per macroblock, `coded` and `strength` one per 4x4 block.
#[shim::kernel]
#[inline(never)]
pub fn staged(intra: &[u8], coded: &[u8], rows: usize, columns: usize, strength: &mut [u8]) {
    let macroblocks = Block::external(intra, [rows, columns]).coarsened([4, 4]).boundary(Fill(0));
    let coded = Block::external(coded, [4 * rows, 4 * columns]).boundary(Fill(0));
    let strength = Block::external(strength, [4 * rows, 4 * columns]);
    let intra = macroblocks.refine([4, 4]);
    for [row, column] in macroblocks.indices() {
        let here = intra[[4 * row, 4 * column]];
        let left = intra[[4 * row, 4 * column - 1]];
        #[unroll]
        for i in 0..4 {
            let y = 4 * row + i;
            let x = 4 * column;
            let (l, a, b) = (coded[[y, x - 1]], coded[[y, x]], coded[[y, x + 1]]);
            let (c, d) = (coded[[y, x + 2]], coded[[y, x + 3]]);
            strength[[y, x]] = (4 * (left | here)).max(2 * (l | a));
            strength[[y, x + 1]] = (3 * here).max(2 * (a | b));
            strength[[y, x + 2]] = (3 * here).max(2 * (b | c));
            strength[[y, x + 3]] = (3 * here).max(2 * (c | d));
        }
    }
}

/// The hand-written version: a macroblock at a time.
///
/// # Panics
/// When a table does not hold the picture.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(intra: &[u8], coded: &[u8], rows: usize, columns: usize, strength: &mut [u8]) {
    assert!(
        holds(intra.len(), rows, columns)
            && holds(coded.len() / 16, rows, columns)
            && holds(strength.len() / 16, rows, columns)
    );
    let stride = 4 * columns;
    for row in 0..rows {
        for column in 0..columns {
            // SAFETY: the tables hold rows by columns macroblocks of 4x4 blocks, and what lies to the left is read
            // only if there is something.
            unsafe {
                let macroblock = row * columns + column;
                let here = *intra.get_unchecked(macroblock);
                let left = if column > 0 { *intra.get_unchecked(macroblock - 1) } else { 0 };
                for i in 0..4 {
                    let at = (4 * row + i) * stride + 4 * column;
                    let l = if column > 0 { *coded.get_unchecked(at - 1) } else { 0 };
                    let block = |j: usize| *coded.get_unchecked(at + j);
                    let (a, b, c, d) = (block(0), block(1), block(2), block(3));
                    *strength.get_unchecked_mut(at) = (4 * (left | here)).max(2 * (l | a));
                    *strength.get_unchecked_mut(at + 1) = (3 * here).max(2 * (a | b));
                    *strength.get_unchecked_mut(at + 2) = (3 * here).max(2 * (b | c));
                    *strength.get_unchecked_mut(at + 3) = (3 * here).max(2 * (c | d));
                }
            }
        }
    }
}

/// The version on the runtime library.
///
/// # Errors
/// When the tables do not stand in one space.
#[inline(never)]
pub fn library(
    intra: &Block<u8, 2>,
    coded: &Block<u8, 2>,
    strength: &mut Block<u8, 2>,
) -> Result<(), LocationError> {
    let intra = intra.refine([4, 4])?.boundary(Boundary::Fill(0));
    let coded = coded.boundary(Boundary::Fill(0));
    for [y, x] in strength.indices() {
        let edge = if x % 4 == 0 { 4 } else { 3 };
        strength[[y, x]] =
            (edge * (intra[[y, x]] | intra[[y, x - 1]])).max(2 * (coded[[y, x]] | coded[[y, x - 1]]));
    }
    Ok(())
}

/// The tables of a picture.
#[derive(Debug)]
pub struct Strength {
    rows: usize,
    columns: usize,
    intra: Block<u8, 2>,
    coded: Block<u8, 2>,
    strength: Block<u8, 2>,
}

impl Strength {
    fn new(random: &mut Random, rows: usize, columns: usize) -> Self {
        let root = Space::root(2);
        let flags = |block: Block<u8, 2>| block.in_space(&root).expect("rank 2");
        let intra = Block::from_fn([rows, columns], |_| u8::from(random.bits().is_multiple_of(4)));
        let coded = Block::from_fn([4 * rows, 4 * columns], |_| u8::from(random.bits().is_multiple_of(2)));
        Self {
            rows,
            columns,
            intra: flags(intra).coarsened([4, 4]).expect("factors above zero"),
            coded: flags(coded),
            strength: flags(Block::new([4 * rows, 4 * columns])),
        }
    }
}

impl Case for Strength {
    const NAME: &'static str = "macroblock flags, coarsen and refine";
    type Output = Vec<u8>;

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 30, 40)
    }

    fn small(random: &mut Random) -> Self {
        let (rows, columns) = (random.within(0, 4), random.within(0, 5));
        Self::new(random, rows, columns)
    }

    fn staged(&mut self) {
        let (intra, coded) = black_box((self.intra.as_slice(), self.coded.as_slice()));
        let (rows, columns) = black_box((self.rows, self.columns));
        staged(intra, coded, rows, columns, black_box(self.strength.as_mut_slice()));
    }

    fn hand(&mut self) {
        let (intra, coded) = black_box((self.intra.as_slice(), self.coded.as_slice()));
        let (rows, columns) = black_box((self.rows, self.columns));
        hand(intra, coded, rows, columns, black_box(self.strength.as_mut_slice()));
    }

    fn library(&mut self) {
        library(black_box(&self.intra), black_box(&self.coded), &mut self.strength).expect("one space");
    }

    fn take(&mut self) -> Vec<u8> {
        let out = self.strength.as_slice().to_vec();
        self.strength.as_mut_slice().fill(0);
        out
    }
}
