//! Orders of loops whose bounds mention outer variables: each point runs once, and in a sequence that keeps the result.

use crate::common::noise;
macro_rules! domains {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        mod $name {
            use crate::common::noise;

            #[shim::kernel]
            fn lower(#[shape(n, n)] t: &mut [u32], n: usize) {
                $(#[$order])*
                for i in 0..n {
                    for j in 0..=i {
                        t[[i, j]] = 3 * t[[i, j]] + (i + 2 * j) as u32;
                    }
                }
            }

            #[shim::kernel]
            fn upper(#[shape(n, n)] t: &mut [u32], n: usize) {
                $(#[$order])*
                for i in 0..n {
                    for j in i + 1..n {
                        t[[i, j]] = 3 * t[[i, j]] + (i + 2 * j) as u32;
                    }
                }
            }

            #[shim::kernel]
            fn band(#[shape(n, n)] t: &mut [u32], n: usize) {
                $(#[$order])*
                for i in 0..n {
                    for j in i.saturating_sub(2)..(i + 4).min(n) {
                        t[[i, j]] = 3 * t[[i, j]] + (i + 2 * j) as u32;
                    }
                }
            }

            #[shim::kernel]
            fn corner(#[shape(n, n)] t: &mut [u32], n: usize) {
                $(#[$order])*
                for i in (0..n).rev() {
                    for j in (0..n - i).rev() {
                        t[[i, j]] = 3 * t[[i, j]] + (i + 2 * j) as u32;
                    }
                }
            }

            /// A band across the other diagonal, whose ends are those of the block in some rows.
            #[shim::kernel]
            fn crossed(#[shape(n, n)] t: &mut [u32], n: usize) {
                $(#[$order])*
                for i in 0..n {
                    for j in (n - i).saturating_sub(3)..n.min(n - i + 2) {
                        t[[i, j]] = 3 * t[[i, j]] + (i + 2 * j) as u32;
                    }
                }
            }

            #[test]
            fn each_point_once() {
                for n in [0, 1, 2, 3, 7, 8, 9, 16, 29] {
                    let before: Vec<u32> = noise::<u16>(n * n, 60000).into_iter().map(u32::from).collect();
                    let domains: [(&str, fn(&mut [u32], usize), fn(usize, usize, usize) -> bool); 5] = [
                        ("lower", lower, |i, j, _| j <= i),
                        ("upper", upper, |i, j, _| j > i),
                        ("band", band, |i, j, _| j + 2 >= i && j < i + 4),
                        ("corner", corner, |i, j, n| j < n - i),
                        ("crossed", crossed, |i, j, n| j + i + 3 >= n && j + i < n + 2),
                    ];
                    for (name, kernel, is_inside) in domains {
                        let mut t = before.clone();
                        kernel(&mut t, n);
                        for (at, value) in t.iter().enumerate() {
                            let (i, j) = (at / n, at % n);
                            let once = 3 * before[at] + (i + 2 * j) as u32;
                            let expected = if is_inside(i, j, n) { once } else { before[at] };
                            assert_eq!(*value, expected, "{name} of {n}: {i}, {j}");
                        }
                    }
                }
            }
        }
    )* };
}

domains! {
    in_order: ;
    reordered: #[reorder(j, i)];
    tiled: #[tile([4, 8])];
    columns_of_tiles: #[tile([_, 4])];
    peeled: #[tile([4, 8], peel)] #[reorder(j, i)];
    two_levels: #[tile([8, 8])] #[tile([2, 4], peel)];
    in_lanes: #[lanes(4)];
    in_lanes_of_columns: #[reorder(j, i)] #[lanes(4)];
    unrolled: #[unroll(4)];
    tiles_unrolled: #[tile([2, 4], peel)] #[unroll(i, j)];
    in_tasks: #[parallel];
    tiles_in_tasks: #[parallel] #[tile([4, 8], peel)] #[lanes(8)];
    columns_in_tasks: #[parallel] #[reorder(j, i)];
}

macro_rules! lets {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// What is bound between the loops stays the same in the inner one.
        #[shim::kernel]
        fn $name(#[shape(n, n)] t: &mut [u32], #[shape(n)] s: &[u32], n: usize) {
            $(#[$order])*
            for i in 0..n {
                let factor = 3 * s[[i]] + 1;
                let from = i + 1;
                let diagonal = t[[i, i]];
                for j in from..n {
                    let row = 2 * j;
                    t[[i, j]] = t[[i, j]].wrapping_mul(factor) + diagonal + row as u32;
                }
            }
        }
    )* };
}

lets! {
    bound_in_order: ;
    bound_reordered: #[reorder(j, i)];
    bound_in_tiles: #[tile([4, 4], peel)] #[reorder(j, i)];
    bound_in_lanes: #[tile([4, 16])] #[lanes(8)];
    bound_in_tasks: #[parallel] #[tile([2, 4], peel)] #[unroll(i, j)];
}

#[test]
fn lets_between_loops() {
    for n in [0, 1, 2, 5, 16, 23] {
        let [t, s]: [Vec<u32>; 2] =
            [n * n, n].map(|count| noise::<u16>(count, 60000).into_iter().map(u32::from).collect());
        let mut wanted = t.clone();
        for i in 0..n {
            for j in i + 1..n {
                let old = t[i * n + j].wrapping_mul(3 * s[i] + 1);
                wanted[i * n + j] = old + t[i * n + i] + 2 * j as u32;
            }
        }
        for kernel in [bound_in_order, bound_reordered, bound_in_tiles, bound_in_lanes, bound_in_tasks] {
            let mut found = t.clone();
            kernel(&mut found, &s, n);
            assert_eq!(found, wanted, "{n}");
        }
    }
}

macro_rules! products {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// The product of an upper triangular matrix and a matrix.
        #[shim::kernel]
        fn $name(#[shape(n, n)] a: &[f32], #[shape(n, n)] b: &[f32], #[shape(n, n)] c: &mut [f32], n: usize) {
            $(#[$order])*
            for i in 0..n {
                for j in 0..n {
                    for k in i..n {
                        c[[i, j]] += a[[i, k]] * b[[k, j]];
                    }
                }
            }
        }
    )* };
}

products! {
    product: ;
    product_by_rows: #[reorder(i, k, j)];
    product_in_registers: #[tile([4, 8, _], peel)] #[reorder(k, i, j)];
    product_in_lanes: #[tile([2, 8, 4], peel)] #[reorder(k, i, j)] #[unroll(i)] #[lanes(8)];
    product_in_tasks: #[parallel] #[tile([4, 8, _], peel)] #[reorder(k, i, j)];
}

macro_rules! factorizations {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// Cholesky's factorization, in place.
        #[shim::kernel]
        fn $name(#[shape(n, n)] a: &mut [f32], n: usize) {
            for k in 0..n {
                let root = a[[k, k]].sqrt();
                a[[k, k]] = root;
                for i in k + 1..n {
                    a[[i, k]] /= root;
                }
                $(#[$order])*
                for i in k + 1..n {
                    for j in k + 1..=i {
                        a[[i, j]] -= a[[i, k]] * a[[j, k]];
                    }
                }
            }
        }
    )* };
}

