//! Quotients and remainders by expressions that are not constants: the rules of LEGO (table 1), and what they are for.

use proptest::prelude::*;

use super::super::normal::BinaryOp;
use super::super::{Facts, SymError, SymInt, Symbol};
use super::{TestResult, config, extent, int};

/// Facts that each of `indices` is below its extent, and each extent at least one.
fn below(pairs: &[(&SymInt, &SymInt)]) -> Result<Facts, SymError> {
    let mut facts = Facts::new();
    for (index, extent) in pairs {
        facts.push(extent.sub(index)?.sub(&int(1))?);
    }
    Ok(facts)
}

#[test]
fn the_five_rules() -> TestResult {
    let [q, r, x] = [extent(0, "q"), extent(1, "r"), extent(2, "x")];
    let [d, a] = [extent(3, "d"), extent(4, "a")];
    let facts = below(&[(&r, &d), (&x, &a)])?;
    let mixed = d.mul(&q)?.add(&r)?;
    assert_eq!(facts.trunc_rem(&mixed, &d)?, r);
    assert_eq!(facts.trunc_div(&mixed, &d)?, q);
    assert_eq!(facts.trunc_div(&x, &a)?, int(0));
    assert_eq!(facts.trunc_rem(&x, &a)?, x);
    // A rest that may reach the divisor is divided by itself.
    let facts = below(&[(&x, &a), (&int(0), &d)])?;
    assert_eq!(facts.trunc_rem(&mixed, &d)?, r.trunc_rem(&d)?);
    assert_eq!(facts.trunc_div(&mixed, &d)?, q.add(&r.trunc_div(&d)?)?);
    // The quotient and the remainder of one division.
    let [quotient, remainder] = [x.trunc_div(&d)?, x.trunc_rem(&d)?];
    let whole = a.mul(&d.mul(&quotient)?.add(&remainder)?)?.add(&int(5))?;
    let positive = |divisor: &SymInt| facts.proves_positive(divisor);
    assert_eq!(whole.joined(&positive)?, a.mul(&x)?.add(&int(5))?);
    // Of two divisions nothing is one number again.
    let other = d.mul(&quotient)?.add(&q.trunc_rem(&d)?)?;
    assert_eq!(other.joined(&positive)?, other);
    Ok(())
}

/// A divisor that may be zero, or a dividend that may be negative, is divided as it is written: Rust panics, or rounds
/// to zero.
#[test]
fn conditions_are_needed() -> TestResult {
    let [q, r, d] = [extent(0, "q"), extent(1, "r"), extent(2, "d")];
    let mixed = d.mul(&q)?.add(&r)?;
    for facts in [Facts::new(), below(&[(&q, &d)])?] {
        let unknown = facts.trunc_div(&mixed, &d)?;
        let is_kept = unknown == mixed.trunc_div(&d)? || unknown == q.add(&r.trunc_div(&d)?)?;
        assert!(is_kept, "{unknown}");
    }
    let none = Facts::new();
    assert_eq!(none.trunc_div(&mixed, &d)?, mixed.trunc_div(&d)?);
    let facts = below(&[(&r, &d)])?;
    let negative = mixed.sub(&int(1))?;
    assert_eq!(facts.trunc_div(&negative, &d)?, negative.trunc_div(&d)?);
    assert_eq!(none.trunc_rem(&r, &d)?.joined(&|_| false)?, r.trunc_rem(&d)?);
    Ok(())
}

/// `h * w > k` shows that `w` is not zero, and that `k / w` is a row and `k % w` a column.
#[test]
fn a_flat_index_is_inside() -> TestResult {
    let [k, h, w] = [extent(0, "k"), extent(1, "h"), extent(2, "w")];
    let facts = below(&[(&k, &h.mul(&w)?)])?;
    let [row, column] = [k.trunc_div(&w)?, k.trunc_rem(&w)?];
    assert!(facts.proves_positive(&w) && facts.proves_positive(&h));
    assert!(facts.proves_lt(&row, &h) && facts.proves_nonneg(&row));
    assert!(facts.proves_lt(&column, &w) && facts.proves_nonneg(&column));
    assert!(!facts.proves_lt(&row, &h.sub(&int(1))?) && !facts.proves_lt(&row, &w));
    assert!(!Facts::new().proves_positive(&w));
    Ok(())
}

