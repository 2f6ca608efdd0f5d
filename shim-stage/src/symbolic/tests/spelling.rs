//! However an expression is spelled, its value is that of the sum: divisions within one another, beside what they
//! divide, with common factors and signs that are taken out.

use super::super::{Form, Range, SymInt, Symbol};
use super::{TestResult, int, within};

/// Compares an expression with the tree that is emitted for it. Its flags are right as well: the tree is evaluated by
/// divisions that truncate wherever it says that a numerator is not negative.
fn compare(sum: &SymInt, ranges: &[Range], limit: i64) {
    let form = sum.form();
    assert_eq!(form.cost(), sum.cost(), "{form}");
    let mut values = vec![Vec::new()];
    for range in ranges {
        let own = || (-limit..=limit).filter(|value| range.contains(*value));
        let with =
            |before: &Vec<i64>| own().map(|value| [before.clone(), vec![value]].concat()).collect::<Vec<_>>();
        values = values.iter().flat_map(with).collect();
    }
    for at in values {
        let value = |symbol: &Symbol| at[symbol.id() as usize];
        assert_eq!(form.eval(&value), sum.eval(&value), "{form} at {at:?} of {sum:?}");
    }
}

/// Two numbers: the first of any value or not negative, the second a small one of both signs.
fn numbers(first: Range) -> (SymInt, SymInt, [Range; 2]) {
    let second = Range::new(-2, 3);
    (SymInt::symbol(&Symbol::new(0, "x", first)), within(1, "y", -2, 3), [first, second])
}

#[test]
fn two_divisions_of_one_number() -> TestResult {
    for range in [Range::UNKNOWN, Range::NONNEGATIVE, Range { lo: None, hi: Some(0) }] {
        let (x, y, _) = numbers(range);
        for numerator in [x.clone(), x.add(&int(1))?, int(3).sub(&x)?, x.add(&y)?] {
            for (d, k) in [(2, 4), (2, 6), (2, 8), (3, 6), (4, 8), (4, 16), (2, 3), (3, 4), (4, 6), (6, 8)] {
                let (fine, coarse) = (numerator.floor_div(d)?, numerator.floor_div(k)?);
                let whole = k / d;
                let scales =
                    [(1, -1), (1, -whole), (-1, whole), (2, -2 * whole), (whole, -1), (1, whole), (d, -k)];
                for (p, q) in scales.into_iter().chain([(1, -k * d), (-1, k * d), (1, k * d)]) {
                    let sum = fine.scale(p)?.add(&coarse.scale(q)?)?;
                    for sum in [sum.clone(), sum.add(&numerator)?.add(&int(2))?, sum.sub(&y)?] {
                        compare(&sum, &[range, Range::new(-2, 3)], 9);
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn divisions_beside_what_they_divide() -> TestResult {
    for range in [Range::UNKNOWN, Range::NONNEGATIVE] {
        let (x, y, ranges) = numbers(range);
        for k in [2, 3, 4, 8] {
            for numerator in
                [x.clone(), x.add(&y)?, y.sub(&x)?, x.scale(3)?.add(&int(1))?, int(k - 1).sub(&x)?]
            {
                let cell = numerator.floor_div(k)?;
                for (p, q) in [(-k, 1), (k, -1), (-1, 1), (1, 1), (-k, 2), (2 * k, -2), (-3, 3), (3, -1)] {
                    for constant in [0, 1, k - 1, -2 * k] {
                        let sum = cell.scale(p)?.add(&x.scale(q)?)?.add(&int(constant))?;
                        compare(&sum, &ranges, 9);
                        compare(&sum.mul(&y)?, &ranges, 9);
                        compare(&sum.add(&y.scale(p)?)?, &ranges, 9);
                    }
                }
            }
        }
    }
    Ok(())
}

/// A remainder stands for what is a multiple of it alone: of `2 x` there is none in `3 x`.
#[test]
fn remainders_beside_other_multiples() -> TestResult {
    let (x, y, ranges) = numbers(Range::UNKNOWN);
    for (a, k) in [(2, 5), (3, 7), (2, 7), (4, 9)] {
        let part = x.scale(a)?;
        let cell = part.floor_div(k)?.scale(k)?;
        for c in -4..=4 {
            let beside = x.scale(c)?.sub(&cell)?;
            compare(&part.sub(&cell)?.mul(&y)?.add(&beside)?, &ranges, 9);
            compare(&part.sub(&cell)?.mul(&y)?.sub(&beside)?.add(&y)?, &ranges, 9);
        }
    }
    Ok(())
}

#[test]
fn factors_that_several_terms_share() -> TestResult {
    let ranges = [Range::UNKNOWN; 4];
    let [a, b, c, d] = [0, 1, 2, 3].map(|id| super::free(id, "s"));
    let factors = [
        a.add(&b)?,
        a.sub(&b)?.add(&int(1))?,
        c.scale(2)?.sub(&int(3))?,
        d.neg()?.sub(&int(2))?,
        a.scale(-3)?.sub(&c.scale(6)?)?,
        a.mul(&b)?.add(&c)?,
        int(-5),
        a.scale(4)?.add(&d.scale(6)?)?.add(&int(8))?,
    ];
    for first in &factors {
        for second in &factors {
            for sum in [
                first.mul(second)?,
                first.mul(second)?.neg()?,
                first.mul(second)?.add(&d)?,
                first.scale(6)?.add(&second.scale(4)?)?,
                first.scale(-6)?.sub(&second.scale(9)?)?.sub(&int(3))?,
                first.mul(&c)?.sub(&second.mul(&c)?)?.add(&int(2))?,
                first.mul(&c)?.add(&first.mul(&d)?)?.sub(second)?,
            ] {
                compare(&sum, &ranges, 2);
            }
        }
    }
    Ok(())
}

/// A tree in which every operation says what it is: what people read in messages.
#[test]
fn trees_are_written_as_they_bind() {
    let symbol = |id, name: &str| Box::new(Form::Symbol(Symbol::new(id, name, Range::UNKNOWN)));
    let (x, y) = (symbol(0, "x"), symbol(1, "y"));
    let boxed = |form: Form| Box::new(form);
    let sum = Form::Add(x.clone(), y.clone());
    let constant = |value| boxed(Form::Constant(value));
    let trees = [
        (Form::Mul(boxed(sum.clone()), constant(-2)), "(x + y) * -2"),
        (Form::Neg(constant(-2)), "-(-2)"),
        (Form::Neg(boxed(sum.clone())), "-(x + y)"),
        (Form::Neg(boxed(Form::Neg(x.clone()))), "-(-x)"),
        (Form::Sub(x.clone(), boxed(sum.clone())), "x - (x + y)"),
        (Form::Mul(x.clone(), boxed(Form::Mod(y.clone(), 3, false))), "x * (y mod 3)"),
        (Form::FloorDiv(boxed(sum), 4, false), "(x + y) / 4"),
    ];
    for (tree, text) in trees {
        assert_eq!(tree.to_string(), text);
    }
}
