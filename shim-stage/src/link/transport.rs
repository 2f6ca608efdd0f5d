//! What travels through the macros.
//!
//! A call of a template's macro, and of `resume!` at the end, is
//!
//! ```text
//! name ! { $ [ {next path} {next path} .. ] { STATE } BUNDLE BUNDLE .. }
//! ```
//!
//! The macro appends its own bundle and calls the first path of the list with the rest of it. The `$` is handed along
//! because a rule cannot write one: a template whose body defines a macro needs it.
//!
//! ```text
//! STATE    = KIND {attribute} {item} [ {path} {link} .. ]       KIND = declared | kernel | template | layout | located
//! BUNDLE   = { VERSION KEY TEMPLATE TEMPLATE .. }               the callee first, each key once
//!          | { VERSION KEY located { STRUCT } }                 see `located`
//!          | { VERSION KEY constant { {type} {value} } }        see `constant`
//!          | { VERSION KEY layout { [ name name .. ] { order } } }   see `layout`
//!          | { VERSION KEY broken {} }                          a declaration with an error, which is reported there
//! TEMPLATE = { KEY "file:line:column" {attribute} {fn} HOME [ {path} {link} KEY .. ] }          HOME = true | false
//! STRUCT   = [ {PATH} .. ] [ {PATH} number .. ] [ {PATH} method method key .. ] OTHER .. FIELD FIELD ..
//!            extents, arrays of fields, structs of rows
//! OTHER    = rows { STRUCT } | view { STRUCT }                               the struct of its rows, and its view
//! FIELD    = { {PATH} {PATH} [ extent, extent ] { .placement([..]) .. } }     the struct that declares it, and the field from there on
//! PATH     = .field | .field.field | .field[number] ..
//! ```
//!
//! The paths of the state are those of the calls, in the order in which the bundles arrive, each with the path by which
//! the template is named outside the function. A template that is visible outside its module has a home: a module of its
//! name, which gives the names beside it. A key is the identifier of
//! the exported macro. The version is that of this format: a crate may use templates that another version of shim
//! has exported.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Error, ItemFn, LitInt, LitStr, Path, Result, Token, Visibility, braced, bracketed};

use crate::diagnostics::location;

use super::callee::Callee;
use super::constant::Constant;
use super::interface::Interface;
use super::layout::Layout;
use super::located::Declaration;
use super::placeholder::placeholder;
use super::tokens;

/// The version of the format.
const VERSION: u32 = 2;

/// What `start` leaves for `resume!`, and what that finds when it arrives.
pub(super) struct Continuation {
    pub(super) kind: CarriedKind,
    pub(super) attribute: TokenStream,
    pub(super) item: TokenStream,
    pub(super) calls: Vec<Callee>,
    pub(super) bundles: Vec<Bundle>,
}

/// The purpose of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CarriedKind {
    /// A function of either kind waits for the structs that its parameters are, and the constants that it imports.
    Declared,
    /// A kernel waits for the templates it calls.
    Kernel,
    /// A template waits for the templates it calls.
    Template,
    /// A layout waits for the constants and layouts that it imports.
    Layout,
    /// A located struct waits for those among its fields.
    Located,
}

impl CarriedKind {
    const ALL: [Self; 5] = [
        CarriedKind::Declared,
        CarriedKind::Kernel,
        CarriedKind::Template,
        CarriedKind::Layout,
        CarriedKind::Located,
    ];

    const fn name(self) -> &'static str {
        match self {
            CarriedKind::Declared => "declared",
            CarriedKind::Kernel => "kernel",
            CarriedKind::Template => "template",
            CarriedKind::Layout => "layout",
            CarriedKind::Located => "located",
        }
    }
}

/// One callee, and all it needs.
pub(super) struct Bundle {
    /// Whether this version of shim can read it. If not, nothing is.
    pub(super) compatible: bool,
    pub(super) key: Ident,
    pub(super) carried: Carried,
    /// The bundle as it arrived, for another chain.
    tokens: TokenStream,
}

/// The contents of a bundle.
pub(super) enum Carried {
    /// A template and those that it calls.
    Templates(Vec<RawTemplate>),
    /// The declaration of a located struct.
    Located(Declaration),
    /// A constant.
    Constant(Box<Constant>),
    /// A layout.
    Layout(Box<Layout>),
    /// A declaration with an error, which is reported there.
    Broken,
}

/// A template in tokens.
#[derive(Clone)]
pub(super) struct RawTemplate {
    pub(super) key: Ident,
    pub(super) location: LitStr,
    pub(super) attribute: TokenStream,
    pub(super) function: TokenStream,
    pub(super) has_home: bool,
    pub(super) callees: Vec<(Callee, Ident)>,
}

