//! The passes, in their order.

use std::cell::RefCell;
use std::ffi::OsStr;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use crate::diagnostics::{Diagnostics, Outcome};
use crate::ir::{NameSupply, OwnLocals, Program, RegionId};
use crate::link::{Callees, Library, Unit};
use crate::parse::options::{Checks, Options};
use crate::print::Passes;
use crate::summary::Summary;
use crate::{
    advice, bind, check, clear, dead, diagnostics, emit, hoisted, idiom, link, mutability, parse, place,
    regions, schedule, split, tabulate, verify,
};

/// Everything after linking.
#[derive(Default)]
pub(crate) struct Stages<'r> {
    /// Takes the summaries of kernels, where somebody wants them.
    pub(crate) summaries: Option<&'r RefCell<Vec<Summary>>>,
}

impl link::Stager for Stages<'_> {
    fn kernel(&self, unit: &Unit, library: &Library) -> TokenStream {
        let mut record = Record { summary: self.summaries.map(|_| Summary::default()), ..Record::default() };
        match stage(unit, library, Diagnostics::default(), &mut record) {
            Ok(expansion) => {
                if let (Some(summaries), Some(summary)) = (self.summaries, record.summary) {
                    summaries.borrow_mut().push(summary);
                }
                expansion
            }
            Err(error) => {
                let errors = error.to_compile_error();
                let alone = link::signature(unit.item.clone());
                quote!(#errors #alone)
            }
        }
    }

    fn definition(&self, unit: &Unit, library: &Library) -> syn::Result<TokenStream> {
        stage(unit, library, Diagnostics::of_definition(), &mut Record::default())
    }

    fn home_names(&self, function: &syn::ItemFn, callees: &Callees) -> Vec<Ident> {
        bind::home_names(function, callees)
    }
}

/// What is kept of a kernel besides its expansion.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) passes: Passes,
    pub(crate) summary: Option<Summary>,
}

/// What a pass may use besides the program.
struct Session<'d> {
    names: NameSupply,
    diagnostics: &'d mut Diagnostics,
    /// Whether no access may be tested in a loop.
    hoisted: bool,
    /// What is shown of the kernel, where somebody wants it.
    summary: Option<&'d mut Summary>,
}

/// A rewriting of the program.
struct Pass {
    name: &'static str,
    run: fn(&mut Program, &mut Session<'_>),
}

/// The passes, in their order.
const PASSES: &[Pass] = &[
    Pass {
        name: "regions",
        run: |program, Session { names, diagnostics, .. }| {
            regions::resolve(program, names, diagnostics);
        },
    },
    Pass { name: "check", run: |program, session| check::check(program, session.diagnostics) },
    Pass {
        name: "tabulate",
        run: |program, Session { names, diagnostics, .. }| tabulate::tabulate(program, names, diagnostics),
    },
    Pass {
        name: "schedule",
        run: |program, Session { names, diagnostics, .. }| {
            schedule::schedule(program, &mut schedule::Tools { names, diagnostics });
        },
    },
    Pass { name: "pieces", run: |program, _| split::part(program) },
    Pass {
        name: "interior",
        run: |program, session| {
            split::find_interiors(program);
            program.advice = advice::of(program);
            if std::env::var_os("SHIM_NOTES").is_some() {
                program.notes.extend(program.advice.iter().map(|own| (own.span, own.text.clone())));
            }
            if session.hoisted {
                hoisted::require(program, session.diagnostics);
            }
            if let Some(summary) = &mut session.summary {
                **summary = Summary::of(program);
            }
        },
    },
    Pass { name: "clear", run: |program, _| clear::spare(program) },
    Pass {
        name: "split",
        run: |program, session| {
            split::split(program);
            split::cut(program, &mut session.names);
        },
    },
    Pass { name: "idiom", run: |program, _| idiom::mark(program) },
    Pass { name: "place", run: |program, session| place::place(program, &mut session.names) },
    Pass { name: "gather", run: |program, _| idiom::gather::mark(program) },
    Pass { name: "mutability", run: |program, _| mutability::mark(program) },
    Pass { name: "dead", run: |program, _| dead::eliminate(program) },
];

/// Runs the passes, each followed by the verifier in builds with debug assertions.
///
/// # Errors
/// What a pass reports.
fn run(program: &mut Program, session: &mut Session<'_>, passes: &mut Passes) -> syn::Result<Outcome> {
    verified("bind", program, &session.names, passes);
    for pass in PASSES {
        (pass.run)(program, session);
        if session.diagnostics.settle()? == Outcome::DependsOnCall {
            return Ok(Outcome::DependsOnCall);
        }
        verified(pass.name, program, &session.names, passes);
    }
    Ok(Outcome::Sound)
}

fn verified(pass: &'static str, program: &Program, names: &NameSupply, passes: &mut Passes) {
    if cfg!(debug_assertions) {
        verify::verify(pass, program, names);
    }
    passes.record(pass, program);
}

/// A kernel before the passes.
struct BoundKernel {
    /// The function, helper attributes removed.
    function: syn::ItemFn,
    options: Options,
    program: Program,
    body: RegionId,
    names: NameSupply,
    own: OwnLocals,
}

/// Reads a kernel and binds its names.
fn bound(unit: &Unit, library: &Library, diagnostics: &mut Diagnostics) -> syn::Result<BoundKernel> {
    let mut function: syn::ItemFn = syn::parse2(unit.item.clone())?;
    let options = Options::parse(unit.attribute.clone()).unwrap_or_else(|error| {
        diagnostics.push(error);
        Options::default()
    });
    parse::conditions::rejected(&function, diagnostics);
    let parameters = parse::signature::parameters(&mut function, diagnostics);
    parse::signature::qualifiers(&function.sig, diagnostics);
    parse::attributes::misplaced(&function.block, diagnostics);
    let receiver = function.sig.receiver().cloned();
    let mut names = NameSupply::default();
    names.reserve(unit.item.clone());
    names.reserve_items(&function);
    for template in library.templates() {
        names.reserve(template.function.to_token_stream());
        names.reserve_items(&template.function);
    }
    let own = OwnLocals::new(&mut names);
    let name = parse::schedules::shown(&function.sig.ident, &options.schedules);
    let mut binder =
        bind::Binder::new(&name, own.runtime.clone(), names, library, &unit.callees, diagnostics);
    binder.program.function = crate::hygiene::text(&function.sig.ident);
    if matches!(function.sig.safety, syn::Safety::Unsafe(_)) {
        binder.allow_pointers();
    }
    let body = binder.function(&function, receiver.as_ref(), &parameters);
    let bind::Binder { program, names, .. } = binder;
    let typed = function.sig.inputs.iter_mut().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(typed),
        syn::FnArg::Receiver(_) => None,
    });
    for (input, pattern) in typed.zip(&program.parameters) {
        (*input.pat).clone_from(pattern);
    }
    Ok(BoundKernel { function, options, program, body, names, own })
}

