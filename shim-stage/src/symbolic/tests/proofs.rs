//! What the prover proves, against all values, and what it must not lose.

use std::cmp::Ordering;

use super::super::{Facts, Range, SymInt, Symbol};
use super::{TestResult, extent, free, int, within};

/// Whether a goal holds wherever the facts do, for symbols between two bounds.
fn follows(facts: &[SymInt], goal: &SymInt, symbols: u32, limit: i64) -> bool {
    let span = 2 * limit + 1;
    (0..span.pow(symbols)).all(|number| {
        let value = |symbol: &Symbol| number / span.pow(symbol.id()) % span - limit;
        let at = |sym: &SymInt| sym.eval(&value).expect("small");
        facts.iter().any(|fact| at(fact) < 0) || at(goal) >= 0
    })
}

fn proves(facts: &[SymInt], goal: &SymInt) -> bool {
    let mut known = Facts::new();
    for fact in facts {
        known.push(fact.clone());
    }
    known.proves_nonneg(goal)
}

/// With one fact about one number, all that follows is proved.
#[test]
fn what_one_number_implies_is_proved() -> TestResult {
    let x = free(0, "x");
    for a in [-5, -2, 1, 2, 3, 6] {
        for b in [-7, -3, -1, 0, 2, 5] {
            let fact = x.scale(a)?.add(&int(b))?;
            for c in [-3, -1, 0, 1, 2, 4] {
                for d in -6..=6 {
                    let goal = x.scale(c)?.add(&int(d))?;
                    let expected = follows(std::slice::from_ref(&fact), &goal, 1, 30);
                    assert_eq!(proves(std::slice::from_ref(&fact), &goal), expected, "{goal} from {fact}");
                }
            }
        }
    }
    Ok(())
}

/// Sums of two facts about two numbers: nothing is proved that is false, and most sums with room left are.
#[test]
fn sums_of_facts_are_proved_and_no_more() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    let facts: Vec<SymInt> =
        [(1, 0, 0), (0, 1, -1), (1, -1, 2), (-1, 1, 3), (-1, -1, 5), (2, -3, 1), (-2, 1, 4)]
            .into_iter()
            .map(|(a, b, c)| x.scale(a)?.add(&y.scale(b)?)?.add(&int(c)))
            .collect::<Result<_, _>>()?;
    // The prover may miss a proof; how many it finds must not shrink unnoticed.
    let mut proved = 0;
    for first in &facts {
        for second in &facts {
            let known = [first.clone(), second.clone()];
            for (p, q) in [(1, 1), (2, 1), (1, 3)] {
                for slack in [-2, -1, 0, 1] {
                    let goal = first.scale(p)?.add(&second.scale(q)?)?.add(&int(slack))?;
                    let found = proves(&known, &goal);
                    assert!(!found || follows(&known, &goal, 2, 12), "{goal} from {known:?}");
                    proved += usize::from(found);
                }
            }
        }
    }
    assert!(proved >= 176, "{proved} goals");
    Ok(())
}

/// Facts of integers are rounded to integers, on the way as well: `2 x - 2 y >= 1` is `x > y`.
#[test]
fn common_divisors_are_taken_out_on_the_way() -> TestResult {
    let (x, y, z) = (free(0, "x"), free(1, "y"), free(2, "z"));
    for k in [2, 3, 5] {
        let above = |a: &SymInt, b: &SymInt| a.sub(b)?.scale(k)?.sub(&int(1));
        let facts = [above(&x, &y)?, above(&y, &z)?];
        assert!(proves(&facts, &x.sub(&z)?.sub(&int(2))?), "{k}");
        assert!(!proves(&facts, &x.sub(&z)?.sub(&int(3))?), "{k}");
        assert!(proves(&facts, &x.sub(&z)?.scale(k)?.sub(&int(k + 1))?), "{k}");
    }
    Ok(())
}

/// A fact may be multiplied only by what is not negative: by its range, by a fact, or because each factor is one or the
/// other.
#[test]
fn facts_are_multiplied_by_what_is_not_negative() -> TestResult {
    let (h, r, w, u, n) = (free(0, "h"), free(1, "r"), free(2, "w"), free(3, "u"), extent(4, "n"));
    let room = h.sub(&r)?;
    let none = std::slice::from_ref(&room);
    assert!(!proves(none, &room.mul(&w)?), "w may be negative");
    assert!(proves(none, &room.mul(&n)?));
    assert!(proves(none, &room.mul(&w)?.mul(&w)?), "a square is not negative");
    assert!(proves(&[room.clone(), w.clone()], &room.mul(&w)?));
    assert!(!proves(&[room.clone(), u.clone()], &room.mul(&w)?), "the fact is about another");
    assert!(!proves(&[room.clone(), w.add(&int(1))?], &room.mul(&w)?), "w may be -1");
    assert!(proves(&[room.clone(), w.clone(), u.clone()], &room.mul(&w)?.mul(&u)?));
    assert!(!proves(&[room.clone(), w.clone()], &room.mul(&w)?.mul(&u)?), "u may be negative");
    assert!(proves(&[room.clone(), w.clone()], &room.mul(&w)?.mul(&n)?));
    assert!(!proves(none, &room.mul(&w)?.mul(&n)?));
    let below = SymInt::symbol(&Symbol::new(5, "b", Range { lo: None, hi: Some(-1) }));
    assert!(!proves(none, &room.mul(&below)?));
    Ok(())
}

