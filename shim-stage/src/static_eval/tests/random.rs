//! Folding against plain evaluation, on expressions that nobody chose.

use proc_macro2::Span;
use proptest::prelude::*;
use quote::ToTokens;
use syn::{Expr, parse_str};

use super::super::{Int, IntType, Value, eval, literal};
use super::{PatternNames, folded, result};

/// An expression, and what plain evaluation says: a number, or `None` for a panic.
fn expression() -> impl Strategy<Value = (String, Option<i128>)> {
    let small = prop_oneof![-20i32..20, any::<i32>(), Just(i32::MIN), Just(i32::MAX), Just(0), Just(-1)];
    let leaf = small.prop_map(|v| (format!("({v}i32)"), Some(i128::from(v))));
    leaf.prop_recursive(5, 48, 3, |inner| {
        let in_range = |v: i128| i32::try_from(v).is_ok().then_some(v);
        let binary = (inner.clone(), inner.clone(), 0..12usize).prop_map(move |((a, x), (b, y), op)| {
            let text = match op {
                0 => format!("({a} + {b})"),
                1 => format!("({a} - {b})"),
                2 => format!("({a} * {b})"),
                3 => format!("({a} / {b})"),
                4 => format!("({a} % {b})"),
                5 => format!("({a} & {b})"),
                6 => format!("({a} << ({b}).rem_euclid(32))"),
                7 => format!("({a} >> ({b}).rem_euclid(32))"),
                8 => format!("{a}.min({b})"),
                9 => format!("{a}.wrapping_mul({b})"),
                10 => format!("(({a} as u8) as i32 ^ {b})"),
                _ => format!("{a}.rem_euclid({b})"),
            };
            let (Some(x), Some(y)) = (x, y) else { return (text, None) };
            let (i, j) = (x as i32, y as i32);
            let divisible = y != 0 && !(i == i32::MIN && j == -1);
            let value = match op {
                0 => in_range(x + y),
                1 => in_range(x - y),
                2 => in_range(x * y),
                3 => divisible.then(|| x / y),
                4 => divisible.then(|| x % y),
                5 => Some(x & y),
                6 => Some(i128::from(i << y.rem_euclid(32))),
                7 => Some(i128::from(i >> y.rem_euclid(32))),
                8 => Some(x.min(y)),
                9 => Some(i128::from(i.wrapping_mul(j))),
                10 => Some(i128::from(i32::from(i as u8) ^ j)),
                _ => divisible.then(|| x.rem_euclid(y)),
            };
            (text, value)
        });
        let branch = (inner.clone(), inner.clone(), inner).prop_map(|((a, x), (b, y), (c, z))| {
            let value = match (x, y) {
                (Some(x), Some(y)) => {
                    if x < y {
                        z
                    } else {
                        Some(y)
                    }
                }
                _ => None,
            };
            (format!("(if {a} < {b} {{ {c} }} else {{ {b} }})"), value)
        });
        prop_oneof![4 => binary, 1 => branch]
    })
}

proptest! {
    #[test]
    fn random_expressions_fold_as_rust_would((source, expected) in expression()) {
        let folded = result(&source);
        match expected {
            Some(value) => prop_assert_eq!(folded.unwrap(), Some(Value::Int(Int::typed(value, IntType::I32)))),
            None => prop_assert!(folded.is_err(), "{source}"),
        }
    }

    #[test]
    fn any_expression_is_survived(
        parts in proptest::collection::vec(proptest::sample::select(&[
            "k", "byte", "low", "ZIGZAG", "NEST", "pair", "unknown", "i128", "u128", "i8", "::", "MIN", "MAX", "BITS",
            "from", "(", ")", "[", "]", "{", "}", "-", "!", "+", "*", "/", "%", "<<", ">>", "&", "&&", "||", "<", "==",
            " as ", "if ", "else ", "match ", "=>", "_", ",", ";", ".", "..", "0", "1", "-1", "127", "255u8", "true",
            ".pow", ".abs()", ".ilog2()", ".wrapping_neg()", ".len()", ".abs_diff", ".clamp", "let ", "=", "@", "|",
        ][..]), 1..14),
    ) {
        if let Ok(expr) = parse_str::<Expr>(&parts.concat()) {
            drop(eval(&expr, &PatternNames));
        }
    }

    #[test]
    fn literals_read_back(value in any::<i128>(), which in 0..12usize) {
        let names = ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];
        let ty = IntType::parse(names[which]).unwrap();
        if let Some(value) = ty.wrap(value) {
            let value = Value::Int(Int::typed(value, ty));
            let text = literal(&value, Span::call_site()).to_token_stream().to_string();
            prop_assert_eq!(folded(&text), Some(value));
        }
    }
}
