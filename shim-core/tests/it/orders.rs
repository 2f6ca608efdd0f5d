//! Orders of elements against the definitions of LEGO, and their layouts against enumeration.

use std::collections::BTreeSet;

use proptest::prelude::*;
use shim_core::{Block, BlockError, Curve, Layout, LocationError, Order, TensorOps};

/// `B_n`: the row-major index of a point (LEGO, section 3).
fn flat(extents: &[i64], at: &[i64]) -> i64 {
    extents.iter().zip(at).fold(0, |flat, (extent, at)| flat * extent + at)
}

/// The inverse of `B_n`.
fn unflat(extents: &[i64], flat: i64) -> Vec<i64> {
    let mut rest = flat;
    let mut at: Vec<i64> = extents
        .iter()
        .rev()
        .map(|extent| {
            let digit = rest % extent;
            rest /= extent;
            digit
        })
        .collect();
    at.reverse();
    at
}

/// `RegP(n, sigma)`, `sigma` counted from 1: `B_{sigma(n)}(sigma(i))`.
fn reg_p(extents: &[i64], sigma: &[usize], at: &[i64]) -> i64 {
    let gather = |of: &[i64]| sigma.iter().map(|&from| of[from - 1]).collect::<Vec<_>>();
    flat(&gather(extents), &gather(at))
}

/// All points of a box, in row-major order.
fn points(extents: &[i64]) -> Vec<Vec<i64>> {
    (0..extents.iter().product()).map(|at| unflat(extents, at)).collect()
}

fn tile(extents: &[i64], outer: Order, inner: Order) -> Order {
    Order::Tile { extents: extents.to_vec(), outer: Box::new(outer), inner: Box::new(inner) }
}

fn then(first: Order, extents: &[i64], second: Order) -> Order {
    Order::Then { first: Box::new(first), extents: extents.to_vec(), second: Box::new(second) }
}

fn reversed(order: Order) -> Order {
    Order::Reversed(Box::new(order))
}

fn antidiagonal() -> Order {
    Order::Curve(Curve::Antidiagonal)
}

/// Every offset is taken at most once and lies in the span, and `coordinates` inverts it.
fn check(layout: &Layout<i64>, extents: &[i64]) {
    let span = layout.span(extents).unwrap();
    let mut taken = BTreeSet::new();
    for at in points(extents) {
        let offset = layout.offset(&at).unwrap();
        assert!((0..span).contains(&offset), "{at:?} is at {offset} of {span}");
        assert!(taken.insert(offset), "{at:?} shares {offset}");
        assert_eq!(layout.coordinates(&offset), Ok(at));
    }
}

#[test]
fn golden_values_of_lego() {
    // OrderBy(RegP([2,2],[2,1]), GenP([3,3], antidiag)).OrderBy(RegP([2,3,2,3],[1,3,2,4])).GroupBy([6,6])
    let tiles = Order::Axes(vec![0, 2, 1, 3]);
    let nearest = then(Order::RowMajor, &[2, 3, 2, 3], tiles);
    assert_eq!(Order::RowMajor.layout(&[6, 6]).unwrap().offset(&[4, 2]), Ok(26));
    assert_eq!(nearest.layout(&[6, 6]).unwrap().offset(&[4, 2]), Ok(23));
    assert_eq!(reg_p(&[2, 3, 2, 3], &[1, 3, 2, 4], &unflat(&[2, 3, 2, 3], 26)), 23);
    let outer = then(Order::RowMajor, &[6, 6], tile(&[3, 3], Order::ColumnMajor, antidiagonal()));
    assert_eq!(outer.layout(&[6, 6]).unwrap().offset(&[4, 2]), Ok(15));
    // The two steps of the chain in one term.
    let layout = tile(&[3, 3], Order::ColumnMajor, antidiagonal()).layout(&[6, 6]).unwrap();
    assert_eq!(layout.offset(&[4, 2]), Ok(15));
    assert_eq!(layout.coordinates(&15), Ok(vec![4, 2]));
    // TileBy([2, 2], [3, 3]): strides 18, 3 of the digits of rows and 6, 1 of those of columns, before `B` is applied.
    let tiles = Order::tile(&[3, 3]).layout(&[6, 6]).unwrap();
    let strides = [[3, 0], [0, 3], [1, 0], [0, 1]].map(|at| tiles.offset(&at).unwrap());
    assert_eq!(strides, [18, 9, 3, 1]);
    // GroupBy([2; 5]).OrderBy(RegP([2; 5], [5, 2, 4, 3, 1])).
    let layout = Order::Axes(vec![4, 1, 3, 2, 0]).layout(&[2_i64; 5]).unwrap();
    assert_eq!(layout.strides(), Some(vec![1, 8, 2, 4, 16]));
}

