//! What a template may be, judged where it is defined.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{FnArg, Item, ItemFn, Pat, ReturnType, Stmt, Type};

use crate::diagnostics::Diagnostics;
use crate::surface::tensor_type::{
    is_runtime_tensor, is_template, is_template_impl, is_tensor_impl, returns_tensors,
};
use crate::surface::{self, HelperAttribute, std_macro};
use crate::syntax::visit::Visit;

use super::options::Options;
use super::{attributes, signature, specialize};

/// The errors of a template's definition, and the item to go on with: the same, or, beside errors, one that can be
/// called without causing others. Whatever is no template passes.
pub fn judge(attribute: &TokenStream, item: TokenStream) -> (Option<TokenStream>, TokenStream) {
    let Ok(mut function) = syn::parse2::<ItemFn>(item.clone()) else {
        return (None, item);
    };
    if !is_template(&function) || function.sig.receiver().is_some() {
        return (None, item);
    }
    let mut diagnostics = Diagnostics::default();
    options(attribute, &mut diagnostics);
    signature::qualifiers(&function.sig, &mut diagnostics);
    parameters(&function, &mut diagnostics);
    output(&function, &mut diagnostics);
    attributes::misplaced(&function.block, &mut diagnostics);
    let Some(error) = diagnostics.finish() else { return (None, item) };
    for input in &mut function.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        typed.attrs.clear();
        if !matches!(*typed.pat, Pat::Ident(_)) {
            *typed.pat = syn::parse_quote!(_unknown);
        }
    }
    function.sig.asyncness = None;
    *function.block = syn::parse_quote!({ ::core::unreachable!() });
    (Some(error.to_compile_error()), function.into_token_stream())
}

/// Judges what a template returns; one that returns a tensor is written among the statements of its callers.
fn output(function: &ItemFn, diagnostics: &mut Diagnostics) {
    let ReturnType::Type(_, ty) = &function.sig.output else { return };
    if is_runtime_tensor(ty) {
        diagnostics.error(
            ty,
            "a template returns a tensor of the runtime library",
            "return `impl Tensor<T, N>`",
        );
    }
    if !returns_tensors(&function.sig.output) {
        return;
    }
    let mut reject = |tokens: &dyn ToTokens, what: &str, help: &str| {
        diagnostics.error(tokens, format!("{what} in a template that returns a tensor"), help);
    };
    let statements = &function.block.stmts;
    for statement in statements {
        match statement {
            Stmt::Item(Item::Const(_)) => {}
            Stmt::Item(Item::Use(import)) if import.attrs.iter().any(|a| HelperAttribute::Staged.is(a)) => {}
            Stmt::Item(item) => reject(item, "an item", "put it beside the template"),
            Stmt::Macro(mac) if std_macro::arguments(&mac.mac).is_none() => {
                reject(mac, "an unknown macro", "write out what it does, or put it into another template");
            }
            _ => {}
        }
    }
    if !matches!(statements.last(), Some(Stmt::Expr(_, None))) {
        let last =
            statements.last().map_or_else(|| function.sig.ident.to_token_stream(), ToTokens::to_token_stream);
        reject(&last, "expected a tensor at the end", "end the body in the tensor");
    }
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Some(found) =
                typed.attrs.iter().find(|attribute| HelperAttribute::Specialize.is(attribute))
        {
            reject(found, "a specialized parameter", "specialize it in the caller");
        }
    }
    let mut jumps = Returns(Vec::new());
    jumps.visit_block(&function.block);
    for jump in jumps.0 {
        reject(
            &jump,
            "`return` or `?`",
            "end the body in the tensor; what may fail is a value of its caller",
        );
    }
}

/// Collects `return` and `?`.
struct Returns(Vec<TokenStream>);

impl<'ast> Visit<'ast> for Returns {
    fn visit_expr_return(&mut self, jump: &'ast syn::ExprReturn) {
        self.0.push(jump.to_token_stream());
    }

    fn visit_expr_try(&mut self, jump: &'ast syn::ExprTry) {
        self.0.push(jump.to_token_stream());
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}

fn options(attribute: &TokenStream, diagnostics: &mut Diagnostics) {
    match Options::parse(attribute.clone()) {
        Ok(options) => {
            if let Some(simd) = &options.simd {
                diagnostics.error(
                    &simd.name,
                    "`simd` on a template",
                    "a template is staged into its callers: put `simd` on the kernels that call it",
                );
            }
        }
        Err(error) => diagnostics.push(error),
    }
}

fn parameters(function: &ItemFn, diagnostics: &mut Diagnostics) {
    for input in &function.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        specialize::take(&mut typed.clone(), diagnostics);
        if let Some(shape) = typed.attrs.iter().find(|attribute| HelperAttribute::Shape.is(attribute)) {
            diagnostics.error(
                shape,
                "`#[shape]` on a parameter of a template",
                "tensors bring their extents along: read them with `v.extent(axis)`, or assert them in the body",
            );
        }
        if let Some(placed) =
            typed.attrs.iter().find(|attribute| surface::placement(attribute.path()).is_some())
        {
            diagnostics.error(
                placed,
                "a placement on a parameter of a template",
                "tensors bring their place along: read it with `v.origin(axis)`",
            );
        }
        if !matches!(&*typed.pat, Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none()) {
            diagnostics.error(
                &typed.pat,
                "expected plain names for the parameters of a template",
                "name it, and take the argument apart in the template's body",
            );
        }
        if let Type::Reference(reference) = &*typed.ty
            && is_template_impl(&reference.elem)
        {
            diagnostics.error(
                &typed.ty,
                "a template takes a template by reference",
                "take the `impl Template` itself",
            );
        }
        if let Type::Reference(reference) = &*typed.ty
            && is_tensor_impl(&reference.elem)
        {
            diagnostics.error(
                &typed.ty,
                "a template takes a tensor by reference",
                "tensors are passed by value and written all the same: take the `impl Tensor<..>` itself",
            );
        }
    }
}
