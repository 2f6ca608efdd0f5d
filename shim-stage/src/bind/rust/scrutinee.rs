//! Choices between tensors whose scrutinee may hold temporaries.
//!
//! Rust drops the temporaries of `match *lock.lock().unwrap() { .. }` at the end of the `let` that it is the value of.
//! What follows the `let` is staged inside of the `match`, where they would still be alive. So such a `match` decides
//! first, and gives the names that its arms need; the choice is then between the results:
//!
//! ```text
//! let t = match lock() { A(n) => a[[n..]], _ => b };   =>   let taken = match lock() { A(n) => Ok((n,)), _ => Err(()) };
//!                                                           let t = match taken { Ok((n,)) => a[[n..]], Err(()) => b };
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Arm, Expr, ExprIf, ExprMatch, Ident};

use crate::hygiene;
use crate::hygiene::PatternNames;
use crate::static_eval;
use crate::surface::{self, condition};
use crate::syntax::visit::Visit;

use crate::bind::Binder;
use crate::bind::rust::dispatch::leaves;
use crate::surface::contains_let;

impl Binder<'_> {
    /// A `match` that chooses a tensor, over a scrutinee without temporaries.
    pub(in crate::bind) fn without_temporaries(&mut self, matching: &ExprMatch) -> Option<ExprMatch> {
        if !self.may_hold_temporaries(&matching.expr) {
            return Some(matching.clone());
        }
        let case = |arm: &Arm| Case::new(&arm.body, |bound| bound.visit_pat(&arm.pat));
        let cases: Vec<Case> = matching.arms.iter().map(case).collect();
        if let Some(arm) = matching.arms.iter().find(|arm| arm.attrs.iter().any(condition::is_condition)) {
            self.diagnostics.error(
                arm,
                "an arm under `cfg` in a choice of tensors by a value that is not a variable",
                "bind the value to a variable before the `match`",
            );
            return None;
        }
        let chosen = self.choice_of(&cases)?;
        let mut decision = matching.clone();
        for (arm, case) in decision.arms.iter_mut().zip(&cases) {
            if let Some(value) = case.given(&cases) {
                *arm.body = value;
                arm.comma.get_or_insert_with(Default::default);
            }
        }
        Some(self.decide(&Expr::Match(decision), chosen))
    }

    /// The same for an `if let`; an `if` without `let` drops the temporaries of its condition before the branches.
    pub(in crate::bind) fn if_without_temporaries(
        &mut self,
        branch: &ExprIf,
        otherwise: &Expr,
    ) -> Option<ExprMatch> {
        if !contains_let(&branch.cond) || !self.may_hold_temporaries(&branch.cond) {
            return None;
        }
        let then =
            Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: branch.then_branch.clone() });
        let then = Case::new(&then, |bound| bound.visit_expr(&branch.cond));
        // Temporaries of the condition are dropped before the `else`.
        let cases = [then, Case { nested: false, ..Case::new(otherwise, |_| {}) }];
        let chosen = self.choice_of(&cases)?;
        let mut decision = branch.clone();
        let [then, otherwise] = [0, 1].map(|at: usize| {
            let value = cases[at].given(&cases);
            value.unwrap_or_else(|| cases[at].body.clone())
        });
        decision.then_branch = syn::parse_quote!({ #then });
        decision.else_branch = Some((syn::token::Else::default(), syn::parse_quote!({ #otherwise })));
        Some(self.decide(&Expr::If(decision), chosen))
    }

    /// Binds what a choice is decided by, and gives the choice.
    fn decide(&mut self, decision: &Expr, arms: Vec<Arm>) -> ExprMatch {
        let taken = self.names.fresh("taken");
        let value = self.expression(decision);
        self.push(syn::parse_quote!(let #taken = #value;));
        syn::parse_quote!(match #taken { #(#arms)* })
    }

    /// The arms of the choice between the cases that go on.
    fn choice_of(&mut self, cases: &[Case]) -> Option<Vec<Arm>> {
        if let Some(case) = cases.iter().find(|case| case.nested) {
            self.diagnostics.error(
                &case.body,
                "a choice of tensors inside of one whose value may hold temporaries",
                "bind the value of the outer choice to a variable first",
            );
            return None;
        }
        let arms = cases.iter().filter_map(|case| {
            let (pattern, body) = (case.given(cases)?, &case.body);
            Some(syn::parse_quote!(#pattern => #body,))
        });
        Some(arms.collect())
    }

    /// Whether temporaries of `expr` may have a destructor. Variables, their fields, and numbers have none.
    fn may_hold_temporaries(&self, expr: &Expr) -> bool {
        let any = |parts: &[&Expr]| parts.iter().any(|part| self.may_hold_temporaries(part));
        if self.number(expr).is_some() || matches!(static_eval::eval(expr, &self.scopes), Ok(Some(_))) {
            return false;
        }
        match surface::strip_parens(expr) {
            Expr::Path(_) | Expr::Lit(_) => false,
            Expr::Field(field) => any(&[&field.base]),
            Expr::Reference(reference) => any(&[&reference.expr]),
            Expr::Unary(unary) => any(&[&unary.expr]),
            Expr::Cast(cast) => any(&[&cast.expr]),
            Expr::Let(condition) => any(&[&condition.expr]),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.may_hold_temporaries(part)),
            Expr::Binary(binary) => {
                let logical = matches!(binary.op, syn::BinOp::And(_) | syn::BinOp::Or(_));
                let numbers = [&binary.left, &binary.right].iter().all(|part| self.number(part).is_some());
                !(logical || numbers) || any(&[&binary.left, &binary.right])
            }
            Expr::Index(index) if self.is_tensor(&index.expr) => self.may_hold_temporaries(&index.index),
            Expr::Array(list) => list.elems.iter().any(|part| self.may_hold_temporaries(part)),
            Expr::MethodCall(call) if self.is_tensor(&call.receiver) => {
                call.args.iter().any(|part| self.may_hold_temporaries(part))
            }
            _ => true,
        }
    }
}

/// A case of a choice.
struct Case {
    body: Expr,
    /// The names that it binds and its body mentions.
    names: Vec<Ident>,
    /// Whether it chooses again.
    nested: bool,
}

/// The names that the patterns bind that `visit` visits, each once, without constants, which are spelled with a
/// capital.
pub(in crate::bind) fn bound(visit: impl FnOnce(&mut PatternNames)) -> Vec<Ident> {
    let mut names: Vec<Ident> = Vec::new();
    for name in PatternNames::of(visit) {
        let known = names.iter().any(|known| hygiene::same(known, &name));
        if !known && !hygiene::text(&name).starts_with(char::is_uppercase) {
            names.push(name);
        }
    }
    names
}

impl Case {
    fn new(body: &Expr, visit: impl FnOnce(&mut PatternNames)) -> Self {
        let mentioned = hygiene::word_set(body.to_token_stream());
        let names =
            bound(visit).into_iter().filter(|name| mentioned.contains(&hygiene::text(name))).collect();
        let nested = surface::branches(body).len() > 1 && !leaves(body);
        Case { body: body.clone(), names, nested }
    }

    /// The names under the number of the case, as an expression and as a pattern; `None` if it leaves the block.
    fn given(&self, cases: &[Case]) -> Option<Expr> {
        if leaves(&self.body) {
            return None;
        }
        let names = &self.names;
        let names = quote!((#(#names,)*));
        let going: Vec<&Case> = cases.iter().filter(|case| !leaves(&case.body)).collect();
        let at = going.iter().position(|case| std::ptr::eq(*case, self))?;
        let first = |inner: TokenStream| quote!(::core::result::Result::Ok(#inner));
        let other = |inner: TokenStream| quote!(::core::result::Result::Err(#inner));
        let last = at + 1 == going.len();
        let innermost = if last { names } else { first(names) };
        syn::parse2((0..at).fold(innermost, |inner, _| other(inner))).ok()
    }
}
