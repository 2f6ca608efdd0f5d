//! Random expression trees: whatever the rules make of them, the values stay.

use std::cmp::Ordering;

use proptest::prelude::*;
use shim_core::Fold as Rule;

use super::super::cost;
use super::super::{BinaryOp, ConstTable, Facts, Form, Range, SymError, SymInt, Symbol};
use super::OPERATORS;

/// An expression as it is written.
#[derive(Clone, Debug)]
enum Tree {
    Constant(i64),
    Symbol(usize),
    Neg(Box<Tree>),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Mul(Box<Tree>, Box<Tree>),
    FloorDiv(Box<Tree>, i64),
    CeilDiv(Box<Tree>, i64),
    Mod(Box<Tree>, i64),
    Min(Box<Tree>, Box<Tree>),
    Max(Box<Tree>, Box<Tree>),
    Op(BinaryOp, Box<Tree>, Box<Tree>),
}

/// Symbols of all kinds of ranges; numbers are not in the order of the names.
fn symbols() -> Vec<Symbol> {
    let ranges = [
        ("any", Range::UNKNOWN),
        ("row", Range::new(0, 15)),
        ("offset", Range::new(-7, 9)),
        ("extent", Range::NONNEGATIVE),
        ("stride", Range::POSITIVE),
        ("below", Range { lo: None, hi: Some(-1) }),
        ("high", Range::new(32, 47)),
    ];
    ranges
        .iter()
        .zip([3, 0, 5, 1, 2, 6, 4])
        .map(|((name, range), id)| Symbol::new(id, *name, *range))
        .collect()
}

/// A value for each symbol, within its range.
fn assignment() -> impl Strategy<Value = Vec<i64>> {
    let values: Vec<_> = symbols()
        .iter()
        .map(|symbol| {
            let Range { lo, hi } = symbol.range();
            (lo.unwrap_or(-60)..=hi.unwrap_or(60)).boxed()
        })
        .collect();
    values
}

fn lookup(values: &[i64]) -> impl Fn(&Symbol) -> i64 {
    let symbols = symbols();
    let values = values.to_vec();
    move |symbol| symbols.iter().position(|own| own == symbol).map_or(0, |i| values[i])
}

fn divisor() -> impl Strategy<Value = i64> {
    prop_oneof![Just(1_i64), Just(2), Just(4), Just(8), Just(16), 2..=24_i64]
}

fn operator() -> impl Strategy<Value = BinaryOp> {
    let table = ConstTable::of(&[3, 0, 6, 1, 5, 2, 4]);
    proptest::sample::select([&OPERATORS[..], &[BinaryOp::Entry(table), BinaryOp::Power]].concat())
}

fn leaf() -> impl Strategy<Value = Tree> {
    prop_oneof![
        1 => prop_oneof![-20..=20_i64, Just(0), Just(1), Just(7), Just(15), Just(16), Just(-8)].prop_map(Tree::Constant),
        3 => (0..symbols().len()).prop_map(Tree::Symbol),
    ]
}

/// Sums and products with divisions by constants, as locations have them.
fn location() -> impl Strategy<Value = Tree> {
    leaf().prop_recursive(5, 24, 2, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            3 => (one(), one()).prop_map(|(a, b)| Tree::Add(a, b)),
            2 => (one(), one()).prop_map(|(a, b)| Tree::Sub(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Mul(a, b)),
            2 => (one(), -20..=20_i64).prop_map(|(a, k)| Tree::Mul(a, Box::new(Tree::Constant(k)))),
            1 => one().prop_map(Tree::Neg),
            3 => (one(), divisor()).prop_map(|(a, k)| Tree::FloorDiv(a, k)),
            1 => (one(), divisor()).prop_map(|(a, k)| Tree::CeilDiv(a, k)),
            2 => (one(), divisor()).prop_map(|(a, k)| Tree::Mod(a, k)),
        ]
    })
}

