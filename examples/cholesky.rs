//! A system of equations with a symmetric matrix (Cholesky), in packed storage: the rows of a triangle one after another.

use shim::prelude::*;

/// The lower triangle of a symmetric matrix becomes that of `l`, of which it is the product with its transpose. Says
/// whether the matrix is positive definite; otherwise the rest of the triangle stays as it was.
#[shim::kernel]
pub fn factor(#[shape(n, |i| i + 1)] a: &mut [f64], n: usize) -> bool {
    for i in 0..n {
        for j in 0..i {
            let products = (0..j).map(|k| a[[i, k]] * a[[j, k]]).sum::<f64>();
            a[[i, j]] = (a[[i, j]] - products) / a[[j, j]];
        }
        let rest = a[[i, i]] - (0..i).map(|k| a[[i, k]] * a[[i, k]]).sum::<f64>();
        if rest <= 0.0 {
            return false;
        }
        a[[i, i]] = rest.sqrt();
    }
    true
}

/// The right side of a system with the matrix that `l` is a factor of becomes its solution.
#[shim::kernel]
pub fn solve(#[shape(n, |i| i + 1)] l: &[f64], #[shape(n)] x: &mut [f64], n: usize) {
    for i in 0..n {
        let products = (0..i).map(|k| l[[i, k]] * x[[k]]).sum::<f64>();
        x[[i]] = (x[[i]] - products) / l[[i, i]];
    }
    // The transpose, row by row of `l`.
    for last in 0..n {
        let i = n - 1 - last;
        x[[i]] /= l[[i, i]];
        for k in 0..i {
            x[[k]] -= l[[i, k]] * x[[i]];
        }
    }
}

fn main() {
    // Weights of four springs in a row, both ends held.
    let mut l = [2.0, -1.0, 2.0, 0.0, -1.0, 2.0, 0.0, 0.0, -1.0, 2.0];
    let mut x = [0.0, 0.0, 0.0, 5.0];
    assert!(factor(&mut l, 4), "a positive definite matrix");
    solve(&l, &mut x, 4);
    println!("displacements: {x:.3?}");
    for (x, wanted) in x.iter().zip([1.0, 2.0, 3.0, 4.0]) {
        assert!((x - wanted).abs() < 1e-12);
    }
    assert!(!factor(&mut [1.0, 2.0, 1.0], 2), "an indefinite one");
}
