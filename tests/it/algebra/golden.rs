//! Values that were computed by hand.

use shim::algebra::{
    add, compress, dot, expand, grade_down, grade_up, mul, omega, outer, pack, reduce, scan,
};
use shim::prelude::*;

/// 1, 2, 3 and so on.
fn iota(count: usize) -> Vec<i32> {
    (1..=count as i32).collect()
}

/// The elements of a tensor in row-major order, behind its extents.
#[shim::kernel]
pub(super) fn list<T, const N: usize>(t: impl Tensor<T, N>, out: &mut Vec<T>) {
    #[unroll]
    for axis in 0..N {
        out.push(t.extent(axis) as T);
    }
    for p in t.indices() {
        out.push(t[p]);
    }
}

/// A kernel over a box of 1, 2, 3 and so on, that lists a tensor.
macro_rules! golden {
    ($($name:ident [$($extent:literal),*] |$t:ident| $tensor:expr => [$($shape:literal),*] $elements:expr;)*) => {$(
        #[test]
        fn $name() {
            #[shim::kernel]
            fn kernel(t: &[i32], out: &mut Vec<i32>) {
                let $t = Block::external(t, [$($extent),*]);
                list($tensor, out);
            }
            let mut out = Vec::new();
            kernel(&iota([$($extent),*].into_iter().product()), &mut out);
            let mut wanted = vec![$($shape),*];
            wanted.extend($elements);
            assert_eq!(out, wanted);
        }
    )*};
}

golden! {
    take_of_a_matrix [3, 4] |t| t.take([2, 2]) => [2, 2] [1, 2, 5, 6];
    take_of_a_cube [3, 2, 2] |t| t.take([2, 1, 2]) => [2, 1, 2] [1, 2, 5, 6];
    take_from_the_end [3, 4] |t| t.take([-1, 2]) => [1, 2] [9, 10];
    drop_of_a_matrix [3, 4] |t| t.drop([2, 2]) => [1, 2] [11, 12];
    drop_of_a_cube [3, 2, 2] |t| t.drop([1, 1, 1]) => [2, 1, 1] [8, 12];
    drop_from_the_end [3, 4] |t| t.drop([1, -3]) => [2, 1] [5, 9];
    take_of_drop [3, 2, 2] |t| t.drop([1]).take([1]) => [1, 2, 2] [5, 6, 7, 8];
    psi_of_one_index [3, 2, 2] |t| t.psi([1]) => [2, 2] [5, 6, 7, 8];
    drop_of_take_in_rank_four [2, 3, 3, 2] |t| t.take([1, 2]).drop([0, 0, 1]) => [1, 2, 2, 2]
        [3, 4, 5, 6, 9, 10, 11, 12];
    rev_of_rows [3, 4] |t| t.rev(0) => [3, 4] [9, 10, 11, 12, 5, 6, 7, 8, 1, 2, 3, 4];
    rev_of_columns [2, 3] |t| t.rev(1) => [2, 3] [3, 2, 1, 6, 5, 4];
    transpose_of_a_cube [3, 2, 2] |t| t.permute([2, 1, 0]) => [2, 2, 3] [1, 5, 9, 3, 7, 11, 2, 6, 10, 4, 8, 12];
    ravel_of_a_part [3, 4] |t| t.take([2]).ravel() => [8] 1..=8;
    ravel_of_a_transpose [2, 3] |t| t.permute([1, 0]).ravel() => [6] [1, 4, 2, 5, 3, 6];
    reshape_of_a_part [3, 4] |t| t.drop([1, 0]).rev(0).reshape([2, 2, 2]) => [2, 2, 2] [9, 10, 11, 12, 5, 6, 7, 8];
    rotate_of_a_square [4, 4] |t| t.rotate([2, 2]) => [4, 4]
        [11, 12, 9, 10, 15, 16, 13, 14, 3, 4, 1, 2, 7, 8, 5, 6];
    rotate_of_a_square_by_others [4, 4] |t| t.rotate([3, 1]) => [4, 4]
        [14, 15, 16, 13, 2, 3, 4, 1, 6, 7, 8, 5, 10, 11, 12, 9];
    rotate_backwards [4] |t| t.rotate([-1]) => [4] [4, 1, 2, 3];
    rotate_of_an_axis [2, 3] |t| t.rotate([0, 4]) => [2, 3] [2, 3, 1, 5, 6, 4];
    cat_of_rows [3, 2] |t| t.cat(0, t) => [6, 2] [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6];
    cat_of_columns [3, 2] |t| t.cat(1, t) => [3, 4] [1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6];
    cat_of_three [3] |t| t.cat(0, t.rev(0)).cat(0, t.take([1])) => [7] [1, 2, 3, 3, 2, 1, 1];
    rev_of_cat [3] |t| t.cat(0, t.take([2])).rev(0) => [5] [2, 1, 3, 2, 1];
    rotate_of_rev_of_cat [3] |t| t.cat(0, t.take([2])).rev(0).rotate([2]) => [5] [3, 2, 1, 2, 1];
    take_of_cat_before_cat [3] |t| t.cat(0, t).take([4]).cat(0, t.rev(0)) => [7] [1, 2, 3, 1, 3, 2, 1];
    row_of_cat [2, 2] |t| t.cat(0, t.rev(1)).psi([2]).cat(0, t.psi([0])) => [4] [2, 1, 1, 2];
    gather_of_columns [2, 3] |t| t.gather(1, &[2, 0, 2, 1]) => [2, 4] [3, 1, 3, 2, 6, 4, 6, 5];
    gather_of_a_cube [3, 2, 2] |t| t.gather(0, &[0, 2]).gather(1, &[0, 1]) => [2, 2, 2] [1, 2, 3, 4, 9, 10, 11, 12];
    gather_of_all_axes [3, 2, 2] |t| t.gather(0, &[0_u8, 2]).permute([0, 2, 1]).slice(1, 0) => [2, 2] [1, 3, 9, 11];
    cycled_vector [5] |t| t.cycled([3, 4]) => [3, 4] [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2];
    cycled_rows [2, 2] |t| t.cycled([2, 2, 2]) => [2, 2, 2] [1, 2, 3, 4, 1, 2, 3, 4];
    cycled_part [3, 3] |t| t.drop([1, 1]).cycled([2, 3]) => [2, 3] [5, 6, 8, 9, 5, 6];
    windows_of_a_matrix [3, 3] |t| t.windows([2, 2]) => [2, 2, 2, 2]
        [1, 2, 4, 5, 2, 3, 5, 6, 4, 5, 7, 8, 5, 6, 8, 9];
}

