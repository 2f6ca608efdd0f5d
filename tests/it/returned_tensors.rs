//! Templates that return tensors: views of their arguments, and blocks that they allocate.

use shim::prelude::*;

#[shim::kernel]
fn interior(t: impl Tensor<u8, 2>, margin: usize) -> impl Tensor<u8, 2> {
    let (h, w) = (t.extent(0), t.extent(1));
    t[[margin..h - margin, margin..w - margin]]
}

/// A copy on the heap, transposed.
#[shim::kernel]
fn transposed<T>(t: impl Tensor<T, 2>) -> impl Tensor<T, 2> {
    let n = t.extent(0);
    let turned = t.permute([1, 0]);
    let copy = turned.to_block().copied();
    let _ = n;
    copy
}

/// Means of 2x2 elements, on the stack.
#[shim::kernel]
fn halved<const H: usize, const W: usize>(t: impl Tensor<u8, 2>) -> impl Tensor<u8, 2> {
    const WEIGHTS: [u32; 4] = [1, 1, 1, 1];
    const ROUND: u32 = 2;
    let small = Block::stack::<u8>([H, W]);
    for [y, x] in small.indices() {
        let mut sum = ROUND;
        for k in 0..4 {
            sum += WEIGHTS[k as usize] * u32::from(t[[2 * y + k / 2, 2 * x + k % 2]]);
        }
        small[[y, x]] = (sum / 4) as u8;
    }
    small
}

/// Even and odd elements, and how many there are.
#[shim::kernel]
fn split<T>(t: impl Tensor<T, 1>) -> (impl Tensor<T, 1>, usize, impl Tensor<T, 1>) {
    let n = t.extent(0);
    (t[[(0..n).step_by(2)]], n, t[[(1..n).step_by(2)]])
}

#[shim::kernel]
fn sum(t: impl Tensor<u8, 2>) -> u32 {
    t.indices().map(|[y, x]| u32::from(t[[y, x]])).sum::<u32>()
}

#[shim::kernel]
fn views(#[shape(h, w)] t: &mut [u8], h: usize, w: usize, margin: usize) -> u32 {
    let n = 1000;
    let inner = interior(t, margin);
    for [y, x] in inner.indices() {
        inner[[y, x]] += 1;
    }
    let twice = interior(interior(t, margin), 1);
    let before = sum(twice);
    // The templates' own names are not the caller's.
    before + n + sum(interior(t, margin).permute([1, 0]))
}

#[test]
fn views_are_returned() {
    for (h, w, margin) in [(6, 7, 1), (9, 8, 2), (4, 4, 1), (8, 10, 3)] {
        let start: Vec<u8> = (0..h * w).map(|k| (k * 31 % 200) as u8).collect();
        let mut found = start.clone();
        let sums = views(&mut found, h, w, margin);
        let inside = |y: usize, x: usize, m: usize| y >= m && y < h - m && x >= m && x < w - m;
        let mut wanted = 1000;
        for y in 0..h {
            for x in 0..w {
                let value = start[y * w + x] + u8::from(inside(y, x, margin));
                assert_eq!(found[y * w + x], value);
                wanted += u32::from(value) * u32::from(inside(y, x, margin));
                wanted += u32::from(value) * u32::from(inside(y, x, margin + 1));
            }
        }
        assert_eq!(sums, wanted);
    }
}

#[shim::kernel]
fn memory(#[shape(4, 6)] t: &[u8], #[shape(3, 2)] wide: &[i64]) -> ([u8; 6], u32, i64, u8) {
    const WEIGHTS: u32 = 7;
    let copy = 1;
    let small = halved::<2, 3>(t);
    let again = halved::<1, 1>(small);
    let turned = transposed(t);
    let both = transposed(transposed(wide));
    let mut kept = [0; 6];
    for [y, x] in small.indices() {
        kept[(3 * y + x) as usize] = small[[y, x]];
    }
    let mut wides = 0;
    for [y, x] in both.indices() {
        wides += both[[y, x]] - wide[[y, x]];
    }
    (kept, sum(turned) * WEIGHTS + copy, wides, again[[0, 0]])
}

#[test]
fn allocated_blocks_are_returned() {
    let t: Vec<u8> = (0..24).map(|k| (k * k % 97) as u8).collect();
    let mean = |y: usize, x: usize, w: usize, t: &[u8]| {
        let at = |j: usize, i: usize| u32::from(t[(2 * y + j) * w + 2 * x + i]);
        ((at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1) + 2) / 4) as u8
    };
    let small: Vec<u8> = (0..6).map(|k| mean(k / 3, k % 3, 6, &t)).collect();
    let sum: u32 = t.iter().map(|&x| u32::from(x)).sum();
    let found = memory(&t, &[1, -2, 3, -4, 5, -6]);
    assert_eq!(found.0[..], small);
    assert_eq!((found.1, found.2, found.3), (sum * 7 + 1, 0, mean(0, 0, 3, &small)));
}

