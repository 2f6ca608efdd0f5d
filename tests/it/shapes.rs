//! Blocks whose extents depend on indices, against plain loops over the same memory.

use crate::common::{noise, panics_with};
use shim::prelude::*;

/// The product of a lower triangle, packed by rows, with a vector.
#[shim::kernel]
fn lower_product(
    #[shape(n, |i| i + 1)] a: &[i32],
    #[shape(n)] x: &[i32],
    #[shape(n)] y: &mut [i32],
    n: usize,
) {
    for i in 0..n {
        let mut sum = 0;
        for j in 0..i + 1 {
            sum += a[[i, j]] * x[[j]];
        }
        y[[i]] = sum;
    }
}

/// The upper triangle, row by row from the diagonal.
#[shim::kernel]
fn upper_product(
    #[shape(n, |i| n - i)] a: &[i32],
    #[shape(n)] x: &[i32],
    #[shape(n)] y: &mut [i32],
    n: usize,
) {
    for i in 0..n {
        y[[i]] = (0..n - i).map(|j| a[[i, j]] * x[[i + j]]).sum();
    }
}

#[test]
fn products_of_packed_triangles() {
    for n in [0, 1, 2, 3, 7, 31] {
        let a: Vec<i32> = noise(n * (n + 1) / 2, 100);
        let x: Vec<i32> = noise(n, 100);
        let mut y = vec![0; n];
        lower_product(&a, &x, &mut y, n);
        let row = |i: usize| i * (i + 1) / 2;
        let wanted: Vec<i32> = (0..n).map(|i| (0..=i).map(|j| a[row(i) + j] * x[j]).sum()).collect();
        assert_eq!(y, wanted);
        upper_product(&a, &x, &mut y, n);
        let mut rest = a.iter();
        let mut sum = |i: usize| (i..n).map(|j| rest.next().unwrap() * x[j]).sum();
        let wanted: Vec<i32> = (0..n).map(&mut sum).collect();
        assert_eq!(y, wanted);
    }
}

/// Loops over the indices of a shape, an elementwise assignment, a reduction, jumps.
#[shim::kernel]
fn filled(a: &mut [i32], n: usize, stop: i32) -> i32 {
    let a = Block::external(a, [n, |i| 2 * i + 1, |i, j| i + j]);
    let mut number = 0;
    for [i, j, k] in a.indices() {
        a[[i, j, k]] = number + 0 * (i + j + k);
        number += 1;
    }
    let [i, j, k] = iters();
    a[[i, j, k]] += 10;
    for [i, j, k] in a.indices() {
        if a[[i, j, k]] == stop {
            break;
        }
        if (j + k) % 2 == 1 {
            continue;
        }
        a[[i, j, k]] *= -1;
    }
    a.indices().map(|[i, j, k]| a[[i, j, k]]).sum::<i32>()
}

#[test]
fn loops_over_the_indices_of_a_shape() {
    for (n, stop) in [(0, 0), (1, 0), (2, 0), (3, 14), (5, 40), (6, -1)] {
        let shape: Vec<(usize, usize, usize)> =
            (0..n).flat_map(|i| (0..=2 * i).flat_map(move |j| (0..i + j).map(move |k| (i, j, k)))).collect();
        let mut wanted: Vec<i32> = (0..shape.len() as i32).map(|number| number + 10).collect();
        for (value, (_, j, k)) in wanted.iter_mut().zip(&shape) {
            if *value == stop {
                break;
            }
            if (j + k) % 2 == 0 {
                *value *= -1;
            }
        }
        let mut a = vec![0; shape.len()];
        assert_eq!(filled(&mut a, n, stop), wanted.iter().sum());
        assert_eq!(a, wanted);
    }
}

/// Accesses that are tested where they run.
#[shim::kernel]
fn looked_up(a: &[u8], n: usize, i: isize, j: isize) -> (Option<u8>, bool) {
    let a = Block::external(a, [n, |i| i + 1]);
    (a.get([i, j]), a.contains([i, j]))
}

#[shim::kernel]
fn at(a: &[u8], n: usize, i: isize, j: isize) -> u8 {
    let a = Block::external(a, [n, |i| i + 1]);
    a[[i, j]]
}

