//! Which calls are calls of templates, decided by syntax.
//!
//! A macro sees no types. What decides is that tensors exist only inside kernels, and come into being in a few ways
//! that show: as parameters of the tensor types, from `Block::..`, and from other tensors through the vocabulary of
//! views. So the scan follows names as Rust binds them, scope by scope, shadowing included, and a call of a plain path
//! is a template's if an argument is such a name, or an expression that makes a view of one in place.
//!
//! False negatives and false positives cost differently. The binder reports a template call that the scan missed,
//! because it knows what is a tensor. A plain call taken for a template's becomes a baffling rustc error about a macro.
//! Therefore expressions that give a value must not count: `t[[y, x]]`, `t.extent(0)` and shadowing such as `let v =
//! v[[0]]`. A partition is told from a read by an entry that is a range *literal*; a view must be made where it can be
//! seen.
//!
//! A call without a tensor among its arguments is a template's if the template is imported under `#[staged]`.
//!
//! Two things are not seen until a template has arrived: that it returns a tensor, and that it takes templates. The
//! interfaces of those that have arrived say so, and the search is repeated with them.
//!
//! Long: one visitor, whose scopes, items and calls depend on one another.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use syn::{Block, Expr, ExprCall, FnArg, Item, ItemFn, Macro, Pat, PatIdent, Path, Stmt, UseTree};

use crate::hygiene::{self, Name};
use crate::surface::scoped::{PatternOrigin, Scoped, scoped};
use crate::surface::std_macro::{self, MacroArguments};
use crate::surface::tensor_type::{is_runtime_tensor, is_template, is_tensor_impl, place_rank};
use crate::surface::{self, HelperAttribute, StageCall, TensorExpr, TensorMethod, TensorNames, is_place};
use crate::syntax::visit::{self, Visit};

use super::callee::{Callee, TemplateCalls};
use super::imports::is_template_import;
use super::interface::{Interface, Interfaces, Output};
use super::text;

/// The templates that `function` calls or passes to those of known interfaces.
pub fn calls(function: &ItemFn, interfaces: &Interfaces) -> TemplateCalls {
    // A kernel of the name of a template that it calls, such as a method `dct` over a function `dct`, is not that.
    let own = is_template(function).then(|| (&function.sig.ident, Interface::of(&function.sig)));
    let mut scan = CallScan {
        own,
        interfaces,
        scopes: vec![BTreeMap::new()],
        items: vec![BTreeSet::new()],
        in_macro: false,
        by_name: Vec::new(),
        plain: BTreeSet::new(),
        found: TemplateCalls::default(),
    };
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            let shaped = typed.attrs.iter().any(|attr| HelperAttribute::Shape.is(attr));
            let kind = if shaped || is_tensor_impl(&typed.ty) || is_runtime_tensor(&typed.ty) {
                BindingKind::Tensor
            } else if place_rank(&typed.ty).is_some() {
                BindingKind::Place
            } else {
                BindingKind::Value
            };
            scan.bind_names(&typed.pat, kind);
        }
    }
    scan.visit_block(&function.block);
    let CallScan { mut found, by_name, plain, .. } = scan;
    found.ambiguous.extend(by_name.into_iter().filter(|path| plain.contains(&text(path))));
    found
}

/// Kind of value that a pattern is bound to as a whole.
#[derive(Clone, Copy)]
enum BindingKind {
    Tensor,
    /// A tensor without elements. It is a value where it is an argument, of a template or of a plain function.
    Place,
    /// A value, a closure, or a function.
    Value,
}

/// What a name means inside the function.
enum Meaning {
    /// A name that a pattern or an item of the function binds.
    Bound(BindingKind),
    /// An import in a block, with the path it stands for.
    Import(Path),
    /// The same of a template, whose calls are known by its name.
    Template(Path),
}

struct CallScan<'a> {
    /// The name and the interface of a template.
    own: Option<(&'a Ident, Interface)>,
    interfaces: &'a Interfaces,
    scopes: Vec<BTreeMap<Name, Meaning>>,
    /// The texts of the items of each scope's block, which every expansion sees.
    items: Vec<BTreeSet<String>>,
    /// Whether what is visited was read from the tokens of a macro.
    in_macro: bool,
    /// Templates that are imported under `#[staged]`, where they are passed, or called among the arguments of a macro:
    /// there they keep their name.
    by_name: Vec<Path>,
    /// The texts of the paths of all other calls.
    plain: BTreeSet<String>,
    found: TemplateCalls,
}

