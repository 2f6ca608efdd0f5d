//! `t.within(|p| ..)`: elements that a predicate excludes are outside of the view.

use std::rc::Rc;

use syn::{Expr, ExprMethodCall, Ident, Pat};

use crate::ir::{AccessKind, Hole, Predicate, ValueType, View};
use crate::surface::{self, TensorMethod, pattern};
use crate::symbolic::SymInt;

use crate::bind::Binder;

impl Binder<'_> {
    /// The view with the predicate as a closure, which every read asks where it runs.
    pub(in crate::bind) fn within(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<Rc<View>> {
        let [predicate] = self.arguments::<1>(call)?;
        let Expr::Closure(closure) = surface::strip_parens(predicate) else {
            self.diagnostics.error(
                predicate,
                "`within` takes a closure that is written out",
                TensorMethod::Within.usage(),
            );
            return None;
        };
        if base.within.is_some() {
            self.diagnostics.error(
                &call.method,
                "`within` is given twice for one view",
                "combine the conditions by `&&` in one closure",
            );
            return None;
        }
        if base.boundary.as_ref().is_some_and(|boundary| boundary.value().is_none()) {
            self.reject_fold(call);
            return None;
        }
        let rank = base.space.extents.len();
        let input = closure.inputs.first().filter(|_| closure.inputs.len() == 1);
        let point = input.and_then(pattern::simple).filter(|(_, _, mutable)| !mutable);
        let names = input.and_then(pattern::array).filter(|names| names.len() == rank);
        // `|_|` asks nothing about the index.
        let names = names.or_else(|| matches!(input, Some(Pat::Wild(_))).then(|| vec![None; rank]));
        let names: Vec<Option<Ident>> = match (point, names) {
            (Some((point, ..)), _) => self.point_variables(point, rank).into_iter().map(Some).collect(),
            (None, Some(names)) => {
                self.scopes.enter();
                names
            }
            (None, None) => {
                self.diagnostics.error(
                    &closure.inputs,
                    format!("`within` takes a closure over the index of `{}`, of rank {rank}", base.name),
                    "name the index, as in `|p|`, or its numbers, as in `|[y, x]|`",
                );
                return None;
            }
        };
        let mut written = closure.clone();
        written.inputs = names.iter().cloned().map(parameter).collect();
        // It is asked of what is inside of the block alone.
        let (value, panics) = self.totality(false, |binder| {
            binder.closure(&written, |binder| {
                let index = names.into_iter().map(|name| {
                    let name = name?;
                    binder.pure_index(&syn::parse_quote!(#name))
                });
                let index: Option<Vec<SymInt>> = index.collect();
                index.and_then(|index| binder.facts_inside(base, &index)).unwrap_or_default()
            })
        });
        self.scopes.leave();
        let calls = self.walk.closure_calls;
        let local = self.names.fresh(&format!("{}_within", base.name));
        // It may change what it captures.
        self.push(syn::parse_quote!(let mut #local = #value;));
        let predicate =
            Predicate { local, space: base.space.space.clone(), calls, is_total: panics.is_none() };
        Some(Rc::new(View { within: Some(Rc::new(predicate)), list: None, ..(**base).clone() }))
    }

    /// Reports rules other than a single value beside a predicate.
    pub(in crate::bind) fn reject_fold(&mut self, call: &ExprMethodCall) {
        self.diagnostics.error(
            &call.method,
            "`within` beside a boundary rule other than `Fill(value)`",
            "the element that such a rule finds may be excluded as well",
        );
    }

    /// The question whether an element that is read is not excluded.
    pub(in crate::bind) fn asked(
        &mut self,
        view: &View,
        index: &[SymInt],
        kind: AccessKind,
        tokens: &proc_macro2::TokenStream,
    ) -> Option<Expr> {
        if !matches!(kind, AccessKind::Read | AccessKind::Place | AccessKind::Get | AccessKind::Test) {
            return None;
        }
        let predicate = view.within.clone()?;
        let at = shim_core::Space::map(&view.space.space, &predicate.space, index);
        let at = self.report_location_error(at, tokens)?;
        let at: Vec<Expr> =
            at.into_iter().map(|at| self.program.hole(Hole::Value(at, ValueType::Isize))).collect();
        if !predicate.is_total {
            self.may_panic(tokens);
        }
        if !predicate.calls.is_transparent() {
            self.walk.effects.opaque();
        }
        if !predicate.calls.computes() {
            self.act(tokens);
        }
        let local = &predicate.local;
        Some(syn::parse_quote!(#local(#(#at),*)))
    }
}

/// A number of the index as a parameter of the closure.
fn parameter(name: Option<Ident>) -> Pat {
    let pattern: Pat = match name {
        Some(name) => Pat::Ident(syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: None,
            ident: name,
            subpat: None,
        }),
        None => Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: <syn::Token![_]>::default() }),
    };
    Pat::Type(syn::PatType {
        attrs: Vec::new(),
        pat: Box::new(pattern),
        colon_token: <syn::Token![:]>::default(),
        ty: Box::new(syn::parse_quote!(isize)),
    })
}
