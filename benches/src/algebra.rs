//! Operations of the Mathematics of Arrays, beside loops that are fused by hand.

use shim::algebra::{add, compress, inner, max, mul, outer, reduce, scan};
use shim::prelude::*;

/// The side of the pictures.
pub const SIDE: usize = 1000;

/// Memory that the operations read and write: two pictures of bytes, lists of floats, and results.
pub struct Data {
    /// A picture.
    pub a: Vec<u8>,
    /// Another one.
    pub b: Vec<u8>,
    /// As many bytes as both have.
    pub out: Vec<u8>,
    /// The first picture as floats.
    pub floats: Vec<f32>,
    /// As many floats.
    pub sums: Vec<f32>,
}

impl Data {
    /// Random numbers.
    #[must_use]
    pub fn new() -> Self {
        let mut random = crate::case::Random::new(7);
        let mut bytes = |count: usize| random.bytes(count);
        let (a, b) = (bytes(SIDE * SIDE), bytes(SIDE * SIDE));
        let floats = a.iter().map(|value| f32::from(*value) / 255.0).collect();
        Data { a, b, out: vec![0; 2 * SIDE * SIDE], floats, sums: vec![0.0; SIDE * SIDE] }
    }
}

impl Default for Data {
    fn default() -> Self {
        Self::new()
    }
}

/// Ten operations: views of both pictures, and three of their elements.
#[shim::kernel(simd)]
#[inline(never)]
pub fn ten(#[shape(n, n)] a: &[u8], #[shape(n, n)] b: &[u8], n: usize, out: &mut [u8]) {
    let first = a.rev(0).drop([2, 0]).take([-900, 800]).rev(1);
    let second = b.permute([1, 0]).rev(1).permute([1, 0]).drop([50, 100]).take([900, 800]);
    let out = Block::external(out, [900, 800]);
    for p in out.indices() {
        out[p] = first[p].abs_diff(second[p]).max(first[p] / 2);
    }
}

/// The same loops by hand.
#[shim::kernel(simd)]
#[inline(never)]
pub fn ten_by_hand(a: &[u8], b: &[u8], n: usize, out: &mut [u8]) {
    for (y, out) in out.chunks_exact_mut(800).take(900).enumerate() {
        // Row y of the first is row 899 - y of `a`: what is dropped in front is behind the rows that are taken.
        let first = &a[(899 - y) * n..][..800];
        let second = &b[(n - 1 - y - 50) * n + 100..][..800];
        for ((out, first), second) in out.iter_mut().zip(first.iter().rev()).zip(second) {
            *out = first.abs_diff(*second).max(*first / 2);
        }
    }
}

/// A picture below another one.
#[shim::kernel(simd)]
#[inline(never)]
pub fn catenated(
    #[shape(n, n)] a: &[u8],
    #[shape(n, n)] b: &[u8],
    n: usize,
    #[shape(2 * n, n)] out: &mut [u8],
) {
    let whole = a.cat(0, b);
    for p in out.indices() {
        out[p] = whole[p] / 2;
    }
}

/// The same in two loops.
#[shim::kernel(simd)]
#[inline(never)]
pub fn catenated_by_hand(a: &[u8], b: &[u8], n: usize, out: &mut [u8]) {
    let (first, second) = out.split_at_mut(n * n);
    for (out, from) in [(first, a), (second, b)] {
        for (out, from) in out.iter_mut().zip(from) {
            *out = from / 2;
        }
    }
}

/// A picture that is rotated in both directions.
#[shim::kernel(simd)]
#[inline(never)]
pub fn rotated(#[shape(n, n)] a: &[u8], n: usize, by: isize, #[shape(n, n)] out: &mut [u8]) {
    let turned = a.rotate([by, by]);
    for p in out.indices() {
        out[p] = turned[p] / 2;
    }
}

/// The same by rows in two loops each.
#[shim::kernel(simd)]
#[inline(never)]
pub fn rotated_by_hand(a: &[u8], n: usize, by: usize, out: &mut [u8]) {
    for (y, out) in out.chunks_exact_mut(n).take(n).enumerate() {
        let from = &a[(y + by) % n * n..][..n];
        let (front, back) = out.split_at_mut(n - by);
        for (out, from) in front.iter_mut().zip(&from[by..]) {
            *out = from / 2;
        }
        for (out, from) in back.iter_mut().zip(&from[..by]) {
            *out = from / 2;
        }
    }
}

macro_rules! along {
    ($($(#[doc = $doc:literal])* $name:ident |$t:ident, $n:ident, $out:ident| $call:expr;)*) => {$(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(#[shape($n, $n)] $t: &[f32], $n: usize, $out: &mut [f32]) {
            $call;
        }
    )*};
}

along! {
    /// The sums of columns.
    sums_of_columns |t, n, out| reduce::<_, 0, _>(add, 0.0, t, Block::external(out, [n]));
    /// The greatest elements of columns.
    greatest_of_columns |t, n, out| reduce::<_, 0, _>(max, 0.0, t, Block::external(out, [n]));
    /// Running sums down the columns.
    running_sums |t, n, out| scan::<_, 0, _>(add, 0.0, t, Block::external(out, [n, n]));
    /// The products of all pairs of the first row with itself.
    products |t, n, out| outer(mul, t.psi([0]), t.psi([0]), Block::external(out, [n, n]));
}

