//! One test for each rule of simplification.

use std::collections::BTreeSet;

use super::super::{BinaryOp, Range, SymError, SymInt, Symbol};
use super::{TestResult, extent, free, int, within};

#[test]
fn sums_cancel_and_commute() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    assert_eq!(x.add(&y)?.sub(&x)?, y);
    assert_eq!(x.add(&y)?, y.add(&x)?);
    assert_eq!(x.sub(&x)?, int(0));
    let product = x.add(&y)?.mul(&x.sub(&y)?)?;
    assert_eq!(product, x.mul(&x)?.sub(&y.mul(&y)?)?);
    assert_eq!(x.scale(0)?, int(0));
    Ok(())
}

#[test]
fn a_symbol_of_one_value_is_a_constant() {
    assert_eq!(within(0, "x", 7, 7).as_constant(), Some(7));
}

#[test]
fn multiples_leave_the_numerator() -> TestResult {
    let (m, x) = (free(0, "m"), free(1, "x"));
    // floor((8 m + x + 13) / 4) = 2 m + 3 + floor((x + 1) / 4)
    let left = m.scale(8)?.add(&x)?.add(&int(13))?.floor_div(4)?;
    let right = m.scale(2)?.add(&int(3))?.add(&x.add(&int(1))?.floor_div(4)?)?;
    assert_eq!(left, right);
    Ok(())
}

#[test]
fn a_row_of_a_macroblock_lies_in_it() -> TestResult {
    let (m, y) = (free(0, "m"), within(1, "y", 0, 15));
    let row = m.scale(16)?.add(&y)?;
    assert_eq!(row.floor_div(16)?, m);
    assert_eq!(row.modulo(16)?, y);
    assert_eq!(row.floor_div(8)?, m.scale(2)?.add(&y.floor_div(8)?)?);
    Ok(())
}

#[test]
fn common_divisors_leave_the_fraction() -> TestResult {
    let (x, z) = (free(0, "x"), within(1, "z", 0, 3));
    assert_eq!(x.scale(4)?.add(&int(3))?.floor_div(8)?, x.floor_div(2)?);
    assert_eq!(x.scale(4)?.add(&z)?.floor_div(8)?, x.floor_div(2)?);
    assert_eq!(x.scale(4)?.sub(&z)?.floor_div(8)?.symbols().len(), 2, "z decides whether it falls below");
    let w = within(1, "w", 4, 7);
    assert_eq!(x.scale(4)?.add(&w)?.floor_div(8)?, x.add(&int(1))?.floor_div(2)?);
    Ok(())
}

#[test]
fn floors_of_floors_are_one() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    assert_eq!(x.floor_div(2)?.floor_div(3)?, x.floor_div(6)?);
    let shifted = x.floor_div(4)?.add(&int(1))?.floor_div(2)?;
    assert_eq!(shifted, x.add(&int(4))?.floor_div(8)?);
    let both = x.floor_div(2)?.add(&y)?.floor_div(2)?;
    assert_eq!(both, x.add(&y.scale(2)?)?.floor_div(4)?);
    let negated = y.sub(&x.floor_div(2)?)?.floor_div(2)?;
    assert_eq!(negated, y.scale(2)?.sub(&x)?.add(&int(1))?.floor_div(4)?);
    Ok(())
}

#[test]
fn a_range_within_one_cell_decides() -> TestResult {
    assert_eq!(within(0, "x", 0, 15).floor_div(16)?, int(0));
    assert_eq!(within(0, "x", -16, -1).floor_div(16)?, int(-1));
    assert_eq!(within(0, "x", 32, 40).floor_div(16)?, int(2));
    assert_eq!(within(0, "x", 32, 40).modulo(16)?, within(0, "x", 32, 40).sub(&int(32))?);
    Ok(())
}

