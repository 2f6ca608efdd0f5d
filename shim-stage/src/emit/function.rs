//! The emitted function: its signature, its attributes, and its versions per instruction set.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{FnArg, ItemFn, Signature, Stmt};

use crate::ir::{NameSupply, OwnLocals, Program, RegionId, Surface};
use crate::parse::options::{Level, Options, Simd};

use super::Emitter;

/// What the last stage needs.
pub struct Kernel<'k> {
    /// The function as the user wrote it, helper attributes removed.
    pub function: &'k ItemFn,
    /// The attribute's options.
    pub options: &'k Options,
    /// The tables.
    pub program: &'k Program,
    /// The locals that the expansion uses for itself.
    pub own: &'k OwnLocals,
    /// The names of its locals.
    pub names: &'k NameSupply,
    /// Its body.
    pub body: RegionId,
}

/// The emitted function, once for each instruction set if it has several versions.
pub fn function(kernel: &Kernel<'_>) -> TokenStream {
    let statements = statements(kernel, true);
    if let Some(simd) = &kernel.options.simd {
        // Rustc checks the closures of stages in one version.
        let others = kernel.program.has_checks().then(|| self::statements(kernel, false));
        return versions(kernel, simd, &statements, others.as_deref().unwrap_or(&statements));
    }
    written(kernel, &kernel.function.sig, quote!(#(#statements)*))
}

/// The emitted function for a reader: of several versions the one body that they have.
pub fn one_version(kernel: &Kernel<'_>) -> TokenStream {
    let statements = statements(kernel, true);
    written(kernel, &kernel.function.sig, quote!(#(#statements)*))
}

/// The names of the versions, with the features of x86-64 that each may use; none if the kernel has one version.
pub fn version_names(kernel: &Kernel<'_>) -> Vec<String> {
    let Some(simd) = &kernel.options.simd else { return Vec::new() };
    let name = crate::hygiene::text(&kernel.function.sig.ident);
    let levels = simd.levels.iter();
    let levels = levels.map(|level| format!("__shim_{name}_{}: {}", level.name(), features(*level)));
    levels.chain([format!("__shim_{name}_baseline")]).collect()
}

/// The body of the function, with or without the closures of stages.
fn statements(kernel: &Kernel<'_>, checks: bool) -> Vec<Stmt> {
    let mut emitter = Emitter::new(kernel.program, kernel.own, kernel.names, checks);
    let mut statements = vec![begin(kernel)];
    statements.extend(mentions(kernel));
    statements.extend(kernel.program.methods.iter().map(|name| method(kernel, name)));
    statements.extend(primitives(&kernel.program.primitives));
    statements.extend(kernel.program.told_apart.iter().map(|names| told_apart(names)));
    let body = emitter.body(kernel.body);
    statements.extend(emitter.casts().then(isize_is_itself));
    statements.extend(body);
    with_restored(kernel.program, statements)
}

/// The user's function with another signature and body. It keeps its braces: rustc's lint of `unsafe fn` looks at their
/// span, and takes those of an expansion for somebody else's.
fn written(kernel: &Kernel<'_>, signature: &Signature, body: TokenStream) -> TokenStream {
    let ItemFn { attrs, vis, block, .. } = kernel.function;
    let mut function = quote! {
        #(#attrs)*
        #[allow(unused, clippy::all, clippy::pedantic)]
        #vis #signature
    };
    block.brace_token.surround(&mut function, |inside| {
        inside.extend(kernel.program.notes.iter().map(note));
        inside.extend(body);
    });
    function
}

/// A warning of rustc's: on stable Rust a macro has no other than the use of something that is deprecated.
fn note((span, text): &(Span, String)) -> TokenStream {
    let span = span.resolved_at(Span::mixed_site());
    quote::quote_spanned!(span=> {
        #[deprecated(note = #text)]
        #[allow(non_upper_case_globals)]
        const shim_note: () = ();
        shim_note
    };)
}

/// The body behind imports of the names that templates take from beside the kernel. Outside of the body's own block no
/// item of it hides them.
fn with_restored(program: &Program, statements: Vec<Stmt>) -> Vec<Stmt> {
    if program.restored.is_empty() {
        return statements;
    }
    let imports = program.restored.iter().map(|(name, restored)| syn::parse_quote!(use #name as #restored;));
    let mut outer: Vec<Stmt> = imports.collect();
    outer.push(Stmt::Expr(syn::parse_quote!({ #(#statements)* }), None));
    outer
}

/// The statement that makes the runtime. The environment variables that decide what is emitted are mentioned, so that
/// Cargo builds the kernel again when one changes.
fn begin(kernel: &Kernel<'_>) -> Stmt {
    let runtime = &kernel.own.runtime;
    let krate = &kernel.options.krate;
    let schedule = kernel.program.scheduled.then(|| hygienic!(::core::option_env!("SHIM_SCHEDULE"),));
    super::statement(hygienic! {
        let #runtime = unsafe {
            #krate::__private::Runtime::new([
                ::core::option_env!("SHIM_CHECKS"),
                ::core::option_env!("SHIM_DUMP"),
                #schedule
            ])
        }
    })
}

/// Lets rustc confirm that the names of primitive types are theirs: a literal's suffix is, whatever is in scope.
fn primitives(names: &[&str]) -> Option<Stmt> {
    let types = names.iter().map(|name| Ident::new(name, Span::call_site()));
    let zeros = names.iter().map(|name| match *name {
        "bool" => Some(hygienic!(false)),
        "char" => Some(hygienic!('0')),
        name => format!("0{name}").parse::<Literal>().ok().map(ToTokens::into_token_stream),
    });
    (!names.is_empty()).then(|| super::statement(hygienic!(let _: (#(#types,)*) = (#(#zeros,)*))))
}

/// Lets rustc confirm that the type of casts is `isize`, also where another crate is called `core`.
fn isize_is_itself() -> Stmt {
    super::statement(hygienic!(let _: ::core::primitive::isize = 0isize))
}

/// Confirms that a method of integers is that of `Ord`, and one of floats their own.
fn method(kernel: &Kernel<'_>, name: &str) -> Stmt {
    let (rt, krate) = (&kernel.own.runtime, &kernel.options.krate);
    let own = Ident::new(name, Span::mixed_site());
    let value = match name {
        "max" => hygienic!(0i32.max(1i32) == 1),
        "min" => hygienic!(0i32.min(1i32) == 0),
        "clamp" => hygienic!(0i32.clamp(1i32, 2i32) == 1),
        "mul_add" => hygienic!(1f32.mul_add(1f32, 0f32) == 1f32),
        "powi" => hygienic!(1f32.powi(1) == 1f32),
        "fract" => hygienic!(1f32.fract() == 0f32),
        _ => hygienic!(1f32.#own() == 1f32),
    };
    // What a trait alone has is ambiguous beside the imported one.
    let value = match name {
        "max" | "min" | "clamp" => value,
        _ => hygienic!({ use #krate::__private::Ambiguous as _; #value }),
    };
    super::statement(hygienic!(#rt.method(#name, #value)))
}

/// Lets rustc confirm that names of one text are different ones: no pattern binds a name twice.
fn told_apart(names: &[Ident]) -> Stmt {
    let units = names.iter().map(|_| hygienic!(()));
    super::statement(hygienic!({ let (#(#names),*) = (#(#units),*); }))
}

/// Uses of surface names, so that importing them is no unused import, and so that rustc finds those that are not
/// shim's.
fn mentions(kernel: &Kernel<'_>) -> Vec<Stmt> {
    let rt = &kernel.own.runtime;
    if kernel.program.mentions.is_empty() {
        // A module may import the prelude for the sake of this kernel, which names nothing of it.
        let krate = &kernel.options.krate;
        return vec![super::statement(hygienic!(#krate::__private::Prelude.mentioned()))];
    }
    let mention = |(path, surface): &(syn::Path, Surface)| match surface {
        Surface::Block => hygienic!(#rt.block::<#path<(), 1>>()),
        Surface::Iters => hygienic!(#rt.iters(#path)),
        Surface::Stage => hygienic!(#rt.stage(#path)),
        Surface::Rule(name) => hygienic!(#rt.rule(#path, #name)),
        Surface::Fill => hygienic!(#rt.filling_rule(#path, "Fill")),
        Surface::By => hygienic!(#rt.function_rule(#path, "By")),
    };
    kernel.program.mentions.iter().map(|named| super::statement(mention(named))).collect()
}

/// The features of a level that vector code uses.
const fn features(level: Level) -> &'static str {
    match level {
        Level::V2 => "ssse3,sse4.1,sse4.2,popcnt",
        Level::V3 => "avx2,bmi1,bmi2,lzcnt,popcnt,fma",
        Level::V4 => "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx2,bmi1,bmi2,lzcnt,popcnt,fma",
    }
}

/// Whether a function is seen to be one of an `impl`: it has a `self`, or mentions the type.
fn is_associated(function: &ItemFn) -> bool {
    struct MentionsSelf(bool);
    impl<'ast> Visit<'ast> for MentionsSelf {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.0 |= ident == "Self";
        }

        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.0 |= crate::hygiene::identifiers(mac.tokens.clone()).any(|ident| ident == "Self");
            visit::visit_macro(self, mac);
        }

        // An `impl` in the body has a type of its own.
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut mentions = MentionsSelf(function.sig.receiver().is_some());
    mentions.visit_item_fn(function);
    mentions.0
}

/// The function once per instruction set, and the choice between them.
///
/// Long: one quotation of all versions.
fn versions(kernel: &Kernel<'_>, simd: &Simd, baseline_statements: &[Stmt], others: &[Stmt]) -> TokenStream {
    let sig = &kernel.function.sig;
    let plain = crate::hygiene::text(&sig.ident);
    let mut inner = sig.clone();
    inner.abi = None;
    let method = is_associated(kernel.function);
    // The choice takes the arguments under plain names and hands them on; the versions take them apart.
    let mut outer = sig.clone();
    let mut arguments = Vec::new();
    for (i, input) in outer.inputs.iter_mut().enumerate() {
        match input {
            FnArg::Receiver(receiver) => {
                receiver.mutability = None;
                // Its expansion is the user's, also where a template's macro made what is around it.
                arguments.push(receiver.self_token.to_token_stream());
            }
            FnArg::Typed(typed) => {
                let name = match &*typed.pat {
                    syn::Pat::Ident(pattern) => pattern.ident.clone(),
                    _ => quote::format_ident!("__shim_argument_{i}"),
                };
                *typed.pat = syn::parse_quote!(#name);
                arguments.push(quote!(#name));
            }
        }
    }
    let generics: Vec<TokenStream> = sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Type(param) => Some(param.ident.to_token_stream()),
            syn::GenericParam::Const(param) => Some(param.ident.to_token_stream()),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    let fish = (!generics.is_empty()).then(|| quote!(::<#(#generics),*>));
    let own = if method { quote!(Self::) } else { quote!() };
    // What only rustc can see, that the method is a trait's, it shows on the option.
    let shown = Span::call_site().located_at(simd.name.span());
    let runtime = &kernel.own.runtime;
    let begin = begin(kernel);
    let call = quote::format_ident!("call_{}", arguments.len());
    let mut variants = TokenStream::new();
    let mut choice = quote!(#begin);
    for level in &simd.levels {
        let (name, features) = (level.name(), features(*level));
        let variant = quote::format_ident!("__shim_{plain}_{name}", span = shown);
        let test = quote::format_ident!("has_{name}");
        let mut signature = inner.clone();
        signature.ident = variant.clone();
        variants.extend(quote! {
            #[cfg(target_arch = "x86_64")]
            #[doc(hidden)]
            #[allow(unused, clippy::all, clippy::pedantic)]
            #[target_feature(enable = #features)]
            #signature { #(#others)* }
        });
        choice.extend(hygienic! {
            #[cfg(target_arch = "x86_64")]
            if #runtime.#test() {
                return unsafe { #runtime.#call(#own #variant #fish #(, #arguments)*) };
            }
        });
    }
    let baseline = quote::format_ident!("__shim_{plain}_baseline", span = shown);
    let mut signature = inner;
    signature.ident = baseline.clone();
    variants.extend(quote! {
        #[doc(hidden)]
        #[allow(unused, clippy::all, clippy::pedantic)]
        #signature { #(#baseline_statements)* }
    });
    let call = quote!(#choice #own #baseline #fish(#(#arguments),*));
    if method {
        let choice = written(kernel, &outer, call);
        return quote!(#variants #choice);
    }
    // A free function keeps its versions to itself.
    written(kernel, &outer, quote!(#variants #call))
}
