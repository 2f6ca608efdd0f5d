//! Bounds against every value there is: too narrow they would prove what is false, too wide they would prove nothing.

use shim_core::Fold as Rule;

use super::super::eval::apply;
use super::super::interval::Interval;
use super::super::range::{atom_interval, monomial_interval};
use super::super::{Atom, BinaryOp, Range, SymInt, Symbol};
use super::{OPERATORS, TestResult, free, int, within};

type Ends = (Option<i64>, Option<i64>);

/// All intervals with ends of at most this magnitude, and those without an end on one side or on both.
fn all(limit: i64) -> Vec<Ends> {
    let ends = || std::iter::once(None).chain((-limit..=limit).map(Some));
    ends()
        .flat_map(|lo| ends().map(move |hi| (lo, hi)))
        .filter(|(lo, hi)| lo.zip(*hi).is_none_or(|(lo, hi)| lo <= hi))
        .collect()
}

fn interval((lo, hi): Ends) -> Interval {
    Interval::new(lo.map(i128::from), hi.map(i128::from))
}

fn symbol(id: u32, (lo, hi): Ends) -> Symbol {
    Symbol::new(id, "s", Range { lo, hi })
}

/// The values of an interval whose missing ends are at `limit`.
fn values((lo, hi): Ends, limit: i64) -> impl Iterator<Item = i128> + Clone {
    (lo.unwrap_or(-limit)..=hi.unwrap_or(limit)).map(i128::from)
}

