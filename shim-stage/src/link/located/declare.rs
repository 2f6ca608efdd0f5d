//! The expansion of `#[shim::located]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, Field, Fields, ItemStruct, LitInt, Path, Type};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::parse::conditions::rejected_field;
use crate::parse::signature::{
    MemoryKind, PlacementAttribute, is_number, memory_kind, take_placements, take_shape,
};
use crate::surface::{HelperAttribute, is_helper};
use crate::syntax::visit::Visit;

use crate::link::callee::Callee;
use crate::link::transport::{CarriedKind, Continuation};
use crate::link::{refusal, shim_path, tokens, transport};

use super::declaration::{Declaration, FieldPath, Tensor, placement_calls};
use super::mentioned::{Mentioned, integers};
use super::parameter::struct_path;
use super::rows;
use super::rows::{Member, MemberKind, RowsArguments};

/// The expansion of `#[shim::located]`: located structs among its fields arrive first.
pub fn declare(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut declared) = syn::parse2::<ItemStruct>(item.clone()) else {
        let mut diagnostics = Diagnostics::default();
        let help = "put it before a `struct` with named fields";
        diagnostics.error(refusal::header(&item), "`#[shim::located]` goes on a struct", help);
        let error = diagnostics.finish().map(|error| error.to_compile_error());
        return quote!(#error #item);
    };
    let nested = declared.fields.iter().filter(|field| is_nested(field));
    let nested: Option<Vec<Path>> = nested.map(nested_path).collect();
    match nested {
        // Paths that do not say which struct they mean are reported with all other mistakes.
        Some(nested) if !nested.is_empty() => {
            let calls = nested.into_iter().map(|path| Callee { link: path.clone(), path }).collect();
            let state =
                Continuation { kind: CarriedKind::Located, attribute, item, calls, bundles: Vec::new() };
            let shim = shim_path(&state.attribute);
            transport::chain(&state, &quote!(#shim::__private::resume))
        }
        _ => with_nested(&attribute, &mut declared, &[]),
    }
}

/// The expansion once the declarations of the located structs among its fields are at hand.
pub(in crate::link) fn with_nested(
    attribute: &TokenStream,
    declared: &mut ItemStruct,
    nested: &[Declaration],
) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let others = RowsArguments::read(attribute).unwrap_or_else(|error| {
        let help = "write `#[shim::located]`, `#[shim::located(rows(h) as PictureRows)]` with the extent that counts the rows and the name of their struct, or `#[shim::located(view as PictureView)]`; `crate = path` if the crate `shim` is renamed";
        diagnostics.push(syn::Error::new(error.span(), format!("invalid arguments of `#[shim::located]`: {error}\nhelp: {help}")));
        RowsArguments::default()
    });
    let (original, shim) = (declared.clone(), shim_path(attribute));
    let axis = others.rows.as_ref().map(|cut| &cut.axis);
    let (mut declaration, members) = read(declared, nested, axis, &mut diagnostics);
    let mut items = TokenStream::new();
    if (others.rows.is_some() || others.view.is_some())
        && let Some((list, _)) = declaration.lists.first()
    {
        diagnostics.error(
            list.last_name(),
            "a list of extents in a struct with rows or a view",
            "a block whose extents depend on indices is not cut: keep it in a struct of its own",
        );
    }
    if let Some(cut) = others.rows.as_ref().filter(|_| diagnostics.is_empty())
        && let Some((rows, own)) = cut.expand(&original, &members, &shim, &mut diagnostics)
    {
        declaration.rows = Some(Box::new(rows));
        items.extend(own);
    }
    if let Some(name) = others.view.as_ref().filter(|_| diagnostics.is_empty())
        && let Some((view, own)) = rows::view(name, &original, &members, &shim, &mut diagnostics)
    {
        declaration.view = Some(Box::new(view));
        items.extend(own);
    }
    if let Some(error) = diagnostics.finish() {
        let error = error.to_compile_error();
        let (broken, others) = (without_declaration(declared), others.broken(declared));
        return quote!(#error #broken #others);
    }
    let export = export(declared, Some(&declaration));
    let (name, vis, key) = (&declared.ident, &declared.vis, key(declared));
    let (generics, arguments, bounds) = declared.generics.split_for_impl();
    // Kernels call it, so that rustc finds a struct whose macro is that of another one.
    quote! {
        #declared
        #export
        impl #generics #name #arguments #bounds {
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            #[inline(always)]
            #vis const fn #key(&self) {}
        }
        #items
    }
}

/// A struct whose declaration has an error, which kernels do not repeat.
pub(in crate::link) fn without_declaration(declared: &mut ItemStruct) -> TokenStream {
    for field in &mut declared.fields {
        field.attrs.retain(|attribute| !is_helper(attribute.path()));
    }
    let export = export(declared, None);
    quote!(#declared #export)
}

/// Whether a field is a located struct, or an array of them.
fn is_nested(field: &Field) -> bool {
    field.attrs.iter().any(|attribute| HelperAttribute::Located.is(attribute))
}

/// The struct that such a field is.
fn nested_path(field: &Field) -> Option<Path> {
    let attribute = field.attrs.iter().find(|attribute| HelperAttribute::Located.is(attribute))?;
    struct_path(attribute, Some(array_of(&field.ty).map_or(&field.ty, |(element, _)| element)))
}

/// The type and the number of the elements of an array.
fn array_of(ty: &Type) -> Option<(&Type, &Expr)> {
    match ty {
        Type::Paren(inner) => array_of(&inner.elem),
        Type::Group(inner) => array_of(&inner.elem),
        Type::Array(array) => Some((&array.elem, &array.len)),
        _ => None,
    }
}

/// Whether a type is memory of its own, so that an array of it is an array of fields.
fn is_memory(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => is_memory(&inner.elem),
        Type::Group(inner) => is_memory(&inner.elem),
        Type::Reference(_) | Type::Slice(_) => true,
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| ["Vec", "Box"].iter().any(|name| last.ident == name))
        }
        _ => false,
    }
}