#[test]
fn an_index_is_inside_by_those_before_it() {
    let n = 5;
    let a: Vec<u8> = (0..15).collect();
    for i in -2..8 {
        for j in -2..8 {
            let inside = (0..n).contains(&i) && (0..=i).contains(&j);
            let element = inside.then(|| (i * (i + 1) / 2 + j) as u8);
            assert_eq!(looked_up(&a, n as usize, i, j), (element, inside));
            match element {
                Some(element) => assert_eq!(at(&a, n as usize, i, j), element),
                None => panics_with(|| at(&a, n as usize, i, j), &["a"]),
            }
        }
    }
    for far in [isize::MIN, isize::MAX] {
        assert_eq!(looked_up(&a, 5, far, 0), (None, false));
        assert_eq!(looked_up(&a, 5, 0, far), (None, false));
        assert_eq!(looked_up(&a, 5, far, far), (None, false));
    }
}

/// Memory on the heap and on the stack, of the size of the shape.
#[shim::kernel]
fn squares(n: usize) -> (u32, u32) {
    let heap = Block::heap::<u32>([n, |i| i + 1]);
    let stack = Block::stack::<u32>([6, |i| 6 - i]);
    for [i, j] in heap.indices() {
        heap[[i, j]] = (i * j) as u32;
    }
    for [i, j] in stack.indices() {
        stack[[i, j]] = (i + j) as u32;
    }
    (heap.indices().map(|[i, j]| heap[[i, j]]).sum(), stack.indices().map(|[i, j]| stack[[i, j]]).sum())
}

#[test]
fn memory_of_its_own() {
    for n in [0, 1, 6, 20u32] {
        let triangle: u32 = (0..n).flat_map(|i| (0..=i).map(move |j| i * j)).sum();
        let upper: u32 = (0..6).flat_map(|i| (0..6 - i).map(move |j| i + j)).sum();
        assert_eq!(squares(n as usize), (triangle, upper));
    }
}

/// Orders, lanes and tasks over a shape as over triangular loops.
#[shim::kernel]
fn ordered(a: &mut [i64], b: &mut [i64], c: &mut [i64], n: usize) {
    let a = Block::external(a, [n, |i| i + 1]);
    let b = Block::external(b, [n, |i| i + 1]);
    let c = Block::external(c, [n, |i| i + 1]);
    #[reorder(j, i)]
    for [i, j] in a.indices() {
        a[[i, j]] = i64::from(100 * i + j);
    }
    #[tile([4, 4])]
    for [i, j] in b.indices() {
        b[[i, j]] = 2 * a[[i, j]];
    }
    #[parallel]
    for [i, j] in c.indices() {
        c[[i, j]] = b[[i, j]];
    }
    #[lanes(8)]
    for [i, j] in c.indices() {
        c[[i, j]] += 3;
    }
    #[reorder(j, i)]
    #[lanes(4)]
    for [i, j] in c.indices() {
        c[[i, j]] -= 2;
    }
}

#[test]
fn orders_of_a_shape() {
    for n in [0, 1, 3, 4, 9, 30] {
        let count = n * (n + 1) / 2;
        let (mut a, mut b, mut c) = (vec![0; count], vec![0; count], vec![0; count]);
        ordered(&mut a, &mut b, &mut c, n);
        let n = n as i64;
        let wanted: Vec<i64> = (0..n).flat_map(|i| (0..=i).map(move |j| 100 * i + j)).collect();
        assert_eq!(a, wanted);
        assert_eq!(c, wanted.iter().map(|value| 2 * value + 1).collect::<Vec<_>>());
    }
}

#[test]
fn memory_that_is_too_short_and_extents_that_are_huge_are_refused() {
    let a = vec![1; 9];
    let (x, mut y) = (vec![1; 4], vec![0; 4]);
    panics_with(|| lower_product(&a, &x, &mut y, 4), &["memory"]);
    assert_eq!(looked_up(&[3], 1, 0, 0), (Some(3), true));
    panics_with(|| looked_up(&[], usize::MAX, 0, 0), &["shim"]);
    panics_with(|| looked_up(&[], isize::MAX as usize, 0, 0), &["shim"]);
    panics_with(|| looked_up(&[], 1 << 40, 0, 0), &["shim"]);
}

