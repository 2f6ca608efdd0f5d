//! Loops in another order give what they give in the order of their source.

use std::cell::RefCell;

use crate::common::{noise, panics_with};
use shim::prelude::*;
use shim_core::{Curve, Order};

const SIZES: [(usize, usize); 12] =
    [(0, 0), (0, 5), (3, 0), (1, 1), (1, 9), (7, 1), (2, 3), (8, 8), (9, 17), (13, 7), (16, 32), (31, 29)];

/// Kernels with one body and an order each: neighbors that nothing writes, a loop of the body's own, a sum and a bit
/// set.
macro_rules! elementwise {
    ($($name:ident #[$($order:tt)*];)*) => { $(
        #[shim::kernel]
        fn $name(#[shape(h, w)] a: &[u16], h: usize, w: usize, #[shape(w, h)] out: &mut [u32]) -> (i32, u32) {
            let mut count: i32 = 0;
            let mut bits: u32 = 0;
            let near = a.boundary(Mirror);
            #[$($order)*]
            for [y, x] in a.indices() {
                let v = u32::from(a[[y, x]]);
                let mut sum = v * 3;
                for d in 0..3 {
                    sum += u32::from(near[[y - 1, x + d]]) << d;
                }
                if v % 2 == 1 {
                    sum += (y * 100 + x) as u32;
                }
                out[[x, y]] = sum;
                count += y - x;
                bits |= v;
            }
            (count, bits)
        }
    )* };
}

elementwise! {
    in_rows #[order(row_major)];
    in_columns #[order(axes([1, 0]))];
    in_tiles #[tile([4, 8])];
    in_small_tiles #[tile([1, 3])];
    in_large_tiles #[tile([100, 100])];
    in_nested_tiles #[order(tile([8, 8]).outer(column_major).inner(tile([2, 4]).inner(axes([1, 0]))))];
    backwards #[order(row_major.reversed())];
    in_tiles_backwards #[order(tile([3, 5]).reversed())];
    in_antidiagonals #[order(antidiagonal)];
    in_antidiagonals_backwards #[order(antidiagonal.reversed())];
    in_tiles_of_antidiagonals #[order(tile([4, 4]).inner(antidiagonal).outer(antidiagonal))];
    in_lanes #[order(lanes(4))];
}

type Elementwise = fn(&[u16], usize, usize, &mut [u32]) -> (i32, u32);

#[test]
fn orders_of_independent_iterations() {
    for (h, w) in SIZES {
        let a: Vec<u16> = noise(h * w, 50_000);
        let run = |kernel: Elementwise| {
            let mut out = vec![0; h * w];
            let sums = kernel(&a, h, w, &mut out);
            (out, sums)
        };
        let wanted = run(in_rows);
        let at = |y: usize, x: usize| u32::from(a[y * w + x]);
        for y in 0..h {
            for x in 0..w {
                let above = y.saturating_sub(1);
                let beside = |d: usize| if x + d < w { x + d } else { 2 * w - 1 - (x + d).min(2 * w - 1) };
                let near: u32 = (0..3).map(|d| at(above, beside(d)) << d).sum();
                if w > 2 {
                    let odd = if at(y, x) % 2 == 1 { 100 * y + x } else { 0 };
                    assert_eq!(wanted.0[x * h + y], at(y, x) * 3 + near + odd as u32, "{h}x{w}");
                }
            }
        }
        for kernel in [
            in_columns,
            in_tiles,
            in_small_tiles,
            in_large_tiles,
            in_nested_tiles,
            backwards,
            in_tiles_backwards,
            in_antidiagonals,
            in_antidiagonals_backwards,
            in_tiles_of_antidiagonals,
            in_lanes,
        ] {
            assert_eq!(run(kernel), wanted, "{h}x{w}");
        }
    }
}

/// Alignment of two sequences (Needleman and Wunsch): the scores depend on those above, to the left and between.
macro_rules! alignments {
    ($($name:ident $order:meta $layout:expr;)*) => { $(
        #[shim::kernel]
        fn $name(#[shape(33)] a: &[u8], #[shape(65)] b: &[u8], score: &mut [i32]) {
            let score = Block::external(score, [34, 66]).stored($layout);
            for i in 0..34 {
                score[[i, 0]] = -2 * i;
            }
            for j in 0..66 {
                score[[0, j]] = -2 * j;
            }
            let inner = score[[1.., 1..]];
            #[$order]
            for [i, j] in inner.indices() {
                let matched = inner[[i - 1, j - 1]] + if a[[i]] == b[[j]] { 3 } else { -1 };
                inner[[i, j]] = matched.max(inner[[i - 1, j]] - 2).max(inner[[i, j - 1]] - 2);
            }
        }
    )* };
}

