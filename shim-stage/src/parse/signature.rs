//! The parameters of a kernel by what they mean to the compiler.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Expr, FnArg, GenericArgument, GenericParam, Ident, ItemFn, Pat, PathArguments, Signature, Token, Type,
    TypeParamBound,
};

use crate::diagnostics::Diagnostics;
use crate::surface::foreign::{ForeignTensor, foreign_tensor};
use crate::surface::tensor_type::{is_template_impl, place_rank};
use crate::surface::{self, HelperAttribute, TensorMethod};

use super::specialize::{self, Specialized};

/// How a parameter takes part in the kernel.
#[derive(Debug, Clone)]
pub enum ParameterKind {
    /// `impl Tensor<T, N>`: the function is a template.
    Template,
    /// `&Block<T, N>`, `&mut Block<T, N>`, `View<'_, T, N>` or `ViewMut<'_, T, N>`: a tensor of the runtime library.
    Runtime {
        /// Whether it can be written.
        mutable: bool,
        /// N, when it is spelled as a literal.
        rank: usize,
        /// Whether it is taken by reference.
        by_reference: bool,
    },
    /// `Place<N>`: a tensor without elements.
    Place {
        /// N, a literal.
        rank: usize,
    },
    /// `impl Template`, in a template.
    TemplateArgument,
    /// A slice, array or `Vec` under `#[shape(..)]`.
    Shaped,
    /// Anything else passes through.
    Plain,
}

/// A typed parameter of a kernel.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The pattern with its type.
    pub pattern: Pat,
    /// The name, when the pattern is one.
    pub name: Option<Ident>,
    /// Whether it is bound with `mut`.
    pub mutable: bool,
    /// Its type as written.
    pub ty: Type,
    /// What it is.
    pub kind: ParameterKind,
    /// The arguments of `#[shape(..)]`, if it stands there.
    pub shape: Option<Vec<Expr>>,
    /// The placements of its block: `#[coarsened(2, 2)]` and the like, in the order they are written.
    pub placements: Vec<PlacementAttribute>,
    /// The values of `#[specialize(..)]`, if it stands there.
    pub specialized: Option<Specialized>,
}

/// `#[coarsened(2, 2)]` and the like before a parameter.
#[derive(Debug, Clone)]
pub struct PlacementAttribute {
    /// The name, which is that of the method of blocks.
    pub method: Ident,
    /// The entries of the method's list, or the order of `#[stored(..)]`.
    pub entries: Vec<Expr>,
}

impl PlacementAttribute {
    /// The expressions that it is made of, without the words of an order.
    pub fn lists(&self) -> Vec<&Expr> {
        if self.is_order() {
            self.entries.iter().flat_map(surface::order_lists).collect()
        } else {
            self.entries.iter().collect()
        }
    }

    fn is_order(&self) -> bool {
        TensorMethod::of(&self.method) == Some(TensorMethod::Stored)
    }

    /// Whether a tensor of the runtime library brings it along: an origin, strides or an order of elements.
    fn is_value(&self) -> bool {
        matches!(
            TensorMethod::of(&self.method),
            Some(TensorMethod::At | TensorMethod::Strided | TensorMethod::Stored)
        )
    }

