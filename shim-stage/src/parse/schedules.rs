//! Named schedules: `#[shim::kernel(schedules(tiled))]` and `#[schedule(tiled, compute_at('tile))]` before what a word is
//! about.
//!
//! A kernel with schedules is several functions of one body: the kernel itself, whose words are those outside any
//! `#[schedule(..)]`, and one for each name, which has the words of its name besides. They stand side by side under names
//! that nothing else has, so that all names in their bodies mean the same; a module of the kernel's name has them under
//! the names of the schedules.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Error, ItemFn, Visibility};

use crate::surface::{HelperAttribute, is_helper};

/// The functions of a kernel with these schedules, the kernel itself first.
///
/// # Errors
/// An attribute that names no schedule of the kernel or no word, and a kernel that cannot have a module beside it.
pub fn variants(item: &TokenStream, names: &[Ident]) -> Result<Vec<TokenStream>, Error> {
    let function = syn::parse2::<ItemFn>(item.clone());
    if let (Ok(function), Some(first)) = (&function, names.first())
        && (function.sig.receiver().is_some() || crate::surface::tensor_type::is_template(function))
    {
        let text = "schedules of a method or a template\nhelp: the functions of the schedules are in a module beside the kernel, so it is a function of a module";
        return Err(Error::new(first.span(), text));
    }
    let mut found = Vec::new();
    for name in std::iter::once(None).chain(names.iter().map(Some)) {
        let item = Applied { names, own: name }.apply(item.clone())?;
        let item = match (name, syn::parse2::<ItemFn>(item.clone())) {
            (Some(name), Ok(mut function)) => {
                function.sig.ident = beside(&function.sig.ident, name);
                function.attrs.push(syn::parse_quote!(#[doc(hidden)]));
                function.into_token_stream()
            }
            _ => item,
        };
        found.push(item);
    }
    Ok(found)
}

/// The module of the schedules of a kernel.
pub fn module(item: &TokenStream, names: &[Ident]) -> TokenStream {
    let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else { return TokenStream::new() };
    let (visibility, name) = (&function.vis, &function.sig.ident);
    // That of the kernel, from a module inside the one around it.
    let inside: Visibility = match visibility {
        Visibility::Inherited => syn::parse_quote!(pub(super)),
        Visibility::Restricted(own) if own.path.is_ident("self") => syn::parse_quote!(pub(super)),
        Visibility::Restricted(own) if own.path.is_ident("super") => syn::parse_quote!(pub(in super::super)),
        other => other.clone(),
    };
    let functions = names.iter().map(|own| beside(name, own));
    let text = format!("The schedules of [`{name}`](fn@{name}).");
    quote! {
        #[doc = #text]
        #visibility mod #name {
            #(
                #[doc(inline)]
                #[allow(unused_imports)]
                #inside use super::#functions as #names;
            )*
        }
    }
}

/// The name of a kernel's function in a schedule, beside the kernel.
fn beside(kernel: &Ident, schedule: &Ident) -> Ident {
    let text = format!("{}{}", prefix(schedule), crate::hygiene::text(kernel));
    Ident::new(&text, kernel.span())
}

fn prefix(schedule: &Ident) -> String {
    format!("{}_{}_of_", crate::hygiene::RESERVED, crate::hygiene::text(schedule))
}

/// The name of the function of a schedule as the user knows it.
pub fn shown(function: &Ident, schedules: &[Ident]) -> String {
    let name = crate::hygiene::text(function);
    let own = schedules.iter().find(|own| name.starts_with(&prefix(own)));
    own.map_or(name, ToString::to_string)
}

/// Words in the place of the attributes that name schedules.
struct Applied<'n> {
    names: &'n [Ident],
    own: Option<&'n Ident>,
}

impl Applied<'_> {
    fn apply(&self, tokens: TokenStream) -> Result<TokenStream, Error> {
        let mut out = TokenStream::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let attribute = match (&token, tokens.peek()) {
                (TokenTree::Punct(punct), Some(TokenTree::Group(group))) if punct.as_char() == '#' => {
                    named(group)
                }
                _ => None,
            };
            match (attribute, token) {
                (Some(arguments), _) => {
                    let span = tokens.next().map_or_else(Span::call_site, |group| group.span());
                    out.extend(self.words(arguments, span)?);
                }
                (None, TokenTree::Group(group)) => {
                    let inner = self.apply(group.stream())?;
                    out.extend([crate::hygiene::regrouped(&group, inner)]);
                }
                (None, other) => out.extend([other]),
            }
        }
        Ok(out)
    }

    /// The attributes that `tiled, compute_at('tile), lanes(8)` is in this schedule.
    fn words(&self, arguments: TokenStream, span: Span) -> Result<TokenStream, Error> {
        let usage = format!("write `{}`", HelperAttribute::Schedule.usage());
        let parse = |input: ParseStream<'_>| -> syn::Result<(Ident, Vec<syn::Meta>, Vec<TokenStream>)> {
            let name: Ident = input.parse()?;
            let (mut metas, mut words) = (Vec::new(), Vec::new());
            while !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
                if input.is_empty() {
                    break;
                }
                let meta: syn::Meta = input.parse()?;
                words.push(meta.to_token_stream());
                metas.push(meta);
            }
            Ok((name, metas, words))
        };
        let malformed = |_| Error::new(span, format!("malformed `#[schedule]` attribute\nhelp: {usage}"));
        let (name, metas, words) = parse.parse2(arguments).map_err(malformed)?;
        if metas.is_empty() {
            return Err(malformed(Error::new(span, "")));
        }
        if let Some(other) =
            metas.iter().find(|meta| !is_helper(meta.path()) || meta.path().is_ident("schedule"))
        {
            let word = other.path().to_token_stream();
            let text = format!("`{word}` is not a word of a schedule\nhelp: {usage}");
            return Err(Error::new_spanned(other, text));
        }
        if !self.names.contains(&name) {
            let text = format!(
                "the kernel has no schedule `{name}`\nhelp: list it, as in `#[shim::kernel(schedules({name}))]`"
            );
            return Err(Error::new(name.span(), text));
        }
        Ok(if self.own == Some(&name) { quote!(#(#[#words])*) } else { TokenStream::new() })
    }
}

/// The arguments of an attribute `[schedule(..)]`.
fn named(group: &Group) -> Option<TokenStream> {
    let mut tokens = group.stream().into_iter();
    match (tokens.next()?, tokens.next(), tokens.next()) {
        (TokenTree::Ident(name), Some(TokenTree::Group(arguments)), None) if name == "schedule" => {
            Some(arguments.stream())
        }
        _ => None,
    }
}

/// Whether tokens have an attribute `#[schedule(..)]`.
pub fn are_named(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match (&token, tokens.peek()) {
            (TokenTree::Punct(punct), Some(TokenTree::Group(group))) if punct.as_char() == '#' => {
                named(group).is_some()
            }
            (TokenTree::Group(group), _) => are_named(&group.stream()),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}
