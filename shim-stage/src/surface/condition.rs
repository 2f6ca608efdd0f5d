//! Conditions, `#[cfg(..)]`, which rustc evaluates only after the macro has run.

use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, Item, Stmt};

/// The conditions on a statement, and the statement without them; `None` for one that is there in any case.
pub fn split(statement: &Stmt) -> Option<(Vec<Attribute>, Stmt)> {
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
pub fn is_conditional(item: &Item) -> bool {
    match item {
        Item::Const(item) => item.attrs.iter().any(is_condition),
        _ => false,
    }
}

/// Whether an attribute decides if something is there.
pub fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

fn take(attributes: &mut Vec<Attribute>) -> Vec<Attribute> {
    attributes.extract_if(.., |attribute| is_condition(attribute)).collect()
}

/// Takes the conditions before an expression, which the parser hangs on what stands first in it. It visits all attributes
/// of a node at once, which [`crate::syntax`] does not know.
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
