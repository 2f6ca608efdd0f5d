//! Values that were computed by hand.

use shim::prelude::*;

/// 1, 2, 3 and so on.
fn iota(count: usize) -> Vec<i32> {
    (1..=count as i32).collect()
}

/// The elements of a tensor in row-major order, behind its extents.
#[shim::kernel]
fn list<const N: usize>(t: impl Tensor<i32, N>, out: &mut Vec<i32>) {
    #[unroll]
    for axis in 0..N {
        out.push(t.extent(axis) as i32);
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
