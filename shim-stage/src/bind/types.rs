//! The primitive types of plain values, as far as the kernel shows them.

use syn::Type;

use crate::static_eval::{IntType, methods};
use crate::symbolic::Range;

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntTy {
    /// This one.
    Known(IntType),
    /// Whatever integer the rest of the kernel makes it: it is computed of literals without a suffix.
    Infer,
}

impl IntTy {
    /// The number that a type written out is.
    pub(in crate::bind) fn of_type(ty: &Type) -> Option<Self> {
        let Type::Path(path) = ty else { return None };
        IntType::parse(&path.path.get_ident()?.to_string()).map(Self::Known)
    }

    /// Its name, if it is known.
    pub(in crate::bind) fn name(self) -> Option<&'static str> {
        match self {
            Self::Known(ty) => Some(ty.name()),
            Self::Infer => None,
        }
    }

    /// The values it may have, as far as 64 bits hold them.
    pub(in crate::bind) fn range(self) -> Range {
        match self {
            Self::Known(ty) if ty.is_pointer_sized() || ty.bits() > 32 => {
                Range { lo: (!ty.is_signed()).then_some(0), hi: None }
            }
            Self::Known(ty) => Range { lo: i64::try_from(ty.min()).ok(), hi: i64::try_from(ty.max()).ok() },
            Self::Infer => Range { lo: None, hi: None },
        }
    }

    /// Whether each of `values` is one of its values, on every target.
    pub(in crate::bind) fn holds(self, values: Range) -> bool {
        let (least, most) = match self {
            Self::Known(IntType::Usize) => (0, i128::from(u32::MAX)),
            Self::Known(IntType::Isize) => (i128::from(i32::MIN), i128::from(i32::MAX)),
            Self::Known(ty) => (ty.min(), ty.max()),
            Self::Infer => (0, i128::from(i8::MAX)),
        };
        matches!((values.lo, values.hi), (Some(lo), Some(hi)) if least <= i128::from(lo) && i128::from(hi) <= most)
    }

    /// The type of an operation on both.
    pub(in crate::bind) fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Infer, ty) | (ty, Self::Infer) => Some(ty),
            (a, b) => (a == b).then_some(a),
        }
    }
}

/// A primitive type, as far as the kernel shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primitive {
    /// This integer.
    Int(IntType),
    /// An integer whose type its uses decide.
    OpenInt,
    /// `f32`, `f64`, or a literal that is one of them.
    Float(Option<&'static str>),
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// Another primitive type.
    Other,
}

impl Primitive {
    /// The type that a type written out is.
    pub(in crate::bind) fn of_type(ty: &Type) -> Option<Self> {
        let Type::Path(path) = ty else { return None };
        Some(match path.path.get_ident()?.to_string().as_str() {
            "f32" => Self::Float(Some("f32")),
            "f64" => Self::Float(Some("f64")),
            "bool" => Self::Bool,
            "char" => Self::Char,
            name => Self::Int(IntType::parse(name)?),
        })
    }

    /// The name by which the kernel shows it, which rustc has to take for its own.
    pub(in crate::bind) fn name(self) -> Option<&'static str> {
        match self {
            Self::Int(ty) => Some(ty.name()),
            Self::Float(name) => name,
            Self::Bool => Some("bool"),
            Self::Char => Some("char"),
            Self::OpenInt | Self::Other => None,
        }
    }

    /// The type of a number.
    pub(in crate::bind) fn of_number(number: IntTy) -> Self {
        match number {
            IntTy::Known(ty) => Self::Int(ty),
            IntTy::Infer => Self::OpenInt,
        }
    }

    /// Whether a type has a method of its own, or of `Ord`, by this name that takes the value.
    pub(in crate::bind) fn has(self, method: &str) -> bool {
        match self {
            Self::Int(ty) => methods::of_integers(method, ty.is_signed()),
            Self::Float(Some(_)) => methods::of_floats(method),
            Self::OpenInt | Self::Float(None) | Self::Bool | Self::Char | Self::Other => false,
        }
    }
}
