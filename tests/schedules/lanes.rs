//! Loops in lanes give what they give one iteration at a time.

#![allow(deprecated, reason = "the compiler warns of lanes over a front in row-major memory")]

use crate::common::noise;
use shim::prelude::*;

const LENGTHS: [usize; 12] = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 40, 67];

macro_rules! conditional {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// Conditions, a cast that changes what is written, and every reduction.
        #[shim::kernel]
        fn $name(#[shape(n)] a: &[u8], n: usize, #[shape(n)] t: &mut [u8]) -> (u32, u16, u8, u8, u8, u8) {
            let (mut sum, mut set, mut all, mut odd): (u32, u16, u8, u8) = (1, 2, 255, 3);
            let (mut most, mut least): (u8, u8) = (9, 200);
            let wide = t.cast::<i16>();
            $(#[$order])*
            for [i] in a.indices() {
                let v = a[[i]];
                let before = wide[[i]];
                if v % 3 == 0 {
                    wide[[i]] = before + i16::from(v);
                } else if v > 100 {
                    wide[[i]] = before - 300;
                }
                sum += u32::from(v) * 1000;
                set |= 1 << (v % 16);
                all &= v | 240;
                odd ^= v;
                most = most.max(v / 2);
                least = least.min(v | 1);
            }
            (sum, set, all, odd, most, least)
        }
    )* };
}

conditional! {
    conditional_in_order: ;
    conditional_in_4: #[lanes(4)];
    conditional_in_16: #[lanes(16)];
    conditional_in_tiles: #[tile([24])] #[lanes(8)];
}

#[test]
fn conditions_become_selections() {
    type Kernel = fn(&[u8], usize, &mut [u8]) -> (u32, u16, u8, u8, u8, u8);
    for n in LENGTHS {
        let (a, t): (Vec<u8>, Vec<u8>) = (noise(n, 255), noise(n, 250));
        let run = |kernel: Kernel| {
            let mut t = t.clone();
            let sums = kernel(&a, n, &mut t);
            (t, sums)
        };
        let wanted = run(conditional_in_order);
        let kernels: [Kernel; 3] = [conditional_in_4, conditional_in_16, conditional_in_tiles];
        for kernel in kernels {
            assert_eq!(run(kernel), wanted, "{n}");
        }
    }
}

macro_rules! updates {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// Elements that are written more than once, read in between, and read ahead of the lanes that write them.
        #[shim::kernel]
        fn $name(#[shape(n)] a: &[i32], n: usize, #[shape(n)] t: &mut [i32], #[shape(n)] u: &mut [i32]) {
            let ahead = u.boundary(Fill(5));
            $(#[$order])*
            for [i] in a.indices() {
                let mut s = a[[i]];
                t[[i]] += s;
                s ^= t[[i]];
                if s > 20 {
                    t[[i]] -= 3;
                    s += t[[i]];
                }
                u[[i]] = ahead[[i + 1]].wrapping_mul(3) + s;
                if let 0..8 = s % 16 {
                    t[[i]] ^= i;
                }
            }
        }
    )* };
}

updates! {
    updates_in_order: ;
    updates_in_2: #[lanes(2)];
    updates_in_16: #[lanes(16)];
}

#[test]
fn elements_are_written_in_sequence() {
    type Kernel = fn(&[i32], usize, &mut [i32], &mut [i32]);
    for n in LENGTHS {
        let [a, t, u]: [Vec<i32>; 3] = [(); 3].map(|()| noise(n, 50));
        let run = |kernel: Kernel| {
            let (mut t, mut u) = (t.clone(), u.clone());
            kernel(&a, n, &mut t, &mut u);
            (t, u)
        };
        let wanted = run(updates_in_order);
        for kernel in [updates_in_2 as Kernel, updates_in_16] {
            assert_eq!(run(kernel), wanted, "{n}");
        }
    }
}

macro_rules! rectangles {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// Neighbors within a rectangle, and a block for each point.
        #[shim::kernel]
        fn $name(#[shape(h, w)] a: &[u16], [h, w]: [usize; 2], #[shape(w, h)] out: &mut [u16]) -> u64 {
            let near = a.boundary(Clamp);
            let mut total: u64 = 0;
            $(#[$order])*
            for [y, x] in a.indices() {
                let own = Block::stack::<u16>([3]);
                #[unroll]
                for k in 0..3 {
                    own[[k]] = near[[y + k - 1, x]] / 3;
                }
                let mut sum = 0_u16;
                for k in 0..3 {
                    sum += own[[k]] + near[[y, x + k]] % 7;
                }
                out[[x, y]] = sum;
                total += u64::from(sum);
            }
            total
        }
    )* };
}

rectangles! {
    rectangle_in_order: ;
    rectangle_in_rows: #[lanes(8)];
    rectangle_in_columns: #[reorder(x, y)] #[lanes(4)];
    rectangle_in_tiles: #[tile([3, 8])] #[lanes(4)];
    rectangle_in_whole_tiles: #[tile([4, 8], peel)] #[reorder(x, y)] #[lanes(4)];
    rectangle_in_fronts: #[wavefront(2 * y + x)] #[lanes(4)];
    rectangle_in_antidiagonals: #[order(antidiagonal)] #[lanes(8)];
    rectangle_from_the_end: #[order(row_major.reversed())] #[lanes(4)];
    rectangle_in_antidiagonals_from_the_end: #[order(antidiagonal.reversed())] #[lanes(4)];
    lanes_before_the_order: #[lanes(4)] #[reorder(x, y)];
    unrolled_rows_of_lanes: #[tile([4, 8], peel)] #[unroll(y)] #[lanes(8)];
    unrolled_tiles: #[unroll(2)] #[tile([2, 8], peel)] #[lanes(8)];
}

