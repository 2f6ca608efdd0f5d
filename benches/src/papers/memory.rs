//! Programs under several orders of memory: products whose second matrix lies in rows, in columns or in the panels that
//! the loops take, products in groups, a stencil over bricks, and softmax.

use shim::prelude::Clamp;
use shim_core::{Block, Order};

use crate::case::Random;

/// A product by panels, whose second matrix is stored in an order.
macro_rules! products {
    ($($(#[doc = $doc:literal])* $name:ident: $order:expr;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(
            #[shape(h, n)] a: &[f32],
            #[shape(n, w)] #[stored($order)] b: &[f32],
            #[shape(h, w)] c: &mut [f32],
            [h, n, w]: [usize; 3],
        ) {
            #[tile([_, 256, 64])]
            #[tile([4, _, 4], peel)]
            #[reorder(j, i, k)]
            #[unroll(i, k)]
            for [i, j] in c.indices() {
                for k in 0..n {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    )* };
}

products! {
    /// In row-major order.
    in_rows: row_major;
    /// In column-major order: a panel is read across its lines.
    in_columns: column_major;
    /// In panels of 64 rows and 256 columns, as the loops take them.
    in_panels: tile([64, 256]);
    /// In panels within which four rows lie beside one another.
    in_quads: tile([64, 256]).inner(tile([4, 256]).inner(column_major));
}

/// The order of memory of each product.
#[must_use]
pub fn orders() -> [Order; 4] {
    let quads = Order::Tile {
        extents: vec![4, 256],
        outer: Box::new(Order::RowMajor),
        inner: Box::new(Order::ColumnMajor),
    };
    [
        Order::RowMajor,
        Order::ColumnMajor,
        Order::tile(&[64, 256]),
        Order::Tile { extents: vec![64, 256], outer: Box::new(Order::RowMajor), inner: Box::new(quads) },
    ]
}

/// The products in the sequence of [`orders`].
pub const PRODUCTS: [Product; 4] = [in_rows, in_columns, in_panels, in_quads];

/// The signature of the products.
pub type Product = fn(&[f32], &[f32], &mut [f32], [usize; 3]);

/// A matrix in an order of memory, of small integers.
///
/// # Panics
/// When it is too large.
#[must_use]
pub fn matrix(random: &mut Random, extents: [usize; 2], order: &Order) -> Vec<f32> {
    let rows: Vec<f32> =
        random.bytes(extents[0] * extents[1]).into_iter().map(|value| f32::from(value % 16)).collect();
    let layout = order.layout(&extents.map(|extent| extent as i64)).expect("a small matrix");
    let span = layout.span(&extents.map(|extent| extent as i64)).expect("a small matrix");
    let mut block =
        Block::with_order(extents, order, vec![0.0; span as usize]).expect("memory for the matrix");
    for y in 0..extents[0] {
        for x in 0..extents[1] {
            block[[y as isize, x as isize]] = rows[y * extents[1] + x];
        }
    }
    block.into_vec()
}

/// Products of the matrices of so many groups, `[groups, 32, 32]`.
#[shim::kernel(simd)]
#[inline(never)]
pub fn grouped(
    #[shape(groups, 32, 32)] a: &[f32],
    #[shape(groups, 32, 32)] b: &[f32],
    #[shape(groups, 32, 32)] c: &mut [f32],
    groups: usize,
) {
    for g in 0..groups {
        let (a, b, c) = (a.slice(0, g), b.slice(0, g), c.slice(0, g));
        #[tile([4, _, 4])]
        #[reorder(j, i, k)]
        #[unroll(i, k)]
        for [i, j] in c.indices() {
            for k in 0..32 {
                c[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
}

/// The grouped product by hand.
///
/// # Panics
/// When a list is too short.
#[shim::kernel(simd)]
#[inline(never)]
pub fn grouped_by_hand(a: &[f32], b: &[f32], c: &mut [f32], groups: usize) {
    products_by_hand(a, b, c, groups);
}

#[inline(always)]
fn products_by_hand(a: &[f32], b: &[f32], c: &mut [f32], groups: usize) {
    let (a, b) = (a.as_chunks::<1024>().0, b.as_chunks::<1024>().0);
    for ((a, b), c) in a.iter().zip(b).zip(c.as_chunks_mut::<1024>().0).take(groups) {
        for top in (0..32).step_by(4) {
            for first in (0..32).step_by(4) {
                for j in 0..32 {
                    for i in top..top + 4 {
                        let mut sum = c[32 * i + j];
                        for k in first..first + 4 {
                            sum += a[32 * i + k] * b[32 * k + j];
                        }
                        c[32 * i + j] = sum;
                    }
                }
            }
        }
    }
}

/// The mean of each element of a volume and its six neighbors, edges repeated: in row-major order.
#[shim::kernel(simd)]
#[inline(never)]
pub fn smooth(#[shape(d, h, w)] a: &[f32], #[shape(d, h, w)] out: &mut [f32], [d, h, w]: [usize; 3]) {
    let a = a.boundary(Clamp);
    for [z, y, x] in out.indices() {
        let near = a[[z - 1, y, x]] + a[[z + 1, y, x]] + a[[z, y - 1, x]] + a[[z, y + 1, x]];
        out[[z, y, x]] = (near + a[[z, y, x - 1]] + a[[z, y, x + 1]] + a[[z, y, x]]) / 7.0;
    }
}

/// The stencil over bricks of 8x8x8, brick by brick.
#[shim::kernel(simd)]
#[inline(never)]
pub fn smooth_bricks(
    #[shape(d, h, w)]
    #[stored(tile([8, 8, 8]))]
    a: &[f32],
    #[shape(d, h, w)]
    #[stored(tile([8, 8, 8]))]
    out: &mut [f32],
    [d, h, w]: [usize; 3],
) {
    let a = a.boundary(Clamp);
    let near = Block::stack::<f32>([10, 10, 10]);
    for to in out.tiles([8, 8, 8]) {
        let a = a[to];
        // The brick with what is around it: rows of it are contiguous.
        for [z, y] in near.slice(2, 0).indices() {
            let row = near.slice(0, z).slice(0, y)[[1..9]];
            for [x] in row.indices() {
                row[[x]] = a[[z - 1, y - 1, x]];
            }
            near[[z, y, 0]] = a[[z - 1, y - 1, -1]];
            near[[z, y, 9]] = a[[z - 1, y - 1, 8]];
        }
        let near = near[[1..9, 1..9, 1..9]];
        // The rows inside: LLVM would take apart a loop over eight columns, and gather what lies in one column.
        #[reorder(z, x, y)]
        #[unroll(y)]
        for [z, y, x] in to.indices() {
            let sum = near[[z - 1, y, x]] + near[[z + 1, y, x]] + near[[z, y - 1, x]] + near[[z, y + 1, x]];
            to[[z, y, x]] = (sum + near[[z, y, x - 1]] + near[[z, y, x + 1]] + near[[z, y, x]]) / 7.0;
        }
    }
}

/// The stencil over bricks by hand: bricks that no edge cuts copy rows of eight, the others single elements.
///
/// # Panics
/// When an extent is not a multiple of eight, or a list is too short.
#[shim::kernel(simd)]
#[inline(never)]
pub fn smooth_bricks_by_hand(a: &[f32], out: &mut [f32], extents: [usize; 3]) {
    bricks_by_hand(a, out, extents);
}

#[inline(always)]
fn bricks_by_hand(a: &[f32], out: &mut [f32], extents: [usize; 3]) {
    let bricks = extents.map(|extent| extent / 8);
    let index = |at: [usize; 3]| {
        let brick = ((at[0] / 8) * bricks[1] + at[1] / 8) * bricks[2] + at[2] / 8;
        512 * brick + 64 * (at[0] % 8) + 8 * (at[1] % 8) + at[2] % 8
    };
    let clamped = |at: usize, by: usize, axis: usize| (8 * at + by).saturating_sub(1).min(extents[axis] - 1);
    let mut near = [[[0.0_f32; 10]; 10]; 10];
    for (number, out) in out.as_chunks_mut::<512>().0.iter_mut().take(bricks.iter().product()).enumerate() {
        let [i, j, k] =
            [number / (bricks[1] * bricks[2]), number / bricks[2] % bricks[1], number % bricks[2]];
        for (z, plane) in near.iter_mut().enumerate() {
            let z = clamped(i, z, 0);
            for (y, row) in plane.iter_mut().enumerate() {
                let y = clamped(j, y, 1);
                let first = index([z, y, 8 * k]);
                row[1..9].copy_from_slice(&a[first..first + 8]);
                row[0] = a[index([z, y, clamped(k, 0, 2)])];
                row[9] = a[index([z, y, clamped(k, 9, 2)])];
            }
        }
        for z in 0..8 {
            for y in 0..8 {
                for x in 0..8 {
                    let (low, own, high) = (&near[z], &near[z + 1], &near[z + 2]);
                    let sum = low[y + 1][x + 1] + high[y + 1][x + 1] + own[y][x + 1] + own[y + 2][x + 1];
                    out[64 * z + 8 * y + x] =
                        (sum + own[y + 1][x] + own[y + 1][x + 2] + own[y + 1][x + 1]) / 7.0;
                }
            }
        }
    }
}

/// Softmax of each row.
#[shim::kernel(simd)]
#[inline(never)]
pub fn softmax(#[shape(h, w)] a: &[f32], #[shape(h, w)] out: &mut [f32], h: usize, w: usize) {
    for r in 0..h {
        let (a, out) = (a.slice(0, r), out.slice(0, r));
        let most = a.indices().map(|[x]| a[[x]]).fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for [x] in a.indices() {
            out[[x]] = (a[[x]] - most).exp();
            sum += out[[x]];
        }
        for [x] in a.indices() {
            out[[x]] /= sum;
        }
    }
}

/// Softmax by hand.
#[inline(never)]
pub fn softmax_by_hand(a: &[f32], out: &mut [f32], _h: usize, w: usize) {
    for (a, out) in a.chunks_exact(w).zip(out.chunks_exact_mut(w)) {
        let most = a.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for (out, a) in out.iter_mut().zip(a) {
            *out = (a - most).exp();
            sum += *out;
        }
        for out in out {
            *out /= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_every_order() {
        for [h, n, w] in [[1, 1, 1], [5, 70, 260], [64, 64, 256]] {
            let results: Vec<Vec<f32>> = orders()
                .iter()
                .zip(PRODUCTS)
                .map(|(order, product)| {
                    let mut random = Random::new(7);
                    let a = matrix(&mut random, [h, n], &Order::RowMajor);
                    let b = matrix(&mut random, [n, w], order);
                    let mut c = vec![0.5; h * w];
                    product(&a, &b, &mut c, [h, n, w]);
                    c
                })
                .collect();
            assert!(results.iter().all(|result| *result == results[0]), "{h} {n} {w}");
            let mut random = Random::new(7);
            let a = matrix(&mut random, [h, n], &Order::RowMajor);
            let b = matrix(&mut random, [n, w], &Order::RowMajor);
            let sum: f32 = 0.5 + (0..n).map(|k| a[(h - 1) * n + k] * b[k * w + w - 1]).sum::<f32>();
            assert!((results[0][h * w - 1] - sum).abs() < 0.5);
        }
    }

    #[test]
    fn groups_agree() {
        let mut random = Random::new(3);
        let [a, b] = [0; 2].map(|_| matrix(&mut random, [5, 1024], &Order::RowMajor));
        let (mut c, mut wanted) = (vec![1.0; 5 * 1024], vec![1.0; 5 * 1024]);
        grouped(&a, &b, &mut c, 5);
        grouped_by_hand(&a, &b, &mut wanted, 5);
        assert_eq!(c, wanted);
    }

    #[test]
    fn bricks_hold_the_same_volume() {
        let extents = [16, 8, 24];
        let bricks = Order::tile(&[8, 8, 8]);
        let values: Vec<f32> = Random::new(5).bytes(16 * 8 * 24).into_iter().map(f32::from).collect();
        let mut out = vec![0.0; values.len()];
        smooth(&values, &mut out, extents);
        let mut volume = Block::with_order(extents, &bricks, vec![0.0; values.len()]).expect("memory");
        let index = |at: usize| [at / (8 * 24), at / 24 % 8, at % 24].map(|at| at as isize);
        for (at, value) in values.iter().enumerate() {
            volume[index(at)] = *value;
        }
        let mut smoothed = vec![0.0; values.len()];
        let volume = volume.into_vec();
        smooth_bricks(&volume, &mut smoothed, extents);
        let mut by_hand = vec![0.0; values.len()];
        smooth_bricks_by_hand(&volume, &mut by_hand, extents);
        assert_eq!(smoothed, by_hand);
        let smoothed = Block::with_order(extents, &bricks, smoothed).expect("memory");
        for (at, value) in out.iter().enumerate() {
            assert!((smoothed[index(at)] - value).abs() < 1e-4, "{at}");
        }
    }

    #[test]
    fn softmax_is_that_by_hand() {
        let a: Vec<f32> =
            Random::new(9).bytes(3 * 70).into_iter().map(|value| f32::from(value) / 16.0).collect();
        let (mut out, mut wanted) = (vec![0.0; 210], vec![0.0; 210]);
        softmax(&a, &mut out, 3, 70);
        softmax_by_hand(&a, &mut wanted, 3, 70);
        for (own, wanted) in out.iter().zip(&wanted) {
            assert!((own - wanted).abs() < 1e-6);
        }
        assert!((out[..70].iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
