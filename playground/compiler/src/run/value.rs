//! What variables and memory hold while a kernel runs.

use std::cell::RefCell;
use std::rc::Rc;

use super::lower::Closure;
use super::{Flow, panics, unsupported};

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
}

impl Number {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "i8" => Number::I8,
            "i16" => Number::I16,
            "i32" => Number::I32,
            "i64" => Number::I64,
            "isize" => Number::Isize,
            "u8" => Number::U8,
            "u16" => Number::U16,
            "u32" => Number::U32,
            "u64" => Number::U64,
            "usize" => Number::Usize,
            "f32" => Number::F32,
            "f64" => Number::F64,
            _ => return None,
        })
    }

    pub(super) const fn is_float(self) -> bool {
        matches!(self, Number::F32 | Number::F64)
    }

    /// Of an integer. `isize` has 64 bits, as on the machines that kernels are compiled for.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Number::I8 | Number::U8 => 8,
            Number::I16 | Number::U16 => 16,
            Number::I32 | Number::U32 | Number::F32 => 32,
            Number::I64 | Number::U64 | Number::Isize | Number::Usize | Number::F64 => 64,
        }
    }

    pub(super) const fn is_signed(self) -> bool {
        !matches!(self, Number::U8 | Number::U16 | Number::U32 | Number::U64 | Number::Usize)
    }

    pub(super) const fn least(self) -> i128 {
        if self.is_signed() { -(1 << (self.bits() - 1)) } else { 0 }
    }

    pub(super) const fn greatest(self) -> i128 {
        if self.is_signed() { (1 << (self.bits() - 1)) - 1 } else { (1 << self.bits()) - 1 }
    }

    /// The value modulo the number of values of an integer type.
    pub(super) fn wrap(self, value: i128) -> i128 {
        let count = 1_i128 << self.bits();
        let low = value.rem_euclid(count);
        if low > self.greatest() { low - count } else { low }
    }

    pub(super) fn unsigned(self) -> Self {
        match self {
            Number::I8 => Number::U8,
            Number::I16 => Number::U16,
            Number::I32 => Number::U32,
            Number::I64 => Number::U64,
            Number::Isize => Number::Usize,
            other => other,
        }
    }

    /// A float of this type.
    pub(super) fn round(self, value: f64) -> f64 {
        if self == Number::F32 { f64::from(value as f32) } else { value }
    }
}

/// A value. The type of a number is not known where rustc would infer it: it is that of the number that it meets.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Unit,
    Bool(bool),
    Int(i128, Option<Number>),
    Float(f64, Option<Number>),
    Text(Rc<str>),
    Tuple(Rc<Vec<Value>>),
    Array(Rc<Memory>),
    Slice(Slice),
    Reference(Rc<Place>),
    /// From the first to before the second.
    Range(i128, i128, Option<Number>),
    /// What an iterator gives.
    Items(Rc<Vec<Value>>),
    Option(Option<Rc<Value>>),
    Closure(Rc<Closure>),
    /// A struct, by the names of its fields.
    Record(Rc<Vec<(String, Value)>>),
    /// The runtime library.
    Shim,
}

/// Elements side by side.
#[derive(Debug)]
pub(super) struct Memory {
    /// The parameter that it is, or nothing.
    pub(super) parameter: Option<usize>,
    pub(super) cells: RefCell<Vec<Value>>,
}

impl Memory {
    pub(super) fn of(cells: Vec<Value>) -> Rc<Self> {
        Rc::new(Memory { parameter: None, cells: RefCell::new(cells) })
    }
}

/// A part of some memory.
#[derive(Debug, Clone)]
pub(super) struct Slice {
    pub(super) memory: Rc<Memory>,
    pub(super) start: usize,
    pub(super) length: usize,
}

/// Where a value is.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Slot(usize),
    Cell(Rc<Memory>, usize),
    Field(Rc<Place>, usize),
    /// Of no variable.
    Temporary(Value),
}

impl Slice {
    /// The cell of an element; none outside of the slice.
    pub(super) fn cell(&self, at: i128) -> Option<usize> {
        usize::try_from(at).ok().filter(|at| *at < self.length).map(|at| self.start + at)
    }

