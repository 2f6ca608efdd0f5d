//! The types of tensor parameters.

use super::foreign::foreign_tensor;
use syn::{
    AngleBracketedGenericArguments, Expr, FnArg, GenericArgument, Ident, ItemFn, Lit, PathArguments, Type,
};
use syn::{Path, ReturnType, Signature, TypeParamBound};

/// Whether an annotated function is a template: one of its parameters is an `impl Tensor<..>`, or it returns one.
pub fn is_template(function: &ItemFn) -> bool {
    takes_tensors(&function.sig) || returns_tensors(&function.sig.output)
}

/// Whether a parameter is an `impl Tensor<..>`.
pub fn takes_tensors(signature: &Signature) -> bool {
    signature.inputs.iter().any(|input| match input {
        FnArg::Typed(typed) => is_tensor_impl(&typed.ty),
        FnArg::Receiver(_) => false,
    })
}

/// Whether an output is an `impl Tensor<..>`, or a tuple with one.
pub fn returns_tensors(output: &ReturnType) -> bool {
    match output {
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(tuple) => tuple.elems.iter().any(is_tensor_impl),
            ty => is_tensor_impl(ty),
        },
        ReturnType::Default => false,
    }
}

/// Whether `ty` is an `impl Tensor<..>`, or a reference to one.
pub fn is_tensor_impl(ty: &Type) -> bool {
    tensor_bound(ty).is_some()
}

/// Whether `ty` is `impl Template`: a template that a template takes.
pub fn is_template_impl(ty: &Type) -> bool {
    match ty {
        Type::ImplTrait(bounds) => bounds.bounds.iter().any(|bound| {
            matches!(bound, TypeParamBound::Trait(bound)
                if bound.path.segments.last().is_some_and(|last| last.ident == "Template" && last.arguments.is_none()))
        }),
        Type::Reference(reference) => is_template_impl(&reference.elem),
        Type::Paren(inner) => is_template_impl(&inner.elem),
        Type::Group(inner) => is_template_impl(&inner.elem),
        _ => false,
    }
}

/// Whether `ty` is one of the library's tensors, an array of another crate, or a reference to one.
pub fn is_runtime_tensor(ty: &Type) -> bool {
    let ends = |path: &Path| {
        path.segments
            .last()
            .is_some_and(|last| ["Block", "View", "ViewMut"].iter().any(|name| last.ident == name))
    };
    matches!(referent(ty), Type::Path(path) if ends(&path.path)) || is_foreign(ty)
}

/// Whether `ty` is an array of another crate, or a reference to one.
pub fn is_foreign(ty: &Type) -> bool {
    foreign_tensor(referent(ty)).is_some()
}

/// T of `View<'_, T, N>` and the library's other tensors.
pub fn runtime_element(ty: &Type) -> Option<Type> {
    if let Some(foreign) = foreign_tensor(referent(ty)) {
        return foreign.element;
    }
    let Type::Path(path) = referent(ty) else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}

/// N of `Place<N>`, the type of places, when it is a literal.
pub fn place_rank(ty: &Type) -> Option<usize> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| path.qself.is_none() && last.ident == "Place")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut arguments = arguments.args.iter();
    match (arguments.next()?, arguments.next()) {
        (GenericArgument::Const(rank), None) => literal(rank),
        _ => None,
    }
}

/// T of `impl Tensor<T, N>`.
pub fn declared_element(ty: &Type) -> Option<&Type> {
    match arguments(ty)?.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// N of `impl Tensor<T, N>` when it is a literal.
pub fn declared_rank(ty: &Type) -> Option<usize> {
    match arguments(ty)?.args.last()? {
        GenericArgument::Const(rank) => literal(rank),
        _ => None,
    }
}

fn literal(value: &Expr) -> Option<usize> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// N of `impl Tensor<T, N>` when it is a name.
pub fn rank_name(ty: &Type) -> Option<&Ident> {
    match arguments(ty)?.args.iter().nth(1)? {
        GenericArgument::Type(Type::Path(path)) if path.qself.is_none() => path.path.get_ident(),
        GenericArgument::Const(Expr::Path(path)) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// N of `impl Tensor<T, N>` when it is computed from others: a name, or arithmetic of names as in `{ N - 1 }`.
pub fn computed_rank(ty: &Type) -> Option<Expr> {
    match arguments(ty)?.args.last()? {
        GenericArgument::Type(Type::Path(path)) if path.qself.is_none() => {
            path.path.get_ident().map(|name| syn::parse_quote!(#name))
        }
        GenericArgument::Const(rank) if literal(rank).is_none() => Some(block_value(rank).clone()),
        _ => None,
    }
}

/// `N` of `{ N }`.
pub fn block_value(expr: &Expr) -> &Expr {
    match expr {
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(inner, None)] => inner,
            _ => expr,
        },
        _ => expr,
    }
}

/// The argument N of `impl Tensor<T, N>`.
pub fn rank_argument(ty: &mut Type) -> Option<&mut GenericArgument> {
    let mut ty = ty;
    while let Type::Reference(reference) = ty {
        ty = &mut reference.elem;
    }
    let Type::ImplTrait(bounds) = ty else { return None };
    let path = bounds.bounds.iter_mut().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) if bound.path.segments.last()?.ident == "Tensor" => {
            Some(&mut bound.path)
        }
        _ => None,
    })?;
    match &mut path.segments.last_mut()?.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.last_mut(),
        _ => None,
    }
}

/// The arguments of the bound in `impl Tensor<..>`.
fn arguments(ty: &Type) -> Option<&AngleBracketedGenericArguments> {
    match &tensor_bound(ty)?.segments.last()?.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments),
        _ => None,
    }
}

/// The path `Tensor<..>` of `impl Tensor<..>`.
fn tensor_bound(ty: &Type) -> Option<&Path> {
    let Type::ImplTrait(bounds) = referent(ty) else { return None };
    bounds.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) if bound.path.segments.last()?.ident == "Tensor" => Some(&bound.path),
        _ => None,
    })
}

/// `T` of `&T`.
fn referent(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => referent(&reference.elem),
        Type::Paren(inner) => referent(&inner.elem),
        Type::Group(inner) => referent(&inner.elem),
        other => other,
    }
}
