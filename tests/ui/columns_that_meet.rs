//! A column that the bounds of an inner loop do not keep apart from those that tasks change.

use shim::prelude::*;

#[shim::kernel]
fn cholesky(#[shape(n, n)] a: &mut [f64], n: usize) {
    for k in 0..n {
        #[parallel]
        for i in k + 1..n {
            for j in k..=i {
                a[[i, j]] -= a[[i, k]] * a[[j, k]];
            }
        }
    }
}

#[shim::kernel]
fn histogram(#[shape(n)] a: &[u8], n: usize) -> [u32; 256] {
    let mut counts = [0; 256];
    #[parallel]
    for i in 0..n {
        counts[a[[i]] as usize] += 1;
    }
    counts
}

fn main() {}