#[test]
fn block_numbers_of_h264() {
    // luma4x4BlkIdx (6.4.3), and the samples of a macroblock in that order.
    let blocks = Order::tile(&[2, 2]).layout(&[4, 4]).unwrap();
    let order: Vec<i64> = points(&[4, 4]).iter().map(|at| blocks.offset(at).unwrap()).collect();
    assert_eq!(order, [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]);
    let samples = tile(&[8, 8], Order::RowMajor, Order::tile(&[4, 4])).layout(&[16, 16]).unwrap();
    for at in points(&[16, 16]) {
        let [y, x] = [at[0], at[1]];
        let digits = [y / 8, y / 4 % 2, y % 4, x / 8, x / 4 % 2, x % 4];
        assert_eq!(samples.offset(&at), Ok(reg_p(&[2, 2, 4, 2, 2, 4], &[1, 4, 2, 5, 3, 6], &digits)));
    }
}

#[test]
fn scans_of_coefficients() {
    let positions = |extents: [i64; 2]| {
        let scan = Order::Curve(Curve::Zigzag).layout(&extents).unwrap();
        (0..extents[0] * extents[1])
            .map(|at| flat(&extents, &scan.coordinates(&at).unwrap()))
            .collect::<Vec<_>>()
    };
    // H.264, table 8-2 (frame macroblocks), and the first and last rows of T.81's figure A.6.
    assert_eq!(positions([4, 4]), [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]);
    let jpeg = positions([8, 8]);
    assert_eq!(jpeg[..12], [0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25]);
    assert_eq!(jpeg[56..], [53, 60, 61, 54, 47, 55, 62, 63]);
}

/// LEGO's closed form of the antidiagonals of a square and of their inverse.
#[test]
fn antidiagonals_of_squares() {
    for n in 1..20_i64 {
        let curve = Curve::Antidiagonal;
        for at in points(&[n, n]) {
            let (i, j) = (at[0], at[1]);
            let a = i + j + 1;
            let expected = if a <= n {
                i + a * (a - 1) / 2
            } else {
                let a = 2 * n - a;
                n * n - n + i - a * (a - 1) / 2
            };
            assert_eq!(curve.position([i, j], [n, n]), Some(expected));
        }
    }
}

#[test]
fn neighbors_on_hilbert_curves_are_neighbors() {
    for side in [1, 2, 4, 8, 32] {
        let curve: Vec<_> =
            (0..side * side).map(|at| Curve::Hilbert.point(at, [side, side]).unwrap()).collect();
        assert_eq!(curve[0], [0, 0]);
        for pair in curve.windows(2) {
            assert_eq!((pair[0][0] - pair[1][0]).abs() + (pair[0][1] - pair[1][1]).abs(), 1, "{pair:?}");
        }
    }
    assert_eq!(
        (0..4).map(|at| Curve::Hilbert.point(at, [2, 2]).unwrap()).collect::<Vec<_>>(),
        [[0, 0], [1, 0], [1, 1], [0, 1]]
    );
}

#[test]
fn curves_end() {
    for curve in [Curve::Antidiagonal, Curve::Zigzag, Curve::Hilbert] {
        for at in [[-1, 0], [0, -1], [4, 0], [0, 4], [i64::MAX, i64::MIN]] {
            assert_eq!(curve.position(at, [4, 4]), None);
        }
        for at in [-1, 16, i64::MIN, i64::MAX] {
            assert_eq!(curve.point(at, [4, 4]), None);
        }
        assert_eq!(curve.position([0, 0], [0, 0]), None);
        assert_eq!(curve.point(0, [0, 0]), None);
    }
}

