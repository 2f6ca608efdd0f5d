//! Operations on integers that wrap where the user's would panic.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{BinOp, Expr, ExprBinary, UnOp};

use super::{Emitter, parsed};

impl Emitter<'_> {
    /// An operation whose result wraps, see [`Hole::Overflowing`](crate::ir::Hole::Overflowing).
    pub(super) fn wrapping_operation(&self, operation: Expr) -> Expr {
        let rt = self.runtime;
        match operation {
            Expr::Binary(ExprBinary { left, op, right, .. }) => match method_of(&op) {
                Some((method, false)) => parsed(hygienic!(#rt.#method(#left, #right))),
                Some((method, true)) => {
                    let (value, place) = (&self.own.value, &self.own.place);
                    parsed(hygienic!({
                        let #value = #right;
                        let #place = &mut #left;
                        *#place = #rt.#method(*#place, #value);
                    }))
                }
                None => unreachable!("an operator that may wrap"),
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let operand = unary.expr;
                parsed(hygienic!(#rt.wrapping_neg(#operand)))
            }
            Expr::MethodCall(mut call) => {
                call.method = Ident::new(&format!("wrapping_{}", call.method), call.method.span());
                Expr::MethodCall(call)
            }
            _ => unreachable!("an operation that may wrap"),
        }
    }
}

/// The method of the runtime that does what an operator does, and whether it assigns.
fn method_of(op: &BinOp) -> Option<(Ident, bool)> {
    let (name, assigns) = match op {
        BinOp::Add(_) => ("add", false),
        BinOp::Sub(_) => ("sub", false),
        BinOp::Mul(_) => ("mul", false),
        BinOp::AddAssign(_) => ("add", true),
        BinOp::SubAssign(_) => ("sub", true),
        BinOp::MulAssign(_) => ("mul", true),
        _ => return None,
    };
    Some((format_ident!("wrapping_{name}"), assigns))
}
