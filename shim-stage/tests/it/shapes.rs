//! Offsets of shapes over symbolic integers, against those over known ones.

use proptest::prelude::*;
use shim_core::{Extent, Integer, LocationError, Shape, Table};
use shim_stage::symbolic::{Range, SymInt, Symbol};

/// The most points that are compared.
const MOST: usize = 300;

fn affine(constant: i64, coefficients: &[i64]) -> Extent<i64> {
    Extent::Affine { constant, coefficients: coefficients.to_vec() }
}

/// Extents of an axis with this number.
fn extent(axis: usize) -> BoxedStrategy<Extent<i64>> {
    let plain = move || {
        let own = (0i64..6, prop::collection::vec(-1i64..3, axis));
        own.prop_map(|(constant, coefficients)| affine(constant, &coefficients))
    };
    if axis == 0 {
        return (0i64..6).prop_map(Extent::constant).boxed();
    }
    let split = (0..axis, -1i64..6, plain(), plain()).prop_map(|(axis, at, below, above)| Extent::Split {
        axis,
        at,
        below: Box::new(below),
        above: Box::new(above),
    });
    let least = (plain(), plain()).prop_map(|(a, b)| a.min(&b).unwrap_or(a));
    let sum = (plain(), plain(), plain()).prop_map(|(a, b, c)| {
        let both: Result<_, LocationError> = a.min(&b).and_then(|least| least.plus(&c));
        both.unwrap_or(a)
    });
    let listed = (0..axis, prop::collection::vec(0i64..4, 6))
        .prop_map(|(axis, entries)| Extent::Listed { axis, extents: Table::new(entries) });
    let ragged = (0..axis, prop::collection::vec(0i64..4, 6)).prop_map(|(axis, lengths)| {
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        Extent::Ragged { axis, starts: Table::new([0].into_iter().chain(ends).collect()) }
    });
    let power = (0..axis, 0i64..3).prop_map(|(axis, factor)| Extent::Power { axis, factor });
    prop_oneof![3 => plain(), 1 => split, 1 => least, 1 => sum, 1 => listed, 1 => ragged, 1 => power].boxed()
}

/// The points of a shape, unless they are too many.
fn points(shape: &Shape<i64>) -> Option<Vec<Vec<i64>>> {
    let mut found = vec![Vec::new()];
    for extent in shape.extents() {
        let mut longer: Vec<Vec<i64>> = Vec::new();
        for point in &found {
            let count = extent.at(point).ok().filter(|count| (0..MOST as i64).contains(count))?;
            longer.extend((0..count).map(|index| [&point[..], &[index]].concat()));
        }
        found = longer;
        if found.len() > MOST {
            return None;
        }
    }
    Some(found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn symbolic_offsets_are_those_of_numbers(
        extents in (1usize..4).prop_flat_map(|rank| (0..rank).map(extent).collect::<Vec<_>>())
    ) {
        let Ok(shape) = Shape::new(extents) else { return Ok(()) };
        let Some(points) = points(&shape) else { return Ok(()) };
        let inside = Range { lo: Some(0), hi: None };
        let indices: Vec<Symbol> =
            (0..shape.rank()).map(|axis| Symbol::new(axis as u32, format!("i{axis}"), inside)).collect();
        let at: Vec<SymInt> = indices.iter().map(SymInt::symbol).collect();
        let symbolic = shape.map(&|number| SymInt::constant(*number));
        let extents: Vec<_> = symbolic.extents().iter().map(|extent| extent.at(&at)).collect();
        let offset = symbolic.offset(&at);
        for point in points {
            let value = |symbol: &Symbol| point[symbol.id() as usize];
            for (own, extent) in extents.iter().zip(shape.extents()) {
                let own = own.as_ref().expect("every extent has a form");
                prop_assert_eq!(own.eval(&value).map(Ok), Some(extent.at(&point)), "{:?} at {:?}", own, point);
            }
            if let (Ok(offset), Ok(wanted)) = (&offset, shape.offset(&point)) {
                prop_assert_eq!(offset.eval(&value), Some(wanted), "{:?} at {:?} of {:?}", offset, point, shape);
                prop_assert_eq!(offset.form().eval(&value), Some(wanted));
            }
        }
    }
}

/// The closed forms of the paper, as they are emitted.
#[test]
fn the_triangle_is_one_product() {
    let i = Symbol::new(0, "i", Range { lo: Some(0), hi: None });
    let j = Symbol::new(1, "j", Range { lo: Some(0), hi: None });
    let n = Symbol::new(2, "n", Range { lo: Some(0), hi: None });
    let [at, along, all] = [&i, &j, &n].map(SymInt::symbol);
    let row = Extent::Affine { constant: SymInt::constant(1), coefficients: vec![1] };
    let triangle = Shape::new(vec![Extent::constant(all), row]).expect("a shape");
    let offset = triangle.offset(&[at, along]).expect("a closed form");
    assert_eq!(offset.form().to_string(), "j + (i + 1) * i / 2");
    assert_eq!(triangle.size().expect("a closed form").form().to_string(), "(n + 1) * n / 2");
    let negative = SymInt::constant(-1).power_of_two();
    assert_eq!(negative, Err(LocationError::Overflow));
}