/// The product of a band matrix with a vector. Row `i` has the columns from `max(0, i - p)` up to `min(n, i + q + 1)`.
#[shim::kernel]
fn band_product(a: &[i32], x: &[i32], y: &mut [i32], n: usize, p: usize, q: usize) {
    let a = Block::external(a, [n, |i| (i + q + 1).min(n) - i.saturating_sub(p)]);
    let x = Block::external(x, [n]);
    let y = Block::external(y, [n]);
    let [i] = iters();
    y[[i]] = 0;
    for [i, j] in a.indices() {
        y[[i]] += a[[i, j]] * x[[j + (i as usize).saturating_sub(p)]];
    }
}

#[test]
fn products_of_bands() {
    for (n, p, q) in [(6, 1, 1), (6, 2, 1), (5, 0, 2), (7, 6, 3), (4, 9, 9), (1, 0, 0), (0, 1, 1)] {
        let row = |i: usize| i.saturating_sub(p)..(i + q + 1).min(n);
        let a: Vec<i32> = noise((0..n).map(|i| row(i).len()).sum(), 100);
        let x: Vec<i32> = noise(n, 100);
        let mut y = vec![0; n];
        band_product(&a, &x, &mut y, n, p, q);
        let mut rest = a.iter();
        let mut sum = |i: usize| row(i).map(|j| rest.next().unwrap() * x[j]).sum();
        let wanted: Vec<i32> = (0..n).map(&mut sum).collect();
        assert_eq!(y, wanted, "{n} {p} {q}");
    }
}

/// Groups of different sizes, each by its own rows and columns, in one block.
#[shim::kernel]
fn grouped(memory: &mut [i32], rows: [usize; 3], columns: &[usize], at: usize) -> i32 {
    let groups = Block::external(memory, [3, |g| rows[g], |g| 2 * columns[g], 4]);
    for [g, y, x, k] in groups.indices() {
        groups[[g, y, x, k]] += 1000 * g + 100 * y + 10 * x + k;
    }
    groups.get([at, 1, 1, 3]).unwrap_or(-1)
}

#[test]
fn groups_by_lists() {
    for (rows, columns) in [([4, 2, 2], [6, 3, 3]), ([0, 1, 2], [5, 0, 1]), ([0, 0, 0], [0, 0, 0])] {
        let points: Vec<[usize; 4]> = (0..3)
            .flat_map(|g| (0..rows[g]).map(move |y| (g, y)))
            .flat_map(|(g, y)| (0..2 * columns[g]).map(move |x| (g, y, x)))
            .flat_map(|(g, y, x)| (0..4).map(move |k| [g, y, x, k]))
            .collect();
        let value = |[g, y, x, k]: [usize; 4]| (1000 * g + 100 * y + 10 * x + k) as i32;
        let wanted: Vec<i32> = points.iter().copied().map(value).collect();
        for at in 0..5 {
            let mut memory = vec![0; wanted.len()];
            let found = points.contains(&[at, 1, 1, 3]).then(|| value([at, 1, 1, 3]));
            assert_eq!(grouped(&mut memory, rows, &columns, at), found.unwrap_or(-1), "{rows:?} {at}");
            assert_eq!(memory, wanted);
        }
    }
}

/// The same groups in tiles of eight columns, whose elements alternate.
#[shim::kernel]
fn grouped_tiles(memory: &mut [i32], rows: [usize; 3], tiles: [usize; 3]) {
    let groups = Block::external(memory, [3, |g| rows[g], |g| 8 * tiles[g], 4]).stored(tile([1, 1, 8, 1]));
    for [g, y, x, k] in groups.indices() {
        groups[[g, y, x, k]] += 1000 * g + 100 * y + 10 * x + k;
    }
}

