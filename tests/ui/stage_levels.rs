//! Where stages are computed and stored.

use shim::prelude::*;

#[shim::kernel]
fn malformed(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[compute_at]
    let one = stage(|[i]| a[[i]]);
    #[compute_at(row)]
    let two = stage(|[i]| a[[i]]);
    #[store_at(root)]
    let three = stage(|[i]| a[[i]]);
    #[lanes(8)]
    let four = stage(|[i]| a[[i]]);
    #[compute_at(root)]
    #[unroll]
    let five = stage(|[i]| a[[i]]);
    #[compute_at(root)]
    let six = 1;
    #[compute_at(root)]
    for [i] in b.indices() {
        b[[i]] = 1;
    }
}

#[shim::kernel]
fn outside_of_its_loop(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[compute_at('row)]
    let s = stage(|[i]| a[[i]] / 2);
    'other: for i in 0..n {
        b[[i]] = s[[i]];
    }
}

#[shim::kernel]
fn stored_inside(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[store_at('inner)]
    #[compute_at('outer)]
    let s = stage(|[i]| a[[i]] / 2);
    'outer: for i in 0..n {
        'inner: for k in 0..4 {
            b[[i]] += s[[i]] * k;
        }
    }
}

#[shim::kernel]
fn with_extents(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[compute_at('row)]
    let s = stage([n], |[i]| a[[i]] / 2);
    'row: for i in 0..n {
        b[[i]] = s[[i]];
    }
}

#[shim::kernel]
fn unknown_region(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32], #[shape(n)] at: &[u32]) {
    #[compute_at(root)]
    let s = stage(|[i]| a[[i]] / 2);
    for i in 0..n {
        b[[i]] = s[[at[[i]]]];
    }
}

#[shim::kernel]
fn bound_later(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[compute_at(root)]
    let s = stage(|[i]| a[[i]] / 2);
    let m = n.min(a[[0]] as usize);
    for i in 0..m {
        b[[i]] = s[[i]];
    }
}

#[shim::kernel]
fn overwritten(#[shape(n)] a: &mut [u32], n: usize) {
    #[compute_at(root)]
    let s = stage(|[i]| a[[i]] / 2);
    for i in 1..n {
        a[[i]] = s[[i - 1]];
    }
}

#[shim::kernel]
fn overwritten_in_an_iteration(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[compute_at('row)]
    let s = stage(|[i]| a[[i]] / 2);
    'row: for i in 1..n {
        a[[i]] = 5;
        b[[i]] = s[[i]] + s[[i - 1]];
    }
}

#[shim::kernel]
fn may_panic(#[shape(h, w)] a: &[u32], h: usize, w: usize, #[shape(h, w)] b: &mut [u32]) {
    let a = a.boundary(Clamp);
    #[compute_at(root)]
    let s = stage(|[y, x]| a[[y, x]] / a[[y, x + 1]]);
    for [y, x] in b.indices() {
        b[[y, x]] = s[[y - 1, x]] ^ s[[y, x - 1]];
    }
}

#[shim::kernel]
fn may_index_past_an_array(#[shape(h, w)] a: &[f32], h: usize, w: usize, #[shape(h, w)] b: &mut [f32]) {
    let a = a.boundary(Clamp);
    let fours = stage::<[f32; 4]>(|[y, x]| [a[[y, x]]; 4]);
    #[compute_at(root)]
    let s = stage::<f32>(|[y, x]| {
        let mut sum: f32 = 0.0;
        for k in 0..5 {
            sum += fours[[y, x]][k];
        }
        sum
    });
    for [y, x] in b.indices() {
        b[[y, x]] = s[[y - 1, x]] + s[[y, x - 1]];
    }
}

#[shim::kernel]
fn outside_where_nothing_reads(#[shape(n)] a: &[u32], n: usize, #[shape(n)] b: &mut [u32], flag: bool) {
    #[compute_at(root)]
    let s = stage(|[i]| a[[i + 1]]);
    for i in 0..n {
        if flag {
            b[[i]] = s[[i]];
        }
    }
}

#[shim::kernel]
fn of_an_empty_tensor(#[shape(n)] a: &[u32], n: usize, #[shape(m)] b: &mut [u32], m: usize, flag: bool) {
    let a = a.boundary(Clamp);
    #[compute_at(root)]
    let s = stage(|[i]| a[[i + 1]]);
    for i in 0..m {
        if flag {
            b[[i]] = s[[i]];
        }
    }
}

#[shim::kernel]
fn behind_its_loop(#[shape(n)] a: &[f32], n: usize, #[shape(n)] b: &mut [f32]) {
    #[compute_at('row)]
    let s = stage(|[i]| 2.0 * a[[i]]);
    'row: for i in 0..n {
        b[[i]] = s[[i]];
    }
    b[[0]] += s[[0]];
}

#[shim::kernel]
fn of_no_loop(#[shape(n)] a: &[f32], n: usize, #[shape(n)] b: &mut [f32]) {
    #[compute_at('rows)]
    let s = stage(|[i]| 2.0 * a[[i]]);
    'row: for i in 0..n {
        b[[i]] = s[[i]];
    }
}

fn main() {}
