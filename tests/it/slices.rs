//! Spellings of slices: `fill`, `swap`, and assignments of several places at once.

use shim::prelude::*;

#[shim::kernel]
fn reversed(#[shape(n)] a: &mut [u32], n: usize) {
    for i in 0..n / 2 {
        a.swap(i, n - 1 - i);
    }
}

#[shim::kernel]
fn rotated(#[shape(h, w)] a: &mut [u32], h: usize, w: usize) {
    for x in 0..w {
        for y in 1..h {
            (a[[y, x]], a[[y - 1, x]]) = (a[[y - 1, x]], a[[y, x]]);
        }
    }
}

/// The value comes first, then the places in their order, whose indices may have changed.
#[shim::kernel]
fn in_order(#[shape(n)] a: &mut [usize], n: usize) -> usize {
    let (mut i, mut last) = (0, 0);
    while i + 1 < n {
        (i, _, (a[[i]], last)) = (i + 1, 7, (a[[i]] + 10, a[[i]]));
    }
    last
}

#[shim::kernel]
fn filled(#[shape(h, w)] a: &mut [u32], h: usize, w: usize, v: u32) {
    if h > 2 {
        a[[1..h - 1, ..]].fill(v + 1);
    } else {
        a.fill(v);
    }
}

#[test]
fn slices_spell_so() {
    let mut a: Vec<u32> = (0..7).collect();
    reversed(&mut a, 7);
    assert_eq!(a, [6, 5, 4, 3, 2, 1, 0]);

    let mut a = vec![1, 2, 3, 4, 5, 6];
    rotated(&mut a, 3, 2);
    assert_eq!(a, [3, 4, 5, 6, 1, 2]);

    let mut a = vec![0, 1, 2, 3];
    let last = in_order(&mut a, 4);
    let mut b = [0, 1, 2, 3];
    let (mut i, mut own) = (0, 0);
    while i + 1 < 4 {
        (i, _, (b[i], own)) = (i + 1, 7, (b[i] + 10, b[i]));
    }
    assert_eq!((a, last), (b.to_vec(), own));

    let mut a = vec![0; 6];
    filled(&mut a, 3, 2, 4);
    assert_eq!(a, [0, 0, 5, 5, 0, 0]);
    let mut a = vec![0; 4];
    filled(&mut a, 2, 2, 4);
    assert_eq!(a, [4; 4]);
}
