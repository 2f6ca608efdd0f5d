//! Closures that a `let` binds, written where they are called.
//!
//! `let row = |y: i32| t[[y, x - 1]] + t[[y, x]];` is a function of the user's. What its parameters are is not known in
//! the closure, so that each access is tested there; in the place of a call the arguments are expressions of that
//! place, and locations as anywhere else. A call is replaced where every name in the closure means what it meant where
//! the closure was made, and nothing in it leaves the closure early.

use std::rc::Rc;

use quote::ToTokens as _;
use syn::{Expr, ExprClosure, Ident, Pat, Stmt, Type, parse_quote};

use crate::hygiene;
use crate::static_eval::{self, IntType};
use crate::syntax::visit::{self, Visit};

use crate::bind::names::local::Inlined;
use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding};
use crate::surface::pattern;

/// The most names in a closure that is written where it is called.
const MOST: usize = 512;

impl Binder<'_> {
    /// Notes a closure that a new local without `mut` is, if it may be written where it is called.
    pub(in crate::bind) fn note_closure(&mut self, name: &Ident, init: &Expr, is_total: bool) {
        let Expr::Closure(closure) = crate::surface::strip_parens(init) else { return };
        let Some(parameters) = parameters(closure) else { return };
        let names = hygiene::identifiers(closure.body.to_token_stream());
        let names: Vec<Ident> =
            names.filter(|name| !parameters.iter().any(|(own, _)| hygiene::same(own, name))).collect();
        if leaves(&closure.body) || names.len() > MOST {
            return;
        }
        let names = names.into_iter().map(|name| (name.clone(), self.meaning(&name))).collect();
        let body = (*closure.body).clone();
        if let Some(Binding::Local(local)) = self.scopes.get_mut(name) {
            local.closure = Some(Rc::new(Inlined { parameters, body, names, is_total }));
        }
    }

    /// The body of a closure with the arguments of a call, if the call may be replaced.
    pub(in crate::bind) fn inlined(&mut self, closure: &Inlined, call: &syn::ExprCall) -> Option<Expr> {
        let Inlined { parameters, body, .. } = closure;
        if !self.is_inlined(closure, call) {
            return None;
        }
        let mut arguments: Vec<Stmt> = Vec::new();
        let mut bound: Vec<Stmt> = Vec::new();
        for (argument, (name, ty)) in call.args.iter().zip(parameters) {
            let own = self.names.fresh(&name.to_string());
            let known = self.index_expr(argument, None);
            // The variable of a loop over indices stays one.
            arguments.push(if known.varies && known.only && ty.to_token_stream().to_string() == "i32" {
                static_eval::Scope::relies_on(&self.scopes, IntType::I32);
                parse_quote!(let #own = #argument;)
            } else {
                parse_quote!(let #own: #ty = #argument;)
            });
            bound.push(parse_quote!(let #name = #own;));
        }
        self.templates.inlined_calls += 1;
        // The borrows of the closure last as long as it is called.
        let function = &call.func;
        Some(parse_quote!({ let _ = &#function; #(#arguments)* #(#bound)* #body }))
    }
}

/// The parameters of a closure that captures by reference, if all are names of primitive types that are written.
fn parameters(closure: &ExprClosure) -> Option<Vec<(Ident, Type)>> {
    let plain = closure.attrs.is_empty()
        && closure.lifetimes.is_none()
        && closure.constness.is_none()
        && closure.asyncness.is_none()
        && closure.capture.is_none()
        && matches!(closure.output, syn::ReturnType::Default);
    let parameter = |input: &Pat| match pattern::simple(input)? {
        (name, Some(ty), false) => Primitive::of_type(ty).map(|_| (name.clone(), ty.clone())),
        _ => None,
    };
    plain.then(|| closure.inputs.iter().map(parameter).collect()).flatten()
}

/// Whether something in a closure's body may leave it, or is not understood.
fn leaves(body: &Expr) -> bool {
    struct LeavesClosure(bool);
    impl<'ast> Visit<'ast> for LeavesClosure {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= matches!(
                expr,
                Expr::Return(_)
                    | Expr::Try(_)
                    | Expr::Macro(_)
                    | Expr::Closure(_)
                    | Expr::Await(_)
                    | Expr::Unsafe(_)
            );
            visit::visit_expr(self, expr);
        }

        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            self.0 = true;
        }

        fn visit_item(&mut self, _: &'ast syn::Item) {
            self.0 = true;
        }
    }
    let mut leaves = LeavesClosure(false);
    leaves.visit_expr(body);
    leaves.0
}
