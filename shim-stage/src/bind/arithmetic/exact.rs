//! Rust's arithmetic where it certainly has the value of the same arithmetic on integers.
//!
//! `i + 1` cannot overflow where `i` is less than an `n` of its type, nor can `n - i` be negative there. What is known
//! of the names in an expression decides that for each operation.

use syn::{BinOp, Expr, ExprMethodCall, UnOp};

use crate::ir::{LoopKind, Memory, SymbolSource};
use crate::static_eval::{self, IntType};
use crate::surface;
use crate::symbolic::{SymInt, Symbol};
use shim_core::Integer;

use crate::bind::{Binder, IntTy};

/// The greatest distance from an extent at which a `usize` certainly has values: an extent fits `isize`.
const BEYOND_EXTENT: i64 = 1 << 30;

impl Binder<'_> {
    /// The value of `expr`, whose operands have no effect, if no operation of it overflows.
    pub(in crate::bind) fn exact(&mut self, expr: &Expr) -> Option<SymInt> {
        let number = self.number(expr)?;
        self.exact_in(expr, number)
    }

    /// The value of an expression of type `number`. Operands have the type of the result: `-1` in `-1 * i` has that of
    /// `i`.
    fn exact_in(&mut self, expr: &Expr, number: IntTy) -> Option<SymInt> {
        let expr = surface::strip_parens(expr);
        let value = match expr {
            Expr::Lit(_) | Expr::Path(_) => return self.pure_index(expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                self.exact_in(&unary.expr, number)?.neg().ok()?
            }
            Expr::Binary(binary) => {
                let left = self.exact_in(&binary.left, number)?;
                let right = self.exact_in(&binary.right, number)?;
                let by = right.as_constant();
                match binary.op {
                    BinOp::Add(_) => left.add(&right).ok()?,
                    BinOp::Sub(_) => left.sub(&right).ok()?,
                    BinOp::Mul(_) => left.mul(&right).ok()?,
                    BinOp::Div(_) if self.is_at_least_zero(&left) => {
                        left.floor_div(by.filter(|by| *by > 0)?).ok()?
                    }
                    BinOp::Rem(_) if self.is_at_least_zero(&left) => {
                        left.modulo(by.filter(|by| *by > 0)?).ok()?
                    }
                    _ => return None,
                }
            }
            Expr::MethodCall(call) => self.exact_method(call)?,
            Expr::Cast(cast) => {
                let value = self.exact(&cast.expr)?;
                if let IntTy::Known(ty) = number {
                    static_eval::Scope::relies_on(&self.scopes, ty);
                }
                value
            }
            _ => return None,
        };
        self.fits(number, &value).then_some(value)
    }

    /// `a.min(b)`, `a.max(b)` and `a.saturating_sub(b)`.
    fn exact_method(&mut self, call: &ExprMethodCall) -> Option<SymInt> {
        let (Some(argument), 1, None) = (call.args.first(), call.args.len(), &call.turbofish) else {
            return None;
        };
        let own = self.number(&call.receiver)?.with(self.number(argument)?)?;
        let IntTy::Known(ty) = own else { return None };
        let (left, right) = (self.exact(&call.receiver)?, self.exact(argument)?);
        // The methods of a trait, which is in scope by the prelude alone.
        if let Some(name) = ["max", "min"].into_iter().find(|name| call.method == *name) {
            static_eval::Scope::relies_on_method(&self.scopes, name);
        }
        if call.method == "min" {
            Integer::min(&left, &right).ok()
        } else if call.method == "max" {
            Integer::max(&left, &right).ok()
        } else if call.method == "saturating_sub" && !ty.is_signed() {
            left.sub(&right).ok()?.at_least_zero().ok()
        } else {
            None
        }
    }

    fn is_at_least_zero(&self, value: &SymInt) -> bool {
        value.range().lo.is_some_and(|lo| lo >= 0) || self.facts().proves_nonneg(value)
    }

    /// Whether a value is one of a type, on every target.
    pub(in crate::bind) fn fits(&self, number: IntTy, value: &SymInt) -> bool {
        if number.holds(value.range()) {
            return true;
        }
        let IntTy::Known(ty) = number else { return false };
        let facts = self.facts();
        let mut symbols: Vec<Symbol> =
            facts.iter().flat_map(SymInt::symbols).chain(value.symbols()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let has_type = |symbol: &Symbol| self.integer_of(symbol) == Some(ty.name());
        let is_wide = ty.is_pointer_sized() || ty.bits() > 32;
        let proves = |room: Result<SymInt, _>| room.is_ok_and(|room: SymInt| facts.proves_nonneg(&room));
        // Every wide type has the values of an `i32`, or those that are not negative.
        let least = if ty.is_signed() { ty.min().max(i32::MIN.into()) as i64 } else { 0 };
        let above = proves(value.sub(&SymInt::constant(least)))
            || symbols.iter().any(|symbol| has_type(symbol) && proves(value.sub(&SymInt::symbol(symbol))));
        let below = |most: &SymInt, beyond: i64| {
            proves(most.sub(value).and_then(|room| room.add(&SymInt::constant(beyond))))
        };
        let beyond = if ty == IntType::Usize { BEYOND_EXTENT } else { 0 };
        above
            && (symbols.iter().any(|symbol| has_type(symbol) && below(&SymInt::symbol(symbol), 0))
                || is_wide && self.extents().iter().any(|extent| below(extent, beyond)))
    }

    /// The name of the integer type that a symbol's value has.
    fn integer_of(&self, symbol: &Symbol) -> Option<&'static str> {
        match &self.program.symbol(symbol).source {
            SymbolSource::Stable(_, name) => *name,
            SymbolSource::Loop(id) => match &self.program.loops[*id].kind {
                LoopKind::Range { number, .. } => *number,
                LoopKind::Index { .. } => None,
            },
            _ => None,
        }
    }

    /// The extents of the blocks in scope, which were found to fit `isize` where each begins.
    fn extents(&self) -> Vec<SymInt> {
        let here = self.position();
        let buffers = self.program.buffers.enumerated().filter(|(id, buffer)| {
            let converted = !matches!(buffer.memory, Memory::Pointer);
            converted && self.program.visible(self.program.allocated(*id), here)
        });
        let mut found: Vec<SymInt> = Vec::new();
        for extent in buffers.flat_map(|(_, buffer)| &buffer.space.extents) {
            if extent.as_constant().is_none() && !found.contains(extent) {
                found.push(extent.clone());
            }
        }
        found
    }
}