#[test]
fn layouts_of_orders_by_hand() {
    let morton = Order::Morton.layout(&[4_i64, 4]).unwrap();
    assert_eq!(morton.offset(&[2, 3]), Ok(0b1101));
    assert_eq!(Order::Morton.layout(&[3_i64, 5]).unwrap().span(&[3, 5]), Ok(32));
    // Lanes: 64 coefficients of 16 blocks at a time.
    let lanes = Order::tile(&[16, 1]).layout(&[40_i64, 64]).unwrap();
    assert_eq!(lanes.offset(&[17, 3]), Ok(64 * 16 + 3 * 16 + 1));
    assert_eq!(lanes.span(&[40, 64]), Ok(48 * 64));
    assert_eq!(Order::tile(&[8, 8]).layout(&[3_i64, 5]).unwrap().strides(), Some(vec![8, 1]));
    assert_eq!(Order::tile(&[8, 8]).layout(&[3_i64, 5]).unwrap().span(&[3, 5]), Ok(64));
    assert_eq!(Order::ColumnMajor.layout(&[3_i64, 5]).unwrap().strides(), Some(vec![1, 3]));
    assert_eq!(Order::tile(&[2, 2]).layout(&[3_i64, 5]).unwrap().strides(), None);
    assert_eq!(reversed(Order::RowMajor).layout(&[3_i64, 5]).unwrap().offset(&[0, 1]), Ok(13));
    for extents in [[0, 5], [3, 0], [0, 0]] {
        for order in [
            Order::RowMajor,
            Order::tile(&[2, 2]),
            Order::Morton,
            antidiagonal(),
            reversed(Order::ColumnMajor),
        ] {
            assert_eq!(order.layout(&extents).unwrap().span(&extents), Ok(0), "{order:?} of {extents:?}");
        }
    }
}

#[test]
fn swizzles_and_tables_by_hand() {
    let swizzle = Order::Swizzle(4).layout(&[5_i64, 6]).unwrap();
    for at in points(&[5, 6]) {
        assert_eq!(swizzle.offset(&at), Ok(8 * at[0] + (at[1] ^ (at[0] % 4))));
    }
    assert_eq!(swizzle.span(&[5, 6]), Ok(40));
    assert!(!swizzle.is_linear(0) && !swizzle.is_linear(1));
    check(&swizzle, &[5, 6]);
    check(&Order::Swizzle(8).layout(&[3, 2, 5]).unwrap(), &[3, 2, 5]);
    check(&tile(&[4, 8], Order::Swizzle(2), Order::Swizzle(4)).layout(&[9, 20]).unwrap(), &[9, 20]);
    // Rows of six are padded to eight, also in a tile, and one tile to a row of two.
    check(&tile(&[4, 6], Order::Swizzle(2), Order::Swizzle(4)).layout(&[9, 6]).unwrap(), &[9, 6]);
    // The bit reversal of 8 elements, and a knight's walk through 3x4.
    let reversal = Order::from_fn(&[8], |at| at[0] >> 2 | at[0] & 2 | (at[0] & 1) << 2).unwrap();
    check(&reversal.layout(&[8]).unwrap(), &[8]);
    let walk = [0, 3, 6, 9, 11, 8, 1, 4, 2, 5, 10, 7];
    let knight = Order::from_fn(&[3, 4], |at| walk[(4 * at[0] + at[1]) as usize]).unwrap();
    check(&knight.layout(&[3, 4]).unwrap(), &[3, 4]);
    check(&tile(&[3, 4], Order::ColumnMajor, reversed(knight.clone())).layout(&[7, 9]).unwrap(), &[7, 9]);
    check(&then(Order::ColumnMajor, &[3, 4], knight.clone()).layout(&[2, 6]).unwrap(), &[2, 6]);
    let table = LocationError::Undefined { order: "table", extents: vec![4, 3] };
    assert_eq!(knight.layout(&[4_i64, 3]).unwrap_err(), table);
    let layout = knight.layout(&[3_i64, 4]).unwrap();
    assert_eq!(layout.offset(&[0, 4]), Err(LocationError::OffCurve));
    assert_eq!(layout.coordinates(&12), Err(LocationError::OffCurve));
}

