//! The trees that are emitted.

use super::super::{Form, Range, SymInt, Symbol};
use super::{TestResult, extent, free, int, within};

/// The form of an expression as text.
fn text(sym: &SymInt) -> String {
    let form = sym.form();
    assert_eq!(form.cost(), sym.cost(), "{form}");
    form.to_string()
}

#[test]
fn sums_read_as_one_writes_them() -> TestResult {
    let (stride, r, c) = (extent(0, "stride"), free(1, "r"), free(2, "c"));
    assert_eq!(text(&r.mul(&stride)?.add(&c)?.sub(&int(1))?), "r * stride + c - 1");
    assert_eq!(text(&c.sub(&r)?), "c - r");
    assert_eq!(text(&int(3).sub(&r)?), "3 - r");
    assert_eq!(text(&r.neg()?), "-r");
    assert_eq!(text(&r.neg()?.sub(&c)?), "-r - c");
    assert_eq!(text(&r.neg()?.sub(&int(1))?), "-1 - r");
    assert_eq!(text(&r.scale(3)?.add(&int(1))?), "3 * r + 1");
    assert_eq!(text(&int(-4)), "-4");
    Ok(())
}

#[test]
fn common_factors_are_taken_out() -> TestResult {
    let (s, r, y, x) = (extent(0, "s"), free(1, "r"), free(2, "y"), free(3, "x"));
    assert_eq!(text(&r.mul(&s)?.add(&y.mul(&s)?)?.add(&x)?), "(r + y) * s + x");
    assert_eq!(text(&r.scale(3)?.add(&y.scale(3)?)?), "3 * (r + y)");
    assert_eq!(text(&r.scale(16)?.add(&y.scale(16)?)?.add(&x)?), "16 * (r + y) + x");
    let product = r.add(&y)?.mul(&s.add(&x)?)?;
    assert_eq!(product.cost(), 4, "{}", text(&product));
    // (plane * height + row) * width + column
    let (h, w) = (extent(4, "h"), extent(5, "w"));
    let flat = r.mul(&h)?.add(&y)?.mul(&w)?.add(&x)?;
    assert_eq!(flat.cost(), 6, "{}", text(&flat));
    Ok(())
}

#[test]
fn remainders_are_recovered() -> TestResult {
    let (x, y, s) = (free(0, "x"), free(1, "y"), free(2, "s"));
    assert_eq!(text(&x.modulo(8)?), "x mod 8");
    assert_eq!(text(&x.sub(&x.floor_div(8)?.scale(8)?)?), "x mod 8");
    assert_eq!(text(&x.add(&int(5))?.modulo(8)?), "(x + 5) mod 8");
    assert_eq!(text(&x.neg()?.modulo(8)?), "-x mod 8");
    assert_eq!(text(&x.modulo(8)?.mul(&s)?), "x mod 8 * s");
    assert_eq!(text(&x.floor_div(4)?.modulo(4)?), "x / 4 mod 4");
    assert_eq!(text(&x.floor_div(4)?.modulo(4)?.mul(&s)?.add(&y)?).matches("mod").count(), 1);
    let both = x.modulo(4)?.mul(&y.modulo(4)?)?;
    assert_eq!(both.cost(), 4, "{}", text(&both));
    assert_eq!(text(&x.add(&y)?.modulo(3)?), "(x + y) mod 3");
    assert_eq!(text(&x.modulo(4)?.add(&y)?), "y + x mod 4");
    Ok(())
}

#[test]
fn numerators_take_in_what_was_split_off() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    assert_eq!(text(&y.sub(&x)?.floor_div(2)?), "(y - x) / 2");
    assert_eq!(text(&x.sub(&y)?.floor_div(2)?), "(x - y) / 2");
    assert_eq!(text(&x.sub(&int(1))?.floor_div(2)?), "(x - 1) / 2");
    assert_eq!(text(&x.neg()?.floor_div(4)?), "-x / 4");
    assert_eq!(text(&x.ceil_div(4)?), "(x + 3) / 4");
    assert_eq!(text(&x.ceil_div(2)?), "(x + 1) / 2");
    assert_eq!(text(&x.add(&y)?.ceil_div(2)?), "(x + y + 1) / 2");
    Ok(())
}

