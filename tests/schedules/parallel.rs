//! Loops on threads give what they give on one. With the feature `parallel`, these tests run them on 1, 2, 3 and 8.

use crate::common::{noise, panics_with};
use shim::prelude::*;

/// Runs on pools of several sizes.
fn on_threads(run: impl Fn(usize) + Sync) {
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
        pool.install(|| run(threads));
    }
}

macro_rules! sums {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// Elements of other memory, of the iteration's own, and every reduction.
        #[shim::kernel]
        fn $name(
            #[shape(h, w)] a: &[u16],
            [h, w]: [usize; 2],
            #[shape(w, h)] out: &mut [u32],
        ) -> (u64, u16, u16, u16, u16, u16) {
            let (mut sum, mut set, mut all, mut odd): (u64, u16, u16, u16) = (7, 2, 65535, 9);
            let (mut most, mut least): (u16, u16) = (3, 60_000);
            let near = a.boundary(Mirror);
            $(#[$order])*
            for [y, x] in a.indices() {
                let own = Block::stack::<u32>([3]);
                for k in 0..3 {
                    own[[k]] = u32::from(near[[y + k - 1, x]]);
                }
                let v = a[[y, x]];
                out[[x, y]] = own[[0]] * 3 + own[[1]] + own[[2]];
                if v > 1000 {
                    out[[x, y]] += 5;
                }
                sum += u64::from(out[[x, y]]);
                set |= 1 << (v % 16);
                all &= v | 0xf0f0;
                odd ^= v;
                most = most.max(v);
                least = least.min(v);
            }
            (sum, set, all, odd, most, least)
        }
    )* };
}

sums! {
    in_order: ;
    in_rows: #[parallel];
    in_columns: #[reorder(x, y)] #[parallel];
    in_tiles: #[parallel] #[tile([4, 5])];
    within_tiles: #[tile([16, 3])] #[parallel];
    in_tiles_of_lanes: #[parallel] #[tile([4, 8], peel)] #[lanes(4)];
    in_rows_of_lanes: #[parallel] #[lanes(4)];
    in_rows_by_four: #[parallel] #[unroll(4)];
    in_fronts: #[wavefront(2 * y + x)] #[parallel];
    unrolled: #[tile([4, 4], peel)] #[reorder(x, y)] #[parallel] #[unroll(y)];
}

type Sums = fn(&[u16], [usize; 2], &mut [u32]) -> (u64, u16, u16, u16, u16, u16);

#[test]
fn tasks_of_independent_iterations() {
    let kernels: [Sums; 9] = [
        in_rows,
        in_columns,
        in_tiles,
        within_tiles,
        in_tiles_of_lanes,
        in_rows_of_lanes,
        in_rows_by_four,
        in_fronts,
        unrolled,
    ];
    on_threads(|threads| {
        for (h, w) in [(0, 0), (0, 3), (4, 0), (1, 1), (1, 30), (7, 1), (9, 16), (33, 20)] {
            let a: Vec<u16> = noise(h * w, 50_000);
            let run = |kernel: Sums| {
                let mut out = vec![0; h * w];
                let sums = kernel(&a, [h, w], &mut out);
                (out, sums)
            };
            let wanted = run(in_order);
            for kernel in kernels {
                assert_eq!(run(kernel), wanted, "{h} by {w} on {threads} threads");
            }
        }
    });
}

macro_rules! wavefronts {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// Left, top and top right, as the predictions of a video standard.
        #[shim::kernel]
        fn $name(#[shape(h, w)] t: &mut [u8], [h, w]: [usize; 2]) {
            let around = t.boundary(Fill(128));
            $(#[$order])*
            for [y, x] in t.indices() {
                let (left, top) = (around[[y, x - 1]], around[[y - 1, x]]);
                let right = around[[y - 1, x + 1]];
                t[[y, x]] = left.max(top).wrapping_mul(3) ^ right ^ t[[y, x]];
            }
        }
    )* };
}

wavefronts! {
    front_in_order: ;
    front_in_tasks: #[wavefront(2 * y + x)] #[parallel];
    front_of_three: #[wavefront(3 * y + x)] #[parallel];
}

