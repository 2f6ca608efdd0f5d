//! Operators: comparisons of indices, lazy conditions, compound assignments.

use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, UnOp};

use crate::fixed::{self, Value};
use crate::ir::AccessKind;
use crate::parse::signature::is_number;
use crate::parse::surface;

use super::{Binder, Binding, compare};

impl Binder<'_> {
    pub(super) fn binary(&mut self, binary: &ExprBinary) -> Expr {
        if compare::is_comparison(&binary.op)
            && let Some(test) = self.comparison(&binary.left, binary.op, &binary.right)
        {
            return test;
        }
        let mut result = binary.clone();
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                if let Some(decided) = self.short_circuit(binary) {
                    return decided;
                }
                let truth = matches!(binary.op, BinOp::And(_));
                result.left = Box::new(self.expression(&binary.left));
                if contains_let(&binary.right) || contains_let(&binary.left) {
                    // What a `let` binds must stay in scope for what follows in the chain.
                    self.opaque();
                    result.right = Box::new(self.expression(&binary.right));
                } else {
                    let facts = self.facts_of(&binary.left, truth);
                    result.right = Box::new(self.arm(&binary.right, facts));
                }
                return Expr::Binary(result);
            }
            op if is_assigning(&op) => {
                if self.is_tensor(&binary.left) {
                    return self.tensor_assigned(&binary.left);
                }
                if self.is_elementwise(&binary.left) {
                    return self.elementwise_value(&binary.left, Some(op), &binary.right);
                }
                if let Expr::Index(index) = surface::bare(&binary.left)
                    && self.is_access(index)
                {
                    return self.assign(index, Some(op), &binary.right);
                }
                result.right = Box::new(self.expression(&binary.right));
                result.left = Box::new(self.place(&binary.left, AccessKind::PlaceMut));
                return Expr::Binary(result);
            }
            _ => {}
        }
        if let (BinOp::Mul(_), Expr::Unary(unary)) = (&binary.op, &*binary.right)
            && matches!(unary.op, UnOp::Deref(_))
            && self.is_certainly_number(&unary.expr)
        {
            let exponent = match surface::bare(&unary.expr) {
                short @ (Expr::Lit(_) | Expr::Path(_)) => short.to_token_stream().to_string(),
                _ => "n".to_owned(),
            };
            let help = format!(
                "Rust reads `a * (*{exponent})`: write `a.pow({exponent})`, whose exponent is a `u32`"
            );
            self.diagnostics.error(binary, "`**` is no operator of Rust", help);
            return super::access::unreachable_value();
        }
        if self.is_tensor(&binary.left) || self.is_tensor(&binary.right) {
            return self.tensor_in_arithmetic(&Expr::Binary(binary.clone()));
        }
        result.left = Box::new(self.expression(&binary.left));
        result.right = Box::new(self.expression(&binary.right));
        Expr::Binary(result)
    }

    /// `&&` and `||` with a static side: that side is gone, or decides.
    fn short_circuit(&mut self, binary: &ExprBinary) -> Option<Expr> {
        let and = matches!(binary.op, BinOp::And(_));
        let Ok(Some(Value::Bool(left))) = fixed::eval(&binary.left, &self.scopes) else { return None };
        // `true && x` and `false || x` are x; the others are decided.
        Some(if left == and { self.expression(&binary.right) } else { syn::parse_quote!(#left) })
    }

    /// Whether nothing but a number can stand here.
    fn is_certainly_number(&self, expr: &Expr) -> bool {
        match surface::bare(expr) {
            Expr::Lit(_) => true,
            Expr::Index(index) => self.is_access(index),
            Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| match self.scopes.get(&name.to_string()) {
                    Some(
                        Binding::Static(_) | Binding::Index { reference: false, .. } | Binding::Iterator,
                    ) => true,
                    Some(Binding::Local(local)) => local.ty.as_ref().is_some_and(is_number),
                    _ => false,
                })
            }
            _ => false,
        }
    }
}

/// Whether an operand of a condition is a `let`.
pub(super) fn contains_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => contains_let(&binary.left) || contains_let(&binary.right),
        Expr::Paren(inner) => contains_let(&inner.expr),
        Expr::Group(inner) => contains_let(&inner.expr),
        _ => false,
    }
}

pub(super) fn is_assigning(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