/// The name of a struct's macro, and of the method that tells the struct from others.
fn key(declared: &ItemStruct) -> Ident {
    tokens::mangled(&declared.ident, &declared.to_token_stream())
}

/// The macro that carries the declaration; that of a struct with an error carries none, so that kernels do not repeat
/// it.
fn export(declared: &ItemStruct, declaration: Option<&Declaration>) -> TokenStream {
    let name = &declared.ident;
    let key = key(declared);
    let misuse = format!("`{name}` is a located struct: take it in a kernel, as in `#[located] it: &{name}`");
    let carried =
        declaration.map_or_else(|| quote!(broken {}), |declaration| quote!(located { #declaration }));
    transport::carrier(&key, name, &declared.vis, &[], carried, &misuse)
}

/// Takes the declaration off the fields, and judges it. `nested` are those of the located structs among them, in their
/// order; `axis` counts the rows, also if no shape names it.
///
/// Long: the attributes of a field in the order in which they are reported.
fn read(
    declared: &mut ItemStruct,
    nested: &[Declaration],
    axis: Option<&Ident>,
    diagnostics: &mut Diagnostics,
) -> (Declaration, Vec<Member>) {
    let (mut declaration, mut members) = (Declaration::default(), Vec::new());
    let mut nested = nested.iter();
    let Fields::Named(fields) = &mut declared.fields else {
        diagnostics.error(
            &declared.ident,
            "the fields of a located struct have no names",
            "kernels mention fields by their names, as in `picture.luma`: write `struct .. { luma: Vec<u8> }`",
        );
        return (declaration, members);
    };
    let mut mentioned = Mentioned::default();
    for field in &mut fields.named {
        if field.attrs.iter().any(|attribute| is_helper(attribute.path())) {
            rejected_field(field, diagnostics);
        }
        let is_struct = is_nested(field);
        let path = nested_path(field);
        field.attrs.retain(|attribute| !HelperAttribute::Located.is(attribute));
        let shape = take_shape(&mut field.attrs, diagnostics);
        let placements = take_placements(&mut field.attrs, diagnostics);
        let Some(name) = field.ident.clone() else { continue };
        if is_struct {
            if shape.is_some() || !placements.is_empty() {
                diagnostics.error(
                    &name,
                    "a shape or a placement on a located struct",
                    "the struct says where its fields are: remove it here",
                );
            }
            if path.is_none() {
                diagnostics.error(
                    &field.ty,
                    format!("the type of `{name}` does not name a located struct"),
                    "write the struct's path into the attribute, as in `#[located(TotalCoeffs)] total: Total`",
                );
            }
            if let (Some(elements), Some(inner)) =
                (elements(&name, &field.ty, &mut declaration, diagnostics), nested.next())
            {
                for element in &elements {
                    declaration.nest(element, inner);
                }
                let (ty, count) = match array_of(&field.ty) {
                    Some((ty, _)) => (ty.clone(), Some(elements.len())),
                    None => (field.ty.clone(), None),
                };
                members.push(Member {
                    name,
                    count,
                    kind: MemberKind::Struct { ty, declaration: inner.clone() },
                });
            }
            continue;
        }
        let Some(shape) = shape else {
            if let Some(placement) = placements.first() {
                diagnostics.error(
                    &placement.method,
                    format!("`#[{}]` on a field without a shape", placement.method),
                    "name its extents as well, as in `#[shape(h, w)]`",
                );
            }
            continue;
        };
        let entries = placements.iter().flat_map(PlacementAttribute::lists);
        for entry in shape.iter().chain(entries) {
            mentioned.visit_expr(entry);
        }
        let array = array_of(&field.ty).is_some_and(|(element, _)| is_memory(element));
        let memory = array_of(&field.ty).filter(|_| array).map_or(&field.ty, |(element, _)| element);
        is_contiguous(memory, shape.len(), diagnostics);
        let elements = if array {
            elements(&name, &field.ty, &mut declaration, diagnostics).unwrap_or_default()
        } else {
            vec![FieldPath::of(&name)]
        };
        let ty = memory.clone();
        let kind = MemberKind::Tensor { ty, shape: shape.clone(), placements: placements.clone() };
        members.push(Member { name, count: array.then_some(elements.len()), kind });
        let placements = placement_calls(&placements);
        declaration.tensors.extend(elements.into_iter().map(|field| Tensor {
            field,
            owner: FieldPath::default(),
            shape: shape.clone(),
            placements: placements.clone(),
        }));
    }
    if declaration.tensors.is_empty() && diagnostics.is_empty() {
        diagnostics.error(
            &declared.ident,
            "a located struct needs a field with a shape",
            "write `#[shape(h, w)]` before the fields that are tensors",
        );
    }
    for name in mentioned.names {
        match fields.named.iter().find(|field| field.ident.as_ref().is_some_and(|field| hygiene::same(field, &name))) {
            Some(field) if is_usize(field) => {
                rejected_field(field, diagnostics);
                let path = FieldPath::of(&name);
                if !declaration.extents.iter().any(|known| known.is_same(&path)) {
                    declaration.extents.push(path);
                    members.push(Member { name, count: None, kind: MemberKind::Extent });
                }
            }
            Some(field) => diagnostics.error(
                &field.ty,
                format!("`{name}` is part of a shape and is not a `usize`"),
                "extents are fields of type `usize`",
            ),
            None => diagnostics.error(
                &name,
                format!("`{name}` is not a field of this struct"),
                "a shape names fields of type `usize`; write constants from the root of their crate, as in `crate::BLOCK`",
            ),
        }
    }
    for name in mentioned.lists {
        let field = fields
            .named
            .iter()
            .find(|field| field.ident.as_ref().is_some_and(|field| hygiene::same(field, &name)));
        let path = FieldPath::of(&name);
        match field.map(|field| (field, integers(&field.ty))) {
            Some((field, Some(ty))) => {
                rejected_field(field, diagnostics);
                if !declaration.lists.iter().any(|(known, _)| known.is_same(&path)) {
                    declaration.lists.push((path, ty.clone()));
                }
            }
            Some((field, None)) => diagnostics.error(
                &field.ty,
                format!("`{name}` is a list of extents and not of integers"),
                "a closure in a shape indexes fields such as `[usize; 4]` or `Vec<u32>`",
            ),
            None => diagnostics.error(
                &name,
                format!("`{name}` is not a field of this struct"),
                "a closure in a shape indexes fields such as `[usize; 4]` or `Vec<u32>`",
            ),
        }
    }
    let is_axis = |field: &&Field| {
        let name = field.ident.as_ref().zip(axis);
        name.is_some_and(|(name, axis)| hygiene::same(name, axis)) && is_usize(field)
    };
    if let Some(name) = fields.named.iter().find(is_axis).and_then(|field| field.ident.clone()) {
        let path = FieldPath::of(&name);
        if !declaration.extents.iter().any(|known| known.is_same(&path)) {
            declaration.extents.push(path);
            members.push(Member { name, count: None, kind: MemberKind::Extent });
        }
    }
    for closed in mentioned.others {
        diagnostics.error(
            closed,
            "a shape is arithmetic of fields, literals and constants, with `div_ceil`, `max`, `min`, `next_multiple_of` and `saturating_sub`",
            "kernels in other modules evaluate it: compute anything else beforehand and keep it in a field",
        );
    }
    (declaration, members)
}

/// The paths of a field that is an array: one for each element, which is a field of its own. Of any other field its
/// path.
fn elements(
    name: &Ident,
    ty: &Type,
    declaration: &mut Declaration,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<FieldPath>> {
    let path = FieldPath::of(name);
    let Some((_, length)) = array_of(ty) else { return Some(vec![path]) };
    let Some(count) =
        syn::parse2::<LitInt>(length.to_token_stream()).ok().and_then(|count| count.base10_parse().ok())
    else {
        diagnostics.error(
            length,
            format!("the number of elements of `{name}` is not a literal"),
            "each element is a field of its own: write their number, as in `[Vec<u8>; 3]`",
        );
        return None;
    };
    declaration.arrays.push((path.clone(), count));
    Some((0..count).map(|number| path.element(number)).collect())
}

/// Reports memory that is none, or is not contiguous.
fn is_contiguous(memory: &Type, rank: usize, diagnostics: &mut Diagnostics) {
    if is_number(memory) {
        diagnostics.error(
            memory,
            "`#[shape]` needs memory (a slice, an array or a `Vec`)",
            "put it before a slice, an array or a `Vec`",
        );
    }
    let rows = match memory_kind(memory) {
        MemoryKind::Arrays(_) => rank == 2,
        kind => kind == MemoryKind::Rows,
    };
    if rows {
        diagnostics.error(
            memory,
            "a field of rows",
            "a tensor in a located struct is contiguous: for elements that are arrays, name their type, as in `type Pixel = [u8; 3];`",
        );
    }
}

fn is_usize(field: &Field) -> bool {
    matches!(&field.ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident("usize"))
}
