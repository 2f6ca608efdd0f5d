//! What the names of a kernel stand for where they are used.

use std::collections::HashMap;
use std::rc::Rc;

use syn::{Expr, Ident, Type};

use crate::fixed::{self, Value};
use crate::ir::{Position, View};
use crate::symbolic::{Sym, Symbol};

use super::number::Number;

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
        sym: Sym,
        /// Its value in Rust.
        value: Expr,
        /// Whether the two are certain to be the same: Rust's `i32` may overflow on the way, the algebra does not.
        exact: bool,
        /// Whether the user's code has a reference to it: the closure of a `filter` that takes `|[y, x]|`.
        reference: bool,
    },
    /// An iterator of `iters()`, before it has a loop.
    Iterator,
    /// A value that was reported as wrong.
    Broken,
    /// Any other local.
    Local(Local),
}

/// A local that passes through.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name in emitted code.
    pub name: Ident,
    /// `mut`, or borrowed mutably: its value may change between uses.
    pub mutable: bool,
    /// Its type, where it is written.
    pub ty: Option<Type>,
    /// From where on it is in scope.
    pub defined: Position,
    /// The symbol it is in index arithmetic, once it was used there.
    pub symbol: Option<Symbol>,
    /// The integer that it is, where the kernel shows it.
    pub number: Option<Number>,
    /// A closure whose body has no effect of its own and cannot leave the kernel.
    pub transparent: bool,
}

/// The scopes from the function's to the innermost.
#[derive(Debug, Default)]
pub struct Scopes {
    stack: Vec<HashMap<String, Binding>>,
    /// Scopes below this number belong to callers of the template being staged, and are not seen.
    floor: usize,
}

impl Scopes {
    /// Opens a scope.
    pub fn enter(&mut self) {
        self.stack.push(HashMap::new());
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.stack.pop();
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
        if let Some(scope) = self.stack.last_mut() {
            scope.insert(name.to_string(), binding);
        }
    }

    /// What `name` stands for.
    pub fn get(&self, name: &str) -> Option<&Binding> {
        self.stack[self.floor.min(self.stack.len())..].iter().rev().find_map(|scope| scope.get(name))
    }

    /// The symbol of the innermost binding that is called `name` in emitted code as in the user's, also where a template
    /// hides it.
    pub fn owner(&self, name: &Ident) -> Option<&Symbol> {
        let key = name.to_string();
        let bound = self.stack.iter().rev().filter_map(|scope| scope.get(&key));
        let mut named = bound.filter_map(|binding| match binding {
            Binding::Local(local) => (local.name == *name).then_some(local.symbol.as_ref()),
            Binding::Table(_, emitted) => (emitted == name).then_some(None),
            Binding::Index { sym, value, .. } => mentions(value, name).then(|| sym.as_symbol()),
            Binding::Static(_) | Binding::Tensor(_) | Binding::Iterator | Binding::Broken => None,
        });
        named.next().flatten()
    }

    /// What `name` stands for, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Binding> {
        let floor = self.floor.min(self.stack.len());
        self.stack[floor..].iter_mut().rev().find_map(|scope| scope.get_mut(name))
    }
}

fn mentions(value: &Expr, name: &Ident) -> bool {
    struct Find<'n>(&'n Ident, bool);
    impl<'ast> syn::visit::Visit<'ast> for Find<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0;
        }
    }
    let mut find = Find(name, false);
    syn::visit::Visit::visit_expr(&mut find, value);
    find.1
}

impl fixed::Scope for Scopes {
    fn lookup(&self, name: &Ident) -> Option<Value> {
        match self.get(&name.to_string()) {
            Some(Binding::Static(value) | Binding::Table(value, _)) => Some(value.clone()),
            _ => None,
        }
    }
}
