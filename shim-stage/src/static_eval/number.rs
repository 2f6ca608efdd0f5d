//! Numbers of expressions that are static: literals, operands of one type, results.

use super::int::IntResult;
use super::value::int_type;
use super::{Int, IntType, Value, wrong};
use quote::ToTokens;
use std::cmp::Ordering;
use syn::{Expr, ExprPath, Lit, Result};

/// A literal, with the sign that stands before it.
pub(super) fn scalar(
    lit: &Lit,
    negative: bool,
    expr: &Expr,
    expected: Option<IntType>,
) -> Result<Option<Value>> {
    match lit {
        Lit::Bool(lit) if !negative => Ok(Some(Value::Bool(lit.value))),
        Lit::Byte(lit) if !negative => Ok(Some(Value::Int(Int::typed(lit.value().into(), IntType::U8)))),
        Lit::Int(lit) => {
            let own = IntType::parse(lit.suffix());
            if own.is_none() && !lit.suffix().is_empty() {
                return Ok(None);
            }
            // A literal token of a macro may have its sign inside.
            let digits = lit.base10_digits();
            let (minus, digits) = digits.strip_prefix('-').map_or((false, digits), |rest| (true, rest));
            let Ok(magnitude) = digits.parse::<u128>() else { return Ok(None) };
            let value = if minus == negative {
                i128::try_from(magnitude).ok()
            } else {
                0i128.checked_sub_unsigned(magnitude)
            };
            // Only `u128` has numbers that cannot be held here; rustc reports all others.
            let Some(value) = value else { return Ok(None) };
            let ty = own.or(expected);
            if let Some(ty) = ty
                && !ty.contains(value)
            {
                return Err(unfit(expr, value, ty));
            }
            Ok(Some(Value::Int(Int { value, ty })))
        }
        _ => Ok(None),
    }
}

/// The type two operands share, and the one they fold in.
pub(super) fn common(a: Int, b: Int, tokens: impl ToTokens) -> Result<(Option<IntType>, IntType)> {
    if let (Some(a), Some(b)) = (a.ty, b.ty)
        && a != b
    {
        return Err(wrong(
            tokens,
            &format!("the operands have two types, `{}` and `{}`", a.name(), b.name()),
            "convert one of them with `as`",
        ));
    }
    let own = a.ty.or(b.ty);
    Ok((own, own.unwrap_or(IntType::I32)))
}

/// What folding `tokens` in `ty` came to, as a value of the type `own`.
pub(super) fn outcome(
    folded: IntResult,
    own: Option<IntType>,
    ty: IntType,
    tokens: impl ToTokens,
) -> Result<Option<Value>> {
    let ty_name = ty.name();
    match folded {
        IntResult::Value(value) => Ok(Some(Value::Int(Int { value, ty: own }))),
        IntResult::Wide => Ok(None),
        IntResult::Overflow => {
            let help = if own.is_none() {
                "numbers without a suffix fold as `i32`: give one a suffix, such as `1i64`".to_owned()
            } else {
                "use a wider type, or a `wrapping_` method".to_owned()
            };
            Err(wrong(tokens, &format!("this overflows `{ty_name}` at expansion"), &help))
        }
        IntResult::ByZero => Err(wrong(
            tokens,
            "this divides by zero at expansion",
            "guard it with an `if` whose condition is static as well",
        )),
        IntResult::Shift => Err(wrong(
            tokens,
            &format!("`{ty_name}` cannot be shifted by this much"),
            &format!("the count must be at least 0 and less than {}", ty.bits()),
        )),
    }
}

/// The order of two values of one shape. Numbers are compared as such: their types were reconciled before.
pub(super) fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.value.cmp(&b.value)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
            // Every pair must be comparable, also behind the first difference.
            let orders = a.iter().zip(b).map(|(a, b)| compare(a, b)).collect::<Option<Vec<_>>>()?;
            Some(orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
        }
        _ => None,
    }
}

/// The type and name of `i32::MAX`, `<u8>::BITS` and the like.
pub(super) fn associated(path: &ExprPath) -> Option<(IntType, String)> {
    let segments = &path.path.segments;
    let name = segments.last()?;
    if segments.iter().any(|segment| !segment.arguments.is_none()) {
        return None;
    }
    let ty = match &path.qself {
        Some(qself) if segments.len() == 1 => int_type(&qself.ty)?,
        None if segments.len() == 2 && path.path.leading_colon.is_none() => {
            IntType::parse(&segments[0].ident.to_string())?
        }
        _ => return None,
    };
    Some((ty, name.ident.to_string()))
}

/// `int`'s number, if its type `ty` holds it.
pub(super) fn in_type(int: Int, ty: IntType, tokens: impl ToTokens) -> Result<i128> {
    if ty.contains(int.value) { Ok(int.value) } else { Err(unfit(tokens, int.value, ty)) }
}

/// `value` where an `expected` stands.
pub(super) fn adopt(value: Value, expected: Option<IntType>, tokens: impl ToTokens) -> Result<Value> {
    match expected {
        Some(ty) => value.adopt(ty).map_err(|number| unfit(tokens, number, ty)),
        None => Ok(value),
    }
}

pub(super) fn unfit(tokens: impl ToTokens, value: i128, ty: IntType) -> syn::Error {
    let range = format!("`{}` goes from {} to {}", ty.name(), ty.min(), ty.max());
    wrong(tokens, &format!("{value} does not fit `{}`", ty.name()), &range)
}
