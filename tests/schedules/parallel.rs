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
    backwards: #[order(row_major.reversed())] #[parallel];
    in_rows_of_tiles_backwards: #[order(tile([4, 8]).outer(row_major.reversed()))] #[parallel];
    fronts_backwards: #[order(antidiagonal.reversed())] #[parallel];
    unrolled: #[tile([4, 4], peel)] #[reorder(x, y)] #[parallel] #[unroll(y)];
}

type Sums = fn(&[u16], [usize; 2], &mut [u32]) -> (u64, u16, u16, u16, u16, u16);

#[test]
fn tasks_of_independent_iterations() {
    let kernels: [Sums; 12] = [
        in_rows,
        in_columns,
        in_tiles,
        within_tiles,
        in_tiles_of_lanes,
        in_rows_of_lanes,
        in_rows_by_four,
        in_fronts,
        backwards,
        in_rows_of_tiles_backwards,
        fronts_backwards,
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

/// Points that depend on others two rows above and as far ahead as fronts allow, and loops on threads within.
#[shim::kernel]
fn far_in_order(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) {
    let around = t.boundary(Fill(1));
    for [y, x] in t.indices() {
        t[[y, x]] = t[[y, x]].wrapping_mul(5) + (around[[y - 2, x + 3]] ^ around[[y, x - 1]]) % 1000;
    }
}

#[shim::kernel]
fn far_in_tasks(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) {
    let around = t.boundary(Fill(1));
    #[wavefront(2 * y + x)]
    #[parallel]
    for [y, x] in t.indices() {
        let parts = Block::heap::<u32>([40]);
        #[parallel]
        for [k] in parts.indices() {
            parts[[k]] = if k == 7 { around[[y - 2, x + 3]] ^ around[[y, x - 1]] } else { k as u32 };
        }
        t[[y, x]] = t[[y, x]].wrapping_mul(5) + parts[[7]] % 1000;
    }
}

/// A point of the same, where the loop's variables are parameters and have other names.
#[shim::kernel]
fn far_point(t: impl Tensor<u32, 2>, row: i32, column: i32) {
    let (y, x) = (row, column);
    let (r, c) = (y - 2, x + 3);
    let around = t.boundary(Fill(1));
    t[[y, x]] = t[[row, column]].wrapping_mul(5) + (around[[r, c]] ^ around[[y, column - 1]]) % 1000;
}

#[shim::kernel]
fn far_in_templates(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) {
    #[wavefront(2 * y + x)]
    #[parallel]
    for [y, x] in t.indices() {
        far_point(t, y, x);
    }
}

/// The same of ranges.
#[shim::kernel]
fn far_usize(t: impl Tensor<u32, 2>, row: usize, column: usize) {
    let x = column;
    let around = t.boundary(Fill(1));
    t[[row, x]] = t[[row, column]].wrapping_mul(5) + (around[[row - 2, x + 3]] ^ around[[row, x - 1]]) % 1000;
}

#[shim::kernel]
fn far_in_ranges(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) {
    #[wavefront(2 * y + x)]
    #[parallel]
    #[tile([1, 4])]
    for y in 0..h {
        for x in 0..w {
            let row = y;
            far_usize(t, row, x);
        }
    }
}

#[test]
fn fronts_reach_over_rows() {
    on_threads(|threads| {
        for (h, w) in [(1, 4), (3, 1), (5, 40), (40, 5), (23, 24)] {
            let t: Vec<u32> = noise(h * w, 1 << 20);
            let run = |kernel: fn(&mut [u32], [usize; 2])| {
                let mut t = t.clone();
                kernel(&mut t, [h, w]);
                t
            };
            for kernel in [far_in_tasks, far_in_templates, far_in_ranges] {
                assert_eq!(run(kernel), run(far_in_order), "{h} by {w} on {threads} threads");
            }
        }
    });
}

/// A wavefront of which each point has one of its own.
#[shim::kernel]
fn nested(#[shape(h, w, 4, 4)] t: &mut [u32], [h, w]: [usize; 2]) {
    let around = t.boundary(Fill(3));
    #[wavefront(y + x)]
    #[parallel]
    for y in 0..h {
        for x in 0..w {
            let before = around[[y - 1, x, 3, 3]] ^ around[[y, x - 1, 3, 3]];
            #[wavefront(i + j)]
            #[parallel]
            for i in 0..4 {
                for j in 0..4 {
                    t[[y, x, i, j]] =
                        around[[y, x, i - 1, j]] % 999 + around[[y, x, i, j - 1]] % 999 + before % 7;
                }
            }
        }
    }
}

#[test]
fn fronts_within_fronts() {
    on_threads(|threads| {
        let (h, w) = (9, 14);
        let mut t = vec![0; 16 * h * w];
        nested(&mut t, [h, w]);
        let mut wanted = vec![0; 16 * h * w];
        let of = |t: &[u32], y: usize, x: usize, i: usize, j: usize| t[((y * w + x) * 4 + i) * 4 + j];
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            let above = if y > 0 { of(&wanted, y - 1, x, 3, 3) } else { 3 };
            let left = if x > 0 { of(&wanted, y, x - 1, 3, 3) } else { 3 };
            for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
                let over = if i > 0 { of(&wanted, y, x, i - 1, j) } else { 3 };
                let beside = if j > 0 { of(&wanted, y, x, i, j - 1) } else { 3 };
                wanted[((y * w + x) * 4 + i) * 4 + j] = over % 999 + beside % 999 + (above ^ left) % 7;
            }
        }
        assert!(t == wanted, "on {threads} threads");
    });
}

