//! What the names of a kernel stand for where they are used.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use syn::{Expr, Ident};

use crate::hygiene::{self, Name};
use crate::ir::{LetDef, RegionId, View};
use crate::static_eval::{self, Value};
use crate::symbolic::{SymInt, Symbol};

use crate::bind::names::outside::Outside;
use crate::bind::names::source::Items;

use super::local::{Local, Passed};

/// What a name is bound to.
#[derive(Debug, Clone)]
pub enum Binding {
    /// A value known at expansion.
    Static(Value),
    /// A table known at expansion, which stands in the emitted code too.
    Table(Value, Ident),
    /// A tensor.
    Tensor(Rc<View>),
    /// A loop variable or a value computed of loop variables alone: an `i32` in the user's code.
    Index {
        /// Its value in the algebra.
        sym: SymInt,
        /// Its value in Rust.
        value: Expr,
        /// Whether the two are certain to be the same: Rust's `i32` may overflow on the way, the algebra does not.
        exact: bool,
        /// Whether the user's code has a reference to it: the closure of a `filter` that takes `|[y, x]|`.
        reference: bool,
    },
    /// The variables of a whole index, one per axis.
    Point(Vec<Ident>),
    /// An iterator of `iters()`, before it has a loop.
    Iterator,
    /// A stage, by its number.
    Stage(usize),
    /// A template that was passed to the one that is being staged; none where nothing is known of it, at a definition.
    Template(Option<Rc<Passed>>),
    /// A value that was reported as wrong, or of which a definition knows nothing.
    Broken,
    /// Any other local.
    Local(Local),
}

/// What a block says about names.
#[derive(Debug, Default)]
struct ScopeLevel {
    /// The names it binds by their texts: the expansion of each, the identifier that binds it, and what it stands for.
    names: HashMap<String, Vec<(u32, Ident, Binding)>>,
    /// The texts of its items and imports, which hide whatever is outside from the whole block, whichever expansion an
    /// identifier comes from.
    items: HashSet<String>,
    /// The macros it defines.
    macros: HashSet<String>,
    /// Whether it may have items that the macro does not see.
    hides_items: bool,
    /// Whether its items may bring a trait into scope.
    traits: bool,
    /// Whether its items are those that their names mean beside the kernel.
    restores: bool,
    /// The region of its statements, if it has one.
    region: Option<RegionId>,
    /// The texts of the locals that emitted code has here.
    emitted: HashSet<String>,
}

/// The scopes from the function's to the innermost.
#[derive(Debug, Default)]
pub struct Scopes {
    stack: Vec<ScopeLevel>,
    /// Scopes below this number belong to callers of the template being staged, and are not seen.
    floor: usize,
    source: Rc<SourceFacts>,
    /// The names of types and constants that the kernel is generic over.
    generics: HashSet<String>,
    /// The identifiers of each text that were asked for, where more than one expansion has made them.
    asked: RefCell<BTreeMap<String, BTreeMap<u32, Ident>>>,
    /// The primitive types whose names were taken for theirs.
    primitives: RefCell<BTreeSet<&'static str>>,
    /// The methods that were taken for those of `Ord`.
    methods: RefCell<BTreeSet<&'static str>>,
    /// Values of `let`s, and how many opaque operations ran before each.
    pub(in crate::bind) let_defs: Vec<(LetDef, u64)>,
    /// Symbols of constants, by their path and the region in which it means them.
    pub(in crate::bind) paths: HashMap<(Vec<Name>, RegionId), Symbol>,
    /// Items that have the names of primitive types.
    pub(in crate::bind) hidden_primitives: Vec<(String, proc_macro2::TokenStream)>,
    /// The names of `let`s without `mut` whose values are known, and whether an assignment to one was reported.
    pub(in crate::bind) static_lets: Vec<(Ident, bool)>,
}

/// What is known of the tokens that are being bound: the function's or a template's.
#[derive(Debug, Default)]
pub struct SourceFacts {
    /// Whether identifiers come from more than one expansion.
    pub mixed: bool,
    /// The names that keep their identifiers in emitted code, see [`Local::exposed`].
    pub exposed: HashSet<String>,
    /// The macros that the function defines.
    pub macros: HashSet<String>,
    /// The labels of loops and tiles.
    pub labels: HashSet<String>,
    /// The names that a template takes from outside; none of a kernel's.
    pub outside: Outside,
}

