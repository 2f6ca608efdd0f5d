//! Words together: tiles with stages, reordering, fusion and lags, over each form of loop.

use crate::common::noise;
use shim::prelude::*;

type Transform = fn(&[u32], usize, usize, &mut [u32], &mut [u32]);

/// Both versions of a kernel write the same for heights and widths up to ones with several tiles.
fn compare(name: &str, plain: Transform, composed: Transform) {
    for [h, w] in [[0, 0], [0, 3], [1, 1], [1, 9], [2, 3], [4, 4], [5, 4], [8, 12], [9, 13], [19, 6]] {
        let run = |transform: Transform| {
            let mut out = noise::<u32>(h * w, 900);
            transform(&noise(h * w, 4000), h, w, &mut noise(2 * h * w, 500), &mut out);
            out
        };
        assert_eq!(run(plain), run(composed), "{name}, {h}x{w}");
    }
}

/// Rows are sums of those above, along a dependence that tiles keep, of a stage that each tile computes.
#[shim::kernel(schedules(composed))]
fn forward(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, compute_at('t))]
    let source = stage::<u32>(|[y, x]| src.boundary(Clamp)[[y, x]] ^ 2);
    #[schedule(composed, tile([4, 4], 't))]
    for y in 1..h {
        for x in 0..w {
            out[[y, x]] = out[[y - 1, x]].wrapping_add(source[[y + 1, x]]);
        }
    }
}

/// The axes change places, outside and in the tiles of a stage.
#[shim::kernel(schedules(composed))]
fn reordered(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, compute_at('t))]
    let blurred =
        stage::<u32>(|[y, x]| src.boundary(Mirror)[[y, x - 1]] / 2 + src.boundary(Mirror)[[y, x + 1]] / 2);
    #[schedule(composed, reorder(x, y))]
    #[schedule(composed, tile([4, 8], 't))]
    for y in 1..h {
        for x in 0..w {
            out[[y, x]] ^= blurred[[y - 1, x]] ^ blurred[[y, x]] ^ blurred[[y + 1, x]];
        }
    }
}

/// Tiles of an elementwise assignment.
#[shim::kernel(schedules(composed))]
fn elementwise(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    let [y, x] = iters();
    #[schedule(composed, compute_at('t))]
    let blurred =
        stage::<u32>(|[y, x]| src.boundary(Clamp)[[y - 1, x]] / 2 + src.boundary(Clamp)[[y + 1, x]] / 2);
    #[schedule(composed, tile([8, 4], 't))]
    #[schedule(composed, parallel)]
    out[[y, x]] = blurred[[y, x - 1]] ^ blurred[[y, x]] ^ blurred[[y, x + 1]];
}

/// Tiles of the indices of a triangle.
#[shim::kernel(schedules(composed))]
fn triangle(#[shape(n, n)] src: &[u32], #[shape(n, |i| i + 1)] out: &mut [u32], n: usize) {
    #[schedule(composed, compute_at('t))]
    let source = stage::<u32>(|[y, x]| src.boundary(Clamp)[[y, x]] ^ 3);
    #[schedule(composed, tile([4, 4], 't))]
    for [y, x] in out.indices() {
        out[[y, x]] = source[[y, x + 1]] ^ source[[y - 1, x]];
    }
}

/// Triangles are fused, the bounds of each being of its own variables.
#[shim::kernel(schedules(composed))]
fn fused_triangles(#[shape(n, n)] src: &[u32], #[shape(n, |i| i + 1)] out: &mut [u32], n: usize) {
    #[schedule(composed, tile([4, 4]))]
    #[schedule(composed, fuse)]
    for y in 0..n {
        for x in 0..=y {
            out[[y, x]] = src[[y, x]] / 5;
        }
    }
    for y in 0..n {
        for x in 0..=y {
            out[[y, x]] ^= src[[x, y]];
        }
    }
}

/// Two nests of ranges in the tiles of the first, each of which reads a stage of these.
#[shim::kernel(schedules(composed))]
fn fused(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, compute_at('t))]
    let shifted = stage::<u32>(|[y, x]| src.boundary(Clamp)[[y, x]] >> 1);
    #[schedule(composed, tile([8, 8], 't))]
    #[schedule(composed, fuse)]
    for y in 0..h {
        for x in 1..w {
            out[[y, x]] ^= shifted[[y, x - 1]];
        }
    }
    for y in 0..h {
        for x in 1..w {
            out[[y, x]] = out[[y, x]].wrapping_mul(shifted[[y + 1, x]]);
        }
    }
}

/// The third loop writes what the first one read.
#[shim::kernel(schedules(composed))]
fn three(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, fuse(lag = 1))]
    for y in 0..h {
        for x in 0..w {
            scratch[[0, y, x]] = out[[y, x]] / 2 + src[[y, x]] / 3;
        }
    }
    #[schedule(composed, fuse(lag = 1))]
    for y in 1..h {
        for x in 0..w {
            scratch[[1, y, x]] = scratch[[0, y - 1, x]] ^ scratch[[0, y, x]];
        }
    }
    for y in 1..h {
        for x in 0..w {
            out[[y, x]] = scratch[[1, y, x]];
        }
    }
}

/// The rows that the second loop reads end at the edge.
#[shim::kernel(schedules(composed))]
fn clamped(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, fuse(lag = 2))]
    for y in 0..h {
        for x in 0..w {
            scratch[[0, y, x]] = src[[y, x]] / 7;
        }
    }
    for y in 0..h {
        for x in 0..w {
            out[[y, x]] = scratch[[0, (y + 2).min(h - 1), x]] ^ scratch[[0, y, x]];
        }
    }
}

