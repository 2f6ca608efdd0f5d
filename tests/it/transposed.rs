//! Copies between the lines of one block of bytes and the columns of another, which are emitted as a whole.

use crate::common::{noise, panics_with};
use shim::prelude::*;

/// A kernel that moves a window of `source`, `[50, stride]`, to columns on the stack, changes one of them, and writes
/// what is there to another window of `out` by columns.
macro_rules! kernels {
    ($($name:ident $h:literal $w:literal;)*) => {
        $(
            #[shim::kernel(simd)]
            fn $name(source: &[u8], out: &mut [u8], stride: usize, y: usize) {
                let source = Block::external(source, [50, stride]);
                let out = Block::external(out, [50, stride]);
                let t = Block::stack::<u8>([$w, $h]);
                let window = source[[y..y + $h, 1..1 + $w]].permute([1, 0]);
                let [i, j] = iters();
                t[[i, j]] = window[[i, j]];
                t[[$w - 1, 0]] = 255;
                for [j, i] in out[[y + 1..y + 1 + $h, 2..2 + $w]].indices() {
                    out[[y + 1 + j, 2 + i]] = t[[i, j]];
                }
            }
        )*
        const KERNELS: &[(Kernel, usize, usize)] = &[$(($name, $h, $w)),*];
    };
}

type Kernel = fn(&[u8], &mut [u8], usize, usize);

kernels! {
    words 16 20;
    lanes 20 16;
    square 16 16;
    small 8 8;
    halves 8 4;
    quarters 4 8;
    least 4 4;
    odd 5 7;
    wide 9 32;
    short 3 16;
}

#[test]
fn lines_become_columns_and_lines_again() {
    for &(kernel, h, w) in KERNELS {
        for stride in [w + 2, 40, 67] {
            let source: Vec<u8> = (0..50 * stride).map(|i| (i * 31 % 241) as u8).collect();
            for y in [0, 1, 50 - h - 1] {
                let (mut out, mut wanted) = (vec![7; 50 * stride], vec![7; 50 * stride]);
                for j in 0..h {
                    for i in 0..w {
                        wanted[(y + 1 + j) * stride + 2 + i] = source[(y + j) * stride + 1 + i];
                    }
                }
                wanted[(y + 1) * stride + 1 + w] = 255;
                kernel(&source, &mut out, stride, y);
                assert_eq!(out, wanted, "{h}x{w} at {y} of {stride}");
            }
        }
    }
}

#[test]
fn what_is_outside_panics_before_anything_is_written() {
    for &(kernel, h, w) in KERNELS {
        let stride = w + 2;
        let source = vec![1; 50 * stride];
        let mut out = vec![7; 50 * stride];
        panics_with(|| kernel(&source, &mut out, stride, 50 - h), &["reaches outside of"]);
        assert!(out.iter().all(|byte| *byte == 7), "{h}x{w}");
        panics_with(|| kernel(&source, &mut out, stride, 50), &["reaches outside of"]);
    }
}

/// A block that is written where it was read from keeps the order of its elements.
#[shim::kernel]
fn onto_itself(#[shape(16, 16)] t: &mut [u8]) {
    for [i, j] in t.indices() {
        t[[j, i]] = t[[i, j]];
    }
}

/// Elements that are not bytes, and those that change on the way, are copied one at a time.
#[shim::kernel]
fn wider(
    #[shape(16, 8)] a: &[u16],
    #[shape(8, 16)] b: &mut [u16],
    #[shape(16, 8)] c: &[u8],
    #[shape(8, 16)] d: &mut [u8],
) {
    let [i, j] = iters();
    b[[i, j]] = a[[j, i]];
    d[[i, j]] = c[[j, i]] ^ 1;
}

#[test]
fn other_copies_stay_loops() {
    let mut t: Vec<u8> = (0..=255).collect();
    let mut wanted = t.clone();
    for i in 0..16 {
        for j in 0..16 {
            wanted[16 * j + i] = wanted[16 * i + j];
        }
    }
    onto_itself(&mut t);
    assert_eq!(t, wanted);
    let a: Vec<u16> = (0..128).map(|i| i * 300).collect();
    let c: Vec<u8> = (0..128).collect();
    let (mut b, mut d) = ([0; 128], [0; 128]);
    wider(&a, &mut b, &c, &mut d);
    for i in 0..8 {
        for j in 0..16 {
            assert_eq!((b[16 * i + j], d[16 * i + j]), (a[8 * j + i], c[8 * j + i] ^ 1));
        }
    }
}

/// A transposition whose first row is folded, and one of two tensors: neither is one block's.
#[shim::kernel]
fn in_parts(
    #[shape(40, 8)] a: &[u8],
    #[shape(24, 8)] b: &[u8],
    #[shape(8, 40)] shifted: &mut [u8],
    #[shape(8, 64)] both: &mut [u8],
) {
    let (clamped, pieces) = (a.boundary(Clamp), a.cat(0, b));
    for [y, x] in a.indices() {
        shifted[[x, y]] = clamped[[y - 1, x]];
    }
    for [y, x] in pieces.indices() {
        both[[x, y]] = pieces[[y, x]];
    }
}

#[test]
fn parts_are_no_transpositions() {
    let (a, b): (Vec<u8>, Vec<u8>) = (noise(40 * 8, 251), noise(24 * 8, 241));
    let (mut shifted, mut both) = ([0; 8 * 40], [0; 8 * 64]);
    in_parts(&a, &b, &mut shifted, &mut both);
    for x in 0..8 {
        for y in 0..40_usize {
            assert_eq!(shifted[x * 40 + y], a[y.saturating_sub(1) * 8 + x]);
        }
        for y in 0..64 {
            let from = if y < 40 { a[y * 8 + x] } else { b[(y - 40) * 8 + x] };
            assert_eq!(both[x * 64 + y], from);
        }
    }
}
