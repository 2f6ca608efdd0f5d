//! Located structs: a struct that says once where its fields are, and the kernels that take it.
//!
//! `#[shim::located]` leaves the struct as it is, without the attributes of its fields, and exports these beside it as a macro of
//! the struct's name, as [templates](super) are. A kernel with a parameter `#[located] picture: &Picture` expands first to a call
//! of that macro, and then, with the declaration at hand, to a kernel in which each field that it mentions has a name:
//!
//! ```text
//! let picture_h: usize = picture.h;
//! let picture_mv = Block::external(picture.mv, [4 * picture_h, 4 * picture_w]).coarsened([4, 4]);
//! .. the body, with picture_mv in the place of picture.mv ..
//! ```
//!
//! So a field is a block like any other, and its length is checked where the kernel begins. Its place is borrowed mutably only if
//! the kernel writes it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Field, Fields, ItemStruct, Path, Result, Token, Type, braced, bracketed};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::parse::conditions::rejected_field;
use crate::parse::signature::{
    MemoryKind, PlacementAttribute, is_number, memory_kind, take_placements, take_shape,
};
use crate::surface::is_helper;

use super::{refusal, tokens, transport};

/// The declaration of a located struct, as far as kernels need it.
#[derive(Clone, Debug, Default)]
pub(super) struct Declaration {
    /// The fields that are tensors.
    pub(super) tensors: Vec<Tensor>,
    /// The fields that extents mention, of type `usize`.
    pub(super) extents: Vec<Ident>,
}

/// A field that is a tensor.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub(super) name: Ident,
    /// The extents: expressions of fields, literals, and paths from a crate's root.
    pub(super) shape: Vec<Expr>,
    /// The placements behind `Block::external`, as calls of methods.
    pub(super) placements: TokenStream,
}

