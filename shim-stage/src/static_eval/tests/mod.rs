//! Each rule of the folding; and, in [`random`], a comparison with plain evaluation.

mod random;

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, Ident, Pat, Type, parse_str};

use super::{Int, IntType, Scope, Value, convert, eval, eval_as, literal, matches};

struct PatternNames;

impl Scope for PatternNames {
    fn lookup(&self, name: &Ident) -> Option<Value> {
        let typed = |value, ty| Some(Value::Int(Int::typed(value, ty)));
        match name.to_string().as_str() {
            "k" => Some(Value::Int(Int::untyped(5))),
            "big" => Some(Value::Int(Int::untyped(300))),
            "byte" => typed(7, IntType::U8),
            "long" => typed(1 << 40, IntType::I64),
            "low" => typed(i128::from(i32::MIN), IntType::I32),
            "size" => typed(3, IntType::Usize),
            "yes" => Some(Value::Bool(true)),
            "ZIGZAG" => {
                Some(Value::Array((0..4).map(|v| Value::Int(Int::typed(v * v, IntType::Usize))).collect()))
            }
            "NEST" => folded("[[1, 2], [3, 4]]"),
            "pair" => folded("(1u8, -2)"),
            "N" => Some(Value::Int(Int::untyped(4))),
            _ => None,
        }
    }
}

fn result(source: &str) -> syn::Result<Option<Value>> {
    let expr: Expr = parse_str(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    eval(&expr, &PatternNames)
}

fn folded(source: &str) -> Option<Value> {
    result(source).unwrap_or_else(|error| panic!("{source}: {error}"))
}

/// The folded value as source text, `dynamic` or `error: ..`.
fn show(source: &str) -> String {
    match result(source) {
        Ok(Some(value)) => {
            let text = literal(&value, Span::call_site()).to_token_stream().to_string();
            text.replace(' ', "").replace(',', ", ").replace(", )", ",)")
        }
        Ok(None) => "dynamic".to_owned(),
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains("\nhelp: "), "{message}");
            format!("error: {}", message.lines().next().expect("a message has a line"))
        }
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        assert_eq!(show(source), *expected, "{source}");
    }
}

#[test]
fn literals_and_names() {
    check(&[
        ("1", "1"),
        ("0x10_u8", "16u8"),
        ("b'a'", "97u8"),
        ("true", "true"),
        ("k", "5"),
        ("byte", "7u8"),
        ("unknown", "dynamic"),
        ("a::b", "dynamic"),
        ("1.5", "dynamic"),
        ("1f32", "dynamic"),
        ("'a'", "dynamic"),
        ("\"s\"", "dynamic"),
        ("3_000_000_000", "3000000000"),
        ("256u8", "error: 256 does not fit `u8`"),
        ("340282366920938463463374607431768211455u128", "dynamic"),
        ("999999999999999999999999999999999999999999", "dynamic"),
        ("((k))", "5"),
        ("{ k }", "5"),
        ("{ let a = 1; a }", "1"),
        ("{ let a = 7; let (a, b) = (a / 2, a % 2); [b, a] }", "[1, 3]"),
        ("{ let a: u8 = 255; a as i8 }", "(-1i8)"),
        ("{ let a: u8; 3 }", "dynamic"),
        ("{ let Some(a) = 1 else { 2 }; a }", "dynamic"),
        ("{ let mut a = 1; a }", "dynamic"),
        ("{ f(); 1 }", "dynamic"),
        ("'l: { k }", "dynamic"),
        ("const { 3 }", "3"),
    ]);
}