impl CallScan<'_> {
    fn lookup(&self, name: &Ident) -> Option<&Meaning> {
        let name = Name::of(name);
        let item = Name { syntax_context: 0, ..name.clone() };
        self.scopes.iter().zip(&self.items).rev().find_map(|(scope, items)| {
            scope.get(&name).or_else(|| scope.get(&item).filter(|_| items.contains(&name.text)))
        })
    }

    fn define(&mut self, name: &Ident, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(Name::of(name), meaning);
        }
    }

    /// The same for an item, whose name every expansion sees.
    fn define_item(&mut self, name: &Ident, meaning: Meaning) {
        let text = hygiene::text(name);
        if let (Some(scope), Some(items)) = (self.scopes.last_mut(), self.items.last_mut()) {
            scope.insert(Name { text: text.clone(), syntax_context: 0 }, meaning);
            items.insert(text);
        }
    }

    /// Binds the names of a pattern; it is a tensor only as a whole.
    fn bind_names(&mut self, pattern: &Pat, kind: BindingKind) {
        match pattern {
            Pat::Ident(PatIdent { ident, subpat: None, .. }) => {
                self.define(ident, Meaning::Bound(kind));
            }
            Pat::Type(typed) => {
                let kind = if place_rank(&typed.ty).is_some() { BindingKind::Place } else { kind };
                self.bind_names(&typed.pat, kind);
            }
            Pat::Paren(inner) => self.bind_names(&inner.pat, kind),
            other => {
                for name in hygiene::bound_names(other) {
                    self.define(&name, Meaning::Bound(BindingKind::Value));
                }
            }
        }
    }

    /// Binds the names of a `let`. Tuples are taken apart: `let (a, b) = (t.slice(0, 0), t.slice(0, 1))`.
    fn bind_to(&mut self, pattern: &Pat, value: &Expr) {
        if let Pat::Tuple(names) = pattern {
            if let Some(Output::Tuple(tensors)) = self.output(value)
                && tensors.len() == names.elems.len()
            {
                for (name, tensor) in names.elems.iter().zip(tensors) {
                    self.bind_names(name, if tensor { BindingKind::Tensor } else { BindingKind::Value });
                }
                return;
            }
            let tuples = surface::branches(value);
            let fits =
                |value: &&Expr| matches!(value, Expr::Tuple(tuple) if tuple.elems.len() == names.elems.len());
            if let Some(Expr::Tuple(tuple)) = tuples.into_iter().find(fits) {
                // All values are made before any name is bound.
                let kinds: Vec<_> = tuple.elems.iter().map(|value| self.kind(value)).collect();
                for (name, kind) in names.elems.iter().zip(kinds) {
                    self.bind_names(name, kind);
                }
                return;
            }
        }
        let kind = if StageCall::of(value).is_some() { BindingKind::Tensor } else { self.kind(value) };
        self.bind_names(pattern, kind);
    }

    /// Kind of value that an expression has.
    fn kind(&self, expr: &Expr) -> BindingKind {
        let named = |name: &Ident| matches!(self.lookup(name), Some(Meaning::Bound(BindingKind::Place)));
        match self.is_tensor(expr) {
            true if is_place(expr, &named) => BindingKind::Place,
            true => BindingKind::Tensor,
            false => BindingKind::Value,
        }
    }

    /// Whether an expression is a tensor: a name of one, or a view made in place.
    fn is_tensor(&self, expr: &Expr) -> bool {
        // A condition may choose between tensors.
        let values = surface::branches(expr);
        values.into_iter().any(|value| TensorExpr::of(value, self).is_some())
    }

    /// What a call of a template of known interface returns.
    fn output(&self, expr: &Expr) -> Option<Output> {
        let Expr::Call(call) = surface::strip_parens(expr) else { return None };
        let Expr::Path(callee) = surface::strip_parens(&call.func) else { return None };
        Some(self.interface(&callee.path)?.output.clone())
    }

    /// The interface of the template that a path means, if it is known.
    fn interface(&self, path: &Path) -> Option<&Interface> {
        if path.get_ident().is_some_and(|name| matches!(self.lookup(name), Some(Meaning::Bound(_)))) {
            return None;
        }
        let written = text(path);
        match &self.own {
            Some((own, interface)) if is_own(own, &written) => Some(interface),
            _ => self.interfaces.get(&written),
        }
    }

    /// Whether a path is the name of a template that is imported under `#[staged]`.
    fn is_template_import(&self, path: &Path) -> bool {
        let name = path.segments.first().filter(|_| path.segments.len() == 1 && path.leading_colon.is_none());
        name.is_some_and(|name| matches!(self.lookup(&name.ident), Some(Meaning::Template(_))))
    }

    /// Notes the template behind a path, unless the path cannot be one's; `call` is the call, if the path is not an
    /// argument.
    fn call(&mut self, call: Option<&ExprCall>, path: &Path) {
        let mut plain = path.clone();
        for segment in &mut plain.segments {
            segment.arguments = syn::PathArguments::None;
        }
        let Some(first) = plain.segments.first().map(|segment| segment.ident.clone()) else { return };
        // Rust's naming convention tells types and their constructors, `S::f(t)` and `Some(t)`; std has no templates.
        let is_type = |name: &Ident| name.to_string().starts_with(char::is_uppercase);
        if plain.segments.iter().any(|segment| is_type(&segment.ident))
            || plain.segments.len() > 1 && ["std", "core", "alloc"].iter().any(|root| first == root)
        {
            return;
        }
        let written = text(&plain);
        let mut link = plain.clone();
        // rustc takes `column!` for ambiguous with std's, where the module's own comes from an expansion.
        if plain.segments.len() == 1 && std_macro::is_prelude_macro(&written) {
            link = syn::parse_quote!(self::#first);
        }
        let staged = self.is_template_import(&plain);
        if plain.leading_colon.is_none() {
            match self.lookup(&first) {
                Some(Meaning::Import(target) | Meaning::Template(target)) => {
                    link = target.clone();
                    link.segments.extend(plain.segments.iter().skip(1).cloned());
                }
                // A closure or a function inside this one: rustc would not look further either.
                Some(_) if plain.segments.len() == 1 => return,
                _ => {}
            }
        }
        // A template that calls itself cannot wait for its own macro.
        if self.own.as_ref().is_some_and(|(own, _)| is_own(own, &written)) {
            if !self.found.recursive.iter().any(|path| text(path) == written) {
                self.found.recursive.push(plain);
            }
            return;
        }
        let place = call.filter(|_| !self.in_macro).map(std::ptr::from_ref);
        if staged {
            // Its name may be that of a function elsewhere in this one.
            let Some(place) = place else {
                self.by_name.push(plain.clone());
                self.note(None, plain, link);
                return;
            };
            self.found.renamed.push((place, link.clone()));
            self.note(Some(place), link.clone(), link);
            return;
        }
        self.note(place, plain, link);
    }

    /// Notes the call of a template by a path; `link` names it outside the function.
    fn note(&mut self, place: Option<*const ExprCall>, plain: Path, link: Path) {
        let written = text(&plain);
        self.found.seen.push((place, written.clone(), text(&link)));
        match self.found.others.iter().position(|callee| text(&callee.path) == written) {
            Some(known) if text(&self.found.others[known].link) != text(&link) => {
                // Imports of two blocks may give one path two meanings.
                if !self.tell_apart(known, &plain, &link, place) {
                    self.found.ambiguous.push(plain);
                }
            }
            Some(_) => {}
            None => self.found.others.push(Callee { path: plain, link }),
        }
    }

    /// Gives a call by a path that means callee `known` elsewhere, or the calls of that, the path of an import; says
    /// whether that is possible.
    fn tell_apart(&mut self, known: usize, path: &Path, link: &Path, place: Option<*const ExprCall>) -> bool {
        let found = &mut self.found;
        let (written, other) = (text(path), found.others[known].link.clone());
        // A name that no block imports keeps its text.
        let moved = if text(link) == written { &other } else { link };
        let taken = found.others.iter().find(|callee| text(&callee.path) == text(moved));
        if taken.is_some_and(|taken| text(&taken.link) != text(moved)) {
            return false;
        }
        if text(link) == written {
            let calls = found.seen.iter().filter(|(_, path, link)| *path == written && *link == text(&other));
            let places: Option<Vec<_>> = calls.map(|(place, ..)| *place).collect();
            let Some(places) = places else { return false };
            found.renamed.extend(places.into_iter().map(|place| (place, other.clone())));
            found.others[known].path = other;
            found.others.push(Callee { path: path.clone(), link: link.clone() });
            return true;
        }
        let Some(place) = place else { return false };
        if taken.is_none() {
            found.others.push(Callee { path: link.clone(), link: link.clone() });
        }
        found.renamed.push((place, link.clone()));
        true
    }

    /// Makes a block's own items and imports known: they hold for all of it.
    fn declare(&mut self, item: &Item) {
        match item {
            Item::Fn(function) => self.define_item(&function.sig.ident, Meaning::Bound(BindingKind::Value)),
            Item::Const(constant) => self.define_item(&constant.ident, Meaning::Bound(BindingKind::Value)),
            Item::Static(place) => self.define_item(&place.ident, Meaning::Bound(BindingKind::Value)),
            Item::Use(import) => {
                let root = Path {
                    leading_colon: import.leading_colon,
                    segments: syn::punctuated::Punctuated::new(),
                };
                self.import(&root, &import.tree, is_template_import(import));
            }
            _ => {}
        }
    }

    fn import(&mut self, root: &Path, tree: &UseTree, template: bool) {
        let below = |name: &Ident| {
            let mut path = root.clone();
            // `use a::b::{self}` names `b` itself.
            if name != "self" || path.segments.is_empty() {
                path.segments.push(name.clone().into());
            }
            path
        };
        let meaning = if template { Meaning::Template } else { Meaning::Import };
        match tree {
            UseTree::Path(inner) => self.import(&below(&inner.ident), &inner.tree, template),
            UseTree::Name(inner) => {
                let path = below(&inner.ident);
                if let Some(last) = path.segments.last().map(|segment| segment.ident.clone()) {
                    self.define_item(&last, meaning(path));
                }
            }
            UseTree::Rename(inner) => self.define_item(&inner.rename, meaning(below(&inner.ident))),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(root, tree, template)),
            UseTree::Glob(_) => {}
        }
    }
}

