//! Symbolic integers as expressions of type `isize`: for each operation, whether its result is sure to fit.
//!
//! The bounds of an operation follow from those of its symbols, on targets whose `isize` has 64 bits and on those where it has 32.

use proc_macro2::Ident;

use crate::ir::{NamedExtent, Position, Program, Source};
use crate::symbolic::{BinaryOp, Form, Symbol};

/// What happens where a result might not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overflow {
    /// It panics, in release builds too: the arithmetic decides whether an access is safe.
    Panics,
    /// It wraps: the value is used only where it is known to have fitted.
    Wraps,
    /// It cannot happen: the value is that of an element inside its block.
    Fits,
}

/// How an operation is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By Rust's operator: the result fits.
    Plain,
    /// By a function that panics where it does not.
    Checked,
    /// Modulo the size of the type.
    Wrapping,
}

/// An operation that may overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
}

/// An expression of type `isize`.
#[derive(Debug, Clone)]
pub(crate) enum Expression<'p> {
    Literal(i64),
    /// The local of a named extent.
    Extent(&'p Ident),
    /// A symbol, converted before under a name where there is one.
    Symbol(&'p Source, Option<&'p Ident>),
    Neg(Mode, Box<Expression<'p>>),
    Binary(Operation, Mode, Box<[Expression<'p>; 2]>),
    /// The floor of a quotient; the operand's sign, if it has none.
    FloorDiv(Box<Expression<'p>>, i64, bool),
    /// The remainder that belongs to it.
    Mod(Box<Expression<'p>>, i64, bool),
    Min(Box<[Expression<'p>; 2]>),
    Max(Box<[Expression<'p>; 2]>),
    Op(BinaryOp, Box<[Expression<'p>; 2]>),
}

impl Expression<'_> {
    /// Whether it is a number, with or without a sign.
    pub(crate) fn is_literal(&self) -> bool {
        matches!(self, Expression::Literal(_))
    }
}

/// The least and greatest value where `isize` has 64 bits, and where it has 32.
type Bounds = [(i128, i128); 2];

/// What `isize` can hold there.
const ISIZE: Bounds = [(i64::MIN as i128, i64::MAX as i128), (i32::MIN as i128, i32::MAX as i128)];

/// Chooses how the operations of symbolic integers are computed at one place of a program.
#[derive(Clone, Copy)]
pub(crate) struct Chooser<'p> {
    pub(crate) program: &'p Program,
    pub(crate) place: Position,
    pub(crate) overflow: Overflow,
    /// Extents that have names.
    pub(crate) extents: &'p [NamedExtent],
}

/// An expression with its bounds.
type Bounded<'p> = (Expression<'p>, Bounds);

impl<'p> Chooser<'p> {
    /// An expression for `form`.
    pub(crate) fn expression(&self, form: &Form) -> Expression<'p> {
        self.bounded(form).0
    }

    fn bounded(&self, form: &Form) -> Bounded<'p> {
        let named = self.extents.iter().find(|extent| extent.form == *form);
        if let Some(NamedExtent { name, place, .. }) = named
            && self.program.visible(*place, self.place)
        {
            let (_, bounds) = Chooser { extents: &[], ..*self }.bounded(form);
            return (Expression::Extent(name), bounds);
        }
        let both = |a: &Form, b: &Form| {
            let (a, b) = (self.bounded(a), self.bounded(b));
            (Box::new([a.0, b.0]), [a.1, b.1])
        };
        match form {
            Form::Constant(value) => {
                (Expression::Literal(*value), [(i128::from(*value), i128::from(*value)); 2])
            }
            Form::Symbol(symbol) => self.symbol(symbol),
            Form::Neg(inner) => {
                let (inner, bounds) = self.bounded(inner);
                let (mode, bounds) =
                    self.mode(bounds.map(|(lo, hi)| (hi.saturating_neg(), lo.saturating_neg())));
                (Expression::Neg(mode, Box::new(inner)), bounds)
            }
            Form::Add(a, b) => {
                self.binary(Operation::Add, a, b, |a, b| (a.0.saturating_add(b.0), a.1.saturating_add(b.1)))
            }
            Form::Sub(a, b) => {
                self.binary(Operation::Sub, a, b, |a, b| (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)))
            }
            Form::Mul(a, b) => {
                // A constant factor reads better behind what it multiplies.
                let is_constant = |form: &Form| matches!(form, Form::Constant(_));
                let (a, b) = if is_constant(a) && !is_constant(b) { (b, a) } else { (a, b) };
                self.binary(Operation::Mul, a, b, |a, b| {
                    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                    let products = corners.map(|(x, y)| x.saturating_mul(y));
                    (
                        products.into_iter().min().unwrap_or(i128::MIN),
                        products.into_iter().max().unwrap_or(i128::MAX),
                    )
                })
            }
            Form::FloorDiv(a, divisor, nonneg) => {
                let (a, bounds) = self.bounded(a);
                let wide = i128::from(*divisor);
                let bounds = bounds.map(|(lo, hi)| (lo.div_euclid(wide), hi.div_euclid(wide)));
                (Expression::FloorDiv(Box::new(a), *divisor, *nonneg), bounds)
            }
            Form::Mod(a, divisor, nonneg) => {
                let bounds = [(0, i128::from(*divisor) - 1); 2];
                (Expression::Mod(Box::new(self.bounded(a).0), *divisor, *nonneg), bounds)
            }
            Form::Min(a, b) => {
                let (operands, bounds) = both(a, b);
                (Expression::Min(operands), combined(bounds, |a, b| (a.0.min(b.0), a.1.min(b.1))))
            }
            Form::Max(a, b) => {
                let (operands, bounds) = both(a, b);
                (Expression::Max(operands), combined(bounds, |a, b| (a.0.max(b.0), a.1.max(b.1))))
            }
            Form::Op(op @ BinaryOp::Entry(table), a, b) => {
                let (least, greatest) = table.bounds();
                (Expression::Op(*op, both(a, b).0), [(i128::from(least), i128::from(greatest)); 2])
            }
            Form::Op(op, a, b) => (Expression::Op(*op, both(a, b).0), ISIZE),
        }
    }

    fn binary(
        &self,
        operation: Operation,
        a: &Form,
        b: &Form,
        op: impl Fn((i128, i128), (i128, i128)) -> (i128, i128),
    ) -> Bounded<'p> {
        let (a, b) = (self.bounded(a), self.bounded(b));
        let (mode, bounds) = self.mode(combined([a.1, b.1], op));
        (Expression::Binary(operation, mode, Box::new([a.0, b.0])), bounds)
    }

    /// How an operation with results within `bounds` is computed, and what its result then is.
    fn mode(&self, bounds: Bounds) -> (Mode, Bounds) {
        let fits = bounds.iter().zip(ISIZE).all(|(found, held)| held.0 <= found.0 && found.1 <= held.1);
        if fits {
            return (Mode::Plain, bounds);
        }
        let clip = |(lo, hi): (i128, i128), held: (i128, i128)| (lo.max(held.0), hi.min(held.1));
        match self.overflow {
            Overflow::Fits => (Mode::Plain, bounds),
            Overflow::Panics => (Mode::Checked, [clip(bounds[0], ISIZE[0]), clip(bounds[1], ISIZE[1])]),
            // What wraps may be anything.
            Overflow::Wraps => (Mode::Wrapping, ISIZE),
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Bounded<'p> {
        let info = self.program.symbol(symbol);
        let captured = info.captures.iter().find(|(from, _)| self.program.visible(*from, self.place));
        let range = symbol.range();
        let bounds = ISIZE.map(|(least, most)| {
            (
                range.lo.map_or(least, |lo| i128::from(lo).max(least)),
                range.hi.map_or(most, |hi| i128::from(hi).min(most)),
            )
        });
        (Expression::Symbol(&info.source, captured.map(|(_, name)| name)), bounds)
    }
}

/// The bounds of an operation from those of its operands.
fn combined([a, b]: [Bounds; 2], op: impl Fn((i128, i128), (i128, i128)) -> (i128, i128)) -> Bounds {
    [op(a[0], b[0]), op(a[1], b[1])]
}