#[test]
fn types_are_adopted() {
    check(&[
        ("k + 1u8", "6u8"),
        ("1u8 + k", "6u8"),
        ("big + 1u8", "error: 300 does not fit `u8`"),
        ("-1 + byte", "error: -1 does not fit `u8`"),
        ("!0 & byte", "7u8"),
        ("(1 << 40) + long", "2199023255552i64"),
        ("1 << 40", "error: `i32` cannot be shifted by this much"),
        ("byte + long", "error: the operands have two types, `u8` and `i64`"),
        ("if yes { 1 } else { 2u8 } + 255", "error: this overflows `u8` at expansion"),
        ("if yes { 1 } else { 2u8 }", "1u8"),
        ("match k { 5 => !0, _ => 2u8 }", "255u8"),
        ("match !1 { 0 => 4u16, n => n }", "65534u16"),
        ("match 3u8 { 4 => n, 3 => 255, n => n }", "255u8"),
        ("match !1 { 254u8 => 1, _ => 0 }", "1"),
        ("match k { byte => 1, _ => unknown }", "1"),
        ("match k { byte => byte, _ => 0 }", "5"),
        ("if let byte = k { byte } else { 0 }", "5"),
        ("[1, 2u8, 3]", "[1u8, 2u8, 3u8]"),
        ("match k { 5 => 255, _ => 0 } + byte", "error: this overflows `u8` at expansion"),
        ("2_000_000_000 + 2_000_000_000", "error: this overflows `i32` at expansion"),
        ("3_000_000_000 + 1", "error: 3000000000 does not fit `i32`"),
        ("3_000_000_000 + 1i64", "3000000001i64"),
        ("3_000_000_000 == 1", "error: 3000000000 does not fit `i32`"),
    ]);
    let typed = |source: &str, ty: &str| {
        let ty: Type = parse_str(ty).unwrap();
        eval_as(&parse_str(source).unwrap(), &ty, &PatternNames)
    };
    assert_eq!(typed("1 << 40", "u64").unwrap(), Some(Value::Int(Int::typed(1 << 40, IntType::U64))));
    assert_eq!(typed("[1, k, 2 + 3]", "[u8; 3]").unwrap().unwrap().int_type(), Some(IntType::U8));
    assert!(typed("[1, 300]", "[u8; 2]").is_err());
    assert!(typed("big", "u8").is_err());
    assert_eq!(typed("1i32", "u8").unwrap(), None);
    assert_eq!(typed("(1, true)", "(u8, bool)").unwrap(), folded("(1u8, true)"));
}

#[test]
fn arithmetic_is_rusts() {
    check(&[
        ("7 / -2", "(-3)"),
        ("-7 % 2", "(-1)"),
        ("7 % -2", "1"),
        ("low / -1", "error: this overflows `i32` at expansion"),
        ("low % -1", "error: this overflows `i32` at expansion"),
        ("low - 1", "error: this overflows `i32` at expansion"),
        ("-low", "error: this overflows `i32` at expansion"),
        ("low.abs()", "error: this overflows `i32` at expansion"),
        ("-2147483648", "(-2147483648)"),
        ("-2147483648 - 1", "error: this overflows `i32` at expansion"),
        ("-128i8", "(-128i8)"),
        ("-(128i8)", "error: 128 does not fit `i8`"),
        ("-170141183460469231731687303715884105728i128", "(-170141183460469231731687303715884105728i128)"),
        ("-1u8", "error: -1 does not fit `u8`"),
        ("-byte", "error: `-` cannot be applied to `u8`, which has no sign"),
        ("-0", "0"),
        ("-0 == 0", "true"),
        ("0 - 0", "0"),
        ("0u8 - 1", "error: this overflows `u8` at expansion"),
        ("255u8 + 1", "error: this overflows `u8` at expansion"),
        ("1 / 0", "error: this divides by zero at expansion"),
        ("1 % 0", "error: this divides by zero at expansion"),
        ("unknown / 0", "dynamic"),
        ("!k", "(-6)"),
        ("!byte", "248u8"),
        ("!true", "false"),
        ("k & 4 | 3 ^ 1", "6"),
        ("true & false | true ^ true", "false"),
        ("true + true", "dynamic"),
        ("*k", "dynamic"),
        ("&k", "dynamic"),
        ("k += 1", "dynamic"),
    ]);
    check(&[
        ("18446744073709551615u64 * 18446744073709551615", "error: this overflows `u64` at expansion"),
        ("18446744073709551615u64 / 5", "3689348814741910323u64"),
        ("i128::MAX + 1", "error: this overflows `i128` at expansion"),
        ("170141183460469231731687303715884105727u128 + 1", "dynamic"),
        ("170141183460469231731687303715884105727u128 * 3", "error: this overflows `u128` at expansion"),
        ("0u128 - 1", "error: this overflows `u128` at expansion"),
        ("!0u128", "dynamic"),
    ]);
}

#[test]
fn shifts_are_rusts() {
    check(&[
        ("1 << 4u8", "16"),
        ("-9 >> 1", "(-5)"),
        ("128u8 << 1", "0u8"),
        ("1i32 << 31", "(-2147483648i32)"),
        ("1u8 << 8", "error: `u8` cannot be shifted by this much"),
        ("1 >> -1", "error: `i32` cannot be shifted by this much"),
        ("1u64 << 63", "9223372036854775808u64"),
        ("1i128 << 127", "(-170141183460469231731687303715884105728i128)"),
        ("1u128 << 127", "dynamic"),
        ("true << 1", "dynamic"),
    ]);
}

