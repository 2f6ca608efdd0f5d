//! Patterns: which names they bind.

use syn::{Ident, Pat, Type};

use crate::hygiene;
use crate::syntax::visit::Visit;
use crate::syntax::visit_mut::{self, VisitMut};

use crate::bind::{Binder, Binding};

/// A name that a pattern binds.
struct BoundName {
    name: Ident,
    mutable: bool,
    /// Whether it may be that of a constant.
    constant: bool,
}

/// Collects the names of a pattern and gives them those that they have in emitted code.
struct EmittedNames<'b, 'a> {
    binder: &'b mut Binder<'a>,
    /// Whether a name may be that of a constant, which the pattern then compares with: it keeps its identifier.
    refutable: bool,
    bound: Vec<(BoundName, Ident)>,
}

impl VisitMut for EmittedNames<'_, '_> {
    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        if let Some((_, inner)) = &mut pattern.subpat {
            self.visit_pat_mut(inner);
        }
        // A constant, unit struct or variant is no binding, and is spelled with a capital.
        let plain = pattern.by_ref.is_none() && pattern.mutability.is_none() && pattern.subpat.is_none();
        if plain && hygiene::text(&pattern.ident).starts_with(char::is_uppercase) {
            return;
        }
        if pattern.by_ref.is_some() && pattern.mutability.is_some() {
            self.binder.changes_anything(pattern);
        }
        // The cases of an or-pattern bind the same names.
        let known = self.bound.iter().find(|(bound, _)| hygiene::same(&bound.name, &pattern.ident));
        let emitted = match known {
            Some((_, emitted)) => emitted.clone(),
            None => {
                let constant = self.refutable && plain;
                let emitted =
                    if constant { pattern.ident.clone() } else { self.binder.local_name(&pattern.ident) };
                let mutable = pattern.mutability.is_some() || pattern.by_ref.is_some();
                self.bound
                    .push((BoundName { name: pattern.ident.clone(), mutable, constant }, emitted.clone()));
                emitted
            }
        };
        // `name @ _` binds a local, whatever constants the blocks of a caller define.
        if self.refutable && plain && self.binder.scopes.may_be_callers_item(&pattern.ident) {
            pattern.subpat = Some((syn::token::At::default(), Box::new(syn::parse_quote!(_))));
        }
        pattern.ident = emitted;
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let shorthand = field.colon_token.is_none();
        let refutable = self.refutable;
        self.refutable &= !shorthand;
        visit_mut::visit_field_pat_mut(self, field);
        self.refutable = refutable;
        // The shorthand `Point { x }` spells the field by the local's name, which may be another now.
        field.colon_token.get_or_insert_with(Default::default);
    }

    fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
}

impl Binder<'_> {
    /// Binds the names of `pattern`, which always matches, in the innermost scope and gives the pattern for emitted
    /// code.
    pub(in crate::bind) fn pattern(&mut self, pattern: &Pat) -> Pat {
        self.bound_pattern(pattern, false)
    }

    /// The same for a pattern that may not match: what looks like a name may be a constant to it.
    pub(in crate::bind) fn refutable_pattern(&mut self, pattern: &Pat) -> Pat {
        self.bound_pattern(pattern, true)
    }

    fn bound_pattern(&mut self, pattern: &Pat, refutable: bool) -> Pat {
        let mut result = pattern.clone();
        let bound = {
            let mut names = EmittedNames { binder: self, refutable, bound: Vec::new() };
            names.visit_pat_mut(&mut result);
            names.bound
        };
        let types = match pattern {
            Pat::Type(typed) => types(&typed.pat, &typed.ty),
            _ => Vec::new(),
        };
        for (bound, emitted) in bound {
            let ty = types.iter().find(|(name, _)| hygiene::same(name, &bound.name));
            let ty = ty.map(|(_, ty)| (*ty).clone());
            self.bind_local(&bound.name, &emitted, bound.mutable, ty);
            if bound.constant
                && let Some(Binding::Local(local)) = self.scopes.get_mut(&bound.name)
            {
                local.exposed = true;
                local.number = None;
            }
        }
        self.names_of_macros(pattern);
        result
    }

    /// A macro in a pattern may bind the names among its tokens: what was known of them is known no more.
    fn names_of_macros(&mut self, pattern: &Pat) {
        struct Macros(Vec<Ident>);
        impl<'ast> Visit<'ast> for Macros {
            fn visit_macro(&mut self, mac: &'ast syn::Macro) {
                self.0.extend(hygiene::identifiers(mac.tokens.clone()));
            }
            fn visit_expr(&mut self, _: &'ast syn::Expr) {}
            fn visit_type(&mut self, _: &'ast Type) {}
        }
        let mut macros = Macros(Vec::new());
        macros.visit_pat(pattern);
        for name in macros.0 {
            let known = match self.scopes.get(&name) {
                None | Some(Binding::Broken) => false,
                Some(Binding::Local(local)) => !local.exposed,
                // A constant of a block is no name that a pattern binds.
                Some(Binding::Static(_) | Binding::Table(..)) => !self.scopes.is_item(&name),
                Some(
                    Binding::Tensor(_)
                    | Binding::Index { .. }
                    | Binding::Point(_)
                    | Binding::Iterator
                    | Binding::Stage(_)
                    | Binding::Template(_),
                ) => true,
            };
            if known {
                self.bind_local(&name, &name, false, None);
            }
        }
    }
}

/// The names of a pattern whose types its own type shows, as in `[y, x]: [usize; 2]` and `(n, t): (usize, T)`.
fn types<'p>(pattern: &'p Pat, ty: &'p Type) -> Vec<(&'p Ident, &'p Type)> {
    match (pattern, ty) {
        // Of `ref n: usize` the name is a reference.
        (Pat::Ident(name), ty) if name.by_ref.is_none() && name.subpat.is_none() => vec![(&name.ident, ty)],
        (Pat::Paren(inner), ty) => types(&inner.pat, ty),
        (pattern, Type::Paren(inner)) => types(pattern, &inner.elem),
        (Pat::Slice(slice), Type::Array(array)) => slice
            .elems
            .iter()
            .filter(|element| !matches!(element, Pat::Ident(name) if name.subpat.is_some()))
            .flat_map(|element| types(element, &array.elem))
            .collect(),
        (Pat::Tuple(tuple), Type::Tuple(ty)) if tuple.elems.len() == ty.elems.len() => {
            tuple.elems.iter().zip(&ty.elems).flat_map(|(element, ty)| types(element, ty)).collect()
        }
        _ => Vec::new(),
    }
}