/// The expressions that `GroupBy` and `OrderBy` of symbolic extents give as they are defined, and after the rules: the
/// numbers that they are made of, at no more operations than in the formula that is written by hand.
#[test]
fn lego_expressions_become_the_direct_ones() -> TestResult {
    // Row(M, K) in tiles of BM x BK, as the data layout of the matrix product (figure 11).
    let [pid, i, step, j] = ["pid", "i", "step", "j"].map(|name| (name.len() as u32, name));
    let [pid, i, step, j] = [pid, i, step, j].map(|(id, name)| extent(id, name));
    let [bm, steps, bk] = [extent(10, "BM"), extent(11, "steps"), extent(12, "BK")];
    let facts = below(&[(&i, &bm), (&step, &steps), (&j, &bk)])?;
    let flat = pid.mul(&bm)?.add(&i)?.mul(&steps)?.add(&step)?.mul(&bk)?.add(&j)?;
    // The inverse of the flat index, dimension by dimension.
    let found_j = facts.trunc_rem(&flat, &bk)?;
    let rest = facts.trunc_div(&flat, &bk)?;
    let found_step = facts.trunc_rem(&rest, &steps)?;
    let rest = facts.trunc_div(&rest, &steps)?;
    let (found_i, found_pid) = (facts.trunc_rem(&rest, &bm)?, facts.trunc_div(&rest, &bm)?);
    assert_eq!([&found_pid, &found_i, &found_step, &found_j], [&pid, &i, &step, &j]);
    // The tiles one after another, from the digits of the row-major index.
    let tiles = found_pid.mul(&steps)?.add(&found_step)?.mul(&bm)?.add(&found_i)?.mul(&bk)?.add(&found_j)?;
    let direct = pid.mul(&steps)?.add(&step)?.mul(&bm)?.add(&i)?.mul(&bk)?.add(&j)?;
    assert_eq!((tiles.cost(), &tiles), (direct.cost(), &direct));
    assert!(tiles.cost() <= 9, "three products and three sums: {}", tiles.cost());
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    /// Whatever the facts let the rules do has the value of Rust's operators.
    #[test]
    fn rules_have_the_values_of_the_operators(
        coefficients in prop::collection::vec(-2_i64..4, 5),
        bound in 0_usize..4,
        values in prop::array::uniform4(0_i64..7),
    ) {
        let [q, r, d, e] = [0, 1, 2, 3].map(|id| extent(id, ["q", "r", "d", "e"][id as usize]));
        let value = |symbol: &Symbol| values[symbol.id() as usize];
        let of = |sym: &SymInt| sym.eval(&value);
        let parts = [d.mul(&q).unwrap(), r.clone(), d.mul(&e).unwrap(), e.clone(), int(1)];
        let dividend = parts.iter().zip(&coefficients).fold(int(0), |sum, (part, factor)| {
            sum.add(&part.scale(*factor).unwrap()).unwrap()
        });
        let facts = match bound {
            0 => Facts::new(),
            1 => below(&[(&r, &d)]).unwrap(),
            2 => below(&[(&r, &d), (&e, &d)]).unwrap(),
            _ => below(&[(&r.add(&e).unwrap(), &d)]).unwrap(),
        };
        if facts.iter().all(|fact| of(fact) >= Some(0)) {
            let positive = |divisor: &SymInt| facts.proves_positive(divisor);
            let (quotient, remainder) = (facts.trunc_div(&dividend, &d).unwrap(), facts.trunc_rem(&dividend, &d).unwrap());
            for (sym, op) in [(&quotient, BinaryOp::Div), (&remainder, BinaryOp::Rem)] {
                let expected = dividend.apply(op, &d).unwrap();
                prop_assert_eq!(of(sym), of(&expected), "{} of {}", sym, dividend);
                prop_assert_eq!(sym.form().eval(&value), of(sym));
            }
            let sum = d.mul(&quotient).unwrap().add(&remainder).unwrap();
            let joined = sum.joined(&positive).unwrap();
            if of(&sum).is_some() {
                prop_assert_eq!(of(&joined), of(&sum));
            }
            if positive(&d) {
                prop_assert!(of(&d) >= Some(1));
            }
        }
    }
}
