//! Loops in an order that is part of their meaning.

use shim::prelude::*;

/// A list in the order of 4x4 blocks of luma (6.4.3).
#[shim::kernel]
fn blocks(#[shape(4, 4)] t: &[u8], to: &mut [u8; 16]) -> usize {
    let to = Block::external(to, [16]).list();
    for [y, x] in t.scan(tile([2, 2])) {
        to.push(t[[y, x]]);
    }
    to.len()
}

/// The samples on the zigzag of a block up to the first zero, without threes.
#[shim::kernel]
fn until_zero(#[shape(4, 4)] t: &[u8], to: &mut [u8; 16]) -> usize {
    let to = Block::external(to, [16]).list();
    'all: for [y, x] in t.scan(zigzag) {
        if t[[y, x]] == 3 {
            continue;
        }
        for limit in 0..2 {
            if t[[y, x]] == limit {
                break 'all;
            }
        }
        to.push(t[[y, x]]);
    }
    to.len()
}

/// A value that depends on the order of all elements, in tiles that are cut off.
#[shim::kernel(simd)]
fn digest(#[shape(h, w)] t: &[u8], [h, w]: [usize; 2], end: u8) -> (u64, usize) {
    let (mut digest, mut count) = (0u64, 0);
    for [y, x] in t.scan(tile([3, 4]).inner(column_major)) {
        if t[[y, x]] == end {
            return (digest, count);
        }
        digest = digest.wrapping_mul(31).wrapping_add(t[[y, x]].into());
        count += 1;
    }
    (digest, count)
}

/// Each element becomes the sum of those at the left and above that the scan has passed: what is read is written
/// before.
#[shim::kernel]
fn passed(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) {
    let before = t.boundary(Fill(1));
    for [y, x] in t.scan(column_major.reversed()) {
        t[[y, x]] = before[[y, x + 1]] + before[[y + 1, x]] + before[[y - 1, x]];
    }
}

/// The numbers of a static scan, in tables and written out.
#[shim::kernel]
fn numbers(#[shape(4, 4)] t: &[u8]) -> [u32; 3] {
    let mut sums = [0u32; 3];
    for [y, x] in t.scan(tile([2, 2])) {
        sums[0] = sums[0] * 3 + (4 * y + x) as u32;
    }
    #[unroll]
    for [y, x] in t.scan(tile([2, 2])) {
        sums[1] = sums[1] * 3 + (4 * y + x) as u32;
    }
    for p in t.scan(zigzag.reversed()) {
        sums[1] = sums[1].wrapping_mul(5) + u32::from(t[p]);
    }
    for [y, x] in t[[.., ..2]].permute([1, 0]).scan(tile([1, 2])) {
        sums[2] = sums[2] * 3 + u32::from(t[[x, y]]);
    }
    sums
}

fn order(tile: [usize; 2], [h, w]: [usize; 2]) -> Vec<[usize; 2]> {
    let mut points: Vec<[usize; 2]> = (0..h).flat_map(|y| (0..w).map(move |x| [y, x])).collect();
    points.sort_by_key(|[y, x]| [y / tile[0], x / tile[1]]);
    points
}

#[test]
fn lists_are_in_the_order_of_a_scan() {
    let t: [u8; 16] = std::array::from_fn(|i| i as u8 + 20);
    let mut to = [0; 16];
    assert_eq!(blocks(&t, &mut to), 16);
    assert_eq!(to, [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15].map(|i| i + 20));
}

#[test]
fn scans_end_early_and_go_on() {
    let t = [9, 8, 3, 4, 7, 3, 5, 1, 6, 5, 0, 2, 2, 2, 2, 2];
    let mut to = [0; 16];
    assert_eq!(until_zero(&t, &mut to), 9);
    assert_eq!(to[..9], [9, 8, 7, 6, 4, 5, 5, 2, 2]);
}

#[test]
fn tiles_of_a_scan_are_cut_off() {
    for [h, w] in [[0, 0], [1, 1], [3, 4], [7, 9], [2, 13]] {
        let t: Vec<u8> = (0..h * w).map(|i| (i * 7 % 251) as u8).collect();
        let mut points: Vec<[usize; 2]> = (0..h).flat_map(|y| (0..w).map(move |x| [y, x])).collect();
        points.sort_by_key(|[y, x]| [y / 3, x / 4, *x, *y]);
        for end in [0, 14, 250] {
            let until = points.iter().map(|[y, x]| t[y * w + x]).take_while(|value| *value != end);
            let wanted = until.fold((0u64, 0), |(digest, count), value| {
                (digest.wrapping_mul(31).wrapping_add(value.into()), count + 1)
            });
            assert_eq!(digest(&t, [h, w], end), wanted, "{h} x {w} until {end}");
        }
    }
}

