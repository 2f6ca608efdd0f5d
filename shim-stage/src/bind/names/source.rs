//! What the macro cannot see into: macros of the user's, and items of blocks.
//!
//! A macro that stands as a statement may define names and items, and rustc expands it only after this macro has run.
//! So a name that is among its tokens keeps the user's identifier in emitted code, nothing is known of it, and rustc
//! resolves it. Of names that are not among them it is verified that they keep their meaning.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, Item, Macro, Meta, Stmt, UseTree};

use crate::hygiene;
use crate::surface::HelperAttribute;
use crate::surface::std_macro::{self, MacroArguments};
use crate::syntax::visit::{self, Visit};

use crate::bind::names::scope::SourceFacts;

impl SourceFacts {
    /// What is known of a function's tokens.
    pub(in crate::bind) fn of(function: &syn::ItemFn) -> Self {
        let mut scan = SourceScan(SourceFacts {
            mixed: !hygiene::is_uniform(&function.to_token_stream()),
            ..SourceFacts::default()
        });
        // Macros are in scope behind their definition, but a name that is another macro's before it is rare.
        scan.0.macros = std_macro::defined(&function.block);
        scan.0.labels = labels(function.to_token_stream());
        scan.visit_block(&function.block);
        scan.0
    }

    /// The arguments of one of std's macros, if `mac` is a call of one.
    pub(in crate::bind) fn known(&self, mac: &Macro) -> Option<MacroArguments> {
        let defined = mac.path.get_ident().is_some_and(|name| self.macros.contains(&hygiene::text(name)));
        if defined { None } else { std_macro::arguments(mac) }
    }
}

/// The lifetimes among tokens, but for those by which a stage names a loop.
fn labels(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut names_a_loop = false;
    let mut is_lifetime = false;
    for leaf in hygiene::leaves(tokens) {
        match leaf {
            TokenTree::Ident(name) if is_lifetime => {
                if !std::mem::take(&mut names_a_loop) {
                    found.insert(hygiene::text(&name));
                }
                is_lifetime = false;
            }
            TokenTree::Ident(name) => names_a_loop = name == "compute_at" || name == "store_at",
            leaf => is_lifetime = matches!(leaf, TokenTree::Punct(punct) if punct.as_char() == '\''),
        }
    }
    found
}

/// Collects the names that something unknown may give another meaning.
struct SourceScan(SourceFacts);

impl SourceScan {
    fn expose(&mut self, tokens: TokenStream) {
        self.0.exposed.extend(hygiene::word_set(tokens));
    }

    fn import(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(inner) => self.import(&inner.tree),
            UseTree::Name(inner) => {
                self.0.exposed.insert(hygiene::text(&inner.ident));
            }
            UseTree::Rename(inner) => {
                self.0.exposed.insert(hygiene::text(&inner.rename));
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree)),
            UseTree::Glob(_) => {}
        }
    }
}

impl<'ast> Visit<'ast> for SourceScan {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        match self.0.known(mac) {
            Some(arguments) => arguments.visit(self),
            None => self.expose(mac.tokens.clone()),
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Verbatim(tokens) => self.expose(tokens.clone()),
            expr => visit::visit_expr(self, expr),
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        // Where the statement is configured away, the name means what it meant before.
        if local.attrs.iter().any(crate::surface::condition::is_condition) {
            self.expose(local.pat.to_token_stream());
        }
        visit::visit_local(self, local);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            // Its body may mention locals that are in scope where it is defined.
            Item::Macro(definition) => self.expose(definition.mac.tokens.clone()),
            // Whether what is imported is a value is not known.
            Item::Use(import) => self.import(&import.tree),
            // Other items see nothing of the function's locals.
            _ => {}
        }
    }
}

/// The items of a block.
#[derive(Debug, Default)]
pub struct Items {
    /// What they are called.
    pub names: HashSet<String>,
    /// The macros that are defined among them.
    pub macros: HashSet<String>,
    /// Whether there may be others.
    pub more: bool,
    /// Whether they may bring a trait into scope.
    pub traits: bool,
}

