//! The staging compiler of shim, as an ordinary library: tokens in, tokens out.
//!
//! A kernel goes through these stages, and none knows the ones after it (`tests/layers`):
//!
//! | stage | module | what it does |
//! |---|---|---|
//! | parse | [`parse`] | recognizes options and parameters, and judges the definitions of templates |
//! | link | [`link`] | brings the structs that a kernel takes and the templates that it calls, and stages each template once by itself, for its errors |
//! | bind | [`bind`] | decides what is static, stages templates, captures locations |
//! | check | [`check`] | decides which accesses are safe, asserted before a nest, or tested in place |
//! | share | [`lower::capture`], [`lower::extent`], [`lower::ends`] | gives conversions and extents that several statements need one local, and marks the ranges whose variable fits `isize` |
//! | split | [`split`] | makes the interior of a loop a nest without tests |
//! | lower | [`lower`] | offsets in memory, hoisted to the loop where they change |
//! | emit | [`emit`] | prints readable Rust |
//!
//! From bind to lower a kernel is an [`ir::Program`], and each pass rewrites it: [`print`](mod@print) shows it between two passes.
//! [`bind`], for the dependences of a loop, and [`check`] ask [`locate`] for the blocks that may hold an element, and the
//! element's coordinates there.
//! They share [`surface`], the names and forms of the language; [`hygiene`], which identifiers are one name; [`symbolic`], the
//! integers of locations in a normal form; [`fixed`], the values that are static; [`ir`], what the stages hand to one another;
//! and [`diagnostics`], what is wrong.

pub mod bind;
pub mod check;
mod depend;
pub mod diagnostics;
pub mod emit;
pub mod fixed;
pub mod hygiene;
pub mod ir;
pub mod link;
pub mod locate;
pub mod lower;
pub mod parse;
pub mod print;
mod schedule;
pub mod split;
pub mod surface;
pub mod symbolic;
mod verify;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::{Diagnostics, Outcome};
use crate::link::{Library, Unit};
use crate::parse::options::Options;
use crate::print::{Found, Passes};

/// The expansion of `#[shim::kernel(attribute)] item`.
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(error) = link::refuse_nesting(&item).or_else(|| link::refuse_reserved(&item)) {
        return error;
    }
    let item = link::tokens::ungroup(hygiene::unraw(item));
    // A template is judged where it is defined: its callers may be in other crates.
    let (errors, judged) = parse::template::judge(&attribute, item.clone());
    let written = errors.is_some().then(|| link::for_editor(item));
    let expansion = link::start(attribute, judged, &Stages);
    quote!(#errors #expansion #written)
}

/// The expansion of `#[shim::located(attribute)] item`.
pub fn located(attribute: TokenStream, item: TokenStream) -> TokenStream {
    link::declare(&attribute, &link::tokens::ungroup(hygiene::unraw(item)))
}

/// The expansion of `#[shim::constant(attribute)] item`.
pub fn constant(attribute: TokenStream, item: TokenStream) -> TokenStream {
    link::declare_constant(&attribute, &link::tokens::ungroup(hygiene::unraw(item)))
}

/// A kernel that calls no templates after each pass, as text, by the name of the pass.
///
/// # Errors
/// What is wrong with the kernel.
pub fn passes(attribute: TokenStream, item: TokenStream) -> syn::Result<Vec<(&'static str, String)>> {
    let item = link::tokens::ungroup(hygiene::unraw(item));
    let unit = Unit { attribute, item, callees: link::Callees::new() };
    let mut passes = Passes::recorded();
    stage(&unit, &Library::default(), Diagnostics::default(), &mut passes)?;
    Ok(passes.texts().to_vec())
}

/// The expansion of the continuation that [`kernel`] leaves behind when a kernel calls templates.
pub fn resume(input: TokenStream) -> TokenStream {
    link::resume(input, &Stages)
}

/// Everything after linking.
struct Stages;