#[test]
fn casts_wrap() {
    check(&[
        ("big as u8", "44u8"),
        ("300i32 as u8", "44u8"),
        ("300 as u8", "error: 300 does not fit `u8`"),
        ("(0 - 1) as u32", "4294967295u32"),
        ("-1i8 as u64", "18446744073709551615u64"),
        ("200u8 as i8", "(-56i8)"),
        ("200u8 as i8 as u32", "4294967240u32"),
        ("3_000_000_000 as u64", "3000000000u64"),
        ("true as i32", "1i32"),
        ("true as bool", "true"),
        ("k as f32", "dynamic"),
        ("-1i8 as u128", "dynamic"),
        ("k as T", "dynamic"),
    ]);
}

#[test]
fn conditions_short_circuit() {
    check(&[
        ("1 < 2", "true"),
        ("2 <= 1", "false"),
        ("k == 5 && k != 6", "true"),
        ("false && unknown", "false"),
        ("true || unknown", "true"),
        ("unknown && false", "dynamic"),
        ("unknown || true", "dynamic"),
        ("true && unknown", "dynamic"),
        ("false && 1 / 0 == 1", "false"),
        ("(1, 2) < (1, 3)", "true"),
        ("[1, 2] == [1, 2]", "true"),
        ("(1, unknown) < (2, 1)", "dynamic"),
        ("true > false", "true"),
        ("1 == true", "dynamic"),
    ]);
}

#[test]
fn branches_need_a_static_condition() {
    check(&[
        ("if yes { 1 } else { unknown }", "1"),
        ("if !yes { unknown } else if k == 5 { 2 } else { unknown }", "2"),
        ("if unknown { 1 } else { 0 }", "dynamic"),
        ("if unknown { 1 } else { 1 }", "dynamic"),
        ("if yes { 1 }", "1"),
        ("if !yes { 1 }", "dynamic"),
        ("if let 5 = k { 1 } else { 2 }", "1"),
        ("if let a @ 1..=9 = k && a > 4 { a } else { 0 }", "5"),
        ("if let a = k && a > 5 { a } else { 0 }", "0"),
        ("match k { 0 => unknown, 5 => 1, _ => unknown }", "1"),
        ("match k { 0 => 0, n if n > 4 => n * 2, _ => 1 }", "10"),
        ("match k { 5 if unknown => 0, _ => 1 }", "dynamic"),
        ("match unknown { _ => 1 }", "dynamic"),
        ("match k { 0 => 1 }", "dynamic"),
        ("match k { #[cfg(test)] 5 => 1, _ => 2 }", "dynamic"),
        ("match 3u8 { long => long } + 1", "4u8"),
    ]);
}

#[test]
fn patterns_are_decided() {
    let decide = |pattern: &str, value: &str| {
        use syn::parse::Parser;
        let pattern: Pat = Pat::parse_multi_with_leading_vert.parse_str(pattern).unwrap();
        match matches(&pattern, &folded(value).unwrap(), &PatternNames).unwrap() {
            None => "undecided".to_owned(),
            Some(None) => "no".to_owned(),
            Some(Some(bindings)) => {
                let texts = bindings.iter().map(|(name, value)| {
                    format!("{name}={}", literal(value, Span::call_site()).to_token_stream())
                });
                format!("yes {}", texts.collect::<Vec<_>>().join(" ")).trim_end().to_owned()
            }
        }
    };
    for (pattern, value, expected) in [
        ("_", "1", "yes"),
        ("x", "1", "yes x=1"),
        ("k", "1", "yes k=1"),
        ("N", "4", "yes"),
        ("N", "5", "no"),
        ("OTHER", "5", "undecided"),
        ("mut x", "5", "undecided"),
        ("ref x", "5", "undecided"),
        ("mut x @ 1", "5", "no"),
        ("-1", "-1", "yes"),
        ("-1", "1", "no"),
        ("0 | 2 | 4", "4", "yes"),
        ("0 | OTHER | 4", "4", "undecided"),
        ("0..=3", "3", "yes"),
        ("0..3", "3", "no"),
        ("3..", "3", "yes"),
        ("..=-1", "0", "no"),
        ("OTHER..=3", "4", "no"),
        ("OTHER..=3", "2", "undecided"),
        ("i8::MIN..=-1", "-3i8", "yes"),
        ("1u8", "1", "yes"),
        ("true", "false", "no"),
        ("(a, -2)", "(1, -2)", "yes a=1"),
        ("(OTHER, 3)", "(1, -2)", "no"),
        ("(OTHER, -2)", "(1, -2)", "undecided"),
        ("(first, ..)", "(1, 2, 3)", "yes first=1"),
        ("(.., last)", "(1, 2, 3)", "yes last=3"),
        ("[a, rest @ .., b]", "[1, 2, 3, 4]", "yes a=1 rest=[2 , 3] b=4"),
        ("[a, b]", "[1, 2, 3]", "undecided"),
        ("[.., a, b, c]", "[1, 2]", "undecided"),
        ("[..]", "[1, 2]", "yes"),
        ("Some(x)", "1", "undecided"),
        ("const { 2 + 3 }", "5", "yes"),
        ("\"s\"", "5", "undecided"),
    ] {
        assert_eq!(decide(pattern, value), expected, "{pattern} against {value}");
    }
}

