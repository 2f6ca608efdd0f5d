//! Tensor expressions: blocks, the views made of them, and the questions they answer. No code is emitted for a
//! view; a block's memory and the values captured by a location become statements before the one being bound.

use std::rc::Rc;

use syn::Expr;

use crate::ir::View;
use crate::surface::{MethodKind, TensorExpr, TensorMethod};

use crate::bind::kinds::template::Returned;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
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