#[test]
fn scans_read_what_they_have_written() {
    for [h, w] in [[1, 1], [3, 4], [5, 2]] {
        let mut t: Vec<u32> = (0..h * w).map(|i| i as u32).collect();
        let mut wanted = t.clone();
        let at = |t: &[u32], y: isize, x: isize| {
            let inside = (0..h as isize).contains(&y) && (0..w as isize).contains(&x);
            if inside { t[y as usize * w + x as usize] } else { 1 }
        };
        for x in (0..w as isize).rev() {
            for y in (0..h as isize).rev() {
                let sum = at(&wanted, y, x + 1) + at(&wanted, y + 1, x) + at(&wanted, y - 1, x);
                wanted[y as usize * w + x as usize] = sum;
            }
        }
        passed(&mut t, [h, w]);
        assert_eq!(t, wanted, "{h} x {w}");
    }
}

#[test]
fn static_scans_are_tables_or_copies() {
    let t: [u8; 16] = std::array::from_fn(|i| i as u8);
    let fold =
        |values: &mut dyn Iterator<Item = usize>| values.fold(0u32, |sum, value| sum * 3 + value as u32);
    let whole = fold(&mut order([2, 2], [4, 4]).into_iter().map(|[y, x]| 4 * y + x));
    let turned = fold(&mut order([1, 2], [2, 4]).into_iter().map(|[y, x]| 4 * x + y));
    let zigzag = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
    let backwards = zigzag.iter().rev().fold(whole, |sum: u32, value| sum.wrapping_mul(5) + value);
    assert_eq!(numbers(&t), [whole, backwards, turned]);
}

/// The elements of a block by their positions in the zigzag, rolled and written out, and how they end.
#[shim::kernel]
fn by_position(#[shape(4, 4)] t: &[u8], rolled: &mut [u8; 16], unrolled: &mut [u8; 16], end: u8) -> usize {
    let rolled = Block::external(rolled, [16]);
    let unrolled = Block::external(unrolled, [16]);
    #[unroll]
    for (k, [y, x]) in t.scan(zigzag).enumerate() {
        unrolled[[k]] = t[[y, x]];
    }
    let mut last = 0;
    'all: for (k, p) in t.scan(zigzag).enumerate() {
        last = k;
        for (inner, [row, column]) in t.scan(column_major).enumerate() {
            if inner == k && t[[row, column]] == 255 {
                continue 'all;
            }
        }
        if t[p] == end {
            break;
        }
        rolled[[k]] = t[p];
    }
    for (_, [y, _]) in t.scan(tile([2, 2])).enumerate() {
        last += 0 * y as usize;
    }
    last
}

/// The position of each element of a tensor of dynamic extents in a scan of it.
#[shim::kernel]
fn positions(#[shape(h, w)] t: &mut [usize], [h, w]: [usize; 2]) {
    for (k, [y, x]) in t.scan(tile([2, 3])).enumerate() {
        t[[y, x]] = k;
    }
}

#[test]
fn positions_are_counted() {
    const ZIGZAG: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
    let t: [u8; 16] = std::array::from_fn(|i| i as u8 + 1);
    let (mut rolled, mut unrolled) = ([0; 16], [0; 16]);
    assert_eq!(by_position(&t, &mut rolled, &mut unrolled, 0), 15);
    assert_eq!(rolled, ZIGZAG.map(|at| at as u8 + 1));
    assert_eq!(unrolled, rolled);
    let mut rolled = [0; 16];
    assert_eq!(by_position(&t, &mut rolled, &mut unrolled, 13), 9);
    assert_eq!(rolled[8..], [10, 0, 0, 0, 0, 0, 0, 0]);
    for [h, w] in [[0, 0], [1, 1], [4, 6], [5, 7]] {
        let mut t = vec![0; h * w];
        positions(&mut t, [h, w]);
        for (k, [y, x]) in order([2, 3], [h, w]).into_iter().enumerate() {
            assert_eq!(t[y * w + x], k);
        }
    }
}
