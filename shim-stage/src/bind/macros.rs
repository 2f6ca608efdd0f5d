//! Macros in a kernel: the arguments of std's expression macros are staged, others pass through.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMacro, Token};

use super::{Binder, Binding};

/// Macros of std whose arguments are expressions, and the position of a format string among them.
const EXPRESSION_MACROS: &[(&str, Option<usize>)] = &[
    ("assert", Some(1)),
    ("assert_eq", Some(2)),
    ("assert_ne", Some(2)),
    ("debug_assert", Some(1)),
    ("debug_assert_eq", Some(2)),
    ("debug_assert_ne", Some(2)),
    ("dbg", None),
    ("eprint", Some(0)),
    ("eprintln", Some(0)),
    ("format", Some(0)),
    ("panic", Some(0)),
    ("print", Some(0)),
    ("println", Some(0)),
    ("todo", Some(0)),
    ("unimplemented", Some(0)),
    ("unreachable", Some(0)),
    ("vec", None),
    ("write", Some(1)),
    ("writeln", Some(1)),
];

impl Binder<'_> {
    /// A macro call in expression or statement position.
    pub(super) fn macro_expression(&mut self, call: &ExprMacro) -> Expr {
        let name = call.mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if name == "matches" {
            return self.matches_macro(call);
        }
        if let Some((_, format)) = EXPRESSION_MACROS.iter().find(|(known, _)| *known == name)
            && let Some(result) = self.expression_macro(call, *format)
        {
            self.opaque();
            return result;
        }
        self.opaque();
        self.foreign_macro(call)
    }

    fn expression_macro(&mut self, call: &ExprMacro, format: Option<usize>) -> Option<Expr> {
        let mut result = call.clone();
        if call.mac.path.is_ident("vec")
            && let Ok(repeat) = syn::parse2::<syn::ExprRepeat>(bracketed(&call.mac.tokens))
        {
            let (value, count) = (self.expression(&repeat.expr), self.expression(&repeat.len));
            result.mac.tokens = quote!(#value; #count);
            return Some(Expr::Macro(result));
        }
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let arguments = parser.parse2(call.mac.tokens.clone()).ok()?;
        let captured = format.map_or_else(Vec::new, |at| inline_captures(arguments.iter().nth(at)));
        let mut staged = Punctuated::<Expr, Token![,]>::new();
        for (position, argument) in arguments.iter().enumerate() {
            staged.push(match argument {
                // `name = value` of a format string.
                Expr::Assign(named) if format.is_some() => {
                    let mut named = named.clone();
                    named.right = Box::new(self.expression(&named.right));
                    Expr::Assign(named)
                }
                Expr::Lit(_) => argument.clone(),
                _ if format.is_some_and(|at| position < at) && call.mac.path.is_ident("write") => {
                    self.place(argument, crate::ir::AccessKind::Place)
                }
                _ => self.expression(argument),
            });
        }
        for name in captured {
            let ident = syn::Ident::new(&name, proc_macro2::Span::call_site());
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
            let plain: Expr = syn::parse_quote!(#ident);
            let value = self.expression(&plain);
            if value != plain {
                staged.push(syn::parse_quote!(#ident = #value));
            }
        }
        result.mac.tokens = staged.to_token_stream();
        // Holes inside a macro's tokens are found by name when they are filled.
        Some(Expr::Macro(result))
    }

    fn matches_macro(&mut self, call: &ExprMacro) -> Expr {
        let parser = |input: syn::parse::ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
            let guard = if input.peek(Token![if]) {
                input.parse::<Token![if]>()?;
                Some(input.parse::<Expr>()?)
            } else {
                None
            };
            input.parse::<Option<Token![,]>>()?;
            Ok((value, pattern, guard))
        };
        match parser.parse2(call.mac.tokens.clone()) {
            Ok((value, pattern, guard)) => {
                let guard = guard.map(|guard| quote!(if #guard));
                let matching: Expr = syn::parse_quote!(match #value { #pattern #guard => true, _ => false });
                self.expression(&matching)
            }
            Err(_) => self.foreign_macro(call),
        }
    }

    /// A macro that nothing is known about: a tensor in it is an error, other names are given to it as locals.
    fn foreign_macro(&mut self, call: &ExprMacro) -> Expr {
        let mut names = Vec::new();
        identifiers(&call.mac.tokens, &mut names);
        let mut locals = Vec::new();
        for name in names {
            match self.scopes.get(&name.to_string()) {
                Some(Binding::Tensor(_)) => {
                    self.diagnostics.error(
                        &name,
                        format!("the tensor `{name}` is used inside a macro that is not known"),
                        "read the element into a `let` first; the arguments of std's macros such as `assert!` and \
                         `println!` are understood",
                    );
                    return super::access::unreachable_value();
                }
                Some(Binding::Iterator) => {
                    self.diagnostics.error(&name, "an iterator inside a macro", "write a `for` loop");
                    return super::access::unreachable_value();
                }
                None => {}
                Some(_) => {
                    let plain: Expr = syn::parse_quote!(#name);
                    let value = self.expression(&plain);
                    if value != plain {
                        locals.push(quote!(let #name = #value;));
                    }
                }
            }
        }
        if locals.is_empty() {
            return Expr::Macro(call.clone());
        }
        syn::parse_quote!({ #(#locals)* #call })
    }
}

fn bracketed(tokens: &TokenStream) -> TokenStream {
    quote!([#tokens])
}

/// Each identifier once.
fn identifiers(tokens: &TokenStream, found: &mut Vec<syn::Ident>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) if !found.contains(&ident) => found.push(ident),
            TokenTree::Group(group) => identifiers(&group.stream(), found),
            _ => {}
        }
    }
}

/// The names that a format string captures: `"{y}, {width$}"`.
fn inline_captures(argument: Option<&Expr>) -> Vec<String> {
    let Some(Expr::Lit(literal)) = argument else { return Vec::new() };
    let syn::Lit::Str(text) = &literal.lit else { return Vec::new() };
    let text = text.value();
    let mut names: Vec<String> = Vec::new();
    let mut note = |name: &str| {
        let starts = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if starts && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !names.iter().any(|n| n == name)
        {
            names.push(name.to_owned());
        }
    };
    let mut rest = text.as_str();
    while let Some(open) = rest.find('{') {
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            rest = after;
            continue;
        }
        let Some(close) = rest.find('}') else { break };
        let (name, format) = rest[..close].split_once(':').unwrap_or((&rest[..close], ""));
        note(name.trim());
        // `{:width$.precision$}` capture as well.
        for part in format.split(['.', '<', '>', '^', '+', '#']) {
            if let Some(argument) = part.split('$').next().filter(|_| part.contains('$')) {
                note(argument);
            }
        }
        rest = &rest[close + 1..];
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn captures_are_read_from_the_string() {
        let text: Expr = parse_quote!("{{}} {x} {y:>w$.p$} {} {0} {z:?}");
        assert_eq!(inline_captures(Some(&text)), ["x", "y", "w", "p", "z"]);
    }
}
