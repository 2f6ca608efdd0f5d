//! The laws of the algebra, for tensors of ranks 1 to 4.

use shim::algebra::{add, compress, expand, inner, max, min, mul, reduce, scan};
use shim::prelude::*;
use shim::{Located, TensorOps};

/// Whether two tensors have the same extents and elements.
#[shim::kernel]
fn equal<T, const N: usize>(a: impl Tensor<T, N>, b: impl Tensor<T, N>) -> bool {
    let mut same = true;
    #[unroll]
    for axis in 0..N {
        same &= a.extent(axis) == b.extent(axis);
    }
    same && a.indices().all(|p| a[p] == b[p])
}

/// The greatest of an element and its neighbors along each axis by `op`, from `least` outside.
#[shim::kernel]
fn neighbors<T, const N: usize>(
    op: impl Fn(T, T) -> T,
    least: T,
    from: impl Tensor<T, N>,
    to: impl Tensor<T, N>,
) {
    let around = from.boundary(Fill(least));
    for p in to.indices() {
        to[p] = from[p];
    }
    #[unroll]
    for axis in 0..N {
        for p in to.indices() {
            to[p] = op(op(to[p], around[p.back(axis, 1)]), around[p.ahead(axis, 1)]);
        }
    }
}

/// Views: `m` and `n` are numbers of elements along the first axis, `by` any number.
#[shim::kernel]
fn of_views<T, const N: usize>(
    t: impl Tensor<T, N>,
    u: impl Tensor<T, N>,
    m: usize,
    n: usize,
    by: isize,
) -> [bool; 8] {
    let length = t.extent(0);
    let rest: usize = length - m;
    let one_by_one = t.to_block().copied().ravel();
    let (mut number, mut in_order) = (0, true);
    for p in t.indices() {
        in_order &= one_by_one[[number]] == t[p];
        number += 1;
    }
    let sum = t.to_block();
    for p in sum.indices() {
        sum[p] = t[p] + u[p];
    }
    let (back, other) = (t.rev(0), u.rev(0));
    let pointwise = t.to_block();
    for p in pointwise.indices() {
        pointwise[p] = back[p] + other[p];
    }
    [
        in_order,
        equal(t.take([m]), t.drop([-(rest as isize)])),
        equal(t.take([m]).cat(0, t.drop([m])), t),
        m + n > length || equal(t.drop([m]).drop([n]), t.drop([m + n])),
        equal(t.rev(0).rev(0), t),
        equal(pointwise, sum.rev(0)),
        equal(t.cat(0, u).rev(0), u.rev(0).cat(0, t.rev(0))),
        equal(t.cat(0, u).cat(0, t), t.cat(0, u.cat(0, t))) && by != isize::MIN,
    ]
}

/// What is computed of the elements along the first axis.
#[shim::kernel]
fn of_sums<T, const N: usize>(
    t: impl Tensor<T, N>,
    mask: impl Tensor<bool, 1>,
    kept: usize,
    zero: T,
) -> [bool; 2] {
    let sums = t.to_block();
    scan::<_, 0, _>(add, zero, t, sums);
    let last_is_sum = if N == 1 {
        t.extent(0) == 0 || sums[[t.extent(0) - 1]] == shim::algebra::fold(add, zero, t)
    } else {
        let total = t.slice(0, 0).to_block();
        reduce::<_, 0, _>(add, zero, t, total);
        t.extent(0) == 0 || equal(sums.slice(0, t.extent(0) - 1), total)
    };
    let part = t.take([kept]).to_block();
    compress::<_, 0, _>(mask, t, part);
    let again = t.to_block();
    expand::<_, 0, _>(mask, zero, part, again);
    let masked = t.indices().all(|p| again[p] == if mask[[p[0]]] { t[p] } else { zero });
    [last_is_sum, masked]
}

/// Dilation and erosion.
#[shim::kernel]
fn of_morphology<T, const N: usize>(t: impl Tensor<T, N>, low: T, high: T) -> [bool; 3] {
    let negative = t.to_block();
    for p in t.indices() {
        negative[p] = -t[p];
    }
    let (dilated, eroded) = (t.to_block(), t.to_block());
    neighbors(max, low, negative, dilated);
    neighbors(min, high, t, eroded);
    let mut dual = true;
    for p in t.indices() {
        dual &= dilated[p] == -eroded[p];
    }
    // Open and close.
    let (opened, again) = (t.to_block(), t.to_block());
    neighbors(max, low, eroded, opened);
    let scratch = t.to_block();
    neighbors(min, high, opened, scratch);
    neighbors(max, low, scratch, again);
    let open_is_idempotent = equal(opened, again);
    let (closed, twice) = (t.to_block(), t.to_block());
    neighbors(max, low, t, scratch);
    neighbors(min, high, scratch, closed);
    neighbors(max, low, closed, scratch);
    neighbors(min, high, scratch, twice);
    [dual, open_is_idempotent, equal(closed, twice)]
}

