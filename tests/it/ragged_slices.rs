//! Open ends in a row of a ragged block are those of that row.

use shim::prelude::*;

#[shim::kernel]
fn lengths(#[shape(n, |i| i + 1)] a: &[u32], n: usize, #[shape(n)] out: &mut [usize]) {
    for i in 0..n {
        out[[i]] = a[[i, 1..]].extent(0);
    }
}

#[shim::kernel]
fn sums(#[shape(n, |i| i + 1)] a: &[u32], n: usize, #[shape(n)] out: &mut [u32]) {
    for i in 0..n {
        let row = a[[i, 1..]];
        for [k] in row.indices() {
            out[[i]] += row[[k]];
        }
    }
}

#[test]
fn open_ends_are_those_of_the_row() {
    let a: Vec<u32> = (0..10).collect();
    let mut out = vec![0; 4];
    lengths(&a, 4, &mut out);
    assert_eq!(out, [0, 1, 2, 3]);
    let mut out = vec![0; 4];
    sums(&a, 4, &mut out);
    assert_eq!(out, [0, 2, 4 + 5, 7 + 8 + 9]);
}
