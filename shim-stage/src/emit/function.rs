//! The emitted function: its signature, its attributes, and its versions per instruction set.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{FnArg, ItemFn, Signature, Stmt};

use crate::ir::{NameSupply, OwnLocals, Program, RegionId, Surface};
use crate::parse::options::{Options, Simd};
use crate::syntax::visit::Visit;

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

/// The emitted function.
pub fn function(kernel: &Kernel<'_>) -> TokenStream {
    let body = statements(kernel);
    match &kernel.options.simd {
        Some(simd) => versions(kernel, simd, &body),
        None => written(kernel, &kernel.function.sig, quote!(#(#body)*)),
    }
}

/// The body of the function.
fn statements(kernel: &Kernel<'_>) -> Vec<Stmt> {
    let mut emitter = Emitter::new(kernel.program, kernel.own, kernel.names, kernel.options.simd.as_ref());
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
    let notes = (!kernel.program.advice.is_empty()).then(|| hygienic!(::core::option_env!("SHIM_NOTES"),));
    let schedule = kernel.program.scheduled.then(|| hygienic!(::core::option_env!("SHIM_SCHEDULE"),));
    super::statement(hygienic! {
        let #runtime = unsafe {
            #krate::__private::Runtime::new([
                ::core::option_env!("SHIM_CHECKS"),
                ::core::option_env!("SHIM_DUMP"),
                #schedule
                #notes
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

/// The function as a closure, which rustc checks once and LLVM compiles for each instruction set. Generic parameters
/// and `Self` are those of the function around it, which a nested function could not name.
fn versions(kernel: &Kernel<'_>, simd: &Simd, body: &[Stmt]) -> TokenStream {
    // The function takes the arguments under plain names, and the closure takes them apart.
    let mut outer = kernel.function.sig.clone();
    let (mut arguments, mut patterns) = (Vec::new(), Vec::new());
    for (i, input) in outer.inputs.iter_mut().enumerate() {
        // The closure captures `self`.
        let FnArg::Typed(typed) = input else { continue };
        let name = match &*typed.pat {
            syn::Pat::Ident(pattern) => pattern.ident.clone(),
            _ => quote::format_ident!("__shim_argument_{i}"),
        };
        patterns.push(std::mem::replace(&mut *typed.pat, syn::parse_quote!(#name)));
        arguments.push(name);
    }
    let krate = &kernel.options.krate;
    let levels = simd.levels.iter().map(|level| Ident::new(level.name(), Span::mixed_site()));
    let names = (0..arguments.len()).map(|i| Ident::new(&format!("__shim_{i}"), Span::mixed_site()));
    // A closure cannot name a type `impl Trait`, and rustc infers it.
    let output = Some(&outer.output).filter(|output| !is_opaque(output));
    let body = quote!({ #(#body)* });
    let call = hygienic! {
        #krate::__private::versions! { __shim_version(#(#names),*) #(#levels)* }
        __shim_version(#[inline(always)] move |#(#patterns),*| #output #body #(, #arguments)*)
    };
    written(kernel, &outer, call)
}

/// Whether a type `impl Trait` is returned.
fn is_opaque(output: &syn::ReturnType) -> bool {
    struct ImplTrait(bool);
    impl<'t> Visit<'t> for ImplTrait {
        fn visit_type_impl_trait(&mut self, _: &'t syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = ImplTrait(false);
    found.visit_return_type(output);
    found.0
}