#[test]
fn functions_that_are_no_orders_say_so() {
    let twice = Order::from_fn(&[2, 2], |at| at[0] * at[1]).unwrap_err();
    assert_eq!(twice, LocationError::NotABijection { at: vec![0, 1], position: 0 });
    assert_eq!(twice.to_string(), "position 0 of element [0, 1] is taken or lies beyond the box");
    let beyond = Order::from_fn(&[2, 2], |at| 2 * at[0] + at[1] + 1).unwrap_err();
    assert_eq!(beyond, LocationError::NotABijection { at: vec![1, 1], position: 4 });
    assert!(Order::from_fn(&[2], |_| -1).is_err());
    assert_eq!(Order::from_fn(&[i64::MAX, 2], |_| 0), Err(LocationError::Overflow));
    for extents in [&[][..], &[0, 3], &[-1]] {
        let order = Order::from_fn(extents, |_| 0).unwrap();
        let positions = i64::from(extents.is_empty());
        assert!(matches!(order, Order::Table { positions: own, .. } if own.len() as i64 == positions));
    }
    let error = |order: Order, extents: &[i64]| order.layout(extents).unwrap_err();
    assert_eq!(error(Order::Swizzle(3), &[4, 4]), LocationError::Factor { factor: 3 });
    assert_eq!(error(Order::Swizzle(0), &[4, 4]), LocationError::Factor { factor: 0 });
    assert_eq!(
        error(Order::Swizzle(2), &[4]),
        LocationError::Undefined { order: "swizzle", extents: vec![4] }
    );
    let uneven = tile(&[6, 4], Order::RowMajor, tile(&[3, 4], Order::RowMajor, Order::Swizzle(2)));
    assert_eq!(error(uneven, &[12, 8]), LocationError::Undefined { order: "swizzle", extents: vec![3, 4] });
}

#[test]
fn orders_that_do_not_fit_say_so() {
    let error = |order: Order, extents: &[i64]| order.layout(extents).unwrap_err();
    assert_eq!(error(Order::tile(&[2]), &[4, 4]), LocationError::Length { expected: 2, found: 1 });
    assert_eq!(error(Order::tile(&[2, 0]), &[4, 4]), LocationError::Factor { factor: 0 });
    assert_eq!(error(Order::Axes(vec![0, 2]), &[4, 4]), LocationError::Axis { axis: 2, rank: 2 });
    assert_eq!(error(Order::Axes(vec![1, 1]), &[4, 4]), LocationError::RepeatedAxis { axis: 1 });
    assert_eq!(error(Order::Axes(vec![0]), &[4, 4]), LocationError::Length { expected: 2, found: 1 });
    let hilbert = error(Order::Curve(Curve::Hilbert), &[4, 8]);
    assert_eq!(hilbert, LocationError::Undefined { order: "hilbert", extents: vec![4, 8] });
    assert_eq!(hilbert.to_string(), "`hilbert` is not defined for a box of extents [4, 8]");
    assert_eq!(
        error(antidiagonal(), &[4]).to_string(),
        "`antidiagonal` is not defined for a box of extents [4]"
    );
    let uneven = tile(&[8, 8], Order::RowMajor, Order::tile(&[3, 3]));
    assert_eq!(error(uneven, &[16, 16]), LocationError::Undefined { order: "tile", extents: vec![8, 8] });
    let short = then(Order::RowMajor, &[3, 5], Order::RowMajor);
    assert_eq!(error(short, &[4, 4]), LocationError::Undefined { order: "then", extents: vec![3, 5] });
    assert_eq!(error(Order::RowMajor, &[i64::MAX, 2]), LocationError::Overflow);
    assert_eq!(error(Order::tile(&[2, 2]), &[i64::MAX, 2]), LocationError::Overflow);
    assert_eq!(error(Order::Morton, &[i64::MAX]), LocationError::Overflow);
    let long = error(antidiagonal(), &[1 << 31, 1]);
    assert_eq!(long, LocationError::Undefined { order: "antidiagonal", extents: vec![1 << 31, 1] });
    let scan = Order::Curve(Curve::Zigzag).layout(&[4_i64, 4]).unwrap();
    assert_eq!(scan.offset(&[4, 0]), Err(LocationError::OffCurve));
    assert_eq!(scan.coordinates(&16), Err(LocationError::OffCurve));
}