alignments! {
    align_rows order(row_major) row_major;
    align_columns order(column_major) column_major;
    align_fronts order(antidiagonal) antidiagonal;
    align_tiles tile([8, 8]) tile([8, 8]);
    align_tile_fronts order(tile([16, 16]).outer(antidiagonal).inner(antidiagonal)) row_major;
}

#[test]
fn dynamic_programming_in_every_order() {
    let (a, b) = (noise::<u8>(33, 4), noise::<u8>(65, 4));
    let mut wanted = vec![vec![0_i32; 66]; 34];
    for i in 0..34 {
        for j in 0..66 {
            wanted[i][j] = if i == 0 || j == 0 {
                -2 * (i + j) as i32
            } else {
                let matched = wanted[i - 1][j - 1] + if a[i - 1] == b[j - 1] { 3 } else { -1 };
                matched.max(wanted[i - 1][j] - 2).max(wanted[i][j - 1] - 2)
            };
        }
    }
    let rows = |kernel: fn(&[u8], &[u8], &mut [i32]), layout: &Order| {
        let layout = layout.layout(&[34, 66]).unwrap();
        let mut score = vec![0; *layout.size().unwrap() as usize];
        kernel(&a, &b, &mut score);
        let row = |i| (0..66).map(|j| score[layout.offset(&[i, j]).unwrap() as usize]).collect::<Vec<_>>();
        (0..34).map(row).collect::<Vec<_>>()
    };
    assert_eq!(rows(align_rows, &Order::RowMajor), wanted);
    assert_eq!(rows(align_columns, &Order::ColumnMajor), wanted);
    assert_eq!(rows(align_fronts, &Order::Curve(Curve::Antidiagonal)), wanted);
    assert_eq!(rows(align_tiles, &Order::tile(&[8, 8])), wanted);
    assert_eq!(rows(align_tile_fronts, &Order::RowMajor), wanted);
}

/// A dependence on the upper right, as motion vectors have: legal in fronts of slope 2 and not in those of slope 1.
#[shim::kernel]
fn upper_right(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    let near = t.boundary(Fill(1));
    #[wavefront(2 * y + x)]
    for [y, x] in t.indices() {
        t[[y, x]] = t[[y, x]].wrapping_mul(31) ^ near[[y - 1, x + 1]] ^ near[[y, x - 1]].rotate_left(3);
    }
}

/// A variable of the macro's caller is not one of the macro's: the loops that name theirs stand alone.
#[shim::kernel]
fn named(#[shape(h, w)] t: &[u32], h: usize, w: usize, #[shape(h, w, 2)] out: &mut [u32]) {
    #[reorder(x, y)]
    for [y, x] in t.indices() {
        out[[y, x, 0]] = t[[y, x]] + 1;
    }
    #[wavefront(x + 3 * y)]
    for [y, x] in t.indices() {
        out[[y, x, 1]] = t[[y, x]] + x as u32;
    }
}

/// Blocks of a larger picture, each from the one to its left, and a tile of the iteration's own.
#[shim::kernel]
fn blocks(#[shape(4 * h, 4 * w)] t: &mut [u32], h: usize, w: usize) {
    let blocks = t.coarsen([4, 4]);
    #[tile([2, 3])]
    for [by, bx] in blocks.indices() {
        let own = Block::stack::<u32>([4, 4]);
        let block = t[[4 * by..4 * by + 4, 4 * bx..4 * bx + 4]];
        for [y, x] in block.indices() {
            own[[y, x]] = block[[y, x]] + 7;
        }
        let left = block.boundary(Fill(5));
        for [y, x] in block.indices() {
            block[[y, x]] = own[[y, x]] ^ left[[y, x - 1]];
        }
    }
}