/// The expansion of `#[shim::located]`.
pub fn declare(attribute: &TokenStream, item: &TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    if !attribute.is_empty() {
        diagnostics.error(
            attribute,
            "`#[shim::located]` takes no arguments",
            "the extents are fields of type `usize`, which `#[shape(..)]` of the other fields names",
        );
    }
    let Ok(mut declared) = syn::parse2::<ItemStruct>(item.clone()) else {
        let help = "put it before a `struct` with named fields";
        diagnostics.error(refusal::header(item), "`#[shim::located]` goes on a struct", help);
        let error = diagnostics.finish().map(|error| error.to_compile_error());
        return quote!(#error #item);
    };
    let declaration = read(&mut declared, &mut diagnostics);
    if let Some(error) = diagnostics.finish() {
        let error = error.to_compile_error();
        let export = export(&declared, None);
        return quote!(#error #declared #export);
    }
    let export = export(&declared, Some(&declaration));
    let (name, vis, key) = (&declared.ident, &declared.vis, key(&declared));
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
    }
}

/// The name of a struct's macro, and of the method that tells the struct from others.
fn key(declared: &ItemStruct) -> Ident {
    tokens::mangled(&declared.ident, &declared.to_token_stream())
}

/// The macro that carries the declaration; that of a struct with an error carries none, so that kernels do not repeat it.
fn export(declared: &ItemStruct, declaration: Option<&Declaration>) -> TokenStream {
    let name = &declared.ident;
    let key = key(declared);
    let misuse = format!("`{name}` is a located struct: take it in a kernel, as in `#[located] it: &{name}`");
    let carried =
        declaration.map_or_else(|| quote!(broken {}), |declaration| quote!(located { #declaration }));
    transport::carrier(&key, name, &declared.vis, &[], carried, &misuse)
}

/// Takes the declaration off the fields, and judges it.
fn read(declared: &mut ItemStruct, diagnostics: &mut Diagnostics) -> Declaration {
    let mut declaration = Declaration::default();
    let Fields::Named(fields) = &mut declared.fields else {
        diagnostics.error(
            &declared.ident,
            "the fields of a located struct have no names",
            "kernels mention fields by their names, as in `picture.luma`: write `struct .. { luma: Vec<u8> }`",
        );
        return declaration;
    };
    let mut mentioned = Mentioned::default();
    for field in &mut fields.named {
        if field.attrs.iter().any(|attribute| is_helper(attribute.path())) {
            rejected_field(field, diagnostics);
        }
        let shape = take_shape(&mut field.attrs, diagnostics);
        let placements = take_placements(&mut field.attrs, diagnostics);
        let Some(name) = field.ident.clone() else { continue };
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
        if is_number(&field.ty) {
            diagnostics.error(
                &field.ty,
                "`#[shape]` on a field that is no memory",
                "put it before a slice, an array or a `Vec`",
            );
        }
        let nested = match memory_kind(&field.ty) {
            MemoryKind::Arrays(_) => shape.len() == 2,
            kind => kind == MemoryKind::Rows,
        };
        if nested {
            diagnostics.error(
                &field.ty,
                "a field of rows",
                "a tensor in a located struct is contiguous: for elements that are arrays, name their type, as in `type Pixel = [u8; 3];`",
            );
        }
        let entries = placements.iter().flat_map(PlacementAttribute::lists);
        for entry in shape.iter().chain(entries) {
            mentioned.visit_expr(entry);
        }
        declaration.tensors.push(Tensor { name, shape, placements: placement_calls(&placements) });
    }
    if declaration.tensors.is_empty() && diagnostics.is_empty() {
        diagnostics.error(
            &declared.ident,
            "no field of this located struct has a shape",
            "write `#[shape(h, w)]` before the fields that are tensors",
        );
    }
    for name in mentioned.names {
        match fields.named.iter().find(|field| field.ident.as_ref().is_some_and(|field| hygiene::same(field, &name))) {
            Some(field) if is_usize(field) => {
                rejected_field(field, diagnostics);
                if !declaration.extents.iter().any(|known| hygiene::same(known, &name)) {
                    declaration.extents.push(name);
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
    for closed in mentioned.others {
        diagnostics.error(
            closed,
            "a shape is arithmetic of fields, literals and constants, with `div_ceil`, `max`, `min`, `next_multiple_of` and `saturating_sub`",
            "kernels in other modules evaluate it: compute anything else beforehand and keep it in a field",
        );
    }
    declaration
}

/// Attributes as calls of the methods that they are.
pub(super) fn placement_calls(placements: &[PlacementAttribute]) -> TokenStream {
    placements.iter().map(PlacementAttribute::call).collect()
}

fn is_usize(field: &Field) -> bool {
    matches!(&field.ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident("usize"))
}

/// The names in the extents of shapes.
#[derive(Default)]
struct Mentioned {
    names: Vec<Ident>,
    others: Vec<TokenStream>,
}

/// Methods of `usize` that a shape may call.
const METHODS: [&str; 5] = ["div_ceil", "max", "min", "next_multiple_of", "saturating_sub"];

impl<'ast> Visit<'ast> for Mentioned {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Binary(_)
            | Expr::Unary(_)
            | Expr::Lit(_)
            | Expr::Paren(_)
            | Expr::Group(_)
            | Expr::Array(_) => {
                visit::visit_expr(self, expr);
            }
            Expr::MethodCall(call)
                if call.turbofish.is_none() && METHODS.iter().any(|name| call.method == name) =>
            {
                self.visit_expr(&call.receiver);
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Path(path) if path.qself.is_none() => match path.path.get_ident() {
                Some(name) => self.names.push(name.clone()),
                None if is_rooted(&path.path) => {}
                None => self.names.extend(path.path.segments.first().map(|first| first.ident.clone())),
            },
            other => self.others.push(other.to_token_stream()),
        }
    }
}

/// Whether a path means the same in every module.
fn is_rooted(path: &Path) -> bool {
    path.leading_colon.is_some() || path.segments.first().is_some_and(|first| first.ident == "crate")
}

impl ToTokens for Declaration {
    fn to_tokens(&self, out: &mut TokenStream) {
        let extents = &self.extents;
        out.extend(quote!([ #(#extents)* ]));
        for Tensor { name, shape, placements } in &self.tensors {
            out.extend(quote!({ #name [ #(#shape),* ] { #placements } }));
        }
    }
}

impl Parse for Declaration {
    fn parse(input: ParseStream) -> Result<Self> {
        let list;
        bracketed!(list in input);
        let mut declaration = Declaration::default();
        while !list.is_empty() {
            declaration.extents.push(list.parse()?);
        }
        while !input.is_empty() {
            let tensor;
            braced!(tensor in input);
            let name = tensor.parse()?;
            let (shape, placements);
            bracketed!(shape in tensor);
            braced!(placements in tensor);
            let shape = Punctuated::<Expr, Token![,]>::parse_terminated(&shape)?.into_iter().collect();
            declaration.tensors.push(Tensor { name, shape, placements: placements.parse()? });
        }
        Ok(declaration)
    }
}
