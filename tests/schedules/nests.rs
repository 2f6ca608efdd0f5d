//! Nests of several loops in orders of many words give what they give in the order of their source.

use crate::common::{noise, panics_with};
use shim::prelude::*;

const SIZES: [[usize; 3]; 9] = [
    [0, 3, 4],
    [3, 0, 2],
    [2, 3, 0],
    [1, 1, 1],
    [3, 5, 7],
    [8, 8, 8],
    [13, 4, 17],
    [16, 33, 12],
    [7, 19, 23],
];

/// Matrix products of one body.
macro_rules! products {
    ($ty:ty: $($name:ident $(#[$word:meta])*;)*) => { $(
        #[shim::kernel]
        fn $name(
            #[shape(h, n)] a: &[$ty],
            #[shape(n, w)] b: &[$ty],
            #[shape(h, w)] c: &mut [$ty],
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

products! { f32:
    source;
    rows #[reorder(i, k, j)];
    outside #[reorder(k, i, j)];
    backwards #[reorder(k, j, i)];
    tiled #[tile([4, 8, 3])];
    two_levels #[tile([8, 16, 8])] #[tile([2, 4, 8])];
    tiles_reordered #[reorder(k, j, i)] #[tile([4, 4, 4])] #[reorder(i, k, j)];
    in_part #[tile([_, 8, 4])] #[reorder(i, k, j)];
    peeled #[tile([4, 8, 4], peel)];
    unrolled #[tile([2, _, 4], peel)] #[reorder(j, i, k)] #[unroll(i, k)];
    twice #[tile([_, 16, 8])] #[tile([4, _, 4], peel)] #[reorder(j, i, k)] #[unroll(k, i)];
    thin #[tile([1, 5, 1])];
    unrolled_last #[reorder(i, k, j)] #[unroll(4)];
}

products! { i32:
    integers #[tile([4, 4, 4], peel)] #[reorder(k, i, j)];
}

type Product = fn(&[f32], &[f32], &mut [f32], [usize; 3]);

#[test]
fn products_in_every_order() {
    for [h, n, w] in SIZES {
        let a: Vec<f32> = noise::<i16>(h * n, 1000).into_iter().map(|v| f32::from(v) / 7.0).collect();
        let b: Vec<f32> = noise::<i16>(n * w, 1000).into_iter().map(|v| f32::from(v) / 11.0).collect();
        let run = |product: Product| {
            let mut c = vec![0.5; h * w];
            product(&a, &b, &mut c, [h, n, w]);
            // The bits: the sum of one element is in the same sequence in every order.
            c.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let mut wanted = vec![0.5_f32; h * w];
        for (i, j, k) in (0..h).flat_map(|i| (0..w).flat_map(move |j| (0..n).map(move |k| (i, j, k)))) {
            wanted[i * w + j] += a[i * n + k] * b[k * w + j];
        }
        let wanted: Vec<u32> = wanted.into_iter().map(f32::to_bits).collect();
        let products: [(&str, Product); 13] = [
            ("source", source),
            ("rows", rows),
            ("outside", outside),
            ("backwards", backwards),
            ("tiled", tiled),
            ("two_levels", two_levels),
            ("tiles_reordered", tiles_reordered),
            ("in_part", in_part),
            ("peeled", peeled),
            ("unrolled", unrolled),
            ("twice", twice),
            ("thin", thin),
            ("unrolled_last", unrolled_last),
        ];
        for (name, product) in products {
            assert_eq!(run(product), wanted, "{name}: {h}x{n}x{w}");
        }
        let (a, b) = (noise::<i32>(h * n, 100), noise::<i32>(n * w, 100));
        let (mut c, mut wanted) = (vec![3; h * w], vec![3; h * w]);
        integers(&a, &b, &mut c, [h, n, w]);
        for (i, j, k) in (0..h).flat_map(|i| (0..w).flat_map(move |j| (0..n).map(move |k| (i, j, k)))) {
            wanted[i * w + j] += a[i * n + k] * b[k * w + j];
        }
        assert_eq!(c, wanted);
    }
}

/// Ranges of several types, with steps and from the end; the variables as values of their types.
macro_rules! ranges {
    ($($name:ident $(#[$word:meta])*;)*) => { $(
        #[shim::kernel]
        fn $name(#[shape(h, w)] out: &mut [u64], h: usize, w: usize, from: u8) -> u64 {
            let mut sum: u64 = 0;
            let (from, wide, high) = (u16::from(from), w as u16, h as i64);
            $(#[$word])*
            for y in (0..high).rev() {
                for x in (from..wide).step_by(3) {
                    out[[y, x]] = out[[y, x]] * 31 + (y as u64) * 1000 + u64::from(x) + u64::from(x / 2);
                    sum += u64::from(x).pow(2) + y.unsigned_abs();
                }
            }
            sum
        }
    )* };
}

ranges! {
    plain_ranges;
    swapped #[reorder(x, y)];
    tiled_ranges #[tile([3, 2])];
    peeled_ranges #[tile([2, 4], peel)] #[unroll(x)];
    reversed_ranges #[order(row_major)] #[unroll(2)];
    fronts #[wavefront(2 * y + x)];
}

#[test]
fn ranges_of_any_type_and_step() {
    for [h, from, w] in [[0, 0, 3], [4, 0, 0], [1, 2, 3], [5, 1, 20], [7, 0, 31], [3, 9, 7], [16, 200, 300]] {
        let run = |kernel: fn(&mut [u64], usize, usize, u8) -> u64| {
            let mut out = noise::<u64>(h * w, 100);
            let sum = kernel(&mut out, h, w, from as u8);
            (out, sum)
        };
        let (mut out, mut sum) = (noise::<u64>(h * w, 100), 0);
        for y in 0..h {
            for x in (from..w).step_by(3) {
                out[y * w + x] = out[y * w + x] * 31 + (y * 1000 + x + x / 2) as u64;
                sum += (x * x + y) as u64;
            }
        }
        for kernel in [plain_ranges, swapped, tiled_ranges, peeled_ranges, reversed_ranges, fronts] {
            assert_eq!(run(kernel), (out.clone(), sum), "{h}, {from}..{w}");
        }
    }
}

/// Elementwise assignments, a copy with a shifted last tile, and partly unrolled sums.
#[shim::kernel]
fn assignments(
    #[shape(h, w)] a: &[u16],
    #[shape(w, h)] turned: &mut [u16],
    #[shape(h, w)] twice: &mut [u32],
    h: usize,
    w: usize,
) -> (f32, u64) {
    let [y, x] = iters();
    #[tile([4, 8])]
    turned[[x, y]] = a[[y, x]];
    #[tile([8, 8], shift)]
    twice[[y, x]] = a[[y, x]] as u32 * 2;
    #[reorder(x, y)]
    twice[[y, x]] += 1;
    let (mut sum, mut count) = (0.0, 0);
    #[unroll(4)]
    for y in 0..h {
        sum = sum * 0.5 + a[[y, 0]] as f32;
    }
    #[unroll(3)]
    for [y, x] in a.indices() {
        count = count * 3 + u64::from(a[[y, x]] % 2) + (x - y) as u64 % 5;
        count %= 1_000_003;
    }
    (sum, count)
}

#[test]
fn assignments_have_orders() {
    for [h, _, w] in SIZES.map(|[h, n, w]| [h, n, w.max(1)]) {
        let a = noise::<u16>(h * w, 9999);
        let (mut turned, mut twice) = (vec![0; h * w], vec![0; h * w]);
        let found = assignments(&a, &mut turned, &mut twice, h, w);
        let (mut sum, mut count) = (0.0, 0);
        for y in 0..h {
            sum = sum * 0.5 + f32::from(a[y * w]);
            for x in 0..w {
                assert_eq!(turned[x * h + y], a[y * w + x]);
                assert_eq!(twice[y * w + x], 2 * u32::from(a[y * w + x]) + 1);
                count = count * 3 + u64::from(a[y * w + x] % 2) + (x as i32 - y as i32) as u64 % 5;
                count %= 1_000_003;
            }
        }
        assert_eq!(found, (sum, count), "{h}x{w}");
    }
}

/// A convolution: the taps are inside, and the boundary is split from the interior of the tiles.
#[shim::kernel]
fn convolve(
    #[shape(h, w)] a: &[i32],
    #[shape(3, 5)] taps: &[i32],
    h: usize,
    w: usize,
    #[shape(h, w)] out: &mut [i32],
) {
    let near = a.boundary(Clamp);
    #[tile([4, 16, _, _], peel)]
    #[reorder(y, dy, dx, x)]
    for [y, x] in out.indices() {
        for [dy, dx] in taps.indices() {
            out[[y, x]] += taps[[dy, dx]] * near[[y + dy - 1, x + dx - 2]];
        }
    }
}

/// Blocks of the body, loops in it that are not part of the nest, and conditions.
#[shim::kernel]
fn bodies(#[shape(4 * h, 4 * w)] t: &mut [u32], h: usize, w: usize) {
    let blocks = t.coarsen([4, 4]);
    #[tile([2, 2], peel)]
    #[reorder(bx, by)]
    for [by, bx] in blocks.indices() {
        let own = Block::stack::<u32>([4, 4]);
        let block = t[[4 * by..4 * by + 4, 4 * bx..4 * bx + 4]];
        for [y, x] in block.indices() {
            own[[x, y]] = block[[y, x]];
        }
        if (by + bx) % 2 == 0 {
            let [y, x] = iters();
            block[[y, x]] = own[[y, x]] + (by * 3 + bx) as u32;
        }
    }
}

#[test]
fn stencils_and_blocks() {
    for [h, _, w] in SIZES {
        let (a, taps) = (noise::<i32>(h * w, 99), noise::<i32>(15, 9));
        let mut out = vec![0; h * w];
        if h > 0 && w > 0 {
            convolve(&a, &taps, h, w, &mut out);
        }
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            let at = |y: isize, x: isize| {
                a[y.clamp(0, h as isize - 1) as usize * w + x.clamp(0, w as isize - 1) as usize]
            };
            let near = (0..15)
                .map(|k| taps[k] * at(y as isize + k as isize / 5 - 1, x as isize + k as isize % 5 - 2));
            assert_eq!(out[y * w + x], near.sum::<i32>(), "{h}x{w}: {y}, {x}");
        }
        let before = noise::<u32>(16 * h * w, 1000);
        let mut found = before.clone();
        bodies(&mut found, h, w);
        for (y, x) in (0..4 * h).flat_map(|y| (0..4 * w).map(move |x| (y, x))) {
            let (by, bx) = (y / 4, x / 4);
            let other = (4 * by + x % 4) * 4 * w + 4 * bx + y % 4;
            let turned = before[other] + (by * 3 + bx) as u32;
            let wanted = if (by + bx) % 2 == 0 { turned } else { before[y * 4 * w + x] };
            assert_eq!(found[y * 4 * w + x], wanted, "{h}x{w}: {y}, {x}");
        }
    }
}

#[shim::kernel]
fn beyond(#[shape(n)] a: &[u8], #[shape(n)] out: &mut [u8], n: usize, shift: usize) {
    #[tile([8], peel)]
    for x in 0..n {
        out[[x]] = a[[x + shift]];
    }
}

#[test]
fn what_is_outside_panics_before_anything_is_written() {
    let (a, mut out) = ([7; 20], [0; 20]);
    panics_with(|| beyond(&a, &mut out, 20, 3), &["beyond", "`a`", "[20]"]);
    assert_eq!(out, [0; 20]);
    beyond(&a, &mut out, 20, 0);
    assert_eq!(out, a);
}

/// Adjacent loops as one: over indices, over a range of the same lengths, and an assignment; tiled together.
#[shim::kernel]
fn fused(
    #[shape(h, w)] a: &[i32],
    #[shape(h, w)] b: &mut [i32],
    #[shape(h, w)] c: &mut [i32],
    h: usize,
    w: usize,
) -> (i32, i64) {
    let v = 5;
    let (mut sum, mut count): (i32, i64) = (0, 0);
    let before = b.boundary(Fill(7));
    #[fuse]
    #[tile([2, 3], peel)]
    for [y, x] in a.indices() {
        let v = a[[y, x]] * 2;
        b[[y, x]] = v + x;
        sum += 1;
    }
    for [i, j] in c.indices() {
        c[[i, j]] = before[[i - 1, j]] + b[[i, j]] + v;
        count += 1;
    }
    (sum, count)
}

#[shim::kernel]
fn fused_ranges(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    let [x] = iters();
    #[fuse]
    for k in 0..n {
        a[[k]] += k as u32;
    }
    #[fuse]
    for i in 0..n {
        b[[i]] = a[[i]] * 3;
    }
    for k in 0..n {
        a[[k]] = b[[k]] ^ (k as u32);
    }
    #[fuse]
    #[unroll(4)]
    b[[x]] += 2;
    a[[x]] += b[[x]];
}

#[test]
fn fused_loops() {
    for [h, _, w] in SIZES {
        let a = noise::<i32>(h * w, 99);
        let (mut b, mut c) = (vec![0; h * w], vec![0; h * w]);
        let sums = fused(&a, &mut b, &mut c, h, w);
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            let at = |y: usize| a[y * w + x] * 2 + x as i32;
            let above = if y > 0 { at(y - 1) } else { 7 };
            assert_eq!((b[y * w + x], c[y * w + x]), (at(y), above + at(y) + 5), "{h}x{w}: {y}, {x}");
        }
        assert_eq!(sums, ((h * w) as i32, (h * w) as i64));
        let before = noise::<u32>(w, 99);
        let (mut found, mut tripled) = (before.clone(), vec![0; w]);
        fused_ranges(&mut found, &mut tripled, w);
        for (k, before) in before.into_iter().enumerate() {
            let sum = (before + k as u32) * 3;
            assert_eq!((tripled[k], found[k]), (sum + 2, (sum ^ k as u32) + sum + 2));
        }
    }
}

/// A loop for each statement: with `let`s that some share, memory of a point's own, and edges.
#[shim::kernel]
fn distributed(
    #[shape(h, w)] a: &[i32],
    #[shape(h, w)] b: &mut [i32],
    #[shape(h, w)] c: &mut [i32],
    #[shape(h, w)] d: &mut [i32],
    h: usize,
    w: usize,
) {
    let (around, before) = (a.boundary(Clamp), b.boundary(Fill(3)));
    #[tile([3, 4], peel)]
    #[distribute]
    for [y, x] in a.indices() {
        b[[y, x]] = around[[y - 1, x + 1]] - around[[y + 1, x - 1]];
        let left = before[[y, x - 1]];
        let twice = 2 * left;
        c[[y, x]] += twice ^ left;
        let own = Block::stack::<i32>([2]);
        own[[0]] = a[[y, x]] + x;
        d[[y, x]] = own[[0]] + own[[1]];
        if d[[y, x]] > 7 {
            d[[y, x]] -= c[[y, x]];
        }
    }
}

/// The innermost loop has one iteration, and the one around it, whose iterations depend on one another, stays whole.
#[shim::kernel]
fn distributed_columns(
    #[shape(h, w)] a: &[i32],
    #[shape(h, w)] b: &mut [i32],
    #[shape(h, w)] c: &mut [i32],
    h: usize,
    w: usize,
) {
    let before = b.boundary(Fill(3));
    #[tile([4, 1])]
    #[distribute]
    for [y, x] in a.indices() {
        c[[y, x]] = before[[y - 1, x]];
        b[[y, x]] = a[[y, x]];
    }
}

#[shim::kernel]
fn distributed_ranges(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[distribute]
    for i in (1..n).rev() {
        a[[i]] += i as u32;
        b[[i - 1]] += a[[i]];
    }
    #[distribute]
    for i in (1..n).rev() {
        a[[i - 1]] += 1;
        b[[i]] ^= a[[i]];
    }
    #[order(row_major.reversed())]
    #[distribute]
    for [x] in a.indices() {
        a[[x]] ^= x as u32;
        b[[x]] += a[[x]];
    }
    #[fuse]
    #[distribute]
    for k in 0..n {
        a[[k]] += 1;
    }
    for i in 0..n {
        b[[i]] ^= a[[i]];
    }
    #[parallel]
    #[reorder(k, i)]
    #[distribute]
    for i in 0..n {
        for k in 0..1 {
            a[[i]] = a[[i]].rotate_left(3) ^ k as u32;
            b[[i]] ^= a[[i]];
        }
    }
}

/// The loop that is distributed is the one that has an interior.
#[shim::kernel]
fn distributed_interior(#[shape(h, 3)] a: &mut [i32], #[shape(h, 3)] b: &mut [i32], h: usize) {
    let below = a.boundary(Fill(3));
    #[reorder(x, y)]
    #[distribute]
    for y in 0..h {
        for x in 0..3 {
            b[[y, x]] += 5;
            a[[y, x]] += below[[y + 1, x]];
            a[[y, x]] *= 2;
        }
    }
}

#[test]
fn distributed_loops() {
    for [h, _, w] in SIZES {
        let (mut a, mut b) = (noise::<i32>(3 * h, 99), noise::<i32>(3 * h, 50));
        let (old, added) = (a.clone(), b.clone());
        distributed_interior(&mut a, &mut b, h);
        for i in 0..3 * h {
            assert_eq!(a[i], 2 * (old[i] + old.get(i + 3).copied().unwrap_or(3)), "{h}: {i}");
            assert_eq!(b[i], added[i] + 5, "{h}: {i}");
        }
        let a = noise::<i32>(h * w, 99);
        let (mut b, mut c, mut d) = (vec![0; h * w], noise::<i32>(h * w, 50), vec![0; h * w]);
        let old = c.clone();
        distributed(&a, &mut b, &mut c, &mut d, h, w);
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            let at = |y: usize, x: usize| a[y.min(h - 1) * w + x.min(w - 1)];
            let own = |x: usize| at(y.saturating_sub(1), x + 1) - at(y + 1, x.saturating_sub(1));
            let left = if x > 0 { own(x - 1) } else { 3 };
            let i = y * w + x;
            assert_eq!((b[i], c[i]), (own(x), old[i] + ((2 * left) ^ left)), "{h}x{w}: {y}, {x}");
            let sum = a[i] + x as i32;
            assert_eq!(d[i], if sum > 7 { sum - c[i] } else { sum }, "{h}x{w}: {y}, {x}");
        }
        let (mut b, mut c) = (vec![0; h * w], vec![0; h * w]);
        distributed_columns(&a, &mut b, &mut c, h, w);
        assert_eq!(b, a);
        assert!(c.iter().enumerate().all(|(i, c)| *c == if i < w { 3 } else { a[i - w] }), "{h}x{w}");
        let (before, mut added) = (noise::<u32>(w, 99), noise::<u32>(w, 50));
        let (mut found, mut expected) = (before.clone(), (before, added.clone()));
        distributed_ranges(&mut found, &mut added, w);
        let (own, sums) = (&mut expected.0, &mut expected.1);
        for i in (1..w).rev() {
            own[i] += i as u32;
            sums[i - 1] += own[i];
        }
        for i in (1..w).rev() {
            own[i - 1] += 1;
            sums[i] ^= own[i];
        }
        for i in 0..w {
            own[i] ^= i as u32;
            sums[i] += own[i];
            own[i] += 1;
            sums[i] ^= own[i];
            own[i] = own[i].rotate_left(3);
            sums[i] ^= own[i];
        }
        assert_eq!((found, added), expected, "{w}");
    }
}

fn weight(value: i32) -> i64 {
    i64::from(value) * 3 - 1
}

/// Extremes, and functions that only compute.
#[shim::kernel]
fn extremes(#[shape(h, w)] a: &[i32], #[shape(h, w)] out: &mut [i64], h: usize, w: usize) -> (i32, i32) {
    let (mut least, mut most): (i32, i32) = (i32::MAX, i32::MIN);
    #[tile([3, 4])]
    #[reorder(x, y)]
    #[pure(weight, rotate)]
    for [y, x] in a.indices() {
        out[[y, x]] = weight(a[[y, x]]);
        least = least.min(a[[y, x]]);
        most = most.max(a[[y, x]]);
    }
    let [y, x] = iters();
    #[pure(weight)]
    #[reorder(x, y)]
    out[[y, x]] += weight(7);
    (least, most)
}

#[test]
fn extremes_and_pure_functions() {
    for [h, _, w] in SIZES {
        let a = noise::<i32>(h * w, 99);
        let mut out = vec![0; h * w];
        let found = extremes(&a, &mut out, h, w);
        let least = a.iter().copied().min().unwrap_or(i32::MAX);
        assert_eq!(found, (least, a.iter().copied().max().unwrap_or(i32::MIN)));
        assert!(a.iter().zip(&out).all(|(a, out)| weight(*a) + 20 == *out));
    }
}

/// Constant lengths, of which some are zero or one; a template with a const generic, and an ordered nest in an ordered
/// nest.
#[shim::kernel]
fn ordered_rows<const H: usize, const W: usize>(t: impl Tensor<u32, 2>, by: u32) {
    #[tile([2, 3], peel)]
    #[reorder(x, y)]
    #[unroll(x, y)]
    for y in 0..H {
        for x in 0..W {
            t[[y, x]] = t[[y, x]] * 3 + by + (x - y.min(x)) as u32;
        }
    }
}

#[shim::kernel]
fn constant_lengths(a: &mut [u32; 35], b: &mut [u32; 1], c: &mut [u32; 12], by: u32) {
    ordered_rows::<5, 7>(Block::external(a, [5, 7]), by);
    ordered_rows::<1, 1>(Block::external(b, [1, 1]), by);
    ordered_rows::<2, 6>(Block::external(c, [2, 6]), by);
    ordered_rows::<0, 6>(Block::external(c, [2, 6]), by);
}

#[shim::kernel]
fn nested_orders(#[shape(h, w, 3, 5)] t: &mut [u32], h: usize, w: usize) {
    #[tile([2, 2], peel)]
    #[reorder(x, y)]
    for y in 0..h {
        for x in 0..w {
            let weight = (y * 10 + x) as u32;
            #[tile([2, 2], peel)]
            #[unroll(j)]
            for i in 0..3 {
                for j in 0..5 {
                    t[[y, x, i, j]] += weight + (i * 5 + j) as u32;
                }
            }
            #[unroll(2)]
            for j in 0..5 {
                t[[y, x, 2, j]] ^= 1;
            }
        }
    }
}

/// The variable keeps its type and its name in what the compiler does not look into.
#[shim::kernel]
fn written_out(#[shape(n)] a: &[u8], n: usize, text: &mut String) -> Option<u8> {
    #[unroll(3)]
    for k in 0..n {
        text.push_str(&format!("{k}:{} ", a[[k]]));
        if a[[k]] == 7 {
            return Some(a[[k]]);
        }
    }
    None
}

#[test]
fn constant_lengths_nested_orders_and_effects() {
    let (mut a, mut b, mut c) = ([1; 35], [1; 1], [1; 12]);
    constant_lengths(&mut a, &mut b, &mut c, 4);
    for (y, x) in (0..5_u32).flat_map(|y| (0..7_u32).map(move |x| (y, x))) {
        let wanted = 7 + x.saturating_sub(y);
        assert_eq!(a[(y * 7 + x) as usize], wanted);
        if y < 2 && x < 6 {
            assert_eq!(c[(y * 6 + x) as usize], wanted);
        }
    }
    assert_eq!(b, [7]);
    for [h, _, w] in SIZES {
        let mut t = vec![0; h * w * 15];
        nested_orders(&mut t, h, w);
        for (at, found) in t.into_iter().enumerate() {
            let (y, x, i, j) = (at / 15 / w, at / 15 % w, at % 15 / 5, at % 5);
            let sum = (y * 10 + x + i * 5 + j) as u32;
            assert_eq!(found, if i == 2 { sum ^ 1 } else { sum });
        }
    }
    for n in 0..10 {
        let a: Vec<u8> = (0..n).map(|k| k + 2).collect();
        let mut text = String::new();
        let found = written_out(&a, a.len(), &mut text);
        let last = a.iter().position(|v| *v == 7).map_or(a.len(), |at| at + 1);
        let wanted = a[..last].iter().enumerate().map(|(k, v)| format!("{k}:{v} "));
        let wanted = wanted.collect::<Vec<_>>().concat();
        assert_eq!((found, text), ((n > 5).then_some(7), wanted));
    }
}
