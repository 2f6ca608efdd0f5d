//! What is known of a local.

use std::rc::Rc;

use proc_macro2::Ident;
use syn::{Expr, Type};

use crate::ir::{CallEffect, ProgramPoint};
use crate::static_eval::Values;
use crate::symbolic::{SymInt, Symbol};

use crate::bind::IntTy;
use crate::bind::types::Primitive;

/// A template as an argument.
#[derive(Debug)]
pub struct Passed {
    /// The key of the template.
    pub key: String,
    /// The path as it was passed, with generic arguments that mean the same everywhere.
    pub path: syn::ExprPath,
    /// The path of the module that gives its names, if one does.
    pub home: Option<syn::Path>,
}

/// A local that passes through.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name in emitted code.
    pub name: Ident,
    /// `mut`, or borrowed mutably: its value may change between uses.
    pub mutable: bool,
    /// It keeps the user's own identifier, because something may give that another meaning which the macro does not
    /// see. Nothing is known of it but its name.
    pub exposed: bool,
    /// Its type, where it is written.
    pub ty: Option<Rc<Type>>,
    /// From where on it is in scope.
    pub defined: ProgramPoint,
    /// The symbol it is in index arithmetic, once it was used there.
    pub symbol: Option<Symbol>,
    /// Its value, where it is that of arithmetic that cannot overflow.
    pub value: Option<SymInt>,
    /// The integer that it is, where the kernel shows it.
    pub number: Option<IntTy>,
    /// What its calls do, if it is a closure.
    pub calls: CallEffect,
    /// The closure that it is, if its calls may be replaced.
    pub(in crate::bind) closure: Option<Rc<Inlined>>,
    /// The primitive type of the value that it was bound to.
    pub primitive: Option<Primitive>,
    /// The integers that it may be wherever it is in scope.
    pub values: Option<Values>,
    /// How much of its value is certainly its own.
    pub owned: Owned,
}

/// How much of a value certainly belongs to the name that it is bound to, and is no place behind a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owned {
    /// Nothing that is known.
    Nothing,
    /// Its elements or fields.
    Parts,
    /// All of it.
    Whole,
}

impl Local {
    /// A local without a known type or value.
    pub fn new(name: Ident, defined: ProgramPoint) -> Self {
        Local {
            name,
            mutable: false,
            exposed: false,
            ty: None,
            defined,
            symbol: None,
            value: None,
            number: None,
            calls: CallEffect::Unknown,
            closure: None,
            primitive: None,
            values: None,
            owned: Owned::Nothing,
        }
    }

    /// Whether its value is the same wherever it is in scope.
    pub fn is_unchanging(&self) -> bool {
        !self.mutable && !self.exposed
    }
}

/// A closure over parameters of primitive types.
#[derive(Debug)]
pub(in crate::bind) struct Inlined {
    pub(in crate::bind) parameters: Vec<(Ident, Type)>,
    pub(in crate::bind) body: Expr,
    /// The names in it, and what each means.
    pub(in crate::bind) names: Vec<(Ident, String)>,
    /// Whether it certainly does not panic, whatever its parameters are.
    pub(in crate::bind) is_total: bool,
}
