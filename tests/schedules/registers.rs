//! Loops that hold elements in registers give what they give without.

use crate::common::noise;
use shim::prelude::*;

macro_rules! products {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// A product of matrices.
        #[shim::kernel]
        fn $name(
            #[shape(h, n)] a: &[f32],
            #[shape(n, w)] b: &[f32],
            #[shape(h, w)] c: &mut [f32],
            [h, n, w]: [usize; 3],
        ) {
            $(#[$order])*
            for [i, j] in c.indices() {
                for k in 0..n {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    )* };
}

products! {
    in_order: ;
    in_one_register: #[reorder(i, j, k)];
    in_registers: #[tile([4, 8, _], peel)] #[reorder(k, i, j)];
    in_unrolled_registers: #[tile([4, 8, _], peel)] #[reorder(k, i, j)] #[unroll(i)];
    in_registers_of_lanes: #[tile([2, 8, 3], peel)] #[reorder(k, i, j)] #[unroll(i)] #[lanes(8)];
    in_registers_of_panels: #[tile([_, 16, 4])] #[tile([4, 4, _], peel)] #[reorder(k, i, j)];
    in_registers_of_tasks: #[parallel] #[tile([4, 8, 5], peel)] #[reorder(k, i, j)];
}

#[test]
fn products_in_registers() {
    type Kernel = fn(&[f32], &[f32], &mut [f32], [usize; 3]);
    for [h, n, w] in
        [[0, 0, 0], [0, 2, 3], [4, 0, 8], [3, 1, 1], [4, 3, 8], [5, 7, 9], [16, 10, 16], [19, 23, 37]]
    {
        let [a, b, c] = [h * n, n * w, h * w].map(|count| -> Vec<f32> {
            noise::<u16>(count, 4000).into_iter().map(|value| f32::from(value) / 7.0).collect()
        });
        let run = |kernel: Kernel| {
            let mut c = c.clone();
            kernel(&a, &b, &mut c, [h, n, w]);
            c
        };
        let wanted = run(in_order);
        let kernels: [(&str, Kernel); 6] = [
            ("one register", in_one_register),
            ("registers", in_registers),
            ("unrolled", in_unrolled_registers),
            ("lanes", in_registers_of_lanes),
            ("panels", in_registers_of_panels),
            ("tasks", in_registers_of_tasks),
        ];
        for (name, kernel) in kernels {
            assert!(run(kernel) == wanted, "{name} of {h} x {n} x {w}");
        }
    }
}

/// Elements that something else of the nest touches stay in memory, or the words are refused.
macro_rules! touched {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        #[shim::kernel]
        fn $name(
            #[shape(h, n)] a: &[i32],
            #[shape(h)] sums: &mut [i32],
            #[shape(h)] others: &mut [u8],
            out: &mut [i32; 8],
            [h, n]: [usize; 2],
        ) -> i32 {
            let out = Block::external(out, [8]);
            let narrow = others.cast::<i32>();
            let (mut odd, mut calls): (i32, i32) = (0, 0);
            $(#[$order])*
            for [i, k] in a.indices() {
                let v = a[[i, k]];
                // Two accesses of one element.
                sums[[i]] = sums[[i]].wrapping_mul(3) ^ v;
                // Behind a cast, each write is narrowed before the next one reads it.
                narrow[[i]] = narrow[[i]] + v;
                // Elements of a list that is small, by a condition.
                if v % 2 == 0 {
                    out[[v & 7]] = out[[v & 7]].wrapping_add(v);
                }
                odd ^= sums[[i]];
                calls += v & 1;
            }
            odd ^ calls
        }
    )* };
}

touched! {
    touched_in_order: ;
    touched_in_tiles: #[tile([4, _], peel)] #[reorder(i, k)];
    touched_unrolled: #[unroll(4)];
}

#[test]
fn elements_that_are_touched_otherwise() {
    type Kernel = fn(&[i32], &mut [i32], &mut [u8], &mut [i32; 8], [usize; 2]) -> i32;
    for [h, n] in [[0, 3], [3, 0], [1, 1], [4, 4], [9, 13]] {
        let a: Vec<i32> = noise(h * n, 1 << 20);
        let run = |kernel: Kernel| {
            let (mut sums, mut others, mut out) = (noise(h, 99), noise(h, 255), [0; 8]);
            let odd = kernel(&a, &mut sums, &mut others, &mut out, [h, n]);
            (sums, others, out, odd)
        };
        let wanted = run(touched_in_order);
        assert_eq!(run(touched_in_tiles), wanted, "{h} x {n}");
        assert_eq!(run(touched_unrolled), wanted, "{h} x {n}");
    }
}

/// A prefix sum: each element is that of the iteration before.
#[test]
fn neighbors_are_not_held() {
    #[shim::kernel]
    fn sums(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) {
        let zero = t.boundary(Fill(0));
        #[order(row_major)]
        for [y, x] in t.indices() {
            for k in 0..3 {
                t[[y, x]] = t[[y, x]].wrapping_mul(5).wrapping_add(zero[[y, x - 1]] + k);
            }
        }
    }
    let (h, w) = (4, 9);
    let mut t: Vec<u32> = noise(h * w, 1000);
    let mut wanted = t.clone();
    for at in 0..h * w {
        for k in 0..3 {
            let before = if at % w == 0 { 0 } else { wanted[at - 1] };
            wanted[at] = wanted[at].wrapping_mul(5).wrapping_add(before + k);
        }
    }
    sums(&mut t, [h, w]);
    assert_eq!(t, wanted);
}

/// A loop that is left early has written what it wrote.
#[test]
fn loops_that_are_left_write_first() {
    #[shim::kernel]
    fn until(#[shape(n)] a: &[u32], sum: &mut [u32; 1], n: usize) {
        let sum = Block::external(sum, [1]);
        #[unroll(4)]
        for [i] in a.indices() {
            sum[[0]] += a[[i]];
            if a[[i]] == 7 {
                return;
            }
        }
    }
    for (values, wanted) in
        [(&[1, 2, 7, 4, 5][..], 10), (&[1, 2, 3, 4, 5], 15), (&[1, 2, 3, 4, 7, 9, 9, 9, 9], 17)]
    {
        let mut sum = [0];
        until(values, &mut sum, values.len());
        assert_eq!(sum, [wanted]);
    }
}

/// Memory that is written before it is read is not read before that.
#[test]
fn blocks_on_the_stack() {
    #[shim::kernel]
    fn last(#[shape(4, 6)] a: &[u32]) -> u32 {
        let t = Block::stack::<u32>([4]);
        #[tile([4, 2])]
        for [i, k] in a.indices() {
            t[[i]] = a[[i, k]];
        }
        t[[0]] + 10 * t[[1]] + 100 * t[[2]] + 1000 * t[[3]]
    }
    let mut a = [0; 24];
    (a[5], a[11], a[17], a[23]) = (4, 3, 2, 1);
    assert_eq!(last(&a), 1234);
}

/// An element that is inside only where its loop runs is not loaded where it does not.
#[test]
fn loops_that_do_not_run_touch_nothing() {
    #[shim::kernel]
    fn sum(#[shape(m)] t: &mut [u32], #[shape(h, n)] a: &[u32], [m, h, n]: [usize; 3]) {
        #[tile([4, _], peel)]
        #[reorder(k, i)]
        for [i, k] in a.indices() {
            t[[i]] += a[[i, k]];
        }
    }
    sum(&mut [], &[], [0, 8, 0]);
    let mut t = [1, 2, 3, 4];
    sum(&mut t, &[], [4, 8, 0]);
    assert_eq!(t, [1, 2, 3, 4]);
    let mut t = [0; 8];
    sum(&mut t, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], [8, 8, 2]);
    assert_eq!(t, [3, 7, 11, 15, 19, 23, 27, 31]);
}
