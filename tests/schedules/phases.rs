//! Loops over a variable that is divided in indices, which are written out by their period.

use crate::common::noise;
use shim::prelude::*;

/// Chroma of 4:2:0 at the size of luma.
#[shim::kernel]
fn upsampled(
    #[shape((h + 1) / 2, (w + 1) / 2)] small: &[u8],
    [h, w]: [usize; 2],
    #[shape(h, w)] out: &mut [u8],
) {
    let small = small.boundary(Clamp);
    for [y, x] in out.indices() {
        let near = small[[y / 2, x / 2]] as u16;
        let beside = small[[y / 2, x / 2 + 2 * (x % 2) - 1]] as u16;
        let under = small[[y / 2 + 2 * (y % 2) - 1, x / 2]] as u16;
        let across = small[[y / 2 + 2 * (y % 2) - 1, x / 2 + 2 * (x % 2) - 1]] as u16;
        out[[y, x]] = ((9 * near + 3 * beside + 3 * under + across + 8) / 16) as u8;
    }
}

/// Thirds of an odd range that begins within a period, under a condition, with the variable as a value.
#[shim::kernel]
fn thirds(#[shape(n)] a: &[u32], n: usize, #[shape(n)] out: &mut [u32]) {
    let a = a.boundary(Fill(9));
    for i in 1..n {
        if a[[i]] % 5 > 0 {
            out[[i]] = a[[i / 3 + i % 3 - 1]] + 2 * a[[(i + 1) / 3]] + i as u32;
        }
    }
}

/// Sums in a local, and a test of the position.
#[shim::kernel]
fn summed(#[shape(n)] a: &[u32], n: usize) -> u32 {
    let a = a.boundary(Wrap);
    let mut sum = 0u32;
    for i in 0..n {
        sum = sum.wrapping_mul(3).wrapping_add(if i % 2 == 0 { a[[i / 2]] } else { a[[i / 2 + 1]] ^ 5 });
    }
    sum
}

#[test]
fn periods_change_nothing() {
    for [h, w] in [[0, 3], [1, 1], [2, 2], [3, 7], [4, 40], [9, 71]] {
        let [sh, sw] = [h, w].map(|extent: usize| extent.div_ceil(2));
        let small: Vec<u8> = noise(sh * sw, 256);
        let mut out = vec![0; h * w];
        upsampled(&small, [h, w], &mut out);
        let near = |y: i32, x: i32| {
            let [y, x] = [(y, sh), (x, sw)].map(|(at, extent)| at.clamp(0, extent as i32 - 1) as usize);
            u16::from(small[y * sw + x])
        };
        for (place, value) in out.iter().enumerate() {
            let (y, x) = ((place / w) as i32, (place % w) as i32);
            let (sy, sx) = (y / 2 + 2 * (y % 2) - 1, x / 2 + 2 * (x % 2) - 1);
            let sum = 9 * near(y / 2, x / 2) + 3 * near(y / 2, sx) + 3 * near(sy, x / 2) + near(sy, sx);
            assert_eq!(u16::from(*value), (sum + 8) / 16);
        }
    }
    for n in [0, 1, 2, 3, 31, 32, 33, 34, 100] {
        let a: Vec<u32> = noise(n, 1000);
        let mut out = vec![0; n];
        thirds(&a, n, &mut out);
        let at = |i: usize| a.get(i).copied().unwrap_or(9);
        for i in 1..n {
            let wanted = at((i / 3 + i % 3).wrapping_sub(1)) + 2 * at((i + 1) / 3) + i as u32;
            assert_eq!(out[i], if a[i].is_multiple_of(5) { 0 } else { wanted }, "{n} {i}");
        }
        let wrapped = |i: usize| a[i % n];
        let sum = (0..n).fold(0u32, |sum, i| {
            let own = if i % 2 == 0 { wrapped(i / 2) } else { wrapped(i / 2 + 1) ^ 5 };
            sum.wrapping_mul(3).wrapping_add(own)
        });
        assert_eq!(summed(&a, n), sum, "{n}");
    }
}
