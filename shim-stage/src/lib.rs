//! The staging compiler of shim, as an ordinary library: tokens in, tokens out.
//!
//! A kernel goes through these stages, and none knows the ones after it (`tests/layers.rs`):
//!
//! | stage | module | what it does |
//! |---|---|---|
//! | parse | [`parse`] | recognizes options and parameters, and judges the definitions of templates |
//! | link | [`link`] | brings the templates that a kernel calls, and stages each once by itself, for its errors |
//! | bind | [`bind`] | decides what is static, stages templates, captures locations |
//! | locate | [`locate`] | maps every index to coordinates of the blocks that may hold the element |
//! | check | [`check`] | decides which accesses are safe, asserted before a nest, or tested in place |
//! | lower | [`lower`] | offsets in memory, hoisted to the loop where they change |
//! | emit | [`emit`] | readable Rust |
//!
//! They share [`surface`], the names and forms of the language; [`hygiene`], which identifiers are one name; [`symbolic`], the
//! integers of locations in a normal form; [`fixed`], the values that are static; [`ir`], what the stages hand to one another;
//! and [`diagnostics`], what is wrong.

pub mod bind;
pub mod check;
pub mod diagnostics;
pub mod emit;
pub mod fixed;
pub mod hygiene;
pub mod ir;
pub mod link;
pub mod locate;
pub mod lower;
pub mod parse;
pub mod split;
pub mod surface;
pub mod symbolic;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::{Diagnostics, Outcome};
use crate::link::{Library, Unit};
use crate::parse::options::Options;

/// The expansion of `#[shim::kernel(attribute)] item`.
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(error) = link::refuse_nesting(&item).or_else(|| link::refuse_reserved(&item)) {
        return error;
    }
    let item = link::tokens::ungroup(hygiene::unraw(item));
    // A template is judged where it is defined: its callers may be in other crates.
    let (errors, item) = parse::template::judge(&attribute, item);
    let expansion = link::start(attribute, item, &Stages);
    quote!(#errors #expansion)
}

/// The expansion of the continuation that [`kernel`] leaves behind when a kernel calls templates.
pub fn resume(input: TokenStream) -> TokenStream {
    link::resume(input, &Stages)
}

/// Everything after linking.
struct Stages;

impl link::Stage for Stages {
    fn kernel(&self, unit: &Unit, library: &Library) -> TokenStream {
        match stage(unit, library, Diagnostics::default()) {
            Ok(expansion) => expansion,
            Err(error) => {
                let errors = error.to_compile_error();
                let alone = link::signature(unit.item.clone());
                quote!(#errors #alone)
            }
        }
    }

    fn definition(&self, unit: &Unit, library: &Library) -> syn::Result<TokenStream> {
        stage(unit, library, Diagnostics::of_definition())
    }
}

/// A kernel and its templates become a function. That of a template's definition is empty where calls decide what it is.
fn stage(unit: &Unit, library: &Library, mut diagnostics: Diagnostics) -> syn::Result<TokenStream> {
    let mut function: syn::ItemFn = syn::parse2(unit.item.clone())?;
    let options = Options::parse(unit.attribute.clone()).unwrap_or_else(|error| {
        diagnostics.push(error);
        Options::default()
    });
    let parameters = parse::signature::parameters(&mut function, &mut diagnostics);
    parse::signature::qualifiers(&function.sig, &mut diagnostics);
    parse::attributes::misplaced(&function.block, &mut diagnostics);
    let receiver = function.sig.inputs.iter().find_map(|input| match input {
        syn::FnArg::Receiver(receiver) => Some(receiver.clone()),
        syn::FnArg::Typed(_) => None,
    });
    let mut names = ir::Names::default();
    names.reserve(unit.item.clone());
    for template in library.templates() {
        names.reserve(quote::ToTokens::to_token_stream(&template.function));
    }
    let own = ir::OwnLocals::new(&mut names);
    let name = function.sig.ident.to_string();
    let mut binder =
        bind::Binder::new(&name, own.runtime.clone(), names, library, &unit.callees, &mut diagnostics);
    if matches!(function.sig.safety, syn::Safety::Unsafe(_)) {
        binder.allow_pointers();
    }
    let body = binder.function(&function, |binder| binder.parameters(receiver.as_ref(), &parameters));
    let bind::Binder { mut program, mut names, .. } = binder;
    let typed = function.sig.inputs.iter_mut().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(typed),
        syn::FnArg::Receiver(_) => None,
    });
    for (input, pattern) in typed.zip(&program.parameters) {
        (*input.pat).clone_from(pattern);
    }
    if diagnostics.settle()? == Outcome::DependsOnCall {
        return Ok(TokenStream::new());
    }
    // A whole build can be checked without touching its sources.
    let every = std::env::var_os("SHIM_CHECKS").is_some_and(|value| value == "every");
    let mut checked = check::check(&mut program, options.checks || every, &mut diagnostics);
    if diagnostics.settle()? == Outcome::DependsOnCall {
        return Ok(TokenStream::new());
    }
    let dumps = std::env::var_os("SHIM_DUMP");
    let loops = if dumps.is_some() { emit::dump::nest(&program, &checked) } else { String::new() };
    lower::capture::share(&mut program, &mut names);
    let extents = lower::extent::name(&mut program, &mut names);
    split::split(&mut program, &mut checked);
    let lowered = lower::lower(&mut program, &checked, extents, &mut names);
    let expansion = emit::function(&emit::Kernel {
        function: &function,
        options: &options,
        program: &program,
        own: &own,
        body,
        lowered: &lowered,
    });
    if let Some(directory) = dumps {
        let place = diagnostics::location(function.sig.ident.span());
        let written = emit::dump::dump(directory.as_ref(), &place, &program.name, &loops, &expansion);
        if let Err(error) = written {
            let message = format!("SHIM_DUMP={}: {error}", directory.display());
            return Err(syn::Error::new(function.sig.ident.span(), message));
        }
    }
    Ok(expansion)
}
