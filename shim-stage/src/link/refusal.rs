//! What stands in for an item that cannot be staged, so that whatever uses it is not reported as well.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{
    Attribute, Error, FnArg, ImplItemFn, Item, ItemFn, Pat, Path, Result, Signature, TraitItemFn, Visibility,
};

use crate::hygiene;
use crate::surface;
use crate::syntax::visit::Visit as _;

use super::placeholder::{SURFACE, SurfacePaths};
use super::tokens;

/// Why an item that is no function with a body cannot be a kernel, and what is left of it.
pub(super) fn refuse(item: &TokenStream, error: &Error) -> TokenStream {
    let spanned = |message: &str| Error::new_spanned(header(item), message);
    let parsed = syn::parse2::<Item>(item.clone());
    let error = if syn::parse2::<TraitItemFn>(item.clone()).is_ok_and(|method| method.default.is_none()) {
        spanned("a kernel needs a body\nhelp: annotate the method in each `impl` instead of its declaration")
    } else if syn::parse2::<ImplItemFn>(item.clone()).is_ok_and(|m| m.modifiers.defaultness.is_some()) {
        spanned("a `default` method cannot be a kernel\nhelp: let it call a free function that is one")
    } else if matches!(parsed, Ok(Item::Impl(_) | Item::Mod(_) | Item::Trait(_) | Item::ForeignMod(_))) {
        spanned("`#[shim::kernel]` goes on a function\nhelp: annotate the functions in it, one by one")
    } else if parsed.is_ok_and(|item| !matches!(item, Item::Verbatim(_))) {
        spanned("`#[shim::kernel]` goes on a function\nhelp: remove it here")
    } else {
        // A body that does not parse: its signature still holds.
        let unparsed = || {
            let help = "the macro cannot parse this item; if rustc reports an error here as well, its message is more precise";
            Error::new(error.span(), format!("{error}\nhelp: {help}"))
        };
        let error = comma_index(item).unwrap_or_else(unparsed).to_compile_error();
        let rest = signature(item.clone());
        return quote!(#error #rest);
    };
    let error = error.to_compile_error();
    quote!(#error #item)
}

/// The error and the signature of an item whose brackets stand too deep in one another to be walked.
pub fn refuse_nesting(item: &TokenStream) -> Option<TokenStream> {
    let deep = tokens::nested_below(item, tokens::MAX_NESTING)?;
    let message = "this expression is too long or nested too deeply\nhelp: give parts of it a name with `let`, or a function of their own";
    let error = Error::new_spanned(deep, message).to_compile_error();
    let signature = signature(tokens::cut(item, tokens::MAX_NESTING));
    Some(quote!(#error #signature))
}

/// The error and the signature of an item with a name that expansions use among themselves.
pub fn refuse_reserved(item: &TokenStream) -> Option<TokenStream> {
    let reserved = hygiene::reserved(item)?;
    let prefix = hygiene::RESERVED;
    let message = format!(
        "names that begin with `{prefix}` are reserved for expansions of `shim::kernel`\nhelp: rename it"
    );
    let error = Error::new_spanned(reserved, message).to_compile_error();
    let signature = signature(item.clone());
    Some(quote!(#error #signature))
}

/// The function with its signature alone, or the item itself if it is no function. In an editor, the function as it was
/// written.
pub fn signature(item: TokenStream) -> TokenStream {
    if is_edited() {
        return without_helpers(item);
    }
    let Ok((attributes, visibility, mut signature)) = opening.parse2(item.clone()) else { return item };
    for input in &mut signature.inputs {
        if let FnArg::Receiver(receiver) = input {
            receiver.attrs.clear();
        }
        if let FnArg::Typed(typed) = input {
            typed.attrs.clear();
            // A pattern that is wrong would be wrong again.
            if !matches!(*typed.pat, Pat::Ident(_)) {
                *typed.pat = syn::parse_quote!(_);
            }
        }
    }
    let mentions = mentions(&item);
    quote! {
        #(#attributes)*
        #[allow(unused, clippy::all, clippy::pedantic)]
        #visibility #signature {
            #(use #mentions as _;)*
            ::core::unreachable!()
        }
    }
}

/// A template as it was written, for an editor that finds its tokens nowhere else; nothing for rustc.
pub fn for_editor(item: TokenStream) -> TokenStream {
    if !is_edited() {
        return TokenStream::new();
    }
    let written = without_helpers(item);
    quote!(const _: () = { #written };)
}

/// Whether the macro runs in rust-analyzer, which finds names, types and completions in what the macro leaves of the
/// user's tokens, and reports no error of its own for what is wrong there. rustc would: of a kernel with an error it is
/// given the signature alone. `cfg(rust_analyzer)` would tell the two apart as well, with a warning in the user's
/// crate.
fn is_edited() -> bool {
    std::env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some()
}

/// An item without the attributes that have a meaning in kernels alone.
fn without_helpers(item: TokenStream) -> TokenStream {
    let is_helper = |group: &Group| {
        let attribute = |input: ParseStream| -> Result<bool> {
            let path = input.call(Path::parse_mod_style)?;
            input.parse::<TokenStream>()?;
            Ok(surface::is_helper(&path))
        };
        group.delimiter() == Delimiter::Bracket && attribute.parse2(group.stream()).unwrap_or(false)
    };
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in item {
        match token {
            TokenTree::Group(group) if is_helper(&group) => {
                // `#`, or `#!` of an inner attribute.
                while kept
                    .pop_if(|last| matches!(last, TokenTree::Punct(p) if "#!".contains(p.as_char())))
                    .is_some()
                {}
            }
            TokenTree::Group(group) => kept.push(hygiene::regrouped(&group, without_helpers(group.stream()))),
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

/// What a function begins with.
fn opening(input: ParseStream) -> Result<(Vec<Attribute>, Visibility, Signature)> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    let signature = input.parse()?;
    input.parse::<TokenStream>()?;
    Ok((attributes, visibility, signature))
}

/// The names of the surface language in an item, so that their import is no unused one.
fn mentions(item: &TokenStream) -> Vec<Path> {
    let mut surface = SurfacePaths::default();
    let shallow = tokens::nested_below(item, tokens::MAX_NESTING).is_none();
    match shallow.then(|| syn::parse2::<ItemFn>(item.clone())) {
        Some(Ok(function)) => surface.visit_block(&function.block),
        _ => bare_names(item, &mut surface),
    }
    if surface.imports { Vec::new() } else { surface.paths.into_values().collect() }
}

/// The same from tokens that do not parse: names that no path leads to.
fn bare_names(tokens: &TokenStream, surface: &mut SurfacePaths) {
    let mut after_path = false;
    for token in tokens.clone() {
        match &token {
            TokenTree::Group(group) => bare_names(&group.stream(), surface),
            TokenTree::Ident(name) if !after_path && SURFACE.iter().any(|known| name == known) => {
                surface.paths.insert(name.to_string(), name.clone().into());
            }
            _ => {}
        }
        after_path = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
    }
}

/// The tokens of an item up to its body, for an error about the item as a whole.
pub(super) fn header(item: &TokenStream) -> TokenStream {
    let mut shown = TokenStream::new();
    let mut tokens = item.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                tokens.next_if(is_bracketed);
                continue;
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
            TokenTree::Punct(punct) if punct.as_char() == ';' => break,
            _ => {}
        }
        shown.extend([token]);
    }
    if shown.is_empty() { item.clone() } else { shown }
}

fn is_bracketed(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
}

/// `t[y, x]`, which is no Rust: an index list has brackets of its own.
fn comma_index(tokens: &TokenStream) -> Option<Error> {
    let mut indexed = false;
    let mut found: Option<Group> = None;
    for token in tokens.clone() {
        if let TokenTree::Group(group) = &token {
            if let Some(error) = comma_index(&group.stream()) {
                return Some(error);
            }
            if indexed && group.delimiter() == Delimiter::Bracket && has_comma(&group.stream()) {
                found.get_or_insert_with(|| group.clone());
            }
        }
        indexed = match &token {
            TokenTree::Ident(name) => !is_keyword(&name.to_string()),
            TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
    }
    found.map(|group| {
        Error::new_spanned(
            group,
            "an index list has brackets of its own\nhelp: write `t[[y, x]]`; Rust has no `t[y, x]`",
        )
    })
}

fn has_comma(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(
        |token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',' && punct.spacing() == Spacing::Alone),
    )
}

/// Whether an array may follow this word.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "break" | "else" | "for" | "if" | "in" | "let" | "match" | "mut" | "ref" | "return" | "while"
    )
}
