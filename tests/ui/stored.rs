//! Orders of elements that are none, or that the block does not have.

use shim::prelude::*;

#[shim::kernel]
fn words(a: &[u8], n: usize) -> u8 {
    let b = Block::external(a, [n, 8]).stored(snake);
    let c = Block::external(a, [n, 8]).stored([8, 8]);
    let d = Block::external(a, [n, 8]).stored(tile);
    let e = Block::external(a, [n, 8]).stored(row_major([1, 0]));
    let f = Block::external(a, [n, 8]).stored(column_major.inner(row_major));
    let g = Block::external(a, [n, 8]).stored(row_major.backwards());
    let h = Block::external(a, [n, 8]).stored(inner);
    let i = Block::external(a, [n, 8]).stored(tile([8, 8]).inner(7));
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, 0]] + f[[0, 0]] + g[[0, 0]] + h[[0, 0]] + i[[0, 0]]
}

#[shim::kernel]
fn lists(a: &[u8], n: usize) -> u8 {
    let b = Block::external(a, [n, 8]).stored(tile([8]));
    let c = Block::external(a, [n, 8]).stored(tile(8));
    let d = Block::external(a, [n, 8]).stored(tile([n, 8]));
    let e = Block::external(a, [n, 8]).stored(tile([0, 8]));
    let f = Block::external(a, [n, 8]).stored(axes([0, 0]));
    let g = Block::external(a, [n, 8]).stored(axes([-1, 0]));
    let h = Block::external(a, [n, 8]).stored(lanes(n));
    let i = Block::external(a, [n, 8]).stored(lanes(0));
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, 0]] + f[[0, 0]] + g[[0, 0]] + h[[0, 0]] + i[[0, 0]]
}

#[shim::kernel]
fn extents(a: &[u8], n: usize) -> u8 {
    let b = Block::external(a, [n, 8]).stored(morton);
    let c = Block::external(a, [n, 8, 2]).stored(zigzag);
    let d = Block::external(a, [n, 8]).stored(row_major.then([64], row_major));
    let e = Block::external(a, [8, 8]).stored(row_major.then([7, 9], column_major));
    let f = Block::external(a, [8]).stored(antidiagonal);
    let g = Block::external(a, [8, 8]).stored(tile([6, 4]).inner(tile([4, 4])));
    let h = Block::external(a, [1 << 31, 8]).stored(zigzag);
    let i = Block::external(a, [8, 8]).stored(tile([6, 4]).inner(morton));
    b[[0, 0]] + c[[0, 0, 0]] + d[[0, 0]] + e[[0, 0]] + f[[0]] + g[[0, 0]] + h[[0, 0]] + i[[0, 0]]
}

#[shim::kernel]
fn blocks(a: &[u8], rows: &[Vec<u8>], n: usize, #[shape(n, 8)] #[stored] s: &[u8]) -> u8 {
    let b = Block::rows(rows, [n, 8]).stored(tile([8, 8]));
    let c = Block::external(a, [n, 8]).stored(tile([8, 8])).strided([8, 1]);
    let d = Block::external(a, [n, 8]).strided([8, 1]).stored(tile([8, 8]));
    let e = Block::external(a, [n, 8]).stored(tile([8, 8])).stored(row_major);
    let f = Block::external(a, [n, 8]);
    let g = f.stored(tile([8, 8]));
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, 0]] + g[[0, 0]] + s[[0, 0]]
}

#[shim::kernel]
fn swizzles(a: &[u8], n: usize) -> u8 {
    let b = Block::external(a, [n, 8]).stored(swizzle(3));
    let c = Block::external(a, [n]).stored(swizzle(4));
    let d = Block::external(a, [n, 8]).stored(swizzle(n));
    let e = Block::external(a, [n, 8]).stored(swizzle);
    let f = Block::external(a, [n, 12]).stored(tile([6, 4]).inner(tile([3, 4]).inner(swizzle(2))));
    let g = Block::external(a, [8, 8]).stored(by(|[y, x]| 8 * x + y + n));
    let h = Block::external(a, [n, 8]).stored(tile([2, 2]).outer(by(|[y, x]| 2 * x + y)));
    let i = Block::external(a, [128, 128]).stored(hilbert);
    let j = Block::external(a, [n, 8]).stored(hilbert);
    i[[0, 0]] + j[[0, 0]] + b[[0, 0]] + c[[0]] + d[[0, 0]] + e[[0, 0]] + f[[0, 0]] + g[[0, 0]] + h[[0, 0]]
}

#[shim::kernel]
fn functions(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [4, 4]);
    let mut sum = 0;
    #[unroll]
    #[order(by(|[y, x]| y * x))]
    for [y, x] in a.indices() {
        sum += a[[y, x]];
    }
    #[unroll]
    #[order(by(|[y, x]| 4 * y + x + 1))]
    for [y, x] in a.indices() {
        sum += a[[y, x]];
    }
    #[unroll]
    #[order(by(|[y, x]| 4 * y + x + n))]
    for [y, x] in a.indices() {
        sum += a[[y, x]];
    }
    #[unroll]
    #[order(by(|y| y))]
    for [y, x] in a.indices() {
        sum += a[[y, x]];
    }
    #[unroll]
    #[order(by(scan))]
    for [y, x] in a.indices() {
        sum += a[[y, x]];
    }
    #[unroll]
    #[order(by(|[y, x]| [y, x]))]
    for [y, x] in a.indices() {
        sum += a[[y, x]];
    }
    sum
}

#[shim::kernel]
fn rolled(#[shape(n, 4)] a: &mut [u8], n: usize) {
    #[order(by(|[y, x]| 4 * x + y))]
    for [y, x] in a.indices() {
        a[[y, x]] = 0;
    }
}

#[shim::kernel]
fn rolled_swizzle(#[shape(4, n)] a: &mut [u8], n: usize) {
    #[order(tile([4, 4]).inner(swizzle(4)))]
    for [y, x] in a.indices() {
        a[[y, x]] = 0;
    }
}

#[shim::kernel]
fn undefined(#[shape(4, 8)] a: &mut [u8]) {
    #[order(hilbert)]
    for [y, x] in a.indices() {
        a[[y, x]] = 0;
    }
}

#[shim::kernel]
fn many(#[shape(64, 65)] a: &mut [u8]) {
    #[order(zigzag)]
    for [y, x] in a.indices() {
        a[[y, x]] = 0;
    }
}

#[shim::kernel]
fn dependent(#[shape(8, 8)] a: &mut [u8]) {
    let near = a.boundary(Fill(0));
    #[order(hilbert)]
    for [y, x] in a.indices() {
        a[[y, x]] = near[[y - 1, x]];
    }
}

fn main() {}