#[test]
fn both_spellings_of_a_remainder_are_one() -> TestResult {
    let x = free(0, "x");
    assert_eq!(x.modulo(6)?, x.sub(&x.floor_div(6)?.scale(6)?)?);
    assert_eq!(x.add(&int(13))?.modulo(6)?, x.add(&int(1))?.modulo(6)?);
    assert_eq!(x.modulo(6)?.modulo(6)?, x.modulo(6)?);
    assert_eq!(x.modulo(6)?.modulo(3)?, x.modulo(3)?);
    assert_eq!(x.modulo(6)?.floor_div(6)?, int(0));
    assert_eq!(x.modulo(16)?.floor_div(4)?, x.floor_div(4)?.modulo(4)?);
    assert_eq!(x.scale(6)?.modulo(6)?, int(0));
    assert_eq!(x.modulo(1)?, int(0));
    Ok(())
}

#[test]
fn ceilings_have_one_spelling() -> TestResult {
    let x = free(0, "x");
    assert_eq!(x.ceil_div(4)?, x.add(&int(3))?.floor_div(4)?);
    assert_eq!(x.ceil_div(2)?, x.add(&int(1))?.floor_div(2)?);
    assert_eq!(x.ceil_div(4)?, x.neg()?.floor_div(4)?.neg()?);
    assert_eq!(x.floor_div(-4)?, x.neg()?.floor_div(4)?);
    Ok(())
}

#[test]
fn what_is_unknown_stays() -> TestResult {
    let (r, y) = (free(0, "r"), within(1, "y", 0, 7));
    let half = r.add(&y)?.floor_div(2)?;
    assert_eq!(half.symbols().len(), 2);
    assert_ne!(half, r.floor_div(2)?.add(&y.floor_div(2)?)?);
    Ok(())
}

#[test]
fn refining_what_was_coarsened_is_not_the_identity() -> TestResult {
    let x = free(0, "x");
    assert_ne!(x.floor_div(2)?.scale(2)?, x);
    assert_eq!(x.scale(2)?.floor_div(2)?, x);
    assert_eq!(x.floor_div(2)?.scale(2)?.add(&x.modulo(2)?)?, x);
    Ok(())
}

#[test]
fn division_of_rust_truncates() -> TestResult {
    let (x, n) = (free(0, "x"), extent(1, "n"));
    assert_eq!(int(-7).trunc_div(&int(2))?, int(-3));
    assert_eq!(int(-7).trunc_rem(&int(2))?, int(-1));
    assert_eq!(n.trunc_div(&int(4))?, n.floor_div(4)?);
    assert_eq!(n.trunc_rem(&int(4))?, n.modulo(4)?);
    assert_ne!(x.trunc_div(&int(4))?, x.floor_div(4)?);
    assert_eq!(x.trunc_div(&int(-4))?, x.trunc_div(&int(4))?.neg()?);
    assert_eq!(x.scale(12)?.trunc_div(&int(4))?, x.scale(3)?);
    assert_eq!(x.scale(12)?.trunc_rem(&int(4))?, int(0));
    assert_eq!(within(2, "z", -3, 3).trunc_div(&int(4))?, int(0));
    assert_eq!(within(2, "z", -3, 3).trunc_rem(&within(3, "w", 4, 9))?, within(2, "z", -3, 3));
    assert_eq!(int(i64::MIN).trunc_div(&int(-1)), Err(SymError::Overflow));
    assert_eq!(int(i64::MIN).trunc_rem(&int(-1))?, int(0));
    let s = within(4, "s", 1, 100);
    assert_eq!(s.trunc_div(&s)?, int(1));
    assert_ne!(n.trunc_div(&n)?, int(1), "n may be zero");
    Ok(())
}

#[test]
fn shifts_and_masks_are_arithmetic() -> TestResult {
    let (x, low) = (free(0, "x"), within(1, "low", 0, 15));
    assert_eq!(x.shl(&int(3))?, x.scale(8)?);
    assert_eq!(x.shr(&int(3))?, x.floor_div(8)?);
    assert_eq!(x.shr(&int(63))?.range(), Range::UNKNOWN);
    assert_eq!(within(2, "z", -9, -1).shr(&int(63))?, int(-1));
    assert_eq!(x.bit_and(&int(7))?, x.modulo(8)?);
    assert_eq!(int(7).bit_and(&x)?, x.modulo(8)?);
    assert_eq!(x.bit_and(&int(-8))?, x.sub(&x.modulo(8)?)?);
    assert_eq!(x.shl(&int(4))?.bit_or(&low)?, x.scale(16)?.add(&low)?);
    assert_eq!(low.bit_or(&x.shl(&int(4))?)?, x.scale(16)?.add(&low)?);
    assert_eq!(x.shl(&int(4))?.bit_and(&low)?, int(0));
    assert_eq!(x.bit_xor(&int(-1))?, x.bit_not()?);
    assert_eq!(x.bit_xor(&x)?, int(0));
    assert_eq!(x.bit_or(&x)?, x);
    assert_eq!(x.bit_and(&low)?, low.bit_and(&x)?);
    Ok(())
}

