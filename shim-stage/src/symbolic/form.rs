//! Expression trees, as they are emitted.

use std::fmt;

use super::{BinaryOp, Symbol, cost};

/// The tree of operations that computes a symbolic integer.
///
/// The flag of a division tells that its numerator is never negative, so that Rust's `/` and `%` are the floor
/// division and its remainder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A known value.
    Constant(i64),
    /// A symbol.
    Symbol(Symbol),
    /// A sum.
    Add(Box<Form>, Box<Form>),
    /// A difference.
    Sub(Box<Form>, Box<Form>),
    /// A product; a constant factor stands first.
    Mul(Box<Form>, Box<Form>),
    /// A negation.
    Neg(Box<Form>),
    /// The floor of a quotient by a constant of at least two; whether the numerator is never negative.
    FloorDiv(Box<Form>, i64, bool),
    /// The remainder of that division; whether the numerator is never negative.
    Mod(Box<Form>, i64, bool),
    /// The smaller of two.
    Min(Box<Form>, Box<Form>),
    /// The larger of two.
    Max(Box<Form>, Box<Form>),
    /// One of Rust's operators.
    Op(BinaryOp, Box<Form>, Box<Form>),
}

impl Form {
    /// What its operations cost, in additions. Divisions by powers of two are shifts and masks.
    pub fn cost(&self) -> u32 {
        let own = match self {
            Self::Constant(_) | Self::Symbol(_) => 0,
            Self::Add(..) | Self::Sub(..) | Self::Neg(_) => cost::ADD,
            Self::Mul(a, b) => match (&**a, &**b) {
                (Self::Constant(factor), _) | (_, Self::Constant(factor)) => cost::scale(*factor),
                _ => cost::MUL,
            },
            Self::FloorDiv(_, k, nonneg) | Self::Mod(_, k, nonneg) => cost::division(*k, *nonneg),
            Self::Min(..) | Self::Max(..) => cost::MIN,
            Self::Op(op, ..) => cost::op(*op),
        };
        self.operands().into_iter().flatten().fold(own, |sum, operand| sum.saturating_add(operand.cost()))
    }

    /// Its operands.
    pub fn operands(&self) -> [Option<&Self>; 2] {
        match self {
            Self::Constant(_) | Self::Symbol(_) => [None, None],
            Self::Neg(a) | Self::FloorDiv(a, ..) | Self::Mod(a, ..) => [Some(a), None],
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Min(a, b)
            | Self::Max(a, b)
            | Self::Op(_, a, b) => [Some(a), Some(b)],
        }
    }

    /// Its value, given the values of the symbols, computed in 64 bits as emitted code computes it; `None` when an
    /// operation overflows or has no value.
    pub fn eval(&self, value: &dyn Fn(&Symbol) -> i64) -> Option<i64> {
        let of = |form: &Self| form.eval(value);
        match self {
            Self::Constant(constant) => Some(*constant),
            Self::Symbol(symbol) => Some(value(symbol)),
            Self::Add(a, b) => of(a)?.checked_add(of(b)?),
            Self::Sub(a, b) => of(a)?.checked_sub(of(b)?),
            Self::Mul(a, b) => of(a)?.checked_mul(of(b)?),
            Self::Neg(a) => of(a)?.checked_neg(),
            Self::FloorDiv(a, k, nonneg) => {
                let a = of(a)?;
                if *nonneg { a.checked_div(*k) } else { a.checked_div_euclid(*k) }
            }
            Self::Mod(a, k, nonneg) => {
                let a = of(a)?;
                if *nonneg { a.checked_rem(*k) } else { a.checked_rem_euclid(*k) }
            }
            Self::Min(a, b) => Some(of(a)?.min(of(b)?)),
            Self::Max(a, b) => Some(of(a)?.max(of(b)?)),
            Self::Op(op, a, b) => {
                let result = super::eval::apply(*op, i128::from(of(a)?), i128::from(of(b)?))?;
                i64::try_from(result).ok()
            }
        }
    }

    /// How tightly its outermost operation binds when it is written out.
    fn precedence(&self) -> u8 {
        match self {
            Self::Constant(value) if *value < 0 => 7,
            Self::Constant(_)
            | Self::Symbol(_)
            | Self::Min(..)
            | Self::Max(..)
            | Self::Op(BinaryOp::Fold(_) | BinaryOp::Entry(_) | BinaryOp::Load | BinaryOp::Power, ..) => 9,
            Self::Neg(_) => 7,
            Self::Mul(..) | Self::FloorDiv(..) | Self::Mod(..) => 6,
            Self::Add(..) | Self::Sub(..) => 5,
            Self::Op(op, ..) => match op {
                BinaryOp::Div | BinaryOp::Rem => 6,
                BinaryOp::Shl | BinaryOp::Shr => 4,
                BinaryOp::And => 3,
                BinaryOp::Xor => 2,
                BinaryOp::Or | BinaryOp::Fold(_) | BinaryOp::Entry(_) | BinaryOp::Load | BinaryOp::Power => 1,
            },
        }
    }

    /// Writes it out, in parentheses if it binds less tightly than `context`.
    fn write(&self, f: &mut fmt::Formatter<'_>, context: u8) -> fmt::Result {
        let own = self.precedence();
        if own < context {
            f.write_str("(")?;
        }
        let infix = |f: &mut fmt::Formatter<'_>, a: &Self, operator: &str, b: &Self| {
            a.write(f, own)?;
            write!(f, " {operator} ")?;
            b.write(f, own + 1)
        };
        match self {
            Self::Constant(value) => write!(f, "{value}")?,
            Self::Symbol(symbol) => write!(f, "{symbol}")?,
            Self::Add(a, b) => infix(f, a, "+", b)?,
            Self::Sub(a, b) => infix(f, a, "-", b)?,
            Self::Mul(a, b) => infix(f, a, "*", b)?,
            Self::Neg(a) => {
                f.write_str("-")?;
                a.write(f, own + 1)?;
            }
            Self::FloorDiv(a, k, _) => infix(f, a, "/", &Self::Constant(*k))?,
            Self::Mod(a, k, _) => infix(f, a, "mod", &Self::Constant(*k))?,
            Self::Min(a, b) => write!(f, "min({a}, {b})")?,
            Self::Max(a, b) => write!(f, "max({a}, {b})")?,
            Self::Op(BinaryOp::Fold(rule), a, b) => write!(f, "{}({a}, {b})", rule.name())?,
            Self::Op(BinaryOp::Entry(table), a, _) => write!(f, "{table:?}[{a}]")?,
            Self::Op(BinaryOp::Load, a, b) => write!(f, "{a}[{b}]")?,
            Self::Op(BinaryOp::Power, a, b) => write!(f, "power({a}, {b})")?,
            Self::Op(op, a, b) => {
                let operator = match op {
                    // A plain slash is the floor.
                    BinaryOp::Div => "quo",
                    BinaryOp::Rem => "rem",
                    BinaryOp::Shl => "<<",
                    BinaryOp::Shr => ">>",
                    BinaryOp::And => "&",
                    BinaryOp::Xor => "^",
                    _ => "|",
                };
                infix(f, a, operator, b)?;
            }
        }
        if own < context { f.write_str(")") } else { Ok(()) }
    }
}

/// For people: `/` is the floor, `mod` its remainder, `quo` and `rem` are what Rust writes `/` and `%`.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
