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
