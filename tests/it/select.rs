//! Blocks whose elements are those of other tensors at static places.

use crate::common::panics_with;
use shim::prelude::*;

/// Bytes by one shuffle for each row, and by several.
#[shim::kernel(simd)]
fn bytes(a: &[u8; 96], out: &mut [u8; 64], wide: &mut [u8; 512]) {
    let a = Block::external(a, [96]);
    let swapped = a.select([64], |i| i ^ 3);
    let out = Block::external(out, [64]);
    let [i] = iters();
    out[[i]] = swapped[[i]];
    let scattered = a.select([16, 32], |[k, lane]| (7 * k + 5 * lane) % 96);
    let wide = Block::external(wide, [16, 32]);
    let [k, lane] = iters();
    wide[[k, lane]] = scattered[[k, lane]];
}

#[test]
fn bytes_are_where_the_places_say() {
    let a: [u8; 96] = std::array::from_fn(|i| (i * 37 % 251) as u8);
    let (mut out, mut wide) = ([0; 64], [0; 512]);
    for level in [1, 3, 4] {
        shim::__private::limit_level(level);
        bytes(&a, &mut out, &mut wide);
        assert_eq!(out, std::array::from_fn(|i| a[i ^ 3]));
        assert_eq!(wide, std::array::from_fn(|i| a[(7 * (i / 32) + 5 * (i % 32)) % 96]));
    }
}

/// A window at a place that is not known, of bytes and of numbers; all elements of a row are one, and the scan of a
/// block is another.
#[shim::kernel]
fn windows(
    #[shape(h, w)] a: &[u8],
    #[shape(h, w)] b: &[i32],
    h: usize,
    w: usize,
    [y, x]: [usize; 2],
    out: &mut [u8; 16],
    scan: &mut [i32; 16],
) {
    const ROW: [usize; 4] = [3, 1, 0, 2];
    let window = a[[y..y + 4, x..x + 4]];
    let picked = window.select([4, 4], |[i, j]| [ROW[i], 3 - j]);
    let t = Block::external(out, [4, 4]);
    let [i, j] = iters();
    t[[i, j]] = picked[[i, j]];
    let window = b[[y..y + 4, x..x + 4]];
    let diagonals = window.select([16], |k| {
        let (d, at) = match k {
            0 => (0, 0),
            1 | 2 => (1, k - 1),
            3..6 => (2, k - 3),
            6..10 => (3, k - 6),
            10..13 => (4, k - 9),
            13..15 => (5, k - 11),
            _ => (6, 3),
        };
        [at, d - at]
    });
    let scan = Block::external(scan, [16]);
    for k in 0..16 {
        scan[[k]] = diagonals[[k]];
    }
}

#[test]
fn windows_move_and_their_places_do_not() {
    let (h, w) = (9, 7);
    let a: Vec<u8> = (0..h * w).map(|i| i as u8).collect();
    let b: Vec<i32> = (0..h * w).map(|i| i as i32 * -1000).collect();
    for y in 0..=h - 4 {
        for x in 0..=w - 4 {
            let (mut out, mut scan) = ([0; 16], [0; 16]);
            windows(&a, &b, h, w, [y, x], &mut out, &mut scan);
            for i in 0..4 {
                for j in 0..4 {
                    assert_eq!(out[4 * i + j], a[(y + [3, 1, 0, 2][i]) * w + x + 3 - j]);
                }
            }
            let mut k = 0;
            for d in 0..7 {
                for at in (0..4).filter(|at| (at..=&(at + 3)).contains(&&d)) {
                    assert_eq!(scan[k], b[(y + at) * w + x + d - at], "{k}");
                    k += 1;
                }
            }
        }
    }
    let (mut out, mut scan) = ([0; 16], [0; 16]);
    panics_with(|| windows(&a, &b, h, w, [6, 0], &mut out, &mut scan), &["reaches outside of `a`"]);
    panics_with(|| windows(&a, &b, h, w, [0, 4], &mut out, &mut scan), &["reaches outside of `a`"]);
}

/// Elements that are cast, folded, excluded, behind a block, in rows, and in tiles.
#[shim::kernel]
fn others(#[shape(4, 4)] a: &mut [u8], rows: &[[u16; 3]; 2], tiles: &[u8; 16], out: &mut [i64; 24]) {
    let rows = Block::rows(rows, [2, 3]);
    let tiles = Block::external(tiles, [4, 4]).stored(tile([2, 2]));
    let clamped = a.boundary(Clamp).cast::<i16>().select([2, 2], |[i, j]| [4 * i - 1, 5 * j - 1]);
    let filled = a.boundary(Fill(9)).select([4], |i| [i, 3 * i]);
    let behind = a[[1..3, 1..3]].to_stack().select([3], |i| [i, 0]);
    let of_rows = rows.select([6], |i| [i % 2, 2 - i / 2]);
    let of_tiles = tiles.select([4], |i| [i, 3 - i]);
    let none = a.select([0, 3], |[i, j]| [i, j]);
    let mut at = 0;
    let all = Block::external(out, [24]);
    for [i, j] in clamped.indices() {
        all[[2 * i + j]] = i64::from(clamped[[i, j]]);
    }
    for i in 0..4 {
        all[[4 + i]] = filled[[i]].into();
        all[[8 + i]] = of_tiles[[i]].into();
    }
    for i in 0..2 {
        all[[12 + i]] = behind[[i + 1]].into();
    }
    for i in 0..6 {
        all[[14 + i]] = of_rows[[i]].into();
    }
    for [_, _] in none.indices() {
        at += 1;
    }
    all[[20]] = at;
    // What was selected stays what it was.
    a[[0, 0]] = 100;
    all[[21]] = i64::from(clamped[[0, 0]]);
}

#[test]
fn every_kind_of_element_is_selected() {
    let mut a: [u8; 16] = std::array::from_fn(|i| i as u8 + 1);
    let rows = [[10, 11, 12], [20, 21, 22]];
    let tiles = std::array::from_fn(|i| i as u8);
    let mut out = [0; 24];
    others(&mut a, &rows, &tiles, &mut out);
    assert_eq!(out[..4], [1, 4, 13, 16]);
    assert_eq!(out[4..8], [1, 8, 9, 9]);
    assert_eq!(out[8..12], [5, 6, 9, 10]);
    assert_eq!(out[12..14], [0, 14]);
    assert_eq!(out[14..20], [12, 22, 11, 21, 10, 20]);
    assert_eq!(out[20..22], [0, 1]);
}
