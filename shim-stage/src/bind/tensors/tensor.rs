//! Tensor expressions: blocks, the views made of them, and the questions they answer. No code is emitted for a
//! view; a block's memory and the values captured by a location become statements before the one being bound.

use std::rc::Rc;

use syn::{Expr, ExprMethodCall};

use crate::ir::View;
use crate::link::Output;
use crate::surface::{self, MethodKind, TensorExpr, TensorMethod, TensorNames};

use crate::bind::templates::returned::Returned;
use crate::bind::{Binder, Binding};

impl TensorNames for Binder<'_> {
    fn is_tensor(&self, name: &syn::Ident) -> bool {
        self.is_tensor_name(name)
    }

    fn gives_tensor(&self, call: &syn::ExprCall) -> bool {
        self.call_output(call) == Output::Tensor
    }
}

impl Binder<'_> {
    /// The tensor expression that `expr` is.
    fn tensor_expr<'e>(&self, expr: &'e Expr) -> Option<TensorExpr<'e>> {
        TensorExpr::of(expr, self)
    }

    /// Whether `expr` makes or names a tensor.
    pub(in crate::bind) fn is_tensor(&self, expr: &Expr) -> bool {
        self.tensor_expr(expr).is_some()
    }

    /// Whether `expr` is a tensor without elements.
    pub(in crate::bind) fn is_place_expr(&self, expr: &Expr) -> bool {
        let named = |name: &syn::Ident| match self.scopes.get(name) {
            Some(Binding::Tensor(view)) => self.is_place(view),
            _ => false,
        };
        surface::is_place(expr, &named)
    }

    /// Whether `expr` is a tensor that is no place. A place is a value as well.
    pub(in crate::bind) fn has_elements(&self, expr: &Expr) -> bool {
        self.is_tensor(expr) && !self.is_place_expr(expr)
    }

    /// The method that a call is, if it is one of a tensor.
    pub(in crate::bind) fn tensor_method(&self, call: &ExprMethodCall) -> Option<TensorMethod> {
        TensorMethod::of(&call.method).filter(|_| self.is_tensor(&call.receiver))
    }

    /// The tensor that `expr` is, or `None` when something about it was reported. `hint` names what is new.
    pub(in crate::bind) fn tensor(&mut self, expr: &Expr, hint: &str) -> Option<Rc<View>> {
        match self.tensor_expr(expr)? {
            TensorExpr::Name(name) => match self.scopes.get(name) {
                Some(Binding::Tensor(view)) => Some(view.clone()),
                _ => None,
            },
            TensorExpr::Reference(reference) => {
                self.diagnostics.error(
                    expr,
                    "a tensor cannot be borrowed",
                    "remove the `&`: a tensor is `Copy`, is passed by value, and is written all the same",
                );
                self.tensor(&reference.expr, hint)
            }
            TensorExpr::Partition(index, entries) => {
                let base = self.tensor(&index.expr, hint)?;
                self.partition(&base, &entries, index, hint)
            }
            TensorExpr::Colocation(index) => {
                let base = self.tensor(&index.expr, hint)?;
                let other = self.tensor(&index.index, hint)?;
                self.colocate(&base, &other, index)
            }
            TensorExpr::Block(..) => self.block_expression(expr, hint),
            TensorExpr::Call(call) => match self.returned(call, hint)?.pop()? {
                Returned::Tensor(view) => view,
                Returned::Value(_) => None,
            },
            TensorExpr::Method(TensorMethod::Copied, call) => self.copied(call, hint),
            TensorExpr::Method(method, call) => {
                if method.kind() == MethodKind::Placement {
                    return self.block_expression(expr, hint);
                }
                let base = self.tensor(&call.receiver, hint)?;
                self.view(&base, call, method, hint)
            }
        }
    }
}