factorizations! {
    factorized: ;
    factorized_by_columns: #[reorder(j, i)];
    factorized_in_tiles: #[tile([4, 8], peel)] #[lanes(8)];
    factorized_in_tasks: #[parallel] #[tile([4, _])];
}

#[test]
fn triangular_products() {
    type Kernel = fn(&[f32], &[f32], &mut [f32], usize);
    for n in [0, 1, 4, 5, 8, 13, 32, 37] {
        let [a, b, c] = [1, 2, 3].map(|seed| -> Vec<f32> {
            let all = noise::<u16>(seed * n * n, 4000);
            all[(seed - 1) * n * n..].iter().map(|value| f32::from(*value) / 7.0).collect()
        });
        let run = |kernel: Kernel| {
            let mut c = c.clone();
            kernel(&a, &b, &mut c, n);
            c
        };
        let mut wanted = c.clone();
        for i in 0..n {
            for j in 0..n {
                for k in i..n {
                    wanted[i * n + j] += a[i * n + k] * b[k * n + j];
                }
            }
        }
        let kernels: [(&str, Kernel); 5] = [
            ("in order", product),
            ("by rows", product_by_rows),
            ("in registers", product_in_registers),
            ("in lanes", product_in_lanes),
            ("in tasks", product_in_tasks),
        ];
        for (name, kernel) in kernels {
            assert!(run(kernel) == wanted, "{name} of {n}");
        }
    }
}

#[test]
fn factorizations_of_cholesky() {
    for n in [0, 1, 2, 7, 16, 33] {
        let half: Vec<f32> =
            noise::<u16>(n * n, 100).into_iter().map(|value| f32::from(value) / 50.0).collect();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let sum: f32 = (0..n).map(|k| half[i * n + k] * half[j * n + k]).sum();
                a[i * n + j] = sum + if i == j { 10.0 } else { 0.0 };
            }
        }
        let run = |kernel: fn(&mut [f32], usize)| {
            let mut a = a.clone();
            kernel(&mut a, n);
            a
        };
        let wanted = run(factorized);
        for i in 0..n {
            for j in 0..=i {
                let product: f32 = (0..=j).map(|k| wanted[i * n + k] * wanted[j * n + k]).sum();
                assert!((product - a[i * n + j]).abs() < 1e-3 * a[i * n + i].abs(), "{n}: {i}, {j}");
            }
        }
        for kernel in [factorized_by_columns, factorized_in_tiles, factorized_in_tasks] {
            assert!(run(kernel) == wanted, "{n}");
        }
    }
}

macro_rules! bounds {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// A bound that could overflow is evaluated once before the nest, and not at all if the nest does not run.
        #[shim::kernel]
        fn $name(#[shape(h, w)] t: &mut [u32], [rows, h, w]: [usize; 3]) {
            $(#[$order])*
            for y in 1..rows {
                for x in 0..w - 1 {
                    t[[y, x]] = 3 * t[[y - 1, x + 1]] + x as u32;
                }
            }
        }
    )* };
}

bounds! {
    stencil: ;
    stencil_in_fronts: #[wavefront(2 * y + x)];
    stencil_in_tiles: #[tile([2, _])];
    stencil_on_threads: #[parallel] #[wavefront(2 * y + x)];
}

#[test]
fn bounds_that_are_evaluated_once() {
    let kernels = [stencil, stencil_in_fronts, stencil_in_tiles, stencil_on_threads];
    for [rows, h, w] in [[4, 4, 4], [1, 1, 5], [5, 6, 1], [9, 9, 20], [0, 3, 0], [1, 2, 0]] {
        let before: Vec<u32> = noise::<u16>(h * w, 60).into_iter().map(u32::from).collect();
        let mut wanted = before.clone();
        stencil(&mut wanted, [rows, h, w]);
        for kernel in kernels {
            let mut t = before.clone();
            kernel(&mut t, [rows, h, w]);
            assert_eq!(t, wanted, "{rows}, {h} x {w}");
        }
    }
    for kernel in kernels {
        // One row too many, before anything is written.
        let mut t = vec![1; 12];
        assert!(
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| kernel(&mut t, [4, 3, 4]))).is_err()
        );
    }
}