macro_rules! laws {
    ($($name:ident: $T:ty, $rank:literal, [$low:expr, $high:expr];)*) => {$(
        mod $name {
            use super::*;

            #[shim::kernel]
            fn views(t: View<'_, $T, $rank>, u: View<'_, $T, $rank>, m: usize, n: usize, by: isize) -> [bool; 8] {
                of_views(t, u, m, n, by)
            }

            #[shim::kernel]
            fn sums(t: View<'_, $T, $rank>, mask: &[bool], kept: usize) -> [bool; 2] {
                let mask = Block::external(mask, [t.extent(0)]);
                of_sums(t, mask, kept, 0 as $T)
            }

            #[shim::kernel]
            fn morphology(t: View<'_, $T, $rank>) -> [bool; 3] {
                of_morphology(t, $low, $high)
            }

            /// Every law, over boxes of the extents in turn.
            #[test]
            fn hold() {
                for lengths in [[1, 1, 1, 1], [2, 3, 5, 2], [7, 1, 2, 3], [0, 2, 3, 1], [3, 0, 2, 2], [5, 4, 3, 2]] {
                    let extents: [usize; $rank] = std::array::from_fn(|axis| lengths[axis]);
                    let number = |by: usize| move |p: [isize; $rank]| {
                        let place = p.iter().fold(by, |sum, at| sum * 7 + *at as usize);
                        ((place * 31 + by) % 23) as $T
                    };
                    let (t, u) = (Block::from_fn(extents, number(3)), Block::from_fn(extents, number(5)));
                    let axes: [usize; $rank] = std::array::from_fn(|axis| $rank - 1 - axis);
                    let pairs = [
                        (t.view(), u.view()),
                        (t.view().permute(axes).expect("a permutation"), u.view().permute(axes).expect("a permutation")),
                    ];
                    for (t, u) in &pairs {
                        let length = t.extents()[0];
                        for m in 0..=length {
                            for n in 0..2 {
                                assert_eq!(views(t.clone(), u.clone(), m, n, 3), [true; 8], "{lengths:?}, {m} and {n}");
                            }
                        }
                        let mask: Vec<bool> = (0..length).map(|k| k % 3 != 1).collect();
                        let kept = mask.iter().filter(|own| **own).count();
                        assert_eq!(sums(t.clone(), &mask, kept), [true; 2], "{lengths:?}");
                        assert_eq!(morphology(t.clone()), [true; 3], "{lengths:?}");
                    }
                }
            }
        }
    )*};
}

laws! {
    bytes_of_rank_1: i8, 1, [i8::MIN + 1, i8::MAX];
    integers_of_rank_1: i32, 1, [-i32::MAX, i32::MAX];
    integers_of_rank_2: i32, 2, [-i32::MAX, i32::MAX];
    integers_of_rank_3: i64, 3, [-i64::MAX, i64::MAX];
    integers_of_rank_4: i16, 4, [-i16::MAX, i16::MAX];
    floats_of_rank_2: f32, 2, [f32::NEG_INFINITY, f32::INFINITY];
    doubles_of_rank_3: f64, 3, [f64::NEG_INFINITY, f64::INFINITY];
}

/// Rotations add up, whatever they are, also of a tensor that was rotated before.
#[shim::kernel]
fn rotations(#[shape(h, w)] t: &[u16], [h, w]: [usize; 2], a: [isize; 2], b: [isize; 2]) -> [bool; 3] {
    let ([a0, a1], [b0, b1]) = (a, b);
    let twice = t.rotate([a0, a1]).rotate([b0, b1]);
    let copy = twice.to_block().copied();
    [
        equal(twice, t.rotate([a0 + b0, a1 + b1])),
        equal(copy.rotate([-a0, -a1]).rotate([-b0, -b1]), t),
        equal(t.rotate([a0, a1]).rev(0), t.rev(0).rotate([-a0, a1])),
    ]
}

#[test]
fn rotations_add() {
    for [h, w] in [[1, 1], [3, 5], [4, 2], [7, 1], [0, 3], [2, 0]] {
        let t: Vec<u16> = (0..(h * w) as u16).collect();
        for a in [[0, 0], [1, 2], [-1, 7], [3, -4]] {
            for b in [[0, 1], [2, 2], [-5, -1]] {
                assert_eq!(rotations(&t, [h, w], a, b), [true; 3], "{h}x{w}, {a:?} and {b:?}");
            }
        }
    }
}

/// Transpositions: a cycle of three axes, its inverse, and the product of matrices.
#[shim::kernel]
fn transpositions(
    #[shape(2, 3, 4)] t: &[i32],
    #[shape(3, 4)] a: &[i32],
    #[shape(4, 2)] b: &[i32],
) -> [bool; 3] {
    let cycled = t.permute([1, 2, 0]);
    let product = Block::heap::<i32>([3, 2]);
    inner(add, mul, 0, a, b, product);
    let other = Block::heap::<i32>([2, 3]);
    inner(add, mul, 0, b.permute([1, 0]), a.permute([1, 0]), other);
    [
        equal(cycled.permute([1, 2, 0]).permute([1, 2, 0]), t),
        equal(cycled.permute([2, 0, 1]), t),
        equal(product.permute([1, 0]), other),
    ]
}

#[test]
fn transpositions_compose() {
    let numbers: Vec<i32> = (0..24).map(|k| k * 7 % 11 - 5).collect();
    assert_eq!(transpositions(&numbers, &numbers[..12], &numbers[12..20]), [true; 3]);
}
