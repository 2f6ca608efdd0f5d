//! Kernels that take located structs: each field gets a name, and each tensor among them a block.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::{Attribute, Block, FnArg, ItemFn, Pat, Result};

use crate::diagnostics::Diagnostics;
use crate::parse::signature::{take_placements, take_shape};
use crate::surface::HelperAttribute;
use crate::surface::tensor_type::is_runtime_tensor;

use super::declaration::{Declaration, placement_calls};
use super::names::{FieldNames, written_at};
use super::parameter::Taken;
use super::rebinding;

/// Names the fields of located structs, and makes blocks of those that are tensors.
pub(in crate::link) fn name(
    function: &mut ItemFn,
    taken: &[Taken],
    declarations: &[Declaration],
    keys: &[Ident],
    shim: &TokenStream,
) -> Result<()> {
    let mut names = FieldNames::new(taken, declarations, shim, &function.to_token_stream());
    for input in &mut function.sig.inputs {
        let (FnArg::Typed(syn::PatType { attrs, .. }) | FnArg::Receiver(syn::Receiver { attrs, .. })) = input;
        attrs.retain(|attribute| !HelperAttribute::Located.is(attribute));
    }
    let (body, _) = names.rewrite(function.block.to_token_stream());
    let misused = std::mem::take(&mut names.diagnostics);
    misused.finish().map_or(Ok(()), Err)?;
    let body: Block = syn::parse2(body)?;
    rebinding::reject(&body, &names)?;
    // The shape of a slice may measure by a field: then its block is made behind the fields.
    let mut slices = Vec::new();
    for input in &mut function.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Pat::Ident(pattern) = &*typed.pat else { continue };
        let attributes = typed.attrs.iter().map(ToTokens::to_token_stream).collect();
        let (attributes, changed) = names.rewrite(attributes);
        if changed && !is_runtime_tensor(&typed.ty) {
            let mut attributes = Attribute::parse_outer.parse2(attributes)?;
            let mut diagnostics = Diagnostics::default();
            let shape = take_shape(&mut attributes, &mut diagnostics).unwrap_or_default();
            let placements = take_placements(&mut attributes, &mut diagnostics);
            diagnostics.finish().map_or(Ok(()), Err)?;
            typed.attrs = attributes;
            let name = &pattern.ident;
            let placements = placement_calls(&placements);
            let made = quote!(let #name = #shim::Block::external(#name, [#(#shape),*]) #placements;);
            slices.push(written_at(name, made));
        }
    }
    let (mut extents, mut tensors) = (Vec::new(), Vec::new());
    for (of, declaration) in declarations.iter().enumerate() {
        for tensor in &declaration.tensors {
            let path = tensor.path();
            let Some(name) = names.mentioned(of, &path).cloned() else { continue };
            let memory = names.place(of, &path);
            let block = names.block(of, tensor, &memory);
            let made = quote!(let #name = #block;);
            tensors.push(written_at(&taken[of].name, made));
        }
    }
    for (of, declaration) in declarations.iter().enumerate() {
        for path in &declaration.extents {
            let Some(name) = names.mentioned(of, path).cloned() else { continue };
            let place = names.place(of, path);
            extents.push(written_at(&taken[of].name, quote!(let #name: usize = #place;)));
        }
        for (path, ty) in &declaration.lists {
            let Some(name) = names.mentioned(of, path).cloned() else { continue };
            let place = names.place(of, path);
            extents.push(written_at(&taken[of].name, quote!(let #name: &[#ty] = &#place;)));
        }
    }
    let parts = names.bound();
    // Rows are told apart by the methods that give their fields.
    let of_their_own = taken.iter().zip(keys).zip(declarations);
    let of_their_own = of_their_own
        .filter(|(_, declaration)| declaration.checked.is_empty())
        .map(|((Taken { name, .. }, key), _)| written_at(name, quote!(#name.#key();)));
    let statements = &body.stmts;
    *function.block = syn::parse_quote!({ #(#of_their_own)* #(#parts)* #(#extents)* #(#tensors)* #(#slices)* #(#statements)* });
    Ok(())
}
