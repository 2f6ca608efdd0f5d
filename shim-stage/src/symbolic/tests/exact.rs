//! Rules at the ends of the ranges in which they hold.

use shim_core::Fold as Rule;

use super::super::eval::apply;
use super::super::{BinaryOp, Range, SymInt, Symbol};
use super::{OPERATORS, TestResult, extent, free, int, within};

/// All small ranges.
fn ranges(limit: i64) -> impl Iterator<Item = (i64, i64)> {
    (-limit..=limit).flat_map(move |lo| (lo..=limit).map(move |hi| (lo, hi)))
}

/// Operators over numbers of all small ranges have the values that Rust gives them, whatever a rule makes of them.
#[test]
fn operators_have_their_values_over_all_ranges() -> TestResult {
    for a in ranges(2) {
        for b in ranges(2) {
            let (x, y) = (within(0, "x", a.0, a.1), within(1, "y", b.0, b.1));
            let scaled = x.scale(4)?;
            for op in OPERATORS {
                for (left, factor) in [(&x, 1), (&scaled, 4)] {
                    // What certainly has no value is an error.
                    let Ok(result) = left.apply(op, &y) else { continue };
                    for x in a.0..=a.1 {
                        for y in b.0..=b.1 {
                            let value = |symbol: &Symbol| if symbol.id() == 0 { x } else { y };
                            let Some(truth) = apply(op, i128::from(factor * x), i128::from(y)) else {
                                continue;
                            };
                            let found = result.eval(&value).map(i128::from);
                            assert_eq!(
                                found,
                                Some(truth),
                                "{op:?} of {factor} * {a:?} and {b:?} at {x}, {y}"
                            );
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn operators_with_constants_have_their_values() {
    for range in [(-9, 9), (0, 9), (-9, -1), (4, 7), (0, 0)] {
        let x = within(0, "x", range.0, range.1);
        for constant in -9..=9 {
            for op in OPERATORS {
                for swapped in [false, true] {
                    let (left, right) =
                        if swapped { (int(constant), x.clone()) } else { (x.clone(), int(constant)) };
                    let result = left.apply(op, &right);
                    for x in range.0..=range.1 {
                        let (a, b) = if swapped { (constant, x) } else { (x, constant) };
                        let Some(truth) = apply(op, i128::from(a), i128::from(b)) else { continue };
                        let found = result.as_ref().map(|sym| sym.eval(&|_| x).map(i128::from));
                        assert_eq!(found, Ok(Some(truth)), "{op:?} of {a} and {b}");
                    }
                }
            }
        }
    }
}

#[test]
fn shift_amounts_end_at_63() -> TestResult {
    let (x, by) = (free(0, "x"), within(1, "by", 0, 70));
    assert_eq!(int(-1).shl(&int(63))?, int(i64::MIN));
    assert_eq!(int(i64::MIN).shr(&int(63))?, int(-1));
    assert_eq!(int(5).shl(&int(0))?, int(5));
    assert_eq!(int(0).shl(&x)?, int(0));
    assert_eq!(int(0).shr(&x)?, int(0));
    assert_eq!(int(-1).shr(&x)?, int(-1));
    for amount in [63, 64] {
        let exists = (amount < 64).then_some(0);
        assert_eq!(int(7).shr(&by)?.eval(&|_| amount), exists, "7 >> {amount}");
        assert_eq!(int(7).shr(&by)?.form().eval(&|_| amount), exists, "7 >> {amount}");
    }
    assert_eq!(int(-1).shl(&by)?.eval(&|_| 62), Some(-(1 << 62)));
    assert_eq!(x.apply(BinaryOp::Shl, &by)?.eval(&|symbol| if symbol.id() == 0 { 0 } else { 64 }), None);
    Ok(())
}

#[test]
fn bits_that_are_known_are_not_computed() -> TestResult {
    let (x, low) = (free(0, "x"), within(1, "low", 0, 15));
    let high = x.scale(16)?;
    for (a, b) in [(&x, &int(0)), (&int(0), &x)] {
        assert_eq!(a.bit_and(b)?, int(0));
        assert_eq!(a.bit_or(b)?, x);
        assert_eq!(a.bit_xor(b)?, x);
    }
    for (a, b) in [(&x, &int(-1)), (&int(-1), &x)] {
        assert_eq!(a.bit_and(b)?, x);
        assert_eq!(a.bit_or(b)?, int(-1));
        assert_eq!(a.bit_xor(b)?, x.bit_not()?);
    }
    for (a, b) in [(&high, &low), (&low, &high)] {
        assert_eq!(a.bit_and(b)?, int(0));
        assert_eq!(a.bit_or(b)?, high.add(&low)?);
        assert_eq!(a.bit_xor(b)?, high.add(&low)?);
    }
    // One bit more is one that both may have.
    let wide = within(2, "wide", 0, 16);
    assert_ne!(high.bit_or(&wide)?, high.add(&wide)?);
    assert_ne!(high.add(&int(8))?.bit_or(&low)?, high.add(&int(8))?.add(&low)?);
    assert_eq!(int(16).bit_or(&low)?, low.add(&int(16))?);
    assert_eq!(x.bit_and(&x)?, x);
    assert_eq!(x.bit_and(&int(1))?, x.modulo(2)?);
    assert_eq!(x.bit_and(&int(-2))?, x.sub(&x.modulo(2)?)?);
    assert_eq!(x.bit_and(&low)?, low.bit_and(&x)?);
    Ok(())
}

/// A quotient is zero only of a numerator that is nearer to zero than any divisor.
#[test]
fn small_numerators_vanish_over_far_divisors() -> TestResult {
    let x = within(0, "x", -3, 3);
    for divisor in [(4, 9), (-9, -4), (4, 4)] {
        let by = within(1, "by", divisor.0, divisor.1);
        assert_eq!(x.trunc_div(&by)?, int(0), "{divisor:?}");
        assert_eq!(x.trunc_rem(&by)?, x, "{divisor:?}");
    }
    for divisor in [(3, 9), (-9, -3), (-9, 9), (0, 9), (-9, 0)] {
        let by = within(1, "by", divisor.0, divisor.1);
        assert_ne!(x.trunc_div(&by)?, int(0), "{divisor:?}");
        assert_ne!(x.trunc_rem(&by)?, x, "{divisor:?}");
    }
    let any = free(2, "any");
    assert_eq!(any.trunc_rem(&int(-4))?, any.trunc_rem(&int(4))?);
    assert_eq!(int(0).trunc_rem(&int(i64::MIN))?, int(0));
    assert_eq!(int(i64::MIN).trunc_div(&int(i64::MIN))?, int(1));
    assert_eq!(any.trunc_div(&int(i64::MIN))?.eval(&|_| i64::MIN), Some(1));
    assert_eq!(any.trunc_rem(&int(i64::MIN))?.eval(&|_| -5), Some(-5));
    let below = within(3, "b", -9, -2);
    assert_eq!((below.trunc_div(&below)?, below.trunc_rem(&below)?), (int(1), int(0)));
    Ok(())
}

/// A boundary rule leaves an index alone exactly where it is one of the axis.
#[test]
fn rules_fold_what_may_be_outside() -> TestResult {
    for (lo, hi) in ranges(4) {
        for extent in 1..=5 {
            for rule in [
                BinaryOp::Fold(Rule::Clamp),
                BinaryOp::Fold(Rule::Mirror),
                BinaryOp::Fold(Rule::Reflect),
                BinaryOp::Fold(Rule::Wrap),
            ] {
                let x = within(0, "x", lo, hi);
                let folded = x.apply(rule, &int(extent))?;
                let inside = lo >= 0 && hi < extent;
                assert!(lo == hi || (folded == x) == inside, "{rule:?} of {lo}..={hi} in {extent}");
            }
        }
    }
    let (i, n) = (extent(0, "i"), extent(1, "n"));
    assert_eq!(i.apply(BinaryOp::Fold(Rule::Clamp), &n.add(&i)?.add(&int(1))?)?, i);
    assert_ne!(i.apply(BinaryOp::Fold(Rule::Clamp), &n.add(&i)?)?, i);
    Ok(())
}

/// A sum that holds a minimum is no minimum.
#[test]
fn minima_have_their_values() -> TestResult {
    let symbols = [0, 1, 2].map(|id| Symbol::new(id, "s", Range::UNKNOWN));
    let [x, y, z] = [0, 1, 2].map(|at| SymInt::symbol(&symbols[at]));
    let least = SymInt::min(&x, &y)?;
    let most = SymInt::max(&x, &y)?;
    let cases = [
        SymInt::min(&least.add(&int(1))?, &z)?,
        SymInt::min(&least.scale(2)?, &z)?,
        SymInt::min(&least.mul(&z)?, &z)?,
        SymInt::max(&most.add(&int(1))?, &z)?,
        SymInt::max(&least, &z)?,
        SymInt::min(&most, &z)?,
        SymInt::min(&x.add(&int(1))?, &x)?,
        SymInt::max(&x.add(&int(1))?, &x)?,
    ];
    for a in -2..=2_i64 {
        for b in -2..=2_i64 {
            for c in -2..=2_i64 {
                let (low, high) = (a.min(b), a.max(b));
                let wanted = [
                    (low + 1).min(c),
                    (2 * low).min(c),
                    (low * c).min(c),
                    (high + 1).max(c),
                    low.max(c),
                    high.min(c),
                    a,
                    a + 1,
                ];
                let value = |symbol: &Symbol| [a, b, c][symbol.id() as usize];
                let found = cases.each_ref().map(|case| case.eval(&value).expect("small"));
                assert_eq!(found, wanted, "{a}, {b}, {c}");
            }
        }
    }
    assert_eq!(cases[6..], [x.clone(), x.add(&int(1))?]);
    Ok(())
}

/// The sum as a difference of sums.
#[test]
fn signs_are_split() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    let sum = x.scale(3)?.sub(&y.scale(2)?)?.add(&int(5))?;
    assert_eq!(sum.split_signs()?, (x.scale(3)?, y.scale(2)?));
    assert_eq!((sum.as_symbol(), sum.as_atom()), (None, None));
    assert_eq!(x.add(&int(1))?.as_symbol(), None);
    assert_eq!(x.scale(2)?.as_atom(), None);
    assert!(x.as_symbol().is_some());
    Ok(())
}

/// Floors of sums over all remainders: what is split off is whole, what stays is reduced.
#[test]
fn floors_have_their_values() -> TestResult {
    let (x, y) = (free(0, "x"), within(1, "y", 0, 2));
    for k in [2, 3, 4, 6] {
        for a in [-7, -4, -3, -2, -1, 1, 2, 5, 6] {
            for b in [-3, 0, 2] {
                for c in [-4, 0, 1] {
                    let sum = x.scale(a)?.add(&y.scale(b)?)?.add(&int(c))?;
                    let nested = x.floor_div(2)?.scale(a)?.add(&y.scale(b)?)?.add(&int(c))?;
                    let results = [
                        (sum.floor_div(k)?, sum.modulo(k)?, sum.ceil_div(k)?),
                        (nested.floor_div(k)?, nested.modulo(k)?, nested.ceil_div(k)?),
                    ];
                    for at in -7..=7_i64 {
                        for of in 0..=2 {
                            let value = |symbol: &Symbol| if symbol.id() == 0 { at } else { of };
                            for ((floor, rest, ceil), x) in results.iter().zip([at, at.div_euclid(2)]) {
                                let whole = a * x + b * of + c;
                                let found = [floor, rest, ceil].map(|sym| sym.eval(&value).expect("small"));
                                let up = -(-whole).div_euclid(k);
                                assert_eq!(
                                    found,
                                    [whole.div_euclid(k), whole.rem_euclid(k), up],
                                    "{whole} by {k}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// The symbolic integer as the algebra of locations sees it.
#[test]
fn the_algebra_divides_by_factors() {
    use shim_core::{Integer, LocationError};
    let x = free(0, "x");
    for factor in [1, 2] {
        let by = |div: fn(&SymInt, i64) -> Result<SymInt, LocationError>| {
            div(&x, factor).map(|sym| sym.eval(&|_| 7))
        };
        assert_eq!(by(Integer::floor_div), Ok(Some(7 / factor)));
        assert_eq!(by(Integer::ceil_div), Ok(Some((7 + factor - 1) / factor)));
        assert_eq!(by(Integer::modulo), Ok(Some(7 % factor)));
    }
    for factor in [0, -1, -2] {
        for div in [Integer::floor_div, Integer::ceil_div, Integer::modulo] {
            let result: Result<SymInt, LocationError> = div(&x, factor);
            assert_eq!(result, Err(LocationError::Factor { factor }));
        }
    }
    assert_eq!((Integer::as_constant(&int(5)), Integer::as_constant(&x)), (Some(5), None));
    assert_eq!(Integer::compare(&x, &x), Some(std::cmp::Ordering::Equal));
    assert_eq!(Integer::compare(&int(1), &int(2)), Some(std::cmp::Ordering::Less));
}
