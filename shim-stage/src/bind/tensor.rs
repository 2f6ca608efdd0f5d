//! Tensor expressions: blocks, the views made of them, and the questions they answer. No code is emitted for a
//! view; a block's memory and the values captured by a location become statements before the one being bound.

use std::rc::Rc;

use syn::Expr;

use crate::ir::View;
use crate::parse::surface::{self, Entry};

use super::{Binder, Binding};

impl Binder<'_> {
    /// Whether `expr` makes or names a tensor.
    pub(super) fn is_tensor(&self, expr: &Expr) -> bool {
        match surface::bare(expr) {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.is_tensor_name(name)),
            Expr::MethodCall(call) => {
                surface::VIEW_METHODS.iter().any(|name| call.method == name) && self.is_tensor(&call.receiver)
            }
            Expr::Index(index) => {
                self.is_tensor(&index.expr)
                    && match surface::index_list(index) {
                        Some(entries) => entries.iter().any(|entry| matches!(entry, Entry::Range(_))),
                        None => self.is_tensor(&index.index),
                    }
            }
            Expr::Call(call) => surface::block_constructor(&call.func).is_some(),
            Expr::Reference(reference) => self.is_tensor(&reference.expr),
            _ => false,
        }
    }

    /// The tensor that `expr` is, or `None` when something about it was reported. `hint` names what is new.
    pub(super) fn tensor(&mut self, expr: &Expr, hint: &str) -> Option<Rc<View>> {
        match surface::bare(expr) {
            Expr::Path(path) => {
                let name = path.path.get_ident()?;
                match self.scopes.get(name) {
                    Some(Binding::Tensor(view)) => Some(view.clone()),
                    _ => None,
                }
            }
            Expr::Reference(reference) => {
                self.diagnostics.error(
                    expr,
                    "a reference to a tensor",
                    "remove the `&`: a tensor is `Copy`, is passed by value, and is written all the same",
                );
                self.tensor(&reference.expr, hint)
            }
            Expr::Index(index) => {
                let base = self.tensor(&index.expr, hint)?;
                match surface::index_list(index) {
                    Some(entries) => self.partition(&base, &entries, index, hint),
                    None => {
                        let other = self.tensor(&index.index, hint)?;
                        self.colocate(&base, &other, index)
                    }
                }
            }
            Expr::Call(_) => self.block_expression(expr, hint),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                if is_placement(&name) {
                    return self.block_expression(expr, hint);
                }
                if name == "copied" {
                    return self.copied(call, hint);
                }
                let base = self.tensor(&call.receiver, hint)?;
                self.view(&base, call, &name, hint)
            }
            _ => None,
        }
    }
}

/// The methods that place a block before it is used.
pub(super) fn is_placement(name: &str) -> bool {
    matches!(name, "at" | "refined" | "coarsened" | "permuted" | "on_axes" | "strided")
}