/// The least and the greatest value of an operation; an end that moves with the limit is none. Nothing if there is no
/// value at all.
fn hull(found: impl Fn(i64) -> Vec<i128>) -> Option<Interval> {
    let ends = |limit| {
        let all = found(limit);
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    let (near, far) = (ends(12)?, ends(24)?);
    let kept = |near: i128, far: i128| (near == far).then_some(near);
    Some(Interval::new(kept(near.0, far.0), kept(near.1, far.1)))
}

fn pairs(a: Ends, b: Ends, limit: i64, op: impl Fn(i128, i128) -> Option<i128>) -> Vec<i128> {
    let with = |x: i128| values(b, limit).map(move |y| (x, y));
    values(a, limit).flat_map(with).filter_map(|(x, y)| op(x, y)).collect()
}

#[test]
fn arithmetic_of_intervals_is_exact() {
    for a in all(3) {
        let own = interval(a);
        assert_eq!(hull(|limit| values(a, limit).map(|x| -x).collect()), Some(own.neg()), "-{a:?}");
        for factor in -3..=3_i128 {
            let found = hull(|limit| values(a, limit).map(|x| x * factor).collect());
            assert_eq!(found, Some(own.scale(factor)), "{factor} * {a:?}");
        }
        for divisor in 1..=4_i64 {
            let wide = i128::from(divisor);
            let found = hull(|limit| values(a, limit).map(|x| x.div_euclid(wide)).collect());
            assert_eq!(found, Some(own.floor_div(divisor)), "{a:?} / {divisor}");
            let multiples = |limit: i64| {
                (-limit..=limit).map(i128::from).filter(|x| {
                    let (lo, hi) = (own.lo.unwrap_or(x * wide), own.hi.unwrap_or(x * wide));
                    (lo..=hi).contains(&(x * wide))
                })
            };
            if let Some(found) = hull(|limit| multiples(limit).collect()) {
                assert_eq!(found, own.shrink(wide), "{a:?} by {divisor}");
            }
        }
        for exponent in 0..=4_usize {
            let found = hull(|limit| values(a, limit).map(|x| x.pow(exponent as u32)).collect());
            let power = own.power(exponent);
            let hull = found.expect("a value");
            let holds_hull = power.lo.is_none_or(|lo| Some(lo) <= hull.lo)
                && power.hi.is_none_or(|hi| hull.hi.is_some_and(|most| hi >= most));
            assert!(holds_hull, "{a:?} to the {exponent}: {power:?}");
            // An even power is known not to be negative, if not how small it is.
            assert!(exponent % 2 == 1 || power.is_nonnegative(), "{a:?} to the {exponent}");
            if own.is_nonnegative() || exponent < 2 {
                assert_eq!(power, hull, "{a:?} to the {exponent}");
            }
        }
        assert_eq!(own.magnitude().is_some(), a.0.is_some() && a.1.is_some());
        if let Some(most) = own.magnitude() {
            assert_eq!(values(a, 0).map(i128::abs).max(), Some(most));
        }
        for b in all(3) {
            let other = interval(b);
            let of = |op: fn(i128, i128) -> i128| hull(|limit| pairs(a, b, limit, |x, y| Some(op(x, y))));
            assert_eq!(of(|x, y| x + y), Some(own.add(other)), "{a:?} + {b:?}");
            assert_eq!(of(|x, y| x * y), Some(own.mul(other)), "{a:?} * {b:?}");
            assert_eq!(of(i128::min), Some(own.min(other)), "min({a:?}, {b:?})");
            assert_eq!(of(i128::max), Some(own.max(other)), "max({a:?}, {b:?})");
            let both = hull(|limit| pairs(a, b, limit, |x, y| (x == y).then_some(x)));
            if let Some(both) = both {
                assert_eq!(both, own.intersect(other), "{a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn ends_past_the_limit_are_none() {
    let far = Interval::new(Some(-(1 << 120)), Some(1 << 120));
    assert!(far.lo.is_some() && far.hi.is_some());
    assert_eq!(far.scale(2), Interval::UNKNOWN);
    assert_eq!(far.add(far), Interval::UNKNOWN);
    assert_eq!(far.mul(far), Interval::UNKNOWN);
    assert_eq!(far.to_range(), Range::UNKNOWN);
    let end = Interval::exactly(i64::MAX);
    assert_eq!(end.to_range(), Range::exactly(i64::MAX));
    assert_eq!(end.add(Interval::exactly(1_i64)).to_range(), Range::UNKNOWN);
}

#[test]
fn ranges_say_what_they_allow() {
    for (lo, hi) in all(3) {
        let range = Range { lo, hi };
        for value in -5..=5 {
            let allowed = lo.unwrap_or(value) <= value && value <= hi.unwrap_or(value);
            assert_eq!(range.contains(value), allowed, "{value} in {range:?}");
        }
        assert_eq!(range.is_nonnegative(), !(-5..0).any(|value| range.contains(value)), "{range:?}");
        assert_eq!(range.excludes_zero(), !range.contains(0));
        assert_eq!(interval((lo, hi)).to_range(), range);
    }
    assert_eq!((Range::exactly(2), Range::at_least(2)), (Range::new(2, 2), Range { lo: Some(2), hi: None }));
}

/// Whether every value of `found` lies in `bounds`.
fn holds(bounds: Interval, found: &[i128]) -> bool {
    found
        .iter()
        .all(|value| bounds.lo.is_none_or(|lo| lo <= *value) && bounds.hi.is_none_or(|hi| *value <= hi))
}

#[test]
fn bounds_of_operators_hold_every_value() {
    for a in all(3) {
        for b in all(3) {
            let [x, y] = [symbol(0, a), symbol(1, b)].map(|symbol| SymInt::symbol(&symbol));
            for op in OPERATORS {
                let bounds = atom_interval(&Atom::Op(op, x.clone(), y.clone()));
                let found = pairs(a, b, 7, |x, y| apply(op, x, y));
                assert!(holds(bounds, &found), "{op:?} of {a:?} and {b:?}: {bounds:?}");
                // Where the rule for an operator says all there is, no end is wider than it has to be.
                let exact = match op {
                    BinaryOp::Div => b.0.is_some_and(|lo| lo > 0),
                    BinaryOp::Shl | BinaryOp::Shr => b.0.is_some_and(|lo| lo >= 0) && b.1.is_some(),
                    _ => false,
                };
                if exact && let Some(hull) = hull(|limit| pairs(a, b, limit, |x, y| apply(op, x, y))) {
                    assert_eq!(bounds, hull, "{op:?} of {a:?} and {b:?}");
                }
            }
        }
    }
}

/// What the bounds of each operator promise beyond holding its values.
#[test]
fn bounds_of_operators_are_as_narrow_as_their_rules() {
    let bounds = |op, a, b| {
        let [x, y] = [symbol(0, a), symbol(1, b)].map(|symbol| SymInt::symbol(&symbol));
        let found = atom_interval(&Atom::Op(op, x, y));
        (found.lo, found.hi)
    };
    let between = |lo, hi| (Some(lo), Some(hi));
    let (any, up) = ((None, None), |lo| (Some(lo), None));
    let both = |lo: i128, hi: i128| (Some(lo), Some(hi));
    assert_eq!(bounds(BinaryOp::Div, between(-9, 7), any), both(-9, 9));
    assert_eq!(bounds(BinaryOp::Div, between(-9, 7), between(0, 4)), both(-9, 7));
    assert_eq!(bounds(BinaryOp::Div, up(0), up(1)), (Some(0), None));
    assert_eq!(bounds(BinaryOp::Rem, any, between(-3, 5)), both(-4, 4));
    assert_eq!(bounds(BinaryOp::Rem, up(0), between(1, 5)), both(0, 4));
    assert_eq!(bounds(BinaryOp::Rem, (None, Some(0)), between(1, 5)), both(-4, 0));
    assert_eq!(bounds(BinaryOp::Rem, between(-2, 3), between(1, 9)), both(-3, 3));
    assert_eq!(bounds(BinaryOp::Rem, between(-2, 3), any), both(-3, 3));
    assert_eq!(bounds(BinaryOp::Rem, between(0, 3), between(0, 0)), both(0, 0));
    assert_eq!(bounds(BinaryOp::And, any, between(0, 5)), both(0, 5));
    assert_eq!(bounds(BinaryOp::And, between(0, 5), any), both(0, 5));
    assert_eq!(bounds(BinaryOp::And, between(0, 9), between(0, 5)), both(0, 5));
    assert_eq!(bounds(BinaryOp::And, up(0), between(0, 5)), both(0, 5));
    assert_eq!(bounds(BinaryOp::And, any, any), (None, None));
    assert_eq!(bounds(BinaryOp::Or, between(2, 5), between(3, 8)), both(3, 15));
    assert_eq!(bounds(BinaryOp::Or, between(0, 3), between(0, 4)), both(0, 7));
    assert_eq!(bounds(BinaryOp::Or, up(2), between(3, 8)), (Some(3), None));
    assert_eq!(bounds(BinaryOp::Or, between(-1, 3), between(3, 8)), (None, None));
    assert_eq!(bounds(BinaryOp::Xor, between(2, 5), between(3, 8)), both(0, 15));
    assert_eq!(bounds(BinaryOp::Xor, between(2, 5), between(-3, 8)), (None, None));
    for rule in [
        BinaryOp::Fold(Rule::Clamp),
        BinaryOp::Fold(Rule::Mirror),
        BinaryOp::Fold(Rule::Reflect),
        BinaryOp::Fold(Rule::Wrap),
    ] {
        assert_eq!(bounds(rule, any, between(2, 5)), both(0, 4));
        assert_eq!(bounds(rule, any, between(-2, 0)), both(0, 0));
        assert_eq!(bounds(rule, any, any), (Some(0), None));
    }
    // An amount that is not known is one of 0..=63.
    assert_eq!(bounds(BinaryOp::Shl, between(1, 3), any), both(1, 3 << 63));
    assert_eq!(bounds(BinaryOp::Shr, between(-8, 8), any), both(-8, 8));
    assert_eq!(bounds(BinaryOp::Shr, between(8, 9), between(1, 2)), both(2, 4));
}

#[test]
fn bounds_of_divisions_and_remainders_are_exact() {
    for a in all(9) {
        let x = SymInt::symbol(&symbol(0, a));
        for k in 2..=5 {
            let wide = i128::from(k);
            let quotient = hull(|limit| values(a, limit).map(|x| x.div_euclid(wide)).collect());
            assert_eq!(Some(atom_interval(&Atom::FloorDiv(x.clone(), k))), quotient, "{a:?} / {k}");
            let remainders: Vec<i128> = values(a, 20).map(|x| x.rem_euclid(wide)).collect();
            let bounds = atom_interval(&Atom::Mod(x.clone(), k));
            assert!(holds(bounds, &remainders), "{a:?} mod {k}: {bounds:?}");
            // Within one cell the remainder is known as well as the number.
            let cells: Vec<i128> = values(a, 20).map(|x| x.div_euclid(wide)).collect();
            let (first, last) = (remainders[0], remainders[remainders.len() - 1]);
            let expected = if cells[0] == cells[cells.len() - 1] { (first, last) } else { (0, wide - 1) };
            assert_eq!((bounds.lo, bounds.hi), (Some(expected.0), Some(expected.1)), "{a:?} mod {k}");
        }
    }
}

#[test]
fn bounds_of_products_hold_every_value() {
    let ranges = [(Some(-3), Some(2)), (Some(1), Some(3)), (None, Some(-1)), (Some(0), None), (None, None)];
    for a in ranges {
        for b in ranges {
            let (x, y) = (Atom::Symbol(symbol(0, a)), Atom::Symbol(symbol(1, b)));
            for (left, right) in [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 1), (1, 2)] {
                let monomial = [vec![x.clone(); left], vec![y.clone(); right]].concat();
                let bounds = monomial_interval(&monomial);
                let found = pairs(a, b, 5, |x, y| Some(x.pow(left as u32) * y.pow(right as u32)));
                assert!(holds(bounds, &found), "{monomial:?}: {bounds:?}");
                let even = left % 2 == 0 && right % 2 == 0;
                assert!(!even || bounds.is_nonnegative(), "{monomial:?}: {bounds:?}");
            }
        }
    }
}

/// Sums in which a division, a minimum or a maximum stands beside what it is made of.
#[test]
fn ranges_of_correlated_sums_hold_every_value() -> TestResult {
    let limits = [(-5, 6), (0, 7)];
    for (lo, hi) in limits {
        let (x, y) = (within(0, "x", lo, hi), within(1, "y", -2, 3));
        let mut atoms = Vec::new();
        for k in [2, 3, 4] {
            atoms.extend([x.floor_div(k)?, x.add(&y)?.floor_div(k)?, x.sub(&y.scale(2)?)?.floor_div(k)?]);
        }
        atoms.extend([
            SymInt::min(&x, &y)?,
            SymInt::max(&x, &y)?,
            SymInt::min(&x.scale(2)?, &y.add(&int(1))?)?,
        ]);
        atoms.extend([
            SymInt::max(&x.sub(&y)?, &int(1))?,
            x.floor_div(2)?.mul(&y)?,
            SymInt::max(&x, &y)?.mul(&y)?,
        ]);
        for atom in &atoms {
            for (a, b, c) in
                [(-4, 1, 0), (4, -1, 0), (3, -1, 1), (-2, 1, 1), (1, -1, -1), (-1, 2, 0), (2, -2, 2)]
            {
                let sum = atom.scale(a)?.add(&x.scale(b)?)?.add(&y.scale(c)?)?.add(&int(3))?;
                for sum in [sum.clone(), sum.scale(2)?.add(&int(1))?, sum.mul(&y)?] {
                    let range = sum.range();
                    for x in lo..=hi {
                        for y in -2..=3 {
                            let value = |symbol: &Symbol| if symbol.id() == 0 { x } else { y };
                            let found = sum.eval(&value).expect("small");
                            assert!(range.contains(found), "{sum} is {found} in {range:?} at {x}, {y}");
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// What is not known of a number alone is known of it beside its parts.
#[test]
fn trading_an_atom_for_its_bounds_is_exact() -> TestResult {
    let (x, y, z) = (free(0, "x"), within(1, "y", 0, 5), free(2, "z"));
    let rest = |k: i64| x.modulo(k);
    for k in [2, 3, 4, 7] {
        let top = k - 1;
        assert_eq!(rest(k)?.range(), Range::new(0, top));
        assert_eq!(rest(k)?.add(&y)?.range(), Range::new(0, top + 5));
        assert_eq!(rest(k)?.scale(6)?.add(&int(2))?.range(), Range::new(2, 6 * top + 2));
        assert_eq!(rest(k)?.scale(-6)?.add(&int(2))?.range(), Range::new(2 - 6 * top, 2));
        assert_eq!(rest(k)?.mul(&y)?.range(), Range::new(0, 5 * top));
        assert_eq!(rest(k)?.mul(&y)?.add(&int(1))?.range(), Range::new(1, 5 * top + 1));
        assert_eq!(x.add(&z)?.modulo(k)?.add(&y)?.range(), Range::new(0, top + 5));
        // Of two remainders each is traded.
        assert_eq!(rest(k)?.add(&z.modulo(5)?)?.range(), Range::new(0, top + 4));
        assert_eq!(rest(k)?.sub(&z.modulo(5)?)?.range(), Range::new(-4, top));
    }
    let (least, most) = (SymInt::min(&x, &z)?, SymInt::max(&x, &z)?);
    assert_eq!(x.sub(&least)?.range(), Range::at_least(0));
    assert_eq!(least.sub(&x)?.range(), Range { lo: None, hi: Some(0) });
    assert_eq!(most.sub(&x)?.range(), Range::at_least(0));
    assert_eq!(x.sub(&most)?.range(), Range { lo: None, hi: Some(0) });
    assert_eq!(x.scale(2)?.sub(&most.scale(2)?)?.add(&y)?.range(), Range { lo: None, hi: Some(5) });
    assert_eq!(SymInt::max(&x, &x.sub(&y)?.add(&int(2))?)?.sub(&x)?.range(), Range::new(0, 2));
    // Without a common factor a bound is rounded to an integer before it is multiplied.
    let (few, m) = (within(4, "few", 1, 4), within(5, "m", 1, 4));
    let most_of_it = few.sub(&few.floor_div(2)?)?;
    assert_eq!(most_of_it.range(), Range::new(1, 2));
    assert_eq!(most_of_it.scale(3)?.add(&int(1))?.range(), Range::new(4, 7));
    assert_eq!(most_of_it.mul(&m)?.add(&int(1))?.range(), Range::new(2, 9));
    // A product with the atom varies with the sum as well.
    let n = within(3, "n", 1, 4);
    assert_eq!(x.mul(&n)?.sub(&x.floor_div(4)?.mul(&n)?.scale(4)?)?.range(), Range::new(0, 12));
    Ok(())
}