#[test]
fn groups_in_tiles() {
    for (rows, tiles) in [([4, 2, 2], [6, 3, 3]), ([0, 1, 2], [5, 0, 1]), ([0, 0, 0], [0, 0, 0])] {
        let mut wanted = Vec::new();
        for g in 0..3 {
            for (y, t) in (0..rows[g]).flat_map(|y| (0..tiles[g]).map(move |t| (y, t))) {
                let tile = (0..4).flat_map(|k| (0..8).map(move |lane| (k, 8 * t + lane)));
                wanted.extend(tile.map(|(k, x)| (1000 * g + 100 * y + 10 * x + k) as i32));
            }
        }
        let mut memory = vec![0; wanted.len()];
        grouped_tiles(&mut memory, rows, tiles);
        assert_eq!(memory, wanted);
    }
}

/// An image pyramid in one block: each level has half the rows and columns of the one before.
#[shim::kernel]
fn pyramid(image: &[u8], levels: &mut [u8]) {
    let image = Block::external(image, [24, 40]);
    let levels = Block::external(levels, [4, |l| 24 >> l, |l| 40 >> l]);
    for [y, x] in image.indices() {
        levels[[0, y, x]] = image[[y, x]];
    }
    for l in 1..4 {
        for y in 0..24 >> l {
            for x in 0..40 >> l {
                let sum = u16::from(levels[[l - 1, 2 * y, 2 * x]])
                    + u16::from(levels[[l - 1, 2 * y, 2 * x + 1]])
                    + u16::from(levels[[l - 1, 2 * y + 1, 2 * x]])
                    + u16::from(levels[[l - 1, 2 * y + 1, 2 * x + 1]]);
                levels[[l, y, x]] = (sum / 4) as u8;
            }
        }
    }
}

#[test]
fn a_pyramid_is_one_block() {
    let image: Vec<u8> = noise(24 * 40, 256);
    let mut levels = vec![0; 24 * 40 + 12 * 20 + 6 * 10 + 3 * 5];
    pyramid(&image, &mut levels);
    let mut wanted = image;
    let (mut from, mut width) = (0, 40);
    while wanted.len() < levels.len() {
        let next = wanted.len();
        for y in (0..(next - from) / width).step_by(2) {
            for x in (0..width).step_by(2) {
                let at = |y: usize, x: usize| u16::from(wanted[from + y * width + x]);
                let sum = at(y, x) + at(y, x + 1) + at(y + 1, x) + at(y + 1, x + 1);
                wanted.push((sum / 4) as u8);
            }
        }
        (from, width) = (next, width / 2);
    }
    assert_eq!(levels, wanted);
}

/// The sums of the subtrees of a complete binary tree, level by level from the root.
#[shim::kernel]
fn sums_of_subtrees(tree: &mut [i64], levels: usize) {
    let tree = Block::external(tree, [levels, |l| 1 << l]);
    for up in 1..levels {
        let l = levels - 1 - up;
        for x in 0..1 << l {
            tree[[l, x]] += tree[[l + 1, 2 * x]] + tree[[l + 1, 2 * x + 1]];
        }
    }
}

#[test]
fn a_tree_is_levels_of_powers() {
    for levels in 0..8 {
        let mut tree: Vec<i64> = noise((1 << levels) - 1, 100);
        let mut wanted = tree.clone();
        for node in (0..wanted.len() / 2).rev() {
            wanted[node] += wanted[2 * node + 1] + wanted[2 * node + 2];
        }
        sums_of_subtrees(&mut tree, levels);
        assert_eq!(tree, wanted, "{levels}");
    }
}

/// The sum of each row, where the rows follow one another and have any length.
#[shim::kernel]
fn segmented_sum(values: &[i32], starts: &[u32], sums: &mut [i32], n: usize) {
    let values = Block::external(values, [n, |i| starts[i]..starts[i + 1]]);
    let sums = Block::external(sums, [n]);
    for [i] in sums.indices() {
        sums[[i]] = 0;
    }
    for [i, j] in values.indices() {
        sums[[i]] += values[[i, j]];
    }
}

