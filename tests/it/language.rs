//! Compiled kernels against plain Rust loops.

use shim::prelude::*;

#[shim::kernel]
fn add_transposed(a: &[i32], b: &[i32], h: usize, w: usize, out: &mut [i32]) {
    let a = Block::external(a, [h, w]);
    let b = Block::external(b, [w, h]);
    let out = Block::external(out, [h, w]);
    let [y, x] = iters();
    out[[y, x]] = a[[y, x]] + b.permute([1, 0])[[y, x]];
}

#[shim::kernel]
fn sad(cur: &[u8], best: &[u8], stride: usize, r: usize, c: usize) -> i32 {
    let cur = Block::external(cur, [16, 16]).at([r, c]).cast::<i32>();
    let frame = Block::external(best, [best.len() / stride, stride]).cast::<i32>();
    let best = frame[cur];
    cur.indices().map(|[y, x]| (cur[[y, x]] - best[[y, x]]).abs()).sum::<i32>()
}

#[shim::kernel]
fn blur(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
    let src = Block::external(src, [h, w]).boundary(Clamp).cast::<i32>();
    let dst = Block::external(dst, [h, w]).cast::<i32>();
    for [y, x] in dst.indices() {
        let mut s = 0;
        #[unroll]
        for dy in -1..=1 {
            #[unroll]
            for dx in -1..=1 {
                s += src[[y + dy, x + dx]];
            }
        }
        dst[[y, x]] = s / 9;
    }
}

#[shim::kernel]
fn haar(v: impl Tensor<i32, 1>, scale: i32) {
    let n = v.extent(0) as i32;
    let a = v[[0]] + v[[1]];
    let b = v[[0]] - v[[1]];
    v[[0]] = a * scale;
    v[[1]] = b * scale * n;
}

#[shim::kernel]
fn haar2d(block: &mut [i32; 4]) {
    let block = Block::external(block, [2, 2]);
    for r in 0..2 {
        haar(block.slice(0, r), 1);
    }
    for r in 0..2 {
        haar(block.slice(1, r), 3);
    }
}

#[shim::kernel]
fn flags(h: usize, w: usize, y: usize, x: usize) -> u8 {
    let frame = Block::heap::<u8>([h, w]);
    let coarse = frame.coarsen([16, 16]).to_block();
    let used = coarse.refine([16, 16]);
    for [y, x] in coarse.indices() {
        coarse[[y, x]] = (10 * y + x) as u8;
    }
    used[[y, x]]
}

#[test]
fn transposes() {
    let a: Vec<i32> = (0..6).collect();
    let b: Vec<i32> = (0..6).map(|v| v * 100).collect();
    let mut out = vec![0; 6];
    add_transposed(&a, &b, 2, 3, &mut out);
    assert_eq!(out, [0, 201, 402, 103, 304, 505]);
    add_transposed(&[], &[], 0, 3, &mut []);
}

#[test]
fn sums() {
    let frame: Vec<u8> = (0..40 * 32).map(|i| (i * 7 % 256) as u8).collect();
    let cur = [3u8; 256];
    let mut want = 0;
    for y in 0..16 {
        for x in 0..16 {
            want += (3 - i32::from(frame[(y + 5) * 32 + x + 9])).abs();
        }
    }
    assert_eq!(sad(&cur, &frame, 32, 5, 9), want);
    assert!(std::panic::catch_unwind(|| sad(&cur, &frame, 32, 25, 9)).is_err());
}

#[test]
fn clamps() {
    for (h, w) in [(1usize, 1usize), (1, 5), (3, 2), (7, 9), (0, 4)] {
        let src: Vec<u8> = (0..h * w).map(|i| (i * 37 % 256) as u8).collect();
        let mut dst = vec![0; h * w];
        blur(&src, h, w, &mut dst);
        for y in 0..h {
            for x in 0..w {
                let mut s = 0;
                for dy in -1isize..=1 {
                    for dx in -1isize..=1 {
                        let yy = (y as isize + dy).clamp(0, h as isize - 1) as usize;
                        let xx = (x as isize + dx).clamp(0, w as isize - 1) as usize;
                        s += i32::from(src[yy * w + xx]);
                    }
                }
                assert_eq!(dst[y * w + x], (s / 9) as u8, "{h}x{w} at {y},{x}");
            }
        }
    }
}

#[test]
fn templates() {
    let mut b = [1, 2, 3, 4];
    haar2d(&mut b);
    // rows: [3, -2], [7, -2]; columns scaled by 3
    assert_eq!(b, [30, -12, -24, 0]);
}

#[test]
fn coarse() {
    assert_eq!(flags(40, 50, 17, 33), 12);
    assert_eq!(flags(40, 50, 39, 49), 23);
}

#[shim::kernel]
fn hygiene(a: &[i32], value: usize, at: usize, out: &mut [i32; 4]) {
    let a = Block::external(a, [a.len()]).cast::<i64>();
    let out = Block::external(out, [4]).cast::<i64>();
    let (from, interior) = (value, at);
    for [i] in out.indices() {
        out[[i]] = a[[value]] + a[[at + from - interior]];
        if i > 0 {
            out[[value - 1]] += a.boundary(Clamp)[[from + 3]];
        }
    }
}

#[test]
fn names_of_the_compiler_meet_nobody() {
    let mut out = [0; 4];
    hygiene(&[1, 2, 3], 1, 2, &mut out);
    assert_eq!(out, [4 + 9, 4, 4, 4]);
}

#[shim::kernel]
fn blur_columns(src: &[u8], h: usize, w: usize, dst: &mut [u8]) {
    let src = Block::external(src, [h, w]).boundary(Mirror).cast::<i32>();
    let dst = Block::external(dst, [h, w]).cast::<i32>();
    for x in 0..w {
        for y in 0..h {
            let mut s = 0;
            for k in 0..5 {
                s += src[[y + k - 2, x]];
            }
            dst[[y, x]] = s / 5;
        }
    }
}

#[test]
fn ranges_have_interiors() {
    for (h, w) in [(1usize, 1usize), (4, 3), (5, 2), (40, 3), (0, 2)] {
        let src: Vec<u8> = (0..h * w).map(|i| (i * 37 % 256) as u8).collect();
        let mut dst = vec![0; h * w];
        blur_columns(&src, h, w, &mut dst);
        for y in 0..h {
            for x in 0..w {
                let sum: i32 = (-2..=2)
                    .map(|k| {
                        let period = 2 * h as isize;
                        let at = (y as isize + k).rem_euclid(period);
                        let at = if at < h as isize { at } else { period - 1 - at };
                        i32::from(src[at as usize * w + x])
                    })
                    .sum();
                assert_eq!(dst[y * w + x], (sum / 5) as u8, "{h}x{w} at {y},{x}");
            }
        }
    }
}