/// The sums of columns, by hand.
#[shim::kernel(simd)]
#[inline(never)]
pub fn sums_by_hand(t: &[f32], n: usize, out: &mut [f32]) {
    out[..n].fill(0.0);
    for row in t.chunks_exact(n) {
        for (out, value) in out.iter_mut().zip(row) {
            *out += value;
        }
    }
}

/// The greatest elements of columns, by hand.
#[shim::kernel(simd)]
#[inline(never)]
pub fn greatest_by_hand(t: &[f32], n: usize, out: &mut [f32]) {
    out[..n].fill(0.0);
    for row in t.chunks_exact(n) {
        for (out, value) in out.iter_mut().zip(row) {
            *out = if *value > *out { *value } else { *out };
        }
    }
}

/// Running sums down the columns, by hand.
#[shim::kernel(simd)]
#[inline(never)]
pub fn running_by_hand(t: &[f32], n: usize, out: &mut [f32]) {
    out[..n].copy_from_slice(&t[..n]);
    for y in 1..n {
        let (before, own) = out.split_at_mut(y * n);
        for ((own, before), value) in own.iter_mut().zip(&before[(y - 1) * n..]).zip(&t[y * n..][..n]) {
            *own = before + value;
        }
    }
}

/// The products of all pairs, by hand.
#[shim::kernel(simd)]
#[inline(never)]
pub fn products_by_hand(t: &[f32], n: usize, out: &mut [f32]) {
    for (out, a) in out.chunks_exact_mut(n).zip(&t[..n]) {
        for (out, b) in out.iter_mut().zip(&t[..n]) {
            *out = a * b;
        }
    }
}

/// Every other row.
#[shim::kernel(simd)]
#[inline(never)]
pub fn rows_under_mask(#[shape(n, n)] t: &[f32], n: usize, #[shape(n)] mask: &[bool], out: &mut [f32]) {
    compress::<_, 0, _>(mask, t, Block::external(out, [n / 2, n]));
}

/// Every other row, by hand.
#[shim::kernel(simd)]
#[inline(never)]
pub fn rows_by_hand(t: &[f32], n: usize, mask: &[bool], out: &mut [f32]) {
    let kept = t.chunks_exact(n).zip(mask).filter(|(_, mask)| **mask);
    for (out, (row, _)) in out.chunks_exact_mut(n).zip(kept) {
        out.copy_from_slice(row);
    }
}

/// The product of matrices.
#[shim::kernel(simd)]
#[inline(never)]
pub fn product(
    #[shape(h, n)] a: &[f32],
    #[shape(n, w)] b: &[f32],
    #[shape(h, w)] c: &mut [f32],
    [h, n, w]: [usize; 3],
) {
    inner(add, mul, 0.0, a, b, c);
}

/// A pointwise operation at a rank: nested loops, one loop over all elements, and the runtime library (figure 7-1 of
/// the thesis).
macro_rules! ranks {
    ($($name:ident $flat:ident $library:ident $rank:literal [$($side:literal),*];)*) => {$(
        /// The sum of an element and its mirror image, in nested loops.
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(#[shape($($side),*)] a: &[f32], #[shape($($side),*)] out: &mut [f32]) {
            let back = a.rev(0);
            for p in out.indices() {
                out[p] = a[p] * 0.5 + back[p];
            }
        }

        /// The same in one loop over rows of the first axis.
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $flat(a: &[f32], out: &mut [f32]) {
            const SIDES: [usize; $rank] = [$($side),*];
            let row = a.len() / SIDES[0];
            for (k, out) in out.chunks_exact_mut(row).take(SIDES[0]).enumerate() {
                let (own, back) = (&a[k * row..][..row], &a[(SIDES[0] - 1 - k) * row..][..row]);
                for ((out, own), back) in out.iter_mut().zip(own).zip(back) {
                    *out = own * 0.5 + back;
                }
            }
        }

        /// The same on the runtime library.
        ///
        /// # Panics
        /// Never: the extents are those of the memory.
        pub fn $library(a: &[f32], out: &mut [f32]) {
            use shim::Located;
            let block = shim::Block::<f32, $rank>::from_vec([$($side),*], a.to_vec()).expect("the extents");
            let (own, back) = (block.view(), block.view().rev(0).expect("an axis"));
            for (at, out) in own.indices().zip(out) {
                *out = own[at] * 0.5 + back[at];
            }
        }
    )*};
}

/// The elements of a tensor of any rank.
pub const ELEMENTS: usize = 4096;

ranks! {
    rank_1 flat_1 library_1 1 [4096];
    rank_2 flat_2 library_2 2 [64, 64];
    rank_3 flat_3 library_3 3 [16, 16, 16];
    rank_4 flat_4 library_4 4 [8, 8, 8, 8];
    rank_5 flat_5 library_5 5 [4, 4, 4, 8, 8];
    rank_6 flat_6 library_6 6 [4, 4, 4, 4, 4, 4];
}
