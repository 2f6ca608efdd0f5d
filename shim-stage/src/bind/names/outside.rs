//! The names that a template takes from outside of itself.
//!
//! A template's tokens are written into its callers, and a path in them means what it means there. So the names that
//! are not its own are collected once, and where a caller may give one of them another meaning the call brings back the
//! one that it has beside the kernel, see [`restore`](crate::bind::names::restore).

use std::collections::{BTreeMap, HashSet};

use proc_macro2::Ident;
use syn::GenericParam;

use crate::hygiene::{self};

/// The names that a template does not bind, by their texts.
#[derive(Debug, Default)]
pub struct Outside {
    /// The first segments of paths, and whether one is a value by itself.
    pub names: BTreeMap<String, (Ident, bool)>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::names::scope::SourceFacts;
    use crate::link::Callees;
    use syn::ItemFn;
    use syn::parse_quote;

    fn outside(function: &ItemFn) -> [String; 3] {
        let callees = Callees::from([("other".to_owned(), "key".to_owned())]);
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
