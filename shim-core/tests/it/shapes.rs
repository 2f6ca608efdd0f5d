//! Shapes against enumeration.

use proptest::prelude::*;
use shim_core::{Extent, Layout, LocationError, Order, Shape, Table};

/// The most points that are enumerated.
const MOST: usize = 2000;

/// The points of a shape in row-major order, by loops over its extents; `None` where an extent is negative, or where
/// there are too many.
fn points(extents: &[Extent<i64>]) -> Option<Vec<Vec<i64>>> {
    let mut found = vec![Vec::new()];
    for extent in extents {
        let mut longer = Vec::new();
        for point in &found {
            // An axis may have more indices than a list has groups.
            let count = extent.at(point).ok()?;
            if count < 0 || longer.len() + count as usize > MOST {
                return None;
            }
            longer.extend((0..count).map(|index| [&point[..], &[index]].concat()));
        }
        found = longer;
    }
    Some(found)
}

/// Whether offsets, the size and the inverse are those of the enumeration.
fn agrees(shape: &Shape<i64>) -> Result<(), LocationError> {
    let points = points(shape.extents()).expect("no negative extent");
    assert_eq!(shape.size()?, points.len() as i64, "{shape:?}");
    for (number, point) in (0..).zip(&points) {
        assert_eq!(shape.offset(point)?, number, "{point:?} of {shape:?}");
        assert_eq!(shape.coordinates(number)?, *point, "{shape:?}");
        assert!(shape.contains(point)?);
        let outside = |axis: usize, by: i64| {
            let mut other = point.clone();
            other[axis] += by;
            (!points.contains(&other)).then_some(other)
        };
        for other in (0..shape.rank()).flat_map(|axis| [outside(axis, -1), outside(axis, 1)]).flatten() {
            assert!(!shape.contains(&other)?, "{other:?} of {shape:?}");
        }
    }
    assert_eq!(shape.coordinates(points.len() as i64), Err(LocationError::NoInverse));
    Ok(())
}

fn affine(constant: i64, coefficients: &[i64]) -> Extent<i64> {
    Extent::Affine { constant, coefficients: coefficients.to_vec() }
}

/// Affine extents, splits at an edge, and groups, for the axis with this number.
fn extent(axis: usize) -> BoxedStrategy<Extent<i64>> {
    let coefficients = move || prop::collection::vec(-2i64..3, axis);
    let plain = (-2i64..7, coefficients()).prop_map(|(constant, own)| affine(constant, &own));
    if axis == 0 {
        return (0i64..6).prop_map(Extent::constant).boxed();
    }
    let split = (0..axis, -1i64..6, (0i64..5, coefficients()), (0i64..5, coefficients())).prop_map(
        |(axis, at, below, above)| Extent::Split {
            axis,
            at,
            below: Box::new(affine(below.0, &below.1)),
            above: Box::new(affine(above.0, &above.1)),
        },
    );
    let listed = (0..axis, prop::collection::vec(0i64..4, 6))
        .prop_map(|(axis, entries)| Extent::Listed { axis, extents: Table::new(entries) });
    let ragged = (0..axis, prop::collection::vec(0i64..4, 6)).prop_map(|(axis, lengths)| {
        let starts = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        let starts = Table::new([0].into_iter().chain(starts).collect());
        Extent::Ragged { axis, starts }
    });
    let power = (0..axis, 0i64..3).prop_map(|(axis, factor)| Extent::Power { axis, factor });
    let pair = || {
        let one = (-2i64..7, coefficients()).prop_map(|(constant, own)| affine(constant, &own));
        [one.clone().boxed(), one.boxed()]
    };
    let least = pair().prop_map(|[a, b]| a.min(&b).unwrap_or(a));
    // The end of a row less its start.
    let band = (0..axis, 0i64..4, 0i64..4, 1i64..7).prop_map(|(axis, p, q, n)| {
        let end = Extent::index(axis).plus(&Extent::constant(q + 1))?.min(&Extent::constant(n))?;
        let less = Extent::index(axis).scale(-1)?.plus(&Extent::constant(p))?;
        end.plus(&less.min(&Extent::constant(0))?)
    });
    let band = band.prop_map(|band: Result<_, LocationError>| band.expect("small"));
    prop_oneof![4 => plain, 1 => split, 1 => listed, 1 => power, 1 => ragged, 1 => least, 2 => band].boxed()
}