#[test]
fn minima_and_maxima_fold_where_the_order_is_known() -> TestResult {
    let (x, y, n) = (free(0, "x"), free(1, "y"), extent(2, "n"));
    assert_eq!(SymInt::max(&n, &int(0))?, n);
    assert_eq!(SymInt::min(&n, &int(-1))?, int(-1));
    assert_eq!(SymInt::min(&x, &x.add(&int(1))?)?, x);
    assert_eq!(SymInt::min(&x, &y)?, SymInt::min(&y, &x)?);
    assert_eq!(SymInt::min(&x, &SymInt::min(&x, &y)?)?, SymInt::min(&x, &y)?);
    assert_eq!(SymInt::min(&x, &SymInt::max(&x, &y)?)?, x);
    let three = SymInt::min(&SymInt::min(&x, &y)?, &n)?;
    assert_eq!(three, SymInt::min(&SymInt::min(&n, &y)?, &x)?);
    assert_eq!(SymInt::max(&SymInt::max(&x, &int(3))?, &int(5))?, SymInt::max(&x, &int(5))?);
    Ok(())
}

#[test]
fn ranges_follow_what_is_correlated() -> TestResult {
    let x = free(0, "x");
    assert_eq!(x.modulo(6)?.range(), Range::new(0, 5));
    assert_eq!(x.floor_div(4)?.modulo(4)?.range(), Range::new(0, 3));
    assert_eq!(x.sub(&x.floor_div(4)?.scale(4)?)?.scale(3)?.range(), Range::new(0, 9));
    let s = within(1, "s", 0, 10);
    assert_eq!(x.modulo(4)?.mul(&s)?.range(), Range::new(0, 30));
    let n = extent(2, "n");
    assert_eq!(n.sub(&n.floor_div(2)?.scale(2)?)?.range(), Range::new(0, 1));
    assert_eq!(n.sub(&n.floor_div(2)?)?.range().lo, Some(0));
    assert_eq!(SymInt::max(&x, &int(0))?.range(), Range::at_least(0));
    assert_eq!(SymInt::max(&x, &int(5))?.sub(&x)?.range(), Range::at_least(0));
    assert_eq!(x.mul(&x)?.range(), Range::at_least(0));
    let y = within(3, "y", -5, 9);
    assert_eq!(y.scale(-2)?.add(&int(1))?.range(), Range::new(-17, 11));
    assert_eq!(y.floor_div(4)?.range(), Range::new(-2, 2));
    assert_eq!(y.trunc_div(&int(4))?.range(), Range::new(-1, 2));
    Ok(())
}

#[test]
fn compare_answers_only_what_always_holds() -> TestResult {
    use std::cmp::Ordering;
    let (x, y) = (free(0, "x"), within(1, "y", 0, 3));
    assert_eq!(x.compare(&x.add(&int(1))?), Some(Ordering::Less));
    assert_eq!(x.add(&y)?.compare(&x), None);
    assert_eq!(x.add(&y)?.compare(&x.sub(&int(1))?), Some(Ordering::Greater));
    assert_eq!(x.compare(&x), Some(Ordering::Equal));
    Ok(())
}