/// Products of two numbers and of facts about them: nothing is proved that is false.
#[test]
fn products_are_proved_only_where_they_hold() -> TestResult {
    let (x, y, z) = (free(0, "x"), free(1, "y"), free(2, "z"));
    let linear = [
        x.clone(),
        y.sub(&int(1))?,
        z.sub(&x)?,
        x.sub(&y)?.add(&int(2))?,
        int(3).sub(&z)?,
        y.add(&z)?,
        x.add(&int(1))?,
    ];
    let goals =
        [x.mul(&y)?, z.mul(&y)?.sub(&x.mul(&y)?)?, x.mul(&z)?, x.mul(&x)?, x.mul(&y)?.sub(&z)?, y.mul(&z)?];
    for first in &linear {
        for second in &linear {
            let known = [first.clone(), second.clone()];
            for goal in &goals {
                for slack in [-1, 0, 2] {
                    let goal = goal.add(&int(slack))?;
                    assert!(!proves(&known, &goal) || follows(&known, &goal, 3, 4), "{goal} from {known:?}");
                }
            }
        }
    }
    Ok(())
}

/// Divisions, minima and maxima in facts and goals: nothing is proved that is false.
#[test]
fn atoms_are_proved_only_where_they_hold() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    let atoms = [
        x.floor_div(2)?,
        x.add(&y)?.floor_div(3)?,
        SymInt::min(&x, &y)?,
        SymInt::max(&x, &y)?,
        SymInt::min(&x.add(&int(1))?, &y)?,
        SymInt::max(&x.floor_div(2)?, &y)?,
        x.modulo(4)?,
    ];
    // The prover may miss a proof; how many it finds must not shrink unnoticed.
    let mut proved = 0;
    for fact in &atoms {
        for (a, b) in [(1, 0), (-1, 1), (1, -1), (-2, 1), (2, -1)] {
            let fact = fact.scale(a)?.add(&y.scale(b)?)?;
            for goal in &atoms {
                for (c, d, slack) in
                    [(1, 0, 0), (-1, 1, 0), (1, -1, 1), (2, -1, 1), (-1, 0, 3), (1, 1, -1), (-2, 1, 1)]
                {
                    let goal = goal.scale(c)?.add(&x.scale(d)?)?.add(&int(slack))?;
                    let known = std::slice::from_ref(&fact);
                    let found = proves(known, &goal);
                    assert!(!found || follows(known, &goal, 2, 7), "{goal} from {fact}");
                    proved += usize::from(found);
                }
            }
        }
    }
    assert!(proved >= 298, "{proved} goals");
    Ok(())
}

#[test]
fn a_minimum_is_one_of_its_operands() -> TestResult {
    let (x, y, z) = (free(0, "x"), free(1, "y"), free(2, "z"));
    let least = SymInt::min(&x, &y)?;
    let most = SymInt::max(&x, &y)?;
    let both = [x.sub(&z)?, y.sub(&z)?];
    assert!(proves(&both, &least.sub(&z)?));
    assert!(!proves(&both[..1], &least.sub(&z)?));
    assert!(!proves(&both[1..], &least.sub(&z)?));
    assert!(proves(&both[..1], &most.sub(&z)?) && proves(&both[1..], &most.sub(&z)?));
    let under = [z.sub(&x)?, z.sub(&y)?];
    assert!(proves(&under, &z.sub(&most)?));
    assert!(!proves(&under[..1], &z.sub(&most)?) && !proves(&under[1..], &z.sub(&most)?));
    // Whole, as a fact has it.
    assert!(proves(&[least.sub(&z)?], &least.sub(&z)?.add(&int(1))?));
    assert!(proves(&[least.sub(&z)?], &x.sub(&z)?) && proves(&[least.sub(&z)?], &y.sub(&z)?));
    assert!(proves(&both, &least.scale(2)?.sub(&z.scale(2)?)?.add(&int(1))?));
    // A minimum of a minimum, and one beside a maximum.
    let w = free(3, "w");
    let three = SymInt::min(&least, &w)?;
    assert!(proves(&[both[0].clone(), both[1].clone(), w.sub(&z)?], &three.sub(&z)?));
    assert!(proves(&[], &most.sub(&least)?));
    assert!(!proves(&[], &least.sub(&most)?));
    Ok(())
}

#[test]
fn comparisons_under_facts() -> TestResult {
    let (x, y) = (free(0, "x"), free(1, "y"));
    let facts = Facts::new().with(y.sub(&x)?);
    assert_eq!(facts.compare(&x, &y), None);
    assert_eq!(facts.compare(&x, &y.add(&int(1))?), Some(Ordering::Less));
    assert_eq!(facts.compare(&y.add(&int(1))?, &x), Some(Ordering::Greater));
    let equal = facts.with(x.sub(&y)?);
    assert_eq!(equal.compare(&x, &y), Some(Ordering::Equal));
    assert_eq!(equal.compare(&x.add(&int(1))?, &y), Some(Ordering::Greater));
    assert!(facts.proves_le(&x, &y) && !facts.proves_le(&y, &x));
    assert!(!facts.proves_lt(&x, &y) && facts.proves_lt(&x, &y.add(&int(1))?));
    Ok(())
}

/// What ranges say already, and what was said before, is no fact of its own.
#[test]
fn facts_are_those_that_say_more() -> TestResult {
    let (x, n) = (free(0, "x"), extent(1, "n"));
    let facts = Facts::new().with(n.add(&int(2))?).with(x.clone()).with(x.clone()).with(within(2, "i", 0, 3));
    assert_eq!(facts.iter().collect::<Vec<_>>(), [&x]);
    // Each is what it says for integers.
    assert_eq!(Facts::new().with(x.scale(3)?.sub(&int(4))?).iter().next(), Some(&x.sub(&int(2))?));
    Ok(())
}
