//! A note on loop variables that a `let` decrements below zero.
//!
//! `t[[y - 1, x]]` is exact, and -1 an index. `let above = y - 1;` is Rust's arithmetic: with an unsigned `y` it
//! overflows in the first iteration, whatever boundary rule the tensor has.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, Stmt};

use crate::hygiene;
use crate::surface;
use crate::syntax::visit::{self, Visit};

/// The decrements in `let`s that run in each iteration of the body `stmts`, and are negative where `variable` is
/// `least`.
pub(in crate::bind) fn decrements(stmts: &[Stmt], variable: &Ident, least: i128) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    collect(stmts, variable, least, &mut found);
    found
}

/// Whether all of `stmts` run: nothing leaves them early, as far as is seen.
fn collect(stmts: &[Stmt], variable: &Ident, least: i128, found: &mut Vec<(Span, String)>) -> bool {
    for stmt in stmts {
        if let Stmt::Local(local) = stmt
            && let Some(init) = &local.init
        {
            if let Expr::Binary(difference) = surface::strip_parens(&init.expr)
                && matches!(difference.op, BinOp::Sub(_))
                && surface::ident(&difference.left).is_some_and(|name| hygiene::same(name, variable))
                && let Some(by) = integer(&difference.right)
                && least < by
            {
                found.push((init.expr.span(), format!("{variable} - {by}")));
            }
            if binds(&local.pat, variable) {
                return false;
            }
        }
        if let Stmt::Expr(Expr::ForLoop(inner), _) = stmt {
            // The inner loop may be empty, but the difference overflows whenever it runs.
            if binds(&inner.pat, variable) || !collect(&inner.body.stmts, variable, least, found) {
                return false;
            }
        } else if leaves(stmt) {
            return false;
        }
    }
    true
}

/// Whether a statement may leave the iteration.
fn leaves(stmt: &Stmt) -> bool {
    struct LeavesIteration(bool);
    impl<'ast> Visit<'ast> for LeavesIteration {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= matches!(
                expr,
                Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) | Expr::Try(_) | Expr::Macro(_)
            );
            visit::visit_expr(self, expr);
        }
        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            self.0 = true;
        }
    }
    let mut leaves = LeavesIteration(false);
    leaves.visit_stmt(stmt);
    leaves.0
}

fn binds(pattern: &syn::Pat, variable: &Ident) -> bool {
    hygiene::bound_names(pattern).iter().any(|name| hygiene::same(name, variable))
}

fn integer(expr: &Expr) -> Option<i128> {
    match surface::strip_parens(expr) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
