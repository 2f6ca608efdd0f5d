//! Color conversion from interleaved bytes (T.871, JFIF): a picture of R, G, B to planes of Y, Cb and Cr, in 16-bit
//! fixed point.
//!
//! ```text
//! Y  =  0.299   R + 0.587   G + 0.114   B
//! Cb = -0.16874 R - 0.33126 G + 0.5     B + 128
//! Cr =  0.5     R - 0.41869 G - 0.08131 B + 128
//! ```

use std::hint::black_box;

use shim::prelude::*;
use shim_core::Located;

use crate::case::{Case, Random};
use crate::kernels::holds;

/// One half, which rounds.
const HALF: i32 = 1 << 15;
/// The zero of Cb and Cr; a half is rounded down, so that the largest value is 255.
const CENTER: i32 = (128 << 16) + HALF - 1;

/// The staged kernel.
#[shim::kernel]
#[inline(never)]
pub fn staged(rgb: &[u8], h: usize, w: usize, luma: &mut [u8], blue: &mut [u8], red: &mut [u8]) {
    let rgb = Block::external(rgb, [h, w, 3]).cast::<i32>();
    let luma = Block::external(luma, [h, w]).cast::<i32>();
    let blue = Block::external(blue, [h, w]).cast::<i32>();
    let red = Block::external(red, [h, w]).cast::<i32>();
    for [y, x] in luma.indices() {
        let (r, g, b) = (rgb[[y, x, 0]], rgb[[y, x, 1]], rgb[[y, x, 2]]);
        luma[[y, x]] = (19595 * r + 38470 * g + 7471 * b + HALF) >> 16;
        blue[[y, x]] = (-11059 * r - 21709 * g + 32768 * b + CENTER) >> 16;
        red[[y, x]] = (32768 * r - 27439 * g - 5329 * b + CENTER) >> 16;
    }
}

/// The hand-written version: the rows lie one after the other, so one loop takes all pixels.
///
/// # Panics
/// When a plane does not hold the picture.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernel is measured against")]
pub fn hand(rgb: &[u8], h: usize, w: usize, luma: &mut [u8], blue: &mut [u8], red: &mut [u8]) {
    let pixels = h * w;
    assert!(
        holds(luma.len(), h, w) && holds(rgb.len(), pixels, 3) && pixels <= blue.len() && pixels <= red.len()
    );
    for i in 0..pixels {
        // SAFETY: i is below the number of pixels, which the planes hold, and `rgb` holds three times.
        unsafe {
            let r = i32::from(*rgb.get_unchecked(3 * i));
            let g = i32::from(*rgb.get_unchecked(3 * i + 1));
            let b = i32::from(*rgb.get_unchecked(3 * i + 2));
            *luma.get_unchecked_mut(i) = ((19595 * r + 38470 * g + 7471 * b + HALF) >> 16) as u8;
            *blue.get_unchecked_mut(i) = ((-11059 * r - 21709 * g + 32768 * b + CENTER) >> 16) as u8;
            *red.get_unchecked_mut(i) = ((32768 * r - 27439 * g - 5329 * b + CENTER) >> 16) as u8;
        }
    }
}

/// The version on the runtime library.
#[inline(never)]
pub fn library(rgb: &Block<u8, 3>, luma: &mut Block<u8, 2>, blue: &mut Block<u8, 2>, red: &mut Block<u8, 2>) {
    for [y, x] in luma.indices() {
        let [r, g, b] = [rgb[[y, x, 0]], rgb[[y, x, 1]], rgb[[y, x, 2]]].map(i32::from);
        luma[[y, x]] = ((19595 * r + 38470 * g + 7471 * b + HALF) >> 16) as u8;
        blue[[y, x]] = ((-11059 * r - 21709 * g + 32768 * b + CENTER) >> 16) as u8;
        red[[y, x]] = ((32768 * r - 27439 * g - 5329 * b + CENTER) >> 16) as u8;
    }
}

/// A picture and its planes.
#[derive(Debug)]
pub struct Color {
    h: usize,
    w: usize,
    rgb: Block<u8, 3>,
    planes: [Block<u8, 2>; 3],
}

impl Color {
    fn new(random: &mut Random, h: usize, w: usize) -> Self {
        let rgb = Block::from_fn([h, w, 3], |_| random.bits() as u8);
        Self { h, w, rgb, planes: std::array::from_fn(|_| Block::new([h, w])) }
    }
}

impl Case for Color {
    const NAME: &'static str = "color conversion, interleaved";
    type Output = [Vec<u8>; 3];

    fn measured(random: &mut Random) -> Self {
        Self::new(random, 64, 640)
    }

    fn small(random: &mut Random) -> Self {
        let (h, w) = (random.within(0, 5), random.within(0, 70));
        Self::new(random, h, w)
    }

    fn staged(&mut self) {
        let (rgb, h, w) = black_box((self.rgb.as_slice(), self.h, self.w));
        let [y, cb, cr] = black_box(&mut self.planes).each_mut().map(Block::as_mut_slice);
        staged(rgb, h, w, y, cb, cr);
    }

    fn hand(&mut self) {
        let (rgb, h, w) = black_box((self.rgb.as_slice(), self.h, self.w));
        let [y, cb, cr] = black_box(&mut self.planes).each_mut().map(Block::as_mut_slice);
        hand(rgb, h, w, y, cb, cr);
    }

    fn library(&mut self) {
        let [y, cb, cr] = black_box(&mut self.planes);
        library(black_box(&self.rgb), y, cb, cr);
    }

    fn take(&mut self) -> Self::Output {
        let extents = [self.h, self.w];
        self.planes.each_mut().map(|plane| std::mem::replace(plane, Block::new(extents)).into_vec())
    }
}
