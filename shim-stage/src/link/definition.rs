//! A template as a kernel of its own, to find its errors where it is defined.
//!
//! Its tensors become views of the runtime library, of which nothing but the rank is known. What holds for these holds
//! for every call, except what the location, the extents or static arguments of a call decide: errors about those are
//! left to the calls ([`Diagnostics::error_in_call`](crate::diagnostics::Diagnostics::error_in_call)).

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Expr, FnArg, ItemFn, ReturnType, Stmt, Visibility};

use crate::surface::tensor_type::{declared_element, declared_rank, is_tensor_impl};

use super::interface::Output;
use super::transport::RawTemplate;
use super::{Library, Stager, Unit, linked};

/// Items that let rustc check the body of a template, or the errors that no call can avoid.
pub(super) fn check(
    own: &RawTemplate,
    function: &ItemFn,
    shim: &TokenStream,
    raw: &BTreeMap<String, RawTemplate>,
    stage: &dyn Stager,
) -> syn::Result<TokenStream> {
    let Some(kernel) = as_kernel(function, shim) else { return Ok(TokenStream::new()) };
    let callees = linked(&own.callees);
    let unit = Unit { attribute: own.attribute.clone(), item: quote!(#kernel), callees };
    let expansion = stage.definition(&unit, &Library::new(raw.clone())?)?;
    // What an element of a type parameter can do is for the calls to say.
    let open = function.sig.generics.type_params().next().is_some();
    Ok(if open || expansion.is_empty() { TokenStream::new() } else { quote!(const _: () = { #expansion };) })
}

/// The template with `ViewMut<'_, T, N>` in the place of `impl Tensor<T, N>`, unless a rank is not a literal.
fn as_kernel(function: &ItemFn, shim: &TokenStream) -> Option<ItemFn> {
    let mut kernel = function.clone();
    kernel.vis = Visibility::Inherited;
    kernel
        .attrs
        .retain(|attribute| !["doc", "deprecated"].iter().any(|name| attribute.path().is_ident(name)));
    kernel.attrs.push(syn::parse_quote!(#[allow(deprecated)]));
    for input in &mut kernel.sig.inputs {
        let FnArg::Typed(typed) = input else { return None };
        if !is_tensor_impl(&typed.ty) {
            continue;
        }
        let (element, rank) = (declared_element(&typed.ty)?, declared_rank(&typed.ty)?);
        let rank = Literal::usize_unsuffixed(rank);
        *typed.ty = syn::parse_quote!(#shim::ViewMut<'_, #element, #rank>);
    }
    if Output::of(&kernel.sig.output) != Output::Value {
        ends_in_views(&mut kernel)?;
    }
    Some(kernel)
}

/// Binds the tensors that a template returns to nothing; none if its last expression is not written out.
fn ends_in_views(kernel: &mut ItemFn) -> Option<()> {
    kernel.sig.output = ReturnType::Default;
    let Some(Stmt::Expr(tail, None)) = kernel.block.stmts.pop() else { return None };
    let values: Vec<Expr> = match tail {
        Expr::Tuple(tuple) => tuple.elems.into_iter().collect(),
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) => return None,
        value => vec![value],
    };
    kernel.block.stmts.extend(values.into_iter().map(|value| -> Stmt { syn::parse_quote!(let _ = #value;) }));
    Some(())
}