#[test]
fn rows_of_any_length() {
    for starts in [&[0, 3, 3, 7, 8][..], &[0], &[0, 0, 0], &[0, 5]] {
        let n = starts.len() - 1;
        let values: Vec<i32> = noise(starts[n] as usize + 2, 100);
        let mut sums = vec![-1; n];
        segmented_sum(&values, starts, &mut sums, n);
        let row = |i: usize| &values[starts[i] as usize..starts[i + 1] as usize];
        assert_eq!(sums, (0..n).map(|i| row(i).iter().sum()).collect::<Vec<i32>>());
    }
    panics_with(|| segmented_sum(&[0; 9], &[1, 2], &mut [0], 1), &["row 0 does not start at 0"]);
    panics_with(|| segmented_sum(&[0; 9], &[0, 5, 4], &mut [0; 2], 2), &["row 1 ends before it starts"]);
    panics_with(|| segmented_sum(&[0; 9], &[0, 5], &mut [0; 2], 2), &["2 rows need 2 starts and an end"]);
    panics_with(|| segmented_sum(&[0; 4], &[0, 5], &mut [0; 1], 1), &["does not fit memory of length 4"]);
}

/// A template over rows: the sum of the products of two tensors of rank 1.
#[shim::kernel]
fn dot(a: impl Tensor<i32, 1>, b: impl Tensor<i32, 1>) -> i32 {
    (0..a.extent(0)).map(|k| a[[k]] * b[[k]]).sum()
}

/// Rows of a shape are tensors of rank 1, and ranges of its first axis shapes.
#[shim::kernel]
fn by_rows(a: &[i32], x: &[i32], y: &mut [i32], n: usize, from: usize, to: usize) -> usize {
    let a = Block::external(a, [n, |i| i + 1]);
    let x = Block::external(x, [n]);
    let y = Block::external(y, [n]);
    for i in 0..n {
        y[[i]] = dot(a[[i, ..]], x);
    }
    let middle = a[[from..to, ..]];
    for [i, j] in middle.indices() {
        y[[from + i]] += 10 * middle[[i, j]];
    }
    let every_other = a[[(1..n).step_by(2), ..]];
    for i in 0..every_other.extent(0) {
        let row = every_other.slice(0, i);
        for [j] in row[[1..]].indices() {
            y[[2 * i + 1]] += 100 * row[[j + 1]];
        }
    }
    a[[n - 1, ..]].extent(0) + a.extent(0)
}

#[test]
fn rows_and_ranges_of_a_shape() {
    for (n, from, to) in [(1, 0, 0), (1, 0, 1), (2, 1, 2), (5, 1, 4), (8, 3, 8), (8, 5, 3)] {
        let a: Vec<i32> = noise(n * (n + 1) / 2, 100);
        let x: Vec<i32> = noise(n, 100);
        let mut y = vec![0; n];
        assert_eq!(by_rows(&a, &x, &mut y, n, from, to), 2 * n);
        let row = |i: usize| &a[i * (i + 1) / 2..][..=i];
        let wanted = (0..n).map(|i| {
            let product: i32 = row(i).iter().zip(&x).map(|(a, x)| a * x).sum();
            let middle: i32 = if (from..to).contains(&i) { row(i).iter().sum() } else { 0 };
            let other: i32 = if i % 2 == 1 { row(i)[1..].iter().sum() } else { 0 };
            product + 10 * middle + 100 * other
        });
        assert_eq!(y, wanted.collect::<Vec<i32>>(), "{n} {from} {to}");
    }
}

/// Rows of a shape like any other tensors: copied, permuted, cast, filled outside, in parts.
#[shim::kernel]
fn rows_as_tensors(a: &mut [i32], n: usize, at: usize) -> i64 {
    let a = Block::external(a, [n, |i| i + 2, 3]);
    let row = a[[at, .., ..]];
    let copy = row.to_block().copied();
    let turned = row.permute([1, 0]);
    for [k, j] in turned.indices() {
        turned[[k, j]] += copy[[j, k]] + k;
    }
    let filled = a.boundary(Fill(7));
    let x = iters();
    a[[at, x, 0]] = -1;
    let mut sum = 0;
    for i in -1..at as isize + 2 {
        for j in -1..n as isize + 3 {
            sum += i64::from(filled[[i, j, 1]]);
        }
    }
    sum + i64::from(row.boundary(Fill(1000)).cast::<i32>()[[at + 2, 0]])
}

