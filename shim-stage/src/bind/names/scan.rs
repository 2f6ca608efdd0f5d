//! Which names in the tokens of a function are defined outside it.

use std::collections::HashSet;

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, ItemFn, Macro, Pat, Path, Token, UseTree};

use crate::hygiene::{self, Name};
use crate::link::{Callees, text};
use crate::surface::scoped::{PatternOrigin, Scoped, scoped};
use crate::surface::std_macro::MacroArguments;
use crate::surface::std_macro::inline_captures;
use crate::surface::tensor_type::is_tensor_impl;
use crate::surface::{self, Constructor, TensorMethod};
use crate::syntax::visit::{self, Visit};

use crate::bind::names::outside::{self, Outside, generics};
use crate::bind::names::purity;
use crate::bind::names::scope::{Scopes, SourceFacts};
use crate::bind::names::source::Items;

impl Outside {
    /// The names that `function` takes from outside; `source` is what is known of its tokens, and `callees` are the
    /// paths of the templates it calls, which are resolved already.
    pub fn of(function: &ItemFn, source: &SourceFacts, callees: &Callees) -> Self {
        let mut scan =
            NameScan { source, callees, levels: Vec::new(), guesses: false, found: Outside::default() };
        scan.function(function);
        let whole = std::mem::take(&mut scan.found);
        // Its body alone, among its parameters.
        let mut inside = function.clone();
        for param in &mut inside.sig.generics.params {
            if let syn::GenericParam::Type(param) = param {
                param.bounds.clear();
            }
        }
        inside.sig.generics.where_clause = None;
        scan.function(&inside);
        let is_bound = |text: &&String| !scan.found.names.contains_key(*text);
        let bounds = whole.names.keys().filter(is_bound).cloned().collect();
        Outside { bounds, bounded: outside::bounded(&function.sig.generics), ..whole }
    }

    /// The names that a stage's closure takes from outside, except for locals.
    pub fn of_closure(closure: &syn::ExprClosure, scopes: &Scopes, callees: &Callees) -> Self {
        let source = scopes.source();
        let mut scan =
            NameScan { source, callees, levels: Vec::new(), guesses: false, found: Outside::default() };
        scan.visit_expr_closure(closure);
        scan.found.names.retain(|_, (name, _)| scopes.get(name).is_none());
        scan.found
    }
}

/// The names of a scope.
#[derive(Default)]
struct ScannedScope {
    locals: HashSet<Name>,
    items: HashSet<String>,
    /// Whether locals of the scopes around are not seen.
    closed: bool,
}

struct NameScan<'s> {
    source: &'s SourceFacts,
    callees: &'s Callees,
    levels: Vec<ScannedScope>,
    /// Whether what is visited are the arguments of a macro that may take them for something else than expressions.
    guesses: bool,
    found: Outside,
}

