//! The function that stands beside a template's macro.
//!
//! Macros and functions have their names apart, so a template can be both: a macro for the chain of bundles, and a
//! function whose signature is the template's, with a bound that does not hold if no parameter is a tensor. No type
//! implements `Tensor`, so the function cannot be called. It is there to be read and to be checked where it is written:
//! rustdoc and editors show it, unknown types in the signature are found, a call outside of a kernel fails at its
//! argument, and what the template imports counts as used.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, ExprPath, FnArg, GenericArgument, ItemFn, ItemUse, Pat, Path, ReturnType, Safety,
    Signature, TypeImplTrait, Visibility,
};

use crate::hygiene;
use crate::surface::tensor_type::{self, takes_tensors};
use crate::syntax::visit::{self, Visit};

use super::text;

/// The types and functions of the surface language that a body names and its expansion does not.
pub(super) const SURFACE: &[&str] =
    &["Block", "Boundary", "Clamp", "Fill", "Mirror", "Place", "View", "ViewMut", "Wrap", "iters"];

/// The placeholder of a template, with its documentation.
pub(super) fn placeholder(
    visibility: &Visibility,
    function: &ItemFn,
    docs: &[Attribute],
    shim: &TokenStream,
) -> TokenStream {
    let mut signature = function.sig.clone();
    signature.constness = None;
    signature.asyncness = None;
    signature.abi = None;
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.clear();
            let plain = match &*typed.pat {
                Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                    let name = &name.ident;
                    syn::parse_quote!(#name)
                }
                _ => syn::parse_quote!(_),
            };
            *typed.pat = plain;
        }
    }
    name_computed_ranks(&mut signature);
    // Of a bound without a lifetime, rustc would report here that it does not hold.
    if !takes_tensors(&signature) {
        let bound = syn::parse_quote!(for<'shim> (): #shim::__private::StagedImport<'shim>);
        signature.generics.make_where_clause().predicates.push(bound);
    }
    // A body that does not return says nothing about which type that is.
    if opaque(&signature.output) {
        signature.output = ReturnType::Default;
    }
    let mut surface = SurfacePaths::default();
    surface.visit_block(&function.block);
    let mentions = if surface.imports { BTreeMap::new() } else { surface.paths }.into_values();
    // Whatever is called `Tensor` here has to be shim's trait: it has no implementation, and so this has no caller.
    let tensor = function.sig.inputs.iter().find_map(tensor_path).map(|path| {
        quote! {
            fn is_tensor<T: #shim::prelude::Tensor<(), 1>>() {}
            fn named_so<T: #path<(), 1>>() {
                is_tensor::<T>();
            }
        }
    });
    let safety = matches!(signature.safety, Safety::Unsafe(_)).then(|| {
        quote! {
            ///
            /// # Safety
            /// As the template's body demands.
        }
    });
    quote! {
        #(#docs)*
        ///
        /// A template: it is called in `#[shim::kernel]` functions, and staged into each of them.
        #safety
        #[allow(unused, clippy::all, clippy::nursery, clippy::pedantic)]
        #visibility #signature {
            #(use #mentions as _;)*
            #tensor
            ::core::unreachable!()
        }
    }
}

/// Declares a parameter for each rank that is computed, which rustc does not do in types: `N_LESS_1` for `{ N - 1 }`.
fn name_computed_ranks(signature: &mut Signature) {
    let own: Vec<Ident> = signature.generics.const_params().map(|param| param.ident.clone()).collect();
    let mut named: Vec<Ident> = Vec::new();
    for input in &mut signature.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Some(rank) = tensor_type::rank_argument(&mut typed.ty) else { continue };
        let GenericArgument::Const(Expr::Block(block)) = rank else { continue };
        // rustc reports other names.
        if !hygiene::identifiers(block.to_token_stream()).all(|name| own.contains(&name)) {
            continue;
        }
        let words = block.block.to_token_stream().into_iter().flat_map(|token| match token {
            TokenTree::Group(group) => group.stream(),
            other => other.into(),
        });
        let words = words.filter_map(|token| match &token {
            TokenTree::Punct(punct) if punct.as_char() == '+' => Some("PLUS".to_owned()),
            TokenTree::Punct(punct) if punct.as_char() == '-' => Some("LESS".to_owned()),
            TokenTree::Ident(_) | TokenTree::Literal(_) => Some(token.to_string().to_uppercase()),
            _ => None,
        });
        let name = words.collect::<Vec<_>>().join("_");
        let is_name = syn::parse_str::<Ident>(&name).is_ok() && name != "_";
        let name = quote::format_ident!("{}", if is_name { &name } else { "RANK" });
        *rank = GenericArgument::Type(syn::parse_quote!(#name));
        if !named.contains(&name) {
            named.push(name);
        }
    }
    for name in named {
        signature.generics.params.push(syn::parse_quote!(const #name: usize));
    }
}

/// The path of the trait in `impl Tensor<..>`, without its arguments.
fn tensor_path(input: &FnArg) -> Option<Path> {
    let FnArg::Typed(typed) = input else { return None };
    let mut ty = &*typed.ty;
    while let syn::Type::Reference(reference) = ty {
        ty = &reference.elem;
    }
    let syn::Type::ImplTrait(bounds) = ty else { return None };
    bounds.bounds.iter().find_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) if bound.path.segments.last()?.ident == "Tensor" => {
            let mut path = bound.path.clone();
            path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
            Some(path)
        }
        _ => None,
    })
}

fn opaque(output: &ReturnType) -> bool {
    struct Opaque(bool);
    impl<'ast> Visit<'ast> for Opaque {
        fn visit_type_impl_trait(&mut self, _: &'ast TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = Opaque(false);
    found.visit_return_type(output);
    found.0
}

/// Paths of the surface language, by their text.
#[derive(Default)]
pub(super) struct SurfacePaths {
    pub(super) paths: BTreeMap<String, Path>,
    /// Whether the body has imports of its own, which the placeholder does not.
    pub(super) imports: bool,
}

impl<'ast> Visit<'ast> for SurfacePaths {
    fn visit_expr_path(&mut self, expr: &'ast ExprPath) {
        let path = &expr.path;
        let known = path.segments.iter().position(|segment| SURFACE.iter().any(|name| segment.ident == name));
        if let (None, Some(last)) = (&expr.qself, known) {
            // `shim::Block` of `shim::Block::heap::<u8>`
            let segments = path.segments.iter().take(last + 1);
            let segments = segments.map(|segment| syn::PathSegment::from(segment.ident.clone()));
            let item = Path { leading_colon: path.leading_colon, segments: segments.collect() };
            self.paths.insert(text(&item), item);
        }
        visit::visit_expr_path(self, expr);
    }

    fn visit_item_use(&mut self, _: &'ast ItemUse) {
        self.imports = true;
    }
}