/// Rust may infer the type of `k` in `let k = 0;` from what follows.
#[test]
fn methods_of_numbers_without_a_type_fold_where_the_type_does_not_matter() {
    let unknown = |method: &str| format!("error: `{method}` of a number whose type is not known here");
    for (expr, method) in [
        ("k.saturating_sub(6)", "saturating_sub"),
        ("k.wrapping_sub(6)", "wrapping_sub"),
        ("k.count_zeros()", "count_zeros"),
        ("(k - 5).trailing_zeros()", "trailing_zeros"),
        ("(-3).count_ones()", "count_ones"),
        ("100.saturating_add(100)", "saturating_add"),
        ("100.wrapping_mul(3)", "wrapping_mul"),
        ("k.leading_zeros()", "leading_zeros"),
    ] {
        assert_eq!(show(expr), unknown(method), "{expr}");
    }
    check(&[
        ("k.saturating_sub(1)", "4"),
        ("k.saturating_add(4)", "9"),
        ("k.count_ones()", "2u32"),
        ("k.max(3)", "5"),
        ("(-7).rem_euclid(4)", "1"),
        ("100.pow(2)", "10000"),
    ]);
}

#[test]
fn methods_fold() {
    check(&[
        ("(-5).abs()", "5"),
        ("k.min(3u8)", "3u8"),
        ("k.max(9)", "9"),
        ("2.pow(10)", "1024"),
        ("2u8.pow(8)", "error: this overflows `u8` at expansion"),
        ("2.pow(k)", "32"),
        ("2.pow(1i64)", "error: the operands have two types, `u32` and `i64`"),
        ("12.clamp(0, 10)", "10"),
        ("1.clamp(3, 2)", "error: the lower bound of this `clamp` is above its upper bound"),
        ("(-7).rem_euclid(4)", "1"),
        ("(-7).div_euclid(4)", "(-2)"),
        ("k.rem_euclid(0)", "error: this divides by zero at expansion"),
        ("(-3).abs_diff(4)", "7u32"),
        ("i64::MIN.abs_diff(i64::MAX)", "18446744073709551615u64"),
        ("low.unsigned_abs()", "2147483648u32"),
        ("(-3i8).signum()", "(-1i8)"),
        ("255u8.wrapping_add(3)", "2u8"),
        ("i32::MAX.wrapping_mul(2)", "(-2i32)"),
        ("low.wrapping_neg()", "(-2147483648i32)"),
        ("low.wrapping_div(-1)", "(-2147483648i32)"),
        ("3u8.wrapping_pow(7)", "139u8"),
        ("1u8.wrapping_shl(9)", "2u8"),
        ("200u8.saturating_add(100)", "255u8"),
        ("(-3i32).count_ones()", "31u32"),
        ("1u8.leading_zeros()", "7u32"),
        ("0u8.trailing_zeros()", "8u32"),
        ("8u8.trailing_zeros()", "3u32"),
        ("size.leading_zeros()", "dynamic"),
        ("size.count_ones()", "2u32"),
        ("size.is_power_of_two()", "false"),
        ("k.is_power_of_two()", "dynamic"),
        ("9u32.ilog2()", "3u32"),
        ("0u32.ilog2()", "error: `ilog2` of a number that is not positive"),
        ("7u32.div_ceil(2)", "4u32"),
        ("7u32.next_multiple_of(4)", "8u32"),
        ("5u8.next_power_of_two()", "8u8"),
        ("129u8.next_power_of_two()", "error: this overflows `u8` at expansion"),
        ("1u8.abs()", "dynamic"),
        ("ZIGZAG.len()", "4usize"),
        ("k.foo()", "dynamic"),
        ("unknown.abs()", "dynamic"),
        ("k.min(unknown)", "dynamic"),
        ("k.min()", "dynamic"),
        ("k.min(true)", "dynamic"),
    ]);
}

