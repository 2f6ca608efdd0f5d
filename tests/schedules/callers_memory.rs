//! Stages in memory of the caller's.

use crate::common::noise;
use shim::prelude::*;

macro_rules! products {
    ($($name:ident: $(#[$word:meta])*;)*) => { $(
        /// Products of sums above and below.
        #[shim::kernel]
        fn $name(
            #[shape(h, w)] a: &[u32],
            [h, w]: [usize; 2],
            memory: &mut Vec<u32>,
            #[shape(h, w)] out: &mut [u32],
        ) {
            let a = a.boundary(Clamp);
            #[store_in(memory)]
            $(#[$word])*
            let s = stage(|[y, x]| a[[y, x - 1]] + a[[y, x + 1]]);
            #[tile([8, 8], 'tile)]
            'row: for y in 0..h {
                for x in 0..w {
                    out[[y, x]] = s[[y - 1, x]] * s[[y + 1, x]];
                }
            }
        }
    )* };
}

products! {
    at_root: #[compute_at(root)];
    in_tiles: #[compute_at('tile)];
}

/// Rows that stay, and an image of each row.
#[shim::kernel]
fn in_rows(
    #[shape(h, w)] a: &[u32],
    [h, w]: [usize; 2],
    memory: &mut Vec<u32>,
    #[shape(h, w)] out: &mut [u32],
) {
    let a = a.boundary(Clamp);
    #[store_in(memory)]
    #[compute_at('row)]
    let s = stage(|[y, x]| a[[y, x - 1]] + a[[y, x + 1]]);
    'row: for y in 0..h {
        for x in 0..w {
            out[[y, x]] = s[[y - 1, x]] * s[[y + 1, x]];
        }
    }
}

#[test]
fn memory_grows_and_is_used_again() {
    let mut memory = Vec::new();
    for [h, w] in [[1, 1], [9, 40], [3, 7], [0, 4], [20, 17]] {
        let a: Vec<u32> = noise(h * w, 100);
        let mut expected = vec![0; h * w];
        let at = |y: usize, x: usize| a[y * w + x];
        let sum = |y: usize, x: usize| at(y, x.max(1) - 1) + at(y, (x + 1).min(w - 1));
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            expected[y * w + x] = sum(y.max(1) - 1, x) * sum((y + 1).min(h - 1), x);
        }
        for kernel in [at_root, in_tiles, in_rows] {
            let mut out = vec![0; h * w];
            kernel(&a, [h, w], &mut memory, &mut out);
            assert_eq!(out, expected);
            memory.fill(77);
        }
    }
    assert!(memory.len() >= 22 * 17);
}
