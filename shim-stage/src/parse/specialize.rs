//! `#[specialize(1 | 2 | 4 | _)]` before a parameter.

use quote::ToTokens;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, Pat, PatType, RangeLimits, Type};

use crate::diagnostics::Diagnostics;
use crate::static_eval::{self, Int, NoNames, Value};
use crate::surface::HelperAttribute;

/// The greatest number of versions that the values of one parameter may ask for.
const MAX_VALUES: usize = 64;

/// A parameter that is static in a version for each of its values.
#[derive(Debug, Clone)]
pub struct Specialized {
    /// The parameter.
    pub name: Ident,
    /// The values that have versions of their own, in the type of the parameter.
    pub values: Vec<Value>,
    /// Whether a version takes all others; without one they panic.
    pub general: bool,
}

/// Takes the attribute off a parameter and judges it.
pub fn take(parameter: &mut PatType, diagnostics: &mut Diagnostics) -> Option<Specialized> {
    let mut found = parameter.attrs.extract_if(.., |attribute| HelperAttribute::Specialize.is(attribute));
    let attribute = found.next()?;
    if let Some(again) = found.next() {
        diagnostics.error(again, "`#[specialize]` is given twice", "write all values into one: `1 | 2 | 4`");
    }
    drop(found);
    let read = name(parameter).and_then(|name| {
        let (values, general) = values(&attribute, &parameter.ty)?;
        Ok(Specialized { name, values, general })
    });
    match read {
        Ok(specialized) => Some(specialized),
        Err(error) => {
            diagnostics.push(error);
            None
        }
    }
}

fn wrong<T>(tokens: impl ToTokens, message: impl std::fmt::Display, help: &str) -> syn::Result<T> {
    Err(syn::Error::new_spanned(tokens, format!("{message}\nhelp: {help}")))
}

/// The name of a parameter that can have static values.
fn name(parameter: &PatType) -> syn::Result<Ident> {
    match &*parameter.pat {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() && name.mutability.is_none() => {
            Ok(name.ident.clone())
        }
        other => wrong(
            other,
            "expected a plain name without `mut` for a specialized parameter",
            "name it without `mut`; copy it into a `let mut` to change it",
        ),
    }
}

/// The values of an attribute, and whether `_` is among them.
fn values(attribute: &Attribute, ty: &Type) -> syn::Result<(Vec<Value>, bool)> {
    let usage = "write the values with `|` between them, as in `#[specialize(1 | 2 | 4)]`; `| _` adds a version for all others";
    let tokens = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => proc_macro2::TokenStream::new(),
    };
    if tokens.is_empty() {
        return wrong(attribute, "`#[specialize]` without values", usage);
    }
    let span = tokens.span();
    let pattern = Pat::parse_multi.parse2(tokens).map_err(|_| {
        syn::Error::new(
            span,
            format!("expected literals for the values of a specialized parameter\nhelp: {usage}"),
        )
    })?;
    let cases = match pattern {
        Pat::Or(cases) => cases.cases.into_iter().collect(),
        single => vec![single],
    };
    let (mut values, mut general) = (Vec::new(), false);
    for case in &cases {
        if matches!(case, Pat::Wild(_)) {
            general = true;
            continue;
        }
        if general {
            return wrong(
                case,
                "unreachable value after `_`",
                "put `_` last: it takes all values that are not named",
            );
        }
        for value in case_values(case, ty)? {
            if values.contains(&value) {
                return wrong(case, "duplicate value", "remove one of the two");
            }
            values.push(value);
        }
        if values.len() > MAX_VALUES {
            let message = format!("more than {MAX_VALUES} values of a specialized parameter");
            return wrong(case, message, "the kernel is written once for each: name those that pay, and `_`");
        }
    }
    if values.is_empty() {
        return wrong(attribute, "`#[specialize]` without values", usage);
    }
    Ok((values, general))
}

/// The values of a literal or of a range of literals, in type `ty`.
fn case_values(case: &Pat, ty: &Type) -> syn::Result<Vec<Value>> {
    let expr: Expr = syn::parse2(case.to_token_stream()).or_else(|_| not_literal(case))?;
    if let Expr::Range(range) = &expr {
        let (Some(start), Some(end)) = (&range.start, &range.end) else { return not_literal(case) };
        let (Value::Int(first), Value::Int(last)) = (value(start, ty)?, value(end, ty)?) else {
            return not_literal(case);
        };
        let end = if matches!(range.limits, RangeLimits::Closed(_)) {
            last.value.saturating_add(1)
        } else {
            last.value
        };
        if end <= first.value {
            return wrong(case, "an empty range of values", "write it from the least to the greatest");
        }
        // One more than may be, so that the caller sees that there are too many.
        let end = end.min(first.value.saturating_add(MAX_VALUES as i128 + 1));
        return Ok((first.value..end).map(|value| Value::Int(Int { value, ty: first.ty })).collect());
    }
    Ok(vec![value(&expr, ty)?])
}

fn not_literal<T>(case: &Pat) -> syn::Result<T> {
    wrong(
        case,
        "expected literals for the values of a specialized parameter",
        "write integers, ranges of them, or `true` and `false`",
    )
}

/// The value of a literal in type `ty`.
fn value(literal: &Expr, ty: &Type) -> syn::Result<Value> {
    match static_eval::eval_as(literal, ty, &NoNames)? {
        Some(value @ (Value::Int(Int { ty: Some(_), .. }) | Value::Bool(_))) => Ok(value),
        _ if static_eval::int_type(ty).is_none() && ty.to_token_stream().to_string() != "bool" => wrong(
            ty,
            "`#[specialize]` on a parameter that is neither an integer nor a `bool`",
            "choose between other values by a `match`",
        ),
        _ => wrong(
            literal,
            format!("expected a literal of type `{}`", ty.to_token_stream()),
            "write integers, ranges of them, or `true` and `false`",
        ),
    }
}