impl Items {
    /// The items among `statements`; `source` is what is known of the tokens around them.
    pub(in crate::bind) fn of(statements: &[Stmt], source: &SourceFacts) -> Self {
        let mut items = Items::default();
        for statement in statements {
            match statement {
                Stmt::Item(item) => items.item(item),
                Stmt::Macro(mac) => items.more |= source.known(&mac.mac).is_none(),
                Stmt::Expr(Expr::Macro(mac), _) => items.more |= source.known(&mac.mac).is_none(),
                Stmt::Local(_) | Stmt::Expr(..) => {}
            }
        }
        items
    }

    fn item(&mut self, item: &Item) {
        let (name, attributes) = match item {
            Item::Const(item) => (Some(&item.ident), &item.attrs),
            Item::Static(item) => (Some(&item.ident), &item.attrs),
            Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
            Item::Struct(item) => (Some(&item.ident), &item.attrs),
            Item::Enum(item) => (Some(&item.ident), &item.attrs),
            Item::Union(item) => (Some(&item.ident), &item.attrs),
            Item::Type(item) => (Some(&item.ident), &item.attrs),
            Item::Trait(item) => (Some(&item.ident), &item.attrs),
            Item::TraitAlias(item) => (Some(&item.ident), &item.attrs),
            Item::Mod(item) => (Some(&item.ident), &item.attrs),
            Item::ExternCrate(item) => {
                (Some(item.rename.as_ref().map_or(&item.ident, |(_, name)| name)), &item.attrs)
            }
            Item::Impl(item) => (None, &item.attrs),
            Item::Use(item) => {
                self.import(&item.tree);
                self.traits |= may_import_trait(&item.tree);
                (None, &item.attrs)
            }
            Item::Macro(item) => {
                // A definition; a call would be a statement.
                self.more |= item.ident.is_none();
                self.macros.extend(item.ident.as_ref().map(hygiene::text));
                (None, &item.attrs)
            }
            // What syn does not know, and blocks of foreign functions.
            _ => {
                self.more = true;
                return;
            }
        };
        self.traits |= matches!(item, Item::Trait(_) | Item::TraitAlias(_));
        self.names.extend(name.map(hygiene::text));
        self.more |= attributes.iter().any(may_define);
    }

    fn import(&mut self, tree: &UseTree) {
        let mut name = |name: &Ident| {
            self.names.insert(hygiene::text(name));
        };
        match tree {
            UseTree::Path(inner) => self.import(&inner.tree),
            UseTree::Name(inner) => name(&inner.ident),
            UseTree::Rename(inner) => name(&inner.rename),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree)),
            UseTree::Glob(_) => self.more = true,
        }
    }
}

/// Whether an import may be that of a trait, whose name has a capital or is `_`. Shim's prelude has none with methods.
fn may_import_trait(tree: &UseTree) -> bool {
    let capital = |name: &Ident| !hygiene::text(name).starts_with(char::is_lowercase);
    match tree {
        UseTree::Path(inner) => inner.ident != "shim" && may_import_trait(&inner.tree),
        UseTree::Name(inner) => capital(&inner.ident),
        UseTree::Rename(inner) => capital(&inner.ident),
        UseTree::Group(group) => group.items.iter().any(may_import_trait),
        UseTree::Glob(_) => true,
    }
}

/// Whether an attribute of an item may expand to other items.
fn may_define(attribute: &Attribute) -> bool {
    const KNOWN: &[&str] = &[
        "allow",
        "automatically_derived",
        "cfg",
        "cold",
        "deny",
        "deprecated",
        "doc",
        "expect",
        "forbid",
        "inline",
        "macro_export",
        "macro_use",
        "must_use",
        "no_mangle",
        "non_exhaustive",
        "repr",
        "rustfmt",
        "target_feature",
        "track_caller",
        "warn",
    ];
    const DERIVES: &[&str] =
        &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];
    if attribute.path().is_ident("derive") {
        let Meta::List(list) = &attribute.meta else { return true };
        return !list.tokens.clone().into_iter().all(|token| match token {
            TokenTree::Ident(name) => DERIVES.iter().any(|known| name == known),
            TokenTree::Punct(punct) => punct.as_char() == ',',
            _ => false,
        });
    }
    let path = attribute.path();
    let known = path.segments.first().is_some_and(|first| {
        KNOWN.iter().any(|name| first.ident == name) && (path.segments.len() == 1 || first.ident == "rustfmt")
    });
    !known && !HelperAttribute::named(attribute).is_some_and(HelperAttribute::is_of_loop)
}