/// Expands a kernel and its templates to a function, or to nothing for a template that only its calls determine.
///
/// # Errors
/// What is wrong with the kernel.
pub(crate) fn stage(
    unit: &Unit,
    library: &Library,
    mut diagnostics: Diagnostics,
    record: &mut Record,
) -> syn::Result<TokenStream> {
    let BoundKernel { function, options, mut program, body, names, own } =
        bound(unit, library, &mut diagnostics)?;
    if diagnostics.settle()? == Outcome::DependsOnCall {
        return Ok(TokenStream::new());
    }
    let dumps = std::env::var_os("SHIM_DUMP");
    if dumps.is_some() {
        *record = Record { passes: Passes::recorded(), summary: Some(Summary::default()) };
    }
    // A whole build can be checked without touching its sources.
    program.tests_every_access = options.checks == Checks::Every
        || std::env::var_os("SHIM_CHECKS").is_some_and(|value| value == "every");
    let hoisted = options.checks == Checks::Hoisted;
    let Record { passes, summary } = record;
    let mut session = Session { names, diagnostics: &mut diagnostics, hoisted, summary: summary.as_mut() };
    if run(&mut program, &mut session, passes)? == Outcome::DependsOnCall {
        return Ok(TokenStream::new());
    }
    let Session { names, .. } = session;
    let kernel = emit::Kernel {
        function: &function,
        options: &options,
        program: &program,
        own: &own,
        names: &names,
        body,
    };
    let expansion = emit::function(&kernel);
    if let Some(directory) = dumps {
        let shown = emit::dump::Shown {
            kernel: &program.name,
            source: &diagnostics::location(function.sig.ident.span()),
            loops: summary.as_ref().map_or("", |summary| &summary.loops),
            expansion: &expansion,
        };
        emit::dump::dump(directory.as_ref(), &shown, passes)
            .map_err(|error| dump_error(&directory, function.sig.ident.span(), &error))?;
    }
    Ok(expansion)
}

/// The expansion of a located struct, which `SHIM_DUMP` writes as well, or any other one as it is.
pub(crate) fn dumped(expansion: TokenStream) -> TokenStream {
    let Some(directory) = std::env::var_os("SHIM_DUMP") else { return expansion };
    match emit::dump::declaration(directory.as_ref(), &expansion) {
        Ok(()) => expansion,
        Err(error) => {
            let error = dump_error(&directory, Span::call_site(), &error).into_compile_error();
            quote!(#expansion #error)
        }
    }
}

fn dump_error(directory: &OsStr, at: Span, error: &std::io::Error) -> syn::Error {
    syn::Error::new(at, format!("SHIM_DUMP={}: {error}", directory.display()))
}