#[test]
fn rows_of_a_shape_are_tensors() {
    for (n, at) in [(1, 0), (2, 1), (5, 0), (5, 3), (6, 5)] {
        let rows: Vec<usize> = (0..n).map(|i| i + 2).collect();
        let start = |i: usize| 3 * rows[..i].iter().sum::<usize>();
        let mut a: Vec<i32> = noise(start(n), 100);
        let mut wanted = a.clone();
        for (place, value) in wanted[start(at)..start(at + 1)].iter_mut().enumerate() {
            *value = if place % 3 == 0 { -1 } else { 2 * *value + (place % 3) as i32 };
        }
        let found = rows_as_tensors(&mut a, n, at);
        assert_eq!(a, wanted);
        let mut sum = 1000;
        for i in -1..at as isize + 2 {
            for j in -1..n as isize + 3 {
                let inside = (0..n as isize).contains(&i) && (0..i + 2).contains(&j);
                sum += if inside { i64::from(wanted[start(i as usize) + 3 * j as usize + 1]) } else { 7 };
            }
        }
        assert_eq!(found, sum, "{n} {at}");
    }
}

/// Groups of tiles, whose sizes are fields.
#[shim::located]
struct Groups {
    rows: [usize; 3],
    tiles: Vec<u32>,
    #[shape(3, |g| rows[g], |g| 8 * tiles[g], 4)]
    #[stored(tile([1, 1, 8, 1]))]
    values: Vec<i32>,
    #[shape(3, |g| rows[g])]
    sums: Vec<i32>,
}

#[shim::kernel]
fn number_groups(#[located] groups: &mut Groups) {
    for [g, y, x, k] in groups.values.indices() {
        groups.values[[g, y, x, k]] += 1000 * g + 100 * y + 10 * x + k;
    }
    for [g, y] in groups.sums.indices() {
        for [x, k] in groups.values[[g, y, .., ..]].indices() {
            groups.sums[[g, y]] += groups.values[[g, y, x, k]];
        }
    }
}

/// A sparse matrix by rows.
#[shim::located]
struct Sparse {
    n: usize,
    starts: Vec<u32>,
    #[shape(n, |i| starts[i]..starts[i + 1])]
    values: Vec<f32>,
    #[shape(n, |i| starts[i]..starts[i + 1])]
    columns: Vec<u16>,
}

#[shim::kernel]
fn sparse_product(#[located] a: &Sparse, x: &[f32], y: &mut [f32]) {
    let x = Block::external(x, [x.len()]);
    let y = Block::external(y, [a.n]);
    for i in 0..a.n {
        let mut sum = 0.0;
        for [j] in a.values[[i, ..]].indices() {
            sum += a.values[[i, j]] * x[[a.columns[[i, j]]]];
        }
        y[[i]] = sum;
    }
}

#[test]
fn shapes_of_fields() {
    let (rows, tiles) = ([3, 0, 2], vec![2, 7, 1]);
    let count = 32 * (3 * 2 + 2);
    let mut groups = Groups { rows, tiles: tiles.clone(), values: vec![0; count], sums: vec![0; 5] };
    number_groups(&mut groups);
    let mut wanted = vec![0; count];
    grouped_tiles(&mut wanted, rows, [2, 7, 1]);
    assert_eq!(groups.values, wanted);
    let sum = |group: usize, row: usize| -> usize {
        let columns = 8 * tiles[group] as usize;
        4 * columns * (1000 * group + 100 * row) + 4 * 10 * columns * (columns - 1) / 2 + 6 * columns
    };
    let wanted = [sum(0, 0), sum(0, 1), sum(0, 2), sum(2, 0), sum(2, 1)].map(|sum| sum as i32);
    assert_eq!(groups.sums, wanted);

    let values = vec![1.0, 2.0, 3.0, 4.0];
    let a = Sparse { n: 3, starts: vec![0, 3, 3, 4], values, columns: vec![0, 2, 1, 1] };
    let mut y = [-1.0; 3];
    sparse_product(&a, &[10.0, 100.0, 1000.0], &mut y);
    assert_eq!(y.map(f32::to_bits), [10.0_f32 + 2000.0 + 300.0, 0.0, 400.0].map(f32::to_bits));
    let late = Sparse { starts: vec![0, 3, 3, 5], ..a };
    panics_with(|| sparse_product(&late, &[0.0; 3], &mut [0.0; 3]), &["does not fit memory of length 4"]);
}

