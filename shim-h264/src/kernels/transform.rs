//! The transforms of 4x4 blocks, and of the DC coefficients of several: templates for one lane of many.
//!
//! All of it fits 16 bits: a residual of at most 255 has coefficients of at most 9180, and what a decoder computes
//! shall not be beyond 16 bits (8.5.12.2, 8.5.10). A stream that breaks that rule wraps.

use core::ops::{Add, Sub};

use shim::prelude::*;

/// The rows of 4x4 blocks next to one another, so that block l is lane l of four rows.
#[shim::layout]
pub(crate) fn by_blocks(h: usize, w: usize) -> Order {
    row_major.then([h / 4, 4, w], axes([1, 0, 2]))
}

/// Memory for values of samples, [`by_blocks`]: a template.
#[shim::kernel]
pub(crate) fn blocks<T>(of: impl Tensor<T, 2>) -> impl Tensor<i16, 2> {
    #[staged]
    use self::by_blocks;
    let h = of.extent(0);
    let w = of.extent(1);
    Block::stack::<i16>([h, w]).stored(by_blocks(h, w))
}

/// Block l of `d`, which has whole [`blocks`] from left to right in each row: a template.
#[shim::kernel]
pub(crate) fn block_of(d: impl Tensor<i16, 2>, l: usize) -> impl Tensor<i16, 2> {
    let wide = d.extent(1) / 4;
    d[[4 * (l / wide)..4 * (l / wide) + 4, 4 * (l % wide)..4 * (l % wide) + 4]]
}

/// The differences of two blocks of constant extents, a template.
#[shim::kernel]
pub(crate) fn differences(cur: impl Tensor<u8, 2>, pred: impl Tensor<u8, 2>, d: impl Tensor<i16, 2>) {
    let (cur, pred) = (cur.cast::<i16>(), pred.cast::<i16>());
    // The rows inside: a loop over sixteen columns with less in it is unrolled before it is vectorized.
    #[reorder(x, y)]
    #[unroll(y)]
    for [y, x] in cur.indices() {
        d[[y, x]] = cur[[y, x]] - pred[[y, x]];
    }
}

/// The differences of Cb and Cr, each `[8, 8]`, and their predictions, which are one below the other; a template.
#[shim::kernel]
pub(crate) fn chroma_differences(
    cb: impl Tensor<u8, 2>,
    cr: impl Tensor<u8, 2>,
    pred: impl Tensor<u8, 2>,
    d: impl Tensor<i16, 2>,
) {
    let (cb, cr, pred) = (cb.cast::<i16>(), cr.cast::<i16>(), pred.cast::<i16>());
    // Both in one loop, for the same reason.
    #[reorder(x, y)]
    #[unroll(y)]
    for [y, x] in cb.indices() {
        d[[y, x]] = cb[[y, x]] - pred[[y, x]];
        d[[y + 8, x]] = cr[[y, x]] - pred[[y + 8, x]];
    }
}

/// The sums of a prediction and such differences, clipped (8.5.14): a template.
#[shim::kernel]
pub(crate) fn construct(pred: impl Tensor<u8, 2>, d: impl Tensor<i16, 2>, recon: impl Tensor<u8, 2>) {
    let (pred, sum) = (pred.cast::<i16>(), recon.cast::<i16>());
    #[reorder(x, y)]
    #[unroll(y)]
    for [y, x] in sum.indices() {
        sum[[y, x]] = (pred[[y, x]] + d[[y, x]]).clamp(0, 255);
    }
}

/// The forward transforms of `LANES` [`blocks`], a template: row 4 i + j holds the coefficient `[i, j]` of each.
#[shim::kernel]
pub(crate) fn forward_lanes<const LANES: usize>(d: impl Tensor<i16, 2>, coefficients: impl Tensor<i16, 2>) {
    let coefficients = coefficients.reshape([4, 4, LANES]);
    for l in 0..LANES {
        let block = block_of(d, l);
        let x = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in x.indices() {
            x[[i, j]] = block[[i, j]];
        }
        forward_4x4(x);
        #[unroll]
        for [i, j] in x.indices() {
            coefficients[[i, j, l]] = x[[i, j]];
        }
    }
}

/// The forward transform of four values, the inverse of 8.5.12.2 but for factors that quantization brings in.
#[shim::kernel]
pub(crate) fn forward_1d(v: impl Tensor<i16, 1>) {
    let [a, b] = [v[[0]] + v[[3]], v[[1]] + v[[2]]];
    let [c, d] = [v[[1]] - v[[2]], v[[0]] - v[[3]]];
    v[[0]] = a + b;
    v[[1]] = 2 * d + c;
    v[[2]] = a - b;
    v[[3]] = d - 2 * c;
}

