//! The order of evaluation. What an anonymous view captures is evaluated where the view stands in its statement.
//!
//! Captures are statements. Before the statement that mentions the view they would run too early if something in front
//! of the view has an effect on them, or they on it: `[next(), t[[next()..]][[0]]]`. Such an expression gets a body of
//! its own.

use syn::{Expr, UnOp};

use crate::hygiene;
use crate::ir::{Hole, RegionKind};
use crate::surface::{self, TensorMethod};
use crate::syntax::visit::{self, Visit};

use crate::bind::names::purity;
use crate::bind::{Binder, Binding};

/// What evaluating an expression depends on and does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Evaluation {
    /// The value is the same at any point of the scope.
    Stable,
    /// Reads what may change.
    Reads,
    /// May change something.
    Acts,
}

impl Binder<'_> {
    /// Binds a use of tensors by `bind`: a value or a place.
    pub(in crate::bind) fn in_order(
        &mut self,
        tensors: &[&Expr],
        bind: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        if tensors.iter().all(|tensor| self.may_be_early(tensor)) {
            return bind(self);
        }
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            let value = bind(binder);
            binder.push(syn::Stmt::Expr(value, None));
        });
        self.program.hole(Hole::Place(body))
    }

    /// Whether what `tensor` captures has the same value before the statement.
    pub(in crate::bind) fn may_be_early(&self, tensor: &Expr) -> bool {
        match self.evaluation(tensor) {
            Evaluation::Stable => true,
            Evaluation::Reads => self.walk.is_statement_quiet(),
            Evaluation::Acts => false,
        }
    }

    /// Whether `expr` has the same value wherever it is evaluated in its scope.
    pub(in crate::bind) fn is_stable(&self, expr: &Expr) -> bool {
        self.evaluation(expr) == Evaluation::Stable
    }

    fn evaluation(&self, expr: &Expr) -> Evaluation {
        let mut evaluated = Evaluated { binder: self, found: Evaluation::Stable };
        evaluated.visit_expr(expr);
        evaluated.found
    }
}

struct Evaluated<'b, 'a> {
    binder: &'b Binder<'a>,
    found: Evaluation,
}

impl Evaluated<'_, '_> {
    fn found(&mut self, evaluation: Evaluation) {
        self.found = self.found.max(evaluation);
    }
}

impl<'ast> Visit<'ast> for Evaluated<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Lit(_) | Expr::Const(_) | Expr::Infer(_) => return,
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident() else { return };
                match self.binder.scopes.get(name) {
                    Some(Binding::Local(local)) if !local.is_unchanging() => self.found(Evaluation::Reads),
                    // A local of the expression's own, or one that a macro of the user's made.
                    None if hygiene::text(name).starts_with(char::is_lowercase) => {
                        self.found(Evaluation::Reads);
                    }
                    _ => {}
                }
                return;
            }
            Expr::Index(index) if self.binder.is_tensor(expr) => {
                // A part of a tensor, or the place of another tensor in it.
                self.visit_expr(&index.expr);
                return self.visit_expr(&index.index);
            }
            Expr::Index(_) | Expr::Field(_) => self.found(Evaluation::Reads),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.found(Evaluation::Reads),
            Expr::Array(_)
            | Expr::Tuple(_)
            | Expr::Range(_)
            | Expr::Unary(_)
            | Expr::Cast(_)
            | Expr::Paren(_)
            | Expr::Group(_)
            | Expr::Repeat(_)
            | Expr::Reference(_) => {}
            Expr::Binary(binary) if !surface::is_assigning(&binary.op) => {}
            Expr::MethodCall(call) => match self.binder.tensor_method(call) {
                Some(
                    TensorMethod::ToBlock
                    | TensorMethod::ToStack
                    | TensorMethod::Copied
                    | TensorMethod::Contains
                    | TensorMethod::Offset
                    | TensorMethod::Get
                    | TensorMethod::List
                    | TensorMethod::ListFrom
                    | TensorMethod::Len,
                ) => {
                    self.found(Evaluation::Reads);
                }
                Some(method) if method.changes_length() => self.found(Evaluation::Acts),
                Some(_) => {}
                None if purity::method(&call.method) => self.found(Evaluation::Reads),
                // `(a..b).step_by(k)` of an index list.
                None if call.method == "step_by" => {}
                None => self.found(Evaluation::Acts),
            },
            Expr::Call(call) => {
                if self.binder.is_tensor(expr) {
                    self.found(Evaluation::Reads);
                    return call.args.iter().for_each(|argument| self.visit_expr(argument));
                }
                let fill = matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Fill"));
                if !fill && !purity::function(call) {
                    self.found(Evaluation::Acts);
                }
                return call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            // It runs later, and borrows or takes its values now.
            Expr::Closure(_) => return self.found(Evaluation::Reads),
            Expr::Block(_) | Expr::If(_) | Expr::Let(_) | Expr::Match(_) | Expr::Struct(_) => {
                self.found(Evaluation::Reads);
            }
            _ => self.found(Evaluation::Acts),
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.found(Evaluation::Acts);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