impl link::Stage for Stages {
    fn kernel(&self, unit: &Unit, library: &Library) -> TokenStream {
        match stage(unit, library, Diagnostics::default(), &mut Passes::default()) {
            Ok(expansion) => expansion,
            Err(error) => {
                let errors = error.to_compile_error();
                let alone = link::signature(unit.item.clone());
                quote!(#errors #alone)
            }
        }
    }

    fn definition(&self, unit: &Unit, library: &Library) -> syn::Result<TokenStream> {
        stage(unit, library, Diagnostics::of_definition(), &mut Passes::default())
    }
}

/// Verifies a program after a pass, in builds with debug assertions, and records it.
fn record(pass: &'static str, program: &ir::Program, found: Found<'_>, passes: &mut Passes) {
    if cfg!(debug_assertions) {
        let checked = match found {
            Found::Checked(checked) => Some(checked),
            Found::Bound | Found::Lowered(_) => None,
        };
        verify::verify(pass, program, checked);
    }
    passes.record(pass, program, found);
}

/// A kernel and its templates become a function. That of a template's definition is empty where calls decide what it is.
fn stage(
    unit: &Unit,
    library: &Library,
    mut diagnostics: Diagnostics,
    passes: &mut Passes,
) -> syn::Result<TokenStream> {
    let mut function: syn::ItemFn = syn::parse2(unit.item.clone())?;
    let options = Options::parse(unit.attribute.clone()).unwrap_or_else(|error| {
        diagnostics.push(error);
        Options::default()
    });
    parse::conditions::rejected(&function, &mut diagnostics);
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
    let body = binder.function(&function, receiver.as_ref(), &parameters);
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
    let dumps = std::env::var_os("SHIM_DUMP");
    if dumps.is_some() {
        *passes = Passes::recorded();
    }
    record("bind", &program, Found::Bound, passes);
    // A whole build can be checked without touching its sources.
    let every = std::env::var_os("SHIM_CHECKS").is_some_and(|value| value == "every");
    let every = options.checks || every;
    let mut checked = check::check(&mut program, every, &mut diagnostics);
    if diagnostics.settle()? == Outcome::DependsOnCall {
        return Ok(TokenStream::new());
    }
    record("check", &program, Found::Checked(&checked), passes);
    schedule::schedule(&mut program, &mut checked, &mut names, &own.runtime, &mut diagnostics);
    if diagnostics.settle()? == Outcome::DependsOnCall {
        return Ok(TokenStream::new());
    }
    record("schedule", &program, Found::Checked(&checked), passes);
    if !every {
        checked.peels = check::peels(&program, &checked);
    }
    let loops = if dumps.is_some() { print::loops(&program, &checked) } else { String::new() };
    lower::capture::share(&mut program, &mut names);
    let extents = lower::extent::name(&mut program, &mut names);
    lower::ends::mark(&mut program);
    record("share", &program, Found::Checked(&checked), passes);
    split::split(&mut program, &mut checked);
    record("split", &program, Found::Checked(&checked), passes);
    let lowered = lower::lower(&mut program, &checked, extents, &mut names);
    record("lower", &program, Found::Lowered(&lowered), passes);
    let kernel = emit::Kernel {
        function: &function,
        options: &options,
        program: &program,
        own: &own,
        body,
        lowered: &lowered,
    };
    if let Some(directory) = dumps {
        let versions = if options.simd.is_some() { emit::version_names(&kernel) } else { Vec::new() };
        let shown = emit::dump::Shown {
            kernel: &program.name,
            source: &diagnostics::location(function.sig.ident.span()),
            loops: &loops,
            versions: &versions,
            expansion: &emit::one_version(&kernel),
        };
        if let Err(error) = emit::dump::dump(directory.as_ref(), &shown, passes) {
            let message = format!("SHIM_DUMP={}: {error}", directory.display());
            return Err(syn::Error::new(function.sig.ident.span(), message));
        }
    }
    Ok(emit::function(&kernel))
}