/// Fails at a point, after which all that wait for it end as well.
#[shim::kernel]
fn failing(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2], table: &[u32], wrong: [usize; 2]) {
    let around = t.boundary(Fill(0));
    let table = Block::external(table, [table.len()]);
    #[wavefront(y + x)]
    #[parallel]
    for y in 0..h {
        for x in 0..w {
            let at = if y == wrong[0] && x == wrong[1] { 99 } else { (x + y) % 2 };
            t[[y, x]] = (around[[y - 1, x]] + around[[y, x - 1]]) % 9 + table[[at]];
        }
    }
}

#[test]
fn panics_of_fronts_propagate() {
    on_threads(|threads| {
        let (h, w) = (30, 17);
        let mut t = vec![0; h * w];
        for wrong in [[0, 0], [0, 16], [29, 0], [15, 8], [29, 16]] {
            panics_with(|| failing(&mut t, [h, w], &[1, 2], wrong), &["`table`", "index 99"]);
        }
        failing(&mut t, [h, w], &[1, 2], [h, w]);
        assert!(t.iter().all(|value| *value > 0), "on {threads} threads");
    });
}

/// A kernel that is called while its thread unwinds runs all of its points.
#[test]
fn fronts_run_while_a_thread_panics() {
    struct Late<'t>(&'t mut Vec<u32>);
    impl Drop for Late<'_> {
        fn drop(&mut self) {
            far_in_ranges(self.0, [40, 25]);
        }
    }
    on_threads(|threads| {
        let first: Vec<u32> = noise(1000, 1 << 20);
        let (mut late, mut wanted) = (first.clone(), first);
        far_in_order(&mut wanted, [40, 25]);
        panics_with(
            || {
                let _late = Late(&mut late);
                panic!("on purpose");
            },
            &["on purpose"],
        );
        assert!(late == wanted, "on {threads} threads");
    });
}

/// Many callers outside of any pool share the global one, whose threads are in the middle of rows that wait for loops
/// of their own.
#[test]
fn fronts_of_several_callers() {
    std::thread::scope(|scope| {
        for seed in 0..6 {
            scope.spawn(move || {
                for round in 0..10 {
                    let t: Vec<u32> = noise(400 + seed + round, 1 << 20)[..400].to_vec();
                    let (mut wanted, mut found) = (t.clone(), t);
                    far_in_order(&mut wanted, [20, 20]);
                    far_in_tasks(&mut found, [20, 20]);
                    assert!(found == wanted);
                }
            });
        }
    });
}

/// Groups of lanes are tasks where the loop is the only one.
#[test]
fn tasks_of_lanes_of_one_loop() {
    #[shim::kernel]
    fn halves(#[shape(n)] a: &[u16], n: usize, #[shape(n)] out: &mut [u16]) {
        #[parallel]
        #[lanes(8)]
        for [i] in a.indices() {
            out[[i]] += 1;
            if a[[i]] > 100 {
                out[[i]] += a[[i]] / 2;
            }
        }
    }
    on_threads(|threads| {
        for n in [0, 1, 7, 8, 9, 100, 1000] {
            let a: Vec<u16> = noise(n, 9000);
            let mut out = vec![3; n];
            halves(&a, n, &mut out);
            let wanted = a.iter().map(|v| if *v > 100 { 4 + v / 2 } else { 4 });
            assert!(out.iter().copied().eq(wanted), "{n} on {threads}");
        }
    });
}

macro_rules! totals {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// Variables whose types follow from their first values, or from what is added.
        #[shim::kernel]
        fn $name(#[shape(h, w)] t: &[u32], h: usize, w: usize) -> (u32, u64, bool, bool, bool, i16) {
            let mut sum = 0;
            let mut product = 3u64;
            let mut any = false;
            let mut all = true;
            let mut odd = true;
            let mut least = i16::MAX;
            $(#[$order])*
            for y in 0..h {
                for x in 0..w {
                    sum += t[[y, x]];
                    product *= u64::from(t[[y, x]] % 2 + 1);
                    any |= t[[y, x]] > 59_990;
                    all &= t[[y, x]] > 9;
                    odd ^= t[[y, x]] % 3 == 1;
                    least = least.min((t[[y, x]] % 777) as i16);
                }
            }
            (sum, product, any, all, odd, least)
        }
    )* };
}

totals! {
    totals_in_order: ;
    totals_of_rows: #[parallel];
    totals_of_tiles: #[parallel] #[tile([2, 4], peel)];
    totals_by_columns: #[reorder(x, y)] #[parallel] #[unroll(2)];
}

#[test]
fn totals_whose_types_are_inferred() {
    for (h, w) in [(0, 3), (1, 1), (5, 4), (7, 8)] {
        let t: Vec<u32> = noise::<u16>(h * w, 60000).into_iter().map(u32::from).collect();
        let wanted = totals_in_order(&t, h, w);
        assert_eq!(wanted.0, t.iter().sum::<u32>());
        assert_eq!(wanted.1, t.iter().fold(3, |product, value| product * u64::from(value % 2 + 1)));
        for kernel in [totals_of_rows, totals_of_tiles, totals_by_columns] {
            assert_eq!(kernel(&t, h, w), wanted, "{h} x {w}");
        }
    }
}