#[shim::kernel]
fn lifting(#[shape(n)] line: &mut [i32], n: usize) -> usize {
    let (even, count, odd) = split(line);
    for [i] in odd.indices() {
        odd[[i]] -= even[[i]];
    }
    let (rest, _, none) = split(even);
    rest[[0]] += none.extent(0) as i32;
    count
}

#[test]
fn tuples_are_returned() {
    for n in 1..10 {
        let start: Vec<i32> = (0..n).map(|k| (k * 13 % 7) as i32).collect();
        let mut line = start.clone();
        assert_eq!(lifting(&mut line, n), n);
        let mut wanted = start;
        for k in (1..n).step_by(2) {
            wanted[k] -= wanted[k - 1];
        }
        wanted[0] += (n.div_ceil(2) / 2) as i32;
        assert_eq!(line, wanted);
    }
}

/// A choice between calls, in a loop, and a template that returns what another one returns.
#[shim::kernel]
fn line(t: impl Tensor<u8, 2>, turned: impl Template, k: usize) -> impl Tensor<u8, 1> {
    let u = turned(t);
    u.slice(0, k)
}

#[shim::kernel]
fn same(t: impl Tensor<u8, 2>) -> impl Tensor<u8, 2> {
    t
}

#[shim::kernel]
fn lines(#[shape(3, 3)] t: &[u8], columns: bool) -> [u8; 3] {
    let mut firsts = [0; 3];
    for k in 0..3 {
        let v = if columns { line(t, transposed, k) } else { line(t, same, k) };
        firsts[k] = v[[0]] + 10 * v[[2]];
    }
    firsts
}

#[test]
fn calls_are_chosen_at_run_time() {
    let t = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    assert_eq!(lines(&t, false), [31, 64, 97]);
    assert_eq!(lines(&t, true), [71, 82, 93]);
}

#[shim::kernel]
fn total(t: impl Tensor<u8, 2>, first: impl Tensor<u8, 2>, weight: u32) -> u32 {
    let own = t.indices().map(|[y, x]| u32::from(t[[y, x]]) * (y as u32 + weight)).sum::<u32>();
    own + 100 * u32::from(first[[0, 1]])
}

/// The result of a template parameter is given to another template: this definition cannot tell that it is a tensor.
#[shim::kernel]
fn total_of(turned: impl Template, weight_of: impl Template, t: impl Tensor<u8, 2>) -> u32 {
    let weight = weight_of(t);
    let u = turned(t);
    total(u, t, weight)
}

#[shim::kernel]
fn rows_of(t: impl Tensor<u8, 2>) -> u32 {
    t.extent(0) as u32
}

#[shim::kernel]
fn totals(#[shape(2, 3)] t: &[u8]) -> [u32; 2] {
    [total_of(same, rows_of, t), total_of(transposed, rows_of, t)]
}

#[test]
fn what_a_parameter_returns_goes_to_another_template() {
    let t = [1, 2, 3, 4, 5, 6];
    // The sums of rows are 6 and 15, those of columns 5, 7 and 9.
    assert_eq!(totals(&t), [2 * 6 + 3 * 15 + 200, 2 * 5 + 3 * 7 + 4 * 9 + 200]);
}

/// Which of two templates splits a line is known at run time. The choice stands in a template, whose definition leaves
/// it to the calls.
#[shim::kernel]
fn swapped<T>(t: impl Tensor<T, 1>) -> (impl Tensor<T, 1>, impl Tensor<T, 1>) {
    let (even, _, odd) = split(t);
    (odd, even)
}

#[shim::kernel]
fn ordered<T>(t: impl Tensor<T, 1>) -> (impl Tensor<T, 1>, impl Tensor<T, 1>) {
    let (even, _, odd) = split(t);
    (even, odd)
}

#[shim::kernel]
fn weighted(t: impl Tensor<u8, 1>, order: Option<bool>) -> u32 {
    let (first, second) = match order {
        Some(true) => swapped(t),
        Some(false) => ordered(t),
        None => (t[[..1]], t[[1..]]),
    };
    let sum = first.indices().map(|[i]| u32::from(first[[i]])).sum::<u32>();
    sum + 10 * second.indices().map(|[i]| u32::from(second[[i]])).sum::<u32>()
}

#[shim::kernel]
fn weigh(#[shape(n)] line: &[u8], n: usize, order: Option<bool>) -> u32 {
    weighted(line, order)
}

#[test]
fn a_choice_between_templates_that_return_tuples() {
    let line = [1, 2, 3, 4, 5];
    assert_eq!(weigh(&line, 5, Some(true)), 6 + 10 * 9);
    assert_eq!(weigh(&line, 5, Some(false)), 9 + 10 * 6);
    assert_eq!(weigh(&line, 5, None), 1 + 10 * 14);
}
