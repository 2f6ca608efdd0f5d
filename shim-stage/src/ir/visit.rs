//! The holes of syntax trees.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Macro, Stmt};

use super::{HoleId, Program};
use crate::hygiene::regrouped;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

/// Visits the holes of a statement, in the order of its source, and says of each whether it is among the tokens of a
/// macro.
pub(crate) fn holes_in_stmt(statement: &Stmt, found: &mut dyn FnMut(&HoleId, bool)) {
    HoleVisit(found).visit_stmt(statement);
}

/// The same for an expression.
pub(crate) fn holes_in_expr(expr: &Expr, found: &mut dyn FnMut(&HoleId, bool)) {
    HoleVisit(found).visit_expr(expr);
}

/// Whether an expression has holes.
pub(crate) fn has_holes(expr: &Expr) -> bool {
    let mut any = false;
    holes_in_expr(expr, &mut |_, _| any = true);
    any
}

/// The holes of a statement, to be replaced.
pub(crate) fn edit_holes_in_stmt(statement: &mut Stmt, edit: &mut dyn FnMut(&mut HoleId, bool)) {
    Edit(edit).visit_stmt_mut(statement);
}

/// The holes of an expression, to be replaced.
pub(crate) fn edit_holes_in_expr(expr: &mut Expr, edit: &mut dyn FnMut(&mut HoleId, bool)) {
    Edit(edit).visit_expr_mut(expr);
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
                replaced.extend([regrouped(&group, replace_in_tokens(group.stream(), replace))]);
            }
            other => replaced.extend([other]),
        }
    }
    replaced
}

struct Edit<'r>(&'r mut dyn FnMut(&mut HoleId, bool));

impl VisitMut for Edit<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match Program::hole_of(expr) {
            Some(mut id) => {
                (self.0)(&mut id, false);
                *expr = Program::hole_expr(id);
            }
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let replace = &mut |mut id| {
            (self.0)(&mut id, true);
            Program::hole_expr(id).into_token_stream()
        };
        mac.tokens = replace_in_tokens(std::mem::take(&mut mac.tokens), replace);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

struct HoleVisit<'f>(&'f mut dyn FnMut(&HoleId, bool));

impl<'ast> Visit<'ast> for HoleVisit<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match Program::hole_of(expr) {
            Some(id) => (self.0)(&id, false),
            None => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        replace_in_tokens(mac.tokens.clone(), &mut |id| {
            (self.0)(&id, true);
            TokenStream::new()
        });
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}