#[test]
fn orders_are_validated_without_extents() {
    let axes = |axes: &[usize]| Order::Axes(axes.to_vec());
    assert_eq!(axes(&[1, 0]).validate(2), Ok(()));
    assert_eq!(axes(&[1, 0]).validate(3), Err(LocationError::Length { expected: 3, found: 2 }));
    let repeated = Err(LocationError::RepeatedAxis { axis: 0 });
    assert_eq!(tile(&[2, 2], axes(&[0, 0]), Order::RowMajor).validate(2), repeated);
    assert_eq!(tile(&[2, 2], Order::RowMajor, axes(&[0, 0])).validate(2), repeated);
    assert_eq!(Order::Reversed(Box::new(axes(&[0, 0]))).validate(2), repeated);
    assert_eq!(then(axes(&[0, 0]), &[2, 2], Order::RowMajor).validate(2), repeated);
    assert_eq!(then(Order::RowMajor, &[2, 2], axes(&[0, 0])).validate(1), repeated);
    let factor = |factor| Err(LocationError::Factor { factor });
    assert_eq!(Order::Lanes(0).validate(1), factor(0));
    assert_eq!(Order::Lanes(1).validate(1), Ok(()));
    assert_eq!(Order::tile(&[i64::MIN]).validate(1), factor(i64::MIN));
    assert_eq!(then(Order::RowMajor, &[2, 0], Order::RowMajor).validate(1), factor(0));
    assert_eq!(Order::Swizzle(6).validate(2), factor(6));
    let table = Order::from_fn(&[2, 2], |at| at[0] + 2 * at[1]).unwrap();
    assert_eq!(table.validate(1), Err(LocationError::Length { expected: 1, found: 2 }));
}

#[test]
fn chains_of_orders_have_a_limit() {
    let chain = |links| (0..links).fold(Order::RowMajor, |order, _| then(order, &[4, 4], axes_of_two()));
    assert_eq!(chain(13).validate(2), Ok(()));
    assert_eq!(
        chain(14).validate(2),
        Err(LocationError::Costly { digits: 1 << 15, most: Order::MAX_DIGITS })
    );
    assert!(matches!(chain(100).layout(&[4_i64, 4]), Err(LocationError::Costly { .. })));
}

fn axes_of_two() -> Order {
    Order::Axes(vec![1, 0])
}

#[test]
fn blocks_keep_their_elements_in_order() {
    let block = Block::with_order([3, 4], &Order::tile(&[2, 3]), (0..24).collect()).unwrap();
    assert_eq!((block[[0, 2]], block[[1, 0]], block[[0, 3]], block[[2, 0]]), (2, 3, 6, 12));
    let turned = block.permute([1, 0]).unwrap();
    assert_eq!(turned[[0, 2]], 12);
    let short = Block::with_order([3, 4], &Order::tile(&[2, 3]), vec![0; 23]).unwrap_err();
    assert_eq!(short, BlockError::Span { span: 24, found: 23 });
    assert_eq!(
        block.view().__parts().unwrap_err().to_string(),
        "the elements of the tensor's block are not a constant stride apart; use `.stored(..)` inside the kernel"
    );
}

/// Orders of rank `rank` whose tiles divide those around them.
fn order(rank: usize) -> impl Strategy<Value = Order> {
    let axes = Just((0..rank).collect::<Vec<_>>()).prop_shuffle().prop_map(Order::Axes);
    let curves = [Curve::Antidiagonal, Curve::Zigzag].map(Order::Curve).to_vec();
    let mut leaves = vec![Order::RowMajor, Order::ColumnMajor, Order::Morton];
    if rank == 2 {
        leaves.extend(curves);
    }
    if rank > 1 {
        leaves.extend([1, 2, 4, 8].map(Order::Swizzle));
    }
    let leaf = prop_oneof![2 => prop::sample::select(leaves), 1 => axes];
    leaf.prop_recursive(3, 12, 2, move |inner| {
        let extents = prop::collection::vec(prop::sample::select(vec![1_i64, 2, 3, 4, 8]), rank);
        prop_oneof![
            3 => (extents, inner.clone(), inner.clone()).prop_map(|(extents, outer, within)| tile(&extents, outer, within)),
            1 => inner.clone().prop_map(reversed),
            1 => (inner.clone(), inner).prop_map(|(first, second)| then(first, &[64, 64], second)),
        ]
    })
}

