//! Words of different lengths in one block: a product for each group of rows, and sums over segments.

use shim::prelude::*;

/// Multiplies the rows of each group with the matrix of the group: `[rows, d]` by `[d, e]`. The rows of all groups
/// follow one another; those of group g are `starts[g]..starts[g + 1]`.
#[shim::kernel(simd)]
pub fn grouped_product(
    rows: &[f32],
    starts: &[u32],
    matrices: &[f32],
    out: &mut [f32],
    [groups, d, e]: [usize; 3],
) {
    let rows = Block::external(rows, [groups, |g| starts[g]..starts[g + 1], d]);
    let out = Block::external(out, [groups, |g| starts[g]..starts[g + 1], e]);
    let matrices = Block::external(matrices, [groups, d, e]);
    let [g, i, j] = iters();
    out[[g, i, j]] = 0.0;
    for [g, i, k] in rows.indices() {
        for j in 0..e {
            out[[g, i, j]] += rows[[g, i, k]] * matrices[[g, k, j]];
        }
    }
}

/// The sum of each segment.
#[shim::kernel]
pub fn segmented_sum(values: &[f32], starts: &[u32], sums: &mut [f32], n: usize) {
    let values = Block::external(values, [n, |i| starts[i]..starts[i + 1]]);
    let sums = Block::external(sums, [n]);
    for i in 0..n {
        let segment = values[[i, ..]];
        sums[[i]] = segment.indices().map(|[k]| segment[[k]]).sum();
    }
}

fn main() {
    // Two groups of three and one rows, each of two numbers, and a matrix for each.
    let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let matrices = [1.0, 0.0, 0.0, 1.0, 0.0, 10.0, 10.0, 0.0];
    let mut out = [0.0; 8];
    grouped_product(&rows, &[0, 3, 4], &matrices, &mut out, [2, 2, 2]);
    println!("{out:?}");
    assert_eq!(out.map(|value| value as u32), [1, 2, 3, 4, 5, 6, 80, 70]);
    let mut sums = [0.0; 3];
    segmented_sum(&out, &[0, 6, 6, 8], &mut sums, 3);
    println!("{sums:?}");
    assert_eq!(sums.map(|value| value as u32), [21, 0, 150]);
}