    /// An element; none outside of the slice.
    pub(super) fn get(&self, at: i128) -> Option<Value> {
        self.cell(at).map(|cell| self.memory.cells.borrow()[cell].clone())
    }
}

impl Value {
    pub(super) const fn isize(value: i128) -> Self {
        Value::Int(value, Some(Number::Isize))
    }

    pub(super) const fn usize(value: usize) -> Self {
        Value::Int(value as i128, Some(Number::Usize))
    }

    pub(super) fn zero(number: Option<Number>) -> Self {
        match number {
            Some(number) if number.is_float() => Value::Float(0.0, Some(number)),
            number => Value::Int(0, number),
        }
    }

    pub(super) fn int(&self) -> Result<i128, Flow> {
        match self {
            Value::Int(value, _) => Ok(*value),
            other => Err(unsupported(format!("{other:?} as an integer"))),
        }
    }

    pub(super) fn index(&self) -> Result<usize, Flow> {
        usize::try_from(self.int()?).map_err(|_| panics("attempt to subtract with overflow"))
    }

    pub(super) fn bool(&self) -> Result<bool, Flow> {
        match self {
            Value::Bool(value) => Ok(*value),
            other => Err(unsupported(format!("{other:?} as a condition"))),
        }
    }

    pub(super) const fn number(&self) -> Option<Number> {
        match self {
            Value::Int(_, number) | Value::Float(_, number) | Value::Range(_, _, number) => *number,
            _ => None,
        }
    }

    /// The value as `as number` gives it.
    pub(super) fn cast(&self, number: Number) -> Result<Self, Flow> {
        Ok(match self {
            Value::Int(value, _) if number.is_float() => {
                Value::Float(number.round(*value as f64), Some(number))
            }
            Value::Int(value, _) => Value::Int(number.wrap(*value), Some(number)),
            Value::Float(value, _) if number.is_float() => Value::Float(number.round(*value), Some(number)),
            Value::Float(value, _) => {
                let whole = (*value as i128).clamp(number.least(), number.greatest());
                Value::Int(whole, Some(number))
            }
            Value::Bool(value) => Value::Int(i128::from(*value), Some(number)),
            other => return Err(unsupported(format!("a cast of {other:?}"))),
        })
    }

    /// The value where its type is written: a number whose type was open takes it.
    pub(super) fn typed(self, number: Option<Number>) -> Result<Self, Flow> {
        match (&self, number) {
            (Value::Int(_, None) | Value::Float(_, None), Some(number)) => self.cast(number),
            _ => Ok(self),
        }
    }

    /// A copy, of the elements of an array too.
    pub(super) fn copied(self) -> Self {
        match self {
            Value::Array(memory) => {
                let cells = memory.cells.borrow().iter().cloned().map(Value::copied).collect();
                Value::Array(Memory::of(cells))
            }
            other => other,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |f: &mut std::fmt::Formatter<'_>, values: &[Value]| {
            for (at, value) in values.iter().enumerate() {
                write!(f, "{}{value}", if at == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Value::Unit => write!(f, "()"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value, _) => write!(f, "{value}"),
            Value::Float(value, _) => write!(f, "{value:?}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Tuple(values) => {
                write!(f, "(")?;
                list(f, values)?;
                write!(f, ")")
            }
            Value::Array(memory) => {
                write!(f, "[")?;
                list(f, &memory.cells.borrow())?;
                write!(f, "]")
            }
            Value::Slice(slice) => {
                write!(f, "[")?;
                list(f, &slice.memory.cells.borrow()[slice.start..slice.start + slice.length])?;
                write!(f, "]")
            }
            Value::Range(start, end, _) => write!(f, "{start}..{end}"),
            Value::Option(None) => write!(f, "None"),
            Value::Option(Some(value)) => write!(f, "Some({value})"),
            Value::Reference(_) | Value::Items(_) | Value::Closure(_) | Value::Record(_) | Value::Shim => {
                write!(f, "_")
            }
        }
    }
}
