//! The fields that shapes of a located struct mention.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Expr, Path, Type};

use crate::static_eval::int_type;
use crate::syntax::visit::{self, Visit};

/// The type of the integers that a field holds one after another.
pub(super) fn integers(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Paren(inner) => integers(&inner.elem),
        Type::Group(inner) => integers(&inner.elem),
        Type::Array(array) => integer(&array.elem),
        Type::Slice(slice) => integer(&slice.elem),
        Type::Reference(reference) => integers(&reference.elem),
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Vec" || last.ident == "Box")?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            match arguments.args.first()? {
                syn::GenericArgument::Type(ty) if last.ident == "Vec" => integer(ty),
                syn::GenericArgument::Type(ty) => integers(ty),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The name of an integer type.
fn integer(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Paren(inner) => integer(&inner.elem),
        Type::Group(inner) => integer(&inner.elem),
        Type::Path(path) => path.path.get_ident().filter(|_| int_type(ty).is_some()),
        _ => None,
    }
}

/// The names in the extents of shapes.
#[derive(Default)]
pub(super) struct Mentioned {
    pub(super) names: Vec<Ident>,
    /// Fields that are indexed.
    pub(super) lists: Vec<Ident>,
    /// The names that closures around give indices.
    indices: Vec<Ident>,
    pub(super) others: Vec<TokenStream>,
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
            Expr::Closure(closure) => {
                let outside = self.indices.len();
                for input in &closure.inputs {
                    match input {
                        syn::Pat::Ident(name) => self.indices.push(name.ident.clone()),
                        syn::Pat::Wild(_) => {}
                        other => self.others.push(other.to_token_stream()),
                    }
                }
                self.visit_expr(&closure.body);
                self.indices.truncate(outside);
            }
            Expr::Range(range) if !self.indices.is_empty() => {
                range.start.iter().chain(&range.end).for_each(|end| self.visit_expr(end));
            }
            Expr::Index(index) if !self.indices.is_empty() => {
                match &*index.expr {
                    Expr::Path(path) if let Some(name) = path.path.get_ident() => {
                        self.lists.push(name.clone());
                    }
                    other => self.others.push(other.to_token_stream()),
                }
                self.visit_expr(&index.index);
            }
            Expr::Path(path) if path.qself.is_none() => match path.path.get_ident() {
                Some(name) if self.indices.contains(name) => {}
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