/// The forward core transform of a 4x4 block in place.
#[shim::kernel]
pub(crate) fn forward_4x4(x: impl Tensor<i16, 2>) {
    #[unroll]
    for i in 0..4 {
        forward_1d(x.slice(0, i));
    }
    #[unroll]
    for j in 0..4 {
        forward_1d(x.slice(1, j));
    }
}

/// The transform of one row or column of scaled coefficients (8-338 to 8-353).
#[shim::kernel]
pub(crate) fn inverse_1d(d: impl Tensor<i16, 1>) {
    let e0 = d[[0]].wrapping_add(d[[2]]);
    let e1 = d[[0]].wrapping_sub(d[[2]]);
    let e2 = (d[[1]] >> 1).wrapping_sub(d[[3]]);
    let e3 = d[[1]].wrapping_add(d[[3]] >> 1);
    d[[0]] = e0.wrapping_add(e3);
    d[[1]] = e1.wrapping_add(e2);
    d[[2]] = e1.wrapping_sub(e2);
    d[[3]] = e0.wrapping_sub(e3);
}

/// The residual of a 4x4 block from its scaled coefficients, in place (8.5.12.2): rows, columns, and rounding (8-354).
/// What rounding adds to all of them is added to DC, which comes to all of them as it is.
#[shim::kernel]
pub(crate) fn inverse_4x4(d: impl Tensor<i16, 2>) {
    d[[0, 0]] = d[[0, 0]].wrapping_add(32);
    #[unroll]
    for i in 0..4 {
        inverse_1d(d.slice(0, i));
    }
    #[unroll]
    for j in 0..4 {
        inverse_1d(d.slice(1, j));
    }
    #[unroll]
    for [i, j] in d.indices() {
        d[[i, j]] >>= 6;
    }
}

/// The scaled coefficients of `LANES` [`blocks`] and their residual `d` (8.5.12), a template. Lanes whose `nonzero` is
/// 0 have no levels; `dc[[l]]` is, with a `FIRST` of 1, the scaled coefficient of index 0.
#[shim::kernel]
pub(crate) fn inverse_lanes<const FIRST: usize, const LANES: usize>(
    levels: impl Tensor<i16, 2>,
    nonzero: impl Tensor<u16, 1>,
    scale: impl Tensor<i16, 1>,
    dc: impl Tensor<i16, 1>,
    d: impl Tensor<i16, 2>,
) {
    let scale = scale.reshape([4, 4]);
    for l in 0..LANES {
        let coded = if nonzero[[l]] != 0 { -1_i16 } else { 0 };
        let x = Block::stack::<i16>([4, 4]);
        #[unroll]
        for (k, [i, j]) in x.scan(zigzag).enumerate() {
            x[[i, j]] =
                if k < FIRST { dc[[l]] } else { (levels[[k, l]] & coded).wrapping_mul(scale[[i, j]]) };
        }
        inverse_4x4(x);
        let block = block_of(d, l);
        #[unroll]
        for [i, j] in x.indices() {
            block[[i, j]] = x[[i, j]];
        }
    }
}

/// The matrix of (8-320) times four values.
#[shim::kernel]
pub(crate) fn hadamard_1d<T>(v: impl Tensor<T, 1>)
where
    T: Copy + Add<Output = T> + Sub<Output = T>,
{
    let [a, b] = [v[[0]] + v[[1]], v[[0]] - v[[1]]];
    let [c, d] = [v[[2]] + v[[3]], v[[2]] - v[[3]]];
    v[[0]] = a + c;
    v[[1]] = a - c;
    v[[2]] = b - d;
    v[[3]] = b + d;
}

/// The Hadamard transform of a 4x4 block in place, either way: that of the DC coefficients of an `Intra_16x16`
/// macroblock (8.5.10, 8-320), and of differences.
#[shim::kernel]
pub(crate) fn hadamard_4x4<T>(c: impl Tensor<T, 2>)
where
    T: Copy + Add<Output = T> + Sub<Output = T>,
{
    #[unroll]
    for i in 0..4 {
        hadamard_1d::<T>(c.slice(0, i));
    }
    #[unroll]
    for j in 0..4 {
        hadamard_1d::<T>(c.slice(1, j));
    }
}

/// The transform of the DC coefficients of a chroma component (8.5.11.1, 8-328) in place, either way.
#[shim::kernel]
pub(crate) fn hadamard_2x2(c: impl Tensor<i32, 2>) {
    let [a, b] = [c[[0, 0]] + c[[0, 1]], c[[0, 0]] - c[[0, 1]]];
    let [d, e] = [c[[1, 0]] + c[[1, 1]], c[[1, 0]] - c[[1, 1]]];
    c[[0, 0]] = a + d;
    c[[0, 1]] = b + e;
    c[[1, 0]] = a - d;
    c[[1, 1]] = b - e;
}
