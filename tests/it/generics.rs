//! Templates over the type of elements and over the rank.

use crate::common::{SHAPES, noise};
use shim::prelude::*;

/// The transpose, of whatever is copied.
#[shim::kernel]
fn transpose<T>(from: impl Tensor<T, 2>, to: impl Tensor<T, 2>) {
    let [y, x] = iters();
    to[[y, x]] = from[[x, y]];
}

macro_rules! transposes {
    ($($name:ident $ty:ty;)*) => {$(
        #[shim::kernel]
        fn $name(from: &[$ty], h: usize, w: usize, to: &mut [$ty]) {
            let from = Block::external(from, [h, w]);
            let to = Block::external(to, [w, h]);
            transpose(from, to);
        }
    )*};
}

transposes! { transpose_bytes u8; transpose_words u16; transpose_floats f32; transpose_pairs (i16, bool); }

#[test]
fn one_body_serves_any_element() {
    for &(h, w) in SHAPES {
        let bytes = noise::<u8>(h * w, 200);
        let at = |k: usize| (k % h.max(1)) * w + k / h.max(1);
        let mut to = vec![0; h * w];
        transpose_bytes(&bytes, h, w, &mut to);
        assert!(to.iter().enumerate().all(|(k, &found)| found == bytes[at(k)]));
        let words: Vec<u16> = bytes.iter().map(|&byte| 300 * u16::from(byte)).collect();
        let mut to = vec![0; h * w];
        transpose_words(&words, h, w, &mut to);
        assert!(to.iter().enumerate().all(|(k, &found)| found == words[at(k)]));
        let floats: Vec<f32> = bytes.iter().map(|&byte| f32::from(byte) / 3.0).collect();
        let mut to = vec![0.0; h * w];
        transpose_floats(&floats, h, w, &mut to);
        assert!(to.iter().enumerate().all(|(k, &found)| found.to_bits() == floats[at(k)].to_bits()));
        let pairs: Vec<(i16, bool)> = bytes.iter().map(|&byte| (i16::from(byte) - 9, byte > 99)).collect();
        let mut to = vec![(0, false); h * w];
        transpose_pairs(&pairs, h, w, &mut to);
        assert!(to.iter().enumerate().all(|(k, &found)| found == pairs[at(k)]));
    }
}

/// A formula that names the type: the mean, rounded in the type's own arithmetic, and the greatest value of the type.
#[shim::kernel]
fn spread<T, U>(t: impl Tensor<T, 1>, sum: U) -> (U, T, usize) {
    let wide = t.cast::<U>();
    let mut sum: U = sum;
    for [i] in wide.indices() {
        sum += wide[[i]];
    }
    assert!(sum <= U::MAX, "{} bits", T::BITS);
    let scratch = Block::stack::<T>([2]);
    scratch[[1]] = T::MAX;
    (sum, scratch[[1]], size_of::<T>())
}

#[shim::kernel]
fn spreads(#[shape(n)] bytes: &[u8], words: View<'_, u16, 1>, n: usize) -> [(u32, u64, usize); 3] {
    let (a, most, size) = spread::<_, u32>(bytes, 0);
    let (b, most16, size16) = spread::<_, u32>(words, 5);
    let (c, _, size_of_cast) = spread::<i64, u32>(bytes.cast::<i64>(), 0);
    [(a, u64::from(most), size), (b, u64::from(most16), size16), (c, 0, size_of_cast)]
}

#[test]
fn types_are_named_in_the_body() {
    let words = Block::from_vec([2], vec![1000_u16, 2]).expect("as many elements");
    let wanted = [(6, 255, 1), (1007, 65535, 2), (6, 0, 8)];
    assert_eq!(spreads(&[1, 2, 3], words.view(), 3), wanted);
}

/// Memory whose type the kernel does not show: the body does not name it, or the call does.
struct Planes {
    luma: Vec<u16>,
}

#[shim::kernel]
fn greatest<T>(t: impl Tensor<T, 1>) -> T {
    let mut greatest = T::MIN;
    for [i] in t.indices() {
        greatest = if t[[i]] > greatest { t[[i]] } else { greatest };
    }
    greatest
}

#[shim::kernel]
fn of_field(planes: &Planes, to: &mut [u16], n: usize) -> u16 {
    let luma = Block::external(planes.luma, [1, n]);
    let to = Block::external(to, [n, 1]);
    transpose(luma, to);
    greatest::<u16>(luma.slice(0, 0))
}

#[test]
fn a_type_that_is_not_shown_is_given() {
    let (planes, mut to) = (Planes { luma: vec![3, 900, 7] }, [0; 3]);
    assert_eq!(of_field(&planes, &mut to, 3), 900);
    assert_eq!(to, [3, 900, 7]);
}

/// The sum of the extents and the number of axes: the rank comes from the tensor.
#[shim::kernel]
fn ranked<T, const N: usize>(t: impl Tensor<T, N>) -> usize {
    const PER_AXIS: usize = 100;
    let mut sum = PER_AXIS * N;
    #[unroll]
    for axis in 0..N {
        sum += t.extent(axis);
    }
    sum
}

/// A generic template of generic templates.
#[shim::kernel]
fn both<T, const N: usize, const M: usize>(a: impl Tensor<T, N>, b: impl Tensor<T, M>) -> usize {
    ranked(a) + ranked::<T, M>(b) + ranked::<_, _>(b)
}

#[shim::kernel]
fn ranks(#[shape(2, 3, 4)] t: &[f64]) -> usize {
    both(t, t.slice(0, 1)) + ranked(t.slice(0, 1).slice(0, 0))
}

#[test]
fn the_rank_comes_from_the_tensor() {
    assert_eq!(ranks(&[0.0; 24]), 309 + 207 + 207 + 104);
}

/// The generic of a kernel is a type like any other.
#[shim::kernel]
fn of_generic_kernel<S: Copy + PartialOrd>(
    #[shape(2, n)] a: &[S],
    n: usize,
    #[shape(n, 2)] to: &mut [S],
) -> bool {
    transpose(a, to);
    lesser(a.slice(0, 0), a.slice(0, 1)) == a[[0, 0]]
}

#[shim::kernel]
fn lesser<T>(a: impl Tensor<T, 1>, b: impl Tensor<T, 1>) -> T {
    let (a, b): (T, T) = (a[[0]], b[[0]]);
    if a < b { a } else { b }
}

#[test]
fn kernels_are_generic_as_well() {
    let mut to = [0.0; 4];
    assert!(of_generic_kernel(&[1.5, 2.5, 3.5, 4.5], 2, &mut to));
    assert!(to.iter().zip([1.5, 3.5, 2.5, 4.5]).all(|(a, b)| f64::total_cmp(a, &b).is_eq()));
    assert!(!of_generic_kernel(&['b', 'a'], 1, &mut ['c', 'd']));
}