    /// The attribute as a call of the method that it is, without the receiver.
    pub fn call(&self) -> TokenStream {
        let Self { method, entries } = self;
        if self.is_order() {
            quote_spanned!(method.span()=> .#method(#(#entries),*))
        } else {
            quote_spanned!(method.span()=> .#method([#(#entries),*]))
        }
    }
}

/// Reads the parameters of `function` and strips their helper attributes.
///
/// Long: one case for each kind of parameter, with the attributes that it takes.
pub fn parameters(function: &mut ItemFn, diagnostics: &mut Diagnostics) -> Vec<Parameter> {
    let mut found = Vec::new();
    let ranks: Vec<Ident> = function
        .sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Const(param) => Some(param.ident.clone()),
            _ => None,
        })
        .collect();
    for input in &mut function.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let mut shape = take_shape(&mut typed.attrs, diagnostics);
        let mut placements = take_placements(&mut typed.attrs, diagnostics);
        let specialized = specialize::take(typed, diagnostics);
        let (name, mutable) = match &*typed.pat {
            Pat::Ident(pattern) if pattern.subpat.is_none() => {
                (Some(pattern.ident.clone()), pattern.mutability.is_some())
            }
            _ => (None, false),
        };
        let mut kind = classify(&typed.ty);
        if matches!(kind, ParameterKind::TemplateArgument) {
            // At the definition of a template this leaves its body to the calls.
            diagnostics.error_in_call(
                &typed.ty,
                "a kernel cannot take a template",
                "only templates take templates: take a tensor as `impl Tensor<T, N>`, or call the template by its name",
            );
        }
        reject_unstaged(&typed.ty, &ranks, diagnostics);
        // A place that may be assigned is a value like any other.
        let assigned = matches!(kind, ParameterKind::Place { .. }) && (mutable || name.is_none());
        if assigned {
            kind = ParameterKind::Plain;
        }
        if matches!(kind, ParameterKind::Plain) && shape.is_some() {
            if is_number(&typed.ty) || assigned {
                let help = "put it before a slice, an array, a tensor or a place; extents are named inside of its parentheses";
                diagnostics.error(&typed.ty, "`#[shape]` on a parameter that has no extents", help);
                shape = None;
            } else {
                kind = ParameterKind::Shaped;
            }
        }
        let misplaced = match kind {
            ParameterKind::Shaped => None,
            ParameterKind::Runtime { .. } => placements.iter().find(|placement| placement.is_value()),
            _ => placements.first(),
        };
        if let Some(placement) = misplaced {
            let (message, help) = match kind {
                ParameterKind::Runtime { .. } => (
                    format!("`#[{}]` on a tensor of the runtime library", placement.method),
                    "the tensor brings its origin and its memory; declare factors and axes alone",
                ),
                ParameterKind::Place { .. } => (
                    format!("`#[{}]` on a place", placement.method),
                    "a place is one of the root space; in the kernel, cut it or move it as a view",
                ),
                _ => (
                    format!("`#[{}]` on a parameter without a shape", placement.method),
                    "name its extents as well, as in `#[shape(h, w)]` before a slice, an array or a `Vec`",
                ),
            };
            diagnostics.error(&placement.method, message, help);
            placements.clear();
        }
        if name.is_none() && !matches!(kind, ParameterKind::Plain) {
            diagnostics.error(
                &typed.pat,
                "expected a plain name for a tensor parameter",
                "name it, as in `frame: View<'_, u8, 2>`",
            );
        }
        let pattern = Pat::Type(typed.clone());
        let ty = (*typed.ty).clone();
        found.push(Parameter { pattern, name, mutable, ty, kind, shape, placements, specialized });
    }
    found
}

/// Reports what a kernel's signature may not say of the function as a whole.
pub fn qualifiers(signature: &Signature, diagnostics: &mut Diagnostics) {
    if let Some(token) = &signature.asyncness {
        diagnostics.error(token, "a kernel cannot be `async`", "call the kernel from the `async` function");
    }
    if let Some(token) = &signature.constness {
        diagnostics.error(
            token,
            "a kernel cannot be `const`",
            "remove `const`: what a kernel expands to runs at run time alone",
        );
    }
}

/// The expressions in the parentheses of an attribute.
fn entries(attribute: &syn::Attribute) -> syn::Result<Vec<Expr>> {
    let tokens = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens).map(|list| list.into_iter().collect())
}

/// Takes the placements off a parameter or a field.
pub fn take_placements(
    attributes: &mut Vec<syn::Attribute>,
    diagnostics: &mut Diagnostics,
) -> Vec<PlacementAttribute> {
    let mut placements = Vec::new();
    attributes.retain(|attribute| {
        let Some(method) = surface::placement(attribute.path()) else { return true };
        let name = method.name();
        let usage = match method {
            TensorMethod::Stored => "write an order of elements, as in `#[stored(tile([8, 8]))]`".to_owned(),
            _ => format!("write one entry per axis with commas between them, as in `#[{name}(2, 2)]`"),
        };
        match entries(attribute) {
            Ok(entries) if entries.is_empty() => {
                diagnostics.error(attribute, format!("`#[{name}]` without entries"), usage);
            }
            Ok(entries) => {
                let method = Ident::new(name, attribute.path().span());
                placements.push(PlacementAttribute { method, entries });
            }
            Err(error) => diagnostics.push(syn::Error::new(
                error.span(),
                format!("the entries of `#[{name}]` are a list of expressions\nhelp: {usage}"),
            )),
        }
        false
    });
    placements
}

/// Takes the shape off a parameter or a field.
pub fn take_shape(attributes: &mut Vec<syn::Attribute>, diagnostics: &mut Diagnostics) -> Option<Vec<Expr>> {
    let mut shape = None;
    let usage = "write the extents with commas between them, as in `#[shape(h, w, 3)]`";
    attributes.retain(|attribute| {
        if !HelperAttribute::Shape.is(attribute) {
            return true;
        }
        match entries(attribute) {
            Ok(_) if shape.is_some() => {
                diagnostics.error(attribute, "`#[shape]` is given twice", "remove one of the two");
            }
            Ok(extents) if !extents.is_empty() => shape = Some(extents),
            Ok(_) => diagnostics.error(attribute, "`#[shape]` without extents", usage),
            Err(error) => diagnostics.push(syn::Error::new(
                error.span(),
                format!("the extents of a shape are a list of expressions\nhelp: {usage}"),
            )),
        }
        false
    });
    shape
}

