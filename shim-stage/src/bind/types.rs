//! The primitive types of plain values, as far as the kernel shows them.

use syn::{BinOp, Type};

use crate::static_eval::{IntType, Values, methods};
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

    /// The number that it is, if it is one.
    pub(in crate::bind) fn number(self) -> Option<IntTy> {
        match self {
            Self::Int(ty) => Some(IntTy::Known(ty)),
            Self::OpenInt => Some(IntTy::Infer),
            Self::Float(_) | Self::Bool | Self::Char | Self::Other => None,
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

/// The type of a value, and the integers that it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bind) struct Known {
    /// Its type.
    pub primitive: Primitive,
    /// The integers that it may be; `None` if it may be any, or is of another type.
    pub values: Option<Values>,
}

impl Known {
    /// Any value of a type.
    pub(in crate::bind) fn of(primitive: Primitive) -> Self {
        Self { primitive, values: None }.of_its_type()
    }

    /// The same, without values that the type does not have: an operation that leaves it panics, or wraps.
    pub(in crate::bind) fn of_its_type(self) -> Self {
        match self.primitive {
            Primitive::Int(ty) => {
                let values = self.values.filter(|values| values.are_in(ty)).or_else(|| Values::of(ty));
                Self { values, ..self }
            }
            _ => self,
        }
    }

    /// Whether values are all of its type, or of any that it may be.
    pub(in crate::bind) fn fits(self, values: Values) -> bool {
        match self.primitive {
            Primitive::Int(ty) => values.are_in(ty),
            Primitive::OpenInt => values.are_in(IntType::U8) && values.are_in(IntType::I8),
            _ => false,
        }
    }

    /// The result of an operator, which may leave the type.
    pub(in crate::bind) fn operator(self, op: &BinOp, other: Self) -> Self {
        let primitive = match op {
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
            | BinOp::And(_)
            | BinOp::Or(_) => Primitive::Bool,
            // The right side of a sum may decide the type of a literal on the left.
            BinOp::Shl(_) | BinOp::Shr(_) => self.primitive,
            _ if self.primitive.name().is_none() => other.primitive,
            _ => self.primitive,
        };
        let values = self.values.zip(other.values).and_then(|(a, b)| a.operator(op, b));
        // Where the type is not known, an operation may leave it.
        let is_open = primitive == Primitive::OpenInt;
        let is_signed = [self, other].iter().any(|own| own.values.is_some_and(|values| values.least < 0));
        let stays = |own: &Values| own.are_in(IntType::I8) && (own.least >= 0 || is_signed);
        Self { primitive, values: values.filter(|own| !is_open || stays(own)) }
    }

    /// The type and the integers of a value that is one of two.
    pub(in crate::bind) fn or(self, other: Self) -> Option<Self> {
        let primitive = match (self.primitive.number(), other.primitive.number()) {
            (Some(one), Some(other)) => Primitive::of_number(one.with(other)?),
            _ => Some(self.primitive).filter(|one| *one == other.primitive)?,
        };
        let values = self.values.zip(other.values).map(|(one, other)| one.or(other));
        Some(Self { primitive, values })
    }
}
