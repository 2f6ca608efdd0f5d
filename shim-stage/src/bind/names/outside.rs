//! The names that a template takes from outside of itself.
//!
//! A template's tokens are written into its callers, and a path in them means what it means there. So the names that
//! are not its own are collected once, and where a caller may give one of them another meaning the call brings back the
//! one that it has beside the kernel, see [`restore`](crate::bind::names::restore).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proc_macro2::Ident;
use syn::{GenericParam, Generics, Type, TypeParamBound, WherePredicate};

use crate::bind::names::home;

use crate::hygiene::{self};

/// The names that a template does not bind, by their texts.
#[derive(Debug, Default)]
pub struct Outside {
    /// The first segments of paths, and whether one is a value by itself.
    pub names: BTreeMap<String, (Ident, bool)>,
    /// Those that bounds of its generic parameters alone mention.
    pub bounds: BTreeSet<String>,
    /// The type parameters that have bounds other than those of std's prelude, with these.
    pub bounded: Vec<(Ident, Vec<TypeParamBound>)>,
    /// The macros that are called by a plain name.
    pub macros: BTreeMap<String, Ident>,
    /// A method that may be that of a trait which is not std's.
    pub method: Option<Ident>,
    /// Identifiers among tokens that are not understood, and whether they look like the beginning of a path.
    pub unseen: BTreeMap<String, (Ident, bool)>,
}

/// The names of types and constants that an item is generic over.
pub(in crate::bind) fn generics(generics: &syn::Generics, found: &mut HashSet<String>) {
    for param in &generics.params {
        match param {
            GenericParam::Type(param) => found.insert(hygiene::text(&param.ident)),
            GenericParam::Const(param) => found.insert(hygiene::text(&param.ident)),
            GenericParam::Lifetime(_) => false,
        };
    }
}

/// The type parameters that have bounds other than those of std's prelude, with these.
pub(in crate::bind) fn bounded(generics: &Generics) -> Vec<(Ident, Vec<TypeParamBound>)> {
    let is_foreign = |bound: &&TypeParamBound| match bound {
        TypeParamBound::Trait(own) => {
            own.path.segments.last().is_some_and(|last| !home::is_in_prelude(&hygiene::text(&last.ident)))
        }
        _ => false,
    };
    let mut found: Vec<(Ident, Vec<TypeParamBound>)> = Vec::new();
    let mut add = |name: &Ident, bounds: Vec<TypeParamBound>| {
        if !bounds.is_empty() {
            found.push((name.clone(), bounds));
        }
    };
    for param in &generics.params {
        if let GenericParam::Type(param) = param {
            add(&param.ident, param.bounds.iter().filter(is_foreign).cloned().collect());
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(own) = predicate
            && let Type::Path(path) = &own.bounded_ty
            && let Some(name) = path.path.get_ident()
        {
            add(name, own.bounds.iter().filter(is_foreign).cloned().collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::names::scope::SourceFacts;
    use crate::link::{Callees, Linked};
    use syn::ItemFn;
    use syn::parse_quote;

    fn outside(function: &ItemFn) -> [String; 3] {
        let other = Linked { key: "key".to_owned(), path: parse_quote!(other) };
        let callees = Callees::from([("other".to_owned(), other)]);
        let found = Outside::of(function, &SourceFacts::of(function), &callees);
        let joined = |names: Vec<String>| names.join(" ");
        [
            joined(found.names.into_keys().collect()),
            joined(found.macros.into_keys().collect()),
            joined(found.unseen.into_keys().collect()),
        ]
    }

    #[test]
    fn paths_begin_outside_or_in_the_template() {
        let function: ItemFn = parse_quote! {
            fn t<const K: usize>(v: impl Tensor<u8, 1>, n: Wide) -> Wide {
                const M: usize = K;
                struct Own(usize);
                impl Own { fn new() -> Self { Self(3) } }
                use tables::*;
                let local = |m: usize| m + n + helper(m) + a::N + crate::N + self::N;
                fn inner<T: Trait>(x: T, n: usize) -> usize { n + T::N + local }
                match local { Limit => <u8 as Bound>::MAX, low..=HIGH => low, found => found }
            }
        };
        let [names, macros, unseen] = outside(&function);
        // `local` in `inner` is not a closure of the function.
        assert_eq!(names, "Bound HIGH Limit Trait Wide a helper local low tables u8 usize");
        assert_eq!((macros.as_str(), unseen.as_str()), ("", ""));
    }

    #[test]
    fn names_of_the_language_are_not_outside() {
        let function: ItemFn = parse_quote! {
            fn t(v: impl Tensor<u8, 1>) {
                let w = Block::heap::<Element>([4]).boundary(Fill(zero()));
                let [i] = iters();
                w[[i]] = other(v.boundary(Clamp));
            }
        };
        assert_eq!(outside(&function)[0], "Element zero");
    }

    #[test]
    fn macros_are_seen_into_as_far_as_they_are_expressions() {
        let function: ItemFn = parse_quote! {
            fn t(v: impl Tensor<u8, 1>, n: usize) {
                assert!(n < N, "{n} {LIMIT}");
                set!(made, limit(n) + a::M);
                plus!(W to n, made.field);
                v[[made]] = 0;
            }
        };
        let [names, macros, unseen] = outside(&function);
        assert_eq!(names, "LIMIT N a limit usize");
        assert_eq!(macros, "assert plus set");
        assert_eq!(unseen, "W made to");
    }
}
