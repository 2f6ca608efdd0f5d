//! Visits of function bodies that know which names are in scope.

use syn::{Expr, Pat};

use crate::syntax::visit::Visit;

/// What a pattern takes apart.
#[derive(Clone, Copy)]
pub(crate) enum PatternOrigin<'e> {
    /// The value of this expression.
    Value(&'e Expr),
    /// The items of this iterator.
    Items(&'e Expr),
    /// Something that is not known here: a parameter of a closure, the scrutinee of a `match`.
    Unknown,
}

/// A visitor with scopes. [`scoped!`] writes the methods of [`Visit`] for the expressions that have one.
pub(crate) trait Scoped: for<'ast> Visit<'ast> {
    /// A scope begins inside the current one.
    fn enter(&mut self);

    /// The innermost scope ends.
    fn leave(&mut self);

    /// The names of a pattern come into the innermost scope.
    fn bind(&mut self, pattern: &Pat, from: PatternOrigin<'_>);

    /// What is visited here has a scope of its own.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        self.enter();
        visit(self);
        self.leave();
    }
}

/// The methods of `Visit` for everything but blocks that binds names, of a visitor that is [`Scoped`].
macro_rules! scoped {
    ($ast:lifetime) => {
        fn visit_local(&mut self, local: &$ast syn::Local) {
            let Some(init) = &local.init else { return self.bind(&local.pat, PatternOrigin::Unknown) };
            self.visit_local_init(init);
            self.bind(&local.pat, PatternOrigin::Value(&init.expr));
        }

        fn visit_expr_let(&mut self, condition: &$ast syn::ExprLet) {
            self.visit_expr(&condition.expr);
            self.bind(&condition.pat, PatternOrigin::Value(&condition.expr));
        }

        fn visit_expr_closure(&mut self, closure: &$ast syn::ExprClosure) {
            self.within(|scan| {
                closure.inputs.iter().for_each(|input| scan.bind(input, PatternOrigin::Unknown));
                scan.visit_return_type(&closure.output);
                scan.visit_expr(&closure.body);
            });
        }

        fn visit_expr_for_loop(&mut self, for_loop: &$ast syn::ExprForLoop) {
            self.visit_expr(&for_loop.expr);
            self.within(|scan| {
                scan.bind(&for_loop.pat, PatternOrigin::Items(&for_loop.expr));
                scan.visit_block(&for_loop.body);
            });
        }

        fn visit_expr_if(&mut self, branch: &$ast syn::ExprIf) {
            self.within(|scan| {
                scan.visit_expr(&branch.cond);
                scan.visit_block(&branch.then_branch);
            });
            if let Some((_, other)) = &branch.else_branch {
                self.visit_expr(other);
            }
        }

        fn visit_expr_while(&mut self, for_loop: &$ast syn::ExprWhile) {
            self.within(|scan| crate::syntax::visit::visit_expr_while(scan, for_loop));
        }

        fn visit_arm(&mut self, arm: &$ast syn::Arm) {
            self.within(|scan| {
                scan.bind(&arm.pat, PatternOrigin::Unknown);
                crate::syntax::visit::visit_arm(scan, arm);
            });
        }
    };
}
pub(crate) use scoped;
