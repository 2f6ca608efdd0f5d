//! Values that have to be static, and why one is not.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Expr;

use crate::hygiene::{self};
use crate::ir::SymbolSource;
use crate::static_eval::{self, Value};

use crate::bind::{Binder, Binding};

/// What is known when a kernel is expanded.
const STATIC: &str = "a literal, a `const` in the kernel's body, a const generic of a template, or the variable of an \
                      unrolled loop";

impl Binder<'_> {
    /// The value of `expr` if it is static; reports what is wrong with it if it is static and wrong.
    pub(in crate::bind) fn static_value(&mut self, expr: &Expr) -> Option<Value> {
        match static_eval::eval(expr, &self.scopes) {
            Ok(value) => value,
            Err(error) => {
                self.diagnostics.push(error);
                None
            }
        }
    }

    /// The value of `expr` as a static integer, or an error that says what `what` needs.
    pub(in crate::bind) fn static_integer(&mut self, expr: &Expr, what: &str) -> Option<i64> {
        match static_eval::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) => {
                if let Ok(value) = i64::try_from(int.value) {
                    return Some(value);
                }
                self.diagnostics.error(expr, format!("{what} does not fit 64 bits"), "use a smaller number");
            }
            Ok(_) => self.report_dynamic(expr, what),
            Err(error) => self.diagnostics.push(error),
        }
        None
    }

    /// Reports that `expr` is not static, and says what would make it so.
    pub(in crate::bind) fn report_dynamic(&mut self, expr: &Expr, what: &str) {
        if self.mentions_broken(expr) {
            return;
        }
        let help = self.why_dynamic(expr.to_token_stream()).unwrap_or_else(|| format!("use {STATIC}"));
        self.diagnostics.error_in_call(
            expr,
            format!("{what} must be known when the kernel is expanded"),
            help,
        );
    }

    pub(in crate::bind) fn is_loop_variable(&self, local: &crate::bind::Local) -> bool {
        local
            .symbol
            .as_ref()
            .is_some_and(|symbol| matches!(self.program.symbol(symbol).source, SymbolSource::Loop(_)))
    }

    /// What keeps the first name that is not static from being so.
    pub(in crate::bind) fn why_dynamic(&self, tokens: TokenStream) -> Option<String> {
        hygiene::identifiers(tokens).find_map(|name| match name {
            name if self.scopes.is_generic(&name) => Some(format!(
                "rustc knows the kernel's generic parameter `{name}`, but the macro does not: take it as a const generic of a \
                 template (a short loop over it is unrolled by rustc without `#[unroll]`)"
            )),
            name => match self.scopes.get(&name) {
                Some(Binding::Index { .. }) => {
                    Some(format!("`{name}` varies in its loop: put `#[unroll]` before that, or use {STATIC}"))
                }
                Some(Binding::Local(local)) if local.mutable => {
                    Some(format!("`{name}` is `mut`, so that its value may change: use {STATIC}"))
                }
                None | Some(Binding::Local(_)) if hygiene::text(&name).starts_with(char::is_uppercase) => {
                    Some(format!(
                        "the macro sees this function alone and cannot tell what `{name}` is: write the number itself \
                         into a `const` of the kernel's body, or take it as a const generic of a template"
                    ))
                }
                Some(Binding::Local(local)) if self.is_loop_variable(local) => {
                    Some(format!("`{name}` varies in its loop: put `#[unroll]` before that, or use {STATIC}"))
                }
                Some(Binding::Local(_)) => {
                    Some(format!("`{name}` is known at run time alone: use {STATIC}"))
                }
                _ => None,
            },
        })
    }
}
