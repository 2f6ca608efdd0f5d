//! What a template may be, judged where it is defined.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{FnArg, ItemFn, Pat, ReturnType, Type};

use crate::diagnostics::Diagnostics;
use crate::surface::tensor_type::{is_runtime_tensor, is_template, is_template_impl, is_tensor_impl};
use crate::surface::{self, HelperAttribute};

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
    if let ReturnType::Type(_, ty) = &function.sig.output
        && (is_tensor_impl(ty) || is_runtime_tensor(ty))
    {
        diagnostics.error(
            ty,
            "a template returns a tensor",
            "return values; to give elements back, take the tensor they go to as one more parameter",
        );
    }
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
    if matches!(&function.sig.output, ReturnType::Type(_, ty) if is_tensor_impl(ty)) {
        function.sig.output = ReturnType::Default;
    }
    *function.block = syn::parse_quote!({ ::core::unreachable!() });
    (Some(error.to_compile_error()), function.into_token_stream())
}

fn options(attribute: &TokenStream, diagnostics: &mut Diagnostics) {
    match Options::parse(attribute.clone()) {
        Ok(options) => {
            if let Some(simd) = &options.simd {
                diagnostics.error(
                    simd,
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
                "the parameters of a template are plain names",
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