fn extents() -> impl Strategy<Value = Vec<Extent<i64>>> {
    (1usize..5).prop_flat_map(|rank| (0..rank).map(extent).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn closed_forms_are_what_enumeration_counts(extents in extents()) {
        prop_assume!(points(&extents).is_some());
        // Extents that are negative nowhere are refused at most where an axis of no points is the reason.
        let shape = match Shape::new(extents) {
            Ok(shape) => shape,
            Err(error) => {
                let known = matches!(error, LocationError::NegativeExtent { .. } | LocationError::NoGroup { .. });
                prop_assert!(known, "{error}");
                return Ok(());
            }
        };
        match agrees(&shape) {
            // A side of a split is extended to indices at which a table may have no entry.
            Ok(()) | Err(LocationError::NoClosedForm | LocationError::NoGroup { .. }) => {}
            Err(error) => prop_assert!(false, "{error} of {shape:?}"),
        }
    }

    /// The tiles of a shape in row-major order, and the elements of each: no two elements are in one place, and none is
    /// behind the size.
    #[test]
    fn elements_of_tiles_are_apart(extents in extents(), cut in prop::collection::vec(1i64..4, 4), columns: bool) {
        let (Some(points), Ok(shape)) = (points(&extents), Shape::new(extents)) else { return Ok(()) };
        let tile = cut[..shape.rank()].to_vec();
        let inner = if columns { Order::ColumnMajor } else { Order::RowMajor };
        let Ok(tiles) = shape.tiled(&tile) else { return Ok(()) };
        let Ok(layout) = Layout::shaped_tiles(tiles, tile.clone(), &inner) else { return Ok(()) };
        let size = *layout.size().expect("a shape has a size");
        let mut found = std::collections::BTreeMap::new();
        for point in points {
            let offset = layout.offset(&point).expect("small");
            prop_assert!((0..size).contains(&offset), "{offset} of {size} at {point:?} of {shape:?} by {tile:?}");
            prop_assert_eq!(found.insert(offset, point), None);
        }
    }

    #[test]
    fn extents_that_are_least_at_zero_are_negative_nowhere(extents in extents()) {
        let Ok(shape) = Shape::new(extents) else { return Ok(()) };
        let known = |extent| shape.least(extent).expect("small").is_some_and(|all| all.iter().all(|own| *own >= 0));
        if !shape.extents().iter().all(known) {
            return Ok(());
        }
        let mut found = vec![Vec::new()];
        for extent in shape.extents() {
            let mut longer: Vec<Vec<i64>> = Vec::new();
            for point in &found {
                // A list may have fewer groups than an axis indices.
                let Ok(count) = extent.at(point) else { return Ok(()) };
                prop_assert!(count >= 0, "{count} at {point:?} of {shape:?}");
                if longer.len() + (count as usize) >= MOST {
                    return Ok(());
                }
                longer.extend((0..count).map(|index| [&point[..], &[index]].concat()));
            }
            found = longer;
        }
    }

    #[test]
    fn tables_of_sums_are_what_is_before_a_group(extents in extents(), axis in 0usize..3) {
        if points(&extents).is_none() || axis + 1 >= extents.len() {
            return Ok(());
        }
        let Ok(shape) = Shape::new(extents) else { return Ok(()) };
        let Ok(Some(sums)) = shape.sums(axis) else { return Ok(()) };
        let tabulated = shape.clone().with_sums(axis, Table::new(sums));
        for point in points(shape.extents()).expect("few") {
            prop_assert_eq!(tabulated.offset(&point), shape.offset(&point));
        }
    }

    #[test]
    fn no_affine_shape_that_is_accepted_has_a_negative_extent(
        extents in (1usize..5).prop_flat_map(|rank| {
            let own = |axis| (-2i64..7, prop::collection::vec(-2i64..3, axis));
            (0..rank).map(own).collect::<Vec<_>>()
        })
    ) {
        let extents: Vec<_> = extents.into_iter().map(|(constant, own)| affine(constant, &own)).collect();
        if let Ok(shape) = Shape::new(extents) {
            prop_assume!(shape.size().is_ok_and(|size| size < MOST as i64));
            prop_assert!(points(shape.extents()).is_some(), "{shape:?}");
            prop_assert_eq!(agrees(&shape), Ok(()));
        }
    }
}

#[test]
fn the_triangle_has_the_offset_of_the_paper() {
    for n in 0..9 {
        let triangle = Shape::new(vec![Extent::constant(n), affine(1, &[1])]).expect("a shape");
        assert_eq!(triangle.size(), Ok(n * (n + 1) / 2));
        for row in 0..n {
            assert_eq!(triangle.offset(&[row, row]), Ok(row * (row + 1) / 2 + row));
        }
        agrees(&triangle).expect("a closed form");
    }
}

#[test]
fn the_upper_triangle_and_the_tetrahedron() {
    for n in 0..7 {
        agrees(&Shape::new(vec![Extent::constant(n), affine(n, &[-1])]).expect("a shape"))
            .expect("a closed form");
        let rows = vec![Extent::constant(n), affine(1, &[1]), affine(1, &[0, 1])];
        let tetrahedron = Shape::new(rows).expect("a shape");
        assert_eq!(tetrahedron.size(), Ok(n * (n + 1) * (n + 2) / 6));
        agrees(&tetrahedron).expect("a closed form");
    }
}

/// A band with `p` diagonals below the main one and `q` above it: row `i` has the columns from `max(0, i - p)` up to
/// `min(n, i + q + 1)`.
#[test]
fn a_band_is_two_splits() {
    for (n, p, q) in [(6, 1, 1), (6, 2, 1), (5, 0, 2), (7, 6, 3), (4, 9, 9), (1, 0, 0), (0, 1, 1)] {
        let end = |below: Extent<i64>, above: Extent<i64>| Extent::Split {
            axis: 0,
            at: n - q,
            below: Box::new(below),
            above: Box::new(above),
        };
        // The first rows begin at column zero, the others at `i - p`.
        let first = end(affine(q + 1, &[1]), affine(n, &[0]));
        let others = end(affine(p + q + 1, &[0]), affine(n + p, &[-1]));
        let row = Extent::Split { axis: 0, at: p, below: Box::new(first), above: Box::new(others) };
        let band = Shape::new(vec![Extent::constant(n), row]).expect("a shape");
        let width = |i: i64| n.min(i + q + 1) - 0.max(i - p);
        assert_eq!(band.size(), Ok((0..n).map(width).sum()), "{n} {p} {q}");
        for i in 0..n {
            assert_eq!(band.offset(&[i, 0]), Ok((0..i).map(width).sum()), "{n} {p} {q}");
            let a = i.min(0.max(n - q));
            let high = a * (q + 1) + a * (a - 1) / 2 + (i - a) * n;
            let b = 0.max(i - p);
            assert_eq!(band.offset(&[i, 0]), Ok(high - b * (b - 1) / 2), "the paper's formula");
        }
        agrees(&band).expect("a closed form");
    }
}

/// The coefficients of a scan: by component, block row, block and k.
#[test]
fn groups_of_blocks() {
    let listed = |entries: [i64; 3]| Extent::Listed { axis: 0, extents: Table::new(entries.to_vec()) };
    let groups = vec![Extent::constant(3), listed([4, 2, 2]), listed([6, 3, 3]), Extent::constant(64)];
    let scan = Shape::new(groups).expect("a shape");
    assert_eq!(scan.size(), Ok(64 * (24 + 6 + 6)));
    assert_eq!(scan.offset(&[1, 1, 2, 5]), Ok(64 * (24 + 3 + 2) + 5));
    assert_eq!(scan.extents()[1].at(&[3]), Err(LocationError::NoGroup { index: 3, groups: 3 }));
}

#[test]
fn a_heap_is_levels_of_powers() {
    let heap = Shape::new(vec![Extent::constant(5), Extent::Power { axis: 0, factor: 1 }]).expect("a shape");
    assert_eq!(heap.size(), Ok(31));
    assert_eq!(heap.offset(&[3, 2]), Ok(7 + 2));
    agrees(&heap).expect("a closed form");
}

/// The splits of a minimum and of a choice, against what they say.
#[test]
fn the_smaller_of_two_sums() {
    for (a, b) in
        [((1, 1), (4, 0)), ((7, -2), (1, 1)), ((0, 3), (5, 1)), ((3, 1), (5, 1)), ((2, -1), (9, -4))]
    {
        let [one, other] = [affine(a.0, &[a.1]), affine(b.0, &[b.1])];
        let (least, more) = (one.min(&other).expect("they cross"), affine(100, &[0]));
        let chosen = one.plus(&other.scale(-1).expect("small")).and_then(|less| less.choose(&one, &more));
        for i in -3..12 {
            let (first, second) = (a.0 + a.1 * i, b.0 + b.1 * i);
            assert_eq!(least.at(&[i]), Ok(first.min(second)), "{a:?} {b:?} {i}");
            if let Ok(chosen) = &chosen {
                assert_eq!(chosen.at(&[i]), Ok(if first < second { first } else { 100 }), "{a:?} {b:?} {i}");
            }
        }
    }
    let both = affine(0, &[1, -1]);
    assert_eq!(both.min(&Extent::constant(0)), Err(LocationError::NoClosedForm));
}

#[test]
fn rows_of_any_length() {
    let starts = Table::new(vec![0, 2, 2, 7]);
    let rows = vec![Extent::constant(3), Extent::Ragged { axis: 0, starts }, Extent::constant(4)];
    let ragged = Shape::new(rows).expect("a shape");
    assert_eq!(ragged.size(), Ok(28));
    assert_eq!(ragged.offset(&[2, 3, 1]), Ok(4 * 5 + 1));
    agrees(&ragged).expect("a closed form");
}

#[test]
fn what_is_no_shape_is_refused() {
    let new = |extents: Vec<Extent<i64>>| Shape::new(extents).map(|_| ());
    assert_eq!(new(vec![affine(1, &[1])]), Err(LocationError::Axis { axis: 0, rank: 0 }));
    assert_eq!(
        new(vec![Extent::constant(3), affine(1, &[0, 1])]),
        Err(LocationError::Axis { axis: 1, rank: 1 })
    );
    assert_eq!(new(vec![Extent::constant(-1)]), Err(LocationError::NegativeExtent { extent: -1 }));
    // Row 4 would have 3 - 4 elements.
    assert_eq!(
        new(vec![Extent::constant(5), affine(3, &[-1])]),
        Err(LocationError::NegativeExtent { extent: -1 })
    );
    let few = Extent::Listed { axis: 0, extents: Table::new(vec![1, 2]) };
    assert_eq!(new(vec![Extent::constant(3), few]), Err(LocationError::NoGroup { index: 2, groups: 2 }));
    let huge = Shape::new(vec![Extent::constant(i64::MAX / 2), affine(1, &[1])]).expect("a shape");
    assert_eq!(huge.size(), Err(LocationError::Overflow));
    let deep = Shape::new(vec![Extent::constant(64), Extent::Power { axis: 0, factor: 1 }]).expect("a shape");
    assert_eq!(deep.size(), Err(LocationError::Overflow));
    let triangle = Shape::new(vec![Extent::constant(3), affine(1, &[1])]).expect("a shape");
    assert_eq!(triangle.offset(&[1]), Err(LocationError::Length { expected: 2, found: 1 }));
}
