//! Kernels beside the runtime library, over boxes of several extents and elements of several types.

use shim::algebra::{add, compress, expand, inner, max, mul, omega, outer, pack, reduce, scan};
use shim::prelude::*;
use shim::{Located, TensorOps};
use shim_core::algebra as library;

use super::golden::list;

/// The extents and the elements of a tensor of the library.
fn push<T: Copy + Into<f64>, const N: usize>(t: &View<'_, T, N>, out: &mut Vec<f64>) {
    out.extend(t.extents().map(|extent| extent as f64));
    out.extend(t.indices().map(|at| t.read(at).expect("an element").into()));
}

/// What kernels and the library make of two tensors of a rank.
macro_rules! beside {
    ($($name:ident: $T:ty, $rank:literal, $more:literal, $double:literal;)*) => {$(
        mod $name {
            use super::*;

            #[shim::kernel]
            fn kernel(t: View<'_, $T, $rank>, u: View<'_, $T, $rank>, list_of: &[usize], mask: &[bool], kept: usize, by: isize, out: &mut Vec<f64>) {
                const LAST: usize = $rank - 1;
                list(t.rev(LAST).cast::<f64>(), out);
                list(t.drop([1]).take([-1]).cast::<f64>(), out);
                list(t.cat(LAST, u).cast::<f64>(), out);
                list(t.gather(LAST, list_of).to_block().copied().rev(0).cast::<f64>(), out);
                let turned = if $rank == 1 { t.rotate([by]) } else if $rank == 2 { t.rotate([by, 1]) } else { t.rotate([by, 1, -2]) };
                list(turned.cast::<f64>(), out);
                let windows = if $rank == 1 { t.windows([2]) } else if $rank == 2 { t.windows([2, 1]) } else { t.windows([2, 1, 2]) };
                list(windows.cast::<f64>(), out);
                let sums = t.to_block();
                scan::<_, LAST, _>(add, 0 as $T, t, sums);
                list(sums.cast::<f64>(), out);
                scan::<_, 0, _>(max, 0 as $T, t, sums);
                list(sums.cast::<f64>(), out);
                let mask = Block::external(mask, [t.extent(LAST)]);
                let part = if $rank == 1 { t.take([kept]).to_block() } else if $rank == 2 { t[[.., 0..kept]].to_block() } else { t[[.., .., 0..kept]].to_block() };
                compress::<_, LAST, _>(mask, t, part);
                list(part.cast::<f64>(), out);
                expand::<_, LAST, _>(mask, 9 as $T, part, sums);
                list(sums.cast::<f64>(), out);
                omega::<_, _, _, 0, 0, _, _, _>(add, t, u, sums);
                list(sums.cast::<f64>(), out);
            }

            #[test]
            fn agree() {
                for lengths in [[1, 2, 3], [3, 5, 2], [2, 3, 7], [4, 2, 3], [3, 1, 1]] {
                    let extents: [usize; $rank] = std::array::from_fn(|axis| lengths[axis]);
                    let number = |by: usize| move |p: [isize; $rank]| (p.iter().fold(by, |sum, at| sum * 5 + *at as usize) % 13) as $T;
                    let (t, u) = (Block::from_fn(extents, number(3)), Block::from_fn(extents, number(4)));
                    let (t, u) = (t.view(), u.view());
                    let last = $rank - 1;
                    let length = extents[last];
                    let list: Vec<usize> = (0..2 * length).map(|k| k * k % length).collect();
                    let mask: Vec<bool> = (0..length).map(|k| k % 3 != 1).collect();
                    let kept = mask.iter().filter(|own| **own).count();
                    let mut found = Vec::new();
                    kernel(t.clone(), u.clone(), &list, &mask, kept, 2, &mut found);
                    let mut out = Vec::new();
                    push(&t.rev(last).unwrap(), &mut out);
                    let whole = t.extents().map(|extent| extent as isize);
                    let (mut first, mut end) = ([0; $rank], whole);
                    (first[0], end[0]) = (1, -1);
                    push(&t.drop(first).unwrap().take(end).unwrap(), &mut out);
                    push(&t.cat(last, &u).unwrap(), &mut out);
                    push(&t.gather(last, &list).unwrap().copied().unwrap().view().rev(0).unwrap(), &mut out);
                    push(&t.rotate(std::array::from_fn(|axis| [2, 1, -2][axis])).unwrap(), &mut out);
                    push(&t.windows::<$double>(std::array::from_fn(|axis| [2, 1, 2][axis])).unwrap(), &mut out);
                    push(&library::scan(last, |a, b| a + b, 0 as $T, &t).unwrap().view(), &mut out);
                    push(&library::scan(0, max, 0 as $T, &t).unwrap().view(), &mut out);
                    let part = library::compress(last, &mask, &t).unwrap();
                    push(&part.view(), &mut out);
                    push(&library::expand(last, &mask, 9 as $T, &part.view()).unwrap().view(), &mut out);
                    let both: Block<$T, $rank> = library::omega([0, 0], |a, b| a + b, &t, &u).unwrap();
                    push(&both.view(), &mut out);
                    assert_eq!(found, out, "{lengths:?}");
                }
            }
        }
    )*};
}