#[test]
fn arrays_and_tuples() {
    check(&[
        ("ZIGZAG[2]", "4usize"),
        ("ZIGZAG[k - 2]", "9usize"),
        ("ZIGZAG[k]", "error: index 5 is outside an array of 4 elements"),
        ("ZIGZAG[-1]", "error: index -1 is outside an array of 4 elements"),
        ("ZIGZAG[unknown]", "dynamic"),
        ("ZIGZAG[0..2]", "dynamic"),
        ("NEST[1][0]", "3"),
        ("NEST[1]", "[3, 4]"),
        ("NEST[1][0] + byte", "10u8"),
        ("[0u8; N]", "[0u8, 0u8, 0u8, 0u8]"),
        ("[0; 1 << 30]", "dynamic"),
        ("[[[0; 60_000]; 60_000]; 60_000]", "dynamic"),
        ("[[0u8; 2]; 2]", "[[0u8, 0u8], [0u8, 0u8]]"),
        ("[0; unknown]", "dynamic"),
        ("pair.0", "1u8"),
        ("pair.1", "(-2)"),
        ("pair.2", "dynamic"),
        ("pair.name", "dynamic"),
        ("(k,)", "(5,)"),
        ("()", "()"),
        ("[1, unknown]", "dynamic"),
    ]);
}

#[test]
fn associated_constants_and_conversions() {
    check(&[
        ("i32::MAX", "2147483647i32"),
        ("<i8>::MIN", "(-128i8)"),
        ("u64::MAX", "18446744073709551615u64"),
        ("u8::BITS", "8u32"),
        ("usize::BITS", "dynamic"),
        ("usize::MAX", "dynamic"),
        ("u128::MAX", "dynamic"),
        ("i32::OTHER", "dynamic"),
        ("u8::from(true)", "1u8"),
        ("i32::from(byte)", "7i32"),
        ("u8::from(long)", "dynamic"),
        ("usize::from(byte)", "7usize"),
        ("usize::from(7u32)", "dynamic"),
        ("i32::from(7u32)", "dynamic"),
        ("i64::from(7u32) + 1", "8i64"),
        ("u16::from(k)", "5u16"),
        ("u8::from(big)", "error: 300 does not fit `u8`"),
        ("u8::from(1, 2)", "dynamic"),
        ("foo(1)", "dynamic"),
        ("m!(1)", "dynamic"),
        ("|x| x", "dynamic"),
    ]);
}

#[test]
fn conversion_is_range_checked() {
    let to = |value: &str, ty: &str| convert(&folded(value).unwrap(), &parse_str(ty).unwrap());
    assert_eq!(to("3", "u8"), folded("3u8"));
    assert_eq!(to("256", "u8"), None);
    assert_eq!(to("3u16", "u8"), None);
    assert_eq!(to("[1, 2]", "[usize; 2]"), folded("[1usize, 2]").map(|v| v.adopt(IntType::Usize).unwrap()));
    assert_eq!(to("[1, 2]", "[usize; 3]"), None);
    assert_eq!(to("[1, 2]", "[usize; N]").unwrap().int_type(), Some(IntType::Usize));
    assert_eq!(to("[[1], [2]]", "[[u8; 1]; 2]").unwrap().int_type(), Some(IntType::U8));
    assert_eq!(to("true", "bool"), Some(Value::Bool(true)));
    assert_eq!(to("true", "u8"), None);
    assert_eq!(to("3", "f32"), None);
    assert_eq!(to("3", "_"), folded("3"));
    assert_eq!(to("(1, true)", "(u8, bool)"), folded("(1u8, true)"));
}

#[test]
fn errors_stand_on_their_tokens() {
    let expr: Expr = parse_str("k + (1 / 0) * 2").unwrap();
    let error = eval(&expr, &PatternNames).unwrap_err();
    assert_eq!(error.span().start().column, 5);
    assert_eq!(error.span().end().column, 10);
}

#[test]
fn deep_nesting_is_left_to_rustc() {
    let source = format!("{}k{}", "(".repeat(80), ")".repeat(80));
    assert_eq!(show(&source), "5");
    let sum = vec!["k"; 90].join(" + ");
    assert_eq!(show(&sum), "450");
}