impl NameScan<'_> {
    fn level(&mut self, level: ScannedScope, visit: impl FnOnce(&mut Self)) {
        self.levels.push(level);
        visit(self);
        self.levels.pop();
    }

    fn define(&mut self, name: &Ident) {
        if let Some(level) = self.levels.last_mut() {
            level.locals.insert(Name::of(name));
        }
    }

    fn is_item(&self, name: &Ident) -> bool {
        let name = hygiene::text(name);
        self.levels.iter().any(|level| level.items.contains(&name))
    }

    fn is_local(&self, name: &Ident) -> bool {
        let name = Name::of(name);
        let mut open = true;
        self.levels.iter().rev().any(|level| {
            let found = open && level.locals.contains(&name);
            open &= !level.closed;
            found
        })
    }

    /// Notes the first segment of a path.
    fn head(&mut self, name: &Ident, value: bool) {
        let text = hygiene::text(name);
        // A generic argument that is a local is read as a type.
        let may_be_local = value || text.starts_with(char::is_lowercase);
        if is_root(&text) || self.is_item(name) || may_be_local && self.is_local(name) {
            return;
        }
        // A macro may have made a local of that name.
        let lowercase = value && !text.starts_with(char::is_uppercase);
        if lowercase && (self.guesses || self.source.exposed.contains(&text)) {
            self.found.unseen.entry(text).or_insert_with(|| (name.clone(), false));
            return;
        }
        self.note(name, value);
    }

    fn note(&mut self, name: &Ident, value: bool) {
        let known = self.found.names.entry(hygiene::text(name));
        known.or_insert_with(|| (name.clone(), false)).1 |= value;
    }

    /// Notes the name of a function that is called: a macro is not likely to define a closure of that name.
    fn called(&mut self, path: &syn::ExprPath) {
        match path.path.get_ident() {
            Some(name) if path.qself.is_none() => {
                if !is_root(&hygiene::text(name)) && !self.is_item(name) && !self.is_local(name) {
                    self.note(name, true);
                }
            }
            _ => self.visit_expr_path(path),
        }
    }

    /// Whether a path is that of a template.
    fn is_passed(&self, path: &syn::ExprPath) -> bool {
        self.callees.contains_key(&text(&path.path))
            && !path.path.get_ident().is_some_and(|name| self.is_local(name) || self.is_item(name))
    }

    fn function(&mut self, function: &ItemFn) {
        let mut level = ScannedScope { closed: true, ..ScannedScope::default() };
        generics(&function.sig.generics, &mut level.items);
        self.level(level, |scan| {
            scan.visit_generics(&function.sig.generics);
            for input in &function.sig.inputs {
                match input {
                    FnArg::Typed(typed) => {
                        if !is_tensor_impl(&typed.ty) {
                            scan.visit_type(&typed.ty);
                        }
                        scan.visit_pat(&typed.pat);
                    }
                    FnArg::Receiver(_) => {}
                }
            }
            scan.visit_return_type(&function.sig.output);
            scan.visit_block(&function.block);
        });
    }

    /// Notes the identifiers among tokens that are not understood.
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Ident(name) => {
                    let text = hygiene::text(name);
                    let behind = |sign| matches!(at.checked_sub(1).map(|at| &trees[at]), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
                    if is_root(&text) || behind('.') || behind('$') || behind('\'') {
                        continue;
                    }
                    if self.is_item(name) || self.is_local(name) {
                        continue;
                    }
                    let begins = match trees.get(at + 1) {
                        Some(TokenTree::Punct(punct)) => {
                            punct.as_char() == '!'
                                || punct.as_char() == ':' && punct.spacing() == Spacing::Joint
                        }
                        Some(TokenTree::Group(group)) => {
                            group.delimiter() == proc_macro2::Delimiter::Parenthesis
                        }
                        _ => false,
                    };
                    let path = !behind(':') && (begins || text.starts_with(char::is_uppercase));
                    self.found.unseen.entry(text).or_insert_with(|| (name.clone(), false)).1 |= path;
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn import(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(inner) => self.head(&inner.ident, false),
            UseTree::Name(inner) => self.head(&inner.ident, false),
            UseTree::Rename(inner) => self.head(&inner.ident, false),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree)),
            UseTree::Glob(_) => {}
        }
    }

    /// The value of a boundary rule, whose name is the language's.
    fn rule(&mut self, rule: &Expr) {
        match surface::strip_parens(rule) {
            Expr::Path(_) => {}
            Expr::Call(rule) => rule.args.iter().for_each(|value| self.visit_expr(value)),
            Expr::Array(rules) => rules.elems.iter().for_each(|rule| self.rule(rule)),
            other => self.visit_expr(other),
        }
    }
}

impl Scoped for NameScan<'_> {
    fn enter(&mut self) {
        self.levels.push(ScannedScope::default());
    }

    fn leave(&mut self) {
        self.levels.pop();
    }

    fn bind(&mut self, pattern: &Pat, _: PatternOrigin<'_>) {
        Visit::visit_pat(self, pattern);
    }
}

