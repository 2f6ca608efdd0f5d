//! How the operations of symbolic integers are computed where `isize` may overflow.
//!
//! The bounds of an operation follow from those of its symbols, on targets whose `isize` has 64 bits and on those where
//! it has 32.

use proc_macro2::Ident;

use crate::ir::{NamedExtent, Program, ProgramPoint, SymbolSource};
use crate::symbolic::{BinaryOp, Form, Interval, Symbol};

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
pub(crate) enum ArithmeticMode {
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
    Symbol(&'p SymbolSource, Option<&'p Ident>),
    Neg(ArithmeticMode, Box<Expression<'p>>),
    Binary(Operation, ArithmeticMode, Box<[Expression<'p>; 2]>),
    /// The floor of a quotient; the operand's sign, if it has none.
    FloorDiv(Box<Expression<'p>>, i64, bool),
    /// The remainder that belongs to it.
    Mod(Box<Expression<'p>>, i64, bool),
    Min(Box<[Expression<'p>; 2]>),
    Max(Box<[Expression<'p>; 2]>),
    Op(BinaryOp, Box<[Expression<'p>; 2]>),
}

/// The values of an expression where `isize` has 64 bits, and where it has 32.
type Bounds = [Interval; 2];

/// The values of `isize` there.
fn isize_bounds() -> Bounds {
    [
        Interval::new(Some(i64::MIN.into()), Some(i64::MAX.into())),
        Interval::new(Some(i32::MIN.into()), Some(i32::MAX.into())),
    ]
}

/// Chooses how the operations of symbolic integers are computed at one place of a program.
#[derive(Clone, Copy)]
pub(crate) struct Chooser<'p> {
    pub(crate) program: &'p Program,
    pub(crate) place: ProgramPoint,
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
            Form::Constant(value) => (Expression::Literal(*value), [Interval::exactly(*value); 2]),
            Form::Symbol(symbol) => self.symbol(symbol),
            Form::Neg(inner) => {
                let (inner, bounds) = self.bounded(inner);
                let (mode, bounds) = self.mode(bounds.map(Interval::neg));
                (Expression::Neg(mode, Box::new(inner)), bounds)
            }
            Form::Add(a, b) => self.binary(Operation::Add, a, b, Interval::add),
            Form::Sub(a, b) => self.binary(Operation::Sub, a, b, |a, b| a.add(b.neg())),
            Form::Mul(a, b) => {
                // A constant factor reads better behind what it multiplies.
                let is_constant = |form: &Form| matches!(form, Form::Constant(_));
                let (a, b) = if is_constant(a) && !is_constant(b) { (b, a) } else { (a, b) };
                self.binary(Operation::Mul, a, b, Interval::mul)
            }
            Form::FloorDiv(a, divisor, nonneg) => {
                let (a, bounds) = self.bounded(a);
                let bounds = bounds.map(|bounds| bounds.floor_div(*divisor));
                (Expression::FloorDiv(Box::new(a), *divisor, *nonneg), bounds)
            }
            Form::Mod(a, divisor, nonneg) => {
                let bounds = [Interval::new(Some(0), Some(i128::from(*divisor) - 1)); 2];
                (Expression::Mod(Box::new(self.bounded(a).0), *divisor, *nonneg), bounds)
            }
            Form::Min(a, b) => {
                let (operands, bounds) = both(a, b);
                (Expression::Min(operands), combined(bounds, Interval::min))
            }
            Form::Max(a, b) => {
                let (operands, bounds) = both(a, b);
                (Expression::Max(operands), combined(bounds, Interval::max))
            }
            Form::Op(op @ BinaryOp::Entry(table), a, b) => {
                let (least, greatest) = table.bounds();
                let bounds = Interval::new(Some(least.into()), Some(greatest.into()));
                (Expression::Op(*op, both(a, b).0), [bounds; 2])
            }
            Form::Op(op @ BinaryOp::Load, a, b) => {
                // Entries are not negative, so that their range has the zero of an index without one.
                let (operands, [entries, _]) = both(a, b);
                (Expression::Op(*op, operands), entries)
            }
            Form::Op(op, a, b) => (Expression::Op(*op, both(a, b).0), isize_bounds()),
        }
    }

    fn binary(
        &self,
        operation: Operation,
        a: &Form,
        b: &Form,
        op: fn(Interval, Interval) -> Interval,
    ) -> Bounded<'p> {
        let (a, b) = (self.bounded(a), self.bounded(b));
        let (mode, bounds) = self.mode(combined([a.1, b.1], op));
        (Expression::Binary(operation, mode, Box::new([a.0, b.0])), bounds)
    }

    /// How an operation with results within `bounds` is computed, and what its result then is.
    fn mode(&self, bounds: Bounds) -> (ArithmeticMode, Bounds) {
        let held = isize_bounds();
        if bounds.iter().zip(held).all(|(found, held)| found.is_within(held)) {
            return (ArithmeticMode::Plain, bounds);
        }
        match self.overflow {
            Overflow::Fits => (ArithmeticMode::Plain, bounds),
            Overflow::Panics => (ArithmeticMode::Checked, combined([bounds, held], Interval::intersect)),
            // What wraps may be anything.
            Overflow::Wraps => (ArithmeticMode::Wrapping, held),
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Bounded<'p> {
        let info = self.program.symbol(symbol);
        let range = Interval::from(symbol.range());
        let bounds = isize_bounds().map(|held| held.intersect(range));
        (Expression::Symbol(&info.source, self.program.converted(symbol, self.place)), bounds)
    }
}

/// The bounds of an operation from those of its operands.
fn combined([a, b]: [Bounds; 2], op: fn(Interval, Interval) -> Interval) -> Bounds {
    [op(a[0], b[0]), op(a[1], b[1])]
}
