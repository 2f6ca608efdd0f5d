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

pub mod calls;
mod constant;
mod definition;
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

use self::calls::Callee;
use self::imports::{Import, Imported};
use self::interface::{Interface, Interfaces};
use self::located::Taken;
use self::transport::{Bundle, Carried, CarriedKind, Continuation, RawTemplate};

/// A path as it is written at a call (see [`text`]) to the key of the template it means.
pub type Callees = BTreeMap<String, String>;

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
}

impl Library {
    /// The template that `path` means at a call in a function with these callees. Generic arguments do not matter.
    pub fn resolve(&self, callees: &Callees, path: &Path) -> Option<&Template> {
        self.get(callees.get(&text(path))?)
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
            let callees = raw.callees.iter().map(|(path, key)| (text(path), key.to_string())).collect();
            let RawTemplate { location, attribute, .. } = raw;
            let location = location.value();
            templates.insert(key.clone(), Template { key, function, callees, location, attribute });
        }
        Ok(Self { templates })
    }
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

/// Goes on with the bundles of the calls that were found.
fn finish(state: Continuation, stage: &dyn Stager) -> TokenStream {
    let Continuation { kind, attribute, item, calls, bundles } = state;
    if let Some(error) = wrong_bundle(kind, &item, &calls, &bundles) {
        let error = error.to_compile_error();
        let rest = match syn::parse2(item.clone()) {
            Ok(mut declared) if kind == CarriedKind::Located => located::without_declaration(&mut declared),
            _ => signature(item),
        };
        return quote!(#error #rest);
    }
    if kind == CarriedKind::Layout {
        let imported = bundles.into_iter().map(|bundle| imported(bundle.carried));
        // The errors of a declaration are reported there.
        let Some(imported) = imported.collect::<Option<_>>() else { return signature(item) };
        return layout_item::declare(&attribute, &item, imported);
    }
    if kind == CarriedKind::Located {
        return with_nested(&attribute, item, bundles);
    }
    if kind == CarriedKind::Declared {
        return with_declarations(attribute, item, bundles, stage);
    }
    let own = |(callee, bundle): (&Callee, &Bundle)| Some((text(&callee.path), bundle.interface()?));
    let interfaces: Interfaces = calls.iter().zip(&bundles).filter_map(own).collect();
    if interfaces.values().any(|interface| *interface != Interface::default()) {
        let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else { return signature(item) };
        let found = calls::calls(&function, &interfaces);
        let ambiguous = found.ambiguous.first();
        if let Some(path) = ambiguous.or_else(|| found.told_apart()) {
            return refuse_ambiguous(path, item);
        }
        let known = |callee: &Callee| calls.iter().any(|known| text(&known.path) == text(&callee.path));
        let more: Vec<Callee> = found.others.into_iter().filter(|callee| !known(callee)).collect();
        if !more.is_empty() {
            let calls = calls.into_iter().chain(more).collect();
            let shim = shim_path(&attribute);
            let state = Continuation { kind, attribute, item, calls, bundles };
            return transport::chain(&state, &quote!(#shim::__private::resume));
        }
    }
    let mut raw = BTreeMap::new();
    let mut resolved = Vec::new();
    for (Callee { path, .. }, Bundle { key, carried, .. }) in calls.into_iter().zip(bundles) {
        if let Carried::Templates(templates) = carried {
            raw.extend(templates.into_iter().map(|template| (template.key.to_string(), template)));
        }
        resolved.push((path, key));
    }
    if kind == CarriedKind::Template {
        return match syn::parse2(item) {
            Ok(function) => {
                let own = calls::calls(&function, &interfaces).recursive;
                define(attribute, function, &own, resolved, raw, stage)
            }
            Err(error) => error.to_compile_error(),
        };
    }
    let library = match Library::new(raw) {
        Ok(library) => library,
        Err(error) => {
            let error = error.to_compile_error();
            let signature = signature(item);
            return quote!(#error #signature);
        }
    };
    let callees = resolved.iter().map(|(path, key)| (text(path), key.to_string())).collect();
    stage.kernel(&Unit { attribute, item, callees }, &library)
}

/// The error of a name that means another kind of declaration than wanted, or one of another version.
fn wrong_bundle(
    kind: CarriedKind,
    item: &TokenStream,
    calls: &[Callee],
    bundles: &[Bundle],
) -> Option<Error> {
    let declared = matches!(kind, CarriedKind::Declared | CarriedKind::Layout)
        .then(|| syn::parse2::<ItemFn>(item.clone()).and_then(|function| Requested::of(&function)));
    let structs = match kind {
        CarriedKind::Located => Some(calls.len()),
        _ => declared.and_then(Result::ok).map(|declared| declared.structs.len()),
    };
    calls.iter().zip(bundles).enumerate().find_map(|(number, (callee, bundle))| {
        let path = text(&callee.path);
        let wanted = match structs {
            Some(structs) if number < structs => "a located struct",
            Some(_) if kind == CarriedKind::Layout => "a staged constant or a layout",
            Some(_) => "a staged constant, a layout or a template",
            None => "a template",
        };
        let found = match &bundle.carried {
            Carried::Templates(_)
                if kind == CarriedKind::Declared && structs.is_some_and(|structs| number >= structs) =>
            {
                wanted
            }
            Carried::Templates(_) => "a template",
            Carried::Located(_) => "a located struct",
            Carried::Constant(_) | Carried::Layout(_) if structs.is_some_and(|structs| number >= structs) => {
                wanted
            }
            Carried::Constant(_) => "a staged constant",
            Carried::Layout(_) => "a layout",
            Carried::Broken => wanted,
        };
        let message = if !bundle.compatible {
            format!(
                "`{path}` was exported by an incompatible version of shim\n\
                 help: let all crates depend on the same version of shim"
            )
        } else if found != wanted {
            format!("`{path}` is {found}, not {wanted}\nhelp: name {wanted} here")
        } else {
            return None;
        };
        Some(Error::new_spanned(&callee.path, message))
    })
}

/// Goes on with a located struct whose nested ones have arrived.
fn with_nested(attribute: &TokenStream, item: TokenStream, bundles: Vec<Bundle>) -> TokenStream {
    let nested = bundles.into_iter().map(|bundle| match bundle.carried {
        Carried::Located(declaration) => Some(declaration),
        // Its errors are reported where it is declared.
        _ => None,
    });
    match (syn::parse2(item), nested.collect::<Option<Vec<_>>>()) {
        (Ok(mut declared), Some(nested)) => located::with_nested(attribute, &mut declared, &nested),
        (Ok(mut declared), None) => located::without_declaration(&mut declared),
        (Err(error), _) => error.to_compile_error(),
    }
}

/// The declaration in a bundle, if a function may import it.
fn imported(carried: Carried) -> Option<Imported> {
    match carried {
        Carried::Constant(constant) => Some(Imported::Constant(constant)),
        Carried::Layout(layout) => Some(Imported::Layout(layout)),
        Carried::Templates(_) => Some(Imported::Template),
        Carried::Located(_) | Carried::Broken => None,
    }
}

/// Begins again with the fields of located structs named, and constants in the place of their imports.
fn with_declarations(
    attribute: TokenStream,
    item: TokenStream,
    bundles: Vec<Bundle>,
    stage: &dyn Stager,
) -> TokenStream {
    let (mut declarations, mut keys, mut imports) = (Vec::new(), Vec::new(), Vec::new());
    for bundle in bundles {
        match bundle.carried {
            Carried::Located(declaration) => {
                declarations.push(declaration);
                keys.push(bundle.key);
            }
            other => match imported(other) {
                Some(import) => imports.push(import),
                // Its errors are reported where it is declared.
                None => return signature(item),
            },
        }
    }
    let shim = shim_path(&attribute);
    let named = syn::parse2::<ItemFn>(item.clone()).and_then(|mut function| {
        let declared = Requested::of(&function)?;
        let template = is_template(&function);
        let confirmations = self::imports::place(&mut function, declared.imports, imports, template)?;
        if !declared.structs.is_empty() {
            located::name(&mut function, &declared.structs, &declarations, &keys, &shim)?;
        }
        Ok((function, confirmations))
    });
    match named {
        Ok((function, confirmations)) => {
            let expansion = start(attribute, function.into_token_stream(), stage);
            quote!(#(#confirmations)* #expansion)
        }
        Err(error) => {
            let error = error.to_compile_error();
            let signature = signature(item);
            quote!(#error #signature)
        }
    }
}

/// Exports a template, and checks it where it stands.
fn define(
    attribute: TokenStream,
    mut function: ItemFn,
    recursive: &[Path],
    resolved: Vec<(Path, Ident)>,
    mut raw: BTreeMap<String, RawTemplate>,
    stage: &dyn Stager,
) -> TokenStream {
    let shim = shim_path(&attribute);
    let own = RawTemplate::new(attribute, &function, recursive, resolved);
    raw.insert(own.key.to_string(), own.clone());
    let checked = definition::check(&own, &function, &shim, &raw, stage);
    // The items of one that is checked have its tokens.
    let written = match &checked {
        Ok(items) if !items.is_empty() => TokenStream::new(),
        _ => for_editor(function.to_token_stream()),
    };
    let checked = checked.unwrap_or_else(|error| {
        // Each call would repeat the errors.
        *function.block = syn::parse_quote!({ ::core::unreachable!() });
        error.to_compile_error()
    });
    let export = transport::export(&own, function, raw);
    quote!(#export #checked #written)
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
