//! Choices between tensors that are decided at expansion.

use syn::{Expr, Pat, Stmt};

use crate::static_eval::{self, Value};
use crate::surface::{self, condition};

use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// What static conditions choose, and how many scopes were opened for what their patterns bind.
    pub(in crate::bind) fn static_choice<'e>(&mut self, expr: &'e Expr) -> (&'e Expr, usize) {
        let tail = |block: &'e syn::Block| match block.stmts.as_slice() {
            [Stmt::Expr(value, None)] => Some(value),
            _ => None,
        };
        let mut opened = 0;
        let taken = match surface::strip_parens(expr) {
            Expr::If(branch) => match static_eval::eval(&branch.cond, &self.scopes) {
                Ok(Some(Value::Bool(true))) => tail(&branch.then_branch),
                Ok(Some(Value::Bool(false))) => branch.else_branch.as_ref().map(|(_, other)| &**other),
                _ => None,
            },
            Expr::Match(choice) if self.gives_tensors(expr) => {
                let taken = self.chosen_arm(choice);
                opened = usize::from(taken.is_some());
                taken
            }
            Expr::Block(block) if block.label.is_none() => tail(&block.block),
            _ => None,
        };
        // A block that makes names of its own is no mere choice.
        match taken {
            Some(taken) if self.gives_tensors(taken) => {
                let (chosen, inside) = self.static_choice(taken);
                (chosen, opened + inside)
            }
            _ => {
                (0..opened).for_each(|_| self.scopes.leave());
                (expr, 0)
            }
        }
    }

    /// The arm that a static value takes, with what its pattern binds in a scope of its own that stays open.
    pub(in crate::bind) fn chosen_arm<'e>(&mut self, choice: &'e syn::ExprMatch) -> Option<&'e Expr> {
        let value = static_eval::eval(&choice.expr, &self.scopes).ok()??;
        for arm in &choice.arms {
            if arm.attrs.iter().any(condition::is_condition) {
                return None;
            }
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            let Some(bindings) = static_eval::matches(pattern, &value, &self.scopes).ok()?? else { continue };
            self.scopes.enter();
            for (name, value) in bindings {
                self.scopes.bind(&name, Binding::Static(value));
            }
            match guard.map(|guard| static_eval::eval(guard, &self.scopes)) {
                None | Some(Ok(Some(Value::Bool(true)))) => return Some(&arm.body),
                Some(Ok(Some(Value::Bool(false)))) => self.scopes.leave(),
                Some(_) => {
                    self.scopes.leave();
                    return None;
                }
            }
        }
        None
    }
}
