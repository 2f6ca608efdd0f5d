//! Templates staged across functions, modules and crates.
//!
//! A kernel needs the bodies of the templates it calls, but a proc macro sees one item. So each template is linked
//! where it is defined, with the imports of its own module, and exports itself as a closed bundle:
//!
//! ```text
//! #[macro_export] /* only if it is `pub` */
//! macro_rules! __shim_dct1d_<hash>_<line>_<column> { .. appends the bundle, and calls the next macro .. }
//! pub use __shim_dct1d_<hash>_<line>_<column> as dct1d;
//! ```
//!
//! Beside it stands a function with the template's signature and documentation, for readers and for messages.
//!
//! The template's name is thus a macro to rustc, and follows every rule of names: aliases, globs, private imports,
//! re-exports, use before definition. A function that calls templates expands first to a chain of these macros, the
//! last of which is `resume!`: it receives all bundles at once, and goes on. The module `transport`
//! documents the tokens.
//!
//! Structs that say where their fields are (`located.rs`), constants (`constant.rs`) and layouts (`layout.rs`) travel
//! in the same way, before the templates.
//!
//! What is a template call cannot be known from types, so [`calls`] decides by syntax: a call of a plain path that
//! passes a tensor, or of a name that is imported under `#[staged]`. Where a template that has arrived takes templates
//! or returns tensors, there may be more of them: another chain brings those, until there are none.
//!
//! Two mistakes are rustc's to report, since its name resolution finds them: a tensor given to a plain function
//! (``cannot find macro `f` ``), and templates that call each other in a circle (neither's macro can be defined
//! before the other's is expanded). A template that calls itself by its plain name is fine.

mod callee;
pub mod calls;
mod constant;
mod definition;
mod finish;
mod imports;
mod interface;
mod layout;
mod layout_item;
mod located;
mod placeholder;
mod refusal;
#[cfg(test)]
mod tests;
pub mod tokens;
mod transport;

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Error, ItemFn, Path, Result, Token};

pub use self::constant::declare as declare_constant;
pub use self::interface::Output;
pub use self::located::declare;
pub use self::refusal::{for_editor, refuse_nesting, refuse_reserved, signature};

use crate::surface::tensor_type::is_template;

use self::callee::Callee;
use self::finish::finish;
use self::imports::Import;
use self::interface::Interfaces;
use self::located::Taken;
use self::transport::{CarriedKind, Continuation, RawTemplate};

/// The templates that a function calls, by the paths at the calls (see [`text`]).
pub type Callees = BTreeMap<String, Linked>;

/// What the path of a call means.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The key of the template.
    pub key: String,
    /// The path that names the template outside the function.
    pub path: Path,
}

/// A kernel with its calls resolved.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The tokens in `#[shim::kernel(..)]`.
    pub attribute: TokenStream,
    /// The annotated function, free or a method, without that attribute.
    pub item: TokenStream,
    /// The templates it calls.
    pub callees: Callees,
}

/// What is done with a function once the templates it calls are at hand.
pub trait Stager {
    /// The expansion of a kernel.
    fn kernel(&self, unit: &Unit, library: &Library) -> TokenStream;

    /// The expansion of a template as a kernel of its own, empty where that depends on its calls.
    ///
    /// # Errors
    /// What is wrong whatever the arguments of a call are.
    fn definition(&self, unit: &Unit, library: &Library) -> Result<TokenStream>;

    /// The names that a template takes from the module that it is in.
    fn home_names(&self, function: &ItemFn, callees: &Callees) -> Vec<Ident>;
}

/// Every template that a kernel reaches.
#[derive(Clone, Debug, Default)]
pub struct Library {
    templates: BTreeMap<String, Template>,
}

/// A template as it arrives in a kernel.
#[derive(Clone, Debug)]
pub struct Template {
    /// What tells it from every other one, in any crate.
    pub key: String,
    /// The function, without its documentation and visibility. `crate::` is `$crate::` in it.
    pub function: ItemFn,
    /// The templates it calls.
    pub callees: Callees,
    /// `file:line:column` of its name, for messages: across crates rustc does not show it.
    pub location: String,
    /// The tokens in its `#[shim::kernel(..)]`.
    pub attribute: TokenStream,
    /// Whether a module of its name gives the names beside it.
    pub has_home: bool,
}

impl Library {
    /// The template that `path` means at a call in a function with these callees. Generic arguments do not matter.
    pub fn resolve(&self, callees: &Callees, path: &Path) -> Option<&Template> {
        self.get(&callees.get(&text(path))?.key)
    }

    /// The template of this key.
    pub fn get(&self, key: &str) -> Option<&Template> {
        self.templates.get(key)
    }

    /// All templates, in the order of their keys.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.templates.values()
    }

    fn new(raw: BTreeMap<String, RawTemplate>) -> Result<Self> {
        let mut templates = BTreeMap::new();
        for (key, raw) in raw {
            let function = syn::parse2(raw.function)?;
            let callees = linked(&raw.callees);
            let RawTemplate { location, attribute, has_home, .. } = raw;
            let location = location.value();
            let template = Template { key: key.clone(), function, callees, location, attribute, has_home };
            templates.insert(key, template);
        }
        Ok(Self { templates })
    }
}