#[test]
fn tasks_of_a_front() {
    on_threads(|threads| {
        for (h, w) in [(0, 5), (1, 1), (2, 9), (9, 2), (20, 31)] {
            let t: Vec<u8> = noise(h * w, 251);
            let run = |kernel: fn(&mut [u8], [usize; 2])| {
                let mut t = t.clone();
                kernel(&mut t, [h, w]);
                t
            };
            for kernel in [front_in_tasks, front_of_three] {
                assert_eq!(run(kernel), run(front_in_order), "{h} by {w} on {threads} threads");
            }
        }
    });
}

/// Tiles of an alignment in fronts.
#[shim::kernel]
fn common(#[shape(n)] a: &[u8], n: usize, #[shape(n, n)] length: &mut [u16]) {
    let before = length.boundary(Fill(0));
    #[wavefront(i + j)]
    #[parallel]
    #[tile([8, 8])]
    for [i, j] in length.indices() {
        length[[i, j]] = if a[[i]] == a[[n as i32 - 1 - j]] {
            before[[i - 1, j - 1]] + 1
        } else {
            before[[i - 1, j]].max(before[[i, j - 1]])
        };
    }
}

#[test]
fn tasks_of_a_front_of_tiles() {
    on_threads(|threads| {
        for n in [0, 1, 8, 9, 40] {
            let a: Vec<u8> = noise(n, 3);
            let mut length = vec![0; n * n];
            common(&a, n, &mut length);
            let mut wanted = vec![vec![0_u16; n + 1]; n + 1];
            for i in 0..n {
                for j in 0..n {
                    wanted[i + 1][j + 1] = if a[i] == a[n - 1 - j] {
                        wanted[i][j] + 1
                    } else {
                        wanted[i][j + 1].max(wanted[i + 1][j])
                    };
                    assert_eq!(length[i * n + j], wanted[i + 1][j + 1], "{n} on {threads} threads");
                }
            }
        }
    });
}

/// Memory of every kind, and a loop on threads within another one.
#[shim::kernel]
fn memory(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) -> u32 {
    let table = Block::stack::<u32>([64]);
    let heap = Block::heap::<u32>([h, w]);
    let tiles = Block::heap::<u32>([h, w]).stored(tile([4, 4]));
    #[parallel]
    for [k] in table.indices() {
        table[[k]] = (k * k) as u32;
    }
    #[parallel]
    for y in 0..h {
        for [x] in t.slice(0, 0).indices() {
            heap[[y, x]] = t[[y, x]] + table[[x % 64]];
        }
        #[parallel]
        for [x] in t.slice(0, 0).indices() {
            tiles[[y, x]] = heap[[y, x]] ^ x as u32;
        }
    }
    let mut sum: u32 = 0;
    #[parallel]
    for [y, x] in t.indices() {
        t[[y, x]] = tiles[[y, x]] / 2;
        sum += t[[y, x]];
    }
    sum
}

#[test]
fn tasks_share_memory_of_every_kind() {
    let (h, w) = (11, 37);
    on_threads(|threads| {
        let first: Vec<u32> = noise(h * w, 1000);
        let mut t = first.clone();
        let sum = memory(&mut t, [h, w]);
        for (at, (now, before)) in t.iter().zip(&first).enumerate() {
            let x = (at % w) as u32;
            assert_eq!(*now, ((before + x * x) ^ x) / 2, "on {threads} threads");
        }
        assert_eq!(sum, t.iter().sum::<u32>());
    });
}

/// A panic of one task is a panic of the kernel, after which the pool still works.
#[shim::kernel]
fn checked(#[shape(n)] a: &[usize], n: usize, table: &[u32; 8], #[shape(n)] out: &mut [u32]) {
    let table = Block::external(table, [8]);
    #[parallel]
    for [i] in out.indices() {
        out[[i]] = table[[a[[i]]]];
    }
}

#[test]
fn panics_of_tasks_propagate() {
    let table = [1, 2, 3, 4, 5, 6, 7, 8];
    on_threads(|_| {
        let mut a: Vec<usize> = (0..100).map(|i| i % 8).collect();
        let mut out = vec![0; 100];
        for wrong in [0, 50, 99] {
            let right = std::mem::replace(&mut a[wrong], 8);
            panics_with(|| checked(&a, 100, &table, &mut out), &["`table`", "index [8]"]);
            a[wrong] = right;
        }
        checked(&a, 100, &table, &mut out);
        assert!(out.iter().enumerate().all(|(i, value)| *value == i as u32 % 8 + 1));
    });
}
