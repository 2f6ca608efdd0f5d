//! Stages: `let across = stage(|[y, x]| ..);`.

use syn::{Expr, ExprClosure, ExprPath, GenericArgument, Lifetime, PathArguments, Type};

use super::form::strip_parens;

/// A call of `stage`.
#[derive(Debug, Clone, Copy)]
pub struct StageCall<'e> {
    /// The path that is called.
    pub path: &'e ExprPath,
    /// Its extents, if it has any: `stage([h, w], |[y, x]| ..)`.
    pub extents: Option<&'e Expr>,
    /// The function of an index.
    pub closure: &'e ExprClosure,
}

impl<'e> StageCall<'e> {
    /// The call of `stage` that `expr` is.
    pub fn of(expr: &'e Expr) -> Option<Self> {
        let Expr::Call(call) = strip_parens(expr) else { return None };
        let Expr::Path(path) = &*call.func else { return None };
        let (extents, closure) = match &call.args.iter().collect::<Vec<_>>()[..] {
            [closure] => (None, *closure),
            [extents, closure] => (Some(*extents), *closure),
            _ => return None,
        };
        let Expr::Closure(closure) = strip_parens(closure) else { return None };
        let is_stage = path.qself.is_none() && path.path.segments.last()?.ident == "stage";
        is_stage.then_some(Self { path, extents, closure })
    }

    /// The type of its elements, where it is written: `stage::<u16>(..)`.
    ///
    /// # Errors
    /// The arguments, if they are not one type.
    pub fn element(&self) -> Result<Option<&'e Type>, &'e PathArguments> {
        let Some(last) = self.path.path.segments.last() else { return Ok(None) };
        match &last.arguments {
            PathArguments::None => Ok(None),
            PathArguments::AngleBracketed(list) if list.args.len() == 1 => match list.args.first() {
                Some(GenericArgument::Type(ty)) => Ok(Some(ty)),
                _ => Err(&last.arguments),
            },
            other => Err(other),
        }
    }
}

/// Where `#[compute_at(..)]` and `#[store_at(..)]` say that a stage is computed or stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageLevel {
    /// `root`: where the stage is defined.
    Root,
    /// In each iteration of the loop with this label.
    Loop(Lifetime),
}

impl StageLevel {
    /// Whether it is the loop with this label, by its text: the loop may be in a template that is given the stage.
    pub(crate) fn is_loop(&self, label: &Lifetime) -> bool {
        matches!(self, StageLevel::Loop(own) if crate::hygiene::text(&own.ident) == crate::hygiene::text(&label.ident))
    }
}

impl syn::parse::Parse for StageLevel {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lifetime) {
            return input.parse().map(StageLevel::Loop);
        }
        let name: syn::Ident = input.parse()?;
        if name == "root" { Ok(StageLevel::Root) } else { Err(syn::Error::new(name.span(), "")) }
    }
}