/// The scope in which the names of the tokens being bound resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// Beside the kernel: those of a template.
    BesideKernel,
    /// In a block of the kernel, with so many scopes around: those of a stage.
    Block(RegionId, usize),
}

impl Home {
    /// How many scopes are around.
    fn depth(self) -> usize {
        match self {
            Home::BesideKernel => 0,
            Home::Block(_, depth) => depth,
        }
    }
}

/// Who gives a name in a template's tokens another meaning than it has beside the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiddenName {
    /// A generic parameter of the kernel.
    Generic,
    /// A macro that a block of a caller defines.
    Macro,
    /// An item or import of a block of a caller.
    Item,
    /// A block of a caller may, by an import or a macro that is not seen into.
    Perhaps,
}

impl Scopes {
    /// Goes on with other tokens; gives the ones before.
    pub fn enter_source(&mut self, source: Rc<SourceFacts>) -> Rc<SourceFacts> {
        std::mem::replace(&mut self.source, source)
    }

    /// [`Scopes::source`], shared.
    pub fn shared_source(&self) -> Rc<SourceFacts> {
        self.source.clone()
    }

    /// What is known of the tokens that are being bound.
    pub fn source(&self) -> &SourceFacts {
        &self.source
    }

    /// Opens a scope.
    pub fn enter(&mut self) {
        self.stack.push(ScopeLevel::default());
    }

    /// Opens the scope of a block's statements.
    pub fn enter_block(&mut self, region: RegionId, items: Items) {
        let Items { names: items, macros, more: hides_items, traits } = items;
        let region = Some(region);
        self.stack.push(ScopeLevel { items, macros, hides_items, traits, region, ..ScopeLevel::default() });
    }

    /// Opens the scope of a block in which `names` mean what they mean beside the kernel.
    pub fn enter_restored(&mut self, region: RegionId, names: HashSet<String>) {
        self.stack.push(ScopeLevel {
            items: names,
            restores: true,
            region: Some(region),
            ..ScopeLevel::default()
        });
    }

    /// Says what the kernel is generic over.
    pub fn set_generics(&mut self, generics: HashSet<String>) {
        self.generics = generics;
    }

    /// Whether a name that no scope binds is a generic parameter of the kernel.
    pub fn is_generic(&self, name: &Ident) -> bool {
        self.get(name).is_none() && self.generics.contains(&crate::hygiene::text(name))
    }

    /// Whether a block between here and `home` may bring a trait into scope.
    pub fn may_have_traits(&self, home: Home) -> bool {
        self.stack[home.depth()..].iter().any(|level| level.traits)
    }

    /// Who gives `name`, of a macro or of anything else, another meaning here than it has at `home`.
    pub fn hidden(&self, home: Home, name: &str, is_macro: bool) -> Option<HiddenName> {
        let mut perhaps = None;
        for level in self.stack[home.depth()..].iter().rev() {
            if is_macro && level.macros.contains(name) {
                return Some(HiddenName::Macro);
            }
            if level.items.contains(name) {
                return if level.restores { perhaps } else { Some(HiddenName::Item) };
            }
            if level.hides_items {
                perhaps = Some(HiddenName::Perhaps);
            }
        }
        if !is_macro && home == Home::BesideKernel && self.generics.contains(name) {
            Some(HiddenName::Generic)
        } else {
            perhaps
        }
    }

    /// Whether a caller of the template that is being staged may have an item of this name.
    pub fn may_be_callers_item(&self, name: &Ident) -> bool {
        let text = hygiene::text(name);
        let callers = &self.stack[..self.floor.min(self.stack.len())];
        callers.iter().any(|level| level.hides_items || level.items.contains(&text))
    }