impl Scoped for CallScan<'_> {
    fn enter(&mut self) {
        self.scopes.push(BTreeMap::new());
        self.items.push(BTreeSet::new());
    }

    fn leave(&mut self) {
        self.scopes.pop();
        self.items.pop();
    }

    fn bind(&mut self, pattern: &Pat, from: PatternOrigin<'_>) {
        match from {
            PatternOrigin::Value(value) => self.bind_to(pattern, value),
            PatternOrigin::Items(items) => {
                let tiles = match surface::strip_parens(items) {
                    Expr::MethodCall(call) => {
                        call.method == TensorMethod::Tiles.name()
                            && TensorExpr::of(&call.receiver, self).is_some()
                    }
                    _ => false,
                };
                self.bind_names(pattern, if tiles { BindingKind::Tensor } else { BindingKind::Value });
            }
            PatternOrigin::Unknown => self.bind_names(pattern, BindingKind::Value),
        }
    }
}

impl<'ast> Visit<'ast> for CallScan<'_> {
    fn visit_block(&mut self, block: &'ast Block) {
        self.within(|scan| {
            for statement in &block.stmts {
                if let Stmt::Item(item) = statement {
                    scan.declare(item);
                }
            }
            visit::visit_block(scan, block);
        });
    }

    /// Items inside see nothing of the function's tensors; annotated ones are expanded for themselves.
    fn visit_item(&mut self, _: &'ast Item) {}

    scoped!('ast);

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(callee) = &*call.func
            && callee.qself.is_none()
            && (call.args.iter().any(|argument| matches!(self.kind(argument), BindingKind::Tensor))
                || self.is_template_import(&callee.path)
                || callee.path.segments.len() > 1 && self.interface(&callee.path).is_some())
        {
            self.call(Some(call), &callee.path);
            let passed = self.interface(&callee.path).map_or_else(Vec::new, |known| known.templates.clone());
            for at in passed {
                if let Some(Expr::Path(template)) = call.args.get(at).map(surface::strip_parens)
                    && template.qself.is_none()
                {
                    self.call(None, &template.path);
                }
            }
        } else if let Expr::Path(callee) = &*call.func {
            self.plain.insert(text(&callee.path));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let outer = std::mem::replace(&mut self.in_macro, true);
        match std_macro::arguments(mac) {
            Some(MacroArguments::List(list, _)) => list.iter().for_each(|expr| Visit::visit_expr(self, expr)),
            Some(MacroArguments::Repeat(value, len)) => {
                Visit::visit_expr(self, &value);
                Visit::visit_expr(self, &len);
            }
            Some(MacroArguments::Matches(value, pattern)) => {
                Visit::visit_expr(self, &value);
                self.within(|scan| {
                    scan.bind(&pattern, PatternOrigin::Unknown);
                    Visit::visit_pat(scan, &pattern);
                });
            }
            None => {}
        }
        self.in_macro = outer;
    }
}

impl TensorNames for CallScan<'_> {
    fn is_tensor(&self, name: &Ident) -> bool {
        matches!(self.lookup(name), Some(Meaning::Bound(BindingKind::Tensor | BindingKind::Place)))
    }

    fn gives_tensor(&self, call: &ExprCall) -> bool {
        match surface::strip_parens(&call.func) {
            Expr::Path(callee) => {
                self.interface(&callee.path).is_some_and(|known| known.output == Output::Tensor)
            }
            _ => false,
        }
    }
}

/// Whether a template of the name `own` means itself by a path.
fn is_own(own: &Ident, written: &str) -> bool {
    *own == written.strip_prefix("self::").unwrap_or(written)
}
