//! The names of what the compiler brings into scope.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use quote::ToTokens as _;
use syn::Lifetime;

/// The identifiers of everything that the compiler brings into scope.
///
/// All of them have the hygiene of the expansion, so that no identifier of the user's is any of them, and each is the
/// only one of its text where it is in scope, in whatever order passes put statements. [`NameSupply::variable`] and
/// [`NameSupply::local`] name what the user names, [`NameSupply::fresh`] the rest.
#[derive(Debug, Clone, Default)]
pub struct NameSupply {
    /// The names that are taken, each with the number to try next.
    taken: std::collections::HashMap<String, u32>,
    /// The same of labels and lifetimes, which are no names of anything else.
    labels: std::collections::HashMap<String, u32>,
    /// The texts of items and imports in the kernel and its templates. Hygiene does not keep items of a block from
    /// hiding locals around it.
    items: HashSet<String>,
    /// The texts of the user's names that emitted locals have.
    given: std::collections::HashMap<String, Given>,
    /// The texts of the other locals.
    made: HashSet<String>,
}

/// The kind of local that has a name of the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    /// The variable of a loop: a pass may bring it into the scope of any other local.
    Variable,
    /// Any other local, which stays in the block that declares it.
    Local,
}

impl NameSupply {
    /// Keeps clear of every item that a block of `function` declares or imports.
    pub fn reserve_items(&mut self, function: &syn::ItemFn) {
        struct ItemWords<'i>(&'i mut HashSet<String>);
        impl<'ast> crate::syntax::visit::Visit<'ast> for ItemWords<'_> {
            fn visit_item(&mut self, item: &'ast syn::Item) {
                // Every identifier of an item, since a macro or an attribute may declare more than is written.
                self.0.extend(crate::hygiene::word_set(item.to_token_stream()));
            }
        }
        crate::syntax::visit::Visit::visit_block(&mut ItemWords(&mut self.items), &function.block);
    }

    /// The name of the local for the loop variable `name`: no other local of the kernel has it.
    pub fn variable(&mut self, name: &Ident) -> Ident {
        let text = crate::hygiene::text(name);
        let free = !self.items.contains(&text) && !self.given.contains_key(&text);
        self.give(name, free, Given::Variable)
    }

    /// The name of the local for the user's local `name`; `hides` says whether a local of this text is in scope.
    pub fn local(&mut self, name: &Ident, hides: bool) -> Ident {
        let text = crate::hygiene::text(name);
        let free = !hides && !self.items.contains(&text) && self.given.get(&text) != Some(&Given::Variable);
        self.give(name, free, Given::Local)
    }

    /// A local for the user's `name`, of its text if that is `free`.
    fn give(&mut self, name: &Ident, free: bool, kind: Given) -> Ident {
        let span = Span::mixed_site().located_at(name.span());
        let text = crate::hygiene::text(name);
        let given = if free {
            let raw = name.to_string().starts_with("r#");
            if raw { Ident::new_raw(&text, span) } else { Ident::new(&text, span) }
        } else {
            let mut numbered = self.fresh(&text);
            numbered.set_span(span);
            numbered
        };
        self.given.insert(crate::hygiene::text(&given), kind);
        given
    }

    /// Keeps clear of every identifier in `tokens`.
    pub fn reserve(&mut self, tokens: proc_macro2::TokenStream) {
        let mut quoted = false;
        for token in tokens {
            let behind_quote = std::mem::take(&mut quoted);
            match token {
                proc_macro2::TokenTree::Ident(ident) => {
                    let kind = if behind_quote { &mut self.labels } else { &mut self.taken };
                    kind.entry(crate::hygiene::text(&ident)).or_insert(2);
                }
                proc_macro2::TokenTree::Group(group) => self.reserve(group.stream()),
                proc_macro2::TokenTree::Punct(punct) => quoted = punct.as_char() == '\'',
                proc_macro2::TokenTree::Literal(_) => {}
            }
        }
    }

    /// Gives the names that were taken since `earlier` to others: those locals are in the scope of no other one.
    pub(crate) fn rewind(&mut self, earlier: Self) {
        let made = std::mem::replace(self, earlier).made;
        self.made.extend(made);
    }

    /// The same for a label.
    pub fn label(&mut self, wanted: &str) -> Lifetime {
        // `'r#loop` is a label only in newer editions.
        let wanted = if wanted.starts_with("r#") { "template" } else { wanted };
        let name = numbered(&mut self.labels, wanted);
        Lifetime::new(&format!("'{name}"), Span::mixed_site())
    }

    /// `wanted`, or `wanted_2`, `wanted_3`, .. if that is taken.
    pub fn fresh(&mut self, wanted: &str) -> Ident {
        // Of `self.width` and `r#type` the part that can stand in a name.
        let wanted = wanted.rsplit(['.', '#', ' ']).next().unwrap_or(wanted);
        let name = numbered(&mut self.taken, wanted);
        self.made.insert(name.clone());
        Ident::new(&name, Span::mixed_site())
    }

    /// A parameter of an emitted closure, or `wanted_2`, `wanted_3`, .. where an item has that name: a constant would
    /// be a pattern.
    pub fn parameter(&self, wanted: &str) -> Ident {
        let mut name = wanted.to_owned();
        for count in 2.. {
            if !self.items.contains(&name) {
                break;
            }
            name = format!("{wanted}_{count}");
        }
        Ident::new(&name, Span::mixed_site())
    }

    /// Whether a local of the compiler's has this text.
    pub fn is_local(&self, text: &str) -> bool {
        self.made.contains(text) || self.given.contains_key(text)
    }
}

/// `wanted` with the first number that makes it a name of its own among those that are `taken`.
fn numbered(taken: &mut std::collections::HashMap<String, u32>, wanted: &str) -> String {
    let Some(mut count) = taken.get(wanted).copied() else {
        taken.insert(wanted.to_owned(), 2);
        return wanted.to_owned();
    };
    loop {
        let name = format!("{wanted}_{count}");
        count += 1;
        if !taken.contains_key(&name) {
            taken.insert(wanted.to_owned(), count);
            taken.insert(name.clone(), 2);
            return name;
        }
    }
}
