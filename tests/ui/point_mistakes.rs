//! A point has as many numbers as its tensor has axes.

#[shim::kernel]
fn rank(#[shape(4, 4)] t: &[i32], #[shape(4)] u: &[i32]) -> i32 {
    let mut sum = 0;
    for p in t.indices() {
        sum += u[p];
    }
    sum
}

#[shim::kernel]
fn axis(#[shape(4, 4)] t: &mut [i32]) {
    for p in t.indices() {
        t[p] = t[p.back(2, 1)];
    }
}

#[shim::kernel]
fn arguments(#[shape(4, 4)] t: &mut [i32]) {
    for p in t.indices() {
        t[p] = t[p.ahead(1)];
    }
}

#[shim::kernel]
fn dynamic(#[shape(4, 4)] t: &mut [i32], n: usize) {
    for p in t.indices() {
        t[p] = t[p.back(n, 1)];
    }
}

#[shim::kernel]
fn number(#[shape(4, 4)] t: &mut [i32]) {
    for p in t.indices() {
        t[[p, 0]] = 1;
    }
}

#[shim::kernel]
fn method(#[shape(4, 4)] t: &mut [i32]) {
    for p in t.indices() {
        t[p.left(1)] = 1;
    }
}

fn main() {}