#[test]
fn parts_of_an_expression() -> TestResult {
    let symbols: Vec<Symbol> =
        ["x", "y", "s"].iter().zip(0..).map(|(name, id)| Symbol::new(id, *name, Range::UNKNOWN)).collect();
    let [x, y, s] = [0, 1, 2].map(|i| SymInt::symbol(&symbols[i]));
    let index = x.mul(&s)?.add(&y.scale(3)?)?.add(&int(5))?;
    assert_eq!(index.coefficient(&symbols[0]), Some(s.clone()));
    assert_eq!(index.coefficient(&symbols[1]), Some(int(3)));
    assert_eq!(x.add(&x.floor_div(2)?)?.coefficient(&symbols[0]), None);
    assert_eq!(x.mul(&x)?.coefficient(&symbols[0]), None);
    assert_eq!(y.coefficient(&symbols[0]), Some(int(0)));
    assert!(!index.is_affine() && y.scale(3)?.is_affine());
    assert_eq!(index.constant_part(), 5);
    assert_eq!(index.symbols(), symbols.iter().cloned().collect::<BTreeSet<_>>());
    assert!(x.floor_div(2)?.mentions(&symbols[0]) && !x.mentions(&symbols[1]));
    let without_x = |set: &BTreeSet<Symbol>| !set.contains(&symbols[0]);
    let (outer, inner) = index.partition_terms(&without_x);
    assert_eq!(outer, y.scale(3)?.add(&int(5))?);
    assert_eq!(inner, x.mul(&s)?);
    assert_eq!(outer.add(&inner)?, index);
    Ok(())
}

#[test]
fn substitution_simplifies_again() -> TestResult {
    let (x, m) = (Symbol::new(0, "x", Range::UNKNOWN), free(1, "m"));
    let half = SymInt::symbol(&x).add(&int(1))?.floor_div(2)?.mul(&m)?;
    let even = half.substitute(&|symbol| (*symbol == x).then(|| m.scale(2).unwrap_or_else(|_| int(0))))?;
    assert_eq!(even, m.mul(&m)?);
    assert_eq!(half.substitute(&|_| None)?, half);
    Ok(())
}

#[test]
fn errors_are_typed() -> TestResult {
    let x = free(0, "x");
    assert_eq!(int(i64::MAX).add(&int(1)), Err(SymError::Overflow));
    assert_eq!(x.scale(i64::MAX)?.scale(2), Err(SymError::Overflow));
    assert_eq!(int(i64::MIN).neg(), Err(SymError::Overflow));
    assert_eq!(x.floor_div(0), Err(SymError::DivisionByZero));
    assert_eq!(x.modulo(0), Err(SymError::DivisionByZero));
    assert_eq!(x.trunc_rem(&int(0)), Err(SymError::DivisionByZero));
    assert_eq!(x.shl(&int(64)), Err(SymError::ShiftAmount));
    assert_eq!(x.shr(&int(-1)), Err(SymError::ShiftAmount));
    assert_eq!(x.floor_div(i64::MIN), Err(SymError::Overflow));
    Ok(())
}

/// Growth ends in an error, before it costs time or stack.
#[test]
fn growth_is_capped() {
    let atoms: Vec<SymInt> = (0..40).map(|id| free(id, "x")).collect();
    let mut sum = int(1);
    let grown = (0..40).try_for_each(|i| {
        sum = sum.mul(&atoms[i].add(&int(1))?)?;
        Ok(())
    });
    assert_eq!(grown, Err(SymError::TooLarge));

    let mut nested = atoms[0].clone();
    let grown = (0..10_000).try_for_each(|i| {
        nested = SymInt::max(&nested.mul(&atoms[1])?, &int(i))?.trunc_div(&atoms[2])?;
        Ok(())
    });
    assert_eq!(grown, Err(SymError::TooLarge));
}

/// Ten thousand operations on one value are no recursion.
#[test]
fn long_chains_stay_flat() -> TestResult {
    let mut sum = free(0, "x");
    for _ in 0..10_000 {
        sum = sum.add(&int(1))?;
    }
    assert_eq!(sum.form().to_string(), "x + 10000");
    Ok(())
}

#[test]
fn evaluation_is_exact() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    let value = |symbol: &Symbol| if symbol.id() == 0 { i64::MAX } else { 3 };
    assert_eq!(x.scale(4)?.add(&y)?.sub(&x.scale(3)?)?.sub(&y)?.eval(&value), Some(i64::MAX));
    assert_eq!(x.add(&y)?.eval(&value), None);
    assert_eq!(y.apply(BinaryOp::Div, &x.sub(&x)?.add(&y)?.sub(&int(3))?)?.eval(&value), None);
    assert_eq!(y.shl(&y)?.eval(&value), Some(24));
    Ok(())
}
