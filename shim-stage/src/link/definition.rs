//! A template as a kernel of its own, to find its errors where it is defined.
//!
//! Its tensors become views of the runtime library, of which nothing but the rank is known. What holds for these holds
//! for every call, except what the location, the extents or static arguments of a call decide: errors about those are
//! left to the calls ([`Diagnostics::error_in_call`](crate::diagnostics::Diagnostics::error_in_call)).

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, FnArg, GenericArgument, ItemFn, Lit, PathArguments, Type, TypeParamBound, Visibility};

use std::collections::BTreeMap;

use super::transport::RawTemplate;
use super::{Library, Stage, Unit, text};

/// Items that let rustc check the body of a template, or the errors that no call can avoid.
pub(super) fn check(
    own: &RawTemplate,
    function: &ItemFn,
    shim: &TokenStream,
    raw: &BTreeMap<String, RawTemplate>,
    stage: &dyn Stage,
) -> syn::Result<TokenStream> {
    let Some(kernel) = as_kernel(function, shim) else { return Ok(TokenStream::new()) };
    let callees = own.callees.iter().map(|(path, key)| (text(path), key.to_string())).collect();
    let unit = Unit { attribute: own.attribute.clone(), item: quote!(#kernel), callees };
    let expansion = stage.definition(&unit, &Library::new(raw.clone())?)?;
    Ok(if expansion.is_empty() { expansion } else { quote!(const _: () = { #expansion };) })
}

/// The template with `ViewMut<'_, T, N>` in the place of `impl Tensor<T, N>`, unless a rank is no literal.
fn as_kernel(function: &ItemFn, shim: &TokenStream) -> Option<ItemFn> {
    let mut kernel = function.clone();
    kernel.vis = Visibility::Inherited;
    kernel
        .attrs
        .retain(|attribute| !["doc", "deprecated"].iter().any(|name| attribute.path().is_ident(name)));
    kernel.attrs.push(syn::parse_quote!(#[allow(dead_code, deprecated)]));
    for input in &mut kernel.sig.inputs {
        let FnArg::Typed(typed) = input else { return None };
        if !super::calls::is_tensor_impl(&typed.ty) {
            continue;
        }
        let (element, rank) = arguments(&typed.ty)?;
        *typed.ty = syn::parse_quote!(#shim::ViewMut<'_, #element, #rank>);
    }
    Some(kernel)
}

/// T and the literal N of `impl Tensor<T, N>`.
fn arguments(ty: &Type) -> Option<(&Type, &Expr)> {
    let Type::ImplTrait(bounds) = ty else { return None };
    bounds.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let PathArguments::AngleBracketed(arguments) = &bound.path.segments.last()?.arguments else {
            return None;
        };
        let mut arguments = arguments.args.iter();
        match (arguments.next()?, arguments.next()?, arguments.next()) {
            (GenericArgument::Type(element), GenericArgument::Const(rank @ Expr::Lit(literal)), None)
                if matches!(literal.lit, Lit::Int(_)) =>
            {
                Some((element, rank))
            }
            _ => None,
        }
    })
}
