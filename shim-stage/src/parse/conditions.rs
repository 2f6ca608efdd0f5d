//! `#[cfg(..)]` where a kernel cannot honor it.
//!
//! Statements, items and the arms of a `match` may be under a condition. Of a parameter, an element of a list, an
//! operand or a field, the macro would have to know whether it is there.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, Item, ItemFn};

use crate::diagnostics::Diagnostics;
use crate::surface::condition::{is_condition, split};
use crate::surface::{is_helper, std_macro};
use crate::syntax::visit::{self, Visit};

/// Reports every condition in `function` that is not that of a statement, an item or an arm.
pub fn rejected(function: &ItemFn, diagnostics: &mut Diagnostics) {
    let mut conditions = Conditions(diagnostics);
    conditions.visit_generics(&function.sig.generics);
    for input in &function.sig.inputs {
        conditions.visit_fn_arg(input);
        let (FnArg::Typed(syn::PatType { attrs, .. }) | FnArg::Receiver(syn::Receiver { attrs, .. })) = input;
        for attribute in attrs.iter().filter(|attribute| is_helper(attribute.path())) {
            if mentions_condition(attribute.to_token_stream()) {
                conditions.report(attribute);
            }
        }
    }
    conditions.visit_block(&function.block);
}

/// Reports a condition on a field that kernels take for granted, or in its attributes.
pub fn rejected_field(field: &syn::Field, diagnostics: &mut Diagnostics) {
    for attribute in &field.attrs {
        let within = is_helper(attribute.path()) && mentions_condition(attribute.to_token_stream());
        if within || is_condition(attribute) {
            Conditions(diagnostics).report(attribute);
        }
    }
}

/// Whether some tokens hold `#[cfg(..)]`.
fn mentions_condition(tokens: TokenStream) -> bool {
    let mut sharp = false;
    tokens.into_iter().any(|token| {
        let attribute = std::mem::take(&mut sharp);
        match token {
            TokenTree::Punct(punct) => {
                sharp = punct.as_char() == '#';
                false
            }
            TokenTree::Group(group) if attribute => {
                matches!(group.stream().into_iter().next(),
                    Some(TokenTree::Ident(name)) if name == "cfg" || name == "cfg_attr")
                    || mentions_condition(group.stream())
            }
            TokenTree::Group(group) => mentions_condition(group.stream()),
            _ => false,
        }
    })
}

struct Conditions<'d>(&'d mut Diagnostics);

impl Conditions<'_> {
    fn report(&mut self, attribute: &Attribute) {
        self.0.error(
            attribute,
            "`#[cfg]` on a part of a kernel that is neither a statement, an item nor an arm",
            "rustc evaluates it after the macro has run; put it before a statement, or on the whole kernel",
        );
    }
}

impl<'ast> Visit<'ast> for Conditions<'_> {
    /// Items keep their tokens.
    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        match split(statement) {
            Some((_, plain)) => Conditions(self.0).visit_stmt(&plain),
            None => visit::visit_stmt(self, statement),
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.visit_pat(&arm.pat);
        self.visit_expr(&arm.body);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if is_condition(attribute) {
            self.report(attribute);
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if mentions_condition(mac.tokens.clone())
            && let Some(arguments) = std_macro::arguments(mac)
        {
            arguments.parts().for_each(|part| Conditions(self.0).visit_expr(part));
        }
    }
}