/// All operations.
fn tree() -> impl Strategy<Value = Tree> {
    prop_oneof![leaf(), location()].prop_recursive(4, 24, 2, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            2 => (one(), one()).prop_map(|(a, b)| Tree::Add(a, b)),
            2 => (one(), one()).prop_map(|(a, b)| Tree::Sub(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Mul(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Min(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Max(a, b)),
            2 => (operator(), one(), one()).prop_map(|(op, a, b)| Tree::Op(op, a, b)),
            2 => (operator(), one(), -9..=17_i64)
                .prop_map(|(op, a, b)| Tree::Op(op, a, Box::new(Tree::Constant(b)))),
        ]
    })
}

impl Tree {
    fn build(&self) -> Result<SymInt, SymError> {
        match self {
            Self::Constant(value) => Ok(SymInt::constant(*value)),
            Self::Symbol(i) => Ok(SymInt::symbol(&symbols()[*i])),
            Self::Neg(a) => a.build()?.neg(),
            Self::Add(a, b) => a.build()?.add(&b.build()?),
            Self::Sub(a, b) => a.build()?.sub(&b.build()?),
            Self::Mul(a, b) => a.build()?.mul(&b.build()?),
            Self::FloorDiv(a, k) => a.build()?.floor_div(*k),
            Self::CeilDiv(a, k) => a.build()?.ceil_div(*k),
            Self::Mod(a, k) => a.build()?.modulo(*k),
            Self::Min(a, b) => SymInt::min(&a.build()?, &b.build()?),
            Self::Max(a, b) => SymInt::max(&a.build()?, &b.build()?),
            Self::Op(op, a, b) => a.build()?.apply(*op, &b.build()?),
        }
    }

    /// The value by definition; `None` where there is none, or where it is too large to be an index.
    fn eval(&self, values: &[i64]) -> Option<i128> {
        let of = |tree: &Self| tree.eval(values);
        let value = match self {
            Self::Constant(value) => i128::from(*value),
            Self::Symbol(i) => i128::from(values[*i]),
            Self::Neg(a) => -of(a)?,
            Self::Add(a, b) => of(a)? + of(b)?,
            Self::Sub(a, b) => of(a)? - of(b)?,
            Self::Mul(a, b) => of(a)? * of(b)?,
            Self::FloorDiv(a, k) => of(a)?.div_euclid(i128::from(*k)),
            Self::CeilDiv(a, k) => -(-of(a)?).div_euclid(i128::from(*k)),
            Self::Mod(a, k) => of(a)?.rem_euclid(i128::from(*k)),
            Self::Min(a, b) => of(a)?.min(of(b)?),
            Self::Max(a, b) => of(a)?.max(of(b)?),
            Self::Op(op, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                let shift = || u32::try_from(b).ok().filter(|&by| by < 64);
                match op {
                    BinaryOp::Div => a.checked_div(b)?,
                    BinaryOp::Rem => a.checked_rem(b)?,
                    BinaryOp::Shl => a << shift()?,
                    BinaryOp::Shr => a >> shift()?,
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Entry(table) => i128::from(*table.entries().get(usize::try_from(a).ok()?)?),
                    // What memory holds is not known.
                    BinaryOp::Load => return None,
                    BinaryOp::Power if (0..63).contains(&b) => a.checked_mul(1 << b)?,
                    BinaryOp::Power => 0,
                    _ if b <= 0 => 0,
                    BinaryOp::Fold(Rule::Clamp) => a.max(0).min(b - 1),
                    // One step at a time, as the rule is told.
                    BinaryOp::Fold(Rule::Mirror) => {
                        let mut at = a;
                        while !(0..b).contains(&at) {
                            at = if at < 0 { -1 - at } else { 2 * b - 1 - at };
                        }
                        at
                    }
                    BinaryOp::Fold(Rule::Reflect) => {
                        let mut at = a;
                        while !(0..b).contains(&at) {
                            at = if b == 1 {
                                0
                            } else if at < 0 {
                                -at
                            } else {
                                2 * (b - 1) - at
                            };
                        }
                        at
                    }
                    BinaryOp::Fold(Rule::Wrap) => ((a % b) + b) % b,
                }
            }
        };
        (value.abs() < 1 << 30).then_some(value)
    }

    /// How many divisions lie within one another.
    fn divisions(&self) -> u32 {
        match self {
            Self::Constant(_) | Self::Symbol(_) => 0,
            Self::Neg(a) => a.divisions(),
            Self::FloorDiv(a, _) | Self::CeilDiv(a, _) | Self::Mod(a, _) => a.divisions() + 1,
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Min(a, b)
            | Self::Max(a, b)
            | Self::Op(_, a, b) => a.divisions().max(b.divisions()),
        }
    }

    /// What the tree costs if it is computed as it is written.
    fn cost(&self) -> Result<u32, SymError> {
        if self.build()?.as_constant().is_some() {
            return Ok(0);
        }
        let divided = |a: &Self, k: i64, extra: u32| {
            let nonneg = a.build()?.range().is_nonnegative();
            let own = if k == 1 { 0 } else { cost::division(k, nonneg) + extra };
            Ok(a.cost()? + own)
        };
        Ok(match self {
            Self::Constant(_) | Self::Symbol(_) => 0,
            Self::Neg(a) => a.cost()? + cost::ADD,
            Self::Add(a, b) | Self::Sub(a, b) => a.cost()? + b.cost()? + cost::ADD,
            Self::Mul(a, b) => {
                let own = match (a.build()?.as_constant(), b.build()?.as_constant()) {
                    (Some(factor), _) | (_, Some(factor)) => cost::scale(factor),
                    _ => cost::MUL,
                };
                a.cost()? + b.cost()? + own
            }
            Self::FloorDiv(a, k) | Self::Mod(a, k) => divided(a, *k, 0)?,
            Self::CeilDiv(a, k) => divided(a, *k, cost::ADD)?,
            Self::Min(a, b) | Self::Max(a, b) => a.cost()? + b.cost()? + cost::MIN,
            Self::Op(op, a, b) => a.cost()? + b.cost()? + cost::op(*op),
        })
    }
}

/// The expression that a form spells, through the public operations.
fn rebuilt(form: &Form) -> Result<SymInt, SymError> {
    match form {
        Form::Constant(value) => Ok(SymInt::constant(*value)),
        Form::Symbol(symbol) => Ok(SymInt::symbol(symbol)),
        Form::Add(a, b) => rebuilt(a)?.add(&rebuilt(b)?),
        Form::Sub(a, b) => rebuilt(a)?.sub(&rebuilt(b)?),
        Form::Mul(a, b) => rebuilt(a)?.mul(&rebuilt(b)?),
        Form::Neg(a) => rebuilt(a)?.neg(),
        Form::FloorDiv(a, k, _) => rebuilt(a)?.floor_div(*k),
        Form::Mod(a, k, _) => rebuilt(a)?.modulo(*k),
        Form::Min(a, b) => SymInt::min(&rebuilt(a)?, &rebuilt(b)?),
        Form::Max(a, b) => SymInt::max(&rebuilt(a)?, &rebuilt(b)?),
        Form::Op(op, a, b) => rebuilt(a)?.apply(*op, &rebuilt(b)?),
    }
}

fn is_reduced(form: &Form) -> bool {
    let own = match form {
        Form::Mul(a, b) => [a, b].iter().all(|factor| !matches!(***factor, Form::Constant(0 | 1))),
        Form::Add(a, b) | Form::Sub(a, b) => [a, b].iter().all(|term| !matches!(***term, Form::Constant(0))),
        Form::FloorDiv(_, k, _) | Form::Mod(_, k, _) => *k >= 2,
        _ => true,
    };
    own && form.operands().into_iter().flatten().all(is_reduced)
}

/// The values of a tree under several assignments, against everything that is claimed about it.
fn check(tree: &Tree, samples: &[Vec<i64>]) -> Result<(), TestCaseError> {
    let Ok(sym) = tree.build() else { return Ok(()) };
    let form = sym.form();
    let range = sym.range();
    prop_assert_eq!(form.cost(), sym.cost(), "{}", form);
    prop_assert!(is_reduced(&form), "{}", form);
    for values in samples {
        let Some(value) = tree.eval(values) else { continue };
        let lookup = lookup(values);
        let got = sym.eval(&lookup);
        prop_assert_eq!(got.map(i128::from), Some(value), "{:?} at {:?}", sym, values);
        prop_assert_eq!(form.eval(&lookup).map(i128::from), Some(value), "{} at {:?}", form, values);
        prop_assert!(
            i64::try_from(value).is_ok_and(|v| range.contains(v)),
            "{} in {:?}, {:?}",
            value,
            range,
            sym
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn values_forms_and_ranges_of_locations(tree in location(), samples in prop::collection::vec(assignment(), 12)) {
        check(&tree, &samples)?;
    }

    #[test]
    fn values_forms_and_ranges_of_all_operations(tree in tree(), samples in prop::collection::vec(assignment(), 12)) {
        check(&tree, &samples)?;
    }

    #[test]
    fn a_form_never_costs_more_than_what_was_written(tree in tree()) {
        if let (Ok(sym), Ok(naive)) = (tree.build(), tree.cost()) {
            prop_assert!(sym.cost() <= naive, "{} costs {}, written {}", sym, sym.cost(), naive);
        }
    }

    /// Divisions by two and divisions within one another have several normal forms of one value, since
    /// `floor(x / 2) + floor((x + 1) / 2) = x`: what comes back costs no more, and where neither divisions lie in one
    /// another nor unknowns are multiplied, it is known to be equal.
    #[test]
    fn simplification_is_idempotent(tree in location(), values in assignment()) {
        if let Ok(sym) = tree.build() {
            let Ok(again) = rebuilt(&sym.form()) else {
                return Err(TestCaseError::fail(sym.to_string()));
            };
            prop_assert!(again.cost() <= sym.cost(), "{} became {}", sym, again);
            let is_linear = sym.terms().all(|(_, monomial)| monomial.len() == 1);
            if is_linear && tree.divisions() <= 1 {
                prop_assert_eq!(again.compare(&sym), Some(Ordering::Equal), "{} became {}", sym, again);
            } else if let Some(value) = sym.eval(&lookup(&values)) {
                prop_assert_eq!(again.eval(&lookup(&values)), Some(value));
            }
        }
    }

    #[test]
    fn substitution_commutes_with_evaluation(
        tree in tree(),
        part in location(),
        symbol in 0..symbols().len(),
        values in assignment(),
    ) {
        let symbol = &symbols()[symbol];
        let (Ok(sym), Ok(part)) = (tree.build(), part.build()) else { return Ok(()) };
        let value = lookup(&values);
        // Ranges were assumed of the symbol, so that what replaces it has to keep them.
        let Some(new) = part.eval(&value).filter(|&new| symbol.range().contains(new)) else { return Ok(()) };
        let Ok(replaced) = sym.substitute(&|s| (s == symbol).then(|| part.clone())) else { return Ok(()) };
        let at = |s: &Symbol| if s == symbol { new } else { value(s) };
        if let Some(expected) = sym.eval(&at) {
            prop_assert_eq!(replaced.eval(&value), Some(expected), "{:?}", replaced);
        }
        prop_assert!(!replaced.mentions(symbol) || part.mentions(symbol));
    }

    #[test]
    fn parts_make_up_the_whole(tree in tree(), symbol in 0..symbols().len(), values in assignment()) {
        let symbol = &symbols()[symbol];
        let Ok(sym) = tree.build() else { return Ok(()) };
        let (with, without) = sym.partition_terms(&|set| set.contains(symbol));
        prop_assert!(!without.mentions(symbol));
        prop_assert_eq!(with.add(&without), Ok(sym.clone()));
        prop_assert_eq!(sym.symbols().contains(symbol), sym.mentions(symbol));
        let value = lookup(&values);
        if let Some(coefficient) = sym.coefficient(symbol) {
            prop_assert!(!coefficient.mentions(symbol));
            let next = |s: &Symbol| value(s) + i64::from(s == symbol);
            if let (Some(here), Some(there), Some(slope)) = (sym.eval(&value), sym.eval(&next), coefficient.eval(&value)) {
                prop_assert_eq!(there - here, slope);
            }
        }
    }

    #[test]
    fn orders_hold(a in tree(), b in location(), samples in prop::collection::vec(assignment(), 8)) {
        let (Ok(left), Ok(right)) = (a.build(), b.build()) else { return Ok(()) };
        if let Some(order) = left.compare(&right) {
            for values in &samples {
                if let (Some(x), Some(y)) = (a.eval(values), b.eval(values)) {
                    prop_assert_eq!(x.cmp(&y), order, "{} and {}", left, right);
                }
            }
        }
    }

    /// Goals that are near what the facts say, so that some follow and some just fail to.
    #[test]
    fn proofs_hold_wherever_the_facts_do(
        facts in prop::collection::vec((location(), -3..=3_i64), 1..5),
        extra in location(),
        extra_weight in -1..=1_i64,
        slack in -4..=4_i64,
        divided in prop_oneof![Just(1_i64), 2..=5_i64],
        samples in prop::collection::vec(assignment(), 48),
    ) {
        let goal = || {
            let mut known = Facts::new();
            let mut goal = SymInt::constant(slack);
            for (tree, weight) in &facts {
                let fact = tree.build()?;
                goal = goal.add(&fact.scale(*weight)?)?;
                known.push(fact);
            }
            goal = goal.add(&extra.build()?.scale(extra_weight)?)?.floor_div(divided)?;
            Ok::<_, SymError>((known, goal))
        };
        let Ok((known, goal)) = goal() else { return Ok(()) };
        if !known.proves_nonneg(&goal) {
            return Ok(());
        }
        for values in &samples {
            let holds = facts.iter().all(|(tree, _)| tree.eval(values).is_some_and(|value| value >= 0));
            if holds && let Some(value) = goal.eval(&lookup(values)) {
                prop_assert!(value >= 0, "{} is {} at {:?}", goal, value, values);
            }
        }
    }

    /// Whatever the constants, arithmetic ends in a value or in an error.
    #[test]
    fn extreme_constants_do_not_panic(
        a in prop_oneof![Just(i64::MIN), Just(i64::MIN + 1), Just(i64::MAX), Just(1 << 62), Just(-1), any::<i64>()],
        b in prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(-1), Just(0), Just(1), any::<i64>()],
        op in operator(),
        symbol in 0..symbols().len(),
    ) {
        let x = SymInt::symbol(&symbols()[symbol]);
        let sums = [
            x.scale(a),
            x.add(&SymInt::constant(a)),
            x.scale(a).and_then(|sum| sum.add(&SymInt::constant(b))),
        ];
        for sum in sums.into_iter().flatten() {
            let by = SymInt::constant(b);
            let results = [
                sum.floor_div(b), sum.modulo(b), sum.ceil_div(b), sum.mul(&by), sum.sub(&by), sum.mul(&sum),
                sum.apply(op, &by), by.apply(op, &sum), SymInt::min(&sum, &by), SymInt::max(&sum, &by), sum.bit_not(),
            ];
            for result in results.into_iter().flatten() {
                let _ = (result.range(), result.cost(), result.form().to_string(), format!("{result:?}"));
                let _ = (result.floor_div(a), result.modulo(a), result.compare(&sum));
                let _ = Facts::new().with(sum.clone()).proves_nonneg(&result);
                for value in [i64::MIN, -1, 0, i64::MAX] {
                    let _ = (result.eval(&|_| value), result.form().eval(&|_| value));
                }
            }
        }
    }
}