#[test]
fn dependences_that_are_kept() {
    for (h, w) in SIZES {
        let before: Vec<u32> = noise(h * w, 1 << 30);
        let (mut found, mut wanted) = (before.clone(), before.clone());
        upper_right(&mut found, h, w);
        for y in 0..h {
            for x in 0..w {
                let at = |y: usize, x: usize| if y < h && x < w { wanted[y * w + x] } else { 1 };
                let (above, left) = (at(y.wrapping_sub(1), x + 1), at(y, x.wrapping_sub(1)));
                wanted[y * w + x] = wanted[y * w + x].wrapping_mul(31) ^ above ^ left.rotate_left(3);
            }
        }
        assert_eq!(found, wanted, "{h}x{w}");
        let mut pairs = vec![0; 2 * h * w];
        named(&before, h, w, &mut pairs);
        for (at, pair) in pairs.chunks(2).enumerate() {
            assert_eq!(*pair, [before[at] + 1, before[at] + (at % w) as u32]);
        }
        let before: Vec<u32> = noise(16 * h * w, 1 << 30);
        let (mut found, mut wanted) = (before.clone(), before);
        blocks(&mut found, h, w);
        for (by, bx) in (0..h).flat_map(|by| (0..w).map(move |bx| (by, bx))) {
            let own: Vec<u32> =
                (0..16).map(|k| wanted[(4 * by + k / 4) * 4 * w + 4 * bx + k % 4] + 7).collect();
            for (k, own) in own.into_iter().enumerate() {
                let at = (4 * by + k / 4) * 4 * w + 4 * bx + k % 4;
                let left = if bx == 0 && k % 4 == 0 { 5 } else { wanted[at - 1] };
                wanted[at] = own ^ left;
            }
        }
        assert_eq!(found, wanted, "{h}x{w}");
    }
}

/// Three axes, of which one has a single index; a point for all; a loop in a template.
#[shim::kernel]
fn volume(t: impl Tensor<u16, 3>) -> u64 {
    let mut sum: u64 = 0;
    #[order(axes([2, 0, 1]).reversed())]
    for p in t.indices() {
        sum += u64::from(t[p]) * 3;
    }
    #[tile([2, 1, 3])]
    for [z, _, x] in t.indices() {
        sum += (z * 2 + x) as u64;
    }
    sum
}

#[shim::kernel]
fn volumes(#[shape(d, 1, w)] t: &[u16], d: usize, w: usize) -> u64 {
    volume(t)
}

#[test]
fn other_ranks_and_templates() {
    let t: Vec<u16> = noise(35, 1000);
    let wanted: u64 = t.iter().map(|v| 3 * u64::from(*v)).sum::<u64>()
        + (0..5).flat_map(|z| (0..7).map(move |x| 2 * z + x)).sum::<u64>();
    assert_eq!(volumes(&t, 5, 7), wanted);
    panics_with(|| volumes(&t, 6, 7), &["volumes", "does not fit"]);
}

/// Coefficients in the order of a scan, and a sum whose copies depend on one another.
#[shim::kernel]
fn scanned(#[shape(4, 4)] block: &[i16], #[shape(16)] levels: &mut [i16], #[shape(4, 4)] sums: &mut [i32]) {
    let mut at: usize = 0;
    #[unroll]
    for [y, x] in block.indices() {
        sums[[y, x]] = i32::from(block[[y, x]]);
    }
    let near = sums.boundary(Fill(0));
    #[unroll]
    #[order(zigzag)]
    for [y, x] in sums.indices() {
        sums[[y, x]] = near[[y, x]] + near[[y - 1, x]] + near[[y, x - 1]];
    }
    for k in 0..16 {
        levels[[k]] = k as i16;
    }
    #[unroll]
    #[order(by(|[y, x]| 4 * x + (y + 3) % 4))]
    for [y, x] in block.indices() {
        levels[[4 * y + x]] = 2 * block[[y, x]];
    }
    #[unroll]
    #[order(hilbert)]
    for [y, x] in block.indices() {
        levels[[4 * y + x]] = block[[y, x]];
        at += 1;
    }
    assert_eq!(at, 16);
}