/// The first macro call of the chain over the callees whose bundles are not there yet, which ends in `resume`.
pub(super) fn chain(state: &Continuation, resume: &TokenStream) -> TokenStream {
    let mut links = state.calls.iter().skip(state.bundles.len()).map(|callee| &callee.link);
    let bundles = state.bundles.iter().map(|bundle| &bundle.tokens);
    let Some(first) = links.next() else { return TokenStream::new() };
    let Continuation { attribute, item, .. } = state;
    let kind = format_ident!("{}", state.kind.name());
    let paths = state.calls.iter().map(|callee| &callee.path);
    let named = state.calls.iter().map(|callee| &callee.link);
    let sigil = tokens::sigil(Span::call_site());
    quote! {
        #first ! {
            #sigil [ #({ #links })* { #resume } ]
            { #kind { #attribute } { #item } [ #({ #paths } { #named })* ] }
            #(#bundles)*
        }
    }
}

/// A template as a macro that carries it with all that it needs, imported under the template's name, and a function to
/// be read.
pub(super) fn export(
    own: &RawTemplate,
    mut function: ItemFn,
    mut library: BTreeMap<String, RawTemplate>,
    names: &[Ident],
) -> TokenStream {
    let (key, name) = (&own.key, function.sig.ident.clone());
    let visibility = std::mem::replace(&mut function.vis, Visibility::Inherited);
    let (docs, rest): (Vec<_>, _) =
        std::mem::take(&mut function.attrs).into_iter().partition(|attr| attr.path().is_ident("doc"));
    let placeholder = placeholder(&visibility, &function, &docs, &super::shim_path(&own.attribute));
    // Whoever calls a deprecated template is to be told, not whoever receives its body.
    let (deprecated, rest): (Vec<_>, _) =
        rest.into_iter().partition(|attr| attr.path().is_ident("deprecated"));
    function.attrs = rest;
    let own_home = own.has_home;
    let own = RawTemplate { function: function.into_token_stream(), ..own.clone() };
    library.remove(&key.to_string());
    let templates = std::iter::once(own).chain(library.into_values());
    let templates: TokenStream = templates.map(|template| template.write()).collect();
    let misuse = format!(
        "`{name}` is a template: call it as a function, with a tensor, in a `#[shim::kernel]`\n\
         help: outside kernels, make a kernel that calls it"
    );
    let carrier = carrier(key, &name, &visibility, &deprecated, templates, &misuse);
    let home = own_home.then(|| home(&name, &visibility, names));
    quote! {
        #carrier
        #(#deprecated)*
        #placeholder
        #home
    }
}

/// A module of a template's name, in which the names beside the template have the meaning that they have there. A name
/// that is private is so in the module as well.
fn home(name: &Ident, visibility: &Visibility, names: &[Ident]) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(unused_imports, non_snake_case)]
        #visibility mod #name {
            pub use super::*;
        }
        #[allow(unused_imports)]
        const _: () = {
            #(use #name::#names as _;)*
        };
    }
}

/// A macro that hands `carried` to the chain that calls it, imported under `name`.
pub(super) fn carrier(
    key: &Ident,
    name: &Ident,
    visibility: &Visibility,
    deprecated: &[Attribute],
    carried: TokenStream,
    misuse: &str,
) -> TokenStream {
    let dollar = format_ident!("shim_dollar");
    let carried = tokens::embed(carried, &dollar);
    let exported = matches!(visibility, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    let version = LitInt::new(&VERSION.to_string(), Span::call_site());
    let sigil = tokens::sigil(Span::call_site());
    // rustc warns about a `pub` macro in the body of a function, which is not an item of the crate.
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros, unused_macro_rules, non_local_definitions)]
        #(#deprecated)*
        #exported
        macro_rules! #key {
            (
                #sigil #dollar:tt [ { #sigil(#sigil next:tt)* } #sigil(#sigil rest:tt)* ]
                #sigil(#sigil state:tt)*
            ) => {
                #sigil(#sigil next)* ! {
                    #sigil #dollar [ #sigil(#sigil rest)* ]
                    #sigil(#sigil state)* { #version #key #carried }
                }
            };
            (#sigil(#sigil other:tt)*) => { ::core::compile_error! { #misuse } };
        }
        #[doc(hidden)]
        #[allow(unused_imports, deprecated)]
        #visibility use #key as #name;
    }
}

impl RawTemplate {
    /// A template where it is defined, with the templates that its calls mean, and the paths of its calls of itself.
    pub(super) fn new(
        attribute: TokenStream,
        function: &ItemFn,
        recursive: &[Path],
        resolved: Vec<(Callee, Ident)>,
    ) -> Self {
        let name = &function.sig.ident;
        let tokens = function.to_token_stream();
        let key = tokens::mangled(name, &tokens);
        let location = LitStr::new(&location(name.span()), name.span());
        let mut callees = resolved;
        let own = |path: &Path| Callee { path: path.clone(), link: name.clone().into() };
        callees.extend(recursive.iter().map(|path| (own(path), key.clone())));
        let has_home = !matches!(function.vis, Visibility::Inherited);
        Self { key, location, attribute, function: tokens, has_home, callees }
    }