/// An index is a number of an element, and back (section 2.3 of the thesis).
#[test]
fn gamma_and_its_inverse() {
    use shim_core::Layout;
    for (at, extents, offset) in [(vec![2_i64, 1], vec![3_i64, 2], 5), (vec![2, 1, 0], vec![3, 2, 2], 10)] {
        let layout = Layout::row_major(&extents).unwrap();
        assert_eq!(layout.offset(&at), Ok(offset));
        assert_eq!(layout.coordinates(&offset), Ok(at));
    }
}

/// The sums along an axis: indices of the result, with one more entry.
#[shim::kernel]
fn sums_along<const AXIS: usize, const N: usize>(t: impl Tensor<i32, N>, out: impl Tensor<i32, { N - 1 }>) {
    for p in out.indices() {
        let mut sum = 0;
        for k in 0..t.extent(AXIS) {
            let q = p.insert(AXIS, k);
            sum += t[q];
        }
        out[p] = sum;
    }
}

/// Each element on its row, moved to the front, and the products of all pairs.
#[shim::kernel]
fn moved(t: &[i32], out: &mut [i32]) -> [i32; 4] {
    let t = Block::external(t, [2, 3]);
    let sums = Block::stack::<i32>([3]);
    sums_along::<0, _>(t, sums);
    let rows = Block::stack::<i32>([2]);
    sums_along::<1, _>(t, rows);
    let out = Block::external(out, [2, 3, 2, 3]);
    for p in t.indices() {
        let start = p.with(1, 0);
        for q in t.indices() {
            out[p.join(q)] = t[p] * t[q] + t[start];
        }
    }
    let mut last = [0; 4];
    for p in out.indices() {
        let front = p.remove(3).remove(2);
        if t[front] == 6 && p[2] == 1 && p[3] == 2 {
            last = [p[0], p[1], sums[[1]], rows[[1]]];
        }
    }
    last
}