fn classify(ty: &Type) -> ParameterKind {
    match ty {
        Type::Paren(inner) => classify(&inner.elem),
        Type::Group(inner) => classify(&inner.elem),
        ty if is_template_impl(ty) => ParameterKind::TemplateArgument,
        Type::ImplTrait(bounds) => {
            let tensor = bounds.bounds.iter().any(|bound| match bound {
                TypeParamBound::Trait(bound) => {
                    bound.path.segments.last().is_some_and(|segment| segment.ident == "Tensor")
                }
                _ => false,
            });
            if tensor { ParameterKind::Template } else { ParameterKind::Plain }
        }
        Type::Reference(reference) => match runtime_rank(&reference.elem, "Block") {
            Some(rank) => {
                ParameterKind::Runtime { mutable: reference.mutability.is_some(), rank, by_reference: true }
            }
            None if let Some(foreign) = foreign_tensor(&reference.elem) => ParameterKind::Runtime {
                mutable: reference.mutability.is_some(),
                rank: foreign.rank,
                by_reference: true,
            },
            None => match classify(&reference.elem) {
                ParameterKind::Template => ParameterKind::Template,
                _ => ParameterKind::Plain,
            },
        },
        Type::Path(_) => {
            if let Some(rank) = runtime_rank(ty, "View") {
                ParameterKind::Runtime { mutable: false, rank, by_reference: false }
            } else if let Some(rank) = runtime_rank(ty, "ViewMut") {
                ParameterKind::Runtime { mutable: true, rank, by_reference: false }
            } else if let Some(rank) = place_rank(ty) {
                ParameterKind::Place { rank }
            } else if let Some(ForeignTensor { rank, borrows: Some(mutable), .. }) = foreign_tensor(ty) {
                ParameterKind::Runtime { mutable, rank, by_reference: false }
            } else {
                ParameterKind::Plain
            }
        }
        _ => ParameterKind::Plain,
    }
}

/// Reports a type that is nearly a tensor's, and would be used at run time where the user means it to be staged.
fn reject_unstaged(ty: &Type, generics: &[Ident], diagnostics: &mut Diagnostics) {
    let (inner, referenced) = match ty {
        Type::Reference(reference) => (&*reference.elem, true),
        other => (other, false),
    };
    let Type::Path(path) = inner else { return };
    let Some(segment) = path.path.segments.last() else { return };
    let is_view = segment.ident == "View" || segment.ident == "ViewMut";
    if referenced && is_view && runtime_rank(inner, &segment.ident.to_string()).is_some() {
        let help = "take `View<'_, T, N>` or `ViewMut<'_, T, N>` itself: it borrows already";
        return diagnostics.error(ty, "a view is taken by value", help);
    }
    let is_block = referenced && segment.ident == "Block";
    if !(is_view || is_block) {
        return;
    }
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return };
    if let Some(GenericArgument::Type(Type::Path(rank))) = arguments.args.last()
        && rank.path.get_ident().is_some_and(|name| generics.contains(name))
    {
        let help = "write it as a literal, as in `View<'_, u8, 2>`: one kernel is staged for one rank";
        diagnostics.error(
            rank,
            "the rank of a tensor parameter must be known when the kernel is expanded",
            help,
        );
    }
}

/// The names of the primitive numbers, `bool` and `char`.
pub const NUMBERS: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
    "u128", "usize",
];

/// Whether `ty` is a primitive number, `bool` or `char`.
pub fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none()
        && path.path.get_ident().is_some_and(|name| NUMBERS.iter().any(|number| name == number)))
}

/// N of `name<.., T, N>` when `ty` is that, with N a literal.
fn runtime_rank(ty: &Type, name: &str) -> Option<usize> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    if segment.ident != name {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    let last = arguments.args.last()?;
    match last {
        GenericArgument::Const(Expr::Lit(literal)) => match &literal.lit {
            syn::Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The elements of a type that a tensor's memory can be bound to, as far as the signature shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryKind {
    /// Contiguous: a slice, an array, a `Vec`.
    Flat,
    /// A slice of rows, each a slice.
    Rows,
    /// Contiguous arrays of this length, which are rows or elements.
    Arrays(Box<Expr>),
    /// A raw pointer.
    Pointer,
}

/// What memory a value of type `ty` holds.
pub fn memory_kind(ty: &Type) -> MemoryKind {
    match ty {
        Type::Reference(reference) => memory_kind(&reference.elem),
        Type::Paren(inner) => memory_kind(&inner.elem),
        Type::Group(inner) => memory_kind(&inner.elem),
        Type::Ptr(_) => MemoryKind::Pointer,
        Type::Slice(slice) => row(&slice.elem),
        Type::Array(array) => row(&array.elem),
        Type::Path(path) => match path.path.segments.last() {
            Some(segment) if segment.ident == "Vec" => match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                    Some(GenericArgument::Type(inner)) => row(inner),
                    _ => MemoryKind::Flat,
                },
                _ => MemoryKind::Flat,
            },
            _ => MemoryKind::Flat,
        },
        _ => MemoryKind::Flat,
    }
}

