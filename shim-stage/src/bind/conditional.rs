//! Statements under `#[cfg(..)]`, which rustc keeps or drops only after the macro has run.
//!
//! Whether such a statement is there cannot be known here, so nothing outside of it may depend on it: it is bound as
//! a branch of its own, its accesses are tested where they run, and the names it binds are never static.

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, Item, Local, Stmt};

use crate::fixed;
use crate::ir::ContextKind;

use super::{Binder, Binding, pattern};

/// The conditions on a statement, and the statement without them; `None` for one that is there in any case.
pub(super) fn split(statement: &Stmt) -> Option<(Vec<Attribute>, Stmt)> {
    let mut plain = statement.clone();
    let conditions = match &mut plain {
        Stmt::Local(local) => take(&mut local.attrs),
        Stmt::Macro(mac) => take(&mut mac.attrs),
        Stmt::Expr(expr, _) => {
            let mut leading = Leading { conditions: Vec::new(), found: false };
            leading.visit_expr_mut(expr);
            leading.conditions
        }
        // An item passes through with its attributes.
        Stmt::Item(_) => Vec::new(),
    };
    (!conditions.is_empty()).then_some((conditions, plain))
}

/// Whether an item is there only under a condition.
pub(super) fn is_conditional(item: &Item) -> bool {
    match item {
        Item::Const(item) => item.attrs.iter().any(is_condition),
        _ => false,
    }
}

/// Whether an attribute decides if something is there.
pub(super) fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

fn take(attributes: &mut Vec<Attribute>) -> Vec<Attribute> {
    attributes.extract_if(.., |attribute| is_condition(attribute)).collect()
}

/// Takes the conditions before an expression, which the parser hangs on what stands first in it.
struct Leading {
    conditions: Vec<Attribute>,
    found: bool,
}

impl VisitMut for Leading {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            _ if self.found => {}
            Expr::Assign(assign) => self.visit_expr_mut(&mut assign.left),
            Expr::Binary(binary) => self.visit_expr_mut(&mut binary.left),
            Expr::Cast(cast) => self.visit_expr_mut(&mut cast.expr),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        // An expression's own attributes are visited before those of what it holds.
        if !self.found {
            self.found = true;
            self.conditions = take(attributes);
        }
    }
}

impl Binder<'_> {
    /// A statement that is there under `conditions`.
    pub(super) fn conditional(&mut self, conditions: Vec<Attribute>, statement: &Stmt) {
        if let Stmt::Local(local) = statement {
            return self.conditional_local(conditions, local);
        }
        let body = self.body(ContextKind::Branch, Vec::new(), |binder| {
            binder.statements(std::slice::from_ref(statement));
        });
        let block = self.block_of(body);
        let block = syn::ExprBlock { attrs: conditions, label: None, block };
        self.push(Stmt::Expr(Expr::Block(block), None));
    }

    fn conditional_local(&mut self, conditions: Vec<Attribute>, local: &Local) {
        let mut result = local.clone();
        result.attrs.extend(conditions);
        if let Some(init) = &mut result.init {
            if self.is_tensor(&init.expr) {
                self.diagnostics.error(
                    result.attrs[0].to_token_stream(),
                    "a tensor is declared under `#[cfg]`",
                    "`#[cfg]` is evaluated after the macro has run; put it on the whole kernel",
                );
                if let Some((name, ..)) = pattern::simple(&local.pat) {
                    self.bind_broken(name);
                }
                return;
            }
            *init.expr = self.arm(&init.expr, Vec::new());
            if let Some((_, otherwise)) = &mut init.diverge {
                **otherwise = self.arm(otherwise, Vec::new());
                self.opaque();
            }
        }
        // Where the statement is dropped, the name means what it meant before: a local then, too.
        if let Some((name, ..)) = pattern::simple(&local.pat)
            && let Some(Binding::Static(value)) = self.scopes.get(name)
        {
            let value = fixed::literal(value, name.span());
            let before = self.local_name(name);
            self.push(syn::parse_quote!(let #before = #value;));
        }
        result.pat = self.pattern(&local.pat);
        self.push(Stmt::Local(result));
        let here = self.position();
        if let Some((name, ..)) = pattern::simple(&local.pat)
            && let Some(Binding::Local(bound)) = self.scopes.get_mut(name)
        {
            bound.defined = here;
        }
    }
}