    fn write(&self) -> TokenStream {
        let Self { key, location, attribute, function, has_home, callees } = self;
        let paths = callees.iter().map(|(callee, _)| &callee.path);
        let links = callees.iter().map(|(callee, _)| &callee.link);
        let keys = callees.iter().map(|(_, key)| key);
        quote!({ #key #location { #attribute } { #function } #has_home [ #({ #paths } { #links } #keys)* ] })
    }
}

impl Parse for RawTemplate {
    fn parse(input: ParseStream) -> Result<Self> {
        let inner;
        braced!(inner in input);
        let key = inner.parse()?;
        let location = inner.parse()?;
        let attribute = braces(&inner)?;
        let function = braces(&inner)?;
        let has_home = inner.parse::<syn::LitBool>()?.value;
        let list;
        bracketed!(list in inner);
        let mut callees = Vec::new();
        while !list.is_empty() {
            callees.push((callee(&list)?, list.parse()?));
        }
        Ok(Self { key, location, attribute, function, has_home, callees })
    }
}

impl Bundle {
    /// The interface of the template that it is of.
    pub(super) fn interface(&self) -> Option<Interface> {
        match &self.carried {
            Carried::Templates(templates) => Interface::read(&templates.first()?.function),
            Carried::Located(_) | Carried::Constant(_) | Carried::Layout(_) | Carried::Broken => None,
        }
    }
}

impl Parse for Bundle {
    fn parse(input: ParseStream) -> Result<Self> {
        let whole: proc_macro2::Group = input.parse()?;
        Self::read.parse2(whole.stream()).map(|bundle| Bundle { tokens: whole.into_token_stream(), ..bundle })
    }
}

impl Bundle {
    fn read(inner: ParseStream) -> Result<Self> {
        let version: LitInt = inner.parse()?;
        let compatible = version.base10_parse::<u32>().ok() == Some(VERSION);
        let key = inner.parse()?;
        if !compatible {
            inner.parse::<TokenStream>()?;
        }
        let carried = if inner.peek(syn::Ident) {
            let kind: Ident = inner.parse()?;
            let declared;
            braced!(declared in inner);
            match kind.to_string().as_str() {
                "located" => Carried::Located(declared.parse()?),
                "constant" => Carried::Constant(Box::new(declared.parse()?)),
                "layout" => Carried::Layout(Box::new(declared.parse()?)),
                _ => Carried::Broken,
            }
        } else {
            let mut templates = Vec::new();
            while !inner.is_empty() {
                templates.push(inner.parse()?);
            }
            Carried::Templates(templates)
        };
        Ok(Self { compatible, key, carried, tokens: TokenStream::new() })
    }
}

impl Parse for Continuation {
    fn parse(input: ParseStream) -> Result<Self> {
        let foreign = |error: Error| {
            Error::new(
                error.span(),
                format!("`resume!` is for the expansion of `#[shim::kernel]` alone: {error}"),
            )
        };
        Self::read(input).map_err(foreign)
    }
}

impl Continuation {
    fn read(input: ParseStream) -> Result<Self> {
        input.parse::<Token![$]>()?;
        let remaining;
        bracketed!(remaining in input);
        if !remaining.is_empty() {
            return Err(remaining.error("some macros of the chain were not called"));
        }
        let state;
        braced!(state in input);
        let kind: Ident = state.parse()?;
        let kind = CarriedKind::ALL.into_iter().find(|known| kind == known.name()).ok_or_else(|| {
            Error::new(kind.span(), "expected `declared`, `kernel`, `template`, `layout` or `located`")
        })?;
        let attribute = braces(&state)?;
        let item = braces(&state)?;
        let list;
        bracketed!(list in state);
        let mut calls = Vec::new();
        while !list.is_empty() {
            calls.push(callee(&list)?);
        }
        let mut bundles = Vec::new();
        while !input.is_empty() {
            bundles.push(input.parse()?);
        }
        if calls.len() != bundles.len() {
            return Err(state.error(format!("{} callees, {} bundles", calls.len(), bundles.len())));
        }
        Ok(Self { kind, attribute, item, calls, bundles })
    }
}

fn braces(input: ParseStream) -> Result<TokenStream> {
    let inner;
    braced!(inner in input);
    inner.parse()
}

fn callee(input: ParseStream) -> Result<Callee> {
    Ok(Callee { path: path_in_braces(input)?, link: path_in_braces(input)? })
}

fn path_in_braces(input: ParseStream) -> Result<Path> {
    let inner;
    braced!(inner in input);
    inner.call(Path::parse_mod_style)
}