/// The type of the elements of memory of type `ty`, as far as the signature shows it: of rows the elements.
pub fn element(ty: &Type) -> Option<&Type> {
    let inner = item(ty)?;
    Some(element(inner).unwrap_or(inner))
}

/// The type of what memory of type `ty` holds, as far as the signature shows it: of rows the rows.
pub fn item(ty: &Type) -> Option<&Type> {
    Some(match ty {
        Type::Reference(reference) => return item(&reference.elem),
        Type::Paren(inner) => return item(&inner.elem),
        Type::Group(inner) => return item(&inner.elem),
        Type::Slice(slice) => &*slice.elem,
        Type::Array(array) => &*array.elem,
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            match (last.ident.to_string().as_str(), arguments.args.first()?) {
                ("Vec", GenericArgument::Type(inner)) => inner,
                ("Box", GenericArgument::Type(inner)) => return item(inner),
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn row(element: &Type) -> MemoryKind {
    match element {
        Type::Slice(_) | Type::Reference(_) => MemoryKind::Rows,
        Type::Array(array) => MemoryKind::Arrays(Box::new(array.len.clone())),
        Type::Path(path)
            if path.path.segments.last().is_some_and(|s| s.ident == "Vec" || s.ident == "Box") =>
        {
            MemoryKind::Rows
        }
        Type::Paren(inner) => row(&inner.elem),
        Type::Group(inner) => row(&inner.elem),
        _ => MemoryKind::Flat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn parameters_are_classified() {
        let mut function: ItemFn = parse_quote! {
            fn f(a: impl Tensor<i32, 1>, b: &mut shim::Block<u8, 3>, c: ViewMut<'_, i16, 2>,
                 #[shape(h, w, 3)] #[coarsened(2, 2, 1)] rgb: &[u8], mut n: usize, o: impl Fn(i32)) {}
        };
        let mut diagnostics = Diagnostics::default();
        let found = parameters(&mut function, &mut diagnostics);
        assert!(diagnostics.is_empty());
        assert!(matches!(found[0].kind, ParameterKind::Template));
        assert!(matches!(
            found[1].kind,
            ParameterKind::Runtime { mutable: true, rank: 3, by_reference: true }
        ));
        assert!(matches!(
            found[2].kind,
            ParameterKind::Runtime { mutable: true, rank: 2, by_reference: false }
        ));
        assert!(matches!(found[3].kind, ParameterKind::Shaped));
        assert_eq!(found[3].shape.as_ref().map(Vec::len), Some(3));
        assert_eq!(found[3].placements[0].method, "coarsened");
        assert!(matches!(found[4].kind, ParameterKind::Plain) && found[4].mutable);
        assert!(matches!(found[5].kind, ParameterKind::Plain));
        let left = quote::quote!(#function).to_string();
        assert!(!left.contains("shape") && !left.contains("coarsened"));
    }

    #[test]
    fn elements_are_seen_through_memory() {
        for (ty, number) in [
            (parse_quote!(&mut [u8; 16]), true),
            (parse_quote!(&mut [Vec<f32>]), true),
            (parse_quote!(Box<[Cell]>), false),
            (parse_quote!(&[[T; 2]; 3]), false),
        ] {
            assert_eq!(element(&ty).map(is_number), Some(number));
        }
        assert!(element(&parse_quote!(&mut Frame)).is_none());
    }

    #[test]
    fn memory_is_seen_through_references() {
        assert_eq!(memory_kind(&parse_quote!(&mut [u8; 16])), MemoryKind::Flat);
        assert_eq!(memory_kind(&parse_quote!(&[&[u8]])), MemoryKind::Rows);
        assert_eq!(memory_kind(&parse_quote!(&mut [Vec<i16>])), MemoryKind::Rows);
        assert_eq!(memory_kind(&parse_quote!([[u8; N]; 4])), MemoryKind::Arrays(Box::new(parse_quote!(N))));
        assert_eq!(memory_kind(&parse_quote!(&[&[u8; 4]])), MemoryKind::Rows);
        assert_eq!(memory_kind(&parse_quote!(*const f32)), MemoryKind::Pointer);
    }
}