proptest! {
    #[test]
    fn orders_are_bijections_into_their_span(
        (extents, order) in (1_usize..4).prop_flat_map(|rank| (prop::collection::vec(0_i64..8, rank), order(rank)))
    ) {
        match order.layout(&extents) {
            Ok(layout) => check(&layout, &extents),
            // A tile that does not divide the one around it, an order of another rank after `then`, or several curves
            // in sequence.
            Err(
                LocationError::Undefined { .. }
                | LocationError::Length { .. }
                | LocationError::Axis { .. }
                | LocationError::Costly { .. },
            ) => {}
            Err(error) => panic!("{error}"),
        }
    }

    /// A box of other extents over the same elements, and its inverse.
    #[test]
    fn reshaped_layouts_number_elements_in_rows(
        factors in prop::collection::vec(1_i64..5, 4),
        split in 1_usize..4,
        order in order(2),
        start in 0_i64..9,
    ) {
        let from = [factors[..2].iter().product::<i64>(), factors[2..].iter().product()];
        let to: Vec<i64> = [factors[..split].iter().product(), factors[split..].iter().product()].to_vec();
        for to in [to, factors.clone(), vec![factors.iter().product()]] {
            let Ok(layout) = order.layout(&from) else { continue };
            let layout = layout.based(start);
            let reshaped = layout.reshaped(&from, &to).unwrap();
            for (at, number) in points(&to).into_iter().zip(0..) {
                let old = [number / from[1], number % from[1]];
                let offset = layout.offset(&old).unwrap();
                prop_assert_eq!(reshaped.offset(&at), Ok(offset), "{:?} of {:?}", at, to);
                if reshaped.strides().is_none() {
                    prop_assert_eq!(reshaped.coordinates(&offset), Ok(at));
                }
            }
        }
    }

    /// `TileOrderBy`: tiles in one order of axes, elements in another, against `RegP` over the digits.
    #[test]
    fn tiles_against_the_definition(
        tiles in prop::collection::vec(1_i64..4, 2),
        inner in prop::collection::vec(1_i64..5, 2),
        flips in prop::array::uniform2(any::<bool>()),
    ) {
        let named = |flip: bool| if flip { Order::ColumnMajor } else { Order::RowMajor };
        let sigma = |flip: bool| if flip { [2, 1] } else { [1, 2] };
        let extents = [tiles[0] * inner[0], tiles[1] * inner[1]];
        let layout = tile(&inner, named(flips[0]), named(flips[1])).layout(&extents).unwrap();
        for at in points(&extents) {
            let tile_at = [at[0] / inner[0], at[1] / inner[1]];
            let in_tile = [at[0] % inner[0], at[1] % inner[1]];
            let expected = reg_p(&inner, &sigma(flips[1]), &in_tile)
                + inner[0] * inner[1] * reg_p(&tiles, &sigma(flips[0]), &tile_at);
            prop_assert_eq!(layout.offset(&at), Ok(expected));
        }
    }

    #[test]
    fn curves_visit_each_point_once(h in 1_i64..12, w in 1_i64..12) {
        for curve in [Curve::Antidiagonal, Curve::Zigzag] {
            let all: BTreeSet<_> = (0..h * w).map(|at| curve.point(at, [h, w]).unwrap()).collect();
            prop_assert_eq!(all.len() as i64, h * w);
            for at in 0..h * w {
                let point = curve.point(at, [h, w]).unwrap();
                prop_assert_eq!(curve.position(point, [h, w]), Some(at));
            }
            let diagonals = (0..h * w).map(|at| curve.point(at, [h, w]).unwrap()).map(|[y, x]| y + x);
            prop_assert!(diagonals.is_sorted());
        }
    }
}
