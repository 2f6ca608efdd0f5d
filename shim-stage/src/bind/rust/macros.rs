//! Macros in a kernel: the arguments of std's expression macros are staged, others pass through.

use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprMacro, Pat, Stmt, Token};

use crate::hygiene;
use crate::ir::{Hole, RegionKind};
use crate::surface::std_macro::MacroArguments;
use crate::surface::std_macro::inline_captures;
use crate::surface::{self, TensorMethod};

use crate::bind::{Binder, Binding, unreachable_value};

impl Binder<'_> {
    /// A macro call in expression position.
    pub(in crate::bind) fn macro_expression(&mut self, call: &ExprMacro) -> Expr {
        let result = match self.scopes.source().known(&call.mac) {
            Some(MacroArguments::Matches(value, pattern)) => {
                return self.matches_macro(&call.mac.path, &value, &pattern);
            }
            Some(MacroArguments::Repeat(value, count)) => {
                let mut result = call.clone();
                let (value, count) = (self.expression(&value), self.expression(&count));
                result.mac.tokens = quote!(#value; #count);
                Expr::Macro(result)
            }
            Some(MacroArguments::List(arguments, format)) => self.list_macro(call, &arguments, format),
            None => {
                self.macro_of_template(&call.mac);
                self.foreign_macro(call)
            }
        };
        self.walk.effects.opaque();
        result
    }

    /// A macro call that is a statement. What it brings into scope is the user's own.
    pub(in crate::bind) fn macro_statement(&mut self, statement: &syn::StmtMacro, last: bool) {
        self.may_panic(&statement.mac);
        let call = ExprMacro { attrs: statement.attrs.clone(), mac: statement.mac.clone() };
        self.check_assertion(&call);
        if self.scopes.source().known(&call.mac).is_some() || (last && statement.semi_token.is_none()) {
            let expr = self.macro_expression(&call);
            // Should the name be another macro's after all, then what it brings into scope stays inside.
            let expr = match expr {
                Expr::Macro(_) if statement.semi_token.is_some() => syn::parse_quote!({ #expr; }),
                expr => expr,
            };
            let semi = statement.semi_token.filter(|_| !matches!(expr, Expr::Block(_)));
            return self.push(Stmt::Expr(expr, semi));
        }
        self.macro_of_template(&call.mac);
        let Some(mentioned) = self.mentioned(&call) else { return };
        for (name, value) in &mentioned {
            self.push(syn::parse_quote!(let #name = #value;));
            self.bind_local(name, name, false, None);
        }
        self.walk.effects.opaque();
        if self.templates.in_template {
            // Its `return` would leave the kernel, and not the template: rustc finds it to be of another type.
            let (rt, path, tokens) = (&self.runtime, &statement.mac.path, &statement.mac.tokens);
            self.push(syn::parse_quote!(#rt.stays(|| { #path! { #tokens } #rt.stayed() });));
        }
        let statement = Stmt::Macro(statement.clone());
        self.verified(|binder| binder.push(statement));
        self.walk.effects.opaque();
    }

    /// Reports an `assert_eq!` of index arithmetic whose sides are constant and differ: it would fail whenever it runs.
    fn check_assertion(&mut self, call: &ExprMacro) {
        let is_equality = call.mac.path.segments.last().is_some_and(|last| last.ident == "assert_eq");
        let arguments = match self.scopes.source().known(&call.mac) {
            Some(MacroArguments::List(arguments, _)) if is_equality => arguments,
            _ => return,
        };
        let is_certain = self
            .program
            .ancestors(self.walk.region)
            .all(|region| self.program.regions[region].kind == RegionKind::Plain);
        let [left, right, ..] = &arguments[..] else { return };
        let is_extent = |expr: &Expr| {
            matches!(surface::strip_parens(expr),
                Expr::MethodCall(call) if self.tensor_method(call) == Some(TensorMethod::Extent))
        };
        if !is_certain || !is_extent(left) || !is_extent(right) {
            return;
        }
        let sides = [left, right].map(|side| self.pure_index(side).and_then(|side| side.as_constant()));
        if let [Some(left), Some(right)] = sides
            && left != right
        {
            self.diagnostics.error_in_call(
                &call.mac,
                format!("this assertion fails: the extents are {left} and {right}"),
                "give tensors of the same extents",
            );
        }
    }

    /// What `write` writes, between evidence that the names which the compiler relies on mean the same before and
    /// after.
    pub(in crate::bind) fn verified(&mut self, write: impl FnOnce(&mut Self)) {
        let names = self.scopes.relied_on();
        let rt = self.runtime.clone();
        if !names.is_empty() {
            self.push(syn::parse_quote!(let [#(#names),*] = #rt.names();));
        }
        write(self);
        if !names.is_empty() {
            self.push(syn::parse_quote!(#rt.unchanged([#(#names),*]);));
        }
    }

    fn list_macro(&mut self, call: &ExprMacro, arguments: &[Expr], format: Option<usize>) -> Expr {
        let mut result = call.clone();
        let captured = format.map_or_else(Vec::new, |at| inline_captures(arguments.get(at)));
        let mut staged = Punctuated::<Expr, Token![,]>::new();
        for (position, argument) in arguments.iter().enumerate() {
            let is_lazy = is_lazy(&call.mac.path, position, format);
            staged.push(match argument {
                // `name = value` of a format string.
                Expr::Assign(named) if format.is_some() => {
                    let mut named = named.clone();
                    named.right = Box::new(self.argument(&named.right, is_lazy));
                    Expr::Assign(named)
                }
                Expr::Lit(_) => argument.clone(),
                _ if format.is_some_and(|at| position < at)
                    && call
                        .mac
                        .path
                        .segments
                        .last()
                        .is_some_and(|last| last.ident == "write" || last.ident == "writeln") =>
                {
                    self.place(argument, crate::ir::AccessKind::Place)
                }
                _ => self.argument(argument, is_lazy),
            });
        }
        for name in captured {
            let span = arguments.get(format.unwrap_or(0)).map_or_else(Span::call_site, Spanned::span);
            let Ok(mut ident) = syn::parse_str::<syn::Ident>(&name) else { continue };
            ident.set_span(span);
            if arguments.iter().any(|argument| matches!(argument, Expr::Assign(named) if named.left.to_token_stream().to_string() == name)) {
                continue;
            }
            if self.is_tensor_name(&ident) {
                self.diagnostics.error(
                    &call.mac.tokens,
                    format!("the tensor `{name}` is used as a value"),
                    "print an element, as in `{}` with `t[[0, 0]]`",
                );
                continue;
            }
            // A name in the string means what it means in the kernel, not what it is called afterwards.
            if self.scopes.get(&ident).is_some() {
                let plain: Expr = syn::parse_quote!(#ident);
                let value = self.expression(&plain);
                staged.push(syn::parse_quote!(#ident = #value));
            }
        }
        result.mac.tokens = staged.to_token_stream();
        // Holes inside a macro's tokens are found by name when they are filled.
        Expr::Macro(result)
    }

    /// An argument of one of std's macros, which may not run if it is lazy.
    fn argument(&mut self, argument: &Expr, is_lazy: bool) -> Expr {
        if !is_lazy {
            return self.expression(argument);
        }
        let body = self.body(RegionKind::Branch, Vec::new(), |binder| {
            let value = binder.expression(argument);
            binder.push(Stmt::Expr(value, None));
        });
        self.program.hole(Hole::Body(body))
    }

    fn matches_macro(&mut self, name: &syn::Path, value: &Expr, pattern: &Pat) -> Expr {
        let Some(name) = name.get_ident() else {
            return self.expression(&syn::parse_quote!(match #value { #pattern => true, _ => false }));
        };
        let result = self.expression(&syn::parse_quote!(match #value { #pattern => true, _ => false }));
        // A macro of this name that the user defines is ambiguous beside the import, and rustc says so.
        syn::parse_quote!({
            use ::core::matches as #name;
            (#result) && #name!((), ())
        })
    }

    /// A macro that nothing is known about, where a value stands: a tensor in it is an error, other names are given to
    /// it as locals.
    fn foreign_macro(&mut self, call: &ExprMacro) -> Expr {
        let Some(mentioned) = self.mentioned(call) else {
            return unreachable_value();
        };
        if mentioned.is_empty() {
            return Expr::Macro(call.clone());
        }
        let locals = mentioned.iter().map(|(name, value)| quote!(let #name = #value;));
        syn::parse_quote!({ #(#locals)* #call })
    }

    /// The names among a macro's tokens that are no locals in emitted code, with their values; none if one has no
    /// value.
    fn mentioned(&mut self, call: &ExprMacro) -> Option<Vec<(syn::Ident, Expr)>> {
        let mut names: Vec<syn::Ident> = Vec::new();
        for name in hygiene::identifiers(call.mac.tokens.clone()) {
            if !names.iter().any(|known| hygiene::same(known, &name)) {
                names.push(name);
            }
        }
        let mut found = Vec::new();
        for name in names {
            match self.scopes.get(&name) {
                Some(Binding::Tensor(_)) => {
                    self.diagnostics.error(
                        &name,
                        format!("the tensor `{name}` is used inside a macro that is not known"),
                        "read the element into a `let` first; the arguments of std's macros such as `assert!` and \
                         `println!` are understood",
                    );
                    return None;
                }
                Some(Binding::Iterator) => {
                    self.diagnostics.error(&name, "an iterator inside a macro", "write a `for` loop");
                    return None;
                }
                Some(Binding::Local(local)) if local.exposed => {}
                // The item itself is in scope.
                None | Some(Binding::Broken | Binding::Table(..)) => {}
                Some(Binding::Static(_)) if self.scopes.is_item(&name) => {}
                Some(_) => {
                    let value = self.expression(&syn::parse_quote!(#name));
                    found.push((name, value));
                }
            }
        }
        Some(found)
    }
}

/// Whether a macro of std's evaluates an argument only at times: the message of an assertion if that fails, and what a
/// `debug_assert!` has in some builds.
fn is_lazy(path: &syn::Path, position: usize, format: Option<usize>) -> bool {
    let Some(name) = path.segments.last().map(|last| hygiene::text(&last.ident)) else { return false };
    name.starts_with("debug_assert") || name.starts_with("assert") && format.is_some_and(|at| position >= at)
}