#[test]
fn unrolled_orders() {
    let block: Vec<i16> = noise(16, 300);
    let (mut levels, mut sums) = ([0; 16], [0; 16]);
    scanned(&block, &mut levels, &mut sums);
    let mut wanted: Vec<i32> = block.iter().map(|v| i32::from(*v)).collect();
    for k in 0..16 {
        wanted[k] += if k >= 4 { wanted[k - 4] } else { 0 } + if k % 4 > 0 { wanted[k - 1] } else { 0 };
    }
    assert_eq!((&levels[..], &sums[..]), (&block[..], &wanted[..]));
}

thread_local! {
    static VISITED: RefCell<Vec<[i32; 2]>> = const { RefCell::new(Vec::new()) };
}

/// Records an iteration, which orders may not see: they are told that it only computes.
fn visit(y: i32, x: i32) -> u8 {
    VISITED.with_borrow_mut(|visited| visited.push([y, x]));
    1
}

/// A kernel for each order that visits a block of 16x16, and the order.
macro_rules! rolled {
    ($($name:ident $order:expr;)*) => { $(
        #[shim::kernel]
        fn $name(#[shape(2 * n, 16)] seen: &mut [u8], n: usize) {
            let seen = seen[[0..16, ..]];
            #[order($order)]
            #[pure(visit)]
            for [y, x] in seen.indices() {
                seen[[y, x]] += visit(y, x);
            }
        }
    )* };
}

rolled! {
    in_zigzags zigzag;
    in_zigzags_backwards zigzag.reversed();
    in_bits morton;
    along_hilbert hilbert;
    by_function by(|[y, x]| 37 * (16 * y + x) % 256);
    swizzled swizzle(8);
    composed axes([1, 0]).then([4, 64], column_major);
    in_scans tile([4, 4]).outer(zigzag).inner(hilbert);
    in_four_lanes lanes(4);
}

#[test]
fn rolled_loops_in_orders_by_points() {
    use shim::orders::*;
    type Kernel = fn(&mut [u8], usize);
    let kernels: [(Kernel, shim::Order); 9] = [
        (in_zigzags, zigzag),
        (in_zigzags_backwards, zigzag.reversed()),
        (in_bits, morton),
        (along_hilbert, hilbert),
        (by_function, by(|[y, x]| 37 * (16 * y + x) % 256)),
        (swizzled, swizzle(8)),
        (composed, axes([1, 0]).then([4, 64], column_major)),
        (in_scans, tile([4, 4]).outer(zigzag).inner(hilbert)),
        (in_four_lanes, lanes(4)),
    ];
    for (kernel, order) in kernels {
        let mut seen = [0; 16 * 16];
        kernel(&mut seen, 8);
        assert_eq!(seen, [1; 256]);
        let layout = order.layout(&[16_i64, 16]).expect("a layout");
        let visited = VISITED.take();
        if option_env!("SHIM_SCHEDULE") == Some("none") {
            continue;
        }
        for (position, [y, x]) in visited.into_iter().enumerate() {
            assert_eq!(layout.offset(&[i64::from(y), i64::from(x)]), Ok(position as i64), "{order:?}");
        }
    }
}

/// Sums in which every element depends on those above it and at its left, along the only orders by points that keep
/// them.
#[shim::kernel]
fn summed(#[shape(8 * n, 8)] t: &mut [u32], n: usize) {
    let before = t.boundary(Fill(0));
    #[order(tile([8, 8]).inner(zigzag))]
    for [y, x] in t.indices() {
        t[[y, x]] += before[[y - 1, x]] + before[[y, x - 1]];
    }
    #[order(tile([4, 8]).inner(morton))]
    for y in 0..8 {
        for x in 0..8 {
            t[[y, x]] ^= before[[y - 1, x - 1]];
        }
    }
}

#[test]
fn orders_by_points_keep_dependences() {
    let n = 3;
    let mut t: Vec<u32> = noise(64 * n, 90);
    let mut wanted = t.clone();
    summed(&mut t, n);
    let at = |t: &[u32], y: usize, x: usize| if y > 0 && x > 0 { t[8 * (y - 1) + x - 1] } else { 0 };
    for i in 0..64 * n {
        wanted[i] += if i >= 8 { wanted[i - 8] } else { 0 } + if i % 8 > 0 { wanted[i - 1] } else { 0 };
    }
    for i in 0..64 {
        wanted[i] ^= at(&wanted, i / 8, i % 8);
    }
    assert_eq!(t, wanted);
}