#[test]
fn the_flag_tells_whether_a_numerator_can_be_negative() -> TestResult {
    let flag = |sym: &SymInt| match sym.form() {
        Form::FloorDiv(_, _, flag) | Form::Mod(_, _, flag) => Some(flag),
        _ => None,
    };
    assert_eq!(flag(&free(0, "x").floor_div(3)?), Some(false));
    assert_eq!(flag(&extent(0, "x").floor_div(3)?), Some(true));
    assert_eq!(flag(&extent(0, "x").modulo(3)?), Some(true));
    assert_eq!(flag(&within(0, "x", -1, 9).modulo(3)?), Some(false));
    Ok(())
}

#[test]
fn what_was_written_bounds_the_cost() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    let odd = x.add(&y)?.add(&int(1))?.mul(&x.sub(&y)?.add(&int(2))?)?;
    assert!(odd.cost() <= 6, "{}", text(&odd));
    Ok(())
}

#[test]
fn parentheses_stand_where_they_must() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    assert_eq!(text(&x.sub(&y.sub(&x.trunc_div(&y)?)?)?), "x + x quo y - y");
    assert_eq!(text(&x.add(&y)?.shl(&y)?), "x + y << y");
    assert_eq!(text(&x.shl(&y)?.add(&y)?), "y + (x << y)");
    assert_eq!(text(&SymInt::min(&x, &y.add(&int(1))?)?.scale(2)?), "2 * min(x, y + 1)");
    Ok(())
}

/// Trees are integers of the algebra: the offsets that layouts give over them are those over plain integers.
#[test]
fn layouts_over_trees() {
    use shim_core::{Curve, Integer, Order, orders};

    let [y, x] = [0, 1].map(|id| Symbol::new(id, "s", Range::new(0, 11)));
    let forms = [&y, &x].map(|symbol| SymInt::symbol(symbol).form());
    let of = |value: i64| <Form as Integer>::constant(value);
    assert_eq!([of(7), of(0), of(-1)].map(|form| Integer::as_constant(&form)), [Some(7), Some(0), Some(-1)]);
    assert_eq!(Integer::as_constant(&forms[0]), None);
    assert_eq!(Integer::compare(&of(3), &of(5)), Some(std::cmp::Ordering::Less));
    assert_eq!(Integer::compare(&of(5), &of(5)), Some(std::cmp::Ordering::Equal));
    assert_eq!(Integer::compare(&forms[0], &of(5)), None);
    let orders = [
        Order::RowMajor,
        Order::ColumnMajor,
        Order::tile(&[4, 3]),
        Order::Morton,
        Order::Curve(Curve::Antidiagonal),
        Order::Curve(Curve::Zigzag),
        Order::Swizzle(4),
        Order::Reversed(Box::new(Order::tile(&[2, 2]))),
        orders::tile([4, 4]).inner(orders::hilbert),
        orders::tile([3, 2]).inner(orders::by(|[y, x]| 5 * (2 * y + x) % 6)),
    ];
    for order in orders {
        let plain = order.layout(&[12_i64, 12]).unwrap();
        let symbolic = order.layout(&[SymInt::constant(12), SymInt::constant(12)]).unwrap();
        let offset = symbolic.map(&SymInt::form).offset(&forms).unwrap();
        let normal = symbolic.offset(&[&y, &x].map(SymInt::symbol)).unwrap();
        for (i, j) in (0..12).flat_map(|i| (0..12).map(move |j| (i, j))) {
            let value = |symbol: &Symbol| if *symbol == y { i } else { j };
            let expected = Some(plain.offset(&[i, j]).unwrap());
            assert_eq!(offset.eval(&value), expected, "{order:?} of {i}, {j}");
            assert_eq!(normal.eval(&value), expected, "{order:?} of {i}, {j}");
            assert_eq!(normal.form().eval(&value), expected, "{order:?} of {i}, {j}");
        }
    }
}
