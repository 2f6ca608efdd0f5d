//! The parameters of kernels that are located structs.

use proc_macro2::Ident;
use syn::{Attribute, FnArg, ItemFn, Meta, Pat, Path, Result, Type};

use crate::diagnostics::Diagnostics;
use crate::surface::{self, HelperAttribute};

/// A parameter that is a located struct.
#[derive(Clone, Debug)]
pub(in crate::link) struct Taken {
    /// Its name, or `self`.
    pub(in crate::link) name: Ident,
    /// The struct, which is a macro as well.
    pub(in crate::link) path: Path,
    /// Whether the kernel may write its fields, as far as the signature shows it.
    pub(super) mutable: bool,
}

/// The parameters of `function` that are located structs.
pub(in crate::link) fn taken(function: &ItemFn) -> Result<Vec<Taken>> {
    let mut found = Vec::new();
    let mut diagnostics = Diagnostics::default();
    for input in &function.sig.inputs {
        let (attributes, name, ty) = match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) if name.subpat.is_none() => {
                    (&typed.attrs, Some(&name.ident), Some(&*typed.ty))
                }
                _ => (&typed.attrs, None, Some(&*typed.ty)),
            },
            FnArg::Receiver(receiver) => {
                let name = Ident::new("self", receiver.self_token.span);
                if let Some(attribute) = located(&receiver.attrs) {
                    let mutable = receiver.mutability.is_some();
                    found.extend(one(attribute, &name, None, mutable, &mut diagnostics));
                }
                continue;
            }
        };
        let Some(attribute) = located(attributes) else { continue };
        let Some(name) = name else {
            diagnostics.error(
                input,
                "expected a plain name for a located struct",
                "name it, as in `#[located] picture: &Picture`: its fields are `picture.luma` and so on",
            );
            continue;
        };
        if let Some(other) = attributes
            .iter()
            .find(|other| HelperAttribute::Shape.is(other) || surface::placement(other.path()).is_some())
        {
            diagnostics.error(
                other,
                "a shape or a placement on a located struct",
                "the struct says where its fields are: remove it here",
            );
        }
        let mutable = match input {
            FnArg::Typed(syn::PatType { ty, pat, .. }) => is_mutable(ty)
                .unwrap_or_else(|| matches!(&**pat, Pat::Ident(name) if name.mutability.is_some())),
            FnArg::Receiver(_) => false,
        };
        found.extend(one(attribute, name, ty, mutable, &mut diagnostics));
    }
    diagnostics.finish().map_or(Ok(found), Err)
}

/// The `#[located]` among attributes.
fn located(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| HelperAttribute::Located.is(attribute))
}

/// The parameter of an attribute `#[located]`, or `#[located(path)]` where the type does not name the struct.
fn one(
    attribute: &Attribute,
    name: &Ident,
    ty: Option<&Type>,
    mutable: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Taken> {
    let Some(path) = struct_path(attribute, ty) else {
        diagnostics.error(
            attribute,
            format!("the type of `{name}` does not name a located struct"),
            "write the struct's path into the attribute, as in `#[located(Picture)] &self`",
        );
        return None;
    };
    Some(Taken { name: name.clone(), path, mutable })
}

/// Whether a reference is `&mut`.
fn is_mutable(ty: &Type) -> Option<bool> {
    match ty {
        Type::Paren(inner) => is_mutable(&inner.elem),
        Type::Group(inner) => is_mutable(&inner.elem),
        Type::Reference(reference) => Some(reference.mutability.is_some()),
        _ => None,
    }
}

/// The struct of an attribute `#[located]` before something of type `ty`, or of `#[located(path)]`, without generic
/// arguments.
pub(super) fn struct_path(attribute: &Attribute, ty: Option<&Type>) -> Option<Path> {
    let path = match &attribute.meta {
        Meta::List(list) => syn::parse2::<Path>(list.tokens.clone()).ok(),
        _ => ty.and_then(named).filter(|path| !path.is_ident("Self")).cloned(),
    };
    let mut path = path?;
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    Some(path)
}

/// The path in `&mut Picture<'_>`.
fn named(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Reference(reference) => named(&reference.elem),
        Type::Paren(inner) => named(&inner.elem),
        Type::Group(inner) => named(&inner.elem),
        Type::Path(path) if path.qself.is_none() => Some(&path.path),
        _ => None,
    }
}