/// A stage at the parity of the column: 4:2:0 to 4:4:4.
#[shim::kernel(schedules(composed))]
fn by_parity(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, compute_at('t))]
    let near = stage::<u32>(|[y, x]| src.boundary(Clamp)[[y, x]] / 4);
    #[schedule(composed, tile([_, 8], 't))]
    for [y, x] in out.indices() {
        out[[y, x]] = 3 * near[[y / 2, x / 2]] + near[[y / 2, x / 2 + 2 * (x % 2) - 1]];
    }
}

/// Two axes, of which the outer one lags, in tiles.
#[shim::kernel(schedules(composed))]
fn lagging_tiles(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, tile([4, 4]))]
    #[schedule(composed, fuse(lag = 1))]
    for y in 0..h {
        for x in 0..w {
            scratch[[0, y, x]] = src[[y, x]] / 7;
        }
    }
    for y in 0..h {
        for x in 0..w {
            out[[y, x]] = scratch[[0, (y + 1).min(h - 1), x]] ^ scratch[[0, y, x]];
        }
    }
}

/// Loops of one iteration and a chain of lags: the second is not at that iteration.
#[shim::kernel(schedules(composed))]
fn behind_one_row(#[shape(4, 3)] rows: &mut [u32]) {
    #[schedule(composed, reorder(x, y))]
    #[schedule(composed, fuse(lag = 3))]
    for y in 0..1 {
        for x in 0..3 {
            rows[[y, x]] += 7;
        }
    }
    #[schedule(composed, fuse(lag = 2))]
    for y in 0..1 {
        for x in 0..3 {
            rows[[y + 2, x]] = rows[[y, x]] * 3;
        }
    }
    for y in 0..1 {
        for x in 0..3 {
            rows[[y + 3, x]] = rows[[y + 2, x]] + 1;
        }
    }
}

/// Column `k` is beside those that tasks change: the bounds of the inner loop, which is in no order, say so.
#[shim::kernel(schedules(composed))]
fn columns(#[shape(n, n)] a: &mut [u32], n: usize) {
    for k in 0..n {
        #[schedule(composed, parallel)]
        for i in k + 1..n {
            for j in k + 1..=i {
                a[[i, j]] = a[[i, j]].wrapping_sub(a[[i, k]] ^ a[[j, k]]);
            }
        }
    }
}

/// A chain in the tiles of a stage.
#[shim::kernel(schedules(composed))]
fn chain(
    #[shape(h, w)] src: &[u32],
    h: usize,
    w: usize,
    #[shape(2, h, w)] scratch: &mut [u32],
    #[shape(h, w)] out: &mut [u32],
) {
    #[schedule(composed, compute_at('t))]
    let small = stage::<u32>(|[y, x]| src.boundary(Clamp)[[y, x]] & 15);
    #[schedule(composed, tile([4, 4], 't))]
    let sum = src.indices().map(|[y, x]| small[[y, x + 1]] * small[[y + 1, x]]).sum::<u32>();
    for [y, x] in out.indices() {
        out[[y, x]] ^= sum;
    }
}

/// A list of tiles whose points run in reverse: a step of the list says nothing about the points of a tile.
#[shim::kernel(schedules(composed))]
fn listed_tiles(#[shape(4, 8)] block: &mut [u32]) {
    #[schedule(composed, order(tile([2, 2]).outer(zigzag).inner(row_major.reversed())))]
    for y in 0..4 {
        for x in 0..8 {
            block[[y, x]] = block[[y, x]] * 3 + 1;
        }
    }
}

#[test]
fn words_compose() {
    compare("forward", forward, forward::composed);
    compare("reordered", reordered, reordered::composed);
    compare("elementwise", elementwise, elementwise::composed);
    compare("fused", fused, fused::composed);
    compare("three", three, three::composed);
    compare("clamped", clamped, clamped::composed);
    compare("by_parity", by_parity, by_parity::composed);
    compare("lagging_tiles", lagging_tiles, lagging_tiles::composed);
    compare("chain", chain, chain::composed);
    let run = |transform: fn(&mut [u32]), elements: usize| {
        let mut block = noise(elements, 100);
        transform(&mut block);
        block
    };
    assert_eq!(run(behind_one_row, 12), run(behind_one_row::composed, 12));
    assert_eq!(run(listed_tiles, 32), run(listed_tiles::composed, 32));
    for n in [0, 1, 2, 4, 5, 9, 17] {
        let run = |triangle: fn(&[u32], &mut [u32], usize)| {
            let mut out = vec![0; n * (n + 1) / 2];
            triangle(&noise(n * n, 4000), &mut out, n);
            out
        };
        assert_eq!(run(triangle), run(triangle::composed), "{n}");
        let run_columns = |columns: fn(&mut [u32], usize)| {
            let mut a = noise(n * n, 4000);
            columns(&mut a, n);
            a
        };
        assert_eq!(run_columns(columns), run_columns(columns::composed), "{n}");
        assert_eq!(run(fused_triangles), run(fused_triangles::composed), "{n}");
    }
}
