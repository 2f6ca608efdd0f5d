//! Scans that have no order, or two.

use shim::prelude::*;

#[shim::kernel]
fn of_any_length(#[shape(h, w)] t: &[u8], [h, w]: [usize; 2]) {
    for [y, x] in t.scan(zigzag) {
        let _ = t[[y, x]];
    }
}

#[shim::kernel]
fn under_words(#[shape(8, 8)] t: &mut [u8]) {
    #[lanes(8)]
    for [y, x] in t.scan(tile([2, 2])) {
        t[[y, x]] = 1;
    }
}

#[shim::kernel]
fn of_one_name(#[shape(8, 8)] t: &mut [u8]) {
    for (y, x) in t.scan(tile([2, 2])) {
        t[[y, x]] = 1;
    }
}

#[shim::kernel]
fn of_other_ranks(#[shape(8, 8)] t: &mut [u8]) {
    for [x] in t.scan(row_major) {
        t[[0, x]] = 1;
    }
    for [y, x] in t.scan(tile([2, 2, 2])) {
        t[[y, x]] = 1;
    }
    for [y, x] in t.scan(axes([0, 0])) {
        t[[y, x]] = 1;
    }
}

#[shim::kernel]
fn of_no_order(#[shape(8, 8)] t: &mut [u8]) {
    for [y, x] in t.scan() {
        t[[y, x]] = 1;
    }
    for [y, x] in t.scan(spiral) {
        t[[y, x]] = 1;
    }
    for [y, x] in t.scan(tile([0, 2])) {
        t[[y, x]] = 1;
    }
    for [y, x] in t.scan(tile([65537, 2])) {
        t[[y, x]] = 1;
    }
}

#[shim::kernel]
fn elsewhere(#[shape(8, 8)] t: &[u8]) -> u32 {
    let order = t.scan(zigzag);
    t.scan(zigzag).map(|[y, x]| t[[y, x]] as u32).sum::<u32>()
}

#[shim::kernel]
fn unrolled(#[shape(h, w)] t: &mut [u8], [h, w]: [usize; 2]) {
    #[unroll]
    for [y, x] in t.scan(tile([2, 2])) {
        t[[y, x]] = 1;
    }
}

#[shim::kernel]
fn fused(#[shape(8, 8)] t: &mut [u8], #[shape(8, 8)] u: &mut [u8]) {
    #[fuse]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    for [y, x] in u.scan(zigzag) {
        u[[y, x]] = 1;
    }
}

#[shim::kernel]
fn in_an_order(#[shape(8, 8, 8)] t: &mut [u8]) {
    #[reorder(x, y)]
    for y in 0..8 {
        for x in 0..8 {
            let row = t[[y, x, ..]];
            for [z] in row.scan(row_major.reversed()) {
                row[[z]] = 1;
            }
        }
    }
}

#[shim::kernel]
fn enumerated(#[shape(4, 4)] t: &mut [u8]) {
    for [y, x] in t.scan(zigzag).enumerate() {
        t[[y, x]] = 1;
    }
    for (k, y, x) in t.scan(zigzag).enumerate() {
        t[[y, x]] = k as u8;
    }
    for (k, [y]) in t.scan(zigzag).enumerate() {
        t[[y, 0]] = k as u8;
    }
    for (mut k, [y, x]) in t.scan(zigzag).enumerate() {
        t[[y, x]] = k as u8;
    }
    for (k, [y, x]) in t.scan(zigzag).enumerate().rev() {
        t[[y, x]] = k as u8;
    }
    #[lanes(8)]
    for (k, [y, x]) in t.scan(zigzag).enumerate() {
        t[[y, x]] = k as u8;
    }
}

fn main() {}
