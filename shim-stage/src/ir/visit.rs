//! The holes of syntax trees.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Macro, Stmt};

use super::{HoleId, Program};

/// Replaces the holes in an expression.
pub(crate) fn replace_in_expr(expr: &mut Expr, replace: &mut dyn FnMut(HoleId) -> Expr) {
    Replace(replace).visit_expr_mut(expr);
}

/// Replaces the holes in a statement.
pub(crate) fn replace_in_stmt(statement: &mut Stmt, replace: &mut dyn FnMut(HoleId) -> Expr) {
    Replace(replace).visit_stmt_mut(statement);
}

/// Replaces the holes in tokens, those of a macro for example.
pub(crate) fn replace_in_tokens(
    tokens: TokenStream,
    replace: &mut dyn FnMut(HoleId) -> TokenStream,
) -> TokenStream {
    let mut replaced = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => match Program::hole_named(&ident) {
                Some(id) => replaced.extend(replace(id)),
                None => replaced.extend([TokenTree::Ident(ident)]),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace_in_tokens(group.stream(), replace));
                inner.set_span(group.span());
                replaced.extend([TokenTree::Group(inner)]);
            }
            other => replaced.extend([other]),
        }
    }
    replaced
}

/// The holes of a statement, in the order of its source.
pub(crate) fn holes_in_stmt(statement: &Stmt) -> Vec<HoleId> {
    let mut find = Find(Vec::new());
    find.visit_stmt(statement);
    find.0
}

/// The holes of an expression, in the order of its source.
pub(crate) fn holes_in_expr(expr: &Expr) -> Vec<HoleId> {
    let mut find = Find(Vec::new());
    find.visit_expr(expr);
    find.0
}

struct Replace<'r>(&'r mut dyn FnMut(HoleId) -> Expr);

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match Program::hole_of(expr) {
            Some(id) => *expr = (self.0)(id),
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let replace = &mut |id| (self.0)(id).into_token_stream();
        mac.tokens = replace_in_tokens(std::mem::take(&mut mac.tokens), replace);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

struct Find(Vec<HoleId>);

impl<'ast> Visit<'ast> for Find {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match Program::hole_of(expr) {
            Some(id) => self.0.push(id),
            None => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        replace_in_tokens(mac.tokens.clone(), &mut |id| {
            self.0.push(id);
            TokenStream::new()
        });
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}