/// Resolved calls by the texts of their paths.
fn linked(resolved: &[(Callee, Ident)]) -> Callees {
    let linked = |(Callee { path, link }, key): &(Callee, Ident)| {
        (text(path), Linked { key: key.to_string(), path: link.clone() })
    };
    resolved.iter().map(linked).collect()
}

/// The text of a path without generic arguments, by which calls are looked up: `a::b` of `a::b::<4>`.
pub fn text(path: &Path) -> String {
    let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let head = if path.leading_colon.is_some() { "::" } else { "" };
    format!("{head}{}", segments.join("::"))
}

/// The expansion of `#[shim::kernel]`: a template is exported, a kernel is handed to `stage`, either once the
/// templates it calls are known.
pub fn start(attribute: TokenStream, item: TokenStream, stage: &dyn Stager) -> TokenStream {
    let item = tokens::ungroup(item);
    let mut function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => return refusal::refuse(&item, &error),
    };
    let template = is_template(&function);
    if template && let Some(receiver) = function.sig.receiver() {
        let message = "a template is a free function: it has no `self`\n\
                       help: pass what it needs of `self` as parameters";
        let error = Error::new_spanned(receiver, message).to_compile_error();
        let signature = signature(item);
        return quote!(#error #signature);
    }
    match Requested::of(&function) {
        Ok(Requested { structs, imports }) if structs.is_empty() && imports.is_empty() => {}
        Ok(Requested { structs, imports }) => {
            let structs = structs.into_iter().map(|Taken { path, .. }| path);
            let paths = structs.chain(imports.into_iter().map(|import| import.path));
            let calls = paths.map(|path| Callee { link: path.clone(), path }).collect();
            let state =
                Continuation { kind: CarriedKind::Declared, attribute, item, calls, bundles: Vec::new() };
            let shim = shim_path(&state.attribute);
            return transport::chain(&state, &quote!(#shim::__private::resume));
        }
        Err(error) => {
            let error = error.to_compile_error();
            let signature = signature(item);
            return quote!(#error #signature);
        }
    }
    let calls = calls::calls(&function, &Interfaces::new());
    if let Some(path) = calls.ambiguous.first() {
        return refuse_ambiguous(path, item);
    }
    let renamed = calls.tell_apart(&mut function);
    let item = if imports::remove_template_imports(&mut function) || renamed {
        function.into_token_stream()
    } else {
        item
    };
    let calls = calls.others;
    let kind = if template { CarriedKind::Template } else { CarriedKind::Kernel };
    let state = Continuation { kind, attribute, item, calls, bundles: Vec::new() };
    if state.calls.is_empty() {
        return finish(state, stage);
    }
    let shim = shim_path(&state.attribute);
    transport::chain(&state, &quote!(#shim::__private::resume))
}

/// The expansion of `#[shim::layout]`.
pub fn declare_layout(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let imports = syn::parse2::<ItemFn>(item.clone()).and_then(|function| imports::imports(&function));
    match imports {
        Ok(imports) if !imports.is_empty() => {
            let calls = imports.into_iter().map(|Import { path, .. }| Callee { link: path.clone(), path });
            let shim = shim_path(&attribute);
            let state = Continuation {
                kind: CarriedKind::Layout,
                attribute,
                item,
                calls: calls.collect(),
                bundles: Vec::new(),
            };
            transport::chain(&state, &quote!(#shim::__private::resume))
        }
        Err(error) if syn::parse2::<ItemFn>(item.clone()).is_ok() => {
            let error = error.to_compile_error();
            let signature = signature(item);
            quote!(#error #signature)
        }
        _ => layout_item::declare(&attribute, &item, Vec::new()),
    }
}

/// What a function takes of declarations that are elsewhere.
struct Requested {
    structs: Vec<Taken>,
    imports: Vec<Import>,
}

impl Requested {
    fn of(function: &ItemFn) -> Result<Self> {
        Ok(Self { structs: located::taken(function)?, imports: imports::imports(function)? })
    }
}

/// A function that calls two templates by one path.
fn refuse_ambiguous(path: &Path, item: TokenStream) -> TokenStream {
    let message = format!(
        "`{}` is imported from two places in this function\nhelp: give one of the imports another name with `as`",
        text(path)
    );
    let error = Error::new_spanned(path, message).to_compile_error();
    let signature = signature(item);
    quote!(#error #signature)
}

/// The expansion of `::shim::__private::resume!`, the end of the chain that [`start`] began.
pub fn resume(input: TokenStream, stage: &dyn Stager) -> TokenStream {
    match Continuation::parse.parse2(input) {
        Ok(state) => finish(state, stage),
        Err(error) => error.to_compile_error(),
    }
}

/// The path under which this crate knows shim: `::shim`, or what `crate = path` says.
///
/// Everything else in the attribute, and every mistake in it, is for the stage to judge.
pub fn shim_path(attribute: &TokenStream) -> TokenStream {
    let renamed = |input: ParseStream| -> Result<Option<Path>> {
        while !input.is_empty() {
            if input.peek(Token![crate]) && input.peek2(Token![=]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                let path = Path::parse_mod_style(input)?;
                input.parse::<TokenStream>()?;
                return Ok(Some(path));
            }
            input.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(None)
    };
    let path = renamed.parse2(attribute.clone()).ok().flatten();
    path.map_or_else(|| quote!(::shim), Path::into_token_stream)
}
