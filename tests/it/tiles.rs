//! Loops over the tiles of a tensor.

use crate::common::{noise, panics_with};
use shim::prelude::*;

/// The sum of a tile, a template.
#[shim::kernel]
fn total(t: impl Tensor<u16, 2>) -> u64 {
    t.indices().map(|[y, x]| u64::from(t[[y, x]])).sum()
}

/// Sums of tiles in place, by location, and in column-major order; labels and jumps; tiles of a permuted window, on the
/// stack.
#[shim::kernel]
fn sums(
    #[shape(h, w)] a: &[u16],
    h: usize,
    w: usize,
    #[shape(h / 4, w / 8)]
    #[coarsened(4, 8)]
    out: &mut [u64],
) -> [u64; 4] {
    for t in a.tiles([4, 8]) {
        out[t][[0, 0]] = total(t);
    }
    let mut found: u64 = 0;
    #[order(column_major)]
    for t in a.tiles([2, 2]) {
        found += u64::from(t[[1, 0]]);
    }
    let mut until = 0;
    'tiles: for t in a.tiles([1, 8]) {
        for [y, x] in t.indices() {
            if t[[y, x]] > 60_000 {
                continue 'tiles;
            }
            if t[[y, x]] < 50 {
                break 'tiles;
            }
        }
        until += 1;
    }
    let block = a[[0..8, 0..8]].permute([1, 0]).to_stack().copied();
    let mut weighted = 0;
    let mut number = 0;
    #[unroll]
    for t in block.tiles([4, 4]) {
        number += 1;
        weighted += number * total(t);
    }
    let mut places = 0;
    for line in block.slice(0, 3).tiles([2]) {
        places = 10 * places + line.origin(0) as u64;
    }
    [found, until, weighted, places]
}

#[test]
fn tiles_are_views_in_row_major_order() {
    for [h, w] in [[8, 8], [16, 24], [12, 40]] {
        let a: Vec<u16> = noise(h * w, 65_000);
        let mut out = vec![0; h / 4 * (w / 8)];
        let found = sums(&a, h, w, &mut out);
        let total = |top: usize, left: usize, height: usize, width: usize| -> u64 {
            (0..height)
                .flat_map(|y| (0..width).map(move |x| (y, x)))
                .map(|(y, x)| u64::from(a[(top + y) * w + left + x]))
                .sum()
        };
        for (at, sum) in out.iter().enumerate() {
            assert_eq!(*sum, total(4 * (at / (w / 8)), 8 * (at % (w / 8)), 4, 8));
        }
        let odd = (0..h / 2).flat_map(|y| (0..w / 2).map(move |x| (y, x)));
        assert_eq!(found[0], odd.map(|(y, x)| u64::from(a[(2 * y + 1) * w + 2 * x])).sum());
        let mut until = 0;
        'tiles: for tile in a.chunks(8) {
            for value in tile {
                if *value > 60_000 {
                    continue 'tiles;
                }
                if *value < 50 {
                    break 'tiles;
                }
            }
            until += 1;
        }
        assert_eq!(found[1], until);
        let parts = [total(0, 0, 4, 4), total(4, 0, 4, 4), total(0, 4, 4, 4), total(4, 4, 4, 4)];
        assert_eq!(found[2], (1..).zip(parts).map(|(number, sum)| number * sum).sum::<u64>());
        assert_eq!(found[3], 246);
    }
}

/// Tiles that reach beyond a tensor are outside it, and an empty tensor has none.
#[shim::kernel]
fn corners(#[shape(n)] a: &[u16], n: usize) -> u64 {
    let mut sum = 0;
    for t in a.tiles([4]) {
        sum += u64::from(t[[3]]);
    }
    sum
}

#[test]
fn tiles_are_whole() {
    assert_eq!(corners(&[], 0), 0);
    assert_eq!(corners(&[1, 2, 3, 4, 5, 6, 7, 8], 8), 12);
    for n in [1, 3, 5, 7] {
        panics_with(|| corners(&vec![1; n], n), &["reaches outside of `a`"]);
    }
}
