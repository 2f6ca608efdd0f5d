//! The constants among the statements of a block.

use syn::{Item, Stmt};

use crate::static_eval::{self, Value};
use crate::surface::condition;

use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// Items are in scope in the whole block, whatever their order: of themselves, too.
    pub(in crate::bind) fn constants(&mut self, statements: &[Stmt]) {
        let mut pending = Vec::new();
        for statement in statements {
            if let Stmt::Item(item @ Item::Const(constant)) = statement {
                let ty = (*constant.ty).clone();
                self.bind_local(&constant.ident, &constant.ident, false, Some(ty));
                if !condition::is_conditional(item) {
                    pending.push(constant);
                }
            }
        }
        loop {
            let count = pending.len();
            pending.retain(|constant| !self.constant(constant));
            if pending.len() == count {
                break;
            }
        }
    }

    /// Binds the value of a constant; says whether that is decided.
    pub(in crate::bind) fn constant(&mut self, item: &syn::ItemConst) -> bool {
        match static_eval::eval_as(&item.expr, &item.ty, &self.scopes) {
            Ok(Some(value @ (Value::Int(_) | Value::Bool(_)))) => {
                self.scopes.bind(&item.ident, Binding::Static(value));
            }
            Ok(Some(value)) => self.scopes.bind(&item.ident, Binding::Table(value, item.ident.clone())),
            Ok(None) => return false,
            Err(error) => {
                self.diagnostics.push(error);
                self.scopes.bind(&item.ident, Binding::Broken);
            }
        }
        true
    }
}