#[test]
fn lanes_of_tiles_and_fronts() {
    type Kernel = fn(&[u16], [usize; 2], &mut [u16]) -> u64;
    for (h, w) in [(0, 0), (0, 4), (1, 1), (1, 19), (17, 1), (3, 8), (8, 8), (12, 9), (21, 33)] {
        let a: Vec<u16> = noise(h * w, 9000);
        let run = |kernel: Kernel| {
            let mut out = vec![0; h * w];
            let total = kernel(&a, [h, w], &mut out);
            (out, total)
        };
        let wanted = run(rectangle_in_order);
        let kernels: [Kernel; 11] = [
            rectangle_in_rows,
            rectangle_in_columns,
            rectangle_in_tiles,
            rectangle_in_whole_tiles,
            rectangle_in_fronts,
            rectangle_in_antidiagonals,
            rectangle_from_the_end,
            rectangle_in_antidiagonals_from_the_end,
            lanes_before_the_order,
            unrolled_rows_of_lanes,
            unrolled_tiles,
        ];
        for kernel in kernels {
            assert_eq!(run(kernel), wanted, "{h} by {w}");
        }
    }
}

macro_rules! alignments {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// The score of an alignment (Needleman and Wunsch).
        #[shim::kernel]
        fn $name(#[shape(h)] a: &[u8], #[shape(w)] b: &[u8], [h, w]: [usize; 2], #[shape(h, w)] score: &mut [i16]) {
            $(#[$order])*
            for [i, j] in score.indices() {
                let equal = if a[[i]] == b[[j]] { 1 } else { -1 };
                let corner = score.get([i - 1, j - 1]).unwrap_or(0);
                let above = score.get([i - 1, j]).unwrap_or(3);
                let left = score.get([i, j - 1]).unwrap_or(2);
                score[[i, j]] = (corner + equal).max(above - 1).max(left - 1);
            }
        }
    )* };
}

alignments! {
    alignment_in_order: ;
    alignment_in_fronts: #[wavefront(i + j)] #[lanes(8)];
    alignment_in_tiles: #[wavefront(i + j)] #[tile([8, 16])] #[wavefront(i + j)] #[lanes(4)];
}

#[test]
fn lanes_of_a_wavefront() {
    type Kernel = fn(&[u8], &[u8], [usize; 2], &mut [i16]);
    for (h, w) in [(0, 3), (1, 1), (5, 5), (16, 16), (31, 40), (40, 13)] {
        let (a, b): (Vec<u8>, Vec<u8>) = (noise(h, 4), noise(w, 4));
        let run = |kernel: Kernel| {
            let mut score = vec![0; h * w];
            kernel(&a, &b, [h, w], &mut score);
            score
        };
        let wanted = run(alignment_in_order);
        for kernel in [alignment_in_fronts as Kernel, alignment_in_tiles] {
            assert_eq!(run(kernel), wanted, "{h} by {w}");
        }
    }
}

/// Ranges with a step, down, and of constant length.
#[test]
fn lanes_of_ranges() {
    macro_rules! ranges {
        ($($name:ident: $(#[$order:meta])*;)*) => { $(
            #[shim::kernel]
            fn $name(t: &mut [i32; 96], from: usize) -> i32 {
                let t = Block::external(t, [96]);
                let mut sum: i32 = 0;
                $(#[$order])*
                for i in (from..90).step_by(3) {
                    if i % 2 == 0 {
                        t[[i]] += 7;
                    }
                    sum += t[[i + 2]] - i as i32;
                }
                $(#[$order])*
                for i in (0..20).rev() {
                    t[[i]] = t[[i]] * 2 + i;
                }
                $(#[$order])*
                for i in 40..56 {
                    t[[i]] ^= i;
                }
                sum
            }
        )* };
    }
    ranges! {
        in_order: ;
        in_lanes: #[lanes(8)];
    }
    for from in [0, 1, 5, 89, 90, 91] {
        let run = |kernel: fn(&mut [i32; 96], usize) -> i32| {
            let mut t: [i32; 96] = noise::<i32>(96, 1000).try_into().expect("96 elements");
            (kernel(&mut t, from), t)
        };
        assert_eq!(run(in_lanes), run(in_order), "{from}");
    }
}

/// Items at the end of `i64`, whose numbers are no `i32`.
#[shim::kernel]
fn to_the_last(#[shape(8)] t: &mut [i64]) {
    #[lanes(4)]
    for i in (i64::MAX - 5..=i64::MAX).rev() {
        t[[i - (i64::MAX - 5)]] = i;
    }
}

#[test]
#[cfg(target_pointer_width = "64")]
fn items_at_the_end_of_a_type() {
    let mut t = [0; 8];
    to_the_last(&mut t);
    assert_eq!(t[..6], [5, 4, 3, 2, 1, 0].map(|less| i64::MAX - less));
    assert_eq!(t[6..], [0, 0]);
}
