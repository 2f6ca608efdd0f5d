//! Slices of arrays: rows where the last extent is their length, elements otherwise.

use shim::prelude::*;

type Pixel = [u8; 3];

#[shim::kernel]
fn rows(#[shape(h, 3)] a: &[[u8; 3]], h: usize) -> Vec<u8> {
    let mut found = Vec::new();
    for [y, x] in a.indices() {
        found.push(a[[y, x]]);
    }
    found
}

/// One axis: the elements are the arrays.
#[shim::kernel]
fn elements(#[shape(n)] a: &mut [[u8; 3]], n: usize) {
    for [i] in a.indices() {
        let [r, g, b] = a[[i]];
        a[[i]] = [b, g, r];
        a[[i]][1] = 0;
    }
}

/// A name of the type hides the array.
#[shim::kernel]
fn picture(#[shape(h, w)] a: &[Pixel], h: usize, w: usize, y: usize, x: usize) -> Pixel {
    a.boundary(Fill([0; 3]))[[y, x]]
}

#[shim::kernel]
fn square<const N: usize>(a: &[[i32; N]; N]) -> i32 {
    let a = Block::external(a, [N, N]);
    (0..N).map(|i| a[[i, i]]).sum::<i32>()
}

#[shim::kernel]
fn volume(#[shape(2, 2, 2)] a: &[[i16; 2]; 8]) -> [i16; 2] {
    a[[1, 0, 1]]
}

/// Rows of which the last extent is less than their length, which is said.
#[shim::kernel]
fn left_half(a: &[[u8; 4]], h: usize, w: usize) -> u32 {
    let a = Block::rows(a, [h, w]);
    a.indices().map(|[y, x]| u32::from(a[[y, x]])).sum::<u32>()
}

#[shim::located]
struct Means {
    n: usize,
    #[shape(n)]
    colors: Vec<[u8; 3]>,
}

#[shim::kernel]
fn red(#[located] means: &Means, i: usize) -> u8 {
    means.colors[[i]][0]
}

#[test]
fn arrays_are_rows_or_elements_by_the_shape() {
    let pixels = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]];
    assert_eq!(rows(&pixels[..2], 2), [1, 2, 3, 4, 5, 6]);
    let mut turned = pixels;
    elements(&mut turned, 4);
    assert_eq!(turned, [[3, 0, 1], [6, 0, 4], [9, 0, 7], [12, 0, 10]]);
    assert_eq!(picture(&pixels, 2, 2, 1, 0), [7, 8, 9]);
    assert_eq!(picture(&pixels, 2, 2, 2, 0), [0; 3]);
    assert_eq!(square(&[[1, 2], [3, 4]]), 5);
    assert_eq!(volume(&core::array::from_fn(|i| [i as i16, 0])), [5, 0]);
    assert_eq!(left_half(&[[1, 2, 3, 4], [5, 6, 7, 8]], 2, 2), 14);
    assert_eq!(red(&Means { n: 2, colors: vec![[1, 2, 3], [4, 5, 6]] }, 1), 4);
}
