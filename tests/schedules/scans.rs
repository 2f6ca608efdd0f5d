//! `SHIM_SCHEDULE=none` does not change the order of a scan.

/// The points of a box as a scan visits them, and whether the loop around it has an order.
#[shim::kernel]
fn visited(to: &mut [i32], [h, w]: [usize; 2]) -> usize {
    let n = h * w;
    let to = Block::external(to, [n]).list();
    let box_of = Block::heap::<u8>([h, w]);
    for [y, x] in box_of.scan(tile([2, 3]).outer(column_major).inner(row_major.reversed())) {
        if to.len() < n {
            to.push(10 * y + x);
        }
    }
    to.len()
}

/// Scans of rows, of which the loop around them runs in another order.
#[shim::kernel]
fn rows(#[shape(h, w)] t: &mut [u32], [h, w]: [usize; 2]) {
    #[tile([3])]
    for y in 0..h {
        let mut sum = 1u32;
        let row = t[[y, ..]];
        for [x] in row.scan(row_major.reversed()) {
            sum = sum * 3 + row[[x]];
            row[[x]] = sum;
        }
    }
}

use shim::prelude::*;

#[test]
fn scans_keep_their_order() {
    let mut to = [0; 12];
    assert_eq!(visited(&mut to, [3, 4]), 12);
    assert_eq!(to, [12, 11, 10, 2, 1, 0, 22, 21, 20, 13, 3, 23]);
    let mut t = [1, 2, 3, 4, 5, 6, 7, 8];
    rows(&mut t, [4, 2]);
    assert_eq!(t, [16, 5, 24, 7, 32, 9, 40, 11]);
}
