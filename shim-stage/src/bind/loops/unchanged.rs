//! `mut` variables that a loop only reads: an offset that the loop around it moves, the length of half a butterfly.
//!
//! Before the loop, such a variable is copied to a local that does not change, which is what its name means inside: an
//! index that mentions it is arithmetic of the loop, and its accesses are asserted before the loop.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ExprForLoop, Local, UnOp};

use crate::hygiene;
use crate::surface;
use crate::syntax::visit::{self, Visit};

use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding, IntTy, Local as LocalBinding};

impl Binder<'_> {
    /// Lets the `mut` integers that occur in indices of a loop, and that it only reads, mean copies in it, until the
    /// caller leaves the scope.
    pub(in crate::bind) fn enter_with_unchanged(&mut self, for_loop: &ExprForLoop) {
        self.scopes.enter();
        let mut reads = Reads::default();
        reads.visit_expr_for_loop(for_loop);
        if !reads.found.values().any(|read| self.is_mutable_number(&read.name)) {
            return;
        }
        let mut mentions: BTreeMap<String, usize> = BTreeMap::new();
        for name in hygiene::identifiers(for_loop.to_token_stream()) {
            *mentions.entry(hygiene::text(&name)).or_default() += 1;
        }
        for (text, Read { name, count, in_index }) in reads.found {
            if !in_index || mentions.get(&text) != Some(&count) || !self.is_mutable_number(&name) {
                continue;
            }
            let Some(Binding::Local(local)) = self.scopes.get(&name).cloned() else { continue };
            let value = self.expression(&syn::parse_quote!(#name));
            let copy = self.names.fresh(&text);
            self.push(syn::parse_quote!(let #copy = #value;));
            let defined = self.position();
            let LocalBinding { number, primitive, ty, .. } = local;
            let copied = LocalBinding { ty, number, primitive, ..LocalBinding::new(copy, defined) };
            self.scopes.bind(&name, Binding::Local(copied));
        }
    }

    fn is_mutable_number(&self, name: &Ident) -> bool {
        match self.scopes.get(name) {
            Some(Binding::Local(local)) => {
                let is_integer =
                    local.number.is_some_and(|number| matches!(number, IntTy::Known(_) | IntTy::Infer))
                        || matches!(local.primitive, Some(Primitive::OpenInt | Primitive::Int(_)));
                local.mutable && !local.exposed && is_integer && !self.scopes.is_item(name)
            }
            _ => false,
        }
    }
}

/// How a loop reads a variable.
struct Read {
    name: Ident,
    /// How often, where nothing else could be meant.
    count: usize,
    /// Whether an index or the value of a `let` mentions it.
    in_index: bool,
}

/// The variables that are read, by their text.
#[derive(Default)]
struct Reads {
    found: BTreeMap<String, Read>,
    in_index: bool,
}

impl Reads {
    fn within(&mut self, in_index: bool, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.in_index, in_index);
        visit(self);
        self.in_index = outside;
    }
}

impl<'ast> Visit<'ast> for Reads {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let is_variable = |expr: &Expr| surface::ident(expr).is_some();
        match expr {
            // What is assigned or borrowed, and what a method may borrow, is not only read.
            Expr::Assign(assign) => {
                if matches!(&*assign.left, Expr::Index(_)) {
                    self.visit_expr(&assign.left);
                }
                self.visit_expr(&assign.right);
            }
            Expr::Binary(binary) if surface::is_assigning(&binary.op) && is_variable(&binary.left) => {
                self.visit_expr(&binary.right);
            }
            Expr::Reference(reference) if is_variable(&reference.expr) => {}
            Expr::RawAddr(_) | Expr::Macro(_) => {}
            Expr::MethodCall(call) if is_variable(&call.receiver) => {
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) && is_variable(&unary.expr) => {}
            Expr::Index(index) => {
                self.visit_expr(&index.expr);
                self.within(true, |reads| reads.visit_expr(&index.index));
            }
            Expr::Path(_) => {
                if let Some(name) = surface::ident(expr) {
                    let read = Read { name: name.clone(), count: 0, in_index: false };
                    let read = self.found.entry(hygiene::text(name)).or_insert(read);
                    read.count += 1;
                    read.in_index |= self.in_index;
                }
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_local(&mut self, local: &'ast Local) {
        self.within(true, |reads| visit::visit_local(reads, local));
    }
}
