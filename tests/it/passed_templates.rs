//! Templates as arguments of templates.

use shim::prelude::*;

/// Applies a transform of lines to the rows, then to the columns.
#[shim::kernel]
fn separable(pass: impl Template, t: impl Tensor<i32, 2>) {
    for y in 0..t.extent(0) {
        pass(t.slice(0, y));
    }
    for x in 0..t.extent(1) {
        pass(t.slice(1, x));
    }
}

#[shim::kernel]
fn sums(v: impl Tensor<i32, 1>) {
    for i in 1..v.extent(0) {
        v[[i]] += v[[i - 1]];
    }
}

/// Butterflies of neighbors.
#[shim::kernel]
fn haar<const STEP: usize>(v: impl Tensor<i32, 1>) {
    let mut k = 0;
    while k + STEP < v.extent(0) {
        let (a, b) = (v[[k]], v[[k + STEP]]);
        v[[k]] = a + b;
        v[[k + STEP]] = a - b;
        k += 2 * STEP;
    }
}

#[shim::kernel]
fn transforms(#[shape(h, w)] a: &mut [i32], #[shape(h, w)] b: &mut [i32], h: usize, w: usize) {
    const TWO: usize = 2;
    separable(sums, a);
    separable(haar::<1>, b);
    separable(haar::<{ TWO }>, b);
}

fn lines(h: usize, w: usize) -> impl Iterator<Item = Vec<usize>> {
    let rows = (0..h).map(move |y| (0..w).map(|x| y * w + x).collect());
    let columns = (0..w).map(move |x| (0..h).map(|y| y * w + x).collect());
    rows.chain(columns)
}

fn plain_haar(t: &mut [i32], h: usize, w: usize, step: usize) {
    for line in lines(h, w) {
        let mut k = 0;
        while k + step < line.len() {
            let (a, b) = (t[line[k]], t[line[k + step]]);
            (t[line[k]], t[line[k + step]]) = (a + b, a - b);
            k += 2 * step;
        }
    }
}

#[test]
fn one_nest_serves_several_transforms() {
    for (h, w) in [(0, 0), (1, 1), (4, 4), (5, 3), (8, 2)] {
        let start: Vec<i32> = (0..h * w).map(|k| (k * 37 % 19) as i32 - 9).collect();
        let (mut a, mut b) = (start.clone(), start.clone());
        transforms(&mut a, &mut b, h, w);
        let (mut c, mut d) = (start.clone(), start);
        for line in lines(h, w) {
            for i in 1..line.len() {
                c[line[i]] += c[line[i - 1]];
            }
        }
        plain_haar(&mut d, h, w, 1);
        plain_haar(&mut d, h, w, 2);
        assert_eq!((a, b), (c, d), "{h}x{w}");
    }
}

/// A template that is passed on, returns values, and is generic over the element.
mod library {
    use shim::prelude::*;

    #[shim::kernel]
    pub fn fold<T>(combine: impl Template, t: impl Tensor<T, 1>, first: T) -> T {
        let mut value = first;
        for [i] in t.indices() {
            value = combine(t[[i..]], value);
        }
        value
    }

    /// The module's own `fold` is found by its path, whatever the caller has of that name.
    #[shim::kernel]
    pub fn twice<T>(combine: impl Template, t: impl Tensor<T, 1>, first: T) -> (T, T) {
        (fold(combine, t, first), fold(combine, t[[1..]], first))
    }
}

#[shim::kernel]
fn greatest(t: impl Tensor<u8, 1>, so_far: u8) -> u8 {
    so_far.max(t[[0]])
}

#[shim::kernel]
fn mixed(t: impl Tensor<u8, 1>, so_far: u8) -> u8 {
    if t[[0]] == 0 {
        return so_far;
    }
    so_far.wrapping_mul(3).wrapping_add(t[[0]])
}

#[shim::kernel]
fn folds(v: &[u8], n: usize) -> ((u8, u8), u8) {
    let v = Block::external(v, [n]);
    let both = library::twice::<u8>(greatest, v, 0);
    let other = {
        use library::fold as reduce;
        reduce::<u8>(mixed, v, 7)
    };
    (both, other)
}

fn mix(v: &[u8]) -> u8 {
    v.iter().fold(7, |so_far: u8, x| so_far.wrapping_mul(3).wrapping_add(*x))
}

#[test]
fn templates_are_passed_on() {
    let v = [3, 0, 9, 200, 17];
    assert_eq!(folds(&v, v.len()), ((200, 200), mix(&[3, 9, 200, 17])));
    assert_eq!(folds(&[5], 1), ((5, 0), mix(&[5])));
}

/// A template may pass itself, and another by a path.
#[shim::kernel]
fn halves<const N: usize>(leaf: impl Template, t: impl Tensor<i32, 1>) {
    if N == 1 {
        leaf(t);
    } else {
        halves::<{ N / 2 }>(leaf, t[[..N / 2]]);
        halves::<{ N / 2 }>(leaf, t[[N / 2..]]);
    }
}

mod leaves {
    use shim::prelude::*;

    #[shim::kernel]
    pub fn negate(t: impl Tensor<i32, 1>) {
        for [i] in t.indices() {
            t[[i]] = -t[[i]];
        }
    }
}

#[shim::kernel]
fn all_halves(#[shape(8)] t: &mut [i32]) {
    halves::<8>(leaves::negate, t);
}

#[test]
fn a_recursive_template_passes_its_argument_on() {
    let mut t = [1, -2, 3, -4, 5, -6, 7, -8];
    all_halves(&mut t);
    assert_eq!(t, [-1, 2, -3, 4, -5, 6, -7, 8]);
}

/// A local of the name of a template does not hide it behind a path.
#[shim::kernel]
fn shadowed(#[shape(2, 2)] t: &mut [i32], sums: i32) -> i32 {
    separable(self::sums, t);
    sums
}

#[test]
fn a_local_does_not_hide_a_path() {
    let mut t = [1, 2, 3, 4];
    assert_eq!(shadowed(&mut t, 5), 5);
    assert_eq!(t, [1, 3, 4, 10]);
}
