//! Products of matrices: one formula in several orders.

use crate::case::Random;

/// The side of the matrices that are measured.
pub const SIDE: usize = 1024;

/// The formula with the words of an order.
macro_rules! products {
    ($($(#[doc = $doc:literal])* $name:ident $(#[$word:meta])*;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(
            #[shape(h, n)] a: &[f32],
            #[shape(n, w)] b: &[f32],
            #[shape(h, w)] c: &mut [f32],
            [h, n, w]: [usize; 3],
        ) {
            $(#[$word])*
            for [i, j] in c.indices() {
                for k in 0..n {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    )* };
}

products! {
    /// In the order of the formula.
    formula;
    /// By rows of `b`.
    rows #[reorder(i, k, j)];
    /// Panels of `b` that fit the cache, four rows of `a` and of `b` at a time.
    panels #[tile([_, 256, 64])] #[tile([4, _, 4], peel)] #[reorder(j, i, k)] #[unroll(i, k)];
    /// Tiles of `c` in registers, over panels of `b` that fit the cache.
    registers #[tile([_, 128, 512])] #[tile([8, 32, _], peel)] #[reorder(k, i, j)] #[unroll(i)] #[lanes(32)];
}

/// The panels by hand, compiled for the same instruction sets.
#[shim::kernel(simd)]
#[inline(never)]
pub fn panels_by_hand(a: &[f32], b: &[f32], c: &mut [f32], extents: [usize; 3]) {
    tiled_by_hand(a, b, c, extents);
}

#[inline(always)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
fn tiled_by_hand(a: &[f32], b: &[f32], c: &mut [f32], [h, n, w]: [usize; 3]) {
    assert!(a.len() >= h * n && b.len() >= n * w && c.len() >= h * w);
    // SAFETY: `i` is below `h`, `j` below `w` and `k` below `n`.
    let mut add = |i: usize, j: usize, k: usize| unsafe {
        *c.get_unchecked_mut(i * w + j) += a.get_unchecked(i * n + k) * b.get_unchecked(k * w + j);
    };
    for left in (0..w).step_by(256) {
        for before in (0..n).step_by(64) {
            for top in (0..h).step_by(4) {
                for first in (before..n.min(before + 64)).step_by(4) {
                    let (right, bottom, last) = (w.min(left + 256), h.min(top + 4), n.min(first + 4));
                    if bottom - top == 4 && last - first == 4 {
                        for j in left..right {
                            for i in 0..4 {
                                for k in 0..4 {
                                    add(top + i, j, first + k);
                                }
                            }
                        }
                    } else {
                        for j in left..right {
                            for i in top..bottom {
                                for k in first..last {
                                    add(i, j, k);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The product of bytes in 32 bits, in the tiles of `registers`. Their rows are not written out: LLVM would take the
/// sums for those of the loop over `k`, which may be added up in any order, and vectorize that one.
#[shim::kernel(simd)]
#[inline(never)]
pub fn integers(
    #[shape(h, n)] a: &[i8],
    #[shape(n, w)] b: &[i8],
    #[shape(h, w)] c: &mut [i32],
    [h, n, w]: [usize; 3],
) {
    #[tile([_, 64, 256])]
    #[tile([8, 32, _], peel)]
    #[reorder(k, i, j)]
    for [i, j] in c.indices() {
        for k in 0..n {
            c[[i, j]] += a[[i, k]] as i32 * b[[k, j]] as i32;
        }
    }
}

/// Hand-written tiles, compiled for the same instruction sets.
#[shim::kernel(simd)]
#[inline(never)]
pub fn integers_by_hand(a: &[i8], b: &[i8], c: &mut [i32], extents: [usize; 3]) {
    in_registers_by_hand(a, b, c, extents);
}

#[inline(always)]
fn in_registers_by_hand(a: &[i8], b: &[i8], c: &mut [i32], [h, n, w]: [usize; 3]) {
    for left in (0..w).step_by(256) {
        for before in (0..n).step_by(64) {
            let last = n.min(before + 64);
            for top in (0..h).step_by(8) {
                for first in (left..w.min(left + 256)).step_by(32) {
                    let (rows, columns) = (8.min(h - top), 32.min(w - first));
                    if rows < 8 || columns < 32 {
                        for (i, k) in (top..top + rows).flat_map(|i| (before..last).map(move |k| (i, k))) {
                            for j in first..first + columns {
                                c[i * w + j] += i32::from(a[i * n + k]) * i32::from(b[k * w + j]);
                            }
                        }
                        continue;
                    }
                    let mut held = [[0; 32]; 8];
                    for (i, row) in held.iter_mut().enumerate() {
                        row.copy_from_slice(&c[(top + i) * w + first..][..32]);
                    }
                    let a: [&[i8]; 8] = std::array::from_fn(|i| &a[(top + i) * n..][before..last]);
                    for k in 0..last - before {
                        let b: &[i8; 32] = b[(before + k) * w + first..].first_chunk().expect("32 columns");
                        for (row, a) in held.iter_mut().zip(a) {
                            for (sum, b) in row.iter_mut().zip(b) {
                                *sum += i32::from(a[k]) * i32::from(*b);
                            }
                        }
                    }
                    for (i, row) in held.iter().enumerate() {
                        c[(top + i) * w + first..][..32].copy_from_slice(row);
                    }
                }
            }
        }
    }
}

/// The signature of the versions.
pub type Version<A = f32, C = f32> = fn(&[A], &[A], &mut [C], [usize; 3]);

/// Two matrices and their product.
#[derive(Clone, Debug)]
pub struct Product<A = f32, C = f32> {
    extents: [usize; 3],
    a: Vec<A>,
    b: Vec<A>,
    c: Vec<C>,
}

impl<A: From<i8>, C: From<i8> + Clone> Product<A, C> {
    /// Matrices of small integers.
    #[must_use]
    pub fn new(random: &mut Random, [h, n, w]: [usize; 3]) -> Self {
        let mut matrix = |count: usize| -> Vec<A> {
            random.bytes(count).into_iter().map(|value| A::from((value % 16) as i8)).collect()
        };
        let (a, b) = (matrix(h * n), matrix(n * w));
        Self { extents: [h, n, w], a, b, c: vec![C::from(0); h * w] }
    }

    /// Runs a version.
    pub fn run(&mut self, version: Version<A, C>) {
        version(&self.a, &self.b, &mut self.c, self.extents);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree() {
        for extents in [[0, 3, 2], [1, 1, 1], [4, 8, 16], [17, 5, 33], [40, 70, 66]] {
            let mut product: Product = Product::new(&mut Random::new(1), extents);
            let mut result = |version: Version| {
                product.c.fill(0.5);
                product.run(version);
                product.c.clone()
            };
            let wanted = result(formula);
            for version in [rows, panels, registers, panels_by_hand] {
                assert_eq!(result(version), wanted, "{extents:?}");
            }
            let mut product: Product<i8, i32> = Product::new(&mut Random::new(1), extents);
            let [by_tiles, by_hand] = [integers, integers_by_hand].map(|version: Version<i8, i32>| {
                product.c.fill(3);
                product.run(version);
                product.c.clone()
            });
            assert_eq!(by_tiles, by_hand, "{extents:?}");
            let wanted: Vec<i32> = wanted.iter().map(|value| (value - 0.5) as i32 + 3).collect();
            assert_eq!(by_tiles, wanted, "{extents:?}");
        }
    }
}
