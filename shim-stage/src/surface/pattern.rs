//! Patterns of plain names.

use syn::{Ident, Pat, Type};

/// The single plain name that a pattern is, its type and whether it is `mut`.
pub fn simple(pattern: &Pat) -> Option<(&Ident, Option<&Type>, bool)> {
    match pattern {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
            Some((&name.ident, None, name.mutability.is_some()))
        }
        Pat::Type(typed) => {
            let (name, _, mutable) = simple(&typed.pat)?;
            Some((name, Some(&typed.ty), mutable))
        }
        Pat::Paren(inner) => simple(&inner.pat),
        _ => None,
    }
}

/// The names of `[y, x]`.
pub fn array(pattern: &Pat) -> Option<Vec<Option<Ident>>> {
    let elements: Vec<&Pat> = match pattern {
        Pat::Slice(slice) => slice.elems.iter().collect(),
        Pat::Type(typed) => return array(&typed.pat),
        Pat::Paren(inner) => return array(&inner.pat),
        _ => return None,
    };
    elements
        .into_iter()
        .map(|element| match element {
            Pat::Wild(_) => Some(None),
            Pat::Ident(name)
                if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() =>
            {
                Some(Some(name.ident.clone()))
            }
            _ => None,
        })
        .collect()
}