    /// Whether a scope binds a local of this text.
    pub fn has_local(&self, text: &str) -> bool {
        self.stack.iter().any(|level| level.names.contains_key(text) && !level.items.contains(text))
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.stack.pop();
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Closes scopes until `depth` are open, whose locals stay in scope in emitted code.
    pub fn leave_emitted_to(&mut self, depth: usize) {
        let closed = self.stack.split_off(depth.min(self.stack.len()));
        if let Some(level) = self.stack.last_mut() {
            level.emitted.extend(closed.into_iter().flat_map(|level| level.emitted));
        }
    }

    /// Closes scopes until `depth` are open.
    pub fn leave_to(&mut self, depth: usize) {
        self.stack.truncate(depth);
    }

    /// Hides everything in scope, for a template's body; gives what [`Scopes::reveal`] needs.
    pub fn hide(&mut self) -> usize {
        std::mem::replace(&mut self.floor, self.stack.len())
    }

    /// Undoes [`Scopes::hide`].
    pub fn reveal(&mut self, floor: usize) {
        self.floor = floor;
    }

    /// Binds `name` in the innermost scope.
    pub fn bind(&mut self, name: &Ident, binding: Binding) {
        let Name { text, syntax_context } = self.name(name);
        if let Some(level) = self.stack.last_mut() {
            let bound = level.names.entry(text).or_default();
            bound.retain(|(other, ..)| *other != syntax_context);
            bound.push((syntax_context, name.clone(), binding));
        }
    }

    /// What `name` stands for; none for whatever is not the kernel's own.
    pub fn get(&self, name: &Ident) -> Option<&Binding> {
        let name = self.name(name);
        let (level, at) = self.place_of(&name)?;
        Some(&self.stack[level].names.get(&name.text)?[at].2)
    }

    /// The stages that names in scope are bound to, by their numbers.
    pub fn stages(&self) -> BTreeSet<usize> {
        let visible = &self.stack[self.floor.min(self.stack.len())..];
        let bound = visible.iter().flat_map(|level| level.names.values().flatten());
        let stage = |(.., binding): &(u32, Ident, Binding)| match binding {
            Binding::Stage(id) => Some(*id),
            _ => None,
        };
        bound.filter_map(stage).collect()
    }

    /// The local that has this name in emitted code.
    pub fn emitted(&self, name: &Ident) -> Option<&Local> {
        let bound = self.stack.iter().rev().flat_map(|level| level.names.values().flatten());
        bound.into_iter().find_map(|(.., binding)| match binding {
            Binding::Local(local) if local.name == *name => Some(local),
            _ => None,
        })
    }

    /// The name by which `name` was bound, where it was.
    pub fn definition(&self, name: &Ident) -> Option<&Ident> {
        let name = self.name(name);
        let (level, at) = self.place_of(&name)?;
        Some(&self.stack[level].names.get(&name.text)?[at].1)
    }

    /// What `name` stands for, to change it.
    pub fn get_mut(&mut self, name: &Ident) -> Option<&mut Binding> {
        let name = self.name(name);
        let (level, at) = self.place_of(&name)?;
        Some(&mut self.stack[level].names.get_mut(&name.text)?[at].2)
    }

    /// The number of the scope that binds `name`, unless an item hides it, and its number there among those of its
    /// text.
    fn place_of(&self, name: &Name) -> Option<(usize, usize)> {
        let visible = self.floor.min(self.stack.len())..self.stack.len();
        for (at, level) in self.stack[visible.clone()].iter().enumerate().rev() {
            let bound = level.names.get(&name.text);
            let number = bound.and_then(|bound| {
                bound.iter().position(|(syntax_context, ..)| *syntax_context == name.syntax_context)
            });
            if let Some(number) = number {
                return Some((visible.start + at, number));
            }
            // What is spelled like a constant may be one that a glob or a macro brings.
            let hidden = level.hides_items && name.text.starts_with(char::is_uppercase);
            if hidden || level.items.contains(&name.text) {
                return None;
            }
        }
        None
    }

    /// The name that an identifier is among the tokens that are being bound.
    fn name(&self, ident: &Ident) -> Name {
        let text = hygiene::text(ident);
        if !self.source.mixed {
            return Name { text, syntax_context: 0 };
        }
        let syntax_context = hygiene::syntax_context(ident.span());
        let mut asked = self.asked.borrow_mut();
        asked.entry(text.clone()).or_default().entry(syntax_context).or_insert_with(|| ident.clone());
        Name { text, syntax_context }
    }

    /// Identifiers of one text that were taken for different names.
    pub fn told_apart(&self) -> Vec<Vec<Ident>> {
        let asked = self.asked.borrow();
        let lowercase = asked.iter().filter(|(text, _)| !text.starts_with(char::is_uppercase));
        let several = lowercase.filter(|(_, idents)| idents.len() > 1);
        several.map(|(_, idents)| idents.values().cloned().collect()).collect()
    }

    /// The identifiers of the names in scope that rustc must not take for anything else: all but those that are exposed
    /// anyway. Names of constants are left out: they are not known where an item may hide them.
    pub fn relied_on(&self) -> Vec<Ident> {
        let mut found: BTreeMap<Name, Ident> = BTreeMap::new();
        for level in &self.stack[self.floor.min(self.stack.len())..] {
            for (text, bound) in &level.names {
                for (syntax_context, ident, binding) in bound {
                    let name = Name { text: text.clone(), syntax_context: *syntax_context };
                    let exposed = matches!(binding, Binding::Local(local) if local.exposed);
                    if exposed || text == "self" || text.starts_with(char::is_uppercase) {
                        found.remove(&name);
                    } else {
                        found.insert(name, ident.clone());
                    }
                }
            }
        }
        found.into_values().collect()
    }

    /// The outermost region in which the names of `path` mean what they mean here: the block of an item that one of
    /// them may be.
    pub fn home(&self, path: &[Ident]) -> RegionId {
        let may_declare = |level: &&ScopeLevel| {
            level.hides_items || path.iter().any(|name| level.items.contains(&hygiene::text(name)))
        };
        self.stack.iter().rev().find(may_declare).and_then(|level| level.region).unwrap_or(RegionId::BODY)
    }

    /// Whether an item of a block inside of region `outer` may be what one of `names` means here.
    pub fn may_hide(&self, names: &[Ident], outer: RegionId) -> bool {
        let home = self.home(names);
        let place = |region| self.stack.iter().position(|level| level.region == Some(region));
        home != outer && place(home) > place(outer)
    }

    /// Whether `name` is bound to what an item of its block says.
    pub fn is_item(&self, name: &Ident) -> bool {
        let key = self.name(name);
        self.place_of(&key).is_some_and(|(level, _)| self.stack[level].items.contains(&key.text))
    }

    /// Whether a local keeps its identifier.
    pub fn is_exposed(&self, name: &Ident) -> bool {
        !self.source.exposed.is_empty() && self.source.exposed.contains(&hygiene::text(name))
    }

    /// Whether emitted code has a local of this text here.
    pub fn is_emitted(&self, text: &str) -> bool {
        self.stack.iter().any(|level| level.emitted.contains(text))
    }

    /// Notes a local of emitted code.
    pub fn emit(&mut self, name: &Ident) {
        if let Some(level) = self.stack.last_mut() {
            level.emitted.insert(hygiene::text(name));
        }
    }
}

impl Scopes {
    /// The primitive types whose names were taken for theirs.
    pub fn primitives(&self) -> Vec<&'static str> {
        self.primitives.borrow().iter().copied().collect()
    }

    /// The methods that were taken for those of `Ord`.
    pub fn methods(&self) -> Vec<&'static str> {
        self.methods.borrow().iter().copied().collect()
    }
}

impl Scopes {
    /// Notes that the name of a primitive type is taken for its own.
    pub fn relies_on_primitive(&self, name: &'static str) {
        self.primitives.borrow_mut().insert(name);
    }
}

impl static_eval::Scope for Scopes {
    fn relies_on_method(&self, name: &'static str) {
        self.methods.borrow_mut().insert(name);
    }

    fn relies_on(&self, ty: static_eval::IntType) {
        self.primitives.borrow_mut().insert(ty.name());
    }

    fn extent(&self, tensor: &Ident, axis: usize) -> Option<i64> {
        match self.get(tensor) {
            Some(Binding::Tensor(view)) => view.space.extents.get(axis)?.as_constant(),
            _ => None,
        }
    }

    fn lookup(&self, name: &Ident) -> Option<Value> {
        match self.get(name) {
            Some(Binding::Static(value) | Binding::Table(value, _)) => Some(value.clone()),
            _ => None,
        }
    }
}