#[test]
fn points_gain_and_lose_axes() {
    let t = iota(6);
    let mut out = vec![0; 36];
    assert_eq!(moved(&t, &mut out), [1, 2, 7, 15]);
    for (number, found) in out.iter().enumerate() {
        let (p, q) = (number / 6, number % 6);
        assert_eq!(*found, t[p] * t[q] + t[p / 3 * 3], "{number}");
    }
}

/// Results of the templates of [`shim::algebra`], one after another.
#[shim::kernel]
fn computed(t: &[i32], masks: &[bool], out: &mut Vec<i32>) {
    let t = Block::external(t, [36]);
    let (matrix, square) = (t.take([12]).reshape([3, 4]), t.take([9]).reshape([3, 3]));
    let columns = Block::heap::<i32>([4]);
    reduce::<_, 0, _>(add, 0, matrix, columns);
    list(columns, out);
    let columns = Block::heap::<i32>([3]);
    reduce::<_, 0, _>(add, 0, square, columns);
    list(columns, out);
    let sums = Block::heap::<i32>([3, 4]);
    scan::<_, 0, _>(add, 0, matrix, sums);
    list(sums, out);
    scan::<_, 1, _>(add, 0, matrix, sums);
    list(sums, out);
    let (pairs, mask) = (t.take([6]).reshape([3, 2]), Block::external(masks, [2]));
    let kept = Block::heap::<i32>([3, 1]);
    compress::<_, 1, _>(mask, pairs, kept);
    list(kept, out);
    let again = Block::heap::<i32>([3, 2]);
    expand::<_, 1, _>(mask, 0, kept, again);
    list(again, out);
    let (four, table) = (t.take([4]), Block::heap::<i32>([4, 4]));
    outer(mul, four, four, table);
    list(table, out);
    out.push(dot(add, mul, 0, four, four));
    let cells = Block::heap::<i32>([2, 3, 2]);
    omega::<_, _, _, 0, 1, _, _, _>(add, t.take([6]).reshape([2, 3]), pairs, cells);
    list(cells, out);
}

#[test]
fn what_is_computed() {
    let mut out = Vec::new();
    computed(&iota(36), &[true, false], &mut out);
    let wanted: [&[i32]; 9] = [
        &[4, 15, 18, 21, 24],
        &[3, 12, 15, 18],
        &[3, 4, 1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 21, 24],
        &[3, 4, 1, 3, 6, 10, 5, 11, 18, 26, 9, 19, 30, 42],
        &[3, 1, 1, 3, 5],
        &[3, 2, 1, 0, 3, 0, 5, 0],
        &[4, 4, 1, 2, 3, 4, 2, 4, 6, 8, 3, 6, 9, 12, 4, 8, 12, 16],
        &[30],
        &[2, 3, 2, 2, 3, 5, 6, 8, 9, 5, 6, 8, 9, 11, 12],
    ];
    assert_eq!(out, wanted.concat());
}

/// Ranks of values, and packs of matrices.
#[shim::kernel]
fn ordered(keys: &[i32], up: &mut [usize], down: &mut [usize], packed: &mut [i32]) {
    let n = keys.len();
    let keys = Block::external(keys, [n]);
    grade_up(keys, Block::external(up, [n]));
    grade_down(keys, Block::external(down, [n]));
    let packed = Block::external(packed, [2, 2, 2]);
    let square = keys.take([4]).reshape([2, 2]);
    pack::<_, 0, _>(0, square, packed);
    pack::<_, 0, _>(1, square.permute([1, 0]), packed);
}

#[test]
fn grades_are_stable() {
    for n in [4, 5, 7, 16, 33, 100] {
        let keys: Vec<i32> = (0..n).map(|k| k * 37 % 11).collect();
        let (mut up, mut down) = (vec![0; keys.len()], vec![0; keys.len()]);
        let mut packed = [0; 8];
        ordered(&keys, &mut up, &mut down, &mut packed);
        let mut wanted: Vec<usize> = (0..keys.len()).collect();
        wanted.sort_by_key(|k| keys[*k]);
        assert_eq!(up, wanted);
        wanted.sort_unstable();
        wanted.sort_by_key(|k| -keys[*k]);
        assert_eq!(down, wanted);
        assert_eq!(packed, [0, 1, 2, 3, 0, 2, 1, 3].map(|k| keys[k]));
    }
}
