//! Loops of which one iteration writes what the others read.

use crate::common::noise;
use shim::prelude::*;

/// Shortest paths (Floyd and Warshall), over indices and over ranges.
#[shim::kernel]
fn paths(#[shape(n, n)] d: &mut [u32], n: usize) {
    for k in 0..n {
        for [i, j] in d.indices() {
            d[[i, j]] = d[[i, j]].min(d[[i, k]] + d[[k, j]]);
        }
    }
}

#[shim::kernel]
fn paths_of_ranges(#[shape(n, n)] d: &mut [u32], n: usize) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[[i, j]] = d[[i, j]].min(d[[i, k]] + d[[k, j]]);
            }
        }
    }
}

/// An element that changes where it is read again: the iteration that writes it is one before, and its own element is
/// read twice.
#[shim::kernel]
fn shifted(#[shape(n, m)] t: &mut [f32], [n, m]: [usize; 2], k: usize) {
    for i in 0..n {
        for j in 0..m - 1 {
            t[[i, j + 1]] = 0.5 * t[[i, j + 1]] + t[[i, k]] * t[[i, k]] - t[[i, j]];
        }
    }
}

/// What is read behind the write.
#[shim::kernel]
fn behind(#[shape(n)] t: &mut [u32], #[shape(n)] out: &mut [u32], n: usize, k: usize) {
    for j in 0..n {
        t[[j]] ^= 5;
        out[[j]] = t[[k]] + t[[j]];
    }
}

/// Two iterations that write, one of them in a condition, and a read in a condition.
#[shim::kernel]
fn twice(#[shape(n)] t: &mut [u32], #[shape(n)] out: &mut [u32], n: usize, k: usize) {
    for j in 0..n {
        out[[j]] = t[[k]];
        t[[j]] += 3;
        if j % 3 == 0 {
            t[[n - 1 - j]] += t[[k]];
        }
    }
}

fn by_hand(d: &mut [u32], n: usize) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
            }
        }
    }
}

#[test]
fn shortest_paths() {
    for n in [0, 1, 2, 31, 33, 40] {
        let edges: Vec<u32> = noise(n * n, 997);
        let mut expected = edges.clone();
        by_hand(&mut expected, n);
        for kernel in [paths as fn(&mut [u32], usize), paths_of_ranges] {
            let mut d = edges.clone();
            kernel(&mut d, n);
            assert_eq!(d, expected);
        }
    }
}

#[test]
fn the_iteration_that_writes() {
    for ([n, m], k) in [([0, 1], 0), ([3, 1], 0), ([2, 40], 0), ([2, 40], 1), ([3, 41], 17), ([2, 40], 39)] {
        let t: Vec<f32> = noise::<u8>(n * m, 16).into_iter().map(|own| f32::from(own) / 16.0).collect();
        let (mut own, mut expected) = (t.clone(), t);
        shifted(&mut own, [n, m], k);
        for i in 0..n {
            for j in 0..m - 1 {
                let at = |j: usize| i * m + j;
                let held = expected[at(k)];
                expected[at(j + 1)] = 0.5 * expected[at(j + 1)] + held * held - expected[at(j)];
            }
        }
        assert!(own.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}

#[test]
fn reads_that_change() {
    for (n, k) in [(1, 0), (40, 0), (40, 13), (40, 39)] {
        let t: Vec<u32> = noise(n, 1000);
        let (mut own, mut out) = (t.clone(), vec![0; n]);
        behind(&mut own, &mut out, n, k);
        let (mut changed, mut expected) = (t.clone(), vec![0; n]);
        for j in 0..n {
            changed[j] ^= 5;
            expected[j] = changed[k] + changed[j];
        }
        assert_eq!((own, out), (changed, expected));
        let (mut own, mut out) = (t.clone(), vec![0; n]);
        twice(&mut own, &mut out, n, k);
        let (mut changed, mut expected) = (t, vec![0; n]);
        for j in 0..n {
            expected[j] = changed[k];
            changed[j] += 3;
            if j % 3 == 0 {
                changed[n - 1 - j] += changed[k];
            }
        }
        assert_eq!((own, out), (changed, expected));
    }
}

/// All elements of a row in one place of memory.
#[shim::kernel]
fn overlapping(m: &mut [u32], [n, stride]: [usize; 2]) {
    let t = Block::external(m, [n, n]).strided([stride, 0]);
    for i in 0..n {
        for j in 0..n {
            t[[i, j]] = (t[[i, j]] + t[[i, i]] + 1) % 1009;
        }
    }
}

#[test]
fn elements_in_one_place() {
    for (n, stride) in [(40, 1), (33, 0)] {
        let m: Vec<u32> = noise(n, 3);
        let (mut own, mut expected) = (m.clone(), m);
        overlapping(&mut own, [n, stride]);
        for i in 0..n {
            for _ in 0..n {
                expected[i * stride] = (2 * expected[i * stride] + 1) % 1009;
            }
        }
        assert_eq!(own, expected);
    }
}