beside! {
    bytes: u8, 1, 2, 2;
    words: i16, 2, 3, 4;
    integers: i32, 3, 4, 6;
    floats: f32, 2, 3, 4;
    doubles: f64, 1, 2, 2;
}

/// Operations whose results have other ranks than their tensors.
#[shim::kernel]
fn of_other_ranks(
    #[shape(h, w)] t: &[i32],
    #[shape(w, n)] u: &[i32],
    [h, w, n]: [usize; 3],
    out: &mut Vec<f64>,
) {
    let rows = Block::heap::<i32>([h]);
    reduce::<_, 1, _>(add, 0, t, rows);
    list(rows.cast::<f64>(), out);
    let product = Block::heap::<i32>([h, n]);
    inner(add, mul, 0, t, u, product);
    list(product.cast::<f64>(), out);
    let pairs = Block::heap::<i32>([h, w, w, n]);
    outer(mul, t, u, pairs);
    list(pairs.cast::<f64>(), out);
    let packed = Block::heap::<i32>([h, 2, w]);
    pack::<_, 1, _>(0, t, packed);
    pack::<_, 1, _>(1, t.rev(1), packed);
    list(packed.cast::<f64>(), out);
    let row = Block::heap::<i32>([h]);
    inner(add, mul, 1, t, u.slice(1, 0), row);
    list(row.cast::<f64>(), out);
}

#[test]
fn other_ranks_agree() {
    for [h, w, n] in [[1, 1, 1], [2, 3, 4], [9, 33, 35], [0, 2, 2], [3, 0, 1], [17, 5, 64]] {
        let t = Block::from_fn([h, w], |[y, x]| (y * 7 + x * 3) as i32 % 11 - 5);
        let u = Block::from_fn([w, n], |[y, x]| (y * 5 + x * 2) as i32 % 7 - 3);
        let mut found = Vec::new();
        of_other_ranks(t.as_slice(), u.as_slice(), [h, w, n], &mut found);
        let (t, u) = (t.view(), u.view());
        let mut out = Vec::new();
        let rows: Block<i32, 1> = library::reduce(1, |a, b| a + b, 0, &t).unwrap();
        push(&rows.view(), &mut out);
        let product: Block<i32, 2> = library::inner(|a, b| a + b, |a, b| a * b, 0, &t, &u).unwrap();
        push(&product.view(), &mut out);
        let pairs: Block<i32, 4> = library::outer(|a, b| a * b, &t, &u).unwrap();
        push(&pairs.view(), &mut out);
        let packed: Block<i32, 3> = library::pack(1, &[t.clone(), t.rev(1).unwrap()]).unwrap();
        push(&packed.view(), &mut out);
        let column: View<'_, i32, 1> = u.slice(1, 0).unwrap();
        let row: Block<i32, 1> = library::inner(|a, b| a + b, |a, b| a * b, 1, &t, &column).unwrap();
        push(&row.view(), &mut out);
        assert_eq!(found, out, "{h}x{w}x{n}");
    }
}

/// Reshapes of the library: lists, cycles, and what has no layout.
#[test]
fn the_library_reshapes() {
    let t = Block::from_fn([3, 4], |[y, x]| 4 * y + x);
    let t = t.view();
    let elements = |t: View<'_, isize, 2>| t.indices().map(|at| t[at]).collect::<Vec<_>>();
    assert_eq!(elements(t.reshape([2, 6]).unwrap()), (0..12).collect::<Vec<_>>());
    let turned = t.permute([1, 0]).unwrap();
    assert_eq!(elements(turned.reshape([6, 2]).unwrap()), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
    assert_eq!(elements(t.take([1, 3]).unwrap().cycled([2, 4]).unwrap()), [0, 1, 2, 0, 1, 2, 0, 1]);
    assert_eq!(t.psi::<1>(&[2]).unwrap().read([1]), Ok(9));
    assert_eq!(t.ravel().unwrap().read([7]), Ok(7));
    assert!(t.reshape([5, 2]).is_err() && t.rev(2).is_err() && t.gather(0, &[3]).is_err());
    assert!(t.shifted([1, 0]).unwrap().rev(0).is_err(), "it reaches outside");
    assert!(t.take([0, 0]).unwrap().cycled([1, 1]).is_err(), "nothing to repeat");
    assert!(t.boundary(Boundary::Clamp).rev(0).is_err(), "it has a rule");
}
