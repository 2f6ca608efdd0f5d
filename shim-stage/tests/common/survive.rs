//! What must hold of the compiler whatever it is given.

use std::str::FromStr;
use std::time::Duration;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, ItemFn};

use super::clock::ThreadTime;
use super::world::{Expanded, World};

/// CPU time that one kernel may take: far more than any does, far less than a hang.
const PATIENCE: Duration = Duration::from_secs(10);

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is not what a macro could be given.
    NoTokens,
    /// It was refused, with an error.
    Refused,
    /// It was staged, or is a template.
    Staged,
}

/// Expands the items of a file one after the other, so that templates, located structs and constants are there for the
/// kernels below them. A struct or a constant that has an attribute has the one of its kind.
///
/// # Panics
/// If the compiler panics or dawdles, or what comes out of a function is not items.
pub(crate) fn file(source: &str) -> Outcome {
    let Ok(file) = syn::parse_file(source) else { return function(source) };
    let mut world = World::default();
    let mut outcome = Outcome::NoTokens;
    for item in file.items {
        let mut item = match item {
            Item::Fn(item) => item,
            Item::Struct(mut item) if !item.attrs.is_empty() => {
                item.attrs.pop();
                if !world.declare(shim_stage::located(TokenStream::new(), item.to_token_stream())) {
                    outcome = Outcome::Refused;
                }
                continue;
            }
            Item::Const(mut item) if !item.attrs.is_empty() => {
                item.attrs.pop();
                if !world.declare(shim_stage::constant(TokenStream::new(), item.to_token_stream())) {
                    outcome = Outcome::Refused;
                }
                continue;
            }
            _ => continue,
        };
        let attribute = match item.attrs.pop().map(|attribute| attribute.meta) {
            Some(syn::Meta::List(list)) => list.tokens,
            _ => TokenStream::new(),
        };
        let one = expand(&mut world, attribute, item.to_token_stream(), source);
        outcome = if outcome == Outcome::Refused { outcome } else { one };
    }
    outcome
}

/// Expands whatever the text holds, as one item.
///
/// # Panics
/// As for [`file`].
pub(crate) fn function(source: &str) -> Outcome {
    let Ok(tokens) = TokenStream::from_str(source) else { return Outcome::NoTokens };
    expand(&mut World::default(), TokenStream::new(), tokens, source)
}

fn expand(world: &mut World, attribute: TokenStream, item: TokenStream, source: &str) -> Outcome {
    let start = ThreadTime::now();
    let is_function = syn::parse2::<ItemFn>(item.clone()).is_ok();
    let Some(expanded) = world.expand(attribute, item) else { return Outcome::Refused };
    let took = start.elapsed();
    assert!(took < PATIENCE, "{took:?} for\n{source}");
    let Expanded::Kernel(tokens) = expanded else { return Outcome::Staged };
    if is_function {
        let parsed = syn::parse2::<syn::File>(tokens.clone());
        assert!(
            parsed.is_ok(),
            "{}: what comes out is no items:\n{tokens}\nfrom\n{source}",
            parsed.unwrap_err()
        );
    }
    assert!(!mentions_hole(tokens.clone()), "a hole is left in\n{tokens}\nfrom\n{source}");
    let refused =
        tokens.into_iter().any(|tree| matches!(tree, TokenTree::Ident(name) if name == "compile_error"));
    if refused { Outcome::Refused } else { Outcome::Staged }
}

fn mentions_hole(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => mentions_hole(group.stream()),
        TokenTree::Ident(name) => name.to_string().starts_with("__shim_hole_"),
        _ => false,
    })
}
