//! Static values, and their way in and out of Rust's syntax.

use proc_macro2::Span;
use syn::{Expr, ExprLit, Lit, Type};

use super::{Int, IntType};

/// A value known at expansion.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Int(Int),
    /// A truth value.
    Bool(bool),
    /// An array, of values of one type.
    Array(Vec<Value>),
    /// A tuple; the empty one is `()`.
    Tuple(Vec<Value>),
}

impl Value {
    /// The integer's number, whatever its type.
    pub fn as_int(&self) -> Option<i128> {
        if let Self::Int(int) = self { Some(int.value) } else { None }
    }

    /// The truth value.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// How many scalars it holds.
    pub(super) fn leaves(&self) -> usize {
        match self {
            Self::Int(_) | Self::Bool(_) => 1,
            Self::Array(elements) | Self::Tuple(elements) => elements.iter().map(Self::leaves).sum(),
        }
    }

    /// The type of the integers in it, if it has one.
    pub(super) fn int_type(&self) -> Option<IntType> {
        match self {
            Self::Int(int) => int.ty,
            Self::Array(elements) => elements.iter().find_map(Self::int_type),
            Self::Bool(_) | Self::Tuple(_) => None,
        }
    }

    /// Gives `ty` to every integer in it that has no type. The error is the number that does not fit.
    pub(super) fn adopt(self, ty: IntType) -> Result<Self, i128> {
        Ok(match self {
            Self::Int(Int { value, ty: None }) if ty.contains(value) => Self::Int(Int::typed(value, ty)),
            Self::Int(Int { value, ty: None }) => return Err(value),
            Self::Array(elements) => {
                Self::Array(elements.into_iter().map(|element| element.adopt(ty)).collect::<Result<_, _>>()?)
            }
            other => other,
        })
    }
}

/// `value` as a `ty`, as in `let x: u8 = 3` and `const TABLE: [usize; 2] = [0, 1]`.
///
/// A number without a type adopts it. `None` if it does not fit, if the value has another type, or if the type is
/// none of integers, `bool`, arrays and tuples. The length of an array type is compared only where it is a literal.
pub fn convert(value: &Value, ty: &Type) -> Option<Value> {
    match (ty, value) {
        (Type::Infer(_), _) => Some(value.clone()),
        (Type::Paren(inner), _) => convert(value, &inner.elem),
        (Type::Group(inner), _) => convert(value, &inner.elem),
        (Type::Path(_), Value::Int(int)) => {
            let ty = int_type(ty)?;
            let same = int.ty.is_none_or(|own| own == ty);
            (same && ty.contains(int.value)).then(|| Value::Int(Int::typed(int.value, ty)))
        }
        (Type::Path(path), Value::Bool(_)) => path.path.is_ident("bool").then(|| value.clone()),
        (Type::Array(array), Value::Array(elements)) => {
            if let Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) = &array.len
                && len.base10_parse::<usize>().ok() != Some(elements.len())
            {
                return None;
            }
            let converted = elements.iter().map(|element| convert(element, &array.elem));
            Some(Value::Array(converted.collect::<Option<_>>()?))
        }
        (Type::Tuple(tuple), Value::Tuple(elements)) if tuple.elems.len() == elements.len() => {
            let converted = elements.iter().zip(&tuple.elems).map(|(element, ty)| convert(element, ty));
            Some(Value::Tuple(converted.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// The integer type that a type is.
pub fn int_type(ty: &Type) -> Option<IntType> {
    match ty {
        Type::Path(path) if path.qself.is_none() => IntType::parse(&path.path.get_ident()?.to_string()),
        Type::Paren(inner) => int_type(&inner.elem),
        Type::Group(inner) => int_type(&inner.elem),
        _ => None,
    }
}

/// An expression that makes the value again. Typed numbers carry their suffix; negative ones stand in parentheses,
/// since `-1i32.pow(2)` is not what it looks like.
pub fn literal(value: &Value, span: Span) -> Expr {
    match value {
        Value::Int(int) => {
            let digits = format!("{}{}", int.value.unsigned_abs(), int.ty.map_or("", IntType::name));
            let number = plain(Lit::Int(syn::LitInt::new(&digits, span)));
            if int.value < 0 { syn::parse_quote_spanned!(span=> (-#number)) } else { number }
        }
        Value::Bool(value) => plain(Lit::Bool(syn::LitBool::new(*value, span))),
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| literal(element, span));
            syn::parse_quote_spanned!(span=> [#(#elements),*])
        }
        Value::Tuple(elements) => {
            // The comma after each element makes `(1,)` of a single one.
            let elements = elements.iter().map(|element| literal(element, span));
            syn::parse_quote_spanned!(span=> (#(#elements,)*))
        }
    }
}

fn plain(lit: Lit) -> Expr {
    Expr::Lit(ExprLit { attrs: Vec::new(), lit })
}