/// A triangle of a dense block, and the symmetric matrix of a packed one.
#[shim::kernel]
fn symmetric_product(packed: &mut [i32], dense: &[i32], x: &[i32], y: &mut [i32], n: usize) -> usize {
    let dense = Block::external(dense, [n, n]);
    let lower = dense.shaped([n, |i| i + 1]);
    let filled = Block::external(&mut *packed, [n, |i| i + 1]);
    let mut count = 0;
    for [i, j] in lower.indices() {
        filled[[i, j]] = lower[[i, j]];
        count += 1;
    }
    // The element at row i and column j is that at row j and column i.
    let lower = Block::external(&*packed, [n, |i| i + 1]);
    let upper = Block::external(&*packed, [n, |i| i + 1]).permuted([1, 0]);
    let symmetric = lower.or(upper);
    let zeros = lower.dense().boundary(Fill(0));
    for [i, j] in zeros.indices() {
        count += usize::from(zeros[[i, j]] != symmetric[[i, j]]);
    }
    let x = Block::external(x, [n]);
    let y = Block::external(y, [n]);
    for i in 0..n {
        y[[i]] = (0..n).map(|j| symmetric[[i, j]] * x[[j]]).sum();
    }
    count
}

#[test]
fn a_symmetric_matrix_of_a_packed_triangle() {
    for n in [0, 1, 2, 5, 9] {
        let dense: Vec<i32> = noise(n * n, 100);
        let x: Vec<i32> = noise(n, 100);
        let (mut packed, mut y) = (vec![0; n * (n + 1) / 2], vec![0; n]);
        let at = |i: usize, j: usize| dense[i.max(j) * n + i.min(j)];
        let above = (0..n).flat_map(|i| (i + 1..n).map(move |j| at(i, j))).filter(|value| *value != 0);
        let count = packed.len() + above.count();
        assert_eq!(symmetric_product(&mut packed, &dense, &x, &mut y, n), count);
        let wanted: Vec<i32> = (0..n).map(|i| (0..n).map(|j| at(i, j) * x[j]).sum()).collect();
        assert_eq!(y, wanted);
    }
}

/// Three pieces beside one another, of different memory, and a value outside all of them.
#[shim::kernel]
fn joined(a: &[u8], b: &[u8], c: &[u8], out: &mut [i32]) -> bool {
    let (na, nb, nc) = (a.len(), b.len(), c.len());
    let a = Block::external(a, [na]);
    let b = Block::external(b, [nb]).at([na]);
    let c = Block::external(c, [nc]).at([na + nb]);
    let whole = a.or(b).or(c);
    let padded = whole.cast::<i32>().boundary(Fill(-1));
    let out = Block::external(out, [na + nb + nc + 4]);
    for i in 0..na + nb + nc + 4 {
        out[[i]] = padded[[i - 2]];
    }
    let copy = whole[[1..]].to_block();
    whole.contains([na + nb + nc - 1]) && !whole.contains([na + nb + nc]) && copy.contains([nb])
}

#[test]
fn pieces_beside_one_another() {
    for [na, nb, nc] in [[3, 2, 4], [1, 1, 1], [5, 7, 40], [40, 3, 1]] {
        let [a, b, c]: [Vec<u8>; 3] = [noise(na, 256), noise(nb, 256), noise(nc, 256)];
        let mut out = vec![0; na + nb + nc + 4];
        assert!(joined(&a, &b, &c, &mut out));
        let all = a.iter().chain(&b).chain(&c).map(|&value| i32::from(value));
        let wanted: Vec<i32> = [-1, -1].into_iter().chain(all).chain([-1, -1]).collect();
        assert_eq!(out, wanted);
    }
}
