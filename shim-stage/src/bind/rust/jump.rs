//! Expressions that leave: `return`, `break`, `continue` and `?`.

use syn::Expr;

use crate::bind::Binder;

impl Binder<'_> {
    pub(in crate::bind) fn leaving(&mut self, expr: &Expr) -> Expr {
        let result = match expr {
            Expr::Return(leave) => {
                let value = leave.expr.as_ref().map(|value| self.expression(value));
                match self.return_label() {
                    Some(label) => Self::leave_template(&label, value),
                    None => {
                        let mut result = leave.clone();
                        result.expr = value.map(Box::new);
                        Expr::Return(result)
                    }
                }
            }
            Expr::Break(leave) => {
                let mut result = leave.clone();
                result.expr = leave.expr.as_ref().map(|value| Box::new(self.expression(value)));
                match self.jump(leave.label.as_ref(), true) {
                    Ok(label) => result.label = label,
                    Err(what) => self.no_loop(expr, "break", what),
                }
                Expr::Break(result)
            }
            Expr::Continue(next) => {
                match self.jump(next.label.as_ref(), false) {
                    Ok(staged) if staged != next.label => {
                        // One step of a staged loop is a labeled block: to continue is to leave it.
                        syn::parse_quote!(break #staged)
                    }
                    Ok(_) => expr.clone(),
                    Err(what) => {
                        self.no_loop(expr, "continue", what);
                        expr.clone()
                    }
                }
            }
            Expr::Try(question) => {
                let value = self.expression(&question.expr);
                match self.return_label() {
                    Some(label) => {
                        let rt = self.runtime.clone();
                        syn::parse_quote! {
                            match #rt.branch(#value) {
                                ::core::ops::ControlFlow::Continue(value) => value,
                                ::core::ops::ControlFlow::Break(residual) => {
                                    break #label #rt.from_residual(residual)
                                }
                            }
                        }
                    }
                    None => {
                        let mut result = question.clone();
                        result.expr = Box::new(value);
                        Expr::Try(result)
                    }
                }
            }
            _ => expr.clone(),
        };
        // What is given runs before the jump.
        if matches!(expr, Expr::Break(_)) {
            self.walk.effects.jump();
        }
        self.walk.effects.opaque();
        result
    }

    /// A jump that would leave more than it can see.
    fn no_loop(&mut self, jump: &Expr, name: &str, inside: &str) {
        self.diagnostics.error(
            jump,
            format!("`{name}` outside of a loop of this {inside}"),
            "it cannot reach the loop around its caller; `return` leaves it early",
        );
    }
}