impl<'ast> Visit<'ast> for NameScan<'_> {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let items = Items::of(&block.stmts, self.source).names;
        self.level(ScannedScope { items, ..ScannedScope::default() }, |scan| visit::visit_block(scan, block));
    }

    scoped!('ast);

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        if let Some((_, inner)) = &pattern.subpat {
            self.visit_pat(inner);
        }
        // A constant, or the name of one, is spelled with a capital.
        if hygiene::text(&pattern.ident).starts_with(char::is_uppercase) {
            self.head(&pattern.ident, false);
        } else {
            self.define(&pattern.ident);
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Verbatim(tokens) => self.tokens(tokens.clone()),
            expr => visit::visit_expr(self, expr),
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        match surface::strip_parens(&call.func) {
            Expr::Path(path) if self.callees.contains_key(&text(&path.path)) || is_surface(call) => {
                path.path.segments.iter().for_each(|segment| self.visit_path_arguments(&segment.arguments));
            }
            Expr::Path(path) => self.called(path),
            other => self.visit_expr(other),
        }
        for argument in &call.args {
            match surface::strip_parens(argument) {
                // A template that is passed is resolved already.
                Expr::Path(path) if self.is_passed(path) => {
                    let segments = path.path.segments.iter();
                    segments.for_each(|segment| self.visit_path_arguments(&segment.arguments));
                }
                argument => self.visit_expr(argument),
            }
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if TensorMethod::of(&call.method) == Some(TensorMethod::Boundary) && call.args.len() == 1 {
            self.visit_expr(&call.receiver);
            return call.args.iter().for_each(|rule| self.rule(rule));
        }
        let takes_order = match TensorMethod::of(&call.method) {
            Some(TensorMethod::Stored) => true,
            // That of std's iterators has two arguments.
            Some(TensorMethod::Scan) => call.args.len() == 1,
            _ => false,
        };
        if takes_order {
            self.visit_expr(&call.receiver);
            return call.args.iter().flat_map(surface::order_lists).for_each(|list| self.visit_expr(list));
        }
        let known = TensorMethod::of(&call.method).is_some() || purity::method(&call.method);
        if !known && self.found.method.is_none() {
            self.found.method = Some(call.method.clone());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let (None, Some(name)) = (&path.qself, path.path.get_ident()) {
            return self.head(name, true);
        }
        match &path.qself {
            Some(own) if own.position == 0 => {
                self.visit_type(&own.ty);
                path.path.segments.iter().for_each(|segment| self.visit_path_arguments(&segment.arguments));
            }
            _ => visit::visit_expr_path(self, path),
        }
    }

    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        match &path.qself {
            Some(own) if own.position == 0 => {
                self.visit_type(&own.ty);
                path.path.segments.iter().for_each(|segment| self.visit_path_arguments(&segment.arguments));
            }
            _ => visit::visit_type_path(self, path),
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if let (None, Some(first)) = (path.leading_colon, path.segments.first()) {
            self.head(&first.ident, false);
        }
        path.segments.iter().for_each(|segment| self.visit_path_arguments(&segment.arguments));
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.function(function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        let mut level = ScannedScope { closed: true, ..ScannedScope::default() };
        generics(&function.sig.generics, &mut level.items);
        self.level(level, |scan| visit::visit_impl_item_fn(scan, function));
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        let mut level = ScannedScope { closed: true, ..ScannedScope::default() };
        generics(&function.sig.generics, &mut level.items);
        self.level(level, |scan| visit::visit_trait_item_fn(scan, function));
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        let mut level = ScannedScope { closed: true, ..ScannedScope::default() };
        let own = match item {
            syn::Item::Struct(item) => Some(&item.generics),
            syn::Item::Enum(item) => Some(&item.generics),
            syn::Item::Union(item) => Some(&item.generics),
            syn::Item::Type(item) => Some(&item.generics),
            syn::Item::Trait(item) => Some(&item.generics),
            syn::Item::Impl(item) => Some(&item.generics),
            // What is in a module is resolved there.
            syn::Item::Mod(_) => return,
            syn::Item::Use(import) => {
                if import.leading_colon.is_none() {
                    self.import(&import.tree);
                }
                return;
            }
            syn::Item::Macro(definition) if definition.ident.is_some() => {
                return self.tokens(definition.mac.tokens.clone());
            }
            syn::Item::Verbatim(tokens) => return self.tokens(tokens.clone()),
            _ => None,
        };
        if let Some(own) = own {
            generics(own, &mut level.items);
        }
        self.level(level, |scan| visit::visit_item(scan, item));
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let (None, Some(first)) = (mac.path.leading_colon, mac.path.segments.first()) {
            let name = hygiene::text(&first.ident);
            if mac.path.segments.len() > 1 {
                self.head(&first.ident, false);
            } else if !self.source.macros.contains(&name) && !self.is_item(&first.ident) {
                self.found.macros.entry(name).or_insert_with(|| first.ident.clone());
            }
        }
        match self.source.known(mac) {
            Some(MacroArguments::List(arguments, format)) => {
                for argument in &arguments {
                    match argument {
                        // `name = value` of a format string.
                        Expr::Assign(named) if format.is_some() => Visit::visit_expr(self, &named.right),
                        argument => Visit::visit_expr(self, argument),
                    }
                }
                let format = format.and_then(|at| arguments.get(at));
                let named = |name: &str| {
                    arguments.iter().any(|argument| {
                        matches!(argument, Expr::Assign(named)
                            if surface::ident(&named.left).is_some_and(|left| hygiene::text(left) == *name))
                    })
                };
                for name in inline_captures(format).iter().filter(|name| !named(name)) {
                    let span = format.map_or_else(proc_macro2::Span::call_site, syn::spanned::Spanned::span);
                    if let Ok(mut name) = syn::parse_str::<Ident>(name) {
                        name.set_span(span);
                        self.head(&name, true);
                    }
                }
            }
            Some(MacroArguments::Repeat(value, count)) => {
                Visit::visit_expr(self, &value);
                Visit::visit_expr(self, &count);
            }
            Some(MacroArguments::Matches(value, pattern)) => {
                Visit::visit_expr(self, &value);
                self.within(|scan| scan.bind(&pattern, PatternOrigin::Unknown));
            }
            None => {
                let list = Punctuated::<Expr, Token![,]>::parse_terminated;
                match list.parse2(mac.tokens.clone()) {
                    Ok(list) => {
                        let guesses = std::mem::replace(&mut self.guesses, true);
                        list.iter().for_each(|argument| Visit::visit_expr(self, argument));
                        self.guesses = guesses;
                    }
                    Err(_) => self.tokens(mac.tokens.clone()),
                }
            }
        }
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Verbatim(tokens) => self.tokens(tokens.clone()),
            pattern => visit::visit_pat(self, pattern),
        }
    }
}

/// Whether a call is one of the language, whose path no emitted code has.
pub(in crate::bind) fn is_surface(call: &syn::ExprCall) -> bool {
    let iters = |path: &syn::ExprPath| path.path.segments.last().is_some_and(|last| last.ident == "iters");
    Constructor::called(call).is_some()
        || call.args.is_empty()
            && matches!(surface::strip_parens(&call.func), Expr::Path(path) if iters(path))
}

/// Whether a name begins a path that no block can give another meaning, or is a word of the language.
pub(in crate::bind) fn is_root(name: &str) -> bool {
    name.starts_with('$') || syn::parse_str::<Ident>(name).is_err()
}
